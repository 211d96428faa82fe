"""The formulas shown are those of the method: its surrogate, its norm and its options."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval.designs import Adaptive, Rounds, Uniform
from sampleval.presets import PRESETS, method_of
from sampleval.surrogates import Shrunk
from sampleval.ui import words
from sampleval.ui.plan import formulas, planner

SHARE = r"\lambda s_n + (1-\lambda)\,t"
LINEAR, SQUARE = r"h_n = \mathbb{E}_\pi\,|d_n(y)|", r"h_n^2 = \mathbb{E}_\pi\,d_n(y)^2"


def shown(preset: str, **options: Any) -> str:
    lines = formulas.lines(method_of(preset, **options), "binary")
    return "\n".join(f"{words} {formula}" for words, formula in lines)


@pytest.mark.parametrize("preset", PRESETS)
def test_lambda_is_shown_where_scores_are_shrunk_and_nowhere_else(preset: str) -> None:
    surrogate = PRESETS[preset].method.surrogate
    assert (SHARE in shown(preset)) is (0 < getattr(surrogate, "shrinkage", 1) < 1)
    if SHARE in shown(preset):
        assert rf"\lambda = {surrogate.shrinkage:g}" in shown(preset)  # type: ignore[attr-defined]
        assert (r"\bar s" in shown(preset)) is (surrogate.toward == "mean")  # type: ignore[attr-defined]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_size_of_an_item_is_that_of_the_design_s_norm(preset: str) -> None:
    linear = getattr(PRESETS[preset].method.design, "norm", 2) == 1
    assert linear is (preset in {"marchant-is", "marchant-flat", "marchant-tree", "active-testing"})
    assert (LINEAR in shown(preset)) is linear
    assert (SQUARE in shown(preset)) is not linear


def test_numbers_have_errors_instead_of_scores() -> None:
    for method in planner.recipes("regression").values():
        ((words, formula),) = formulas.believed(method.surrogate, "regression")
        assert "score" not in words
        assert "s_n" not in formula
        assert r"\hat y_n" in formula
    ((_, shrunk),) = formulas.believed(Shrunk(shrinkage=0.7), "regression")
    assert r"\lambda = 0.7" in shrunk
    assert r"\lambda" not in formulas.believed(Shrunk(shrinkage=1.0), "regression")[0][1]
    assert formulas.believed(Shrunk(), "multiclass") == formulas.believed(Shrunk(), "binary")


@pytest.mark.parametrize("recipe", planner.recipes("regression"))
def test_what_is_said_of_a_method_for_numbers_is_not_about_scores(recipe: str) -> None:
    method = planner.recipes("regression")[recipe]
    parts = (method.surrogate, method.design, method.estimator)
    said = [words.of_labels(told, "regression") for part in parts for told in (part.title, part.about)]
    said += [told for told, _ in formulas.lines(method, "regression")]
    # What speaks of scores needs other words in `OF_NUMBERS`.
    assert [told for told in said if re.search("score|probabilit", told, re.IGNORECASE)] == []
    assert words.of_labels(method.surrogate.about, "binary") == method.surrogate.about


def test_draws_with_replacement_have_no_correction_for_a_finite_pool() -> None:
    without = shown("uniform")
    drawn = shown("uniform", design=Uniform(replacement=True), estimator="importance-sampling")
    assert r"\frac1M - \frac1N" in without
    assert r"\frac1N\Big)" not in drawn
    assert r"\frac1J\," in drawn


def test_options_of_a_method_change_its_formulas() -> None:
    assert SQUARE in shown("marchant-tree", design=Adaptive(norm=2))
    assert LINEAR in shown("yilmaz-online-bs", design=Rounds(norm=1))
    assert r"w\operatorname{Var}_\pi" in shown("queue", design=Rounds(assisted=True), estimator="assisted")
    assert r"\delta = 0.2" in shown("queue", defensive=0.2)
    assert r"\delta" not in shown("queue")
    assert r"\pi_n = s_n" in shown("queue", shrinkage=1.0)
