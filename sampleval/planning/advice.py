"""Advice on λ: the shrinkage with the least expected error over plausible calibrations."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sampleval import _checks
from sampleval.designs import Design, Profile, floored
from sampleval.metrics import Metric, defined, resolve
from sampleval.numerals import ROUNDING, many, number
from sampleval.planning.forecast import variance_at
from sampleval.planning.plausible import Plausible, plausible
from sampleval.pool import Floats, Pool, checked
from sampleval.presets import Method, method_of
from sampleval.surrogates import Shrunk, Surrogate, moments

# Values of λ to try: with rare positives the last thousandths matter.
SHRINKAGES = (*np.arange(10) / 10, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 1.0)
AS_GOOD = 1.02  # expected errors up to this multiple of the least count as equal: the λ nearest to the default is chosen


@dataclass(frozen=True, slots=True, eq=False)
class Advice:
    """A suggested λ, and why.

    Errors are root mean squared errors of the estimate, in the metric's own unit.

    Attributes:
        metric: The pre-sampling metric.
        budget: M.
        toward: What scores are shrunk towards.
        shrinkage: The suggested λ.
        default: The method's own λ.
        shrinkages: Values of λ that were tried, rising, (L,).
        expected: Root mean squared error over all calibrations, (L,).
        median: Median error over the calibrations, (L,).
        low: 10 % quantile of the error over the calibrations, (L,).
        high: 90 % quantile of the error over the calibrations, (L,).
    """

    metric: str
    budget: int
    toward: str
    shrinkage: float
    default: float
    shrinkages: Floats
    expected: Floats
    median: Floats
    low: Floats
    high: Floats

    def __repr__(self) -> str:
        error = number(self.at(self.shrinkage))
        told = f"{self.metric}, {many(self.budget, 'label')}: λ = {self.shrinkage:g}, expected error {error}"
        return f"<{type(self).__name__} {told}>"

    @property
    def matters(self) -> bool:
        """Whether some λ has less error than another; not with all items labelled, nor if λ does not decide which are."""
        return bool(np.ptp(self.expected) > ROUNDING * self.expected.max())

    def at(self, shrinkage: float) -> float:
        """Expected error at one of the λ that were tried.

        Raises:
            InputError: A λ that was not tried.
        """
        return float(self.expected[self._place(shrinkage)])

    def span_at(self, shrinkage: float) -> tuple[float, float]:
        """The errors between which eight of ten calibrations lie at one of the λ that were tried; arguments as of `at`."""
        place = self._place(shrinkage)
        return float(self.low[place]), float(self.high[place])

    def _place(self, shrinkage: float) -> int:
        tried = np.isclose(self.shrinkages, _checks.real(shrinkage, "shrinkage"), rtol=0, atol=1e-9)
        if not tried.any():
            rule = "must be one of the λ that were tried"
            _checks.fail(
                "shrinkage", rule, shrinkage, remedy=", ".join(f"{value:g}" for value in self.shrinkages)
            )
        return int(tried.argmax())


def advise_shrinkage(
    pool: Pool,
    *,
    metric: str | Metric,
    budget: int,
    preset: str | None = "yilmaz-bs",
    surrogate: str | Surrogate | None = None,
    design: str | Design | None = None,
    defensive: float | None = None,
) -> Advice:
    """The suggested λ for a design on shrunk scores, from the pool alone.

    Calibrations are drawn from the prior (`surrogates.calibration.Prior`), which varies slope, shift, bends and a jump at
    the decision. For each of them, the anticipated variance of the design with λ is computed as if that calibration were
    the truth. Among the λ whose root mean variance is close to the least, the one nearest to the default is suggested.

    Args:
        pool: Scored items of two classes.
        metric: Pre-sampling metric.
        budget: M.
        preset: Name in `PRESETS`.
        surrogate: `Shrunk` with another target in place of the preset's.
        design: Registry key or options object in place of the preset's.
        defensive: δ in [0, 1].

    Raises:
        InputError: The labels are not of two classes, the metric is not for such, or the method's belief has no λ.
    """
    if checked(pool).task.kind != "binary":
        _checks.fail("pool", "must have two classes to advise on λ", pool.task.kind)
    chosen = resolve(metric)
    defined([chosen], "binary")
    method = method_of(preset, kind="binary", surrogate=surrogate, design=design, defensive=defensive)
    return advice_of(plausible(pool), pool, chosen, method, _checks.budget(budget, pool.size))


def advice_of(scope: Plausible, pool: Pool, metric: Metric, method: Method, budget: int) -> Advice:
    """`advise_shrinkage` for plausible calibrations that are already drawn."""
    own = method.surrogate
    if not isinstance(own, Shrunk):
        raise _checks.InputError(f"`surrogate` must be 'shrunk' to have a λ; got {own.key!r}")
    shrinkages = np.unique([*SHRINKAGES, own.shrinkage])
    form = method.form(metric)
    truths = scope.truths(form)
    if not truths:
        raise _checks.InputError(f"`metric` {metric.name!r} is undefined whatever the labels are")
    variance = np.empty((len(shrinkages), len(truths)))
    for k, shrinkage in enumerate(shrinkages):
        profile = designed(pool, scope, form, replace(own, shrinkage=float(shrinkage)))
        for j, (_, truth) in enumerate(truths):
            judged = profile.with_square(truth.square[profile.order])
            variance[k, j] = variance_at(method.design, judged, budget)
    error = np.sqrt(variance) * metric.scale(pool.size)
    expected = np.sqrt((error**2).mean(axis=1))
    low, median, high = np.quantile(error, [0.1, 0.5, 0.9], axis=1)
    good = shrinkages[expected <= AS_GOOD * expected.min()]
    best = float(good[np.abs(good - own.shrinkage).argmin()])
    return Advice(
        metric.name, budget, own.toward, best, own.shrinkage, shrinkages, expected, median, low, high
    )


def designed(pool: Pool, scope: Plausible, metric: Metric, surrogate: Shrunk) -> Profile:
    """The profile of sizes h = √E d² of the groups under a surrogate, without expected squares."""
    groups, belief = scope.groups, surrogate.model(pool).belief.take(scope.groups.typical)
    at = moments(metric, groups.items, belief, risk=groups.risk(metric, belief))
    return scope.profile(floored(np.sqrt(at.square), at.possible, groups.count))
