"""Which systems of a pool the surrogates that learn take together."""

from __future__ import annotations

import numpy as np

from sampleval._checks import InputError
from sampleval.pool import Pool, System

TOGETHER = 3  # at most so many systems, since each of them doubles the number of cells


def systems_together(pool: Pool, most: int = TOGETHER) -> tuple[System, ...]:
    """The systems whose scores and decisions tell of labels together: the first ones of the pool, at most so many."""
    return pool.systems[:most]


def names_together(pool: Pool) -> frozenset[str]:
    """Names of the systems that are taken together."""
    return frozenset(system.name for system in systems_together(pool))


def chosen_alike(chosen_from: Pool, pool: Pool) -> bool:
    """Whether labels that chance and the scores of one pool chose also tell of similar items of another.

    Every item of the other pool must have had its chance, and it must know the scores that chose. Those that another
    model was unsure of are no sample of the items to which this one gives a score: prevalence came out .09 too high, and
    its intervals held in .04 of studies.
    """
    if chosen_from.fingerprint == pool.fingerprint:
        return True
    try:
        rows = chosen_from.positions(pool.ids)
    except InputError:  # items that nobody could have been asked for
        return False
    then = [system.take(rows) for system in systems_together(chosen_from)]
    return all(any(_knows(now, of) for now in systems_together(pool)) for of in then)


def _knows(now: System, then: System) -> bool:
    """Whether two systems give the same scores; their decisions may differ where the scores alone made the earlier ones."""
    same = np.array_equal(now.score, then.score) and np.array_equal(now.error, then.error)
    return same and (np.array_equal(now.pred, then.pred) or _by_threshold(then))


def _by_threshold(system: System) -> bool:
    """Whether a threshold can have made the decisions of one of two classes."""
    positive = system.pred > 0
    if system.score.ndim > 1 or positive.all() or not positive.any():
        return system.score.ndim == 1
    return bool(system.score[positive].min() > system.score[~positive].max())
