"""A study asks for labels, records them, and estimates metrics. Its event log is its whole state.

`opening` begins a `Study` or reopens it. What is read of one is in `reading`, what it estimates in `results`, what changes it
in `study`, and what its log leads to in `state`. `conclusions` computes the estimates, and `words` tells what they mean.
"""

from sampleval.study.agreement import Agreement, Shared, agreed, agreement, shared
from sampleval.study.answers import Answer, in_text, label_of
from sampleval.study.conclusions.census import true_value, truth_without
from sampleval.study.conclusions.estimate import Estimate
from sampleval.study.conclusions.joint import JointEstimate
from sampleval.study.expected_range import expected_range
from sampleval.study.item import SKIP, UNSURE, Item, Silence
from sampleval.study.opening import create_study, load_study, take_over
from sampleval.study.preset import method_name
from sampleval.study.progress import (
    Progress,
    all_known,
    done,
    exhausted,
    held_up,
    known_beforehand,
    progress,
    room,
)
from sampleval.study.prospects import prospect
from sampleval.study.reuse import Elsewhere, Taken, elsewhere, taken
from sampleval.study.study import Study, checked_study
from sampleval.study.summary import Summary, summaries
from sampleval.study.words.caveats import (
    cautions,
    caveats,
    estimating_parts,
    side_by_side,
    undefined_classes,
    unlike_means,
)
from sampleval.study.words.findings import bought, finding, likely_more, towards_goal, whose
from sampleval.study.words.trust import doubt

__all__ = [
    "SKIP",
    "UNSURE",
    "Agreement",
    "Answer",
    "Elsewhere",
    "Estimate",
    "Item",
    "JointEstimate",
    "Progress",
    "Shared",
    "Silence",
    "Study",
    "Summary",
    "Taken",
    "agreed",
    "agreement",
    "all_known",
    "bought",
    "cautions",
    "caveats",
    "checked_study",
    "create_study",
    "done",
    "doubt",
    "elsewhere",
    "estimating_parts",
    "exhausted",
    "expected_range",
    "finding",
    "held_up",
    "in_text",
    "known_beforehand",
    "label_of",
    "likely_more",
    "load_study",
    "method_name",
    "progress",
    "prospect",
    "room",
    "shared",
    "side_by_side",
    "summaries",
    "take_over",
    "taken",
    "towards_goal",
    "true_value",
    "truth_without",
    "undefined_classes",
    "unlike_means",
    "whose",
]
