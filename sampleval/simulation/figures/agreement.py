"""Whether our figures agree with the papers', as seen in the precomputed ones; tests hold us to it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

AGREES: Mapping[str, str] = MappingProxyType(
    {
        "Y1": "Agrees. Importance sampling arrives here too when all is labelled, because a study that holds every label "
        "counts them instead of weighing draws.",
        "Y2": "Agrees for F1, precision and recall: uniform is worst and Bernoulli best from a fifth of the pool on. "
        "Below a tenth importance and Bernoulli sampling are level.",
        "Y3": "Agrees: 80 to 95% for F1. Where all predicted positives are labelled, precision is known exactly, and its "
        "limits always hold.",
        "Y4": "Agrees: the first items become certain at about a quarter of the pool labelled.",
        "Y7": "Agrees: the same labels serve the other metrics, precision soonest of all.",
        "Y8": "Agrees with figure 2's order; what is exact has no place on this scale.",
    }
)
