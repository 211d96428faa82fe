"""The settings of each method of a comparison, in a table that the address keeps."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from sampleval.intervals import INTERVALS
from sampleval.ui import address

KEY = "studied_settings"  # in the address
SHARES = ("λ", "δ")


@dataclass(frozen=True, slots=True)
class EditedTable:
    """What the table began with. Its rows must stay while it is edited, since Streamlit keeps the edits apart.

    Attributes:
        names: The methods chosen then.
        rows: As the address has them.
        now: The same with the edits since.
        number: Counts the tables of this session, since only a new one is free of edits.
    """

    names: tuple[str, ...]
    rows: str
    now: str
    number: int = 0

    @property
    def key(self) -> str:
        """The table's key."""
        return f"settings_{self.number}"


def ask(names: Sequence[str], able: Sequence[str]) -> pd.DataFrame:
    """Ask for the settings of these methods, a row each; a row may name any able one. If all are removed, they are as published."""
    begun = _begun(tuple(names), able)
    fraction = partial(st.column_config.NumberColumn, min_value=0.0, max_value=1.0, step=0.01)
    edited = st.data_editor(
        read(begun.rows),
        key=begun.key,
        hide_index=True,
        num_rows="dynamic",
        placeholder="–",
        column_config={
            "method": st.column_config.SelectboxColumn(options=able, required=True),
            "λ": fraction(help="Trust in the model"),
            "δ": fraction(help="Share spread evenly"),
            "interval": st.column_config.SelectboxColumn(options=list(INTERVALS)),
        },
    )
    now = written(edited.to_dict("records")) or ",".join(names)
    st.session_state["_settings"] = replace(begun, now=now)
    address.remember(KEY, now if now != ",".join(names) else "")
    return edited if len(edited) else read(",".join(names))


def _begun(names: tuple[str, ...], able: Collection[str]) -> EditedTable:
    """The rows to begin with: those of before, unless the address tells others or other methods were chosen."""
    told, before = address.recall(KEY), st.session_state.get("_settings")
    if told and not _readable(told, able):
        address.refused(KEY, told)
        told = ""
    now = told or ",".join(names)
    if not isinstance(before, EditedTable):
        return EditedTable(names, now, now)
    if before.names != names:
        now = _adjusted(before.now, before.names, names, able)
    elif before.now == now and before.key in st.session_state:  # its edits are there still
        return before
    return EditedTable(names, now, now, before.number + 1)


def written(rows: Sequence[Mapping[Hashable, Any]]) -> str:
    """The rows as the address keeps them.

    >>> written([{"method": "queue", "λ": 0.5, "δ": None, "interval": "beta"}, {"method": "uniform", "λ": None}])
    'queue:0.5::beta,uniform'
    """
    cells = (
        [row["method"], *(f"{row[s]:g}" if pd.notna(row.get(s)) else "" for s in SHARES), row.get("interval")]
        for row in rows
    )
    return ",".join(":".join(c if isinstance(c, str) else "" for c in line).rstrip(":") for line in cells)


def read(text: str) -> pd.DataFrame:
    """The rows that `written` made this text of.

    >>> read("queue:0.5::beta,uniform").to_dict("list")
    {'method': ['queue', 'uniform'], 'λ': [0.5, nan], 'δ': [nan, nan], 'interval': ['beta', None]}
    """
    lines = [(line + ":::").split(":")[:4] for line in text.split(",")]
    method, *shares, kind = zip(*lines, strict=True)
    known = {
        name: [float(cell or "nan") for cell in cells] for name, cells in zip(SHARES, shares, strict=True)
    }
    interval = pd.Series([cell or None for cell in kind], dtype=object)
    return pd.DataFrame({"method": method, **known, "interval": interval})


def _readable(text: str, able: Collection[str]) -> bool:
    """Whether these are rows that the table can have.

    >>> [_readable(text, ["queue"]) for text in ("queue:0.5,queue", "queue:2", "magic", "queue:::magic", "queue:1:1:beta:1")]
    [True, False, False, False, False]
    """
    return all(
        len(cells := line.split(":")) <= 4
        and cells[0] in able
        and all(not share or address.taken(share, 0, 1) for share in cells[1:3])
        and (len(cells) < 4 or cells[3] in INTERVALS)
        for line in text.split(",")
    )


def _adjusted(text: str, before: Collection[str], names: Sequence[str], able: Collection[str]) -> str:
    """The rows without the methods that are no longer chosen, and with those chosen since; one for each if none is left.

    A row may also name a method that was not chosen, and that does not fit the pool that is studied now.

    >>> able = ["queue", "uniform", "oasis"]
    >>> _adjusted("queue:0.5,uniform", ["queue", "uniform"], ["queue", "oasis"], able)
    'queue:0.5,oasis'
    >>> _adjusted("queue:0.5", ["queue", "uniform"], ["uniform"], able)
    'uniform'
    >>> _adjusted("queue,oasis:0.5", ["queue"], ["queue", "uniform"], ["queue", "uniform"])
    'queue,uniform'
    """
    kept = set(able) - (set(before) - set(names))
    rows = [line for line in text.split(",") if line.partition(":")[0] in kept]
    rows += [name for name in names if name not in before]
    return ",".join(rows or names)
