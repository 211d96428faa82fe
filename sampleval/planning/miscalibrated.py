"""Miscalibrated scores, too timid or too sure of themselves, for the range of a plan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit, softmax

from sampleval.pool import Pool
from sampleval.surrogates import Belief, Fixed, Shrunk
from sampleval.surrogates.probabilities import claimed

# With less doubt, a predicted value of 1 is 1 after rounding, and its variance is not 0.
SMALLEST = 1e-12


@dataclass(frozen=True, slots=True)
class Miscalibrated(Shrunk):
    """π ∝ s^t over the classes of an item; of label sets for each label and its absence.

    Scores of 0 and 1 are taken as recalibration takes them, so that decisions without scores claim to be right nine times
    in ten.

    >>> import pandas as pd
    >>> pool = Pool.from_frame(pd.DataFrame({"score": [0.2, 0.5]}))
    >>> np.allclose(Miscalibrated(power=2.0).model(pool).belief.mean, [0.04 / (0.04 + 0.64), 0.5])
    True

    Attributes:
        power: t > 0; above 1 the scores are taken as too timid, below 1 as too sure of themselves.
    """

    power: float = 1.0

    def model(self, pool: Pool, *, stochastic: bool = False) -> Fixed:
        """The belief about every item; labels do not change it."""
        score = claimed(pool.task, pool.systems[0])
        if pool.task.kind == "multiclass":
            mean = softmax(self.power * np.log(score), axis=1)
        else:
            mean = expit(self.power * logit(score))
        return Fixed(Belief(pool.task, np.clip(mean, SMALLEST, 1 - SMALLEST)))
