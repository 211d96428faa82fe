"""The conclusions of a study in sentences: what is known, what is not, and how far to trust the intervals."""

from sampleval.study.words.caveats import caveats, estimating_parts, side_by_side, unlike_means
from sampleval.study.words.findings import finding, likely_more, towards_goal, whose
from sampleval.study.words.trust import as_preset, doubt, larger_rounds, method_name

__all__ = [
    "as_preset",
    "caveats",
    "doubt",
    "estimating_parts",
    "finding",
    "larger_rounds",
    "likely_more",
    "method_name",
    "side_by_side",
    "towards_goal",
    "unlike_means",
    "whose",
]
