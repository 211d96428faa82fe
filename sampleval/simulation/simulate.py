"""Repeat whole studies with known labels: error, coverage and width of every method, honestly counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from sampleval.intervals import LEVEL
from sampleval.metrics import Metric, Target
from sampleval.pool import Floats, Labels, Pool, checked
from sampleval.presets import Method, fitting
from sampleval.simulation.running import Progress, run
from sampleval.simulation.summary import summarise
from sampleval.simulation.work import prepare, truths, usual_budgets


def simulate(
    pool: Pool,
    labels: Labels | None,
    *,
    presets: str | Sequence[str] | Mapping[str, Method] | None = None,
    metric: Target = "f1",
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    budgets: Sequence[int] | None = None,
    repeats: int = 200,
    seed: int = 0,
    level: float = LEVEL,
    probability: Floats | None = None,
    jobs: int = 1,
    progress: Progress | bool | None = None,
    cache: str | Path | None = None,
) -> pd.DataFrame:
    """Repeat studies and compare their estimates with the truth.

    >>> df = pd.DataFrame({"score": [0.1, 0.4, 0.6, 0.9], "label": [0, 1, 1, 1]})
    >>> pool = Pool.from_frame(df)
    >>> found = simulate(pool, Labels.from_frame(df, pool), presets="uniform", metric="accuracy", budgets=[2, 4])
    >>> found["truth"].tolist(), found["mse"].tolist()[-1]  # with all labels, no error is left
    ([0.75, 0.75], 0.0)

    Args:
        pool: Scored items.
        labels: True labels of all of them; `None` if `probability` is given.
        presets: One or more names in `PRESETS`, or any methods by name; by default all that fit the labels. The parts of
            a `Method` may be your own: objects that fulfil the protocols `Surrogate`, `Design` and `Estimator`.
        metric: Pre-sampling metric, or several as a joint target: a list, or name → weight.
        metrics: One or more metrics to report; the pre-sampling ones by default.
        budgets: Numbers of labels, each ≤ N; 50, 100, 200 and 500 by default, as far as the pool reaches.
        repeats: Studies per method.
        seed: Seed of all draws; the result does not depend on `jobs`.
        level: Nominal coverage of the intervals.
        probability: p(y = 1|x) of every item in the order of the pool, (N,), or per class or label, (N, C). It
            makes the oracle stochastic: a label is drawn anew whenever it is asked for, and the truth follows from the
            expected losses.
        jobs: Worker processes.
        progress: `True` shows a bar with the time left, in a terminal or a notebook. A function is called with
            (batches done, batches in all) and stops the work by returning `False`.
        cache: Folder in which finished batches are kept, so that a stopped run can be resumed; not for metrics or
            parts of methods of your own.

    Returns:
        A frame with one row per method, metric and budget; columns as in `summarise`.

    Raises:
        InputError: The labels are another pool's or incomplete, a metric is not defined for them, or an argument is out
            of range.
    """
    kind = checked(pool).task.kind
    work = prepare(
        pool,
        labels,
        fitting(kind, stochastic=probability is not None) if presets is None else presets,
        metric=metric,
        metrics=metrics,
        budgets=usual_budgets(pool.size) if budgets is None else budgets,
        repeats=repeats,
        seed=seed,
        level=level,
        probability=probability,
    )
    raw = run(work, jobs=jobs, progress=progress, cache=cache)
    return summarise(raw, truths(work), level=level)
