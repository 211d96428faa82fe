"""What scores claim, and where the decisions or the labels contradict it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from sampleval.pool.task import Flags, Floats, System, Task, of_class
from sampleval.pool.thresholds import Threshold

MANY_TIMES = 10  # a class's summed scores and its predictions are reported if their ratio is above this
REVERSED = 0.4  # share of pairs in order, below which scores seem to be those of the other class
SURE = 3  # standard deviations by which the share must be below that of chance


@dataclass(frozen=True, slots=True)
class Claim:
    """How many items of one of two classes the scores claim, and how many are predicted.

    Attributes:
        of: "positives" or "negatives".
        items: The sum of the class's scores.
        predicted: The number of items predicted to be of the class.
    """

    of: Literal["positives", "negatives"]
    items: float
    predicted: int

    @property
    def more(self) -> bool:
        """Whether the scores claim more than are predicted."""
        return self.items > self.predicted

    @property
    def times(self) -> float:
        """The ratio of the larger number to the smaller one."""
        return max(self.items, self.predicted) / min(self.items, self.predicted)

    @property
    def high(self) -> bool:
        """Whether a high threshold would explain the difference, rather than a low one."""
        return self.more == (self.of == "positives")


@dataclass(frozen=True, slots=True)
class Order:
    """How scores rank known labels of two classes.

    Attributes:
        share: The share of pairs of a positive and a negative in which the positive has the higher score; ties count ½.
        spread: The standard deviation of this share if scores say nothing.
    """

    share: float
    spread: float

    @property
    def reversed(self) -> bool:
        """Whether negatives have the higher scores, far more often than by chance."""
        return self.share < min(REVERSED, 0.5 - SURE * self.spread)


def ranked(score: Floats, positive: Flags) -> Order | None:
    """How scores rank labels; `None` if only one class is known.

    Args:
        score: (n,).
        positive: Which of these labels are positive, (n,).

    >>> ranked(np.array([0.1, 0.4, 0.4]), np.array([False, False, True])).share
    0.75
    """
    ones, zeros = int(positive.sum()), int((~positive).sum())
    if not (ones and zeros):
        return None
    above = float(pd.Series(score).rank()[positive].sum()) - ones * (ones + 1) / 2  # of Mann and Whitney
    return Order(above / (ones * zeros), math.sqrt((ones + zeros + 1) / (12 * ones * zeros)))


def at_odds(task: Task, system: System) -> Claim | None:
    """The claim of the scores of two classes that is farthest from the predictions; `None` if neither is far off."""
    if task.kind != "binary":
        return None
    items, positive = float(system.score.sum()), int(system.pred.sum(dtype=np.int64))
    size = len(system.pred)
    claims = Claim("positives", items, positive), Claim("negatives", size - items, size - positive)
    far = [claim for claim in claims if min(claim.items, claim.predicted) > 0 and claim.times > MANY_TIMES]
    return max(far, key=lambda claim: claim.times, default=None)


def turned(system: System, reached: Threshold) -> bool:
    """Whether decisions on two classes seem to be the wrong way round: the higher the scores, the fewer are positive.

    Most items predicted positive are then below the threshold. That is not so where scores say how sure a decision is,
    although these may also be higher for negative decisions.

    >>> score = np.linspace(0, 1, 40)
    >>> turned(System("", score, (score < 0.9).astype(int), np.empty(0)), 0.5)
    True
    >>> turned(System("", score, (score >= 0.9).astype(int), np.empty(0)), 0.5)
    False
    """
    positive = system.pred == 1
    order = ranked(system.score, positive)
    short = system.score[positive] < np.asarray(reached)
    return order is not None and order.reversed and bool(short.mean() > 0.5)


def contradicted(task: Task, system: System, reached: Threshold) -> int:
    """The number of decisions other than the scores suggest. Where scores tie, they suggest each of these classes.

    `reached` is the threshold, or one per label, in the precision of the scores.

    >>> score = np.array([[0.7, 0.3], [0.5, 0.5], [0.6, 0.4]])
    >>> contradicted(Task("multiclass", ("a", "b")), System("", score, np.array([0, 1, 1]), np.empty(0)), 0.5)
    1
    """
    if task.kind == "multiclass":
        return int((of_class(system.score, system.pred) < system.score.max(axis=1)).sum())
    return int((system.pred != (system.score >= np.asarray(reached))).sum())
