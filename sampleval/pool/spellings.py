"""Which names of classes are one, however cells and callers spell them.

Names of columns write spaces and other signs as they can: a class in them is compared by `naming.folded`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from sampleval._checks import ISOLATES

_WHOLE = re.compile(r"^(-?\d+)\.0+$")
_PADDED = re.compile(r"^(-?)0+(?=(?:0|(?!0)\d+)$)")  # one way to match, since names may be long


def spelt(name: str) -> str:
    """The name without capitals, each accent within its letter, and without the signs that a page put around it.

    >>> spelt("SPAM"), spelt("STRASSE") == spelt("Straße"), spelt("caf\u00e9") == spelt("cafe\u0301")
    ('spam', True, True)
    """
    return unicodedata.normalize("NFC", name.casefold()).strip(ISOLATES)


def whole(name: str) -> str:
    """A whole number without its decimals, 1 for 1.0; any other name as it is.

    A column of whole numbers with missing cells gets such decimals when it is written to a file and read back.

    >>> whole("1.0"), whole("1.10"), whole("spam")
    ('1', '1.10', 'spam')
    """
    return _WHOLE.sub(r"\1", name)


def unpadded(name: str) -> str:
    """A whole number without leading zeros, as spreadsheets write 01; any other name as it is.

    >>> unpadded("01"), unpadded("00"), unpadded("-007"), unpadded("01a")
    ('1', '0', '-7', '01a')
    """
    return _PADDED.sub(r"\1", whole(name))


def place_of(name: str, classes: Sequence[str]) -> int | None:
    """The position of the class with this name, or `None`.

    Another spelling, such as 1 for 1.0 or 01, counts only if it fits exactly one class.

    >>> place_of("Spam", ["ham", "spam"]), place_of("Spam", ["SPAM", "spam"]), place_of("2.0", ["1", "2"])
    (1, None, 1)
    """
    if name in classes:
        return classes.index(name)
    for spelling in (spelt, whole, unpadded):
        known = [spelling(each) for each in classes]
        if known.count(spelling(name)) == 1:
            return known.index(spelling(name))
    return None
