"""Figures of the papers, one click each. Those that take long are precomputed, and each can be computed anew."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import streamlit as st

from sampleval.plots import figures as pictures
from sampleval.simulation import figures
from sampleval.ui import address, charts, shell, stores, words
from sampleval.ui.data.demos import DEMOS
from sampleval.ui.headings import heading
from sampleval.ui.simulate import running

PAPERS = {
    "Y": "Yilmaz, Hayes, Habib, Burgess & Barber 2021: Sample Efficient Model Evaluation",
    "M": "Marchant & Rubinstein 2021: Needle in a Haystack",
}


def gallery() -> None:
    """The view in which a figure is chosen, shown and computed anew."""
    key = str(address.named("figure", figures.FIGURES))
    for paper, title in PAPERS.items():
        heading(title)
        with st.container(horizontal=True):
            for other in (k for k in figures.FIGURES if k.startswith(paper)):
                st.button(
                    f"Figure {figures.FIGURES[other].number}",
                    key=f"figure_{other}",
                    type="primary" if other == key else "secondary",
                    help=figures.FIGURES[other].title,
                    on_click=address.remember,
                    args=("figure", other),
                )
    st.divider()
    recipe = figures.FIGURES[key]
    st.header(f"{PAPERS[key[0]].split(':')[0]}, figure {recipe.number}", anchor=False)
    st.markdown(f"**{recipe.title}.** {recipe.see}")
    # Also below a figure computed here, with fewer studies: what was found is found in the other.
    st.markdown(f":material/fact_check: **Ours, as precomputed:** {recipe.agrees}")
    frame, made = _frame(key, recipe)
    if frame is not None:
        _show(key, recipe, frame.assign(panel=_in_words(frame["panel"])))
        st.markdown(f":small[{f'{pictures.bands(recipe)} {made}'.strip()}]")
    else:
        st.info("This one is not precomputed here. It can be computed below.", icon=":material/science:")
    _anew(key, recipe)


def _in_words(panel: pd.Series) -> pd.Series:
    """The titles, with pools named as in the app and not by their files."""
    for name, demo in DEMOS.items():
        panel = panel.astype(str).str.replace(Path(demo.file).stem.replace("_", " "), name, regex=False)
    return panel


def _show(key: str, recipe: figures.Recipe, frame: pd.DataFrame) -> None:
    """Show the panels side by side under one legend, or below each other on a narrow page."""
    names = pictures.legend(frame, recipe)
    if names:
        st.html(
            " ".join(  # lines break at the spaces
                f'<span style="white-space:nowrap; margin-right:1.2em">'
                f'<span style="color:{colour}">{glyph}</span> {name}</span>'
                for name, (colour, glyph) in names.items()
            )
        )
    drawn = list(pictures.panels(frame, recipe).items())
    across = 2 if recipe.kind in ("convergence", "bars") or len(drawn) < 3 else 3
    for first in range(0, len(drawn), across):
        for column, (title, figure) in zip(st.columns(across), drawn[first:], strict=False):
            with column:
                charts.picture(figure, key=f"figure_{key}_{title}", alt=f"{title}. {recipe.title}.")
    charts.download(frame, key=f"figure_{key}_csv", file=f"figure_{key}.csv")


def _frame(key: str, recipe: figures.Recipe) -> tuple[pd.DataFrame | None, str]:
    """The rows of the figure computed in this session, else of the precomputed one, and a line that says which it is."""
    titles = {Path(demo.file).stem: demo.title for demo in DEMOS.values()}
    pools = " and ".join(f"“{titles[pool]}”" for pool in recipe.pools)
    if (own := st.session_state.get(f"_figure_{key}")) is not None:
        return own[0], f"Computed just now on {pools}, {own[1]}."
    path = stores.demo_folder() / "figures" / f"{key}.parquet"
    if not path.is_file():
        return None, ""
    made = f"Precomputed on {pools}, {_studies(recipe)}, with `python -m benchmarks figures {key}`."
    return figures.kept(path), made


def _studies(recipe: figures.Recipe) -> str:
    if recipe.kind == "chances":
        return "without random draws"
    return f"{words.many(recipe.repeats, 'study', 'studies')} per line"


def _anew(key: str, recipe: figures.Recipe) -> None:
    """Offer to compute the figure here."""
    with st.expander("Compute it anew", icon=":material/refresh:"):
        repeats = recipe.repeats
        if repeats > 1:
            repeats = st.select_slider(
                "Studies a line", [5, 10, 20, 60, 100, 300], 10, key=f"figure_{key}_repeats"
            )
            st.caption(
                f"The precomputed one has {words.count(recipe.repeats)}. Ten take from seconds to a minute; bands are wide then."
            )
        if st.button("Compute", icon=":material/play_arrow:", key=f"figure_{key}_run"):
            load = figures.from_folder(stores.demo_folder())
            told, anew = running.counting(f"figure_{key}"), replace(recipe, repeats=repeats)
            with shell.mistakes_in_words():
                frame = figures.make(anew, load, progress=told)
            st.session_state[f"_figure_{key}"] = (frame, _studies(anew))
            st.rerun()
