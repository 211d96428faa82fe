"""Calibration: how often items of like score are positive, learned from labels, with what is not known kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from sampleval._checks import count
from sampleval.pool import Kind, Pool
from sampleval.surrogates.base import Formula
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.calibration.posterior import Posterior, posterior
from sampleval.surrogates.calibration.prior import Leaning, Levels, Prior, levels
from sampleval.surrogates.calibration.score_cells import ScoreCells, score_cells
from sampleval.surrogates.calibration.together import considered, names
from sampleval.surrogates.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Calibration:
    """A Bayesian calibration curve over cells of like score: trusts the scores until labels say otherwise.

    Where scores claim many times as many positives as are predicted, it trusts the number that is predicted just as
    much. For several systems it is one curve over the average of their scores. That curve is tilted towards the
    systems that labels bear out, and is less sure of items that systems dispute.

    Attributes:
        bins: Score bins, 1 to 1,000, which several systems share; each makes up to two cells, one per decision, and of
            several systems more.
    """

    key: ClassVar[str] = "calibration"
    title: ClassVar[str] = "Calibration curve"
    about: ClassVar[str] = (
        "How often items of like score are positive: a smooth curve, bent by the labels so far."
    )
    kinds: ClassVar[frozenset[Kind]] = frozenset({"binary"})
    in_strata: ClassVar[bool] = False
    as_scored: ClassVar[bool] = False
    methods: ClassVar[str] = (
        "was taken from a Bayesian calibration curve (how often items of similar score are positive; of several systems by "
        "their mean score and each one's distance from it), which trusts the scores until labels say otherwise, and the "
        "decisions as much where the scores claim many times the positives predicted"
    )
    formula: ClassVar[Formula] = (
        "a curve over the scores, learned from the labels",
        r"\pi_n = \mathbb{E}\,[\,p(s_n) \mid \text{labels}\,]",
    )
    bins: int = 48

    def __post_init__(self) -> None:
        count(self.bins, "bins", minimum=1, maximum=1000)

    def model(self, pool: Pool, *, stochastic: bool = False) -> CalibrationModel:
        """Cut the pool into cells; one sort of the scores."""
        made = score_cells(considered(pool), bins=self.bins)
        return CalibrationModel(pool, made, levels(made, Prior()))


@dataclass(frozen=True, eq=False)
class CalibrationModel:
    """The curve at work on one pool.

    Attributes:
        pool: Its items.
        cells: Items of like scores and decisions.
        levels: What is thought of scores in general, for these cells.
    """

    pool: Pool
    cells: ScoreCells
    levels: Levels
    _made: dict[bytes, Posterior] = field(default_factory=dict)

    def posterior(self, evidence: Evidence) -> Posterior:
        """The cells' rates after these labels. Items of a cell are alike here, so their order does not matter."""
        labelled = self.cells.count(evidence.index)
        found = self.cells.count(evidence.index, np.asarray(evidence.labels, float))
        key = found.tobytes() + labelled.tobytes()
        if key not in self._made:
            if len(self._made) > 64:
                self._made.clear()
            self._made[key] = posterior(self.levels, found, labelled)
        return self._made[key]

    def believe(self, evidence: Evidence) -> Belief:
        """Each item's cell's median rate: what the curve believes, without the weight of what it only fears."""
        return Belief(self.pool.task, self.posterior(evidence).median[self.cells.code])


__all__ = [
    "Calibration",
    "CalibrationModel",
    "Leaning",
    "Levels",
    "Posterior",
    "Prior",
    "ScoreCells",
    "considered",
    "levels",
    "names",
    "posterior",
    "score_cells",
]
