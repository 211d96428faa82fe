"""The words of pages fit what is shown: names of methods, sides of thresholds, ends of axes, captions."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames, plots
from sampleval.metrics import METRICS, resolve, within
from sampleval.presets import PRESETS, fitting

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval.ui import charts, stores, words
from sampleval.ui.plan import planner
from sampleval.ui.plan.trust import unshrunk
from sampleval.ui.results import verdict
from tests.app.steps import pictures, stored, stored_study
from tests.apps import fine, start
from tests.pools import binary, multiclass, multilabel

pytestmark = pytest.mark.usefixtures("folder")


def test_a_method_for_two_classes_is_not_offered_for_four() -> None:
    assert "oasis" in planner.recipes("binary")
    for kind in ("multiclass", "multilabel", "regression"):
        assert "oasis" not in planner.recipes(kind)
        assert "oasis" not in fitting(kind)


def test_scores_that_are_no_percentages_are_refused_in_the_page_s_words() -> None:
    with pytest.raises(sv.InputError) as refused:
        sv.Pool.from_frame(pd.DataFrame({"score": [0.1, 0.9]}), transform="percent")
    told = words.sentence(refused.value)
    assert told.startswith("The scores cannot be percentages where all of `score` lie in")
    assert "transform" not in told


@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel", "regression"])
def test_each_method_in_a_list_has_its_own_name(kind: sv.pool.Kind) -> None:
    titles = [planner.title_of(recipe, kind) for recipe in planner.recipes(kind)]
    assert len(set(titles)) == len(titles)


def prices(*, told: bool = False) -> sv.Pool:
    """Predicted numbers, each with its expected error if `told`."""
    frame = pd.DataFrame({"id": range(60), "pred": np.linspace(1, 9, 60), "pred_sd": np.linspace(0.1, 2, 60)})
    return sv.Pool.from_frame(frame if told else frame[["id", "pred"]], pred="pred", task="regression")


@pytest.mark.parametrize("kind", ["multiclass", "multilabel", "regression"])
def test_a_method_is_told_in_words_that_fit_the_labels(kind: sv.pool.Kind) -> None:
    """Only two classes have positives, and numbers have neither classes nor scores."""
    foreign = {"regression": r"\b(positives?|binary|class(es)?|scores?)\b"}.get(
        kind, r"\b(positives?|binary)\b"
    )
    for recipe in planner.recipes(kind):
        text = planner.title_of(recipe, kind) + planner.about(recipe, kind)
        assert not re.search(foreign, text, re.IGNORECASE), text
    assert "other labels" not in planner.about("recommended", "binary").lower()


@pytest.mark.parametrize("kind", ["multilabel", "regression"])
def test_only_two_classes_have_positives_in_the_help_of_a_plan(kind: str) -> None:
    """A plan for prices gave a sample for precision, and items predicted positive, as its example."""
    at = fine(start("Plan", pool=stored(prices() if kind == "regression" else multilabel(60)[0])))
    assert "never asks." in at.selectbox(key="metric").help
    assert "scores" not in at.selectbox(key="held").help


def test_lambda_is_greyed_where_nothing_is_known_of_the_errors_that_it_would_trust() -> None:
    for pool in (prices(), prices(told=True)):
        at = fine(start("Plan", pool=stored(pool), method="queue"))
        trust, toward = at.slider(key="trust"), at.segmented_control(key="toward")
        assert trust.label == "How far to trust the expected errors? (λ)"
        plans = [sv.plan(pool, metric="rmse", budget=20, preset="queue", shrinkage=far) for far in (0.0, 1.0)]
        assert trust.disabled == np.allclose(plans[0].inclusion, plans[1].inclusion)
        assert toward.disabled
        assert toward.help.startswith("Not for numbers")
    assert "No column says how large the error" in unshrunk(planner.recipes("regression")["queue"], prices())


def test_distrusted_scores_of_several_classes_are_not_pulled_towards_one_half() -> None:
    pool, _ = multiclass()
    at = fine(start("Plan", pool=stored(pool), method="queue"))
    assert at.segmented_control(key="toward").options == [
        "the method's own target",
        "the mean score",
        "every class alike",
    ]


@pytest.mark.parametrize("kind", ["binary", "multiclass", "regression"])
def test_a_picture_calls_a_method_as_the_list_does(kind: sv.pool.Kind) -> None:
    """Whichever is chosen, the default's line bears the name under which it can be chosen."""
    pool = prices() if kind == "regression" else (binary if kind == "binary" else multiclass)()[0]
    at = fine(start("Plan", pool=stored(pool), method="queue"))
    lines = {trace["name"] for trace in json.loads(at.get("plotly_chart")[0].proto.spec)["data"]}
    assert {PRESETS["recommended"].title, PRESETS["queue"].title} <= lines
    assert not lines & {"Targeted cells", "Queue in rounds"}


