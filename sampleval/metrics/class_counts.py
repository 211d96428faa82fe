"""Metrics from the true positives, false positives and false negatives of each class, and their averages (Y eq 90, 98–102).

R = (TP₁..TP_C, FP₁..FP_C, FN₁..FN_C, 1), shares of the pool, d = 3C + 1. In a binary or multi-class
task decisions and labels are taken one-hot, so that the same formulas serve every kind of class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from sampleval._checks import listed, shown
from sampleval.metrics.base import Better, Encoded, Metric
from sampleval.metrics.codes import by_decision
from sampleval.metrics.counts import Counts, OfClass
from sampleval.metrics.jacobians import Map
from sampleval.metrics.shortcuts import Shortcuts
from sampleval.pool import SEVERAL, Floats, Items, Kind, Task

LABELS: frozenset[Kind] = frozenset({"multilabel"})
OF_CLASSES = Counts(nonnegative=True, per_class=True)
EITHER = "no labelled item is, or is predicted to be,"  # true of samples and pools, like all reasons


def loss(items: Items, y: Encoded) -> Floats:
    """ℓ = (yŷ, (1−y)ŷ, y(1−ŷ), 1) over the classes, (n, 3C+1); affine in y, so that ℓ(n, p) = E ℓ."""
    width = items.task.width
    true, pred = flags(y, width), flags(items.pred, width)
    both = true * pred
    return np.hstack([both, pred - both, true - both, np.ones((len(y), 1))])


def flags(codes: Encoded, width: int) -> Floats:
    """Class memberships 0/1, (n, C), from class positions (n,) or from memberships."""
    return np.asarray(codes, float) if codes.ndim == 2 else (codes[:, None] == np.arange(width)).astype(float)


def label_effects(items: Items, jacobian: Floats) -> Floats:
    """Dg·ℓ of each label, (n, C, 2, m), with the constant 1 divided evenly among the labels."""
    width = items.task.width
    tp, fp, fn, rest = _slopes(jacobian, width)
    rest = rest / width
    # The effect of label c by decision and truth, (C, 2, 2, m), is only looked up for each item.
    table = np.stack([np.stack([np.zeros_like(fn), fn], 1), np.stack([fp, tp], 1)], 1) + rest
    return np.asarray(table[np.arange(width), np.asarray(items.pred, np.intp)])


def class_effects(items: Items, jacobian: Floats) -> Iterator[Floats]:
    """Yields Dg·ℓ, (n, m), for each of the C classes as label: the FP of the decision and FN of the label, or a TP."""
    width, pred = items.task.width, items.pred
    tp, fp, fn, rest = _slopes(jacobian, width)
    flagged = fp[pred] + rest
    for c in range(width):
        effect = flagged + fn[c]
        effect[pred == c] = tp[c] + rest
        yield effect


def _slopes(jacobian: Floats, width: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Derivatives of g by TP, FP and FN of each class, (C, m) each, and by the constant, (m,)."""
    tp, fp, fn = (jacobian[:, k * width : (k + 1) * width].T for k in range(3))
    return tp, fp, fn, jacobian[:, -1]


def stack(risk: Floats) -> Floats:
    """R as a table, (4, C): TP, FP, FN and 1. Of several R side by side, (d, J), it is (4, C, J)."""
    counts = risk[:-1].reshape(3, -1, *risk.shape[1:])
    return np.concatenate([counts, np.broadcast_to(risk[-1:], (1, *counts.shape[1:]))])


@dataclass(frozen=True, slots=True)
class Share:
    """A ratio of counts of one class: a·(TP, FP, FN, 1) / b·(TP, FP, FN, 1).

    Attributes:
        above: a.
        below: b.
        empty: What it means that b·(…) is 0, in words that class names complete.
    """

    above: tuple[float, float, float, float]
    below: tuple[float, float, float, float]
    empty: str

    @property
    def of_class(self) -> OfClass:
        """As in `Counts`: missed items of a class, FN, are revealed by labels of that class only."""
        return "ratio" if self.below[2] else "count" if self.above[2] else ""

    def value(self, table: Floats) -> Floats:
        """The ratio of every column, (4, …) to (…); `nan` where the denominator is 0."""
        below = self.whole(table)
        return np.where(below > 0, np.tensordot(self.above, table, 1) / below, np.nan)

    def whole(self, table: Floats) -> Floats:
        """The denominator of every column, (4, …) to (…)."""
        return np.tensordot(self.below, table, 1)

    def slope(self, table: Floats) -> Floats:
        """∂/∂(TP, FP, FN, 1) of every column: (a − F·b)/b·(…), (4, C)."""
        below = self.whole(table)
        slope = (np.asarray(self.above)[:, None] - np.outer(self.below, self.value(table))) / below
        return np.where(below > 0, slope, np.nan)

    def absent(self, risk: Floats, task: Task) -> str:
        """The reason why the ratio is undefined, with the names of the classes; "" if it is defined for all."""
        missing = np.flatnonzero(~(self.whole(stack(risk)) > 0))
        return f"{self.empty} {listed([shown(task.classes[c]) for c in missing], 5)}" if len(missing) else ""


