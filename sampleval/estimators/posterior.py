"""The posterior predictive estimate: labels as they are, the rest as the calibration curve sees them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from sampleval.designs import CellSample, Problem
from sampleval.designs.targeted import cell_losses, model_of
from sampleval.metrics import Metric
from sampleval.pool import Floats, Integers
from sampleval.surrogates import Evidence
from sampleval.surrogates.calibration import Posterior, ScoreCells

DRAWS = 600
# In this share of the draws that set limits, positives may hide where none was ever seen: at most AS_MANY times as
# many as are in sight.
HIDING = 0.2
AS_MANY = 1.0
# Share of other draws, in which decisions that no label contradicts are right for all items. No curve through their
# boundary is that sharp. Limits that ended short of what all labels agree with held in .12 of a perfect matcher's studies.
FLAWLESS = 0.1


@dataclass(frozen=True, slots=True)
class PosteriorPredictive:
    """Every labelled item counts as itself; each cell's other items follow its rate's posterior.

    Exact once all is labelled. Within a cell labels are a random sample, so the estimate is consistent as cells fill
    up, whatever the curve; until then cells borrow strength from each other. Labels held beforehand are such a sample
    only if chance, or chance and scores, chose them. Otherwise they count as themselves and teach nothing of the
    rest.
    """

    key: ClassVar[str] = "posterior"
    title: ClassVar[str] = "Posterior predictive"
    about: ClassVar[str] = "Labels as they are, and for the rest what the calibration curve expects of them."
    methods: ClassVar[str] = "posterior draws of the calibration curve"
    accepts: ClassVar[tuple[type, ...]] = (CellSample,)

    def predict(self, metric: Metric, problem: Problem, said: Evidence) -> tuple[Floats, Floats]:
        """Draws of R given these labels, and draws that keep sceptics and hidden positives in mind, (J, d)."""
        model = model_of(problem)
        left = model.cells.size - model.cells.count(said.index).astype(np.intp)
        known, negative, positive = _sums(metric, problem, said)
        each = (positive - negative) / np.maximum(left, 1)[:, None]
        belief = model.posterior(problem.sampled(said))
        plain, wary = predictive_draws(model.cells, belief, tuple(left.tolist()))
        base = known + negative.sum(axis=0)
        return (base + plain @ each) / problem.pool.size, (base + wary @ each) / problem.pool.size


@lru_cache(maxsize=4)
def predictive_draws(
    cells: ScoreCells, belief: Posterior, unlabelled: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """Positives among the unlabelled of each cell, as believed and as feared, (J, K) each.

    The same draws for the same labels: an estimate must not change when it is looked at again.
    """
    left, rng = np.array(unlabelled, np.intp), np.random.default_rng(0)
    plain, wary = belief.totals(left, DRAWS, rng), belief.totals(left, DRAWS, rng, belief.wary)
    order = rng.permutation(DRAWS)
    doubted = hidden(cells, belief, left, wary, order[: round(HIDING * DRAWS)], rng)
    return plain, borne_out(cells, belief, left, doubted, order[DRAWS - round(FLAWLESS * DRAWS) :])


def borne_out(
    cells: ScoreCells, belief: Posterior, left: Integers, totals: Floats, chosen: Integers
) -> Floats:
    """The draws, (J, K), where in the chosen ones all decisions are right that the labels bear out without exception.

    Positive and negative decisions are looked at separately; items on which systems disagree belong to neither.
    """
    totals, others = totals.copy(), belief.labelled - belief.found
    for side, wrong, right in ((cells.votes == 1, others, left), (cells.votes == 0, belief.found, 0 * left)):
        if belief.labelled[side].any() and not wrong[side].any():
            totals[np.ix_(chosen, side)] = right[side]
    return totals


def hidden(
    cells: ScoreCells,
    belief: Posterior,
    left: Integers,
    totals: Floats,
    chosen: Integers,
    rng: np.random.Generator,
) -> Floats:
    """The draws, (J, K), with the chosen ones made pessimistic where only one kind of label was ever seen.

    Below the lowest-scored positive found, positives hide at a Jeffreys rate whatever the scores say. Above the
    highest-scored negative, negatives do.
    """
    found, others = belief.found, belief.labelled - belief.found
    odds, totals = cells.log_odds, totals.copy()
    lowest = odds[found > 0].min() if found.any() else np.inf
    highest = odds[others > 0].max() if others.any() else -np.inf
    expected = belief.mean * left
    for region, seen, flip in (
        ((cells.votes <= 0.5) & (odds < lowest), found + expected, False),
        ((cells.votes > 0.5) & (odds > highest), others + left - expected, True),
    ):
        room = left[region].sum()
        if not room:
            continue
        most = AS_MANY * max(seen[~region].sum(), 1.0) / room * rng.random(len(chosen))
        rate = np.minimum(rng.beta(0.5, belief.labelled[region].sum() + 0.5, len(chosen)), most)
        # Which of several systems they hide from is unknown too: else differences would seem as sure as sums.
        leaning = rng.standard_normal((len(chosen), cells.tilt.shape[1])) @ cells.tilt[region].T
        count = parted(rng.binomial(room, np.clip(rate, 0, 1)), np.exp(leaning) * left[region], left[region])
        totals[np.ix_(chosen, region)] = left[region] - count if flip else count
    return totals


def parted(total: Integers, weight: Floats, room: Integers) -> Floats:
    """Totals, (n,), divided by weights, (n, K), up to the room that each place has; the rest goes elsewhere.

    >>> parted(np.array([6]), np.array([[1.0, 1.0, 1.0]]), np.array([1, 4, 6])).tolist()
    [[1.0, 2.333..., 2.666...]]
    """
    count = np.minimum(total[:, None] * weight / weight.sum(axis=1, keepdims=True), room)
    left = room - count
    over = (total - count.sum(axis=1)) / np.maximum(left.sum(axis=1), 1e-9)
    return np.asarray(count + over[:, None] * left)


def _sums(metric: Metric, problem: Problem, said: Evidence) -> tuple[Floats, Floats, Floats]:
    """Loss of the labelled items, (d,), and of each cell's other items if negative and if positive, (K, d)."""
    items, cells = problem.pool.items.take(said.index), model_of(problem).cells
    negative, positive = cell_losses(problem, metric)
    at = [metric.loss(items, np.full(len(items), y)) for y in (0, 1)]
    known = metric.loss(items, said.labels).sum(axis=0)
    return known, negative - cells.total(at[0], said.index), positive - cells.total(at[1], said.index)
