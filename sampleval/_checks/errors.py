"""The only input error, and how values and names appear in its messages."""

from __future__ import annotations

import difflib
import errno
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Text = NDArray[np.object_]
# As `repr` writes those of Persian and of emoji; between ASCII signs they would hide what differs.
JOINERS = re.compile(r"(?<=[^ -~])\\u(200[cd])(?=[^ -~])")


class InputError(ValueError):
    """Input that cannot be used. The message says what is wrong, where, and what to do about it."""


NO_DISK = "is it there, may you read it, and is there room on the disk to unpack it?"
_NOTHING = object()


def fail(
    name: str,
    rule: str,
    value: object = _NOTHING,
    *,
    row: int | None = None,
    ids: Sequence[str] | Text | None = None,
    remedy: str = "",
) -> NoReturn:
    """Raise an `InputError` with a message in the usual form.

    Args:
        name: The argument or column, shown in backquotes.
        rule: What must hold, as a verb phrase ("must lie in [0, 1]").
        value: The offending value, if there is one.
        row: Its row, counted from 0.
        ids: Ids of all rows, to name the offending one.
        remedy: What the user can do.
    """
    empty = value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))
    if row is not None and empty:
        value = _NOTHING  # whatever stands for it: for an empty cell nobody wrote "nan"
    where = "" if row is None else f" at row {row}"
    if row is not None and ids is not None:
        where += f" (id {shown(ids[row])})"
    got = f"; got {shown(value)}{where}" if value is not _NOTHING else (f"; see{where[3:]}" if where else "")
    message = f"`{name}` {rule}{got}" + (f"; {remedy}" if remedy else "")
    raise InputError(" ".join(message.splitlines())) from None  # a column's name may hold line breaks


def sound(
    good: NDArray[np.bool_],
    name: str,
    rule: str,
    cells: Any,
    ids: Sequence[str] | Text | None = None,
    *,
    remedy: str = "",
) -> None:
    """Refuse a column if some row is not good; the message names the first such row.

    Args:
        good: Which rows follow the rule, (n,).
        name: The column.
        rule: What must hold, as in `fail`.
        cells: The cell of each row, by its position.
        ids: Ids of all rows.
        remedy: What the user can do.
    """
    if not good.all():
        row = int((~good).argmax())
        fail(name, rule, cells[row], row=row, ids=ids, remedy=remedy)


@contextmanager
def located(where: str, *, called: str = "label", said: str = "label") -> Iterator[None]:
    """Add to errors about a label, raised meanwhile, where the label is and the name of its argument or column.

    Args:
        where: Where it is ("id 'a83'"); "" if the message already says so.
        called: The argument or column that holds it.
        said: What the error calls that argument.
    """
    try:
        yield
    except InputError as error:
        place = f" ({where})" if where else ""
        raise InputError(f"{error}{place}".replace(f"`{said}`", f"`{called}`")) from None


@contextmanager
def undamaged(what: str, *, remedy: str, name: str = "file", place: str = "") -> Iterator[None]:
    """Turn any error of a reader into an `InputError`. Only the reading of possibly foreign content belongs inside.

    Readers of zip, Deflate, XML and workbooks raise classes without a common base, and each of them means damage. Their
    messages say nothing to a user and are kept as the cause. Only those of the disk are passed on, with a remedy.

    Args:
        what: What the file must be ("Excel workbook").
        remedy: What the user can do.
        name: The argument that named it.
        place: The file, if the message must name it.
    """
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        got = f"; got {shown(place)}" if place else ""
        rule = f"must be an undamaged {what}"
        # An error of the disk, so the file may be sound. Only damage makes a reader seek before the file's beginning.
        if isinstance(error, OSError) and error.errno and error.errno != errno.EINVAL:
            rule, remedy = f"cannot be read: {os.strerror(error.errno)}", NO_DISK
        raise InputError(f"`{name}` {rule}{got}; {remedy}") from error


def shown(value: object, width: int = 60) -> str:
    """The value, quoted, as one short line for a message."""
    if value is None or value is pd.NA or value is pd.NaT:
        return "nothing"
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray) and value.ndim:  # NumPy's own words are for programmers
        value = value[(slice(width + 1),) * value.ndim].tolist()
    if isinstance(value, int) and abs(value) > 10**40:
        return "a whole number of more than 40 digits"
    try:
        said = repr(value[: width + 1] if isinstance(value, str | bytes) else value)
    except NotImplementedError:  # pandas can hold times that it cannot write
        return "a time beyond the years 1 to 9999"
    except (RecursionError, ValueError):  # lists that are too deep, numbers of too many digits
        return f"a {type(value).__name__} that cannot be written"
    text = (
        said if isinstance(value, str | bytes) else re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(said.split()))
    )
    text = JOINERS.sub(lambda joiner: chr(int(joiner[1], 16)), text)
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= width else text[: width - 1] + "…"


def nearest(value: str, options: Iterable[str]) -> str:
    """A suggestion for a misspelt name, or otherwise a list of the existing names.

    >>> nearest("scroe", ["score", "text"]), nearest("", ["score", "text"])
    ("did you mean 'score'?", "there is 'score', 'text'")
    """
    known = [str(option) for option in options]
    return alike(value, known) or existing(known)


def existing(options: Sequence[str]) -> str:
    """The existing names in words."""
    return f"there is {listed([shown(option, 40) for option in options])}" if options else "there are none"


def alike(value: str, options: Sequence[str], *, least: float = 0.6) -> str:
    """A suggestion "did you mean …?" for a misspelt name; "" if it is like none of the existing ones.

    Args:
        value: The name.
        options: The existing ones.
        least: How alike they must be, from 0 to 1, as `difflib` measures it.
    """
    lower = {option.lower(): option for option in reversed(options)}
    close = difflib.get_close_matches(value.lower(), list(lower)[:2000], n=1, cutoff=least)
    return f"did you mean {shown(lower[close[0]], 200)}?" if close else ""


def listed(names: Sequence[str], most: int = 12) -> str:
    """The first `most` names in words, and how many more there are.

    >>> listed(["'a'", "'b'", "'c'"], most=2)
    "'a', 'b' and 1 more"
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def capitalised(text: str) -> str:
    """The text with a capital first letter.

    >>> capitalised("one of AUC and F1"), capitalised("")
    ('One of AUC and F1', '')
    """
    return text[:1].upper() + text[1:]


def retold(text: str, pairs: Mapping[str, str]) -> str:
    """A message in which words for programmers are replaced by others.

    >>> retold('for percentages pass transform="percent"', {'transform="percent"': "--percent"})
    'for percentages pass --percent'
    """
    for told, here in pairs.items():
        text = text.replace(told, here)
    return text
