"""Pictures of results in detail: classes, confusion, differences, parts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from sampleval._checks import as_array, column, fail, holds_numbers
from sampleval.numerals import count, many
from sampleval.plots.given import drawn_from
from sampleval.plots.layout import framed, upright
from sampleval.plots.style import BAND, BLUE, CELLS, DOTTED, SHADES, UNIT, brief, escaped
from sampleval.plots.traces import Trace, diagonal, error_bars, marks, trace, whisker

MARGIN = 0.02  # around a region, in shares
BOTH = "study.curve('precision_recall')"
BINS = "frames.components(study.curve('reliability'))"
FEW_CLASSES = 6  # most classes with which the cells of a confusion matrix have room for limits


@drawn_from("frames.parts(study, column) or frames.classes(study)")
def dots(
    frame: pd.DataFrame,
    names: str,
    *,
    title: str,
    x: str,
    zero: bool = False,
    span: tuple[float, float] | None = None,
) -> go.Figure:
    """Every row as a dot on its interval, with the first row on top.

    Rows without a value or with an infinite interval are left out. Plotly would draw an infinite interval as a dot
    alone, as if the value were exact.

    Args:
        frame: Columns value, low, high and the column of names.
        names: The column that says what each row is about; it also names the vertical axis.
        title: The picture's title.
        x: The name of the horizontal axis.
        zero: Whether to mark 0, for differences.
        span: Ends of the horizontal axis; by default those of the data.
    """
    known = frame[bounded(frame)]
    return framed(
        [whisker(known, list(map(str, column(known, names, "names"))))],
        title=title,
        x=x,
        y=names,
        x_axis={} if span is None else {"range": list(span)},
        y_axis={"autorange": "reversed", "type": "category"},
        marks=[upright(0, DOTTED)] if zero else [],
        height=110 + 30 * max(len(known), 2),
        legend=False,
    )


def bounded(frame: pd.DataFrame) -> NDArray[np.bool_]:
    """Which rows have a value and a finite interval, so that `dots` can draw them, (rows,)."""
    return np.isfinite(frame[["value", "low", "high"]].to_numpy(float)).all(axis=1)


@drawn_from("frames.confusion(study)")
def confusion(frame: pd.DataFrame) -> go.Figure:
    """The confusion matrix, with cells shaded by their share of the predicted class, and with limits if there is room.

    A star marks predicted classes with few labelled items.

    Args:
        frame: Frame of `frames.confusion`.
    """
    full = [str(name) for name in dict.fromkeys(frame["predicted"])]
    names, size = brief(full), (len(full), len(full))
    if len(frame) != len(full) ** 2:
        rule = f"must have a row for every pair of the {len(full)} classes"
        fail("frame", rule, many(len(frame), "row"), remedy="pass all rows of one frames.confusion(study)")
    items = frame["items"].to_numpy(float).reshape(size)
    rows = np.nansum(items, axis=1, keepdims=True)
    share = np.divide(items, rows, out=np.zeros_like(items), where=rows > 0)
    starred = frame["few"].to_numpy(bool).reshape(size)[:, 0]
    roomy = len(names) <= FEW_CLASSES
    cells: Trace = {
        "type": "heatmap",
        "x": names,
        "y": [f"{name} *" if marked else name for name, marked in zip(names, starred, strict=True)],
        "z": share,
        "zmin": 0,
        "zmax": 1,
        "colorscale": SHADES,
        "text": np.reshape(_in_cells(frame, limits=roomy), size),
        "customdata": np.reshape(_at_pointer(frame, full), size),
        "texttemplate": "%{text}" if len(names) <= 15 else None,
        "hovertemplate": "%{customdata}<extra></extra>",
        **CELLS,
    }
    return framed(
        [cells],
        title="Items by predicted and true class",
        x="true class",
        y="predicted class",
        x_axis={"type": "category", "showgrid": False},
        y_axis={"autorange": "reversed", "type": "category", "showgrid": False},
        height=130 + (64 if roomy else 34) * max(len(names), 3),
        legend=False,
    )


def _in_cells(frame: pd.DataFrame, *, limits: bool) -> list[str]:
    """The text in each cell of a confusion matrix: its items, with or without their limits."""
    return [count(n) + (f"<br>{low:,.0f}–{high:,.0f}" if limits else "") for n, low, high in _counts(frame)]


def _at_pointer(frame: pd.DataFrame, classes: list[str]) -> list[str]:
    """The sentence that appears at the pointer, for each cell of a confusion matrix."""
    pairs = [f"predicted {escaped(pred)}, truly {escaped(true)}" for pred in classes for true in classes]
    labels = zip(frame["labels"], frame["few"], strict=True)
    rests = [f"<br>from only {many(n, 'label')}" if few else "" for n, few in labels]
    cells = [
        ("unknown" if np.isnan(n) else f"about {many(n, 'item')}") + f"<br>{low:,.0f} to {high:,.0f}"
        for n, low, high in _counts(frame)
    ]
    return [f"{pair}: {cell}{rest}" for pair, cell, rest in zip(pairs, cells, rests, strict=True)]


def _counts(frame: pd.DataFrame) -> Iterator[tuple[float, float, float]]:
    """The items of each cell of a confusion matrix, with their limits."""
    columns = (frame[name].to_numpy(float) for name in ("items", "low", "high"))
    return zip(*columns, strict=True)


@drawn_from(BINS)
def calibration(frame: pd.DataFrame, *, outcome: str = "positive") -> go.Figure:
    """The share of positives, or of right predictions, in each bin of the score, with its interval, against the score.

    Args:
        frame: Frame of `frames.components` of "reliability".
        outcome: The outcome whose probability the score is; "right" with several classes, for the predicted class.
    """
    known = frame[frame["value"].notna()]
    try:
        ends = known["component"].str.split("–", expand=True).astype(float)
    except ValueError:
        fail("frame", "must be about bins of the score", list(known["component"]), remedy=f"pass {BINS}")
    hover = (
        f"scores %{{customdata[0]}}: %{{y:.3f}} {outcome}<br>"
        "%{customdata[1]:.3f} to %{customdata[2]:.3f}<extra></extra>"
    )
    return framed(
        [
            diagonal(),
            trace(
                ends.mean(axis=1),
                known["value"],
                BLUE,
                hover=hover,
                width=1.5,
                marker={"size": 9, "color": BLUE},
            )
            | {
                "error_y": error_bars(known["low"], known["value"], known["high"], colour=BLUE),
                "customdata": known[["component", "low", "high"]],
            },
        ],
        title="Do the scores mean what they say?",
        x="score" if outcome == "positive" else "score of the predicted class",
        y=f"share {outcome}",
        x_axis={"range": UNIT},
        y_axis={"range": UNIT},
        height=360,
        legend=False,
    )


def region(
    outline: np.ndarray[tuple[int, ...], np.dtype[np.float64]], centre: tuple[float, float]
) -> go.Figure:
    """The joint confidence region of precision and recall.

    Args:
        outline: The region's edge, (points, 2), as precision and recall.
        centre: The estimates of precision and recall.
    """
    edge, middle = as_array(outline), as_array(centre)
    if edge.shape[1:] != (2,) or not edge.size or not holds_numbers(edge):
        fail("outline", "must be points, (points, 2)", outline, remedy=f"pass {BOTH}.ellipsoid().outline()")
    if middle.shape != (2,) or not holds_numbers(middle):
        fail("centre", "must be two numbers", centre, remedy=f"pass {BOTH}.value")
    hover = "precision %{y:.3f}, recall %{x:.3f}<extra></extra>"
    ends = np.clip([edge.min(axis=0) - MARGIN, edge.max(axis=0) + MARGIN], 0, 1)
    return framed(
        [
            trace(edge[:, 1], edge[:, 0], BLUE, hover=None, width=1.5)
            | {"fill": "toself", "fillcolor": BAND},
            marks([middle[1]], [middle[0]], {"size": 10, "color": BLUE}, hover=hover) | {"cliponaxis": False},
        ],
        title="Precision and recall together",
        x="recall",
        y="precision",
        # The ellipse may reach beyond 1, which shares cannot.
        x_axis={"range": ends[:, 1]},
        y_axis={"range": ends[:, 0]},
        legend=False,
    )
