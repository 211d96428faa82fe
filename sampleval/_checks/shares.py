"""Shares of 1: which numbers are accepted as probabilities, and what others may be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sampleval._checks.errors import Text, fail

Floats = NDArray[np.float64]
ROUNDED = 1e-6  # how far single precision may put shares beyond [0, 1], as a softmax's 1.0000001
NEAR = 1e-3  # how far beyond [0, 1] shares are more likely rounded than on another scale
RATED = 10.0  # the highest rating that people and language models give, if it is no percentage


def probabilities(
    values: Floats,
    name: str,
    ids: Text | None = None,
    *,
    whole: float = 1.0,
    said: bool = False,
    margins: str = 'transform="sigmoid"',
) -> Floats:
    """The numbers divided by `whole`, (n,), which must lie in [0, 1]. A number outside is refused with its row.

    Args:
        values: (n,) numbers; those outside by at most `ROUNDED` times `whole` are clipped.
        name: Their column.
        ids: (n,) ids to name an offending row.
        whole: The number that stands for 1.
        said: Whether the cells were text that says percent.
        margins: What to pass if the numbers are margins, for the message.
    """
    shares = values if whole == 1.0 else values / whole
    low, high = shares.min(), shares.max()
    if not (low >= -ROUNDED and high <= 1.0 + ROUNDED):
        row = int((~((shares >= -ROUNDED) & (shares <= 1.0 + ROUNDED))).argmax())
        rule, value = f"must lie in [0, {whole:g}]", float(values[row])
        if said:
            rule = "must lie in [0, 100] percent"
            remedy = "its cells say that they are percentages: correct or drop the row"
            fail(name, rule, f"{100 * value:g}%", row=row, ids=ids, remedy=remedy)
        fail(name, rule, value, row=row, ids=ids, remedy=_instead(float(low), float(high), whole, margins))
    return shares if low >= 0.0 and high <= 1.0 else np.clip(shares, 0.0, 1.0)


def _instead(low: float, high: float, whole: float, margins: str) -> str:
    """The remedy for shares outside [0, 1], which may be rounded, or percentages, or margins."""
    if low >= -NEAR and high <= 1.0 + NEAR:
        return f"it is off by little, as from rounding: clip the column to [0, {whole:g}]"
    remedy = f"map a probability column, or say that these are margins ({margins})"
    if high <= 0.0 and "sigmoid" in margins:  # the softmax of log-probabilities is right
        return f"of log-probabilities take exp beforehand, else {remedy}"
    if whole == 1.0 and low >= 0.0 and high > 100.0:
        return (
            f"if they go up to 1,000, say, divide them by the highest possible one beforehand; else {remedy}"
        )
    if whole == 1.0 and may_be_percent(low, high):
        ratings = "divide ratings by the highest possible one beforehand; " if high <= RATED else ""
        return f'{ratings}for percentages pass transform="percent", else {remedy}'
    return remedy


def may_be_percent(low: float, high: float) -> bool:
    """Whether numbers from low to high may be percentages. If none is far above 1, wrong probabilities are more likely.

    >>> may_be_percent(0.0, 99.0), may_be_percent(0.0, 1.2), may_be_percent(-1.0, 99.0)
    (True, False, False)
    """
    return low >= 0.0 and 1.5 < high <= 100.0
