"""Pictures of plans: what is typed stays text, and the design that is chosen is among those drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sampleval import frames

pytest.importorskip("plotly", reason="needs Plotly: install the extra [notebook] or [app]")


from sampleval import plots
from sampleval.plots import lessons, style
from sampleval.plots.layout import framed, mark_labels


@pytest.mark.parametrize(("currency", "shown"), [("$", "$"), ("<b>", "&lt;b&gt;"), ("R&D", "R&amp;D")])
def test_a_currency_stands_on_the_axis_as_it_was_typed(currency: str, shown: str) -> None:
    curve = pd.DataFrame({"design": "uniform", "budget": [10, 100], "width": [0.4, 0.1]})
    figure = plots.costs(frames.costs(curve, price=0.5, seconds=20), design="uniform", currency=currency)
    first = figure.layout.xaxis.ticktext[0]
    assert first.startswith(f"10<br>{shown} 5<br>")
    assert f"{shown} %{{customdata[0]" in figure.data[0].hovertemplate
    assert first.endswith("<br>3.3 min")  # and not .056 h, which nobody feels
    assert figure.data[0].customdata[0][1] == "3.3 min"


def test_costs_of_a_design_stand_beside_those_of_uniform_sampling_alone() -> None:
    curve = pd.DataFrame({"design": ["poisson", "uniform", "rounds"], "budget": 10, "width": [0.1, 0.2, 0.3]})
    figure = plots.costs(frames.costs(curve, price=1, seconds=1), design="poisson")
    assert [list(line.y) for line in figure.data] == [[0.1], [0.2]]


def test_the_pointer_tells_what_labels_cost() -> None:
    curve = pd.DataFrame(
        {"design": "uniform", "budget": [30, 300], "width": [0.2, 0.1], "certain": [0.0, 0.25]}
    )
    [line] = plots.costs(frames.costs(curve, price=0.5, seconds=20), design="uniform").data
    assert [tuple(told) for told in line.customdata] == [("15", "10 min"), ("150", "100 min")]
    [share] = plots.certain(curve, design="uniform", onset=np.nan).data
    assert (list(share.x), list(share.y)) == ([30, 300], [0.0, 0.25])


def test_the_suggested_trust_and_the_method_s_own_are_marked_apart() -> None:
    marks = {"default": [True, False], "suggested": [False, True]}
    errors = {name: [0.4, 0.3] for name in ("expected", "median", "low", "high")}
    figure = plots.advice(pd.DataFrame({"shrinkage": [0.9, 0.999]} | marks | errors), budget=300)
    assert [trace.name for trace in figure.data[-2:]] == ["the method's own: λ = 0.9", "suggested: λ = 0.999"]


@pytest.mark.parametrize(("logarithmic", "at"), [(True, 2), (False, 100)])
def test_the_name_of_a_budget_stands_above_its_line(logarithmic: bool, at: float) -> None:
    [mark] = mark_labels(100, logarithmic=logarithmic)
    figure = framed([], title="", x="", y="", marks=[mark])
    assert (figure.layout.shapes[0].x0, figure.layout.annotations[0].x) == (100, at)


def test_the_scale_of_items_is_named_by_items_and_not_by_their_roots() -> None:
    rows = pd.DataFrame(
        {"low": [0.0, 0.5], "high": [0.5, 1.0], "items": [100, 9], "decision": "", "quantity": "score"}
    )
    scale = plots.histogram(rows).layout.yaxis
    assert dict(zip(scale.ticktext, scale.tickvals, strict=True))["100"] == 10


def test_the_name_of_the_onset_is_not_cut_by_the_mark_of_a_budget_near_it() -> None:
    curve = pd.DataFrame({"design": "poisson", "budget": [10, 400, 1000], "certain": [0, 0.1, 1]})
    figure = plots.certain(curve, design="poisson", onset=399, budget=300)
    assert [note.text for note in figure.layout.annotations] == ["M = 300"]
    assert figure.data[1].name == "first at 399"
    assert set(figure.data[1].x) == {399}
    assert len(plots.certain(curve, design="poisson", onset=float("nan")).data) == 1


@pytest.mark.parametrize("chosen", ["targeted", "importance"])
def test_the_design_chosen_is_drawn_thick_among_those_it_is_compared_with(chosen: str) -> None:
    frame = pd.DataFrame({"design": [chosen, "poisson"], "rank": [1, 1], "inclusion": [0.9, 0.8]})
    own, other = plots.sorted_inclusion(frame, budget=3, design=chosen).data
    assert own.line.width > other.line.width
    assert (own.line.dash, other.line.dash) == ("solid", "dot")
    assert own.name != other.name


def test_the_design_chosen_is_seen_where_others_coincide_with_it() -> None:
    """Its own dots, far apart, were all but hidden; and a whole line above the others would hide these."""
    frame = pd.DataFrame(
        {"design": ["rounds", "uniform"], "budget": 10, "rank": 1, "inclusion": 0.9, "width": 0.2}
    )
    costs = frames.costs(frame, price=1, seconds=1)
    for figure in (
        plots.curves(frame, design="rounds"),
        plots.sorted_inclusion(frame, design="rounds"),
        plots.costs(costs, design="rounds"),
    ):
        own, other = figure.data
        assert (own.zorder, own.line.dash, other.zorder) == (-1, "solid", None)
        assert own.line.width > other.line.width


@pytest.mark.parametrize(
    ("budgets", "price", "told"),
    [
        ([10, 30, 100, 300, 1000], 1, [10, 30, 100, 300, 1000]),
        ([10, 30, 100, 300, 1000], 1e7, [10, 100, 1000]),  # their amounts overprinted each other
        # A single one at the edge left Plotly without a place for the axis's name.
        ([10, 11, 12], 1, [10, 12]),
        ([10, 30, 50], 1e7, [10, 50]),
        ([50, 80, 200], 1, [50, 200]),  # none is round: there was no picture
    ],
)
def test_numbers_of_labels_stand_as_close_as_their_amounts_allow(
    budgets: list[int], price: float, told: list[int]
) -> None:
    curve = pd.DataFrame({"design": "poisson", "budget": budgets, "width": 0.1})
    figure = plots.costs(frames.costs(curve, price=price, seconds=20), design="poisson", currency="€")
    assert list(figure.layout.xaxis.tickvals) == told


def test_a_line_is_called_alike_in_the_legend_and_at_the_pointer() -> None:
    plan = pd.DataFrame(
        {"design": ["rounds", "uniform"], "budget": 1, "rank": 1, "width": 0.2, "inclusion": 0.5}
    )
    study = pd.DataFrame({"method": ["queue", "uniform"], "labels": 1, "mean": 0.2, "low": 0.1, "high": 0.3})
    summary = study.assign(rmse=0.2, rmse_low=0.1, rmse_high=0.3)
    titles = {"rounds": "Rounds of mine", "queue": "Queue of mine"}
    for figure, own in (
        (plots.curves(plan, titles=titles), "Uniform sampling"),
        (plots.sorted_inclusion(plan, titles=titles), "Uniform sampling"),
        (plots.comparison(summary, titles=titles), "uniform"),
        (plots.divergence(study, titles=titles), "uniform"),
    ):
        named = [line for line in figure.data if line.name]
        assert [line.name for line in named] == [titles["rounds" if own[0] == "U" else "queue"], own]
        assert all(f"<extra>{line.name}</extra>" in line.hovertemplate for line in named)


def test_no_two_designs_share_a_dash() -> None:
    """Without colours four designs were the same line, and a plan's picture told them apart for nobody who sees none."""
    dashes = [look.dash for look in style.STROKES.values()]
    assert len({*dashes}) == len(dashes)


def test_kinds_of_bars_differ_by_more_than_colour() -> None:
    decisions = ["predicted negative", "predicted positive"]
    rows = pd.DataFrame({"low": [0.0, 0.5], "high": [0.5, 1.0], "items": 9, "decision": decisions})
    moved = pd.DataFrame({"low": [0.1], "high": [0.2], "before": [0.4], "now": [0.6]})
    samples = pd.DataFrame(
        {"design": ["uniform", "poisson"], "value": [0.2, 0.3], "repeat": [0, 0], "truth": [0.3, 0.3]}
    )
    figures = (
        plots.histogram(rows.assign(quantity="score")),
        plots.moved(moved.assign(items=9, labels=2, found=1)),
        lessons.rare(samples),
    )
    for figure in figures:
        assert len({bars.marker.pattern.shape for bars in figure.data}) == 2
