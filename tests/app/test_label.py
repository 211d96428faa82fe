"""The Label page with ordinary buttons: answers, notes, corrections, guidelines and the goal, and what the storage refuses."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.storage import files
from sampleval.study import Study, label_of, summaries

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

from sampleval.ui import words
from sampleval.ui.pages import PAGES
from tests.app.steps import EVIL, button
from tests.apps import fine, start, told, unbroken


@pytest.mark.usefixtures("storage")
@pytest.mark.parametrize("page", ["Label", "Results", "Studies"])
def test_pages_without_a_study_say_what_to_do(page: str) -> None:
    assert "study" in start(page).info[0].value


@pytest.mark.usefixtures("storage")
def test_a_link_to_a_study_that_is_gone_leads_to_those_there_are() -> None:
    app = start("Label", study="gone")
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
    app.query_params["study"] = (
        study.name
    )  # as by the back button, after the page has opened it under the new name
    assert told(fine(app.run()), "study") == "new name"
    sv.Storage.at(storage).delete("new name")
    if there != "Plan":  # which needs no study
        assert "There is no study 'new name' here" in unbroken(app.run()).error[0].value.replace("\\", "")


def test_buttons_answer_skip_undo_and_note(study: Study, opened: Callable[..., AppTest]) -> None:
    app = opened("Label", plain="true", who="ada")
    assert any("appear here after 5 answers" in caption.value for caption in app.caption)
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
    assert [(who, note.text) for who, note in study.state.notes] == [("ada", "odd one")]
    assert study.labels == 1


def test_a_button_that_replaces_another_window_s_answer_says_so(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    app = opened("Label", plain="true")
    [first] = study.ask(1)
    study.tell(first, 0)  # while the page shows the item
    button(app, "plain_1")
    assert [f"While {first.id} was shown here" in toast.value for toast in app.toast] == [True]
    button(app, "plain_1")
    assert not app.toast  # of an item that nobody else answered


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for a database that another program holds."""
    monkeypatch.setattr(files, "BUSY", 0.01)


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


@pytest.mark.usefixtures("hasty", "study")
@pytest.mark.parametrize(
    ("plain", "kept"), [("true", "All earlier answers are stored"), ("false", "kept in this browser")]
)
def test_where_the_storage_is_away_the_desk_says_what_becomes_of_the_answers(
    plain: str, kept: str, storage: str, opened: Callable[..., AppTest]
) -> None:
    with held_by_another(storage):  # the first round cannot be opened
        app = unbroken(opened("Label", plain=plain))
    assert "database is locked; not stored yet, try again" in app.warning[0].value
    assert kept in app.warning[0].value
    assert not unbroken(app.run()).warning


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
    app = start("Results", study=study.name)
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
    app = start("Label", study="few")
    said = " ".join(alert.value for alert in [*app.success, *app.warning])
    assert ("No label can change the precision" in said) == (positives == 0)
    assert ("fewer than the budget allows" in said) == (positives == 12)
    assert "item of this budget" not in said


def test_a_finished_study_says_why_nothing_is_left_to_ask(storage: str) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.6, 0.9]}))
    study = sv.create_study(pool, metric="accuracy", budget=3, preset="uniform", storage=storage, name="all")
    *most, last = study.ask(3)
    study.tell_all([*((item, 1) for item in most), (last, sv.SKIP)])
    app = start("Label", study="all")
    why = "Nothing is left to ask: there are as many answers as there were items to ask."
    assert why in [c.value for c in app.caption]
    study.tell(last, 1)
    why = "Nothing is left to ask: the whole pool has its labels."
    assert why in [c.value for c in unbroken(app.run()).caption]


def test_a_decimal_comma_is_told_as_a_point_and_what_may_be_a_thousand_is_asked_again(storage: str) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": np.linspace(1.0, 9.0, 30)}))
    study = sv.create_study(pool, metric="rmse", budget=10, storage=storage, name="heights")
    app = start("Label", study="heights", plain="true")
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
    app = start("Label", study="prices", plain="true")
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
    app.text_input(key="_plain_held_back").set_value("")  # the browser does not show the question yet
    assert saved("250.000") == [asked]
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


@pytest.mark.parametrize("press", ["plain_1", "plain_skip", "plain_undo", "Keep note"])
def test_a_press_from_a_browser_that_does_not_show_the_item_yet_does_not_count(
    press: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    app = button(opened("Label", plain="true"), "plain_1")
    for seen, toasts in (("0", 1), ("1", int(press == "Keep note"))):
        before = study.events()
        app.text_input(key="plain_note_text").input("odd one")
        app.text_input(key="plain_seen").set_value(seen)
        [pressed] = [each for each in app.button if press in (each.key, each.label)]
        unbroken(pressed.click().run())
        assert len(app.toast) == toasts
        study.refresh()
        assert (study.events() == before) == (seen == "0")


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


def test_guidelines_are_kept_with_the_study(
    storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    app = opened("Label")
    app.text_area(key=f"guide_text_{hash('')}").input("Insults count, irony does not.")
    app.button[[b.label for b in app.button].index("Save")].click().run()
    assert sv.load_study(study.name, storage).state.guidelines == "Insults count, irony does not."
    assert "Insults count, irony does not." in [text.value for text in opened("Label").text]


def test_a_form_shows_what_somebody_else_has_saved_meanwhile(
    storage: str, study: Study, known: sv.Labels, opened: Callable[..., AppTest]
) -> None:
    """The form had kept the old text, and saving it had restored that."""
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


def test_the_time_left_is_told_until_the_study_is_finished(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    *most, last = study.ask(40)
    for item in most:
        study.tell(item, 1, seconds=2.0)
    said = f"{words.plain(study.name)} · **39 of 40 answered**"
    app = opened("Label")
    assert [bar.text for bar in app.get("progress")] == [f"{said} · 2.0 s each · less than a minute left"]
    study.tell(last, 1, seconds=2.0)
    assert [bar.text for bar in unbroken(app.run()).get("progress")] == [said.replace("39", "40")]
