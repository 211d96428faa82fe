"""What a plan says: what so many labels will tell, how surely, and what that rests on."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

import sampleval as sv
from sampleval import frames
from sampleval.planning import UNKNOWN, BudgetRange, WidthRange
from sampleval.pool import Kind
from sampleval.presets import AXES, PRESETS, method_of, reasons
from sampleval.ui import pointless
from sampleval.ui.goals import price
from sampleval.ui.held import Beforehand
from sampleval.ui.plan import combine, sentences, trust


def promised(pool: sv.Pool, metric: str | list[str], budget: int) -> str:
    plan = sv.plan(pool, metric=metric, budget=budget)
    return sentences.promise(plan, pool, "Recall", 0.9, UNKNOWN)


def test_a_label_for_every_item_promises_no_interval() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 12)}))
    every = "With **12 labels**, one for every item, the recall will be known exactly."
    assert promised(pool, "f1", 12) == every
    assert (
        "based on what this method expects of such scores before any new label (the recall about 0."
        in promised(pool, "f1", 6)
    )
    few = promised(pool, "precision", 10)  # a label of an item that is not flagged says nothing of precision
    assert few.startswith(
        "With **6 labels**, one for every item that can change the result, the recall will be known exactly."
    )
    both = promised(pool, ["precision", "accuracy"], 11)  # and those for accuracy are not all of them
    assert both.startswith(
        "With **11 labels**, among them one for every item that can change the result, the recall will be known exactly."
    )
    assert "(the recall about 6." in promised(pool, "positives", 6)  # a number of items, as its interval is
    right = sv.plan(pool, metric="f1", budget=6, preset="queue", shrinkage=1)
    assert f"if the scores are right; they predict {right.predicted:.3f}" in sentences.promise(
        right, pool, "Recall", 0.9, UNKNOWN
    )
    wary = sv.plan(pool, metric="f1", budget=6, preset="queue", shrinkage=0.5)
    assert "(λ = 0.5); they then predict" in sentences.promise(wary, pool, "Recall", 0.9, UNKNOWN)
    one = sv.Pool.from_frame(pd.DataFrame({"score": [0.7]}))
    assert "**1 label**" in promised(one, "f1", 1)


def test_no_width_is_called_the_largest_beside_a_range_that_exceeds_it() -> None:
    """It was "at most ± 0.020 (0.011 to 0.040, …)" for strata, whose widths are foreseen like any other design's."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.02, 0.98, 200) ** 2}))
    even, strata = (sv.plan(pool, metric="accuracy", budget=50, preset=p) for p in ("uniform", "stratified"))
    assert strata.expected_width < 0.97 * even.expected_width
    half = strata.expected_width / 2
    said = sentences.promise(strata, pool, "Accuracy", 0.9, UNKNOWN, WidthRange(half, 4 * half))
    assert f"should be about **± {sentences.margin(strata)}** (" in said


def test_a_lack_of_strata_is_a_sentence_of_its_own() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.tile([0.1, 0.4, 0.8], 20)}))
    made = sv.plan(pool, metric="accuracy", budget=20, preset="stratified")
    said = sentences.promise(made, pool, "Accuracy", 0.9, UNKNOWN)
    assert said.endswith(
        r". 3 strata instead of 16\: there are only 3 different values."
    )  # plain in Markdown


@pytest.mark.parametrize(
    ("value", "half", "shown"),
    [(55.7, 2.01, "2.0"), (1503.2, 19.31, "19"), (0.739, 0.0463, "0.046"), (55.7, 0.046, "0.046")],
)
def test_a_margin_has_the_decimals_of_its_value(value: float, half: float, shown: str) -> None:
    """It was "55.7 ± 2.010"."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 12)}))
    plan = replace(sv.plan(pool, metric="f1", budget=6), predicted=value, expected_width=2 * half)
    assert sentences.within(plan) == f"± {shown}"
    assert f"**± {shown}**" in sentences.promise(plan, pool, "RMSE", 0.9, UNKNOWN)
    tiny = replace(plan, expected_width=1e-7)
    assert sentences.within(tiny) == "± <0.0001"


@pytest.mark.parametrize(("uniform", "times"), [(959.4, "160"), (19.4, "3.2"), (75.0, "12")])
def test_how_many_times_as_many_is_told_with_two_digits(uniform: float, times: str) -> None:
    """It was "159.9 × as many", which nobody can foresee so closely."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 12)}))
    plan = sv.plan(pool, metric="f1", budget=6)
    needed = BudgetRange(uniform, uniform, uniform)
    assert f"about **{times} × as many**" in sentences.promise(plan, pool, "F1 score", 0.9, needed)


