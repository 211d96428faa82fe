"""What labels are too few to tell of: items that the sample was not drawn for, positives where none was met."""

from __future__ import annotations

import numpy as np

from sampleval.designs import Problem
from sampleval.estimators import Run
from sampleval.intervals import Interval
from sampleval.metrics import Metric
from sampleval.numerals import many, share
from sampleval.pool import Flags
from sampleval.study.conclusions.positives import FEW, no_positive
from sampleval.surrogates import moments


def off_target(metric: Metric, problem: Problem) -> Flags:
    """Items that may be asked whose label matters to this metric but to none that the sample is drawn for, (N,).

    Args:
        metric: What is estimated.
        problem: What the sample is drawn for.
    """
    others = problem.eligible & ~problem.target.possible
    if not others.any():
        return others
    key = metric, "off target"
    return problem.once(key, lambda: others & moments(metric, problem.pool.items, problem.belief).possible)


def hardly_met(metric: Metric, run: Run) -> str:
    """How few labels stand for all items off target, as a clause; "" where they are not few.

    If the sample is drawn for a part of the pool and a tenth of the sampling is spread evenly, 90% limits of the
    whole held in .59 to .82 of studies of 60 labels, four of which were of other items. From ten such labels on, they
    held as often as they say.

    Args:
        metric: What is estimated.
        run: The answered run.
    """
    others = off_target(metric, run.problem)
    there = run.items.index[run.responded & others[run.items.index]]
    labels = len(np.unique(there))
    if labels >= min(FEW, int(others.sum())):
        return ""
    met = f"only {many(labels, 'label')}" if labels else "no label"
    return f"{met} fell on items that the sample was not drawn for, {share(float(others.mean()))} of the pool"


def blind_spot(metric: Metric, run: Run) -> str:
    """What the labels are too few to tell of; "" if nothing.

    Where no label is positive, no sample shows how positives vary. With 5,000 items and 50 positives among the lowest
    scores, 90% limits of the accuracy held in none of the studies whose 100 labels met no positive.

    Args:
        metric: What is estimated.
        run: The answered run.
    """
    unmet = run.items.task.kind == "binary" and no_positive(run)
    return hardly_met(metric, run) or ("no positive is among the labels" if unmet else "")


def warned(few: str) -> str:
    """What `blind_spot` says, with what it means."""
    return few and f"{few}: the limits may be too narrow"


def narrowed(interval: Interval) -> bool:
    """Whether few labels may have made these limits too narrow: those for any look hold whatever the labels."""
    return interval.known and interval.width > 0 and interval.method != "anytime"
