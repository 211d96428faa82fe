"""Expected deviations hₙ: how much an item's unknown label can move the metric (Y eq 12, M eq 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sampleval.metrics.base import Encoded, Jacobian, Metric, blocks, dense, effects, finite
from sampleval.pool import Floats, Integers, Items
from sampleval.surrogates import multilabel
from sampleval.surrogates.belief import Belief

Truths = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Parts = tuple[Floats, Floats, Floats, Truths]  # square, absolute, variance, possible
ROUNDING = 1e-12  # effects this small are rounding
ENTRIES = 1 << 19  # numbers held at once where a metric needs a pass over the pool: they stay in the cache


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
    possible: Truths


def scenarios(metric: Metric, items: Items, belief: Belief) -> Iterator[tuple[Floats, Encoded]]:
    """Labels and their probabilities, enough of them to know the law of ℓ under the belief."""
    if metric.exceptions is not None and belief.task.kind == "multilabel":
        return belief.apart(metric.exceptions(items))
    return belief.scenarios()


def label_wise(metric: Metric, belief: Belief) -> bool:
    """Whether ℓ is a sum over independent labels, so that no label sets need listing."""
    return belief.task.kind == "multilabel" and metric.by_label is not None


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
    w = np.ones(len(items)) if weight is None else weight
    if _celled(metric, belief):
        return _risk_of_cells(metric, belief, *typical_items(metric, items), w)
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
        risk = _risk_of_cells(metric, belief, codes, typical, np.ones(len(items))) if risk is None else risk
        jacobian = finite(metric.gradient(risk))
        found = [
            _moments(metric, typical, belief.take(block), jacobian, codes[block])
            for block in blocks(len(items))
        ]
    else:
        risk = predicted_risk(metric, items, belief) if risk is None else risk
        found = list(_one_by_one(metric, items, belief, finite(metric.gradient(risk))))
    square, absolute, variance, possible = (np.concatenate(part) for part in zip(*found, strict=True))
    return Moments(risk, square, absolute, variance, possible)


def _one_by_one(metric: Metric, items: Items, belief: Belief, jacobian: Jacobian) -> Iterator[Parts]:
    """`_moments` of one run of items after the other, where none is like another."""
    width = belief.task.width if label_wise(metric, belief) else 1
    for block in blocks(len(items), ENTRIES // max(jacobian.shape[0] * width, jacobian.shape[1])):
        here, about = items.take(block), belief.take(block)
        if metric.by_label is not None and label_wise(metric, belief):
            yield multilabel.moments(metric.by_label(here, dense(jacobian)), about.mean)
        else:
            yield _moments(metric, here, about, jacobian, None)


def _moments(
    metric: Metric, items: Items, belief: Belief, jacobian: Jacobian, codes: Integers | None
) -> Parts:
    """(square, absolute, variance, possible) by listing scenarios.

    Args:
        metric: The metric.
        items: The items, or one typical item per cell.
        belief: About every item.
        jacobian: Dg, (m, d).
        codes: The cell of every item, `None` if `items` are the items themselves.
    """
    square, absolute, possible = np.zeros(len(belief)), np.zeros(len(belief)), np.zeros(len(belief), bool)
    listed: list[tuple[Floats, Floats]] = []
    for p, y in scenarios(metric, items, belief):
        effect = effects(metric.loss(items, y if codes is None else _label(y, len(items))), jacobian)
        norm = (
            np.abs(effect[:, 0]) if effect.shape[1] == 1 else np.sqrt(np.einsum("nm,nm->n", effect, effect))
        )
        at = norm if codes is None else norm[codes]
        square += p * at**2
        absolute += p * at
        possible |= at > 0
        listed.append((p, effect))
    return square, absolute, np.maximum(square - _squared_mean(listed, codes), 0.0), possible


def _squared_mean(listed: list[tuple[Floats, Floats]], codes: Integers | None) -> Floats:
    """‖E d‖² (N,) = Σ_{y,z} π_y π_z d_y·d_z, through K × C × C inner products, never N × m."""
    if listed[0][1].shape[1] == 1:
        mean = sum(p * (e[:, 0] if codes is None else e[codes, 0]) for p, e in listed)
        return np.asarray(mean) ** 2
    total = np.zeros(len(listed[0][0]))
    for i, (p, e) in enumerate(listed):
        for j, (q, f) in enumerate(listed[: i + 1]):
            inner = np.einsum("nm,nm->n", e, f)
            total += (1 if i == j else 2) * p * q * (inner if codes is None else inner[codes])
    return total


def _risk_of_cells(metric: Metric, belief: Belief, codes: Integers, typical: Items, weight: Floats) -> Floats:
    """R_a (d,) from the weighted belief summed over the items of each cell."""
    total = sum(
        np.bincount(codes, p * weight, len(typical)) @ metric.loss(typical, _label(y, len(typical)))
        for p, y in belief.scenarios()
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


def _label(y: Encoded, n: int) -> Encoded:
    """A label that is the same for all items, for n of them."""
    return np.broadcast_to(y[:1], (n, *y.shape[1:]))


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
        for p, y in belief.scenarios():
            effect = effects(metric.loss(typical, _label(y, len(typical))), jacobian)
            total = total + np.bincount(codes, weight * p, len(typical)) @ effect**2
        return total
    width = belief.task.width if label_wise(metric, belief) else 1
    for block in blocks(len(items), ENTRIES // max(jacobian.shape[0] * width, jacobian.shape[1])):
        squares = expected_squares(metric, items.take(block), belief.take(block), jacobian)
        total = total + weight[block] @ squares
    return total


def unsettled(metric: Metric, items: Items, belief: Belief, labelled: Integers, risk: Floats) -> Truths:
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
        rest, one = typical.take(np.flatnonzero(np.bincount(codes[left]))), belief.take(np.zeros(1, np.intp))
        listed = (metric.loss(rest, _label(y, len(rest))) for _, y in one.scenarios())
        return np.logical_or.reduce([_moved(effects(loss, jacobian)) for loss in listed])
    rest, about = items.take(np.flatnonzero(left)), belief.take(np.flatnonzero(left))
    moved = np.zeros(jacobian.shape[0], bool)
    width = belief.task.width if label_wise(metric, belief) else 1
    for block in blocks(len(rest), ENTRIES // max(jacobian.shape[0] * width, jacobian.shape[1])):
        here, held = rest.take(block), about.take(block)
        if metric.by_label is not None and label_wise(metric, belief):
            each = metric.by_label(here, dense(jacobian))
            moved |= _moved((each[:, :, 1] - each[:, :, 0]).reshape(-1, each.shape[-1])) | _moved(
                each[:, :, 0].sum(axis=1)
            )
        else:
            for y in held.candidates():
                moved |= _moved(effects(metric.loss(here, y), jacobian))
        if moved.all():
            break
    return moved


def _moved(effect: Floats) -> Truths:
    """Components that some row moves by more than rounding, (n, m) to (m,)."""
    return np.asarray(
        np.abs(effect).max(axis=0, initial=0.0) > ROUNDING * max(np.abs(effect).max(initial=0.0), 1.0)
    )
