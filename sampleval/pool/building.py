"""From mapped columns to arrays: ids, one System per system, and the frame of fields to show."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pandas.api import types

from sampleval import _checks
from sampleval._checks import Text, fail
from sampleval.pool.answers import dtype_of, encode_cells
from sampleval.pool.columns import Columns, SystemColumns
from sampleval.pool.task import Floats, System, Task

Transform = Literal["sigmoid", "softmax"]
Threshold = float | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """How scores become decisions, and margins scores."""

    threshold: Threshold = 0.5
    transform: Transform | None = None


def thresholds(task: Task, threshold: object) -> Threshold:
    """One threshold, or in multilabel one per label from a mapping label → threshold."""
    if not isinstance(threshold, Mapping):
        return _checks.unit(threshold, "threshold")
    if task.kind != "multilabel":
        fail("threshold", f"can be given per label only in a multilabel task, this one is {task.kind}", threshold)
    for name in threshold:
        _checks.choice(name, task.classes, "threshold")
    return tuple(_checks.unit(threshold.get(name, 0.5), f"threshold[{name!r}]") for name in task.classes)


# ------------------------------------------------------------------ ids


def read_ids(df: pd.DataFrame, columns: Columns) -> Text:
    """Ids as text, (N,): the id column, or row numbers."""
    if columns.id is None:
        numbers: Text = pa.array(np.arange(len(df))).cast(pa.large_string()).to_numpy(zero_copy_only=False)
        return numbers
    return _checks.identifiers(df[columns.id], columns.id)


def split_long(df: pd.DataFrame, columns: Columns, ids: Text) -> tuple[Text, dict[str, NDArray[np.intp]]]:
    """A long table's ids, each once, and for every system the rows of those ids in order."""
    if columns.system is None or columns.id is None:
        fail("id", "must be told in a long table of several systems", columns.id, remedy="name the id column")
    code, items = pd.factorize(pd.Index(ids, dtype=object))
    system = _checks.identifiers(df[columns.system], columns.system)
    rows: dict[str, NDArray[np.intp]] = {}
    for name in (s.name for s in columns.systems):
        own = np.flatnonzero(system == name)
        found = np.bincount(code[own], minlength=len(items))
        if (found != 1).any():
            item = int((found != 1).argmax())
            rule = f"must give every id exactly one row per system; {name!r} has {found[item]} for one"
            fail(columns.system, rule, str(items[item]), remedy="complete or deduplicate the table")
        place = np.empty(len(items), dtype=np.intp)
        place[code[own]] = own
        rows[name] = place
    return np.asarray(items, dtype=object), rows


# ------------------------------------------------------------------ systems


def read_system(df: pd.DataFrame, task: Task, columns: SystemColumns, rules: Rules, ids: Text) -> System:
    """One system's scores, decisions and error scale on all rows."""
    score = _scores(df, task, columns, rules, ids)
    pred = _decisions(df, task, columns, ids) if columns.pred else decide(task, score, rules.threshold)
    if score is None:
        score = _stand_in(task, pred)
    error = np.empty(0)
    if columns.error is not None:
        error = _checks.finite(df[columns.error], columns.error, ids)
        if (error < 0).any():
            row = int((error < 0).argmax())
            fail(columns.error, "must not be negative", error[row], row=row, ids=ids, remedy="give a standard deviation")
    return frozen(System(columns.name, score, pred, error))


def frozen(system: System) -> System:
    """The same system with read-only arrays, so that a shared pool cannot be changed."""
    for array in (system.score, system.pred, system.error):
        array.flags.writeable = False
    return system


def _scores(df: pd.DataFrame, task: Task, columns: SystemColumns, rules: Rules, ids: Text) -> Floats | None:
    if task.kind == "regression":
        return np.empty((len(df), 0))
    if not columns.score:
        return None
    if task.kind == "binary":
        return _mapped(_checks.finite(df[columns.score[0]], columns.score[0], ids), columns.score[0], rules, ids)
    if len(columns.score) == 1 < task.width:
        block = _block(df[columns.score[0]], columns.score[0], task, ids)
    else:
        block = np.empty((len(df), len(columns.score)))
        for k, name in enumerate(columns.score):
            block[:, k] = _checks.finite(df[name], name, ids)
    if task.kind == "multiclass":
        return _rows_sum_to_one(block, columns, rules, ids)
    for k, name in enumerate(columns.score):
        block[:, k] = _mapped(block[:, k], name, rules, ids)
    return block


