"""Which labels can still matter: those that could change a metric, at the expected R or at another one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sampleval.metrics.base import Metric
from sampleval.metrics.jacobians import Jacobian, dense, effects, finite
from sampleval.pool import Flags, Floats, Integers, Items
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.expectations.losses import effect_blocks, one_of_each
from sampleval.surrogates.expectations.scenarios import class_effects, label_terms, options

ROUNDING = 1e-12  # effects up to this size are rounding errors
FEW = 100  # about so many items are tried first
ENOUGH = 1_000  # about so many items show which losses are possible


def unsettled(metric: Metric, items: Items, belief: Belief, labelled: Integers, risk: Floats) -> Flags:
    """Whether an unknown label could still change each component of the metric, linearised at R, (m,).

    Labels are known of the items at the positions `labelled`.
    """
    jacobian = finite(metric.gradient(risk))
    left = np.ones(len(items), bool)
    left[labelled] = False
    one = one_of_each(metric, items, np.flatnonzero(left))[0]
    moved = np.zeros(jacobian.shape[0], bool)
    able = np.asarray(abs(jacobian).sum(axis=1)).ravel() > 0
    # A few items move most components, so that all items need only be tried for the others.
    for some in (one[:: len(one) // FEW + 1], one):
        rest = np.flatnonzero(able & ~moved)
        for _, effect in _effects(metric, items.take(some), belief.take(some), jacobian[rest]):
            moved[rest] |= effect.max(axis=0, initial=0.0) > _noise(effect)
            if moved[rest].all():
                break
    return moved


def may_matter(metric: Metric, items: Items, belief: Belief, risk: Floats, known: Flags) -> Flags:
    """Whether some label of each item could change the metric, (N,).

    At the expected R, effects may cancel: while the belief expects no missed positives, those found do not change recall.
    They do at another R, half-way to the mean of all possible losses, which is therefore tried too. If no label changes the
    metric there either, the items that matter are those that decide whether it is defined. Items `known` to change it at R,
    (N,), are the same for all items of a cell.
    """
    if known.all():
        return known
    one, which = one_of_each(metric, items)
    found = known[one]
    rest, some = np.flatnonzero(~found), one[:: len(one) // ENOUGH + 1]
    asked, about = items.take(one[rest]), belief.take(one[rest])
    listed = [metric.loss(items.take(some), y) for y in options(metric, items.take(some), belief.take(some))]
    middle = (risk + np.mean(listed, axis=(0, 1))) / 2
    found[rest] = _able(metric, asked, about, finite(metric.gradient(middle)))
    if not found.any() and np.isfinite(metric.value(middle)).any():
        # For example F1 of decisions that are all negative: it is 0 if there is a positive and undefined otherwise.
        found[rest] = _able(metric, asked, about, np.eye(len(risk)))
    return found[which]


def _able(metric: Metric, items: Items, belief: Belief, jacobian: Jacobian) -> Flags:
    """Whether some label of each item changes some component, (n,)."""
    able = np.zeros(len(items), bool)
    for block, effect in _effects(metric, items, belief, jacobian):
        able[block] |= effect.max(axis=1) > _noise(effect)
    return able


def _effects(
    metric: Metric, items: Items, belief: Belief, jacobian: Jacobian
) -> Iterator[tuple[slice, Floats]]:
    """Absolute effects of labels on each component, (n, m) ≥ 0, for each block of items and each option of a label."""
    for block in effect_blocks(metric, items, jacobian):
        here = items.take(block)
        if terms := label_terms(metric, items.task):
            each = terms(here, dense(jacobian))
            yield block, np.abs(each[:, :, 1] - each[:, :, 0]).max(axis=1)
            yield block, np.abs(each[:, :, 0].sum(axis=1))
        elif items.task.classified:
            for effect in class_effects(metric, here, jacobian):
                yield block, np.abs(effect)
        else:
            for y in options(metric, here, belief.take(block)):
                yield block, np.abs(effects(metric.loss(here, y), jacobian))


def _noise(effect: Floats) -> float:
    """Largest effect that counts as rounding error."""
    return ROUNDING * max(float(effect.max(initial=0.0)), 1.0)
