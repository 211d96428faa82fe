"""Results by class as frames: how well each class is recognised, and with which classes it is confused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sampleval._checks import choice
from sampleval.frames.detail import components
from sampleval.metrics import Metric, confusion_among, confusion_shares, defined
from sampleval.numerals import count, in_cell
from sampleval.pool import Integers, predicted
from sampleval.study import Study, checked_study
from sampleval.study.conclusions.rare_classes import MET, met
from sampleval.study.conclusions.too_few import FEW
from sampleval.surrogates import Evidence

BY_CLASS = {
    "items": "class_support",
    "precision": "class_precision",
    "recall": "class_recall",
    "f1": "class_f1",
}


def classes(study: Study, *, level: float | None = None) -> pd.DataFrame:
    """The number of items of every class, and how well the class is recognised.

    Args:
        study: A study of a task with classes or labels.
        level: Coverage of the limits; the study's by default.

    Returns:
        Columns measure (items, predicted, precision, recall, f1), class, value, low, high, note, labels (number of
        labels of the class), few (whether these are too few to say much, unless its items are known exactly). Numbers
        predicted are known and have no width.
    """
    task, known = checked_study(study).pool.task, predicted(study.pool)
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
    settled = rows[(rows["measure"] == "items") & (rows["low"] == rows["high"])]
    return rows.assign(labels=labels, few=(labels < MET) & ~rows["class"].isin(settled["class"]))


def legible_classes(rows: pd.DataFrame) -> pd.DataFrame:
    """The frame of `classes` for reading: a row of text for each class, with the number of its labels and each measure with its limits.

    Args:
        rows: What `classes` returns.

    Returns:
        Columns Class, Labels, Items, Predicted, Precision, Recall, F1, all of them text.
    """
    found: dict[str, dict[str, str]] = {}
    for row in rows.to_dict("records"):
        whole = row["measure"] in ("items", "predicted")
        value, limits = in_cell(row["value"], row["low"], row["high"], whole=whole)
        first = {"Class": row["class"], "Labels": f"{count(row['labels'])}{', too few' * row['few']}"}
        cell = f"{value} ({limits})" if limits else value
        found.setdefault(row["class"], first)[str(row["measure"]).capitalize()] = cell
    return pd.DataFrame(list(found.values()))


def confused(study: Study, most: int) -> tuple[str, ...]:
    """The classes that are confused most often in the answers so far, followed by those with the most answers.

    Args:
        study: A binary or multi-class study.
        most: The most classes to return.

    Raises:
        InputError: A task without a class for each item.
    """
    _of_one_class(study)
    task, run = study.pool.task, study.run()
    said = Evidence.none(study.pool) if run is None else run.known
    pair = np.stack([study.pool.pred[said.index], said.labels]).astype(np.intp)
    wrong, seen = (
        np.bincount(codes.ravel(), minlength=task.width) for codes in (pair[:, pair[0] != pair[1]], pair)
    )
    first = np.lexsort((-seen, -wrong))[:most]
    return tuple(task.classes[c] for c in np.sort(first))


def confusion(
    study: Study, *, classes: Sequence[str] | None = None, level: float | None = None
) -> pd.DataFrame:
    """The number of items of each predicted class that belong to each true class.

    Args:
        study: A binary or multi-class study.
        classes: The classes to tell apart; the others are merged into one, which comes last. By default all, C² rows, in a time
            that goes with C³: seconds for 80 classes, minutes for 200. `confused` names those that matter most.
        level: Coverage of the limits; the study's by default.

    Returns:
        Columns predicted, true, items (`nan` where no label is of an item with this prediction), low, high, labels (of
        items with this prediction), few (whether these are too few to say much). The items of one predicted class add up
        to its known number: they are its shares, whose limits are theirs.

    Raises:
        InputError: A class that the task does not have, or a task without a class for each item.
    """
    metric, names, place = _among(study, classes)
    found, run = study.curve(metric, level=level), study.run()
    pairs = pd.MultiIndex.from_product([names, names], names=["predicted", "true"]).to_frame(index=False)
    known = Evidence.none(study.pool) if run is None else run.known
    pred, width = place[study.pool.pred.astype(np.intp)], len(names)
    most, labels = (np.repeat(np.bincount(of, minlength=width), width) for of in (pred, pred[known.index]))
    # Shares that would be below 0 count as 0, and of many classes the others add up to more than 1.
    rows = found.value.reshape(-1, width)
    shares = (rows / np.fmax(rows.sum(axis=1, keepdims=True), 1.0)).ravel()
    ends = shares, np.fmin(found.low, shares), found.high
    items, low, high = (np.where(most, most * end, 0.0) for end in ends)
    return pairs.assign(items=items, low=low, high=high, labels=labels, few=labels < np.minimum(FEW, most))


def _among(study: Study, classes: Sequence[str] | None) -> tuple[Metric, tuple[str, ...], Integers]:
    """The confusion matrix of these classes as a metric, its row names, and the row of each class of the task, (C,)."""
    _of_one_class(study)
    every = study.pool.task.classes
    told_apart = {choice(name, every, "classes") for name in (every if classes is None else classes)}
    names = tuple(name for name in every if name in told_apart)
    if len(names) == len(every):
        return confusion_shares, names, np.arange(len(every))
    rest = "other classes"
    while rest in every:
        rest = f"({rest})"
    metric = confusion_among([every.index(name) for name in names], len(every), rest)
    place = np.array([names.index(name) if name in names else len(names) for name in every])
    return metric, (*names, rest), place


def _of_one_class(study: Study) -> None:
    """Refuse a task whose items do not have exactly one class."""
    defined([checked_study(study).metric("confusion")], study.pool.task.kind)
