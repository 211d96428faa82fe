"""The three axes, a method as one choice on each, which choices fit together, and a method as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from sampleval._checks import choice, conforms, fail
from sampleval.designs import DESIGNS, Adaptive, CellSample, Design, Draws, Successive, Targeted, Watchable
from sampleval.designs.targeted import CELLS
from sampleval.estimators import ESTIMATORS, Assisted, Estimator, PostStratified, Predictive
from sampleval.intervals import INTERVALS
from sampleval.metrics import Metric, by_place, registered
from sampleval.partition import BY_FEATURES
from sampleval.pool import Kind, Pool
from sampleval.surrogates import SURROGATES, BetaBernoulli, Calibration, Learned, Shrunk, Surrogate, unfit
from sampleval.surrogates.calibration import names_together

Axis = Literal["surrogate", "design", "estimator"]
AXES: Mapping[Axis, Mapping[str, Any]] = {
    "surrogate": SURROGATES,
    "design": DESIGNS,
    "estimator": ESTIMATORS,
}


@dataclass(frozen=True, slots=True)
class Method:
    """One choice on each of the three axes, with an interval.

    Attributes:
        surrogate: What we believe about the labels.
        design: Whom we ask.
        estimator: What we conclude.
        interval: Key of the interval family.
    """

    surrogate: Surrogate
    design: Design
    estimator: Estimator
    interval: str = "korn-graubard"

    @property
    def keys(self) -> tuple[str, ...]:
        """The registry keys of its three parts, whatever their options."""
        return tuple(getattr(self, axis).key for axis in AXES)

    def form(self, metric: Metric) -> Metric:
        """The metric as this method samples for it and estimates it: M's own form where the design asks for it."""
        return metric.uncentred or metric if getattr(self.design, "uncentred", False) else metric

    @property
    def predicts(self) -> bool:
        """Whether it predicts what was not labelled, by a posterior."""
        return conforms(self.estimator, Predictive)

    @property
    def learns(self) -> bool:
        """Whether labels move its belief."""
        return not isinstance(self.surrogate, Shrunk)

    @property
    def by_features(self) -> bool:
        """Whether it looks at more of an item than its scores."""
        ways = {getattr(part, "by", "") for part in (self.surrogate, self.design)}
        return isinstance(self.surrogate, Learned) or not ways.isdisjoint(BY_FEATURES)

    @property
    def defensive(self) -> float | None:
        """δ of its design, the share of the sampling that is spread evenly; `None` where it has none."""
        return getattr(self.design, "defensive", None)

    @property
    def adds_belief(self) -> bool:
        """Whether estimates add what is believed of items without a label: their weights alone do not give them."""
        return self.predicts or conforms(self.estimator, Assisted)

    def concluding_on(self, metric: Metric, pool: Pool) -> Method:
        """The method as it concludes about this metric: with a post-stratified mean where a posterior could not.

        A posterior takes items of like scores for alike: only labels drawn by chance speak for a metric that tells them apart.
        """
        if not self.predicts or not tells_apart([metric], pool):
            return self
        by_chance = PostStratified()
        return replace(self, estimator=by_chance, interval=usual_interval(by_chance))

    def to_dict(self) -> dict[str, Any]:
        """The method as JSON-ready settings."""
        return {axis: _settings(getattr(self, axis)) for axis in AXES} | {"interval": self.interval}

    @classmethod
    def from_dict(cls, settings: dict[str, Any]) -> Method:
        """The method of these settings."""
        parts = {axis: _option(settings[axis], registry) for axis, registry in AXES.items()}
        return cls(**parts, interval=choice(settings["interval"], INTERVALS, "interval"))


def tells_apart(metrics: Iterable[Metric], pool: Pool) -> bool:
    """Whether some metric treats items of like score unlike: a part, a system beyond those considered together, weights.

    Args:
        metrics: Any metrics.
        pool: The items.
    """
    return any(
        not m.sees_only(names_together(pool)) or (not registered(m) and by_place(m, pool)) for m in metrics
    )


