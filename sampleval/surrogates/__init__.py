"""Surrogates: what we believe about the labels before and between rounds."""

from __future__ import annotations

from types import MappingProxyType
from typing import ClassVar, Protocol

from sampleval.pool import Items
from sampleval.surrogates.belief import Belief
from sampleval.surrogates.evidence import Evidence
from sampleval.surrogates.moments import Moments, expected_loss, moments, predicted_risk
from sampleval.surrogates.shrunk import Shrunk


class Surrogate(Protocol):
    """Anything that turns items and the labels so far into a belief."""

    key: ClassVar[str]

    def believe(self, items: Items, evidence: Evidence | None = None) -> Belief:
        """π(y|n) for every item."""
        ...


SURROGATES: MappingProxyType[str, type[Surrogate]] = MappingProxyType({Shrunk.key: Shrunk})

__all__ = [
    "SURROGATES",
    "Belief",
    "Evidence",
    "Moments",
    "Shrunk",
    "Surrogate",
    "expected_loss",
    "moments",
    "predicted_risk",
]
