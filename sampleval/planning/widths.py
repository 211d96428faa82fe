"""Expected widths of intervals from anticipated variances, and the reverse."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import ndtr

from sampleval._checks import conforms
from sampleval.designs import Inclusions, Problem, Profile, Stratified, Uniform
from sampleval.designs.inclusion import Waterline
from sampleval.estimators import Assisted
from sampleval.intervals import Basis, interval
from sampleval.intervals.wagers import TYPICAL_DEVIATION
from sampleval.metrics import Metric, dense
from sampleval.metrics.codes import summed
from sampleval.pool import Floats, Integers, Items
from sampleval.presets import Method
from sampleval.surrogates import Belief, expected_effects, moments

# Share of the predictable part (E d)² that a plan expects an assisted estimate of numbers to remove. It would be 1 if the
# predictions were exactly right.
FORESEEN = 0.95
DOUBTLESS = "this belief leaves no doubt, so it predicts no error"
# With fewer expected surprises than this, the probability of none exceeds ½: e^−0.69 = ½.
EVEN = float(np.log(2))


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Moments of the deviations d in G groups of items under a belief.

    Attributes:
        square: E d², (G,).
        variance: Var d, (G,).
        mean: Function that computes E d, (G, m).
        typical: Position of one item of each group, (G,).
        count: Number of items of each group that may be asked, (G,).
    """

    square: Floats
    variance: Floats
    mean: Callable[[], Floats]
    typical: Integers
    count: Floats

    @classmethod
    def under(
        cls, metric: Metric, items: Items, belief: Belief, risk: Floats, typical: Integers, count: Floats
    ) -> Expected:
        """The moments under a belief about the typical items, with the metric linearised at R, (d,)."""
        at = moments(metric, items, belief, risk=risk)
        mean = partial(expected_effects, metric, items, belief, risk)
        return cls(at.square, at.variance, mean, typical, count)


def left_by(problem: Problem, method: Method) -> Profile:
    """The pool's profile with the squares that enter this method's variance if the belief is right (`unforeseen`)."""
    profile, metric = problem.profile, problem.main
    items, belief = problem.pool.items.take(profile.typical), problem.belief.take(profile.typical)
    mean = partial(expected_effects, metric, items, belief, problem.predicted_risk(metric))
    expected = Expected(profile.square, problem.residual_square, mean, profile.typical, profile.count)
    return profile.with_square(unforeseen(problem, method, expected))


def unforeseen(problem: Problem, method: Method, expected: Expected) -> Floats:
    """The expected squares that enter a method's variance in each group, (G,).

    They are E d² for most methods, and Var d if a posterior predicts the labels. For stratified designs and scalar
    metrics, the part of (E d)² that stratum means explain is subtracted from E d². For assisted estimates of numbers,
    they are little more than Var d.
    """
    if foretells(problem, method):
        return expected.variance
    foreseen: Floats | float = 0.0
    if isinstance(method.design, Stratified) and not problem.main.vector:
        foreseen = explained(method.design, problem, expected)
    elif problem.pool.task.kind == "regression" and conforms(method.estimator, Assisted):
        foreseen = FORESEEN
    return expected.square - foreseen * (expected.square - expected.variance)


def explained(design: Stratified, problem: Problem, expected: Expected) -> Floats:
    """The share of Σ (E d)² in a group's stratum that its stratum mean explains, (G,).

    It does not contribute to the variance of a stratified sample.
    """
    mean, count = expected.mean(), expected.count
    stratum = problem.once(design, lambda: design.stratify(problem.pool).leaf)
    sizes, of = np.bincount(stratum[problem.eligible], minlength=stratum.max() + 1), stratum[expected.typical]
    total = summed(count[:, None] * mean, of, len(sizes))
    squares = np.bincount(of, count * np.square(mean).sum(axis=1), len(sizes))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.square(total).sum(axis=1) / (sizes * squares)
    return np.minimum(np.nan_to_num(share), 1.0)[of]


def foretells(problem: Problem, method: Method) -> bool:
    """Whether a posterior predicts unlabelled items, so that only Var d enters the main metric's variance."""
    return method.concluding_on(problem.main, problem.pool).predicts


def foretold(problem: Problem, method: Method, profile: Profile, budgets: Floats) -> Floats:
    """Anticipated variances, (B,); `nan` if a variance is 0 although not all items that matter are certain to be asked.

    A census has variance 0 too. But a belief without uncertainty, for example that all decisions are right, says
    nothing about the error.
    """
    variance, telling = method.design.variance(profile, budgets), problem.telling
    if (profile.square[telling] != 0).all():
        return variance
    certain = certain_share(method, profile, budgets) * profile.population
    return np.where((variance == 0) & (certain.round() < profile.edges[1:][telling].max()), np.nan, variance)


def certain_share(method: Method, profile: Profile, budgets: Floats) -> Floats:
    """Share of the pool that is certain to be asked at each budget, (B,).

    With draws and strata, no item is certain before all items are asked.
    """
    if method.design.makes is not Inclusions:
        return np.where(budgets >= profile.eligible, 1.0, 0.0)
    return waterline(method, profile).certain(budgets) / profile.population


