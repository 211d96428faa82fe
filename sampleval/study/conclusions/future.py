"""Estimates for the source of the pool: the pool's own sampling variance, and limits that include it."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from sampleval._checks import conforms
from sampleval.estimators import Inference, Linear, Spread, losses, weights
from sampleval.intervals import (
    Basis,
    Interval,
    interval,
    joined,
    joined_limits,
    nothing,
    possible_variance,
    suited,
)
from sampleval.metrics import effects, finite
from sampleval.pool import Floats
from sampleval.study.conclusions.variances import disputed, profiles_of
from sampleval.surrogates import moments, one_of_each, worst_labels

About = Literal["pool", "future"]
WORST = 500  # largest number of losses that are tried one by one
UNBOUNDED = "no variation was seen, and without a largest value nothing shows how wide the interval should be"
ALL_BUT = 1e-12  # changes of G are kept this far below the whole range, which corresponds to no size


def of_pool(result: Inference) -> Basis:
    """The basis of an interval for the source with the pool as its sample: G, Var d / N, and the least number of items."""
    metric = result.metric
    variance = possible_variance(np.array([pool_variance(result)]), result.value, metric.range)
    basis = Basis(float(result.value[0]), float(variance[0]), range=metric.range)
    # Without both ends the estimator is linear: posteriors are of two classes, whose metrics have both.
    if not np.isfinite(metric.range).all():
        told = Spread(_deviations(result), np.zeros(1))
        return replace(basis, degrees=float(told.degrees[0]))
    if basis.varies and not metric.counts.share:
        return basis
    return replace(basis, least_size=least_size(result))


def pool_variance(result: Inference) -> float:
    """Var d / N, the variance of the pool's metric as a sample of its source; held items have weight 1.

    Of a difference of two systems it is at least the expected one while labels are missing: without this, one in three
    studies of 150 labels, none of which told the two apart, knew nothing of the source.
    """
    metric, run = result.metric, result.run
    if not conforms(result.estimator, Linear):
        items, belief = run.problem.pool.items, run.problem.believe(run.known)
        return float(moments(metric, items, belief, risk=result.risk).square.mean()) / run.population
    own = float((_deviations(result) ** 2).sum())
    if disputed(metric) and len(run.known) < run.population:
        own = max(own, min(float(each.count @ each.square) for each in profiles_of(result)))
    return own / run.population**2


def _deviations(result: Inference) -> Floats:
    """√w·d of every label, held ones first, (k, 1), w the number of items it represents: its square sums to Σ w d²."""
    metric, run = result.metric, result.run
    jacobian, none = finite(metric.gradient(result.risk)), np.empty((0, 1))
    held = effects(run.problem.losses(metric, run.held), jacobian) if len(run.held) else none
    if not run.sample.population:
        return held
    weight = np.sqrt(weights(run, result.estimator))
    return np.concatenate([held, weight[:, None] * effects(losses(metric, run), jacobian)])


def least_size(result: Inference) -> float:
    """Effective size of a metric at an end of its range: N · (range of G) / max |d| over all possible items.

    If no item of the pool moves G from that end, other items make up at most 1 − t^(1/N) of the source,
    except with probability t. They change G by that share times max |d|. So the Clopper–Pearson limit at this size is
    valid (rule of three). For a share, d = (ℓ₁ − Gℓ₂)/R₂ is at most max ℓ₂/R₂ for any item, so that the size is Σℓ₂: the
    number of predicted positives for precision, of positives for recall. For a share it never exceeds G(1−G)/Var.
    """
    metric, run, risk = result.metric, result.run, result.risk
    if metric.counts.share and risk[1] > 0:  # an item outside the pool may have a loss of 1
        most = max(1.0, float(metric.loss(run.items, run.labels)[:, 1].max(initial=0.0))) / risk[1]
    else:
        most = _largest_effect(result)
    return float(run.population * (metric.range[1] - metric.range[0]) / most) if most > 0 else 0.0


def _largest_effect(result: Inference) -> float:
    """max |d| over the items of the run and all labels they might have had.

    Since G may be nonlinear, the result also covers the change of G by a share 1 − e^(−3/N) of the worst item, expressed
    through the size n with the limit e^(−3/n) there.
    """
    metric, run, risk = result.metric, result.run, result.risk
    one, _ = one_of_each(metric, run.items)
    items, gradient = run.items.take(one), finite(metric.gradient(risk))
    ends = worst_labels(metric, items, run.belief.take(one), gradient)
    possible = np.concatenate([metric.loss(items, y) for y in ends])
    moved = np.abs(effects(possible, gradient)[:, 0])
    width, few, value = np.ptp(metric.range), -np.expm1(-3 / run.population), metric.value(risk)
    bent = [metric.value((1 - few) * risk + few * possible[k]) - value for k in np.argsort(moved)[-WORST:]]
    most = min(np.nanmax(np.abs(bent), initial=0.0) / width, 1 - ALL_BUT)
    return float(max(moved.max(initial=0.0), -np.log1p(-most) * run.population / 3 * width))


def of_source(pool: Basis, level: float) -> Interval:
    """Limits for the source from the whole pool with all labels known."""
    if pool.variance == 0 and not np.isfinite(pool.range).all():
        return nothing(pool.range, level, UNBOUNDED)
    return interval(pool, level, suited("korn-graubard", pool.range))


def widened_to_source(found: Interval, pool: Basis) -> Interval:
    """Limits for the source: limits for the pool combined with those of a census, for any family of intervals."""
    if not found.known:
        return found
    census = of_source(pool, found.level)
    note = joined(found.note, census.note)
    if found.width == 0:
        return replace(census, note=note)
    below, above = pool.value - census.low, census.high - pool.value
    return replace(joined_limits(found, pool.value, below, above, pool.range), note=note)
