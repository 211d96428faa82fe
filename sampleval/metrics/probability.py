"""Metrics of scores: Brier score, log-loss, calibration and top-k accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from sampleval._checks import count, fail, listed, real
from sampleval.memo import once_each
from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.counts import Counts
from sampleval.metrics.curves import MOST
from sampleval.metrics.makers import repeatable
from sampleval.metrics.ratios import ratio
from sampleval.metrics.shortcuts import Shortcuts
from sampleval.pool import SINGLE, Floats, Integers, Items, System, Task, of_class


def chance(items: Items, y: Encoded) -> Floats:
    """s(y|n), the score of each item's label, (n,); for memberships (n, C) as labels, the mean score under them."""
    if items.task.kind == "binary":
        return np.where(y == 1, items.score, 1 - items.score)
    return of_class(items.score, y) if y.ndim == 1 else _along(items.score, y)


def squared(items: Items, y: Encoded) -> Floats:
    """Σ_c (s_c − 1[y = c])², (n,), over both classes of a binary task; affine in memberships of multiclass tasks."""
    if items.task.kind == "binary":
        return 2 * (items.score - y) ** 2
    return _along(items.score, items.score) - 2 * chance(items, y) + 1


def _along(a: Floats, b: Floats) -> Floats:
    """Σ_c a_c b_c, (n,)."""
    return np.asarray(np.einsum("nc,nc->n", a, b))


def squared_effects(items: Items, jacobian: Floats, part: float) -> Iterator[Floats]:
    """`Shortcuts.by_class` of the loss (`part` · `squared`, 1)."""
    whole = _along(items.score, items.score) + 1
    for given in items.score.T:
        yield np.outer(part * (whole - 2 * given), jacobian[:, 0]) + jacobian[:, 1]


def _brier(name: str, title: str, part: float, about: str) -> Metric:
    """The mean of `part` times the sum of squares over the classes, which is at most 2."""
    found = ratio(
        name,
        title,
        lambda items, y: (part * squared(items, y), 1.0),
        kinds=SINGLE,
        range=(0.0, 2 * part),
        about=about,
        shortcuts=Shortcuts(by_class=partial(squared_effects, part=part)),
        better="less",
        of_scores=True,
    )
    return replace(found, graded=True)


brier = _brier(
    "brier",
    "Brier score",
    0.5,
    "Mean squared error of the scores, from 0 to 1: (s − y)² for two classes, half the sum over more classes.",
)
brier_sum = _brier(
    "brier_sum",
    "Brier score (sum over the classes)",
    1.0,
    "Brier's own form, summed over all classes, from 0 to 2: twice the other. It is scikit-learn's for more than two classes.",
)


@repeatable
def log_loss(clip: float = 1e-6) -> Metric:
    """Mean of −log s(y|n), with scores raised to at least `clip`, so that an item costs at most −log(clip).

    Raises:
        InputError: `clip` is no number strictly between 0 and 1.
    """
    if not 0 < (clip := real(clip, "clip")) < 1:
        fail("clip", "must lie strictly between 0 and 1", clip, remedy="1e-6 is the default")
    most = -float(np.log(clip))

    def cost(score: Floats) -> Floats:
        return -np.log(np.clip(score, clip, 1.0))

    def parts(items: Items, y: Encoded) -> tuple[Floats, float]:
        return _along(y, cost(items.score)) if y.ndim == 2 else cost(chance(items, y)), 1.0

    def by_class(items: Items, jacobian: Floats) -> Iterator[Floats]:
        return (np.outer(cost(given), jacobian[:, 0]) + jacobian[:, 1] for given in items.score.T)

    found = ratio(
        "log_loss" if clip == 1e-6 else f"log_loss_clip={clip:g}",
        "Log-loss",
        parts,
        kinds=SINGLE,
        range=(0.0, most),
        about=f"Mean −log of the true class's score, scores clipped to {clip:g}: at most {most:.1f} per item.",
        shortcuts=Shortcuts(by_class=by_class),
        better="less",
        of_scores=True,
    )
    return replace(found, graded=True)


def claim(items: Items) -> Floats:
    """The score whose calibration is measured, (n,): that of the positive class, or of the predicted one if multiclass."""
    return items.score if items.task.kind == "binary" else of_class(items.score, items.pred)


def kept(items: Items, y: Encoded) -> Floats:
    """Whether the claimed class is the label, (n,); for memberships (n, C) as labels, the membership in that class."""
    if y.ndim == 2:
        return of_class(y, items.pred)
    return np.asarray(y if items.task.kind == "binary" else y == items.pred, float)


@once_each
def _bar(system: System, k: int) -> Floats:
    """The (k+1)-th highest score of every item, (N,), which the k highest ones must exceed."""
    return np.asarray(-np.partition(-system.score, k, axis=1)[:, k])


