"""Adaptive importance sampling: the proposal of each round, the draws from it, and the design that they make (M, O)."""
