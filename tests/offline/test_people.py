"""Sheets and exports in which several people answer the same items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames, offline, sheets
from sampleval.study import Study, agreement, label_of, shared
from tests.offline.elsewhere import begun
from tests.offline.test_exports import Rows, argilla, in_csv, prodigy, rows, studio, study
from tests.pools import binary

SAID = {"ann": "spam spam ham ham", "bob": "ham spam ham ham", "eve": "spam spam ham spam"}
CHOSEN = {"ann": "positive negative positive", "bob": "negative negative positive"}


def lines(of: Study, said: dict[str, str] = SAID) -> pd.DataFrame:
    """A line for each item and person."""
    ids = [of.state.id_at(place) for place in range(4)] if of.state.asked else [item.id for item in of.ask(4)]
    told = [
        (id, who, answer)
        for who, words in said.items()
        for id, answer in zip(ids, words.split(), strict=False)
    ]
    return pd.DataFrame(told, columns=["id", "annotator", "answer"]).sort_values("id", kind="stable")


def own(of: Study) -> dict[int, dict[str, Any]]:
    """Place → annotator → what they said for themselves."""
    task = of.pool.task
    return {
        item.place: {who: label_of(task, answer.what) for who, answer in item.own.items()}
        for item in shared(of.state)
    }


@pytest.mark.parametrize("form", ["csv", "xlsx", "frame"])
def test_each_persons_lines_are_their_labels(form: str) -> None:
    """The second answer to an item was refused as one that differs from the first."""
    one, other = begun(), begun()
    sheet = lines(one)
    content: Any = {"csv": sheets.to_csv(sheet), "xlsx": sheets.to_xlsx(sheet), "frame": sheet}[form]
    done = offline.read(one, content)
    assert (done.rejected, done.conflicts, done.people) == ((), (), ("ann", "bob", "eve"))
    assert len(done.imported) == 12
    items = other.ask(4)
    for who, words in SAID.items():
        for item, answer in zip(items, words.split(), strict=True):
            other.tell_apart([(who, item, answer)])
    assert own(one) == own(other)
    assert one.estimates() == other.estimates()
    assert {*done.disputed} == {items[0].id, items[3].id}


def test_of_two_people_the_state_is_that_of_their_labels_told() -> None:
    one, other = begun(), begun()
    said = {who: SAID[who] for who in ("ann", "bob")}
    offline.read(one, lines(one, said))
    items = other.ask(4)
    for who, words in said.items():
        other.tell_all(zip(items, words.split(), strict=True), annotator=who)
    assert own(one) == own(other)
    assert one.known_labels() == other.known_labels()


def test_a_third_answer_is_no_decision_and_no_majority_decides() -> None:
    """Bob's answer counts, since it was the last: neither Ann's and Eve's, which are more, nor a decision by Eve."""
    one = begun()
    said = {"ann": "spam", "eve": "spam", "bob": "ham", "joe": "spam", "kim": "ham"}
    done = offline.read(one, lines(one, said))
    [item] = shared(one.state)
    assert (item.open, item.decision, len(item.own)) == (True, None, 5)
    assert [*one.known_labels().values()] == ["ham"]
    one.tell(done.disputed[0], "spam", annotator="chair")
    [item] = shared(one.state)
    assert item.decision is not None
    assert not item.open
    again = offline.read(one, lines(one, said))
    assert (len(again.unchanged), again.imported, again.disputed) == (5, (), ())
    assert [*one.known_labels().values()] == ["spam"]


def test_what_was_decided_stands_until_it_is_to_be_replaced() -> None:
    one = begun()
    offline.read(one, lines(one, {"ann": "spam", "bob": "ham"}))
    one.tell(one.state.id_at(0), "spam", annotator="chair")
    late = lines(one, {"eve": "ham"})
    done = offline.read(one, late)
    assert [(c.given, c.answer) for c in done.conflicts] == [("spam", "ham")]
    offline.read(one, late, corrections=True)
    [item] = shared(one.state)
    assert item.decision is not None
    assert item.decision.annotator == "eve"


