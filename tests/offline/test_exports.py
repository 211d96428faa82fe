"""What labelling tools export of a sheet that was loaded into them, as their documentation shows it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import sampleval as sv
from sampleval import offline
from sampleval._checks import InputError
from sampleval.study import SKIP, Study, label_of

Rows = list[dict[str, Any]]
CLASSES = ("negative", "positive")
SAYINGS = ["positive", "negative", "positive", "negative", "negative", "positive"]


def study(kind: str = "binary", *, ids: Callable[[int], Any] = "doc{:03}".format) -> Study:
    frame = pd.DataFrame({"id": [ids(k) for k in range(40)], "text": [f"text of {k}" for k in range(40)]})
    if kind == "regression":
        pool = sv.Pool.from_frame(frame.assign(pred=[k / 7 for k in range(40)]), pred="pred")
    elif kind == "multilabel":
        scores = {f"prob_{name}": [(k * s % 10) / 10 for k in range(40)] for s, name in ((3, "a"), (7, "b"))}
        pool = sv.Pool.from_frame(frame.assign(**scores), task="multilabel")
    else:
        classes = CLASSES if kind == "binary" else (*CLASSES, "mixed")
        pred = [classes[k % len(classes)] for k in range(40)]
        pool = sv.Pool.from_frame(frame.assign(pred=pred), pred="pred", classes=classes)
    metric = {"regression": "mae", "multilabel": "macro_f1"}.get(kind, "accuracy")
    return sv.create_study(pool, metric=metric, budget=6, seed=3, preset="queue")


def rows(of: Study) -> Rows:
    return [{str(k): v for k, v in row.items()} for row in offline.sheet(of, 6).to_dict("records")]


def in_lines(records: Rows) -> bytes:
    return "\n".join(map(json.dumps, records)).encode()


def in_csv(records: Rows, separator: str = ",") -> bytes:
    return pd.DataFrame(records).to_csv(index=False, sep=separator).encode()


def studio(sheet: Rows, said: list[Any], kind: str = "choices") -> Rows:
    """Label Studio's JSON: the row under data, its own numbers elsewhere."""
    return [
        {
            "id": 100 + k,
            "annotations": [
                {
                    "id": 7 + k,
                    "completed_by": 1,
                    "was_cancelled": answer is None,
                    "result": []
                    if answer is None
                    else [{"value": {kind: answer}, "id": "Xq", "from_name": "sentiment", "type": kind}],
                    "lead_time": 2.5,
                }
            ],
            "data": row,
            "predictions": [{"result": [{"value": {"choices": ["negative"]}}]}],
            "total_annotations": 1,
        }
        for k, (row, answer) in enumerate(zip(sheet, said, strict=True))
    ]


def studio_min(sheet: Rows, said: list[Any], name: str = "label") -> Rows:
    """Label Studio's JSON-MIN and CSV, in which its own id replaces the row's."""
    return [
        {**row, "id": 1 + k, name: answer, "annotator": 1, "annotation_id": 9 + k, "lead_time": 2.5}
        for k, (row, answer) in enumerate(zip(sheet, said, strict=True))
    ]


def doccano(sheet: Rows, said: list[Any]) -> Rows:
    return [
        {"id": 500 + k, "text": row["text"], "place": row["place"], "label": [answer], "Comments": []}
        for k, (row, answer) in enumerate(zip(sheet, said, strict=True))
    ]


def prodigy(sheet: Rows, said: list[Any]) -> Rows:
    return [
        {
            "text": row["text"],
            "meta": {"id": row["id"], "place": row["place"]},
            "options": [{"id": name, "text": name} for name in CLASSES],
            "accept": [answer],
            "_input_hash": 5 + k,
            "answer": "accept",
        }
        for k, (row, answer) in enumerate(zip(sheet, said, strict=True))
    ]


def yes_or_no(sheet: Rows, said: list[Any]) -> Rows:
    """Prodigy's other form: is it this label?"""
    return [
        {
            "text": row["text"],
            "label": "positive",
            "meta": {"id": row["id"], "place": row["place"]},
            "answer": "accept" if answer == "positive" else "reject",
        }
        for row, answer in zip(sheet, said, strict=True)
    ]


