"""The three axes and a method, which is one choice on each: which choices fit together, and how a method is stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from sampleval._checks import choice, conforms, fail
from sampleval.designs import DESIGNS, Adaptive, CellSample, Design, Draws, Successive, Targeted, Watchable
from sampleval.designs.targeted import CELLS
from sampleval.estimators import ESTIMATORS, Assisted, Estimator, PostStratified, Predictive
from sampleval.intervals import INTERVALS
from sampleval.metrics import Metric, built_in, by_place
from sampleval.partition import BY_FEATURES
from sampleval.pool import SINGLE, Kind, Pool
from sampleval.surrogates import SURROGATES, BetaBernoulli, Calibration, Learned, Surrogate, unfit
from sampleval.surrogates.together import names_together

Axis = Literal["surrogate", "design", "estimator"]
AXES: Mapping[Axis, Mapping[str, Any]] = {
    "surrogate": SURROGATES,
    "design": DESIGNS,
    "estimator": ESTIMATORS,
}


@dataclass(frozen=True, slots=True)
class Method:
    """A method: one choice on each of the three axes, and a family of intervals.

    Attributes:
        surrogate: What we believe about the labels.
        design: Which items we ask.
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

    @property
    def own(self) -> list[str]:
        """Keys of those of its parts that are the caller's: no registry has them, although another may have their key."""
        parts = {axis: getattr(self, axis) for axis in AXES}
        return [part.key for axis, part in parts.items() if AXES[axis].get(part.key) is not type(part)]

    def form(self, metric: Metric) -> Metric:
        """The form of the metric that this method samples for and estimates: M's own form if the design has `uncentred`."""
        return metric.uncentred or metric if getattr(self.design, "uncentred", False) else metric

    def forms(self, metrics: Mapping[Metric, float]) -> dict[Metric, float]:
        """The forms of the metrics of a joint target, with their weights."""
        return {self.form(metric): weight for metric, weight in metrics.items()}

    @property
    def fixed(self) -> str:
        """Key of its interval for a number of labels fixed beforehand: the method's own, unless that holds at every look."""
        return usual_interval(self.estimator) if self.interval == "anytime" else self.interval

    @property
    def predicts(self) -> bool:
        """Whether its estimator has a posterior, which predicts unlabelled items."""
        return conforms(self.estimator, Predictive)

    @property
    def by_features(self) -> bool:
        """Whether it uses features of the items in addition to their scores."""
        ways = {getattr(part, "by", "") for part in (self.surrogate, self.design)}
        return isinstance(self.surrogate, Learned) or not ways.isdisjoint(BY_FEATURES)

    @property
    def defensive(self) -> float | None:
        """δ of its design, the share of the sampling that is spread evenly; `None` if the design has no δ."""
        return getattr(self.design, "defensive", None)

    @property
    def adds_belief(self) -> bool:
        """Whether its estimates also use predictions for unlabelled items, so that weighted labels alone do not give them."""
        return self.predicts or conforms(self.estimator, Assisted)

    def with_design(self, design: Design) -> Method:
        """The method with another design, and with the estimator and the surrogate that this design needs."""
        estimator, surrogate = ESTIMATORS[design.natural](), companion(design, self.surrogate)
        return replace(self, surrogate=surrogate, design=design, estimator=estimator)

    def concluding_on(self, metric: Metric, pool: Pool) -> Method:
        """The method with the estimator that it uses for this metric: the post-stratified mean where a posterior is not valid.

        A posterior treats items of similar scores as alike. For a metric that distinguishes them, only labels drawn at
        random are informative. Limits from the posterior then give way to those of that mean.
        """
        if not self.predicts or not tells_apart([metric], pool):
            return self
        by_chance = PostStratified()
        family = usual_interval(by_chance) if self.interval == "posterior" else self.interval
        return replace(self, estimator=by_chance, interval=family)

    def to_dict(self) -> dict[str, Any]:
        """The method as settings in the form that JSON holds."""
        return {axis: _settings(getattr(self, axis)) for axis in AXES} | {"interval": self.interval}

    @classmethod
    def from_dict(cls, settings: dict[str, Any]) -> Method:
        """The method that these settings describe."""
        parts = {axis: _option(settings[axis], registry) for axis, registry in AXES.items()}
        return cls(**parts, interval=choice(settings["interval"], INTERVALS, "interval"))


