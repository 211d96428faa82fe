"""Describe in plain words how a pool's columns were understood."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api import types

from sampleval import _checks
from sampleval.numerals import count, legible, many, share
from sampleval.pool.answer_columns import encode_cells, unknown_labels
from sampleval.pool.answers import class_position
from sampleval.pool.building import Rules
from sampleval.pool.claims import at_odds, contradicted, scores_in_words
from sampleval.pool.columns import Columns, SystemColumns, in_code
from sampleval.pool.guessing import doubtful, labels_in, loose, names_in, nested, possible_ids, repeats
from sampleval.pool.naming import role_of, says_percent
from sampleval.pool.tables import GUESS, POINTS, SHEET
from sampleval.pool.task import System, Task

TOP_CLASS = "the class with the largest score"
FEW = 20  # items among which chance alone may leave no score below ½
_DECIDED = re.compile(r"_(pred|prediction|predicted|decision)$", re.IGNORECASE)
FIRST = 20_000  # rows in which to look for a field that gives the label away
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
        lines.append(f"Known labels: {in_code(columns.label, 4)}; kept out of the pool.")
    if columns.fields:
        shown = in_code(columns.fields)
        lines.append(f"Shown to annotators: {shown}. Make sure that none of them gives the answer away.")
    else:
        lines.append("Nothing but the id is shown to annotators: choose fields if they need more.")
    if columns.hidden:
        left = in_code(columns.hidden)
        lines.append(
            f"Left out (empty, row numbers, or may give away the answer or what the model says): {left}."
        )
    return (*lines, *(note + "." for note in notes))


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
        return f"two classes, {task.classes[0]!r} (negative) and {task.classes[1]!r} (positive)"
    names = ", ".join(f"{name:.60}" for name in task.classes[:10]) + (", …" if task.width > 10 else "")
    of = "one of" if task.kind == "multiclass" else "any of"
    return f"{of} {many(task.width, 'class', 'classes')} ({names})"


def _system_in_words(
    df: pd.DataFrame, task: Task, system: System, columns: SystemColumns, rules: Rules
) -> list[str]:
    name = f"System {system.name!r}: " if system.name else ""
    lines = []
    if columns.score:
        through = THROUGH.get(rules.transform or "", "")
        lines.append(f"{name}Scores: {in_code(columns.score, 4)}{through}, {scores_in_words(task, system)}.")
    elif task.kind != "regression":
        lines.append(f"{name}No scores: the decisions stand in for them, as 0 and 1.")
    if columns.pred:
        how = f"from {in_code(columns.pred, 4)}"
    else:
        how = TOP_CLASS if task.kind == "multiclass" else f"score ≥ {_rule(task, rules)}"
    what = "Predictions" if task.kind == "regression" else "Decisions"
    lines.append(f"{name}{what}: {how}{_decisions_in_words(df, task, system, columns, rules)}.")
    if columns.error:
        lines.append(f"{name}Error scale: `{columns.error}`, mean {legible(float(system.error.mean()))}.")
    return lines


def _rule(task: Task, rules: Rules) -> str:
    if not isinstance(rules.threshold, tuple):
        return f"{rules.threshold:g}"
    return ", ".join(
        f"{value:g} for {name}" for name, value in zip(task.classes, rules.threshold, strict=True)
    )


def _decisions_in_words(
    df: pd.DataFrame, task: Task, system: System, columns: SystemColumns, rules: Rules
) -> str:
    pred = system.pred.astype(np.float64) if task.kind == "regression" else system.pred
    if task.kind == "regression":
        return f", from {legible(float(pred.min()))} to {legible(float(pred.max()))}"
    if task.kind == "multiclass":
        used = len(np.unique(pred))
        return f"; {used} of {task.width} classes are predicted{_differing(df, task, system, columns, rules)}"
    mean = float(pred.mean(dtype=np.float64))
    if task.kind == "multilabel":
        per_item = f"; {mean * task.width:.3g} labels per item on average"
        return per_item + _differing(df, task, system, columns, rules)
    positive = int(pred.sum(dtype=np.int64))
    text = f"; {positive:,} of {many(len(pred), 'item')} ({share(mean)}) predicted positive"
    if mean == 0.0:
        text += ". No item is predicted positive: precision is undefined, recall and F1 are 0 at best"
    text += _differing(df, task, system, columns, rules)
    if claim := at_odds(task, system):
        than = "as many as" if claim.more else "fewer than"
        text += (
            f". The scores add up to {count(claim.items)} {claim.of}, {claim.times:,.0f} times {than} predicted: "
            f"either they are not probabilities or the threshold is {'high' if claim.high else 'low'}"
        )
    return text


def _differing(df: pd.DataFrame, task: Task, system: System, columns: SystemColumns, rules: Rules) -> str:
    """A clause on decisions other than the scores suggest; "" if there are none, or no scores beside them."""
    scores = [df[name] for name in columns.score]
    differ = contradicted(task, system, rules.reached_by(scores)) if columns.pred and scores else 0
    than = TOP_CLASS if task.kind == "multiclass" else f"score ≥ {_rule(task, rules)}"
    return f"; {differ:,} differ from {than}" if differ else ""


def remarks(df: pd.DataFrame, columns: Columns, rules: Rules) -> list[str]:
    """Remarks on the raw columns, such as text read as numbers, a single class, or a field that gives the label away."""
    return [
        *_of_numbers(df, columns, rules),
        *(_of_decisions(df, columns, rules) if columns.kind == "binary" else []),
        *_of_file(df, columns),
        *_of_ids(df, columns),
        *(_empty_decisions(df, columns) if columns.kind == "multilabel" else []),
        *_of_labels(df, columns),
    ]


def _of_decisions(df: pd.DataFrame, columns: Columns, rules: Rules) -> Iterator[str]:
    """Remarks on scores that may be those of the decisions, and on columns that may hold the decisions."""
    for own in columns.systems:
        if (
            own.score
            and rules.transform is None
            and len(df) >= FEW
            and (loose(df[own.score[0]]) >= 0.5).all()
        ):
            perhaps = f", perhaps {in_code(columns.label)}," if columns.label else ""
            named = "" if own.pred else f"name the decisions{perhaps} with pred, and "
            yield (
                f"`{own.score[0]}` is nowhere below 0.5: if it is the probability of what the model decided, "
                f'{named}pass transform="confidence"'
            )
    if not any(own.pred for own in columns.systems):
        sounding = [name for name in columns.hidden if _DECIDED.search(name) and len(names_in(df, name)) <= 2]
        yield from (
            f"`{name}` sounds like the decisions: if it holds them, name it with pred" for name in sounding
        )


def _of_file(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """Remarks on guesses about the file: its encoding, its sheet, its decimal points."""
    if word := df.attrs.get(GUESS):
        yield (
            f"The file is not UTF-8 and was read as Windows-1252, in which Excel saves CSV: {_checks.shown(word)}, for example. "
            'If letters look wrong, save it as "CSV UTF-8"'
        )
    if sheet := df.attrs.get(SHEET):
        yield f"Of the workbook's sheets {_checks.shown(sheet)} was read, the first with a table"
    read = {*columns.model, *columns.label, *columns.fields}
    for name in filter(read.__contains__, df.attrs.get(POINTS, ())):
        yield (
            f"`{name}` was read with decimal points, but its points may separate thousands, as the rest of the file "
            "suggests: remove those that do"
        )


def _of_ids(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """Remarks on columns that could be the id, or that are named like an id but repeat values."""
    if not columns.id:
        used = {name for _, name in columns.roles}
        sounding = [name for name in df.columns if role_of(name)[0] == "weak id" and name not in used]
        yield from (
            f"`{name}` is not an id, because its values repeat" for name in sounding if repeats(df[name])
        )
        if len(possible := possible_ids(df, used)) > 1:
            yield f"{in_code(possible)} could each be the id: name one"
    called = [name for name in df.columns if role_of(name)[0] == "id" and columns.id not in (name, None)]
    yield from (
        f"`{name}` has repeated values: the id is `{columns.id}`" for name in called if repeats(df[name])
    )


def _of_labels(df: pd.DataFrame, columns: Columns) -> Iterator[str]:
    """Remarks on known labels: unknown cells, missing classes, and fields that give the label away."""
    yield from unknown_labels(columns.task, df, columns.label)
    if not columns.task.classified or len(columns.label) != 1 or nested(df[columns.label[0]]):
        return
    label = columns.label[0]
    met = labels_in(df, label, columns.classes, columns.task.width)
    foreign = [_checks.shown(name) for name in met if class_position(columns.task, name) is None]
    if foreign and columns.kind == "multiclass":
        yield f"`{label}` holds {_checks.listed(foreign, 3)}, which is no class: such labels are refused"
    if len(met) == 0:
        yield f"`{label}` is empty: no label is known"
    if len(met) == 1:
        yield f"`{label}` holds only {_checks.shown(met[0])}: no item of another class is known"
    for name in columns.fields:
        if len(met) > 1 and _tells_label(df[name], df[label]):
            yield f"`{name}` has one label for each of its values, so it gives the label away: leave it out"


def _of_numbers(df: pd.DataFrame, columns: Columns, rules: Rules) -> list[str]:
    """Remarks on a system's columns of numbers that were not read as they stand."""
    if columns.kind == "regression":
        return _from_text(df, columns.model)
    scores = [name for system in columns.systems for name in system.score]
    notes = _from_text(df, scores) + doubtful(df, columns, rules.transform)
    if rules.transform in (None, "percent", "confidence"):
        notes += [said for name in scores for said in _clipped(df[name], rules.whole)]
    if rules.transform is None:
        shares = [name for name in scores if says_percent(name) and not _checks.in_percent(df[name])]
        said = "says percent and was read as shares of 1: divide percentages by 100 beforehand"
        notes += [f"`{name}` {said}" for name in shares]
    return notes


