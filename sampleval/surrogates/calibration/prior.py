"""What is thought of a system's scores before any label: how far, and in which ways, they may mislead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.pool import Floats
from sampleval.surrogates.calibration.cells import Cells


@dataclass(frozen=True, slots=True)
class Prior:
    """The hierarchical prior of a calibration curve; widths are on the log-odds scale.

    The log-odds of cell k are o_k + A_k·z, z standard normal: the score's own, bent by a smooth curve over
    its range, a jump at the decision, a slope, and steeper tails. Each cell then deviates on its own by a
    Beta of log-odds spread σ.

    Attributes:
        mistrust: Levels τ of how far the curve may leave the scores.
        mistrust_weight: Their prior weights.
        spread: Levels σ of the cells' own deviations.
        spread_weight: Their prior weights.
        shift: Standard deviation of a shift common to all scores, at τ = 1.
        bend: That of the smooth curve.
        reach: Length over which the curve bends.
        jump: That of the step at the decision.
        slope: That of a factor on the log-odds.
        steeper: Mean steepening of the tails: far-out scores err on the timid side.
        tail: Standard deviation of the same.
        low_tail: Log-odds below minus which a score counts as tail.
        high_tail: Log-odds above which it does.
        knots: Most knots of the curve.
        gap: Distance of knots.
        loosened: How much mistrust widens slope and tails too, in [0, 1].
        cap: Mistrust beyond which it no longer does.
    """

    mistrust: tuple[float, ...] = (0.2, 0.5, 1.0, 2.0, 4.0)
    mistrust_weight: tuple[float, ...] = (0.15, 0.3, 0.3, 0.2, 0.05)
    spread: tuple[float, ...] = (0.1, 0.3, 0.8)
    spread_weight: tuple[float, ...] = (0.4, 0.4, 0.2)
    shift: float = 0.7
    bend: float = 1.2
    reach: float = 1.5
    jump: float = 1.5
    slope: float = 0.45
    steeper: float = 1.2
    tail: float = 0.6
    low_tail: float = 4.0
    high_tail: float = 2.0
    knots: int = 12
    gap: float = 1.8
    loosened: float = 0.7
    cap: float = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The prior on one pool's cells.

    Attributes:
        offset: o, (K,).
        bent: Features scaled by mistrust, (K, D).
        stretched: Features scaled by mistrust in part, (K, D).
        loosened: Options of the prior that say by how much.
        cap: The same.
    """

    offset: Floats
    bent: Floats
    stretched: Floats
    loosened: float
    cap: float

    def features(self, mistrust: float) -> Floats:
        """A at this level of mistrust, (K, D)."""
        part = 1 - self.loosened + self.loosened * min(mistrust, self.cap)
        return mistrust * self.bent + part * self.stretched


def curve(cells: Cells, prior: Prior) -> Curve:
    """The prior's linear map from standard normals to the cells' log-odds."""
    x = cells.log_odds
    low = -np.logaddexp(0, -prior.low_tail - x)
    high = np.logaddexp(0, x - prior.high_tail)
    offset = x + prior.steeper * (low + high)
    smooth = _smooth(compressed(cells), prior)
    zeros = np.zeros((len(x), 3))
    step = prior.jump * (cells.flagged - 0.5)[:, None]
    bent = np.hstack([smooth, step, zeros])
    stretched = np.zeros_like(bent)
    stretched[:, -3] = prior.slope * offset
    stretched[:, -2] = prior.tail * low
    stretched[:, -1] = prior.tail * high
    return Curve(offset, bent, stretched, prior.loosened, prior.cap)


def compressed(cells: Cells, *, stretch: float = 2.5) -> Floats:
    """Log-odds with the far ends drawn in logarithmically, (K,): Naive Bayes goes out to hundreds."""
    far = max(np.log(10 * cells.size.sum()), 8.0)
    out = np.abs(cells.raw)
    drawn = np.sign(cells.raw) * (far + stretch * np.log(np.maximum(out, far) / far))
    return np.where(out > far, drawn, cells.raw)


def _smooth(at: Floats, prior: Prior) -> Floats:
    """Interpolated Matérn-3/2 curve with a common shift: features of K cells, (K, m)."""
    knots = _knots(at, prior)
    distance = np.abs(knots[:, None] - knots) / prior.reach
    covariance = prior.shift**2 + prior.bend**2 * (1 + distance) * np.exp(-distance)
    interval = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
    share = (at - knots[interval]) / (knots[interval + 1] - knots[interval])
    weights = np.zeros((len(at), len(knots)))
    rows = np.arange(len(at))
    weights[rows, interval], weights[rows, interval + 1] = 1 - share, share
    return weights @ np.linalg.cholesky(covariance + 1e-6 * np.eye(len(knots)))


def _knots(at: Floats, prior: Prior) -> Floats:
    """Knots spread over the range where cells lie."""
    number = int(np.clip(np.ceil(np.ptp(at) / prior.gap + 1), 3, prior.knots))
    along = np.sort(at)
    position = np.cumsum(np.minimum(np.diff(along, prepend=along[:1]), prior.gap))
    position = position / max(position[-1], 1e-9)
    position = 0.6 * position + 0.4 * np.arange(len(along)) / max(len(along) - 1, 1)
    knots = np.unique(np.interp(np.linspace(0, 1, number), position, along))
    return knots if len(knots) > 1 else np.array([along[0] - 1, along[-1] + 1])