def test_neither_case_nor_spaces_make_a_person_another() -> None:
    """Ann's answers came twice, and where they agreed with themselves that was agreement of two people."""
    one = begun()
    sheet = lines(one, {"Ann  Lee": "spam spam", " ann lee": "spam ham", "bob": "spam spam"})
    done = offline.read(one, sheet)
    assert (done.people, len(done.imported)) == (("Ann  Lee", "bob"), 4)
    assert ["'Ann  Lee'" in line.reason for line in done.rejected] == [True]
    late = offline.read(one, lines(one, {"BOB": "ham ham", "ANN LEE": "spam spam"}), corrections=True)
    assert (late.people, len(late.corrected), late.imported) == (("bob", "Ann  Lee"), 2, ())
    assert own(one) == {0: {"Ann  Lee": "spam", "bob": "ham"}, 1: {"Ann  Lee": "spam", "bob": "ham"}}


def test_who_was_to_answer_and_did_not_is_no_annotator() -> None:
    """The page said that they had answered."""
    one = begun()
    sheet = lines(one)
    sheet.loc[sheet["annotator"] == "bob", "answer"] = ""
    assert offline.read(one, sheet).people == ("ann", "eve")


def test_a_column_of_people_that_nobody_filled_names_nobody() -> None:
    one, other = begun(), begun()
    assert offline.read(one, lines(one, {"": "spam ham"}), annotator="chair").people == ()
    assert {*frames.labels(one)["annotator"]} == {"chair"}
    sheet = lines(other).rename(columns={"annotator": "user"}).assign(annotator="")
    assert offline.read(other, sheet).people == ("ann", "bob", "eve")


def test_places_tell_that_items_have_several_lines_where_a_tool_numbers_its_own() -> None:
    one = study()
    each = [{**row, "user": who} for row in rows(one)[:3] for who in ("ann", "bob")]
    exported = [
        {"id": 50 + k, "text": row["text"], "place": row["place"], "user": row["user"], "label": "positive"}
        for k, row in enumerate(each)
    ]
    assert offline.read(one, in_csv(exported)).people == ("ann", "bob")


@pytest.mark.parametrize(("who", "settles"), [("", True), ("chair", True), ("bob", False)])
def test_a_sheet_without_names_settles_what_others_differ_on(who: str, settles: bool) -> None:
    """Bob's own answers read again are no second look: the command says to settle under another name."""
    one = begun()
    offline.read(one, lines(one, {"ann": "spam spam", "bob": "ham ham"}))
    sheet = lines(one, {"": "ham ham"}).drop(columns="annotator")
    done = offline.read(one, sheet, annotator=who, corrections=True)
    assert (len(done.unchanged), len(done.disputed)) == (2, 0 if settles else 2)
    assert len(done.settled) == (2 if settles else 0)
    assert all((item.decision is not None) == settles for item in shared(one.state))


def test_a_third_persons_sheet_is_said_to_decide_unless_it_names_them() -> None:
    """Nobody was told that Eve's own answers, read after Ann's and Bob's, settled what these differ on."""
    one, other = begun(), begun()
    for each in (one, other):
        offline.read(each, lines(each, {"ann": "spam spam", "bob": "ham spam"}))
    named = offline.read(one, lines(one, {"eve": "spam spam"}), corrections=True)
    assert (named.settled, named.disputed) == ((), (one.state.id_at(0),))
    bare = lines(other, {"eve": "spam spam"}).drop(columns="annotator")
    done = offline.read(other, bare, annotator="eve", corrections=True)
    assert (done.settled, done.disputed) == ((other.state.id_at(0),), ())


