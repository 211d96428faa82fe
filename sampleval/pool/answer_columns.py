"""Encode columns of answers, and find the names that occur in them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types

from sampleval import _checks
from sampleval._checks import InputError, Text, fail, name_of, says_missing
from sampleval.pool.answers import MANY, bracketed, encode_label, split_labels, unlabelled
from sampleval.pool.polarity import SIGNED
from sampleval.pool.spellings import spelt
from sampleval.pool.task import YES_NO, Flags, Task
from sampleval.pool.unknown import says_unsure

ENOUGH = 20  # distinct cells that are no labels, after which the search stops: a message lists a few of them


def encode_cells(
    task: Task, series: pd.Series[Any], ids: Text | None = None
) -> tuple[NDArray[np.generic], Flags]:
    """The encoded answers of a column, and which of them are known.

    Args:
        task: What is predicted.
        series: (n,) answers. Missing and blank cells are unknown, as are words such as NA unless a class has that name.
            If the column holds only −1 and 1, −1 is the negative class.
        ids: (n,) ids to name an offending row.

    Returns:
        Values, (n,) or in multilabel (n, C), with −1 (in regression nan) where unknown. Known, (n,) bool.
    """
    name = str(series.name)
    if task.kind == "regression":
        numbers = _checks.cells(series, name, ids)
        known = ~np.isnan(numbers)
        _finite(numbers, known, name, ids)
        return numbers, known
    codes, answers = _distinct(series)
    if task.kind == "binary" and "-1" not in task.classes and _signed(answers):
        task = Task("binary", SIGNED)
    unknown = np.array([*(_unknown(task, answer) for answer in answers), True])
    codes = np.where(unknown[codes], -1, codes)
    table = unlabelled(task, len(answers) + 1)
    refused: dict[int, InputError] = {}
    for k in np.flatnonzero(~unknown):
        try:
            table[k] = encode_label(task, answers[k])
        except InputError as error:
            refused[int(k)] = error
            if len(refused) == ENOUGH:
                break
    if task.kind == "binary" and len(refused) == 2 == np.count_nonzero(~unknown[:-1]):
        pairs = (task.classes, [answers[k] for k in refused])
        own, theirs = (" and ".join(map(_checks.shown, pair)) for pair in pairs)
        rule = f"must hold the pool's classes, {own}; its own two are {theirs}"
        fail(name, rule, remedy="if they mean the same, make the pool with classes=(negative, positive)")
    if refused:
        answer, reason = next(iter(refused.items()))
        row = int((codes == answer).argmax())
        where = f"column {name!r}, row {row}" + ("" if ids is None else f", id {_checks.shown(ids[row])}")
        with _checks.located(where + _besides(refused, codes, answers), called=name):
            raise reason
    return table[codes], codes >= 0


def _besides(refused: Iterable[int], codes: NDArray[np.intp], answers: Sequence[object]) -> str:
    """The part of a message that lists and counts the refused cells after the first; "" if there are none."""
    first, *others = refused
    counts = _counts(codes, len(answers))
    more = [f"{_checks.shown(answers[k])} ({counts[k]:,})" for k in others]
    again = [f"{_checks.shown(answers[first])} ({counts[first] - 1:,} more)"] if counts[first] > 1 else []
    return f"; elsewhere {_checks.listed([*again, *more], 6)}" if again or more else ""


def _counts(codes: NDArray[np.intp], distinct: int) -> NDArray[np.intp]:
    """How often each of the distinct answers occurs, (distinct,); the code −1 stands for a missing one."""
    return np.bincount(codes[codes >= 0], minlength=distinct)


def _unknown(task: Task, answer: object) -> bool:
    """Whether a cell says that the answer is unknown: it is blank or a word such as NA, and no class has that name.

    An empty set of labels is known; it is written [].
    """
    if not isinstance(answer, str):
        return False
    silent = says_missing(answer) or (task.kind == "binary" and says_unsure(answer))
    return silent and spelt(answer.strip()) not in map(spelt, task.classes)


def unknown_in_words(task: Task, series: pd.Series[Any]) -> list[str]:
    """A note on the words in a column of labels that are read as unknown, with their counts; [] if there are none."""
    cells = _checks.plain(series)
    if types.infer_dtype(cells).startswith("mixed"):  # a set of labels is no word, and takes long to compare
        cells = cells[[isinstance(cell, str) for cell in cells]]
    codes, answers = pd.factorize(cells)
    counts = _counts(codes, len(answers))
    said = [k for k, word in enumerate(answers) if _unknown(task, word) and word.strip()]
    if not said:
        return []
    words = _checks.listed([f"{answers[k]!r} ({counts[k]:,})" for k in said])
    classes = "; if it is a class, name it with `classes`" if task.classes else ""
    return [f"`{series.name}` holds {words}, taken for unknown{classes}"]


def unknown_labels(task: Task, df: pd.DataFrame, names: Sequence[str]) -> list[str]:
    """`unknown_in_words` for all columns of labels. If there are several, each holds yes or no for one label."""
    each = task if len(names) == 1 else YES_NO
    return [said for name in names for said in unknown_in_words(each, df[name])]


def names_in_sets(series: pd.Series[Any]) -> list[str]:
    """The distinct names in a column of sets of labels: lists, `a|b` or `["a", "b"]`. Words such as NA are left out.

    >>> names_in_sets(pd.Series(["a|b", "[]", "b", None, "none"]))
    ['a', 'b']
    >>> names_in_sets(pd.Series(["x, y|b", "x, y"]))  # between bars, a comma is part of a name, and so it is elsewhere
    ['x, y', 'b']
    """
    cells = [cell.strip() for cell in _answers(series)]
    known = {name for cell in cells if "|" in cell for name in split_labels(cell)}
    split = ([cell] if cell in known else split_labels(cell) for cell in cells)
    return list(dict.fromkeys(name_of(name, str(series.name)) for names in split for name in names))


def same_length(series: pd.Series[Any]) -> bool:
    """Whether a column holds lists of several entries and of one length, as lists with a place for each label are.

    >>> same_length(pd.Series([[1, 0], [0, 0], None])), same_length(pd.Series([[0, 1], [1], []])), same_length(pd.Series([1, 0]))
    (True, False, False)
    """
    lengths = {len(split_labels(cell)) for cell in _answers(series)}
    return len(lengths) == 1 and lengths != {1}


def holds_sets(series: pd.Series[Any]) -> bool:
    """Whether some cell holds a set of labels rather than one name: a list, a set, or labels with bars or commas between.

    If fewer than half of the distinct cells hold a bar, the bar is taken for a part of a name, unless one of the parts
    that it separates occurs elsewhere too.

    >>> holds_sets(pd.Series(["a", "a|b"])), holds_sets(pd.Series(["a", "b"])), holds_sets(pd.Series([[], ["a"]]))
    (True, False, True)
    >>> holds_sets(pd.Series(["news", "art|design", "sport"])), holds_sets(pd.Series(["a|b", "c|d", "e"]))
    (False, True)
    """
    if series.dtype.kind in "biufcmM":  # numbers and times, of which not all can be written
        return False
    cells = _answers(series)
    if _holds_list(cells):
        return True
    split = [{part.strip() for part in cell.split("|")} for cell in cells]
    met = Counter(part for parts in split for part in parts)
    barred = [parts for cell, parts in zip(cells, split, strict=True) if "|" in cell]
    by_bars = 0 < len(cells) <= 2 * len(barred) or any(met[part] > 1 for parts in barred for part in parts)
    return by_bars or _enumerate(cells)


def _enumerate(cells: Sequence[str]) -> bool:
    """Whether at least half of the cells with commas or semicolons list names that are cells of their own too.

    A comma within a name, as in "Korea, South", stands beside words that are none. Numbers may have decimal commas.

    >>> _enumerate(["a", "b, a", "b"]), _enumerate(["Korea, South", "Japan"]), _enumerate(["1", "5", "1,5"])
    (True, False, False)
    """
    known = {cell.strip() for cell in cells}
    worded = [cell for cell in cells if "|" not in cell and any(map(str.isalpha, cell))]
    lists = [parts for cell in worded if len(parts := split_labels(cell)) > 1]
    return 0 < len(lists) <= 2 * sum(known.issuperset(parts) for parts in lists)


def names_with_bars(series: pd.Series[Any]) -> list[str]:
    """The distinct text cells that hold a bar, between labels or within a name; [] if the column also holds lists.

    >>> names_with_bars(pd.Series(["news", "art|design", "news", None])), names_with_bars(pd.Series(["a|b", "[]"]))
    (['art|design'], [])
    """
    cells = [cell for cell in _distinct(series)[1] if isinstance(cell, str)]
    return [] if _holds_list(cells) else [cell for cell in cells if "|" in cell]


def _holds_list(cells: Iterable[str]) -> bool:
    """Whether some cell of text is a list or a set as programs write it."""
    return any(bracketed(cell.strip()) is not None for cell in cells)


def _signed(answers: Iterable[Any]) -> bool:
    """Whether the distinct answers are −1 and 1, or only −1. Beside a 0, −1 means something else."""
    met = {answer.strip() if isinstance(answer, str) else answer for answer in answers} - {""}
    return not met.isdisjoint({-1, "-1"}) and met <= {-1, 1, *SIGNED}


def _finite(numbers: NDArray[np.float64], known: Flags, name: str, ids: Text | None) -> None:
    bad = known & ~(np.abs(numbers) <= _checks.LARGEST)
    if bad.any():
        row = int(bad.argmax())
        rule, remedy = _checks.rule_of(numbers[row]), "correct or drop the row"
        fail(name, rule, numbers[row], row=row, ids=ids, remedy=remedy)


def _answers(series: pd.Series[Any]) -> list[str]:
    """The distinct answers of a column as text, without words such as NA."""
    return [str(answer) for answer in _distinct(series)[1] if not says_missing(answer)]


def _distinct(series: pd.Series[Any]) -> tuple[NDArray[np.intp], list[Any]]:
    """Codes (n,), −1 where missing, and the distinct answers that they stand for, with sets of labels as JSON lists."""
    cells = _checks.plain(series)
    try:
        codes, answers = pd.factorize(cells)
    except TypeError:  # lists, sets and records cannot be hashed
        codes, answers = pd.factorize(cells.map(_written))
    return codes, [_written(answer) for answer in answers]


def _written(cell: Any) -> Any:
    """The cell as text if it is a set of labels or a record; otherwise the cell itself."""
    if isinstance(cell, set | frozenset):
        cell = sorted(cell, key=str)
    if isinstance(cell, MANY):
        return json.dumps(cell, default=_listed)
    return str(cell) if isinstance(cell, dict) else cell


def _listed(cell: Any) -> Any:
    return cell.tolist() if isinstance(cell, np.ndarray | np.generic) else str(cell)
