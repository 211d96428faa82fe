"""Measure the accuracy and the speed of the methods; see `python -m benchmarks --help`."""