def test_empty_cells_do_not_glare_on_a_dark_page() -> None:
    rows = pd.DataFrame({"predicted": list("aabb"), "true": list("abab"), "items": [9, 0, 1, 8]})
    day = plots.confusion(rows.assign(low=0, high=9, labels=9, few=False))
    night = charts.at_night(day)
    assert night.data[0].colorscale[0][1] == charts.NIGHT[0][1]
    assert night.data[0].textfont.color != day.data[0].textfont.color
    assert day.data[0].colorscale[0][1] != charts.NIGHT[0][1]


def test_equal_cells_of_a_matrix_do_not_glare_on_a_dark_page() -> None:
    cells = pd.DataFrame({"pre": ["f1", "f1"], "post": ["f1", "recall"], "ratio": [1.0, 2.0]})
    cells = cells.assign(ratio_low=cells["ratio"], ratio_high=cells["ratio"])
    day = plots.matrix(cells)
    night = charts.at_night(day)
    shades = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for _, colour in night.data[0].colorscale]
    assert max(shades[1]) < 80  # of ratios of 1, as dark as the page
    assert all(0.2126 * r + 0.7152 * g + 0.0722 * b < 110 for r, g, b in shades)  # under light letters
    assert night.data[0].textfont.color != day.data[0].textfont.color


def test_the_question_about_an_error_asks_whether_it_is_small_enough() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"pred": rng.normal(size=60)}).assign(target=lambda rows: rows["pred"] + 0.1)
    pool = sv.Pool.from_frame(frame, pred="pred", label="target", task="regression")
    known = sv.Labels.from_frame(frame, pool, "target")
    study = stored_study(pool, "rmse", 20)
    study.answer(known, 20)
    at = fine(start("Results", study="s"))
    assert at.segmented_control(key="side_loss").value == "most"


def test_the_question_about_an_error_is_the_same_for_every_system_and_part() -> None:
    less = {name for name in METRICS if verdict.usual_side(resolve(name)) == "most"}
    errors = {"brier", "brier_sum", "ece", "hamming", "log_loss", "mae", "missed_positives", "mse", "rmse"}
    assert less == errors | {"class_missed", "class_false_alarms"}
    for name in ("rmse", "brier", "f1"):
        side = verdict.usual_side(resolve(name))
        for like in (
            resolve(f"{name}[b]"),
            resolve(f"{name}[new - old]"),
            within(resolve(name), np.ones(1, bool), "here"),
        ):
            assert verdict.usual_side(like) == side


def test_nobody_is_asked_whether_a_loss_or_a_share_of_positives_is_good_enough_unless_they_say_what_is() -> (
    None
):
    pool, known = binary()
    study = stored_study(pool, "f1", 10)
    study.answer(known, 10)
    for name, threshold in {"f1": 0.8, "brier": None, "prevalence": None}.items():
        at = fine(start("Results", study="s", shown_metric=name))
        assert at.number_input(key=f"threshold_{name}").value == threshold


