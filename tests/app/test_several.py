"""Several systems of one table: which is shown, which can be chosen to compare, and what they are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from tests.app.steps import begun, box, said, upload
from tests.apps import unbroken

pytestmark = pytest.mark.usefixtures("folder")


def test_of_several_systems_it_is_said_which_one_is_shown() -> None:
    frame = pd.DataFrame({"id": range(40), "old.score": 0.2, "new.score": np.linspace(0.1, 0.9, 40)})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert any("those of “old”, the first of 2 systems" in caption.value for caption in at.caption)


def test_scores_of_other_systems_can_be_chosen_to_compare() -> None:
    frame = pd.DataFrame({"id": range(40), "model_a": np.linspace(0.1, 0.9, 40), "model_b": 0.2, "text": "x"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "Score").set_value("model_a").run())
    others = next(box for box in at.multiselect if box.label.startswith("Other systems"))
    assert others.options == ["model_b"]
    unbroken(others.set_value(["model_b"]).run())
    assert "those of “model_a”, the first of 2 systems" in said(at).replace("\\", "")
    study = begun(at, "sensible")
    assert [system.name for system in study.pool.systems] == ["model_a", "model_b"]
    assert (study.pool.fields.columns.tolist(), study.pool.systems[1].score[0]) == (["text"], 0.2)


def test_another_system_can_be_chosen_beside_the_score_that_was_recognised() -> None:
    frame = pd.DataFrame({"id": range(40), "score": np.linspace(0.1, 0.9, 40), "rival": 0.2, "text": "x"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert box(at, "Score").value == "score"
    others = next(box for box in at.multiselect if box.label.startswith("Other systems"))
    unbroken(others.set_value(["rival"]).run())
    assert [system.name for system in begun(at, "sensible").pool.systems] == ["score", "rival"]


def test_systems_chosen_by_hand_keep_their_names_and_decisions() -> None:
    frame = pd.DataFrame(
        {"id": range(40), "score_a": np.linspace(0.1, 0.9, 40), "pred_a": [0, 1] * 20, "score_b": 0.2}
    )
    frame = frame.assign(pred_b=[1, 1, 0, 0] * 10, label=[0, 1] * 20, said=[1, 0] * 20, text="x")
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "True label").set_value("said").run())
    study = begun(at, "sensible")
    assert [system.name for system in study.pool.systems] == ["a", "b"]
    assert study.pool.systems[1].pred.tolist() == [1, 1, 0, 0] * 10


def test_the_first_systems_score_is_not_offered_as_another_system() -> None:
    frame = pd.DataFrame(
        {"id": range(40), "score_a": np.linspace(0.1, 0.9, 40), "score_b": 0.2, "label": [0, 1] * 20}
    )
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "Score").set_value("score_b").run())
    others = next(box for box in at.multiselect if box.label.startswith("Other systems"))
    assert "score_b" not in [*others.options, *others.value]


SHARES = np.linspace(0.1, 0.9, 40)
CLASSES = {f"{one}.p_{name}": shares for one in "ab" for name, shares in (("x", SHARES), ("y", 1 - SHARES))}
COMPARED: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "multiclass": (CLASSES, ["x", "y"]),
    "multilabel": (
        {"a.pred": ["x", "x;y", "y", "z"] * 10, "b.pred": ["z;y", "x", "y", "y;x"] * 10},
        ["x;y", "y"],
    ),
    "regression": (
        {"a.pred": SHARES * 1e3, "a.error": 9.0, "b.pred": SHARES * 2e3, "b.error": 9.0},
        [512.5, 230.0],
    ),
}


@pytest.mark.parametrize("kind", COMPARED)
@pytest.mark.parametrize("long", [False, True])
def test_of_several_systems_the_label_can_be_chosen(kind: str, long: bool) -> None:
    """The button "Yes, it is" did nothing where several systems were compared on other labels than two classes."""
    outputs, answers = COMPARED[kind]
    frame = pd.DataFrame({"id": range(40), "text": "item", "audited": [*answers, *[None] * 38]} | outputs)
    if long:
        parts = {one: frame.filter(like=f"{one}.").rename(columns=lambda name: name[2:]) for one in "ab"}
        shared = frame[["id", "text", "audited"]]
        frame = pd.concat(shared.assign(system=one).join(part) for one, part in parts.items())
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "True label").set_value("audited").run())
    assert not at.error
    assert {metric.label: metric.value for metric in at.metric}["Known labels"] == "2"
    assert "the true " not in said(at)
    study = begun(at, "sensible")
    assert (study.pool.task.kind, [system.name for system in study.pool.systems]) == (kind, ["a", "b"])
    assert [*study.pool.fields.columns] == ["text"]
