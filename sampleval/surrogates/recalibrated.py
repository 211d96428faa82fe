"""Recalibrated scores: a calibration map fitted to the labels so far, with a prior at the identity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import logit

from sampleval._checks import count, flag, positive, unit
from sampleval.metrics.blocks import blocks
from sampleval.pool import Floats, Kind, Pool, Task
from sampleval.surrogates.base import KINDS, Formula
from sampleval.surrogates.belief import ALL, At, Belief
from sampleval.surrogates.errors import Errors, errors_of
from sampleval.surrogates.evidence import Evidence
from sampleval.surrogates.maps import LogisticMap, MapPrior, SoftmaxMap
from sampleval.surrogates.probabilities import claimed, drawn_in
from sampleval.surrogates.together import TOGETHER, systems_together

# Expected range of the scores' log-odds: votes and margins with a smaller range may understate differences by far.
SPAN = 6.0
NARROWEST = 0.5  # least range that is assumed for scores


@dataclass(frozen=True, slots=True, eq=False)
class Recalibration:
    """The calibration map of a pool, or one map per label of a multi-label task.

    Attributes:
        task: The kind of labels.
        maps: The maps.
        weighted: Whether labels are weighted by their design weights, scaled to mean 1.
        opening: λ that shrinks the scores of multiclass tasks while there is no label.
        average: Mean scores of multiclass tasks, (C,), to which they are shrunk; empty for other tasks.
    """

    task: Task
    maps: tuple[LogisticMap | SoftmaxMap, ...]
    weighted: bool
    opening: float
    average: Floats = field(default_factory=lambda: np.empty(0))

    def believe(self, evidence: Evidence, at: At = ALL) -> Belief:
        """π of the items `at`, all by default, (n,) or (n, C)."""
        weight = np.ones(len(evidence))
        if self.weighted and len(evidence):
            weight = evidence.weight / max(float(evidence.weight.mean()), 1e-300)
        labels = np.reshape(evidence.labels, (len(evidence), len(self.maps)))
        columns = [
            each.probabilities(evidence.index, column, weight, at)
            for each, column in zip(self.maps, labels.T, strict=True)
        ]
        mean = np.stack(columns, axis=1) if self.task.kind == "multilabel" else columns[0]
        if self.task.kind == "multiclass" and not len(evidence):
            mean = self.opening * mean + (1 - self.opening) * self.average
        return Belief(self.task, mean)


@dataclass(frozen=True, slots=True)
class Recalibrated:
    """Scores mapped by a logistic (multiclass: softmax) regression fitted to the labels so far.

    Predicted numbers get a line and a factor on their error scale instead.

    The map's prior is centred at the identity, so that a few labels, or labels of one class, change it little and many
    determine it. Given the score, the selection of items is not informative about their labels, so that the unweighted
    likelihood is valid; weights protect against a map of the wrong shape.

    Attributes:
        shift: Prior standard deviation of the map's shift on the log-odds scale, > 0. For numbers, that of the line's a
            and c in standard deviations of their errors.
        slope: Prior standard deviation of the first system's slope around 1 and of further ones' around 0, > 0; larger in
            proportion if scores span fewer than six log-odds, as four standard deviations, or with several classes as the
            mean distance below the item's highest score. For numbers, about that of log b²; ten times as large (`UNTOLD`)
            if no error scale is given.
        weighted: Whether labels are weighted by their design weights.
        opening: λ in [0, 1] that shrinks the scores of multiclass tasks to their mean while there is no label at all.
            Otherwise a system that is certain and wrong would keep items out of the first round, which later rounds
            hardly make up for.
        together: Largest number of systems, the pool's first ones, whose scores have a slope each, 1 to `TOGETHER`. Numbers
            are predicted from the first one alone.
    """

    key: ClassVar[str] = "recalibrated"
    title: ClassVar[str] = "Recalibrated scores"
    about: ClassVar[str] = (
        "The system's probabilities, corrected with the labels so far where they prove too high or too low."
    )
    kinds: ClassVar[frozenset[Kind]] = KINDS
    learns: ClassVar[bool] = True
    in_strata: ClassVar[bool] = False
    as_scored: ClassVar[bool] = True
    methods = (
        "was taken from the model's own output, corrected by a calibration map learned from the labels so far"
    )
    formula = (
        "its score, moved as the labels so far say; for two classes",
        r"\operatorname{logit} \pi_n = a + b\,\operatorname{logit} s_n",
    )
    formula_of_numbers: ClassVar[Formula] = (
        "its prediction, moved along a line, and the error expected of it, to some power γ, as the labels so far say",
        r"y_n \sim \mathcal N(\hat y_n + a + c\,z_n,\; b^2 e_n^{2\gamma})",
    )
    shift: float = 1.5
    slope: float = 0.5
    weighted: bool = False
    opening: float = 0.97
    together: int = 1

    def __post_init__(self) -> None:
        for name, value in (("shift", self.shift), ("slope", self.slope)):
            positive(value, name, remedy="a small number holds the scores as they are")
        flag(self.weighted, "weighted")
        object.__setattr__(self, "opening", unit(self.opening, "opening"))
        object.__setattr__(self, "together", count(self.together, "together", minimum=1, maximum=TOGETHER))

    def model(self, pool: Pool, *, stochastic: bool = False) -> Recalibration | Errors:
        """The maps on the log-odds of its systems' scores; with several classes, extreme ones are compressed (`drawn_in`).

        Naive Bayes may claim to be wrong once in e⁴⁰ and be wrong once in twenty. No line corrects this without changing
        moderate scores.
        """
        if pool.task.kind == "regression":
            return errors_of(pool, (self.shift, self.slope))
        scores = [claimed(pool.task, system) for system in systems_together(pool, self.together)]
        if pool.task.kind == "multiclass":
            logs = tuple(map(_below, scores))
            maps = (SoftmaxMap(logs, self._prior([-float(own.mean()) for own in logs])),)
            return Recalibration(pool.task, maps, self.weighted, self.opening, scores[0].mean(axis=0))
        logits = [logit(score).reshape(pool.size, -1).T for score in scores]
        by_label = (np.stack(own) for own in zip(*logits, strict=True))
        each = tuple(LogisticMap(own, self._prior(4 * own.std(axis=1))) for own in by_label)
        return Recalibration(pool.task, each, self.weighted, self.opening)

    def _prior(self, spans: Sequence[float] | Floats) -> MapPrior:
        """The prior of a map for scores of each system that span so many log-odds."""
        slopes = (self.slope * max(1.0, SPAN / max(float(span), NARROWEST)) for span in spans)
        return MapPrior(self.shift, tuple(slopes))


def _below(score: Floats) -> Floats:
    """The logarithms of scores relative to the item's highest, (N, C), with the columns contiguous in memory."""
    found = np.empty_like(score, order="F")
    for block in blocks(len(score)):  # at once, a million items of ten classes take four times as long
        logs = np.log(score[block])
        found[block] = drawn_in(logs - logs.max(axis=1, keepdims=True), len(score))
    return found
