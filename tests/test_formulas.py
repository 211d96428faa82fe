"""The formulas shown are those of the method: its surrogate, its norm and its options."""

from __future__ import annotations

import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval.designs import Adaptive, Rounds
from sampleval.presets import PRESETS, method
from sampleval.ui import formulas

SHARE = r"\lambda s_n + (1-\lambda)\,t"
LINEAR, SQUARE = r"h_n = \mathbb{E}_\pi\,|d_n(y)|", r"h_n^2 = \mathbb{E}_\pi\,d_n(y)^2"


def shown(preset: str, **options: object) -> str:
    return "\n".join(f"{words} {formula}" for words, formula in formulas.lines(method(preset, **options)))  # type: ignore[arg-type]


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


def test_options_change_what_is_shown() -> None:
    assert SQUARE in shown("marchant-tree", design=Adaptive(norm=2))
    assert LINEAR in shown("yilmaz-online-bs", design=Rounds(norm=1))
    assert r"w\operatorname{Var}_\pi" in shown("queue", design=Rounds(assisted=True), estimator="assisted")
    assert r"\delta = 0.2" in shown("queue", defensive=0.2)
    assert r"\delta" not in shown("queue")
    assert r"\pi_n = s_n" in shown("queue", shrinkage=1.0)