def _mapped(values: Floats, name: str, rules: Rules, ids: Text) -> Floats:
    """Probabilities as they are, or margins through 1/(1 + e^−x)."""
    if rules.transform == "softmax":
        fail("transform", "can be 'softmax' only in a multiclass task", "softmax", remedy="pass transform='sigmoid'")
    if rules.transform == "sigmoid":
        tail = np.exp(-np.abs(values))
        return np.where(values >= 0.0, 1.0, tail) / (1.0 + tail)
    return _checks.probabilities(values, name, ids)


def _rows_sum_to_one(block: Floats, columns: SystemColumns, rules: Rules, ids: Text) -> Floats:
    """Rows over the classes, divided by their sum if it is 1 up to rounding."""
    if rules.transform == "sigmoid":
        fail("transform", "must be 'softmax' in a multiclass task", "sigmoid", remedy="or name task=\"multilabel\"")
    if rules.transform == "softmax":
        block = np.exp(block - block.max(axis=1, keepdims=True))
        scaled: Floats = block / block.sum(axis=1, keepdims=True)
        return scaled
    name = columns.score[0]
    _checks.probabilities(block, name, ids)
    total = block.sum(axis=1)
    bad = np.abs(total - 1.0) > 0.02
    if bad.any():
        row = int(bad.argmax())
        remedy = 'for labels that do not exclude each other pass task="multilabel", for margins transform="softmax"'
        fail(name, "and the other classes must sum to 1 in each row", total[row], row=row, ids=ids, remedy=remedy)
    if np.abs(total - 1.0).max() > 1e-12:
        block = block / total[:, None]
    return block


def _block(series: pd.Series[Any], name: str, task: Task, ids: Text) -> Floats:
    """A column whose cells hold one score per class, as (N, C)."""
    lengths = np.array([len(c) if isinstance(c, list | tuple | np.ndarray) else -1 for c in series])
    if (lengths != task.width).any():
        row = int((lengths != task.width).argmax())
        fail(name, f"must hold {task.width} scores in each row", series.iloc[row], row=row, ids=ids)
    try:
        flat = np.array([np.asarray(cell, dtype=np.float64) for cell in series])
    except (TypeError, ValueError):
        return fail(name, "must hold lists of numbers", series.iloc[0], row=0, ids=ids)
    bad = ~np.isfinite(flat).all(axis=1)
    if bad.any():
        row = int(bad.argmax())
        fail(name, "must hold finite numbers", series.iloc[row], row=row, ids=ids)
    return flat


def decide(task: Task, score: Floats | None, threshold: Threshold) -> NDArray[np.generic]:
    """Decisions from scores: at or above the threshold, or the class with the largest score.

    Args:
        task: Binary, multiclass or multilabel.
        score: (N,) or (N, C).
        threshold: One number, or one per label.
    """
    if score is None:
        fail("score", f"or pred must be named for a {task.kind} task", remedy="name the column")
    if task.kind == "multiclass":
        return score.argmax(axis=1).astype(np.int32)
    return (score >= np.asarray(threshold)).astype(np.int8)


def _decisions(df: pd.DataFrame, task: Task, columns: SystemColumns, ids: Text) -> NDArray[np.generic]:
    """Decisions from their own columns."""
    if task.kind == "regression":
        return _checks.finite(df[columns.pred[0]], columns.pred[0], ids)
    if task.kind == "multilabel" and len(columns.pred) == task.width:
        pred = np.empty((len(df), task.width), dtype=np.int8)
        for k, name in enumerate(columns.pred):
            pred[:, k] = _complete(df, Task(), name, ids)
        return pred
    return _complete(df, task, columns.pred[0], ids)


def _complete(df: pd.DataFrame, task: Task, name: str, ids: Text) -> NDArray[np.generic]:
    values, known = encode_cells(task, df[name], name, ids)
    if not known.all():
        row = int((~known).argmax())
        remedy = "fill it, or leave pred out (pred=()) so that the threshold decides"
        fail(name, "must hold a decision in every row", df[name].iloc[row], row=row, ids=ids, remedy=remedy)
    return values


def _stand_in(task: Task, pred: NDArray[np.generic]) -> Floats:
    """Scores 0 and 1 from decisions, where there are none."""
    if task.kind == "multiclass":
        return np.asarray(np.eye(task.width)[pred.astype(np.intp)])
    return pred.astype(np.float64)


# ------------------------------------------------------------------ fields


def read_fields(df: pd.DataFrame, names: tuple[str, ...]) -> tuple[pd.DataFrame, list[str]]:
    """The columns to show as text, numbers, truth values or bytes, and notes on what was changed."""
    notes: list[str] = []
    shown = {name: _field(df[name], name, notes) for name in names}
    index = pd.RangeIndex(len(df))
    fields = pd.DataFrame({name: series.set_axis(index) for name, series in shown.items()}, index=index)
    return fields.set_axis(pd.Index(list(names), dtype=object), axis=1), notes


