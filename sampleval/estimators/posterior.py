"""The posterior predictive estimate: observed labels, and draws from the calibration curve for all other items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from sampleval.designs import CellSample, Problem
from sampleval.designs.targeted import cell_losses, model_of
from sampleval.estimators.model_error import allowing
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.surrogates import Evidence, class_losses
from sampleval.surrogates.calibration import Posterior, ScoreCells

DRAWS = 600


@dataclass(frozen=True, slots=True)
class PosteriorPredictive:
    """The posterior predictive distribution of R: labelled items are fixed, a cell's other items follow its rate's posterior.

    The estimate is exact once every item is labelled. The labels of a cell are a random sample of it, so the estimate is
    consistent as cells fill up, whether or not the curve is right. Until then cells borrow strength from each other.
    Labels held beforehand are such a sample only if they were chosen by chance alone or by chance and scores. Otherwise
    each of them counts for its own item and does not inform the posterior.
    """

    key: ClassVar[str] = "posterior"
    title: ClassVar[str] = "Posterior predictive"
    about: ClassVar[str] = (
        "Labelled items count with their labels, all others with what the calibration curve expects."
    )
    methods = "posterior draws of the calibration curve"
    accepts: ClassVar[tuple[type, ...]] = (CellSample,)

    def predict(self, metric: Metric, problem: Problem, evidence: Evidence) -> tuple[Floats, Floats]:
        """Posterior draws of R given these labels, and draws for limits that allow for model error, (J, d) each."""
        model = model_of(problem)
        left = model.cells.count - model.cells.tally(evidence.index).astype(np.intp)
        known, negative, positive = _sums(metric, problem, evidence)
        each = (positive - negative) / np.maximum(left, 1)[:, None]
        belief = model.posterior(problem.sampled(evidence))
        plain, wary = predictive_draws(model.cells, belief, tuple(left.tolist()))
        base = known + negative.sum(axis=0)
        return (base + plain @ each) / problem.pool.size, (base + wary @ each) / problem.pool.size


@lru_cache(maxsize=4)
def predictive_draws(
    cells: ScoreCells, belief: Posterior, unlabelled: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """Draws of the number of positives among each cell's unlabelled items, (J, K): for the estimate, and for its limits.

    The same labels always give the same draws: an estimate must not change when it is looked at again.
    """
    left, rng = np.array(unlabelled, np.intp), np.random.default_rng(0)
    plain, wary = (belief.totals(left, DRAWS, rng, weight) for weight in (belief.weight, belief.wary))
    return plain, allowing(cells, belief, left, wary, rng)


def _sums(metric: Metric, problem: Problem, evidence: Evidence) -> tuple[Floats, Floats, Floats]:
    """Sums of losses: of the labelled items, (d,), and of each cell's other items if all are negative or positive, (K, d)."""
    items, cells = problem.pool.items.take(evidence.index), model_of(problem).cells
    negative, positive = cell_losses(problem, metric)
    if_negative, if_positive = (cells.total(loss, evidence.index) for loss in class_losses(metric, items))
    return problem.losses(metric, evidence).sum(axis=0), negative - if_negative, positive - if_positive
