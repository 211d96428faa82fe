"""From an anticipated variance to the width of an interval, and back."""

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
from sampleval.pool import Floats, Integers
from sampleval.presets import Method
from sampleval.surrogates import expected_effects

# Share of what predicted numbers foretell that a plan counts on an assisted estimate to use. It would be all of it if the
# predictions were quite right.
FORESEEN = 0.95
DOUBTLESS = "this belief has no doubt left, so it foretells no error"
# If fewer surprises than this are foreseen, it is likelier than not that none is met: e^−0.69 = ½.
EVEN = float(np.log(2))
LARGEST = 700.0  # logarithm of a variance that a float still holds


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What a belief expects of the deviations d in G groups of items.

    Attributes:
        square: E d², (G,).
        variance: Var d, (G,).
        mean: Computes E d, (G, m), when it is needed.
        typical: Position of one item of each group, (G,).
        count: Items of each group that may be asked, (G,).
    """

    square: Floats
    variance: Floats
    mean: Callable[[], Floats]
    typical: Integers
    count: Floats


def left_by(problem: Problem, cell: Method) -> Profile:
    """The pool's profile with the squares that this method is left to measure, if the belief is right."""
    profile, metric = problem.profile, problem.main
    items, belief = problem.pool.items.take(profile.typical), problem.belief.take(profile.typical)
    mean = partial(expected_effects, metric, items, belief, problem.predicted_risk(metric))
    variance = problem.residual_profile.square
    expected = Expected(profile.square, variance, mean, profile.typical, profile.count)
    return profile.with_square(unforeseen(problem, cell, expected))


def unforeseen(problem: Problem, cell: Method, expected: Expected) -> Floats:
    """The squares that a method is left to measure in each group, (G,).

    They are E d² for most methods and Var d where a posterior predicts the labels. Strata leave what their squared
    means do not explain of E d², if the metric is a single number. An assisted estimate of numbers leaves little more
    than Var d.

    Args:
        problem: The pool, the metric and the plan's belief.
        cell: The method.
        expected: What the belief expects of the groups.
    """
    if foretells(problem, cell):
        return expected.variance
    foreseen: Floats | float = 0.0
    if isinstance(cell.design, Stratified) and len(problem.metrics) == 1 and not problem.main.vector:
        foreseen = explained(cell.design, problem, expected)
    elif problem.pool.task.kind == "regression" and conforms(cell.estimator, Assisted):
        foreseen = FORESEEN
    return expected.square - foreseen * (expected.square - expected.variance)


def explained(design: Stratified, problem: Problem, expected: Expected) -> Floats:
    """The share of Σ (E d)² in a group's stratum that is the stratum's squared mean, (G,).

    A stratified sample does not vary by it.
    """
    mean, count = expected.mean(), expected.count
    stratum = problem.once(design, lambda: design.parts(problem.pool).leaf)
    parts, of = np.bincount(stratum[problem.eligible], minlength=stratum.max() + 1), stratum[expected.typical]
    total = summed(count[:, None] * mean, of, len(parts))
    squares = np.bincount(of, count * np.square(mean).sum(axis=1), len(parts))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.square(total).sum(axis=1) / (parts * squares)
    return np.minimum(np.nan_to_num(share), 1.0)[of]


def foretells(problem: Problem, cell: Method) -> bool:
    """Whether a posterior will predict what is not labelled, so that only what it leaves open is to be measured."""
    return all(cell.speaking_of(metric, problem.pool).predicts for metric in problem.metrics)


def foretold(cell: Method, profile: Profile, budgets: Floats) -> Floats:
    """Anticipated variances, (B,); `nan` where none is left and yet items whose label matters are left to chance.

    A census leaves no variance either. But a belief without doubt, as when decisions are taken for certain, tells
    nothing of the error.
    """
    variance = cell.design.variance(profile, budgets)
    if (profile.square != 0).all():
        return variance
    certain = certain_share(cell, profile, budgets) * profile.population
    return np.where((variance == 0) & (certain.round() < len(profile.order)), np.nan, variance)


def certain_share(cell: Method, profile: Profile, budgets: Floats) -> Floats:
    """Share of the pool that is certain to be asked at each budget, (B,).

    Draws and strata make no item certain short of the whole pool.
    """
    if cell.design.makes is not Inclusions:
        return np.where(budgets >= profile.eligible, 1.0, 0.0)
    return waterline(cell, profile).certain(budgets) / profile.population


def waterline(cell: Method, profile: Profile) -> Waterline:
    """Where items become certain, after the defensive mixture."""
    return profile.mixed(cell.defensive or 0.0)[1]


def value_at(metric: Metric, risk: Floats) -> float:
    """The value at a mean loss; `nan` for several components, whose plan is their error on average."""
    return float("nan") if metric.vector else float(np.clip(metric.value(risk)[0], *metric.range))


