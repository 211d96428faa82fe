"""Several people label one study: items of their own, differences shown and settled, answers corrected."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames
from sampleval.designs import Rounds, Targeted
from sampleval.designs.between_rounds.schedule import for_people
from sampleval.presets import method_of
from sampleval.report.methods import methods
from sampleval.study import Study, agreement, shared

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

from sampleval.ui import stores
from sampleval.ui.labelling import review, seats, tables
from sampleval.ui.pages import PAGES
from sampleval.ui.plan import links
from tests.app.steps import stored
from tests.apps import fine, session, start
from tests.pools import binary, multilabel

pytestmark = pytest.mark.usefixtures("folder")


def begun(name: str = "two") -> Study:
    pool, _ = binary(60)
    return sv.create_study(
        pool, metric="accuracy", budget=20, preset="uniform", seed=3, storage=stores.storage(), name=name
    )


def differing() -> Study:
    """A study in which Ann and Bob both answered three items, and differ on the first."""
    study = begun()
    items = study.ask(6)
    for who, said in {"ann": "spam spam ham ham", "bob": "ham spam ham"}.items():
        for item, label in zip(items, said.split(), strict=False):
            study.tell(item, label, annotator=who)
    return study


def shown(at: AppTest) -> str:
    """The item at which the ordinary buttons point: pressing one answers it."""
    return " ".join(text.value for text in at.text)


def test_settled_answers_are_told_in_words() -> None:
    pool, _ = multilabel()
    study = sv.create_study(
        pool, metric="micro_f1", budget=9, preset="uniform", storage=stores.storage(), name="sets"
    )
    [item] = study.ask(1)
    for who, said in (("ann", [pool.task.classes[0]]), ("bob", []), ("cleo", [])):
        study.tell(item, said, annotator=who)
    [row] = tables.settled(study, shared(study.state)).to_dict("records")
    assert row["Counts"] == "none"
    assert "none" in row["Said"]


def test_two_people_at_once_get_different_items() -> None:
    study = begun()
    tabs = {
        who: fine(start("Label", study=study.name, plain="true", who=who)) for who in ("ann", "bob", "cleo")
    }
    assert len({shown(at) for at in tabs.values()}) == 3
    for _ in range(2):
        for who, at in tabs.items():
            tabs[who] = fine(at.button(key="plain_1").click().run())
    study.refresh()
    assert (
        study.labels == study.state.given.run_length == 6
    )  # nobody answered twice, and none waits for another
    assert shared(study.state) == []


def test_people_who_help_others_get_an_item_that_is_on_no_other_screen() -> None:
    study = begun()
    tabs = {
        who: fine(start("Label", study=study.name, plain="true", who=who)) for who in ("ann", "bob", "cleo")
    }
    for who in ["ann", "bob"] * 7:  # all of their own
        tabs[who] = fine(tabs[who].button(key="plain_1").click().run())
    tabs["ann"].run()
    assert len({shown(at) for at in tabs.values()}) == 3


def test_a_study_is_planned_for_a_group() -> None:
    """Rounds had ten items whoever labelled: of a class of thirty, four answers in five were to an item that had one."""
    pool, _ = binary(200)
    at = fine(start("Plan", pool=stored(pool), labels="150"))
    assert at.number_input(key="people").value == 1
    at = fine(at.number_input(key="people").set_value(3).run())
    assert any("Rounds of at least 10 items, for 3 people, as for one." in text.value for text in at.caption)
    at = fine(at.number_input(key="people").set_value(30).run())
    assert any("Rounds of at least 60 items, for 30 people." in text.value for text in at.caption)
    at = fine(at.button(key="create").click().run())
    study = sv.load_study("study", stores.storage())
    assert len(study.ask(100)) == 60
    assert study.settings.preset == "recommended"
    assert "with rounds of at least 60 labels." in methods(study, study.estimate())
    again = fine(start("Plan", pool=pool.fingerprint, **links.in_url(study)))
    assert again.number_input(key="people").value == 30


def test_a_link_of_a_usual_study_names_no_people_and_a_queue_has_no_rounds_to_ask_about() -> None:
    pool, _ = binary(60)
    study = sv.create_study(pool, metric="accuracy", budget=20, storage=stores.storage(), name="usual")
    assert "people" not in links.in_url(study)
    at = fine(start("Plan", pool=pool.fingerprint, method="queue", people="30"))
    assert "people" not in [box.key for box in at.number_input]


def test_a_combination_keeps_its_larger_rounds() -> None:
    pool, _ = binary(60)
    method = method_of(design=for_people(Rounds(), 12))
    study = sv.create_study(
        pool, metric="accuracy", budget=50, design=method.design, storage=stores.storage(), name="own"
    )
    assert links.in_url(study)["people"] == "12"


def test_whoever_labels_among_too_many_is_told_so() -> None:
    pool, _ = binary(60)
    for name, people in (("small", 1), ("large", 6)):
        sv.create_study(
            pool,
            metric="accuracy",
            budget=50,
            design=for_people(Targeted(), people),
            storage=stores.storage(),
            name=name,
        )
    told = {}
    for name in ("small", "large"):
        tabs = [fine(start("Label", study=name, plain="true", who=f"p{k}")) for k in range(6)]
        told[name] = [any("people label here now" in text.value for text in at.caption) for at in tabs]
    assert told["small"] == [False] * 5 + [True]  # a round of ten is enough for five
    assert told["large"] == [False] * 6


def test_a_seat_is_free_again_once_it_has_expired(monkeypatch: pytest.MonkeyPatch) -> None:
    study = begun()
    start("Label", study=study.name, plain="true", who="ann")
    monkeypatch.setattr(seats, "KEPT", 0.0)
    fine(start("Label", study=study.name, plain="true", who="bob").button(key="plain_1").click().run())
    study.refresh()
    assert study.state.given.run_length == 1


def test_whoever_comes_back_sees_no_item_that_is_on_another_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was on screen before a reload still counted as such: Ann, back while Bob paused, and Bob, back after, both saw his item."""
    study = begun()
    ann, _ = (fine(start("Label", study=study.name, plain="true", who=who)) for who in ("ann", "bob"))
    fine(ann.button(key="plain_1").click().run())
    with monkeypatch.context() as pause:
        pause.setattr(seats, "KEPT", 0.0)
        ann = fine(start("Label", study=study.name, plain="true", who="ann"))
    bob = fine(start("Label", study=study.name, plain="true", who="bob"))
    assert shown(bob) != shown(ann)


