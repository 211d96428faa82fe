"""A generated pool whose true probabilities are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import erfinv, expit, logit

from sampleval.pool import Floats, Labels, Pool


@dataclass(frozen=True, slots=True, eq=False)
class Toy:
    """A generated pool with all labels and with the true p(y = 1) of every item, (N,)."""

    pool: Pool
    labels: Labels
    rate: Floats

    @property
    def truth(self) -> Floats:
        """The labels as numbers, (N,)."""
        return self.labels.of(np.arange(self.pool.size)).astype(float)

    @property
    def decided(self) -> Floats:
        """The model's decisions as numbers, (N,)."""
        return np.asarray(self.pool.pred, float)


def toy(
    *,
    size: int = 2000,
    prevalence: float = 0.1,
    sharp: float = 2.0,
    slope: float = 1.0,
) -> Toy:
    """A pool with normal log-odds and a model whose own log-odds have another slope.

    Args:
        size: Number of items N.
        prevalence: Expected share of positives.
        sharp: Spread of the true log-odds, which says how well the classes can be told apart.
        slope: Slope of the model's log-odds against the true ones; above 1 the model is overconfident.
    """
    rng = np.random.default_rng([0, 77])
    # Midpoints of the normal's quantiles in random order, so that pools of all settings are equally smooth.
    z = np.sqrt(2) * erfinv(2 * (rng.permutation(size) + 0.5) / size - 1)
    centre = brentq(lambda c: float(expit(c + sharp * z).mean()) - prevalence, -40, 40)
    rate = expit(centre + sharp * z)
    score = expit(logit(prevalence) + slope * (logit(rate) - logit(prevalence)))
    # Systematic sampling along the random order makes the number of positives right to within one.
    label = np.diff(np.floor(rng.random() + np.append(0.0, np.cumsum(rate)))).astype(int)
    threshold = float(np.quantile(score, 1 - prevalence))
    frame = pd.DataFrame({"id": [f"t{n}" for n in range(size)], "score": score, "label": label})
    pool = Pool.from_frame(frame, id="id", score="score", label="label", fields=[], threshold=threshold)
    return Toy(pool, Labels.from_frame(frame, pool, label="label"), rate)
