"""The settings of a study as the Plan page's address holds them."""

from __future__ import annotations

from dataclasses import replace

from sampleval.designs.between_rounds.schedule import EACH, enlarged, least_round
from sampleval.presets import AXES, DEFAULT, PRESETS, tells_apart, usual_interval
from sampleval.study import Study
from sampleval.study.preset import larger_rounds, usual_method
from sampleval.ui import address, stopping, stores
from sampleval.ui.held import of_table, partly
from sampleval.ui.plan import combine

UNHEEDED = ("weights", "interval", "oracle", "options")  # in the address; the page has no control for them
CONTROLLED = ("shrinkage", "toward", "defensive")  # options of parts, for which it has one
# Labels that another study gave; nobody keeps which one.
TAKEN = "labels_taken_over"


def unheeded() -> None:
    """Say which settings in the address, as of a study to duplicate, this page cannot take."""
    for key in UNHEEDED:
        address.unasked(key)
    instead = "say at “Take over labels of” which study has them"
    address.unasked(TAKEN, instead=instead)


def in_url(study: Study) -> dict[str, str]:
    """The settings of a study as the Plan page puts them into the URL, and those without a control that are not the usual ones."""
    told = _wanted(study) | _method(study) | _beforehand(study)
    return {key: str(value) for key, value in told.items() if value is not None}


def _wanted(study: Study) -> dict[str, object]:
    """What is to be known, and how well. Here and below `None` stays out of the address."""
    settings = study.settings
    weights = list(settings.metrics.values())
    return {
        "metric": settings.main,
        "also": ",".join(list(settings.metrics)[1:]) or None,
        "weights": ", ".join(f"{weight:g}" for weight in weights) if len({*weights}) > 1 else None,
        "labels": study.budget,
        "level": settings.level,
        "seed": settings.seed,
        "oracle": settings.oracle if settings.oracle != "deterministic" else None,
        f"within_{settings.main}": study.goal,
        "aim": True if study.goal else None,
    }


def _method(study: Study) -> dict[str, object]:
    """The method and its options. A preset's parts may have been replaced: then it is a combination of one's own."""
    parts, interval, preset = study.settings.method, study.method.interval, usual_method(study)
    usual = preset.interval if preset else usual_interval(study.method.estimator)
    told = {
        "method": study.settings.preset,
        "trust": parts["surrogate"].get("shrinkage"),
        "toward": parts["surrogate"].get("toward"),
        "even": parts["design"].get("defensive"),
        "people": -(-larger_rounds(study) // EACH) or None,  # for whom rounds were made large
        "interval": interval if interval not in (usual, stopping.FAMILY) else None,
        stopping.KEY: True if interval == stopping.FAMILY else None,
        "options": ", ".join(options(study)) or None,
    }
    if preset is not None and preset.keys == study.method.keys:
        return told
    return told | {"combine": True} | {f"axis_{axis}": parts[axis]["key"] for axis in AXES}


def _beforehand(study: Study) -> dict[str, object]:
    """The labels with which the study began: those of the table, and how many others."""
    known, held = stores.labels(study.pool.fingerprint), study.state.problem.held
    table = of_table(study.pool, known).labels
    elsewhere = sum(str(study.pool.ids[place]) not in table for place in held.index)
    return {
        "known_random": True if study.settings.held_random and partly(known) else None,
        "count_known": False if partly(known) and len(held) == elsewhere else None,
        TAKEN: elsewhere or None,
    }


def options(study: Study) -> list[str]:
    """The options inside the parts of a study's method that this page would not give them."""
    pool, method = study.pool, study.method
    usual = usual_method(study) or PRESETS[DEFAULT].method_for(
        pool.task.kind, apart=tells_apart(study.state.problem.metrics, pool)
    )
    made = combine.of_parts(usual, dict(zip(AXES, method.keys, strict=True)))
    made = replace(made, design=enlarged(made.design, least_round(method.design)))
    ours, own = made.to_dict(), method.to_dict()
    return [
        f"{name} {value}"
        for axis in AXES
        for name, value in own[axis].items()
        if name not in CONTROLLED and value != ours[axis].get(name)
    ]
