"""The protocols of surrogates: models of the labels, which are updated with the labels given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, get_args, runtime_checkable

from sampleval.partition import Partition
from sampleval.pool import Kind, Pool
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.evidence import Evidence

Formula = tuple[str, str]  # in words, in LaTeX
Formulas = tuple[Formula, ...]
# Kinds of labels that a surrogate may support: all of them, or those with classes.
KINDS: frozenset[Kind] = frozenset(get_args(Kind))
OF_CLASSES: frozenset[Kind] = KINDS - {"regression"}


class Model(Protocol):
    """A surrogate on one pool, with everything computed that does not depend on labels."""

    def believe(self, evidence: Evidence) -> Belief:
        """π(y|n) for every item, (N,), given the labels so far; an item's own label counts like any other."""


@runtime_checkable
class LeafModel(Model, Protocol):
    """A model with one belief per part of a partition, so that updates do not need a pass over N items."""

    @property
    def partition(self) -> Partition:
        """The parts."""

    def leaves(self, evidence: Evidence) -> Belief:
        """π(y|k) for every part, (K,)."""


class Surrogate(Protocol):
    """A surrogate: what we believe about labels. Options are fields of a frozen dataclass.

    Attributes:
        key: Its name in the registry.
        title: Its name in words.
        about: What it does, in a sentence for someone who has to choose.
        kinds: The kinds of task that it supports.
        learns: Whether labels change its belief.
        in_strata: Whether its model has one belief per part (`LeafModel`), except in multi-label tasks.
        as_scored: Whether it starts from every item's own score (`Shrunk` with λ = 1) until labels contradict it.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    kinds: ClassVar[frozenset[Kind]]
    learns: ClassVar[bool]
    in_strata: ClassVar[bool]
    as_scored: ClassVar[bool]

    @property
    def methods(self) -> str:
        """The surrogate in words, as the methods section of a paper would put it."""

    @property
    def formula(self) -> Formula:
        """The belief about an item's label, in words and in LaTeX."""

    def model(self, pool: Pool, *, stochastic: bool = False) -> Model:
        """The surrogate's model of this pool; takes one pass over all items.

        With a `stochastic` oracle each draw of an item is labelled anew.
        """


@runtime_checkable
class OfNumbers(Surrogate, Protocol):
    """A surrogate that also supports predicted numbers, which have error scales instead of scores."""

    @property
    def formula_of_numbers(self) -> Formula:
        """The belief about an item's number, in words and in LaTeX."""


@dataclass(frozen=True, slots=True, eq=False)
class Fixed:
    """A model whose belief about every item does not depend on labels."""

    belief: Belief

    def believe(self, evidence: Evidence) -> Belief:
        """The same belief, whatever the labels."""
        return self.belief
