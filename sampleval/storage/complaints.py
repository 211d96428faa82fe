"""What a database complains of, in words, with the remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import MappingProxyType

import sqlalchemy as sa

from sampleval._checks import InputError

REMEDIES = MappingProxyType(
    {
        "disk is full": "free space on it, then try again",
        "malformed": "the file is damaged: put back a copy of it",
        "not a database": "is it the right file? Then it is damaged: put back a copy of it",
        "locked": "try again",
        "unable to open": "is the place right, and may this program write to its folder?",  # a log lies beside the file
        "Permission denied": "let this program write to its folder, then try again",
        "No space left": "free space on it, then try again",
        "readonly": "let this program write to its file and folder, then try again",
    }
)


class Unavailable(InputError):
    """The database cannot be used now. Nothing was stored, and the same call may be tried again."""


@contextmanager
def in_words() -> Iterator[None]:
    """Turn errors of the database into one sentence without the SQL. An `IntegrityError` is passed on."""
    try:
        yield
    except sa.exc.IntegrityError:
        raise
    except sa.exc.DBAPIError as error:
        raise Unavailable(unusable(*complaint(error, "try again"))) from error


def unusable(reason: str, remedy: str) -> str:
    """The sentence for a database that cannot be used now."""
    return f"`storage` cannot be used now: {reason}; nothing was kept, {remedy}"


def torn(lacking: str) -> Unavailable:
    """The refusal of an SQLite file whose index lacks something that the file holds."""
    return Unavailable(unusable(f"its index lacks {lacking}", REMEDIES["malformed"]))


def complaint(error: Exception, otherwise: str) -> tuple[str, str]:
    """A database's message in one line, and the remedy: that of `REMEDIES`, or otherwise this one."""
    told = str(getattr(error, "orig", error)).partition("\nCONTEXT:")[0]  # then PostgreSQL names the row
    reason = " ".join(told.split())
    return reason, next((remedy for said, remedy in REMEDIES.items() if said in reason), otherwise)
