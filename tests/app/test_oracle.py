"""The oracle answers where it knows every label, and budgets are extended up to the pool."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.study import Study

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

from tests.app.steps import button
from tests.apps import start, unbroken


def test_the_oracle_answers_and_the_budget_can_be_extended(
    study: Study, opened: Callable[..., AppTest]
) -> None:
    app = button(opened("Label", plain="true"), "oracle_Next_10")
    study.refresh()
    assert study.labels == 10
    button(app, "oracle_All")
    study.refresh()
    assert study.labels == 40
    assert "Done" in app.success[0].value
    app.number_input(key="more_labels").set_value(15)
    app.button[[b.label for b in app.button].index("Extend the budget")].click().run()
    study.refresh()
    assert study.budget == 55
    assert len(study.ask(20)) == 15


def test_the_oracle_s_buttons_stay_when_fewer_labels_are_left_than_they_name(
    study: Study, known: sv.Labels, opened: Callable[..., AppTest]
) -> None:
    """“Next 10” vanished from under the keyboard at 10 labels left."""
    study.answer(known, 35)
    app = opened("Label", plain="true")
    keys = [key for b in app.button if (key := b.key or "").startswith("oracle")]
    assert keys == ["oracle_Next_10", "oracle_All"]  # 40 labels in all: no "Next 100"
    button(app, "oracle_Next_10")
    study.refresh()
    assert study.labels == 40


def test_the_oracle_does_not_go_on_in_another_study(storage: str) -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 200), "label": [0, 1] * 100})
    pool = sv.Pool.from_frame(frame)
    sv.Storage.at(storage).save_labels(sv.Labels.from_frame(frame, pool))
    other = sv.create_study(pool, metric="f1", budget=100, storage=storage, name="other", seed=1)
    sv.create_study(pool, metric="f1", budget=100, storage=storage, name="one")
    app = start("Label", study="one")
    app.session_state["_oracle_left"] = app.session_state["_oracle_total"] = 100  # left in the middle of it
    app.query_params["study"] = "other"
    unbroken(app.run())
    other.refresh()
    assert other.labels == 0


@pytest.mark.parametrize(("budget", "most"), [(30, None), (25, 5)])
def test_a_budget_is_extended_up_to_the_pool_and_no_further(
    storage: str, budget: int, most: int | None
) -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 30), "label": [0, 1] * 15})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(pool, metric="f1", budget=budget, storage=storage, name="small")
    study.answer(sv.Labels.from_frame(frame, pool), budget)
    app = start("Label", study="small")
    assert "Done" in app.success[0].value
    fields = [field for field in app.number_input if field.key == "more_labels"]
    assert [(field.value, field.max) for field in fields] == ([(most, most)] if most else [])


def test_items_whose_label_was_held_are_no_room_for_more(storage: str) -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 30), "label": [0, 1] * 15})
    pool = sv.Pool.from_frame(frame)
    held = {str(k): k % 2 for k in range(10)}
    study = sv.create_study(pool, metric="f1", budget=15, held=held, storage=storage, name="half")
    study.answer(sv.Labels.from_frame(frame, pool), 15)
    app = start("Label", study="half")
    assert [field.max for field in app.number_input if field.key == "more_labels"] == [5]
    assert "10 known beforehand" in start("Results", study="half").markdown[0].value
    study.extend(5)
    study.answer(sv.Labels.from_frame(frame, pool), 5)
    assert "Nothing is left to ask: the whole pool" in " ".join(
        c.value for c in start("Label", study="half").caption
    )


def test_the_oracle_is_offered_only_where_it_knows_every_label(storage: str) -> None:
    """For an item without a known label it would answer "unsure", and spend the budget."""
    frame = pd.DataFrame({"score": np.linspace(0, 1, 30), "label": [0.0, 1.0] * 14 + [np.nan] * 2})
    pool = sv.Pool.from_frame(frame)
    known = sv.Labels.from_frame(frame, pool)
    sv.Storage.at(storage).save_labels(known)
    sv.create_study(pool, metric="f1", budget=20, storage=storage, name="some")
    app = start("Label", study="some")
    assert not [key for b in app.button if (key := b.key or "").startswith("oracle")]
