"""The Results page: the library's numbers, goals, what is left to do, and the report."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import asdict
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames, report
from sampleval.intervals import INTERVALS
from sampleval.planning.sentences import FORECAST
from sampleval.study import Study, bought, finding, likely_more, prospect, towards_goal
from sampleval.study.conclusions.future import About

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

from sampleval.ui import goals, words
from sampleval.ui.results import downloads, one_metric, verdict
from tests import pools
from tests.apps import fine, start, unbroken


def test_results_are_the_librarys(study: Study, known: sv.Labels, opened: Callable[..., AppTest]) -> None:
    study.answer(known, 30)
    app = opened("Results")
    estimate = study.estimate()
    assert app.metric[0].value == words.number(estimate.value)
    assert app.metric[0].delta == words.between(estimate)
    table = app.table[0].value
    assert list(table["Estimate"])[:4] == [words.number(e.value) for e in study.estimates()[:4]]
    apart = ", ".join(m.title for m in map(study.metric, study.scalars) if not m.fraction)
    told = f"Only in the table, because their scales differ: {words.plain(apart)}."
    assert told in [caption.value for caption in app.caption]
    in_words = finding(study, estimate)
    assert any(in_words in heading.value.replace("\\", "") for heading in app.header)
    said = verdict.question("F1 score", 0.8, study.probability_above(0.8))
    assert any(said in heading.value.replace("\\", "") for heading in app.subheader)
    app.selectbox(key="shown_metric").select("recall").run()
    in_words = finding(study, study.estimate("recall"))
    assert any(in_words in markdown.value.replace("\\", "") for markdown in app.markdown)
    assert not set(INTERVALS) & set(app.selectbox(key="shown_interval").options)  # words, not keys
    app.selectbox(key="shown_interval").select("beta").run()
    assert app.metric[0].delta == words.between(study.estimate(interval="beta"))
    app.toggle(key="reveal").set_value(True).run()
    assert not app.exception
    study.answer(known, 10)  # by somebody else, while the page is open
    unbroken(app.run())
    assert app.metric[0].value == words.number(study.estimate().value) != words.number(estimate.value)
    assert list(app.table[0].value["Estimate"])[:4] == [words.number(e.value) for e in study.estimates()[:4]]


@pytest.mark.parametrize("metric", ["precision", "positives"])
def test_the_sentence_and_the_numbers_beside_it_have_the_same_limits(
    storage: str, study: Study, known: sv.Labels, metric: str
) -> None:
    other = sv.create_study(
        study.pool, metric=metric, budget=40, preset="queue", storage=storage, name="other"
    )
    other.answer(known, 20)
    app = start("Results", study="other")
    total = other.metric(metric).total
    low, high = re.findall(r"[\d.,]+", app.metric[0].delta)[1:]
    ends = (
        [low, high] if total else [f"{100 * float(end):.{len(end) - len('0.00')}f}%" for end in (low, high)]
    )
    said = finding(other, other.estimate())
    assert f"at least {ends[0]} and at most {ends[1]} " in said.lower()
    assert f"{low}\xa0to\xa0{high}" in str(app.table[0].value.iloc[0, 2])
    assert f"{low} to {high}" in report.html(other)


def test_the_distribution_is_that_of_the_metric_about_what_is_chosen(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = sv.create_study(study.pool, metric="f1", budget=20, name="own")
    own.tell_all([(item, int(item.id[-1]) % 2) for item in own.ask(20)])
    monkeypatch.setattr(frames, "density_of_limits", lambda limits: limits(0.9))
    abouts: list[About] = ["pool", "future"]
    for about, name in product(abouts, ("f1", "recall")):
        options = one_metric.EstimateOptions(0.9, "posterior", about)
        estimate = own.estimate(name, **asdict(options))
        assert one_metric.by_limits(own, estimate)
        assert one_metric.density_curve(own, estimate, options) == estimate.interval


def test_what_only_missing_answers_leave_open_is_not_said_to_lack_variation() -> None:
    frame = pd.DataFrame({"score": np.linspace(0.02, 0.98, 12)})
    study = sv.create_study(sv.Pool.from_frame(frame), metric="accuracy", budget=12, preset="queue")
    items = study.ask(12)
    study.tell_all([(items[0], sv.SKIP), *((item, int(item.id) % 2) for item in items[1:])])
    said = one_metric.undrawn(study, study.estimate())
    assert said == "Only missing answers leave it open, and nothing tells which value is likelier."


def test_the_downloads_hold_what_the_page_shows(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    study.tell_all([(item, 1) for item in study.ask(20)])
    files: dict[str, Any] = {}
    monkeypatch.setattr(
        "streamlit.download_button", lambda label, make, **_more: files.update({label: make()})
    )
    options = one_metric.EstimateOptions(0.5, "beta", "future")
    downloads.show(study, study.estimates(**asdict(options)), options)
    rows = pd.read_csv(io.BytesIO(files["Results (CSV)"]))
    assert (set(rows["level"]), set(rows["about"])) == ({0.5}, {"future"})
    assert (
        words.between(study.estimate(**asdict(options))).removeprefix("50% interval ")
        in files["Report (HTML)"]
    )
    assert words.between(study.estimate()).removeprefix("90% interval ") not in files["Report (HTML)"]
    assert len(pd.read_csv(io.BytesIO(files["Labels and weights (CSV)"]))) == 20


def test_files_agree_though_somebody_labels_while_the_page_is_open(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report knew of later labels, and the results beside it did not."""
    study.tell_all([(item, 1) for item in study.ask(20)])
    files: dict[str, Any] = {}
    monkeypatch.setattr("streamlit.download_button", lambda label, make, **_more: files.update({label: make}))
    options = one_metric.EstimateOptions(0.9, study.method.interval, "pool")
    downloads.show(study, study.estimates(**asdict(options)), options)
    study.tell_all([(item, 0) for item in study.ask(10)])
    rows = pd.read_csv(io.BytesIO(files["Results (CSV)"]()))
    assert set(rows["labels"]) == {30}
    assert len(pd.read_csv(io.BytesIO(files["Labels and weights (CSV)"]()))) == 30
    assert "30 answers" in files["Report (HTML)"]()


