"""Turn columns of known roles into arrays: the ids, and one `System` per system under test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from sampleval import _checks
from sampleval._checks import Text, fail
from sampleval.pool.answer_columns import encode_cells
from sampleval.pool.answers import is_many
from sampleval.pool.columns import Columns, SystemColumns
from sampleval.pool.guessing.scales import Transform, of_margins, one_unit
from sampleval.pool.task import YES_NO, Floats, Kind, System, Task
from sampleval.pool.thresholds import Threshold, as_scored, decide

# Margins are not squared, and the least number may stand for a class that is excluded.
ANY = float(np.finfo(float).max)


@dataclass(frozen=True, slots=True)
class Rules:
    """How scores become decisions, and how margins, percentages or confidences become scores."""

    threshold: Threshold = 0.5
    transform: Transform | None = None

    @property
    def whole(self) -> float:
        """The number that stands for a probability of 1 in the table."""
        return 100.0 if self.transform == "percent" else 1.0

    def reached_by(self, scores: Sequence[pd.Series[Any]]) -> Threshold:
        """The threshold in the precision of these columns. Probabilities computed from margins have double precision."""
        computed = not scores or self.transform == "sigmoid"
        return self.threshold if computed else as_scored(self.threshold, scores, self.whole)


def read_ids(df: pd.DataFrame, columns: Columns) -> Text:
    """Ids as text, (N,), from the id column; row numbers if there is none."""
    if columns.id is None:
        numbers: Text = pa.array(np.arange(len(df))).cast(pa.large_string()).to_numpy(zero_copy_only=False)
        return numbers
    return _checks.identifiers(df[columns.id], columns.id)


def split_long(df: pd.DataFrame, columns: Columns, ids: Text) -> tuple[Text, dict[str, NDArray[np.intp]]]:
    """The distinct ids of a long table, and for every system the rows of these ids in the same order."""
    if columns.system is None or columns.id is None:
        fail("id", "must be told in a long table of several systems", columns.id, remedy="name the id column")
    code, items = pd.factorize(pd.Index(ids, dtype=object))
    spelt = pd.Index(_checks.identifiers(df[columns.system], columns.system), dtype=object)
    which, names = pd.factorize(spelt)
    system = np.array([name.strip() for name in names], dtype=object)[which]
    rows: dict[str, NDArray[np.intp]] = {}
    for name in (s.name for s in columns.systems):
        own = np.flatnonzero(system == name)
        found = np.bincount(code[own], minlength=len(items))
        if (found != 1).any():
            item = int((found != 1).argmax())
            rule = f"must give every id exactly one row per system; for example {name!r} has {found[item]}"
            fail(columns.system, rule, str(items[item]), remedy="complete or deduplicate the table")
        place = np.empty(len(items), dtype=np.intp)
        place[code[own]] = own
        rows[name] = place
    return np.asarray(items, dtype=object), rows


def read_system(df: pd.DataFrame, task: Task, columns: SystemColumns, rules: Rules, ids: Text) -> System:
    """One system's scores, decisions and error scale for all rows."""
    score = _scores(df, task, columns, rules, ids)
    if columns.pred:
        pred = _decisions(df, task, columns, ids)
    else:
        pred = decide(task, score, rules.reached_by([df[name] for name in columns.score]))
    if rules.transform == "confidence":
        score = _of_positive(task, columns, score, pred)
    if score is None:
        score = _stand_in(task, pred)
    error = np.empty(0)
    if columns.error is not None:
        one_unit(df, [*columns.pred, columns.error])
        error = _checks.finite(df[columns.error], columns.error, ids)
        remedy = "give a standard deviation"
        _checks.sound(error >= 0, columns.error, "must not be negative", error, ids, remedy=remedy)
        error[error < 1 / _checks.LARGEST] = 0.0  # a scale whose powers are 0 tells as little
    return System(columns.name, score, pred, error)


def _of_positive(
    task: Task, columns: SystemColumns, score: Floats | None, pred: NDArray[np.generic]
) -> Floats:
    """The positive class's probability, from a score that says how sure the decision is, be it positive or negative."""
    if task.kind != "binary" or not columns.pred or score is None:
        rule = "can be 'confidence' only for scores beside decisions between two classes"
        fail("transform", rule, "confidence", remedy="name the decisions' column, pred=…")
    return np.where(pred == 1, score, 1.0 - score)


def _scores(df: pd.DataFrame, task: Task, columns: SystemColumns, rules: Rules, ids: Text) -> Floats | None:
    if task.kind == "regression":
        return np.empty((len(df), 0))
    if not columns.score:
        return None
    if task.kind == "binary":
        name = columns.score[0]
        return _mapped(_checks.finite(df[name], name, ids, ANY), df[name], rules, ids, task.kind)
    names = columns.score
    if len(names) == 1 < task.width:
        block, names = _block(df[names[0]], task, ids), names * task.width
    else:
        block = np.empty((len(df), len(names)))
        for k, name in enumerate(columns.score):
            block[:, k] = _checks.finite(df[name], name, ids, ANY)
    if task.kind == "multiclass":
        return _rows_sum_to_one(block, [df[name] for name in names], rules, ids)
    for k, name in enumerate(names):
        block[:, k] = _mapped(block[:, k], df[name], rules, ids, task.kind)
    return block


