"""The variances that limits are computed from: those of the sample, or those expected under the belief."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sampleval.designs import Design, Profile
from sampleval.estimators import Inference, Run, held_loss, known_loss
from sampleval.intervals import Basis, possible_variance
from sampleval.metrics import Metric, between_systems, finite
from sampleval.planning import variance_at
from sampleval.pool import Flags, Floats, Integers
from sampleval.surrogates import celled, expected_squares, pooled_squares

# A variance of which one label contributes this share has hardly a second degree of freedom. One mistake among ten labels of
# equal weight contributes exactly .9 and must not count, or the mean over such samples would be too large. The margin keeps
# rounding, and so the order of the labels, from deciding this.
LONE = 0.9 * (1 + 1e-9)
MANY = 300  # of more classes, each takes too long for the variance of its difference to be expected as well
MOST = 1 << 23  # largest number of effects of single items that are computed for one conclusion


@dataclass(frozen=True, slots=True, eq=False)
class Grounded:
    """The inputs of the limits of each component, all (m,) except `range`.

    Attributes:
        value: The estimates.
        variance: Their variances, 0 where the sample shows none.
        anticipated: Variances expected under the belief, `nan` where the sample's own are sufficient.
        predicted: Values expected under the belief, `nan` likewise.
        telling: Number of labels that could have shown variation, infinite where it is not known.
        degrees: Degrees of freedom of the variances, infinite where the belief's variances stand in, and for shares,
            whose limits already allow for a variance that depends on the share.
        range: Smallest and largest possible value.
    """

    value: Floats
    variance: Floats
    anticipated: Floats
    predicted: Floats
    telling: Floats
    degrees: Floats
    range: tuple[float, float]

    @property
    def basis(self) -> Basis:
        """The basis of the interval of a scalar metric."""
        return Basis(
            float(self.value[0]),
            float(self.variance[0]),
            float(self.anticipated[0]),
            float(self.predicted[0]),
            self.range,
            telling=float(self.telling[0]),
            degrees=float(self.degrees[0]),
        )


def variances_of(result: Inference) -> Floats:
    """Estimated variance of each component, (m,), 0 where it is only a rounding error."""
    return possible_variance(result.spread.variance, result.value, result.metric.range)


def grounded(result: Inference, design: Design) -> Grounded:
    """The sample's variances, or the belief's where the sample shows none, or does not show enough and the belief's are larger.

    A variance that rests on one label is often far too small. So is that of labels that are all alike if the estimate
    differs from an end of its range only through held items or predicted losses, and that of two systems which few labels
    tell apart.
    """
    metric, run, value = result.metric, result.run, result.value
    (low, high), variance = metric.range, variances_of(result)
    varies = (variance > 0) & (low < value) & (value < high)
    with np.errstate(over="ignore"):  # squares of numbers near the largest float
        squares = result.spread.factor**2
    lone = squares.max(axis=0, initial=0.0) >= LONE * squares.sum(axis=0)
    asked = result.asked
    few, apart = lone | at_an_end(metric, asked), disputed(metric) and len(value) <= MANY
    scant = varies & (few | apart)
    anticipated, predicted, telling = np.full((3, len(value)), [[np.nan], [np.nan], [np.inf]])
    chosen = np.flatnonzero(np.isfinite(value) & (scant | ~varies))
    if len(chosen):
        anticipated[chosen], predicted[chosen] = anticipate(result, design, chosen)
        telling[chosen] = telling_labels(result, asked)[chosen]
        if apart and not metric.vector:
            for other in profiles_of(result)[1:]:
                least = np.fmin(anticipated, variance_at(design, other, max(len(run.items), 1)))
                anticipated = np.where(varies & ~few, least, anticipated)
    degrees = np.full(len(value), np.inf)
    if metric.graded or not np.isfinite([low, high]).all():
        own = varies & ~(scant & (anticipated > variance))
        degrees[own] = result.spread.degrees[own]
    variance = np.where(scant, np.fmax(variance, anticipated), variance)
    return Grounded(value, variance, anticipated, predicted, telling, degrees, metric.range)


def expecting(known: Grounded, result: Inference, design: Design) -> Grounded:
    """The variances that limits for all components at once rest on: not below those that the belief expects.

    Where items that are seldom asked have heavy labels, most samples hold none of those that matter, and their variance is
    too small. Of many components, some are at their worst: of the product pairs, whose positives are 50 of 53,753 items, the
    precisions at all thresholds lay in their band in .78 of studies of 5,000 labels by `queue`, and of 2 % positives in .3
    of studies of 200; with these variances in .98 and .95. Limits of one component keep the sample's own variance, as a
    metric of its own does, and so do designs that give every item the same chance.
    """
    metric, run = result.metric, result.run
    chosen = np.flatnonzero((known.variance > 0) & np.isfinite(known.value))
    if design.blind or run.items.task.kind != "binary" or metric.terms or len(chosen) < 2:
        return known
    variance = known.variance.copy()
    expected, _ = anticipate(result, design, chosen)
    variance[chosen] = np.fmax(variance[chosen], expected)
    return replace(known, variance=variance)


def at_an_end(metric: Metric, asked: Floats) -> Flags:
    """Whether the metric of the asked labels' Σℓ alone, (d,), lies at an end of its range, (m,).

    Without predicted losses and held labels, the estimate lies at that end too and shows no variance. Otherwise it shows
    a little, from differences between the predictions for these labels. Limits of recall by class from that variance
    covered the truth in .83 of studies of 15 labels.
    """
    value, (low, high) = metric.value(asked), metric.range
    return np.asarray((value == low) | (value == high))


def disputed(metric: Metric) -> bool:
    """Whether only labels of items that two systems decide or score differently show how a metric varies.

    The sample may hold few of them although the pool's are known, and they may stand for fewer items than those it lacks.
    Of two versions that decide a tenth of the items differently, limits of differences of accuracy from the labels' own variance
    held in .36 of studies of 60 labels, and of F1 in .6. Errors of predicted numbers are excepted, since all of them differ.
    """
    return bool(np.isfinite(metric.range).all() and between_systems(metric))


def profiles_of(result: Inference) -> tuple[Profile, ...]:
    """The profiles of a difference of two systems, of whose variances the smallest counts: linearised at expected values.

    The belief may take a rare class for far rarer than it is, so a mean over classes has one at the estimated values too.
    """
    metric, problem = result.metric, result.run.problem
    first = problem.profile_for(metric)
    return (first, problem.profile_at(metric, result.risk)) if metric.counts.averages else (first,)


def telling_labels(result: Inference, asked: Floats) -> Floats:
    """Number of asked labels that could have made a share vary, (m,), from their Σℓ: the positives for recall, all for accuracy.

    Held items are a known part of the whole. The rest then has less weight, and the same number of labels is more
    informative about the whole, which increases this number. It is infinite for metrics that are not shares.
    """
    metric, run, risk = result.metric, result.run, result.risk
    if metric.counts.wholes is None:
        return np.full(len(metric.value(risk)), np.inf)
    held = np.broadcast_to(held_loss(metric, run), risk.shape)
    here, known, whole = (
        np.asarray(metric.counts.wholes(each)) for each in (asked, held, risk * run.population)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole > known, here * whole / (whole - known), np.inf)


def at_most(metric: Metric, run: Run) -> Floats:
    """Largest possible value of each component of a total, (m,): the counted items plus all items without a label.

    For other metrics, it is the upper end of the range, (). The bound matters when few items are left without a label.
    """
    top = metric.range[1]
    if not metric.total or metric.counts.wholes is None:
        return np.asarray(top)
    known = known_loss(metric, run)
    value = metric.value(known)
    whole, items = np.asarray(metric.counts.wholes(known)), np.count_nonzero(run.responded) + len(run.held)
    most = (np.nan_to_num(value) * whole + run.population - items) / run.population
    return np.where(whole == items, np.minimum(most, top), top)


def anticipate(result: Inference, design: Design, chosen: Integers) -> tuple[Floats, Floats]:
    """(V_model, values) expected under the first belief for these components and the number of labels asked, (c,) each.

    A variance from the sample alone would be 0 if no item that matters was drawn. If there are too many components to
    plan for each of them, or if few items of a large pool tell two systems apart, V_model is (1/N²) Σ_n (1/b_n − 1) E_π d_n².
    """
    metric, problem, labels = result.metric, result.run.problem, max(len(result.run.items), 1)
    profile, risk = problem.profile, problem.predicted_risk(metric)
    value = metric.value(risk)[chosen]
    if not metric.vector:
        return np.array([variance_at(design, problem.profile_for(metric), labels)]), value
    rows = finite(metric.gradient(risk))[chosen]
    items, belief = problem.pool.items, problem.belief
    many = len(chosen) * len(profile.typical) * max(problem.pool.task.width, 1) > MOST
    sparse = bool(metric.terms) and celled(metric, items.task) and len(profile.typical) < len(profile.order)
    if many or sparse:
        b = design.inclusion(problem, labels)
        weight = np.divide(1.0, b, out=np.ones_like(b), where=b > 0) - 1
        variance = pooled_squares(metric, items, belief, weight, rows) / problem.pool.size**2
    else:
        squares = expected_squares(metric, items.take(profile.typical), belief.take(profile.typical), rows)
        variance = design.variance(profile.with_square(squares), np.array([labels], float))[0]
    return np.where(np.isfinite(value), variance, np.nan), value
