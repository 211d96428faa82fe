"""Expected deviations hₙ: how much an item's unknown label can change the metric (Y eq 12, M eq 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sampleval.metrics.base import Metric
from sampleval.metrics.blocks import ENTRIES, blocks
from sampleval.metrics.jacobians import Jacobian, dense, effects, finite
from sampleval.pool import Flags, Floats, Integers, Items
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.expectations import multilabel
from sampleval.surrogates.expectations.losses import (
    celled,
    effect_blocks,
    expected_loss,
    predicted_risk,
    risk_of_cells,
)
from sampleval.surrogates.expectations.mattering import may_matter
from sampleval.surrogates.expectations.scenarios import class_effects, label_terms, scenarios, typical_items

Parts = tuple[Floats, Floats, Floats, Flags]  # square, absolute, variance, possible


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Moments of the deviation dₙ(y) = Dg(R)·ℓ(n, y) under a belief, each (N,).

    Attributes:
        square: E_π ‖d‖².
        absolute: E_π ‖d‖; in multi-label tasks an upper bound, exact where labels are near certain.
        variance: E_π ‖d − E_π d‖².
        possible: Whether some label makes d ≠ 0, at this R or another; otherwise the item carries no information.
    """

    square: Floats
    absolute: Floats
    variance: Floats
    possible: Flags


def moments(metric: Metric, items: Items, belief: Belief, *, risk: Floats | None = None) -> Moments:
    """Moments of the deviation of every item, with the metric linearised at R, by default the predicted R."""
    if celled(metric, items.task):
        codes, typical = typical_items(metric, items)
        risk = risk_of_cells(metric, belief, codes, typical) if risk is None else risk
        found = list(_by_cell(metric, typical, codes, belief, finite(metric.gradient(risk))))
    else:
        risk = predicted_risk(metric, items, belief) if risk is None else risk
        found = list(_one_by_one(metric, items, belief, finite(metric.gradient(risk))))
    square, absolute, variance, possible = (np.concatenate(part) for part in zip(*found, strict=True))
    return Moments(square, absolute, variance, may_matter(metric, items, belief, risk, possible))


def _one_by_one(metric: Metric, items: Items, belief: Belief, jacobian: Jacobian) -> Iterator[Parts]:
    """Yields the parts block by block, for items without cells: over the possible labels, or over independent ones."""
    for block in effect_blocks(metric, items, jacobian):
        here, about = items.take(block), belief.take(block)
        if terms := label_terms(metric, items.task):
            yield multilabel.moments(terms(here, dense(jacobian)), about.mean)
            continue
        square, absolute, possible = np.zeros(len(here)), np.zeros(len(here)), np.zeros(len(here), bool)
        mean = np.zeros((len(here), jacobian.shape[0]))
        for p, effect in _outcomes(metric, here, about, jacobian):
            norm = _norm(effect)
            square += p * norm**2
            absolute += p * norm
            mean += p[:, None] * effect
            possible |= norm > 0
        yield square, absolute, np.maximum(square - (mean**2).sum(axis=1), 0.0), possible


