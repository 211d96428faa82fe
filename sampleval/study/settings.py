"""The settings of a study, which are frozen when it begins."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from sampleval._checks import (
    InputError,
    choice,
    count,
    fail,
    instance,
    level,
    listable,
    listed,
)
from sampleval.events import DAMAGED, logged
from sampleval.intervals import LEVEL
from sampleval.metrics import Metric
from sampleval.presets import Method
from sampleval.study.item import json_ready

TAKE_OVER = (
    "take over its labels into a new study of the same data: on the Plan page, or with "
    "create_study(…, held=sampleval.study.take_over(name, storage))"
)


class OtherVersion(InputError):
    """The study was made by another version of sampleval, with a method or a queue that this one does not have."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a study.

    Attributes:
        pool: Fingerprint of the pool.
        metrics: Pre-sampling metrics by name, with their weights.
        method: The surrogate, design, estimator and interval, as plain values (`Method.to_dict`).
        budget: Labels allowed at the start.
        seed: Seed of all draws.
        level: Default level of intervals.
        oracle: "stochastic" if each asked draw is labelled anew.
        preset: Name of the preset that the method came from; "" for a free combination.
        held_random: Whether the items held beforehand were chosen by chance, or by chance and scores.
    """

    pool: str
    metrics: Mapping[str, float]
    method: Mapping[str, Any]
    budget: int
    seed: int = 0
    level: float = LEVEL
    oracle: Literal["deterministic", "stochastic"] = "deterministic"
    preset: str = ""
    held_random: bool = False

    def __post_init__(self) -> None:
        instance(self.metrics, Mapping, "metrics")
        if not self.metrics:
            fail("metrics", "must hold the metric that the study was drawn for", self.metrics)
        instance(self.preset, str, "preset")
        instance(self.held_random, bool, "held_random")
        count(self.budget, "budget")
        object.__setattr__(self, "seed", count(self.seed, "seed"))  # generators take only integers
        object.__setattr__(self, "level", level(self.level))  # JSON has no fractions such as 9/10
        choice(self.oracle, ("deterministic", "stochastic"), "oracle")

    @property
    def main(self) -> str:
        """The name of the first metric, for which the sample is planned."""
        return next(iter(self.metrics))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Settings:
        """The settings from their values in a log; unknown ones, as of another version, are refused."""
        instance(values, dict, "settings", remedy=DAMAGED)
        own = [each.name for each in fields(cls)]
        if strange := sorted(set(values) - set(own)):
            remedy = "was it made by a newer version? Then update sampleval"
            fail("settings", f"must be those of this version; it knows no {listed(strange)}", remedy=remedy)
        needed = ("pool", "metrics", "method", "budget")
        if missing := [name for name in needed if name not in values]:
            fail("settings", f"must hold {listed(missing)}", remedy=DAMAGED)
        with logged():
            return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """The values in the form that JSON gives back (lists for tuples), so that a log equals its stored copy."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self), default=json_ready))
        return values

    def as_method(self) -> Method:
        """The method as an object.

        Raises:
            OtherVersion: This version does not know it, or does not accept one of its options any more.
        """
        try:
            return Method.from_dict(dict(self.method))
        except (InputError, KeyError, TypeError, AttributeError) as error:
            raise OtherVersion(
                f"this version of sampleval does not know the method of this study ({error}); if a newer version made it, "
                f"update sampleval; otherwise open it with the version that made it, or {TAKE_OVER}"
            ) from None


def own_metrics(metrics: Iterable[Metric]) -> dict[str, Metric]:
    """The caller's own metrics by name."""
    given: object = metrics
    remedy = "pass a list of sampleval.metrics.Metric; those of the registry need not be named"
    if isinstance(given, Metric | str) or not listable(given):
        fail("metrics", "must be a list", given, remedy=remedy)
    return {instance(own, Metric, "metrics", remedy=remedy).name: own for own in metrics}
