"""The model-assisted mean of rounds: predicted losses of all items, corrected by the weighted residuals of the sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sampleval._checks import choice
from sampleval.designs import Believed, CellSample, Problem, Sample, Successive
from sampleval.designs.between_rounds.foresight import Foresight
from sampleval.estimators.rounds import SHARES, normalised, within_rounds
from sampleval.estimators.run import Run, losses
from sampleval.estimators.spread import Spread
from sampleval.estimators.unshown import Unshown
from sampleval.metrics import Metric, effects
from sampleval.metrics.codes import summed
from sampleval.metrics.jacobians import Jacobian
from sampleval.pool import Flags, Floats, Integers
from sampleval.surrogates import Belief, Evidence, expected_loss
from sampleval.surrogates.errors import Errors

LEFT_OUT = 500  # with up to so many labels, each is left out of the fit that predicts it; with more, one hardly moves the fit


@dataclass(frozen=True, slots=True)
class ModelAssisted:
    """R̂ = Σ a_r Z_r, Z_r = (Σ_{labelled before r} ℓ + Σ_{left} m_r + Σ_{s_r} (ℓ − m_r)/bʳ)/N.

    m_r = E_π ℓ is the loss that the belief predicted before the first label of round r. Whether or not this prediction
    is good, Z_r is unbiased given the rounds before, and its variance is that of the residuals ℓ − m_r
    (Särndal, Swensson & Wretman 1992, eq 6.3.4, round by round).

    Attributes:
        weights: a_r in proportion to the "precision" of a plain sample as large as the round, to its "size", its "root",
            or "equal".
        opening: How the first round's residuals represent the items left. Their "sum" Σ (ℓ − m)/b is unbiased.
            The "ratio" (Hájek) adds Σ (ℓ − m)/b over Σ 1/b to each of these items. It removes the error that all
            predictions share before any label, and has a bias of order 1/n. For numbers, m then comes from the belief
            fitted to the round's own labels (a regression estimator), since a few labels determine a line. Beliefs do
            not distinguish parts of the pool. So for a metric of a part, each part has its own ratio per round.
    """

    key: ClassVar[str] = "assisted"
    title: ClassVar[str] = "Model-assisted mean of rounds"
    about: ClassVar[str] = (
        "The belief's prediction for every item, corrected by its errors on the labelled items."
    )
    accepts: ClassVar[tuple[type, ...]] = (Successive, CellSample)
    weights: str = "precision"
    opening: Literal["sum", "ratio"] = "sum"

    def __post_init__(self) -> None:
        choice(self.weights, SHARES, "weights")
        choice(self.opening, ("sum", "ratio"), "opening")

    @property
    def methods(self) -> str:
        """How the estimate is made, with the first round as a sum or as a ratio."""
        said = (
            "the model-assisted mean of the rounds (a difference estimator: the prediction for every item made before "
            "each round, corrected by the weighted errors of that round's labels)"
        )
        ratio = ", those of the first round as a ratio to their weights (Hájek 1971)"
        return said + (ratio if self.opening == "ratio" else "")

    def weighed(self, sample: Sample) -> Weighed:
        """The sample's rounds and their weights; rounds too short for a variance estimate get 0, unless all rounds are."""
        rounds = rounds_of(sample)
        raw = SHARES[self.weights](rounds)
        told = np.where(rounds.measurable, raw, 0.0)
        drawn = (rounds.round == 0) & (rounds.inclusion < 1)
        levelled = drawn & (self.opening == "ratio" and np.count_nonzero(drawn) > 1)
        own = 1 / rounds.inclusion
        if levelled.any():
            certain = np.count_nonzero((rounds.round == 0) & ~levelled)
            own[levelled] *= (rounds.population - certain) / own[levelled].sum()
        return Weighed(rounds, normalised(told if told.any() else raw), levelled, own)

    def weight(self, sample: Sample) -> Floats:
        """Weight of each row in Σ a_r Z_r: how many items its residual represents, (k,)."""
        weighed = self.weighed(sample)
        return weighed.rounds.weighted(weighed.shares, weighed.own)

    def fitted_to(self, run: Run) -> Evidence | None:
        """The labels held or given in the first round if its predictions are fitted to them; `None` if they are not."""
        if self.opening == "sum" or run.items.task.kind != "regression":
            return None
        rounds = rounds_of(run.sample)
        later = run.items.index[rounds.rows[rounds.round > 0]]
        return run.known.where(~np.isin(run.known.index, later))

    def foreseen(self, metric: Metric, run: Run) -> tuple[Floats, Floats]:
        """m of every row in its own round, (k, d), and what m adds to the weighted mean, (d,): 0 in expectation for a sum."""
        weighed, labels = self.weighed(run.sample), self.fitted_to(run)
        foresights = weighed.rounds.foresights
        if labels is not None:
            foresights = (fitted(run.problem, labels), *foresights[1:])
        fit, added = _round_by_round(metric, run, weighed, foresights)
        own = fit
        if metric.part and self.opening == "ratio":
            own, added = _part_by_part(metric, run, weighed, fit, added)
        if labels is not None:
            own = own + _without_own_label(metric, run, weighed.rounds, labels, fit)
        return own, added

    def spread(self, sample: Sample, effects: Floats, centre: Floats) -> Spread:
        """Σ a_r² V̂_r of the residuals' effects, V̂_r the variance of round r given the rounds before it."""
        weighed = self.weighed(sample)
        rounds, ratio = weighed.rounds, weighed.levelled
        if ratio.any():
            rows, weight, n = rounds.rows[ratio], weighed.own[ratio], np.count_nonzero(ratio)
            # The residuals of a ratio vary about their own mean. Their weight is `own`, so the 1/b of `within_rounds` is divided out.
            scale = weight * rounds.inclusion[ratio] * np.sqrt(n / (n - 1))
            around = effects[rows] - weight @ effects[rows] / weight.sum()
            effects = effects.copy()
            effects[rows] = scale[:, None] * around
        return within_rounds(rounds, weighed.shares, effects)

    def unshown(
        self, metric: Metric, run: Run, foreseen: Floats, jacobian: Jacobian, shown: Spread
    ) -> Floats:
        """Factors, (2k, m), of the variances that labels unlike all those seen, and mistakes yet to be met, would add.

        If scores are extreme and every label is as predicted, the residuals show almost no variance, whether the model is
        right or one label in a hundred is flipped. And where mistakes are rare and each of them matters, a small sample
        often holds too few of them. Numbers are never exactly as predicted, so nothing is added for them.
        """
        if run.problem.pool.task.kind == "regression" or not len(rounds_of(run.sample).rows):
            return np.zeros((0, jacobian.shape[0]))
        weighed = self.weighed(run.sample)
        items = run.items.take(weighed.rounds.rows)
        unshown = Unshown(metric, run, items, weighed.deviation_weight, effects(foreseen, jacobian), jacobian)
        unlike = unshown.unlike_any()
        return np.vstack([unlike, unshown.unmet(shown.beside(unlike).variance, shown.degrees)])


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """Rounds, and how much each label of theirs counts.

    Attributes:
        rounds: The rounds.
        shares: a_r, (R,), summing to 1.
        levelled: Rows that enter as a ratio, (k,): those of the first round with b < 1, if `opening` is "ratio" and n ≥ 2.
        own: How many items each row's residual represents in its own round, (k,): 1/b, scaled to the items left for a ratio.
    """

    rounds: Successive
    shares: Floats
    levelled: Flags
    own: Floats

    @property
    def deviation_weight(self) -> Floats:
        """Weight of each row's residual in the standard deviation of Σ a_r Z_r, (k,): a_r √(1 − b)/b, with `own` for 1/b."""
        return np.asarray(self.shares[self.rounds.round] * self.own * np.sqrt(1 - self.rounds.inclusion))


