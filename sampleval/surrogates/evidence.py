"""Evidence: the labels known so far, in the form that surrogates use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sampleval._checks import fail, located, shown
from sampleval.metrics.base import Encoded
from sampleval.pool import Flags, Floats, Integers, Pool, blanks, encode_label


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """k items with their known labels: those held beforehand, then those given.

    Attributes:
        index: Positions in the pool, (k,); repeated only with a stochastic oracle.
        labels: Their encoded labels, (k,) or (k, C).
        weight: Design weight of each: the number of items of the pool that it represents, (k,).
    """

    index: Integers
    labels: Encoded
    weight: Floats

    def __len__(self) -> int:
        return len(self.index)

    @property
    def version(self) -> tuple[bytes, bytes]:
        """What tells these labels from others, whatever their weights."""
        return self.index.tobytes(), self.labels.tobytes()

    def where(self, which: Flags) -> Evidence:
        """The labels selected by these flags, (k,)."""
        return Evidence(self.index[which], self.labels[which], self.weight[which])

    def then(self, later: Evidence) -> Evidence:
        """These labels followed by later ones."""
        return Evidence(
            np.concatenate([self.index, later.index]),
            np.concatenate([self.labels, later.labels]),
            np.concatenate([self.weight, later.weight]),
        )

    @classmethod
    def none(cls, pool: Pool) -> Evidence:
        """Evidence without any label of this pool's task."""
        return cls(np.empty(0, np.intp), blanks(pool.task, 0), np.empty(0))

    @classmethod
    def held(cls, pool: Pool, labels: Mapping[str, Any] | None) -> Evidence:
        """Labels known beforehand, id → label as `Study.tell` accepts them, each with weight 1; `None` if there are none.

        Raises:
            InputError: An id that is not in the pool or comes twice, or a label that its task does not have.
        """
        if not isinstance(labels, Mapping | None):
            remedy = "pass Labels.from_frame(df, pool), the to_dict() of a series by id, or a study"
            fail("held", "must map ids to labels", labels, remedy=remedy)
        with located("", called="held", said="id"):  # to look up no label would take an index of all ids
            index = pool.positions(labels) if labels else np.empty(0, np.intp)
        if len(np.unique(index)) < len(index):
            remedy = "some ids differ by spaces or as numbers only"
            fail("held", "must name every item once", remedy=remedy)
        values = blanks(pool.task, len(index))
        for k, (id, label) in enumerate((labels or {}).items()):
            with located(f"id {shown(id)}", called="held"):
                values[k] = encode_label(pool.task, label)
        return cls(index, values, np.ones(len(index)))
