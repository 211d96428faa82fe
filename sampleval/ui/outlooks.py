"""Plans and all that their pictures show, kept in memory by everything they depend on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from sampleval import frames
from sampleval._checks import InputError
from sampleval.designs import Problem, Uniform
from sampleval.metrics import resolve
from sampleval.planning import (
    Advice,
    BudgetRange,
    Plan,
    Plausible,
    advice_of,
    as_good_as,
    budget_range,
    curve_of,
    default_budgets,
    plan_of,
    plausible,
)
from sampleval.pool import Pool
from sampleval.presets import Method, method
from sampleval.surrogates import Shrunk
from sampleval.ui.planner import Wanted, recipes, shrinkage_of


@dataclass(frozen=True, slots=True)
class Outlook:
    """A plan and all that its pictures show.

    Attributes:
        plan: The plan itself.
        curve: Expected error and width against the budget, for every design.
        inclusion: Sorted inclusion probabilities of Bernoulli and importance sampling.
        filling: The plan whose certain items are drawn: this one, or Bernoulli sampling's where this design
            makes no item certain before all are.
        uniform: Labels that uniform sampling needs for the same error.
    """

    plan: Plan
    curve: pd.DataFrame
    inclusion: pd.DataFrame
    filling: Plan
    uniform: float


def outlook(pool: Pool, wanted: Wanted) -> Outlook:
    """The plan for these settings; only what has changed is computed anew."""
    problem = _problem_of(pool, wanted)
    curve = _curve(
        f"{_belief(pool, wanted)}|{wanted.cell()}|{wanted.defensive}|{wanted.level}", problem, wanted
    )
    return _outlook(f"{pool.fingerprint}|{wanted}", problem, wanted, curve)


def needed(pool: Pool, wanted: Wanted, width: float) -> BudgetRange:
    """Labels for an interval of this width, from optimistic to pessimistic."""
    key = f"{_belief(pool, wanted)}|{wanted.cell()}|{wanted.level}|{width}"
    return _needed(key, _problem_of(pool, wanted), wanted, width)


def advice(pool: Pool, wanted: Wanted) -> Advice | None:
    """A suggested λ; `None` where the method has none, or the pool does not have two classes."""
    cell = wanted.cell()
    if not isinstance(cell.surrogate, Shrunk) or pool.task.kind != "binary" or resolve(wanted.metric).vector:
        return None
    own = wanted.own or recipes(wanted.kind)[wanted.recipe]
    cell = replace(cell, surrogate=replace(cell.surrogate, shrinkage=shrinkage_of(own)))
    return _advice(f"{pool.fingerprint}|{wanted.metric}|{cell}|{wanted.budget}", pool, wanted, cell)


@st.cache_resource(show_spinner=False, max_entries=16)
def _advice(key: str, _pool: Pool, _wanted: Wanted, _cell: Method) -> Advice | None:
    try:
        return advice_of(
            _scope(_pool.fingerprint, _pool), _pool, resolve(_wanted.metric), _cell, _wanted.budget
        )
    except InputError:  # the metric is undefined here: the page says so elsewhere
        return None


@st.cache_resource(show_spinner=False, max_entries=2)
def _scope(key: str, _pool: Pool) -> Plausible:
    return plausible(_pool)


def _belief(pool: Pool, wanted: Wanted) -> str:
    return f"{pool.fingerprint}|{wanted.metric}|{wanted.cell().surrogate}"


def _problem_of(pool: Pool, wanted: Wanted) -> Problem:
    return _problem(_belief(pool, wanted), pool, wanted)


@st.cache_resource(show_spinner=False, max_entries=3)
def _problem(key: str, _pool: Pool, _wanted: Wanted) -> Problem:
    return Problem(_pool, {resolve(_wanted.metric): 1.0}, _wanted.cell().surrogate)


@st.cache_resource(show_spinner=False, max_entries=64)
def _curve(key: str, _problem: Problem, _wanted: Wanted) -> pd.DataFrame:
    """Every design's curve under one belief; the chosen recipe stands for its design."""
    cells = {cell.design.key: _wanted.adapted(cell) for cell in recipes(_wanted.kind).values()} | {
        _wanted.cell().design.key: _wanted.cell()
    }
    return curve_of(_problem, cells, default_budgets(_problem.pool.size), _wanted.level)


@st.cache_resource(show_spinner=False, max_entries=2)
def _outlook(key: str, _problem: Problem, _wanted: Wanted, _curve: pd.DataFrame) -> Outlook:
    compared = [
        plan_of(_problem, _wanted.adapted(method(design=name)), _wanted.budget, _wanted.level)
        for name in ("poisson", "importance")
    ]
    plan = plan_of(_problem, _wanted.cell(), _wanted.budget, _wanted.level)
    uniform = as_good_as(_problem, _wanted.cell(), _wanted.budget, Uniform())
    filling = plan if np.isfinite(plan.onset) else compared[0]
    return Outlook(plan, _curve, frames.sorted_inclusion(compared), filling, uniform)


@st.cache_resource(show_spinner=False, max_entries=64)
def _needed(key: str, _problem: Problem, _wanted: Wanted, _width: float) -> BudgetRange:
    return budget_range(_problem, _wanted.cell(), _width, _wanted.level)
