"""The Plan page: every control changes what it says, every design can be begun, and goals and settings reach the study."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

import sampleval as sv
from sampleval.designs import DESIGNS, Moving
from sampleval.designs.between_rounds.schedule import enlarged
from sampleval.metrics.names import the
from sampleval.numerals import number
from sampleval.planning import advise_shrinkage, budgets
from sampleval.planning.sentences import suggestion, what_ranges_hold
from sampleval.presets import PRESETS
from sampleval.ui import stores
from sampleval.ui.plan import links, outlooks, planner
from sampleval.ui.plan.planner import Wanted
from tests.app.steps import begun, digits, pictures, planned, said, stored, upload
from tests.apps import fine, start, told, unbroken
from tests.pools import binary, calibrated, multiclass, multilabel

pytestmark = pytest.mark.usefixtures("folder")


CHANGES: dict[str, Callable[[AppTest], Any]] = {
    "within": lambda at: at.number_input(key="within_f1").set_value(0.1),
    "metric": lambda at: at.selectbox(key="metric").set_value("recall"),
    "also": lambda at: at.multiselect(key="also").set_value(["precision"]),
    "labels": lambda at: at.select_slider(key="labels").set_value(500),
    "trust": lambda at: at.slider(key="trust").set_value(0.5),
    "even": lambda at: at.slider(key="even").set_value(0.3),
    "toward": lambda at: at.segmented_control(key="toward").set_value("half"),
    "level": lambda at: at.select_slider(key="level").set_value(0.5),
    "shown": lambda at: at.segmented_control(key="shown").set_value("error"),
    "price": lambda at: at.number_input(key="price").set_value(3.0),
    "seconds": lambda at: at.number_input(key="seconds").set_value(90.0),
    "currency": lambda at: at.text_input(key="currency").set_value("CHF"),
}


def of_scores(method: str = "recommended", **query: str) -> AppTest:
    """The Plan page of six hundred scores, by this method."""
    return of(calibrated(600)[0], method=method, **query)


def of(pool: sv.Pool, **query: str) -> AppTest:
    """The Plan page of this pool."""
    return fine(start("Plan", pool=stored(pool), **query))


def test_every_control_of_the_plan_changes_what_it_says() -> None:
    at = of_scores("queue")
    for control, change in CHANGES.items():
        before, drawn = said(at), pictures(at)
        unbroken(change(at).run())
        assert said(at) != before, control
        assert (pictures(at) != drawn) == (control != "within"), control


def forget() -> None:
    """Clear what the plans keep in memory."""
    kept = [each for each in vars(outlooks).values() if callable(each) and hasattr(each, "clear")]
    assert len(kept) > 3
    for each in kept:
        each.clear()


def foreseen(pool: sv.Pool, wanted: Wanted) -> str:
    """The contents of a plan, and the labels for a goal."""
    found = outlooks.outlook(pool, wanted)
    needed = outlooks.needed(pool, wanted, wanted.metric, 2 * (wanted.goal or 0.1))
    frames = (found.curve.to_csv(), found.inclusion.to_csv())
    return f"{found.plan} {found.uniform} {found.widths} {frames} {needed}"


def advised(pool: sv.Pool, wanted: Wanted) -> str:
    """The errors by which λ is suggested."""
    found = outlooks.advice(pool, wanted)
    assert found is not None
    return f"{found.expected.tolist()}"


@pytest.mark.parametrize(
    ("seen", "pool", "usual", "others"),
    [
        (
            foreseen,
            multiclass(60)[0],
            Wanted("accuracy", "queue", 30, kind="multiclass"),
            [
                {"metric": "macro_f1"}, {"recipe": "uniform"}, {"budget": 20}, {"shrinkage": 0.5},
                {"toward": "half"}, {"defensive": 0.2}, {"level": 0.5}, {"goal": 0.15}, {"also": ("macro_f1",)},
            ],
        ),
        (
            advised,
            calibrated(60)[0],
            Wanted("f1", "queue", 30),
            [{"metric": "recall"}, {"recipe": "yilmaz-bs"}, {"budget": 20}, {"toward": "half"}, {"defensive": 0.2}],
        ),
    ],
)  # fmt: skip
def test_what_is_kept_in_memory_is_not_shown_for_other_settings(
    seen: Callable[[sv.Pool, Wanted], str], pool: sv.Pool, usual: Wanted, others: list[dict[str, Any]]
) -> None:
    forget()
    fresh = seen(pool, usual)
    for other in others:
        forget()
        assert seen(pool, replace(usual, **other)) != fresh, other
        assert seen(pool, usual) == fresh, f"kept from {other}"


@pytest.mark.parametrize("recipe", planner.recipes("binary"))
def test_every_design_and_preset_can_be_planned_and_begun(recipe: str) -> None:
    """Of rounds and of draws that adapt, a tile counted items as "certain to be asked" that later rounds may leave out.

    Below it, a caption said of the same methods that no item was certain.
    """
    at = of_scores(recipe)
    design = planner.recipes("binary")[recipe].design
    assert design.about in said(at) or sv.presets[recipe].about in said(at)
    [asked] = [
        c.proto.spec for c in at.get("plotly_chart") if "What gets asked with 300 labels" in c.proto.spec
    ]
    title = sv.presets[recipe].title if recipe in sv.presets else design.title
    assert f'"name":"{title}"' in asked
    assert f"Thick line: {title}, the chosen method" in said(at)
    settled = not isinstance(design, Moving)
    assert at.metric[2].label == ("Certain to be asked" if settled else "Certain to be asked, for now")
    assert ("the labels decide which items become certain" in said(at)) is not settled
    assert settled or "no item is certain beforehand" not in said(at)
    unbroken(at.button(key="create").click().run())
    study = sv.load_study(told(at, "study"), stores.storage())
    assert study.method == planner.recipes("binary")[recipe]
    assert len(study.ask(study.pool.size)) > (250 if settled else 0)


NUMBERS = pd.DataFrame({"predicted": np.linspace(1, 9, 60), "predicted_error": np.linspace(1, 2, 60)})


@pytest.mark.parametrize(
    "pool", [multiclass(60)[0], multilabel(60)[0], sv.Pool.from_frame(NUMBERS, task="regression")]
)
def test_the_recommended_method_comes_with_its_own_settings_for_every_kind_of_label(pool: sv.Pool) -> None:
    at = of(pool, method="queue")
    unbroken(at.selectbox(key="method").set_value("recommended").run())
    even = at.slider(key="even").value
    unbroken(at.button(key="create").click().run())
    study = sv.load_study(told(at, "study"), stores.storage())
    assert study.method == sv.presets["recommended"].method_for(study.pool.task.kind)
    assert even == (study.method.defensive or 0.0)
    assert len(study.ask(3)) == 3


@pytest.mark.parametrize("recipe", ["yilmaz-is", "oasis"])
def test_the_tile_and_the_sentence_have_the_same_number_of_labels(recipe: str) -> None:
    at = of_scores(recipe, labels="500")
    assert {m.label: m.value for m in at.metric}["Labels (M)"] == "500"
    assert "With **500 labels**" in said(at)


def test_labels_that_cannot_matter_are_not_paid_for() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.99, 60)}))
    prices = {"price": "3", "seconds": "90"}
    at = of(pool, method="queue", metric="precision", labels="50", **prices)  # 30 are predicted positive
    assert at.metric[0].value == "30"
    assert "30 labels: **€ 90** and **45 min** of work." in said(at)


def test_the_bill_says_what_uniform_sampling_would_cost() -> None:
    """Next to the money stood only the labels: "3.2 × as many" was told far above, and in labels alone."""
    at = of_scores("queue", labels="100", price="3", seconds="90")
    factor, *labels = re.findall(
        r"Uniform sampling would need about \*\*([\d.]+ × as many)\*\*: (\d+) labels \((\d+) to (\d+)\)",
        said(at),
    )[0]
    paid = re.findall(
        r"100 labels: .* Uniform sampling would need about ([\d.]+ × as many): "
        r"\*\*€ ([\d,]+)\*\* \(€ ([\d,]+) to € ([\d,]+)\)",
        said(at),
    )[0]
    assert paid == (factor, *(f"{3 * int(each):,}" for each in labels))
    likely, low, high = map(int, labels)
    assert low < likely < high


@pytest.mark.parametrize("pool", [calibrated(600)[0], multiclass(60)[0]], ids=["binary", "multiclass"])
def test_a_range_of_the_plan_says_how_much_it_holds(pool: sv.Pool) -> None:
    """ "0.018 to 0.174, depending on how the labels turn out" had no level."""
    at = of(pool, method="queue")
    assert "depending on how the labels turn out" in said(at)
    assert what_ranges_hold(pool.task.kind) in "\n".join(each.value for each in at.caption)
    assert ("one in ten" in what_ranges_hold(pool.task.kind)) == (pool.task.kind == "binary")
    assert budgets.QUANTILES == (1 / 10, 1 - 1 / 20)  # which the sentence spells out


def test_each_foreseen_width_stands_with_its_range() -> None:
    """The tiles and the line beside the budget had a bare ±, and of further metrics nothing told the range."""
    at = of_scores("queue", metric="recall", also="precision,f1", labels="100")
    tiles = {m.label: (m.value, m.delta) for m in at.metric if "interval" in m.label}
    assert len(tiles) == 3
    [line] = [c.value for c in at.caption if c.value.startswith("Enough for")]
    for half, ends in tiles.values():
        low, likely, high = (float(each) for each in re.findall(r"0\.\d+", f"{ends.replace(' to', half)}"))
        assert low < likely < high
        assert f"{half} ({ends})" in re.sub(r"\\", "", line).replace("\N{NO-BREAK SPACE}", " ")


def test_a_random_number_of_labels_says_what_its_plus_minus_is() -> None:
    """ "± is half the width of an interval" stands below it, which this one is not."""
    at = of_scores("yilmaz-bs")
    tiles = {m.label: m for m in at.metric}
    assert " ± " in tiles["Labels (M)"].value
    assert "standard deviation" in tiles["Labels (M)"].help
    at.selectbox(key="method").set_value("queue")
    assert not {m.label: m for m in unbroken(at.run()).metric}["Labels (M)"].help


def test_every_design_can_be_chosen() -> None:
    assert {method.design.key for method in planner.recipes("binary").values()} == set(DESIGNS)


def test_settings_reach_the_study() -> None:
    at = of_scores("queue")
    for control in ("metric", "labels", "trust", "even", "toward", "level"):
        CHANGES[control](at)
    at.number_input(key="seed").set_value(11)
    unbroken(at.run())
    at.number_input(key="within_recall").set_value(0.08).run()
    at.toggle(key="aim").set_value(True)
    at.text_input[0].set_value("my *own* <b>name</b>")
    unbroken(at.button(key="create").click().run())
    study = sv.load_study("my *own* <b>name</b>", stores.storage())
    settings = study.settings
    assert (settings.budget, settings.seed, settings.level) == (500, 11, 0.5)
    assert study.goal == 0.08
    assert list(settings.metrics) == ["recall"]
    assert study.method.surrogate == sv.Shrunk(0.5, "half")
    assert study.method.design == DESIGNS["priority"](defensive=0.3)  # type: ignore[call-arg]


def test_a_sample_is_planned_and_drawn_for_several_metrics() -> None:
    at = of_scores("queue", metric="recall", also="precision,f1", labels="100", within_recall="0.1")
    joint = sv.plan(calibrated(600)[0], metric=["recall", "precision", "f1"], budget=100, preset="queue")
    tiles = {m.label.replace("\\", ""): m.value for m in at.metric}
    for each, title in zip(
        (joint, *joint.also), ("Recall (sensitivity)", "Precision", "F1 score"), strict=True
    ):
        assert tiles[f"{title}, 90% interval"] == f"± {number(each.expected_width / 2)}"
        assert f"{the(title)} ±\N{NO-BREAK SPACE}{number(each.expected_width / 2)}" in said(at).replace(
            "\\", ""
        )
    orders = {
        "recall (sensitivity)": ["recall", "precision", "f1"],
        "precision": ["precision", "recall", "f1"],
    }
    needs = {
        title: sv.budget_for(calibrated(600)[0], metric=names, width=0.2, preset="queue")
        for title, names in orders.items()
    }
    for title, labels in needs.items():
        assert f"About **{int(labels.likely)} labels** for {title} ± 0.1 at 90%" in said(at).replace("\\", "")
    most = int(max(labels.likely for labels in needs.values()))
    assert at.button(key="allow_likely").label == f"Set to {most} labels (likely)"
    assert "Several metrics at once" in said(at)
    assert "λ suits these scores" not in said(at)  # advice is about one metric
    at.toggle(key="aim").set_value(True).run()
    unbroken(at.button(key="create").click().run())
    study = sv.load_study(told(at, "study"), stores.storage())
    assert study.settings.metrics == {"recall": 1.0, "precision": 1.0, "f1": 1.0}
    assert study.goal == 0.1
    assert links.in_url(study)["also"] == "precision,f1"


def test_a_metric_is_not_asked_for_twice() -> None:
    at = of_scores("queue", also="precision")
    assert "Several metrics at once" in said(at)
    assert "F1 score" not in at.multiselect(key="also").options
    assert at.multiselect(key="also").proto.select_all == 0  # "precision" and Enter took its average too
    at.selectbox(key="metric").set_value("precision")
    unbroken(at.run())
    assert at.multiselect(key="also").value == []
    assert "Several metrics at once" not in said(at)


def test_a_study_for_many_metrics_can_be_planned_again() -> None:
    """Where no more than four could be chosen, the page of such a study broke."""
    many = ["f1", "precision", "recall", "accuracy", "specificity", "jaccard"]
    study = sv.create_study(calibrated(600)[0], metric=many, budget=100, preset="queue")
    asked = links.in_url(study)
    at = of_scores("queue", also=f"{asked['also']},jaccard", labels="100")  # a link may name one twice
    assert at.multiselect(key="also").value == many[1:]
    unbroken(at.button(key="create").click().run())
    assert list(sv.load_study(told(at, "study"), stores.storage()).settings.metrics) == many


def test_a_preset_with_another_design_is_planned_again_with_that_design() -> None:
    """Its duplicate drew by the preset's own design, and nothing said so."""
    study = sv.create_study(calibrated(600)[0], metric="f1", budget=100, preset="queue", design="poisson")
    at = of(study.pool, **links.in_url(study))
    assert not at.warning
    assert begun(at, "create").method == study.method


