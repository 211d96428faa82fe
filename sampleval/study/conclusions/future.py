"""From this pool to the source it was drawn from: the pool's own sampling variance, and limits that allow for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.estimators import Estimator, Inference, Linear, Run, Spread, losses, weighted_mean, weights
from sampleval.intervals import Basis, Interval, interval, joined, nothing, possible_variance
from sampleval.metrics import Metric, effects, finite
from sampleval.pool import Floats
from sampleval.surrogates import moments, one_of_each, worst_labels

WORST = 500  # kinds of item that are tried one by one
ALL_BUT = 1e-12  # of the range: what moves G by all of it tells no size


def of_pool(metric: Metric, run: Run, estimator: Estimator, result: Inference) -> Basis:
    """What the pool as a sample says of its source: G, its variance Var d / N, and the items it counts at least."""
    variance = np.array([pool_variance(metric, run, estimator, result)])
    variance = possible_variance(variance, result.value, metric.range)
    basis = Basis(float(result.value[0]), float(variance[0]), range=metric.range)
    if not np.isfinite(metric.range).all():
        return replace(basis, degrees=_degrees(metric, run, estimator, result))
    if basis.varies and not metric.share:
        return basis
    return replace(basis, counted=counted(metric, run, result.risk))


def pool_variance(metric: Metric, run: Run, estimator: Estimator, result: Inference) -> float:
    """Var d / N: how far the pool itself may be from the source it was drawn from; held items count as one each."""
    if not isinstance(estimator, Linear):
        items, belief = run.problem.pool.items, run.problem.believe(run.said)
        return float(moments(metric, items, belief, risk=result.risk).square.mean()) / run.population
    jacobian = finite(metric.gradient(result.risk))
    square = 0.0
    if len(run.held):
        square += float((effects(metric.loss(run.held, run.held_labels), jacobian) ** 2).sum())
    if run.sample.population:
        asked = weighted_mean(estimator, run.sample, effects(losses(metric, run), jacobian) ** 2)
        square += run.sample.population * float(asked[0])
    return square / run.population**2


def _degrees(metric: Metric, run: Run, estimator: Estimator, result: Inference) -> float:
    """Degrees of freedom of the pool's variance, told by the labels as its mean square is."""
    assert isinstance(estimator, Linear)
    jacobian = finite(metric.gradient(result.risk))
    held = effects(metric.loss(run.held, run.held_labels), jacobian) if len(run.held) else np.empty((0, 1))
    asked = np.sqrt(weights(run, estimator))[:, None] * effects(losses(metric, run), jacobian)
    return float(Spread(np.concatenate([held, asked]), np.zeros(1)).degrees[0])


def counted(metric: Metric, run: Run, risk: Floats) -> float:
    """Items that a metric at an end of its range rests on: N · (its range) / max |d| over all that an item may be.

    Where no item of the pool moves G from that end, other kinds make up at most 1 − t^(1/N) of the source, but with
    chance t, and move it by that times max |d|: Clopper–Pearson's limit at this size holds (the rule of three). In
    a share d = (ℓ₁ − Gℓ₂)/R₂ is at most max ℓ₂/R₂, whatever the item, which leaves Σℓ₂: so many predicted
    positives for precision, positives for recall. There it is no more than G(1−G)/Var at any G.

    Args:
        metric: A scalar metric of finite range.
        run: The answered run.
        risk: R̂, (d,).
    """
    most = _weight(metric, run) / risk[1] if metric.share and risk[1] > 0 else _reach(metric, run, risk)
    return float(run.population * (metric.range[1] - metric.range[0]) / most) if most > 0 else 0.0


def _weight(metric: Metric, run: Run) -> float:
    """Largest ℓ₂ of an item of the run; 1 where all weigh less, as one not in the pool may."""
    return max(1.0, float(metric.loss(run.items, run.labels)[:, 1].max(initial=0.0)))


def _reach(metric: Metric, run: Run, risk: Floats) -> float:
    """max |d| over the items of the run and all labels they might have had.

    G may bend: of the worst of them also what a share of 1 − e^(−3/N) moves it by, as the size n that has the limit
    e^(−3/n) there.
    """
    one, _ = one_of_each(metric, run.items, run.belief)
    items, gradient = run.items.take(one), finite(metric.gradient(risk))
    ends = worst_labels(metric, items, run.belief.take(one), gradient)
    kinds = np.concatenate([metric.loss(items, y) for y in ends])
    moved = np.abs(effects(kinds, gradient)[:, 0])
    width, few, value = np.ptp(metric.range), -np.expm1(-3 / run.population), metric.value(risk)
    bent = [metric.value((1 - few) * risk + few * kinds[k]) - value for k in np.argsort(moved)[-WORST:]]
    most = min(np.nanmax(np.abs(bent), initial=0.0) / width, 1 - ALL_BUT)
    return float(max(moved.max(initial=0.0), -np.log1p(-most) * run.population / 3 * width))


def of_source(pool: Basis, level: float) -> Interval:
    """Limits for the source from the whole pool, every label known."""
    if pool.variance == 0 and not np.isfinite(pool.range).all():
        return nothing(
            pool, level, "no variation was seen, and without a largest value nothing tells how sure to be"
        )
    return interval(pool, level, "korn-graubard")


def beyond(found: Interval, pool: Basis) -> Interval:
    """Limits for the source: distances of the pool's limits and of a census's from the estimate, √(a² + b²) (MOVER).

    Zou & Donner 2008: so any interval can take in the pool's own variance, however it was made.
    """
    census = of_source(pool, found.level)
    note = joined(found.note, census.note)
    if found.width == 0:
        return replace(census, note=note)
    low = pool.value - np.hypot(pool.value - found.low, pool.value - census.low)
    high = pool.value + np.hypot(found.high - pool.value, census.high - pool.value)
    low, high = np.clip([low, high], *pool.range)
    return replace(found, low=float(low), high=float(high), note=note)
