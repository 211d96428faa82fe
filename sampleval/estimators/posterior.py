"""The posterior predictive estimate: labels as they are, the rest as the calibration curve sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval.designs import CellSample, Problem
from sampleval.designs.allocation import SCEPTICAL
from sampleval.designs.targeted import cell_losses, model_of
from sampleval.estimators.inference import Run
from sampleval.metrics import Metric
from sampleval.pool import Floats
from sampleval.surrogates import Evidence

DRAWS = 600


@dataclass(frozen=True, slots=True)
class PosteriorPredictive:
    """Every labelled item counts as itself; each cell's other items follow its rate's posterior.

    Exact once all is labelled. Within a cell labels are a random sample, so that the estimate is
    consistent as cells fill up, whatever the curve; until then cells borrow strength from each other.
    """

    key: ClassVar[str] = "posterior"
    title: ClassVar[str] = "Posterior predictive"
    about: ClassVar[str] = "Labels as they are, and for the rest what the calibration curve expects of them."
    accepts: ClassVar[tuple[type, ...]] = (CellSample,)

    def predict(self, metric: Metric, run: Run) -> tuple[Floats, Floats]:
        """Draws of R given the run's labels, and draws that keep sceptical curves in mind, (J, d) each."""
        problem, model = run.problem, model_of(run.problem)
        said = run.said
        belief = model.posterior(said)
        left = model.cells.size - model.cells.count(said.index).astype(np.intp)
        known, negative, positive = _sums(metric, problem, said)
        # The same draws for the same labels: an estimate must not change when it is looked at again.
        rng = np.random.default_rng(0)
        each = (positive - negative) / np.maximum(left, 1)[:, None]
        risks = [
            (known + negative.sum(axis=0) + belief.totals(left, DRAWS, rng, weight) @ each)
            / problem.pool.size
            for weight in (belief.weight, belief.sceptical(SCEPTICAL))
        ]
        return risks[0], risks[1]


def _sums(metric: Metric, problem: Problem, said: Evidence) -> tuple[Floats, Floats, Floats]:
    """Loss of the labelled items, (d,), and of each cell's other items if negative and if positive, (K, d)."""
    items, cells = problem.pool.items.take(said.index), model_of(problem).cells
    negative, positive = cell_losses(problem, metric)
    at = [metric.loss(items, np.full(len(items), y)) for y in (0, 1)]
    known = metric.loss(items, said.labels).sum(axis=0)
    return known, negative - cells.total(at[0], said.index), positive - cells.total(at[1], said.index)
