"""Macro and micro averages: the mean of a ratio over the classes, and the ratio of their counts together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.metrics.base import Metric
from sampleval.metrics.counts import LABELS, Share, of_counts, per_class, stack
from sampleval.pool import SEVERAL, Floats, Kind


def mean_slope(share: Share, table: Floats) -> Floats:
    """Gradient of the mean over the classes, (3C+1,); 0 for classes where the ratio is undefined."""
    slope = np.nan_to_num(share.slope(table), posinf=0.0, neginf=0.0) / table.shape[1]
    return gathered(slope)


def gathered(slope: Floats) -> Floats:
    """Derivatives by TP, FP, FN and 1 of each class as a gradient by R, (4, C) to (3C+1,): all classes share one 1."""
    return np.append(slope[:3].ravel(), slope[3].sum())


def macro(
    name: str,
    title: str,
    share: Share,
    *,
    kinds: frozenset[Kind] = SEVERAL,
    about: str = "",
    needs_positives: bool = False,
) -> Metric:
    """The unweighted mean of the ratio over the classes; `nan` if it is undefined for some, which the reason names."""
    found = of_counts(
        name,
        title,
        lambda risk: share.value(stack(risk)).mean(axis=0),
        lambda risk: mean_slope(share, stack(risk)),
        kinds=kinds,
    )
    return replace(
        found,
        about=about,
        undefined=share.absent,
        needs_positives=needs_positives,
        averages=per_class(f"{name} by class", f"{title} by class", share),
    )


def micro(
    name: str, title: str, share: Share, *, about: str = "", undefined: str = "", phrase: str = ""
) -> Metric:
    """The ratio of the counts summed over the labels of a multi-label task (Y eq 90)."""

    def pooled(risk: Floats) -> Floats:
        return stack(risk).sum(axis=1, keepdims=True)

    def jacobian(risk: Floats) -> Floats:
        slope, width = share.slope(pooled(risk))[:, 0], len(risk) // 3
        return np.append(np.repeat(slope[:3], width), slope[3] * width)

    return replace(
        of_counts(name, title, lambda risk: share.value(pooled(risk)), jacobian, kinds=LABELS),
        about=about,
        undefined=undefined,
        needs_positives=share.below[2] > 0,
        phrase=phrase,
    )
