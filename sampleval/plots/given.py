"""The frame that a picture is drawn from: refused if it is another one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import ParamSpec

import pandas as pd
import plotly.graph_objects as go

from sampleval._checks import fail, shown

P = ParamSpec("P")
# Of pandas: 'a', "['a'] not in index" or "None of [Index(['a'], dtype='str')] are in the [columns]".
_NAMES = re.compile(r"(?<!dtype=)'([^']+)'")


def drawn_from(
    source: str, *, one: Sequence[str] = ()
) -> Callable[[Callable[P, go.Figure]], Callable[P, go.Figure]]:
    """A decorator for a picture, whose first argument is refused if it is not the frame that the picture is drawn from.

    A missing column is noticed where the picture reads it, so that nobody has to keep a list of the columns.

    Args:
        source: What makes the frame, as advice.
        one: Columns that may hold one value only, if the frame has them: lines of two would be drawn as one.
    """

    def guarded(draw: Callable[P, go.Figure]) -> Callable[P, go.Figure]:
        taken = signature(draw)
        name, remedy = next(iter(taken.parameters)), f"pass {source}"

        @wraps(draw)
        def _drawn(*args: P.args, **options: P.kwargs) -> go.Figure:
            frame: object = taken.bind(*args, **options).arguments[name]
            if not isinstance(frame, pd.DataFrame):
                fail(name, "must be a pandas DataFrame", type(frame).__name__, remedy=remedy)
            _filled(frame, name, one)
            try:
                return draw(*args, **options)
            except KeyError as error:
                if not (lacking := [column for column in _NAMES.findall(str(error)) if column not in frame]):
                    raise
                rule = f"must have the column {', '.join(map(shown, lacking))}"
                fail(name, rule, list(frame.columns), remedy=remedy)

        return _drawn

    return guarded


def _filled(frame: pd.DataFrame, name: str, one: Sequence[str]) -> None:
    """Refuse a frame without rows, or with several values where a picture shows one."""
    if frame.empty:
        fail(
            name,
            "must have rows, and it has none",
            remedy="is there a result yet, or did a filter leave none?",
        )
    for column in one:
        if column in frame and len(values := frame[column].unique().tolist()) > 1:
            remedy = f"keep one of them, as {name}[{name}[{column!r}] == {shown(values[0])}] does"
            fail(name, f"must be about one {column}", values, remedy=remedy)