def truth(sheet: Rows, said: list[Any]) -> Rows:
    """SageMaker Ground Truth's manifest."""
    return [
        {
            "source": row["text"],
            "id": row["id"],
            "place": row["place"],
            "job": CLASSES.index(answer),
            "job-metadata": {"class-name": answer, "confidence": 0.9, "human-annotated": "yes"},
        }
        for row, answer in zip(sheet, said, strict=True)
    ]


def mturk(sheet: Rows, said: list[Any]) -> Rows:
    return [
        {
            "HITId": f"H{k}",
            "WorkerId": "A1",
            "AssignmentStatus": "Approved",
            "Input.id": row["id"],
            "Input.place": row["place"],
            "Input.text": row["text"],
            "Answer.category.label": answer,
        }
        for k, (row, answer) in enumerate(zip(sheet, said, strict=True))
    ]


def argilla(sheet: Rows, said: list[Any]) -> Rows:
    return [
        {
            "id": f"3f2-{k}",
            "fields": {"text": row["text"]},
            "metadata": {"id": row["id"], "place": row["place"]},
            "suggestions": {"label": {"value": "negative", "score": 0.7}},
            "responses": {"label": [{"value": answer, "user_id": "u"}]},
            "status": "completed",
        }
        for k, (row, answer) in enumerate(zip(sheet, said, strict=True))
    ]


def toloka(sheet: Rows, said: list[Any]) -> Rows:
    return [
        {"INPUT:id": row["id"], "INPUT:place": row["place"], "OUTPUT:result": answer, "GOLDEN:result": ""}
        | {"ASSIGNMENT:worker_id": "w"}
        for row, answer in zip(sheet, said, strict=True)
    ]


FORMATS: dict[str, Callable[[Rows, list[Any]], bytes]] = {
    "Label Studio JSON": lambda r, s: json.dumps(studio(r, [[x] for x in s])).encode(),
    "Label Studio JSON-MIN": lambda r, s: json.dumps(studio_min(r, s)).encode(),
    "Label Studio CSV": lambda r, s: in_csv(studio_min(r, s)),
    "Label Studio TSV": lambda r, s: in_csv(studio_min(r, s), "\t"),
    "doccano": lambda r, s: in_lines(doccano(r, s)),
    "Prodigy choice": lambda r, s: in_lines(prodigy(r, s)),
    "Prodigy accept or reject": lambda r, s: in_lines(yes_or_no(r, s)),
    "Ground Truth": lambda r, s: in_lines(truth(r, s)),
    "Argilla": lambda r, s: b"\xef\xbb\xbf" + json.dumps(argilla(r, s)).encode(),
    "Toloka": lambda r, s: in_csv(toloka(r, s), "\t"),
    "Mechanical Turk": lambda r, s: in_csv(mturk(r, s)),
}


@pytest.mark.parametrize("ids", ["doc{:03}".format, int, "{:03}".format], ids=["text", "rows", "zeros"])
@pytest.mark.parametrize("form", FORMATS)
def test_an_export_equals_the_labels_told(form: str, ids: Callable[[int], Any]) -> None:
    one, other = study(ids=ids), study(ids=ids)
    sheet = rows(one)
    done = offline.read(one, FORMATS[form](sheet[::-1], SAYINGS[::-1]))
    assert len(done.imported) == 6
    assert not done.rejected
    assert not done.conflicts
    for item, answer in zip(other.ask(6), SAYINGS, strict=True):
        other.tell(item.id, answer)
    assert one.estimate() == other.estimate()


@pytest.mark.parametrize(
    ("kind", "value", "said", "told"),
    [
        ("multiclass", "choices", ["mixed"], "mixed"),
        ("multilabel", "choices", ["a", "b"], ("a", "b")),
        ("regression", "number", 2.5, 2.5),
    ],
)
def test_other_labels_come_back_too(kind: str, value: str, said: Any, told: Any) -> None:
    one, other = study(kind), study(kind)
    done = offline.read(one, json.dumps(studio(rows(one), [said] * 6, value)).encode())
    assert len(done.imported) == 6, done
    for item in other.ask(6):
        other.tell(item.id, told)
    assert one.estimate() == other.estimate()


