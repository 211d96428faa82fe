"""Passes over the pool in blocks that are small enough for the cache."""

from __future__ import annotations

from collections.abc import Iterator

ENTRIES = 1 << 19  # numbers held at once in a pass over the pool, few enough to stay in the cache
ROWS = 1 << 14  # items held at once in a pass over the pool, so that a few numbers of each stay in the cache


def blocks(n: int, rows: int = ROWS) -> Iterator[slice]:
    """Slices that divide 0..n into runs of at most `rows` rows, or of one, so that intermediate results stay small.

    There is at least one slice, which may be empty.

    >>> list(blocks(5, 3))
    [slice(0, 3, None), slice(3, 5, None)]
    """
    rows = max(rows, 1)
    return (slice(start, min(start + rows, n)) for start in range(0, max(n, 1), rows))
