"""What scores claim, where the decisions contradict it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sampleval.pool.task import System, Task
from sampleval.pool.thresholds import Threshold

MANY_TIMES = 10  # a class's summed scores and its predictions are reported if their ratio is above this


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


def at_odds(task: Task, system: System) -> Claim | None:
    """The claim of the scores of two classes that is farthest from the predictions; `None` if neither is far off."""
    if task.kind != "binary":
        return None
    items, positive = float(system.score.sum()), int(system.pred.sum(dtype=np.int64))
    size = len(system.pred)
    claims = Claim("positives", items, positive), Claim("negatives", size - items, size - positive)
    far = [claim for claim in claims if min(claim.items, claim.predicted) > 0 and claim.times > MANY_TIMES]
    return max(far, key=lambda claim: claim.times, default=None)


def contradicted(task: Task, system: System, reached: Threshold) -> int:
    """The number of decisions other than the scores suggest. Where scores tie, they suggest each of these classes.

    Args:
        task: Binary, multiclass or multilabel.
        system: The scores and the decisions.
        reached: The threshold, or one per label, in the precision of the scores.

    >>> score = np.array([[0.7, 0.3], [0.5, 0.5], [0.6, 0.4]])
    >>> contradicted(Task("multiclass", ("a", "b")), System("", score, np.array([0, 1, 1]), np.empty(0)), 0.5)
    1
    """
    if task.kind == "multiclass":
        own = system.score[np.arange(len(system.pred)), system.pred.astype(np.intp)]
        return int((own < system.score.max(axis=1)).sum())
    return int((system.pred != (system.score >= np.asarray(reached))).sum())
