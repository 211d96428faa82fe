"""Calibration: a Bayesian curve for the share of positives among items of similar score, with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from sampleval._checks import count
from sampleval.memo import once_each
from sampleval.pool import Kind, Pool
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.calibration.posterior import Posterior, posterior
from sampleval.surrogates.calibration.prior import Mixture, Prior, mixture
from sampleval.surrogates.calibration.score_cells import ScoreCells, score_cells
from sampleval.surrogates.evidence import Evidence
from sampleval.surrogates.together import systems_together


@dataclass(frozen=True, slots=True)
class Calibration:
    """A Bayesian calibration curve over cells of similar score, which trusts the scores until labels contradict them.

    If the scores claim many times as many positives as are predicted, it trusts the predicted number just as much. For
    several systems it is one curve over the mean of their scores. Labels tilt this curve towards the systems that they
    confirm, and it is less certain about items that systems dispute.

    Attributes:
        bins: Number of score bins, 1 to 1,000, shared by several systems. Each bin gives up to two cells, one per
            decision, and more with several systems.
    """

    key: ClassVar[str] = "calibration"
    title: ClassVar[str] = "Calibration curve"
    about: ClassVar[str] = (
        "How often items of similar score are positive: a smooth curve, corrected with the labels so far."
    )
    kinds: ClassVar[frozenset[Kind]] = frozenset({"binary"})
    learns: ClassVar[bool] = True
    in_strata: ClassVar[bool] = False
    as_scored: ClassVar[bool] = False
    methods = (
        "was taken from a Bayesian calibration curve (how often items of similar score are positive; with "
        "several systems, by their mean score and each one's distance from it), which trusts the scores "
        "until labels say otherwise, and trusts the decisions just as much where the scores claim many "
        "times the positives predicted"
    )
    formula = (
        "a curve over the scores, learned from the labels",
        r"\pi_n = \mathbb{E}\,[\,p(s_n) \mid \text{labels}\,]",
    )
    bins: int = 48

    def __post_init__(self) -> None:
        count(self.bins, "bins", minimum=1, maximum=1000)

    def model(self, pool: Pool, *, stochastic: bool = False) -> CalibrationModel:
        """The curve on the cells of this pool; takes one sort of the scores, once per pool."""
        return CalibrationModel(pool, *_on_cells(pool, self.bins))


@dataclass(frozen=True, eq=False)
class CalibrationModel:
    """The calibration curve on one pool: its cells, and the prior of their rates."""

    pool: Pool
    cells: ScoreCells
    mixture: Mixture
    _made: dict[bytes, Posterior] = field(default_factory=dict)

    def posterior(self, evidence: Evidence) -> Posterior:
        """Posterior of the cells' rates given these labels, which depends on the counts of labels per cell alone."""
        labelled = self.cells.tally(evidence.index)
        found = self.cells.tally(evidence.index, np.asarray(evidence.labels, float))
        key = found.tobytes() + labelled.tobytes()
        if key not in self._made:
            if len(self._made) > 64:
                self._made.clear()
            self._made[key] = posterior(self.mixture, found, labelled)
        return self._made[key]

    def believe(self, evidence: Evidence) -> Belief:
        """The posterior median rate of each item's cell, (N,), which unlikely curves hardly affect."""
        return Belief(self.pool.task, self.posterior(evidence).median[self.cells.code])


@once_each
def _on_cells(pool: Pool, bins: int) -> tuple[ScoreCells, Mixture]:
    """The cells and the prior of their rates: the same for each plan and study of a pool, whatever its metric and seed."""
    cells = score_cells(systems_together(pool), bins=bins)
    return cells, mixture(cells, Prior())


__all__ = [
    "Calibration",
    "CalibrationModel",
    "Posterior",
    "ScoreCells",
]
