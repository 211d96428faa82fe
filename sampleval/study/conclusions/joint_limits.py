"""Limits of a vector metric from a sample: of each component, and of all at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval._checks import conforms
from sampleval.designs import Design
from sampleval.designs.streams import BANDS, stream
from sampleval.estimators import Inference, Linear, completed, weighted_mean
from sampleval.intervals import (
    clopper_pearson,
    effective_size,
    posterior_limits,
    quantile,
    simultaneous_level,
    standing_in,
    student_factor,
)
from sampleval.metrics import dense, effects, finite
from sampleval.pool import Flags, Floats
from sampleval.study.conclusions.census import as_if_answered
from sampleval.study.conclusions.rare_classes import Limits, widened_for_rare
from sampleval.study.conclusions.settling import settled
from sampleval.study.conclusions.variances import (
    Grounded,
    at_most,
    expecting,
    grounded,
    variances_of,
)
from sampleval.surrogates import expected_loss, option_effects, worst_labels

MOST = 20  # components of which all ends are sought
ENDS = 8  # ends sought of more components


def joint_limits(result: Inference, design: Design, level: float, missing: Floats) -> tuple[Limits, Limits]:
    """Pointwise and simultaneous limits, which hold those of all `worst_ends`, or else are widened by `missing_effects`."""
    ends, none = worst_ends(result), np.zeros_like(missing)
    all_sought = bool(ends) and len(result.value) <= MOST
    pointwise, band = _as_answered(result, design, level, none if all_sought else missing)
    for end in ends:
        alone, together = _as_answered(end, design, level, none)
        pointwise, band = hull(pointwise, alone), hull(band, together)
    return pointwise, band


def _as_answered(result: Inference, design: Design, level: float, missing: Floats) -> tuple[Limits, Limits]:
    """`joint_limits` with expected losses in place of missing answers, whose effects are added."""
    variance, (bottom, top) = variances_of(result), result.metric.range
    # A component that varies by rounding errors alone would count as one more in the simultaneous level.
    factor = np.where(variance > 0, np.nan_to_num(result.spread.root), 0.0)
    joint = simultaneous_level(factor, level, stream(result.run.problem.seed, BANDS))
    if result.draws is None:
        known = grounded(result, design)
        # The effect of missing answers is added to these limits later: here their expected losses are used.
        fixed = settled(replace(result, run=as_if_answered(result.run)))
        most = at_most(result.metric, result.run)
        alone = _from_sizes(known, level, fixed, most)
        together = _from_sizes(expecting(known, result, design), joint, fixed, most)
    else:
        alone, together = (_from_draws(result, sure) for sure in (level, joint))
    below, above = missing
    pointwise, band = (
        (np.clip(low + below, bottom, top), np.clip(high + above, bottom, top))
        for low, high in (widened_for_rare(result, alone, level), widened_for_rare(result, together, joint))
    )
    return pointwise, hull(pointwise, band)


def _from_draws(result: Inference, level: float) -> Limits:
    """Posterior limits of each component; the whole range if its value is undefined."""
    known, (bottom, top), labels = np.isfinite(result.value), result.metric.range, result.run.random_labels
    draws, value = np.where(known, np.asarray(result.draws), 0.0), np.where(known, result.value, 0.0)
    low, high = posterior_limits(draws, value, labels, level, (bottom, top))
    return np.where(known, low, bottom), np.where(known, high, top)


def _from_sizes(known: Grounded, level: float, fixed: Flags, most: Floats) -> Limits:
    """Korn–Graubard limits of each component at its effective size; Student's t limits if the range is infinite.

    Components that are `fixed`, (m,), have limits of width 0; no upper limit lies above `most`, see `at_most`.
    """
    bottom, top = known.range
    width = top - bottom
    if not np.isfinite(width):
        wide = np.where(known.variance > 0, known.variance, known.anticipated)
        half = quantile(level, known.degrees) * np.sqrt(np.where(fixed, 0.0, wide))
        low, high = (np.nan_to_num(known.value + side * half, nan=side * np.inf) for side in (-1, 1))
        return low, high
    p = (known.value - bottom) / width
    own = effective_size(p, known.variance / width**2 * student_factor(level, known.degrees))
    predicted = (known.predicted - bottom) / width
    size, _ = standing_in(p, own, predicted, known.anticipated / width**2, known.telling)
    low, high = (bottom + width * end for end in clopper_pearson(size * p, size * (1 - p), level))
    high = np.fmax(np.fmin(high, most), known.value)
    return np.where(fixed, known.value, low), np.where(fixed, known.value, high)


def missing_effects(result: Inference) -> Floats:
    """How far the worst labels of unanswered items could change each component, down and up, to first order, (2, m)."""
    metric, run, estimator = result.metric, result.run, result.estimator
    if not len(silent := run.silent):
        return np.zeros((2, len(result.value)))
    jacobian, (items, belief) = finite(metric.gradient(result.risk)), run.unanswered
    standing = effects(expected_loss(metric, items, belief), jacobian)
    each = option_effects(metric, items, belief, jacobian)
    moved = []
    for end in (each.min(axis=1).sum(axis=0), each.max(axis=1).sum(axis=0)):
        change = np.zeros((len(run.items), standing.shape[1]))
        change[silent] = end - standing
        if conforms(estimator, Linear):
            total = weighted_mean(estimator, run.sample, change) * run.sample.population
        else:
            total = change.sum(axis=0)
        moved.append(total / run.population)
    return np.array(moved)


def worst_ends(result: Inference) -> list[Inference]:
    """The inferences in which some component is lowest or highest over labels of unanswered items; none if all are answered.

    What a label says of other items counts as well: without this, the number of missed positives was 36 to 154 in the
    confusion matrix and 35 to 549 as a metric of its own, where 22 of 120 items were skipped. Of many components, weighted
    answers have no such ends: `missing_effects` has almost the same result, in far less time.
    """
    metric, run = result.metric, result.run
    if run.responded.all() or (conforms(result.estimator, Linear) and len(result.value) > MOST):
        return []
    gradient, (items, belief) = dense(finite(metric.gradient(result.risk))), run.unanswered
    below, above = worst_labels(metric, items, belief, gradient.sum(axis=0, keepdims=True))  # of all together
    each = [labels for row in gradient for labels in worst_labels(metric, items, belief, row[None])]
    given = [below, *each, above]
    distinct = list({labels.tobytes(): labels for labels in given}.values())
    # Along a curve they differ little from point to point: a few reach almost as far as all.
    few = len(distinct) if len(result.value) <= MOST else min(len(distinct), ENDS)
    picked = np.linspace(0, len(distinct) - 1, few).astype(int)
    return [completed(result, distinct[k]) for k in picked]


def hull(one: Limits, other: Limits) -> Limits:
    """The narrowest limits that hold both of these."""
    return np.fmin(one[0], other[0]), np.fmax(one[1], other[1])
