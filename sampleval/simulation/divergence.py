"""How far an adaptive proposal still is from the best one, round by round (M fig 2; needs known labels)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.special import rel_entr

from sampleval._checks import InputError, count
from sampleval.designs import Adaptive, Importance, Problem, starts
from sampleval.designs.between_rounds.aim import Aim, Linearised
from sampleval.metrics import Metric, mean_loss, resolve
from sampleval.pool import Floats, Labels, Pool, all_of, checked
from sampleval.presets import Method
from sampleval.simulation.oracle import oracle_of
from sampleval.simulation.replicate import replicate, seed_of
from sampleval.simulation.running import Progress
from sampleval.study.assembly import evidence_of


def ideal(metric: Metric, pool: Pool, labels: Labels) -> Floats:
    """The proposal of least variance, q* ∝ ‖dₙ(yₙ)‖, (N,), which can be computed only from all labels (M Prop. 1)."""
    risk = mean_loss(metric, pool.items, labels.values)
    size, _ = Aim((Linearised(metric, risk, 1.0),)).deviation(pool.items, labels.values)
    return np.asarray(size / size.sum()) if size.any() else np.full(pool.size, 1 / pool.size)


def kullback_leibler(p: Floats, q: Floats) -> float:
    """Σ p log(p/q), which is infinite if q is 0 where p is not.

    >>> kullback_leibler(np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    0.0
    """
    return max(float(rel_entr(p, q).sum()), 0.0)  # rounding may leave less than 0 if p equals q


def divergences(
    pool: Pool,
    labels: Labels,
    methods: Mapping[str, Method],
    *,
    metric: str | Metric = "f1",
    budget: int = 500,
    repeats: int = 5,
    seed: int = 0,
    points: int = 12,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """KL(q* ‖ q_t) against the number of labels, for methods that draw by importance.

    Args:
        pool: Scored items.
        labels: True labels of all of them.
        methods: Name → method with design "adaptive" or "importance".
        metric: The metric to be estimated.
        budget: Labels in all.
        repeats: Simulated studies per method.
        seed: Seed of all draws.
        points: About how many rounds of each study to look at, with most of them early.
        progress: Called after each study with the numbers of those done and of all.

    Returns:
        One row per method and number of labels: method, labels, mean, low, high (extremes of the repeats).

    Raises:
        InputError: The labels are another pool's or incomplete, a method draws in another way, or an argument is out
            of range.
    """
    all_of(labels, checked(pool))
    budget, repeats = count(budget, "budget", minimum=1), count(repeats, "repeats", minimum=1)
    points = count(points, "points", minimum=1)
    rows: list[tuple[str, int, float]] = []
    told = progress or (lambda _done, _total: None)
    done, total = 0, repeats * len(methods)
    for name, method in methods.items():
        if not isinstance(method.design, Adaptive | Importance):
            raise InputError(f"`methods` must draw by importance; {name!r} is {method.design.title}")
        target = method.form(resolve(metric))
        best = ideal(target, pool, labels)
        problem = Problem(pool, {target: 1.0}, method.surrogate)
        for repeat in range(repeats):
            found = _one(problem.reseeded(seed_of(seed, repeat)), method, labels, best, budget, points)
            rows += [(name, at, value) for at, value in found]
            told(done := done + 1, total)
    frame = pd.DataFrame(rows, columns=["method", "labels", "kl"])
    grouped = frame.groupby(["method", "labels"], sort=False)["kl"]
    return grouped.agg(["mean", "min", "max"]).rename(columns={"min": "low", "max": "high"}).reset_index()


def _one(
    problem: Problem, method: Method, labels: Labels, best: Floats, budget: int, points: int
) -> list[tuple[int, float]]:
    design = method.design
    if isinstance(design, Importance):
        value = kullback_leibler(best, design.proposal(problem))
        return [(0, value), (budget, value)]
    assert isinstance(design, Adaptive)
    made = replicate(problem, method, oracle_of(problem.pool, labels), budget)
    first = min(max(design.first, 1), budget)
    begins = starts(made.rounds)
    found: list[tuple[int, float]] = []
    for at in sorted({0, budget, *np.geomspace(first, budget, points).astype(int).tolist()}):
        r = int(np.searchsorted(begins[1:], at))  # the round that draws this label
        said = evidence_of(problem, method, made.rounds[:r], made.answers[: begins[r]])
        proposal = design.propose(problem, made.rounds[:r], said)
        found.append((at, kullback_leibler(best, proposal.of_items())))
    return found
