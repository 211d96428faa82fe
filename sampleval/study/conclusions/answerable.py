"""Whether a metric can be estimated from a sample, and the reason if it cannot."""

from __future__ import annotations

import numpy as np

from sampleval.designs import Adaptive, Problem
from sampleval.estimators import Run, seen
from sampleval.metrics import Metric, built_in, by_place
from sampleval.presets import Method
from sampleval.study.assembly import held_suffice
from sampleval.study.conclusions.census import has_all, has_part, is_census
from sampleval.study.conclusions.too_few import no_positive

UNSEEN = (
    "no label asked for in this part counts yet: the value is predicted from the scores and the other labels"
)

UNASKED = "no label is needed: the predictions tell it exactly"


def unanswerable(metric: Metric, run: Run | None, problem: Problem, method: Method) -> str:
    """The reason why this metric cannot be estimated from this sample, "" if it can."""
    if problem.pool.task.kind not in metric.kinds:
        return f"{metric.title} is not defined for {problem.pool.task.kind} labels"
    drawn = problem.title
    if run is None or not tells(metric, run, method):
        if not problem.target.possible.any():
            asks = problem.reached(method.design.inclusion).any()
            return f"no label can change {drawn} here{'' if asks else ', so none is asked'}"
        held = len(problem.held)
        said = f"no answers yet, and labels known beforehand ({held:,}) are not enough"
        return said if held else "no labels yet"
    if has_all(metric, run):
        return ""
    if never := never_asked(metric, problem, method):
        return never
    # The stand-ins for missing answers would give a value of 0 or 1 that no label supports.
    silent = metric.needs_positives and no_positive(run) and not is_census(metric, run, method)
    return "no positive is among the labels yet" if silent else ""


def never_asked(metric: Metric, problem: Problem, method: Method) -> str:
    """The reason why a sample drawn for other metrics is not valid for this one, "" if it is."""
    design, drawn = method.design, problem.title
    kept = not isinstance(design, Adaptive) or design.keeps(problem, metric)
    if not (kept and problem.covers(metric, design.inclusion)):
        remedy = (
            "a sample drawn for this metric too would ask them"
            if method.defensive != 0
            else "a new study with δ > 0 would ask them too"
        )
        return f"the sample was drawn for {drawn} and never asks some items that matter here; {remedy}"
    return ""


def tells(metric: Metric, run: Run, method: Method) -> bool:
    """Whether there are enough labels for an estimate: held ones alone suffice for a posterior, or if they leave nothing to ask."""
    if run.responded.any() or (len(run.items) and len(run.held)):
        return True
    predicts = method.concluding_on(metric, run.problem.pool).predicts
    return len(run.held) > 0 and (predicts or held_suffice(run.problem, method))


def unseen(metric: Metric, run: Run) -> bool:
    """Whether no label is known in the metric's part of the pool, or in one of the parts of a difference.

    Labels held beforehand do not count, since they do not represent the part's other items, unless they are complete. Weights
    by row that are 0 outside a part leave that part too: where it had no label, 90% limits of an accuracy held in .68 of
    studies of 100 labels, as wide as the belief in the calibration curve alone made them.
    """
    if metric.terms:
        return any(unseen(term, run) for term in metric.terms)
    if metric.part:
        return not (seen(metric, run).any() or has_part(metric, run))
    if built_in(metric) or not by_place(run.problem.pool, metric):
        return False
    told = seen(metric, run)
    # Of a sum that divides by nothing, labels that all cost nothing do tell.
    return not told.any() and bool(np.isnan(metric.value(told)).any())
