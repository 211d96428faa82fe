"""Limits that hold at every look, by testing each value with a betting martingale (Ville's inequality).

Under the hypothesis G = g the numbers d = ℓ₁ − g·ℓ₂ of the pool sum to 0. Let an item that is included with
probability b multiply the wealth by 1 + (e^{λd} − 1)/b. The expected factor is e^{λd}, and that of the product over
the pool is e^{λΣd} = 1. Along a queue, where b grows with the threshold, the product is a reverse martingale from the
census; over rounds, each among the items left, the product of the rounds' products is a forward martingale. Either way
the probability that the wealth ever reaches 1/α is at most α, so that the values g for which it has not are a
confidence sequence. It is valid for any number of labels, however rare the positives and however wrong the scores.
Mixing over λ avoids choosing one (Robbins 1970; Waudby-Smith & Ramdas 2024 bet in the same way on successive draws).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize

from sampleval.pool import Floats, Integers

# The mixture has wagers λ over this many octaves to each side of the usual one, with Cauchy weights: a wrong belief about
# the spread costs only the logarithm of a weight.
OCTAVES, PER_OCTAVE, BREADTH = 8, 2, 1.0
OCTAVE = np.linspace(-OCTAVES, OCTAVES, 2 * OCTAVES * PER_OCTAVE + 1)
SHARE = 1 / (1 + (OCTAVE / BREADTH) ** 2)
LOG_SHARE = np.log(SHARE / SHARE.sum())
TYPICAL_DEVIATION = 3.0  # distance of such limits from the estimate in standard errors, at their tightest
RESOLUTION = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Wager:
    """The labels for wagers on G = Σℓ₁/Σℓ₂, in waves: a queue is one wave, and every round is one.

    Attributes:
        part: ℓ₁ of the items, (k,).
        whole: ℓ₂ ≥ ℓ₁, (k,).
        inclusion: b of each, (k,).
        wave: Wave of each, (k,) in 0..W−1.
        before: Sums of ℓ₁ and of ℓ₂ over the items labelled before each wave, (W, 2).
        room: Largest λg for bets on larger G, and largest λ(1−g) for bets on smaller G, with which no label of any
            item could have made a factor negative, (W, 2).
        room_before: Lower bounds of `room` known before each wave, at which λ is cut, (W, 2).
        stake: Factor on λ in each wave, (W,).
    """

    part: Floats
    whole: Floats
    inclusion: Floats
    wave: Integers
    before: Floats
    room: Floats
    room_before: Floats
    stake: Floats

    def turned(self) -> Wager:
        """The wager on 1 − G."""
        before = np.column_stack([self.before[:, 1] - self.before[:, 0], self.before[:, 1]])
        return replace(
            self,
            part=self.whole - self.part,
            before=before,
            room=self.room[:, ::-1],
            room_before=self.room_before[:, ::-1],
        )


def scales(deviation: float) -> tuple[Floats, Floats]:
    """The wagers λ of the mixture and the logarithms of their weights, (J,) each; for `deviation` see `Wagers`."""
    return TYPICAL_DEVIATION / deviation * 2.0**OCTAVE, LOG_SHARE


def log_wealth(wager: Wager, value: float, deviation: float) -> float:
    """Logarithm of the wealth from betting on G > value with initial wealth 1, whose expectation is at most 1 if G = value.

    It decreases in the value, g in (0, 1]. Wagers λ beyond `room` are counted as lost, which keeps the bound on the
    expectation. For `deviation` see `Wagers`.
    """
    unit, share = scales(deviation)
    bet = np.minimum(unit[:, None] * wager.stake, wager.room_before[:, 0] / value)
    # Divided as the cut is: rounding would lose some at it.
    kept = (bet <= wager.room[:, 0] / value).all(axis=1)
    bet, d = bet[kept], wager.part - value * wager.whole
    up, down = d > 0, d < 0
    gain = bet[:, wager.wave[up]] * d[up]
    gain += np.log1p(-np.expm1(-gain) * (1 / wager.inclusion[up] - 1))  # so that no e^{λd} overflows
    with np.errstate(divide="ignore"):  # a factor of 0 loses the whole wager
        factor = np.expm1(bet[:, wager.wave[down]] * d[down]) / wager.inclusion[down]
        loss = np.log1p(np.maximum(factor, -1.0))
    known = bet @ (wager.before[:, 0] - value * wager.before[:, 1])
    return float(np.logaddexp.reduce(share[kept] + gain.sum(axis=1) + loss.sum(axis=1) + known))


def lower_limit(wager: Wager, tail: float, deviation: float) -> float:
    """The largest value for which betting on G > value has reached a wealth of 1/tail; 0 if there is none."""

    def beyond(value: float) -> float:
        return float(np.clip(log_wealth(wager, value, deviation) + np.log(tail), -1e3, 1e3))

    if beyond(RESOLUTION) <= 0:
        return 0.0
    # No bet on G > 1 wins anything. The tolerance is smaller than the margin subtracted below, so that limits of a higher
    # level contain those of a lower.
    found = float(optimize.brentq(beyond, RESOLUTION, 1.0, xtol=RESOLUTION / 100))
    return max(found - RESOLUTION, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Wagers:
    """The wagers on a share for both limits.

    Attributes:
        against: The wager with the missing labels that lower the share most, for the lower limit.
        favouring: The wager with the missing labels that raise it most, for the upper limit.
        deviation: Expected standard deviation of the weighted Σd at a typical number of labels, > 0.
    """

    against: Wager
    favouring: Wager
    deviation: float

    def hold(self, value: float, level: float) -> bool:
        """Whether a value in (0, 1) lies within the limits, without computing them, which takes much longer."""
        most = -np.log((1 - level) / 2)
        up = log_wealth(self.against, value, self.deviation)
        return max(up, log_wealth(self.favouring.turned(), 1 - value, self.deviation)) < most

    def limits(self, level: float) -> tuple[float, float]:
        """The lower and upper limit that cover G at all looks, each with half of the error probability."""
        tail = (1 - level) / 2
        low = lower_limit(self.against, tail, self.deviation)
        high = 1 - lower_limit(self.favouring.turned(), tail, self.deviation)
        return low, max(low, high)
