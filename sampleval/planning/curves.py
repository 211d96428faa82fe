"""Expected error and width against the budget, for several designs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval.designs import Design, Problem, Targeted
from sampleval.intervals import LEVEL
from sampleval.metrics import Target, target
from sampleval.planning.posing import Held, posed
from sampleval.planning.widths import certain_share, expected_widths, foretold, left_by, value_at
from sampleval.pool import Floats, Pool, checked
from sampleval.presets import BASE, Method, by_design, method_of


def plan_curve(
    pool: Pool,
    *,
    metric: Target,
    budgets: Sequence[int] | None = None,
    designs: Sequence[str | Design] | None = None,
    shrinkage: float | None = None,
    defensive: float | None = None,
    level: float = LEVEL,
    held: Held | None = None,
) -> pd.DataFrame:
    """Expected error and width as functions of the budget, for several designs.

    >>> import numpy as np, pandas as pd, sampleval as sv
    >>> pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.99, 99)}))
    >>> curve = plan_curve(pool, metric="f1", budgets=[20, 99], designs=["priority"])
    >>> alone = [sv.plan(pool, metric="f1", budget=m, preset="queue").expected_error for m in (20, 99)]
    >>> np.allclose(curve["error"], alone, rtol=1e-12)
    True

    Args:
        pool: The scored items.
        metric: Pre-sampling metric; a list or name → weight makes a joint target, whose first metric the curve is about.
        budgets: (B,) budgets, each from 1 to N; by default from 10 to N.
        designs: Registry keys or options objects, one of each kind; by default all that fit the labels.
        shrinkage: λ in [0, 1].
        defensive: δ in [0, 1].
        level: Coverage of the interval, in (0, 1).
        held: Labels known beforehand (id → label, `Labels` of the pool, or a study), which are not asked again.

    Returns:
        A frame with columns design, budget, error, width, certain (share of certain items).

    Raises:
        InputError: An argument out of range, two designs of one kind, or a δ that none of them takes.
    """
    if designs is None:
        asked = list(by_design(checked(pool).task.kind).values())
    else:
        remedy = "pass designs=['priority', 'uniform'], for instance"
        asked = [method_of(design=name) for name in _checks.several(designs, "designs", remedy=remedy)]
    rule = "must name each kind of design once, as the frame does"
    keys = (method.design.key for method in asked)
    _checks.distinct(keys, "designs", rule, remedy="make a curve for each and tell them apart")
    if defensive is not None and all(method.defensive is None for method in asked):
        _checks.fail("defensive", "has no meaning for any of these designs", defensive, remedy="leave it out")
    methods = {method.design.key: _defended(method, defensive) for method in asked}
    problem = posed(pool, target(metric), method_of(BASE, shrinkage=shrinkage), held)
    chosen = default_budgets(pool.size)
    if budgets is not None:
        given = _checks.several(budgets, "budgets", remedy="pass budgets=[100, 300], for instance")
        chosen = np.array([_checks.budget(budget, pool.size, "budgets") for budget in given], float)
    return curve_of(problem, methods, chosen, _checks.level(level))


def _defended(method: Method, defensive: float | None) -> Method:
    """The method with this δ, if its design has one."""
    return method if method.defensive is None else method_of(design=method.design, defensive=defensive)


def default_budgets(size: int) -> Floats:
    """Budgets from 10 to the whole pool in rising order, (B,): evenly on a logarithmic scale, and 10, 30, 100, 300, … between."""
    spread = np.geomspace(min(10, size), size, 40).round()
    round_ones = np.outer([1.0, 3.0], 10.0 ** np.arange(1, 12)).ravel()
    return np.unique(np.append(spread, round_ones[round_ones < size]))


def curve_of(problem: Problem, methods: dict[str, Method], budgets: Floats, level: float) -> pd.DataFrame:
    """`plan_curve` for a problem that is already set up."""
    metric = problem.main
    predicted = value_at(metric, problem.predicted_risk(metric))
    scale = metric.scale(problem.pool.size)
    components = len(metric.components(problem.pool.task))
    frames = []
    for name, method in methods.items():
        profile = left_by(problem, method)
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = foretold(problem, method, profile, budgets)
        if np.isnan(predicted) and not metric.vector:  # a variance of 0 does not mean that the value is known
            variance = np.full(len(budgets), np.nan)
        widths = expected_widths(_as_sampled_by(problem, method), method, predicted, variance, budgets, level)
        frames.append(
            pd.DataFrame(
                {
                    "design": name,
                    "budget": budgets.astype(int),
                    "error": np.minimum(np.sqrt(variance / components), np.ptp(metric.range) / 2) * scale,
                    "width": widths * scale,
                    "certain": certain_share(method, profile, budgets),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _as_sampled_by(problem: Problem, method: Method) -> Problem:
    """The problem with the method's own surrogate if its design is `Targeted`, which samples that surrogate's cells."""
    return replace(problem, surrogate=method.surrogate) if isinstance(method.design, Targeted) else problem
