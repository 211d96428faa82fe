"""The downloads of the Results page: the report, the labels with their weights, and the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

import pandas as pd
import streamlit as st

from sampleval import frames, report, sheets
from sampleval.study import Estimate, Study, all_known, progress
from sampleval.ui import charts, words
from sampleval.ui.results.one_metric import EstimateOptions


def show(study: Study, found: Sequence[Estimate], options: EstimateOptions) -> None:
    """Show the downloads of what the page shows; each file is made when its button is pressed.

    Others may have labelled meanwhile: so that the files agree, each knows all labels, and the page then shows them too.
    """
    st.header("Take it along", anchor=False)

    def rows() -> pd.DataFrame:
        return frames.estimates(study.estimates(**asdict(options)))

    def labels() -> pd.DataFrame:
        study.refresh()
        return frames.labels(study)

    files: dict[str, tuple[str, Callable[[], str | bytes]]] = {
        "Report (HTML)": ("report.html", lambda: report.html(study, **asdict(options))),
        "Labels and weights (CSV)": ("labels.csv", lambda: sheets.to_csv(labels())),
        "Results (CSV)": ("results.csv", lambda: sheets.to_csv(rows())),
        "Results (JSON)": ("results.json", lambda: frames.to_json(rows())),
        "For a reanalysis (ZIP)": ("reanalysis.zip", lambda: report.archive(study, **asdict(options))),
    }
    with st.container(horizontal=True):
        for label, (file, make) in files.items():
            charts.downloadable(label, f"{study.name}_{file}", make, key=f"download_{file}", rerun=True)
    at = progress(study.state)
    unfinished = "; until that is used up, 1/inclusion is not a weight" if at.rest else ""
    apart = (
        "This method also uses what it believes about items without a label. So weights are not 1/inclusion and need not add "
        f"up to the {words.many(study.pool.size, 'item')} of the pool; weighted sums are not the estimates above. "
        if study.method.adds_belief and not all_known(study.state)
        else ""
    )
    st.caption(
        f"The report is one page with the methods. *weight* is how many items a label speaks for now. {apart}Use *weight* for "
        "estimates of your own. *inclusion* is an item's chance to be asked within the full budget of "
        f"{words.many(study.budget, 'label')}{unfinished}."
    )
    st.caption(
        "For a colleague who redoes the numbers without this app, the ZIP file has the sample (strata, rounds, draws, probabilities), "
        "labels, results, and a legend of all columns and formulas."
    )
    if len(study.state.problem.held):
        st.caption("Labels known beforehand have the *status* held and, outside the queue, the *place* −1.")
    if at.skipped or at.unsure:
        st.caption("In the results, *labels* counts all answers, those skipped and unsure included.")
    metrics = [study.metric(one.metric) for one in found]
    if any(study.method.form(metric) is not metric for metric in metrics):
        st.caption(
            "This method takes accuracy as 1 − Σ *weight* over wrong decisions / "
            f"{words.count(study.pool.size)}, so that a weighted share of right ones is a little different."
        )
