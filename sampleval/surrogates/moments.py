"""Expected deviations hₙ: how much an item's unknown label can move the metric (Y eq 12, M eq 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sampleval.metrics.base import ENTRIES, Encoded, Jacobian, Metric, blocks, dense, effects, finite
from sampleval.pool import Flags, Floats, Integers, Items
from sampleval.surrogates import multilabel
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.scenarios import label_wise, options, scenarios

Parts = tuple[Floats, Floats, Floats, Flags]  # square, absolute, variance, possible
ROUNDING = 1e-12  # effects this small are rounding


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Moments of the deviation dₙ(y) = Dg(R)·ℓ(n, y) under a belief, each (N,).

    Attributes:
        risk: R = (1/N) Σ E_π ℓ, (d,): the predicted mean loss (Y eq 14).
        square: E_π ‖d‖².
        absolute: E_π ‖d‖; in multi-label tasks an upper bound, exact where labels are near certain.
        variance: E_π ‖d − E_π d‖².
        possible: Whether some label makes d ≠ 0; an item where none does carries no information.
    """

    risk: Floats
    square: Floats
    absolute: Floats
    variance: Floats
    possible: Flags


def expected_loss(metric: Metric, items: Items, belief: Belief) -> Floats:
    """E_π ℓ of every item, (n, d)."""
    if label_wise(metric, belief):
        return metric.loss(items, belief.mean)
    return sum(
        (p[:, None] * metric.loss(items, y) for p, y in scenarios(metric, items, belief)),
        start=np.zeros(()),
    )


