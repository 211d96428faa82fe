"""Scores that are too timid or too sure of themselves, for the range of a plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, log_softmax, logit

from sampleval.pool import Floats, Items
from sampleval.surrogates import Shrunk

SMALLEST = 1e-12  # a score of 0 or 1 has no logarithm


@dataclass(frozen=True, slots=True)
class Bent(Shrunk):
    """π ∝ s^t over the classes of an item; of label sets for each label and its absence.

    >>> import pandas as pd
    >>> from sampleval.pool import Pool
    >>> pool = Pool.from_frame(pd.DataFrame({"score": [0.2, 0.5]}))
    >>> np.allclose(Bent(power=2.0).model(pool).belief.mean, [0.04 / (0.04 + 0.64), 0.5])
    True

    Attributes:
        power: t > 0; above 1 the scores are taken as too timid, below 1 as too sure of themselves.
    """

    power: float = 1.0

    def _scores(self, items: Items) -> Floats:
        score = np.clip(items.score, SMALLEST, 1 - SMALLEST)
        if items.task.kind == "multiclass":
            return np.asarray(np.exp(log_softmax(self.power * np.log(score), axis=1)))
        return np.asarray(expit(self.power * logit(score)))