def test_what_replaces_decisions_is_recorded_in_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each was a step of its own: in a database 5,000 took a quarter of a minute, and an error left some of them."""
    one = begun()
    offline.read(one, lines(one, {"ann": "spam spam spam", "bob": "ham ham ham"}))
    one.tell_all([(item.id, "spam") for item in map(one.item, range(3))], annotator="chair")
    steps, append = list[Any](), Study._append

    def counted(to: Study, events: Any) -> None:
        steps.append(events)
        append(to, events)

    monkeypatch.setattr(Study, "_append", counted)
    done = offline.read(one, lines(one, {"eve": "ham ham ham ham"}), corrections=True)
    assert (len(done.imported), len(done.corrected), len(steps)) == (1, 3, 1)


def test_the_same_people_twice_change_nothing() -> None:
    one = begun()
    offline.read(one, lines(one))
    log = one.events()
    done = offline.read(one, lines(one), corrections=True)
    assert (len(done.unchanged), done.imported, done.corrected) == (12, (), ())
    assert one.events() == log


def test_answers_of_others_join_an_earlier_one_and_ones_own_stays() -> None:
    one = begun()
    one.tell(one.ask(1)[0], "ham", annotator="ann")
    done = offline.read(one, lines(one, {"ann": "spam", "bob": "spam"}))
    assert [(c.given, c.answer) for c in done.conflicts] == [("ham", "spam")]
    assert len(done.imported) == 1
    assert own(one) == {0: {"ann": "ham", "bob": "spam"}}
    done = offline.read(one, lines(one, {"ann": "spam", "bob": "spam"}), corrections=True)
    assert len(done.corrected) == 1
    assert own(one) == {0: {"ann": "spam", "bob": "spam"}}
    assert not done.disputed


def test_two_answers_of_one_person_are_not_chosen_from() -> None:
    one = begun()
    sheet = pd.concat([lines(one, {"ann": "spam"}), lines(one, {"ann": "ham"})])
    [refused] = offline.read(one, sheet).rejected
    assert "another answer of 'ann'" in refused.reason


def test_a_line_that_names_nobody_is_the_callers() -> None:
    one = begun()
    offline.read(one, lines(one, {"ann": "spam spam", "": "spam ham"}), annotator="chair")
    assert [*own(one)[0]] == ["ann", "chair"]


@pytest.mark.parametrize(
    "name",
    [
        "Annotator",
        "annotator_id",
        "labeller",
        "Labeler",
        "rater",
        "coder",
        "worker",
        "WorkerId",
        "worker_id",
        "completed_by",
        "_annotator_id",
        "user",
        "created_by",
        "ASSIGNMENT:worker_id",
        "Email-Address",
    ],
)
def test_people_are_known_by_what_tools_call_them(name: str) -> None:
    one = begun()
    done = offline.read(one, lines(one).rename(columns={"annotator": name}))
    assert done.people == ("ann", "bob", "eve")
    assert agreement(shared(one.state)).items == 4


def test_a_column_that_may_be_about_items_names_nobody() -> None:
    """Who wrote a message is no annotator: the pool says so, or else that no item has two answers."""
    df = pd.DataFrame({"id": list("abcd"), "score": [0.1, 0.4, 0.6, 0.9], "user": list("wxyz")})
    shows = sv.Pool.from_frame(df, score="score", fields=["user"])
    for pool in (shows, sv.Pool.from_frame(df, score="score", fields=[])):
        one = begun(pool, budget=4, design="uniform")
        sheet = offline.sheet(one, 4).assign(answer="1", user=list("wxyz"))
        assert offline.read(one, sheet).people == ()
    named = begun(shows, budget=4, design="uniform")
    sheet = pd.concat(
        [offline.sheet(named, 4).assign(answer=k, annotator=who) for k, who in (("1", "ann"), ("0", "bob"))]
    )
    assert offline.read(named, sheet).people == ("ann", "bob")


@pytest.mark.parametrize("name", ["annotator", "Annotator"])
def test_several_people_can_be_told_where_the_items_have_an_annotator(name: str) -> None:
    """The column that they were told to add was taken for the pool's field, and half of the lines were refused."""
    df = pd.DataFrame({"id": list("abcd"), "score": [0.1, 0.4, 0.6, 0.9], name: list("wxyz")})
    one = begun(sv.Pool.from_frame(df, score="score", fields=[name]), budget=4, design="uniform")
    sheet = offline.sheet(one, 4)
    assert offline.read(one, sheet.assign(answer="1"), annotator="joe").people == ()
    both = pd.concat([sheet.assign(answer=k, annotator=who) for k, who in (("1", "ann"), ("0", "bob"))])
    done = offline.read(one, sheets.to_csv(both))
    assert (done.people, len(done.imported), done.rejected) == (("ann", "bob"), 8, ())


