"""Pictures drawn where there is something to draw, and a word in their place where there is not."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from sampleval import plots
from sampleval._checks import listed
from sampleval.plots.detail import bounded
from sampleval.study import JointEstimate
from sampleval.ui import words
from sampleval.ui.charts import chart


def dots(
    rows: pd.DataFrame,
    names: str,
    *,
    title: str,
    x: str,
    key: str,
    alt: str,
    zero: bool = False,
    figures: pd.DataFrame | None = None,
) -> None:
    """A picture of a dot per row with its interval, or a word that there is none; what it leaves out is told below.

    Of a picture without a dot Plotly makes up the axis, from −1 to 6. A dot without its bar would seem to be exact. The
    arguments are those of `plots.dots` and `chart`; `figures` are the rows to download, by default those drawn.
    """
    drawn = bounded(rows)
    if drawn.any():
        figure = plots.dots(rows, names, title=title, x=x, zero=zero)
        chart(figure, rows if figures is None else figures, key=key, alt=alt)
    else:
        st.caption("Nothing to draw yet: no value has an interval with two ends.")
    left_out = rows[rows["value"].notna() & ~drawn]
    if len(left_out):
        said = [
            f"{row[names]} {words.number(row['value'])} ({words.limits(row['low'], row['high'])})"
            for row in left_out.to_dict("records")
        ]
        st.caption(words.plain(f"Not drawn, since the interval has no end: {listed(said, 10)}."))


def curve(
    found: JointEstimate,
    rows: pd.DataFrame,
    figure: Callable[[], object],
    *,
    key: str,
    alt: str,
    crossed: bool = False,
) -> bool:
    """The figure, or why there is nothing to draw; whether it was drawn.

    Of a curve that is `crossed`, one quantity against the other, both must be known.
    """
    known = rows["value"].notna()
    if not (known.groupby(rows["quantity"]).any().all() if crossed else known.any()):
        st.caption(words.sentence(found.note or "the labels so far cannot tell"))
        return False
    chart(figure(), rows, key=key, alt=alt)
    return True


def remarks(rows: pd.DataFrame, names: str) -> None:
    """What the rows' notes say of their values and limits, each note once with the rows that it is about.

    Means over classes, for example, may leave out some classes in one part and others in another.
    """
    for note, about in rows[rows["note"] != ""].groupby("note", sort=False)[names]:
        st.caption(words.plain(f"{listed(about.tolist(), 10)}: {note}."))
