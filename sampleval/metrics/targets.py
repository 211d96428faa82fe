"""What a sample is drawn for: one metric, or several as a joint target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sampleval._checks import distinct, fail, listable, positive
from sampleval.metrics.base import Metric
from sampleval.metrics.registry import resolve

MetricLike = str | Metric
Target = MetricLike | Mapping[str, float] | Sequence[MetricLike]


def target(metric: Target) -> dict[Metric, float]:
    """Pre-sampling metrics with weights, from a name, a metric, a list of them, or name → weight.

    >>> [m.name for m in target(["f1", "recall"])]
    ['f1', 'recall']
    """
    if isinstance(metric, str | Metric):
        return {resolve(metric): 1.0}
    given: object = metric  # callers may pass anything
    rule = "must be a metric, a list of them, or a mapping name → weight"
    if isinstance(given, set | frozenset):
        fail("metric", rule, metric, remedy="a set has no first metric to plan for: pass a list")
    if not listable(given):
        fail("metric", rule, metric)
    weighted = metric.items() if isinstance(metric, Mapping) else ((name, 1.0) for name in metric)
    found = [(resolve(name), weight) for name, weight in weighted]
    if not found:
        fail("metric", rule, metric)
    names, remedy = (one.name for one, _ in found), "for more weight pass {name: weight}"
    distinct(names, "metric", "must name each metric once", remedy=remedy)
    remedy = "leave out what does not count"
    return {one: positive(weight, f"metric[{one.name!r}]", remedy=remedy) for one, weight in found}