def misfit(method: Method, kind: Kind | None = None) -> str:
    """Why these three do not fit together, or not this kind of task; "" if they do.

    Args:
        method: A choice on each of the three axes.
        kind: The kind of label; any by default.
    """
    surrogate, design, estimator = method.surrogate, method.design, method.estimator
    if kind is not None and (reason := unfit(surrogate, kind)):
        return reason
    if design.makes not in estimator.accepts:
        fitting = _keys(key for key, e in ESTIMATORS.items() if design.makes in e.accepts)
        return (
            f"`estimator` {estimator.key!r} cannot weigh the samples of design {design.key!r}; use {fitting}"
        )
    if isinstance(design, Adaptive) and design.by != "item":
        fitting = _keys(key for key, s in SURROGATES.items() if s.in_strata)
        if not surrogate.in_strata:
            return f"`design` draws by strata, and surrogate {surrogate.key!r} has none; use {fitting}"
        if kind == "multilabel":
            return "`design` draws by strata, and a multi-label task has none of its own; draw by item"
    if isinstance(design, Targeted) and not isinstance(surrogate, Calibration):
        return CELLS
    return unwatchable(method) if method.interval == "anytime" else ""


def unwatchable(method: Method) -> str:
    """Why this design with this estimator has no intervals for any look, "" if it has."""
    if watchable(method.design) or method.predicts:
        return ""
    able = _keys(key for key, kind in DESIGNS.items() if watchable(kind()))
    told = _keys(key for key, kind in ESTIMATORS.items() if conforms(kind(), Predictive))
    return (
        f"`interval` 'anytime' is not known for design {method.design.key!r} with estimator "
        f"{method.estimator.key!r}; it is for design {able}, and for estimator {told}"
    )


def unrepeatable(method: Method) -> str:
    """Why this design cannot be used where another answer might differ (a stochastic oracle), "" if it can.

    Rounds that count what is labelled as known, and a posterior, take one answer for the truth: their intervals
    end at width 0 where the answers' own spread is left.
    """
    counting = (Successive, CellSample)
    if not issubclass(method.design.makes, counting):
        return ""
    able = _keys(key for key, kind in DESIGNS.items() if not issubclass(kind().makes, counting))
    return f"`oracle` 'stochastic' is not known for design {method.design.key!r}, which takes each answer for the truth; use {able}"


def usual_interval(estimator: Estimator, otherwise: str = "korn-graubard") -> str:
    """The interval taken unless another is asked for: an estimator's posterior tells it where there is one.

    Args:
        estimator: What concludes.
        otherwise: Key of the interval without a posterior.
    """
    return "posterior" if conforms(estimator, Predictive) else otherwise


def watchable(design: Design) -> bool:
    """Whether wagers on a sample of this design tell limits that hold at every look."""
    return design.makes is not Draws and conforms(design, Watchable)


def companion(design: Design, surrogate: Surrogate) -> Surrogate:
    """This surrogate, or the one that a design cannot do without."""
    if isinstance(design, Targeted) and not isinstance(surrogate, Calibration):
        return Calibration()
    if isinstance(design, Adaptive) and design.by != "item" and not surrogate.in_strata:
        return BetaBernoulli()
    return surrogate


def reasons(method: Method, axis: Axis, kind: Kind | None = None) -> dict[str, str]:
    """For every choice on one axis why it does not fit the other two, "" if it does, with default options.

    Where the design changes, its natural estimator and surrogate come with it, so that no design is out of reach.
    """
    found = {}
    for key, option in AXES[axis].items():
        changed = replace(method, **{axis: option()})
        if axis == "design":
            estimator = ESTIMATORS[changed.design.natural]()
            changed = replace(
                changed, estimator=estimator, surrogate=companion(changed.design, changed.surrogate)
            )
        found[key] = misfit(changed, kind)
    return found


def _keys(keys: Any) -> str:
    return " or ".join(map(repr, keys)) or "another task"


def _settings(option: Any) -> dict[str, Any]:
    own = getattr(option, "settings", None)
    return {"key": option.key} | (own() if own else asdict(option))


def _option(settings: dict[str, Any], registry: Mapping[str, Any]) -> Any:
    options = {name: value for name, value in settings.items() if name != "key"}
    if settings["key"] not in registry:
        fail("key", "must name a part that this version knows", settings["key"])
    return registry[settings["key"]](**options)
