"""Expected deviations hₙ: how much an item's unknown label can move the metric (Y eq 12, M eq 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.metrics.base import Encoded, Metric
from sampleval.pool import Floats, Integers, Items
from sampleval.surrogates.belief import Belief


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Moments of the deviation dₙ(y) = Dg(R)·ℓ(n, y) under a belief, each (N,).

    Attributes:
        risk: R = (1/N) Σ E_π ℓ, (d,): the predicted mean loss (Y eq 14).
        square: E_π ‖d‖².
        absolute: E_π ‖d‖.
        variance: E_π ‖d − E_π d‖².
        possible: Whether some label makes d ≠ 0; an item where none does carries no information.
    """

    risk: Floats
    square: Floats
    absolute: Floats
    variance: Floats
    possible: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]


def expected_loss(metric: Metric, items: Items, belief: Belief) -> Floats:
    """E_π ℓ of every item, (n, d)."""
    return sum(
        (p[:, None] * metric.loss(items, y) for p, y in belief.scenarios()),
        start=np.zeros(()),
    )


def predicted_risk(metric: Metric, items: Items, belief: Belief) -> Floats:
    """R_a = (1/N) Σ E_π ℓ, (d,) (Y eq 14), from K losses where the metric has cells."""
    codes, typical = _cells(metric, items)
    total = sum(
        np.bincount(codes, p, len(typical)) @ metric.loss(typical, _label(y, len(typical)))
        if codes is not None
        else p @ metric.loss(items, y)
        for p, y in belief.scenarios()
    )
    return np.asarray(total) / len(items)


def moments(metric: Metric, items: Items, belief: Belief, *, risk: Floats | None = None) -> Moments:
    """Moments of the deviation of every item.

    Args:
        metric: What is to be estimated.
        items: N items.
        belief: π(y|n) for the same items.
        risk: R at which to linearise, (d,); the predicted one by default.
    """
    risk = predicted_risk(metric, items, belief) if risk is None else risk
    jacobian = np.nan_to_num(metric.gradient(risk), posinf=0.0, neginf=0.0)
    codes, typical = _cells(metric, items)
    square, absolute, possible = np.zeros(len(items)), np.zeros(len(items)), np.zeros(len(items), bool)
    effects: list[tuple[Floats, Floats]] = []
    for p, y in belief.scenarios():
        label = y if codes is None else _label(y, len(typical))
        effect = metric.loss(typical, label) @ jacobian.T
        norm = np.sqrt(np.einsum("nm,nm->n", effect, effect))
        at = norm if codes is None else norm[codes]
        square += p * at**2
        absolute += p * at
        possible |= at > 0
        effects.append((p, effect))
    variance = np.maximum(square - _squared_mean(effects, codes), 0.0)
    return Moments(risk, square, absolute, variance, possible)


def _squared_mean(effects: list[tuple[Floats, Floats]], codes: Integers | None) -> Floats:
    """‖E d‖² (N,) = Σ_{y,z} π_y π_z d_y·d_z, through K × C × C inner products, never N × m."""
    if effects[0][1].shape[1] == 1:
        mean = sum(p * (e[:, 0] if codes is None else e[codes, 0]) for p, e in effects)
        return np.asarray(mean) ** 2
    total = np.zeros(len(effects[0][0]))
    for i, (p, e) in enumerate(effects):
        for j, (q, f) in enumerate(effects[: i + 1]):
            inner = np.einsum("nm,nm->n", e, f)
            total += (1 if i == j else 2) * p * q * (inner if codes is None else inner[codes])
    return total


def _cells(metric: Metric, items: Items) -> tuple[Integers | None, Items]:
    """Codes of the items and one typical item per code; (None, items) where ℓ sees the score."""
    if metric.cells is None:
        return None, items
    codes = metric.cells(items)
    typical = np.zeros(int(codes.max()) + 1, np.intp)
    typical[codes] = np.arange(len(items))
    return codes, items.take(typical)


def _label(y: Encoded, n: int) -> Encoded:
    """A label that is the same for all items, for n of them."""
    return np.broadcast_to(y[:1], (n, *y.shape[1:]))
