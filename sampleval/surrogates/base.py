"""What a surrogate is: a model of the labels, ready for any labels that come in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, get_args, runtime_checkable

from sampleval.partition import Partition
from sampleval.pool import Kind, Pool
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.evidence import Evidence

Formula = tuple[str, str]  # in words, in LaTeX
Formulas = tuple[Formula, ...]
# Kinds of labels that a surrogate may be made for: all, or those that name classes.
KINDS: frozenset[Kind] = frozenset(get_args(Kind))
OF_CLASSES: frozenset[Kind] = KINDS - {"regression"}


class Model(Protocol):
    """A surrogate at work on one pool: everything that does not depend on labels is computed."""

    def believe(self, evidence: Evidence) -> Belief:
        """π(y|n) for every item, (N,), from the labels so far; an item's own label counts as any other's."""
        ...


@runtime_checkable
class LeafModel(Model, Protocol):
    """A model that holds one belief per part of a partition, so that updates never touch N items."""

    @property
    def partition(self) -> Partition:
        """The parts."""
        ...

    def leaves(self, evidence: Evidence) -> Belief:
        """π(y|k) for every part, (K,)."""
        ...


class Surrogate(Protocol):
    """What we believe about labels. Options are fields of a frozen dataclass.

    Attributes:
        key: Its name in the registry.
        title: Its name in words.
        about: What it does, in a sentence for someone who has to choose.
        kinds: The tasks it is made for.
        in_strata: Whether its model holds one belief per part (`LeafModel`), except in multi-label tasks.
        as_scored: Whether it takes every score as it is until labels say otherwise (`Shrunk` with λ = 1).
    """

    key: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    kinds: ClassVar[frozenset[Kind]]
    in_strata: ClassVar[bool]
    as_scored: ClassVar[bool]

    @property
    def methods(self) -> str:
        """How it was known what to expect of a label, as a paper's methods section says it."""
        ...

    @property
    def formula(self) -> Formula:
        """What is believed about an item's label."""
        ...

    def model(self, pool: Pool, *, stochastic: bool = False) -> Model:
        """The surrogate at work on this pool; a pass over all items, made once.

        Args:
            pool: The scored items.
            stochastic: Whether each draw of an item is labelled anew.
        """
        ...


@runtime_checkable
class OfNumbers(Surrogate, Protocol):
    """A surrogate of predicted numbers, too: these come with errors instead of scores."""

    @property
    def formula_of_numbers(self) -> Formula:
        """What is believed about an item's number."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """A model that labels do not change.

    Attributes:
        belief: π for every item.
    """

    belief: Belief

    def believe(self, evidence: Evidence) -> Belief:
        """The same belief, whatever the labels."""
        return self.belief