def test_an_annotator_who_gives_a_name_later_stays_one_person() -> None:
    study = begun()
    at = start("Label", study=study.name, plain="true")
    at.text_input(key="who").input("ann").run()
    fine(at.button(key="plain_1").click().run())
    study.refresh()
    assert study.state.given.run_length == 1


def test_a_difference_is_shown_and_settled_on_results() -> None:
    study = differing()
    [first] = study.ask(1)
    row = next(item.place for item in shared(study.state) if not item.equal)
    at = fine(start("Results", study=study.name))
    assert "Where annotators disagree (1 to settle)" in [box.label for box in at.expander]
    assert any("3 items, 2 of them alike: 67% (90% interval 14% to 98%" in text.value for text in at.markdown)
    at.text_input(key="who").input("cleo").run()
    fine(at.button(key=f"settle_{row}_spam").click().run())
    study.refresh()
    current = study.state.given.current(row)
    assert current is not None
    assert (current.annotator, study.state.given.labels(1)[0].tolist()) == ("cleo", [1])
    assert "Where annotators disagree (0 to settle)" in [box.label for box in at.expander]
    assert at.table[-1].value.to_dict("records")[0]["Settled by"] == "cleo"
    assert agreement(shared(study.state)).equal == 2  # a decision is no answer of one's own
    # Of two quick presses the second would otherwise settle the next difference, which moved up below the finger.
    stays = at.button(key=f"settle_{row}_spam")
    assert stays.disabled
    assert "counts now" in stays.label
    later = fine(start("Results", study=study.name))
    assert not [b for b in later.button if (b.key or "").startswith("settle_")]
    assert first.place == 4


def test_the_label_page_shows_differences_too_but_nothing_where_there_are_none() -> None:
    boxes = [box.label for box in fine(start("Label", study=differing().name, who="bob")).expander]
    assert "Where annotators disagree (1 to settle)" in boxes
    study = begun("one")
    study.tell(study.ask(1)[0], "spam", annotator="ann")
    boxes = [box.label for box in fine(start("Label", study=study.name, who="bob")).expander]
    assert not [label for label in boxes if "disagree" in label or "Correct" in label]


def test_the_export_has_every_answer_and_every_note() -> None:
    study = differing()
    study.note(study.item(5), "not answered yet")
    study.note(study.item(1), "blurred", annotator="ann")
    study.note(study.item(1), "dark")
    rows = frames.labels(study)
    assert rows["answers"].tolist() == [
        "ann: spam; bob: ham",
        "ann: spam; bob: spam",
        "ann: ham; bob: ham",
        "",
    ]
    assert rows["note"].tolist() == ["", "ann: blurred; dark", "", ""]
    assert frames.notes(study)[["place", "answer", "note"]].to_numpy().tolist() == [
        [1, "spam", "ann: blurred; dark"],
        [5, "", "not answered yet"],
    ]
    at = fine(start("Results", study=study.name))
    assert any("dark" in str(table.value) for table in at.dataframe)


