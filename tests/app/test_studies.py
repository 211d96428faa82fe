"""Label, Results and Studies without a browser: ordinary buttons, the oracle, sheets, the list of studies."""

from __future__ import annotations

import re
import sqlite3
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import bundle, frames, offline, report, sheets
from sampleval.intervals import INTERVALS
from sampleval.storage import Unavailable, database, pools_folder
from sampleval.study import Study, finding, label_of, likely_more, progress, prospect, summaries, towards_goal

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from PIL import Image
from streamlit.testing.v1 import AppTest

from sampleval.ui import goals, words
from sampleval.ui.contents import PAGES
from sampleval.ui.labelling import Answer, Card, Field, desk, pictures
from sampleval.ui.results import closer, verdict
from tests import pools
from tests.apps import fine, session, told, unbroken

EVIL = '<img src=x onerror="alert(1)"> [link](javascript:alert(1)) =1+1'


@pytest.fixture
def storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    url = f"sqlite:///{tmp_path / 'sampleval.db'}"
    monkeypatch.setenv("SAMPLEVAL_STORAGE", url)
    monkeypatch.setenv("SAMPLEVAL_DATA", str(tmp_path))
    return url


@pytest.fixture
def study(storage: str) -> Study:
    rng = np.random.default_rng(5)
    score = rng.beta(0.6, 1.4, 300)
    frame = pd.DataFrame({"id": [f"i{k}" for k in range(300)], "score": score, "text": EVIL, "n": range(300)})
    pool = sv.Pool.from_frame(frame, fields=["text", "n"])
    known = sv.Labels.from_frame(
        frame.assign(label=rng.random(300) < score).astype({"label": int}), pool, "label"
    )
    sv.Storage.at(storage).save_labels(known)
    return sv.create_study(
        pool, metric="f1", budget=40, preset="queue", seed=3, storage=storage, name="toxic & <b>new</b>"
    )


@pytest.fixture
def opened(study: Study) -> Callable[..., AppTest]:
    return partial(reached, study=study.name)


def reached(page: str, **query: str) -> AppTest:
    """A page that the user came to from the first one."""
    return unbroken(session(**query).run().switch_page(PAGES[page].file).run())


def button(app: AppTest, key: str) -> AppTest:
    return unbroken(app.button(key=key).click().run())


@pytest.mark.usefixtures("storage")
@pytest.mark.parametrize("page", ["Label", "Results", "Studies"])
def test_pages_without_a_study_say_what_to_do(page: str) -> None:
    assert "study" in reached(page).info[0].value


@pytest.mark.usefixtures("storage")
def test_a_link_to_a_study_that_is_gone_leads_to_those_there_are() -> None:
    app = reached("Label", study="gone")
    assert "There is no study 'gone' here" in app.error[0].value.replace("\\", "")
    assert any("which studies there are" in link.proto.label for link in app.get("page_link"))


@pytest.mark.parametrize("there", ["Results", "Label", "Plan"])
def test_a_study_renamed_in_another_tab_stays_open_in_this_one(
    storage: str, study: Study, opened: Callable[..., AppTest], there: str
) -> None:
    """Every link of this tab led to "There is no study of this name", though nothing of it was lost."""
    app = opened("Results")
    sv.Storage.at(storage).rename(study.name, "new name")
    fine(app.switch_page(PAGES[there].file).run())
    assert told(app, "study") == "new name"
    sv.Storage.at(storage).delete("new name")
    if there != "Plan":  # which needs no study
        assert "There is no study 'new name' here" in unbroken(app.run()).error[0].value.replace("\\", "")


