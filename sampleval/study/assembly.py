"""Turn answers into the arrays that surrogates and estimators take, in studies and in simulations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sampleval.designs import Inclusions, Problem, Round, Strata
from sampleval.designs.sample import NOBODY
from sampleval.estimators import Run, recalibrated
from sampleval.metrics import Encoded
from sampleval.pool import Flags, Integers
from sampleval.presets import Method
from sampleval.surrogates import Belief, Evidence


def evidence_of(
    problem: Problem,
    method: Method,
    past: Sequence[Round],
    queue: Integers,
    labels: Encoded,
    responded: Flags,
) -> Evidence:
    """The labels held beforehand, followed by those of an answered run with their design weights.

    Args:
        problem: What the sample is drawn for.
        method: How it is drawn.
        past: The rounds so far.
        queue: Positions of the run's items, (k,).
        labels: Their encoded labels, (k,) or (k, C).
        responded: Whether a label was given for each, (k,).
    """
    if not len(queue):
        return problem.held
    sample = method.design.sample(problem, past, len(queue))
    weight = np.bincount(sample.rows, sample.weight, len(queue)).astype(float)
    return problem.held.then(Evidence(queue, labels, weight).where(responded))


def assemble(
    problem: Problem,
    method: Method,
    past: Sequence[Round],
    queue: Integers,
    labels: Encoded,
    responded: Flags,
) -> Run | None:
    """The answers of `evidence_of` in the form that the estimators take.

    The result is `None` before the first answer, unless the held labels are enough: no other can matter, or a posterior
    learns from them.
    """
    taught = method.predicts and problem.held_random
    if not (len(queue) or taught or held_suffice(problem, method)):
        return None
    items = problem.pool.items
    sample = (
        method.design.sample(problem, past, len(queue))
        if len(queue)
        else Inclusions(*NOBODY, problem.population)
    )
    if problem.stochastic and isinstance(sample, Inclusions | Strata):
        sample = replace(sample, stochastic=True)
    return Run(
        items.take(queue),
        labels,
        responded,
        belief_after(problem, queue, labels, responded),
        sample,
        problem,
        past,
    )


def held_suffice(problem: Problem, method: Method) -> bool:
    """Whether the labels held beforehand leave nothing to ask: no other item's label can matter to the target metrics."""
    if not problem.eligible.any():
        return True
    return len(problem.held) > 0 and not problem.reached(method.design.inclusion).any()


def belief_after(problem: Problem, queue: Integers, labels: Encoded, responded: Flags) -> Belief:
    """The belief π about the items of `assemble`, which stands in for missing labels: scores recalibrated by the given labels.

    The first belief would pull the estimate towards scores that the labels have shown to be wrong. The recalibration
    assumes that, given the score, a missing answer says nothing about the label beyond what the limits allow for.
    """
    if responded.all():
        return problem.belief.take(queue)
    given = Evidence(queue, labels, np.ones(len(queue))).where(responded)
    return recalibrated(problem, problem.held.then(given), queue)
