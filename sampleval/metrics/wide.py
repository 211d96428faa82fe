"""Losses computed in integers of full size, since labels and decisions are stored in integers as small as possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sampleval._checks import as_array, fail, holds_numbers
from sampleval.pool import Floats, Items, System

Written = Callable[[Items, NDArray[Any]], Floats]


@dataclass(frozen=True, slots=True)
class Wide:
    """A loss that receives labels and decisions as integers of full size.

    In 8 bits, which hold at most 127, a cost of 90 for each of two mistakes would overflow without a warning.
    """

    loss: Written

    def __call__(self, items: Items, y: NDArray[Any]) -> Floats:
        """ℓ of n items and their encoded labels, (n, d); an error is raised if a user-defined loss has another shape."""
        if any(small(system.pred) for system in items.systems):
            # Ranks of a pool are stored under its systems, so that the original ones remain those to rank among.
            among = items.pool or items.systems
            items = Items(items.task, items.index, tuple(map(_widened, items.systems)), among)
        found = as_array(self.loss(items, y.astype(np.intp) if small(y) else y))
        if found.ndim != 2 or len(found) != len(y):
            rule = f"must give an array of shape ({len(y)}, d), a row for each of {len(y)} items"
            fail("loss", rule, found.shape, remedy="for one number per item pass a column, cost[:, None]")
        if not holds_numbers(found):
            fail("loss", "must give an array of numbers", found.dtype.name, remedy="loss.astype(float)")
        return found


def wide(loss: Written) -> Written:
    """The loss wrapped in `Wide`, unless it already is.

    >>> from sampleval.pool import Task
    >>> labels = np.array([0, 1], np.int8)
    >>> wide(lambda items, y: (90 * y + 90 * y)[:, None])(Items(Task(), np.arange(2), ()), labels).tolist()
    [[0], [180]]
    """
    return loss if isinstance(loss, Wide) else Wide(loss)


def small(values: NDArray[Any]) -> bool:
    """Whether values are integers smaller than `np.intp`."""
    return values.dtype.kind in "iu" and values.dtype.itemsize < np.dtype(np.intp).itemsize


def _widened(system: System) -> System:
    pred = system.pred.astype(np.intp) if small(system.pred) else system.pred
    return System(system.name, system.score, pred, system.error)