def test_several_choices_in_csv_are_a_set() -> None:
    one = study("multilabel")
    said: list[Any] = ["a", json.dumps({"choices": ["a", "b"]}), "b", "b", "a", "b"]
    assert len(offline.read(one, in_csv(studio_min(rows(one), said))).imported) == 6


SETS: dict[str, Callable[[Rows, list[Any]], Rows]] = {
    "Label Studio": studio,
    "Label Studio, nothing marked": lambda r, s: [
        {**x, "annotations": [{**x["annotations"][0], "result": x["annotations"][0]["result"] if y else []}]}
        for x, y in zip(studio(r, s), s, strict=True)
    ],
    "Label Studio JSON-MIN": lambda r, s: studio_min(r, [{"choices": y} if y else None for y in s]),
    "Argilla": argilla,
    "Prodigy": lambda r, s: [{**x, "accept": y} for x, y in zip(prodigy(r, s), s, strict=True)],
    "doccano": lambda r, s: [{**x, "label": y} for x, y in zip(doccano(r, s), s, strict=True)],
}


@pytest.mark.parametrize("nothing", [False, True], ids=["some", "all"])
@pytest.mark.parametrize("tool", SETS)
def test_no_label_of_a_set_is_an_answer_where_the_tool_tells_that_somebody_gave_it(
    tool: str, nothing: bool
) -> None:
    """It was no answer in most exports, and in Prodigy's it was one."""
    one, said = study("multilabel"), [["a"], [], ["b"], ["a", "b"], [], ["b"]]
    said, sheet = [[]] * 6 if nothing else said, rows(one)
    if tool == "doccano" and nothing:
        with pytest.raises(InputError, match=r'lists of labels are empty; .*for none write \["none"\]'):
            offline.read(one, in_lines(SETS[tool](sheet, said)))
        return
    done = offline.read(one, in_lines(SETS[tool](sheet, said)))
    if tool == "Label Studio JSON-MIN" and nothing:  # which has no column of labels then
        assert (done.imported, done.empty) == ((), 6)
        return
    none = 2 if tool == "doccano" else 0
    assert (len(done.imported), done.empty, done.bare, done.rejected) == (6 - none, none, none, ())
    if none:
        done = offline.read(one, in_lines(SETS[tool](sheet, [labels or ["none"] for labels in said])))
        assert (len(done.imported), len(done.unchanged)) == (2, 4)
    assert [*one.known_labels().values()] == [tuple(labels) for labels in said]


def test_an_annotation_of_which_the_pool_has_the_number_is_nobodys_answer() -> None:
    """Lines without a label were taken for the answer that none applies."""
    frame = pd.DataFrame({"text": [f"text of {k}" for k in range(40)], "annotation_id": range(40)})
    frame = frame.assign(id=[f"doc{k}" for k in range(40)], prob_a=0.3, prob_b=0.6)
    pool = sv.Pool.from_frame(frame, task="multilabel", fields=["text", "annotation_id"])
    one = sv.create_study(pool, metric="macro_f1", budget=6, seed=3, preset="queue")
    said = [{**row, "id": 500 + k, "label": "a" * (k < 2)} for k, row in enumerate(rows(one))]
    done = offline.read(one, in_csv(said))
    assert (len(done.imported), done.empty) == (2, 4)


@pytest.mark.parametrize("tool", SETS)
def test_no_label_of_two_classes_is_no_answer(tool: str) -> None:
    """Of Prodigy it was an answer that could not be used."""
    one = study()
    said: list[Any] = [["positive"], [], ["negative"], ["positive"], [], ["positive"]]
    done = offline.read(one, in_lines(SETS[tool](rows(one), said)))
    assert (len(done.imported), done.empty, done.bare, done.rejected) == (4, 2, 0, ())


