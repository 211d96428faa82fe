"""Metrics of a binary classifier, from the label y and the decision ŷ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval._checks import nonnegative, unit
from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.codes import by_decision
from sampleval.metrics.counts import Counts
from sampleval.metrics.makers import repeatable
from sampleval.metrics.names import exact
from sampleval.metrics.ratios import ratio
from sampleval.pool import SINGLE, Floats, Items

PREDICTED = "no labelled item is predicted positive"
POSITIVE = "no positive was found"


@repeatable
def f_alpha(alpha: float, *, name: str = "", title: str = "") -> Metric:
    """F_α = Σ yŷ / Σ (αŷ + (1−α)y), 0 ≤ α ≤ 1 (Y eq 2–3): α = ½ is F1, 1 precision, 0 recall.

    Name and title are by default made from α.

    Raises:
        InputError: α is no number from 0 to 1.
    """
    alpha = unit(alpha, "alpha", remedy="α = 1/(1+β²)")

    def parts(items: Items, y: Encoded) -> tuple[Encoded, Encoded]:
        decision = np.asarray(items.pred, float)
        return y * decision, alpha * decision + (1 - alpha) * y

    return ratio(
        name or f"f_alpha={exact(alpha)}",
        title or f"F score (α = {exact(alpha)})",
        parts,
        cells=by_decision,
        about=f"Precision and recall in one: their {_mean(alpha)}.",
        undefined={0.0: POSITIVE, 1.0: PREDICTED}.get(alpha, f"{PREDICTED} and {POSITIVE}"),
        needs_positives=alpha < 1,
    )


def _mean(alpha: float) -> str:
    """The mean of precision and recall that F_α is, in words."""
    if alpha == 0.5:
        return "harmonic mean"
    one, how = "precision" if alpha > 0.5 else "recall", "alone counts" if alpha in (0, 1) else "counts more"
    return f"weighted harmonic mean, in which {one} {how}"


@repeatable
def f_beta(beta: float) -> Metric:
    """F_β, in which recall has β² times the weight of precision: F_α with α = 1/(1+β²) (M Table 1).

    Raises:
        InputError: β is no number of at least 0.
    """
    beta = nonnegative(beta, "beta", remedy="1 gives F1")
    return f_alpha(1 / (1 + beta * beta), name=f"f{exact(beta)}", title=f"F{exact(beta)} score")


error_rate = Metric(  # with the known denominator of M Table 1; estimated under accuracy's name
    "accuracy",
    "Accuracy",
    lambda items, y: np.not_equal(y, items.pred)[:, None].astype(float),
    lambda risk: 1 - risk,
    lambda risk: np.array([[-1.0]]),
    kinds=SINGLE,
    cells=by_decision,
    about="The share of items that the classifier gets right.",
    phrase="of the items are judged right",
)
accuracy = replace(
    ratio(
        "accuracy",
        "Accuracy",
        lambda items, y: (y == items.pred, 1.0),
        kinds=SINGLE,
        cells=by_decision,
        about=error_rate.about,
        phrase=error_rate.phrase,
    ),
    uncentred=error_rate,
)
precision = replace(
    f_alpha(1.0, name="precision", title="Precision"),
    about="The share of items predicted positive that truly are.",
    phrase="of the items predicted {positive} are right",
)
recall = replace(
    f_alpha(0.0, name="recall", title="Recall (sensitivity)"),
    about="The share of truly positive items that are predicted positive.",
    phrase="of the items that are {positive} are found",
)
specificity = ratio(
    "specificity",
    "Specificity",
    lambda items, y: ((1 - y) * (1 - items.pred), 1 - y),
    cells=by_decision,
    about="The share of truly negative items that are predicted negative.",
    phrase="of the items that are {negative} are recognised",
    undefined="no negative was found",
)
prevalence = ratio(
    "prevalence",
    "Share of positives",
    lambda items, y: (y, 1.0),
    cells=by_decision,
    about="The share of all items that are truly positive.",
    phrase="of the items are {positive}",
    better="",
)
positives = ratio(
    "positives",
    "Number of positives",
    lambda items, y: (y, 1.0),
    cells=by_decision,
    total=True,
    about="How many items of the pool are truly positive.",
    phrase="items are {positive}",
    better="",
)
missed_positives = ratio(
    "missed_positives",
    "Number of missed positives",
    lambda items, y: (y * (1 - items.pred), 1.0),
    cells=by_decision,
    total=True,
    about="How many truly positive items are predicted negative.",
    phrase="items that are {positive} are missed",
    better="less",
)

jaccard = ratio(
    "jaccard",
    "Jaccard index",
    lambda items, y: (y * items.pred, np.maximum(y, items.pred)),
    cells=by_decision,
    about="Of the items that are or are predicted positive, the share that is both.",
    phrase="of the items that are or are predicted {positive} are both",
    undefined=f"{PREDICTED} and {POSITIVE}",
    needs_positives=True,
)


def _found_true_predicted(items: Items, y: Encoded) -> Floats:
    """ℓ = (yŷ, y, ŷ), (n, 3)."""
    return np.column_stack([y * items.pred, y, items.pred]).astype(float)


fowlkes_mallows = Metric(
    "fowlkes_mallows",
    "Fowlkes–Mallows index",
    _found_true_predicted,
    lambda risk: risk[0] / np.sqrt(risk[1] * risk[2]),
    lambda risk: np.array([1.0, -risk[0] / risk[1] / 2, -risk[0] / risk[2] / 2]) / np.sqrt(risk[1] * risk[2]),
    cells=by_decision,
    about="The geometric mean of precision and recall.",
    undefined=f"{PREDICTED}, or {POSITIVE}",
    needs_positives=True,
    counts=Counts(nonnegative=True),
)
precision_recall = Metric(
    "precision_recall",
    "Precision and recall",
    _found_true_predicted,
    lambda risk: np.array([risk[0] / risk[2], risk[0] / risk[1]]),
    lambda risk: np.array(
        [[1 / risk[2], 0.0, -risk[0] / risk[2] ** 2], [1 / risk[1], -risk[0] / risk[1] ** 2, 0.0]]
    ),
    outputs=("precision", "recall"),
    cells=by_decision,
    about="Precision and recall together, with one region for both.",
    undefined=f"{PREDICTED}, or {POSITIVE}",
    needs_positives=True,
    counts=Counts(wholes=lambda risk: risk[[2, 1]], nonnegative=True),
)

BINARY = (
    f_beta(1.0),
    precision,
    recall,
    accuracy,
    specificity,
    f_beta(0.5),
    f_beta(2.0),
    jaccard,
    fowlkes_mallows,
    prevalence,
    positives,
    missed_positives,
)
