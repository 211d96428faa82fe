"""Pictures of curves over all thresholds, with their bands."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from sampleval._checks import fail
from sampleval.plots.given import drawn_from
from sampleval.plots.layout import framed, upright
from sampleval.plots.style import BAND, BLUE, DOTTED, ORANGE, SECOND, UNIT, faint
from sampleval.plots.traces import Trace, area, diagonal, trace

WIDE = faint(BLUE, 0.1)


@drawn_from("frames.curve(study.curve('pr_curve'))")
def precision_recall(curve: pd.DataFrame) -> go.Figure:
    """Precision against recall, with pointwise and simultaneous bands of the precision.

    Args:
        curve: Frame of `frames.curve` of a precision–recall curve.
    """
    return _parametric(curve, "recall", "precision", title="Precision against recall")


@drawn_from("frames.curve(study.curve('roc_curve'))")
def roc(curve: pd.DataFrame) -> go.Figure:
    """True against false positive rate, with bands of the true positive rate.

    Args:
        curve: Frame of `frames.curve` of a ROC curve.
    """
    chance = diagonal("chance")
    return _parametric(curve, "false positive rate", "true positive rate", chance, title="ROC curve")


def _parametric(curve: pd.DataFrame, x: str, y: str, *others: Trace, title: str) -> go.Figure:
    if not {x, y} <= {*curve["quantity"]}:
        remedy = "other curves have pictures of their own: precision_recall, roc, against_threshold"
        fail("curve", f"must have the quantities {x} and {y}", [*curve["quantity"].unique()], remedy=remedy)
    across, up = (curve[curve["quantity"] == part].reset_index(drop=True) for part in (x, y))
    rows = up.assign(x=across["value"], x_low=across["low"], x_high=across["high"])
    rows = rows[rows["value"].notna() & rows["x"].notna()].sort_values("threshold", ascending=False)
    hover = (
        f"threshold %{{customdata[0]:.3g}}<br>{y} %{{y:.3f}} (%{{customdata[1]:.3f}} to %{{customdata[2]:.3f}})"
        f"<br>{x} %{{x:.3f}} (%{{customdata[3]:.3f}} to %{{customdata[4]:.3f}})<extra></extra>"
    )
    at_pointer = rows[["threshold", "low", "high", "x_low", "x_high"]]
    return framed(
        [
            *area(
                rows["x"], rows["band_low"], rows["band_high"], WIDE, name="whole curve at once", edge=BLUE
            ),
            *area(rows["x"], rows["low"], rows["high"], BAND, name="each point"),
            trace(rows["x"], rows["value"], BLUE, hover=hover, name="estimate") | {"customdata": at_pointer},
            *others,
        ],
        title=title,
        x=x,
        y=y,
        x_axis={"range": UNIT},
        y_axis={"range": UNIT},
        height=400,
    )


@drawn_from("frames.curve(study.curve('pr_curve'))")
def against_threshold(curve: pd.DataFrame, *, threshold: float | None = None, title: str) -> go.Figure:
    """Each quantity of a curve against the threshold, with its pointwise band.

    Args:
        curve: Frame of `frames.curve`.
        threshold: The threshold in use, which is marked.
        title: The picture's title.
    """
    drawn: list[Trace] = []
    looks = ((BLUE, BAND, "solid"), (ORANGE, SECOND, "dash"))
    for (colour, fill, dash), quantity in zip(looks, curve["quantity"].unique(), strict=False):
        rows = curve[(curve["quantity"] == quantity) & curve["value"].notna()]
        drawn += area(rows["threshold"], rows["low"], rows["high"], fill)
        hover = (
            f"threshold %{{x:.3g}}<br>{quantity} %{{y:.3f}} (%{{customdata[0]:.3f}} to %{{customdata[1]:.3f}})"
            "<extra></extra>"
        )
        estimated = trace(rows["threshold"], rows["value"], colour, hover=hover, name=quantity, dash=dash)
        drawn.append(estimated | {"customdata": rows[["low", "high"]]})
    return framed(
        drawn,
        title=title,
        x="threshold",
        y="value at the threshold",
        x_axis={"range": UNIT},
        marks=[] if threshold is None else [upright(threshold, DOTTED)],
        height=360,
    )