def test_what_a_study_to_plan_again_has_and_this_page_cannot_take_is_said() -> None:
    """Of three to one its weights became alike, and Beta intervals others, without a word."""
    pool = calibrated(600)[0]
    stored(pool)
    study = sv.create_study(
        pool, metric={"f1": 3, "accuracy": 1}, budget=100, preset="queue", interval="beta"
    )
    warned = [line.value.replace("\\", "") for line in of(pool, **links.in_url(study)).warning]
    for setting in ("weights = 3, 1", "interval = beta"):
        told = f"The address says {setting}, which cannot be chosen here: the usual choice is used."
        assert told in warned
    again = sv.create_study(pool, metric="f1", budget=100, preset="marchant-is", oracle="stochastic")
    [line] = of(pool, **links.in_url(again)).warning
    assert "oracle = stochastic" in line.value
    for alike in (["f1", "accuracy"], "f1"):
        usual = sv.create_study(pool, metric=alike, budget=100)
        assert not {*links.UNHEEDED} & {*links.in_url(usual)}


@pytest.mark.parametrize("preset", PRESETS)
def test_options_of_parts_that_a_duplicate_has_not_are_said(preset: str) -> None:
    """A tree of depth 3 became one of depth 8, without a word."""
    pool = calibrated(600)[0]
    stored(pool)
    usual = sv.create_study(pool, metric="f1", budget=60, preset=preset)
    assert not links.options(usual)
    method = usual.method
    parts: dict[str, Any] = {"surrogate": method.surrogate, "estimator": method.estimator}
    for_several = enlarged(method.design, 50)
    larger = sv.create_study(pool, metric="f1", budget=60, preset=preset, design=for_several, **parts)
    assert not links.options(larger)
    free = sv.create_study(pool, metric="f1", budget=60, design=method.design, **parts)
    at = of(pool, **links.in_url(free))
    warned = any("options = " in line.value for line in at.warning)
    again = begun(at, "create").method
    lost = again != replace(free.method, interval=again.interval)
    assert (bool(links.options(free)), warned) == (lost, lost)


