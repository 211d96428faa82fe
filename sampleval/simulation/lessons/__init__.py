"""The numbers behind the five lessons: thousands of samples from small generated pools, computed in a moment."""

from sampleval.simulation.lessons.beliefs import BELIEFS, believed
from sampleval.simulation.lessons.promises import replicates, watched, wealth
from sampleval.simulation.lessons.sampling import drawn, filled, found, onset, rare, spread
from sampleval.simulation.lessons.toy import toy

__all__ = [
    "BELIEFS",
    "believed",
    "drawn",
    "filled",
    "found",
    "onset",
    "rare",
    "replicates",
    "spread",
    "toy",
    "watched",
    "wealth",
]