def test_buttons_answer_skip_undo_and_note(study: Study, opened: Callable[..., AppTest]) -> None:
    app = opened("Label", plain="true", who="ada")
    [first] = study.ask(1)
    button(app, "plain_1")
    study.refresh()
    answer = study.state.given.current(0)
    assert answer is not None
    assert (answer.what.id, answer.what.label, answer.annotator) == (first.id, 1, "ada")
    button(app, "plain_skip")
    study.refresh()
    skipped = study.state.given.current(1)
    assert skipped is not None
    assert skipped.what.kind == "skip"
    button(app, "plain_undo")
    study.refresh()
    assert study.state.given.current(1) is None
    app.text_input(key="plain_note_text").input("odd one")
    app.button[[b.label for b in app.button].index("Keep note")].click().run()
    study.refresh()
    assert [note.text for _, note in study.state.notes] == ["odd one"]
    assert study.labels == 1


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for a database that another program holds."""
    monkeypatch.setattr(database, "BUSY", 0.01)


@contextmanager
def held_by_another(storage: str) -> Iterator[None]:
    """The database while another program writes to it without an end."""
    other = sqlite3.connect(storage.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("begin immediate")
    try:
        yield
    finally:
        other.execute("rollback")
        other.close()


def answered(study: Study) -> list[object]:
    """The standing answers, in the order of the queue."""
    study.refresh()
    return [
        label_of(study.pool.task, study.state.given.by_place[k][-1].what)
        for k in range(len(study.state.given))
    ]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("key", "then"),
    [
        ("plain_1", ["1", "1"]),
        ("plain_skip", ["1", sv.SKIP]),
        ("plain_undo", []),
        ("correct_0_0", ["0"]),
        ("correct_unsure", [sv.UNSURE]),
    ],
)
def test_a_press_that_the_storage_refuses_is_said_so_and_counts_the_next_time(
    key: str, then: list[object], study: Study, storage: str, opened: Callable[..., AppTest]
) -> None:
    """Such a press had ended in a traceback."""
    app = button(opened("Label", plain="true", who="ada"), "plain_1")
    unbroken(app.selectbox(key="correct_item").set_value(0).run())
    before = answered(study)
    with held_by_another(storage):
        said = button(app, key).error[0].value
    assert "database is locked; nothing was kept, try again" in said
    assert answered(study) == before
    assert not button(app, key).error
    assert answered(study) == then


@pytest.mark.usefixtures("hasty")
def test_a_note_that_could_not_be_kept_stays_to_be_sent_again(
    study: Study, storage: str, opened: Callable[..., AppTest]
) -> None:
    app = opened("Label", plain="true")
    app.text_input(key="plain_note_text").input("odd one")
    [keep] = [k for k, b in enumerate(app.button) if b.label == "Keep note"]
    with held_by_another(storage):
        unbroken(app.button[keep].click().run())
    assert app.text_input(key="plain_note_text").value == "odd one"
    unbroken(app.button[keep].click().run())
    study.refresh()
    assert [note.text for _, note in study.state.notes] == ["odd one"]
    assert app.text_input(key="plain_note_text").value == ""


@pytest.mark.usefixtures("hasty")
def test_a_difference_that_could_not_be_settled_is_said_so_beside_the_results(
    study: Study, storage: str
) -> None:
    [item] = study.ask(1)
    for who, label in (("ada", 1), ("bob", 0)):
        study.tell(item, label, annotator=who)
    app = reached("Results", study=study.name)
    [settle] = [b.key for b in app.button if b.key and b.key.startswith("settle_0") and "ada" in b.label]
    with held_by_another(storage):
        said = button(app, settle).error[0].value
    assert "nothing was kept" in said
    assert answered(study) == ["0"]
    assert not button(app, settle).error
    assert answered(study) == ["1"]


@pytest.mark.parametrize("positives", [0, 12])
def test_a_study_that_runs_out_of_items_says_so_and_not_that_its_budget_is_used_up(
    storage: str, positives: int
) -> None:
    score = np.r_[np.full(30 - positives, 0.2), np.full(positives, 0.8)]
    frame = pd.DataFrame({"score": score, "label": 1})
    pool = sv.Pool.from_frame(frame, fields=[])
    study = sv.create_study(pool, metric="precision", budget=25, storage=storage, name="few")
    study.answer(sv.Labels.from_frame(frame, pool), 25)
    assert study.labels == positives
    app = reached("Label", study="few")
    said = " ".join(alert.value for alert in [*app.success, *app.warning])
    assert ("No label can change the precision" in said) == (positives == 0)
    assert ("fewer than the budget allows" in said) == (positives == 12)
    assert "item of this budget" not in said


def test_a_decimal_comma_is_told_as_a_point_and_what_may_be_a_thousand_is_asked_again(storage: str) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": np.linspace(1.0, 9.0, 30)}))
    study = sv.create_study(pool, metric="rmse", budget=10, storage=storage, name="heights")
    app = reached("Label", study="heights", plain="true")
    save = [b.label for b in app.button].index("Save")
    for said in ("5,5", "1,234"):
        app.text_input(key="plain_number").input(said)
        app.button[save].click().run()
    assert "“1,234” is not clearly a number" in unbroken(app).warning[0].value
    study.refresh()
    assert [answer.what.label for answer in study.state.given.standing.values()] == [5.5]


def test_a_number_with_two_readings_or_far_from_all_others_counts_once_it_is_saved_again(
    storage: str,
) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": np.linspace(100.0, 90000.0, 30)}))
    study = sv.create_study(pool, metric="rmse", budget=10, storage=storage, name="prices")
    app = reached("Label", study="prices", plain="true")
    save = [b.label for b in app.button].index("Save")

    def told() -> list[float]:
        study.refresh()
        return [answer.what.label for answer in study.state.given.standing.values()]

    def saved(said: str) -> list[str]:
        app.text_input(key="plain_number").input(said)
        app.button[save].click().run()
        return [alert.value for alert in unbroken(app).warning]

    assert saved("250.50") == []
    [asked] = saved("250.000")
    assert (
        asked == "“250.000” is read as 250; if 250000 is meant, leave out the dot. Save it again to keep it."
    )
    assert told() == [250.5]
    assert saved("250.000") == []
    assert app.text_input(key="plain_number").value == ""
    [asked] = saved("9000000")
    assert asked.startswith("9000000 is far from all that was predicted or answered")
    assert saved("90000") == []  # corrected, and nothing is held against it
    [asked] = saved("9000000")
    assert saved("9000000") == []
    assert saved("8000000") == []  # so large a number is no surprise any more
    assert told() == [250.5, 250, 90000, 9e6, 8e6]
    for other in ("plain_skip", "plain_undo"):  # what was held back is not there to save for the next item
        assert saved("1.234") != []
        button(app, other)
        assert app.text_input(key="plain_number").value == ""
        assert not app.warning


def test_another_annotator_cannot_undo_the_first_ones_answer(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    button(opened("Label", plain="true", who="ada"), "plain_1")
    button(opened("Label", plain="true", who="bob"), "plain_undo")
    study.refresh()
    assert study.labels == 1


def test_user_text_is_shown_as_text(opened: Callable[..., AppTest]) -> None:
    app = opened("Label", plain="true")
    assert EVIL in [text.value for text in app.text]
    assert all("onerror" not in markdown.value for markdown in [*app.markdown, *app.caption])
    assert all("<b>" not in markdown.value.replace("\\<b\\>", "") for markdown in app.markdown)


def test_scores_stay_hidden_unless_asked_for(opened: Callable[..., AppTest]) -> None:
    assert not [c for c in opened("Label", plain="true").caption if "model says" in c.value]
    assert [c for c in opened("Label", plain="true", scores="true").caption if "model says" in c.value]


def test_the_oracle_answers_and_the_budget_can_be_extended(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    app = button(opened("Label", plain="true"), "oracle_Next_10")
    study.refresh()
    assert study.labels == 10
    button(app, "oracle_All_30")
    study.refresh()
    assert study.labels == 40
    assert "Done" in app.success[0].value
    app.number_input(key="more_labels").set_value(15)
    app.button[[b.label for b in app.button].index("Extend the budget")].click().run()
    study.refresh()
    assert study.budget == 55
    assert len(study.ask(20)) == 15


def test_the_oracle_does_not_go_on_in_another_study(storage: str) -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 200), "label": [0, 1] * 100})
    pool = sv.Pool.from_frame(frame)
    sv.Storage.at(storage).save_labels(sv.Labels.from_frame(frame, pool))
    other = sv.create_study(pool, metric="f1", budget=100, storage=storage, name="other", seed=1)
    sv.create_study(pool, metric="f1", budget=100, storage=storage, name="one")
    app = reached("Label", study="one")
    app.session_state["_oracle_left"] = app.session_state["_oracle_total"] = 100  # left in the middle of it
    app.query_params["study"] = "other"
    unbroken(app.run())
    other.refresh()
    assert other.labels == 0


@pytest.mark.parametrize(("budget", "most"), [(30, None), (25, 5)])
def test_a_budget_is_extended_up_to_the_pool_and_no_further(
    storage: str, budget: int, most: int | None
) -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 30), "label": [0, 1] * 15})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(pool, metric="f1", budget=budget, storage=storage, name="small")
    study.answer(sv.Labels.from_frame(frame, pool), budget)
    app = reached("Label", study="small")
    assert "Done" in app.success[0].value
    fields = [field for field in app.number_input if field.key == "more_labels"]
    assert [(field.value, field.max) for field in fields] == ([(most, most)] if most else [])


def test_items_whose_label_was_held_are_no_room_for_more(storage: str) -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 30), "label": [0, 1] * 15})
    pool = sv.Pool.from_frame(frame)
    held = {str(k): k % 2 for k in range(10)}
    study = sv.create_study(pool, metric="f1", budget=15, held=held, storage=storage, name="half")
    study.answer(sv.Labels.from_frame(frame, pool), 15)
    app = reached("Label", study="half")
    assert [field.max for field in app.number_input if field.key == "more_labels"] == [5]
    assert "10 known beforehand" in reached("Results", study="half").markdown[0].value
    study.extend(5)
    study.answer(sv.Labels.from_frame(frame, pool), 5)
    assert "Nothing is left to ask: the whole pool" in " ".join(
        c.value for c in reached("Label", study="half").caption
    )


def test_the_oracle_is_offered_only_where_it_knows_every_label(storage: str) -> None:
    """For an item without a known label it would answer "unsure", and spend the budget."""
    frame = pd.DataFrame({"score": np.linspace(0, 1, 30), "label": [0.0, 1.0] * 14 + [np.nan] * 2})
    pool = sv.Pool.from_frame(frame)
    known = sv.Labels.from_frame(frame, pool)
    sv.Storage.at(storage).save_labels(known)
    sv.create_study(pool, metric="f1", budget=20, storage=storage, name="some")
    app = reached("Label", study="some")
    assert not [key for b in app.button if (key := b.key or "").startswith("oracle")]


def test_guidelines_are_kept_with_the_study(
    storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    app = opened("Label")
    app.text_area(key=f"guide_text_{hash('')}").input("Insults count, irony does not.")
    app.button[[b.label for b in app.button].index("Save")].click().run()
    assert sv.load_study(study.name, storage).state.guidelines == "Insults count, irony does not."
    assert "Insults count, irony does not." in [text.value for text in opened("Label").text]


def test_a_form_shows_what_somebody_else_has_saved_meanwhile(
    storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    """The form had kept the old text, and saving it had restored that."""
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
    study.answer(known, 20)
    label, results, studies = opened("Label"), opened("Results"), opened("Studies")
    [line] = summaries(storage)
    study.guide("theirs")
    study.aim(0.1)
    sv.Storage.at(storage).rename(line.name, "their name")
    for page in (label, results):
        page.query_params["study"] = "their name"
    assert unbroken(label.run()).text_area[0].value == "theirs"
    assert [n.value for n in unbroken(results.run()).number_input if "how narrow" in n.label] == [0.1]
    assert "their name" in [t.value for t in unbroken(studies.run()).text_input]


def test_results_are_the_librarys(storage: str, study: Study, opened: Callable[..., AppTest]) -> None:
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
    study.answer(known, 30)
    app = opened("Results")
    estimate = study.estimate()
    assert app.metric[0].value == words.number(estimate.value)
    assert app.metric[0].delta == words.between(estimate)
    table = app.table[0].value
    assert list(table["Estimate"])[:4] == [words.number(e.value) for e in study.estimates()[:4]]
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


@pytest.mark.parametrize("metric", ["precision", "positives"])
def test_the_sentence_and_the_numbers_beside_it_have_the_same_limits(
    storage: str, study: Study, metric: str
) -> None:
    other = sv.create_study(study.pool, metric=metric, budget=40, storage=storage, name="other")
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
    other.answer(known, 20)
    app = reached("Results", study="other")
    total = other.metric(metric).total
    low, high = re.findall(r"[\d.,]+", app.metric[0].delta)[1:]
    ends = (
        [low, high] if total else [f"{100 * float(end):.{len(end) - len('0.00')}f}%" for end in (low, high)]
    )
    said = finding(other, other.estimate())
    assert f"at least {ends[0]} and at most {ends[1]} " in said.lower()
    assert f"{low}\xa0to\xa0{high}" in str(app.table[0].value.iloc[0, 2])
    assert f"{low} to {high}" in report.html(other)


@pytest.mark.parametrize(("preset", "warned"), [("queue", False), ("recommended", True)])
def test_beside_the_download_stands_whether_its_weights_give_the_estimate(
    storage: str, study: Study, preset: str, warned: bool
) -> None:
    other = sv.create_study(study.pool, metric="f1", budget=40, preset=preset, storage=storage, name="other")
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
    other.answer(known, 20)
    captions = [caption.value for caption in reached("Results", study="other").caption]
    assert any("not 1/inclusion" in caption and "300 items" in caption for caption in captions) == warned


def test_the_goal_is_set_on_results_and_followed_while_labelling(
    storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
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


@pytest.mark.parametrize("page", ["Results", "Label"])
def test_the_labels_that_a_goal_takes_are_allowed_with_one_press(
    storage: str, study: Study, opened: Callable[..., AppTest], page: str
) -> None:
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
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
    results = opened("Results")
    assert said in results.markdown[0].value
    counted = "In the results, *labels* counts all answers, those skipped and unsure included."
    assert counted in [c.value for c in results.caption]
    assert opened("Studies").get("progress")[0].proto.text == "5 of 40 answered"


def test_results_without_labels_say_so(opened: Callable[..., AppTest]) -> None:
    assert "No item was answered yet" in opened("Results").info[0].value


def test_a_study_of_what_is_known_beforehand_shows_it_or_says_that_no_label_can_change_it(
    storage: str, study: Study
) -> None:
    """Both said that no item was answered yet, as if an answer were to come."""
    pool = study.pool
    known = sv.Storage.at(storage).load_labels(pool)
    assert known is not None
    truth = known.by_id(pool)
    sv.create_study(pool, metric="f1", budget=9, held=truth, storage=storage, name="all")
    results, label = (fine(reached(page, study="all")) for page in ("Results", "Label"))
    assert results.metric[0].delta == "known exactly"
    assert "was known beforehand" in label.success[0].value
    found = {id: truth[id] for id, hit in zip(pool.ids.tolist(), pool.pred.tolist(), strict=True) if hit}
    sv.create_study(pool, metric="precision", budget=9, held=found, storage=storage, name="found")
    results, label = (fine(reached(page, study="found")) for page in ("Results", "Label"))
    assert results.metric[0].delta == "known exactly"
    right = np.mean([label == pool.task.classes[1] for label in found.values()])
    assert float(results.metric[0].value) == pytest.approx(right, abs=0.001)
    assert "was known beforehand" in label.success[0].value
    none = sv.Pool.from_frame(pd.DataFrame({"score": [0.1, 0.2, 0.3]}))
    sv.create_study(none, metric="precision", budget=2, storage=storage, name="none")
    for page in ("Results", "Label"):
        at = fine(reached(page, study="none"))
        assert "No label can change the precision here, so there is nothing to ask." in at.warning[0].value
        assert "appear" not in " ".join(shown.value for shown in [*at.info, *at.caption])


def test_the_report_is_one_safe_page(storage: str, study: Study) -> None:
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
    study.answer(known, 30)
    page = report.html(study)
    assert "<b>new" not in page
    assert "&lt;b&gt;new" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "<script" not in page
    assert words.number(study.estimate().value) in page
    assert f"random seed {study.settings.seed}" in page
    assert len(page) < 50_000


def send_back(app: AppTest, sheet: bytes) -> None:
    """Hand in a sheet of answers."""
    app.file_uploader(key="sheet_back").upload("answers.csv", sheet, "text/csv")
    app.button[[b.label for b in app.button].index("Read the answers")].click().run()


def test_a_sheet_of_refused_answers_is_no_success(study: Study, opened: Callable[..., AppTest]) -> None:
    filled = sheets.from_file(offline.write(study, 2))
    filled["answer"] = ["perhaps", "maybe"]
    app = opened("Label")
    send_back(app, filled.to_csv(index=False).encode())
    assert not app.success
    assert "**0** new." in [line.value for line in app.info]
    assert "2 lines could not be used." in [line.value for line in app.error]


def test_a_sheet_without_an_answer_is_no_success(study: Study, opened: Callable[..., AppTest]) -> None:
    """As where the filled-in sheet was not saved before it was sent."""
    app = opened("Label")
    send_back(app, offline.write(study, 2))
    assert not app.success
    assert "**0** new, 2 without an answer." in [line.value for line in app.info]


def test_ids_that_a_spreadsheet_changed_are_told(storage: str) -> None:
    """The command `estimate` had mentioned them, but the page had accepted the items silently."""
    frame = pd.DataFrame({"id": [f"{k:03d}" for k in range(1, 40)], "score": np.linspace(0, 1, 39)})
    study = sv.create_study(
        sv.Pool.from_frame(frame), metric="f1", budget=9, preset="queue", storage=storage, name="zeros"
    )
    sheet = sheets.from_file(offline.write(study, 2)).assign(answer="1")
    first, second = sheet["id"]
    sheet["id"] = sheet["id"].str.lstrip("0")
    app = reached("Label", study="zeros")
    send_back(app, sheet.to_csv(index=False).encode())
    told = [line.value for line in app.info if "changed by the spreadsheet" in line.value]
    assert len(told) == 1
    assert told[0].startswith("2 ids changed")
    assert first in told[0]
    assert second in told[0]


def test_results_lead_on_to_what_is_left(storage: str, study: Study, opened: Callable[..., AppTest]) -> None:
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
    study.answer(known, 5)
    assert "label more items" in links(opened("Results"))
    study.extend(study.pool.size - study.budget)
    study.answer(known, study.pool.size)
    assert "look at all studies" in links(opened("Results"))
    assert "label more items" not in links(opened("Results"))


def links(app: AppTest) -> str:
    """What the links of a page say."""
    return " ".join(link.proto.label for link in app.get("page_link"))


def test_a_sheet_goes_out_and_comes_back(study: Study, opened: Callable[..., AppTest]) -> None:
    filled = sheets.from_file(offline.write(study, 5))
    filled["answer"] = ["1", "0", "skip", "", "perhaps"]
    app = opened("Label")
    send_back(app, filled.to_csv(index=False).encode())
    assert not app.exception
    study.refresh()
    assert study.labels == 3
    assert "3" in next(s.value for s in app.success)
    assert any("1 line could not be used" in e.value for e in app.error)
    assert app.table[0].value["Why not"].tolist() == [
        "The answer must be no or yes, or 0 or 1; got 'perhaps'; correct it or leave it empty; skip and unsure are answers too."
    ]


def test_a_press_without_a_file_lets_go_of_what_became_of_the_last_sheet(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    filled = sheets.from_file(offline.write(study, 1)).assign(answer="perhaps")
    app = opened("Label")
    send_back(app, filled.to_csv(index=False).encode())
    assert len(app.error) == 1
    app.button[[b.label for b in app.button].index("Read the answers")].click().run()
    assert [w.value for w in fine(app).warning] == ["First choose a file above."]


def test_a_sheet_takes_no_more_items_than_the_round_has(storage: str, study: Study) -> None:
    rounds = sv.create_study(study.pool, metric="f1", budget=40, storage=storage, name="rounds")
    asked = len(rounds.ask(40))
    app = reached("Label", study="rounds")
    [number] = [n for n in app.number_input if n.label == "How many?"]
    assert number.max == number.value == asked < 40
    assert any(f"{asked} items of this round are left" in c.value for c in app.caption)


@pytest.mark.parametrize(("page", "press"), [("Studies", "Import"), ("Label", "Read the answers")])
def test_a_press_without_a_file_says_that_one_is_needed(
    page: str, press: str, opened: Callable[..., AppTest]
) -> None:
    app = opened(page)
    app.button[[b.label for b in app.button].index(press)].click().run()
    assert [w.value for w in unbroken(app).warning] == ["First choose a file above."]


def test_a_study_is_renamed_and_deleted_only_when_confirmed(
    storage: str, opened: Callable[..., AppTest]
) -> None:
    [line] = summaries(storage)
    app = opened("Studies")
    app.text_input(key=f"name_{line.id}_{line.name}").input("plain name")
    app.button[[b.label for b in app.button].index("Rename")].click().run()
    assert [s.name for s in summaries(storage)] == ["plain name"]
    assert app.button(key=f"delete_{line.id}").disabled
    app.checkbox(key=f"sure_{line.id}").check().run()
    button(app, f"delete_{line.id}")
    assert summaries(storage) == []


@pytest.mark.parametrize("press", ["create", "Rename"])
def test_a_name_is_as_long_as_the_storage_allows_and_a_longer_one_is_refused_in_words(
    press: str, storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    """The Plan page cut it at 80 characters without a word, while Rename allowed 200."""
    [line] = summaries(storage)
    page, field = ("Plan", "called") if press == "create" else ("Studies", f"name_{line.id}_{study.name}")
    app = opened(page)
    for name in ("n" * 201, "n" * 200):
        app.text_input(key=field).input(name)
        next(b for b in app.button if press in (b.key, b.label)).click().run()
        refused = [error.value for error in unbroken(app).error]
        assert [("1 to 200 printable characters" in said) for said in refused] == [True] * (len(name) > 200)
    assert name in [found.name for found in summaries(storage)]


def test_a_study_whose_data_are_gone_says_so_and_offers_nothing_that_needs_them(
    storage: str, opened: Callable[..., AppTest]
) -> None:
    [line] = summaries(storage)
    for file in Path(pools_folder(storage)).glob("*.parquet"):
        file.unlink()
    app = opened("Studies")
    assert any("its data are missing" in caption.value for caption in app.caption)
    assert app.button(key=f"resume_{line.id}").disabled
    assert app.button(key=f"again_{line.id}").disabled
    assert not app.text_input(key=f"name_{line.id}_{line.name}").disabled


def test_a_damaged_study_says_so_and_leaves_the_others_as_they_are(
    storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    sv.create_study(study.pool, metric="f1", budget=5, storage=storage, name="damaged")
    with closing(sqlite3.connect(storage.removeprefix("sqlite:///"))) as database, database:
        [id] = [line.id for line in summaries(storage) if line.name == "damaged"]
        database.execute("update events set kind = 'zoom' where study = ?", (id,))
    damaged, other = sorted(summaries(storage), key=lambda line: line.name != "damaged")
    app = opened("Studies")
    assert "another version" in app.error[0].value
    assert app.button(key=f"resume_{damaged.id}").disabled
    assert not app.button(key=f"resume_{other.id}").disabled


def test_a_refused_import_keeps_the_chosen_file(opened: Callable[..., AppTest], study: Study) -> None:
    app = opened("Studies")
    app.file_uploader[0].set_value(("s.zip", bundle_of(study), "application/zip"))
    for _ in range(2):  # the second press needs no file anew
        app.button[[b.label for b in app.button].index("Import")].click().run()
        assert "must be new" in unbroken(app).error[0].value
    app.text_input(key="import_name_0").input("a copy")
    app.button[[b.label for b in app.button].index("Import")].click().run()
    assert "a copy" in [box.value for box in unbroken(app).text_input]


def bundle_of(study: Study) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "study.zip"
        bundle.export_study(study, path)
        return path.read_bytes()


def test_a_refused_name_leaves_the_other_studies_on_the_page(
    storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    sv.create_study(study.pool, metric="f1", budget=5, storage=storage, name="taken")
    first, last = summaries(storage)
    app = opened("Studies")
    app.text_input(key=f"name_{first.id}_{first.name}").input(last.name)
    app.button[[b.label for b in app.button].index("Rename")].click().run()
    assert "must be new" in app.error[0].value
    assert not app.button(key=f"resume_{last.id}").disabled


def test_the_list_of_studies_calls_metrics_as_the_other_pages_do(storage: str) -> None:
    """A difference of two systems had been shown as code."""
    frame = pd.DataFrame({"old.score": np.linspace(0, 1, 20), "new.score": np.linspace(0, 1, 20) ** 2})
    pool, own = sv.Pool.from_frame(frame), replace(sv.metrics.resolve("accuracy"), name="mine")
    sv.create_study(pool, metric="f1[new - old]", budget=9, storage=storage, name="two")
    sv.create_study(pool, metric=own, budget=9, storage=storage, name="own")
    captions = [text.value for text in reached("Studies").caption]
    for title in ("F1 score, new − old", "mine"):
        assert any(text.startswith(f"{words.plain(title)} · ") for text in captions)


def test_the_list_of_studies_counts_what_the_study_counts(storage: str, study: Study) -> None:
    first, second = study.ask(2)
    study.tell(first, 1, annotator="ada", uuid="a")
    study.tell(first, 0, annotator="bob", uuid="b")
    study.tell(second, sv.SKIP, annotator="ada", uuid="c")
    study.undo(annotator="ada", answer="c", uuid="u")
    study.undo(annotator="ada", answer="c", uuid="u")
    study.extend(7)
    [line] = summaries(storage)
    assert (line.labels, line.budget, line.annotators) == (study.labels, study.budget, ("ada", "bob"))


def test_a_finished_study_says_nothing_of_the_time_left(study: Study, opened: Callable[..., AppTest]) -> None:
    for item in study.ask(40):
        study.tell(item, 1, seconds=2.0)
    assert [bar.text for bar in opened("Label").get("progress")] == [
        f"{words.plain(study.name)} · **40 of 40 answered**"
    ]


def test_progress_estimates_the_time_left_from_the_pace(study: Study) -> None:
    for seconds, item in zip((2.0, 4.0, 60.0), study.ask(3), strict=True):
        study.tell(item, 1, annotator="ada", seconds=seconds)
    at = progress(study.state)
    assert (at.labels, at.budget, at.seconds, at.left) == (3, 40, 4.0, 37 * 4.0)
    assert progress(study.state, annotator="bob").seconds == 4.0
    study.tell(study.ask(1)[0], 1, annotator="bob", seconds=9.0)
    assert progress(study.state, annotator="bob").seconds == 9.0
    study.tell(study.item(0), 1, annotator="eve", seconds=0.0)
    assert progress(study.state, annotator="eve").seconds == 0.0


def test_an_inbox_takes_each_event_once_and_refuses_for_good(study: Study) -> None:
    box = desk.Inbox(study, "ada")
    [item] = study.ask(1)
    answers = [
        Answer("u1", "label", item.id, "1", 1.0),
        Answer("u2", "label", "not asked", "1", 1.0),
        Answer("u3", "undo", "", "gone", 0.0),
    ]
    assert box.take(answers) == 3
    assert box.take(answers) == 0
    assert all(answer.uuid in box for answer in answers)
    [said] = box.complaints
    assert study.labels == 1
    box.take([Answer("u4", "label", "not asked", "1", 1.0)])
    assert box.complaints == [said]  # it stood on the page once more with every press


def test_a_refusal_is_told_until_the_item_has_its_answer(study: Study) -> None:
    box, [item] = desk.Inbox(study, "ada"), study.ask(1)
    box.take([Answer("u1", "label", item.id, "maybe", 1.0), Answer("u2", "note", "not asked", "hm", 0.0)])
    [maybe, note] = box.complaints
    box.take([Answer("u3", "note", item.id, "hm", 0.0)])
    assert box.complaints == [maybe, note]  # of the item itself nothing is known yet
    box.take([Answer("u4", "label", item.id, "1", 1.0)])
    assert box.complaints == [note]
    assert "u1" in box


def test_a_refusal_is_no_longer_told_once_the_item_was_answered_elsewhere(study: Study) -> None:
    """In another tab, in the list of corrections or in a sheet: it asked for an answer that was there."""
    box, [one, two] = desk.Inbox(study, "ada"), study.ask(2)
    study.tell(two, 0)
    box.take([Answer(f"u{item.id}", "label", item.id, "maybe", 1.0) for item in (one, two)])
    [said, again] = box.complaints
    study.tell(one, 1)
    assert box.complaints == [again]  # that one's answer is older than the refusal
    study.tell(two, 1)
    assert box.complaints == []
    assert said != again


def test_an_answer_that_the_database_cannot_take_now_is_not_refused(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser keeps an answer that was not stored, and sends it again."""
    box, [item] = desk.Inbox(study, "ada"), study.ask(1)
    answers = [Answer("u1", "label", item.id, "1", 1.0)]

    def locked(*_: object, **__: object) -> None:
        raise Unavailable("`storage` cannot be used now: database is locked")

    with monkeypatch.context() as patched:
        patched.setattr(study, "tell", locked)
        with pytest.raises(Unavailable):
            box.take(answers)
    assert "u1" not in box
    assert box.take(answers) == 1
    assert (study.labels, box.complaints) == (1, [])


