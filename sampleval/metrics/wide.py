"""Losses computed in integers that hold them: labels and decisions are kept as small as they can be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sampleval._checks import as_array, fail
from sampleval.pool import Floats, Items, System

Written = Callable[[Items, NDArray[Any]], Floats]


@dataclass(frozen=True, slots=True)
class Wide:
    """A loss that is handed labels and decisions as integers of full size.

    A cost of 90 for each of two mistakes is beyond the 127 that 8 bits hold, and wraps round without a word.

    Attributes:
        loss: The loss as it was written.
    """

    loss: Written

    def __call__(self, items: Items, y: NDArray[Any]) -> Floats:
        """ℓ of n items and their encoded labels, (n, d); another shape, of a metric of one's own, is refused."""
        if any(small(system.pred) for system in items.systems):
            # What is known of a whole pool is kept under its systems: they stay the ones that items are ranked among.
            among = items.pool or items.systems
            items = Items(items.task, items.index, tuple(map(_widened, items.systems)), among)
        found = as_array(self.loss(items, y.astype(np.intp) if small(y) else y))
        if found.ndim != 2 or len(found) != len(y):
            rule = f"must give an array of shape ({len(y)}, d), a row for each of {len(y)} items"
            fail("loss", rule, found.shape, remedy="of one number each make a column, cost[:, None]")
        if found.dtype.kind not in "biuf":
            fail("loss", "must give an array of numbers", found.dtype.name, remedy="loss.astype(float)")
        return found


def wide(loss: Written) -> Written:
    """The loss in integers of full size, itself if it is in them already.

    >>> from sampleval.pool import Task
    >>> labels = np.array([0, 1], np.int8)
    >>> wide(lambda items, y: (90 * y + 90 * y)[:, None])(Items(Task(), np.arange(2), ()), labels).tolist()
    [[0], [180]]
    """
    return loss if isinstance(loss, Wide) else Wide(loss)


def small(values: NDArray[Any]) -> bool:
    """Whether values are integers of less than full size."""
    return values.dtype.kind in "iu" and values.dtype.itemsize < np.dtype(np.intp).itemsize


def _widened(system: System) -> System:
    pred = system.pred.astype(np.intp) if small(system.pred) else system.pred
    return System(system.name, system.score, pred, system.error)
