"""Metrics of label sets: micro averages (Y App. D.1), Hamming, exact match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sampleval._checks import unit
from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.class_counts import F1, JACCARD, LABELS, PRECISION, RECALL, Share, f_share, micro
from sampleval.metrics.makers import repeatable
from sampleval.metrics.names import exact
from sampleval.metrics.ratios import ratio
from sampleval.metrics.shortcuts import Shortcuts
from sampleval.pool import Items

NOTHING = "no label was found, and none is predicted for a labelled item"


@repeatable
def micro_f(alpha: float) -> Metric:
    """Micro-F_α: Σ_n Σ_i yŷ / Σ_n Σ_i (αŷ + (1−α)y), 0 ≤ α ≤ 1 (Y eq 90).

    Raises:
        InputError: α is no number from 0 to 1.
    """
    alpha = unit(alpha, "alpha", remedy="α = 1/(1+β²)")
    name, title = f"micro_f_alpha={exact(alpha)}", f"Micro-F (α = {exact(alpha)})"
    return micro(name, title, f_share(alpha), undefined=NOTHING)


micro_f1 = micro(
    "micro_f1",
    "Micro-F1",
    F1,
    about="F1 over all decisions of all labels: common labels count most.",
    undefined=NOTHING,
)
micro_precision = micro(
    "micro_precision",
    "Micro precision",
    PRECISION,
    about="Of all labels predicted, the share that is right.",
    phrase="of the predicted labels are right",
    undefined="no label is predicted for a labelled item",
)
micro_recall = micro(
    "micro_recall",
    "Micro recall",
    RECALL,
    about="Of all true labels, the share that is found.",
    phrase="of the true labels are found",
    undefined="no label was found",
)
micro_jaccard = micro(
    "micro_jaccard",
    "Micro Jaccard",
    JACCARD,
    about="Of all labels true or predicted, the share that is both.",
    phrase="of the labels true or predicted are both",
    undefined=NOTHING,
)
hamming = replace(
    micro(
        "hamming",
        "Hamming loss",
        Share((0, 1, 1, 0), (0, 0, 0, 1), ""),
        about="The share of all yes-or-no decisions that are wrong.",
        phrase="of the yes-or-no decisions are wrong",
    ),
    better="less",
)


def _decision(items: Items) -> Iterator[Encoded]:
    """The one label set that is an exact match."""
    yield np.asarray(items.pred)


exact_match = ratio(
    "exact_match",
    "Exact match",
    lambda items, y: ((y == items.pred).all(axis=1), 1.0),
    kinds=LABELS,
    shortcuts=Shortcuts(exceptions=_decision),
    about="The share of items all of whose labels are right.",
    phrase="of the items have all their labels right",
)

MULTILABEL = (micro_f1, micro_precision, micro_recall, hamming, exact_match, micro_jaccard)