def test_what_the_database_cannot_take_now_is_told_with_what_helps(study: Study) -> None:
    box = desk.Inbox(study, "ada")
    with box.patience():
        raise Unavailable("`storage` cannot be used now: disk is full; nothing was kept, free space on it")
    assert box.away == "`storage` cannot be used now: disk is full; not stored yet, free space on it"
    with box.patience():
        pass
    assert box.away == ""


def test_pictures_are_pixels_and_nothing_else() -> None:
    pixels = np.arange(784, dtype=np.uint8).tobytes()
    uri = pictures.picture(pixels)
    assert uri is not None
    with Image.open(BytesIO(b64decode(uri.split(",")[1]))) as image:
        assert image.size == (28, 28)
        assert image.tobytes() == pixels
    assert pictures.picture(b"<svg onload=alert(1)></svg>") is None
    assert pictures.picture("data:image/svg+xml;base64,AAAA") is None
    assert desk.field_of("x", b"<svg>").kind == "text"
    assert [desk.field_of("x", x).value for x in (1234567.5, 2020.0, 0.1 + 0.2)] == [
        "1234567.5",
        "2020",
        "0.3",
    ]


def encoded(form: str, width: int, height: int) -> str:
    """A picture of one colour as a data URI."""
    body = BytesIO()
    Image.new("RGB", (width, height), "teal").save(body, form)
    found = pictures.picture(body.getvalue())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("width", "height", "shown"), [(8, 8, 224), (28, 28, 224), (10, 50, 40), (112, 60, 224), (113, 9, 0)]
)
def test_a_tiny_picture_is_enlarged_by_whole_pixels(width: int, height: int, shown: int) -> None:
    assert pictures.enlarged(encoded("PNG", width, height)) == shown
    assert pictures.enlarged(encoded("JPEG", width, height)) == shown


