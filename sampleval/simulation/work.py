"""The work of a simulation, cut into batches that any worker can do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from time import perf_counter

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._version import __version__
from sampleval.designs import Problem
from sampleval.intervals import LEVEL
from sampleval.metrics import Jacobian, Metric, Target, alike_in_cells, defined, named, own, resolve, target
from sampleval.pool import Floats, Labels, Pool, checked
from sampleval.presets import PRESETS, Method, method_of, tells_apart, unrepeatable
from sampleval.simulation.oracle import Oracle, oracle_of
from sampleval.simulation.replicate import replicate, seed_of

# Repeats per batch: enough that the time to set up the pool's beliefs is small, few enough for a smooth progress bar.
BATCH = 25
Batch = tuple[str, int, int]
COLUMNS = ("budget", "metric", "value", "variance", "low", "high", "interval", "labels", "wasted", "seconds")


@dataclass(frozen=True)
class Simulation:
    """The work of a simulation.

    Attributes:
        pool: Scored items.
        oracle: Who answers.
        methods: Name → method.
        targets: Name of a method → its pre-sampling metrics with their weights.
        metrics: Metrics to report.
        budgets: Numbers of labels, rising.
        repeats: Simulated studies per method.
        seed: Seed of all draws; results do not depend on the number of workers.
        level: Nominal coverage.
        batch: Repeats per piece of work.
    """

    pool: Pool
    oracle: Oracle
    methods: Mapping[str, Method]
    targets: Mapping[str, Mapping[Metric, float]]
    metrics: tuple[Metric, ...]
    budgets: tuple[int, ...]
    repeats: int
    seed: int
    level: float
    batch: int = BATCH

    def key(self, batch: Batch) -> str:
        """A name for one batch that changes with everything that its result depends on, except for what is the caller's own."""
        name, first, count = batch
        parts = (
            __version__,
            self.pool.fingerprint,
            self.oracle.fingerprint,
            name,
            str(self.methods[name].to_dict()),
            *(f"{m.name}: {weight}" for m, weight in self.targets[name].items()),
            *(m.name for m in self.metrics),
            str(self.budgets),
            f"{self.seed}/{first}/{count}/{self.level}",
        )
        return blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()

    def keepable(self) -> None:
        """Refuse a cache for the caller's own metrics and parts of methods: results of others of the same name would be used."""
        if names := own((*chain.from_iterable(self.targets.values()), *self.metrics)):
            remedy = "leave it out, or give metrics of the library by their names"
            _checks.fail("cache", "cannot keep results of metrics of one's own", names[0], remedy=remedy)
        if parts := [key for method in self.methods.values() for key in method.own]:
            _checks.fail(
                "cache", "cannot keep results of parts of one's own", parts[0], remedy="leave it out"
            )

    def batches(self) -> list[Batch]:
        """All batches, as (method, first repeat, number of repeats)."""
        return [
            (name, first, min(self.batch, self.repeats - first))
            for first in range(0, self.repeats, self.batch)
            for name in self.methods
        ]

    def do(self, batch: Batch) -> pd.DataFrame:
        """The results of some repeats of one method, one row per repeat, budget and metric."""
        name, first, count = batch
        method, oracle = self.methods[name], self.oracle
        problem = Problem(
            self.pool,
            method.forms(self.targets[name]),
            method.surrogate,
            stochastic=oracle.stochastic,
        )
        gradients = [m.gradient(oracle.risk(m, self.pool)) for m in self.metrics]
        rows: list[tuple[object, ...]] = []
        for repeat in range(first, first + count):
            # Each problem is made from the one before, so that what does not depend on the seed is computed once.
            problem = problem.reseeded(seed_of(self.seed, repeat))
            rows += [(name, repeat, *row) for row in self._once(problem, method, gradients)]
        return pd.DataFrame(rows, columns=["method", "repeat", *COLUMNS])

    def _once(
        self, problem: Problem, method: Method, gradients: Sequence[Jacobian]
    ) -> Iterator[tuple[object, ...]]:
        # One study serves all budgets, unless the design has a random size: then each budget has its own.
        each = [(budget,) for budget in self.budgets]
        for served in each if method.design.random_size else [self.budgets]:
            study = replicate(problem, method, self.oracle, served[-1])
            wasted = [study.wasted(m, at) for m, at in zip(self.metrics, gradients, strict=True)]
            for budget in served:
                k = min(budget, len(study.queue)) if len(served) > 1 else len(study.queue)
                start = perf_counter()
                found = study.estimates(self.metrics, k, level=self.level, family=method.interval)
                spent = study.seconds(k) + perf_counter() - start
                for e, idle in zip(found, wasted, strict=True):
                    limits = (e.interval.low, e.interval.high, e.interval.method)
                    yield budget, e.metric, e.value, e.variance, *limits, k, float(idle[k]), spent


