"""The proposal of an adaptive round, stored per cell and per queued row (M Prop. 2, O)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.designs.problem import Cells, Problem
from sampleval.pool import Floats, Integers
from sampleval.surrogates import Belief, Evidence, LeafModel


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """The proposal q over the items that may be asked.

    Attributes:
        cells: The groups of items that share q while they are not queued.
        unqueued: Items in each cell that are not queued yet, (G,).
        of_cell: q of one such item, (G,).
        queue: Positions of the rows queued so far, (k,).
        of_row: q of each, (k,); empty with a stochastic oracle, where all items stay alike.
    """

    cells: Cells
    unqueued: Floats
    of_cell: Floats
    queue: Integers
    of_row: Floats

    def of_items(self) -> Floats:
        """q of every item, (N,); 0 for held ones."""
        q = np.where(self.cells.of >= 0, self.of_cell[self.cells.of], 0.0)
        if len(self.of_row):
            q[self.queue] = self.of_row
        return q


def cells_belief(problem: Problem, evidence: Evidence) -> Belief:
    """π per cell given these labels, from the leaves if the surrogate has them."""
    model, sampled = problem.model, problem.sampled(evidence)
    leaves = model.leaves(sampled) if isinstance(model, LeafModel) else model.believe(sampled)
    return leaves.take(problem.cells.leaf)


def pooled(size: Floats, cells: Cells, by: str) -> Floats:
    """Sizes averaged over each leaf, (G,): by root mean square for "stratum", by mean for "stratum-added"."""
    items = np.maximum(np.bincount(cells.leaf, cells.count), 1)  # a leaf may have no item that can be asked
    if by == "stratum":
        return np.sqrt(np.bincount(cells.leaf, cells.count * size**2) / items)[cells.leaf]
    return np.asarray((np.bincount(cells.leaf, cells.count * size) / items)[cells.leaf])
