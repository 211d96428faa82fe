"""The benchmarks' command: `python -m benchmarks efficiency | anytime | speed | metrics | …`."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

import sampleval as sv
from benchmarks import (
    anytime,
    compare,
    curves,
    efficiency,
    figures,
    pools,
    rounds,
    shrinkage,
    speed,
    speed_metrics,
    tables,
)


def main() -> None:
    """Run the chosen benchmark and write its tables."""
    arguments = parser().parse_args()
    table = arguments.run(arguments)
    with pd.option_context("display.max_rows", None, "display.max_columns", None, "display.width", 160):
        print(table)


def parser() -> argparse.ArgumentParser:
    """The command's words."""
    top = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    kinds = top.add_subparsers(required=True)
    one = kinds.add_parser("efficiency", help="error, coverage and width of every preset")
    one.add_argument(
        "--pools",
        type=Path,
        default=pools.DEMO,
        help=f"folder of Parquet pools, or one of: {', '.join(pools.MADE)}",
    )
    one.add_argument("--presets", nargs="+", default=list(sv.presets), choices=list(sv.presets))
    one.add_argument("--targets", nargs="+", default=list(efficiency.TARGETS))
    one.add_argument("--budgets", nargs="+", type=int, default=list(efficiency.BUDGETS))
    one.add_argument("--repeats", type=int, default=200)
    one.add_argument("--jobs", type=int, default=2)
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--cache", type=Path, help="folder of finished batches; a stopped run goes on from it")
    one.add_argument("--out", type=Path, default=Path("efficiency.csv"))
    one.set_defaults(run=_efficiency)
    again = kinds.add_parser(
        "anytime", help="intervals looked at again and again: misses at any look, widths"
    )
    again.add_argument(
        "--pools", type=Path, help="more Parquet pools than the two it makes or finds itself", nargs="*"
    )
    again.add_argument("--methods", nargs="+", default=list(anytime.METHODS), choices=list(anytime.METHODS))
    again.add_argument("--repeats", type=int, default=100)
    again.add_argument("--every", type=int, default=10, help="labels between two looks")
    again.add_argument("--jobs", type=int, default=2)
    again.add_argument("--out", type=Path, default=Path("anytime.csv"))
    again.set_defaults(run=_anytime)
    two = kinds.add_parser("speed", help="how cost grows with the pool")
    two.add_argument("--sizes", nargs="+", type=int, default=list(speed.SIZES))
    two.add_argument("--out", type=Path, default=Path("speed.csv"))
    two.set_defaults(run=_speed)
    between = kinds.add_parser("rounds", help="what the adaptive designs cost between rounds")
    between.add_argument("--size", type=int, default=1_000_000)
    between.add_argument("--cases", nargs="+", default=list(rounds.CASES), choices=list(rounds.CASES))
    between.add_argument("--out", type=Path, default=Path("rounds.csv"))
    between.set_defaults(run=lambda a: tables.write(rounds.measure(a.size, cases=a.cases), a.out))
    metrics = kinds.add_parser("metrics", help="cost of metrics on a million items")
    metrics.add_argument("--size", type=int, default=1_000_000)
    metrics.add_argument("--out", type=Path, default=Path("speed_metrics.csv"))
    metrics.set_defaults(run=lambda a: tables.write(speed_metrics.measure(a.size), a.out))
    drawn = kinds.add_parser("curves", help="replicated precision–recall curves over the true one")
    drawn.add_argument("pool", type=Path, help="Parquet file with columns id, score, label")
    drawn.add_argument("--budget", type=int, default=5000)
    drawn.add_argument("--repeats", type=int, default=100)
    drawn.add_argument(
        "--presets", nargs="+", default=["uniform", "queue", "yilmaz-is"], choices=list(sv.presets)
    )
    drawn.add_argument("--out", type=Path, default=Path("curves.csv"))
    drawn.set_defaults(run=_curves)
    papers = kinds.add_parser("figures", help="the papers' figures that the app shows as precomputed")
    papers.add_argument("names", nargs="*", metavar="FIGURE", help="all by default")
    papers.add_argument("--repeats", type=int, help="studies a line in place of each figure's own")
    papers.add_argument("--jobs", type=int, default=2)
    papers.add_argument("--out", type=Path, default=figures.FOLDER)
    papers.set_defaults(run=_figures)
    trust = kinds.add_parser("shrinkage", help="errors at the suggested λ, the best one and 0.9")
    trust.add_argument("--pools", type=Path, help="folder of Parquet pools besides the made ones")
    trust.add_argument("--budgets", nargs="+", type=int, default=[200, 500])
    trust.add_argument("--repeats", type=int, default=200)
    trust.add_argument("--jobs", type=int, default=2)
    trust.add_argument("--out", type=Path, default=Path("shrinkage.csv"))
    trust.set_defaults(run=_shrinkage)
    three = kinds.add_parser("compare", help="two result files of `efficiency`")
    three.add_argument("before", type=Path)
    three.add_argument("after", type=Path)
    three.add_argument("--out", type=Path, default=Path("compare.csv"))
    three.set_defaults(run=lambda a: tables.write(compare.compare(a.before, a.after), a.out))
    return top


def _anytime(arguments: argparse.Namespace) -> pd.DataFrame:
    cases = [*pools.watched(), *(pools.read(path) for path in arguments.pools or ())]
    found = anytime.measure(
        cases,
        methods=arguments.methods,
        repeats=arguments.repeats,
        every=arguments.every,
        jobs=arguments.jobs,
    )
    return tables.write(found, arguments.out, anytime.markdown)


def _figures(arguments: argparse.Namespace) -> pd.DataFrame:
    return figures.make(arguments.names, folder=arguments.out, repeats=arguments.repeats, jobs=arguments.jobs)


def _efficiency(arguments: argparse.Namespace) -> pd.DataFrame:
    made = pools.MADE.get(str(arguments.pools))
    cases = made(arguments.seed) if made else pools.from_folder(arguments.pools)
    summary, raw = efficiency.measure(
        cases,
        arguments.presets,
        repeats=arguments.repeats,
        targets=arguments.targets,
        budgets=arguments.budgets,
        jobs=arguments.jobs,
        cache=arguments.cache,
        seed=arguments.seed,
    )
    tables.write(summary, arguments.out, efficiency.report)
    if "recommended" not in arguments.presets or len(arguments.presets) < 2:
        return summary
    return tables.write(efficiency.against_best(raw), arguments.out.with_suffix(".ratios.csv"))


def _shrinkage(arguments: argparse.Namespace) -> pd.DataFrame:
    found = [] if arguments.pools is None else list(pools.from_folder(arguments.pools))
    table = shrinkage.measure(
        [*found, *shrinkage.rare()],
        budgets=arguments.budgets,
        repeats=arguments.repeats,
        jobs=arguments.jobs,
    )
    return tables.write(table, arguments.out, shrinkage.markdown)


def _speed(arguments: argparse.Namespace) -> pd.DataFrame:
    table = speed.measure(arguments.sizes)
    tables.write(table, arguments.out, lambda found: tables.markdown(speed.by_size(found).reset_index()))
    return speed.by_size(table)


def _curves(arguments: argparse.Namespace) -> pd.DataFrame:
    found = curves.measure(
        arguments.pool, budget=arguments.budget, repeats=arguments.repeats, presets=arguments.presets
    )
    return curves.write(found, arguments.out)


if __name__ == "__main__":
    main()