def f_share(alpha: float) -> Share:
    """F_α of one class: TP / (TP + α FP + (1−α) FN); α = 1 is precision, 0 recall, ½ F1."""
    empty = {1.0: "no labelled item is predicted to be", 0.0: "no item was found that is"}
    said = empty.get(alpha, EITHER)
    return Share((1, 0, 0, 0), (1, alpha, 1 - alpha, 0), said)


PRECISION, RECALL, F1 = f_share(1.0), f_share(0.0), f_share(0.5)
JACCARD = Share((1, 0, 0, 0), (1, 1, 1, 0), EITHER)
SUPPORT = Share((1, 0, 1, 0), (0, 0, 0, 1), "")
PREDICTED = Share((1, 1, 0, 0), (0, 0, 0, 1), "")
MISSED = Share((0, 0, 1, 0), (0, 0, 0, 1), "")
FALSE_ALARMS = Share((0, 1, 0, 0), (0, 0, 0, 1), "")


def of_counts(
    name: str, title: str, g: Map, jacobian: Callable[[Floats], Floats], *, kinds: frozenset[Kind] = SEVERAL
) -> Metric:
    """A metric that is a function of the counts."""
    return Metric(
        name,
        title,
        loss,
        g,
        jacobian,
        kinds,
        cells=by_decision,
        shortcuts=Shortcuts(label_effects, class_effects),
        counts=OF_CLASSES,
    )


def per_class(name: str, title: str, share: Share, *, total: bool = False, better: Better = "more") -> Metric:
    """The ratio of every class, a vector of C components; `nan` where the denominator is 0."""

    def jacobian(risk: Floats) -> Floats:
        slope = share.slope(stack(risk))
        width = slope.shape[1]
        return np.hstack([*(np.diag(s) for s in slope[:3]), slope[3].reshape(width, 1)])

    found = of_counts(
        name,
        title,
        lambda risk: share.value(stack(risk)),
        jacobian,
        kinds=SEVERAL | {"binary"},
    )
    return replace(
        found,
        outputs=lambda task: task.classes,
        total=total,
        undefined=share.absent,
        counts=replace(OF_CLASSES, wholes=lambda risk: share.whole(stack(risk)), of_class=share.of_class),
        better=better,
    )


def mean_defined(values: Floats) -> Floats:
    """Mean over the classes where the ratio is defined, (C, …) to (…); `nan` if it is defined for one alone of several, or none."""
    defined = np.count_nonzero(~np.isnan(values), axis=0)
    several = defined >= min(2, len(values))
    return np.where(several, np.nansum(values, axis=0) / np.maximum(defined, 1), np.nan)


def mean_slope(share: Share, table: Floats) -> Floats:
    """Gradient of the mean over the classes where the ratio is defined, (3C+1,); 0 for the other classes."""
    defined = np.count_nonzero(share.whole(table) > 0)
    slope = np.nan_to_num(share.slope(table), posinf=0.0, neginf=0.0) / np.maximum(defined, 1)
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
    """The unweighted mean of the ratio over the classes where it is defined, as scikit-learn's `zero_division=nan`.

    A class of which the pool has no item has no recall, for example. The ratio of one class alone is no mean.
    """
    found = of_counts(
        name,
        title,
        lambda risk: mean_defined(share.value(stack(risk))),
        lambda risk: mean_slope(share, stack(risk)),
        kinds=kinds,
    )
    return replace(
        found,
        about=about,
        undefined=share.absent,
        needs_positives=needs_positives,
        counts=replace(OF_CLASSES, averages=(per_class(f"{name} by class", f"{title} by class", share),)),
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
