"""The posterior predictive estimate: observed labels, and draws from the calibration curve for all other items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from sampleval.designs import CellSample, Problem
from sampleval.designs.targeted import cell_losses, model_of
from sampleval.estimators.model_error import Unlabelled
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.surrogates import Evidence, class_losses
from sampleval.surrogates.calibration import Posterior, ScoreCells
from sampleval.surrogates.calibration.posterior import Predicted

DRAWS = 600
ROUNDING = 1e-9  # of sums over a cell


@dataclass(frozen=True, slots=True)
class PosteriorPredictive:
    """The posterior predictive distribution of R: labelled items are fixed, a cell's other items follow its rate's posterior.

    The estimate is exact once every item is labelled. The labels of a cell are a random sample of it, so the estimate is
    consistent as cells fill up, whether or not the curve is right. Until then cells borrow strength from each other.
    Labels held beforehand are such a sample only if they were chosen by chance alone or by chance and scores. Otherwise
    each of them counts for its own item and does not inform the posterior.

    Several systems score the items of a cell differently. Its positives are sought more among those that the system scores
    high which the labels confirm: r_n = r + r (1 − r) β·(t_n − t̄), the slope of the curve at the cell. Spread evenly, they
    drew differences of AUC and Brier score towards 0.
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
        cells = model.cells
        left = cells.count - cells.tally(evidence.index).astype(np.intp)
        negative, positive = _of_others(metric, problem, evidence)
        base, some = problem.losses(metric, evidence).sum(axis=0) + negative.sum(axis=0), np.maximum(left, 1)
        each = (positive - negative) / some[:, None]
        apart = [_apart(metric, problem, evidence, each, k) for k in range(cells.apart.shape[1])]

        def risks(drawn: Predicted) -> Floats:
            share = drawn.totals / some
            within = (
                (share * (1 - share) * slope[:, None]) @ moved
                for slope, moved in zip(drawn.tilt.T, apart, strict=True)
            )
            return np.asarray((base + drawn.totals @ each + sum(within)) / problem.pool.size)

        belief = model.posterior(problem.sampled(evidence))
        plain, wary = predictive_draws(cells, belief, tuple(left.tolist()))
        return risks(plain), risks(wary)


@lru_cache(maxsize=4)
def predictive_draws(
    cells: ScoreCells, belief: Posterior, unlabelled: tuple[int, ...]
) -> tuple[Predicted, Predicted]:
    """Draws of the positives among each cell's unlabelled items: for the estimate, and for its limits.

    The same labels always give the same draws: an estimate must not change when it is looked at again.
    """
    left, rng = np.array(unlabelled, np.intp), np.random.default_rng(0)
    plain, wary = (belief.predicted(left, DRAWS, rng, weight) for weight in (belief.weight, belief.wary))
    return plain, replace(wary, totals=Unlabelled(cells, belief, left).allowing(wary.totals, rng))


def _of_others(
    metric: Metric, problem: Problem, evidence: Evidence, apart: int | None = None
) -> tuple[Floats, Floats]:
    """`cell_losses` of the items without a label, (K, d) each."""
    items, cells = problem.pool.items.take(evidence.index), model_of(problem).cells
    weight = 1.0 if apart is None else cells.apart[evidence.index, apart, None]
    negative, positive = cell_losses(problem, metric, apart)
    if_negative, if_positive = (
        cells.total(loss * weight, evidence.index) for loss in class_losses(metric, items)
    )
    return negative - if_negative, positive - if_positive


def _apart(metric: Metric, problem: Problem, evidence: Evidence, each: Floats, system: int) -> Floats:
    """Σ (t_n − t̄) Δℓ_n over each cell's unlabelled items, with Δℓ what it changes to be positive and Δℓ̄ its mean `each`, (K, d).

    It is 0 for metrics of decisions, which all items of a cell have in common.
    """
    apart = model_of(problem).cells.apart[evidence.index, system]
    negative, positive = _of_others(metric, problem, evidence, system)
    tilt = -model_of(problem).cells.tally(evidence.index, apart)  # since that of all items of a cell is 0
    found = positive - negative - tilt[:, None] * each
    return np.where(np.abs(found) > ROUNDING * np.abs(each), found, 0.0)
