"""Find the column that identifies the items, and in a long table the one that names the system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import pandas as pd

from sampleval import _checks
from sampleval._checks import fail
from sampleval.pool.columns import Told
from sampleval.pool.guessing.cells import ENOUGH, HEAD, head_and_all
from sampleval.pool.naming import role_of, suggesting

MOSTLY = 0.75  # of the pairs of an item and a system: with so many rows, a table is hardly anything but long
_CODE = re.compile(r"(?![+-]?\d*[.,]\d+([eE][+-]?\d+)?%?$)\S*\d\S*")  # 0.25 is no code, even as text


def identity(df: pd.DataFrame, told: Told, taken: set[str]) -> tuple[str | None, str | None]:
    """The id column, and in a long table the column that names the system."""
    long = _told_system(df, told)
    if told.id is not None:
        _checks.column(df, told.id, "id")
    item = guess_id(df, taken) if told.id is None else told.id
    if told.system is None:
        named = suggesting(df.columns, "system", {item, *taken})
    else:
        named = [long] if long else []
    if named and item is not None and repeats(df[item]):
        return item, long or next((name for name in named if not repeats(df[[item, name]])), None)
    for name in named if told.id is None else ():
        if unnamed := _id_of_long(df, name, taken, told=bool(long)):
            return unnamed, name
    return item, long


def _told_system(df: pd.DataFrame, told: Told) -> str | None:
    """The column that names the systems, if the caller gave one, and not a mapping of each system to its columns."""
    given: object = told.system
    if isinstance(given, str):
        _checks.column(df, given, "system")
        return given
    if given is not None and not (isinstance(given, Mapping) and given):
        rule = "must be a column name, or a mapping of each system to its columns"
        fail("system", rule, given, remedy='e.g. system={"new": {"score": "score_new"}}')
    return None


def _id_of_long(df: pd.DataFrame, system: str, taken: AbstractSet[str], *, told: bool) -> str | None:
    """The id column of a long table, if its values tell it but no name: each of them has one row per system.

    If nobody `told` that the column names systems, it does not where it names more of them than there are items, as `model`
    of a car beside its `make`.
    """
    full = (name for name in _likely_ids(df, {system, *taken}) if _filled(df, name, system) == 1.0)
    return next((name for name in full if told or df[system].nunique() <= df[name].nunique()), None)


def nearly_long(df: pd.DataFrame, taken: AbstractSet[str]) -> tuple[str, str] | None:
    """The columns of ids and of systems of a table that would be long if some systems had more rows; `None` if it is not."""
    for system in suggesting(df.columns, "system", taken):
        for item in _likely_ids(df, {system, *taken}):
            if _filled(df, item, system) > MOSTLY:
                return item, system
    return None


def _likely_ids(df: pd.DataFrame, taken: AbstractSet[str]) -> list[str]:
    """The columns that sound like ids and the first without a role, as `item` in `item,model,prob`."""
    return [*suggesting(df.columns, "weak id", taken), *suggesting(df.columns, "", taken)[:1]]


def _filled(df: pd.DataFrame, item: str, system: str) -> float:
    """The share of pairs of an item and a system that have a row; 0 if a pair has two, or if there is only one system."""
    try:
        items, systems = df[item].nunique(), df[system].nunique()
    except (TypeError, NotImplementedError):  # lists and records
        return 0.0
    several = items > 1 and systems > 1
    return len(df) / (items * systems) if several and not repeats(df[[item, system]]) else 0.0


def guess_id(df: pd.DataFrame, taken: AbstractSet[str]) -> str | None:
    """The id column, or `None` if there is no good guess.

    It is a column named id, else the only possible one, else one that numbers the rows, else a first column of codes.
    """
    named = suggesting(df.columns, "id", taken)
    if len(named) > 1:
        named.sort(key=lambda name: (repeats(df[name]), name.lower() != "id"))
    if named:
        return named[0]
    possible = possible_ids(df, taken)
    if len(possible) == 1:
        return possible[0]
    rows = suggesting(df.columns, "row", taken)
    first = [name for name in df.columns[:1] if not possible and name not in taken and _codes(df[name])]
    return next(iter([*rows, *first]), None)


def possible_ids(df: pd.DataFrame, taken: AbstractSet[str]) -> list[str]:
    """Columns with names such as `ticket_id` whose cells can be ids: none missing, all different, none a fraction."""
    sounding = suggesting(df.columns, "weak id", taken)
    return [name for name in sounding if all(map(_one_each, head_and_all(df[name])))]


def _codes(cells: pd.Series[Any]) -> bool:
    """Whether a column whose name suggests no role has a different code in each row: text with a digit and no spaces."""
    if role_of(str(cells.name))[0] or len(cells) < ENOUGH or not _one_each(cells.head(HEAD)):
        return False
    ids = _checks.identifiers(cells.head(HEAD), "id")
    return all(map(_CODE.fullmatch, ids)) and _one_each(cells)


def _one_each(cells: pd.Series[Any]) -> bool:
    """Whether all cells are different and can be ids."""
    try:
        _checks.unique(_checks.identifiers(cells, "id"), "id")
    except _checks.InputError:
        return False
    return True


def repeats(cells: pd.Series[Any] | pd.DataFrame) -> bool:
    """Whether some cell, or some row of a frame, occurs more than once."""
    try:
        return bool(cells.duplicated().any())
    except (TypeError, NotImplementedError):  # lists and records
        return False
