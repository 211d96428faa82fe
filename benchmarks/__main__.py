"""The benchmarks' command: `python -m benchmarks efficiency | anytime | speed | metrics | …`."""

from __future__ import annotations

import argparse

import pandas as pd

from benchmarks import (
    anytime,
    compare,
    curves,
    efficiency,
    figures,
    rounds,
    shrinkage,
    speed,
    speed_metrics,
    stopping,
)

BENCHMARKS = (
    efficiency,
    anytime,
    stopping,
    speed,
    rounds,
    speed_metrics,
    curves,
    figures,
    shrinkage,
    compare,
)


def main() -> None:
    """Run the chosen benchmark and write its tables."""
    arguments = parser().parse_args()
    table = arguments.run(arguments)
    with pd.option_context("display.max_rows", None, "display.max_columns", None, "display.width", 160):
        print(table)


def parser() -> argparse.ArgumentParser:
    """All benchmarks and their options."""
    top = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = top.add_subparsers(required=True)
    for part in BENCHMARKS:
        part.add(commands)
    return top


if __name__ == "__main__":
    main()
