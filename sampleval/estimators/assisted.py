"""The model-assisted mean of rounds: predicted losses of all items, corrected by the weighted residuals of the sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from sampleval._checks import choice
from sampleval.designs import Believed, CellSample, Problem, Sample, Successive
from sampleval.estimators.rounds import SHARES, normalised, within
from sampleval.estimators.run import Run, losses, recalibrated
from sampleval.estimators.spread import Spread
from sampleval.metrics import Metric, effects
from sampleval.metrics.codes import summed
from sampleval.metrics.jacobians import Jacobian
from sampleval.metrics.memo import latest
from sampleval.pool import Flags, Floats, Integers
from sampleval.surrogates import Belief, Evidence, expected_loss, expected_squares, one_of_each
from sampleval.surrogates.errors import Errors

# The first two from `benchmarks/tried.md`:
UNLIKE = 0.04  # fraction of one unforeseen label that counts in addition to the observed labels
BELIEVED = 10.0  # degrees of freedom that the belief's own variance counts as
LEFT_OUT = 500  # up to so many labels, each is left out of the fit that predicts it: of more, a fit hardly follows one
TINY = np.finfo(float).tiny


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

    def shares(self, sample: Successive) -> Floats:
        """a_r, (R,), summing to 1; rounds too short for a variance estimate get 0, unless all rounds are."""
        raw = SHARES[self.weights](sample)
        told = np.where(sample.measurable, raw, 0.0)
        return normalised(told if told.any() else raw)

    def weight(self, sample: Sample) -> Floats:
        """Weight of each row in Σ a_r Z_r: how many items its residual represents, (k,)."""
        sample = rounds_of(sample)
        return sample.weighted(self.shares(sample), self.own(sample))

    def own(self, sample: Successive) -> Floats:
        """How many items each row's residual represents in its own round, (k,): 1/b, scaled to the items left for a ratio."""
        own, drawn = 1 / sample.inclusion, self.levelled(sample)
        if drawn.any():
            certain = np.count_nonzero((sample.round == 0) & ~drawn)
            own[drawn] *= (sample.population - certain) / own[drawn].sum()
        return own

    def levelled(self, sample: Successive) -> Flags:
        """Rows that enter as a ratio, (k,): those of the first round with b < 1, if `opening` is "ratio" and n ≥ 2."""
        drawn = (sample.round == 0) & (sample.inclusion < 1)
        return drawn & (self.opening == "ratio" and np.count_nonzero(drawn) > 1)

    def fitted_to(self, run: Run) -> Evidence | None:
        """The labels held or given in the first round if its predictions are fitted to them; `None` if they are not."""
        if self.opening == "sum" or run.items.task.kind != "regression":
            return None
        sample = rounds_of(run.sample)
        later = run.items.index[sample.rows[sample.round > 0]]
        return run.known.where(~np.isin(run.known.index, later))

    def foreseen(self, metric: Metric, run: Run) -> tuple[Floats, Floats]:
        """m of every row in its own round, (k, d), and what m adds to the weighted mean, (d,): 0 in expectation for a sum."""
        sample, problem, items = rounds_of(run.sample), run.problem, run.problem.pool.items
        positions, weight = run.items.index[sample.rows], self.own(sample)
        shares, own, added = self.shares(sample), [], 0.0
        foresights, labels = sample.foresights, self.fitted_to(run)
        if labels is not None:
            foresights = (fitted(problem, labels), *foresights[1:])
        for r, foresight in enumerate(foresights):
            here = sample.round == r
            expected = foresight.of(metric, items, positions[here])
            own.append(expected)
            if shares[r] == 0:
                continue
            gone = _gone(run, sample, r)
            rest = foresight.total(metric, items) - foresight.of(metric, items, gone).sum(axis=0)
            added = added + shares[r] * (rest - weight[here] @ expected)
        found = np.concatenate(own), np.asarray(added) / sample.population
        if metric.parts and self.opening == "ratio":
            found = self._part_by_part(metric, run, *found)
        first, model = sample.round == 0, problem.model
        if labels is not None and isinstance(model, Errors) and len(run.held) + first.sum() <= LEFT_OUT:
            belief = left_out(problem, model, labels, positions[first])
            found[0][first] += expected_loss(metric, items.take(positions[first]), belief) - own[0]
        return found

    def _part_by_part(self, metric: Metric, run: Run, own: Floats, added: Floats) -> tuple[Floats, Floats]:
        """The results of `foreseen`, (k, d) and (d,), corrected in each part of the pool by the mean residual of its labels.

        Subtracting these means narrows the residuals, so they are widened again by the same factor.
        """
        assert metric.parts is not None
        sample, own = rounds_of(run.sample), own.copy()
        part, positions, weight = (
            metric.parts(run.problem.pool.items),
            run.items.index[sample.rows],
            self.own(sample),
        )
        rest, parts = losses(metric, run)[sample.rows] - own, int(part.max()) + 1
        for r in np.flatnonzero(shares := self.shares(sample)):
            here = np.flatnonzero(sample.round == r)
            of = part[positions[here]]
            off, wider = off_by_part(rest[here], weight[here] * (sample.inclusion[here] < 1), of, parts)
            left = np.bincount(np.delete(part, _gone(run, sample, int(r))), minlength=parts)
            own[here] += rest[here] - wider * (rest[here] - off[of])
            added = added + shares[r] * (left @ off - weight[here] @ off[of]) / sample.population
        return own, added

    def spread(self, sample: Sample, effects: Floats, centre: Floats) -> Spread:
        """Σ a_r² V̂_r of the residuals' effects, V̂_r the variance of round r given the rounds before it."""
        sample = rounds_of(sample)
        drawn = self.levelled(sample)
        if drawn.any():
            rows, weight, n = sample.rows[drawn], self.own(sample)[drawn], np.count_nonzero(drawn)
            # The residuals of a ratio vary about their own mean. Their weight is `own`, so the 1/b of `within` is divided out.
            scale = weight * sample.inclusion[drawn] * np.sqrt(n / (n - 1))
            around = effects[rows] - weight @ effects[rows] / weight.sum()
            effects = effects.copy()
            effects[rows] = scale[:, None] * around
        return within(sample, self.shares(sample), effects)

    def unshown(
        self, metric: Metric, run: Run, foreseen: Floats, jacobian: Jacobian, shown: Spread
    ) -> Floats:
        """Factors, (2k, m), of the variances that labels unlike all those seen, and mistakes yet to be met, would add.

        If scores are extreme and every label is as predicted, the residuals show almost no variance, whether the model is
        right or one label in a hundred is flipped. And where mistakes are rare and each of them matters, a small sample
        often holds too few of them. Numbers are never exactly as predicted, so nothing is added for them.
        """
        sample, kind = rounds_of(run.sample), run.problem.pool.task.kind
        if kind == "regression" or not len(sample.rows):
            return np.zeros((0, jacobian.shape[0]))
        unlike = self._unlike(metric, run, foreseen, jacobian)
        unmet = self._unmet(metric, run, foreseen, jacobian, shown.beside(unlike).variance, shown.degrees)
        return np.vstack([unlike, unmet])

    def _unlike(self, metric: Metric, run: Run, foreseen: Floats, jacobian: Jacobian) -> Floats:
        """Factors of the variance that unforeseen labels would add, (k, m), as if `UNLIKE` of one such label had been observed.

        V = UNLIKE·Σ v²/Σ v, where v is what a row would add to the variance if its label were drawn from all labels that
        the pool is believed to have. Rows that represent many items count most.
        """
        problem, items = run.problem, run.items.take(rounds_of(run.sample).rows)
        shares = problem.once("shares of labels", lambda: problem.belief.mean.mean(axis=0))
        anyone = Belief(problem.pool.task, np.broadcast_to(shares, (len(items), *shares.shape)))
        one, which = one_of_each(metric, items, anyone)  # one belief for all: few cells
        typical, about = items.take(one), anyone.take(one)
        mean = effects(expected_loss(metric, typical, about), jacobian)[which]
        square = expected_squares(metric, typical, about, jacobian)[which]
        added = self._added(run, effects(foreseen, jacobian), mean, square)
        return np.asarray(added * np.sqrt(UNLIKE / np.maximum(added.sum(axis=0), TINY)))

    def _unmet(
        self,
        metric: Metric,
        run: Run,
        foreseen: Floats,
        jacobian: Jacobian,
        variance: Floats,
        degrees: Floats,
    ) -> Floats:
        """Factors, (k, m), that raise a variance V̂ of ν degrees of freedom to (ν V̂ + ν₀ V_π)/(ν + ν₀), if V_π is larger.

        V_π is the variance of the same rows if their labels were as the belief after all labels has them, and ν₀ is
        `BELIEVED`: the posterior mean under a scaled inverse χ² prior. ν counts what the residuals show: the imagined
        label in V̂ is spread over all rows, and would make a variance that rests on few labels look well known.
        """
        items = run.items.take(rounds_of(run.sample).rows)
        belief = recalibrated(run.problem, run.known, items.index)
        mean = effects(expected_loss(metric, items, belief), jacobian)
        square = expected_squares(metric, items, belief, jacobian)
        added = self._added(run, effects(foreseen, jacobian), mean, square)
        expected = np.maximum(added.sum(axis=0), TINY)
        more = np.maximum(expected - variance, 0.0) * BELIEVED / (BELIEVED + degrees)
        return np.asarray(np.sqrt(added * more / expected))

    def _added(self, run: Run, foreseen: Floats, mean: Floats, square: Floats) -> Floats:
        """What each row is expected to add to the variance, (k, m): weight² · E (d − m)².

        Args:
            run: The answered run.
            foreseen: m of each row, in units of the metric, (k, m).
            mean: E d of each row, (k, m).
            square: E d² of each row, (k, m).
        """
        sample = rounds_of(run.sample)
        off = np.maximum(square - foreseen * (2 * mean - foreseen), 0.0)
        weight = self.shares(sample)[sample.round] * self.own(sample) * np.sqrt(1 - sample.inclusion)
        return np.asarray((weight[:, None] / run.population) ** 2 * off)