def tells_apart(metrics: Iterable[Metric], pool: Pool) -> bool:
    """Whether some metric distinguishes items of similar scores: by a part of the pool, by weights, or by a further system.

    A further system is one beyond those whose scores a calibration curve takes together.
    """
    return any(
        not m.sees_only(names_together(pool)) or (not built_in(m) and by_place(pool, m)) for m in metrics
    )


def misfit(method: Method, kind: Kind | None = None) -> str:
    """The reason why the three choices of a method do not fit together or are not for this kind of labels, "" if they do."""
    surrogate, design, estimator = method.surrogate, method.design, method.estimator
    if kind is not None and (reason := _unmade(design, kind) or unfit(surrogate, kind)):
        return reason
    if design.makes not in estimator.accepts:
        fitting = _keys(key for key, e in ESTIMATORS.items() if design.makes in e.accepts)
        return (
            f"`estimator` {estimator.key!r} cannot weigh the samples of design {design.key!r}; use {fitting}"
        )
    if by_strata(design) and not surrogate.in_strata:
        fitting = _keys(key for key, s in SURROGATES.items() if s.in_strata)
        return f"`design` draws by strata, and surrogate {surrogate.key!r} has none; use {fitting}"
    if isinstance(design, Targeted) and not isinstance(surrogate, Calibration):
        return CELLS
    return unwatchable(method) if method.interval == "anytime" else ""


def _unmade(design: Design, kind: Kind) -> str:
    """The reason why no surrogate for labels of this kind has what the design draws by, "" if some surrogate has."""
    if isinstance(design, Targeted) and kind not in Calibration.kinds:
        return f"`design` {design.key!r} is for two classes, and these are {kind} labels; choose another one"
    if by_strata(design) and kind not in SINGLE:
        rule = f"`design` {design.key!r} draws by strata, which {kind} labels do not have"
        return f"{rule}; choose another one, or draw by item"
    return ""


def unwatchable(method: Method) -> str:
    """The reason why this design with this estimator has no intervals that hold at every look, "" if it has."""
    if watchable(method.design) or method.predicts:
        return ""
    able = _keys(key for key, kind in DESIGNS.items() if watchable(kind()))
    told = _keys(key for key, kind in ESTIMATORS.items() if conforms(kind(), Predictive))
    return (
        f"`interval` 'anytime' is not known for design {method.design.key!r} with estimator "
        f"{method.estimator.key!r}; it is for design {able}, and for estimator {told}"
    )


def unrepeatable(method: Method) -> str:
    """The reason why this design cannot be used with a stochastic oracle, "" if it can.

    Some rounds, and posteriors, treat an answer as the truth. Their intervals shrink to width 0 with all items labelled,
    although another answer might differ.
    """
    counting = (Successive, CellSample)
    if not issubclass(method.design.makes, counting):
        return ""
    able = _keys(key for key, kind in DESIGNS.items() if not issubclass(kind().makes, counting))
    return f"`oracle` 'stochastic' is not known for design {method.design.key!r}, which takes each answer for the truth; use {able}"


def usual_interval(estimator: Estimator, otherwise: str = "korn-graubard") -> str:
    """Key of the default interval: "posterior" for an estimator that has one, `otherwise` for one that has not."""
    return "posterior" if conforms(estimator, Predictive) else otherwise


def watchable(design: Design) -> bool:
    """Whether samples of this design allow wagers, which give limits that hold at every look."""
    return design.makes is not Draws and conforms(design, Watchable)


def by_strata(design: Design) -> bool:
    """Whether the design draws strata, all of whose items have the same chance, and so needs a surrogate that has them."""
    return isinstance(design, Adaptive) and design.by != "item"


def companion(design: Design, surrogate: Surrogate) -> Surrogate:
    """This surrogate if the design can use it, otherwise one that the design needs."""
    if isinstance(design, Targeted) and not isinstance(surrogate, Calibration):
        return Calibration()
    if by_strata(design) and not surrogate.in_strata:
        return BetaBernoulli()
    return surrogate


def reasons(method: Method, axis: Axis, kind: Kind | None = None) -> dict[str, str]:
    """For every choice on one axis, with default options, the reason why it does not fit the other two, "" if it does.

    Another design brings the estimator and the surrogate that it needs, so that every design can be chosen.
    """
    if axis == "design":
        changed = {key: method.with_design(design()) for key, design in DESIGNS.items()}
    else:
        changed = {key: replace(method, **{axis: option()}) for key, option in AXES[axis].items()}
    return {key: misfit(each, kind) for key, each in changed.items()}


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
