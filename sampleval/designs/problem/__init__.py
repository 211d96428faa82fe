"""What a design is given: the problem, with its groups of alike items and each item's size and random number."""

from __future__ import annotations

from sampleval.designs.problem.cells import Cells
from sampleval.designs.problem.problem import Problem
from sampleval.designs.problem.profile import Profile
from sampleval.designs.problem.sizes import FLOOR, floored, joint

__all__ = ["FLOOR", "Cells", "Problem", "Profile", "floored", "joint"]
