"""Name rows in messages by their lines in the file that they were read from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pandas as pd

from sampleval._checks import InputError
from sampleval.pool.tables.notes import LINE

_ROWS = re.compile(r"\b(?P<at>at )?row(?P<many>s?) (?P<one>\d+)(?: and (?P<other>\d+))?")


@contextmanager
def in_lines(frame: pd.DataFrame) -> Iterator[None]:
    """Replace rows by the file's lines, as spreadsheets number them, in errors raised while this is open, if it has lines."""
    try:
        yield
    except InputError as error:
        if (head := frame.attrs.get(LINE)) is None:
            raise
        raise InputError(renumbered(str(error), head)) from None


def renumbered(message: str, head: int) -> str:
    """The message with rows, counted from 0, replaced by lines of the file, in which line `head` holds the column names.

    >>> renumbered("got '3' at row 7; it is also at row 3", 1), renumbered("has others at rows 0 and 2", 2)
    ("got '3' in line 9; it is also in line 5", 'has others in lines 3 and 5')
    >>> renumbered("(column 'label', row 7)", 1)
    "(column 'label', line 9)"
    """

    def lines(rows: re.Match[str]) -> str:
        one, other = (int(row) + head + 1 if row else None for row in rows.group("one", "other"))
        place = "in line" if rows["at"] else "line"
        return f"{place}{rows['many']} {one}" + (f" and {other}" if other else "")

    return _ROWS.sub(lines, message)
