"""Draws for limits that allow for model error: what posterior draws of a calibration curve would rule out too readily."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.pool import Floats, Integers
from sampleval.surrogates.calibration import Posterior, ScoreCells

# In this share of the draws that set limits, positives may exist in a region where no label found any: at most as many as
# are found or expected elsewhere.
HIDING = 0.2
# In this share of the draws, none of which is one of the above, decisions that no label contradicts are right for all
# items. A smooth curve is never that sharp at the decision boundary: without these draws, the limits covered the truth in
# only .12 of the studies of a perfect matcher.
FLAWLESS = 0.1
# In this share of the draws, none of which is one of the above, the rates of tied cells follow from their own labels alone.
# Where scores take few values, no curve runs smoothly from one to the next: limits for F1 and precision held in .86 of the
# studies of such pools.
ALONE = 0.35


@dataclass(frozen=True, slots=True, eq=False)
class Unlabelled:
    """The unlabelled items of each cell, and what is believed of them.

    In its methods, `totals` are draws of how many of them are positive, (J, K).

    Attributes:
        cells: The cells.
        belief: The posterior of their rates.
        left: How many items of each are unlabelled, (K,).
    """

    cells: ScoreCells
    belief: Posterior
    left: Integers

    @property
    def others(self) -> Floats:
        """Number of negatives that labels found in each cell, (K,)."""
        return self.belief.labelled - self.belief.found

    def allowing(self, totals: Floats, rng: np.random.Generator) -> Floats:
        """The draws, (J, K), some of them changed by `hidden`, others by `by_themselves` or by `borne_out`."""
        order = rng.permutation(len(totals))
        hiding, alone, flawless = (round(share * len(totals)) for share in (HIDING, ALONE, FLAWLESS))
        totals = self.hidden(totals, order[:hiding], rng)
        totals = self.by_themselves(totals, order[hiding : hiding + alone], rng)
        return self.borne_out(totals, order[len(totals) - flawless :])

    def by_themselves(self, totals: Floats, chosen: Integers, rng: np.random.Generator) -> Floats:
        """The draws, (J, K), with the rates of labelled tied cells in the chosen draws from these labels under a Jeffreys prior.

        The labels of a cell are a random sample of its items, whatever the curve says.
        """
        at, totals = self.cells.tied & (self.belief.labelled > 0), totals.copy()
        rate = rng.beta(self.belief.found[at] + 0.5, self.others[at] + 0.5, (len(chosen), at.sum()))
        totals[np.ix_(chosen, at)] = rng.binomial(self.left[at], rate)
        return totals

    def borne_out(self, totals: Floats, chosen: Integers) -> Floats:
        """The draws, (J, K), with all decisions right in the chosen draws, provided that no label contradicts them.

        Positive and negative decisions are treated separately. Items on which systems disagree belong to neither.
        """
        totals, votes, found = totals.copy(), self.cells.votes, self.belief.found
        for side, wrong, right in ((votes == 1, self.others, self.left), (votes == 0, found, 0 * self.left)):
            if self.belief.labelled[side].any() and not wrong[side].any():
                totals[np.ix_(chosen, side)] = right[side]
        return totals

    def hidden(self, totals: Floats, chosen: Integers, rng: np.random.Generator) -> Floats:
        """The draws, (J, K), with the chosen draws made pessimistic in regions where all labels are of one class.

        Among predicted negatives that score below the lowest-scored positive found, the rate of positives is drawn from the
        posterior under a Jeffreys prior, which ignores the scores. The same holds of the negatives among predicted positives
        that score above the highest-scored negative found.
        """
        cells, belief, left = self.cells, self.belief, self.left
        found, others = belief.found, self.others
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
            most = max(seen[~region].sum(), 1.0) / room * rng.random(len(chosen))
            rate = np.minimum(rng.beta(0.5, belief.labelled[region].sum() + 0.5, len(chosen)), most)
            # It is also unknown which of several systems misses these items. Without this random tilt, differences between
            # systems would seem as certain as sums.
            leaning = rng.standard_normal((len(chosen), cells.tilt.shape[1])) @ cells.tilt[region].T
            count = parted(
                rng.binomial(room, np.clip(rate, 0, 1)), np.exp(leaning) * left[region], left[region]
            )
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
