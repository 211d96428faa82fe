"""Tables and answers of any of several labels: nothing leaks, roles can be chosen, corrections begin with what was said."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.events import Answered
from sampleval.pool import guess_columns
from sampleval.storage import DatabaseLog, Unavailable

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval.ui import stores, words
from tests.app.steps import stored_study
from tests.apps import fine, start, told, unbroken
from tests.pools import multilabel

pytestmark = pytest.mark.usefixtures("folder")
NAMES = ("bug", "praise", "price")


def table(n: int = 40) -> pd.DataFrame:
    """Scores of three tags, with the sets of them that a model and a person chose, under names of their own."""
    rng = np.random.default_rng(0)
    score = rng.random((n, 3)) * 0.9

    def sets(chosen: np.ndarray) -> list[str]:
        return ["|".join(np.array(NAMES)[row]) for row in chosen]

    frame = pd.DataFrame({"id": range(n), "text": [f"text {k}" for k in range(n)]})
    frame[[f"score_{name}" for name in NAMES]] = score
    return frame.assign(tags_predicted=sets(score > 0.7), true_tags=sets(rng.random((n, 3)) < score))


def test_sets_of_the_classes_are_held_back_whatever_their_columns_name() -> None:
    frame = table().assign(topic="billing", note=lambda rows: rows["true_tags"] + "|late")
    columns = guess_columns(frame)
    assert columns.kind == "multilabel"
    assert {"tags_predicted", "true_tags"} <= {*columns.hidden, *columns.label, *columns.model}
    assert columns.fields == ("text", "topic", "note")


def test_decisions_and_labels_of_a_set_can_be_chosen() -> None:
    at = fine(start("Data").segmented_control(key="source").set_value("upload").run())
    frame = table()
    at.file_uploader[0].set_value(("tags.csv", frame.to_csv(index=False).encode(), "text/csv"))
    fine(at.run())
    assert "Higher" in at.slider[0].help
    for question, column in {"Decisions": "tags_predicted", "True labels": "true_tags"}.items():
        box = next(box for box in at.selectbox if box.label.startswith(question))
        fine(box.set_value(column).run())
    assert (at.slider[0].disabled, "own decisions" in at.slider[0].help) == (True, True)
    fine(at.button(key="plan").click().run())
    fingerprint = told(at, "pool")
    pool, known = stores.pool(fingerprint), stores.labels(fingerprint)
    assert known is not None
    labels = known.values  # noqa: PD011
    for values, column in zip((pool.pred, labels), ("tags_predicted", "true_tags"), strict=True):
        said = ["|".join(np.array(NAMES)[np.asarray(row) == 1]) for row in values]
        assert said == frame[column].tolist()


def test_correcting_a_set_begins_with_what_was_said() -> None:
    pool, _ = multilabel()
    study = stored_study(pool, "micro_f1", 10)
    first, second = study.ask(2)
    study.tell(first, ["a", "c"], annotator="ann")
    study.tell(second, [], annotator="ann")
    at = fine(start("Label", study="s", who="ann"))
    chosen = at.selectbox(key="correct_item")
    assert sorted(text.rpartition(" · ")[2] for text in chosen.options) == ["a|c", "none"]
    at = fine(chosen.set_value(first.place).run())
    assert ["a", "c"] in [group.value for group in at.button_group]
    save = [button for button in at.button if button.label == "Save"][-1]
    fine(save.click().run())
    study.refresh()
    current = study.state.given.current(first.place)
    assert current is not None
    assert list(current.what.label) == [1, 0, 1]
    at = fine(start("Label", study="s", who="ann"))
    at = fine(at.selectbox(key="correct_item").set_value(second.place).run())
    assert any("You said **none**" in text.value for text in at.markdown)


def test_a_set_that_could_not_be_kept_stays_picked(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, _ = multilabel()
    study = stored_study(pool, "micro_f1", 10)
    at = fine(start("Label", study="s", plain="true"))

    def picked() -> object:
        return at.button_group(key="plain_pills").value

    def save() -> None:
        next(button for button in at.button if button.label == "Save").click().run()

    at.button_group(key="plain_pills").set_value(["a", "c"])
    with monkeypatch.context() as patched:
        patched.setattr(DatabaseLog, "append", refused)
        save()
    assert "nothing was kept" in unbroken(at).error[0].value
    assert picked() == ["a", "c"]
    save()
    assert picked() == [], "nothing picked for one item stands at the next"
    fine(at)
    study.refresh()
    current = study.state.given.current(0)
    assert current is not None
    assert list(current.what.label) == [1, 0, 1]


def refused(*_: object, **__: object) -> NoReturn:
    raise Unavailable("`storage` cannot be used now: database is locked; nothing was kept, try again")


def test_a_small_sheet_names_the_method_that_takes_all() -> None:
    pool, _ = multilabel(200)
    for preset, shown in (("recommended", True), ("queue", False)):
        study = sv.create_study(
            pool, metric="micro_f1", budget=80, preset=preset, storage=stores.storage(), name=preset
        )
        study.ask(1)
        captions = [c.value.replace("\\", "") for c in fine(start("Label", study=preset)).caption]
        assert any("the method “Labelling queue (queue)”" in said for said in captions) == shown


def test_a_class_named_with_a_bar_is_told_of_and_can_be_made_sets() -> None:
    at = fine(start("Data").segmented_control(key="source").set_value("upload").run())
    frame = pd.DataFrame({"pred": ["news", "art|design", "sport", "news"] * 5})
    at.file_uploader[0].set_value(("topics.csv", frame.to_csv(index=False).encode(), "text/csv"))
    said = " ".join(text.value for text in fine(at.run()).markdown).replace("\\", "")
    assert "'art|design' is one, as its parts are met nowhere else" in said
    kind = next(box for box in at.selectbox if box.label == "What is predicted?")
    assert kind.value == "multiclass"
    fine(kind.set_value("multilabel").run())
    fine(at.button(key="plan").click().run())
    assert stores.pool(told(at, "pool")).task.classes == ("art", "design", "news", "sport")


def test_names_of_labels_on_ordinary_buttons_are_no_markup() -> None:
    """They had been shown as Markdown: of `[a](b)` only the a, and `$x$` as a formula."""
    names = ["[a](b)", "$x$", ":smile:"]
    frame = pd.DataFrame({f"score_{name}": [0.2, 0.4, 0.7] for name in names})
    pool = sv.Pool.from_frame(frame, score={name: f"score_{name}" for name in names}, task="multilabel")
    sv.create_study(pool, metric="micro_f1", budget=3, storage=stores.storage(), name="s")
    at = fine(start("Label", study="s", plain="true"))
    pills = at.button_group(key="plain_pills")
    assert pills.options == [words.plain(name) for name in names]
    pills.set_value(["$x$"])
    next(button for button in at.button if button.label == "Save").click().run()
    study = sv.load_study("s", stores.storage())
    assert [event.what.label for event in study.events() if isinstance(event.what, Answered)] == [[0, 1, 0]]
