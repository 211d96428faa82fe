"""Results as tidy frames. Column names are public: charts, downloads and notebooks rely on them."""

from sampleval.frames.answers import labels
from sampleval.frames.plans import inclusion, plans
from sampleval.frames.results import density, estimates

__all__ = ["density", "estimates", "inclusion", "labels", "plans"]
