"""Numbers in the names of metrics."""

from __future__ import annotations


def exact(number: float) -> str:
    """A number in a name, as short as it is told from all others.

    >>> exact(2.0), exact(1.0000001)
    ('2', '1.0000001')
    """
    short = f"{number:g}"
    return short if float(short) == number else repr(float(number))
