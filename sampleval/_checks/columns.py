"""Frames and their columns: names, numbers, probabilities and ids."""

from __future__ import annotations

import numbers
import re
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pandas.api import types

from sampleval._checks.commas import comma
from sampleval._checks.errors import Text, fail, nearest, sound
from sampleval._checks.values import LARGEST, holds_numbers, rule_of

Floats = NDArray[np.float64]
ERRORS = ("#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!")  # of a spreadsheet's formulas
# What programs write for a missing value. A class or an id may have such a name.
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "none", "#N/A", "<NA>", "NaT", r"\N", "1:?", *ERRORS)  # fmt: skip
LONGEST = 500  # most characters of a column's name: prefixes are looked for before each separator in it
AS_TEXT = "Excel keeps 15 digits of a number, so format the column as text before ids are typed or imported"
_NUMBER = re.compile(r"\s*[+-]?\d*[.,]?\d+([eE][+-]?\d+)?\s*")
_MILLIONS = re.compile(r"[+-]?[1-9]\d{0,2}((,\d{3}){2,}|(\.\d{3}){2,})")
# Excel keeps 15 digits, and the program by which pandas writes workbooks 16.
_ROUNDED = re.compile(r"[1-9]\d{14}(0+|\d00+)")
_MISSING = frozenset(word.lower() for word in MISSING)


def frame(df: object) -> pd.DataFrame:
    """The frame with text as column names, without a copy of the data; refused if it is empty or repeats a name."""
    if not isinstance(df, pd.DataFrame):
        remedy = "put it into one whose columns have names, pd.DataFrame({'score': …})"
        if hasattr(df, "to_pandas"):
            remedy = "pass its to_pandas()"
        elif isinstance(df, str | PathLike):
            remedy = "for a file use Pool.read(path)"
        fail("df", "must be a pandas DataFrame", type(df).__name__, remedy=remedy)
    if (levels := df.columns.nlevels) > 1:
        fail("df", "must have one row of column names", f"{levels} levels", remedy="join the levels")
    names = [str(column) for column in df.columns]
    distinct_names(names, "df")
    if df.empty:
        what = "has columns but no rows" if names else "is empty"
        fail("df", f"must hold at least one item; it {what}", remedy="check the file or the filter before it")
    return df.set_axis(pd.Index(names, dtype=object), axis=1)


def distinct_names(names: Sequence[str], name: str) -> None:
    """Refuse column names that are repeated, blank, unprintable or too long."""
    seen: set[str] = set()
    for column in names:
        if len(column) > LONGEST:
            fail(name, f"must have column names of at most {LONGEST} characters", column, remedy="rename it")
        if column in seen:
            remedy = "rename or drop one of the two"
            if name == "path" and any(map(_NUMBER.fullmatch, names)):
                remedy += "; if the first line is a row of the table, put one with the names above it"
            fail(name, "must have distinct column names", column, remedy=remedy)
        if "\0" in column or not _encodable(column):
            fail(name, "must have printable column names", column, remedy="is the file damaged?")
        seen.add(column)


def column(df: pd.DataFrame, name: object, role: str) -> pd.Series[Any]:
    """The column that plays a role. An unknown name is refused, with the nearest name as advice."""
    if not isinstance(name, str):
        fail(role, "must be a column name", name, remedy=nearest("", df.columns))
    if name not in df.columns:
        remedy = (
            "it names the index: pass df.reset_index()"
            if name in df.index.names
            else nearest(name, df.columns)
        )
        fail(role, "is not a column of the frame", name, remedy=remedy)
    return df[name]


