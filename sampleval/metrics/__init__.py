"""Metrics: one definition each, G = g(mean of a loss), for sampling, estimating and intervals alike.

A metric of your own needs a loss and a g; the Jacobian is optional. Here a miss costs 5 and a false alarm 1:

>>> import numpy as np, pandas as pd, sampleval as sv
>>> def loss(items, y):
...     cost = 5.0 * y * (1 - items.pred) + (1 - y) * items.pred
...     return np.column_stack([cost, np.ones(len(y))])
>>> cost = sv.metrics.Metric(
...     "cost", "Mean cost", loss, g=lambda risk: risk[0] / risk[1], range=(0, 5),
...     cells=lambda items: items.pred.astype(int),  # the loss sees the decision only: plans take no time
... )
>>> pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.99, 99)}))
>>> study = sv.create_study(pool, metric=cost, budget=99)
>>> while items := study.ask(10):
...     for item in items:
...         study.tell(item, int(item.id) > 60)
>>> study.estimate(cost).value == 12 / 99  # twelve false alarms, no miss
True

Let the loss include a constant 1 (or the counts that g divides by), so that g is invariant to a common factor: ratio
estimates then stay accurate in small samples. Where g is the share of a part in its whole, as recall is, say `counts=sv.metrics.Counts(share=True)`:
if all labels agree, the limits then know how many could have disagreed. Other facts about items, such as their worth, are
indexed by position, `worth[items.index]`. Such a metric treats items of the same score differently: it has no `cells` as above, and the
default method is then the queue. For multi-label losses that are sums over the labels, pass `shortcuts=sv.metrics.by_label(loss)`. A study of your
metric is reopened with `load_study(name, storage, metrics=[cost])`.
"""

from __future__ import annotations

from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.binary import f_alpha, f_beta
from sampleval.metrics.confusion import confusion_among, confusion_shares
from sampleval.metrics.counts import Counts
from sampleval.metrics.curves import f_curve, lift_curve, precision_recall_curve, roc_curve, score_grid
from sampleval.metrics.differences import between_parts, between_systems, difference, halves, minus
from sampleval.metrics.jacobians import Jacobian, dense, effects, finite, numeric_jacobian
from sampleval.metrics.mean import mean_loss
from sampleval.metrics.multilabel import micro_f
from sampleval.metrics.positions import alike_in_cells, by_place
from sampleval.metrics.probability import calibration_error, log_loss, reliability, top_k_accuracy
from sampleval.metrics.ranking import area_under_roc, average_precision
from sampleval.metrics.ratios import ratio
from sampleval.metrics.registry import (
    METRICS,
    MetricLike,
    Target,
    built_in,
    defined,
    for_kind,
    for_pool,
    named,
    own,
    questions,
    registered,
    resolve,
    target,
    unmistakable,
)
from sampleval.metrics.shortcuts import Shortcuts, by_label
from sampleval.metrics.unlabelled import told_by_outputs, unmoved
from sampleval.metrics.wrappers import of_system, within

__all__ = [
    "METRICS",
    "Counts",
    "Encoded",
    "Jacobian",
    "Metric",
    "MetricLike",
    "Shortcuts",
    "Target",
    "alike_in_cells",
    "area_under_roc",
    "average_precision",
    "between_parts",
    "between_systems",
    "built_in",
    "by_label",
    "by_place",
    "calibration_error",
    "confusion_among",
    "confusion_shares",
    "defined",
    "dense",
    "difference",
    "effects",
    "f_alpha",
    "f_beta",
    "f_curve",
    "finite",
    "for_kind",
    "for_pool",
    "halves",
    "lift_curve",
    "log_loss",
    "mean_loss",
    "micro_f",
    "minus",
    "named",
    "numeric_jacobian",
    "of_system",
    "own",
    "precision_recall_curve",
    "questions",
    "ratio",
    "registered",
    "reliability",
    "resolve",
    "roc_curve",
    "score_grid",
    "target",
    "told_by_outputs",
    "top_k_accuracy",
    "unmistakable",
    "unmoved",
    "within",
]
