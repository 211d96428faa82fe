"""Data: choose the scored items, confirm the columns, look at them."""

from functools import partial

import streamlit as st

from sampleval import plots
from sampleval.intervals import LEVEL
from sampleval.study import whose
from sampleval.ui import address, charts, held, pointless, shell, stores, words
from sampleval.ui.data import earlier, looks, mapping, sources
from sampleval.ui.headings import heading
from sampleval.ui.plan import beginning

TILES = 3  # predicted classes shown at the top: the most frequent ones

shell.page("Data")
stores.note_shown(None)  # until the table can be read

choice, said = shell.columns(5, 7)
with choice:
    source = sources.choose()
    if source is not None:
        (pool, known), stem = mapping.of(source), source.stem
    elif (stored := stores.chosen_pool()) is not None:
        st.caption("These data are stored already: go on with them, or choose others above.")
        pool, known, stem = stored, stores.labels(stored.fingerprint), "study"
    else:
        st.caption(":material/lock: Nothing leaves this machine.")
        st.stop()

stores.note_shown((pool, known, stem))  # the link to Plan at the top presses no button here
look = looks.look(pool, known)
with said:
    with st.container(horizontal=True):
        st.metric("Items", words.count(pool.size), border=True)
        frequent = look.positive.sort_values("items", ascending=False, kind="stable").head(TILES)
        for row in frequent.to_dict("records"):
            st.metric(
                f"Predicted “{words.name(words.short(row['label'], 24))}”",
                words.share(row["share"]),
                help=words.many(row["items"], "item"),
                border=True,
            )
        if (more := len(look.positive) - TILES) > 0:
            st.metric("Other classes", words.count(more), border=True)
        if known is not None:
            st.metric("Known labels", words.count(look.known), border=True)

    if note := whose(pool):
        st.caption(words.plain(note))
    earlier.offer(pool, known, stem)

    with st.container(horizontal=True):
        if st.button(
            "Use sensible settings and start labelling",
            type="primary",
            icon=":material/bolt:",
            key="sensible",
            help="At most 300 labels, the most informative items first. You can stop earlier or extend later.",
        ):
            stores.keep(pool, known)
            with shell.mistakes_in_words():
                beforehand = held.of_table(pool, known)
                begin = partial(beginning.begin_sensibly, pool, stem, beforehand)
                address.carry("study", beginning.once(f"{pool.fingerprint} {beforehand.key}", begin))
            shell.go("Label")
        if st.button("Plan first", icon=":material/query_stats:", key="plan"):
            stores.keep(pool, known)
            shell.go("Plan", {"name": stem})
    if some := held.partly(known):
        st.caption(
            f"{words.held(some, pool.size)} To leave them out, or if they are a random sample, plan first."
        )
    if note := pointless.nothing_predicted(pool):
        st.warning(note, icon=":material/help:")

    with st.container(border=True):
        heading("What we understood")
        st.markdown(words.report([*pool.report, *(known.report if known is not None else ())]))

left, right = st.columns(2, gap="large")
with left:
    if look.scores is None:
        st.caption(
            "These data have decisions but no scores, so nothing shows beforehand which decisions may be wrong."
        )
    else:
        charts.chart(
            plots.histogram(look.scores, threshold=look.threshold),
            look.scores,
            key="scores",
            alt="Histogram of what the model says of each item.",
        )
with right:
    if look.trust is not None:
        looks.show_trust(look.trust, pool)
        sure = words.sure(LEVEL)
        st.caption(
            f":material/visibility: Bars: {sure} intervals. This picture uses the labels known so far ({words.count(look.known)}); unless they are a random "
            "sample, it may mislead."
            if some
            else f":material/visibility: Bars: {sure} intervals. This picture uses the known labels. In a real evaluation you would not have them; "
            "do not choose settings by it."
        )
    elif pool.task.kind == "regression":
        st.caption("Known numbers would show here how far the predictions can be trusted.")
    elif look.scores is not None:
        st.caption("Known labels would show here how far the scores can be trusted as probabilities.")

if st.button(
    "**Next: see how many labels you need**", icon=":material/arrow_forward:", key="next", type="tertiary"
):
    stores.keep(pool, known)
    shell.go("Plan", {"name": stem})
