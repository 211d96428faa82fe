"""Options of designs and surrogates: what is no flag, norm or count is refused when they are made, not when they are used."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sampleval as sv
from sampleval import designs, surrogates
from tests.pools import binary

FLAGS: list[tuple[Any, str]] = [
    (designs.Uniform, "replacement"),
    (designs.Rounds, "assisted"),
    (designs.Sequential, "uncentred"),
    (designs.Adaptive, "uncentred"),
    (surrogates.BetaBernoulli, "decay"),
    (surrogates.Recalibrated, "weighted"),
]
COUNTS: list[tuple[Any, str, str]] = [
    (designs.Stratified, "strata", "design"),
    (designs.Rounds, "first", "design"),
    (designs.Sequential, "first", "design"),
    (surrogates.BetaBernoulli, "leaves", "surrogate"),
    (surrogates.DirichletTree, "leaves", "surrogate"),
]


@pytest.mark.parametrize("said", ["no", 0.1, None, np.array([True])], ids=str)
@pytest.mark.parametrize(("made", "flag"), FLAGS)
def test_what_only_counts_as_true_is_no_flag(made: Any, flag: str, said: object) -> None:
    """`Uniform("no")` had drawn with replacement, and so had `Uniform(0.1)`, meant for δ."""
    with pytest.raises(sv.InputError, match=f"`{flag}` must be True or False; got"):
        made(**{flag: said})
    assert made(**{flag: np.True_}) == made(**{flag: True})


@pytest.mark.parametrize("norm", [True, np.array([1, 2]), "1", 3])
@pytest.mark.parametrize("made", [designs.Adaptive, designs.Rounds, designs.Sequential])
def test_a_norm_is_one_or_two(made: Any, norm: object) -> None:
    with pytest.raises(sv.InputError, match="`norm` must be 1 for"):
        made(norm=norm)


@pytest.mark.parametrize(("made", "option", "axis"), COUNTS)
def test_a_whole_number_written_as_a_float_is_a_count(made: Any, option: str, axis: str) -> None:
    """It had been accepted, and failed as an index at the first question."""
    pool, labels = binary()
    given: dict[str, Any] = {"preset": "oasis" if axis == "surrogate" else None, axis: made(**{option: 3.0})}
    study = sv.create_study(pool, metric="f1", budget=5, **given)
    assert study.answer(labels, 5) == 5
    assert sv.Study.replay(pool, study.events()).estimate() == study.estimate()
