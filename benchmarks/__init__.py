"""How well the methods do and how fast they are; run with `python -m benchmarks --help`."""
