"""The list of studies: renamed, deleted, exported and imported; a damaged one leaves the others as they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import bundle
from sampleval.storage import pools_folder
from sampleval.study import Study, summaries

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

from sampleval.ui import stores, words
from sampleval.ui.pages import PAGES
from tests.app.steps import button
from tests.apps import start, told, unbroken
from tests.studies import of_another_version


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


def test_the_study_that_is_open_stays_so_when_renamed_and_gives_way_to_one_resumed_or_to_none(
    storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0, 1, 20)}))
    other = sv.create_study(pool, metric="f1", budget=9, preset="queue", storage=storage, name="other")
    ids = {line.name: line.id for line in summaries(storage)}
    app = opened("Studies", pool=study.pool.fingerprint)
    app.text_input(key=f"name_{ids[study.name]}_{study.name}").input("plain name")
    renaming = [button for button in app.button if button.label == "Rename"]
    renaming[list(ids).index(study.name)].click().run()
    assert told(unbroken(app), "study") == "plain name"
    app = button(app, f"resume_{ids['other']}")
    assert (app.title[0].value, told(app, "study"), told(app, "pool")) == (
        PAGES["Label"].question,
        "other",
        pool.fingerprint,
    )
    other.tell_all([(item, 1) for item in other.ask(9)])
    app = unbroken(app.switch_page(PAGES["Studies"].file).run())
    assert app.button(key=f"resume_{ids['other']}").label == "Results"
    app.checkbox(key=f"sure_{ids['other']}").check().run()
    app = button(app, f"delete_{ids['other']}")
    assert "study" not in app.query_params
    assert [s.name for s in summaries(storage)] == ["plain name"]


def test_one_of_many_studies_is_found_by_a_part_of_its_name(storage: str) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.8]}))
    for k in range(21):
        sv.create_study(pool, metric="f1", budget=1, preset="uniform", storage=storage, name=f"Day {k}")

    def listed() -> int:
        return sum(button.label == "Resume" for button in app.button)

    app = start("Studies")
    assert listed() == 20
    unbroken(app.toggle(key="all_studies").set_value(True).run())
    assert listed() == 21
    unbroken(app.text_input(key="find_study").input("DAY 2").run())
    assert listed() == 2  # 2 and 20
    unbroken(app.text_input(key="find_study").input("night").run())
    assert (listed(), "No study has a name like that." in [c.value for c in app.caption]) == (0, True)
    app = start("Studies", find_study="DAY 2")  # after a reload, or back from a study
    assert listed() == 2
    app = start("Studies", all_studies="true")
    assert listed() == 21


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


def test_an_export_of_a_study_by_another_version_says_why_there_is_none(
    storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    """The browser says no more than that it failed."""
    study.tell_all([(item, 1) for item in study.ask(5)])
    of_another_version(storage)
    [line] = summaries(storage)
    app = unbroken(opened("Studies").download_button(key=f"export_{line.id}").click().run())
    assert "made by another version" in app.error[0].value


def test_a_study_of_another_version_is_not_opened_at_each_click(
    storage: str, study: Study, opened: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only opening it tells whether it has ended, which takes a second with a million items."""
    study.tell_all([(item, 1) for item in study.ask(5)])
    of_another_version(storage)
    tried: list[str] = []
    load = sv.load_study

    def loaded(name: str, *places: Any, **options: Any) -> Study:
        tried.append(name)
        return load(name, *places, **options)

    monkeypatch.setattr("sampleval.study.load_study", loaded)
    app = opened("Studies")
    assert app.get("progress")[0].proto.text == f"5 of {study.budget} answered"
    unbroken(app.run())
    assert tried == [study.name]


def test_a_study_that_has_the_name_of_a_deleted_one_is_not_taken_for_it(
    storage: str, study: Study, opened: Callable[..., AppTest]
) -> None:
    study.tell_all([(item, 1) for item in study.ask(5)])
    app = opened("Results")
    sv.Storage.at(storage).delete(study.name)
    sv.create_study(study.pool, metric="f1", budget=9, storage=storage, name=study.name)
    assert "No item was answered yet" in unbroken(app.run()).info[0].value


