"""What conclusions of one number and of several rest on: whether a run tells anything, everything, or what it lacks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval._checks import conforms
from sampleval.designs import Inclusions, Problem, Redrawing
from sampleval.estimators import HorvitzThompson, Inference, Run, infer, seen
from sampleval.intervals import joined, possible_variance
from sampleval.metrics import Metric
from sampleval.pool import Flags, Floats, Kind
from sampleval.presets import Method
from sampleval.surrogates import unsettled

UNSEEN = "no label asked for in this part counts yet: the value is what scores and the other labels foretell"
FEW = 10  # labels below which what needs them rests on single items


def unanswerable(metric: Metric, run: Run | None, problem: Problem, method: Method) -> str:
    """Why this metric cannot be estimated from this sample, "" if it can."""
    if problem.pool.task.kind not in metric.kinds:
        return f"{metric.title} is not defined for {problem.pool.task.kind} labels"
    drawn = problem.title
    if run is None or not tells(metric, run, method):
        if not problem.target.possible.any():
            return f"no label can change {drawn} here, so none is asked"
        held = len(problem.held)
        said = f"no answers yet, and labels known beforehand ({held:,}) are not enough"
        return said if held else "no labels yet"
    if has_all(metric, run):
        return ""
    return never_asked(metric, problem, method) or none_found(metric, run, method)


def never_asked(metric: Metric, problem: Problem, method: Method) -> str:
    """Why a sample drawn for another metric tells nothing of this one, "" if it does."""
    design, drawn = method.design, problem.title
    kept = not conforms(design, Redrawing) or design.keeps(problem, metric)
    if not (kept and problem.covers(metric, design.inclusion)):
        remedy = "one drawn for this too would" if method.defensive is None else "set δ > 0 for that"
        return f"the sample was drawn for {drawn} and never asks some items that matter here; {remedy}"
    return ""


def none_found(metric: Metric, run: Run, method: Method) -> str:
    """Why labels without any positive say nothing of this metric; "" if it needs none, or if all labels are known.

    Otherwise the values that stand in for missing answers would make a number, 0 or 1, out of nothing.
    """
    silent = metric.needs_positives and no_positive(run) and not is_census(metric, run, method)
    return "no positive is among the labels yet" if silent else ""


def tells(metric: Metric, run: Run, method: Method) -> bool:
    """Whether there is a label to conclude from. Held labels alone are enough for a posterior, or if all items are held."""
    if run.responded.any() or (len(run.items) and len(run.held)):
        return True
    predicts = method.speaking_of(metric, run.problem.pool).predicts
    return len(run.held) > 0 and (predicts or not run.problem.population)


def is_census(metric: Metric, run: Run, method: Method) -> bool:
    """Whether every item has a label, or every item of the metric's part; for a ratio, every item that could be asked.

    Items that are never asked add nothing to a ratio, but a total counts them.
    """
    if has_all(metric, run):
        return True
    if metric.total:
        return False
    reached = run.problem.reached(method.design.inclusion)
    return has_labels(run, int(np.count_nonzero(reached)))


def has_all(metric: Metric, run: Run) -> bool:
    """Whether every item has a label, or every one of the metric's part."""
    return has_labels(run, run.sample.population) or has_part(metric, run)


def has_part(metric: Metric, run: Run) -> bool:
    """Whether the run, with what is held, is the labels of all items of a part of the pool, for good."""
    if metric.parts is None or run.problem.stochastic or not run.responded.all():
        return False
    parts, items = metric.parts, run.problem.pool.items
    size = run.problem.once((metric, "part"), lambda: np.count_nonzero(parts(items)))
    labelled = items.take(np.unique(run.known.index))
    return bool(np.count_nonzero(parts(labelled)) == size)


def unseen(metric: Metric, run: Run) -> bool:
    """Whether nothing is known of the part of the pool that the metric is about, or of one of the parts of a difference.

    Labels held beforehand do not speak for the part's other items.
    """
    if metric.terms:
        return any(unseen(term, run) for term in metric.terms)
    return metric.part and not (seen(metric, run).any() or has_part(metric, run))


def has_labels(run: Run, items: int) -> bool:
    """Whether the run has the labels of exactly this many items, for good: another answer for a held item is never asked."""
    anew = run.problem.stochastic and len(run.items) > 0
    if anew or len(run.items) < items or not run.responded.all():
        return False
    return len(np.unique(run.items.index)) == items


def everyone(run: Run) -> Run:
    """A census's run with every item counted once, however it was drawn."""
    rows = np.unique(run.items.index, return_index=True)[1]
    return replace(run, sample=Inclusions(rows, np.ones(len(rows)), len(rows)))


def exact(metric: Metric, run: Run) -> Inference:
    """What a census's run says about a metric."""
    found = infer(metric, everyone(run), HorvitzThompson())
    metric.attained(found.risk)
    return found


def no_positive(run: Run) -> bool:
    """Whether no label given so far is positive, where labels are positive or not."""
    return run.items.task.kind in ("binary", "multilabel") and not run.known.labels.any()


def positives(run: Run) -> int:
    """Items of two classes known to be positive, those held beforehand with them."""
    return int(np.count_nonzero(run.known.labels == 1))


def variances_of(metric: Metric, result: Inference) -> Floats:
    """Estimated variance of each component, (m,), 0 where it is no more than rounding."""
    return possible_variance(result.spread.variance, result.value, metric.range)


def may_move(metric: Metric, run: Run, result: Inference) -> Flags:
    """Whether labels not known yet could still move each component, (m,)."""
    return unsettled(metric, run.problem.pool.items, run.problem.belief, run.known.index, result.risk)


def remarks(metric: Metric, run: Run, waiting: int, undefined: str, allowed: str) -> str:
    """What to know about a value and its limits, in words.

    Args:
        metric: What is estimated; of a part of the pool only items of that part count.
        run: The answered run.
        waiting: Answers given out of order that wait for the gaps before them.
        undefined: What is undefined and why, "" if nothing is.
        allowed: How limits take items without an answer.
    """
    without = run.items.take(np.flatnonzero(~run.responded))
    silent = len(without) if metric.parts is None else int(np.count_nonzero(metric.parts(without)))
    return joined(
        f"answers that wait for items before them: {waiting:,}" if waiting else "",
        undefined,
        f"items without an answer: {silent:,} ({allowed})" if silent else "",
    )


def worst(kind: Kind) -> str:
    """What limits take the labels not given for, in words.

    Args:
        kind: What is predicted.
    """
    if kind == "regression":
        return "the 0.5% and 99.5% quantiles believed of them, as numbers have no worst case"
    return "any label"
