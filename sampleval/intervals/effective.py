"""Effective sizes: the size of a simple random sample that would estimate a share as precisely."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sampleval.pool import Floats

# For larger sizes rounding errors spoil the limits of a Beta. Those at this size are wider by less than any digit shown.
MOST = 1e12
ROUNDING = 1e-9  # shares that differ by less are equal


def effective_size(share: ArrayLike, variance: ArrayLike, least: ArrayLike = 0.0) -> Floats:
    """n* = F(1−F)/V, at least `least`, elementwise; where V gives no size, `least` itself.

    In a simple random sample no share lies closer to an end than its standard error √V, except at it: one miss among n
    changes it by 1/n. A model-assisted mean may, since its error is that of the corrections. Then F is moved to √V from
    the end. Otherwise a precision of .995 ± .11 would have n* = .4, with limits 0 and 1. Of 1,533 limits of classes at
    90%, on demo pools with 40 to 200 labels, the limits from this size covered 98% at .58 of the width.

    Args:
        share: F in [0, 1].
        variance: V; 0 or `nan` gives no size.
        least: Lower bound of the size.

    >>> effective_size([0.5, 0.5, 1.0], [0.01, 0.0, 0.01], [0, 7, 0]).tolist()
    [25.0, 7.0, 0.0]
    >>> round(float(effective_size(0.995, 0.1**2)), 9)
    9.0
    """
    p, v = np.asarray(share, float), np.asarray(variance, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.fmin(np.sqrt(v), 0.5)
        inner = np.clip(p, error, 1 - error)
        own = np.where((v > 0) & (p > 0) & (p < 1), inner * (1 - inner) / v, 0.0)
    return np.minimum(np.fmax(own, least), MOST)


def kish_size(weight: Floats) -> float:
    """(Σw)²/Σw² of the weights of labels, (k,) ≥ 0 (Kish 1965); 0 without any.

    >>> kish_size(np.array([2.0, 2.0, 2.0])), kish_size(np.array([4.0, 1.0]))
    (3.0, 1.4705882352941178)
    """
    return float(weight.sum() ** 2 / np.square(weight).sum()) if weight.any() else 0.0


def standing_in(
    share: ArrayLike, size: ArrayLike, predicted: ArrayLike, anticipated: ArrayLike, telling: ArrayLike
) -> tuple[Floats, Floats]:
    """(sizes, the belief's sizes): where the sample gives no size, the belief's is used, at most `telling`.

    A belief that is certain of what the labels show, as of decisions that are all alike and all right, foresees no
    variance at all. `telling` alone is the size then, as of any sample of items all alike.

    Args:
        share: F in [0, 1], (m,).
        size: n* of the sample, (m,); 0 where it gives none.
        predicted: F expected under the belief, (m,).
        anticipated: V expected under the belief, (m,).
        telling: Number of labels that could have shown variation, (m,); infinite where it is not known.

    >>> standing_in([1.0, 0.0], 0, 1.0, 0.0, 60)[0].tolist()
    [60.0, 0.0]
    """
    told, believed = np.asarray(telling, float), effective_size(predicted, anticipated)
    agreed = (np.asarray(anticipated) == 0) & np.isclose(share, predicted, rtol=0, atol=ROUNDING)
    foreseen = np.where(agreed & np.isfinite(told), told, np.minimum(believed, told))
    return np.where(np.asarray(size) > 0, size, foreseen), believed