@pytest.mark.parametrize(
    "export",
    [
        lambda r: [{**x, "annotations": []} for x in studio(r, [["positive"]] * 6)],
        lambda r: [{**x, "responses": {}, "status": "pending"} for x in argilla(r, SAYINGS)],
        lambda r: [{**x, "label": []} for x in doccano(r, SAYINGS)],
    ],
    ids=["Label Studio", "Argilla", "doccano"],
)
def test_whoever_exports_before_anybody_answered_is_told(export: Callable[[Rows], Rows]) -> None:
    """A column was missed; of Argilla the model's suggestions were proposed as the answers."""
    one = study()
    with pytest.raises(InputError, match="nobody has given one yet; label the items there, submit"):
        offline.read(one, in_lines(export(rows(one))))


def test_a_question_that_asks_for_words_is_passed_over() -> None:
    """Both questions might have held the answers, which were refused."""
    one = study()
    records = argilla(rows(one), SAYINGS)
    for k, record in enumerate(records[1:]):
        record["responses"]["why"] = [{"value": "no" if k == 1 else f"since {k}", "user_id": "u"}]
    offline.read(one, in_lines(records))
    assert [*one.known_labels().values()] == SAYINGS
    for record in records:
        record["responses"]["why"] = [{"value": "negative", "user_id": "u"}]
    with pytest.raises(InputError, match="must have its answers in one column"):
        offline.read(study(), in_lines(records))


def test_what_was_skipped_is_a_skip_and_what_was_not_labelled_has_no_answer() -> None:
    one = study()
    done = offline.read(one, json.dumps(studio(rows(one)[:2], [None, ["positive"]])).encode())
    first = one.state.given.current(0)
    assert len(done.imported) == 2
    assert first is not None
    assert label_of(one.pool.task, first.what) == SKIP
    other = study()
    sheet = doccano(rows(other), SAYINGS)
    sheet[1]["label"] = []
    done = offline.read(other, in_lines(sheet))
    assert (len(done.imported), done.empty) == (5, 1)
    third = study()
    passed = prodigy(rows(third), SAYINGS)
    passed[0] |= {"answer": "ignore", "accept": []}
    assert len(offline.read(third, in_lines(passed)).imported) == 6
    first = third.state.given.current(0)
    assert first is not None
    assert label_of(one.pool.task, first.what) == SKIP


@pytest.mark.parametrize("tool", ["Label Studio", "Prodigy"])
def test_items_all_of_which_were_skipped_are_skips(tool: str) -> None:
    one = study()
    ignored = [{**x, "answer": "ignore", "accept": []} for x in prodigy(rows(one), SAYINGS)]
    records = studio(rows(one), [None] * 6) if tool == "Label Studio" else ignored
    assert len(offline.read(one, in_lines(records)).imported) == 6
    given = [one.state.given.current(place) for place in range(6)]
    assert all(answer and label_of(one.pool.task, answer.what) == SKIP for answer in given)


@pytest.mark.parametrize("name", ["status", "meta.status", "Status "])
def test_a_field_that_is_called_as_a_tools_mark_of_skips_skips_nothing(name: str) -> None:
    frame = pd.DataFrame({"id": [f"doc{k}" for k in range(40)], name: "discarded", "pred": CLASSES * 20})
    pool = sv.Pool.from_frame(frame, id="id", pred="pred", fields=[name], classes=CLASSES)
    one = sv.create_study(pool, metric="accuracy", budget=6, preset="queue")
    assert offline.read(one, in_csv(rows(one))).empty == 6
    offline.read(one, json.dumps(studio(rows(one), [[x] for x in SAYINGS])).encode())
    assert [*one.known_labels().values()] == SAYINGS


@pytest.mark.parametrize("kind", ["binary", "regression"])
def test_a_column_of_blanks_is_no_column_of_answers(kind: str) -> None:
    one = study(kind)
    assert offline.read(one, in_csv([{**row, "note": " "} for row in rows(one)])).empty == 6


def test_what_was_written_beside_a_choice_is_no_answer() -> None:
    one = study()
    records = studio(rows(one), [[x] for x in SAYINGS])
    remark = {"value": {"text": ["hard to tell"]}, "from_name": "comment", "type": "textarea"}
    records[2]["annotations"][0]["result"].append(remark)
    offline.read(one, json.dumps(records).encode())
    assert [*one.known_labels().values()] == SAYINGS