def expected_widths(
    problem: Problem, cell: Method, predicted: float, variance: Floats, budgets: Floats, level: float
) -> Floats:
    """Widths of the interval to expect of these budgets, (B,), as shares of what a total counts over.

    A belief that is sure foresees next to no variance after a single label, but limits know only what labels have
    shown. If these will likely be all alike, the width is what they do not rule out, 1 − ((1 − level)/2)^(1/n) of the
    range. A posterior's limits follow the belief even then.

    Args:
        problem: The pool, the metric and the plan's belief.
        cell: The method.
        predicted: The metric's value.
        variance: Anticipated at each budget, (B,).
        budgets: (B,).
        level: Coverage.
    """
    metric = problem.main
    widths = np.array([width_of(metric, predicted, v, cell.interval, level) for v in variance], float)
    low, high = metric.range
    if foretells(problem, cell) or not np.isfinite(high - low):
        return widths
    widths = widths + unmet(problem, cell, budgets) * (high - low - widths)
    tail = (1 - _limits(cell.interval, level)[1]) / 2
    least = (high - low) * -np.expm1(np.log(tail) / np.maximum(budgets + len(problem.held), 1))
    rarer = min(predicted - low, high - predicted) / (high - low)
    # Less than one in n* = F(1 − F)/V is of the rarer kind.
    few = rarer**2 * (1 - rarer) < variance / (high - low) ** 2
    doubtful = few & (widths > 0) & (widths < least)
    rising = np.unique(budgets[doubtful])
    turn = bisect_left(rising, EVEN, key=lambda budget: surprises(problem, cell, int(budget)))
    return np.where(doubtful & np.isin(budgets, rising[:turn]), least, widths)


def unmet(problem: Problem, cell: Method, budgets: Floats) -> Floats:
    """How likely a plain sample leaves a mean over classes without a value, (B,): 1 − Π_c (1 − (1 − M/E)^n_c).

    n_c counts the items on which the class's ratio rests; one of them is enough. Other designs hardly miss a class,
    as their strata follow the predicted ones. Without this, 30 classes were planned to a third of the width that 100
    labels leave.

    Args:
        problem: The pool, the metric and the plan's belief.
        cell: The method.
        budgets: (B,).
    """
    each = problem.main.averages
    if each is None or each.wholes is None or not each.groups or not isinstance(cell.design, Uniform):
        return np.zeros(len(budgets))
    total = problem.predicted_risk(each) * problem.pool.size
    known = each.loss(problem.pool.items.take(problem.held.index), problem.held.labels).sum(axis=0)
    # Of each kind of count: whether the ratio takes it at all, whatever its weight there.
    units = np.eye(each.groups).repeat(len(total) // each.groups, axis=1)
    taken = np.array([np.asarray(each.wholes(np.append(unit, 0.0)))[0] > 0 for unit in units])
    held, items = (taken @ counts[:-1].reshape(each.groups, -1) for counts in (known, total))
    missed = np.maximum(1 - budgets / problem.population, 0.0)[:, None] ** np.where(held > 0, np.inf, items)
    return np.asarray(1 - np.prod(1 - missed, axis=1))


def surprises(problem: Problem, cell: Method, budget: int) -> float:
    """How many of these labels are foreseen to be unlike the rest: Σ b E d² over the square of how far one of them can be off.

    In a mean, that is at most the largest entry of |Dg|: 1 for accuracy. So wrong decisions are counted, and how many
    of them a design meets depends on where it looks. If no label moves the mean, as with gaps that are all 0, none is
    foreseen.
    """
    metric, profile = problem.main, problem.profile
    steepest = np.abs(dense(metric.gradient(problem.predicted_risk(metric)))).max()
    if steepest == 0:
        return 0.0
    chance = cell.design.inclusion(problem, budget)[profile.order]
    return float(np.add.reduceat(chance, profile.edges[:-1]) @ profile.square / steepest**2)


def width_of(metric: Metric, predicted: float, variance: float, family: str, level: float) -> float:
    """Width of the interval around the predicted value: 0 without any variance, else `nan` if value or variance is."""
    if variance == 0:
        return 0.0
    family, level = _limits(family, level)
    basis = Basis(predicted, variance, variance, predicted, metric.range)
    return interval(basis, level, family).width if np.isfinite([predicted, variance]).all() else np.nan


def _limits(family: str, level: float) -> tuple[str, float]:
    """Family and level that stand in for limits at any look: those lie at about three standard errors."""
    if family != "anytime":
        return family, level
    return "korn-graubard", 2 * float(ndtr(TYPICAL_DEVIATION)) - 1


def variance_for(metric: Metric, predicted: float, width: float, family: str, level: float) -> float:
    """The largest variance with which the interval around this value is at most so wide, by bisection.

    Args:
        metric: The metric.
        predicted: Its value.
        width: Of the interval, > 0, as a share of what a total counts over.
        family: Key in `INTERVALS`.
        level: Coverage.
    """
    low, high = -40.0, min(4 * np.log(max(width, 1.0)) + 10, LARGEST)
    for _ in range(20):
        middle = (low + high) / 2
        wide = width_of(metric, predicted, float(np.exp(middle)), family, level)
        low, high = (middle, high) if wide <= width else (low, middle)
    return float(np.exp(low))
