"""Results class by class as frames: how well each is told apart, and for which it is taken."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sampleval._checks import choice
from sampleval.frames.detail import components
from sampleval.metrics import Metric, confusion_among, defined
from sampleval.pool import Integers, predicted
from sampleval.study import Study
from sampleval.study.conclusions import FEW, MET, met
from sampleval.surrogates import Evidence

BY_CLASS = {
    "items": "class_support",
    "precision": "class_precision",
    "recall": "class_recall",
    "f1": "class_f1",
}


def classes(study: Study, *, level: float | None = None) -> pd.DataFrame:
    """Every class: how many items it has, and how well it is told apart.

    Args:
        study: A study of a task with classes or labels.
        level: Coverage of the limits; the study's by default.

    Returns:
        Columns measure (items, predicted, precision, recall, f1), class, value, low, high, note, labels (how many
        say the class), few (too few of them to say much); what is predicted is known, and has no width.
    """
    task, known = study.pool.task, predicted(study.pool)
    exact = pd.DataFrame({"class": task.classes, "value": known, "low": known, "high": known, "note": ""})
    found = [
        components(study.curve(name, level=level))
        .rename(columns={"component": "class"})
        .assign(measure=measure)
        for measure, name in BY_CLASS.items()
    ]
    found.insert(1, exact.assign(measure="predicted"))
    rows = pd.concat(found, ignore_index=True)[["measure", "class", "value", "low", "high", "note"]]
    run = study.run()
    seen = dict(zip(task.classes, met(run) if run is not None else [0] * task.width, strict=True))
    labels = rows["class"].map(seen).astype(int)
    return rows.assign(labels=labels, few=labels < MET)


def confused(study: Study, most: int) -> tuple[str, ...]:
    """The classes that answers so far confuse most often, then those with the most answers; at most so many.

    Args:
        study: A binary or multi-class study.
        most: How many.

    Raises:
        InputError: A task without a class for each item.
    """
    _of_one_class(study)
    task, run = study.pool.task, study.run()
    said = Evidence.none() if run is None else run.known
    pair = np.stack([study.pool.pred[said.index], said.labels]).astype(np.intp)
    wrong, seen = (
        np.bincount(codes.ravel(), minlength=task.width) for codes in (pair[:, pair[0] != pair[1]], pair)
    )
    first = np.lexsort((-seen, -wrong))[:most]
    return tuple(task.classes[c] for c in np.sort(first))


def confusion(
    study: Study, *, classes: Sequence[str] | None = None, level: float | None = None
) -> pd.DataFrame:
    """How many items of each predicted class belong to each true class; one class per item.

    Args:
        study: A binary or multi-class study.
        classes: Those to tell apart, the others are taken as one, which comes last; all by default, C² rows.
        level: Coverage of the limits; the study's by default.

    Returns:
        Columns predicted, true, items, low, high, labels (of items predicted so), few (too few of them to say much); no
        number is above the items known to be predicted so, to which those of a row add up.

    Raises:
        InputError: A class that the task does not have, or a task without a class for each item.
    """
    metric, names, place = _among(study, classes)
    found, run = study.curve(metric, level=level), study.run()
    pairs = pd.MultiIndex.from_product([names, names], names=["predicted", "true"]).to_frame(index=False)
    known = np.empty(0, np.intp) if run is None else run.known.index
    most, labels = (
        np.repeat(np.bincount(place[pred.astype(np.intp)], minlength=len(names)), len(names))
        for pred in (study.pool.pred, study.pool.pred[known])
    )
    rows = found.value.reshape(-1, len(names))
    sums = rows.sum(axis=1, keepdims=True)  # known, to which rows estimated pair by pair need not add up
    factor = np.divide(most.reshape(rows.shape), sums, out=np.ones_like(rows), where=sums > 0)
    items = (rows * factor).ravel()
    low, high = np.fmin(found.low, items), np.fmin(np.fmax(found.high, items), most)
    return pairs.assign(items=items, low=low, high=high, labels=labels, few=labels < np.minimum(FEW, most))


def _among(study: Study, classes: Sequence[str] | None) -> tuple[Metric, tuple[str, ...], Integers]:
    """The matrix of these classes, the names along its sides, and where each class of the task stands there, (C,)."""
    metric, every = _of_one_class(study), study.pool.task.classes
    told_apart = {choice(name, every, "classes") for name in (every if classes is None else classes)}
    names = tuple(name for name in every if name in told_apart)
    if len(names) == len(every):
        return metric, names, np.arange(len(every))
    rest = "other classes"
    while rest in every:
        rest = f"({rest})"
    metric = confusion_among([every.index(name) for name in names], len(every), rest)
    place = np.array([names.index(name) if name in names else len(names) for name in every])
    return metric, (*names, rest), place


def _of_one_class(study: Study) -> Metric:
    """The confusion matrix as a metric, where each item is of one class."""
    metric = study.metric("confusion")
    defined([metric], study.pool.task.kind)
    return metric
