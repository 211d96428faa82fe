"""The labels needed for a wanted precision, and the range of the precision at a budget, before any label."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from sampleval import _checks
from sampleval.designs import Design, Problem, Profile
from sampleval.intervals import LEVEL
from sampleval.metrics import Target
from sampleval.planning.beliefs import error_scales, held_possible
from sampleval.planning.forecast import rarer_outcomes, strays, variance_at
from sampleval.planning.plausible import Plausible, plausible
from sampleval.planning.posing import Held, asked_for
from sampleval.planning.ranges import UNKNOWN, UNKNOWN_WIDTH, BudgetRange, WidthRange, first
from sampleval.planning.widths import (
    expected_widths,
    foretold,
    left_by,
    unforeseen,
    value_at,
    width_of,
)
from sampleval.pool import Floats, Pool
from sampleval.presets import Method
from sampleval.surrogates import Surrogate

POINTS = 80  # number of budgets at which each plausible truth is evaluated
QUANTILES = (0.1, 0.95)
FEW = 10  # with fewer labels than this, a predicted width rests on the belief alone


def budget_for(
    pool: Pool,
    *,
    width: float,
    metric: Target,
    preset: str | None = None,
    surrogate: str | Surrogate | None = None,
    design: str | Design | None = None,
    shrinkage: float | None = None,
    defensive: float | None = None,
    level: float = LEVEL,
    held: Held | None = None,
    held_random: bool | None = None,
) -> BudgetRange:
    """The number of labels with which the interval is at most this wide, as a likely value and a range.

    The likely number is the one at which the plan expects that width, but at least ten. With two classes the range comes
    from many plausible calibrations of the scores (`plausible`): one in ten of them needs fewer labels than the low end,
    one in twenty more than the high end. Otherwise it comes from scores trusted more and less than the plan assumes, for
    several classes and label sets also from their fourth power and fourth root. For numbers it comes from errors half and
    twice as large as the given error scale, or, if none is given, a tenth and one and a half times as large as assumed. All
    are first moved outwards by the variation of realised widths. If the method's belief has no uncertainty, the likely
    number comes from these other beliefs alone.

    >>> import numpy as np, pandas as pd, sampleval as sv
    >>> pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.99, 99)}))
    >>> needed = int(budget_for(pool, width=0.3, metric="f1").likely)
    >>> [sv.plan(pool, metric="f1", budget=m).expected_width <= 0.3 for m in (needed - 1, needed)]
    [False, True]

    Args:
        pool: The scored items.
        width: Full width wanted, > 0 (± 0.03 is 0.06).
        metric: Pre-sampling metric; a list or name → weight makes a joint target, whose first metric the width is about.
        preset: Name in `PRESETS`.
        surrogate: Registry key or options object.
        design: Registry key or options object.
        shrinkage: λ in [0, 1].
        defensive: δ in [0, 1].
        level: Coverage of the interval.
        held: Labels known beforehand (id → label, `Labels` of the pool, or a study), which are not asked again.
        held_random: Whether they were chosen by chance, or by chance and scores, so that methods that learn also use them. By
            default this is so only for the labels of a study if they qualify (see `Study.impartial`) and the pool
            has the scores that chose.

    Raises:
        InputError: An argument out of range; the message names it, the value and the remedy.
    """
    width = _checks.positive(width, "width", remedy="± 0.03 is a width of 0.06")
    problem, method = asked_for(
        pool,
        metric,
        preset=preset,
        surrogate=surrogate,
        design=design,
        shrinkage=shrinkage,
        defensive=defensive,
        held=held,
        held_random=held_random,
    )
    return budget_range(problem, method, width, _checks.level(level))


def budget_range(problem: Problem, method: Method, width: float, level: float) -> BudgetRange:
    """`budget_for` for a problem that is already set up: the plan is fixed, and evaluated under several beliefs."""
    metric, scale = problem.main, problem.main.scale(problem.pool.size)
    width = min(width, float(np.ptp(metric.range)) * scale)  # no interval is wider
    needed_by = _needed_by_truths if _calibrated(problem) else _needed_by_trust
    likely, values, needed = needed_by(problem, method, width, level)
    if np.isnan(likely):
        return UNKNOWN
    able = float(problem.eligible.sum())
    sooner, later = needed * strays(rarer_outcomes(values, width / scale, level, metric.range, needed))
    sooner = np.where(needed < able, sooner, able)  # all labels leave nothing unknown, however they turn out
    few, nearly_all = _ends(problem)
    low = max(np.floor(np.quantile(sooner, few)), 1.0)
    high = np.ceil(np.quantile(later, nearly_all))
    least = float(np.clip(FEW - len(problem.held), 0, able))
    # Once all items that can matter are certain, no more labels are asked; none if labels held tell the metric exactly.
    reached = np.count_nonzero(method.design.inclusion(problem, problem.pool.size))
    most = reached if problem.telling.any() else 0
    ends = min(low, likely), max(likely, least), max(high, likely, least)
    return BudgetRange(*(float(min(labels, most)) for labels in ends))


def width_range(problem: Problem, method: Method, budget: int, level: float, expected: float) -> WidthRange:
    """The range of the interval's width after a number of labels, from the same truths as `budget_range`.

    With two classes, one plausible calibration in ten has a narrower interval than the low end, one in twenty a wider one
    than the high end. Otherwise the ends are the narrowest and the widest interval under the other beliefs. All are first
    moved outwards by the variation of realised widths. The range includes the width that the plan expects. For vector
    metrics it is unknown (`nan`).
    """
    metric = problem.main
    if metric.vector or not expected > 0:
        return UNKNOWN_WIDTH
    widths_by = _widths_by_truths if _calibrated(problem) else _widths_by_trust
    found = list(widths_by(problem, method, budget, level))
    values, widths = np.array(found, float).reshape(-1, 2).T
    if not np.isfinite(widths).any():
        return UNKNOWN_WIDTH
    seen = rarer_outcomes(values, widths, level, metric.range, budget)
    narrower, wider = widths * np.sqrt(strays(seen))  # widths go with the root of labels
    few, nearly_all = _ends(problem)
    low, high = np.nanquantile(narrower, few), np.nanquantile(wider, nearly_all)
    most, scale = metric.range[1] - metric.range[0], metric.scale(problem.pool.size)
    return WidthRange(float(min(low * scale, expected)), float(max(min(high, most) * scale, expected)))


def _calibrated(problem: Problem) -> bool:
    """Whether ranges come from plausible calibrations of the scores, and not from a few other beliefs."""
    return problem.pool.task.kind == "binary" and not problem.main.vector


def _ends(problem: Problem) -> tuple[float, float]:
    """The shares of the truths below the low end of a range and up to its high end: of a few beliefs all lie between."""
    return QUANTILES if _calibrated(problem) else (0.0, 1.0)


def _needed_by_truths(
    problem: Problem, method: Method, width: float, level: float
) -> tuple[float, Floats, Floats]:
    """The likely number of labels, `nan` if unknown, then the metric's value and the labels for each plausible calibration, (K,) both."""
    metric, profile = problem.main, left_by(problem, method)
    predicted = value_at(metric, problem.predicted_risk(metric))
    likely = _smallest(problem, method, profile, predicted, width, level)
    budgets = np.unique(np.geomspace(1, max(profile.eligible, 1), POINTS).round())
    wanted, found = width / metric.scale(problem.pool.size), []

    def narrow(value: float, variance: Floats, place: int) -> bool:
        return width_of(metric, value, float(variance[place]), method.interval, level) <= wanted

    for judged, value in _truths(problem, method) if np.isfinite(predicted) else ():
        variance = method.design.variance(judged, budgets)
        found.append((value, budgets[first(partial(narrow, value, variance), -1, len(budgets) - 1)]))
    if not found:  # typical items may be just those whose label counts for nothing
        return np.nan, *np.empty((2, 0))
    values, needed = np.array(found, float).T
    return likely if np.isfinite(likely) else float(np.ceil(np.median(needed))), values, needed


