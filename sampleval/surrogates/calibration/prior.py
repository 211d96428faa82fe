"""The prior on a system's scores before any label: how far, and in which ways, they may mislead."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import expit, logit

from sampleval.pool import Floats
from sampleval.surrogates.calibration.decisions import decided, excess, rarer, turn
from sampleval.surrogates.calibration.score_cells import ScoreCells
from sampleval.surrogates.claims import drawn_in


@dataclass(frozen=True, slots=True)
class Leaning:
    """One way in which a system's scores may mislead at large.

    Attributes:
        weight: How likely it is a priori.
        slope: Expected factor on the scores' log-odds.
        steeper: Expected steepening of the tails on top of it.
        missed: Positives that no score gives away, as a share of those that the scores claim.
        mistaken: Share of items that are negative however high they score.
        feared: How many times its weight it has with the wary, who set the limits, for worse or for better.
    """

    weight: float
    slope: float = 1.0
    steeper: float = 1.2
    missed: float = 0.0
    mistaken: float = 0.0
    feared: float = 1.0

    @property
    def tailed(self) -> bool:
        """Whether the tails go on for ever."""
        return not (self.missed or self.mistaken)

    def meant(self, odds: Floats, tails: Floats, prevalence: float) -> Floats:
        """Log-odds that these scores are expected to mean, (K,)."""
        meant = self.slope * (odds + self.steeper * tails)
        if self.tailed:
            return meant
        low, high = self.missed * prevalence, 1 - self.mistaken
        return logit(low + (high - low) * expit(meant))


# Extreme scores of most systems are not extreme enough. Those of systems that count the same evidence many times over,
# such as Naive Bayes, are too extreme. And no score predicts every label: of many items with extreme scores a few belong
# to the other class, by mistake or by nature.
LEANINGS = (
    Leaning(0.76),
    Leaning(0.2, slope=0.6, steeper=-0.5),
    Leaning(0.02, missed=0.1, mistaken=0.003, feared=10.0),
    Leaning(0.02, missed=0.5, mistaken=0.01, feared=10.0),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One way in which decisions may tell the level that scores do not.

    Attributes:
        leaning: How log-odds read off them may mislead, and how likely that is a priori.
        beyond: Items of the rarer class beyond the decisions' boundary for each predicted one, at most, before tails.
        shared: Power of the turn that the rarer class's own side shares with the other (see `decided`).
    """

    leaning: Leaning
    beyond: float
    shared: float = 0.5


# Where scores claim a hundred times the positives that are predicted, scores and decisions are as likely to be right.
# Decisions may miss as many as they find, or few; what they find may be less pure than what they leave out.
DECIDED = (
    Verdict(Leaning(1 / 6), 1.0, shared=1.0),
    Verdict(Leaning(1 / 6), 1.0),
    Verdict(Leaning(1 / 6), 0.1),
)
# It is never ruled out beforehand that good decisions miss hardly any: limits that forget this exclude the truth.
HOPED = Verdict(Leaning(0.02, feared=10.0), 0.1, shared=0.0)
NEGLIGIBLE = 0.02  # excess that is not worth the time


