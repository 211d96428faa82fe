"""Spread a system's output in records and lists over columns of its own, in tables from files and in pandas frames."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
from pandas.api import types

from sampleval import _checks
from sampleval.pool.columns import Told, strings
from sampleval.pool.guessing.cells import first_cell
from sampleval.pool.naming import OUTPUTS, SCORES, role_of
from sampleval.pool.tables.arrow import is_text
from sampleval.pool.tables.nested import ByClass, Found, Output, found_output, outputs
from sampleval.pool.tables.notes import LEFT, RANKED, noted, notes_on
from sampleval.pool.tables.ranks import best_guesses
from sampleval.pool.tables.written import as_nested, begins_nested

INPUTS = "instance"
HEAD = 200  # first cells, which show of most columns that they hold no output
Cells = Callable[[int | None], list[Any]]  # the first so many cells of a column, or all


def in_table(table: pa.Table, told: Told) -> pa.Table:
    """The table with a system's output in columns of its own (see `found_output`), and lists of scores in text as lists.

    Columns that the caller named are left as they are, but for such lists, and where what is spread from them has a name
    that the caller gave.
    """
    table = _with_inputs(table, told)

    def cells(name: str) -> Cells:
        return lambda most: table[name].slice(0, most).to_pylist()

    texts = {
        one.name: cells(one.name)
        for one in table.schema
        if is_text(one.type) and begins_nested(_first(table[one.name]))
    }
    lists = _lists(texts, told)
    for name, scores in lists.items():
        table = table.set_column(table.column_names.index(name), name, scores)
    nested = {one.name: table[one.name] for one in table.schema if pa.types.is_nested(one.type)}
    loose = {name: cells for name, cells in texts.items() if name not in lists}
    found = _found(nested, loose, texts.keys(), table.column_names, told) or best_guesses(
        table.column_names, lambda name: table[name].to_pandas(), told
    )
    if found is None:
        return table
    rest = {name: table[name] for name in table.column_names if name not in found.hidden}
    _checks.distinct_names([*rest, *found.columns], "path")
    return noted(rest | found.columns, notes_on(table) | _note(found))


def in_frame(df: pd.DataFrame, told: Told) -> pd.DataFrame:
    """As `in_table`, for a frame whose cells are Python's or NumPy's lists and dicts. The frame itself is not changed."""

    def cells(name: str) -> Cells:
        return lambda most: list(df[name].iloc[:most])

    first = {name: first_cell(df[name]) for name in df.columns if _may_be_nested(df[name])}
    loose = {name: cells(name) for name, cell in first.items() if begins_nested(cell)}
    texts = {name: read for name, read in loose.items() if isinstance(first[name], str)}
    lists = _lists(texts, told)
    if lists:
        df = df.assign(**{name: pd.Series(each.to_pylist(), df.index) for name, each in lists.items()})
    found = _found({}, loose, texts.keys(), [*df.columns], told)
    found = found or best_guesses([*df.columns], df.__getitem__, told)
    if found is None:
        return df
    rest = df[[name for name in df.columns if name not in found.hidden]]
    _checks.distinct_names([*rest.columns, *found.columns], "df")
    frame = pd.concat([rest, pa.table(found.columns).to_pandas().set_axis(df.index, axis=0)], axis=1)
    frame.attrs = df.attrs | _note(found)
    return frame


def _with_inputs(table: pa.Table, told: Told) -> pa.Table:
    """The table with the fields of `instance`, under which Vertex AI writes what was predicted, in columns of their own."""
    at = table.schema.get_field_index(INPUTS)
    if at < 0 or not pa.types.is_struct(table.schema.field(at).type) or INPUTS in _named(told):
        return table
    names = [part.name for part in table.schema.field(at).type]
    others = {*table.column_names} - {INPUTS}
    if not others.isdisjoint(names) or any(role_of(name)[0] in OUTPUTS for name in names):
        return table
    rest = table.remove_column(at)
    for name, cells in zip(reversed(names), reversed(table[INPUTS].flatten()), strict=True):
        rest = rest.add_column(at, name, cells)
    return rest


def _named(told: Told) -> set[str]:
    """The columns that the caller named."""
    return strings([told.id, told.score, told.pred, told.label, told.fields])


def _found(
    nested: ByClass, loose: Mapping[str, Cells], written: Collection[str], names: Sequence[str], told: Told
) -> Found | None:
    """A system's output in records and lists, if there is one.

    Of the `nested` columns Arrow knows that they hold lists or records; the cells of the `loose` ones must be read to know.
    Columns of text, `written`, count only if no other column holds an output: a model's whole reply may stand beside it.
    """
    # All cells are read only where the first ones hold an output.
    heads = {name: cells.slice(0, HEAD) for name, cells in nested.items()}
    heads = _left_open(heads | _as_nested(loose, HEAD), told)
    own = {name: cells for name, cells in heads.items() if name not in written}
    if any(role_of(name)[0] in SCORES for name in own) or any(_outputs(own)):
        heads = own
    telling = {name for one in _outputs(heads) for name in one.of}
    nested = {name: cells for name, cells in nested.items() if name in heads}
    nested |= _as_nested({name: loose[name] for name in telling if name in loose})
    return found_output(nested, [name for name in names if name not in heads])


def _left_open(heads: ByClass, told: Told) -> ByClass:
    """The columns without those that the caller named, unless what is spread from them has a name that the caller gave."""
    said = strings([told.score, told.pred])
    seen_spread = {name for one in _outputs(heads) if not said.isdisjoint(one.columns) for name in one.of}
    named = _named(told) - seen_spread
    return {name: cells for name, cells in heads.items() if name not in named}


def _outputs(heads: ByClass) -> Iterator[Output]:
    """What these columns hold of a system's output, whether another column holds its decisions or not."""
    for decided in (False, True):
        yield from outputs(heads, decided=decided)


def _lists(texts: Mapping[str, Cells], told: Told) -> ByClass:
    """The lists of numbers in columns of text whose name, or whose role for the caller, is that of scores."""
    named = [name for name in texts if role_of(name) == ("score", "") or name in strings(told.score)]
    return _as_nested({name: texts[name] for name in named if _are_numbers(as_nested(texts[name](HEAD)))})


def _as_nested(loose: Mapping[str, Cells], most: int | None = None) -> ByClass:
    """The first so many cells, or all, of those of these columns in which they are nothing but lists and records."""
    return {name: found for name, cells in loose.items() if (found := as_nested(cells(most))) is not None}


def _are_numbers(cells: pa.ChunkedArray | None) -> bool:
    """Whether these are lists of numbers."""
    return cells is not None and pa.types.is_list(cells.type) and pa.types.is_floating(cells.type.value_type)


def _note(found: Found) -> dict[str, Any]:
    """What to write into the notes on the table."""
    notes: dict[str, Any] = {LEFT: found.left, RANKED: [*found.ranked]}
    return {key: held for key, held in notes.items() if held}


def _first(cells: pa.ChunkedArray) -> Any:
    """The first cell that is not missing; `None` if there is none."""
    known = cells.slice(0, HEAD).drop_null()
    known = known if len(known) else cells.drop_null()
    return known[0].as_py() if len(known) else None


def _may_be_nested(series: pd.Series[Any]) -> bool:
    """Whether cells may be text, lists or records."""
    kind = series.dtype
    arrow = isinstance(kind, pd.ArrowDtype) and (
        pa.types.is_nested(kind.pyarrow_dtype) or is_text(kind.pyarrow_dtype)
    )
    return types.is_object_dtype(kind) or isinstance(kind, pd.StringDtype) or arrow