def test_of_a_broken_picture_no_size_is_told() -> None:
    whole = encoded("PNG", 8, 8)
    for broken in (
        whole[:40],
        whole[:35] + "%%%",
        "data:image/png;base64,",
        "data:image/jpeg;base64,/9j/AAAA",
    ):
        assert pictures.enlarged(broken) == 0


def test_a_tiny_picture_is_not_blurred_beside_ordinary_buttons(storage: str) -> None:
    frame = pd.DataFrame({"score": np.linspace(0.1, 0.9, 20), "image": [bytes(64)] * 20})
    study = sv.create_study(sv.Pool.from_frame(frame), metric="f1", budget=9, storage=storage, name="digits")
    study.tell(study.ask(1)[0], 1)
    app = reached("Label", study="digits", plain="true")
    unbroken(app.selectbox(key="correct_item").select_index(0).run())
    boxes = [block.proto.id for block in app.get("flex_container") if "pixels" in block.proto.id]
    assert len(boxes) == 2


def test_heavy_cards_are_sent_a_few_at_a_time() -> None:
    def of(size: int) -> list[Card]:
        return [Card(str(k), (Field("scan", "text", "x" * size),)) for k in range(20)]

    assert [len(desk.ahead(of(size))) for size in (1_000, 480_000, 5_000_000)] == [20, 4, 2]


