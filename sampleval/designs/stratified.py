"""Stratified sampling with proportional allocation, one item at a time (Druck & McCallum 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sampleval._checks import choice, column_names, count
from sampleval.designs.base import Round, continued
from sampleval.designs.inclusion import even_inclusion
from sampleval.designs.latex import sized
from sampleval.designs.problem import Problem, Profile
from sampleval.designs.sample import Sample, Strata
from sampleval.designs.streams import SHIFTS, stream
from sampleval.designs.uniform import Uniform
from sampleval.partition import PARTITIONS, Partition, merged, partition
from sampleval.pool import Floats, Pool
from sampleval.surrogates import Evidence

ANSWERS = 2  # least number of answers for a variance


@dataclass(frozen=True, slots=True)
class Stratified:
    """Strata of similar score, each sampled in proportion to its size at every length of the queue.

    A stratum with fewer than two answers, or with fewer than two expected, is joined with its neighbours until it has both.

    Attributes:
        by: Method of stratification: "csf", "geometric", "equal-width", "equal-size", "thresholds", "k-d tree", "clusters".
        strata: Number of strata; fewer if scores are tied, and at least one per predicted class of a multiclass task.
        columns: Feature columns for the last two methods.
    """

    key: ClassVar[str] = "stratified"
    title: ClassVar[str] = "Stratified sampling"
    about: ClassVar[str] = (
        "Every range of scores gets labels in proportion to its size, however many labels are given."
    )
    blind: ClassVar[bool] = True
    methods = (
        "Items were drawn without replacement from strata of similar items, from each in proportion to its size "
        "(Druck and McCallum 2011)"
    )
    formulas = (
        sized(),
        ("Ranges of similar score, each labelled in proportion to its size", r"M_k \approx M\,N_k / N"),
        (
            "The estimate is the weighted mean of the ranges' means",
            r"\hat R = \sum_k \frac{N_k}{N}\,\bar\ell_k",
        ),
    )
    random_size = False
    makes = Strata
    natural = "stratified"
    by: str = "csf"
    strata: int = 16
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        choice(self.by, PARTITIONS, "by")
        count(self.strata, "strata", minimum=1)
        object.__setattr__(self, "columns", column_names(self.columns, "columns"))

    def stratify(self, pool: Pool) -> Partition:
        """The strata of a pool, before any are joined."""
        return partition(pool, self.by, leaves=self.strata, columns=self.columns)

    def open(self, problem: Problem, past: Sequence[Round], evidence: Evidence, budget: int) -> Round | None:
        """All labels that the budget allows, in one round; a larger budget only appends to the queue."""
        strata = self.stratify(problem.pool)
        able = np.flatnonzero(problem.eligible)
        stratum, sizes = strata.leaf[able], np.bincount(strata.leaf[able], minlength=strata.count)
        u = problem.uniforms[able]
        order = np.lexsort((u, stratum))
        rank = np.arange(len(able)) - np.concatenate([[0], np.cumsum(sizes)])[stratum[order]]
        shift = stream(problem.entropy, SHIFTS).random(strata.count)
        # The i-th item of a stratum is due at (i + shift)/N_k: at every time t, about t·N_k of its items are queued.
        due = (rank + shift[stratum[order]]) / sizes[stratum[order]]
        queue = order[np.lexsort((stratum[order], due))][:budget]
        return continued(able[queue], Strata(np.arange(len(queue)), stratum[queue], sizes), past)

    def sample(self, problem: Problem, past: Sequence[Round], answered: int) -> Sample:
        """The answered items as a stratified sample, with strata joined so that each has at least two."""
        made: Strata = past[-1].facts
        answers = np.bincount(made.stratum[:answered], minlength=len(made.sizes))
        # Counting answers alone would end a group at the item that completes a pair, and so favour that item's stratum.
        group = merged([answers, answered * made.sizes / made.sizes.sum()], ANSWERS)
        sizes = np.bincount(group, made.sizes).astype(np.intp)
        return Strata(np.arange(answered), group[made.stratum[:answered]], sizes)

    def inclusion(self, problem: Problem, budget: int) -> Floats:
        """M/E for the E items that may be asked, (N,), since the allocation is proportional."""
        return even_inclusion(problem.eligible, budget)

    def variance(self, profile: Profile, budgets: Floats) -> Floats:
        """Variance of uniform sampling: exact if the profile's squares are those within strata, else an upper bound."""
        return Uniform().variance(profile, budgets)
