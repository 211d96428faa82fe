"""Belief and sizes h for the next round, updated with the labels so far in one pass over the pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sampleval.designs.base import Round, unasked
from sampleval.designs.between_rounds.aim import Linearise, Norm, estimated_risk
from sampleval.designs.inclusion import spread_sizes
from sampleval.designs.problem import Problem, floored, joint
from sampleval.metrics import Metric, effects, finite
from sampleval.pool import Floats
from sampleval.surrogates import Belief, Evidence, moments

DOUBT = 20.0  # number of labels that the initial trust of one half counts as
MOST = 0.9  # upper limit of trust: a belief may be right only about the labelled items


@dataclass(frozen=True, slots=True, eq=False)
class Updated:
    """Belief and sizes h of all items, (N,), at the start of a round.

    Labelled items have a π too, which their own label does not fix. Sizes of held and queued ones are 0.
    """

    belief: Belief
    size: Floats

    @property
    def chances(self) -> Floats:
        """h/Σh, (N,): the probability that each item is the next one asked."""
        return self.size / max(float(self.size.sum()), 1e-300)


def updated(
    problem: Problem,
    past: Sequence[Round],
    evidence: Evidence,
    *,
    norm: Norm,
    defensive: float,
    linearise: Linearise,
    assisted: bool = False,
) -> Updated:
    """Belief and sizes h after the labels so far, held ones first; options as in `Rounds`.

    With `assisted` h² = (1 − w) E d² + w Var d, where w is the `trust` in the belief.
    """
    belief = problem.believe(evidence) if len(evidence) else problem.belief
    risks = dict[Metric, Floats]()
    for metric in problem.metrics:
        risk = estimated_risk(metric, problem, evidence, linearise)
        risks[metric] = (
            problem.risk_under(metric, belief, problem.certain(evidence)) if risk is None else risk
        )
    target = joint(problem.metrics, problem.pool.items, belief, risks)
    w = trust(problem, belief, evidence, risks, target.weights) if assisted else 0.0
    h = target.absolute if norm == 1 else np.sqrt((1 - w) * target.square + w * target.variance)
    able = unasked(problem, past)
    return Updated(belief, spread_sizes(floored(h, target.possible & able), defensive, able))


def trust(
    problem: Problem,
    belief: Belief,
    evidence: Evidence,
    risks: Mapping[Metric, Floats],
    joint_weights: Mapping[Metric, float],
) -> float:
    """Trust w in the belief, in [0, MOST], for which (1 − w) E d² + w Var d equals the labels' squared residuals.

    A model-assisted estimate has to measure only ‖d − E d‖². Its mean is Var d if the belief is right, and up to E d² if
    the belief is uninformative. No fixed choice between the two is always best. The w of the labels is averaged with
    one half, which counts as `DOUBT` labels.
    """
    if not len(evidence := problem.sampled(evidence)):
        return 0.5
    items, about = problem.pool.items.take(evidence.index), belief.take(evidence.index)
    shown, most, least = 0.0, 0.0, 0.0
    for metric, weight in joint_weights.items():
        expected = moments(metric, items, about, risk=risks[metric])
        rest = problem.residuals(metric, belief, evidence)
        shown += weight * float((effects(rest, finite(metric.gradient(risks[metric]))) ** 2).sum())
        most, least = most + weight * expected.square.sum(), least + weight * expected.variance.sum()
    gap, k = most - least, len(evidence)
    if not gap > 0:
        return 0.5
    return float(np.clip((DOUBT * 0.5 + k * (most - shown) / gap) / (DOUBT + k), 0.0, MOST))
