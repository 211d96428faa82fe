"""Conclusions from an answered run: scalar and vector estimates, their limits, and notes."""