def _field(series: pd.Series[Any], name: str, notes: list[str]) -> pd.Series[Any]:
    if isinstance(series.dtype, pd.CategoricalDtype):
        if types.infer_dtype(series.cat.categories, skipna=False) == "string":
            return _tidy_categories(series, name, notes)
    series = _checks.plain(series)
    kind = series.dtype.kind if isinstance(series.dtype, np.dtype) else ""
    if kind in "biuf" and kind and series.dtype not in (np.float16, np.longdouble, np.uint64):
        return series
    if types.is_bool_dtype(series.dtype) and not series.isna().any():
        return series.astype(bool)
    if types.is_numeric_dtype(series.dtype) and not types.is_complex_dtype(series.dtype):
        whole = types.is_integer_dtype(series.dtype) and not series.isna().any() and series.max() < 2**63
        return series.astype("int64" if whole else "float64")
    if series.dtype == object and types.infer_dtype(series, skipna=True) == "bytes":
        return series.where(series.notna(), None)
    return _text(series, name, notes)


def _text(series: pd.Series[Any], name: str, notes: list[str]) -> pd.Series[Any]:
    """Cells of any other type as text; what cannot be text is replaced, with a note."""
    kind = types.infer_dtype(series, skipna=True) if series.dtype == object else str(series.dtype)
    try:
        array = _as_text(series)
    except (pa.ArrowException, UnicodeError, TypeError, ValueError, OverflowError):
        missing = series.isna().to_numpy(dtype=bool)
        cells = [None if gone else _printable(cell) for cell, gone in zip(series, missing, strict=True)]
        array = pa.array(cells, type=pa.large_string())
    if kind not in ("string", "str", "empty"):
        notes.append(f"`{name}` ({kind}) is shown as text")
    nul = pc.fill_null(pc.match_substring(array, "\0"), False)
    first = pc.index(nul, True).as_py()
    if first >= 0:
        notes.append(f"`{name}`: NUL shown as ␀ in {pc.sum(nul).as_py()} cells, first at row {first}")
        array = pc.replace_substring(array, "\0", "␀")
    return pd.Series(pd.array(array.to_pandas(), dtype="str"), name=name)


def _as_text(series: pd.Series[Any]) -> Any:
    """The cells as an Arrow text array, without a loop over rows where the type is uniform."""
    array = pa.array(series, from_pandas=True)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_timestamp(array.type):
        array = array.cast(pa.timestamp("us", array.type.tz), safe=False)
    if pa.types.is_nested(array.type) or pa.types.is_binary(array.type):
        raise TypeError("cells that Arrow cannot cast to text")
    return array.cast(pa.large_string())


def _printable(cell: object) -> str:
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(" ")
    if isinstance(cell, int) and abs(cell) > 10**300:
        return _checks.shown(cell)
    return str(cell).encode("utf-8", "replace").decode("utf-8")


def _tidy_categories(series: pd.Series[Any], name: str, notes: list[str]) -> pd.Series[Any]:
    """Text categories, refused characters replaced in the few names instead of the many cells."""
    names = _text(pd.Series(series.cat.categories), name, notes)
    if names.duplicated().any():
        return _text(_checks.plain(series), name, notes)
    codes = series.cat.codes.to_numpy()
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(names)), name=name)


# ------------------------------------------------------------------ the report


def report(
    columns: Columns, systems: tuple[System, ...], rules: Rules, size: int, notes: list[str]
) -> tuple[str, ...]:
    """What was understood, in plain words."""
    task = columns.task
    lines = [f"{size:,} items. Task: {_kind_in_words(task)}."]
    if columns.explanation:
        lines.append(columns.explanation[0].upper() + columns.explanation[1:] + ".")
    lines.append(f"Ids: column `{columns.id}`." if columns.id else "Ids: row numbers from 0, since no id column was found.")
    for system, own in zip(systems, columns.systems, strict=True):
        lines += _system_in_words(task, system, own, rules)
    if columns.label:
        kept = ", ".join(f"`{name}`" for name in columns.label[:4]) + (" …" if len(columns.label) > 4 else "")
        lines.append(f"Known labels: {kept}; kept out of the pool.")
    if columns.fields:
        shown = ", ".join(f"`{name}`" for name in columns.fields)
        lines.append(f"Shown to annotators: {shown}. Make sure that none of them gives the answer away.")
    else:
        lines.append("Nothing but the id is shown to annotators: name fields=[…] to show more.")
    if columns.hidden:
        left = ", ".join(f"`{name}`" for name in columns.hidden)
        lines.append(f"Left out (empty, or may give the answer or the model away): {left}.")
    return (*lines, *(note + "." for note in notes))


