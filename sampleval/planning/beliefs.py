"""Other beliefs than the plan's that are held possible before any label, where scores have no plausible calibrations of two classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.special import expit, logit, softmax

from sampleval.designs import Problem, Profile
from sampleval.planning.widths import Expected, left_by, unforeseen, value_at
from sampleval.pool import Pool, told_errors
from sampleval.presets import Method
from sampleval.surrogates import Belief, Fixed, Shrunk, Surrogate
from sampleval.surrogates.probabilities import claimed

POWERS = (0.25, 4.0)  # powers of the scores of several classes and label sets that are held possible
GUESSED = (0.1, 1.5)  # range of the true error scale in units of a guessed one
GIVEN = (0.5, 2.0)  # the same of a given one, or of one learned from labels
SMALLEST = 1e-12  # with less doubt, a predicted value of 1 is 1 after rounding, and its variance is not 0


def held_possible(problem: Problem, method: Method) -> Iterator[tuple[Profile, float]]:
    """The belief as planned, then with scores trusted more and less, and with scores of classes too timid and too sure.

    Yields for each the profile of the plan with the squares under that belief, and the value that it predicts.
    """
    others = (
        [] if problem.pool.task.kind == "regression" else [Miscalibrated(power=power) for power in POWERS]
    )
    for surrogate in _moved(method.surrogate) + others:
        yield problem.once((method, surrogate), partial(_judged, problem, method, surrogate))


def error_scales(problem: Problem) -> tuple[float, ...]:
    """The scales of errors that are held possible, in units of the assumed one, which is the first: more than one for numbers."""
    if problem.pool.task.kind != "regression":
        return (1.0,)
    given = told_errors(problem.pool) or len(problem.sampled(problem.held))
    # If none is given, the assumed one is the standard deviation of the predictions.
    return 1.0, *(GIVEN if given else GUESSED)


def _moved(surrogate: Surrogate) -> list[Surrogate]:
    """The surrogate as planned, then one that trusts the scores more and one that trusts them less."""
    trusting, wary = 0.98, 0.7
    if isinstance(surrogate, Shrunk):
        trusting = min(surrogate.shrinkage + 0.08, 1.0)
        wary = max(surrogate.shrinkage - 0.2, 0.0)
    base = surrogate if isinstance(surrogate, Shrunk) else Shrunk()
    return [surrogate, replace(base, shrinkage=trusting), replace(base, shrinkage=wary)]


def _judged(problem: Problem, method: Method, surrogate: Surrogate) -> tuple[Profile, float]:
    """The profile of the plan with the squares under another belief, and the value that this belief predicts."""
    metric = problem.main
    if surrogate == problem.surrogate:
        return left_by(problem, method), value_at(metric, problem.predicted_risk(metric))
    other, profile = replace(problem, surrogate=surrogate), problem.profile
    risk = other.predicted_risk(metric)
    items, belief = problem.pool.items.take(profile.typical), other.belief.take(profile.typical)
    expected = Expected.under(metric, items, belief, risk, profile.typical, profile.count)
    return profile.with_square(unforeseen(problem, method, expected)), value_at(metric, risk)


@dataclass(frozen=True, slots=True)
class Miscalibrated(Shrunk):
    """π ∝ s^t over the classes of an item; of label sets for each label and its absence.

    Scores of 0 and 1 are taken as recalibration takes them, so that decisions without scores claim to be right nine times
    in ten.

    >>> import pandas as pd
    >>> pool = Pool.from_frame(pd.DataFrame({"score": [0.2, 0.5]}))
    >>> np.allclose(Miscalibrated(power=2.0).model(pool).belief.mean, [0.04 / (0.04 + 0.64), 0.5])
    True

    Attributes:
        power: t > 0; above 1 the scores are taken as too timid, below 1 as too sure of themselves.
    """

    power: float = 1.0

    def model(self, pool: Pool, *, stochastic: bool = False) -> Fixed:
        """The belief about every item; labels do not change it."""
        score = claimed(pool.task, pool.systems[0])
        if pool.task.kind == "multiclass":
            mean = softmax(self.power * np.log(score), axis=1)
        else:
            mean = expit(self.power * logit(score))
        return Fixed(Belief(pool.task, np.clip(mean, SMALLEST, 1 - SMALLEST)))