def _mapped(values: Floats, cells: pd.Series[Any], rules: Rules, ids: Text, kind: Kind) -> Floats:
    """The numbers in these cells as probabilities: as they are, from percentages, or margins through 1/(1 + e^−x)."""
    if rules.transform == "sigmoid":
        tail = np.exp(-np.abs(values))
        return np.where(values >= 0.0, 1.0, tail) / (1.0 + tail)
    return _shares(values, cells, rules, ids, kind)


def _shares(values: Floats, cells: pd.Series[Any], rules: Rules, ids: Text, kind: Kind) -> Floats:
    """The numbers in these cells as probabilities. The cells themselves may say that they are percentages, as `20%`."""
    said = _checks.in_percent(cells)
    whole, name = 1.0 if said else rules.whole, str(cells.name)
    return _checks.probabilities(values, name, ids, whole=whole, said=said, margins=_instead(kind, name))


def _instead(kind: Kind, name: str) -> str:
    """What to pass if scores are margins. A column such as predicted_score may also hold the number that is predicted."""
    told = f'transform="{of_margins(kind)}"'
    if kind == "multilabel":  # margins of exclusive classes do not sum to 1 either
        return f'{told}; if each item has one class, task="multiclass", transform="softmax"'
    amount = kind == "binary" and "pred" in name.lower()
    return told + ("; if it is the number that is predicted, name it with pred" if amount else "")


def _rows_sum_to_one(block: Floats, cells: list[pd.Series[Any]], rules: Rules, ids: Text) -> Floats:
    """Scores of all classes, (N, C), with rows that sum to 1; rows whose sum is off by more than rounding are refused."""
    if rules.transform == "softmax":
        block = np.exp(block - block.max(axis=1, keepdims=True))
        scaled: Floats = block / block.sum(axis=1, keepdims=True)
        return scaled
    for k, own in enumerate(cells):
        block[:, k] = _shares(block[:, k], own, rules, ids, "multiclass")
    total = block.sum(axis=1)
    one = _checks.sums_to_one(total, block.shape[1], block.__getitem__)
    rule = "and the other classes must sum to 1 in each row"
    remedy = (
        'for labels that do not exclude each other pass task="multilabel", for margins transform="softmax"'
    )
    _checks.sound(one, str(cells[0].name), rule, total, ids, remedy=remedy)
    if np.abs(total - 1.0).max() > 1e-12:
        block = block / total[:, None]
    return block


def _block(series: pd.Series[Any], task: Task, ids: Text) -> Floats:
    """The numbers of a column whose cells hold one score per class, (N, C)."""
    name, full = str(series.name), np.array([is_many(cell) and len(cell) == task.width for cell in series])
    remedy = "leave it out where it says how sure the model is of its decision alone"
    _checks.sound(full, name, f"must hold {task.width} scores in each row", series.iloc, ids, remedy=remedy)
    flat = np.empty((len(series), task.width))
    for row, cell in enumerate(series):
        try:
            flat[row] = np.asarray(cell, dtype=np.float64)
        except (TypeError, ValueError):
            remedy = "keep the numbers alone, in the same order of classes in each row"
            fail(name, "must hold lists of numbers", cell, row=row, ids=ids, remedy=remedy)
    finite = np.asarray(np.isfinite(flat).all(axis=1))
    _checks.sound(finite, name, "must hold finite numbers", series.iloc, ids)
    return flat


def _decisions(df: pd.DataFrame, task: Task, columns: SystemColumns, ids: Text) -> NDArray[np.generic]:
    """One system's encoded decisions, read from their own columns."""
    if task.kind == "regression":
        return _checks.finite(df[columns.pred[0]], columns.pred[0], ids)
    if task.kind == "multilabel" and len(columns.pred) == task.width:
        pred = np.empty((len(df), task.width), dtype=np.int8)
        for k, name in enumerate(columns.pred):
            pred[:, k] = _complete(df, YES_NO, name, ids)
        return pred
    return _complete(df, task, columns.pred[0], ids)


def _complete(df: pd.DataFrame, task: Task, name: str, ids: Text) -> NDArray[np.generic]:
    values, known = encode_cells(task, df[name], ids)
    if task.kind == "multilabel":  # an empty cell is a set without labels; the report says how many there are
        values[~known] = 0
    else:
        remedy = "fill it, or leave the item out; with scores, pred=() lets the threshold decide"
        _checks.sound(known, name, "must hold a decision in every row", df[name].iloc, ids, remedy=remedy)
    return values


def _stand_in(task: Task, pred: NDArray[np.generic]) -> Floats:
    """Scores 0 and 1 made from the decisions of a system without scores."""
    if task.kind == "multiclass":
        return np.asarray(np.eye(task.width)[pred.astype(np.intp)])
    return pred.astype(np.float64)
