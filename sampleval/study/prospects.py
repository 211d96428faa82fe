"""How many more labels would make an interval as narrow as wanted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.metrics import Metric
from sampleval.planning import UNKNOWN, BudgetRange, budget_range, forecast, rarer_outcomes
from sampleval.study.conclusions.estimate import Estimate
from sampleval.study.study import Study

FIRST = 10  # labels from which the measured width can be extrapolated


@dataclass(frozen=True, slots=True)
class Prospect:
    """How many more labels narrow an interval to a wanted width.

    Attributes:
        now: Half its present width, in the metric's own unit.
        half: Half the width wanted.
        more: Labels needed beyond those given; `nan` if unknown, 0 if the interval is narrow enough.
        left: Items without a label; with all of their labels nothing would be unknown.
    """

    now: float
    half: float
    more: BudgetRange
    left: int

    @property
    def reached(self) -> bool:
        """Whether the interval is narrow enough already."""
        return self.now <= self.half

    @property
    def known(self) -> bool:
        """Whether the number of labels needed can be predicted."""
        return bool(np.isfinite(self.more.likely))


def prospect(study: Study, estimate: Estimate, half: float) -> Prospect:
    """The number of labels that this estimate's interval needs to become ± `half`.

    Before `FIRST` labels the plan is used. From then on the measured width is extrapolated as the plan says.

    Args:
        study: The study.
        estimate: One of its estimates, about this pool.
        half: Half the width wanted, > 0, in the metric's own unit.
    """
    problem, labels, now = study.state.problem, estimate.labels, estimate.interval.width / 2
    asked, (_, given) = study.state.queue[:labels], study.state.given.labels(labels)
    left = problem.population - len(np.unique(asked[given]))
    if now <= half:
        return Prospect(now, half, BudgetRange(0.0, 0.0, 0.0), left)
    if len(np.unique(asked)) == problem.population:
        return Prospect(now, half, UNKNOWN, left)
    metric = study.method.form(study.metric(estimate.metric))
    total = UNKNOWN
    if labels < FIRST:
        total = _planned(study, metric, half, estimate.interval.level)
    elif not np.isnan(estimate.value) and estimate.interval.known:
        interval, scope = estimate.interval, metric.ends(study.pool.size)
        seen = rarer_outcomes(estimate.value, interval.width, interval.level, scope, labels)
        total = forecast(study.method.design, problem.profile_for(metric), labels, half / now, float(seen))
    if not np.isfinite(total.likely):
        return Prospect(now, half, UNKNOWN, left)
    more = (
        left if m >= problem.population else max(m - labels, 1.0)
        for m in (total.low, total.likely, total.high)
    )
    return Prospect(now, half, BudgetRange(*more), left)


def _planned(study: Study, metric: Metric, half: float, level: float) -> BudgetRange:
    """The plan's number of labels; unknown for any metric but the main one that the sample is drawn for."""
    problem = study.state.problem
    if metric != problem.main:
        return UNKNOWN
    return problem.once(("needed", half, level), lambda: budget_range(problem, study.method, 2 * half, level))
