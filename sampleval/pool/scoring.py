"""Whether a pool has scores, or decisions in their place."""

from __future__ import annotations

from sampleval.pool.core import Pool

AT_ONCE = 1 << 12  # items looked at together: nearly every pool of scores shows it by its first ones


def scored(pool: Pool) -> bool:
    """Whether the first system has scores of its own: some lie between 0 and 1, as decisions in their place never do.

    Args:
        pool: The pool.
    """
    systems = pool.columns.systems
    if systems and not systems[0].score:
        return False
    runs = (pool.score[start : start + AT_ONCE] for start in range(0, pool.size, AT_ONCE))
    return any(bool(((run > 0) & (run < 1)).any()) for run in runs)