def waterline(method: Method, profile: Profile) -> Waterline:
    """The `Waterline` of the method after the defensive mixture."""
    return profile.mixed(method.defensive or 0.0)[1]


def value_at(metric: Metric, risk: Floats) -> float:
    """The value at a mean loss, cut to the range; `nan` for metrics of several components."""
    return float("nan") if metric.vector else float(np.clip(metric.value(risk)[0], *metric.range))


def expected_widths(
    problem: Problem, method: Method, predicted: float, variance: Floats, budgets: Floats, level: float
) -> Floats:
    """Expected widths of the interval at these budgets, (B,); for a total as shares of what it counts over.

    They follow from the predicted value and the anticipated variance at each budget, (B,). A confident belief predicts almost
    no variance after a single label, but limits rest on what labels have shown. If the labels are likely to be all alike, the
    width is at least what they do not rule out, 1 − ((1 − level)/2)^(1/n) of the range. Limits from a posterior follow the
    belief even then.
    """
    metric = problem.main
    widths = np.array([width_of(metric, predicted, v, method.interval, level) for v in variance], float)
    low, high = metric.range
    if foretells(problem, method) or not np.isfinite(high - low):
        return widths
    widths = np.minimum(widths + unmet(problem, method, budgets) * (high - low), high - low)
    tail = (1 - _limits(method.interval, level)[1]) / 2
    least = (high - low) * -np.expm1(np.log(tail) / (budgets + len(problem.held)))
    rarer = min(predicted - low, high - predicted) / (high - low)
    # Fewer than one of n* = F(1 − F)/V labels is expected to be of the rarer kind.
    few = rarer**2 * (1 - rarer) < variance / (high - low) ** 2
    doubtful = few & (widths > 0) & (widths < least)
    rising = np.unique(budgets[doubtful])
    turn = bisect_left(rising, EVEN, key=lambda budget: surprises(problem, method, int(budget)))
    return np.where(doubtful & np.isin(budgets, rising[:turn]), least, widths)


def unmet(problem: Problem, method: Method, budgets: Floats) -> Floats:
    """Expected share of the classes that a uniform sample tells nothing of, (B,): the mean of (1 − M/E)^n_c.

    n_c is the number of items of the class or, for precision, of those decided for it; one of them is enough. Limits of a mean
    over classes allow any value elsewhere. Other designs hardly miss a class, as their strata follow the predicted classes.
    Without this, the planned width of 30 classes was a third of the real one after 100 labels.
    """
    each = problem.main.counts.mean_of
    if each is None or not each.counts.per_class or not isinstance(method.design, Uniform):
        return np.zeros(len(budgets))
    held = problem.losses(each, problem.held).sum(axis=0)
    total = problem.predicted_risk(each) * problem.pool.size
    # True positives, and misses or false alarms.
    telling = [0, 2] if each.counts.of_class == "ratio" else [0, 1]
    known, items = (counts[:-1].reshape(3, -1)[telling].sum(axis=0) for counts in (held, total))
    left = np.maximum(1 - budgets / problem.population, 0.0)[:, None]
    missed = np.where(left > 0, left ** np.where(known > 0, np.inf, items), 0.0)
    # Of decisions alone, a class that is never decided for is expected to have no item, but it may.
    counted = (items > 0) | (each.counts.of_class == "ratio")
    return np.asarray(missed[:, counted].sum(axis=1) / max(np.count_nonzero(counted), 1))


def surprises(problem: Problem, method: Method, budget: int) -> float:
    """Expected number of labels that differ from the rest: Σ b E d² over the squared largest deviation.

    The largest deviation is taken as the largest entry of |Dg|, which is 1 for accuracy, so that wrong decisions are
    counted. Their number depends on the design's inclusion probabilities. If no label changes the metric, as with gaps
    that are all 0, the result is 0.
    """
    metric, profile = problem.main, problem.profile
    steepest = np.abs(dense(metric.gradient(problem.predicted_risk(metric)))).max()
    if steepest == 0:
        return 0.0
    chance = method.design.inclusion(problem, budget)[profile.order]
    return float(np.add.reduceat(chance, profile.edges[:-1]) @ profile.square / steepest**2)


def width_of(metric: Metric, predicted: float, variance: float, family: str, level: float) -> float:
    """Width of the interval around the predicted value: 0 if the variance is 0, `nan` if value or variance is undefined."""
    if variance == 0:
        return 0.0
    family, level = _limits(family, level)
    basis = Basis(predicted, variance, variance, predicted, metric.range)
    return interval(basis, level, family).width if np.isfinite([predicted, variance]).all() else np.nan


def _limits(family: str, level: float) -> tuple[str, float]:
    """The family and level; for limits at any look, those of an interval of about three standard errors."""
    if family != "anytime":
        return family, level
    return "korn-graubard", 2 * float(ndtr(TYPICAL_DEVIATION)) - 1
