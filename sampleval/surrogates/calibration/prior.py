"""The prior on a system's scores before any label: how far they may mislead, and in which ways."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import expit, logit

from sampleval.pool import Floats
from sampleval.surrogates.calibration.decisions import decided, excess, rarer, turn
from sampleval.surrogates.calibration.score_cells import ScoreCells
from sampleval.surrogates.probabilities import drawn_in


@dataclass(frozen=True, slots=True)
class Leaning:
    """One way in which a system's scores may mislead at large.

    Attributes:
        weight: Its prior probability.
        slope: Expected factor on the scores' log-odds.
        steeper: Expected steepening of the tails, on top of the slope.
        missed: Positives that no score reveals, as a share of the positives that the scores claim.
        mistaken: Share of items that are negative however high their score is.
        feared: Factor on `weight` in the draws that set the limits, which take this possibility more seriously than
            the estimate does.
    """

    weight: float
    slope: float = 1.0
    steeper: float = 1.2
    missed: float = 0.0
    mistaken: float = 0.0
    feared: float = 1.0

    @property
    def tailed(self) -> bool:
        """Whether log-odds are unbounded, because no share of items is missed or mistaken."""
        return not (self.missed or self.mistaken)

    def log_odds(self, odds: Floats, tails: Floats, prevalence: float) -> Floats:
        """Log-odds that the scores stand for under this leaning, (K,).

        Args:
            odds: Log-odds of a class that the scores claim, (K,).
            tails: How far these lie in the tails, (K,); negative in the lower tail.
            prevalence: Share of items that the scores claim for this class, in [0, 1].
        """
        meant = self.slope * (odds + self.steeper * tails)
        if self.tailed:
            return meant
        low, high = self.missed * prevalence, 1 - self.mistaken
        return logit(low + (high - low) * expit(meant))


# The extreme scores of most systems are not extreme enough. Systems that count the same evidence many times over, such as
# Naive Bayes, give scores that are too extreme. And no score predicts every label: among many items with extreme scores, a
# few belong to the other class, by mistake or by nature.
LEANINGS = (
    Leaning(0.76),
    Leaning(0.2, slope=0.6, steeper=-0.5),
    Leaning(0.02, missed=0.1, mistaken=0.003, feared=10.0),
    Leaning(0.02, missed=0.5, mistaken=0.01, feared=10.0),
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One way in which the decisions may determine the level of the scores.

    Attributes:
        leaning: How the log-odds that are derived from the decisions may mislead, and how likely this is a priori.
        beyond: The most items of the rarer class that may lie beyond the decisions' boundary, as a multiple of the
            items predicted to be of that class; before the tails are steepened.
        shared: How much of the change of slope also applies on the rarer class's own side of the boundary, as an
            exponent: 0 for nothing, 1 for all of it (see `decided`).
    """

    leaning: Leaning
    beyond: float
    shared: float = 0.5


# Where the scores claim a hundred times as many positives as are predicted, the scores and the decisions are equally likely
# to be right. The decisions may miss as many positives as they find, or only a few. The items that they find may be less
# pure than those that they leave out.
DECIDED = (
    Verdict(Leaning(1 / 6), 1.0, shared=1.0),
    Verdict(Leaning(1 / 6), 1.0),
    Verdict(Leaning(1 / 6), 0.1),
)
# Good decisions may always miss hardly any positives. Limits that do not allow for this would exclude the truth.
HOPED = Verdict(Leaning(0.02, feared=10.0), 0.1, shared=0.0)
NEGLIGIBLE = 0.02  # an excess below this is not worth the computing time


