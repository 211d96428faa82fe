"""Presets: every published system is one cell of surrogate × design × estimator (THEORY section 10)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from sampleval._checks import choice
from sampleval.designs import DESIGNS, Design, Importance, Poisson, Priority, Targeted, Uniform
from sampleval.estimators import ESTIMATORS, Estimator
from sampleval.surrogates import SURROGATES, Calibration, Shrunk, Surrogate


@dataclass(frozen=True, slots=True)
class Method:
    """One cell of the three axes, with its interval.

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

    def to_dict(self) -> dict[str, Any]:
        """The method as JSON-ready settings."""
        axes = {"surrogate": self.surrogate, "design": self.design, "estimator": self.estimator}
        return {axis: _settings(option) for axis, option in axes.items()} | {"interval": self.interval}

    @classmethod
    def from_dict(cls, settings: dict[str, Any]) -> Method:
        """The method of these settings."""
        return cls(
            _option(settings["surrogate"], SURROGATES),
            _option(settings["design"], DESIGNS),
            _option(settings["estimator"], ESTIMATORS),
            settings["interval"],
        )


@dataclass(frozen=True, slots=True)
class Preset:
    """A named method.

    Attributes:
        method: The cell it stands for.
        source: Where it was published.
        about: What it does, in one sentence.
        valid: When its estimates and intervals can be trusted.
    """

    method: Method
    source: str
    about: str
    valid: str


PRESETS: MappingProxyType[str, Preset] = MappingProxyType(
    {
        "recommended": Preset(
            Method(Calibration(), Targeted(), ESTIMATORS["posterior"](), "posterior"),
            "sampleval",
            "Learns from the labels how far to trust the scores and asks where that leaves the metric most open.",
            "Consistent as the cells of like score fill up; before that it leans on a smooth calibration curve.",
        ),
        "queue": Preset(
            Method(Shrunk(), Priority(), ESTIMATORS["horvitz-thompson"]()),
            "Duffield, Lund & Thorup 2007; Ohlsson 1998",
            "A labelling queue that can be stopped or extended at any label; items that matter more come first.",
            "Always unbiased for sums; efficient where the scores rank the items well.",
        ),
        "uniform": Preset(
            Method(Shrunk(), Uniform(), ESTIMATORS["stratified"]()),
            "textbook",
            "Every item has the same chance; the yardstick for all others.",
            "Always, but it needs very many labels where a class is rare.",
        ),
        "yilmaz-is": Preset(
            Method(Shrunk(toward="half"), Importance(), ESTIMATORS["importance-sampling"](), "beta"),
            "Yilmaz et al. 2021, Algorithm 1",
            "Draws with replacement in proportion to how much a label can move the metric.",
            "When few labels are drawn from many items and positives are not rare.",
        ),
        "yilmaz-bs": Preset(
            Method(Shrunk(toward="half"), Poisson(), ESTIMATORS["horvitz-thompson"](), "beta"),
            "Yilmaz et al. 2021, Algorithm 2",
            "Independent inclusion of each item; the number of labels is random around M.",
            "When positives are not rare: its interval fails there.",
        ),
    }
)
DEFAULT = "queue"


def method(
    preset: str | None = None,
    *,
    surrogate: str | Surrogate | None = None,
    design: str | Design | None = None,
    estimator: str | Estimator | None = None,
    interval: str | None = None,
    shrinkage: float | None = None,
    defensive: float | None = None,
) -> Method:
    """A preset with some axes replaced; an axis takes a registry key or an options object.

    Args:
        preset: Name in `PRESETS`; the default one if `None`.
        surrogate: Replaces the preset's surrogate.
        design: Replaces the preset's design, and its estimator unless one is given.
        estimator: Replaces the preset's estimator.
        interval: Key in `INTERVALS`.
        shrinkage: λ of the surrogate.
        defensive: δ of the design.

    Raises:
        ValueError: An unknown name, an option that the part does not have, or a design and an
            estimator that do not fit together.
    """
    base = PRESETS[choice(preset or DEFAULT, PRESETS, "preset")].method
    chosen_design = _pick(design, DESIGNS, "design", base.design)
    natural = base.estimator if design is None else ESTIMATORS[chosen_design.natural]()
    result = Method(
        _with(_pick(surrogate, SURROGATES, "surrogate", base.surrogate), "shrinkage", shrinkage),
        _with(chosen_design, "defensive", defensive),
        _pick(estimator, ESTIMATORS, "estimator", natural),
        interval or base.interval,
    )
    if reason := misfit(result.design, result.estimator):
        raise ValueError(reason)
    return result


def misfit(design: Design, estimator: Estimator) -> str:
    """Why this estimator cannot use this design's samples; "" if it can."""
    if design.makes in estimator.accepts:
        return ""
    fitting = ", ".join(repr(key) for key, e in ESTIMATORS.items() if design.makes in e.accepts)
    return f"`estimator` {estimator.key!r} cannot weigh the samples of design {design.key!r}; use {fitting}"


def _pick(value: Any, registry: Any, name: str, default: Any) -> Any:
    if value is None:
        return default
    return registry[choice(value, registry, name)]() if isinstance(value, str) else value


def _with(option: Any, name: str, value: float | None) -> Any:
    """The option with one field changed; refuses a field that it does not have."""
    if value is None:
        return option
    if name not in {f.name for f in fields(option)}:
        raise ValueError(f"`{name}` has no meaning for {type(option).__name__}; leave it out")
    return replace(option, **{name: value})


def _settings(option: Any) -> dict[str, Any]:
    return {"key": option.key} | asdict(option)


def _option(settings: dict[str, Any], registry: Any) -> Any:
    options = {name: value for name, value in settings.items() if name != "key"}
    return registry[settings["key"]](**options)
