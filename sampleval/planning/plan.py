"""Plans: the expected precision of a budget, before any label."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from sampleval import _checks
from sampleval.designs import Design, Inclusions, Problem, Profile, Stratified
from sampleval.intervals import LEVEL
from sampleval.metrics import Target
from sampleval.numerals import as_typed, many, number
from sampleval.planning.budgets import budget_range
from sampleval.planning.curves import curve_of
from sampleval.planning.posing import Held, asked_for
from sampleval.planning.ranges import UNKNOWN, BudgetRange
from sampleval.planning.widths import DOUBTLESS, left_by, value_at, waterline
from sampleval.pool import Flags, Floats, Pool
from sampleval.presets import Method
from sampleval.surrogates import Surrogate


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The expected results of a budget if the belief is right, as `plan` returns them. Nothing is stored.

    Attributes:
        metric: The pre-sampling metric, the first one of a joint target.
        budget: M.
        method: The method: surrogate, design, estimator and interval.
        predicted: Value of the metric predicted by the belief.
        inclusion: Nominal inclusion probability b(M) of every item, (N,). For an adaptive design they are those of a
            single round under the first belief, since the labels change later rounds.
        saturated: Whether each item has inclusion probability 1, (N,): certain to be asked unless the design is adaptive.
        onset: Budget at which the first item becomes certain (Y eq 88); `nan` for designs under which no item is
            certain before the whole pool is asked, or the labels decide which.
        expected_labels: Expected number of labels.
        labels_sd: Its standard deviation; 0 for designs with a hard cap.
        expected_error: Root mean squared error of the estimate under the belief, over all components.
        expected_width: Width of its interval; `nan` for a metric of several components.
        note: Why error and width are `nan`, if the belief does not predict them.
        goal: Half the wanted width, `nan` if none is given.
        needed: Number of labels that the goal needs, see `budget_for`.
        also: The plans of the further metrics of a joint target: the same sample, as seen by each of them.
        strata: Why there are far fewer strata than the method asks for, "" if there are not.
    """

    metric: str
    budget: int
    method: Method
    predicted: float
    inclusion: Floats
    saturated: Flags
    onset: float
    expected_labels: float
    labels_sd: float
    expected_error: float
    expected_width: float
    note: str = ""
    goal: float = np.nan
    needed: BudgetRange = UNKNOWN
    also: tuple[Plan, ...] = ()
    strata: str = ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def __str__(self) -> str:
        """One line: the value, the error and the width to expect, or why they are unknown, what the goal needs, a lack of strata."""
        told, about = "; ".join(each._told for each in self.each), f"{self.metric} " if self.also else ""
        goal = "" if math.isnan(self.goal) else f"; {about}± {as_typed(self.goal)} needs {self.needed}"
        return f"{many(self.asked, 'label')}: {told}{goal}{self.strata and f'; {self.strata}'}"

    @property
    def each(self) -> tuple[Plan, ...]:
        """This plan, followed by those of the further metrics."""
        return self, *self.also

    @property
    def _told(self) -> str:
        value = self.metric if math.isnan(self.predicted) else f"{self.metric} about {number(self.predicted)}"
        width = "" if math.isnan(self.expected_width) else f", interval {number(self.expected_width)} wide"
        return self.note or f"{value}, expected error {number(self.expected_error)}{width}"

    @property
    def asked(self) -> int:
        """Number of labels to be given: M, or fewer if no more can matter."""
        return min(self.budget, math.ceil(round(self.expected_labels, 6)))


