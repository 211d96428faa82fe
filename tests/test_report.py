"""The report's own sentences: what the methods paragraph says was done is what was done."""

from __future__ import annotations

from typing import Any

import pytest

import sampleval as sv
from sampleval import report
from sampleval.designs import DESIGNS, Uniform
from sampleval.presets import AXES, Method, misfit
from sampleval.surrogates import SURROGATES
from tests.pools import binary


def methods_of(**options: Any) -> str:
    """The methods paragraph of a study of spam with these settings."""
    study = sv.create_study(binary(120)[0], metric="f1", budget=20, seed=3, **options)
    return report.methods(study, study.estimate())


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"preset": "queue"}, "This is the preset “queue” (Duffield"),
        ({"preset": "queue", "interval": "anytime"}, "This is the preset “queue” (Duffield"),
        (
            {"preset": "queue", "design": "poisson", "shrinkage": 0.5},
            "It began as the preset “queue”, with other settings.",
        ),
        ({"preset": "queue", "defensive": 0.1}, "It began as the preset “queue”, with other settings."),
        ({}, "This is the preset “recommended” (sampleval)."),
        ({"design": "uniform"}, ""),
    ],
)
def test_a_study_is_called_a_preset_only_where_it_is_one(options: dict[str, Any], expected: str) -> None:
    said = methods_of(**options)
    assert expected in said
    assert said.count("the preset") == bool(expected)


def test_what_was_expected_of_a_label_is_told_only_where_it_decided_whom_to_ask() -> None:
    for preset, told in (("uniform", False), ("stratified", False), ("queue", True), ("recommended", True)):
        assert ("What to expect of a label" in methods_of(preset=preset)) == told
    with_repeats = methods_of(design=Uniform(replacement=True), estimator="importance-sampling")
    assert "equal chances, with replacement; random seed 3." in with_repeats
    assert "equal chances, without replacement; random seed 3." in methods_of(preset="uniform")


def test_options_that_change_what_is_done_change_what_is_said() -> None:
    assert "here all in one round" in methods_of(preset="marchant-is")
    assert "was taken from the scores as they are." in methods_of(preset="marchant-is")
    for preset, depth in (("marchant-flat", 1), ("marchant-tree", 8)):
        said = methods_of(preset=preset)
        assert f"a Dirichlet tree of depth {depth} (Marchant" in said
        assert "in one round" not in said


def test_no_blind_design_goes_with_an_estimator_that_adds_what_is_believed() -> None:
    """Else the belief would decide the estimate, and the report would have to tell it."""
    for blind in (design for design in DESIGNS.values() if design.blind):
        for estimator in AXES["estimator"].values():
            for surrogate in SURROGATES.values():
                method = Method(surrogate(), blind(), estimator())
                assert misfit(method) or not method.adds_belief
