"""What the calibration curve tells of a problem, cell by cell: losses, effects on the metric, and predictions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from sampleval.designs.problem import Problem
from sampleval.metrics import Metric, effects, finite
from sampleval.pool import Floats, Integers, Items
from sampleval.surrogates import Belief, Evidence, class_losses, expected_loss, typical_items
from sampleval.surrogates.calibration import CalibrationModel, Posterior


def model_of(problem: Problem) -> CalibrationModel:
    """The problem's calibration curve: no method is made of this design and another surrogate."""
    assert isinstance(problem.model, CalibrationModel)
    return problem.model


@dataclass(frozen=True, slots=True, eq=False)
class Curved:
    """The foresight of a calibration curve: the share of positives expected in each cell of a problem's pool, (K,)."""

    problem: Problem
    rate: Floats

    def of(self, metric: Metric, items: Items, index: Integers) -> Floats:
        """E_π ℓ of the items at these positions, (n, d)."""
        rate = self.rate[model_of(self.problem).cells.code[index]]
        return expected_loss(metric, items.take(index), Belief(items.task, rate))

    def total(self, metric: Metric, items: Items) -> Floats:
        """Σ_n E_π ℓ over all items, (d,)."""
        return expected_total(self.problem, metric, self.rate)


def foresight(problem: Problem, evidence: Evidence) -> Curved:
    """The predictions of the calibration curve for all items, given these labels."""
    return Curved(problem, model_of(problem).posterior(problem.sampled(evidence)).median)


def cell_losses(problem: Problem, metric: Metric, apart: int | None = None) -> tuple[Floats, Floats]:
    """Sums of losses over each cell if all its items are negative, (K, d), and if all are positive, (K, d).

    With `apart`, each item counts in proportion to how far this system's view of it lies from its cell's, which may be below 0.
    """

    def make() -> tuple[Floats, Floats]:
        if metric.terms:  # the two of a difference have few codes each, but most pairs of their codes occur
            first, second = (cell_losses(problem, term, apart) for term in metric.terms)
            return np.hstack([first[0], second[0]]), np.hstack([first[1], second[1]])
        items, cells = problem.pool.items, model_of(problem).cells
        weight = None if apart is None else cells.apart[:, apart]
        if metric.cells is None:
            losses = class_losses(metric, items)
            negative, positive = (
                cells.total(loss if weight is None else loss * weight[:, None]) for loss in losses
            )
            return negative, positive
        codes, typical = typical_items(metric, items)
        weights = pair_weights(cells.code, codes, weight, (len(cells), len(typical)))
        negative, positive = (weights @ loss for loss in class_losses(metric, typical))
        return negative, positive

    return problem.once((metric, "cells", apart), make)


def pair_weights(rows: Integers, columns: Integers, weight: Floats | None, shape: tuple[int, int]) -> Any:
    """Sum of the weights, or number, of each pair of row and column, in this shape; sparse if it has more entries than pairs.

    That is so for a difference of areas under curves, where nearly every item is unlike all others.
    """
    if math.prod(shape) > len(rows):
        weight = np.ones(len(rows)) if weight is None else weight
        return sparse.coo_array((weight, (rows, columns)), shape=shape).tocsr()
    return np.bincount(rows * shape[1] + columns, weight, math.prod(shape)).reshape(shape)


def expected_total(problem: Problem, metric: Metric, rate: Floats) -> Floats:
    """Sum of the expected losses of all items, (d,), given each cell's rate of positives, (K,)."""
    negative, positive = cell_losses(problem, metric)
    return np.asarray(negative.sum(axis=0) + rate @ (positive - negative))


def effect(problem: Problem, metric: Metric, belief: Posterior) -> Floats:
    """Change of each component of the metric per additional positive in each cell, (m, K), at the expected rates."""
    negative, positive = cell_losses(problem, metric)
    count = model_of(problem).cells.count
    risk = expected_total(problem, metric, belief.mean) / count.sum()
    moved = effects((positive - negative) / count[:, None], finite(metric.gradient(risk)))
    return moved.T / count.sum()