def test_people_who_disagree_are_listed() -> None:
    one = study()
    records = studio(rows(one), [[x] for x in SAYINGS])
    second = studio(rows(one), [["negative"]] * 6)[0]["annotations"][0]
    records[0]["annotations"].append(second)
    done = offline.read(one, json.dumps(records).encode())
    assert len(done.imported) == 6
    assert "each person's" in done.rejected[0].reason


def test_a_rejected_one_of_several_classes_is_no_answer() -> None:
    one = study("multiclass")
    done = offline.read(one, in_lines(yes_or_no(rows(one), SAYINGS)))
    assert len(done.imported) == 3
    assert len(done.rejected) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: studio_min(r, SAYINGS, "sentiment"), "'sentiment' may be meant; rename"),
        (
            lambda r: [{**x, "mine": "negative"} for x in studio_min(r, SAYINGS, "yours")],
            "'yours', 'mine' may be meant; rename .*; if they are several people's, write a line for each",
        ),
        (lambda r: [{**x, "choice": "negative"} for x in studio_min(r, SAYINGS)], "may hold them; rename"),
        (lambda r: [{**x, "text": "changed"} for x in studio_min(r, SAYINGS)], "export JSON"),
        (lambda r: [{"external_id": x["id"], "label": "positive"} for x in r], "column named"),
    ],
    ids=["own name", "two own names", "two columns", "no id", "no place"],
)
def test_what_is_not_certain_is_refused_with_the_remedy(change: Callable[[Rows], Rows], message: str) -> None:
    one = study()
    with pytest.raises(InputError, match=message):
        offline.read(one, in_csv(change(rows(one))))
    assert not one.labels


def test_what_is_shown_alike_of_several_items_tells_none() -> None:
    frame = pd.DataFrame({"text": [f"text of {k % 2}" for k in range(40)], "pred": CLASSES * 20})
    frame["id"] = [f"doc{k}" for k in range(40)]
    pool = sv.Pool.from_frame(frame, id="id", pred="pred", fields=["text"], classes=CLASSES)
    one = sv.create_study(pool, metric="accuracy", budget=6, preset="queue")
    with pytest.raises(InputError, match="export JSON"):
        offline.read(one, in_csv(studio_min(rows(one), SAYINGS)))
    assert not one.labels


def test_what_was_chosen_counts_and_not_what_was_shown_beside_it() -> None:
    one = study()
    offline.read(one, in_lines([{**x, "label": "positive"} for x in prodigy(rows(one), SAYINGS)]))
    assert [*one.known_labels().values()] == SAYINGS


def test_an_export_of_another_study_is_refused() -> None:
    one, other = study(), study(ids="other{}".format)
    records = [{**row, "text": f"another {row['text']}"} for row in rows(other)]
    with pytest.raises(InputError, match="another study"):
        offline.read(one, json.dumps(studio(records, [[x] for x in SAYINGS])).encode())


def test_ids_that_lost_their_zeros_in_a_tool_are_known_by_their_places() -> None:
    one = study(ids="{:03}".format)
    records = [
        {"data": {"id": int(row["id"]), "place": row["place"]}, "label": "positive"} for row in rows(one)
    ]
    done = offline.read(one, in_lines(records))
    assert len(done.imported) == 6
    assert not done.rejected
    assert done.altered


def test_names_that_differ_in_case_alone_are_not_chosen_from() -> None:
    one = study()
    records = [{**row, "label": "positive", "Label": "negative"} for row in rows(one)]
    with pytest.raises(
        InputError, match="which is empty, while columns 'label', 'Label' are filled; move the"
    ):
        offline.read(one, in_csv(records))


@pytest.mark.parametrize("content", [b"[1, 2]", b'{"id": ', b"[]"])
def test_json_without_records_is_refused(content: bytes) -> None:
    with pytest.raises(InputError, match="export CSV, or JSON"):
        offline.read(study(), content)


def test_a_workbook_with_a_tools_columns_is_read() -> None:
    one, file = study(), io.BytesIO()
    pd.DataFrame(mturk(rows(one), SAYINGS)).to_excel(file, index=False)
    assert len(offline.read(one, file.getvalue()).imported) == 6
