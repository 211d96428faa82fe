"""Intervals: how sure to be, given an estimate and its variance."""

from sampleval.intervals.families import (
    INTERVALS,
    Basis,
    Interval,
    beta,
    beta_parameters,
    interval,
    korn_graubard,
    log_normal,
    logit,
    normal,
    nothing,
    probability_above,
    suited,
)
from sampleval.intervals.regions import Ellipsoid, korn_graubard_limits, simultaneous_level

__all__ = [
    "INTERVALS",
    "Basis",
    "Ellipsoid",
    "Interval",
    "beta",
    "beta_parameters",
    "interval",
    "korn_graubard",
    "korn_graubard_limits",
    "log_normal",
    "logit",
    "normal",
    "nothing",
    "probability_above",
    "simultaneous_level",
    "suited",
]
