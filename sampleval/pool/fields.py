"""Make the frame of fields to show, whose cells are text, numbers, truth values or bytes."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pandas.api import types

from sampleval import _checks

KEPT = frozenset(map(np.dtype, ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "f4", "f8")))
TEXT = pd.StringDtype("pyarrow", na_value=np.nan)
_CALENDAR = {"s": 250 * 10**9, "ms": 250 * 10**12, "us": 250 * 10**15, "ns": 2**63 - 1}  # from 1970 to 9892


def read_fields(df: pd.DataFrame, names: tuple[str, ...]) -> tuple[pd.DataFrame, list[str]]:
    """The columns to show, as text, numbers, truth values or bytes, and notes on the changes made to them."""
    notes: list[str] = []
    shown = {name: _field(df[name], name, notes) for name in names}
    index = pd.RangeIndex(len(df))
    fields = pd.DataFrame({name: series.set_axis(index) for name, series in shown.items()}, index=index)
    return fields.set_axis(pd.Index(list(names), dtype=object), axis=1), notes


def _field(series: pd.Series[Any], name: str, notes: list[str]) -> pd.Series[Any]:
    if _has_text_categories(series):  # kept as categories, which save memory
        return _tidy_categories(series, name, notes)
    if series.dtype in KEPT:
        return series
    if types.is_integer_dtype(series.dtype) and not _exact(series):
        return _text(series, name, notes)
    series = _checks.plain(series)
    if types.is_bool_dtype(series.dtype):
        return _text(series, name, notes) if series.isna().any() else series.astype(bool)
    if types.is_numeric_dtype(series.dtype) and not types.is_complex_dtype(series.dtype):
        whole = types.is_integer_dtype(series.dtype) and not series.isna().any()
        return series.astype("int64") if whole else _floats(series)
    if series.dtype == object and types.infer_dtype(series, skipna=True) == "bytes":
        return series.where(series.notna(), None)
    return _text(series, name, notes)


def _floats(series: pd.Series[Any]) -> pd.Series[Any]:
    """The numbers in a precision in which each is written as it was: the 0.9 of single precision has more digits in double."""
    if not types.is_float_dtype(series.dtype) or getattr(series.dtype, "itemsize", 8) >= 8:
        return series.astype("float64")
    if series.dtype == np.float16:  # tables are not kept in half precision, in which 0.9 is 0.89990234375
        series = pd.Series(series.to_numpy().astype(str), series.index, name=series.name)
    return series.astype("float32")


def _exact(series: pd.Series[Any]) -> bool:
    """Whether whole numbers keep all digits as int64, or as float64 if some cells are missing."""
    known = series.dropna()
    bits = 63 if len(known) == len(series) else 53
    return known.empty or -(2**bits) <= int(known.min()) <= int(known.max()) < 2**bits


def _has_text_categories(series: pd.Series[Any]) -> bool:
    categories = series.cat.categories if isinstance(series.dtype, pd.CategoricalDtype) else None
    return categories is not None and types.infer_dtype(categories, skipna=False) == "string"


def _text(series: pd.Series[Any], name: str, notes: list[str]) -> pd.Series[Any]:
    """The cells as text. Notes tell of cells that were of another type and of NUL characters that were replaced."""
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
    elif series.dtype == TEXT:
        return series
    return pd.Series(pd.array(array.to_pandas(), dtype=TEXT), name=name)


def _as_text(series: pd.Series[Any]) -> Any:
    """The cells as an Arrow text array, without a loop over rows where the type is uniform."""
    array = pa.array(series, from_pandas=True)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_timestamp(array.type):
        if beyond_calendar(array):
            raise ValueError("times that Arrow would write as others")
        return _dates(array)
    if isinstance(array.type, pa.BaseExtensionType) or pa.types.is_duration(array.type):
        raise TypeError("cells that Arrow would cast to a number of their unit")
    if pa.types.is_nested(array.type) or pa.types.is_binary(array.type):
        raise TypeError("cells that Arrow cannot cast to text")
    return array.cast(pa.large_string())


def _dates(times: Any) -> Any:
    """Times as text, without what is 0 in all of them: the parts of a second, or all of the time of day."""
    for unit in ("s", "ms", "us"):
        try:
            text = times.cast(pa.timestamp(unit, times.type.tz), safe=unit != "us").cast(pa.large_string())
            break
        except pa.ArrowInvalid:  # that unit would lose something
            continue
    midnight = " 00:00:00"
    dates = pc.all(pc.ends_with(text, midnight)).as_py()
    return pc.replace_substring(text, midnight, "") if dates else text


def beyond_calendar(times: Any) -> bool:
    """Whether an Arrow array has times that neither Arrow nor pandas can write in every zone."""
    since = pc.abs(times.cast(pa.int64()))
    return pc.any(pc.greater(since, _CALENDAR[times.type.unit])).as_py() is True


def _printable(cell: object) -> str:
    """Any cell as text that can be encoded."""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "replace")
    if isinstance(cell, pd.Timestamp) and cell.tz and not 0 < cell.year < 10_000:
        cell = cell.tz_convert("UTC")  # pandas cannot write so distant a time of another zone
    if isinstance(cell, dt.datetime):
        return cell.isoformat(" ")
    if isinstance(cell, int) and abs(cell) > 10**300:
        return _checks.shown(cell)
    return _in_lines(_listed(cell)).encode("utf-8", "replace").decode("utf-8")


def _in_lines(cell: object) -> str:
    r"""A cell as text: of records, such as the turns of a dialogue, each entry in a line of its own, as it was written.

    >>> print(_in_lines([{"role": "user", "content": "Hi,\nthere!"}, {"role": "system", "content": None}]))
    role: user
    content: Hi,
    there!
    <BLANKLINE>
    role: system
    """
    records: list[Any] = cell if isinstance(cell, list) else [cell]
    if not all(isinstance(record, dict) for record in records):
        return str(cell)
    told = ([f"{name}: {entry}" for name, entry in one.items() if entry is not None] for one in records)
    return "\n\n".join("\n".join(entries) for entries in told if entries) or str(cell)


def _listed(cell: object) -> object:
    """A cell with arrays as lists and NumPy's numbers as Python's, since NumPy shortens long arrays when it writes them.

    >>> _listed([{"a": np.array([1, 2])}, np.float32(0.1)]), _listed(np.array(["2024-05-01"], "M8[D]"))
    ([{'a': [1, 2]}, 0.1], ['2024-05-01'])
    """
    if isinstance(cell, np.ndarray | np.generic):
        kind = cell.dtype.kind
        if kind in "mM":  # `tolist` would turn times into integers of nanoseconds
            cell = cell.astype(str)
        elif kind == "f" and cell.dtype != np.float64:  # `tolist` turns a float32 0.1 into 0.10000000149
            cell = cell.astype(str).astype(float)
        plain = cell.tolist()
        return plain if isinstance(plain, np.generic) else _listed(plain)
    if isinstance(cell, dict):
        return {name: _listed(part) for name, part in cell.items()}
    if isinstance(cell, list):
        return [_listed(part) for part in cell]
    return tuple(_listed(part) for part in cell) if type(cell) is tuple else cell


def _tidy_categories(series: pd.Series[Any], name: str, notes: list[str]) -> pd.Series[Any]:
    """A column of text categories, unless a name is changed in a way that the notes must count cell by cell."""
    changes: list[str] = []
    names = _text(pd.Series(series.cat.categories), name, changes)
    if changes or names.duplicated().any():
        return _text(_checks.plain(series), name, notes)
    codes = series.cat.codes.to_numpy()
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(names)), name=name)