@repeatable
def top_k_accuracy(k: int) -> Metric:
    """The share of items whose class is among the k with the highest scores; ties at the k-th place count as misses.

    For decisions without scores, all other classes tie at 0, so that the result is the accuracy if k is less than the
    number of classes.

    Raises:
        InputError: k is no whole number of at least 1.
    """
    k = count(k, "k", minimum=1)

    def hit(items: Items, y: Encoded) -> Encoded:
        if k >= items.task.width:
            return np.ones(len(y), bool)
        return np.asarray(chance(items, y) > _bar(items.everywhere, k)[items.index])

    return ratio(
        f"top{k}_accuracy",
        f"Top-{k} accuracy",
        lambda items, y: (hit(items, y), 1.0),
        kinds=frozenset({"multiclass"}),
        about=f"The share of items whose class is among the {k} with the highest scores.",
        phrase=f"of the items have their class among the {k} with the highest scores",
        of_scores=True,
    )


def bin_of(items: Items, bins: int) -> Integers:
    """The bin of the claim, (n,), in bins of equal width, of which the last one is closed."""
    return np.searchsorted(np.arange(1, bins) / bins, claim(items), side="right")


@repeatable
def calibration_error(bins: int = 10) -> Metric:
    """Expected calibration error: Σ_b |Σ_b (y − s)| / N over score bins of equal width (Naeini et al. 2015).

    A score on the edge of two bins belongs to the upper one, and 1 to the last. For several classes s is the score of
    the predicted one, and y whether it is right. As |·| has no derivative at 0, its interval is resampled; in small
    samples it is biased upwards.

    Raises:
        InputError: `bins` is no whole number from 1 to 10,000.
    """
    bins = count(bins, "bins", minimum=1, maximum=MOST)

    def loss(items: Items, y: Encoded) -> Floats:
        out = np.zeros((len(y), bins + 1))
        out[np.arange(len(y)), bin_of(items, bins)] = kept(items, y) - claim(items)
        out[:, -1] = 1.0
        return out

    def by_class(items: Items, jacobian: Floats) -> Iterator[Floats]:
        slope = jacobian.T[bin_of(items, bins)]
        wrong = jacobian[:, -1] - claim(items)[:, None] * slope
        return (wrong + (items.pred == c)[:, None] * slope for c in range(items.task.width))

    def jacobian(risk: Floats) -> Floats:
        gap, one = risk[:-1], risk[-1]
        return np.append(np.sign(gap), -np.abs(gap).sum() / one) / one

    return Metric(
        "ece" if bins == 10 else f"ece_bins={bins}",
        "Expected calibration error",
        loss,
        lambda risk: np.abs(risk[:-1]).sum(axis=0, keepdims=True) / risk[-1],
        jacobian,
        SINGLE,
        shortcuts=Shortcuts(by_class=by_class),
        smooth=False,
        counts=Counts(wholes=lambda risk: risk[-1:]),  # any item may contribute to a gap
        about=f"Mean gap between score and share of positives, over {bins} bins of the score; with "
        "several classes, between the score of the predicted class and the share that is right.",
        better="less",
        of_scores=True,
    )


@repeatable
def reliability(bins: int = 10) -> Metric:
    """The reliability curve: the share of positives, or of right predictions, in score bins of equal width.

    Raises:
        InputError: `bins` is no whole number from 1 to 10,000.
    """
    bins = count(bins, "bins", minimum=1, maximum=MOST)

    def loss(items: Items, y: Encoded) -> Floats:
        out = np.zeros((len(y), 2 * bins))
        row, bin_ = np.arange(len(y)), bin_of(items, bins)
        out[row, bin_], out[row, bins + bin_] = 1.0, kept(items, y)
        return out

    def jacobian(risk: Floats) -> Floats:
        one, true = risk[:bins], risk[bins:]
        return np.hstack([np.diag(-true / one**2), np.diag(1 / one)])

    def cells(items: Items) -> Integers:
        bin_ = bin_of(items, bins)
        return bin_ if items.task.kind == "binary" else bin_ * items.task.width + items.pred.astype(np.intp)

    def undefined(risk: Floats, _: Task) -> str:
        empty = [f"{b / bins:g}–{(b + 1) / bins:g}" for b in np.flatnonzero(risk[:bins] <= 0)]
        return f"no labelled item has a score in {listed(empty, 5)}"

    edges = np.linspace(0, 1, bins + 1)
    return Metric(
        "reliability" if bins == 10 else f"reliability_bins={bins}",
        "Reliability curve",
        loss,
        lambda risk: risk[bins:] / risk[:bins],
        jacobian,
        SINGLE,
        cells=cells,
        outputs=tuple(f"{low:g}–{high:g}" for low, high in pairwise(edges)),
        counts=Counts(wholes=lambda risk: risk[:bins]),
        about="How many of the items with such a score are truly positive, or truly of the class predicted.",
        undefined=undefined,
        of_scores=True,
    )


PROBABILITY = (brier, brier_sum, log_loss(), calibration_error())
