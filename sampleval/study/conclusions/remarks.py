"""Remarks on an estimate, in words."""

from __future__ import annotations

import numpy as np

from sampleval._checks import isolated
from sampleval.estimators import Run
from sampleval.intervals import joined
from sampleval.metrics import Metric, halves
from sampleval.metrics.names import sides
from sampleval.pool import Floats, Kind, Task


def remarks(metric: Metric, run: Run, waiting: int, undefined: str, allowed: str) -> str:
    """Remarks on a value and its limits, joined to one note: answers that wait, what is undefined, and items without an answer.

    Of a metric of a part of the pool, only items of that part count; `allowed` tells how the limits treat them.
    """
    silent = len(run.silent)
    if silent and metric.part is not None:
        silent = int(np.count_nonzero(metric.part.codes(run.unanswered[0])))
    return joined(
        f"answers that wait for items before them: {waiting:,}" if waiting else "",
        undefined,
        f"items without an answer: {silent:,} ({allowed})" if silent else "",
    )


def left_out(metric: Metric, risk: Floats, task: Task) -> str:
    """The classes that a mean over classes leaves out, as a clause with the reason; "" if there are none. R̂ is (d,).

    Of a difference of two systems it says whose mean leaves them out, if only one does or each leaves out others.
    """
    whose = {"": (metric, risk)}
    if metric.terms and (pair := sides(metric)):
        whose = {f" of “{isolated(who)}”": half for who, half in zip(pair, halves(metric, risk), strict=True)}
    why = {who: "; ".join(_without_value(*half, task)) for who, half in whose.items()}
    if len(alike := {*why.values()}) == 1:
        why = {"": alike.pop()}
    return "; ".join(f"the mean{who} is over the other classes: {told}" for who, told in why.items() if told)


def _without_value(metric: Metric, risk: Floats, task: Task) -> list[str]:
    """Why classes have no value in the means that a metric is made of, each reason once."""
    means = (each for each in metric.counts.averages if np.isnan(each.value(risk)).any())
    return list(dict.fromkeys(each.reason(risk, task) for each in means))


def worst(kind: Kind) -> str:
    """The labels that limits assume for missing answers, in words."""
    if kind == "regression":
        return "the 0.5% and 99.5% quantiles of what is believed of them, since numbers have no worst case"
    return "any label"
