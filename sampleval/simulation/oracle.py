"""Oracles, which answer in a simulation: by known labels, or by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval import _checks
from sampleval.metrics import Encoded, Metric, mean_loss
from sampleval.pool import Floats, Integers, Labels, Pool, all_of
from sampleval.pool.fingerprint import digest
from sampleval.pool.rows import classes_reordered, rows_reordered
from sampleval.surrogates import Belief, predicted_risk


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """An oracle that always gives an item its known label."""

    labels: Labels
    stochastic: ClassVar[bool] = False

    @property
    def fingerprint(self) -> str:
        """A text that changes with any label."""
        return digest(self.labels.values)

    def answer(self, index: Integers, rng: np.random.Generator) -> Encoded:
        """The labels of these items, (k,) or (k, C)."""
        return self.labels.values[index]

    def risk(self, metric: Metric, pool: Pool) -> Floats:
        """The mean loss R over the pool's labels, (d,)."""
        return mean_loss(metric, pool.items, self.labels.values)


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """An oracle that draws an item's label anew from p(y|x), the belief about every item, each time it is asked."""

    belief: Belief
    stochastic: ClassVar[bool] = True

    @property
    def fingerprint(self) -> str:
        """A text that changes with any probability."""
        return digest(self.belief.mean)

    def answer(self, index: Integers, rng: np.random.Generator) -> Encoded:
        """One label per asked item, (k,) or (k, C)."""
        p = self.belief.mean[index]
        if self.belief.task.kind == "multiclass":
            below = p.cumsum(axis=1) < rng.random(len(index))[:, None] * p.sum(axis=1)[:, None]
            return np.minimum(below.sum(axis=1), p.shape[1] - 1).astype(np.intp)
        return (rng.random(p.shape) < p).astype(np.int8)

    def risk(self, metric: Metric, pool: Pool) -> Floats:
        """The mean of the expected losses, (1/N) Σ E ℓ, (d,), to which the mean over ever more answers tends."""
        return predicted_risk(metric, pool.items, self.belief)


Oracle = Known | Chance


def oracle_of(pool: Pool, labels: Labels | None, probability: Floats | None = None) -> Oracle:
    """The oracle that these arguments of `simulate` describe; p(y = 1|x), (N,), or by class, (N, C), makes it stochastic.

    Raises:
        InputError: The labels are another pool's or incomplete, or a number is no probability.
    """
    if probability is not None:
        return Chance(Belief(pool.task, _probabilities(pool, probability)))
    if labels is None:
        raise _checks.InputError("`labels` must be given unless `probability` is; pass the known labels")
    return Known(all_of(labels, pool))


def _probabilities(pool: Pool, probability: Floats) -> Floats:
    task, size = pool.task, pool.size
    try:
        p = np.asarray(probability, float)
    except (TypeError, ValueError, OverflowError):
        _checks.fail("probability", "must hold numbers", probability)
    if task.kind == "regression":
        raise _checks.InputError("`probability` has no meaning for numbers; pass known labels")
    expected = (size,) if task.kind == "binary" else (size, task.width)
    if p.shape != expected:
        _checks.fail("probability", f"must have the shape {expected}", p.shape)
    if rows_reordered(probability, pool):
        rule = "must have its rows in the order of the pool; its index has another"
        remedy = "undo the sorting, or if they are in the right order pass its to_numpy()"
        _checks.fail("probability", rule, remedy=remedy)
    if classes_reordered(probability, pool):
        rule = f"must have its columns in the order of the classes, {_checks.listed(task.classes, 5)}"
        remedy = "order them, or if only the names are wrong pass its to_numpy()"
        _checks.fail("probability", rule, remedy=remedy)
    inside = ((p >= 0) & (p <= 1)).reshape(size, -1)
    _checks.sound(np.asarray(inside.all(axis=1)), "probability", "must lie in [0, 1]", p)
    return p
