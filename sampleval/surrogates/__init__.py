"""Surrogates: what we believe about the labels before and between rounds.

Each surrogate has a module or a package of its name; `expectations` computes from any of them what losses to expect, and
how much an item's label can change a metric.
"""

from __future__ import annotations

from types import MappingProxyType

from sampleval.pool import Kind
from sampleval.surrogates.base import Fixed, Formula, Formulas, LeafModel, Model, OfNumbers, Surrogate
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.beta_bernoulli import BetaBernoulli
from sampleval.surrogates.calibration import Calibration
from sampleval.surrogates.dirichlet import DirichletTree
from sampleval.surrogates.evidence import Evidence
from sampleval.surrogates.expectations.deviations import (
    Moments,
    expected_effects,
    expected_squares,
    moments,
    pooled_squares,
)
from sampleval.surrogates.expectations.losses import (
    celled,
    expected_loss,
    one_of_each,
    predicted_risk,
)
from sampleval.surrogates.expectations.mattering import unsettled
from sampleval.surrogates.expectations.scenarios import (
    class_losses,
    label_terms,
    option_effects,
    options,
    typical_items,
    worst_labels,
)
from sampleval.surrogates.learned import Learned
from sampleval.surrogates.recalibrated import Recalibrated
from sampleval.surrogates.shrunk import SHRINKAGE, Shrunk

SURROGATES: MappingProxyType[str, type[Surrogate]] = MappingProxyType(
    {
        surrogate.key: surrogate
        for surrogate in (Shrunk, Calibration, Recalibrated, BetaBernoulli, DirichletTree, Learned)
    }
)


def unfit(surrogate: Surrogate, kind: Kind) -> str:
    """The reason why a surrogate does not support labels of this kind, "" if it does."""
    if kind in surrogate.kinds:
        return ""
    able = " or ".join(repr(key) for key, other in SURROGATES.items() if kind in other.kinds)
    return f"`surrogate` {surrogate.key!r} is not made for {kind} labels; use {able}"


__all__ = [
    "SHRINKAGE",
    "SURROGATES",
    "Belief",
    "BetaBernoulli",
    "Calibration",
    "DirichletTree",
    "Evidence",
    "Fixed",
    "Formula",
    "Formulas",
    "LeafModel",
    "Learned",
    "Model",
    "Moments",
    "OfNumbers",
    "Recalibrated",
    "Shrunk",
    "Surrogate",
    "celled",
    "class_losses",
    "expected_effects",
    "expected_loss",
    "expected_squares",
    "label_terms",
    "moments",
    "one_of_each",
    "option_effects",
    "options",
    "pooled_squares",
    "predicted_risk",
    "typical_items",
    "unfit",
    "unsettled",
    "worst_labels",
]
