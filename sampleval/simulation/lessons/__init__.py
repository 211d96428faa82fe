"""The numbers behind the five lessons: small made pools, thousands of samples in a blink."""

from sampleval.simulation.lessons.beliefs import BELIEFS, believed
from sampleval.simulation.lessons.promises import replicates, watched, wealth
from sampleval.simulation.lessons.sampling import drawn, filled, onset, rare, spread
from sampleval.simulation.lessons.toy import Toy, toy

__all__ = [
    "BELIEFS",
    "Toy",
    "believed",
    "drawn",
    "filled",
    "onset",
    "rare",
    "replicates",
    "spread",
    "toy",
    "watched",
    "wealth",
]