def test_density_is_the_beta_behind_the_interval(storage: str, study: Study) -> None:
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
    study.answer(known, 30)
    estimate = study.estimate(interval="beta")
    curve = frames.density(estimate, study.metric(), study.pool.size)
    inside = curve[curve["value"].between(estimate.interval.low, estimate.interval.high)]
    assert np.trapezoid(inside["density"], inside["value"]) == pytest.approx(0.9, abs=0.02)
    middle = curve.iloc[len(curve) // 2]
    assert study.probability_above(middle["value"], interval="beta") == pytest.approx(
        middle["above"], abs=1e-6
    )


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
    curve = closer.curve(study, estimate, closer.View(0.9, "posterior", "pool"))
    at = curve.iloc[(curve["value"] - estimate.value).abs().argmin()]
    assert at["density"] > 0.9 * curve["density"].max()
    assert closer.drawn_from(study, estimate).endswith("with expected values in place of missing answers")
    for place, id_ in enumerate(pool.ids[study.state.queue]):
        if place % 9 == 0:
            study.tell(id_, labels.by_id(pool)[id_])
    assert closer.drawn_from(study, study.estimate()) == "What the labels leave possible"
    assert closer.drawn_from(study, study.estimate(interval="beta")).endswith("mean and variance")


@pytest.mark.parametrize("caption", ["photo_id", "row"])
def test_an_item_of_which_nothing_else_is_known_shows_its_id(caption: str) -> None:
    """The Data page announces this for such a table, since an empty card could not be looked up anywhere."""
    frame = pd.DataFrame({"photo_id": ["img17", "img18"], "score": [0.4, 0.6]})
    pool = sv.Pool.from_frame(frame if caption == "photo_id" else frame[["score"]])
    assert any("Nothing but the id is shown" in line for line in pool.report)
    study = sv.create_study(pool, metric="accuracy", budget=2)
    items = study.ask(2)
    cards = desk.cards(study, items)
    assert [card.fields for card in cards] == [(Field(caption, "text", item.id),) for item in items]


def test_each_draw_of_a_stochastic_oracle_is_a_card_of_its_own() -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "score": [0.4, 0.6]})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(pool, metric="f1", budget=2, preset="yilmaz-is", oracle="stochastic", seed=1)
    box = desk.Inbox(study, "")
    while items := study.ask(20):
        cards = desk.cards(study, items)
        assert len({card.id for card in cards}) == len(cards)
        box.take([Answer(f"u{items[0].place}", "label", cards[0].id, "1", 1.0)])
    assert box.complaints == []
    assert study.labels == len(study.state.queue) > 0


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