def plan(
    pool: Pool,
    *,
    metric: Target,
    budget: int | None = None,
    goal: float | None = None,
    preset: str | None = None,
    surrogate: str | Surrogate | None = None,
    design: str | Design | None = None,
    shrinkage: float | None = None,
    defensive: float | None = None,
    level: float = LEVEL,
    held: Held | None = None,
    held_random: bool | None = None,
) -> Plan:
    """The plan of a budget: inclusion probabilities, expected error and expected width.

    >>> import numpy as np, pandas as pd
    >>> pool = Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.99, 99)}))
    >>> found = plan(pool, metric="f1", budget=20, design="poisson")
    >>> round(found.inclusion.sum(), 9) == found.expected_labels == found.budget
    True

    Args:
        pool: The scored items.
        metric: Pre-sampling metric; a list or name → weight makes a joint target, as in `create_study`.
        budget: M, from 1 to N. By default the likely number of labels for the goal.
        goal: Half the wanted width of the first metric's interval, in its own unit: 0.03 for ± 0.03.
        preset: Name in `PRESETS`.
        surrogate: Registry key or options object.
        design: Registry key or options object.
        shrinkage: λ in [0, 1].
        defensive: δ in [0, 1].
        level: Coverage of the interval, in (0, 1).
        held: Labels known beforehand (id → label, `Labels` of the pool, or a study), which are not asked again.
        held_random: Whether they were chosen by chance, or by chance and scores, so that methods that learn also use them. By
            default this is so only for the labels of a study if they qualify (see `Study.impartial`) and the pool
            has the scores that chose.

    Raises:
        InputError: Neither budget nor goal, or an argument out of range; the message names it, the value and the remedy.
    """
    problem, method = asked_for(
        pool,
        metric,
        preset=preset,
        surrogate=surrogate,
        design=design,
        shrinkage=shrinkage,
        defensive=defensive,
        held=held,
        held_random=held_random,
    )
    level, needed = _checks.level(level), UNKNOWN
    if goal is not None:
        needed = budget_range(problem, method, 2 * _checks.goal(goal, "goal"), level)
    elif budget is None:
        raise _checks.InputError("`budget` must be given, or `goal`; e.g. budget=300 or goal=0.03")
    if budget is None:
        budget = max(int(needed.likely), 1) if np.isfinite(needed.likely) else pool.size
    made = plan_of(problem, method, _checks.budget(budget, pool.size), level)
    return made if goal is None else replace(made, goal=float(goal), needed=needed)


def plan_of(problem: Problem, method: Method, budget: int, level: float = LEVEL) -> Plan:
    """The plan of a problem that is already set up: only what depends on the budget is computed."""
    inclusion = method.design.inclusion(problem, budget)
    first, *others = (
        _about(problem.led_by(metric), method, budget, level, inclusion) for metric in problem.metrics
    )
    return replace(first, also=tuple(others), strata=lacking_strata(problem, method))


def lacking_strata(problem: Problem, method: Method) -> str:
    """Why the belief or the design has far fewer strata than it asks for, "" if it has enough or needs none."""
    if note := str(getattr(problem.model, "note", "")):
        return note
    design = method.design
    if not isinstance(design, Stratified):
        return ""
    return problem.once(("strata", design), lambda: design.stratify(problem.pool).note)


def _about(problem: Problem, method: Method, budget: int, level: float, inclusion: Floats) -> Plan:
    """The plan of the main metric alone, for these inclusion probabilities, (N,)."""
    metric = problem.main
    row = curve_of(problem, {method.design.key: method}, np.array([budget], float), level).iloc[0]
    spread = float(inclusion @ (1 - inclusion)) if method.design.random_size else 0.0
    return Plan(
        metric.name,
        budget,
        method,
        value_at(metric, problem.predicted_risk(metric)) * metric.scale(problem.pool.size),
        inclusion,
        inclusion >= 1,
        onset_of(method, problem.profile),
        float(inclusion.sum()),
        float(np.sqrt(spread)),
        float(row["error"]),
        float(row["width"]),
        _silence(problem, method) if np.isnan(row["error"]) else "",
    )


def _silence(problem: Problem, method: Method) -> str:
    """The reason why the belief predicts no error, "" if there is no known one."""
    metric = problem.main
    risk = problem.predicted_risk(metric)
    if not metric.vector and np.isnan(value_at(metric, risk)):
        # Before any label the reason holds for all items.
        why = metric.reason(risk, problem.pool.task).replace("labelled item", "item")
        return f"{metric.title} is undefined here: {why}"
    return DOUBTLESS if np.isfinite(left_by(problem, method).square).all() else ""


def onset_of(method: Method, profile: Profile) -> float:
    """Budget at which the first item becomes certain, M = Σh/max h (Y eq 88)."""
    if method.design.makes is not Inclusions or not len(profile.order):
        return float("nan")
    return float(waterline(method, profile).onset[0])
