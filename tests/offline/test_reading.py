"""Answers brought back: each line finds its item and its answer, or is listed with the reason."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import offline, sheets
from sampleval.study import Study, agreement, shared
from tests.offline.elsewhere import LABELS, POOL, begun, classed
from tests.pools import binary, multilabel, scored

TRUTH = {str(id): POOL.task.classes[y] for id, y in zip(POOL.ids, LABELS.values, strict=True)}


def filled(study: Study, answers: dict[int, str], n: int = 10) -> pd.DataFrame:
    """The sheet with some of its lines answered."""
    sheet = offline.sheet(study, n)
    for k, answer in answers.items():
        sheet.loc[k, "answer"] = answer
    return sheet


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_answers_from_a_file_equal_answers_told(form: sheets.Format) -> None:
    there, here = begun(), begun()
    content = offline.write(there, 10, form)
    table = sheets.from_file(content)
    table["answer"] = [TRUTH[id] for id in table["id"]]
    table = table.iloc[::-1]  # sorted differently on the way
    back = sheets.to_csv(table) if form == "csv" else sheets.to_xlsx(table)
    done = offline.read(there, back, annotator="bo")
    assert sorted(done.imported) == sorted(table["id"])
    assert (done.rejected, done.conflicts, done.unchanged, done.empty) == ((), (), (), 0)
    here.answer(LABELS, 10)
    assert there.known_labels() == here.known_labels()
    assert there.estimates() == here.estimates()
    assert {answers[-1].annotator for answers in there.state.given.by_place.values()} == {"bo"}


def test_the_same_sheet_twice_changes_nothing() -> None:
    study = begun()
    sheet = filled(study, {0: "spam", 1: "skip", 2: "unsure"})
    first = offline.read(study, sheet)
    log = study.events()
    second = offline.read(study, sheet)
    assert len(first.imported) == 3
    assert first.empty == second.empty == 7
    assert second.unchanged == first.imported
    assert not second.imported
    assert not second.conflicts
    assert study.events() == log


def test_each_unusable_line_is_listed_with_its_reason() -> None:
    study = begun(held={"item-000": TRUTH["item-000"]})
    sheet = filled(study, {0: "eggs", 1: "spam", 2: "ham", 3: "SKIP", 4: "(unsure)", 5: "?"})
    sheet.loc[1, "id"] = "nobody"
    extra = [("item-000", "", "ham"), (str(sheet.loc[2, "id"]), "", "spam"), ("", "", "ham")]
    sheet = pd.concat([sheet, pd.DataFrame(extra, columns=["id", "place", "answer"])], ignore_index=True)
    done = offline.read(study, sheet)
    assert [(r.line, r.id) for r in done.rejected] == [
        (2, sheet.loc[0, "id"]),
        (3, "nobody"),
        (12, "item-000"),
        (13, sheet.loc[2, "id"]),
        (14, ""),
    ]
    said = [r.reason for r in done.rejected]
    for reason, words in zip(
        said, ["eggs", "id of the pool", "known before", "line 4", "merged cell"], strict=True
    ):
        assert words in reason
    assert said[0].endswith("; skip and unsure are answers too")
    kinds = [study.state.given.current(row).what.kind for row in (2, 3, 4, 5)]  # type: ignore[union-attr]
    assert kinds == ["label", "skip", "unsure", "unsure"]
    assert study.labels == 4


def test_an_id_that_lost_its_zeros_and_its_place_is_refused_with_what_would_tell_it() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"id": ["007", "008"], "score": [0.2, 0.8]}))
    study = begun(pool, budget=2, design="uniform")
    first = study.ask(2)[0].id
    bare = first.lstrip("0")
    done = offline.read(study, f"id,answer\n{bare},1\n".encode())
    assert "A workbook keeps ids, and the column `place` tells an item of which" in done.rejected[0].reason
    done = offline.read(study, f"id,place,answer\n{bare},0,1\n9,1,1\n".encode())
    assert done.imported == (first,)
    assert done.rejected[0].reason.endswith("A workbook keeps ids")


def test_an_item_not_asked_yet_is_refused() -> None:
    study = begun()
    sheet = filled(study, {0: "spam"}, n=2)
    later = str(POOL.ids[study.state.queue[7]])
    sheet = sheet.assign(id=[later, "item-000"], place=[7, 1])
    (refused,) = offline.read(study, sheet).rejected
    assert refused.reason.endswith(offline.NOT_ASKED)


def test_a_table_of_earlier_labels_is_refused_with_where_they_go() -> None:
    with pytest.raises(sv.InputError, match="as it was exported; labels known already go into the table"):
        offline.read(begun(), b"mail_id,label\na,spam\n")


def test_conflicts_are_listed_and_corrected_only_on_request() -> None:
    study = begun()
    sheet = filled(study, {0: "spam", 1: "ham", 2: "skip"})
    for k, answer in enumerate(["ham", "ham", "spam"]):
        study.tell(str(sheet.loc[k, "id"]), answer)
    done = offline.read(study, sheet)
    assert [(c.line, c.given, c.answer) for c in done.conflicts] == [(2, "ham", "spam"), (4, "spam", "skip")]
    assert done.unchanged == (sheet.loc[1, "id"],)
    assert study.known_labels()[str(sheet.loc[0, "id"])] == "ham"
    done = offline.read(study, sheet, corrections=True)
    assert done.conflicts == ()
    assert done.corrected == (sheet.loc[0, "id"], sheet.loc[2, "id"])
    assert study.known_labels()[str(sheet.loc[0, "id"])] == "spam"


def test_a_second_annotators_equal_answers_count_as_agreement() -> None:
    """Only the differing ones were recorded: whoever agreed on two items of three was said to agree on none of one."""
    study = begun()
    sheet = filled(study, {0: "spam", 1: "ham", 2: "spam"})
    offline.read(study, sheet, annotator="ann")
    sheet.loc[2, "answer"] = "ham"
    done = offline.read(study, sheet, annotator="bo", corrections=True)
    assert (len(done.unchanged), len(done.corrected)) == (2, 1)
    both = agreement(shared(study.state))
    assert (both.items, both.equal) == (3, 2)
    log = study.events()
    offline.read(study, sheet, annotator="bo", corrections=True)
    assert study.events() == log


@pytest.mark.parametrize("corrections", [False, True])
@pytest.mark.parametrize("answers", [("spam", "ham"), ("ham", "spam")], ids="-".join)
def test_of_two_answers_in_one_sheet_the_first_counts(answers: tuple[str, str], corrections: bool) -> None:
    """An answer that stands already is one of them."""
    study = begun()
    item = study.ask(1)[0]
    study.tell(item, "spam")
    sheet = pd.DataFrame({"id": [item.id] * 2, "place": item.place, "answer": answers})
    done = offline.read(study, sheet, corrections=corrections)
    [refused] = done.rejected
    assert refused.line == 3
    assert refused.reason.startswith(
        "line 2 gives the same item another answer; keep one of the two, or tell each"
    )
    stands = answers[0] if corrections else "spam"
    assert study.known_labels() == {item.id: stands}


def test_ids_and_classes_that_look_like_formulas_come_home() -> None:
    df = scored(20, classes=("-1", "=yes"))
    df["id"] = [f"={k}+1" for k in range(10)] + [f"-{k}" for k in range(10)]
    df["text"] = "=HYPERLINK(1)"
    pool = sv.Pool.from_frame(df, id="id", score="score", fields=["text"], classes=("-1", "=yes"))
    study = begun(pool, budget=20, design="uniform")
    table = sheets.from_file(offline.write(study, 20, "csv"))
    assert set(table["text"]) == {"=HYPERLINK(1)"}
    table["answer"] = ["=yes", "-1"] * 10
    assert b'"=' not in sheets.to_csv(table)
    assert b",=" not in sheets.to_csv(table)
    assert len(offline.read(study, sheets.to_csv(table)).imported) == 20
    assert set(study.known_labels().values()) == {"=yes", "-1"}


def test_a_class_named_skip_is_a_class() -> None:
    pool, _ = binary(classes=("keep", "skip"))
    study = begun(pool)
    assert offline.allowed(pool.task) == ["keep", "skip", "(skip)", "unsure"]
    offline.read(study, filled(study, {0: "skip", 1: "(skip)", 2: "unsure"}))
    kinds = [study.state.given.by_place[row][-1].what.kind for row in range(3)]
    assert kinds == ["label", "skip", "unsure"]


def test_sets_of_labels_are_joined_by_bars() -> None:
    pool, _ = multilabel()
    study = sv.create_study(pool, metric=sv.metrics.for_kind("multilabel")[0], budget=4)
    offline.read(study, filled(study, {0: "a|c", 1: "[]", 2: "b", 3: "d"}, n=4))
    assert list(study.known_labels().values()) == [("a", "c"), (), ("b",)]


def test_none_is_a_set_of_no_labels_unless_a_label_is_called_so() -> None:
    """The app writes "none" for an empty set. Other words for it are refused, with the right way to write it."""
    pool, _ = multilabel()
    study = sv.create_study(pool, metric="micro_f1", budget=3)
    done = offline.read(study, filled(study, {0: "None", 1: "nothing"}))
    assert list(study.known_labels().values()) == [()]
    [refused] = done.rejected
    assert "for none of them write []" in refused.reason
    frame = pd.DataFrame({"score_none": [0.2, 0.6], "score_some": [0.9, 0.1]})
    named = sv.Pool.from_frame(frame, score="score_", task="multilabel")
    study = sv.create_study(named, metric="micro_f1", budget=2)
    offline.read(study, filled(study, {0: "none"}, n=2))
    assert list(study.known_labels().values()) == [("none",)]


def test_a_number_typed_by_a_spreadsheet_is_the_class_it_means() -> None:
    pool, _ = binary(classes=("0", "1"))
    study = begun(pool)
    sheet = offline.sheet(study, 2).astype(object)
    sheet["answer"] = [1.0, 0]
    done = offline.read(study, sheets.to_xlsx(sheet))
    assert len(done.imported) == 2
    assert list(study.known_labels().values()) == ["1", "0"]


def test_a_half_filled_column_of_a_frame_is_read_as_it_was_meant() -> None:
    """Pandas turns such columns into floats: every answer had been refused, and so had ids that are numbers."""
    frame = pd.DataFrame({"id": range(20), "score": np.linspace(0, 1, 20)})
    study = sv.create_study(sv.Pool.from_frame(frame), metric="f1", budget=5, preset="queue")
    sheet = offline.sheet(study, 5).astype({"id": float}).assign(answer=[1.0, 0.0, *[np.nan] * 3])
    done = offline.read(study, sheet)
    assert (len(done.imported), done.rejected, done.empty) == (2, (), 3)
    assert [*study.known_labels().values()] == ["1", "0"]
    written = sheet.astype({"id": int}).to_csv(index=False).encode()  # the same through a file says 1.0
    assert b"1.0" in written
    again = offline.read(study, written)
    assert (len(again.unchanged), again.rejected) == (2, ())


def test_lines_are_those_of_the_file_empty_ones_counted() -> None:
    study = begun()
    first, second = (item.id for item in study.ask(2))
    done = offline.read(study, f"id,answer\n\n{first},perhaps\n\n{second},maybe\n".encode())
    assert [line.line for line in done.rejected] == [3, 5]
    frame = pd.DataFrame({"id": [first], "answer": ["perhaps"]}, index=["x"])
    assert [line.line for line in offline.read(study, frame).rejected] == [2]


@pytest.mark.parametrize("twice", ["id", "place", "answer"])
def test_a_column_that_comes_twice_is_refused(twice: str) -> None:
    columns = ["id", "place", "answer", twice]
    with pytest.raises(sv.InputError, match=f"must have one column of that name; got '{twice}'"):
        offline.read(begun(), (",".join(columns) + "\na,0,1,1\n").encode())
    with pytest.raises(sv.InputError, match="must have one column of that name"):
        offline.read(begun(), pd.DataFrame([["a", "0", "1", "1"]], columns=columns))


def test_a_place_of_very_many_digits_is_no_place() -> None:
    study = begun()
    id = study.ask(1)[0].id
    assert offline.read(study, f"id,place,answer\n{id},{'9' * 5000},ham\n".encode()).imported == (id,)


@pytest.mark.parametrize("columns", [["id"], ["answer"], ["name", "label"]])
def test_a_sheet_without_its_columns_is_refused(columns: list[str]) -> None:
    with pytest.raises(sv.InputError, match="must have a column named"):
        offline.read(begun(), pd.DataFrame({name: ["x"] for name in columns}))


def test_answers_in_the_column_of_allowed_ones_are_refused_and_notes_there_are_not() -> None:
    """They had been lines without an answer, which the command called no mistake."""
    study = begun()
    beside = filled(study, {0: "ham"}).assign(allowed_answers=["see above", "?", *["ham"] * 8])
    with pytest.raises(
        sv.InputError, match=r"column `answer`; line 3 has one in `allowed_answers`; got '\?'"
    ):
        offline.read(study, beside)
    beside["allowed_answers"] = "see above"
    assert len(offline.read(study, beside).imported) == 1


def test_a_damaged_file_leaves_the_study_as_it_was() -> None:
    study = begun()
    study.ask(3)
    log = study.events()
    with pytest.raises(sv.InputError):
        offline.read(study, b"PK\x03\x04 nothing")
    assert study.events() == log


def test_ids_that_begin_with_a_space_come_back() -> None:
    """Every line of a sheet with such ids had been refused."""
    frame = pd.DataFrame({"id": [f" a{k}" for k in range(20)], "score": np.linspace(0, 1, 20)})
    study = sv.create_study(sv.Pool.from_frame(frame), metric="f1", budget=5, preset="queue")
    sheet = pd.read_csv(BytesIO(offline.write(study, 20, "csv")), dtype=str)
    sheet["answer"] = "1"
    done = offline.read(study, sheet.to_csv(index=False).encode())
    assert (study.labels, done.rejected) == (5, ())


def test_a_sheet_of_which_one_column_was_sorted_is_refused() -> None:
    """All its answers had been given to other items."""
    study = begun()
    sheet = filled(study, dict.fromkeys(range(10), "ham"))
    with pytest.raises(
        sv.InputError, match=r"in \d+ of 10 lines `place` is another item's than `id`; was one col"
    ):
        offline.read(study, sheet.assign(id=sorted(sheet["id"])))
    assert study.labels == 0
    swapped = sheet.assign(id=[sheet["id"][k] for k in (1, 0, *range(2, 10))])
    done = offline.read(study, swapped)
    assert [line.line for line in done.rejected] == [2, 3]
    assert re.match(
        r"`place` must be that of the item 'item-\d+'; place 0 is that of 'item-\d+'; was",
        done.rejected[0].reason,
    )
    assert len(done.imported) == 8
    assert len(offline.read(study, swapped.drop(columns="place")).imported) == 2


def test_a_sheet_of_another_study_is_refused_though_its_ids_are_known() -> None:
    """Without ids the items of all data sets are called 0, 1, 2, …"""
    pools = [sv.Pool.from_frame(pd.DataFrame({"score": np.random.default_rng(k).random(50)})) for k in (1, 2)]
    other, study = (begun(pool, budget=40) for pool in pools)
    with pytest.raises(sv.InputError, match="must be this study's sheet"):
        offline.read(study, filled(other, dict.fromkeys(range(40), "1"), n=40))


def test_ids_that_a_spreadsheet_changed_are_known_by_their_places() -> None:
    """Excel turns 007 into 7 and 12e5 into 1.2E+06, for which every line had been refused."""
    ids = [f"{k:03d}" for k in range(19)] + ["12e5"]
    study = begun(
        sv.Pool.from_frame(pd.DataFrame({"id": ids, "score": np.linspace(0, 1, 20)})),
        budget=20,
        design="uniform",
    )
    sheet = filled(study, dict.fromkeys(range(20), "1"), n=20)
    bare = sheet["id"].map(lambda id: "1.2E+06" if id == "12e5" else id.lstrip("0") or "0")
    done = offline.read(study, sheet.assign(id=bare))
    assert (study.labels, done.rejected) == (20, ())
    assert set(done.altered) == {*ids[:19], "12e5"}
    assert not offline.read(study, sheet).altered
    assert len(offline.read(study, sheet.assign(id=bare, place="")).rejected) == 20


@pytest.mark.parametrize(
    "written",
    ["1.23456789012346E+019", "1,23456789012346E+19", "12345678901234600000", "12345678901234500000"],
)
def test_an_id_that_lost_its_last_digits_is_known_by_its_place(written: str) -> None:
    """LibreOffice rounds ids to fifteen digits in CSV files and in workbooks, Excel cuts them off."""
    ids = ["12345678901234567890", "12345678901234567891", "b"]
    study = begun(sv.Pool.from_frame(pd.DataFrame({"id": ids, "score": 0.5})), budget=3, design="uniform")
    sheet = filled(study, dict.fromkeys(range(3), "1"), n=3)
    rounded = sheet.assign(id=sheet["id"].map(lambda id: id if id == "b" else written))
    assert len(offline.read(study, rounded.drop(columns="place")).rejected) == 2
    done = offline.read(study, rounded)
    assert (study.labels, set(done.altered)) == (3, set(ids[:2]))
    other = sheet.assign(id=sheet["id"].map(lambda id: id if id == "b" else "1.23456789012366E+19"))
    assert len(offline.read(study, other).rejected) == 2


def test_without_places_an_id_that_may_have_been_another_is_refused() -> None:
    """An answer for 01 had been recorded for 1."""
    names = ["1", "01", "2", "3.50", "3.5", "x"]
    pool = sv.Pool.from_frame(pd.DataFrame({"id": names, "score": np.linspace(0.2, 0.8, 6)}))
    study = begun(pool, budget=6, design="uniform")
    sheet = filled(study, dict.fromkeys(range(6), "1"), n=6)
    altered = sheet.assign(id=sheet["id"].replace({"01": "1", "3.50": "3.5"})).drop(columns="place")
    done = offline.read(study, altered)
    assert {line.id for line in done.rejected} == {"1", "3.5"}
    assert (
        "another one that a spreadsheet may write the same way, by dropping zeros" in done.rejected[0].reason
    )
    assert "keep the column `place`" in done.rejected[0].reason
    assert set(study.known_labels()) == {"2", "x"}
    assert set(offline.read(study, sheet.drop(columns="place")).imported) == {"1", "01", "3.5", "3.50"}


@pytest.mark.parametrize("classes", [("01", "02"), ("01", "02", "03")])
def test_a_class_whose_zeros_a_spreadsheet_dropped_is_known(classes: tuple[str, ...]) -> None:
    """1 had been taken for the second of two classes, and with three classes it had been refused."""
    study = classed(*classes)
    sheet = sheets.to_csv(filled(study, {0: "1", 1: "2", 2: "01"}))
    assert not offline.read(study, sheet).rejected
    assert list(study.known_labels().values()) == ["01", "02", "01"]


def test_of_two_classes_that_a_spreadsheet_writes_alike_none_is_taken_unless_it_kept_zeros() -> None:
    """The answer 01 had been recorded as 1."""
    study = classed("01", "1", "2")
    dropped = filled(study, {0: "1", 1: "1", 2: "2"})
    done = offline.read(study, sheets.to_csv(dropped))
    assert [line.line for line in done.rejected] == [2, 3]
    assert (
        "must tell which class is meant; a spreadsheet may write another one the same way"
        in done.rejected[0].reason
    )
    assert not offline.read(study, sheets.to_xlsx(dropped)).rejected
    kept = filled(study := classed("01", "1", "2"), {0: "1", 1: "01", 2: "2"})
    assert not offline.read(study, sheets.to_csv(kept)).rejected
    assert list(study.known_labels().values()) == ["1", "01", "2"]


@pytest.mark.parametrize("classes", [("01", "1"), ("1.10", "1.1"), ("1e5", "100000")])
def test_a_number_among_answers_is_no_class_that_is_written_alike(classes: tuple[str, ...]) -> None:
    """A sheet of CSV that LibreOffice saved as a workbook recorded 01 as 1, and so did one read by pandas."""
    study = classed(*classes, "x")
    sheet = filled(study, {0: classes[0], 1: "x"})
    sheet["answer"] = [float(classes[0]), "x", *[None] * 8]
    for source in (sheet, sheets.to_xlsx(sheet)):
        (line,) = offline.read(study, source).rejected
        assert "must tell which class is meant" in line.reason
    sheet.loc[0, "answer"] = classes[0]
    assert not offline.read(study, sheets.to_xlsx(sheet)).rejected
    assert list(study.known_labels().values()) == [classes[0], "x"]


def test_a_cell_that_holds_another_line_is_refused() -> None:
    """Two stray quotation marks join everything between them into one cell."""
    study = begun()
    sheet = filled(study, dict.fromkeys(range(10), "ham")).assign(notes="")
    text = sheet.to_csv(index=False).splitlines()
    text[3], text[6] = text[3] + '"look', text[6] + '"'
    with pytest.raises(
        sv.InputError, match=f"a cell of line 4 holds the line of '{sheet['id'][3]}'; delete the quot"
    ):
        offline.read(study, "\n".join(text).encode())
    sheet["notes"] = "two\nlines, with 3 commas,,"
    assert len(offline.read(study, sheet.to_csv(index=False).encode()).imported) == 10


def test_what_is_no_answer_is_refused_under_the_name_of_its_column() -> None:
    study = begun()
    (refused,) = offline.read(study, filled(study, {0: "eggs"})).rejected
    assert refused.reason.startswith("`answer` must be")


@pytest.mark.parametrize(
    ("classes", "answer", "said"),
    [
        (("1/2", "1/3", "x"), "2026-01-02", True),
        (("10:30", "11:30", "x"), "10:30:00 AM", True),
        (("5%", "15%", "x"), "15.00%", True),
        (("1", "2", "3"), "4", False),
        (("ham", "spam", "x"), "2026-01-02", False),
    ],
)
def test_a_class_that_a_spreadsheet_may_have_changed_is_refused_with_what_keeps_it(
    classes: tuple[str, ...], answer: str, said: bool
) -> None:
    """LibreOffice makes dates, times and numbers of such classes in a sheet of CSV."""
    study = classed(*classes)
    (line,) = offline.read(study, sheets.to_csv(filled(study, {0: answer}))).rejected
    assert ("The cells of a workbook keep what is typed" in line.reason) == said


def test_decimal_commas_are_read_where_they_can_be_nothing_else() -> None:
    """A sheet saved in a country that writes 1,5 had been refused line by line."""
    frame = pd.DataFrame({"id": list("abc"), "pred": [1.0, 2.0, 3.0]})
    pool = sv.Pool.from_frame(frame, pred="pred", task="regression")

    def read(text: str) -> list[Any]:
        study = sv.create_study(pool, metric="mae", budget=3, design="uniform")
        study.ask(3)
        offline.read(study, text.encode())
        return [study.known_labels().get(id) for id in "abc"]

    assert read("id;answer\na;1,250\nb;skip\nc;3,5\n") == [1.25, None, 3.5]
    assert read("id;answer\na;1,250\n") == [1.25, None, None]
    assert read('id,answer\na,"1,250"\nc,"0,5"\n') == [1.25, None, 0.5]
    assert read('id,answer\na,"1,250"\n') == [None, None, None]  # a decimal mark, or part thousands
    assert read("id;answer\na;1.5\nc;0,25\n") == [1.5, None, 0.25]
    with pytest.raises(sv.InputError, match=r"beside whole numbers; line 2 does; got '1\.234'"):
        read("id;answer\na;1.234\nb;900\nc;2.500\n")
    assert read("id;answer\na;1.234\nb;900\nc;2.5\n") == [1.234, 900.0, 2.5]
    assert read("id,answer\na,1.234\nb,900\n") == [1.234, 900.0, None]
    for text in ("id;answer\na;1.234\nc;12,75\n", 'id,answer\na,1.234\nc,"12,75"\n'):  # 1.234, or 1234
        with pytest.raises(sv.InputError, match=r"line 2 does; got '1\.234'; write 1234 or 1,234$"):
            read(text)
    assert read("id;answer\na;1.234\nc;0.5\n") == [1.234, None, 0.5]
    assert read("id;answer\na;1,234\nb;0,5\nc;12.5\n") == [
        None,
        0.5,
        12.5,
    ]  # 1,234 may be 1234 where 12.5 is met


def test_a_number_with_both_marks_is_refused_as_it_was_written() -> None:
    """Between semicolons 1.234,50 was refused as '1.234.50', which nobody had written."""
    frame = pd.DataFrame({"id": list("abc"), "pred": [1.0, 2.0, 3.0]})
    study = begun(sv.Pool.from_frame(frame, pred="pred", task="regression"), metric="mae", budget=3)
    study.ask(3)
    (line,) = offline.read(study, b"id;answer\na;1.234,50\nb;2,5\n").rejected
    assert "got '1.234,50'; its thousands are separated: write 1234.50" in line.reason
    assert study.known_labels() == {"b": 2.5}


def test_a_sheet_read_by_pandas_has_the_ids_of_the_study() -> None:
    """An apostrophe keeps a spreadsheet from running `-1`; pandas leaves it where it is."""
    ids = [f"{sign}{k}" for k, sign in enumerate("-+=@" * 3)]
    pool = sv.Pool.from_frame(pd.DataFrame({"id": ids, "score": np.linspace(0.1, 0.9, 12)}), id="id")
    study = begun(pool, budget=12)
    sheet = pd.read_csv(BytesIO(sheets.to_csv(offline.sheet(study, 12))), dtype=str)
    done = offline.read(study, sheet.assign(answer="1"))
    assert len(done.imported) == len(sheet) > 8
