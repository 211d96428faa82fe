"""From an anticipated variance to the width of an interval, and back."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from sampleval.designs import Inclusions, Problem, Profile
from sampleval.designs.inclusion import Waterline
from sampleval.intervals import Basis, interval
from sampleval.intervals.wagers import TYPICAL_DEVIATION
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.presets import Method

DOUBTLESS = "this belief has no doubt left, so it foretells no error"
LARGEST = 700.0  # logarithm of a variance that a float still holds


def left_by(problem: Problem, cell: Method) -> Profile:
    """The pool's profile with the squares that this method is left to measure, if the belief is right."""
    return problem.residual_profile if foretells(problem, cell) else problem.profile


def foretells(problem: Problem, cell: Method) -> bool:
    """Whether a posterior will predict what is not labelled, so that only what it leaves open is to be measured."""
    return all(cell.speaking_of(metric, problem.pool).predicts for metric in problem.metrics)


def foretold(cell: Method, profile: Profile, budgets: Floats) -> Floats:
    """Anticipated variances, (B,); `nan` where none is left and yet items whose label matters are left to chance.

    A census leaves none either. A belief without doubt, as in decisions taken for certain, tells nothing of the error.
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
    return float("nan") if metric.vector else float(metric.value(risk)[0])


def width_of(metric: Metric, predicted: float, variance: float, family: str, level: float) -> float:
    """Width of the interval around the predicted value with this variance; 0 where nothing is left unknown, `nan` if either is.

    Limits that hold at every look lie at about three standard errors.
    """
    if variance == 0:
        return 0.0
    if family == "anytime":
        family, level = "korn-graubard", 2 * float(ndtr(TYPICAL_DEVIATION)) - 1
    basis = Basis(predicted, variance, variance, predicted, metric.range)
    return interval(basis, level, family).width if np.isfinite([predicted, variance]).all() else np.nan


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
