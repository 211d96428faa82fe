"""Shrunk scores: the system's probabilities, mixed with a constant (Y eq 13, 93)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from sampleval._checks import choice, shrinkage
from sampleval.pool import Floats, Items, Kind, Pool
from sampleval.surrogates.base import KINDS, Fixed, Formula
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.scales import error_scale

Toward = Literal["half", "mean"]
SHRINKAGE = 0.9  # default λ (Y, below eq 13)


@dataclass(frozen=True, slots=True)
class Shrunk:
    """π = λ s + (1−λ) t, with t = ½ (Y eq 13, 93; of several classes 1/C) or the mean score.

    Shrinking towards ½ adds (1−λ)(½ − s̄) N expected positives, which ruins designs on rare classes;
    shrinking towards the mean score keeps the expected number of positives.

    >>> import pandas as pd
    >>> pool = Pool.from_frame(pd.DataFrame({"score": [0.1, 0.5, 0.9]}))
    >>> Shrunk(shrinkage=0.9, toward="half").model(pool).belief.mean == 0.9 * pool.score + 0.1 / 2
    array([ True,  True,  True])

    Attributes:
        shrinkage: λ in [0, 1]; 1 takes the scores as they are, 0 ignores them.
        toward: "half" (1/C in multi-class) or "mean".
    """

    key: ClassVar[str] = "shrunk"
    title: ClassVar[str] = "Shrunk scores"
    about: ClassVar[str] = (
        "The system's own probabilities, trusted only as far as λ says; labels do not change them."
    )
    kinds: ClassVar[frozenset[Kind]] = KINDS
    learns: ClassVar[bool] = False
    in_strata: ClassVar[bool] = False
    as_scored: ClassVar[bool] = True
    shrinkage: float = SHRINKAGE
    toward: Toward = "mean"

    def __post_init__(self) -> None:
        shrinkage(self.shrinkage)
        choice(self.toward, get_args(Toward), "toward")

    @property
    def methods(self) -> str:
        """How beliefs are taken from the scores, with λ and what they are shrunk towards."""
        said = "was taken from the scores"
        if self.shrinkage == 1:
            return f"{said} as they are"
        where = {"half": "one half", "mean": "the mean score"}[self.toward]
        return f"{said}, trusted with λ = {self.shrinkage:g} and shrunk towards {where}"

    @property
    def formula(self) -> Formula:
        """The score, or its mixture with the value that it is shrunk towards."""
        if self.shrinkage == 1:
            return "its score", r"\pi_n = s_n"
        toward = (
            r"\bar s"
            if self.toward == "mean"
            else r"\tfrac12 \quad (\tfrac1C \text{ for } C \text{ classes})"
        )
        formula = r"\pi_n = \lambda s_n + (1-\lambda)\,t, \qquad \lambda = %g, \quad t = %s"
        return "its score, trusted as far as λ says, else t", formula % (self.shrinkage, toward)

    @property
    def formula_of_numbers(self) -> Formula:
        """The prediction, with its error scale or the mixture of this scale with the mean one."""
        words, spread = (
            "its prediction, off by the error expected of it",
            r"y_n \sim \mathcal N(\hat y_n, \sigma_n^2)",
        )
        if self.shrinkage == 1:
            return words, spread.replace(r"\sigma", "e")
        formula = spread + r", \quad \sigma_n = \lambda e_n + (1-\lambda)\,\bar e, \quad \lambda = %g"
        return f"{words}, trusted as far as λ says, else by the mean one", formula % self.shrinkage

    def model(self, pool: Pool, *, stochastic: bool = False) -> Fixed:
        """The belief about every item; labels do not change it."""
        items = pool.items
        if items.task.kind == "regression":
            sd = towards_mean(error_scale(items), self.shrinkage)
            belief = Belief(items.task, np.asarray(items.pred, float), sd)
        else:
            belief = Belief(items.task, self._scores(items))
        return Fixed(belief)

    def _scores(self, items: Items) -> Floats:
        if self.toward == "mean":
            return towards_mean(items.score, self.shrinkage)
        classes = items.task.width if items.task.kind == "multiclass" else 2
        return self.shrinkage * items.score + (1 - self.shrinkage) / classes


def towards_mean(values: Floats, shrinkage: float) -> Floats:
    """λ times the values of items, (N, …), plus 1 − λ times their mean over the items, λ = `shrinkage`."""
    return shrinkage * values + (1 - shrinkage) * values.mean(axis=0)
