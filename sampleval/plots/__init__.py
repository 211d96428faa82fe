"""Turn frames into plotly figures for notebooks and the app, without computing, setting a theme or showing anything."""

from importlib.util import find_spec

if find_spec("plotly") is None:
    raise ModuleNotFoundError(
        'sampleval.plots needs Plotly; install it with pip install "sampleval[notebook]", or "sampleval[app]" for the app',
        name="plotly",
    )

from sampleval.plots.adaptation import believed, diverged, moved
from sampleval.plots.comparisons import matrix, sweep
from sampleval.plots.detail import calibration, confusion, dots, region
from sampleval.plots.plans import advice, certain, costs, curves, sorted_inclusion
from sampleval.plots.pools import histogram, prediction_error, reliability
from sampleval.plots.results import convergence, density, whiskers
from sampleval.plots.simulation import QUANTITIES, comparison, divergence
from sampleval.plots.thresholds import against_threshold, precision_recall, roc

__all__ = [
    "QUANTITIES",
    "advice",
    "against_threshold",
    "believed",
    "calibration",
    "certain",
    "comparison",
    "confusion",
    "convergence",
    "costs",
    "curves",
    "density",
    "diverged",
    "divergence",
    "dots",
    "histogram",
    "matrix",
    "moved",
    "precision_recall",
    "prediction_error",
    "region",
    "reliability",
    "roc",
    "sorted_inclusion",
    "sweep",
    "whiskers",
]
