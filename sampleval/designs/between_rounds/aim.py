"""The target of the next labels: the metrics, linearised at an estimate or prediction of the mean loss."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, get_args

import numpy as np
from scipy import sparse

from sampleval._checks import choice, fail, is_number
from sampleval.designs.problem import FLOOR, Problem
from sampleval.metrics import Encoded, Metric
from sampleval.metrics.blocks import blocks
from sampleval.metrics.jacobians import Jacobian, effects, finite
from sampleval.metrics.mean import combinations
from sampleval.pool import Flags, Floats, Items
from sampleval.surrogates import Belief, Evidence, label_terms, moments, options, predicted_risk

Linearise = Literal["estimate", "belief"]
Norm = Literal[1, 2]
EXCLUDED = 1e-30  # times the mean size: smaller sizes are excluded by the belief, and their weights overflow
ROUNDING = 1e-14  # times the sum of its terms: smaller effects are what rounding leaves of terms that cancel
BLOCK = 100_000  # items at a time, so that wide losses stay in memory


def check_aim(norm: int, linearise: str) -> None:
    """Raise an error for a norm other than 1, for E|d|, and 2, for √E d², or a linearisation that does not exist."""
    if not is_number(norm) or norm not in (1, 2):
        fail("norm", "must be 1 for E|d| or 2 for √E d²", norm)
    choice(linearise, get_args(Linearise), "linearise")


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """The items without a label, as n representatives, each with its π and the number of items that it represents, (n,)."""

    items: Items
    belief: Belief
    count: Floats


@dataclass(frozen=True, eq=False)
class Linearised:
    """One of the metrics aimed at, linearised at R, (d,), with the weight w of its squared deviation."""

    metric: Metric
    risk: Floats
    weight: float

    @cached_property
    def jacobian(self) -> Jacobian:
        """√w·Dg(R), (m, d); where Dg does not exist, it counts as 0."""
        return np.sqrt(self.weight) * finite(self.metric.gradient(self.risk))


@dataclass(frozen=True, slots=True, eq=False)
class Aim:
    """The joint deviation d = (√w_k Dg_k ℓ_k)_k of one or several metrics."""

    metrics: tuple[Linearised, ...]

    def deviation(self, items: Items, y: Encoded) -> tuple[Floats, Floats]:
        """‖d‖ and 1[ℓ ≠ 0] of every item under label y, each (n,)."""
        square, present = np.zeros(len(items)), np.zeros(len(items), bool)
        for each in self.metrics:
            like = combinations(each.metric, items, y)
            rows, place = (slice(None), slice(None)) if like is None else like
            loss = each.metric.loss(items.take(rows), y[rows])
            effect = effects(loss, each.jacobian)
            # Without this, an item that two equal systems decide alike would have size 0 on one processor and 1e-16 on another.
            effect[np.abs(effect) <= ROUNDING * effects(np.abs(loss), np.abs(each.jacobian))] = 0.0
            square += np.einsum("nm,nm->n", effect, effect)[place]
            present |= np.asarray(loss.any(axis=1))[place]
        return np.sqrt(square), present.astype(float)

    def expected(self, items: Items, belief: Belief, *, norm: Norm, floor: float) -> Floats:
        """Sizes (E_π max{‖d‖^p, ε 1[ℓ ≠ 0]})^(1/p), (n,), to which M's proposal is proportional (M Prop. 2).

        The norm p is 1 for a deterministic oracle, 2 for a stochastic one; `floor` is ε. If there are too many labels to
        list, the expectation is replaced by max{E_π ‖d‖^p, ε}. If the belief excludes every label that could matter, the
        item gets a small positive size, so that it can still be drawn.
        """
        if any(
            label_terms(each.metric, items.task) or each.metric.shortcuts.exceptions for each in self.metrics
        ):
            total, able = self._moment(items, belief, norm, floor)
        else:
            found = [
                self._listed(items.take(block), belief.take(block), norm, floor)
                for block in blocks(len(items), BLOCK)
            ]
            total, able = (np.concatenate(part) for part in zip(*found, strict=True))
        size = total if norm == 1 else np.sqrt(total)
        typical = size.mean()
        return np.where(able, np.where(size <= EXCLUDED * typical, FLOOR * typical, size), 0.0)

    def _listed(self, items: Items, belief: Belief, norm: Norm, floor: float) -> tuple[Floats, Flags]:
        total, able = np.zeros(len(items)), np.zeros(len(items), bool)
        for p, y in belief.scenarios():
            size, present = self.deviation(items, y)
            total += p * np.maximum(size**norm, floor * present)
            able |= present > 0
        return total, able

    def _moment(self, items: Items, belief: Belief, norm: Norm, floor: float) -> tuple[Floats, Flags]:
        found = [(m.weight, moments(m.metric, items, belief, risk=m.risk)) for m in self.metrics]
        able = np.logical_or.reduce([m.possible for _, m in found])
        if norm == 1:
            return np.maximum(sum(np.sqrt(w) * m.absolute for w, m in found), floor * able), able
        return np.maximum(sum(w * m.square for w, m in found), floor * able), able

    def known(self, items: Items, y: Encoded, *, norm: Norm, floor: float) -> Floats:
        """Sizes of items whose label is known, (n,), as in `expected`."""
        size, present = self.deviation(items, y)
        return np.maximum(size**norm, floor * present) ** (1 / norm)


def estimated_risk(
    metric: Metric, problem: Problem, evidence: Evidence, linearise: Linearise
) -> Floats | None:
    """R̂ = (1/N) Σ w ℓ of the labels so far, (d,), to linearise at; `None` if the predicted R has to be used instead.

    It has to be with `linearise` "belief", while only held labels are known, which come first, and if the metric or its
    gradient does not exist at R̂.
    """
    if linearise == "belief" or len(evidence) <= len(problem.held):
        return None
    risk = np.asarray(evidence.weight @ problem.losses(metric, evidence) / problem.pool.size)
    return risk if usable(metric, risk) else None


def believed_risk(metric: Metric, problem: Problem, known: Evidence, rest: Rest) -> Floats:
    """R = (1/N) (Σ_known ℓ + Σ_rest E_π ℓ), (d,)."""
    fixed = problem.losses(metric, known).sum(axis=0) if len(known) else 0.0
    others = len(rest.items) * predicted_risk(metric, rest.items, rest.belief, weight=rest.count)
    return np.asarray((fixed + others) / problem.pool.size)


def silent_labels(metrics: Iterable[Metric], other: Metric, items: Items, belief: Belief) -> bool:
    """Whether some label has loss 0 under all of `metrics` but not under another metric.

    Once such a label is known, a proposal made for `metrics` never draws its item again, so that estimates of the other
    metric are biased.
    """
    drawn_for = list(metrics)
    if other in drawn_for:
        return False
    # Metrics with the same exceptions have the same options: going through these for each metric took most of the time.
    unlike = {m.shortcuts.exceptions: m for m in (other, *drawn_for)}.values()
    for block in blocks(len(items), BLOCK):
        here = items.take(block)
        about = belief.take(block)
        for y in chain.from_iterable(options(m, here, about) for m in unlike):
            drawn = np.logical_or.reduce([m.loss(here, y).any(axis=1) for m in drawn_for])
            if not drawn.all() and (other.loss(here, y).any(axis=1) & ~drawn).any():
                return True
    return False


def usable(metric: Metric, risk: Floats) -> bool:
    """Whether the metric can be linearised there: its value and gradient exist, and the gradient is not 0."""
    gradient = metric.gradient(risk)
    values = gradient.data if sparse.issparse(gradient) else gradient
    return bool(np.isfinite(metric.value(risk)).all() and np.isfinite(values).all() and values.any())


def aim_at(problem: Problem, evidence: Evidence, rest: Rest, linearise: Linearise) -> Aim:
    """The `Aim` of the next round, given the labels so far, held ones first, and the items without a certain label."""
    known = problem.certain(evidence)
    linearised = []
    for metric, weight in problem.joint_weights.items():
        risk = estimated_risk(metric, problem, evidence, linearise)
        if risk is None:
            risk = believed_risk(metric, problem, known, rest)
        linearised.append(Linearised(metric, risk, weight))
    return Aim(tuple(linearised))
