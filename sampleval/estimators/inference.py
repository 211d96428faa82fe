"""From answers to a metric: plug the estimated mean loss into g, carry its spread through Dg."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from sampleval._checks import conforms
from sampleval.estimators.base import Assisted, Estimator, Linear, Predictive, Spread, weighted_mean
from sampleval.estimators.run import Run, held_loss, losses, seen
from sampleval.metrics import Encoded, Metric, effects
from sampleval.pool import Flags, Floats, Integers
from sampleval.surrogates import worst_labels

TURNS = 4  # of the gradient, at most, on the way to the labels that move a metric farthest
TRIED = 3  # unanswered items of two classes, at most, of which all labels are tried: it takes no longer than the turns
LEAST = 1e-12  # of a share, on a scale of logarithms
ROUNDING = 1e-9
STEEP = 1e100  # what a slope without end counts as, so that sums over it have one


@dataclass(frozen=True, slots=True, eq=False)
class Inference:
    """What a run says about a metric.

    Attributes:
        value: Ĝ, (m,); `nan` where undefined.
        spread: Its estimated covariance, in factors.
        risk: R̂, (d,).
        draws: Draws of G from an estimator's posterior, (J, m); `None` from one that has none.
    """

    value: Floats
    spread: Spread
    risk: Floats
    draws: Floats | None = None


def infer(metric: Metric, run: Run, estimator: Estimator) -> Inference:
    """Ĝ = g(R̂) and its spread: by the delta method, Dg·Cov(R̂)·Dgᵀ (M Thm 2), or from a posterior.

    Args:
        metric: Any metric, whether or not the sample was drawn for it.
        run: The answers.
        estimator: One that accepts the run's sample.
    """
    if conforms(estimator, Predictive):
        return from_draws(metric, *estimator.predict(metric, run.problem, run.known))
    assert conforms(estimator, Linear)
    held = held_loss(metric, run)
    population = run.population
    sampled = run.sample.population / population
    rest, mean, foreseen = residuals(metric, run, estimator)
    risk = held / population + sampled * mean
    if conforms(estimator, Assisted) and not run.problem.stochastic and clamped(metric):
        risk = clamp_to_seen(metric, risk, (held + seen(metric, run)) / population)
    jacobian = metric.gradient(risk)
    with np.errstate(invalid="ignore"):  # an undefined component has an undefined gradient: its spread is nan
        spread = estimator.spread(run.sample, effects(rest, jacobian), jacobian @ mean)
        spread = Spread(sampled * spread.factor, sampled * spread.minus)
        if conforms(estimator, Assisted):
            spread = spread.beside(estimator.unshown(metric, run, foreseen, jacobian))
        if run.problem.stochastic and len(run.held) and len(run.items):
            spread = spread.beside(of_held(metric, run, jacobian))
    # Corrections may push a model-assisted mean beyond what is possible, to a precision of 1.03. Weights alone never do.
    if not conforms(estimator, Assisted) and metric.is_ratio(risk):
        metric.attained(risk)
    value = np.clip(metric.value(risk), *metric.range)
    return Inference(value, spread, risk)


def of_held(metric: Metric, run: Run, jacobian: Floats) -> Floats:
    """What held labels add to the spread where another answer might differ, (h, m): d/N each, never too small.

    Args:
        metric: Any metric.
        run: The answers, and those held.
        jacobian: Dg at the estimate, (m, d).
    """
    return effects(metric.loss(run.held, run.held_labels), jacobian) / run.population


def clamped(metric: Metric) -> bool:
    """Whether counts are moved into their possible range: all but those of a mean of ratios that are linear in the labels.

    For classes that are hardly ever met, most estimated counts lie below the truth and a few lie far above what is
    possible. Left as they are, their mean is unbiased. Moving them into the possible range made the macro precision
    of 60 classes .2 too low after 100 labels.
    """
    return metric.counted and not (metric.averages and not metric.averages.of_class)


def clamp_to_seen(metric: Metric, risk: Floats, least: Floats) -> Floats:
    """R̂ moved to where what was seen, `least`, allows it to be, both (d,).

    The corrections of what was foreseen may push a rare count below what was seen, even below 0. Moving it back
    lowers its error, but leaves a mean that was unbiased a little above R. Whatever one class gains, the others give
    up in proportion: scores that were wrong where labels were met are wrong elsewhere too.
    """
    raised = np.maximum(risk, least)
    if metric.share:  # and of the whole's other part at least as much is left
        raised[0] = min(raised[0], raised[1] - (least[1] - least[0]))
    if metric.groups:
        told, floor, above = (part[:-1].reshape(metric.groups, -1) for part in (risk, least, raised - least))
        left = np.maximum((told - floor).sum(axis=1), 0.0) / np.maximum(above.sum(axis=1), 1e-300)
        raised[:-1] = (floor + left[:, None] * above).ravel()
    return raised


def weights(run: Run, estimator: Estimator) -> Floats:
    """How many items each answer of the run speaks for, over all its draws, (k,)."""
    sample = run.sample
    each = estimator.weight(sample) if conforms(estimator, Linear) else sample.weight
    return np.bincount(sample.rows, each, len(run.items)).astype(float)


def from_draws(metric: Metric, risk: Floats, doubtful: Floats) -> Inference:
    """The middle of G over draws of R, (J, d), and the spread of G over draws that keep doubts in mind.

    Draws that leave a component undefined are left out; where most do, it is undefined.
    """
    draws = values(metric, doubtful)
    metric.attained(risk[0])
    centre = middles(metric, risk)
    defined = np.isfinite(draws)
    median = np.nanmedian(np.where(defined.any(axis=0), draws, 0.0), axis=0)
    factor = np.where(defined, draws - median, 0.0) / np.sqrt(len(draws))
    factor[:, np.isnan(centre) | (defined.mean(axis=0) <= 0.5)] = np.nan
    return Inference(centre, Spread(factor, np.zeros(len(centre))), risk.mean(axis=0), draws)


def values(metric: Metric, risks: Floats) -> Floats:
    """g(R) of every draw, (J, d) to (J, m): all at once where g works column by column, else one by one.

    Whether it does is seen from a few draws, since a metric of one's own may index R as it likes.
    """
    few = np.stack([metric.value(r) for r in risks[:5]])
    try:
        with np.errstate(all="ignore"):
            at_once = np.asarray(metric.g(risks.T), float).T
    except (TypeError, ValueError, IndexError):
        at_once = np.empty(0)
    at_once = np.where(np.isfinite(at_once), at_once, np.nan)
    if at_once.shape == (len(risks), few.shape[1]) and np.array_equal(at_once[:5], few, equal_nan=True):
        return at_once
    return np.stack([few[k] if k < len(few) else metric.value(r) for k, r in enumerate(risks)])


def middles(metric: Metric, risks: Floats) -> Floats:
    """The middle of each component over draws of R, (J, d) to (m,); a mean over classes has the mean of theirs."""
    if metric.averages is not None:
        return np.array([middles(metric.averages, risks).mean()])
    draws = values(metric, risks)
    of_open = np.broadcast_to(of_open_wholes(metric, risks), draws.shape[1])
    return np.array([middle(each, of_open=at) for each, at in zip(draws.T, of_open, strict=True)])


def of_open_wholes(metric: Metric, risks: Floats) -> Flags:
    """Which components are shares of a whole that is itself unknown, (m,) or (1,): recall is one, precision is not.

    Args:
        metric: Any metric. A difference is never counted as one. A metric that may be negative, or that has no
            `Metric.wholes`, is counted if it needs a positive: the correlations, κ, the areas.
        risks: Draws of R, (J, d).
    """
    if metric.terms:
        return np.array([False])
    if metric.wholes is None or metric.range[0] < 0:
        return np.array([metric.needs_positives])
    each = np.stack([np.asarray(metric.wholes(unit)) for unit in np.eye(risks.shape[1])])  # linear in R
    wholes = risks @ each
    return np.asarray(np.ptp(wholes, axis=0) > ROUNDING * np.abs(wholes).max(axis=0))


def middle(draws: Floats, *, of_open: bool = False) -> float:
    """The median of the shortest stretch that holds half of the draws; `nan` where most are undefined.

    Where scores tell classes apart almost perfectly, the draws crowd at one value, with a long tail of values that
    are merely possible. The tail moves the mean far and the median by an item or two, but it does not move this
    middle. For a share of a whole that may be ten times as large, the tail crowds too, at 0, but not on a logarithmic
    scale. The less the shortest stretches on the two scales overlap, the more the median of the logarithmic one
    counts. Without this, recall of record pairs was estimated at .2 after 200 labels where it was .89, with 10 of 60
    missed.

    Args:
        draws: (J,).
        of_open: Whether they are shares of what is not known itself, or correlations with it: more above 0 than below, if
            below at all.

    >>> middle(np.array([0.0, 1.0, 1.0, 1.0, 2.0, 5.0, 9.0]))
    1.0
    >>> recall = 60 / (60 + np.geomspace(1, 6000, 999))
    >>> round(middle(recall), 2), round(middle(recall, of_open=True), 2)
    (0.08, 0.87)
    """
    defined = np.sort(draws[np.isfinite(draws)])
    if len(defined) <= len(draws) / 2:
        return np.nan
    plain = shortest(defined)
    found = middle_of(defined, plain)
    if not of_open or np.median(defined) <= 0:
        return found
    by_log = shortest(np.log(np.maximum(defined, LEAST)))
    common = 1 - abs(by_log.mean() - plain.mean()) / max(len(defined) / 2, 1)  # share of a stretch
    doubt = min(max(1 - 2 * common, 0.0), 1.0)
    return (1 - doubt) * found + doubt * middle_of(defined, by_log)


def shortest(at: Floats) -> Integers:
    """Where the shortest stretch of half of these places begins, (2,); of several equally short, the middle one or two.

    That makes it symmetric: the middle of 1 − G is 1 minus the middle of G.

    Args:
        at: In ascending order, (J,).
    """
    last = half(at) - 1
    widths = at[last:] - at[: len(at) - last]
    firsts = np.flatnonzero(widths <= widths.min() + 1e-12 * (at[-1] - at[0]))
    return firsts[[(len(firsts) - 1) // 2, len(firsts) // 2]]


def middle_of(defined: Floats, firsts: Integers) -> float:
    """The mean of the medians of the halves of the draws that begin at these places."""
    return float(np.mean([np.median(defined[k : k + half(defined)]) for k in firsts]))


def half(draws: Floats) -> int:
    """How many draws count as half of these: one at least."""
    return max(len(draws) // 2, 1)


def residuals(metric: Metric, run: Run, estimator: Linear) -> tuple[Floats, Floats, Floats]:
    """What of each row's loss was not foreseen, (k, d), the estimated mean loss, (d,), and what was foreseen, (k, d)."""
    loss = losses(metric, run)
    nothing = np.zeros_like(loss)
    if not run.sample.population:
        return loss, np.zeros(loss.shape[1]), nothing
    mean = weighted_mean(estimator, run.sample, loss)
    if not conforms(estimator, Assisted):
        return loss, mean, nothing
    foreseen, added = estimator.foreseen(metric, run)
    return loss - foreseen, mean + added, foreseen


