"""Study: ask, tell, estimate; its event log is its whole state."""

from sampleval.study.estimate import Estimate
from sampleval.study.settings import Settings
from sampleval.study.study import SKIP, UNSURE, Item, Study, create_study, load_study
from sampleval.study.summary import Summary, summaries

__all__ = [
    "SKIP",
    "UNSURE",
    "Estimate",
    "Item",
    "Settings",
    "Study",
    "Summary",
    "create_study",
    "load_study",
    "summaries",
]
