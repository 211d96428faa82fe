"""Describe in plain words how a pool's columns and its labels were understood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from sampleval import _checks
from sampleval.numerals import count, legible, many, share
from sampleval.pool.building import Rules
from sampleval.pool.claims import at_odds, contradicted, ranked, turned
from sampleval.pool.columns import Columns, SystemColumns, in_code
from sampleval.pool.guessing.cells import ENOUGH
from sampleval.pool.remarks import remarks
from sampleval.pool.task import Flags, Floats, System, Task

THROUGH = {
    "sigmoid": " through sigmoid",
    "softmax": " through softmax",
    "percent": ", percentages divided by 100",
    "confidence": ", 1 − confidence where the decision is negative",
}


def report(
    df: pd.DataFrame, columns: Columns, systems: tuple[System, ...], rules: Rules, size: int, notes: list[str]
) -> tuple[str, ...]:
    """The sentences that say how the columns were understood."""
    task = columns.task
    lines = [f"{many(size, 'item')}. Task: {kind_in_words(task)}."]
    if columns.explanation:
        lines.append(f"{_checks.capitalised(columns.explanation)}.")
    lines.append(f"Ids: {f'column `{columns.id}`' if columns.id else _numbered(df)}.")
    for system, own in zip(systems, columns.systems, strict=True):
        lines += _system_in_words(df, task, system, own, rules)
    if columns.label:
        lines.append(f"Known labels: {in_code(columns.label, 4)}; kept apart from the items.")
    if columns.fields:
        shown = in_code(columns.fields)
        lines.append(f"Shown to annotators: {shown}. Nothing shown may give the answer away.")
    else:
        lines.append("Nothing but the id is shown to annotators: choose fields if they need more.")
    if columns.hidden:
        left = in_code(columns.hidden)
        lines.append(
            f"Left out (empty, row numbers, or may give away the answer or what the model says): {left}."
        )
    return (*lines, *(note + "." for note in (*notes, *remarks(df, columns, rules))))


def _numbered(df: pd.DataFrame) -> str:
    """What the ids are where no column holds them. An index set by hand may hold them, and is then missed."""
    plain = df.index.name is None and types.is_integer_dtype(df.index.dtype)
    unused = "" if plain else "; those in the index are not used: pass df.reset_index() for them"
    return f"row numbers from 0, since no column was taken for the id{unused}"


def kind_in_words(task: Task) -> str:
    """What is predicted, and the classes: two with their sides, of many the first ten.

    >>> kind_in_words(Task()), kind_in_words(Task("multilabel", ("red", "big")))
    ("two classes, '0' (negative) and '1' (positive)", 'any of 2 classes (red, big)')
    """
    if task.kind == "regression":
        return "a number per item (regression)"
    if task.kind == "binary":
        negative, positive = map(_checks.shown, task.classes)
        return f"two classes, {negative} (negative) and {positive} (positive)"
    names = ", ".join(_checks.isolated(_checks.shown(name)[1:-1]) for name in task.classes[:10]) + (
        ", …" if task.width > 10 else ""
    )
    of = "one of" if task.kind == "multiclass" else "any of"
    return f"{of} {many(task.width, 'class', 'classes')} ({names})"


def _system_in_words(
    df: pd.DataFrame, task: Task, system: System, columns: SystemColumns, rules: Rules
) -> list[str]:
    name = f"System {_checks.shown(system.name)}: " if system.name else ""
    lines = []
    if columns.score:
        through = THROUGH.get(rules.transform or "", "")
        lines.append(f"{name}Scores: {in_code(columns.score, 4)}{through}, {_scores_in_words(task, system)}.")
    elif task.kind != "regression":
        lines.append(f"{name}No scores: the decisions stand in for them, as 0 and 1.")
    how = f"from {in_code(columns.pred, 4)}" if columns.pred else _by_score(task, rules)
    what = "Predictions" if task.kind == "regression" else "Decisions"
    beside = _beside_scores(df, task, system, columns, rules)
    lines.append(f"{name}{what}: {how}{_decisions_in_words(task, system)}{beside}.")
    if columns.error:
        lines.append(f"{name}Error scale: `{columns.error}`, mean {legible(float(system.error.mean()))}.")
    return lines


def _scores_in_words(task: Task, system: System) -> str:
    """The range of a system's scores, and what else is to be seen in them."""
    score = system.score
    text = f"from {score.min():.4g} to {score.max():.4g}, mean {score.mean():.4g}"
    zeros, ones = int((score == 0.0).sum()), int((score == 1.0).sum())
    if zeros or ones:
        text += f"; {zeros:,} at exactly 0, {ones:,} at exactly 1"
    if task.kind == "binary" and len(score) > 1:
        distinct = len(np.unique(score))
        if distinct < len(score):
            text += f"; {distinct:,} distinct values, the rest tie" if distinct > 1 else "; all items tie"
    if task.kind == "multiclass" and task.width > 2 and _fall(score):
        text += (
            "; in every row they fall from the first to the last: are they those of the best guess, the second best "
            "and so on, and not of the classes"
        )
    return text


