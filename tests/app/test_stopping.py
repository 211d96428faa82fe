"""The Results page's offer to stop when enough has been seen: its interval, its price, and where it is not known."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

import sampleval as sv
from sampleval.study.conclusions.anytime import WHERE_KNOWN, Obstacle
from sampleval.ui import stopping, stores, words
from tests.apps import fine, start
from tests.places import ROOT
from tests.pools import calibrated

pytestmark = pytest.mark.usefixtures("folder")

POOL, LABELS = calibrated(150, seed=2)


def begun(preset: str, name: str = "stop", **options: Any) -> sv.Study:
    """A study of scores that are right, with 20 labels."""
    study = sv.create_study(
        POOL,
        metric="f1",
        budget=20,
        preset=preset,
        seed=1,
        storage=stores.storage(),
        name=f"{name} {preset}",
        **options,
    )
    study.answer(LABELS, 20)
    return study


def opened(study: sv.Study, **query: str) -> AppTest:
    return fine(start("Results", 90, study=study.name, **query))


def said(at: AppTest) -> str:
    return " ".join(c.value for c in at.caption)


def test_the_price_is_that_of_the_interval_on_the_page() -> None:
    """With another kind chosen it was still that of the usual kind, whose width is nowhere on the page."""
    study = begun("queue")
    at = opened(study, shown_interval="beta", shown_level="0.5")
    shown, free = (study.estimate("f1", interval=kind, level=0.5) for kind in ("beta", "anytime"))
    assert at.metric[0].delta == words.between(shown)
    assert f"({words.number(free.interval.width)} in place of {words.number(shown.interval.width)})" in said(
        at
    )


@pytest.mark.parametrize("preset", ["queue", "yilmaz-online-bs"])
def test_the_switch_widens_the_interval_to_one_that_holds_at_every_look(preset: str) -> None:
    study = begun(preset)
    fixed, free = (study.estimate("f1", interval=i) for i in (study.method.interval, "anytime"))
    at = opened(study)
    assert at.metric[0].delta == words.between(fixed)
    times = f"{words.brief(free.interval.width / fixed.interval.width)} × as wide"
    assert f"the interval would be {times} now" in said(at)

    at = fine(at.toggle(key="shown_anytime").set_value(True).run())
    assert at.metric[0].delta == words.between(free)
    assert f"You may stop whenever you like; the price now is an interval {times} as one" in said(at)
    assert "Matthews" in " ".join(m.value for m in at.markdown)  # said not to be known for any look
    assert "fixed beforehand" in said(at)


def test_recommended_has_the_switch_and_says_what_its_promise_rests_on() -> None:
    study = begun("recommended")
    at = opened(study, shown_anytime="true")
    assert at.metric[0].delta == words.between(study.estimate("f1", interval="anytime"))
    assert "You may stop whenever you like; the price now is an interval" in said(at)
    assert "model of how far scores can be trusted" in at.toggle(key="shown_anytime").help
    own = begun("recommended", "own", interval="anytime")
    at = opened(own)
    assert said(at).count("the price now is an interval") == 1
    at = fine(at.toggle(key="shown_anytime").set_value(False).run())
    assert at.metric[0].delta == words.between(own.estimate("f1", interval="posterior"))


def test_the_switch_is_off_with_its_reason_where_that_is_not_known() -> None:
    at = opened(begun("stratified"))
    switch = at.toggle(key="no_anytime")
    assert switch.disabled
    assert "Labelling queue" in switch.help
    assert not [w.value for w in at.warning if "address" in w.value]  # it asks for none
    at = opened(begun("queue"), shown_anytime="true", shown_about="future")
    switch = at.toggle(key="no_anytime")
    assert switch.disabled
    assert not switch.value, "what is not heeded looks switched on"
    assert "this pool only" in switch.help


def test_a_link_that_asks_for_what_is_not_known_here_is_told_so() -> None:
    """The switch was off without a word, and its reason is seen only by those who point at it."""
    at = opened(begun("stratified"), shown_anytime="true")
    [told] = [w.value for w in at.warning if "address" in w.value]
    assert told.startswith(
        "The address asks for intervals that hold at every look. They are not known yet for this study"
    )
    at = opened(begun("queue"), shown_anytime="true")
    assert at.toggle(key="shown_anytime").value
    assert not [w.value for w in at.warning if "address" in w.value]


def test_the_switch_is_off_for_numbers_of_which_no_share_is_taken() -> None:
    frame = pd.read_parquet(ROOT / "demo_data" / "diabetes.parquet")
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(pool, metric="rmse", budget=20, storage=stores.storage(), name="numbers")
    study.answer(sv.Labels.from_frame(frame, pool), 20)
    at = opened(study)
    assert at.toggle(key="no_anytime").disabled
    assert "two or more classes only" in at.toggle(key="no_anytime").help
    assert "any look" not in said(at)


def test_only_kinds_of_interval_are_offered_that_some_metric_of_the_study_has() -> None:
    frame = pd.read_parquet(ROOT / "demo_data" / "diabetes.parquet")
    pool = sv.Pool.from_frame(frame)
    numbers = sv.create_study(pool, metric="rmse", budget=20, preset="queue")
    assert stopping.kinds(numbers) == ["log-normal", "normal"]
    assert stopping.kinds(begun("queue")) == ["korn-graubard", "beta", "logit", "normal"]
    assert stopping.kinds(begun("recommended"))[0] == "posterior"
    assert stopping.kinds(begun("yilmaz-is"))[0] == "beta"


def test_a_kind_that_stands_in_for_the_usual_one_is_told_as_the_library_tells_it() -> None:
    """The page asked for log-normal intervals itself, so that nothing said why these were no Korn–Graubard ones."""
    frame = pd.read_parquet(ROOT / "demo_data" / "diabetes.parquet")
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(
        pool, metric="rmse", budget=20, preset="queue", storage=stores.storage(), name="n"
    )
    study.answer(sv.Labels.from_frame(frame, pool), 20)
    why = study.estimate().interval.note
    assert why == "a log-normal interval, since the metric has no largest value"
    told = [f"Root mean squared error, Mean absolute error, Mean squared error: {why}."]
    for query, expected in (({}, told), ({"shown_interval": "normal"}, [])):
        lists = "\n".join(text.value for text in opened(study, **query).markdown)
        assert [line for line in lists.replace("\\", "").split("\n- ") if why in line] == expected


SHARES = pd.DataFrame({"score": np.linspace(0.05, 0.95, 40)})
NUMBERS = pd.DataFrame({"predicted_price": np.linspace(1.0, 9.0, 40)})


@pytest.mark.parametrize(
    ("frame", "options", "about", "found", "said"),
    [
        (SHARES, {"preset": "queue"}, "pool", None, ""),
        (SHARES, {"preset": "queue"}, "future", "future", "about this pool only"),
        (SHARES, {"preset": "stratified"}, "pool", "design", "is not known for design 'stratified'"),
        (
            SHARES,
            {"preset": "yilmaz-is", "oracle": "stochastic"},
            "pool",
            "stochastic",
            "the same label each time",
        ),
        (NUMBERS, {"preset": "queue"}, "pool", "kind", "two or more classes"),
    ],
)
def test_one_obstacle_is_told_in_python_and_on_the_page(
    frame: pd.DataFrame, options: dict[str, Any], about: Any, found: Obstacle | None, said: str
) -> None:
    metric = "accuracy" if frame is SHARES else "rmse"
    study = sv.create_study(sv.Pool.from_frame(frame), metric=metric, budget=20, seed=1, **options)
    study.tell_all([(item, 1) for item in study.ask(5)])
    assert stopping.obstacle_of(study, about) == found
    if found is None:
        study.estimate(interval="anytime", about=about)
        return
    with pytest.raises(sv.InputError, match=said):
        study.estimate(interval="anytime", about=about)
    excuse = stopping.excuse(found, study.method)
    assert excuse.startswith("They are")
    assert "`" not in excuse


def test_a_study_whose_intervals_hold_at_every_look_is_told_that_those_about_the_future_do_not() -> None:
    """The library refused them, and the page showed others without a word."""
    study = begun("queue", "own", interval="anytime")
    with pytest.raises(sv.InputError, match="or, for a number of labels fixed beforehand, `interval`='korn-"):
        study.estimate(about="future")
    other = study.estimate(about="future", interval="korn-graubard")
    at = opened(study)
    assert not at.warning
    for shown in (
        fine(at.segmented_control(key="shown_about").set_value("future").run()),
        opened(begun("queue"), shown_anytime="true", shown_about="future"),
    ):
        assert shown.metric[0].delta == words.between(other)
        [told] = [w.value for w in shown.warning]
        assert told.startswith("Intervals that hold at every look are known for statements about this pool")
    at = opened(begun("queue", "other"), shown_about="future")
    assert not at.warning
    assert "Those about future items hold for a number of labels fixed beforehand." in said(at)


def test_while_intervals_hold_at_every_look_no_other_kind_is_on_offer() -> None:
    """It could be chosen, and nothing on the page changed."""
    study = begun("queue")
    kind = opened(study, shown_anytime="true", shown_interval="beta").selectbox(key="shown_interval")
    assert (kind.value, kind.disabled) == ("beta", True)
    assert "seen enough" in kind.help
    at = opened(study, shown_interval="beta")
    assert not at.selectbox(key="shown_interval").disabled
    assert "far less often" in at.selectbox(key="shown_interval").help
    at = fine(start("Results", 90, study=study.name, shown_anytime="true", shown_about="future"))
    assert not at.selectbox(key="shown_interval").disabled  # such intervals are not known there


def test_every_obstacle_to_anytime_intervals_has_words() -> None:
    assert {*WHERE_KNOWN, "design"} == set(get_args(Obstacle))


def test_where_a_value_is_exact_stopping_has_no_price() -> None:
    """With skipped items F1 was exactly 0, as nothing is predicted positive, and wagers left it open: "no wider now"."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.full(60, 0.3)}))
    study = sv.create_study(pool, metric="accuracy", budget=30, preset="uniform", seed=1)
    study.tell_all((item, sv.SKIP if item.place % 3 else item.place % 2) for item in study.ask(30))
    fixed, free = study.estimate("f1"), study.estimate("f1", interval="anytime")
    assert fixed.interval.width == 0 < free.interval.width
    assert stopping.cost(free, fixed, taken=False) == "You may stop now: no label left could change this."