def _round_by_round(
    metric: Metric, run: Run, weighed: Weighed, foresights: Sequence[Foresight]
) -> tuple[Floats, Floats]:
    """m of every row by the foresight of its round, (k, d), and Σ a_r (Σ_{left} m − Σ_{s_r} m/bʳ)/N, (d,)."""
    rounds, items, own, added = weighed.rounds, run.problem.pool.items, list[Floats](), 0.0
    positions = run.items.index[rounds.rows]
    for r, foresight in enumerate(foresights):
        here = rounds.round == r
        own.append(foresight.of(metric, items, positions[here]))
        if weighed.shares[r]:
            gone = foresight.of(metric, items, _gone(run, rounds, r)).sum(axis=0)
            rest = foresight.total(metric, items) - gone
            added = added + weighed.shares[r] * (rest - weighed.own[here] @ own[r])
    return np.concatenate(own), np.asarray(added) / rounds.population


def _part_by_part(
    metric: Metric, run: Run, weighed: Weighed, own: Floats, added: Floats
) -> tuple[Floats, Floats]:
    """The results of `_round_by_round`, corrected in each part of the pool by the mean residual of its labels.

    Subtracting these means narrows the residuals, so they are widened again by the same factor.
    """
    assert metric.part is not None
    rounds, part, own = weighed.rounds, metric.part.codes(run.problem.pool.items), own.copy()
    rest, parts = losses(metric, run)[rounds.rows] - own, int(part.max()) + 1
    for r in np.flatnonzero(weighed.shares):
        here = np.flatnonzero(rounds.round == r)
        of, weight = part[run.items.index[rounds.rows[here]]], weighed.own[here]
        off, wider = off_by_part(rest[here], weight * (rounds.inclusion[here] < 1), of, parts)
        left = np.bincount(np.delete(part, _gone(run, rounds, int(r))), minlength=parts)
        own[here] += rest[here] - wider * (rest[here] - off[of])
        added = added + weighed.shares[r] * (left @ off - weight @ off[of]) / rounds.population
    return own, added