def _kind_in_words(task: Task) -> str:
    if task.kind == "regression":
        return "a number per item (regression)"
    if task.kind == "binary":
        return f"two classes, {task.classes[0]!r} and {task.classes[1]!r}; positive is {task.classes[1]!r}"
    names = ", ".join(task.classes[:10]) + (", …" if task.width > 10 else "")
    many = "one of" if task.kind == "multiclass" else "any of"
    return f"{many} {task.width} classes ({names})"


def _system_in_words(task: Task, system: System, columns: SystemColumns, rules: Rules) -> list[str]:
    name = f"System {system.name!r}: " if system.name else ""
    lines = []
    if columns.score:
        shown = ", ".join(f"`{c}`" for c in columns.score[:4]) + (" …" if len(columns.score) > 4 else "")
        through = f" through {rules.transform}" if rules.transform else ""
        lines.append(f"{name}Scores: {shown}{through}, {_scores_in_words(task, system)}.")
    elif task.kind != "regression":
        lines.append(f"{name}No scores: the decisions stand in for them, as 0 and 1.")
    if columns.pred:
        shown = ", ".join(f"`{c}`" for c in columns.pred[:4]) + (" …" if len(columns.pred) > 4 else "")
        how = f"from {shown}"
    else:
        how = "the class with the largest score" if task.kind == "multiclass" else f"score ≥ {_rule(task, rules)}"
    lines.append(f"{name}Decisions: {how}{_decisions_in_words(task, system, columns, rules)}.")
    if columns.error:
        lines.append(f"{name}Error scale: `{columns.error}`, mean {system.error.mean():.4g}.")
    return lines


def _rule(task: Task, rules: Rules) -> str:
    if not isinstance(rules.threshold, tuple):
        return f"{rules.threshold:g}"
    return ", ".join(f"{value:g} for {name}" for name, value in zip(task.classes, rules.threshold, strict=True))


def _scores_in_words(task: Task, system: System) -> str:
    score = system.score
    text = f"from {score.min():.4g} to {score.max():.4g}, mean {score.mean():.4g}"
    zeros, ones = int((score == 0.0).sum()), int((score == 1.0).sum())
    if zeros or ones:
        text += f"; exactly 0: {zeros:,}, exactly 1: {ones:,}"
    if task.kind == "binary" and len(score) > 1:
        distinct = 1 + int(np.count_nonzero(np.diff(np.sort(score))))
        if distinct < len(score):
            text += f"; {distinct:,} distinct values, the rest tie"
    return text


def _decisions_in_words(task: Task, system: System, columns: SystemColumns, rules: Rules) -> str:
    pred = system.pred.astype(np.float64) if task.kind == "regression" else system.pred
    if task.kind == "regression":
        return f", from {pred.min():.4g} to {pred.max():.4g}"
    if task.kind == "multiclass":
        used = len(np.unique(pred))
        return f"; {used} of {task.width} classes are predicted"
    share = float(pred.mean(dtype=np.float64))
    if task.kind == "multilabel":
        return f"; {share * task.width:.3g} labels per item on average"
    text = f"; {share:.4g} of the items are predicted positive ({int(pred.sum(dtype=np.int64)):,})"
    if share == 0.0:
        text += ". No item is predicted positive: precision is undefined, recall and F1 are 0 at best"
    if columns.pred and columns.score:
        differ = int((pred != (system.score >= np.asarray(rules.threshold))).sum())
        text += f"; {differ:,} differ from score ≥ {_rule(task, rules)}" if differ else ""
    return text


def remarks(df: pd.DataFrame, columns: Columns) -> list[str]:
    """What a reader should know about the raw columns: text read as numbers, a single class."""
    numeric = [name for system in columns.systems for name in system.score]
    if columns.kind == "regression":
        numeric = list(columns.model)
    notes = [f"`{name}` was text and was read as numbers" for name in numeric if _is_text(df[name])]
    if columns.kind in ("binary", "multiclass") and len(columns.label) == 1:
        try:
            met = _checks.plain(df[columns.label[0]]).dropna().unique()
        except TypeError:
            return notes
        if len(met) == 1:
            only = _checks.shown(met[0])
            notes.append(f"`{columns.label[0]}` holds only {only}: no item of another class is known")
        if len(met) == 0:
            notes.append(f"`{columns.label[0]}` is empty: no label is known")
    return notes


def _is_text(series: pd.Series[Any]) -> bool:
    return types.is_object_dtype(series.dtype) or types.is_string_dtype(series.dtype)
