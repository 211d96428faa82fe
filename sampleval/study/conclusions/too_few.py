"""Too few labels: of positives, of large errors, or of items that the sample was not drawn for, and warnings about them."""

from __future__ import annotations

import numpy as np

from sampleval.designs import Draws, Problem
from sampleval.estimators import Estimator, Inference, Run, weights
from sampleval.intervals import Interval, kish_size
from sampleval.metrics import Metric, finite
from sampleval.numerals import many, share
from sampleval.pool import Flags
from sampleval.surrogates import moments, option_effects

FEW = 10  # with fewer labels of a kind than this, an estimate that needs them rests on single items
TAIL = 0.1  # probability with which draws may have shown nothing of what is there
LEANING = 4.0  # halves of an interval's width that may be hidden behind few draws
EVEN = 0.2  # degrees of freedom per label from which the labels' shares of a variance count as even


def no_positive(run: Run) -> bool:
    """Whether no known label is positive; false for tasks other than binary and multi-label."""
    return run.items.task.kind in ("binary", "multilabel") and not run.known.labels.any()


def positives(run: Run) -> int:
    """Number of known positive labels of a binary task, including those held beforehand."""
    return int(np.count_nonzero(run.known.labels == 1))


def off_target(metric: Metric, problem: Problem) -> Flags:
    """Whether each item may be asked and matters to this metric but to none that the sample is drawn for, (N,)."""
    others = problem.eligible & ~problem.target.possible
    if not others.any():
        return others
    key = metric, "off target"
    return problem.once(key, lambda: others & moments(metric, problem.pool.items, problem.belief).possible)


def hardly_met(metric: Metric, run: Run) -> str:
    """A clause about the number of labels of `off_target` items if they are few, otherwise "".

    For samples drawn for a part of the pool with a tenth of the sampling spread evenly, 90% limits of the whole covered
    it in .59 to .82 of studies of 60 labels, four of which were of other items. With ten or more such labels, they had
    their nominal coverage.
    """
    others = off_target(metric, run.problem)
    there = run.items.index[run.responded & others[run.items.index]]
    labels = len(np.unique(there))
    if labels >= min(FEW, int(others.sum())):
        return ""
    met = f"only {many(labels, 'label')}" if labels else "no label"
    return (
        f"{met} fell on items that the sample was not drawn for ({share(float(others.mean()))} of the pool)"
    )


def blind_spot(metric: Metric, run: Run) -> str:
    """A clause about labels of which there are too few, for off-target items or positives; "" if there are none.

    Without a positive label, the sample does not show how losses of positives vary. With 5,000 items and 50 positives
    among the lowest scores, 90% limits of the accuracy covered it in none of the studies whose 100 labels had no positive.
    """
    unmet = run.items.task.kind == "binary" and no_positive(run)
    return hardly_met(metric, run) or ("no positive is among the labels" if unmet else "")


def lopsided(result: Inference) -> str:
    """A clause about the labels that make up a variance if these are few, otherwise "".

    Then the pool's largest errors are likely still without a label. Of squared errors, 90% limits contained the mean in .73
    to .80 of uniform samples of 50 to 200 labels where errors were log-normal or had Student's t of 3 degrees. Student's
    quantile at these degrees of freedom does not make up for labels that are not in the sample. Where errors are normal,
    this is said of .3 of samples of 50 labels and of none of 150. Metrics between two ends need no such warning: no loss
    of theirs is as far from the others.
    """
    metric, labels = result.metric, result.run.random_labels
    if np.isfinite(metric.range).all():
        return ""
    degrees = float(result.spread.degrees[0])
    if not degrees < min(FEW, EVEN * labels):
        return ""
    return (
        f"few of the {labels:,} labels, about {degrees + 1:.0f}, make up most of the variance: "
        "if a few other items have still larger errors, the limits may be too narrow"
    )


def gross_errors_unmet(run: Run, estimator: Estimator) -> str:
    """A clause about the share of items whose gross errors the labels may all have missed; "" where labels are no numbers.

    Neither predictions nor variances tell of them. With one error in 250 that is 25 times as large, 90% limits of MSE and R²
    from 100 labels held in none of the studies that met no such item; these were half of all, and nothing said so. Errors of
    items held beforehand are known, and so are all but those of the items without a label.
    """
    left = 1 - len(run.labelled) / run.population
    if run.items.task.kind != "regression" or not (run.responded.any() and left):
        return ""
    size = kish_size(weights(run, estimator)[run.responded])
    missed = min(run.sampled * (1 - TAIL ** (1 / size)), left)
    return f"Up to {share(float(missed))} of the items may have gross errors that none of the labels shows"


def lone_voices(result: Inference, found: Interval) -> str:
    """A clause about few draws that stand for much of the pool if the limits rely on what they show, otherwise "".

    If k draws stand for items that could move the metric by r and show nothing of it, as much as r·(1 − TAIL^(1/k)) may be
    there. Limits from the draws' variance include it if these draws vary, and otherwise leave it out. With `marchant-is`,
    `marchant-flat` and `marchant-tree`, 90% limits of 17 pools at 50 to 500 labels held in .73 of the 28 % of cases in which
    it was more than `LEANING` times half their width for some k, and in .92 of the others. On pools where they held in
    .54 to .58 of those (Naive Bayes, boosting and a forest, a third of the items positive), they held in .92 to .98 of the
    others. Nothing tells such pools from those whose scores are right about items hardly ever asked: of the digits, limits
    held in .91 of the cases in which this is said. With `yilmaz-is` it is said in 2 % of cases, of which .24 held.
    """
    metric, run = result.metric, result.run
    told = len(run.items) and run.items.task.classified and isinstance(run.sample, Draws)
    if not (told and may_be_too_narrow(found)):
        return ""
    effect = option_effects(metric, run.items, run.belief, finite(metric.gradient(result.risk)))[..., 0]
    reach = (effect.max(axis=1) - effect.min(axis=1)).sum(axis=0)  # of another label, whichever is right
    stands = weights(run, result.estimator) / run.population
    order = np.argsort(-stands * reach, kind="stable")
    moved, k = np.cumsum((stands * reach)[order]), np.arange(1, len(order) + 1)
    hidden = moved * (1 - TAIL ** (1 / k))
    if not hidden.max() > LEANING * found.width / 2:
        return ""
    few = int(hidden.argmax()) + 1
    items = share(min(float(stands[order[:few]].sum()), 1.0))
    speak, them = ("a single label speaks", "it") if few == 1 else (f"{few:,} labels speak", "them")
    return f"{speak} for {items} of the pool: if chance kept its surprises from {them}, the limits may be too narrow"


def warned(few: str) -> str:
    """The clause of `blind_spot` with its consequence for the limits."""
    return few and f"{few}: the limits may be too narrow"


def may_be_too_narrow(interval: Interval) -> bool:
    """Whether these limits may be too narrow with few labels: those for any look are valid for any labels."""
    return interval.known and interval.width > 0 and interval.method != "anytime"
