"""From answers to a metric: plug the estimated mean loss into g, and carry its covariance through the Jacobian Dg."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from sampleval._checks import conforms
from sampleval.designs import Problem
from sampleval.estimators.base import Assisted, Estimator, Linear, Predictive, weighted_mean
from sampleval.estimators.class_ratios import bounded_slope, ratio_bias, weight_bias
from sampleval.estimators.middle import middle
from sampleval.estimators.run import Run, held_loss, known_loss, losses, seen
from sampleval.estimators.spread import ROUNDING, Spread
from sampleval.metrics import Metric, effects
from sampleval.metrics.class_counts import mean_defined
from sampleval.metrics.jacobians import Jacobian
from sampleval.pool import Flags, Floats, scored


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """What the predictions of a linear estimator leave of the losses, which are the losses themselves without a model.

    Losses ℓ and predictions m, `foreseen` or 0 without a model, are those of each answer, (k, d). The `mean` loss is that of
    the items sampled from, (d,).
    """

    metric: Metric
    run: Run
    estimator: Linear
    loss: Floats
    mean: Floats
    foreseen: Floats

    @property
    def rest(self) -> Floats:
        """ℓ − m of each answer, (k, d)."""
        return self.loss - self.foreseen

    def covariance(self, jacobian: Jacobian, *, unshown: bool = True) -> Spread:
        """Dg·Cov(R̂)·Dgᵀ, from Dg, (m, d), and the residuals' effects Dg·(ℓ − m).

        A model-assisted estimator adds what labels and mistakes that were not met would, if `unshown`; labels held under a
        stochastic oracle add d/N each, which is never too small.
        """
        run, estimator = self.run, self.estimator
        shown = estimator.spread(run.sample, effects(self.rest, jacobian), jacobian @ self.mean)
        spread = shown.scaled(run.sampled)
        if unshown and conforms(estimator, Assisted):
            spread = spread.beside(estimator.unshown(self.metric, run, self.foreseen, jacobian, spread))
        if run.problem.stochastic and len(run.held) and len(run.items):
            held = run.problem.losses(self.metric, run.held)
            spread = spread.beside(effects(held, jacobian) / run.population)
        return spread

    def of_classes(self, risk: Floats) -> tuple[Jacobian, float, float]:
        """Of a mean over classes its `bounded_slope`, the estimated bias at R̂, (d,), and its standard error; of others, Dg and 0.

        Scores may be wrong about which classes are missed: half of what the weights seem to add is subtracted, and as much
        is its standard error.
        """
        if not self.metric.means_over_classes or not len(self.loss):
            return self.metric.gradient(risk), 0.0, 0.0
        spread = self.estimator.spread(self.run.sample, self.rest, self.mean).scaled(self.run.sampled)
        bias, added = ratio_bias(self.metric, risk, spread), 0.0
        if not foresees_misses(self.estimator, self.run.problem):
            added = weight_bias(self.metric, self.run, risk, weights(self.run, self.estimator)) / 2
        bias = bias if np.isfinite(bias) else 0.0
        return bounded_slope(self.metric, risk, spread), bias + added, abs(added)


@dataclass(frozen=True, slots=True, eq=False)
class Inference:
    """The inference from a run about a metric.

    Attributes:
        metric: The metric.
        run: The answers.
        estimator: The one that weighed them.
        value: Ĝ, (m,); `nan` where undefined.
        spread: Its estimated covariance, in factors.
        risk: R̂, (d,).
        draws: Draws of G from an estimator's posterior, (J, m); `None` from one that has none.
        residuals: Those of a linear estimator; `None` from a posterior.
    """

    metric: Metric
    run: Run
    estimator: Estimator
    value: Floats
    spread: Spread
    risk: Floats
    draws: Floats | None = None
    residuals: Residuals | None = None

    @property
    def asked(self) -> Floats:
        """Σℓ of the labels asked for, (d,)."""
        metric, run, left = self.metric, self.run, self.residuals
        return seen(metric, run) if left is None else np.asarray(left.loss[run.responded].sum(axis=0))


def infer(metric: Metric, run: Run, estimator: Estimator) -> Inference:
    """Ĝ = g(R̂) and its covariance: by the delta method, Dg·Cov(R̂)·Dgᵀ (M Thm 2), or from a posterior.

    R̂ is the weighted mean of losses, or that of predicted losses and weighted residuals, with the labels held. Residuals may
    push it out of the possible range, and a precision of 1.03 is no error of the metric then: counts are clamped and the
    value is clipped. From a mean over classes, such as balanced accuracy, the estimated bias of its ratios (`ratio_bias`)
    is subtracted, and none of them varies more than it can (`bounded_slope`). The metric may be any, whether or not the
    sample was drawn for it; the estimator must accept the sample.
    """
    if conforms(estimator, Predictive):
        return from_draws(metric, run, estimator)
    assert conforms(estimator, Linear)
    # An undefined component has an undefined gradient: its spread is nan, without a warning.
    with np.errstate(invalid="ignore"):
        sample, loss = run.sample, losses(metric, run)
        mean, foreseen = np.zeros(loss.shape[1]), np.zeros_like(loss)
        if sample.population:
            mean = weighted_mean(estimator, sample, loss)
            if conforms(estimator, Assisted):
                foreseen, added = estimator.foreseen(metric, run)
                mean = mean + added
        risk = np.asarray(held_loss(metric, run) / run.population + run.sampled * mean)
        if conforms(estimator, Assisted):
            risk = as_seen(metric, run, risk)
        plug_in = metric.value(risk)
        if not conforms(estimator, Assisted) and metric.is_ratio(risk, plug_in):
            metric.attained(risk, plug_in)
        left = Residuals(metric, run, estimator, loss, mean, foreseen)
        jacobian, bias, doubt = left.of_classes(risk)
        spread = left.covariance(jacobian)
        if doubt:
            spread = spread.beside(np.array([[doubt]]))
        value = np.clip(plug_in - bias, *metric.range)
    return Inference(metric, run, estimator, value, spread, risk, residuals=left)


def as_seen(metric: Metric, run: Run, risk: Floats) -> Floats:
    """A model-assisted R̂, (d,), that no label contradicts: counts in their possible range, and undefined where labels are.

    Labels that are numbers and all alike leave R² undefined. How much the true values vary would then be predicted, up to
    the error of the prediction: R² was −1,164 after 60 such labels, with limits.
    """
    told = known_loss(metric, run) / run.population  # all 0 if no label of the metric's part is known
    if run.items.task.kind == "regression" and told.any() and np.isnan(metric.value(told)).all():
        return told
    if run.problem.stochastic or not clamped(metric):
        return risk
    return clamp_to_seen(metric, risk, told)


def clamped(metric: Metric) -> bool:
    """Whether counts are moved into their possible range: all but those of a mean of ratios that are linear in the labels.

    For classes with hardly any labels, most estimated counts lie below the truth and a few lie far above what is
    possible, but their mean is unbiased. Moving them into the possible range made the macro precision of 60 classes .2
    too low after 100 labels.
    """
    each = metric.counts.mean_of
    return metric.counts.nonnegative and not (each and not each.counts.of_class)


def clamp_to_seen(metric: Metric, risk: Floats, least: Floats) -> Floats:
    """R̂ raised to at least the observed sums per item, `least`, both (d,).

    The corrections of a model-assisted mean may push a rare count below the number observed, even below 0. Raising it
    lowers its error, but biases the mean slightly upwards. What one class gains is taken from the others in proportion
    to how far they exceed their observed counts, since scores that are wrong on labelled items are wrong elsewhere too.
    """
    raised = np.maximum(risk, least)
    if metric.counts.share:  # the rest of the whole must also be at least as large as the observed rest
        raised[0] = min(raised[0], raised[1] - (least[1] - least[0]))
    if metric.counts.per_class:
        told, floor, above = (part[:-1].reshape(3, -1) for part in (risk, least, raised - least))
        left = np.maximum((told - floor).sum(axis=1), 0.0) / np.maximum(above.sum(axis=1), 1e-300)
        raised[:-1] = (floor + left[:, None] * above).ravel()
    return raised


def foresees_misses(estimator: Estimator, problem: Problem) -> bool:
    """Whether predictions make up for missed items that are seldom asked for: those of a model-assisted mean do, if from scores.

    From decisions alone they do not: of 60 classes, macro recall was .17 too high at 200 labels.
    """
    return conforms(estimator, Assisted) and problem.once("scored", lambda: scored(problem.pool))


def weights(run: Run, estimator: Estimator) -> Floats:
    """How many items each answer of the run represents, summed over all its draws, (k,)."""
    sample = run.sample
    if not len(run.items):  # where nothing is left to ask, the sample is of no design
        return np.empty(0)
    each = estimator.weight(sample) if conforms(estimator, Linear) else sample.weight
    return np.bincount(sample.rows, each, len(run.items)).astype(float)


def from_draws(metric: Metric, run: Run, estimator: Predictive) -> Inference:
    """The `middle` of G over posterior draws of R, and the spread of G over the draws for limits.

    Draws that leave a component undefined are left out. If at least half of them do, the component is undefined.
    """
    risk, doubtful = estimator.predict(metric, run.problem, run.known)
    draws = values_at(metric, doubtful)
    metric.attained(risk[0])
    centre = np.clip(middles(metric, risk), *metric.range)  # an area may be 1 and a rounding error
    defined = np.isfinite(draws)
    median = np.nanmedian(np.where(defined.any(axis=0), draws, 0.0), axis=0)
    factor = np.where(defined, draws - median, 0.0) / np.sqrt(len(draws))
    factor[:, np.isnan(centre) | (defined.mean(axis=0) <= 0.5)] = np.nan
    spread = Spread(factor, np.zeros(len(centre)))
    return Inference(metric, run, estimator, centre, spread, risk.mean(axis=0), draws)


def values_at(metric: Metric, risks: Floats) -> Floats:
    """g(R) of every draw, (J, d) to (J, m): in one call if g is vectorised over draws, otherwise one by one.

    Whether g is vectorised is tested on a few draws, since user-defined metrics may index R in any way.
    """
    few = np.stack([metric.value(r) for r in risks[:5]])
    with suppress(TypeError, ValueError, IndexError):
        at_once = metric.value(risks.T).T
        same = np.allclose(at_once[:5], few, rtol=ROUNDING, atol=ROUNDING, equal_nan=True)
        if same and at_once.shape[1] == few.shape[1]:
            return at_once
    return np.stack([*few, *(metric.value(r) for r in risks[len(few) :])])


def middles(metric: Metric, risks: Floats) -> Floats:
    """The `middle` of each component over draws of R, (J, d) to (m,); for a mean over classes, the mean of their middles."""
    if (each := metric.counts.mean_of) is not None:
        return np.atleast_1d(mean_defined(middles(each, risks)))
    draws = values_at(metric, risks)
    of_open = np.broadcast_to(of_open_wholes(metric, risks), draws.shape[1])
    return np.array([middle(each, of_open=at) for each, at in zip(draws.T, of_open, strict=True)])


def of_open_wholes(metric: Metric, risks: Floats) -> Flags:
    """Which components are shares of an unknown total over draws of R, (J, d): (m,) or (1,), as recall is and precision is not.

    A difference is never counted as one. A metric that may be negative, or that has no `Counts.wholes`, is counted if it
    needs a positive: the correlations, κ, the areas.
    """
    if metric.terms:
        return np.array([False])
    if metric.counts.wholes is None or metric.range[0] < 0:
        return np.array([metric.needs_positives])
    wholes = risks @ metric.counts.whole_slopes(risks.shape[1])
    return np.asarray(np.ptp(wholes, axis=0) > ROUNDING * np.abs(wholes).max(axis=0))