def test_an_option_of_a_preset_that_was_changed_is_said() -> None:
    pool = calibrated(600)[0]
    stored(pool)
    tree = sv.surrogates.DirichletTree(depth=3)
    study = sv.create_study(pool, metric="f1", budget=60, preset="marchant-tree", surrogate=tree)
    assert links.options(study) == ["depth 3"]
    [line] = of(pool, **links.in_url(study)).warning
    assert "options = depth 3, which cannot be chosen here" in line.value


def test_a_study_may_be_planned_to_be_watched() -> None:
    """Only Results had the switch, and beside the labelling the intervals never held at every look."""
    pool = calibrated(600)[0]
    for method in ("queue", "recommended"):
        at = of(pool, method=method)
        assert not at.toggle(key="anytime").value
        fine(at.toggle(key="anytime").set_value(True).run())
        assert "wider than the ± of this plan" in said(at)
        study = begun(at, "create")
        assert study.method.interval == "anytime"
        again = of(pool, **links.in_url(study))
        assert not again.warning
        assert begun(again, "create").method == study.method


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"method": "stratified"}, "They are not known yet for this study"),
        ({"method": "queue", "metric": "mcc"}, "They are known for shares of the items"),
    ],
)
def test_a_study_that_cannot_be_watched_says_why(query: dict[str, str], why: str) -> None:
    pool = calibrated(600)[0]
    at = of(pool, **query)
    assert at.toggle(key="no_watching").disabled
    assert why in at.toggle(key="no_watching").help
    assert begun(at, "create").method.interval != "anytime"
    [line] = of(pool, **query, anytime="true").warning
    assert why.replace("They", "intervals that hold at every look") in line.value.replace("\\", "")