@pytest.mark.parametrize("name", ["annotator.name", "worker:id", "Worker "])
def test_a_field_within_a_record_of_the_item_names_nobody(name: str) -> None:
    """Only the last part of its name was compared, so that whoever wrote the item had answered it."""
    df = pd.DataFrame({"id": list("abcd"), "score": [0.1, 0.4, 0.6, 0.9], name: list("wxyz")})
    one = begun(sv.Pool.from_frame(df, score="score", fields=[name]), budget=4, design="uniform")
    sheet = sheets.to_csv(offline.sheet(one, 4).assign(answer="1"))
    assert offline.read(one, sheet, annotator="ann").people == ()
    assert {*frames.labels(one)["annotator"]} == {"ann"}


def annotated(records: Rows, said: list[str], who: Any) -> Rows:
    """Label Studio's records with one more annotation each."""
    for record, answer in zip(records, said, strict=True):
        first = record["annotations"][0]
        result = [{**first["result"][0], "value": {"choices": [answer]}}]
        record["annotations"].append({**first, "completed_by": who, "result": result})
    return records


@pytest.mark.parametrize("who", [2, {"id": 2, "email": "bo@x.org"}], ids=["number", "record"])
def test_annotations_of_label_studio_are_each_persons(who: Any) -> None:
    one = study()
    sheet = rows(one)[:3]
    records = studio(sheet, [[x] for x in CHOSEN["ann"].split()])
    if isinstance(who, dict):
        for record in records:
            record["annotations"][0]["completed_by"] = {"id": 1, "email": "ann@x.org"}
    done = offline.read(one, json.dumps(annotated(records, CHOSEN["bob"].split(), who)).encode())
    assert done.people == (("ann@x.org", "bo@x.org") if isinstance(who, dict) else ("1", "2"))
    assert (len(done.imported), len(done.disputed), done.rejected) == (6, 1, ())


def test_an_items_field_called_email_is_no_annotators() -> None:
    """The second person's answers were refused where the pool shows a field of the name under which a tool tells people."""
    df = pd.DataFrame({"id": [f"d{k}" for k in range(9)], "pred": ["positive", "negative", "positive"] * 3})
    df["email"] = [f"{k}@y.org" for k in range(9)]
    pool = sv.Pool.from_frame(df, id="id", pred="pred", fields=["email"], classes=["negative", "positive"])
    one = sv.create_study(pool, metric="accuracy", budget=3, preset="queue")
    records = studio(rows(one), [[x] for x in CHOSEN["ann"].split()])
    for record in records:
        record["annotations"][0]["completed_by"] = {"id": 1, "email": "ann@x.org"}
    content = json.dumps(annotated(records, CHOSEN["bob"].split(), {"id": 2, "email": "bo@x.org"})).encode()
    assert offline.read(one, content).people == ("ann@x.org", "bo@x.org")


def test_one_person_told_by_a_number_is_whoever_brings_the_sheet() -> None:
    """The tool's number would stand beside the name under which they label here, as if there were two people."""
    one = study()
    records = studio(rows(one)[:3], [[x] for x in CHOSEN["ann"].split()])
    assert all(record["annotations"][0]["completed_by"] == 1 for record in records)
    done = offline.read(one, json.dumps(records).encode(), annotator="ann")
    assert (done.people, set(frames.labels(one)["annotator"])) == ((), {"ann"})


