"""Which systems of a pool the surrogates that learn take together."""

from __future__ import annotations

from sampleval.pool import Pool, System

TOGETHER = 3  # at most so many systems, since each of them doubles the number of cells


def systems_together(pool: Pool, most: int = TOGETHER) -> tuple[System, ...]:
    """The systems whose scores and decisions tell of labels together: the first ones of the pool, at most so many."""
    return pool.systems[:most]


def names_together(pool: Pool) -> frozenset[str]:
    """Names of the systems that are taken together."""
    return frozenset(system.name for system in systems_together(pool))