def test_how_many_times_as_many_is_told_with_its_range() -> None:
    """It was "3.2 × as many (19)", as if that were known, in labels, money and hours alike."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 12)}))
    plan, uniform = sv.plan(pool, metric="f1", budget=6), BudgetRange(9, 19, 31)
    said = sentences.promise(plan, pool, "F1 score", 0.9, uniform)
    assert said.endswith("Uniform sampling would need about **3.2 × as many**: 19 labels (9 to 31).")
    costs = frames.costs(pd.DataFrame({"budget": [6, 9, 19, 31]}), price=2, seconds=600)
    assert sentences.bill(6, uniform, costs, "€") == (
        "6 labels: **€ 12** and **60 min** of work. Uniform sampling would need about 3.2 × as many: "
        "**€ 38** (€ 18 to € 62) and **3.2 h** (90 min to 5.2 h) of work."
    )


def test_a_foreseen_value_too_small_to_show_is_not_about_less_than_something() -> None:
    """It was "about <0.0001"."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [1e-7] * 4000 + [0.999999] * 4}))
    said = promised(pool, "brier", 30)
    assert "(the recall below 0.0001)" in said, said


def test_a_plan_doubts_scores_that_claim_far_more_positives_than_are_predicted() -> None:
    flat = pd.DataFrame({"score": np.linspace(0.2, 0.4, 300)})
    flat["pred"] = (flat["score"] > 0.396).astype(int)
    assert flat["pred"].sum() == 6
    said = "The scores add up to 15 times the positives predicted: if they are not probabilities, expect other values."
    assert said in promised(sv.Pool.from_frame(flat), "f1", 50)
    plain = sv.Pool.from_frame(flat.assign(pred=(flat["score"] > 0.3).astype(int)))
    assert "add up" not in promised(plain, "f1", 50)


def test_a_plan_doubts_scores_that_claim_far_fewer_positives_than_are_predicted() -> None:
    low = pd.DataFrame({"score": np.linspace(0.0, 0.04, 300), "pred": 1})
    low.loc[:59, "pred"] = 0
    said = "The scores add up to one for every 40 positives predicted: if they are not probabilities, expect other values."
    assert said in promised(sv.Pool.from_frame(low), "f1", 50)


def test_a_plan_says_that_nothing_tells_systems_apart_that_decide_alike() -> None:
    rng = np.random.default_rng(0)
    old = rng.random(60)
    scored = pd.DataFrame({"old.score": old, "new.score": old**2 / (old**2 + (1 - old) ** 2)})
    pool, apart = sv.Pool.from_frame(scored), sv.Pool.from_frame(scored.assign(**{"new.score": 1 - old}))
    for metric, same in (("f1[old - new]", True), ("accuracy[old - new]", True), ("f1[new]", False)):
        plan = sv.plan(pool, metric=metric, budget=20)
        why = "“old” and “new” decide alike on every item: no label can tell them apart."
        assert pointless.why(plan, pool) == (why if same else "")
        assert pointless.why(sv.plan(apart, metric=metric, budget=20), apart) == ""
    assert pointless.why(sv.plan(pool, metric="brier[old - new]", budget=20), pool) == ""


def test_what_no_label_can_change_is_not_said_to_be_told_by_those_known_beforehand() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.1, 0.2, 0.3]}))
    plan = sv.plan(pool, metric="f1", budget=1, held={"0": 0})
    assert plan.predicted == 0
    assert sentences.known_exactly(plan, pool, Beforehand({"0": 0}), telling=False) == ""


def test_a_plan_says_of_the_whole_pool_why_a_metric_is_undefined() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": ["a"] * 60}), task="multiclass", classes=["a", "b", "c"])
    plan = sv.plan(pool, metric="macro_precision", budget=20, preset="uniform")
    why = "Macro precision is undefined here: no item is predicted to be 'b', 'c'."
    assert pointless.why(plan, pool) == why


