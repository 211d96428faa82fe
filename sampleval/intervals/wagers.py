"""Limits that hold at every look: what a gambler who bets against a value would have won (Ville's inequality).

Under the hypothesis G = g the numbers d = ℓ₁ − g·ℓ₂ of the pool sum to 0. If an item that comes in with chance b
multiplies what is wagered by 1 + (e^{λd} − 1)/b, the expected factor is e^{λd}, and over the pool that of the
product is e^{λΣd} = 1. Along a queue, where b grows with the threshold, the product is a martingale backwards
from the census; over rounds, each among the items left, products multiply to a forward one. Either way it ever
reaches 1/α with probability at most α, so that the values g against which it has not are a confidence sequence:
exact for any number of labels, however rare the positives and however wrong the scores. Mixing over λ spares
choosing one (Robbins 1970; Waudby-Smith & Ramdas 2024 bet in the same way on one draw after the other).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize

from sampleval.pool import Floats, Integers

# Wagers λ over this many octaves to each side of the usual one, their shares falling as those of a Cauchy law:
# a belief about the spread that is wrong by a factor costs only the logarithm of a share.
OCTAVES, PER_OCTAVE, BREADTH = 8, 2, 1.0
OCTAVE = np.linspace(-OCTAVES, OCTAVES, 2 * OCTAVES * PER_OCTAVE + 1)
SHARE = 1 / (1 + (OCTAVE / BREADTH) ** 2)
LOG_SHARE = np.log(SHARE / SHARE.sum())
TYPICAL_DEVIATION = 3.0  # standard errors at which such limits lie when they are tightest
RESOLUTION = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Wager:
    """What labels have to say about G = Σℓ₁/Σℓ₂: one wave of them from a queue, one from each round of rounds.

    Attributes:
        part: ℓ₁ of the items, (k,).
        whole: ℓ₂ ≥ ℓ₁, (k,).
        inclusion: b of each, (k,).
        wave: Wave of each, (k,) in 0..W−1.
        before: Sums of ℓ₁ and of ℓ₂ over the items labelled before each wave, (W, 2).
        room: λg up to which no label of any item could have made a factor negative when G is bet up, and
            λ(1−g) up to which none could when it is bet down, (W, 2).
        safe: The same as it was counted on before the wave; λ is cut there, (W, 2).
        stake: Multiplies λ in each wave, (W,).
    """

    part: Floats
    whole: Floats
    inclusion: Floats
    wave: Integers
    before: Floats
    room: Floats
    safe: Floats
    stake: Floats

    def turned(self) -> Wager:
        """The same about 1 − G."""
        before = np.column_stack([self.before[:, 1] - self.before[:, 0], self.before[:, 1]])
        return replace(
            self,
            part=self.whole - self.part,
            before=before,
            room=self.room[:, ::-1],
            safe=self.safe[:, ::-1],
        )


def scales(deviation: float) -> tuple[Floats, Floats]:
    """Wagers λ and the logarithms of their shares, (J,) each.

    Args:
        deviation: Standard deviation of the weighted Σd expected at a typical number of labels, > 0.
    """
    return TYPICAL_DEVIATION / deviation * 2.0**OCTAVE, LOG_SHARE


def log_wealth(wager: Wager, value: float, deviation: float) -> float:
    """Logarithm of what betting on G > value has made of 1; its expectation is at most 1 if G = value.

    Falls as the value grows. What has no room is lost, which a martingale allows.

    Args:
        wager: What the labels say.
        value: g in (0, 1].
        deviation: See `scales`.
    """
    unit, share = scales(deviation)
    bet = np.minimum(unit[:, None] * wager.stake, wager.safe[:, 0] / value)
    kept = (bet * value <= wager.room[:, 0]).all(axis=1)
    bet, d = bet[kept], wager.part - value * wager.whole
    up, down = d > 0, d < 0
    gain = bet[:, wager.wave[up]] * d[up]
    gain += np.log1p(-np.expm1(-gain) * (1 / wager.inclusion[up] - 1))  # so that no e^{λd} overflows
    with np.errstate(divide="ignore"):  # a factor of 0: all is lost
        factor = np.expm1(bet[:, wager.wave[down]] * d[down]) / wager.inclusion[down]
        loss = np.log1p(np.maximum(factor, -1.0))
    known = bet @ (wager.before[:, 0] - value * wager.before[:, 1])
    return float(np.logaddexp.reduce(share[kept] + gain.sum(axis=1) + loss.sum(axis=1) + known))


def lower_limit(wager: Wager, tail: float, deviation: float) -> float:
    """The largest value against which betting on more has won 1/tail by now; 0 if none."""

    def beyond(value: float) -> float:
        return float(np.clip(log_wealth(wager, value, deviation) + np.log(tail), -1e3, 1e3))

    least, most = RESOLUTION, 1.0
    if beyond(least) <= 0:
        return 0.0
    if beyond(most) >= 0:
        return 1.0
    # Finer than what is taken off, so that surer limits hold less sure ones.
    found = float(optimize.brentq(beyond, least, most, xtol=RESOLUTION / 100))
    return max(found - RESOLUTION, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Wagers:
    """All that may be bet on a share.

    Attributes:
        against: What the labels say if those that are not known speak against the share.
        favouring: What they say if those speak for it.
        deviation: Standard deviation of the weighted Σd expected at a typical number of labels, > 0.
    """

    against: Wager
    favouring: Wager
    deviation: float

    def hold(self, value: float, level: float) -> bool:
        """Whether a value in (0, 1) lies within the limits; far quicker than finding them."""
        most = -np.log((1 - level) / 2)
        up = log_wealth(self.against, value, self.deviation)
        return max(up, log_wealth(self.favouring.turned(), 1 - value, self.deviation)) < most

    def limits(self, level: float) -> tuple[float, float]:
        """Both limits, half of the risk to each side.

        Args:
            level: Chance that no look ever misses, in (0, 1).
        """
        tail = (1 - level) / 2
        low = lower_limit(self.against, tail, self.deviation)
        high = 1 - lower_limit(self.favouring.turned(), tail, self.deviation)
        return low, max(low, high)