def test_a_refused_import_keeps_the_chosen_file(opened: Callable[..., AppTest], study: Study) -> None:
    app = opened("Studies")
    app.file_uploader[0].set_value(("s.zip", bundle_of(study), "application/zip"))
    for _ in range(2):  # the second press needs no file anew
        app.button[[b.label for b in app.button].index("Import")].click().run()
        assert "must be new" in unbroken(app).error[0].value
        assert not app.warning  # that a file is to be chosen
    app.text_input(key="import_name_0").input("a copy")
    app.button[[b.label for b in app.button].index("Import")].click().run()
    assert not unbroken(app).error
    assert stores.storage().find("a copy")
    assert (told(app, "study"), told(app, "pool")) == ("a copy", study.pool.fingerprint)


@pytest.mark.usefixtures("storage")
def test_known_labels_that_a_study_brings_along_are_seen_at_once() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0, 1, 20)}))
    labels = sv.Labels.from_frame(pd.DataFrame({"id": range(20), "label": [0, 1] * 10}), pool, "label")
    stores.storage().save_pool(pool)
    assert stores.labels(pool.fingerprint) is None
    app = start("Studies")
    sent = bundle_of(sv.create_study(pool, metric="f1", budget=9), labels)
    app.file_uploader[0].set_value(("s.zip", sent, "application/zip"))
    app.button[[b.label for b in app.button].index("Import")].click().run()
    unbroken(app)
    assert stores.labels(pool.fingerprint) is not None


def test_an_exported_study_brings_the_known_labels_along(
    study: Study, opened: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    files: dict[str, bytes] = {}
    monkeypatch.setattr(
        "streamlit.download_button", lambda label, make, **_more: files.update({label: make()})
    )
    unbroken(opened("Studies"))
    copy, known = bundle.read_study(BytesIO(files["Export as one file"]))
    assert (copy.name, known is not None) == (study.name, True)


def bundle_of(study: Study, labels: sv.Labels | None = None) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "study.zip"
        bundle.export_study(study, path, labels=labels)
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
    captions = [text.value for text in start("Studies").caption]
    for title in ("F1 score, new − old", "mine"):
        assert any(text.startswith(f"{words.plain(title)} · ") for text in captions)


def test_an_expected_number_of_answers_is_not_said_to_be_all_that_are_asked(
    storage: str, study: Study, known: sv.Labels
) -> None:
    """It said "33 of 40 answered" of a sample of 33 items, and of another "43 of 40"."""
    drawn = sv.create_study(
        study.pool, metric="f1", budget=40, preset="yilmaz-bs", storage=storage, name="drawn"
    )
    drawn.ask(5)
    drawn.answer(known, 3)
    bars = [bar.proto.text for bar in start("Studies").get("progress")]
    assert bars == ["3 of about 40 answered", "0 of 40 answered"]
    assert drawn.answer(known, 300) not in (0, 37)
    bars = [bar.proto.text for bar in start("Studies").get("progress")]
    assert bars == [f"{drawn.labels} of {drawn.labels} answered", "0 of 40 answered"]


def test_a_study_that_ended_early_has_nothing_to_resume(storage: str, study: Study, known: sv.Labels) -> None:
    """Its precision was known exactly, and Studies offered to resume it, Results to label more items."""
    early = sv.create_study(
        study.pool, metric="precision", budget=300, preset="queue", storage=storage, name="early"
    )
    early.answer(known, 9)
    [line, _] = summaries(storage)
    at = start("Studies")
    assert at.button(key=f"resume_{line.id}").label == "Resume"
    assert at.get("progress")[0].proto.text == "9 of 300 answered"
    early.answer(known, 300)
    assert 9 < early.labels < 300
    at = start("Studies")
    assert at.get("progress")[0].proto.text == f"{early.labels} of {early.labels} answered"
    at = button(at, f"resume_{line.id}")
    assert at.title[0].value == PAGES["Results"].question
    links = [link.proto.label for link in at.get("page_link")]
    assert links[-1] == "**Next: look at all studies**"
