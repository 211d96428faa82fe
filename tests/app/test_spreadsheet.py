"""Sheets to label in a spreadsheet go out and come back."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import offline, sheets
from sampleval.study import Study, shared

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

from tests.apps import fine, start, unbroken


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


def test_whoever_brings_labels_of_items_not_asked_is_told_where_they_go(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    app, told = (
        opened("Label"),
        "abels known already go into the table that a study begins with, as a column.",
    )
    study.refresh()
    later = next(id for id in map(str, study.pool.ids) if study.state.asked_place(id) is None)
    for sheet in (f"id,answer\n{later},1\n", f"item,label\n{later},1\n"):
        send_back(app, sheet.encode())
        assert any(told in line.value for line in [*app.caption, *app.error])
    filled = sheets.from_file(offline.write(study, 1)).assign(answer="perhaps")
    send_back(app, filled.to_csv(index=False).encode())
    assert not any(told in line.value for line in app.caption)


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
    app = start("Label", study="zeros")
    send_back(app, sheet.to_csv(index=False).encode())
    told = [line.value for line in app.info if "changed by the spreadsheet" in line.value]
    assert len(told) == 1
    assert told[0].startswith("2 ids changed")
    assert first in told[0]
    assert second in told[0]


def test_a_sheet_goes_out_and_comes_back(storage: str, study: Study, opened: Callable[..., AppTest]) -> None:
    filled = sheets.from_file(offline.write(study, 5))
    filled["answer"] = ["1", "0", "skip", "", "perhaps"]
    app = opened("Label", who="ada")
    send_back(app, filled.to_csv(index=False).encode())
    assert not app.exception
    study.refresh()
    assert study.labels == len(list(study.state.given.by("ada"))) == 3
    assert "3" in next(s.value for s in app.success)
    assert any("1 line could not be used" in e.value for e in app.error)
    assert app.table[0].value["Why not"].tolist() == [
        "The answer must be no or yes, or 0 or 1; got 'perhaps'; correct it, or leave the item out; skip and unsure are answers too."
    ]
    sv.create_study(study.pool, metric="f1", budget=9, storage=storage, name="other")
    app.query_params["study"] = "other"
    assert not fine(app.run()).success


@pytest.mark.parametrize("corrections", [False, True])
def test_answers_of_a_sheet_replace_earlier_ones_only_where_they_shall(
    corrections: bool, study: Study, opened: Callable[..., AppTest]
) -> None:
    filled = sheets.from_file(offline.write(study, 1)).assign(answer="1")
    study.tell(study.ask(1)[0], 0)
    app = opened("Label")
    app.toggle(key="sheet_corrections").set_value(corrections)
    send_back(app, filled.to_csv(index=False).encode())
    study.refresh()
    assert study.state.given.labels(1)[0].tolist() == [int(corrections)]


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
    app = start("Label", study="rounds")
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


def test_a_sheet_of_several_people_says_where_they_differ_and_one_press_settles_it(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    sheet = sheets.from_file(offline.write(study, 3))
    people = pd.concat(
        [
            sheet.assign(annotator=who, answer=said)
            for who, said in {"ann": [*"110"], "bob": [*"010"], "eve": [*"111"]}.items()
        ]
    )
    app = opened("Label", who="chair")
    send_back(app, people.to_csv(index=False).encode())
    fine(app)
    assert "The sheet says who answered: 'ann', 'bob', 'eve'." in [line.value for line in app.info]
    [told] = [line.value for line in app.warning if line.value.startswith("People differ on 2 items")]
    assert "Where annotators disagree" in told
    study.refresh()
    assert [item.open for item in shared(study.state)] == [True, False, True]
    [press] = [
        button
        for button in app.button
        if (button.key or "").startswith("settle_0_") and "ann" in button.label
    ]
    assert "eve" in press.label
    fine(press.click().run())
    study.refresh()
    assert [item.open for item in shared(study.state)] == [False, False, True]
    app.toggle(key="sheet_corrections").set_value(True)
    send_back(app, sheet.assign(answer=[*"111"]).to_csv(index=False).encode())
    assert any("decided 1 item on which people differed" in line.value for line in fine(app).info)


def test_a_sheet_that_libreoffice_saved_as_ods_is_told_how_to_be_saved(
    opened: Callable[..., AppTest],
) -> None:
    """The page refused the file by its ending, and did not say what to do."""
    app, file = opened("Label"), io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    assert not app.file_uploader(key="sheet_back").allowed_type
    send_back(app, file.getvalue())
    assert any(".ods" in line.value and ".xlsx or .csv" in line.value for line in app.error)


def test_numbers_in_a_column_of_ones_own_are_told(storage: str) -> None:
    frame = pd.DataFrame({"id": [f"i{k}" for k in range(30)], "pred": np.linspace(0, 1, 30)})
    pool = sv.Pool.from_frame(frame, pred="pred", task="regression")
    study = sv.create_study(pool, metric="mae", budget=9, storage=storage, name="numbers")
    sheet = sheets.from_file(offline.write(study, 2)).assign(truth=["0.5", "0.25"])
    app = start("Label", study="numbers")
    send_back(app, sheet.to_csv(index=False).encode())
    assert any("truth" in line.value and "is empty" in line.value for line in app.error)


def test_an_empty_list_of_labels_is_no_answer_until_somebody_says_so(storage: str) -> None:
    frame = pd.DataFrame({"id": [f"i{k}" for k in range(30)], "pred": ["a|b", "a", "b"] * 10})
    pool = sv.Pool.from_frame(frame, pred="pred", task="multilabel")
    study = sv.create_study(
        pool, metric="micro_f1", budget=9, preset="queue", storage=storage, name="doccano"
    )
    labels = [["a"], [], ["b"]]
    exported = sheets.from_file(offline.write(study, 3))[["id", "place"]]
    exported["label"] = labels
    app = start("Label", study="doccano")
    send_back(app, exported.to_json(orient="records", lines=True).encode())
    [told] = [line.value for line in fine(app).warning]
    assert told.startswith("1 line without an answer: an empty list of labels may mean")
    assert 'for none write \\["none"\\] there' in told
    exported["label"] = [said or ["none"] for said in labels]
    send_back(app, exported.to_json(orient="records", lines=True).encode())
    assert not fine(app).warning
    study.refresh()
    assert [*study.known_labels().values()] == [("a",), (), ("b",)]