def test_numbers_of_lines_are_no_people() -> None:
    """Each line had a person of its own, and read again with other numbers it disagreed with itself."""
    one, other = begun(), begun()
    sheet = lines(one, {"ann": "spam spam ham ham"}).rename(columns={"annotator": "coder"})
    assert offline.read(one, sheet.assign(coder=["1", "2", "3", "4"]), annotator="ann").people == ()
    assert {*frames.labels(one)["annotator"]} == {"ann"}
    workers = lines(other).rename(columns={"annotator": "worker"}).assign(worker=[*map(str, range(12))])
    assert len(offline.read(other, workers).people) == 12
    assert offline.read(other, sheet.assign(coder=["1", "2", "1", "2"])).people == ("1", "2")


def test_responses_of_argilla_are_each_persons() -> None:
    """Several were one cell of JSON, which was refused as an answer."""
    one = study()
    records = argilla(rows(one)[:3], CHOSEN["ann"].split())
    for record, answer in zip(records, CHOSEN["bob"].split(), strict=True):
        record["responses"]["label"].append({"value": answer, "user_id": "v"})
    done = offline.read(one, json.dumps(records).encode())
    assert (done.people, len(done.imported), len(done.disputed), done.rejected) == (("u", "v"), 6, 1, ())


def test_a_line_for_each_annotator_of_prodigy_or_a_csv_of_label_studio() -> None:
    one = study()
    sheet = rows(one)[:3]
    records = [
        {**record, "_annotator_id": f"db-{who}", "_session_id": f"db-{who}"}
        for who, words in CHOSEN.items()
        for record in prodigy(sheet, words.split())
    ]
    done = offline.read(one, "\n".join(map(json.dumps, records)).encode())
    assert (done.people, len(done.imported), len(done.disputed)) == (("db-ann", "db-bob"), 6, 1)
    two = study()
    sheet = rows(two)[:3]
    flat = [
        {**row, "id": k, "annotator": who, "label": answer}
        for who, words in CHOSEN.items()
        for k, (row, answer) in enumerate(zip(sheet, words.split(), strict=True))
    ]
    done = offline.read(two, in_csv(flat))
    assert (done.people, len(done.imported), len(done.disputed)) == (("ann", "bob"), 6, 1)


def test_a_sheet_of_one_answer_each_decides() -> None:
    """As the console advises."""
    one = begun()
    done = offline.read(one, lines(one))
    final = pd.DataFrame({"id": done.disputed, "answer": ["spam", "ham"]})
    assert offline.read(one, final, corrections=True).disputed == ()
    assert {id: one.known_labels()[id] for id in done.disputed} == dict(final.to_numpy().tolist())


def test_numbers_that_a_spreadsheet_shortened_are_no_disagreement() -> None:
    frame = pd.DataFrame({"id": list("abc"), "pred": [1.0, 2.0, 3.0]})
    one = begun(sv.Pool.from_frame(frame, pred="pred", task="regression"), metric="mae", budget=3)
    one.ask(3)
    sheet = b"id,rater,answer\na,ann,0.66666666666666663\na,bob,0.666666666666667\nb,ann,1\nb,bob,1.0000001\n"
    assert offline.read(one, sheet).disputed == ("b",)


def test_stored_people_come_back(tmp_path: Path) -> None:
    storage = f"sqlite:///{tmp_path / 'several.db'}"
    pool, _ = binary()
    one = sv.create_study(pool, metric="f1", budget=10, storage=storage, name="several")
    offline.read(one, lines(one))
    again = sv.load_study("several", storage)
    assert own(again) == own(one)
    assert [item.open for item in shared(again.state)] == [item.open for item in shared(one.state)]
    assert Study.replay(pool, one.events()).estimates() == one.estimates()
