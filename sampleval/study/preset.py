"""The preset that a study began with, and whether its method is still that preset."""

from __future__ import annotations

from dataclasses import replace

from sampleval.designs.between_rounds.schedule import enlarged, least_round
from sampleval.presets import PRESETS, Method, Preset, namesakes, tells_apart
from sampleval.study.study import Study


def method_name(preset: str) -> str:
    """The name, for a person, of the method that a study began with.

    >>> method_name("yilmaz-bs"), method_name("")
    ('Bernoulli sampling (yilmaz-bs)', 'its own combination')
    """
    return f"{PRESETS[preset].title} ({preset})" if preset in PRESETS else "its own combination"


def usual_method(study: Study) -> Method | None:
    """The method of the preset that the study began with, with the preset's own options; `None` without a preset."""
    preset = PRESETS.get(study.settings.preset)
    if preset is None:
        return None
    return preset.method_for(study.pool.task.kind, apart=tells_apart(study.state.problem.metrics, study.pool))


def as_preset(study: Study) -> bool:
    """Whether the study's method is the preset that it began with.

    The kind of interval may differ, and rounds may be larger, for several people.
    """
    usual, taken = usual_method(study), study.method
    if usual is None:
        return False
    design = enlarged(usual.design, least_round(taken.design))
    return replace(usual, interval=taken.interval, design=design) == taken


def akin(study: Study) -> Preset | None:
    """The preset of the study, or else the first preset made of the same three parts; `None` if there is none."""
    if as_preset(study):
        return PRESETS[study.settings.preset]
    made_alike = namesakes(study.method, study.pool.task.kind)
    return PRESETS[made_alike[0]] if made_alike else None


def larger_rounds(study: Study) -> int:
    """Least number of labels in the study's rounds, if that is more than its preset or design has by itself; otherwise 0."""
    usual, design = usual_method(study), study.method.design
    own, least = least_round(usual.design if usual else type(design)()), least_round(design)
    return least if 0 < own < least else 0
