"""Presets: every published system is one combination of surrogate × design × estimator."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields, replace
from numbers import Integral, Real
from typing import Any

from sampleval._checks import InputError, choice, fail, nearest
from sampleval.designs import DESIGNS, Design
from sampleval.estimators import ESTIMATORS, Estimator
from sampleval.intervals import INTERVALS
from sampleval.pool import Kind
from sampleval.presets.axes import (
    AXES,
    Axis,
    Method,
    misfit,
    reasons,
    tells_apart,
    unrepeatable,
    unwatchable,
    usual_interval,
    watchable,
)
from sampleval.presets.table import BASE, DEFAULT, PRESETS, Preset, namesakes
from sampleval.surrogates import SURROGATES, Surrogate


def method_of(
    preset: str | None = None,
    *,
    kind: Kind = "binary",
    apart: bool = False,
    surrogate: str | Surrogate | None = None,
    design: str | Design | None = None,
    estimator: str | Estimator | None = None,
    interval: str | None = None,
    shrinkage: float | None = None,
    defensive: float | None = None,
) -> Method:
    """A preset with some axes replaced; an axis takes a registry key or an options object.

    Args:
        preset: Name in `PRESETS`; by default "recommended", or "queue" if a part, λ or δ is given.
        kind: Kind of the labels.
        apart: Whether the metrics distinguish items of similar scores; see `tells_apart`.
        surrogate: Replaces the preset's surrogate.
        design: Replaces the preset's design, and its estimator and surrogate where these do not fit the new one.
        estimator: Replaces the preset's estimator.
        interval: Key in `INTERVALS`.
        shrinkage: λ of the surrogate.
        defensive: δ of the design.

    Raises:
        InputError: An unknown name, an option that the part does not have, or parts that do not fit together.
    """
    usual = BASE if is_free(surrogate, design, estimator, shrinkage, defensive) else DEFAULT
    name = choice(usual if preset is None else preset, PRESETS, "preset")
    base = PRESETS[name].method_for(kind, apart=apart)
    if design is not None:
        base = base.with_design(_pick(design, DESIGNS, "design", base.design))
    weighing = _pick(estimator, ESTIMATORS, "estimator", base.estimator)
    believed = _with(_pick(surrogate, SURROGATES, "surrogate", base.surrogate), "shrinkage", shrinkage)
    drawing = _with(base.design, "defensive", defensive)
    family = usual_interval(weighing, base.interval)
    if interval is not None:
        family = choice(interval, INTERVALS, "interval")
    result = Method(_floats(believed), _floats(drawing), _floats(weighing), family)
    if reason := misfit(result, kind):
        raise InputError(reason)
    return result


def fitting(kind: Kind, *, stochastic: bool = False) -> list[str]:
    """Presets that fit this kind of labels, and if `stochastic` also an oracle whose second answer might differ from the first.

    >>> "oasis" in fitting("binary"), "oasis" in fitting("multiclass"), "queue" in fitting("regression")
    (True, False, True)
    """
    able = by_preset(kind).items()
    return [name for name, method in able if not (stochastic and unrepeatable(method))]


def by_preset(kind: Kind, *, apart: bool = False) -> dict[str, Method]:
    """Name → method of every preset that fits this kind of labels; `apart` as in `method_of`."""
    every = {
        name: preset.method_for(kind, apart=apart) for name, preset in PRESETS.items() if preset.suits(kind)
    }
    return _that_fit(every, kind)


def by_design(kind: Kind, *, beside: Collection[str] = ()) -> dict[str, Method]:
    """Key of a design → its method with the parts that it needs, for designs that fit such labels, but for those beside."""
    return _that_fit({key: method_of(design=key) for key in DESIGNS if key not in beside}, kind)


def _that_fit(methods: dict[str, Method], kind: Kind) -> dict[str, Method]:
    return {name: method for name, method in methods.items() if not misfit(method, kind)}


def is_free(*parts: object) -> bool:
    """Whether any part or option was given, so that the method is a combination of one's own and not a preset."""
    return any(part is not None for part in parts)


def _pick(value: Any, registry: Any, name: str, default: Any) -> Any:
    if value is None:
        return default
    if isinstance(value, str):
        return registry[choice(value, registry, name)]()
    if registry.get(getattr(value, "key", None)) is not type(value):
        fail(name, "must be a name or an options object", value, remedy=_instead(value, registry, name))
    return value


def _instead(value: Any, registry: Any, name: str) -> str:
    """What to pass in place of something that is no part of the registry."""
    if isinstance(value, type) and value in registry.values():
        return f"call the class: {name}={value.__name__}()"
    own = (
        f"; one of your own needs a line in `{name.upper()}S`, by which a study finds it again; "
        "without one, `simulate` takes it in a `Method`"
    )
    return nearest("", registry) + (own if hasattr(value, "key") else "")


def _with(option: Any, name: str, value: float | None) -> Any:
    """The option with one field changed; refuses a field that it does not have."""
    if value is None:
        return option
    if name not in {f.name for f in fields(option)}:
        raise InputError(f"`{name}` has no meaning for {type(option).__name__}; leave it out")
    return replace(option, **{name: value})


def _floats(option: Any) -> Any:
    """The option with fractions and the like as floats: arrays and JSON know no others."""
    values = {f.name: getattr(option, f.name) for f in fields(option) if f.init}
    odd = {
        n: float(v) for n, v in values.items() if isinstance(v, Real) and not isinstance(v, float | Integral)
    }
    return replace(option, **odd) if odd else option


__all__ = [
    "AXES",
    "BASE",
    "DEFAULT",
    "PRESETS",
    "Axis",
    "Method",
    "Preset",
    "by_design",
    "by_preset",
    "fitting",
    "is_free",
    "method_of",
    "misfit",
    "namesakes",
    "reasons",
    "tells_apart",
    "unrepeatable",
    "unwatchable",
    "usual_interval",
    "watchable",
]
