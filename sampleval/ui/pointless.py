"""Why no label can tell anything about a metric, in words."""

from __future__ import annotations

import math

from sampleval.metrics import Metric, resolve, unmoved
from sampleval.metrics.names import the
from sampleval.planning import Plan
from sampleval.pool import Pool
from sampleval.study import Study
from sampleval.ui import words


def why(plan: Plan, pool: Pool) -> str:
    """Why labels could not tell anything about this metric; "" if they can."""
    metric = resolve(plan.metric)
    if nothing_predicted(pool) and unmoved(metric, pool):
        return _nothing_to_ask(metric.title)
    if known := nothing_apart(metric, pool):
        return known
    if not math.isfinite(plan.predicted):
        return f"{plan.note}."
    if not plan.inclusion.any():
        return _nothing_to_ask(metric.title)
    return ""


def _nothing_to_ask(title: str) -> str:
    """The message about a metric that no label can change."""
    return f"No label can change {the(title)} here, so there is nothing to ask."


def nothing_here(study: Study) -> str:
    """The same on the pages of a study without answers, in Markdown, with what to do."""
    title = study.metric(study.settings.main).title
    return f"{words.plain(_nothing_to_ask(title))} Plan a study of another metric."


def nothing_apart(metric: Metric, pool: Pool) -> str:
    """The message for a difference of systems that agree on every item; "" if they do not."""
    told = [system for system in pool.systems if system.name in metric.systems]
    if len(told) < 2 or not all(told[0].agrees(other, scores=metric.of_scores) for other in told[1:]):
        return ""
    said = "score and decide alike" if metric.of_scores else "decide alike"
    names = " and ".join(f"“{system.name}”" for system in told)
    return f"{names} {said} on every item: no label can tell them apart."


def nothing_predicted(pool: Pool) -> str:
    """The message for a pool in which no item is predicted positive; "" if some are."""
    if pool.task.kind != "binary" or pool.pred.any():
        return ""
    return (
        "No item is predicted positive: precision is undefined, recall and F1 can only be 0. Check the "
        "threshold, or estimate the share of positives or the accuracy."
    )
