"""How low and how high a metric could be, whatever the labels of unanswered items."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from sampleval.estimators.base import Estimator
from sampleval.estimators.inference import Inference, infer
from sampleval.estimators.run import Run
from sampleval.metrics import Encoded, Metric
from sampleval.surrogates import worst_labels

TURNS = 4  # largest number of new gradients on the way to the labels that move a metric farthest
TRIED = 3  # up to so many unanswered binary items, all labels are tried, which takes no longer than the turns
STEEP = 1e100  # stands in for an infinite slope, so that sums stay finite

End = tuple[Run, Inference]  # the run with a label for every unanswered item, and the inference from it


def extremes(metric: Metric, run: Run, estimator: Estimator, at: Inference) -> list[End]:
    """The ends at which a scalar metric is lowest, and highest; none if no labels define it.

    If the effect of a label depends on the other labels and only a few items are open, all combinations of their labels
    are tried. Otherwise the search follows the gradient.

    Args:
        metric: A scalar metric.
        run: The answers, some of them missing.
        estimator: One that accepts the run's sample.
        at: The inference from the run, with expected losses in place of missing answers.
    """
    if tangled(metric, run) and tried(run):
        return by_trial(metric, run, estimator)
    return [along_gradient(metric, run, estimator, at, side) for side in (0, 1)]


def tangled(metric: Metric, run: Run) -> bool:
    """Whether the effect of one label on the metric depends on the other labels, as with gaps and ranks."""
    return run.items.task.kind != "regression" and (metric.among is not None or not metric.smooth)


def tried(run: Run) -> bool:
    """Whether there are so few unanswered binary items that all combinations of their labels are tried."""
    return run.items.task.kind == "binary" and int(np.count_nonzero(~run.responded)) <= TRIED


def by_trial(metric: Metric, run: Run, estimator: Estimator) -> list[End]:
    """The lowest and the highest end of all combinations of binary labels that define the metric."""
    open_ = int(np.count_nonzero(~run.responded))
    ends = [completed(metric, run, estimator, np.array(labels)) for labels in product((0, 1), repeat=open_)]
    known = [end for end in ends if not np.isnan(end[1].value[0])]
    return [pick(known, key=lambda end: end[1].value[0]) for pick in (min, max)] if known else []


def along_gradient(metric: Metric, run: Run, estimator: Estimator, at: Inference, side: int) -> End:
    """The end on one side, 0 the lowest or 1 the highest.

    Labels are chosen along the gradient at the estimate, then along the gradient at the result, for as long as the
    metric moves further: for products and gaps the gradient changes on the way. A number has no worst case: the belief's
    0.5 % and 99.5 % quantiles stand in.
    """
    silent = np.flatnonzero(~run.responded)
    items, belief = run.items.take(silent), run.belief.take(silent)

    def onwards(found: Inference) -> End:
        gradient = np.nan_to_num(metric.gradient(found.risk), posinf=STEEP, neginf=-STEEP)
        return completed(metric, run, estimator, worst_labels(metric, items, belief, gradient)[side])

    sign = (-1.0, 1.0)[side]
    best = onwards(at)
    for _ in range(TURNS):
        further = onwards(best[1])
        if not sign * further[1].value[0] > sign * best[1].value[0]:
            break
        best = further
    return best


def completed(metric: Metric, run: Run, estimator: Estimator, given: Encoded) -> End:
    """The run with these labels for its unanswered items, (k,) or (k, C), and the inference from it."""
    labels = run.labels.copy()
    labels[~run.responded] = given
    whole = replace(run, labels=labels, responded=np.ones(len(run.items), bool))
    return whole, infer(metric, whole, estimator)
