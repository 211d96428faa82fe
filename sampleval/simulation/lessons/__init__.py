"""The numbers behind the five lessons: thousands of samples from small generated pools, computed in a moment."""

from sampleval.simulation.lessons.beliefs import BELIEFS, believed, missed
from sampleval.simulation.lessons.promises import coverage, replicates, watched, wealth
from sampleval.simulation.lessons.sampling import drawn, filled, found, onset, rare, spread
from sampleval.simulation.lessons.toy import toy

__all__ = [
    "BELIEFS",
    "believed",
    "coverage",
    "drawn",
    "filled",
    "found",
    "missed",
    "onset",
    "rare",
    "replicates",
    "spread",
    "toy",
    "watched",
    "wealth",
]
