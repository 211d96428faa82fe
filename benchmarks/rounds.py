"""CPU time of set-up and of each round of the adaptive designs on a large pool."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

import sampleval as sv
from benchmarks import tables
from benchmarks.speed import timed
from sampleval.cli.options import Commands
from sampleval.designs import Adaptive, Problem, Round, Rounds, Sequential
from sampleval.designs.base import queued, spent
from sampleval.metrics import resolve
from sampleval.presets import Method, method_of
from sampleval.study.assembly import evidence_of
from sampleval.surrogates import DirichletTree, Recalibrated, Shrunk

# Case → method, metric, classes.
CASES: dict[str, tuple[Method, str, int]] = {
    "recommended": (method_of("recommended", kind="binary"), "f1", 2),
    "recommended, C = 10": (method_of("recommended", kind="multiclass"), "macro_f1", 10),
    "tree, K = 256": (method_of(surrogate=DirichletTree(), design=Adaptive()), "f1", 2),
    "tree, K = 256, one at a time": (method_of(surrogate=DirichletTree(), design=Adaptive(first=1)), "f1", 2),
    "tree, K = 256, C = 20": (method_of(surrogate=DirichletTree(), design=Adaptive()), "macro_f1", 20),
    "scores, Brier": (method_of(surrogate=Shrunk(), design=Adaptive()), "brier", 2),
    "queue in rounds": (method_of(surrogate=Recalibrated(), design=Rounds()), "f1", 2),
    "active testing": (method_of(surrogate=Recalibrated(), design=Sequential()), "f1", 2),
}


def measure(size: int = 1_000_000, *, labels: int = 300, cases: Sequence[str] = tuple(CASES)) -> pd.DataFrame:
    """The CPU seconds of set-up and of one round (median and largest) for each case.

    Args:
        size: Items in the pool.
        labels: Labels given in all.
        cases: Names in `CASES`.
    """
    return pd.DataFrame([{"case": name, "size": size} | _one(*CASES[name], size, labels) for name in cases])


def _one(method: Method, metric: str, classes: int, size: int, labels: int) -> dict[str, Any]:
    pool, truth = made_pool(size, classes)
    problem = Problem(pool, method.forms({resolve(metric): 1.0}), method.surrogate, seed=1)
    problem.by_hash  # noqa: B018 - made once for a pool and a seed, whatever the design
    opened, set_up = timed(lambda: method.design.open(problem, (), problem.held, labels), process_time)
    past, rounds = [opened] if opened else list[Round](), list[float]()
    while spent(past) < labels:
        opened, seconds = timed(lambda: following(problem, method, past, truth, labels), process_time)
        if opened is None:
            break
        past.append(opened)
        rounds.append(seconds)
    return {"rounds": len(past), "set up": set_up, "round": median(rounds), "largest": max(rounds)}


def following(
    problem: Problem, method: Method, past: list[Round], truth: np.ndarray[Any, Any], labels: int
) -> Round | None:
    """The next round, made as a study does: weigh the labels, update the belief, draw."""
    evidence = evidence_of(problem, method, past, truth[queued(past)])
    return method.design.open(problem, past, evidence, labels)


def made_pool(size: int, classes: int) -> tuple[sv.Pool, np.ndarray[Any, Any]]:
    """A pool of calibrated scores, and labels that are drawn from these scores."""
    rng = np.random.default_rng(0)
    if classes == 2:
        score = rng.beta(0.1, 2, size)
        frame = pd.DataFrame({"id": [f"item{i}" for i in range(size)], "score": score})
        return sv.Pool.from_frame(frame, id="id", score="score"), (rng.random(size) < score).astype(int)
    scores = rng.dirichlet(np.full(classes, 0.1), size)
    columns = {f"score_{c:02}": scores[:, c] for c in range(classes)}
    frame = pd.DataFrame({"id": [f"item{i}" for i in range(size)]} | columns)
    truth = (scores.cumsum(axis=1) < rng.random(size)[:, None]).sum(axis=1)
    return sv.Pool.from_frame(frame, id="id", score=list(columns), task="multiclass"), np.minimum(
        truth, classes - 1
    )


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    parser = commands.add_parser("rounds", help="what the adaptive designs cost between rounds")
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=list(CASES))
    parser.add_argument("--out", type=Path, default=Path("rounds.csv"))
    parser.set_defaults(run=main)


def main(arguments: argparse.Namespace) -> pd.DataFrame:
    """Measure as asked, and write the tables."""
    return tables.write(measure(arguments.size, cases=arguments.cases), arguments.out)