def _without_own_label(metric: Metric, run: Run, rounds: Successive, labels: Evidence, fit: Floats) -> Floats:
    """What leaving out the row's own label changes in m, (k, d), fitted to all these labels: 0 after the first round."""
    first, model, change = rounds.round == 0, run.problem.model, np.zeros_like(fit)
    if isinstance(model, Errors) and len(run.held) + first.sum() <= LEFT_OUT:
        items = run.items.take(rounds.rows[first])
        belief = cross_fitted(run.problem, model, labels, items.index)
        change[first] = expected_loss(metric, items, belief) - fit[first]
    return change


def off_by_part(rest: Floats, weight: Floats, part: Integers, parts: int) -> tuple[Floats, Floats]:
    """Weighted mean residual of each part, (P, d), and the factor that makes up for subtracting it from the rows, (k, 1).

    Residuals ℓ − m of the rows are (k, d), their weights and parts in 0..P−1 (k,). A row weighs as much as the number of
    items that it represents, and 0 if that is only itself. A part with a single row that represents other items is not
    corrected, since that row's residual would vanish.
    """
    met = np.bincount(part[weight > 0], minlength=parts)
    total = np.where(met > 1, np.bincount(part, weight, parts), np.inf)
    off = summed(weight[:, None] * rest, part, parts) / total[:, None]
    narrowed = np.where(met > 1, 1 - 1 / np.maximum(met, 2), 1.0)
    return off, 1 / np.sqrt(narrowed[part, None])


def fitted(problem: Problem, evidence: Evidence) -> Believed:
    """The foresight of the belief fitted to these labels."""
    return problem.once("opening", lambda: Believed(problem.believe(evidence)), evidence.version)


def cross_fitted(problem: Problem, model: Errors, evidence: Evidence, positions: Integers) -> Belief:
    """π of items of the first round, (n,), at these positions, each from the belief fitted to the labels of the others.

    A fit is drawn to each of its own labels. Their residuals are then smaller than those of the items left, which made
    limits too narrow: those of the mean error held in .77 of studies of 4 to 6 labels. The labels are those held or given in
    the first round.
    """

    def apart() -> Belief:
        each = [
            model.believe(problem.sampled(evidence.where(evidence.index != n)), np.array([n]))
            for n in positions
        ]
        mean, sd = (np.concatenate([getattr(one, name) for one in each]) for name in ("mean", "sd"))
        return Belief(problem.pool.task, mean, sd)

    return problem.once("left out", apart, (evidence.version, positions.tobytes()))


def rounds_of(sample: Sample) -> Successive:
    """The sample as rounds, each with its inclusion probabilities given the rounds before it."""
    rounds = sample.rounds if isinstance(sample, CellSample) else sample
    assert isinstance(rounds, Successive)
    return rounds


def _gone(run: Run, sample: Successive, r: int) -> Integers:
    """Items that round r cannot ask: those held, and those drawn in rounds before it."""
    return np.concatenate([run.held.index, run.items.index[sample.rows[sample.round < r]]])
