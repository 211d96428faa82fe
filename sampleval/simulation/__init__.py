"""Simulation: repeat any study with known labels."""

from sampleval.simulation.replicate import Replicate, replicate
from sampleval.simulation.simulate import Simulation, prepare, run, simulate, truths
from sampleval.simulation.summary import summarise

__all__ = ["Replicate", "Simulation", "prepare", "replicate", "run", "simulate", "summarise", "truths"]
