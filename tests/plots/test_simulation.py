"""Pictures of simulations: one look for each method, and axes that can be read."""

from __future__ import annotations

import pandas as pd
import pytest

pytest.importorskip("plotly", reason="needs Plotly: install the extra [notebook] or [app]")

from sampleval import plots
from sampleval.presets import PRESETS


def test_an_axis_of_labels_has_more_than_one_number() -> None:
    """From 20 to 41 labels, marks at every second and fifth digit would leave only the number 20."""
    assert plots.simulation.labels_axis(pd.Series([20, 41]))["dtick"] == "D1"
    assert plots.simulation.labels_axis(pd.Series([17, 500]))["dtick"] == "D2"
    assert plots.simulation.labels_axis(pd.Series([12, 12]))["tickvals"] == [12]


def test_methods_of_one_paper_are_drawn_in_colours_of_their_own() -> None:
    drawn = plots.simulation.looks(
        ["marchant-flat", "marchant-tree", "marchant-is", "oasis", "stratified", "uniform"]
    )
    assert len({colour for colour, *_ in drawn.values()}) == len(drawn)


def test_every_preset_has_a_look_of_its_own() -> None:
    """One without a line in `KNOWN` looked like the queue beside all others."""
    assert PRESETS.keys() - plots.simulation.FIXED.keys() == set()
    assert len({*plots.simulation.looks([*PRESETS]).values()}) == len(PRESETS)


def test_methods_without_a_look_of_their_own_have_different_ones() -> None:
    names = ["queue", "mine", "uniform", "yours", "theirs"]
    assert len(set(plots.simulation.looks(names).values())) == len(names)


@pytest.mark.parametrize(("error", "kind"), [(0.2, "log"), (float("nan"), "log"), (0.0, None)])
def test_only_an_error_of_nought_has_no_place_on_a_logarithmic_axis(error: float, kind: str | None) -> None:
    """Where a method had no value yet the axis was linear, and small errors lay on the ground."""
    rows = pd.DataFrame({"method": "queue", "labels": [20, 100], "rmse": [error, 0.01]})
    rows = rows.assign(rmse_low=rows["rmse"], rmse_high=rows["rmse"])
    assert plots.comparison(rows).layout.yaxis.type == kind


def test_error_stands_above_coverage_in_a_sweep() -> None:
    numbers = {"rmse": 0.1, "rmse_low": 0.05, "rmse_high": 0.2, "coverage": 0.9, "coverage_low": 0.8}
    rows = pd.DataFrame(
        {"shrinkage": [0.5, 1.0], "best": [True, False], "level": 0.9, "coverage_high": 1.0} | numbers
    )
    drawn = {
        trace.yaxis: set(trace.y) for trace in plots.sweep(rows).data if "lines+markers" in (trace.mode or "")
    }
    assert drawn == {"y": {0.1}, "y2": {0.9}}
    layout = plots.sweep(rows).layout
    assert ["coverage" in axis.title.text for axis in (layout.yaxis, layout.yaxis2)] == [False, True]


def test_the_share_of_the_pool_that_is_labelled_is_that_of_its_size() -> None:
    rows = pd.DataFrame(
        {"method": "queue", "labels": [20, 100], "rmse": 0.1, "rmse_low": 0.1, "rmse_high": 0.1}
    )
    for size, at in ((None, [20, 100]), (200, [0.1, 0.5])):
        assert [
            list(trace.x) for trace in plots.comparison(rows, fraction=size).data if "markers" in trace.mode
        ] == [at]


def test_names_of_metrics_stand_level_or_upright_below_their_matrix() -> None:
    """On a telephone Plotly tilts them, and two of five touched."""
    cells = {"post": ["f1", "recall"], "ratio": 1.0, "ratio_low": 1.0, "ratio_high": 1.0}
    figure = plots.matrix(pd.DataFrame({"budget": 10, "pre": "f1"} | cells))
    assert figure.layout.xaxis.autotickangles == (0, 90)