def test_what_a_goal_takes_can_be_set_with_one_press() -> None:
    at = of_scores("queue")
    needed = sv.budget_for(stores.pool(told(at, "pool")), metric="f1", width=0.1, preset="queue")
    assert f"**{needed.likely:,.0f} labels**" in said(at)
    assert re.search(r"\*\*± 0\.\d+\*\* \(0\.\d+ to 0\.\d+, depending on how the labels turn out\)", said(at))
    for name, labels in (("likely", needed.likely), ("cautious", needed.high)):
        allow = at.button(key=f"allow_{name}")
        assert allow.label == f"Set to {labels:,.0f} labels ({name})"
        unbroken(allow.click().run())
        assert at.select_slider(key="labels").value == labels
        assert told(at, "labels") == f"{labels:.0f}"
        assert allow.key not in {button.key for button in at.button}, "pressed again it changed nothing"
    unbroken(at.select_slider(key="labels").set_value(500).run())
    assert at.select_slider(key="labels").value == 500


def test_the_nearness_asked_for_stays_when_m_moves() -> None:
    """± 3 items had been replaced by what other budgets reach, and so had a goal set on the proposed ± x."""
    key = "within_rmse"
    at = of(sv.Pool.from_frame(NUMBERS, task="regression"), method="queue", labels="40")
    first = at.number_input(key=key).value
    assert key not in at.query_params
    unbroken(at.toggle(key="aim").set_value(True).run())
    assert float(told(at, key)) == first
    unbroken(at.select_slider(key="labels").set_value(20).run())
    assert at.number_input(key=key).value == first
    unbroken(at.number_input(key=key).set_value(0.25).run())
    unbroken(at.select_slider(key="labels").set_value(2).run())
    assert at.number_input(key=key).value == float(told(at, key)) == 0.25


