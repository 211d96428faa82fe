"""The confusion matrix: as numbers of items of the pool, and as shares of the items of each predicted class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isqrt

import numpy as np
from scipy import sparse

from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.codes import by_decision
from sampleval.metrics.counts import Counts
from sampleval.metrics.makers import repeatable
from sampleval.pool import SINGLE, Floats, Integers, Items


def _pairs(items: Items, y: Encoded) -> Floats:
    """1[ŷ = a, y = b] for all pairs, 1[ŷ = a] for all classes, and 1, (n, C² + C + 1)."""
    return _paired(np.asarray(items.pred, np.intp), np.asarray(y, np.intp), items.task.width)


def _paired(pred: Integers, true: Integers, width: int) -> Floats:
    out, rows = np.zeros((len(true), width * (width + 1) + 1)), np.arange(len(true))
    out[rows, pred * width + true] = 1.0
    out[rows, width**2 + pred] = 1.0
    out[:, -1] = 1.0
    return out


def _split(risk: Floats) -> tuple[Floats, Floats, int]:
    """(share of the pool that each pair makes up, (C²,), the share predicted to be of the pair's class, (C²,), C)."""
    width = isqrt(len(risk))
    return risk[: width**2], np.repeat(risk[width**2 : -1], width, axis=0), width


def _pairs_slope(risk: Floats) -> sparse.csr_array:
    """(I, 0, −R/R₀)/R₀, sparse with two entries per row: a dense one of 200 classes would not fit in memory."""
    pairs, _, width = _split(risk)
    blocks = sparse.eye_array(width**2), sparse.csr_array((width**2, width)), -pairs[:, None] / risk[-1]
    return sparse.hstack(blocks, "csr") / risk[-1]


def _shares_slope(risk: Floats) -> sparse.csr_array:
    """(I, −F, 0)/P, where F is a pair's share and P the whole of its class: likewise with two entries per row."""
    pairs, whole, width = _split(risk)
    of_class = np.repeat(np.arange(width), width)
    by_whole = sparse.csr_array((-pairs / whole**2, (np.arange(width**2), of_class)), (width**2, width))
    return sparse.hstack([sparse.diags_array(1 / whole), by_whole, sparse.csr_array((width**2, 1))], "csr")


def _each_pair(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{pred} → {true}" for pred in names for true in names)


confusion = Metric(
    "confusion",
    "Confusion matrix (items by predicted → true class)",
    _pairs,
    lambda risk: _split(risk)[0] / risk[-1],
    _pairs_slope,
    SINGLE,
    outputs=lambda task: _each_pair(task.classes),
    cells=by_decision,
    total=True,
    counts=Counts(wholes=lambda risk: np.full_like(_split(risk)[0], risk[-1]), nonnegative=True),
    about="How many items of each predicted class belong to each true class.",
)

# How many items are predicted to be of a class is known: only the shares of them have to be estimated, with less error.
confusion_shares = replace(
    confusion,
    name="confusion_shares",
    title="Confusion matrix (shares of each predicted class)",
    g=lambda risk: np.divide(*_split(risk)[:2]),
    jacobian=_shares_slope,
    counts=replace(confusion.counts, wholes=lambda risk: _split(risk)[1]),
    total=False,
    about="Which share of the items of each predicted class belongs to each true class.",
    undefined="no labelled item is predicted to be of some class",
)


@repeatable
def confusion_among(classes: Sequence[int], width: int, rest: str) -> Metric:
    """`confusion_shares` of the k classes at these positions, with all others joined: (k + 1)² numbers instead of C².

    The number of classes C is `width`, and `rest` names what the others are joined to.
    """
    place = np.full(width, len(classes), np.intp)
    place[np.asarray(classes, np.intp)] = np.arange(len(classes))

    def placed(codes: Encoded) -> Integers:
        return place[np.asarray(codes, np.intp)]

    return replace(
        confusion_shares,
        name=f"confusion_shares[{len(classes)} classes]",
        loss=lambda items, y: _paired(placed(items.pred), placed(y), len(classes) + 1),
        cells=lambda items: placed(items.pred),
        outputs=lambda task: _each_pair([*(task.classes[c] for c in classes), rest]),
    )