@dataclass(frozen=True, slots=True)
class Prior:
    """The hierarchical prior of a calibration curve. All widths are standard deviations on the log-odds scale.

    The log-odds of cell k are o_k + A_k·z with z standard normal. The offset o_k is the log-odds of the cell's score
    under a leaning, or it is derived from the decisions (see `readings`). The term A_k·z adds a smooth curve over the
    range of the scores, a jump at each system's decision, a change of slope and steeper tails. With several systems it
    also shifts weight between them and pulls the log-odds towards 0 where they dispute an item: if two systems are
    right about different items, then what one of them says where the other errs means nothing. Finally each cell
    deviates on its own, by a Beta distribution with spread σ in log-odds.

    Attributes:
        leanings: The ways in which the scores may mislead.
        decided: The ways in which the decisions may set the level of the scores. Their weights are multiplied by how
            far the scores claim more than the decisions allow.
        hoped: The way in which they may do so in any pool whose scores claim many items beyond the decisions'
            boundary. Its weight is smaller the more the decisions are believed already.
        mistrust: Degrees τ of mistrust: factors on how far the curve may leave the scores.
        mistrust_weight: Prior probabilities of these degrees.
        spread: Widths σ of the cells' own deviations.
        spread_weight: Prior probabilities of these widths.
        shift: Width of a shift that is common to all scores, at τ = 1.
        bend: Width of the smooth curve, at τ = 1.
        reach: Distance in log-odds over which the curve bends.
        jump: Width of the step at each system's decision, at τ = 1.
        slope: Width of the factor on the log-odds.
        tail: Width of the steepening of the tails.
        tilt: Width of the weight that each system's distance from the mean of several systems receives. A weight of 1
            follows this system alone, a weight of −1 the others.
        disputed: Share by which the log-odds are expected to shrink where the systems dispute an item altogether.
        dispute: Width of that share.
        low_tail: Log-odds below minus this value count as the lower tail.
        high_tail: Log-odds above this value count as the upper tail.
        range: The least range of log-odds over which the curve spreads the scores. Similarities between .8 and .9 may
            carry as much information as probabilities between 0 and 1.
        knots: Largest number of knots of the curve.
        gap: Distance between knots in log-odds.
        loosened: How far mistrust also widens slope and tails, in [0, 1]. With several systems, scores may be right on
            average although one system is a noisy copy of another.
        cap: Mistrust beyond this degree widens slope and tails no further.
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
class Mixture:
    """The prior on the cells of one pool: L components, one for each combination of a reading, a mistrust τ and a spread σ.

    Attributes:
        offset: Offsets o, (L, K).
        features: Linear maps A, (L, K, D).
        mistrust: τ, (L,).
        spread: σ, (L,).
        log_weight: Logarithm of the prior weight of each, (L,).
        feared: Factor on that weight in the draws that set the limits, (L,).
        tilt: Linear map from the normals to the weights of the systems' `ScoreCells.apart`, (S' − 1, D).
    """

    offset: Floats
    features: Floats
    mistrust: Floats
    spread: Floats
    log_weight: Floats
    feared: Floats
    tilt: Floats

    def __len__(self) -> int:
        return len(self.mistrust)


def mixture(cells: ScoreCells, prior: Prior) -> Mixture:
    """The prior on these cells, as linear maps from standard normals to the cells' log-odds."""
    curve = _smooth(drawn_in(cells.raw, int(cells.count.sum())), prior)
    bent = np.hstack([curve, prior.jump * (cells.decisions - 0.5)])
    ways = list(product(readings(cells, prior), zip(prior.mistrust, prior.mistrust_weight, strict=True)))
    offset, features = zip(
        *(_maps(cells, bent, prior, reading, tau) for reading, (tau, _) in ways), strict=True
    )
    spreads = len(prior.spread)
    weight = [reading.weight * share for reading, (_, share) in ways]
    return Mixture(
        np.repeat(offset, spreads, axis=0),
        np.repeat(features, spreads, axis=0),
        np.repeat([tau for _, (tau, _) in ways], spreads),
        np.tile(prior.spread, len(ways)),
        np.log(np.outer(weight, prior.spread_weight)).ravel(),
        np.repeat([reading.leaning.feared for reading, _ in ways], spreads),
        _tilts(cells, prior, features[0].shape[1]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One possible reading of all scores of a pool: a leaning, the log-odds it is applied to, (K,), and its prior probability."""

    leaning: Leaning
    odds: Floats
    weight: float


def readings(cells: ScoreCells, prior: Prior) -> list[Reading]:
    """The possible readings of these scores: those of the scores as they are, and those derived from the decisions.

    The decisions are considered where the scores claim more of the rarer class than the decisions can have missed.
    """
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
    """Offset (K,) and features (K, D) of the cells' log-odds under one reading and one degree of mistrust."""
    leaning, sign = reading.leaning, scarce(cells)
    odds = sign * reading.odds
    low, high = -np.logaddexp(0, -prior.low_tail - odds), np.logaddexp(0, odds - prior.high_tail)
    offset = sign * leaning.log_odds(odds, low + high, cells.prevalence(sign))
    part = 1 - prior.loosened + prior.loosened * min(tau, prior.cap)
    tail = prior.tail * leaning.tailed
    stretched = np.stack([prior.slope / leaning.slope * offset, tail * low, tail * high], axis=1)
    features = np.hstack([tau * bent, part * stretched, _apart(cells, prior, offset)])
    return (1 - prior.disputed * cells.dispute) * offset, features


def scarce(cells: ScoreCells) -> float:
    """−1 if both scores and decisions make the negatives the rarer class, otherwise 1."""
    return -1.0 if rarer(cells)[0] < 0 and cells.prevalence() > 0.5 else 1.0


def _apart(cells: ScoreCells, prior: Prior, offset: Floats) -> Floats:
    """Features for where several systems disagree, (K, S' + 1); for one system there are none, (K, 0)."""
    if not cells.tilt.size:
        return cells.tilt
    return np.column_stack([prior.tilt * cells.tilt, prior.dispute * cells.dispute * offset])


def _tilts(cells: ScoreCells, prior: Prior, normals: int) -> Floats:
    """Each system's weight less the last one's, from the normals, (S' − 1, D), of which the last ones are those of `_apart`."""
    each = prior.tilt * np.eye(cells.tilt.shape[1])
    found = np.zeros((max(len(each) - 1, 0), normals))
    found[:, -len(each) - 1 : -1] = each[:-1] - each[-1:]
    return found


def _smooth(at: Floats, prior: Prior) -> Floats:
    """Features of a Matérn-3/2 curve with a common shift, interpolated between its m knots, (K, m)."""
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
    """The knots of the curve, spread over the range in which cells lie, (m,)."""
    number = int(np.clip(np.ceil(np.ptp(at) / prior.gap + 1), 3, prior.knots))
    along = np.sort(at)
    position = np.cumsum(np.minimum(np.diff(along, prepend=along[:1]), prior.gap))
    position = position / max(position[-1], 1e-9)
    position = 0.6 * position + 0.4 * np.arange(len(along)) / max(len(along) - 1, 1)
    knots = np.unique(np.interp(np.linspace(0, 1, number), position, along))
    return knots if len(knots) > 1 else np.array([along[0] - 1, along[-1] + 1])
