"""Results as tidy frames. Column names are public: charts, downloads and notebooks rely on them."""

from sampleval.frames.answers import labels
from sampleval.frames.plans import costs, inclusion, plans, sorted_inclusion
from sampleval.frames.pools import histogram, predicted_positive, reliability
from sampleval.frames.results import density, estimates, to_json

__all__ = [
    "costs",
    "density",
    "estimates",
    "histogram",
    "inclusion",
    "labels",
    "plans",
    "predicted_positive",
    "reliability",
    "sorted_inclusion",
    "to_json",
]