def test_the_live_chart_includes_every_answer_of_a_sample_smaller_than_the_budget(storage: str) -> None:
    """Otherwise the last answers of a sample of random size would never show, and the goal would ask for them again."""
    frame = pd.DataFrame({"score": np.linspace(0, 1, 200), "label": [0, 1] * 100})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(
        pool, metric="accuracy", budget=40, preset="yilmaz-bs", storage=storage, name="random", seed=3
    )
    while items := study.ask(20):
        study.tell_all((item, int(item.id) % 2) for item in items)
    assert study.labels < study.budget
    assert study.labels % 5
    study.aim(0.05)
    app = reached("Label", study="random")
    assert app.metric[0].label == f"Accuracy after {study.labels} answers"
    more = likely_more(prospect(study, study.estimate(), 0.05))
    assert app.button(key="allow_goal").label == f"Allow {more} more labels"


@pytest.mark.parametrize("given", [40, 33], ids=["at the end", "before it"])
def test_the_live_estimate_follows_corrections(
    study: Study, opened: Callable[..., AppTest], given: int
) -> None:
    """A correction does not change the number of answers. The chart uses the first 40 of 40 answers, or 30 of 33."""
    items = study.ask(given)
    study.tell_all((item, int(int(item.id[1:]) % 3 == 0)) for item in items)
    app, drawn = opened("Label"), given - given % 5
    assert "The estimate so far" in app.get("plotly_chart")[0].proto.spec
    assert "live_csv" in [button.key for button in app.get("download_button")]
    before = app.metric[0].value
    assert before == words.number(study.estimate(labels=drawn).value)
    study.tell_all((item, int(int(item.id[1:]) % 3 != 0)) for item in items[:8])
    after = words.number(study.estimate(labels=drawn).value)
    assert after != before
    assert unbroken(app.run()).metric[0].value == after


def test_the_live_estimate_says_why_there_is_none(storage: str) -> None:
    """A "–" alone above an empty chart looked like a malfunction."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [k / 40 for k in range(40)]}))
    study = sv.create_study(pool, metric="f1", budget=20, storage=storage, name="none")
    study.tell_all((item, 0) for item in study.ask(5))
    at = reached("Label", study="none")
    assert at.metric[0].value == "–"
    assert any("no positive is among the labels yet" in c.value for c in at.caption)


def test_a_label_or_two_more_are_not_offered_where_nobody_can_foretell_them(
    study: Study, storage: str
) -> None:
    """Otherwise, once the goal's labels were allowed, one more label would be asked for every few answers."""
    known = sv.Storage.at(storage).load_labels(study.pool)
    assert known is not None
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
    at = reached("Label", study="tiny")
    assert any("appear here after 3 answers" in c.value for c in at.caption)
    denied = "need not add up to the 3 items"
    study.tell(study.ask(1)[0].id, 1)
    assert any(denied in c.value for c in reached("Results", study="tiny").caption)
    while items := study.ask(1):
        study.tell(items[0].id, 1)
    assert not any(denied in c.value for c in reached("Results", study="tiny").caption)
