"""Cells: groups of items with the same belief and losses, so that a design plans with K cells and not with N items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sampleval.metrics import Metric
from sampleval.metrics.codes import compact, paired
from sampleval.pool import Floats, Integers, Items


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A partition of the items that may be asked.

    Attributes:
        of: Cell of every item, (N,); −1 for a held item.
        leaf: Leaf of the surrogate's partition that contains each cell, (G,); the item's position if
            beliefs are per item.
        typical: One item of each cell, (G,); all items of a cell have the same losses.
        count: Items in each cell, (G,).
        members: Positions of the items, cell by cell, in hash order within a cell.
        start: Where each cell begins in `members`, (G+1,).
    """

    of: Integers
    leaf: Integers
    typical: Items
    count: Floats
    members: Integers
    start: Integers

    def __len__(self) -> int:
        return len(self.leaf)


def cells_of(items: Items, by_hash: Integers, leaf: Integers | None, metrics: Iterable[Metric]) -> Cells:
    """Cells of items in the same leaf with the same losses, or of single items if beliefs or losses are per item.

    Args:
        items: All N items.
        by_hash: Positions of the items that may be asked, in the order of their hash.
        leaf: Leaf of every item, (N,); `None` where beliefs are per item.
        metrics: The metrics whose losses matter.
    """
    coders = [metric.cells for metric in metrics]
    if leaf is None or None in coders:
        cell, members = np.arange(len(by_hash)), by_hash
    else:
        joint = leaf[by_hash]
        for coder in filter(None, coders):
            joint = paired(joint, coder(items)[by_hash])
        cell = compact(joint)
        # NumPy sorts short integers by radix, in one pass.
        short = cell.astype(np.uint16) if int(cell.max(initial=0)) < 1 << 16 else cell
        members = by_hash[np.argsort(short, kind="stable")]
    of = np.full(len(items), -1, np.intp)
    of[by_hash] = cell
    start = np.concatenate([[0], np.cumsum(np.bincount(cell))]).astype(np.intp)
    first, count = members[start[:-1]], np.diff(start).astype(float)
    return Cells(of, first if leaf is None else leaf[first], items.take(first), count, members, start)
