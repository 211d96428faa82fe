"""What is frozen when a study begins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sampleval._checks import choice, count, level
from sampleval.metrics import Metric, resolve
from sampleval.presets import Method

MetricLike = str | Metric
Target = MetricLike | Mapping[str, float] | tuple[MetricLike, ...] | list[MetricLike]


@dataclass(frozen=True, slots=True)
class Settings:
    """A study's settings; together with pool, labels and log they are the study.

    Attributes:
        pool: Fingerprint of the pool.
        metrics: Pre-sampling metrics by name, with their weights.
        method: The cell of the three axes, as plain values (`Method.to_dict`).
        budget: Labels allowed at the start.
        seed: Makes every draw.
        level: Default level of intervals.
        oracle: "stochastic" if each asked draw is labelled anew.
        preset: Name of the preset the method came from, "" for a free combination.
    """

    pool: str
    metrics: Mapping[str, float]
    method: Mapping[str, Any]
    budget: int
    seed: int = 0
    level: float = 0.9
    oracle: Literal["deterministic", "stochastic"] = "deterministic"
    preset: str = ""

    def __post_init__(self) -> None:
        count(self.budget, "budget")
        count(self.seed, "seed")
        level(self.level)
        choice(self.oracle, ("deterministic", "stochastic"), "oracle")

    def to_dict(self) -> dict[str, Any]:
        """The values as JSON gives them back, lists for tuples, so that a log equals its stored self."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return values

    def parts(self) -> Method:
        """The method as objects."""
        return Method.from_dict(dict(self.method))


def target(metric: Target) -> dict[Metric, float]:
    """Pre-sampling metrics with weights, from a name, a metric, a list of them, or name → weight.

    >>> [m.name for m in target(["f1", "recall"])]
    ['f1', 'recall']
    """
    if isinstance(metric, str | Metric):
        return {resolve(metric): 1.0}
    if isinstance(metric, Mapping):
        return {resolve(name): float(weight) for name, weight in metric.items()}
    return {resolve(name): 1.0 for name in metric}
