"""Answers to arrays: what surrogates and estimators are given, in studies and simulations alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sampleval.designs import Inclusions, Problem, Round, Strata
from sampleval.estimators import Run
from sampleval.metrics import Encoded
from sampleval.pool import Flags, Integers
from sampleval.presets import Method
from sampleval.surrogates import Belief, Evidence, Recalibrated

NOBODY = np.empty(0, np.intp), np.empty(0)  # rows and chances before anybody is asked


def evidence_of(
    problem: Problem,
    method: Method,
    past: Sequence[Round],
    queue: Integers,
    labels: Encoded,
    responded: Flags,
) -> Evidence:
    """The labels of an answered run with their design weights, after those held beforehand.

    Args:
        problem: What the sample is drawn for.
        method: How it is drawn.
        past: The rounds so far.
        queue: Positions of the run's items, (k,).
        labels: Their encoded labels, (k,) or (k, C).
        responded: Whether each was given, (k,).
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
    """The same answers as the estimators see them.

    `None` before the first answer, unless the held labels alone are enough: all are held, or a posterior learns from
    them.
    """
    taught = method.predicts and problem.held_random
    if not (len(queue) or taught) and problem.eligible.any():
        return None
    items = problem.pool.items
    sample = (
        method.design.sample(problem, past, len(queue))
        if len(queue)
        else Inclusions(*NOBODY, problem.population)
    )
    if problem.stochastic and isinstance(sample, Inclusions | Strata):
        sample = replace(sample, noisy=True)
    return Run(
        items.take(queue),
        labels,
        responded,
        belief_after(problem, queue, labels, responded),
        sample,
        items.take(problem.held.index),
        problem.held.labels,
        problem,
        past,
    )


def belief_after(problem: Problem, queue: Integers, labels: Encoded, responded: Flags) -> Belief:
    """π of a run's items, which stands in for labels not given: the scores, recalibrated by the labels that were given.

    The first belief would pull the estimate towards scores that the labels have shown to be too high. Given the
    score, it says nothing about a label that nobody answered, or nothing that the limits do not allow for.

    Args:
        problem: What the sample is drawn for.
        queue: Positions of the run's items, (k,).
        labels: Their encoded labels, (k,) or (k, C).
        responded: Whether each was given, (k,).
    """
    if responded.all():
        return problem.belief.take(queue)
    model = problem.once("standing in", lambda: Recalibrated().model(problem.pool))
    given = Evidence(queue, labels, np.ones(len(queue))).where(responded)
    return model.believe(problem.sampled(problem.held.then(given)), queue)
