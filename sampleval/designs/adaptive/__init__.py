"""Adaptive importance sampling: the proposal of each round, the draws from it, and the design that they make (M, O)."""

from sampleval.designs.adaptive.adaptive import Adaptive

__all__ = ["Adaptive"]
