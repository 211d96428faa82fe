"""The Plan page's settings, and plans kept in memory by everything they depend on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from sampleval import frames
from sampleval.designs import DESIGNS, Problem, Uniform
from sampleval.metrics import for_kind, resolve
from sampleval.planning import BudgetRange, Plan, as_good_as, budget_range, curve_of, default_budgets, plan_of
from sampleval.pool import Pool
from sampleval.presets import Method, method
from sampleval.study import Study, create_study
from sampleval.surrogates import Shrunk
from sampleval.ui import stores

SENSIBLE_BUDGET = 300
STEPS = (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the controls say.

    Attributes:
        metric: Pre-sampling metric.
        design: Key in `DESIGNS`.
        budget: M.
        shrinkage: λ.
        toward: What scores are pulled towards.
        defensive: δ; 0 where the design has none.
        level: Of the intervals.
        seed: Makes every draw.
    """

    metric: str
    design: str
    budget: int
    shrinkage: float = 0.9
    toward: Literal["mean", "half"] = "mean"
    defensive: float = 0.0
    level: float = 0.9
    seed: int = 0

    def cell(self, design: str | None = None) -> Method:
        """The method: this design or another one with the same belief and as much δ as it takes."""
        chosen = design or self.design
        defensive = self.defensive if takes_defensive(chosen) else None
        return method(surrogate=Shrunk(self.shrinkage, self.toward), design=chosen, defensive=defensive)


def takes_defensive(design: str) -> bool:
    """Whether the design has a δ."""
    return "defensive" in getattr(DESIGNS[design], "__dataclass_fields__", {})


def budgets(size: int) -> list[int]:
    """Round numbers of labels from a few to the whole pool, to choose from."""

    def steps() -> Iterator[int]:
        yield from (n for n in range(1, 10) if n < size)
        for power in range(8):
            yield from (step * 10**power for step in STEPS if step * 10**power < size)
        yield size

    return list(steps())


def sensible_budget(size: int) -> int:
    """A budget that suits most: 300 labels, or the whole of a smaller pool."""
    return min(SENSIBLE_BUDGET, size)


@dataclass(frozen=True, slots=True)
class Outlook:
    """A plan and all that its pictures show.

    Attributes:
        plan: The plan itself.
        curve: Expected error and width against the budget, for every design.
        inclusion: Sorted inclusion probabilities of Bernoulli and importance sampling.
        uniform: Labels that uniform sampling needs for the same error.
    """

    plan: Plan
    curve: pd.DataFrame
    inclusion: pd.DataFrame
    uniform: float


def outlook(pool: Pool, wanted: Wanted) -> Outlook:
    """The plan for these settings; only what has changed is computed anew."""
    problem = _problem_of(pool, wanted)
    curve = _curve(f"{_belief(pool, wanted)}|{wanted.defensive}|{wanted.level}", problem, wanted)
    return _outlook(f"{pool.fingerprint}|{wanted}", problem, wanted, curve)


def needed(pool: Pool, wanted: Wanted, width: float) -> BudgetRange:
    """Labels for an interval of this width, from optimistic to pessimistic."""
    key = f"{_belief(pool, wanted)}|{wanted.design}|{wanted.defensive}|{wanted.level}|{width}"
    return _needed(key, _problem_of(pool, wanted), wanted, width)


def _belief(pool: Pool, wanted: Wanted) -> str:
    return f"{pool.fingerprint}|{wanted.metric}|{wanted.shrinkage}|{wanted.toward}"


def _problem_of(pool: Pool, wanted: Wanted) -> Problem:
    return _problem(_belief(pool, wanted), pool, wanted)


@st.cache_resource(show_spinner=False, max_entries=3)
def _problem(key: str, _pool: Pool, _wanted: Wanted) -> Problem:
    return Problem(_pool, {resolve(_wanted.metric): 1.0}, _wanted.cell().surrogate)


@st.cache_resource(show_spinner=False, max_entries=64)
def _curve(key: str, _problem: Problem, _wanted: Wanted) -> pd.DataFrame:
    cells = {name: _wanted.cell(name) for name in DESIGNS}
    return curve_of(_problem, cells, default_budgets(_problem.pool.size), _wanted.level)


@st.cache_resource(show_spinner=False, max_entries=2)
def _outlook(key: str, _problem: Problem, _wanted: Wanted, _curve: pd.DataFrame) -> Outlook:
    compared = [
        plan_of(_problem, _wanted.cell(name), _wanted.budget, _wanted.level)
        for name in ("poisson", "importance")
    ]
    plan = plan_of(_problem, _wanted.cell(), _wanted.budget, _wanted.level)
    uniform = as_good_as(_problem, _wanted.cell(), _wanted.budget, Uniform())
    return Outlook(plan, _curve, frames.sorted_inclusion(compared), uniform)


@st.cache_resource(show_spinner=False, max_entries=64)
def _needed(key: str, _problem: Problem, _wanted: Wanted, _width: float) -> BudgetRange:
    return budget_range(_problem, _wanted.cell(), _width, _wanted.level)


def pointless(plan: Plan) -> str:
    """Why labels could not tell anything about this metric, in words; "" if they can."""
    metric = resolve(plan.metric)
    if not np.isfinite(plan.predicted):
        return f"{metric.title} is undefined here: {metric.undefined or 'the scores predict no value'}."
    if not plan.inclusion.any():
        return f"No label can change {metric.title} here, so there is nothing to ask."
    return ""


def free_name(stem: str) -> str:
    """A name for a new study that is not taken: "digits", or "digits-2" and so on."""
    taken = {record.name for record in stores.storage().studies()}
    stem = re.sub(r"\s+", " ", stem).strip() or "study"
    names = [stem, *(f"{stem}-{k}" for k in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def begin(pool: Pool, wanted: Wanted, name: str, held: Study | None = None) -> Study:
    """Create and store a study with these settings."""
    cell = wanted.cell()
    return create_study(
        pool,
        metric=wanted.metric,
        budget=wanted.budget,
        surrogate=cell.surrogate,
        design=cell.design,
        seed=wanted.seed,
        level=wanted.level,
        held=held,
        storage=stores.storage(),
        name=name,
    )


def begin_sensibly(pool: Pool, stem: str) -> Study:
    """Create and store a study with the default settings."""
    return create_study(
        pool,
        metric=for_kind(pool.task.kind)[0],
        budget=sensible_budget(pool.size),
        storage=stores.storage(),
        name=free_name(stem),
    )


def half(width: float) -> float:
    """Half a width: the ± of an interval."""
    return float(np.divide(width, 2))


def in_url(study: Study) -> dict[str, str]:
    """A study's settings as the Plan page's controls bind them to the URL; what it has no control for is left out."""
    settings, cell = study.settings, study.settings.method
    surrogate, design = cell["surrogate"], cell["design"]
    budget = min(budgets(study.pool.size), key=lambda n: abs(n - study.budget))
    query = {
        "metric": next(iter(settings.metrics)),
        "labels": budget,
        "design": design["key"],
        "trust": surrogate.get("shrinkage"),
        "toward": surrogate.get("toward"),
        "even": design.get("defensive"),
        "level": settings.level,
        "seed": settings.seed,
    }
    return {key: str(value) for key, value in query.items() if value is not None}
