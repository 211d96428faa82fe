"""Plans and the contents of their pictures, kept in memory under everything that they depend on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from sampleval import frames
from sampleval._checks import InputError
from sampleval.designs import Problem, Uniform
from sampleval.metrics import resolve, target
from sampleval.planning import (
    Advice,
    BudgetRange,
    Plan,
    Plausible,
    WidthRange,
    advice_of,
    as_good_as,
    budget_range,
    curve_of,
    default_budgets,
    plan_of,
    plausible,
    posed,
    width_range,
)
from sampleval.pool import Pool
from sampleval.presets import Method, method_of
from sampleval.ui import words
from sampleval.ui.held import NOTHING, Beforehand
from sampleval.ui.plan.planner import Wanted, drawn
from sampleval.ui.plan.trust import shrinkage_of, unshrunk


@dataclass(frozen=True, slots=True)
class Outlook:
    """A plan and the contents of its pictures.

    Attributes:
        plan: The plan itself.
        curve: Expected error and width against the budget, for every design.
        inclusion: Sorted inclusion probabilities of this design, and beside it of Bernoulli and importance sampling.
        filling: The plan whose certain items are drawn: this one, or Bernoulli sampling's where this design
            makes no item certain before all are.
        uniform: Labels that uniform sampling needs for the same error, with two digits.
        widths: Widths between which the interval may turn out, for each metric of the plan.
        telling: Whether the label of any item left can change the metric.
        taught: Whether labels held beforehand teach the plan's belief.
    """

    plan: Plan
    curve: pd.DataFrame
    inclusion: pd.DataFrame
    filling: Plan
    uniform: BudgetRange
    widths: Sequence[WidthRange]
    telling: bool
    taught: bool

    @property
    def tiny(self) -> bool:
        """Whether the pool is too small for a curve."""
        return self.curve["budget"].nunique() < 2

    @property
    def drawable(self) -> bool:
        """Whether the plan's curve has at least two points. It has not in a tiny pool, or if no error can be foreseen."""
        own = self.curve["design"] == self.plan.method.design.key
        return int(self.curve.loc[own, "error"].count()) > 1


def outlook(pool: Pool, wanted: Wanted, known: Beforehand = NOTHING) -> Outlook:
    """The plan for these settings and held labels. Only what has changed is computed anew."""
    belief = _belief(pool, wanted, known)
    curve = _curve(f"{belief}|{wanted.method()}|{wanted.defensive}|{wanted.level}", pool, wanted, known)
    return _outlook(f"{belief}|{wanted}", pool, wanted, known, curve)


def needed(pool: Pool, wanted: Wanted, metric: str, width: float, known: Beforehand = NOTHING) -> BudgetRange:
    """The labels that one of the metrics needs for an interval of this width, from optimistic to pessimistic."""
    key = f"{_belief(pool, wanted, known)}|{wanted.method()}|{wanted.level}|{width}|{metric}"
    return _needed(key, pool, wanted, known, width, metric)


def advice(pool: Pool, wanted: Wanted) -> Advice | None:
    """A suggested λ; `None` if λ changes nothing, for several metrics, or if the pool does not have two classes."""
    method = wanted.method()
    if wanted.also or unshrunk(method, pool) or pool.task.kind != "binary" or resolve(wanted.metric).vector:
        return None
    usual = replace(wanted, shrinkage=shrinkage_of(wanted.base))
    return _advice(f"{pool.fingerprint}|{usual.metric}|{usual.method()}|{usual.budget}", pool, usual)


@st.cache_resource(show_spinner=False, max_entries=16)
def _advice(key: str, _pool: Pool, _wanted: Wanted) -> Advice | None:
    metric, method = resolve(_wanted.metric), _wanted.method()
    try:
        found = advice_of(_scope(_pool.fingerprint, _pool), _pool, metric, method, _wanted.budget)
    except InputError:  # the metric is undefined here: the page says so elsewhere
        return None
    return found if found.matters else None


