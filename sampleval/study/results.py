"""What a study concludes from its labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sampleval import _checks
from sampleval.intervals import INTERVALS, Interval, probability_above
from sampleval.metrics import Metric, MetricLike, named
from sampleval.study.conclusions.estimate import Estimate, conclude
from sampleval.study.conclusions.future import About
from sampleval.study.conclusions.joint import JointEstimate, conclude_jointly
from sampleval.study.reading import StudyReading


class StudyResults(StudyReading):
    """`Study` as far as it can be read, with the estimates from its labels so far."""

    def estimate(
        self,
        metric: MetricLike | None = None,
        *,
        level: float | None = None,
        interval: str | None = None,
        about: About = "pool",
        labels: int | None = None,
    ) -> Estimate:
        """The present estimate of a metric, whether or not the sample was drawn for it.

        If the metric is not defined for these labels, or they are not enough yet, it is `nan` and the note says why.

        Args:
            metric: Name or `Metric`; the pre-sampling one by default.
            level: Coverage of the interval; the study's by default.
            interval: Key in `INTERVALS`; the method's by default.
            about: "pool" for this pool's metric, "future" for items like these.
            labels: Use only the first so many answers of the queue.

        Raises:
            InputError: The metric is unknown or has several components, or another argument is out of range.
        """
        self.refresh()
        return self._conclusion(metric, interval, about, labels)(self._level(level))

    def _conclusion(
        self, metric: MetricLike | None, interval: str | None, about: About, labels: int | None = None
    ) -> Callable[[float], Estimate]:
        """`estimate` by level, without reading new events, so that all numbers of one call rest on the same labels."""
        family = _checks.choice(self.method.interval if interval is None else interval, INTERVALS, "interval")
        _checks.choice(about, ("pool", "future"), "about")
        run = self.run(None if labels is None else _checks.count(labels, "labels"))
        return conclude(
            self.metric(metric),
            run,
            self.state.problem,
            self.method,
            family=family,
            about=about,
            waiting=self.state.given.waiting,
        )

    def estimates(
        self,
        metrics: Sequence[MetricLike] | Metric | None = None,
        *,
        level: float | None = None,
        interval: str | None = None,
        about: About = "pool",
    ) -> list[Estimate]:
        """Estimates of several metrics from the same labels.

        Args:
            metrics: Names or metrics; all `scalars` by default.
            level: As in `estimate`, like all arguments below.
            interval: See there.
            about: See there.

        Raises:
            InputError: As in `estimate`.
        """
        self.refresh()
        chosen = self.scalars if metrics is None else named(metrics)
        level = self._level(level)
        return [self._conclusion(metric, interval, about)(level) for metric in chosen]

    def limits(
        self, metric: MetricLike | None = None, *, interval: str | None = None, about: About = "pool"
    ) -> Callable[[float], Interval]:
        """The interval of a metric as a function of its level: many of them from the present labels.

        Args:
            metric: As in `estimate`, like all arguments below.
            interval: See there.
            about: See there.

        Raises:
            InputError: As in `estimate`; the function itself if a level is out of range.
        """
        self.refresh()
        estimate = self._conclusion(metric, interval, about)
        return lambda level: estimate(_checks.level(level)).interval

    def curve(
        self, metric: MetricLike | None = None, *, level: float | None = None, labels: int | None = None
    ) -> JointEstimate:
        """The present estimate of a metric with several components: a curve, classes, a confusion matrix.

        Args:
            metric: Name or `Metric`; the pre-sampling one by default.
            level: Coverage of its limits; the study's by default.
            labels: Use only the first so many answers of the queue.

        Raises:
            InputError: The metric is unknown, or another argument is out of range.
        """
        self.refresh()
        run = self.run(None if labels is None else _checks.count(labels, "labels"))
        return conclude_jointly(
            self.metric(metric),
            run,
            self.state.problem,
            self.method,
            level=self._level(level),
            waiting=self.state.given.waiting,
        )

    def _level(self, level: float | None) -> float:
        """The level, or the study's own one if `None`."""
        return _checks.level(self.settings.level if level is None else level)

    def probability_above(
        self,
        threshold: float,
        metric: MetricLike | None = None,
        *,
        interval: str | None = None,
        about: About = "pool",
    ) -> float:
        """The probability that the metric is at least the threshold; see `intervals.probability_above`.

        Args:
            threshold: In the metric's own unit.
            metric: As in `estimate`, like all arguments below.
            interval: See there.
            about: See there.

        Returns:
            In [0, 1]; `nan` if nothing is known.

        Raises:
            InputError: The threshold is no number; otherwise as in `estimate`.
        """
        limits = self.limits(metric, interval=interval, about=about)
        return probability_above(limits, _checks.real(threshold, "threshold"))

    def history(
        self,
        metric: MetricLike | None = None,
        *,
        points: int = 60,
        level: float | None = None,
        interval: str | None = None,
        about: About = "pool",
    ) -> list[Estimate]:
        """Estimates after growing numbers of answers, at up to `points` of 1, …, k, of which the last is the present one.

        Args:
            metric: Name or `Metric`; the pre-sampling one by default.
            points: Most estimates to make, at least 1.
            level: Coverage of the intervals; the study's by default.
            interval: Key in `INTERVALS`; the method's by default.
            about: "pool" for this pool's metric, "future" for items like these.

        Raises:
            InputError: As in `estimate`.
        """
        self.refresh()
        length, points = self.state.given.run_length, _checks.count(points, "points", minimum=1)
        ks = np.unique(np.linspace(length, 1, min(points, length)).round().astype(int)).tolist()
        level = self._level(level)
        return [self._conclusion(metric, interval, about, k)(level) for k in ks]
