"""Plausible truths: ways in which the scores of a binary pool may mislead, and what each would mean for a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import logit

from sampleval.designs import Profile
from sampleval.metrics import Metric
from sampleval.pool import Flags, Floats, Integers, Items, Pool
from sampleval.surrogates import Belief, Calibration, Evidence, expected_effects, expected_loss, moments
from sampleval.surrogates.calibration.posterior import systematic_rows

DRAWS = 64
PIECES = 16  # groups that a cell of like scores is cut into, so that sizes h vary little within one
EDGE = 1e-12  # scores nearer to 0 or 1 are alike


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Items of like scores and decisions, each group with a typical one.

    Attributes:
        typical: Position of one item of each group, one that may be asked if any may, (G,).
        items: These items.
        count: Items in each group, (G,).
        free: How many of them may be asked, (G,).
        cell: Calibration cell that each group lies in, (G,).
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
class Truth:
    """One way the labels may turn out.

    Attributes:
        value: The metric's value then.
        square: E d² of the items of each group, d the deviation at the true mean loss, (G,).
        variance: Var d of the same, what is left of it for estimators that predict unlabelled items, (G,).
        mean: What computes E d of the same, (G, 1), for designs whose strata foretell it.
    """

    value: float
    square: Floats
    variance: Floats
    mean: Callable[[], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Plausible:
    """A pool in groups, and draws of each group's rate of positives from the prior of calibration curves.

    Attributes:
        groups: The pool.
        rate: Rates, (J, G), each row as plausible as the next.
    """

    groups: Groups
    rate: Floats

    def truths(self, metric: Metric) -> list[Truth]:
        """What each draw means for a scalar metric; draws that leave it undefined are left out."""
        items = self.groups.items
        found = []
        for rate in self.rate:
            belief = Belief(items.task, rate)
            risk = self.groups.risk(metric, belief)
            value = float(metric.value(risk)[0])
            if np.isfinite(value):
                at = moments(metric, items, belief, risk=risk)
                mean = partial(expected_effects, metric, items, belief, risk)
                found.append(Truth(value, at.square, at.variance, mean))
        return found

    def profile(self, h: Floats) -> Profile:
        """The profile of sizes h, (G,), without expected squares; its `order` is that of the groups."""
        groups = self.groups
        asked = np.where(groups.free > 0, h, 0.0)
        return Profile.of_groups(asked, np.zeros(len(h)), groups.free, int(groups.count.sum()))


def plausible(pool: Pool, *, eligible: Flags | None = None, said: Evidence | None = None) -> Plausible:
    """Cut a binary pool into groups and draw what the calibration prior thinks possible of them.

    Args:
        pool: Scored items of two classes.
        eligible: Items that may be asked, (N,); all by default.
        said: Labels that speak for other items too; none by default.
    """
    model = Calibration().model(pool)
    belief = model.posterior(Evidence.none() if said is None else said)
    row = systematic_rows(belief.weight, DRAWS, 0.5)
    able = np.ones(pool.size, bool) if eligible is None else eligible
    groups = grouped(pool, model.cells.code, able)
    return Plausible(groups, belief.within[row][:, groups.cell])


def grouped(pool: Pool, cell: Integers, eligible: Flags) -> Groups:
    """Cut each cell into at most `PIECES` parts of equal length on the log-odds scale; no sort, O(N).

    Args:
        pool: The items.
        cell: Cell of every item, (N,).
        eligible: Items that may be asked, (N,).
    """
    inside = np.clip(pool.score, EDGE, 1 - EDGE)
    odds = logit(inside)
    cells = int(cell.max()) + 1
    low, high = np.full(cells, np.inf), np.full(cells, -np.inf)
    np.minimum.at(low, cell, odds)
    np.maximum.at(high, cell, odds)
    place = (odds - low[cell]) * (PIECES / np.maximum(high - low, 1e-9))[cell]
    code = cell * PIECES + np.minimum(place.astype(np.intp), PIECES - 1)
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
        used // PIECES,
    )