@pytest.mark.parametrize(
    ("preset", "said"),
    [
        ("queue", set()),
        ("recommended", {"the 300 items of the pool; weighted sums are not"}),
        ("marchant-is", {"1 − Σ *weight* over wrong decisions / 300"}),
    ],
)
def test_beside_the_download_stands_whether_its_weights_give_the_estimate(
    storage: str, study: Study, known: sv.Labels, preset: str, said: set[str]
) -> None:
    other = sv.create_study(study.pool, metric="f1", budget=40, preset=preset, storage=storage, name="other")
    other.answer(known, 8)
    captions = [caption.value for caption in start("Results", study="other").caption]
    told = {"the 300 items of the pool; weighted sums are not", "1 − Σ *weight* over wrong decisions / 300"}
    assert {words for words in told if any(words in caption for caption in captions)} == said
    [own] = [caption for caption in captions if "estimates of your own" in caption]
    assert ("weighted sums are not" in own.partition("of your own")[0]) == (preset == "recommended")
    assert not any("outside the queue" in caption for caption in captions)


def test_beside_the_download_stands_how_labels_known_beforehand_are_marked(
    storage: str, study: Study, known: sv.Labels
) -> None:
    held = dict(list(known.by_id(study.pool).items())[:5])
    other = sv.create_study(study.pool, metric="f1", budget=40, held=held, storage=storage, name="other")
    other.answer(known, 8)
    captions = [caption.value for caption in start("Results", study="other").caption]
    assert any(
        "have the *status* held and, outside the queue, the *place* −1" in caption for caption in captions
    )


def test_the_goal_is_set_on_results_and_followed_while_labelling(
    study: Study, known: sv.Labels, opened: Callable[..., AppTest]
) -> None:
    study.answer(known, 20)
    app = opened("Results")
    app.number_input(key="goal_half_None").set_value(0.05)
    next(button for button in app.button if button.label == "Save").click().run()
    assert not app.exception
    study.refresh()
    assert study.goal == 0.05
    expected = towards_goal(study, study.estimate(), 0.05)
    for page in (app, opened("Label")):
        shown = [markdown.value.replace("\\", "").replace("\xa0", " ") for markdown in page.markdown]
        assert any(expected in text for text in shown)


def test_a_goal_is_given_up_by_emptying_it(study: Study, opened: Callable[..., AppTest]) -> None:
    """Its field says so, but the goal came back."""
    study.tell_all([(item, 1) for item in study.ask(5)])
    study.aim(0.05)
    app = opened("Results")
    assert app.number_input(key="goal_half_0.05").value == 0.05
    app.number_input(key="goal_half_0.05").set_value(None)
    unbroken(next(button for button in app.button if button.label == "Save").click().run())
    study.refresh()
    assert study.goal is None