@pytest.mark.parametrize("answers", [["no", "yes"], ["a", "b", "c"]])
@pytest.mark.parametrize("preset", ["recommended", "queue", "active-testing"])
def test_a_plan_for_mere_decisions_speaks_of_no_scores(answers: list[str], preset: str) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": [answers[k % len(answers)] for k in range(90)]}))
    plan = sv.plan(pool, metric="accuracy", budget=30, preset=preset)
    said = sentences.promise(plan, pool, "Accuracy", 0.9, UNKNOWN)
    assert trust.trusted(pool) == "the model's decisions"
    assert "score" not in said
    assert "decisions" in said


def test_a_plan_for_numbers_says_what_it_takes_the_errors_for() -> None:
    """Without expected errors the predictions' own spread stands in: no score has said how large errors are."""
    frame = pd.DataFrame({"predicted_price": np.linspace(1e5, 9e5, 50), "pred_sd": 2e4})
    guessed = promised(sv.Pool.from_frame(frame[["predicted_price"]]), "rmse", 20)
    assert "scores" not in guessed
    assert "no column tells how large they are" in guessed
    told = sv.Pool.from_frame(frame, pred="predicted_price", task="regression")
    assert told.items.error.size
    assert "if the expected errors are right" in promised(told, "rmse", 20)
    none = sv.Pool.from_frame(frame.assign(pred_sd=0.0), pred="predicted_price", task="regression")
    assert promised(none, "rmse", 20) == guessed


@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel", "regression"])
def test_a_combination_that_a_preset_has_for_such_labels_bears_its_name(kind: Kind) -> None:
    for name, preset in PRESETS.items():
        if preset.suits(kind):
            assert name in combine.known_as(preset.method_for(kind), kind)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel", "regression"])
def test_reasons_against_a_combination_have_titles_for_every_key(preset: str, kind: Kind) -> None:
    method = PRESETS[preset].method_for(kind)
    for axis in AXES:
        for reason in filter(None, reasons(method, axis, kind).values()):
            said = combine.in_titles(reason, "binary")
            assert not set("'`") & set(said), said
            assert not re.search(r"\b(binary|multiclass|multilabel|regression) labels", said), said


@pytest.mark.parametrize("preset", ["recommended", "queue", "uniform"])
def test_where_nothing_is_predicted_positive_labels_still_tell_how_many_positives_there_are(
    preset: str,
) -> None:
    """Of decisions alone none was expected: so "no label can change the share of positives", which the page advised."""
    decisions = sv.Pool.from_frame(pd.DataFrame({"pred": [0] * 40}))
    alike = sv.Pool.from_frame(pd.DataFrame({"score": [0.3] * 40}))
    even = sv.Pool.from_frame(pd.DataFrame({"score": [0.1, 0.2, 0.2, 0.1] * 10}))
    for pool, names in (
        (decisions, ("accuracy", "prevalence", "positives", "missed_positives")),
        (alike, ("accuracy", "prevalence", "ece", "brier")),
        (even, ("auc", "ece")),
    ):
        for name in (*names, "f1", "recall"):
            told = pointless.why(sv.plan(pool, metric=name, budget=20, preset=preset), pool)
            assert told.startswith("No label can change") == (name in ("f1", "recall")), name


@pytest.mark.parametrize(
    ("preset", "interval", "kind", "said"),
    [
        (
            "recommended",
            None,
            "binary",
            "a little less often, .* in 89 of 100 simulated studies instead of 92",
        ),
        ("queue", None, "binary", "a little less often, .* in 89 of 100 simulated studies instead of 92"),
        ("uniform", None, "binary", "as often as otherwise: with this method in 96 of 100"),
        ("yilmaz-online-bs", None, "binary", " less often, .* in 75 of 100 simulated studies instead of 87"),
        ("marchant-is", None, "binary", "was not measured for this method"),
        ("queue", "beta", "binary", "was not measured for this method"),
        ("recommended", None, "multiclass", "was not measured for such labels"),
        ("queue", "anytime", "binary", "these intervals hold at every look"),
    ],
)
def test_the_price_of_stopping_at_a_goal_is_the_method_s_own(
    preset: str, interval: str | None, kind: Kind, said: str
) -> None:
    """The numbers of the default method stood beside any other."""
    assert re.search(said, price(method_of(preset, kind=kind, interval=interval), kind))