def test_the_box_of_the_nearness_shows_the_number_that_counts() -> None:
    """It showed 30000 where ± 30,001 was planned for."""
    at = of(sv.Pool.from_frame(NUMBERS * 1e5, task="regression"), method="queue", within_rmse="30001")
    assert at.number_input(key="within_rmse").proto.format % 30001.0 == "30001"
    assert "± 30,001" in said(at)


def test_an_emptied_goal_keeps_the_last_value() -> None:
    """The browser sends the smallest number, 1e-9, and the page told how many labels ± 1e−09 takes."""
    at = of(multiclass(60)[0], method="queue")
    goal = at.number_input(key="within_accuracy")
    at = unbroken(goal.set_value(planner.NEAREST).run())
    assert at.number_input(key="within_accuracy").value == 0.05
    at.number_input(key="within_accuracy").set_value(0.08).run()
    unbroken(at.number_input(key="within_accuracy").set_value(planner.NEAREST).run())
    assert at.number_input(key="within_accuracy").value == float(told(at, "within_accuracy")) == 0.08


def test_an_address_with_an_unusable_precision_asks_for_the_usual_one() -> None:
    pool = multiclass(60)[0]
    for asked in ("0", "-1", "nan", "inf", "1e999", "0.6", "near"):
        at = of(pool, method="queue", within_accuracy=asked)
        assert at.number_input(key="within_accuracy").value == 0.05, asked


def test_a_suggested_trust_is_taken_with_one_press() -> None:
    at = fine(start("Plan", pool=digits(), method="yilmaz-bs"))
    pool = stores.pool(told(at, "pool"))
    found = advise_shrinkage(pool, metric="f1", budget=300, preset="yilmaz-bs")
    assert suggestion(found) in said(at).replace("\\", "")
    unbroken(at.button(key="suggest").click().run())
    assert at.slider(key="trust").value == found.shrinkage != 0.9
    assert not [button for button in at.button if button.key == "suggest"]
    assert suggestion(found) in said(at).replace("\\", "")
    unbroken(at.selectbox(key="method").set_value("recommended").run())
    assert "suits these scores" not in said(at)


