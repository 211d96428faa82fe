"""The task, the systems under test, and the items in the form that losses take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sampleval import _checks

Kind = Literal["binary", "multiclass", "multilabel", "regression"]
SINGLE: frozenset[Kind] = frozenset({"binary", "multiclass"})  # an item has exactly one of the classes
SEVERAL: frozenset[Kind] = frozenset({"multiclass", "multilabel"})  # more than two classes, or several labels
Floats = NDArray[np.float64]
Integers = NDArray[np.intp]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Task:
    """What is predicted: the kind of label and, except in regression, the class names.

    Labels are encoded by kind: binary 0/1, shape (n,); multiclass the class's position, (n,);
    multilabel 0/1, (n, C); regression a real number, (n,).
    """

    kind: Kind = "binary"
    classes: tuple[str, ...] = ("0", "1")

    @property
    def width(self) -> int:
        """Number of classes C (0 in regression)."""
        return len(self.classes)

    @property
    def classified(self) -> bool:
        """Whether every item has exactly one of the classes."""
        return self.kind in SINGLE


YES_NO = Task()  # of an answer that says no or yes, or 0 or 1, whatever is asked


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class System:
    """One system's output on n items.

    Attributes:
        name: The system's name; "" where there is only one.
        score: p(class) in [0, 1]: (n,) binary, (n, C) otherwise, (n, 0) in regression.
        pred: Its decision, encoded as labels are (see `Task`).
        error: Standard deviation expected of y − pred, (n,); regression only, else empty.
    """

    name: str
    score: Floats
    pred: NDArray[Any]
    error: Floats

    def take(self, index: Integers | slice) -> System:
        """The same system on the items at these positions."""
        error = self.error[index] if self.error.size else self.error
        return System(self.name, self.score[index], self.pred[index], error)

    def agrees(self, other: System, *, scores: bool) -> bool:
        """Whether it decides as another does on every item and, if asked, gives the same scores."""
        return np.array_equal(self.pred, other.pred) and (
            not scores or np.array_equal(self.score, other.score)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The items in the form that losses take: positions in the pool, and every system's output there and on the pool.

    Attributes:
        task: What is predicted.
        index: Positions in the pool, (n,).
        systems: Every system's output on these items.
        pool: Every system's output on the whole pool, for ranking items in it; () if these items are the whole pool.
    """

    task: Task
    index: Integers
    systems: tuple[System, ...]
    pool: tuple[System, ...] = ()

    @property
    def score(self) -> Floats:
        """The first system's scores."""
        return self.systems[0].score

    @property
    def pred(self) -> NDArray[Any]:
        """The first system's decisions."""
        return self.systems[0].pred

    @property
    def error(self) -> Floats:
        """The first system's error scale (regression)."""
        return self.systems[0].error

    @property
    def everywhere(self) -> System:
        """The first system's output on the whole pool, in which `index` holds positions."""
        return (self.pool or self.systems)[0]

    def __len__(self) -> int:
        return len(self.index)

    def take(self, index: Integers | slice) -> Items:
        """The items at these positions of this selection."""
        taken = tuple(system.take(index) for system in self.systems)
        return Items(self.task, self.index[index], taken, self.pool or self.systems)

    def of(self, system: str) -> Items:
        """The same items with the named system in first place."""
        if not (names := [s.name for s in self.systems if s.name]):
            _checks.fail("system", "must be left out: the pool holds one system, without a name", system)
        if meant := _difference(system, names):
            _checks.fail("system", "is not known", system, remedy=f"did you mean {meant!r}?")
        _checks.choice(system, names, "system")

        def first(systems: tuple[System, ...]) -> tuple[System, ...]:
            return tuple(sorted(systems, key=lambda s: s.name != system))

        return replace(self, systems=first(self.systems), pool=first(self.pool))


def of_class(values: Floats, classes: NDArray[np.generic]) -> Floats:
    """The value of each item's own class, (n,), from values per class, (n, C)."""
    return np.asarray(values[np.arange(len(values)), classes.astype(np.intp)])


def _difference(system: str, names: list[str]) -> str:
    """The difference that is written with its spaces left out, "a - b" for "a-b"; "" if the system is not such a name."""
    if system in names:
        return ""
    # Within a difference, other names would have to be put in quotation marks.
    plain = [name for name in names if " - " not in name and '"' not in name]
    meant = {
        pair.replace(" ", ""): pair for pair in map(" - ".join, permutations(plain, 2)) if pair != system
    }
    return meant.get(str(system).replace(" ", ""), "")
