"""Learn: five lessons, each with one live picture and a question to try."""

import streamlit as st

from sampleval.ui import charts, shell
from sampleval.ui.lessons import LESSONS, TERMS, entry, linked

shell.page("Learn")
titles = {name: f"{number} {lesson.title}" for number, (name, lesson) in enumerate(LESSONS.items(), 1)}
lesson = LESSONS[shell.choice("Lesson", titles, key="lesson")]

words, picture = shell.columns(4, 7)
with words:
    st.header(lesson.title, anchor=False)
    st.markdown(linked(lesson.text))
    with st.container(border=True):
        st.markdown(f"**Try it.** {lesson.question}")
        with st.expander("What you should find", icon=":material/lightbulb:"):
            st.markdown(lesson.answer)
    with st.expander("Formulas", icon=":material/function:", expanded=shell.presenting()):
        for about, formula in lesson.formulas:
            st.markdown(about)
            st.latex(formula)
    charts.downloadable(
        "As a notebook", lesson.notebook, lesson.read_notebook, key="notebook", type="tertiary"
    )
with picture:
    lesson.live()

st.divider()
st.header("Glossary", anchor=False)
terms, half = list(TERMS), -(-len(TERMS) // 2)
for column, part in zip(st.columns(2, gap="large"), (terms[:half], terms[half:]), strict=True):
    column.html("".join(map(entry, part)))
shell.next_step("Simulate", "see which method to trust")