def _by_cell(
    metric: Metric, typical: Items, codes: Integers, belief: Belief, jacobian: Jacobian
) -> Iterator[Parts]:
    """Yields the parts block by block, from the effect of each class on each of the K typical items; `codes` are cells, (N,)."""
    effect = np.stack(list(class_effects(metric, typical, jacobian)))  # (C, K, m)
    norm = _norm(effect)
    able = np.logical_or.reduce(norm > 0)
    for block in blocks(len(codes), ENTRIES // (4 * len(effect))):
        chance, code = belief.take(block).by_class, codes[block]
        size = norm.take(code, axis=1)
        weighted = chance * size
        absolute, square = weighted.sum(axis=0), np.einsum("cn,cn->n", weighted, size)
        yield square, absolute, np.maximum(square - _squared_mean(effect, chance, code), 0.0), able[code]


def _norm(effect: Floats) -> Floats:
    """‖d‖ along the last axis; for one component |d|, which needs no squares."""
    return np.abs(effect[..., 0]) if effect.shape[-1] == 1 else np.linalg.norm(effect, axis=-1)


def _expected(table: Floats, chance: Floats, code: Integers) -> Floats:
    """Σ_c π_c t_c of every item, (n,), for a table t by class and cell, (C, K)."""
    return np.einsum("cn,cn->n", chance, table.take(code, axis=1))


def _squared_mean(effect: Floats, chance: Floats, code: Integers) -> Floats:
    """‖E d‖² = Σ_{y,z} π_y π_z d_y·d_z of every item, (n,), from C × C × K inner products instead of n × m effects."""
    if effect.shape[2] == 1:
        return _expected(effect[..., 0], chance, code) ** 2
    inner = np.einsum("ykm,zkm->yzk", effect, effect)
    return sum(
        (p * _expected(of, chance, code) for p, of in zip(chance, inner, strict=True)), start=np.zeros(())
    )


def expected_effects(metric: Metric, items: Items, belief: Belief, risk: Floats) -> Floats:
    """E_π d of every item, (n, m), d = Dg(R)·ℓ."""
    jacobian = finite(metric.gradient(risk))
    runs = blocks(len(items), ENTRIES // jacobian.shape[1])
    return np.concatenate(
        [effects(expected_loss(metric, items.take(b), belief.take(b)), jacobian) for b in runs]
    )


def expected_squares(metric: Metric, items: Items, belief: Belief, jacobian: Jacobian) -> Floats:
    """E_π d² of each component of d = Dg·ℓ, (n, m), from K losses if the metric has cells."""
    if not celled(metric, items.task):
        runs = effect_blocks(metric, items, jacobian)
        return np.concatenate([_squares(metric, items.take(b), belief.take(b), jacobian) for b in runs])
    codes, typical = typical_items(metric, items)
    each = class_effects(metric, typical, jacobian)
    return sum(
        (p[:, None] * (effect**2)[codes] for p, effect in zip(belief.by_class, each, strict=True)),
        start=np.zeros(()),
    )


def _squares(metric: Metric, items: Items, belief: Belief, jacobian: Jacobian) -> Floats:
    """E_π d² of each component, (n, m), for items without cells."""
    if terms := label_terms(metric, items.task):
        return multilabel.squares(terms(items, dense(jacobian)), belief.mean)
    listed = _outcomes(metric, items, belief, jacobian)
    return sum((p[:, None] * effect**2 for p, effect in listed), start=np.zeros(()))


def _outcomes(
    metric: Metric, items: Items, belief: Belief, jacobian: Jacobian
) -> Iterator[tuple[Floats, Floats]]:
    """Yields the possible labels of every item as their probability, (n,), and effect Dg·ℓ, (n, m)."""
    if items.task.classified:
        return zip(belief.by_class, class_effects(metric, items, jacobian), strict=True)
    return ((p, effects(metric.loss(items, y), jacobian)) for p, y in scenarios(metric, items, belief))


def pooled_squares(
    metric: Metric, items: Items, belief: Belief, weight: Floats, jacobian: Jacobian
) -> Floats:
    """Σ_n w_n E_π d_n² of each component of d = Dg·ℓ, (m,), with weights w, (N,); from K losses if the metric has cells."""
    total: Floats = np.zeros(jacobian.shape[0])
    if celled(metric, items.task):
        codes, typical = typical_items(metric, items)
        each = class_effects(metric, typical, jacobian)
        for p, effect in zip(belief.by_class, each, strict=True):
            total = total + np.bincount(codes, weight * p, len(typical)) @ effect**2
        return total
    for block in effect_blocks(metric, items, jacobian):
        squares = _squares(metric, items.take(block), belief.take(block), jacobian)
        total = total + weight[block] @ squares
    return total
