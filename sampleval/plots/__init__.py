"""Frames to plotly figures: no computing, no theme, no show; notebook and app share them."""

from sampleval.plots.results import convergence, density, whiskers

__all__ = ["convergence", "density", "whiskers"]
