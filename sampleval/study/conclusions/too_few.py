"""Too few labels: of positives, of large errors, or of items that the sample was not drawn for, and warnings about them."""

from __future__ import annotations

import numpy as np

from sampleval.designs import Problem
from sampleval.estimators import Inference, Run
from sampleval.intervals import Interval
from sampleval.metrics import Metric
from sampleval.numerals import many, share
from sampleval.pool import Flags
from sampleval.surrogates import moments

FEW = 10  # with fewer labels of a kind than this, an estimate that needs them rests on single items
EVEN = 0.2  # degrees of freedom per label from which the labels' shares of a variance count as even


def no_positive(run: Run) -> bool:
    """Whether no known label is positive; false for tasks other than binary and multi-label."""
    return run.items.task.kind in ("binary", "multilabel") and not run.known.labels.any()


def positives(run: Run) -> int:
    """Number of known positive labels of a binary task, including those held beforehand."""
    return int(np.count_nonzero(run.known.labels == 1))


def off_target(metric: Metric, problem: Problem) -> Flags:
    """Whether each item may be asked and matters to this metric but to none that the sample is drawn for, (N,).

    Args:
        metric: The metric that is estimated.
        problem: The problem that the sample is drawn for.
    """
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

    Args:
        metric: The metric that is estimated.
        run: The answered run.
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

    Args:
        metric: The metric that is estimated.
        run: The answered run.
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

    Args:
        result: The inference about a scalar metric, with limits from a variance.
    """
    metric, labels = result.metric, result.run.random_labels
    if np.isfinite(metric.range).all():
        return ""
    degrees = float(result.spread.degrees[0])
    if not degrees < min(FEW, EVEN * labels):
        return ""
    return (
        f"few of the {labels:,} labels, about {degrees + 1:.0f}, make up most of the variance: "
        "if a few other items have still larger errors, the limits are too narrow"
    )


def warned(few: str) -> str:
    """The clause of `blind_spot` with its consequence for the limits."""
    return few and f"{few}: the limits may be too narrow"


def narrowed(interval: Interval) -> bool:
    """Whether these limits may be too narrow with few labels: those for any look are valid for any labels."""
    return interval.known and interval.width > 0 and interval.method != "anytime"
