"""Turn answers into the arrays that surrogates and estimators take, in studies and in simulations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sampleval.designs import Inclusions, Problem, Round, Strata
from sampleval.designs.base import queued
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
    labels: Encoded,
    responded: Flags | None = None,
) -> Evidence:
    """The labels held beforehand, followed by those of an answered run with their design weights.

    Args:
        problem: What the sample is drawn for.
        method: How it is drawn.
        past: The rounds so far.
        labels: Encoded labels of the first k items that they queued, (k,) or (k, C).
        responded: Whether a label was given for each, (k,); by default one was.
    """
    if not (k := len(labels)):
        return problem.held
    sample = method.design.sample(problem, past, k)
    weight = np.bincount(sample.rows, sample.weight, k).astype(float)
    given = Evidence(queued(past)[:k], labels, weight)
    return problem.held.then(given if responded is None else given.where(responded))


def assemble(
    problem: Problem,
    method: Method,
    past: Sequence[Round],
    labels: Encoded,
    responded: Flags | None = None,
) -> Run | None:
    """The answers of `evidence_of` in the form that the estimators take.

    The result is `None` before the first answer, unless the held labels are enough: no other can matter, or a posterior
    learns from them.
    """
    k = len(labels)
    taught = method.predicts and problem.held_random
    if not (k or taught or held_suffice(problem, method)):
        return None
    sample = method.design.sample(problem, past, k) if k else Inclusions(*NOBODY, problem.population)
    if problem.stochastic and isinstance(sample, Inclusions | Strata):
        sample = replace(sample, stochastic=True)
    queue, responded = queued(past)[:k], np.ones(k, bool) if responded is None else responded
    belief = belief_after(problem, queue, labels, responded)
    return Run(problem.pool.items.take(queue), labels, responded, belief, sample, problem, past)


def held_suffice(problem: Problem, method: Method) -> bool:
    """Whether the labels held beforehand leave nothing to ask: no other item's label can matter to the target metrics."""
    if not problem.eligible.any():
        return True
    return len(problem.held) > 0 and not problem.reached(method.design.inclusion).any()


def belief_after(problem: Problem, queue: Integers, labels: Encoded, responded: Flags) -> Belief:
    """π of the items at these positions, (k,), which stands in for missing labels: scores recalibrated by the given labels.

    The first belief would pull the estimate towards scores that the labels have shown to be wrong. The recalibration
    assumes that, given the score, a missing answer says nothing about the label beyond what the limits allow for.
    """
    if responded.all():
        return problem.belief.take(queue)
    given = Evidence(queue, labels, np.ones(len(queue))).where(responded)
    return recalibrated(problem, problem.held.then(given), queue)