def off_by_part(rest: Floats, weight: Floats, part: Integers, parts: int) -> tuple[Floats, Floats]:
    """Weighted mean residual of each part, (P, d), and the factor that makes up for subtracting it from the rows, (k, 1).

    Args:
        rest: Residual ℓ − m of each row, (k, d).
        weight: How many items each row represents, (k,); 0 for a row that represents only itself.
        part: Part of each row, (k,) in 0..P−1. A part with a single row that represents other items is not corrected,
            since that row's residual would vanish.
        parts: P.
    """
    met = np.bincount(part[weight > 0], minlength=parts)
    total = np.where(met > 1, np.bincount(part, weight, parts), np.inf)
    off = summed(weight[:, None] * rest, part, parts) / total[:, None]
    narrowed = np.where(met > 1, 1 - 1 / np.maximum(met, 2), 1.0)
    return off, 1 / np.sqrt(narrowed[part, None])


def fitted(problem: Problem, evidence: Evidence) -> Believed:
    """The foresight of the belief fitted to these labels."""
    return latest(problem.kept, "opening", evidence.version, lambda: Believed(problem.believe(evidence)))


def left_out(problem: Problem, model: Errors, evidence: Evidence, positions: Integers) -> Belief:
    """π of items of the first round, (n,), each from the belief fitted to the labels of the others.

    A fit is drawn to each of its own labels. Their residuals are then smaller than those of the items left, which made limits
    too narrow: those of the mean error held in .77 of studies of 4 to 6 labels.

    Args:
        problem: What the sample was drawn for.
        model: The model of the errors.
        evidence: The labels held or given in the first round.
        positions: Positions of the items in the pool, (n,).
    """

    def apart() -> Belief:
        each = [
            model.believe(problem.sampled(evidence.where(evidence.index != n)), np.array([n]))
            for n in positions
        ]
        mean, sd = (np.concatenate([getattr(one, name) for one in each]) for name in ("mean", "sd"))
        return Belief(problem.pool.task, mean, sd)

    return latest(problem.kept, "left out", (evidence.version, positions.tobytes()), apart)


def rounds_of(sample: Sample) -> Successive:
    """The sample as rounds, each with its inclusion probabilities given the rounds before it."""
    rounds = sample.rounds if isinstance(sample, CellSample) else sample
    assert isinstance(rounds, Successive)
    return rounds


def _gone(run: Run, sample: Successive, r: int) -> Integers:
    """Items that round r cannot ask: those held, and those drawn in rounds before it."""
    return np.concatenate([run.held.index, run.items.index[sample.rows[sample.round < r]]])
