"""How many more labels would make an interval as narrow as wanted, and how narrow more labels would make it.

Neither is known under a stochastic oracle: forecasts take it that a label, once given, leaves nothing to know of its item.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.estimators import infer
from sampleval.metrics import Metric
from sampleval.planning import UNKNOWN, BudgetRange, budget_range, forecast, narrowed, rarer_outcomes
from sampleval.pool import Integers
from sampleval.study.conclusions.class_means import unmet_width
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
        unmet: Whether it is unknown because classes of which no label tells leave a wider interval by themselves. It
            narrows where labels meet them, and not as more labels usually narrow it.
    """

    now: float
    half: float
    more: BudgetRange
    left: int
    unmet: bool = False

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
    asked, left = study.state.queue[:labels], _left(study, _labelled(study, labels))
    if now <= half:
        return Prospect(now, half, BudgetRange(0.0, 0.0, 0.0), left)
    if problem.stochastic or len(np.unique(asked)) == problem.population:
        return Prospect(now, half, UNKNOWN, left)
    metric = study.method.form(study.metric(estimate.metric))
    total = UNKNOWN
    if labels < FIRST:
        total = _planned(study, metric, half, estimate.interval.level)
    elif not np.isnan(estimate.value) and estimate.interval.known:
        if half < _by_unmet(study, metric, estimate):
            return Prospect(now, half, UNKNOWN, left, unmet=True)
        seen = _outcomes(study, metric, estimate)
        total = forecast(study.method.design, problem.profile_for(metric), labels, half / now, seen)
    if not np.isfinite(total.likely):
        return Prospect(now, half, UNKNOWN, left)
    more = (
        left if m >= problem.population else max(m - labels, 1.0)
        for m in (total.low, total.likely, total.high)
    )
    return Prospect(now, half, BudgetRange(*more), left)


@dataclass(frozen=True, slots=True)
class Narrowing:
    """How narrow further labels make an interval. Halves of widths, in the metric's own unit; `nan` if unknown.

    Attributes:
        now: Half its present width.
        low: Half the least width to expect.
        likely: Half the likely width, 0 if no label is missing then that the metric depends on.
        high: Half the largest width to expect.
        left: Items without a label.
    """

    now: float
    low: float
    likely: float
    high: float
    left: int


def narrowing(study: Study, estimate: Estimate, more: int) -> Narrowing:
    """How narrow `more` ≥ 1 labels make this estimate's interval about the pool; unknown before `FIRST` and if stochastic."""
    now, metric = estimate.interval.width / 2, study.method.form(study.metric(estimate.metric))
    known = _labelled(study, estimate.labels)
    left, once = _left(study, known), not study.state.problem.stochastic
    if once and more >= left:
        return Narrowing(now, 0.0, 0.0, 0.0, left)
    told = estimate.labels >= FIRST and not np.isnan(estimate.value) and estimate.interval.known
    if not (once and told):
        return Narrowing(now, np.nan, np.nan, np.nan, left)
    design, profile = study.method.design, study.state.problem.profile_for(metric)
    times = narrowed(design, profile, max(len(known), 1), more, _outcomes(study, metric, estimate))
    low, likely, high = (now * times).tolist()
    if likely < _by_unmet(study, metric, estimate):
        low = likely = high = np.nan
    return Narrowing(now, low, likely, high, left)


def _by_unmet(study: Study, metric: Metric, estimate: Estimate) -> float:
    """Half the width that classes without labels give the interval by themselves; 0 but for means over classes."""
    run = study.run(estimate.labels)
    if run is None or not metric.counts.averages:
        return 0.0
    used = study.method.concluding_on(metric, study.pool)
    return unmet_width(infer(metric, run, used.estimator), estimate.interval.level) / 2


def _left(study: Study, labelled: Integers) -> int:
    """Items other than these, which may be named more than once."""
    return study.state.problem.population - len(np.unique(labelled))


def _labelled(study: Study, labels: int) -> Integers:
    """The items of these answers that are labels: none that was skipped."""
    asked, (_, given) = study.state.queue[:labels], study.state.given.labels(labels)
    return asked[given]


def _outcomes(study: Study, metric: Metric, estimate: Estimate) -> float:
    interval, scope = estimate.interval, metric.ends(study.pool.size)
    return float(rarer_outcomes(estimate.value, interval.width, interval.level, scope, estimate.labels))


def _planned(study: Study, metric: Metric, half: float, level: float) -> BudgetRange:
    """The plan's number of labels; unknown for any metric but the main one that the sample is drawn for."""
    problem = study.state.problem
    if metric != problem.main:
        return UNKNOWN
    return problem.once(("needed", half, level), lambda: budget_range(problem, study.method, 2 * half, level))