def plain(series: pd.Series[Any]) -> pd.Series[Any]:
    """The same cells without categories, sparsity or an Arrow wrapper."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        categories = series.cat.categories
        if categories.dtype.kind in "iu" and series.hasnans:
            # NumPy's integers have no missing value, but those of pandas do.
            whole = pd.Series(categories).convert_dtypes().reindex(series.cat.codes)
            return pd.Series(whole.array, series.index, name=series.name)
        return series.astype(categories.dtype)
    if isinstance(series.dtype, pd.SparseDtype):
        return series.astype(series.dtype.subtype)
    if isinstance(series.dtype, pd.ArrowDtype):
        cells = pa.chunked_array(pa.array(series, from_pandas=True))
        return pd.Series(cells.to_pandas(), name=series.name)
    return series


def cells(series: pd.Series[Any], name: str, ids: Text | None = None) -> Floats:
    """The column as float64, (N,), with nan for missing cells. Text that reads as a number is converted, `20%` to 0.2."""
    series = plain(series)
    if holds_numbers(series):
        return np.array(series.to_numpy(dtype=np.float64, na_value=np.nan))
    if series.dtype != object and not isinstance(series.dtype, pd.StringDtype):
        rule = f"must be a number; the column holds {series.dtype}"
        fail(name, rule, series.iloc[0], row=0, ids=ids, remedy="map a column of numbers")
    return _parsed(series, name, ids)


def _parsed(series: pd.Series[Any], name: str, ids: Text | None) -> Floats:
    """The cells of an object or text column as numbers. A cell that is no number is refused with its row."""
    percent = in_percent(series)
    text = series.where(series.map(_scalar).to_numpy(bool)) if series.dtype == object else series
    text = text.str.strip().str.removesuffix("%") if percent else text
    values = _numbers(text)
    bad = np.isnan(values) & series.notna().to_numpy() & ~series.map(says_missing).to_numpy(bool)
    if bad.any():
        values[bad] = _numbers(pd.Series([_signed(cell) for cell in text[bad]], dtype=object))
        bad &= np.isnan(values)
    if bad.any():  # of a word among decimal commas the word is wrong
        wrong = list(zip(np.flatnonzero(bad).tolist(), series[bad].tolist(), strict=True))
        row, cell = next((each for each in wrong if not comma(each[1])), wrong[0])
        remedy = comma(cell) or _unlike(cell) or "correct or drop the row"
        fail(name, "must be a number", cell, row=row, ids=ids, remedy=remedy)
    return values / 100.0 if percent else values


def _numbers(text: pd.Series[Any]) -> Floats:
    """The cells as numbers, nan where they are none."""
    return np.array(pd.to_numeric(text, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan))


def _signed(cell: object) -> object:
    """A cell of text with a minus sign that is set in print as the one that programs write; any other cell as it is."""
    return cell.replace("−", "-") if isinstance(cell, str) else cell


def _unlike(cell: object) -> str:
    """The remedy for a cell of several numbers or a tensor's, in percent beside others, or in millions; "" for any other."""
    text = cell.strip() if isinstance(cell, str) else ""
    if _MILLIONS.fullmatch(text):
        return f"its thousands are separated: write {re.sub('[.,]', '', text)}, and all others likewise"
    axes = None if isinstance(cell, np.generic) else getattr(cell, "ndim", None)  # of an array or tensor
    if axes == 0:
        return "take the numbers out of the tensors first: .map(float)"
    if isinstance(cell, dict | list) or axes or text[:1] in ("[", "{", "("):
        return "if it holds the scores of several classes, give each a column of its own"
    return "write all cells with a percent sign or none" if text.endswith("%") else ""


def in_percent(series: pd.Series[Any]) -> bool:
    """Whether all cells that are not missing are text that ends in a percent sign.

    >>> in_percent(pd.Series(["20%", "34.9 %", None])), in_percent(pd.Series(["20%", "20"])), in_percent(pd.Series([0.2]))
    (True, False, False)
    """
    known = plain(series)
    if known.dtype.kind in "biufmM":
        return False
    known = known.dropna()
    known = known[~known.map(says_missing).to_numpy(bool)]
    return len(known) > 0 and all(isinstance(cell, str) and cell.rstrip().endswith("%") for cell in known)


def _scalar(cell: object) -> bool:
    """Whether `to_numeric` may convert the cell: text, a decimal, or a real number that is not huge."""
    if isinstance(cell, numbers.Integral):
        return abs(int(cell)) < 10**300
    return isinstance(cell, str | numbers.Real) or type(cell).__name__ == "Decimal"


def says_missing(cell: object) -> bool:
    """Whether a cell is a word that programs write for a missing value.

    >>> says_missing(" NaN"), says_missing("none"), says_missing("0")
    (True, True, False)
    """
    return isinstance(cell, str) and cell.strip().lower() in _MISSING


def finite(series: pd.Series[Any], name: str, ids: Text | None = None, most: float = LARGEST) -> Floats:
    """The column as float64, (N,). Cells that are missing, infinite or beyond `most` are refused with their row."""
    values = cells(series, name, ids)
    bad = ~(np.abs(values) <= most)
    if bad.any():
        row = int(bad.argmax())
        more = int(bad.sum()) - 1
        remedy = "fill or drop the row" + (f" (and {more} more like it)" if more else "")
        fail(name, rule_of(values[row]), series.iloc[row], row=row, ids=ids, remedy=remedy)
    return values