def test_one_answer_is_corrected_and_the_others_stay() -> None:
    study = begun()
    study.tell_all([(item, "spam") for item in study.ask(8)], annotator="ann")
    at = start("Label", study=study.name, who="ann")
    chosen = at.selectbox(key="correct_item")
    assert chosen.proto.accept_new_options  # an id that is typed
    at = fine(chosen.set_value(2).run())
    fine(at.button(key="correct_2_0").click().run())
    study.refresh()
    assert study.state.given.labels(8)[0].tolist() == [1, 1, 0, 1, 1, 1, 1, 1]
    assert study.labels == 8
    again = session(study=study.name, who="ann")
    again.session_state["correct_item"] = study.item(8).id  # typed; nobody was asked about it yet
    again = fine(again.switch_page(PAGES["Label"].file).run())
    assert any("You answered no item with the id" in caption.value for caption in again.caption)
    listed = again.selectbox(key="correct_item").options
    assert [text.endswith("· ham") for text in listed].count(True) == 1


def test_an_answer_to_correct_is_known_by_what_was_shown() -> None:
    """The list named ids, which nobody sees who is shown texts: the answer to mend was found in the uploaded file only."""
    texts = ["  ", "data:image/png;base64,AAAA", "Refund\nfor order #98070", "x" * 100]
    frame = pd.DataFrame({"id": list("abcd"), "score": 0.3, "image": [bytes(64)] * 4, "text": texts})
    pool = sv.Pool.from_frame(frame, id="id", score="score", fields=["image", "text"])
    place = stores.storage()
    study = sv.create_study(pool, metric="accuracy", budget=4, preset="uniform", storage=place, name="t")
    study.tell_all([(item, "1") for item in study.ask(4)], annotator="ann")
    listed = fine(start("Label", study="t", who="ann")).selectbox(key="correct_item")
    shown = ["a · yes", "b · yes", "c · Refund for order #98070 · yes", f"d · {'x' * 59}… · yes"]
    assert sorted(listed.options) == shown


def test_answers_behind_someone_elses_items_are_told_on_both_pages() -> None:
    """A page that was opened without a name and closed keeps its place for a while, and what Ann answers must show."""
    study = begun()
    study.tell_all([(item, "spam") for item in study.ask(8) if item.place], annotator="ann")
    waiting = "7 answers wait for items before them that have no answer yet"
    label = fine(start("Label", study=study.name, who="ann"))
    assert any(waiting in words.value for words in label.caption)
    results = fine(start("Results", study=study.name))
    assert any(f"yet about the accuracy \\({waiting}\\)" in words.value for words in results.header)


def test_an_estimate_that_stands_still_says_what_it_waits_for() -> None:
    """Ten answers had not moved the number beside the desk, since a second tab kept an earlier item open."""
    study = begun()
    study.tell_all([(item, "spam") for item in study.ask(16) if item.place != 5], annotator="ann")
    label = fine(start("Label", study=study.name, who="ann"))
    assert label.metric[0].label == "Accuracy after 5 answers"
    waiting = "10 answers wait for items before them that have no answer yet."
    assert waiting in [words.value for words in label.caption]


def test_answers_without_a_name_are_not_put_down_to_somebody_else() -> None:
    study = begun()
    items = study.ask(7)
    study.tell_all([(item, "spam") for item in items[:5]])
    study.tell_all([(item, "ham") for item in items[5:]], annotator="oracle")
    said = methods(study, study.estimate())
    assert "7 were given by oracle (2), somebody without a name (5) on" in said
    captions = [caption.value for caption in fine(start("Studies")).caption]
    assert any("by oracle, somebody without a name" in caption for caption in captions)


def test_an_id_that_is_typed_is_no_place_in_the_queue() -> None:
    """If ids are row numbers, typing 18 had corrected the item that was asked eighteenth."""
    frame = pd.DataFrame({"score": np.linspace(0.05, 0.95, 60), "text": [f"t{k}" for k in range(60)]})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(
        pool, metric="accuracy", budget=60, preset="uniform", seed=3, storage=stores.storage(), name="rows"
    )
    study.tell_all([(item, "1") for item in study.ask(60)], annotator="ann")
    assert [review.asked(study, study.item(place).id) for place in range(60)] == list(range(60))
    assert [review.asked(study, place) for place in range(60)] == list(range(60))
    listed = start("Label", study="rows", who="ann").selectbox(key="correct_item")
    last = study.item(59)
    assert listed.options[0] == f"{last.id} · {last.fields['text']} · yes"
    fine(fine(listed.set_value(59).run()).button(key="correct_59_0").click().run())
