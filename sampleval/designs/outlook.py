"""What the labels so far say of the items left: belief and sizes h for the next round, in one pass over the pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sampleval.designs.aim import Linearise, Norm, estimated_risk, usable
from sampleval.designs.base import Round, queued
from sampleval.designs.problem import Problem
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.surrogates import Belief, Evidence, expected_loss, predicted_risk


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """A round's view of the pool.

    Attributes:
        belief: π of every item, (N,), none of them fixed by its own label.
        size: h of every item, (N,); 0 for held and queued ones.
    """

    belief: Belief
    size: Floats


def look(
    problem: Problem,
    past: Sequence[Round],
    answers: Evidence,
    *,
    norm: Norm,
    defensive: float,
    linearise: Linearise,
) -> Outlook:
    """Belief and h after the labels so far.

    Args:
        problem: What is to be estimated.
        past: The rounds so far, all answered.
        answers: Their labels with design weights, held ones first.
        norm: 2 for h = √E d², 1 for h = E|d|.
        defensive: δ, the share of h spread evenly over the items left.
        linearise: At the estimate, where the metric exists there, or where the belief predicts R.
    """
    belief = problem.believe(answers) if len(answers) else problem.belief
    sampled = answers if linearise == "estimate" and len(answers) > len(problem.held) else None
    risks = {m: risk_of(m, problem, belief, answers, sampled) for m in problem.metrics}
    moments = problem.joint(belief, risks)
    h = moments.absolute if norm == 1 else np.sqrt(moments.square)
    able = problem.eligible.copy()
    able[queued(past)] = False
    size = problem.floored(h, moments.possible & able)
    if defensive and size.any():
        size = np.where(able, (1 - defensive) * size / size.sum() + defensive / able.sum(), 0.0)
    return Outlook(belief, size)


def risk_of(
    metric: Metric, problem: Problem, belief: Belief, answers: Evidence, sampled: Evidence | None
) -> Floats:
    """R̂, or what the belief predicts with the known labels in place, (d,)."""
    items = problem.pool.items
    if sampled is not None and usable(metric, risk := estimated_risk(metric, items, sampled)):
        return risk
    risk = predicted_risk(metric, items, belief)
    if not len(answers) or problem.stochastic:
        return risk
    labelled = items.take(answers.index)
    moved = metric.loss(labelled, answers.labels) - expected_loss(
        metric, labelled, belief.take(answers.index)
    )
    return np.asarray(risk + moved.sum(axis=0) / len(items))