def identifiers(series: pd.Series[Any], name: str) -> Text:
    """The ids as text, (N,). Missing and empty ones are refused; 7, 7.0 and "7" are all the id "7"."""
    series = plain(series)
    missing = series.isna().to_numpy(dtype=bool)
    if missing.any():
        row = int(missing.argmax())
        remedy = f"{int(missing.sum())} of {len(series)} are missing: give every item its own id"
        fail(name, "must have an id in every row", None, row=row, remedy=remedy)
    ids = _texts(series, name)
    for bad, rule in (
        (pc.equal(ids, ""), "must not be empty"),
        (pc.match_substring(ids, "\0"), "must not hold NUL"),
    ):
        row = pc.index(bad, True).as_py()
        if row >= 0:
            fail(name, rule, ids[row].as_py(), row=row, remedy="give every item its own printable id")
    text: Text = ids.to_numpy(zero_copy_only=False)
    return text


def unique(ids: Text, name: str) -> Text:
    """The ids unchanged; if one occurs twice, it is refused with both rows."""
    if len(pa.array(ids, type=pa.large_string()).unique()) < len(ids):
        repeated = pd.Series(ids).duplicated().to_numpy()
        row = int(repeated.argmax())
        first = int((ids == ids[row]).argmax())
        each = "drop or rename one; if each system has its own rows, call the column that names it `system`"
        remedy = f"it is also at row {first}; {AS_TEXT if rounded(ids[row]) else each}"
        remedy += f" (rows that repeat an id: {int(repeated.sum())})"
        fail(name, "must be different in every row", ids[row], row=row, remedy=remedy)
    return ids


def rounded(item: str) -> bool:
    """Whether an id may be a number that Excel has rounded, with zeros in place of all digits from the sixteenth on.

    >>> rounded("123456789012345000"), rounded("123456789012345678"), rounded("120")
    (True, False, False)
    """
    return _ROUNDED.fullmatch(item) is not None


def _texts(series: pd.Series[Any], name: str) -> pa.LargeStringArray:
    """The cells of a column without missing ones, as an Arrow array of text."""
    if series.dtype.kind == "f":
        return pa.array(_whole(series, name), type=pa.int64()).cast(pa.large_string())
    if series.dtype.kind in "iu":
        return pa.array(series.to_numpy()).cast(pa.large_string())
    if not isinstance(series.dtype, pd.StringDtype) and types.infer_dtype(series, skipna=True) != "string":
        series = pd.Series([name_of(cell, name, row) for row, cell in enumerate(series)], dtype=object)
    try:
        array = pa.array(series.to_numpy(dtype=object), type=pa.large_string())
    except (pa.ArrowException, UnicodeError):
        row = next(row for row, cell in enumerate(series) if not _encodable(str(cell)))
        fail(name, "must be valid text", series.iloc[row], row=row, remedy="save the file as UTF-8")
    return array


def _whole(series: pd.Series[Any], name: str) -> NDArray[np.int64]:
    values = series.to_numpy(dtype=np.float64)
    exact = (values == np.floor(values)) & (np.abs(values) < 2.0**53)
    remedy = "store ids as text or whole numbers below 2^53 (larger ones were rounded)"
    sound(exact, name, "must be text or whole numbers", values, remedy=remedy)
    return values.astype(np.int64)


def name_of(cell: object, name: str = "value", row: int | None = None) -> str:
    """A cell as a name: 1, 1.0 and " 1 " are "1"; True is "True".

    >>> name_of(2.0), name_of(" spam ")
    ('2', 'spam')
    """
    if isinstance(cell, np.generic):
        cell = cell.item()
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace").strip()
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, list | dict | tuple | set | np.ndarray):
        rule = "must be one value per cell, not a list or a record"
        fail(name, rule, cell, row=row, remedy="spread it over columns")
    if isinstance(cell, int) and not isinstance(cell, bool) and abs(cell) > 10**40:
        fail(name, "must be a whole number of at most 40 digits", cell, row=row, remedy="store it as text")
    try:
        return str(cell)
    except NotImplementedError:  # pandas can hold times that it cannot write
        return fail(name, "must lie between the years 1 and 9999", cell, row=row, remedy="store it as text")


def id_of(item: object) -> str:
    """An id in the form that the pool holds: text unchanged, with its spaces, and numbers as text."""
    return item if isinstance(item, str) else name_of(item, "id")


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
