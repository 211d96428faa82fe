"""The posterior predictive estimate: observed labels, and draws from the calibration curve for all other items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from sampleval.designs import CellSample, Problem
from sampleval.designs.targeted import cell_losses, model_of
from sampleval.metrics import Metric
from sampleval.pool import Floats, Integers
from sampleval.surrogates import Evidence, class_losses
from sampleval.surrogates.calibration import Posterior, ScoreCells

DRAWS = 600
# In this share of the draws that set limits, positives may exist in a region where no label found any: at most AS_MANY
# times as many as are found or expected elsewhere.
HIDING = 0.2
AS_MANY = 1.0
# In this share of the draws, none of which is one of the above, decisions that no label contradicts are right for all
# items. A smooth curve is never that sharp at the decision boundary: without these draws, the limits covered the truth in
# only .12 of the studies of a perfect matcher.
FLAWLESS = 0.1
# In this share of the draws, none of which is one of the above, the rates of tied cells follow from their own labels alone.
# Where scores take few values, no curve runs smoothly from one to the next: limits for F1 and precision held in .86 of the
# studies of such pools.
ALONE = 0.35


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

    def predict(self, metric: Metric, problem: Problem, said: Evidence) -> tuple[Floats, Floats]:
        """Posterior draws of R given these labels, and draws for limits that allow for model error, (J, d) each."""
        model = model_of(problem)
        left = model.cells.count - model.cells.tally(said.index).astype(np.intp)
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
    """Draws of the number of positives among each cell's unlabelled items, (J, K): for the estimate, and for its limits.

    The same labels always give the same draws: an estimate must not change when it is looked at again.
    """
    left, rng = np.array(unlabelled, np.intp), np.random.default_rng(0)
    plain, wary = (belief.totals(left, DRAWS, rng, weight) for weight in (belief.weight, belief.wary))
    order = rng.permutation(DRAWS)
    hiding, alone, flawless = (round(share * DRAWS) for share in (HIDING, ALONE, FLAWLESS))
    wary = hidden(cells, belief, left, wary, order[:hiding], rng)
    wary = by_themselves(cells, belief, left, wary, order[hiding : hiding + alone], rng)
    return plain, borne_out(cells, belief, left, wary, order[DRAWS - flawless :])


def by_themselves(
    cells: ScoreCells,
    belief: Posterior,
    left: Integers,
    totals: Floats,
    chosen: Integers,
    rng: np.random.Generator,
) -> Floats:
    """The draws, (J, K), with the rates of labelled tied cells in the chosen draws from these labels under a Jeffreys prior.

    The labels of a cell are a random sample of its items, whatever the curve says.
    """
    at, totals = cells.tied & (belief.labelled > 0), totals.copy()
    found, others = belief.found[at], (belief.labelled - belief.found)[at]
    rate = rng.beta(found + 0.5, others + 0.5, (len(chosen), at.sum()))
    totals[np.ix_(chosen, at)] = rng.binomial(left[at], rate)
    return totals


def borne_out(
    cells: ScoreCells, belief: Posterior, left: Integers, totals: Floats, chosen: Integers
) -> Floats:
    """The draws, (J, K), with all decisions right in the chosen draws, provided that no label contradicts them.

    Positive and negative decisions are treated separately. Items on which systems disagree belong to neither.
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
    """The draws, (J, K), with the chosen draws made pessimistic in regions where all labels are of one class.

    Among predicted negatives that score below the lowest-scored positive found, the rate of positives is drawn from the
    posterior under a Jeffreys prior, which ignores the scores. The same holds of the negatives among predicted positives
    that score above the highest-scored negative found.
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
        # It is also unknown which of several systems misses these items. Without this random tilt, differences between
        # systems would seem as certain as sums.
        leaning = rng.standard_normal((len(chosen), cells.tilt.shape[1])) @ cells.tilt[region].T
        count = parted(rng.binomial(room, np.clip(rate, 0, 1)), np.exp(leaning) * left[region], left[region])
        totals[np.ix_(chosen, region)] = left[region] - count if flip else count
    return totals


def parted(total: Integers, weight: Floats, room: Integers) -> Floats:
    """Totals, (n,), shared out in proportion to weights, (n, K), up to each place's capacity `room`, (K,).

    What exceeds a capacity goes to the other places in proportion to the capacity that they have left.

    >>> parted(np.array([6]), np.array([[1.0, 1.0, 1.0]]), np.array([1, 4, 6])).tolist()
    [[1.0, 2.333..., 2.666...]]
    """
    count = np.minimum(total[:, None] * weight / weight.sum(axis=1, keepdims=True), room)
    left = room - count
    over = (total - count.sum(axis=1)) / np.maximum(left.sum(axis=1), 1e-9)
    return np.asarray(count + over[:, None] * left)


def _sums(metric: Metric, problem: Problem, said: Evidence) -> tuple[Floats, Floats, Floats]:
    """Sums of losses: of the labelled items, (d,), and of each cell's other items if all are negative or positive, (K, d)."""
    items, cells = problem.pool.items.take(said.index), model_of(problem).cells
    negative, positive = cell_losses(problem, metric)
    if_negative, if_positive = (cells.total(loss, said.index) for loss in class_losses(metric, items))
    return metric.loss(items, said.labels).sum(axis=0), negative - if_negative, positive - if_positive