def _from_text(df: pd.DataFrame, names: Sequence[str]) -> list[str]:
    """A remark for each of these columns of numbers that was text."""
    return [f"`{name}` was text and was read as {_read_as(df[name])}" for name in names if _is_text(df[name])]


def _clipped(scores: pd.Series[Any], whole: float) -> list[str]:
    """A remark if accepted scores lie outside [0, 1], or in percent outside [0, 100], and were clipped."""
    if nested(scores) or _checks.in_percent(scores):
        return []
    shares = loose(scores) / whole
    beyond = max(float(shares.max()) - 1.0, -float(shares.min()))
    return [f"`{scores.name}` leaves [0, {whole:g}] by rounding and was clipped"] if beyond > 0.0 else []


def _empty_decisions(df: pd.DataFrame, columns: Columns) -> list[str]:
    """Remarks on decisions that should be sets of labels but are empty or a word such as NA: no label is predicted."""
    notes = []
    for name in (own.pred[0] for own in columns.systems if len(own.pred) == 1):
        known = encode_cells(columns.task, df[name], name)[1]
        if not known.all():
            notes.append(
                f"`{name}` names no label in {many((~known).sum(), 'cell')}: none is predicted there"
            )
    return notes


def _tells_label(series: pd.Series[Any], label: pd.Series[Any]) -> bool:
    """Whether the column has few values in the first rows and each of them occurs with one label only."""
    known = label.iloc[:FIRST].notna().to_numpy(dtype=bool)
    try:
        values, _ = pd.factorize(_checks.plain(series.iloc[:FIRST][known]))
        labels, names = pd.factorize(_checks.plain(label.iloc[:FIRST][known]))
    except TypeError:
        return False
    distinct = int(values.max(initial=-1)) + 1
    if len(names) < 2 or not 1 < distinct <= len(values) / 20:
        return False
    pairs = np.unique(values.astype(np.int64) * len(names) + labels)
    return len(pairs) == len(np.unique(values))


def _is_text(series: pd.Series[Any]) -> bool:
    texts = types.is_object_dtype(series.dtype) or types.is_string_dtype(series.dtype)
    return texts and not nested(series) and types.infer_dtype(series, skipna=True) != "decimal"


def _read_as(series: pd.Series[Any]) -> str:
    # Every cell of an accepted column is a number, and all or none have a percent sign, so the first cell is enough.
    return "percentages, divided by 100" if _checks.in_percent(series.head(1)) else "numbers"
