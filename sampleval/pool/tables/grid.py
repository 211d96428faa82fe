"""Turn a grid of text cells, from delimited text or a workbook, into named columns, and refuse malformed rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.compute as pc

from sampleval import _checks
from sampleval._checks import fail
from sampleval.numerals import many
from sampleval.pool.columns import Told, strings
from sampleval.pool.guessing.identity import guess_id, possible_ids
from sampleval.pool.naming import role_of
from sampleval.pool.tables.notes import POINTS, noted
from sampleval.pool.tables.sources import Source
from sampleval.pool.tables.spelling import (
    cell_kinds,
    decimal_commas,
    grouped,
    in_names,
    pointed,
    spelt_classes,
    thousands,
    typed,
)

_FRACTION = re.compile(r"\s*[+-]?\d*\.\d*[1-9]\d*([eE][+-]?\d+)?\s*")


def header(record: Sequence[str]) -> list[str]:
    """Column names from the first record. An unnamed first column is called "index".

    >>> header(["", " score", ""])
    ['index', 'score', 'unnamed_2']
    """
    names = [name.strip() for name in record]
    names = [
        name or ("index" if k == 0 and "index" not in names else f"unnamed_{k}")
        for k, name in enumerate(names)
    ]
    _checks.distinct_names(names, "path")
    return names


def ragged(record: Sequence[str], line: int, cells: int, text: str, source: Source, remedy: str) -> NoReturn:
    """Refuse a row whose length differs from that of the record of names."""
    rule = f"must have {many(len(record), 'cell')} in every row; line {line} has {cells}"
    fail("path", rule, text, remedy=f"{remedy} ({source.path.name})")


def untitled(head: int) -> str:
    """Advice if a title stands in line `head`, counted from 1, where the column names should be."""
    return f"line {head} should name the columns: remove what stands above their names"


def named_once(
    texts: pa.Table,
    names: Sequence[str],
    record: Sequence[str],
    line_of: Callable[[int], int],
    source: Source,
) -> None:
    """Refuse a row that repeats the column names, as in several files joined into one.

    Where all are fractions, a row of numbers stands in their place, and another may well be alike.
    """
    written = {name: cell for name, cell in zip(names, record, strict=True) if cell}
    if all(map(_FRACTION.fullmatch, written.values())):
        return
    same = [pc.equal(texts[name], written[name]) for name in texts.column_names if name in written]
    row = pc.index(reduce(pc.and_, same), True).as_py() if same else -1
    if row >= 0:
        line = line_of(row + 1)
        rule = f"must name its columns once; line {line} repeats the names"
        fail("path", rule, source.path.name, remedy=f"delete line {line}")


def understood(
    texts: pa.Table, names: Sequence[str], told: Told, separator: str, notes: Mapping[str, Any]
) -> pa.Table:
    """The table with numbers where no digit is lost, and with notes on how it was read; ids stay as written."""
    ids = _ids(texts, told)
    columns = dict(zip(texts.column_names, texts.columns, strict=True))
    rest = {name: cells for name, cells in columns.items() if name not in ids}
    apart = {name: form for name, cells in rest.items() if (form := grouped(cells))}
    classes, kinds = spelt_classes(names, told), cell_kinds(names, told)

    def has_decimal_commas(name: str) -> bool:
        if name in apart:
            return apart[name][1] == ","
        # Between commas, 1,2 in quotes may be a set of labels, unless the column's name says that it holds amounts.
        if separator == "," and kinds[name] != "amount":
            return False
        # Labels may have numbers as names, with a comma in them or between them.
        of_classes = kinds[name] == "class" and in_names(rest[name], classes)
        return not of_classes and decimal_commas(rest[name])

    decimal = {*filter(has_decimal_commas, rest)}
    # Without a decimal comma, the separator shows whether the file comes from a country that writes points for
    # thousands.
    foreign = separator == ";" and not any(map(pointed, rest.values()))
    others = sorted(rest.keys() - decimal) if decimal or foreign else ()
    points = [name for name in others if thousands(rest[name], mixed=not decimal)]
    for name, cells in rest.items():
        whole = pc.replace_substring_regex(cells, apart[name][0], "") if name in apart else cells
        plain = pc.replace_substring(whole, ",", ".") if name in decimal else whole
        kind = "amount" if name in decimal | apart.keys() else kinds[name]
        columns[name] = typed(plain, kind, classes)
    return noted(columns, {POINTS: points, **notes})


def _ids(texts: pa.Table, told: Told) -> set[str]:
    """The columns that are or could be the id, whose cells must stay as written."""
    if told.id is not None:
        return {told.id}
    sounding = [name for name in texts.column_names if role_of(name)[0] in ("id", "weak id")]
    frame = texts.select(sounding or texts.column_names[:1]).to_pandas()
    taken = strings([told.score, told.pred, told.label, told.error])
    item = guess_id(frame, taken)
    return {item} if item else set(possible_ids(frame, taken))
