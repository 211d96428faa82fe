"""Other beliefs than the plan's that are held possible before any label, where scores have no plausible calibrations of two classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from sampleval.designs import Problem, Profile
from sampleval.planning.miscalibrated import Miscalibrated
from sampleval.planning.widths import Expected, left_by, unforeseen, value_at
from sampleval.pool import told_errors
from sampleval.presets import Method
from sampleval.surrogates import Shrunk, Surrogate

POWERS = (0.25, 4.0)  # powers of the scores of several classes and label sets that are held possible
GUESSED = (0.1, 1.5)  # range of the true error scale in units of a guessed one
GIVEN = (0.5, 2.0)  # the same of a given one, or of one learned from labels


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
    return 1.0, *(GIVEN if given else GUESSED)  # the standard deviation of the predictions stands in


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
