"""Repeat whole studies with known labels: error, coverage and width of every method, honestly counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import perf_counter

import joblib
import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval.designs import Problem
from sampleval.metrics import Metric, resolve
from sampleval.pool import Labels, Pool
from sampleval.presets import PRESETS, Method
from sampleval.presets import method as method_of
from sampleval.simulation.replicate import lengths, replicate
from sampleval.simulation.summary import summarise
from sampleval.study.census import true_value

BATCH = 25
Progress = Callable[[int, int], bool | None]


@dataclass(frozen=True)
class Simulation:
    """What to repeat.

    Attributes:
        pool: Scored items.
        labels: Their true labels, all known.
        methods: Name → method.
        target: Pre-sampling metric.
        metrics: Metrics to report.
        budgets: Numbers of labels.
        repeats: Simulated studies per method.
        seed: Makes every draw; results do not depend on the number of workers.
        level: Nominal coverage.
    """

    pool: Pool
    labels: Labels
    methods: Mapping[str, Method]
    target: Metric
    metrics: tuple[Metric, ...]
    budgets: tuple[int, ...]
    repeats: int
    seed: int
    level: float

    def key(self, name: str, first: int) -> str:
        """A name for one batch that changes with everything it depends on."""
        parts = (
            self.pool.fingerprint,
            name,
            str(self.methods[name].to_dict()),
            self.target.name,
            *(m.name for m in self.metrics),
            str(self.budgets),
            f"{self.seed}/{first}/{self.level}",
        )
        return blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()

    def batches(self) -> list[tuple[str, int, int]]:
        """Method, first repeat and number of repeats of every piece of work."""
        return [
            (name, first, min(BATCH, self.repeats - first))
            for first in range(0, self.repeats, BATCH)
            for name in self.methods
        ]

    def batch(self, name: str, first: int, count: int) -> pd.DataFrame:
        """Some repeats of one method: one row per repeat, budget and metric."""
        method = self.methods[name]
        problem = Problem(self.pool, {method.form(self.target): 1.0}, method.surrogate)
        rows: list[tuple[object, ...]] = []
        for repeat in range(first, first + count):
            seed = int(np.random.SeedSequence([self.seed, repeat]).generate_state(1)[0])
            rows += [(name, repeat, *row) for row in self._once(problem.reseeded(seed), method)]
        return pd.DataFrame(rows, columns=["method", "repeat", *COLUMNS])

    def _once(self, problem: Problem, method: Method) -> Iterator[tuple[object, ...]]:
        for longest, served in lengths(method, self.budgets):
            start = perf_counter()
            study = replicate(problem, method, self.labels, longest)
            for budget in served:
                k = min(budget, len(study.queue)) if len(served) > 1 else len(study.queue)
                estimates = study.estimates(
                    self.metrics, self.labels, k, level=self.level, family=method.interval
                )
                spent = perf_counter() - start
                for e in estimates:
                    limits = (e.interval.low, e.interval.high, e.interval.method)
                    yield budget, e.metric, e.value, e.variance, *limits, k, spent


COLUMNS = ["budget", "metric", "value", "variance", "low", "high", "interval", "labels", "seconds"]


def simulate(
    pool: Pool,
    labels: Labels,
    *,
    presets: Sequence[str] | Mapping[str, Method] = tuple(PRESETS),
    metric: str | Metric = "f1",
    metrics: Sequence[str | Metric] | None = None,
    budgets: Sequence[int] = (50, 100, 200, 500),
    repeats: int = 200,
    seed: int = 0,
    level: float = 0.9,
    jobs: int = 1,
    progress: Progress | None = None,
    cache: str | Path | None = None,
) -> pd.DataFrame:
    """Repeat studies and compare their estimates with the truth.

    Args:
        pool: Scored items.
        labels: True labels of all of them.
        presets: Names in `PRESETS`, or any methods by name.
        metric: Pre-sampling metric.
        metrics: Metrics to report; the pre-sampling one by default.
        budgets: Numbers of labels, each ≤ N.
        repeats: Studies per method.
        seed: Makes every draw; the result does not depend on `jobs`.
        level: Nominal coverage of the intervals.
        jobs: Worker processes.
        progress: Called with (batches done, batches in all); stops the work by returning `False`.
        cache: Folder in which finished batches are kept, so that a stopped run goes on where it was.

    Returns:
        A frame with one row per method, metric and budget; columns as in `summarise`.

    Raises:
        InputError: A label is missing, or an argument is out of range.
    """
    work = prepare(
        pool,
        labels,
        presets,
        metric=metric,
        metrics=metrics,
        budgets=budgets,
        repeats=repeats,
        seed=seed,
        level=level,
    )
    raw = run(work, jobs=jobs, progress=progress, cache=cache)
    return summarise(raw, truths(work), level=level)


def prepare(
    pool: Pool,
    labels: Labels,
    presets: Sequence[str] | Mapping[str, Method],
    *,
    metric: str | Metric,
    metrics: Sequence[str | Metric] | None,
    budgets: Sequence[int],
    repeats: int,
    seed: int = 0,
    level: float = 0.9,
) -> Simulation:
    """Check the arguments of `simulate`."""
    if not labels.known.all():
        missing = str(pool.ids[np.flatnonzero(~labels.known)[0]])
        raise _checks.InputError(
            f"`labels` must hold every item's label to simulate; item {missing!r} has none; "
            "take a pool whose labels are all known"
        )
    methods = presets if isinstance(presets, Mapping) else {name: method_of(name) for name in presets}
    return Simulation(
        pool,
        labels,
        dict(methods),
        resolve(metric),
        tuple(resolve(m) for m in metrics or [metric]),
        tuple(sorted({min(_checks.count(b, "budgets", minimum=1), pool.size) for b in budgets})),
        _checks.count(repeats, "repeats", minimum=1),
        _checks.count(seed, "seed"),
        _checks.level(level),
    )


def truths(work: Simulation) -> dict[str, float]:
    """True value of every reported metric."""
    return {m.name: true_value(m, work.pool, work.labels) for m in work.metrics}


def run(
    work: Simulation, *, jobs: int = 1, progress: Progress | None = None, cache: str | Path | None = None
) -> pd.DataFrame:
    """All batches, in parallel, one row per repeat, budget and metric; fewer if stopped."""
    batches = work.batches()
    folder = Path(cache) if cache else None
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    tasks = (joblib.delayed(_kept)(work, batch, folder) for batch in batches)
    frames: list[pd.DataFrame] = []
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator")
    for frame in parallel(tasks):
        frames.append(frame)
        if progress and progress(len(frames), len(batches)) is False:
            break
    return pd.concat(frames, ignore_index=True)


def _kept(work: Simulation, batch: tuple[str, int, int], folder: Path | None) -> pd.DataFrame:
    """One batch, from the cache if it is there; written aside and renamed, so never half there."""
    if folder is None:
        return work.batch(*batch)
    path = folder / f"{work.key(*batch[:2])}-{batch[2]}.parquet"
    if path.exists():
        return pd.read_parquet(path)
    frame = work.batch(*batch)
    aside = path.with_suffix(f".{np.random.default_rng().integers(2**40)}.part")
    frame.to_parquet(aside)
    aside.replace(path)
    return frame
