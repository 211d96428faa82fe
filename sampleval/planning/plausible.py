"""Plausible truths: draws from the prior of how the scores of a binary pool may mislead, and their effect on a plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logit

from sampleval.designs import Profile
from sampleval.metrics import Metric
from sampleval.metrics.codes import paired
from sampleval.planning.widths import Expected
from sampleval.pool import Flags, Floats, Integers, Items, Pool
from sampleval.surrogates import Belief, Calibration, Evidence, expected_loss
from sampleval.surrogates.calibration.posterior import systematic_rows

DRAWS = 64
PIECES = 16  # number of groups that a cell of similar scores is cut into, so that sizes h vary little within a group
EDGE = 1e-12  # scores closer to 0 or 1 are moved to this distance


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Groups of items of similar scores and equal decisions, each with a typical item.

    Attributes:
        typical: Position of one item of each group, if possible of one that may be asked, (G,).
        items: The typical items.
        count: Number of items in each group, (G,).
        free: Number of items in each group that may be asked, (G,).
        cell: Calibration cell of each group, (G,).
    """

    typical: Integers
    items: Items
    count: Floats
    free: Floats
    cell: Integers

    def risk(self, metric: Metric, belief: Belief) -> Floats:
        """R of the whole pool under a belief about the groups, (d,)."""
        return np.asarray(self.count @ expected_loss(metric, self.items, belief) / self.count.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Plausible:
    """A pool in groups, and draws of the groups' rates of positives, (J, G), from the calibration curve's distribution.

    All rows are equally plausible.
    """

    groups: Groups
    rate: Floats

    def truths(self, metric: Metric) -> list[tuple[float, Expected]]:
        """The value of a scalar metric under each draw that defines it, with its deviations at the true R, group by group."""
        groups, found = self.groups, []
        for rate in self.rate:
            belief = Belief(groups.items.task, rate)
            risk = groups.risk(metric, belief)
            value = float(metric.value(risk)[0])
            if np.isfinite(value):
                expected = Expected.under(metric, groups.items, belief, risk, groups.typical, groups.free)
                found.append((value, expected))
        return found

    def profile(self, h: Floats) -> Profile:
        """The profile of sizes h, (G,), without expected squares; its `order` refers to groups."""
        groups = self.groups
        asked = np.where(groups.free > 0, h, 0.0)
        return Profile.of_groups(asked, np.zeros(len(h)), groups.free, int(groups.count.sum()))


def plausible(
    pool: Pool,
    *,
    eligible: Flags | None = None,
    evidence: Evidence | None = None,
    part: Integers | None = None,
) -> Plausible:
    """The groups of a binary pool, with draws of their rates from the calibration curve given any labels.

    Args:
        pool: Scored items of two classes.
        eligible: Items that may be asked, (N,); all by default.
        evidence: Labels that inform about other items too; none by default.
        part: Codes of the items by `Metric.part`, (N,), if the metric distinguishes any.
    """
    model = Calibration().model(pool)
    belief = model.posterior(Evidence.none(pool) if evidence is None else evidence)
    row = systematic_rows(belief.weight, DRAWS, 0.5)
    able = np.ones(pool.size, bool) if eligible is None else eligible
    groups = grouped(pool, model.cells.code, able, part)
    return Plausible(groups, belief.within[row][:, groups.cell])


def grouped(pool: Pool, cell: Integers, eligible: Flags, part: Integers | None = None) -> Groups:
    """The groups: each cell is cut into at most `PIECES` pieces of equal length in log-odds, without sorting, in O(N).

    One item stands for its group, so all must lie in the same part of the pool; other arguments as in `plausible`.
    """
    inside = np.clip(pool.score, EDGE, 1 - EDGE)
    odds = logit(inside)
    cells = int(cell.max()) + 1
    low, high = np.full(cells, np.inf), np.full(cells, -np.inf)
    np.minimum.at(low, cell, odds)
    np.maximum.at(high, cell, odds)
    place = (odds - low[cell]) * (PIECES / np.maximum(high - low, 1e-9))[cell]
    code = cell * PIECES + np.minimum(place.astype(np.intp), PIECES - 1)
    code = code if part is None else paired(part, code)
    count = np.bincount(code)
    free = np.bincount(code[eligible], minlength=len(count))
    typical = np.zeros(len(count), np.intp)
    typical[code] = np.arange(pool.size)
    typical[code[eligible]] = np.flatnonzero(eligible)
    used = np.flatnonzero(count)
    return Groups(
        typical[used],
        pool.items.take(typical[used]),
        count[used].astype(float),
        free[used].astype(float),
        cell[typical[used]],
    )
