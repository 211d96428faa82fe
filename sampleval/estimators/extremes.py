"""How low and how high a metric could be, whatever the labels of unanswered items."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from sampleval.estimators.inference import Inference, infer
from sampleval.estimators.run import Run
from sampleval.metrics import Encoded, Metric
from sampleval.surrogates import worst_labels

TURNS = 4  # largest number of new gradients on the way to the labels that move a metric farthest
TRIED = 3  # up to so many unanswered binary items, all labels are tried, which takes no longer than the turns
STEEP = 1e100  # stands in for an infinite slope, so that sums stay finite


def extremes(result: Inference) -> list[Inference]:
    """The inferences with labels for all items by which a scalar metric is lowest, and highest; none if no labels define it.

    If the effect of a label depends on the other labels and only a few items are open, all combinations of their labels are
    tried. Otherwise the search follows the gradient. Expected losses stand in for missing answers in the result.
    """
    if tangled(result.metric, result.run) and tried(result.run):
        return by_trial(result)
    return [along_gradient(result, side) for side in (0, 1)]


def tangled(metric: Metric, run: Run) -> bool:
    """Whether the effect of one label on the metric depends on the other labels, as with gaps and ranks."""
    return run.items.task.kind != "regression" and (metric.among is not None or not metric.smooth)


def tried(run: Run) -> bool:
    """Whether there are so few unanswered binary items that all combinations of their labels are tried."""
    return run.items.task.kind == "binary" and len(run.silent) <= TRIED


def by_trial(result: Inference) -> list[Inference]:
    """The lowest and the highest end of all combinations of binary labels that define the metric."""
    open_ = len(result.run.silent)
    ends = [completed(result, np.array(labels)) for labels in product((0, 1), repeat=open_)]
    known = [end for end in ends if not np.isnan(end.value[0])]
    return [pick(known, key=lambda end: end.value[0]) for pick in (min, max)] if known else []


def along_gradient(result: Inference, side: int) -> Inference:
    """The end on one side, 0 the lowest or 1 the highest.

    Labels are chosen along the gradient at the estimate, then along the gradient at the result, for as long as the
    metric moves further: for products and gaps the gradient changes on the way. A number has no worst case: the belief's
    0.5 % and 99.5 % quantiles stand in.
    """
    silent, (items, belief) = result.run.silent, result.run.unanswered

    def farthest(end: Inference) -> Encoded:
        gradient = np.nan_to_num(result.metric.gradient(end.risk), posinf=STEEP, neginf=-STEEP)
        return worst_labels(result.metric, items, belief, gradient)[side]

    sign = (-1.0, 1.0)[side]
    best = completed(result, farthest(result))
    for _ in range(TURNS):
        labels = farthest(best)
        if np.array_equal(labels, best.run.labels[silent]):
            break  # they lead where they led before, and an estimate of many classes takes long
        further = completed(result, labels)
        if not sign * further.value[0] > sign * best.value[0]:
            break
        best = further
    return best


def completed(result: Inference, given: Encoded) -> Inference:
    """The inference with these labels for the unanswered items, (k,) or (k, C)."""
    labels = result.run.labels.copy()
    labels[result.run.silent] = given
    whole = replace(result.run, labels=labels, responded=np.ones(len(labels), bool))
    return infer(result.metric, whole, result.estimator)
