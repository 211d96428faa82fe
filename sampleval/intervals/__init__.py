"""Intervals: limits of a metric, given an estimate and its variance."""

from sampleval.intervals.anytime import anytime
from sampleval.intervals.base import LEVEL, Basis, Interval, joined, joined_limits, nothing
from sampleval.intervals.binomial import clopper_pearson
from sampleval.intervals.choosing import INTERVALS, interval, probability_above, probability_below, suited
from sampleval.intervals.effective import effective_size, kish_size, standing_in
from sampleval.intervals.families import (
    NOISE,
    beta_parameters,
    possible_variance,
    quantile,
    student_factor,
)
from sampleval.intervals.posterior import posterior_limits
from sampleval.intervals.regions import Ellipsoid, simultaneous_level
from sampleval.intervals.wagers import Wager, Wagers

__all__ = [
    "INTERVALS",
    "LEVEL",
    "NOISE",
    "Basis",
    "Ellipsoid",
    "Interval",
    "Wager",
    "Wagers",
    "anytime",
    "beta_parameters",
    "clopper_pearson",
    "effective_size",
    "interval",
    "joined",
    "joined_limits",
    "kish_size",
    "nothing",
    "possible_variance",
    "posterior_limits",
    "probability_above",
    "probability_below",
    "quantile",
    "simultaneous_level",
    "standing_in",
    "student_factor",
    "suited",
]
