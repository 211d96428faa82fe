"""The settings of a study as the Plan page's address holds them."""

from __future__ import annotations

from sampleval.designs.between_rounds.schedule import EACH
from sampleval.presets import AXES
from sampleval.study import Study
from sampleval.study.words.trust import larger_rounds
from sampleval.ui import stores
from sampleval.ui.plan.held import partly


def in_url(study: Study) -> dict[str, str]:
    """The settings of a study as the Plan page puts them into the URL. Settings without a control are left out."""
    settings, method = study.settings, study.settings.method
    surrogate, design, held = method["surrogate"], method["design"], study.state.problem.held
    query = {
        "metric": settings.main,
        "also": ",".join(list(settings.metrics)[1:]) or None,
        "labels": study.budget,
        "method": settings.preset,
        "combine": not settings.preset or None,
        "trust": surrogate.get("shrinkage"),
        "toward": surrogate.get("toward"),
        "even": design.get("defensive"),
        "level": settings.level,
        "seed": settings.seed,
        "people": people(study),
        f"within_{settings.main}": study.goal,
        "aim": study.goal and True,
        "known_random": settings.held_random or None,
        "count_known": False if partly(stores.labels(study.pool.fingerprint)) and not held else None,
    }
    if not settings.preset:
        query |= {f"axis_{axis}": method[axis]["key"] for axis in AXES}
    return {key: str(value) for key, value in query.items() if value is not None}


def people(study: Study) -> int | None:
    """How many people the study's rounds were made large for; `None` if they are as usual."""
    return -(-least // EACH) if (least := larger_rounds(study)) else None
