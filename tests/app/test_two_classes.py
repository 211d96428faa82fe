"""Of two classes it can be told which one is positive and what it is called."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval import offline
from sampleval.ui.labelling import desk
from tests.app.steps import begun, box, said, upload
from tests.apps import fine, start, told, unbroken

pytestmark = pytest.mark.usefixtures("folder")


def test_which_of_two_classes_is_positive_can_be_told() -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 20), "label": ["ham", "spam"] * 10, "text": "t"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert "which class is positive?" in at.warning[0].value
    assert not at.error
    unbroken(box(at, "Which class is positive").set_value("spam").run())
    assert not at.warning
    assert {m.label: m.value for m in at.metric}["Predicted “spam”"] == "50%"
    unbroken(box(at, "Which class is positive").set_value("ham").run())
    assert {m.label: m.value for m in at.metric}["Predicted “ham”"] == "50%"


TICKETS = "ticket_id,text,prob_complaint\n" + "".join(f"T{k},text {k},{k / 20}\n" for k in range(21))


def test_what_a_positive_is_called_is_asked_and_guessed_from_the_score_s_name() -> None:
    at = upload("tickets.csv", TICKETS.encode())
    called = next(box for box in at.text_input if box.label.startswith("What is a positive"))
    assert called.value == "complaint"
    study = begun(at, "sensible")
    assert study.pool.task.classes == ("not complaint", "complaint")
    assert desk.shown_task(study.pool.task) == study.pool.task
    assert offline.sheet(study)["allowed_answers"][0].startswith("not complaint / complaint")
    (item,) = study.ask(1)
    study.tell(item, 1)
    assert [given.what.label for given in study.state.given.standing.values()] == [1]


def test_a_positive_that_has_an_opposite_of_its_own_keeps_it() -> None:
    at = upload("pairs.csv", TICKETS.replace("complaint", "match").encode())
    assert begun(at, "sensible").pool.task.classes == ("non-match", "match")


@pytest.mark.parametrize("name", [" ", "no"])
def test_a_positive_without_a_name_of_its_own_stays_yes(name: str) -> None:
    at = upload("tickets.csv", TICKETS.encode())
    called = next(box for box in at.text_input if box.label.startswith("What is a positive"))
    unbroken(called.set_value(name).run())
    assert ("so it is not used" in said(at)) == bool(name.strip())
    study = begun(at, "sensible")
    assert study.pool.task.classes == ("0", "1")
    assert desk.shown_task(study.pool.task).classes == ("no", "yes")


def test_the_scale_of_the_scores_outlives_a_reload() -> None:
    at = upload("t.csv", b"id,score,text\n1,40,a\n2,90,b\n")
    unbroken(box(at, "The scores are").set_value("percent").run())
    again = start("Data", **{key: told(at, key) for key in ("source", "upload")})
    assert box(fine(again), "The scores are").value == "percent"


def test_what_a_positive_is_called_is_asked_again_after_a_reload() -> None:
    at = upload("t.csv", b"id,score,text\n1,0.4,a\n2,0.9,b\n")
    [box_] = [box for box in at.text_input if box.label.startswith("What is a positive called")]
    unbroken(box_.set_value("scam").run())
    again = start("Data", **{key: told(at, key) for key in ("source", "upload")})
    [found] = [box for box in again.text_input if box.label.startswith("What is a positive called")]
    assert found.value == "scam"
    assert "Predicted “scam”" in {m.label for m in again.metric}
    unbroken(found.set_value("").run())
    assert "Predicted “1”" in {m.label for m in again.metric}