@pytest.mark.parametrize("count", [14, 15])
@pytest.mark.parametrize("side", ["least", "most"])
def test_a_number_known_to_be_the_threshold_is_on_either_side_of_it(count: int, side: str) -> None:
    """By rounding, 22 · (15/22) falls short of 15, and a number that is at least 14 need not be above 14."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 22)}))
    study = stored_study(pool, "positives", 22)
    for item in study.ask(22):
        study.tell(item, int(item.place < count))
    assert study.probability_above(count) == 1
    assert study.probability_above(count + 1) == 0
    at = fine(start("Results", study="s", side=side, threshold_positives=str(count)))
    [said] = [text.value for text in at.subheader if f"at {side} {count}?" in text.value]
    assert "Yes, and this is known exactly" in said


def test_the_warning_about_weights_is_shown_only_while_budget_is_left() -> None:
    pool, known = binary()
    study = stored_study(pool, "f1", 20)
    warning = "until that is used up"
    study.answer(known, 10)
    assert any(warning in caption.value for caption in fine(start("Results", study="s")).caption)
    study.answer(known, 10)
    assert not any(warning in caption.value for caption in fine(start("Results", study="s")).caption)


def test_the_live_chart_names_what_it_shows() -> None:
    pool, known = binary()
    study = stored_study(pool, "f1", 20)
    study.answer(known, 10)
    at = fine(start("Label", study="s"))
    specs = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]
    assert any(spec["layout"]["yaxis"].get("title", {}).get("text") == "F1 score" for spec in specs)


@pytest.mark.parametrize(("preset", "drawn"), [("marchant-is", False), ("queue", True)])
def test_bands_are_explained_where_they_are_drawn_alone(preset: str, drawn: bool) -> None:
    pool, known = binary(60)
    study = stored_study(pool, "f1", 20, preset)
    study.answer(known, 10)
    at = fine(start("Results", study="s"))
    assert any("Precision against" in picture for picture in pictures(at)) == drawn
    assert any("Dark band" in caption.value for caption in at.caption) == drawn


def test_the_confusion_matrix_says_where_its_limits_are() -> None:
    pool, known = multiclass(120, width=8)
    study = stored_study(pool, "accuracy", 40)
    study.answer(known, 40)
    assert len(frames.confusion(study)) == 64
    at = fine(start("Results", study="s", detail="confusion"))
    assert any("with limits where the pointer is" in caption.value for caption in at.caption)
    assert any("labels are about items predicted as this class" in caption.value for caption in at.caption)


@pytest.mark.parametrize(
    ("detail", "said"), [("classes", "with the most labels"), ("confusion", "taken as one")]
)
def test_of_many_classes_a_picture_shows_some(detail: str, said: str) -> None:
    pool, known = multiclass(150, width=45)
    study = stored_study(pool, "accuracy", 30)
    study.answer(known, 30)
    at = fine(start("Results", study="s", detail=detail, class_measure="items"))
    assert any(said in caption.value for caption in at.caption)
    [drawn] = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart") if chart.key == detail]
    assert 30 <= len(drawn["data"][0]["y"]) <= 31


def test_metrics_that_are_not_drawn_are_named() -> None:
    pool, known = binary()
    study = stored_study(pool, "f1", 20)
    study.answer(known, 20)
    captions = " ".join(caption.value for caption in fine(start("Results", study="s")).caption)
    assert "Matthews correlation" in captions.partition("because their scales differ: ")[2]
    assert "Shaded: the 90% interval" in captions


def test_precisions_whose_mean_is_another_than_the_macro_precision_are_explained() -> None:
    rng = np.random.default_rng(0)
    score = rng.dirichlet([3.0, 1.0, 0.5, 0.3], 100)
    frame = pd.DataFrame(score, columns=list("abcd")).add_prefix("score_")
    frame["label"] = np.array(list("abcd"))[np.where(rng.random(100) < 0.95, score.argmax(axis=1), 0)]
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(
        pool, metric="macro_precision", budget=100, seed=1, storage=stores.storage(), name="s"
    )
    for labels, said in ((25, True), (75, False)):
        study.answer(sv.Labels.from_frame(frame, pool), labels)
        at = fine(start("Results", study="s", detail="classes"))
        assert any("not quite the mean" in caption.value for caption in at.caption) == said