def test_lambda_and_delta_are_greyed_with_their_reasons_where_a_design_has_none() -> None:
    at = of_scores("uniform")
    even, trust = at.slider(key="even"), at.slider(key="trust")
    assert even.disabled
    assert "Not for this design" in even.help
    assert trust.disabled
    assert "which items it asks does not depend on" in trust.help
    assert "suits these scores" not in said(at)


def test_a_belief_without_doubt_promises_nothing() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": [1, 0, 0, 0] * 50}))
    at = of(pool, method="marchant-is", labels="20")
    assert "It cannot be predicted how close **20 labels** will come to the F1 score" in said(at)
    assert [metric.value for metric in at.metric] == ["20", "–", "0"]
    assert not any(word in said(at) for word in ("exactly", "too small", "± 0.000"))


@pytest.mark.parametrize("method", ["recommended", "uniform", "queue"])
def test_the_whole_pool_is_promised_exactly_in_every_place(method: str) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.99, 200)}))
    at = of(pool, method=method, labels="200")
    assert "the F1 score will be known exactly" in said(at)
    assert at.metric[1].value == "exact"
    told_beside = [caption.value for caption in at.caption if caption.value.startswith("Enough ")]
    assert told_beside == ["Enough to know the F1 score exactly."]
    assert "suits these scores" not in said(at)


def test_a_name_that_is_taken_is_refused_in_words() -> None:
    sv.create_study(binary(20)[0], metric="f1", budget=5, storage=stores.storage(), name="twice")
    at = of_scores()
    at.text_input[0].set_value("twice")
    unbroken(at.button(key="create").click().run())
    assert "twice" in at.error[0].value
    assert "choose another" in at.error[0].value


def test_where_labels_can_tell_nothing_the_plan_shows_no_figures_and_sensible_settings_ask_for_something() -> (
    None
):
    frame = pd.DataFrame({"id": range(30), "score": np.linspace(0, 0.4, 30)})
    file = frame.to_csv(index=False).encode()
    plan = planned(upload("t.csv", file))
    assert plan.selectbox(key="metric").value == "f1"
    assert "No label can change the F1 score" in said(plan)
    assert not re.search("± [0-9]|[0-9] labels?|€", said(plan))
    assert not plan.metric
    study = begun(upload("t.csv", file), "sensible")
    assert list(study.settings.metrics) == ["accuracy"]
    assert len(study.ask(5)) == 5


@pytest.mark.parametrize("rows", ["a,0.3", "a,0.2\nb,0.5\nc,0.9"])
def test_a_tiny_pool_is_planned_in_words_without_empty_pictures(rows: str) -> None:
    at = planned(upload("t.csv", f"id,score\n{rows}\n".encode()))
    assert not at.error
    assert not at.get("plotly_chart")
    assert ("Label all of it" in said(at)) == ("0.9" in rows)  # of the other one the F1 score is undefined
    assert ("Labels (M)" in said(at)) == ("0.9" in rows)


def test_the_tile_and_the_report_round_a_share_alike() -> None:
    rows = "".join(f"text {k},{0.9 if k < 9 else 0.1}\n" for k in range(40))  # 22.5% of them
    at = upload("t.csv", f"text,prob_complaint\n{rows}".encode())
    assert {m.label: m.value for m in at.metric}["Predicted “complaint”"] == "22%"
    assert "9 of 40 items \\(22%\\) predicted positive" in said(at)


def test_for_a_fourth_system_the_recommended_plan_is_the_queue_s() -> None:
    score = np.random.default_rng(4).beta(0.5, 1.5, (80, 4)).round(3)
    frame = pd.DataFrame(score, columns=[f"{name}.score" for name in "ABCD"])
    at = of(sv.Pool.from_frame(frame))
    for metric in ("f1", "f1[A - B]"):
        unbroken(at.selectbox(key="metric").set_value(metric).run())
        assert at.slider(key="trust").disabled
    unbroken(at.selectbox(key="metric").set_value("f1[A - D]").run())
    unbroken(at.select_slider(key="labels").set_value(40).run())
    assert not at.slider(key="trust").disabled
    assert at.slider(key="trust").value == 0.9
    found = advise_shrinkage(stores.pool(told(at, "pool")), metric="f1[A - D]", budget=40, preset="queue")
    assert suggestion(found) in said(at).replace("\\", "")
    study = begun(at, "create")
    assert study.method == PRESETS["queue"].method
    assert study.settings.preset == "recommended"