def prepare(
    pool: Pool,
    labels: Labels | None,
    presets: str | Sequence[str] | Mapping[str, Method],
    *,
    metric: Target,
    metrics: str | Metric | Sequence[str | Metric] | None,
    budgets: Sequence[int],
    repeats: int,
    seed: int = 0,
    level: float = LEVEL,
    probability: Floats | None = None,
    targets: Mapping[str, Target] | None = None,
) -> Simulation:
    """The work that the arguments of `simulate` describe, after checking them.

    `targets` maps names of methods to pre-sampling metrics of their own, in place of `metric`.

    Raises:
        InputError: An argument is out of range; the message names it, the value and the remedy.
    """
    checked(pool)
    wanted = _checks.several(budgets, "budgets", remedy="pass budgets=[100, 300], for instance")
    names = _names(presets)
    drawn = {name: target((targets or {}).get(name, metric)) for name in names}
    methods = {name: _method(presets, name, drawn[name], pool) for name in names}
    if probability is not None and (reason := next(filter(None, map(unrepeatable, methods.values())), "")):
        raise _checks.InputError(reason.replace("`oracle` 'stochastic'", "`probability`"))
    wished = chain.from_iterable(drawn.values()) if metrics is None else map(resolve, named(metrics))
    reported = {m.name: m for m in wished}
    defined(reported.values(), pool.task.kind)
    for m in reported.values():
        alike_in_cells(pool, m)
    return Simulation(
        pool,
        oracle_of(pool, labels, probability),
        methods,
        drawn,
        tuple(reported.values()),
        tuple(sorted({_checks.budget(b, pool.size, "budgets") for b in wanted})),
        _checks.count(repeats, "repeats", minimum=1),
        _checks.count(seed, "seed"),
        _checks.level(level),
    )


def usual_budgets(size: int) -> list[int]:
    """50, 100, 200 and 500 labels, as far as a pool of N items reaches.

    >>> usual_budgets(1000), usual_budgets(120), usual_budgets(20)
    ([50, 100, 200, 500], [50, 100, 120], [20])
    """
    return sorted({min(budget, size) for budget in (50, 100, 200, 500)})


def spaced_budgets(most: int, points: int) -> tuple[int, ...]:
    """Numbers of labels at equal ratios up to the largest, the first a thirtieth of it, but at least 20.

    There are as many as `points`, or fewer where some would be the same.

    >>> spaced_budgets(500, 6), spaced_budgets(10, 6), spaced_budgets(500, 1)
    ((20, 38, 72, 138, 263, 500), (10,), (500,))
    """
    first = max(min(20, most), round(most / 30))
    return tuple(np.unique(np.geomspace(most, first, points).round().astype(int)).tolist())


def _names(presets: str | Sequence[str] | Mapping[str, Method]) -> list[str]:
    """The names of the methods."""
    listed = [presets] if isinstance(presets, str) else presets
    names = _checks.several(listed, "presets", remedy="name at least one, or leave it out")
    return names if isinstance(presets, Mapping) else [_checks.choice(n, PRESETS, "presets") for n in names]


def _method(
    presets: str | Sequence[str] | Mapping[str, Method], name: str, metrics: Iterable[Metric], pool: Pool
) -> Method:
    """The method of this name: the one that was passed, or the preset in its form for the metrics."""
    if isinstance(presets, Mapping):
        remedy = "make it with `from sampleval.presets import method_of`"
        return _checks.instance(presets[name], Method, "presets", remedy=remedy)
    return method_of(name, kind=pool.task.kind, apart=tells_apart(metrics, pool))


def truths(work: Simulation) -> dict[str, float]:
    """The true value of every reported metric, with a stochastic oracle from the expected losses."""
    return {
        m.name: float(m.value(work.oracle.risk(m, work.pool))[0]) * m.scale(work.pool.size)
        for m in work.metrics
    }