def _needed_by_trust(
    problem: Problem, method: Method, width: float, level: float
) -> tuple[float, Floats, Floats]:
    """The same for each belief of `held_possible` and each scale of errors."""
    found = []
    for profile, predicted in held_possible(problem, method):
        labels = _smallest(problem, method, profile, predicted, width, level)
        if np.isfinite(labels):
            # Labels go with the square of the scale of errors.
            found += [(predicted, factor**2 * labels) for factor in error_scales(problem)]
    values, needed = np.array(found, float).reshape(-1, 2).T
    return needed[0] if len(needed) else np.nan, values, needed


def _truths(problem: Problem, method: Method) -> Iterator[tuple[Profile, float]]:
    """Yields the pool's profile with the squares that enter the method's variance, and the metric's value, for each plausible calibration."""
    metric, pool = problem.main, problem.pool

    def found() -> Plausible:
        part = None if metric.part is None else metric.part.codes(pool.items)
        return plausible(pool, eligible=problem.eligible, evidence=problem.sampled(problem.held), part=part)

    scope = problem.once("plausible", found)
    made = scope.profile(problem.size[scope.groups.typical])
    for value, expected in problem.once(("truths", metric), lambda: scope.truths(metric)):
        square = unforeseen(problem, method, expected)
        yield made.with_square(square[made.order]), value