def predicted_risk(metric: Metric, items: Items, belief: Belief, *, weight: Floats | None = None) -> Floats:
    """R_a = (1/N) Σ w E_π ℓ, (d,) (Y eq 14 with w = 1), from K losses where the metric has cells.

    Args:
        metric: The metric.
        items: N items.
        belief: About the same items.
        weight: w, (N,), how much each counts; 1 by default.
    """
    if _celled(metric, belief):
        return _risk_of_cells(metric, belief, *typical_items(metric, items), weight)
    w = np.ones(len(items)) if weight is None else weight
    rows = ENTRIES // metric.loss(items.take(slice(0, 1)), _any_label(belief)).shape[1]
    total: Floats = np.zeros(())
    for block in blocks(len(items), rows):
        here, about = items.take(block), belief.take(block)
        if label_wise(metric, belief):
            total = total + w[block] @ metric.loss(here, about.mean)
        else:
            total = total + sum(
                (p * w[block]) @ metric.loss(here, y) for p, y in scenarios(metric, here, about)
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
    if _celled(metric, belief):
        codes, typical = typical_items(metric, items)
        risk = _risk_of_cells(metric, belief, codes, typical) if risk is None else risk
        found = list(_by_cell(metric, typical, codes, belief, finite(metric.gradient(risk))))
    else:
        risk = predicted_risk(metric, items, belief) if risk is None else risk
        found = list(_one_by_one(metric, items, belief, finite(metric.gradient(risk))))
    square, absolute, variance, possible = (np.concatenate(part) for part in zip(*found, strict=True))
    return Moments(risk, square, absolute, variance, possible)


def _one_by_one(metric: Metric, items: Items, belief: Belief, jacobian: Jacobian) -> Iterator[Parts]:
    """The parts of one run of items after the other, where none is like another."""
    for block in blocks(len(items), _rows(metric, belief, jacobian)):
        here, about = items.take(block), belief.take(block)
        if metric.by_label is not None and label_wise(metric, belief):
            yield multilabel.moments(metric.by_label(here, dense(jacobian)), about.mean)
        else:
            yield _listed(metric, here, about, jacobian)


def _listed(metric: Metric, items: Items, belief: Belief, jacobian: Jacobian) -> Parts:
    """The parts by listing scenarios."""
    square, absolute, possible = np.zeros(len(items)), np.zeros(len(items)), np.zeros(len(items), bool)
    mean = np.zeros((len(items), jacobian.shape[0]))
    for p, y in scenarios(metric, items, belief):
        effect = effects(metric.loss(items, y), jacobian)
        norm = _norm(effect)
        square += p * norm**2
        absolute += p * norm
        mean += p[:, None] * effect
        possible |= norm > 0
    return square, absolute, np.maximum(square - (mean**2).sum(axis=1), 0.0), possible


def _by_cell(
    metric: Metric, typical: Items, codes: Integers, belief: Belief, jacobian: Jacobian
) -> Iterator[Parts]:
    """The parts of one run of items after the other, from the effect of each class on each cell.

    Args:
        metric: The metric.
        typical: One item per cell, K of them.
        codes: The cell of every item, (N,).
        belief: About every item.
        jacobian: Dg, (m, d).
    """
    listed = _class_losses(metric, typical, belief)
    effect = np.stack([effects(loss, jacobian) for loss in listed])  # (C, K, m)
    norm = _norm(effect)
    able = np.logical_or.reduce(norm > 0)
    for block in blocks(len(codes), ENTRIES // (4 * len(effect))):
        chance, code = belief.take(block).by_class, codes[block]
        size = norm.take(code, axis=1)
        weighted = chance * size
        absolute, square = weighted.sum(axis=0), np.einsum("cn,cn->n", weighted, size)
        yield square, absolute, np.maximum(square - _squared_mean(effect, chance, code), 0.0), able[code]


def _norm(effect: Floats) -> Floats:
    """‖d‖ along the last axis; of one component, which needs no squares, its size."""
    return np.abs(effect[..., 0]) if effect.shape[-1] == 1 else np.linalg.norm(effect, axis=-1)


def _expected(table: Floats, chance: Floats, code: Integers) -> Floats:
    """Σ_c π_c t_c of every item, (n,), with t by class and cell, (C, K)."""
    return np.einsum("cn,cn->n", chance, table.take(code, axis=1))


def _squared_mean(effect: Floats, chance: Floats, code: Integers) -> Floats:
    """‖E d‖² (n,) = Σ_{y,z} π_y π_z d_y·d_z, through C × C × K inner products, never n × m."""
    if effect.shape[2] == 1:
        return _expected(effect[..., 0], chance, code) ** 2
    inner = np.einsum("ykm,zkm->yzk", effect, effect)
    return sum(
        (p * _expected(of, chance, code) for p, of in zip(chance, inner, strict=True)), start=np.zeros(())
    )


def _risk_of_cells(
    metric: Metric, belief: Belief, codes: Integers, typical: Items, weight: Floats | None = None
) -> Floats:
    """R_a (d,) from the weighted belief summed over the items of each cell."""
    total = sum(
        np.bincount(codes, p if weight is None else p * weight, len(typical)) @ loss
        for p, loss in zip(belief.by_class, _class_losses(metric, typical, belief), strict=True)
    )
    return np.asarray(total) / len(codes)


def _celled(metric: Metric, belief: Belief) -> bool:
    """Whether items of the same code have the same loss for the same label."""
    return metric.cells is not None and belief.task.classified


def typical_items(metric: Metric, items: Items) -> tuple[Integers, Items]:
    """Codes of the items and one typical item per code."""
    assert metric.cells is not None
    codes = metric.cells(items)
    typical = np.zeros(int(codes.max(initial=-1)) + 1, np.intp)
    typical[codes] = np.arange(len(items))
    return codes, items.take(typical)


def _class_losses(metric: Metric, typical: Items, belief: Belief) -> Iterator[Floats]:
    """ℓ of the typical items, (K, d), were all of them of each class in turn."""
    for _, y in belief.take(slice(0, 1)).scenarios():
        yield metric.loss(typical, np.broadcast_to(y, len(typical)))


def _rows(metric: Metric, belief: Belief, jacobian: Jacobian) -> int:
    """How many items to take at once where none is like another."""
    width = belief.task.width if label_wise(metric, belief) else 1
    return int(ENTRIES // max(jacobian.shape[0] * width, jacobian.shape[1]))


def _any_label(belief: Belief) -> Encoded:
    """Some label, to see how wide a loss is."""
    kind, width = belief.task.kind, belief.task.width
    return np.zeros((1, width) if kind == "multilabel" else 1, float if kind == "regression" else np.int8)


def expected_squares(metric: Metric, items: Items, belief: Belief, jacobian: Jacobian) -> Floats:
    """E_π d² of each component of d = Dg·ℓ, (n, m).

    Args:
        metric: The metric.
        items: n items.
        belief: About the same items.
        jacobian: Dg, or some of its rows, (m, d).
    """
    if metric.by_label is not None and label_wise(metric, belief):
        return multilabel.squares(metric.by_label(items, dense(jacobian)), belief.mean)
    return sum(
        (
            p[:, None] * effects(metric.loss(items, y), jacobian) ** 2
            for p, y in scenarios(metric, items, belief)
        ),
        start=np.zeros(()),
    )


def pooled_squares(
    metric: Metric, items: Items, belief: Belief, weight: Floats, jacobian: Jacobian
) -> Floats:
    """Σ_n w_n E_π d_n² of each component of d = Dg·ℓ, (m,), from K losses where the metric has cells.

    Args:
        metric: The metric.
        items: N items.
        belief: About the same items.
        weight: w, (N,).
        jacobian: Dg, or some of its rows, (m, d).
    """
    total: Floats = np.zeros(jacobian.shape[0])
    if _celled(metric, belief):
        codes, typical = typical_items(metric, items)
        for p, loss in zip(belief.by_class, _class_losses(metric, typical, belief), strict=True):
            total = total + np.bincount(codes, weight * p, len(typical)) @ effects(loss, jacobian) ** 2
        return total
    for block in blocks(len(items), _rows(metric, belief, jacobian)):
        squares = expected_squares(metric, items.take(block), belief.take(block), jacobian)
        total = total + weight[block] @ squares
    return total


def unsettled(metric: Metric, items: Items, belief: Belief, labelled: Integers, risk: Floats) -> Flags:
    """Whether a label not known yet could still move each component at R, (m,).

    Args:
        metric: The metric.
        items: N items.
        belief: About the same items.
        labelled: Positions whose label is known.
        risk: R, (d,).
    """
    jacobian = finite(metric.gradient(risk))
    left = np.ones(len(items), bool)
    left[labelled] = False
    if _celled(metric, belief):
        codes, typical = typical_items(metric, items)
        rest = typical.take(np.flatnonzero(np.bincount(codes[left])))
        listed = _class_losses(metric, rest, belief)
        return np.logical_or.reduce([_moved(effects(loss, jacobian)) for loss in listed])
    rest, about = items.take(np.flatnonzero(left)), belief.take(np.flatnonzero(left))
    moved = np.zeros(jacobian.shape[0], bool)
    for block in blocks(len(rest), _rows(metric, belief, jacobian)):
        here, held = rest.take(block), about.take(block)
        if metric.by_label is not None and label_wise(metric, belief):
            each = metric.by_label(here, dense(jacobian))
            moved |= _moved((each[:, :, 1] - each[:, :, 0]).reshape(-1, each.shape[-1])) | _moved(
                each[:, :, 0].sum(axis=1)
            )
        else:
            for y in options(metric, here, held):
                moved |= _moved(effects(metric.loss(here, y), jacobian))
        if moved.all():
            break
    return moved


def _moved(effect: Floats) -> Flags:
    """Components that some row moves by more than rounding, (n, m) to (m,)."""
    return np.asarray(
        np.abs(effect).max(axis=0, initial=0.0) > ROUNDING * max(np.abs(effect).max(initial=0.0), 1.0)
    )
