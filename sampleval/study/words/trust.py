"""How far the method of a study is to be trusted with its intervals, in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sampleval.estimators import Run
from sampleval.metrics import Metric
from sampleval.pool import Pool, predicted
from sampleval.presets import PRESETS, Preset, namesakes, telling_apart
from sampleval.study.conclusions import FEW, Estimate, blind_spot, hardly_met, narrowed, positives
from sampleval.study.study import Study

RARE = 0.1  # share of the items below which a class is rare


def method_name(preset: str) -> str:
    """What a person calls the method that a study began with.

    >>> method_name("yilmaz-bs"), method_name("")
    ('Bernoulli sampling (yilmaz-bs)', 'its own combination')
    """
    return f"{PRESETS[preset].title} ({preset})" if preset in PRESETS else "its own combination"


def validity(study: Study) -> str:
    """The study's method and when it is valid, as before the first label; "" for a method of its own."""
    preset = study.settings.preset
    if not as_preset(study):
        return ""
    return f"Method: {method_name(preset)}. {PRESETS[preset].validity(study.pool.task.kind)}"


def as_preset(study: Study) -> bool:
    """Whether the study's method is the preset that it began with; how sure its limits are to be changes nothing of it."""
    name, taken = study.settings.preset, study.method
    if name not in PRESETS:
        return False
    usual = PRESETS[name].cell(
        study.pool.task.kind, apart=telling_apart(study.state.problem.metrics, study.pool)
    )
    return replace(usual, interval=taken.interval) == taken


def doubt(study: Study, estimate: Estimate) -> str:
    """Why this estimate's interval may hold less often than it says; "" where nothing like that is known here.

    Args:
        study: The study.
        estimate: One of its estimates.
    """
    return unmet(study, estimate, blind_spot) or failing(study, estimate)


def unmet(study: Study, estimate: Estimate, told: Callable[[Metric, Run], str] = hardly_met) -> str:
    """What the labels are too few to tell of; "" where they are enough, or limits allow for it.

    Args:
        study: The study.
        estimate: One of its estimates.
        told: (metric, run) → what is looked for: items that the sample was not drawn for, or any blind spot.
    """
    run = study.run(estimate.labels)
    if run is None or not narrowed(estimate.interval):
        return ""
    return told(study.metric(estimate.metric), run)


def failing(study: Study, estimate: Estimate) -> str:
    """Where the study's method is known to fail, if that is here; else ""."""
    known, interval = akin(study), estimate.interval
    if known is None or not known.fails or not interval.width > 0:
        return ""
    if known.method.interval == "beta" != interval.method:
        return ""  # it is the Beta interval that fails, and another was chosen
    return known.fails if _concerned(study, estimate) else ""


def akin(study: Study) -> Preset | None:
    """The preset of the study, or the first one made of the same three parts."""
    if as_preset(study):
        return PRESETS[study.settings.preset]
    made_alike = namesakes(study.method, study.pool.task.kind)
    return PRESETS[made_alike[0]] if made_alike else None


def _concerned(study: Study, estimate: Estimate) -> bool:
    """Whether a metric that rests on a rare class is estimated, as far as decisions and labels tell."""
    kind = study.pool.task.kind
    if kind != "binary":
        return kind != "regression" and has_rare_class(study.pool)
    if not study.metric(estimate.metric).needs_positives:
        return False
    run = study.run(estimate.labels)
    return has_rare_class(study.pool) or (run is not None and positives(run) < FEW)


def has_rare_class(pool: Pool) -> bool:
    """Whether a class, of two the positive one, is predicted for few items."""
    counts = predicted(pool)[1:] if pool.task.kind == "binary" else predicted(pool)
    return bool(counts.min() < RARE * pool.size)
