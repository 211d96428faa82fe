"""Frames to plotly figures: no computing, no theme, no show; notebook and app share them."""

from sampleval.plots.plans import certain, costs, curves, sorted_inclusion
from sampleval.plots.pools import histogram, reliability
from sampleval.plots.results import convergence, density, whiskers

__all__ = [
    "certain",
    "convergence",
    "costs",
    "curves",
    "density",
    "histogram",
    "reliability",
    "sorted_inclusion",
    "whiskers",
]