def _widths_by_truths(
    problem: Problem, method: Method, budget: int, level: float
) -> Iterator[tuple[float, float]]:
    """Yields the metric's value and the width for each plausible calibration."""
    for profile, value in _truths(problem, method):
        variance = variance_at(method.design, profile, budget)
        yield value, width_of(problem.main, value, variance, method.interval, level)


def _widths_by_trust(
    problem: Problem, method: Method, budget: int, level: float
) -> Iterator[tuple[float, float]]:
    """Yields the predicted value and the width under each belief of `held_possible` and each scale of errors."""
    for profile, predicted in held_possible(problem, method):
        width = _width_at(problem, method, profile, predicted, budget, level)
        yield from ((factor * predicted, factor * width) for factor in error_scales(problem))


def _smallest(
    problem: Problem, method: Method, profile: Profile, predicted: float, width: float, level: float
) -> float:
    """The smallest budget whose expected interval is at most this wide, by bisection; `nan` if the belief predicts none."""
    scale = problem.main.scale(profile.population)

    def reached(budget: int) -> bool:
        return _width_at(problem, method, profile, predicted, budget, level) * scale <= width

    if not np.isfinite(predicted):
        return np.nan
    budget = float(first(reached, 0, profile.eligible))
    return budget if np.isfinite(foretold(problem, method, profile, np.array([budget]))).all() else np.nan


def _width_at(
    problem: Problem, method: Method, profile: Profile, predicted: float, budget: int, level: float
) -> float:
    """The expected width at one budget, for a belief's squares and the value that it predicts."""
    labels = np.array([budget], float)
    variance = method.design.variance(profile, labels)
    return float(expected_widths(problem, method, predicted, variance, labels, level)[0])


def as_good_as(problem: Problem, method: Method, budget: int, other: Design) -> BudgetRange:
    """Number of labels that another design needs for the error of this one at `budget`; at most all that may be asked.

    "Uniform sampling would need k × as many" is `as_good_as(…, Uniform())` over the budget. The likely number holds if the
    belief is right. The range comes from the same truths as that of `budget_range`, each of which is the same for both
    designs: with two classes, one plausible calibration in ten has fewer labels than the low end, one in twenty more than
    the high end. Otherwise the ends are the fewest and the most labels under the other beliefs. The other design must not
    have an estimator that predicts labels.
    """
    judged = _truths if _calibrated(problem) else held_possible
    rival = replace(method.with_design(other), surrogate=method.surrogate)

    def enough(own: Profile, its: Profile) -> float:
        wanted = variance_at(method.design, own, budget)
        return float(first(lambda m: variance_at(other, its, m) <= wanted, 0, its.eligible))

    likely = enough(left_by(problem, method), problem.profile)
    pairs = zip(judged(problem, method), judged(problem, rival), strict=True)
    found = [enough(own, its) for (own, _), (its, _) in pairs]
    low, high = np.quantile(found or [likely], _ends(problem))
    return BudgetRange(float(min(np.floor(low), likely)), likely, float(max(np.ceil(high), likely)))