def test_a_goal_says_that_it_is_about_this_pool_where_future_items_are_looked_at(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    study.tell_all([(item, 1) for item in study.ask(5)])
    study.aim(0.05)
    app = opened("Results", shown_about="future")
    assert any("The goal" in said.value and "about this pool" in said.value for said in app.markdown)
    assert any("The sections below are about this pool" in said.value for said in app.caption)


def test_sections_below_are_not_said_to_have_a_kind_of_interval_that_they_lack(
    storage: str, study: Study, known: sv.Labels
) -> None:
    """Of a study with Beta intervals they were said to keep these, but curves never have any."""
    other = sv.create_study(
        study.pool, metric="f1", budget=40, preset="yilmaz-bs", storage=storage, name="other"
    )
    other.answer(known, 20)
    for kind, told in (("beta", 0), ("korn-graubard", 1)):
        captions = [text.value for text in start("Results", study="other", shown_interval=kind).caption]
        assert sum("the sections below keep theirs" in text for text in captions) == told
        assert not any("keep" in text and "Beta" in text for text in captions)


def test_results_say_what_more_labels_would_buy(
    study: Study, known: sv.Labels, opened: Callable[..., AppTest]
) -> None:
    """Only the labels to halve the interval, and those to the goal, were told."""
    study.answer(known, 40)
    app = opened("Results")
    for more in (50, 200):
        app.number_input(key="bought").set_value(more).run()
        said = words.plain(bought(study, study.estimate(), more)).replace("± ", "±\N{NO-BREAK SPACE}")
        assert said in [text.value for text in app.markdown]
    assert not app.exception
    assert FORECAST in [each.value for each in app.caption]  # a range has no level otherwise
    app.number_input(key="bought").set_value(study.pool.size - 40).run()
    assert any("it would be known exactly." in text.value for text in app.markdown)
    assert FORECAST not in [each.value for each in app.caption]  # there are no brackets
    assert "bought" not in [field.key for field in opened("Results", shown_about="future").number_input]


@pytest.mark.parametrize("page", ["Results", "Label"])
def test_the_labels_that_a_goal_takes_are_allowed_with_one_press(
    study: Study, known: sv.Labels, opened: Callable[..., AppTest], page: str
) -> None:
    study.answer(known, 40)
    study.aim(0.08)
    more = likely_more(prospect(study, study.estimate(), 0.08))
    assert 0 < more < 260
    app = opened(page)
    if page == "Label":
        assert app.number_input(key="more_labels").value == more
    assert app.button(key="allow_goal").label == f"Allow {more} more labels"
    app.button(key="allow_goal").click().run()
    assert not app.exception
    study.refresh()
    assert study.budget == 40 + more
    assert "allow_goal" not in [button.key for button in app.button]  # the budget holds them now


def test_what_was_skipped_is_counted_as_the_budget_counts_it_and_named(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    items = study.ask(5)
    for item, answer in zip(items, [1, 0, sv.SKIP, sv.UNSURE, sv.SKIP], strict=True):
        study.tell(item, answer)
    said = "5 of 40 answered (2 skipped, 1 unsure)"
    assert said in opened("Label").get("progress")[0].proto.text
    results = opened("Results", detail="confusion")
    assert said in results.markdown[0].value
    assert any("items without an answer approximately" in c.value for c in results.caption)
    counted = "In the results, *labels* counts all answers, those skipped and unsure included."
    assert counted in [c.value for c in results.caption]
    assert opened("Studies").get("progress")[0].proto.text == "5 of 40 answered"


def test_results_without_labels_say_so(opened: Callable[..., AppTest]) -> None:
    assert "No item was answered yet" in opened("Results").info[0].value


def test_a_study_of_what_is_known_beforehand_shows_it_or_says_that_no_label_can_change_it(
    storage: str, study: Study, known: sv.Labels
) -> None:
    """Both said that no item was answered yet, as if an answer were to come."""
    pool = study.pool
    truth = known.by_id(pool)
    sv.create_study(pool, metric="f1", budget=9, held=truth, storage=storage, name="all")
    results, label = (fine(start(page, study="all")) for page in ("Results", "Label"))
    assert results.metric[0].delta == "known exactly"
    assert "It was known before the first answer." in [shown.value for shown in results.caption]
    assert "reveal" not in [
        shown.key for shown in results.toggle
    ]  # it broke the picture, which had no estimate
    assert "was known beforehand" in label.success[0].value
    found = {id: truth[id] for id, hit in zip(pool.ids.tolist(), pool.pred.tolist(), strict=True) if hit}
    sv.create_study(pool, metric="precision", budget=9, held=found, storage=storage, name="found")
    results, label = (fine(start(page, study="found")) for page in ("Results", "Label"))
    assert results.metric[0].delta == "known exactly"
    right = np.mean([label == pool.task.classes[1] for label in found.values()])
    assert float(results.metric[0].value) == pytest.approx(right, abs=0.001)
    assert "was known beforehand" in label.success[0].value
    none = sv.Pool.from_frame(pd.DataFrame({"score": [0.1, 0.2, 0.3]}))
    sv.create_study(none, metric="precision", budget=2, storage=storage, name="none")
    for page in ("Results", "Label"):
        at = fine(start(page, study="none"))
        assert "No label can change the precision here, so there is nothing to ask." in at.warning[0].value
        assert "appear" not in " ".join(shown.value for shown in [*at.info, *at.caption])


def test_results_lead_on_to_what_is_left(
    study: Study, known: sv.Labels, opened: Callable[..., AppTest]
) -> None:
    study.answer(known, 5)
    assert "label more items" in links(opened("Results"))
    study.answer(known, study.budget)
    assert "extend the budget" in links(opened("Results"))
    study.extend(study.pool.size - study.budget)
    study.answer(known, study.pool.size)
    assert "look at all studies" in links(opened("Results"))
    assert "label more items" not in links(opened("Results"))


def links(app: AppTest) -> str:
    """What the links of a page say."""
    return " ".join(link.proto.label for link in app.get("page_link"))


def test_the_drawn_distribution_has_one_peak_when_items_are_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Limits that were stretched for missing answers do not describe a distribution: the picture had two peaks."""
    monkeypatch.setattr("streamlit.session_state", {})
    pool, labels = pools.binary(200)
    study = sv.create_study(pool, metric="f1", budget=40, seed=3)
    while items := study.ask(10):
        for item in items:
            study.tell(item.id, sv.SKIP if item.place % 9 == 0 else labels.by_id(pool)[item.id])
    estimate = study.estimate()
    assert estimate.interval.method == "posterior"
    curve = one_metric.density_curve(study, estimate, one_metric.EstimateOptions(0.9, "posterior", "pool"))
    at = curve.iloc[(curve["value"] - estimate.value).abs().argmin()]
    assert at["density"] > 0.9 * curve["density"].max()
    assert one_metric.drawn_from(study, estimate).endswith("with expected values in place of missing answers")
    for place, id_ in enumerate(pool.ids[study.state.queue]):
        if place % 9 == 0:
            study.tell(id_, labels.by_id(pool)[id_])
    assert one_metric.drawn_from(study, study.estimate()) == "What the labels leave possible"
    assert one_metric.drawn_from(study, study.estimate(interval="beta")).endswith("mean and variance")


@pytest.mark.parametrize("label", [0, 1, sv.SKIP], ids=str)
def test_the_results_page_works_from_the_first_answer_on(
    study: Study, opened: Callable[..., AppTest], label: object
) -> None:
    [item] = study.ask(1)
    study.tell(item, label)
    app = opened("Results")
    assert not app.exception
    assert not app.error
    assert app.metric[0].value in ("–", "1.000", "0.000")


def test_a_label_or_two_more_are_not_offered_where_nobody_can_foretell_them(
    study: Study,
    known: sv.Labels,
) -> None:
    """Otherwise, once the goal's labels were allowed, one more label would be asked for every few answers."""
    study.answer(known, 40)
    study.aim(0.08)
    estimate = study.estimate()
    likely = likely_more(prospect(study, estimate, 0.08))
    assert goals.beyond(study, estimate) == likely
    study.extend(likely - 2)
    assert goals.beyond(study, estimate) == 0
    assert goals.proposed(study) > 0


def test_a_tiny_study_promises_its_number_when_it_will_have_it(storage: str) -> None:
    """Of three items it was promised after five answers; and once all were known, weights that add up were denied."""
    frame = pd.DataFrame({"score": [0.2, 0.6, 0.9], "label": [0, 1, 1]})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(pool, metric="f1", budget=3, storage=storage, name="tiny")
    at = start("Label", study="tiny")
    assert any("appear here after 3 answers" in c.value for c in at.caption)
    denied = "need not add up to the 3 items"
    study.tell(study.ask(1)[0].id, 1)
    assert any(denied in c.value for c in start("Results", study="tiny").caption)
    while items := study.ask(1):
        study.tell(items[0].id, 1)
    assert not any(denied in c.value for c in start("Results", study="tiny").caption)


@pytest.mark.parametrize(
    ("probability", "at_most", "expected"),
    [(1.0, False, "Yes,"), (0.0, True, "No,"), (1 - 1e-9, False, "over 99%")],
)
def test_only_what_is_exact_is_certain(probability: float, at_most: bool, expected: str) -> None:
    assert expected in verdict.question("F1 score", 0.8, probability, at_most=at_most)
