"""How many more labels would make an interval as narrow as wanted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.planning import BudgetRange, events, forecast
from sampleval.study.estimate import Estimate
from sampleval.study.study import Study

NEVER = BudgetRange(np.nan, np.nan, np.nan)


@dataclass(frozen=True, slots=True)
class Prospect:
    """What it takes to narrow an interval.

    Attributes:
        now: Half its present width, in the metric's own unit.
        half: Half the width wanted.
        more: Labels beyond those given; `nan` where nothing tells, 0 where it is narrow enough.
        left: Items left to ask: with all of their labels nothing is left unknown.
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
        """Whether anything can be said of the labels it takes."""
        return bool(np.isfinite(self.more.likely))


def prospect(study: Study, estimate: Estimate, half: float) -> Prospect:
    """The labels that this estimate's interval needs until it is ± `half`.

    Args:
        study: The study.
        estimate: One of its estimates, about this pool.
        half: Half the width wanted, > 0, in the metric's own unit.
    """
    problem, now = study.state.problem, estimate.interval.width / 2
    left = int(np.count_nonzero(problem.eligible)) - len(np.unique(study.state.queue[: estimate.labels]))
    if now <= half:
        return Prospect(now, half, BudgetRange(0.0, 0.0, 0.0), left)
    if np.isnan(estimate.value) or estimate.interval.method == "none" or not left:
        return Prospect(now, half, NEVER, left)
    metric = study.method.form(study.metric(estimate.metric))
    scope = tuple(end * metric.scale(study.pool.size) for end in metric.range)
    seen = events(estimate.value, estimate.interval, (scope[0], scope[1]), estimate.labels)
    total = forecast(study.method.design, problem.profile_for(metric), estimate.labels, half / now, seen)
    more = (min(max(m - estimate.labels, 1.0), left) for m in (total.low, total.likely, total.high))
    return Prospect(now, half, BudgetRange(*more) if np.isfinite(total.likely) else NEVER, left)