def _fall(score: Floats) -> bool:
    """Whether the scores of many items are sorted in each row, as those of the likeliest classes are."""
    return len(score) >= ENOUGH and bool((np.diff(score, axis=1) <= 0.0).all() and np.ptp(score) > 0.0)


def _by_score(task: Task, rules: Rules) -> str:
    """How scores alone decide."""
    if task.kind == "multiclass":
        return "the class with the largest score"
    if not isinstance(rules.threshold, tuple):
        return f"score ≥ {rules.threshold:g}"
    pairs = zip(task.classes, rules.threshold, strict=True)
    return f"score ≥ {', '.join(f'{value:g} for {name}' for name, value in pairs)}"


def _decisions_in_words(task: Task, system: System) -> str:
    pred = system.pred
    if task.kind == "regression":
        return f", from {legible(float(pred.min()))} to {legible(float(pred.max()))}"
    if task.kind == "multiclass":
        return f"; {len(np.unique(pred))} of {task.width} classes are predicted"
    mean = float(pred.mean(dtype=np.float64))
    if task.kind == "multilabel":
        return f"; {mean * task.width:.3g} labels per item on average"
    positive = int(pred.sum(dtype=np.int64))
    text = f"; {positive:,} of {many(len(pred), 'item')} ({share(mean)}) predicted positive"
    if mean == 0.0:
        text += ". No item is predicted positive: precision is undefined, recall and F1 are 0 at best"
    return text


def _beside_scores(df: pd.DataFrame, task: Task, system: System, columns: SystemColumns, rules: Rules) -> str:
    """A clause on decisions other than the scores suggest, and a sentence on what may be wrong; "" if all is well."""
    text = ""
    if columns.pred and columns.score:
        reached = rules.reached_by([df[name] for name in columns.score])
        differ = contradicted(task, system, reached)
        text = f"; {differ:,} differ from {_by_score(task, rules)}" if differ else ""
        if task.kind == "binary" and turned(system, reached):
            remedy = _of_other_class(task, columns.score[0])
            return f"{text}. Perhaps the classes are the wrong way round: if `{columns.score[0]}` is {remedy}"
    if claim := at_odds(task, system):
        than = "as many as" if claim.more else "fewer than"
        text += (
            f". The scores add up to {count(claim.items)} {claim.of}, {claim.times:,.0f} times {than} predicted: "
            f"either they are not probabilities or the threshold is {'high' if claim.high else 'low'}"
        )
    return text


def labels_in_words(
    task: Task,
    systems: tuple[System, ...],
    columns: tuple[SystemColumns, ...],
    values: Any,
    known: Flags,
    names: Sequence[str],
) -> tuple[str, ...]:
    """The sentences that say how many labels are known, of which classes, and whether scores contradict them.

    Encoded labels, (N,) or (N, C), are `known` for some items, (N,). The systems' columns are () if they are not known.
    """
    labelled = int(known.sum())
    lines = [f"Labels from {in_code(names, 4)}: for {labelled:,} of {many(len(known), 'item')}."]
    if task.kind == "multilabel" and len(names) == 1 and labelled < len(known):
        lines.append(
            "An empty cell means that the item is not labelled: write [] for an item without any label."
        )
    if task.classified and labelled:
        lines += _classes_met(task, values[known])
    pairs = [*zip(systems, columns, strict=False)]
    for system, own in pairs if task.classified and labelled >= ENOUGH else ():
        if not own.pred and np.array_equal(system.pred[known], values[known]):
            lines.append(
                f"They are what the scores of {in_code(own.score, 2)} decide, for each of {labelled:,} items: if they are "
                "decisions and not known to be true, name the column with pred."
            )
    for system, own in pairs if task.kind == "binary" else ():
        order = ranked(system.score[known], values[known] == 1) if own.score else None
        if order is not None and order.reversed:
            lines.append(_reversed_in_words(task, own.score[0], order.share))
    return tuple(lines)


def _classes_met(task: Task, labels: Any) -> Iterator[str]:
    """How often each class occurs among known labels, and what follows if it is only one."""
    counts = np.bincount(labels, minlength=task.width)
    met = [f"{_checks.shown(name)} {n:,}" for name, n in zip(task.classes, counts, strict=True) if n]
    yield "Classes: " + ", ".join(met[:12]) + ("" if len(met) <= 12 else ", …") + "."
    if len(met) == 1:
        yield "Only one class occurs: from these labels alone, metrics that need another one are undefined."


def _reversed_in_words(task: Task, name: str, ordered: float) -> str:
    """That the scores of two classes rank labels the wrong way round, and what to do about it."""
    negative, positive = map(_checks.shown, task.classes)
    pair = f"Of a {positive} and a {negative}, the {positive} has the higher `{name}`"
    return f"{pair} in only {share(ordered)} of all pairs: if it is {_of_other_class(task, name)}."


def _of_other_class(task: Task, name: str) -> str:
    """What to do if scores of two classes are those of the negative one."""
    negative, positive = map(_checks.shown, task.classes)
    return (
        f"the score of {negative}, take 1 − `{name}` beforehand, or make {negative} the positive class, "
        f"classes=({positive}, {negative})"
    )
