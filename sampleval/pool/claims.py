"""What scores claim of two classes, where the decisions contradict it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sampleval.pool.task import System, Task

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
