"""Independent strata: a Beta–Bernoulli model, or Dirichlet–multinomial for several classes (O)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval._checks import choice, column_names, count, flag, positive
from sampleval.partition import PARTITIONS, Tree
from sampleval.pool import Floats, Kind, Pool
from sampleval.surrogates.base import OF_CLASSES, Model
from sampleval.surrogates.leaves import LeafCounts, leaf_model


def posterior_mean(strength: float, decay: bool, scores: Floats, counts: LeafCounts) -> Floats:
    """Posterior means (e·s + labelled)/(e + n), (K, C), from mean scores s(y|k), with e = η/K = `strength`.

    With `decay` the prior's weight decreases with the labels, e = η/(K·max(n, 1)) per stratum, as in OASIS.
    """
    n = counts.labelled.sum(axis=1, keepdims=True)
    worth = strength / np.maximum(n, 1) if decay else strength
    return np.asarray((worth * scores + counts.labelled) / (worth + n))


@dataclass(frozen=True, slots=True)
class BetaBernoulli:
    """A Beta posterior per stratum of similar scores, with the stratum's mean score as prior mean (O).

    Attributes:
        by: Method of stratification (see `DirichletTree`).
        leaves: Number of strata wanted, K.
        strength: η/K > 0, the number of labels that the mean score of a stratum counts as. By default 2: OASIS's η = 2K
            are the labels of all strata together, as in the authors' program.
        decay: Whether η/K is divided by the number of labels in the stratum.
        columns: Feature columns, for the methods that need them.
    """

    key: ClassVar[str] = "beta-bernoulli"
    title: ClassVar[str] = "Strata"
    about: ClassVar[str] = "Strata of similar score; each learns from its own labels alone."
    kinds: ClassVar[frozenset[Kind]] = OF_CLASSES
    learns: ClassVar[bool] = True
    in_strata: ClassVar[bool] = True
    as_scored: ClassVar[bool] = False
    methods = (
        "was learned in strata of similar items, in each from its own labels alone, with its mean score as the prior "
        "(Marchant and Rubinstein 2017)"
    )
    formula = (
        "what its stratum k was found to hold",
        r"\pi_n = \mathbb{E}\,[\,\theta_{k(n)} \mid \text{labels}\,]",
    )
    by: str = "csf"
    leaves: int = 30
    strength: float = 2.0
    decay: bool = True
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        choice(self.by, PARTITIONS, "by")
        count(self.leaves, "leaves", minimum=1)
        positive(self.strength, "strength")
        flag(self.decay, "decay")
        object.__setattr__(self, "columns", column_names(self.columns, "columns"))

    def model(self, pool: Pool, *, stochastic: bool = False) -> Model:
        """The model on the strata of this pool."""

        def posterior(_: Tree, scores: Floats, counts: LeafCounts) -> Floats:
            return posterior_mean(self.strength, self.decay, scores, counts)

        return leaf_model(pool, posterior, by=self.by, leaves=self.leaves, depth=1, columns=self.columns)
