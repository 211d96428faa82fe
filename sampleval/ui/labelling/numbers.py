"""Numbers as annotators type them: what they mean, and which deserve a second look; browser/numbers.js does the same."""

from __future__ import annotations

import math
import re

from sampleval._checks import may_be_thousands

Span = tuple[float, float]


def _with_hyphen(text: str) -> str:
    """The text as a keyboard writes it: the minus of a page or a typesetter is a hyphen there.

    >>> [_with_hyphen(text) for text in (" −3 ", "–3", "1–3")]
    ['-3', '-3', '1–3']
    """
    return re.sub("^[\N{MINUS SIGN}\N{EN DASH}]", "-", text.strip())


def number_in(text: str) -> float | None:
    """The number in a text, with a decimal point or comma; `None` for `1,234`, which may mean a thousand.

    A browser's field for numbers drops a comma that its language does not know, and makes 55 of 5,5.

    >>> [number_in(text) for text in ("5,5", "-.5", "−3", "1,234", "five")]
    [5.5, -0.5, -3.0, None, None]
    """
    said = _with_hyphen(text)
    clear = re.fullmatch(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?", said)
    if not clear or may_be_thousands(said, ","):
        return None
    value = float(said.replace(",", "."))
    return value if math.isfinite(value) else None


def doubtful(text: str, usual: Span | None) -> str:
    """Why a number deserves a second look before it counts; "" if it does not.

    `1.234` may be a thousand. Where only one of the two can be meant, as far as other numbers tell, nobody is asked.

    >>> doubtful("12.345", (5.0, 40.0)), doubtful("12.345", (5.0, 40e3))
    ('', '“12.345” is read as 12.345; if 12345 is meant, leave out the dot')
    >>> doubtful("1200", (5.0, 40.0))
    '1200 is far from all that was predicted or answered'
    """
    value, said = number_in(text), _with_hyphen(text)
    if value is None:
        return ""
    far = not expected(value, usual)
    if may_be_thousands(said, ".") and (far or expected(1000 * value, usual)):
        return f"“{said}” is read as {value:g}; if {said.replace('.', '')} is meant, leave out the dot"
    return f"{said} is far from all that was predicted or answered" if far else ""


def expected(value: float, usual: Span | None) -> bool:
    """Whether a number lies between the usual limits."""
    return usual is None or usual[0] <= value <= usual[1]
