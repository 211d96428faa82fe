"""Simulation: repeat any study on a pool whose labels are known."""

from sampleval.simulation.comparisons import as_close, equal_cost, matrix, sweep, swept
from sampleval.simulation.divergence import divergences, ideal, kullback_leibler
from sampleval.simulation.running import batch_by_batch, finished, run
from sampleval.simulation.simulate import simulate
from sampleval.simulation.summary import errors_of_most, summarise
from sampleval.simulation.work import Simulation, prepare, spaced_budgets, truths

__all__ = [
    "Simulation",
    "as_close",
    "batch_by_batch",
    "divergences",
    "equal_cost",
    "errors_of_most",
    "finished",
    "ideal",
    "kullback_leibler",
    "matrix",
    "prepare",
    "run",
    "simulate",
    "spaced_budgets",
    "summarise",
    "sweep",
    "swept",
    "truths",
]
