"""What the labelling component sends and gets: an inbox takes each event once, and cards show what is known."""

from __future__ import annotations

import math

import pandas as pd
import pytest

import sampleval as sv
from sampleval.storage import Unavailable
from sampleval.study import Study

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval.ui.labelling import Card, Field, Message, desk
from sampleval.ui.labelling.cards import card_data
from sampleval.ui.labelling.messages import messages_in
from tests import pools


def test_an_inbox_takes_each_event_once_and_refuses_for_good(study: Study) -> None:
    box = desk.Inbox(study, "ada")
    [item] = study.ask(1)
    answers = [
        Message("u1", "label", item.id, "1", 1.0),
        Message("u2", "label", "not asked", "1", 1.0),
        Message("u3", "undo", "", "gone", 0.0),
    ]
    assert box.take(answers) == 3
    assert box.take(answers) == 0
    assert all(answer.uuid in box for answer in answers)
    [said] = box.complaints
    assert study.labels == 1
    given = study.state.given.current(item.place)
    assert given is not None
    assert (given.uuid, given.annotator, given.what.seconds) == ("u1", "ada", 1.0)
    box.take([Message("u4", "label", "not asked", "1", 1.0)])
    assert box.complaints == [said]  # it stood on the page once more with every press


def test_answers_are_those_of_the_study_and_the_annotator_on_screen(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right after a switch the browser still sends what it held for the one before."""
    event = {"uuid": "u1", "kind": "label", "id": "i1", "value": "1", "seconds": 1.0}
    outbox = {"study": "s", "annotator": "ada", "events": [event]}
    assert len(messages_in(outbox, study="s", annotator="ada")) == 1
    assert messages_in(outbox, study="s", annotator="bob") == ()
    assert messages_in(outbox, study="other", annotator="ada") == ()
    monkeypatch.setattr("streamlit.session_state", {})
    again = sv.create_study(study.pool, metric="f1", budget=9, name=study.name)
    for own, who in ((study, "ada"), (study, "bob"), (again, "bob")):
        box = desk.inbox(own, "s", who)
        assert box is desk.inbox(own, "s", who)
        assert (box.study is own, box.annotator) == (True, who)


def test_what_the_browser_s_script_cannot_have_written_is_left_out() -> None:
    """Anyone can edit a browser's storage."""
    event = {"uuid": "u1", "kind": "label", "id": "i1", "value": "1", "seconds": 1}
    wrong = [None, {"uuid": "u2"}, event | {"kind": "drop"}, event | {"seconds": math.inf}, event | {"id": 3}]
    outbox = {"study": "s", "annotator": "", "events": [*wrong, event]}
    assert messages_in(outbox, study="s", annotator="") == (Message("u1", "label", "i1", "1", 1.0),)


def test_pairs_of_fields_stand_beside_each_other_and_the_others_below() -> None:
    said = {
        "left_name": "Ann",
        "right_name": "Ann",
        "left_city": "Rome",
        "right_city": "Roma",
        "left_zip": "1",
        "why": "x",
    }
    data = card_data(Card("a", tuple(Field(name, "text", value) for name, value in said.items())))
    assert data["pairs"]["heads"] == ["left", "right"]
    assert [(row["name"], row["status"]) for row in data["pairs"]["rows"]] == [
        ("name", "same"),
        ("city", "differs"),
        ("zip", "missing"),
    ]
    assert [row["right"] and row["right"]["value"] for row in data["pairs"]["rows"]] == ["Ann", "Roma", None]
    assert [field["name"] for field in data["fields"]] == ["why"]
    assert card_data(Card("a", (Field("left_name", "text", "Ann"),)))["pairs"] is None


@pytest.mark.parametrize(
    ("left", "right", "status"),
    [
        ("Caf\u00e9 ", "Cafe\u0301", "same"),
        ("a\u00a0b\u200b", "a b", "same"),
        ("a\r\nb", "a\nb", "same"),
        ("a  b", "a b", "differs"),
        ("a\n b", "a\nb", "differs"),
    ],
)
def test_of_a_pair_only_differences_that_can_be_seen_are_marked(left: str, right: str, status: str) -> None:
    fields = (Field("left_name", "text", left), Field("right_name", "text", right))
    data = card_data(Card("a", fields))
    assert [row["status"] for row in data["pairs"]["rows"]] == [status]
    assert data["pairs"]["rows"][0]["left"]["value"] == left


def test_the_model_s_opinion_is_that_of_this_item() -> None:
    pool, _ = pools.multiclass(9)
    best = int(pool.pred[4])
    assert desk.opinion(pool, 4) == f"The model says c{best}, score {pool.score[4, best]:.3f}"
    tagged = sv.Pool.from_frame(pd.DataFrame({"pred": ["a|b", "", "c"]}), task="multilabel")
    assert [desk.opinion(tagged, k) for k in range(3)] == [
        f"The model says {said}" for said in ("a, b", "none", "c")
    ]
    decided = sv.Pool.from_frame(pd.DataFrame({"pred": ["no", "yes", "no"]}))
    assert desk.opinion(decided, 0) == "The model says no"  # it had a score of 0.000


def test_a_refusal_is_told_until_the_item_has_its_answer(study: Study) -> None:
    box, [item] = desk.Inbox(study, "ada"), study.ask(1)
    box.take([Message("u1", "label", item.id, "maybe", 1.0), Message("u2", "note", "not asked", "hm", 0.0)])
    [maybe, note] = box.complaints
    box.take([Message("u3", "note", item.id, "hm", 0.0)])
    assert box.complaints == [maybe, note]  # of the item itself nothing is known yet
    box.take([Message("u4", "label", item.id, "1", 1.0)])
    assert box.complaints == [note]
    assert "u1" in box


def test_an_answer_that_takes_the_place_of_another_window_s_says_so_for_a_while(
    storage: str, study: Study
) -> None:
    """Two people without a name see the same item: the later one replaced the answer of the first, and neither knew."""
    here, elsewhere = desk.Inbox(study, ""), sv.load_study(study.name, storage)
    first, same, other, *rest = study.ask(9)
    elsewhere.tell_all({first.id: 0, same.id: 1}, annotator="")
    elsewhere.tell(other, 0, annotator="Bob")
    here.take([Message("u1", "label", first.id, "1", 1.0)])
    [said] = here.overtaken
    assert first.id in said
    assert "answered “no”" in said
    here.take([Message(f"u{item.id}", "label", item.id, "1", 1.0) for item in (same, other)])
    assert here.overtaken == [
        said
    ]  # an equal answer replaces nothing, and another person's is held beside it
    study.tell(first, 0)
    assert here.overtaken == []  # corrected since
    here.take([Message("u2", "skip", first.id, "", 1.0)])
    [again] = here.overtaken
    assert "skip" in again
    here.take([Message(f"u{item.id}", "label", item.id, "1", 1.0) for item in rest])
    assert here.overtaken == []


def test_a_refusal_is_no_longer_told_once_the_item_was_answered_elsewhere(study: Study) -> None:
    """In another tab, in the list of corrections or in a sheet: it asked for an answer that was there."""
    box, [one, two] = desk.Inbox(study, "ada"), study.ask(2)
    study.tell(two, 0)
    box.take([Message(f"u{item.id}", "label", item.id, "maybe", 1.0) for item in (one, two)])
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
    answers = [Message("u1", "label", item.id, "1", 1.0)]

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


def test_heavy_cards_are_sent_a_few_at_a_time() -> None:
    def of(size: int) -> list[Card]:
        return [Card(str(k), (Field("scan", "text", "x" * size),)) for k in range(20)]

    assert [len(desk.ahead(of(size))) for size in (1_000, 480_000, 5_000_000)] == [20, 4, 2]


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
        box.take([Message(f"u{items[0].place}", "label", cards[0].id, "1", 1.0)])
    assert box.complaints == []
    assert study.labels == len(study.state.queue) > 0
