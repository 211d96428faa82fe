"""Metrics of classes: macro averages, per class, and agreement beyond chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.metrics.class_counts import (
    F1,
    FALSE_ALARMS,
    JACCARD,
    MISSED,
    OF_CLASSES,
    PRECISION,
    PREDICTED,
    RECALL,
    SUPPORT,
    gathered,
    macro,
    mean_defined,
    mean_slope,
    of_counts,
    per_class,
    stack,
)
from sampleval.pool import SINGLE, Floats, Task

ROUNDING = 1e-12  # smaller shares of the items are rounding errors: one item of N gives 2/N


def _marginals(risk: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """(share that agrees, share predicted per class, true share per class, 1), of one R, (d,), or of several, (d, J).

    If all decisions are of one class, agreement equals that by chance for any labels, here without rounding.
    """
    tp, fp, fn, (one, *_) = stack(risk)
    pred, true = tp + fp, tp + fn
    alike = np.isnan(_mixed(pred, one))
    pred = np.where(alike, np.where(pred > one / 2, one, 0.0), pred)
    return np.where(alike, _inner(pred, true) / one, tp.sum(axis=0)), pred, true, one


def _inner(share: Floats, other: Floats) -> Floats:
    """Σ over the classes of the products, (C, …) to (…)."""
    return np.asarray((share * other).sum(axis=0))


def _mixed(share: Floats, one: Floats) -> Floats:
    """s² − Σ p_k², a measure of how mixed the classes are; `nan` if all items are of one class, up to rounding."""
    mixed = one**2 - _inner(share, share)
    return np.where(mixed > ROUNDING * one**2, mixed, np.nan)


def _mcc(risk: Floats) -> Floats:
    """(c·s − Σ p_k t_k) / √((s² − Σ p_k²)(s² − Σ t_k²)) (Gorodkin 2004); binary: Matthews 1975."""
    agree, pred, true, one = _marginals(risk)
    return np.asarray((agree * one - _inner(pred, true)) / np.sqrt(_mixed(pred, one) * _mixed(true, one)))


def _mcc_slope(risk: Floats) -> Floats:
    agree, pred, true, one = _marginals(risk)
    p, t = _mixed(pred, one), _mixed(true, one)
    top, root = agree * one - _inner(pred, true), np.sqrt(p * t)
    by_pred = -true / root + top * pred / (p * root)
    by_true = -pred / root + top * true / (t * root)
    by_one = agree / root - top * one * (1 / p + 1 / t) / root
    return np.concatenate([one / root + by_pred + by_true, by_pred, by_true, [by_one]])


def _kappa(risk: Floats) -> Floats:
    """(p_o − p_e) / (1 − p_e), p_e the agreement of independent raters with the same shares (Cohen 1960)."""
    agree, pred, true, one = _marginals(risk)
    chance = _inner(pred, true)
    left = one**2 - chance
    return np.where(left > ROUNDING * one**2, (agree * one - chance) / left, np.nan)


def _kappa_slope(risk: Floats) -> Floats:
    agree, pred, true, one = _marginals(risk)
    chance = _inner(pred, true)
    left = one**2 - chance
    if left <= ROUNDING * one**2:
        return np.full(len(risk), np.nan)
    share = (agree * one - chance) / left
    by_pred, by_true = (share - 1) * true / left, (share - 1) * pred / left
    by_one = (agree - 2 * share * one) / left
    return np.concatenate([(one + (share - 1) * pred) / left + by_pred, by_pred, by_true, [by_one]])


def _f1_of_means(risk: Floats) -> Floats:
    """2PR/(P+R) with the macro precision P and the macro recall R (Y eq 101–102)."""
    table = stack(risk)
    precision, recall = mean_defined(PRECISION.value(table)), mean_defined(RECALL.value(table))
    return np.asarray(2 * precision * recall / (precision + recall))


def _slopes_of_means(table: Floats) -> tuple[Floats, Floats]:
    """∂(2PR/(P+R))/∂P and /∂R, with P and R the means over the classes where they are defined."""
    precision, recall = mean_defined(PRECISION.value(table)), mean_defined(RECALL.value(table))
    both = (precision + recall) ** 2
    return 2 * recall**2 / both, 2 * precision**2 / both


def _f1_of_means_slope(risk: Floats) -> Floats:
    table = stack(risk)
    by_precision, by_recall = _slopes_of_means(table)
    return np.asarray(by_precision * mean_slope(PRECISION, table) + by_recall * mean_slope(RECALL, table))


def _weighted_f1(risk: Floats) -> Floats:
    """Σ_c t_c F1_c / Σ_c t_c with t_c the number of items of class c, as in scikit-learn."""
    table = stack(risk)
    items = table[0] + table[2]
    return np.asarray(_inner(items, np.nan_to_num(F1.value(table))) / items.sum(axis=0))


def _weighted_f1_slope(risk: Floats) -> Floats:
    table = stack(risk)
    items, each = table[0] + table[2], np.nan_to_num(F1.value(table))
    slope = items * np.nan_to_num(F1.slope(table))
    slope[0] = np.where(items > 0, slope[0], 1.0)  # the first item of a class brings t·F1 = TP
    slope[[0, 2]] += each - items @ each / items.sum()
    return gathered(slope) / items.sum()


def _either_absent(risk: Floats, task: Task) -> str:
    said = PRECISION.absent(risk, task), RECALL.absent(risk, task)
    return "; ".join(filter(None, said)) or "no item is predicted right"


balanced_accuracy = macro(
    "balanced_accuracy",
    "Balanced accuracy",
    RECALL,
    kinds=SINGLE,
    about="The mean over the classes of the share that is recognised.",
    needs_positives=True,
)
matthews = replace(
    of_counts("mcc", "Matthews correlation", _mcc, _mcc_slope, kinds=SINGLE),
    range=(-1.0, 1.0),
    about="Correlation of decision and truth: 1 perfect, 0 no better than chance.",
    undefined="all labels found, or all decisions on labelled items, are one class",
    needs_positives=True,
)
kappa = replace(
    of_counts("kappa", "Cohen's κ", _kappa, _kappa_slope, kinds=SINGLE),
    range=(-1.0, 1.0),
    about="Agreement of decision and truth beyond what their class shares alone would give.",
    undefined="all labels found and all decisions on labelled items are one class",
    needs_positives=True,
)
macro_f1 = macro(
    "macro_f1",
    "Macro-F1 (mean of F1s)",
    F1,
    about="F1 of each class, averaged, as in scikit-learn: rare classes count as much as common ones.",
)
macro_precision = macro(
    "macro_precision", "Macro precision", PRECISION, about="Precision of each class, averaged."
)
macro_recall = macro("macro_recall", "Macro recall", RECALL, about="Recall of each class, averaged.")
macro_f1_of_means = replace(
    of_counts("macro_f1_of_means", "F1 of the macro averages", _f1_of_means, _f1_of_means_slope),
    about="Harmonic mean of macro precision and macro recall, as in Yilmaz et al. (eq 102).",
    undefined=_either_absent,
    counts=replace(
        OF_CLASSES,
        averages=macro_precision.counts.averages + macro_recall.counts.averages,
        slopes=lambda risk: _slopes_of_means(stack(risk)),
    ),
)
weighted_f1 = replace(
    of_counts("weighted_f1", "Weighted F1", _weighted_f1, _weighted_f1_slope),
    about="F1 of each class, averaged by how many items it has, as in scikit-learn: common classes count most.",
    undefined="no label was found",
)
macro_jaccard = macro(
    "macro_jaccard", "Macro Jaccard", JACCARD, about="Overlap of decision and truth of each class, averaged."
)

PER_CLASS = (
    per_class("class_precision", "Precision by class", PRECISION),
    per_class("class_recall", "Recall by class", RECALL),
    per_class("class_f1", "F1 by class", F1),
    per_class("class_support", "Items by class", SUPPORT, total=True),
    per_class("class_predicted", "Predicted items by class", PREDICTED, total=True),
    per_class("class_missed", "Missed items by class", MISSED, total=True, better="less"),
    per_class("class_false_alarms", "False alarms by class", FALSE_ALARMS, total=True, better="less"),
)


MULTICLASS = (
    balanced_accuracy,
    matthews,
    kappa,
    macro_f1,
    macro_f1_of_means,
    macro_precision,
    macro_recall,
    macro_jaccard,
    weighted_f1,
)