@st.cache_resource(show_spinner=False, max_entries=2)
def _scope(key: str, _pool: Pool) -> Plausible:
    return plausible(_pool)


def _belief(pool: Pool, wanted: Wanted, known: Beforehand) -> str:
    return f"{pool.fingerprint}|{wanted.metrics}|{wanted.method().surrogate}|{known.key}|{known.random}"


def _problem_of(pool: Pool, wanted: Wanted, known: Beforehand, method: Method) -> Problem:
    """The problem under the belief of a method. The method's design may use another form of the metric."""
    method = replace(wanted.method(), design=method.design)
    own = [method.form(metric) is not metric for metric in map(resolve, wanted.metrics)]
    return _problem(f"{_belief(pool, wanted, known)}|{own}", pool, wanted, known, method)


@st.cache_resource(show_spinner=False, max_entries=4)
def _problem(key: str, _pool: Pool, _wanted: Wanted, _known: Beforehand, _method: Method) -> Problem:
    return posed(_pool, target(_wanted.metrics), _method, _known.labels, random=_known.random)


@st.cache_resource(show_spinner=False, max_entries=64)
def _curve(key: str, _pool: Pool, _wanted: Wanted, _known: Beforehand) -> pd.DataFrame:
    """The curves of all designs under one belief. The chosen recipe represents its own design."""
    methods = {
        design: _wanted.adapted(method)
        for design, (_, method) in drawn(_wanted.kind, apart=_wanted.apart).items()
    } | {_wanted.method().design.key: _wanted.method()}
    budgets = default_budgets(_pool.size)
    return pd.concat(
        [
            curve_of(_problem_of(_pool, _wanted, _known, method), {design: method}, budgets, _wanted.level)
            for design, method in methods.items()
        ],
        ignore_index=True,
    )


@st.cache_resource(show_spinner=False, max_entries=2)
def _outlook(key: str, _pool: Pool, _wanted: Wanted, _known: Beforehand, _curve: pd.DataFrame) -> Outlook:
    def planned(method: Method) -> Plan:
        return plan_of(_problem_of(_pool, _wanted, _known, method), method, _wanted.budget, _wanted.level)

    poisson, importance = (
        planned(_wanted.adapted(method_of(design=name))) for name in ("poisson", "importance")
    )
    plan = planned(method := _wanted.method())
    problem = _problem_of(_pool, _wanted, _known, method)
    beside = [other for other in (poisson, importance) if other.method.design.key != method.design.key]
    uniform = _two_digits(as_good_as(problem, method, _wanted.budget, Uniform()), problem.population)
    widths = [
        width_range(problem.led_by(metric), method, _wanted.budget, _wanted.level, each.expected_width)
        for metric, each in zip(problem.metrics, plan.each, strict=True)
    ]
    filling = plan if np.isfinite(plan.onset) else poisson
    inclusion, telling = frames.sorted_inclusion([plan, *beside]), len(problem.profile.order) > 0
    return Outlook(plan, _curve, inclusion, filling, uniform, widths, telling, problem.held_random)


def _two_digits(labels: BudgetRange, most: float) -> BudgetRange:
    """The labels with two digits, since more would claim too much precision, and at most those that can be given.

    >>> _two_digits(BudgetRange(620.0, 946.0, 1797.0), 1797)
    BudgetRange(low=620.0, likely=950.0, high=1797.0)
    """
    ends = (labels.low, labels.likely, labels.high)
    return BudgetRange(*(m if m >= most else float(min(words.rounded(m), most)) for m in ends))


@st.cache_resource(show_spinner=False, max_entries=64)
def _needed(
    key: str, _pool: Pool, _wanted: Wanted, _known: Beforehand, _width: float, _metric: str
) -> BudgetRange:
    method = _wanted.method()
    problem = _problem_of(_pool, _wanted, _known, method).led_by(method.form(resolve(_metric)))
    return budget_range(problem, method, _width, _wanted.level)