@dataclass(frozen=True, slots=True)
class Prior:
    """The hierarchical prior of a calibration curve; widths are on the log-odds scale.

    The log-odds of cell k are o_k + A_k·z, z standard normal. o_k is the score's own as the leaning has it, or is
    read off the decisions (see `readings`). A_k·z bends it by a smooth curve over its range, a jump at each system's
    decision, a slope and steeper tails. For several systems it also tilts it towards some, and makes it less sure
    where they dispute: if two systems are right about different items, what one says where the other errs means
    nothing. Each cell then deviates on its own by a Beta of log-odds spread σ.

    Attributes:
        leanings: How scores may mislead at large.
        decided: How decisions may tell their level, weights to be multiplied by what scores claim in excess.
        hoped: How they may do so in any pool whose scores, even at the boundary, claim more beyond it; the less the more
            that is believed of them anyway.
        mistrust: Levels τ of how far the curve may leave the scores.
        mistrust_weight: Their prior weights.
        spread: Levels σ of the cells' own deviations.
        spread_weight: Their prior weights.
        shift: Standard deviation of a shift common to all scores, at τ = 1.
        bend: That of the smooth curve.
        reach: Length over which the curve bends.
        jump: That of the step at the decision.
        slope: That of the factor on the log-odds.
        tail: That of the tails' steepening.
        tilt: That of the weight of each system's distance from the mean of several: 1 follows it alone, −1 the others.
        disputed: Share that log-odds are expected to lose where systems dispute them altogether.
        dispute: Standard deviation of that share.
        low_tail: Log-odds below minus which a score counts as tail.
        high_tail: Log-odds above which it does.
        range: Least log-odds that the curve takes all scores together to span: similarities between .8 and .9 may tell
            as much as probabilities between 0 and 1.
        knots: Most knots of the curve.
        gap: Distance of knots.
        loosened: How much mistrust widens slope and tails too, in [0, 1]; scores may be right on average though one system
            copies the other with noise.
        cap: Mistrust beyond which it no longer does.
    """

    leanings: tuple[Leaning, ...] = LEANINGS
    decided: tuple[Verdict, ...] = DECIDED
    hoped: Verdict = HOPED
    mistrust: tuple[float, ...] = (0.2, 0.5, 1.0, 2.0, 4.0)
    mistrust_weight: tuple[float, ...] = (0.15, 0.3, 0.3, 0.2, 0.05)
    spread: tuple[float, ...] = (0.1, 0.3, 0.8)
    spread_weight: tuple[float, ...] = (0.4, 0.4, 0.2)
    shift: float = 0.7
    bend: float = 1.2
    reach: float = 1.5
    jump: float = 1.5
    slope: float = 0.45
    tail: float = 0.6
    tilt: float = 0.7
    disputed: float = 0.25
    dispute: float = 0.7
    low_tail: float = 4.0
    high_tail: float = 2.0
    range: float = 6.0
    knots: int = 12
    gap: float = 1.8
    loosened: float = 0.7
    cap: float = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The prior on one pool's cells: L pairings of a leaning, a mistrust τ and a spread σ.

    Attributes:
        offset: o, (L, K).
        features: A, (L, K, D).
        mistrust: τ, (L,).
        spread: σ, (L,).
        log_weight: Logarithm of each pairing's prior weight, (L,).
        feared: How many times that weight the wary give it, (L,).
    """

    offset: Floats
    features: Floats
    mistrust: Floats
    spread: Floats
    log_weight: Floats
    feared: Floats

    def __len__(self) -> int:
        return len(self.mistrust)


def levels(cells: ScoreCells, prior: Prior) -> Levels:
    """The prior's linear maps from standard normals to the cells' log-odds."""
    curve = _smooth(drawn_in(cells.raw, int(cells.size.sum())), prior)
    bent = np.hstack([curve, prior.jump * (cells.decisions - 0.5)])
    ways = list(product(readings(cells, prior), zip(prior.mistrust, prior.mistrust_weight, strict=True)))
    offset, features = zip(
        *(_maps(cells, bent, prior, reading, tau) for reading, (tau, _) in ways), strict=True
    )
    spreads = len(prior.spread)
    weight = [reading.weight * share for reading, (_, share) in ways]
    return Levels(
        np.repeat(offset, spreads, axis=0),
        np.repeat(features, spreads, axis=0),
        np.repeat([tau for _, (tau, _) in ways], spreads),
        np.tile(prior.spread, len(ways)),
        np.log(np.outer(weight, prior.spread_weight)).ravel(),
        np.repeat([reading.leaning.feared for reading, _ in ways], spreads),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a pool's scores may mean at large.

    Attributes:
        leaning: How they mislead.
        odds: The log-odds that it starts from, (K,).
        weight: How likely that is a priori.
    """

    leaning: Leaning
    odds: Floats
    weight: float


def readings(cells: ScoreCells, prior: Prior) -> list[Reading]:
    """What these scores may mean: what they say, or what the decisions say where scores claim more than those."""
    doubt = excess(cells)
    told = [(each, doubt) for each in prior.decided if doubt > NEGLIGIBLE and turn(cells, each.beyond) >= 1]
    if doubt < 1 - NEGLIGIBLE and turn(cells, prior.hoped.beyond) > 1:
        told.append((prior.hoped, 1 - doubt))
    read = [
        Reading(each.leaning, decided(cells, each.beyond, shared=each.shared), share * each.leaning.weight)
        for each, share in told
    ]
    trusted = 1 - sum(reading.weight for reading in read)
    own = [Reading(leaning, cells.log_odds, trusted * leaning.weight) for leaning in prior.leanings]
    return [*own, *read]


def _maps(
    cells: ScoreCells, bent: Floats, prior: Prior, reading: Reading, tau: float
) -> tuple[Floats, Floats]:
    """Offset (K,) and features (K, D) of the cells' log-odds under one reading at one mistrust."""
    leaning, sign = reading.leaning, scarce(cells)
    odds = sign * reading.odds
    low, high = -np.logaddexp(0, -prior.low_tail - odds), np.logaddexp(0, odds - prior.high_tail)
    offset = sign * leaning.meant(odds, low + high, cells.prevalence(sign))
    part = 1 - prior.loosened + prior.loosened * min(tau, prior.cap)
    tail = prior.tail * leaning.tailed
    stretched = np.stack([prior.slope / leaning.slope * offset, tail * low, tail * high], axis=1)
    features = np.hstack([tau * bent, part * stretched, _apart(cells, prior, offset)])
    return (1 - prior.disputed * cells.dispute) * offset, features


def scarce(cells: ScoreCells) -> float:
    """The class that is the rarer one by scores and decisions alike, 1 for the positives, as where they disagree, or −1."""
    return -1.0 if rarer(cells)[0] < 0 and cells.prevalence() > 0.5 else 1.0


def _apart(cells: ScoreCells, prior: Prior, offset: Floats) -> Floats:
    """Features of what several systems say unlike each other, (K, S' + 1); of one system none, (K, 0)."""
    if not cells.tilt.size:
        return cells.tilt
    return np.column_stack([prior.tilt * cells.tilt, prior.dispute * cells.dispute * offset])


def _smooth(at: Floats, prior: Prior) -> Floats:
    """Interpolated Matérn-3/2 curve with a common shift: features of K cells, (K, m)."""
    at = at * max(1.0, prior.range / max(float(np.ptp(at)), 1e-9))
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
