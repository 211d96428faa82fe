"""Data: choose the scored items, confirm the columns, look at them."""

import streamlit as st

from sampleval import frames, plots
from sampleval.metrics import for_kind
from sampleval.ui import charts, mapping, planner, shell, sources, stores, words

shell.page("Data")

choice, said = st.columns([5, 7], gap="large")
with choice:
    source = sources.choose()
    if source is not None:
        key, table = sources.table(source)
        draft = mapping.draft(table, mapping.confirm(table, classes=source.classes, key=key), key)
        pool, known, stem = draft.pool, draft.labels, source.stem
    elif (stored := stores.chosen_pool()) is not None:
        st.caption("These data are stored already. Choose others above, or go on.")
        pool, known, stem = stored, stores.labels(stored.fingerprint), "study"
    else:
        st.caption(":material/lock: Nothing leaves this machine.")
        st.stop()

with said:
    positive = frames.predicted_positive(pool)
    with st.container(horizontal=True):
        st.metric("Items", words.count(pool.size), border=True)
        for row in positive.head(3).itertuples():
            st.metric(
                f"Predicted “{words.plain(words.short(row.label, 24))}”", words.share(row.share),
                help=f"{words.count(row.items)} items", border=True,
            )  # fmt: skip
        if known is not None:
            st.metric("Known labels", words.count(known.known.sum()), border=True)

    able = bool(for_kind(pool.task.kind))
    with st.container(horizontal=True):
        if st.button(
            "Use sensible settings and start labelling", type="primary", icon=":material/bolt:", key="sensible", disabled=not able,
            help="300 labels, most informative items first. All of it can be looked up later.",
        ):  # fmt: skip
            stores.keep(pool, known)
            with shell.mistakes_in_words():
                shell.remember("study", planner.begin_sensibly(pool, stem).name)
            shell.go("Label")
        if st.button("Plan first", icon=":material/query_stats:", key="plan", disabled=not able):
            stores.keep(pool, known)
            shell.go("Plan", {"name": stem})
    if note := words.nothing_predicted(pool):
        st.warning(note, icon=":material/help:")
    if not able:
        st.warning(f"Nothing can be estimated for {pool.task.kind} tasks yet.", icon=":material/help:")

    with st.container(border=True):
        st.markdown("**What we understood**")
        st.markdown(words.report([*pool.report, *(known.report if known is not None else ())]))

left, right = st.columns(2, gap="large")
with left:
    scores = frames.histogram(pool)
    threshold = pool.threshold if isinstance(pool.threshold, float) and pool.task.kind == "binary" else None
    charts.chart(
        plots.histogram(scores, threshold=threshold), scores, key="scores",
        alt="Histogram of the scores, items predicted positive apart from the others.",
    )  # fmt: skip
with right:
    if known is not None and pool.task.kind != "regression" and known.known.any():
        trust = frames.reliability(pool, known)
        charts.chart(
            plots.reliability(trust), trust, key="calibration",
            alt="Share of items truly positive against the mean score of ten groups, with 90% intervals.",
        )  # fmt: skip
        st.caption(
            ":material/visibility: This picture uses the known labels. In a real evaluation you would not have them; "
            "do not choose settings by it."
        )
    else:
        st.caption("Known labels would show here how far the scores can be trusted as probabilities.")

if able:
    shell.next_step("Plan", "see how many labels you need")
