"""Designs: which items we ask, and with what probability each item is sampled.

Each design has a module or a package of its name. What it is given is in `problem`, what it leads to in `sample`; designs
that learn from the answers share `between_rounds`.
"""

from __future__ import annotations

from types import MappingProxyType

from sampleval.designs.adaptive import Adaptive
from sampleval.designs.base import Design, Moving, Round, starts
from sampleval.designs.between_rounds.foresight import Believed
from sampleval.designs.importance import Importance
from sampleval.designs.poisson import Poisson
from sampleval.designs.priority import Priority
from sampleval.designs.problem import Problem, Profile, floored
from sampleval.designs.rounds import Rounds
from sampleval.designs.sample import CellSample, Draws, Inclusions, Sample, Singles, Strata, Successive
from sampleval.designs.sequential import Sequential
from sampleval.designs.stratified import Stratified
from sampleval.designs.targeted import Targeted
from sampleval.designs.uniform import Uniform
from sampleval.designs.waves import TYPICAL, Watchable, Wave

DESIGNS: MappingProxyType[str, type[Design]] = MappingProxyType(
    {
        design.key: design
        for design in (
            Priority,
            Poisson,
            Importance,
            Uniform,
            Stratified,
            Adaptive,
            Rounds,
            Sequential,
            Targeted,
        )
    }
)

__all__ = [
    "DESIGNS",
    "TYPICAL",
    "Adaptive",
    "Believed",
    "CellSample",
    "Design",
    "Draws",
    "Importance",
    "Inclusions",
    "Moving",
    "Poisson",
    "Priority",
    "Problem",
    "Profile",
    "Round",
    "Rounds",
    "Sample",
    "Sequential",
    "Singles",
    "Strata",
    "Stratified",
    "Successive",
    "Targeted",
    "Uniform",
    "Watchable",
    "Wave",
    "floored",
    "starts",
]
