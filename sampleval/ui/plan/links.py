"""The settings of a study as the Plan page's address holds them."""

from __future__ import annotations

from dataclasses import replace

from sampleval.designs.between_rounds.schedule import EACH, enlarged, least_round
from sampleval.presets import AXES, DEFAULT, PRESETS, tells_apart, usual_interval
from sampleval.study import Study
from sampleval.study.words.trust import larger_rounds, usual_method
from sampleval.ui import address, stores
from sampleval.ui.plan import combine, watching
from sampleval.ui.plan.held import of_table, partly
from sampleval.ui.results.stopping import FAMILY

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
    settings, method = study.settings, study.settings.method
    weights, preset = list(settings.metrics.values()), usual_method(study)
    own = preset is None or preset.keys != study.method.keys  # a preset's parts may have been replaced
    usual = preset.interval if preset else usual_interval(study.method.estimator)
    surrogate, design, held = method["surrogate"], method["design"], study.state.problem.held
    known = stores.labels(study.pool.fingerprint)
    table = of_table(study.pool, known).labels
    elsewhere = sum(str(study.pool.ids[place]) not in table for place in held.index)
    query = {
        "metric": settings.main,
        "also": ",".join(list(settings.metrics)[1:]) or None,
        "labels": study.budget,
        "method": settings.preset,
        "combine": own or None,
        "trust": surrogate.get("shrinkage"),
        "toward": surrogate.get("toward"),
        "even": design.get("defensive"),
        "level": settings.level,
        "seed": settings.seed,
        "people": people(study),
        f"within_{settings.main}": study.goal,
        "aim": study.goal and True,
        "known_random": (settings.held_random and partly(known) > 0) or None,
        "weights": ", ".join(f"{weight:g}" for weight in weights) if len({*weights}) > 1 else None,
        "interval": study.method.interval if study.method.interval not in (usual, FAMILY) else None,
        watching.KEY: study.method.interval == FAMILY or None,
        "oracle": settings.oracle if settings.oracle != "deterministic" else None,
        "options": ", ".join(options(study)) or None,
        "count_known": False if partly(known) and len(held) == elsewhere else None,
        TAKEN: elsewhere or None,
    }
    if own:
        query |= {f"axis_{axis}": method[axis]["key"] for axis in AXES}
    return {key: str(value) for key, value in query.items() if value is not None}


def people(study: Study) -> int | None:
    """How many people the study's rounds were made large for; `None` if they are as usual."""
    return -(-least // EACH) if (least := larger_rounds(study)) else None


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