def tangled(metric: Metric, run: Run) -> bool:
    """Whether what one label moves depends on the others, as with gaps and ranks."""
    return run.items.task.kind != "regression" and (metric.among is not None or not metric.smooth)


def tried(run: Run) -> bool:
    """Whether all labels of the unanswered items can be tried."""
    return run.items.task.kind == "binary" and int(np.count_nonzero(~run.responded)) <= TRIED


def extremes(metric: Metric, run: Run, estimator: Estimator, at: Inference) -> list[tuple[Run, Inference]]:
    """The run completed with the labels that make a scalar metric lowest and highest, and what each of the two says.

    Only unanswered items get such labels. Each label is chosen along the gradient at the estimate, then along the
    gradient at the result, for as long as that leads further: with products and gaps the gradient turns on the way.
    If what one label moves depends on the others and only a few items are open, all of their labels are tried. A
    number has no worst case: there the belief's 0.5 % and 99.5 % quantiles stand in.
    """
    silent, everyone = np.flatnonzero(~run.responded), np.ones(len(run.items), bool)
    items, belief = run.items.take(silent), run.belief.take(silent)

    def completed(given: Encoded) -> tuple[Run, Inference]:
        labels = run.labels.copy()
        labels[silent] = given
        whole = replace(run, labels=labels, responded=everyone)
        return whole, infer(metric, whole, estimator)

    def onwards(risk: Floats, side: int) -> tuple[Run, Inference]:
        gradient = np.nan_to_num(metric.gradient(risk), posinf=STEEP, neginf=-STEEP)
        return completed(worst_labels(metric, items, belief, gradient)[side])

    if tangled(metric, run) and tried(run):
        told = [completed(np.array(labels)) for labels in product((0, 1), repeat=len(silent))]
        known = [end for end in told if not np.isnan(end[1].value[0])]
        return [pick(known, key=lambda end: end[1].value[0]) for pick in (min, max)] if known else []
    ends = []
    for side, sign in enumerate((-1.0, 1.0)):
        best = onwards(at.risk, side)
        for _ in range(TURNS):
            further = onwards(best[1].risk, side)
            if not sign * further[1].value[0] > sign * best[1].value[0]:
                break
            best = further
        ends.append(best)
    return ends
