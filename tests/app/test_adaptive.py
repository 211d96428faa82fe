"""The app's adaptive parts: combine a method, watch the sampling move, see what was learned."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest

import sampleval as sv
from sampleval import frames
from sampleval.presets import PRESETS
from sampleval.ui import adaptation, stores
from tests.app.steps import coordinates, pictures, stored
from tests.apps import start, unbroken
from tests.pools import calibrated, multiclass

pytestmark = pytest.mark.usefixtures("folder")


def test_settings_follow_the_parts_that_are_chosen() -> None:
    pool, _ = multiclass(60)
    at = start("Plan", pool=stored(pool), combine="true")
    assert at.slider(key="trust").disabled
    assert at.slider(key="trust").label == "How far to trust the model's own probabilities? (λ)"
    unbroken(at.radio(key="axis_design").set_value("priority").run())
    unbroken(at.radio(key="axis_surrogate").set_value("shrunk").run())
    assert (at.slider(key="trust").disabled, at.slider(key="trust").value) == (False, 0.9)
    at.segmented_control(key="toward").set_value("half")
    unbroken(at.slider(key="trust").set_value(0.5).run())
    unbroken(at.selectbox(key="method").set_value("yilmaz-is").run())
    assert (at.segmented_control(key="toward").value, at.slider(key="trust").value) == ("", 0.9)


def test_a_combination_that_begins_as_the_method_keeps_its_settings() -> None:
    pool, _ = multiclass(60)
    at = unbroken(start("Plan", 120, pool=stored(pool), method="queue", trust="0.5", toward="half"))
    for there in (True, False):
        unbroken(at.toggle(key="combine").set_value(there).run())
        assert (at.slider(key="trust").value, at.segmented_control(key="toward").value) == (0.5, "half")


def test_a_combination_leaves_no_settings_behind_when_it_is_given_up() -> None:
    pool, _ = multiclass(60)
    at = unbroken(start("Plan", 120, pool=stored(pool), method="queue", combine="true"))
    unbroken(at.radio(key="axis_design").set_value("poisson").run())
    unbroken(at.slider(key="trust").set_value(0.5).run())
    unbroken(at.toggle(key="combine").set_value(False).run())
    assert at.slider(key="trust").value == 0.9


def test_a_combination_that_begins_as_the_method_keeps_what_no_control_shows() -> None:
    """Marchant's flat belief is his tree's with a depth of its own."""
    pool, _ = calibrated()
    at = start("Plan", 120, pool=stored(pool), method="marchant-flat", combine="true")
    unbroken(at.button(key="create").click().run())
    [record] = stores.storage().studies()
    assert sv.load_study(record.name, stores.storage()).method == PRESETS["marchant-flat"].method


def test_a_method_of_ones_own_is_combined_with_what_does_not_fit_greyed_out() -> None:
    pool, _ = calibrated()
    at = start("Plan", 120, pool=stored(pool), method="queue")
    unbroken(at.toggle(key="combine").set_value(True).run())
    estimators = at.radio(key="axis_estimator").options
    assert [o for o in estimators if not o.startswith(":gray")] == ["Horvitz–Thompson"]
    unbroken(at.radio(key="axis_design").set_value("adaptive").run())
    assert at.radio(key="axis_estimator").value == "adaptive-importance-sampling"
    unbroken(at.radio(key="axis_estimator").set_value("lure").run())
    assert any("cannot weigh" in w.value for w in at.warning)
    assert not [b for b in at.button if b.key == "create"]
    unbroken(at.radio(key="axis_estimator").set_value("adaptive-importance-sampling").run())
    unbroken(at.radio(key="axis_surrogate").set_value("dirichlet-tree").run())
    captions = "".join(text for radio in at.radio for text in radio.proto.captions)
    assert "cannot weigh the samples of design “Adaptive importance sampling”; use “Importance" in captions
    assert "`" not in captions
    unbroken(at.button(key="create").click().run())
    study = sv.load_study(stores.storage().studies()[0].name, stores.storage())
    keys = (study.method.surrogate.key, study.method.design.key, study.method.estimator.key)
    assert keys == ("dirichlet-tree", "adaptive", "adaptive-importance-sampling")
    assert study.settings.preset == ""


def test_what_is_believed_of_numbers_is_not_called_scores() -> None:
    frame = pd.DataFrame({"pred": np.linspace(1, 9, 60)})
    stores.storage().save_pool(pool := sv.Pool.from_frame(frame, task="regression"))
    at = start("Plan", 120, pool=pool.fingerprint)
    assert at.slider(key="trust").label == "How far to trust the expected errors? (λ)"
    unbroken(at.toggle(key="combine").set_value(True).run())
    beliefs = [option for option in at.radio(key="axis_surrogate").options if not option.startswith(":gray")]
    assert "Recalibrated predictions" in beliefs
    assert not any("score" in option for option in beliefs)


def drawn(at: AppTest, text: str) -> list[list[float]]:
    """The heights of the points of each trace in the picture that has this text."""
    [figure] = [json.loads(chart)["data"] for chart in pictures(at) if text in chart]
    return [coordinates(trace["y"]) for trace in figure]


def test_pages_show_how_the_sampling_moved_and_what_was_learned() -> None:
    pool, labels = calibrated(seed=1)  # of no other test, for known labels are kept in memory
    study = sv.create_study(
        pool, metric="f1", budget=60, preset="marchant-tree", storage=stores.storage(), name="tree"
    )
    study.answer(labels, 45)
    stores.storage().save_labels(labels)
    at = start("Label", 120, study="tree")
    assert any(e.label == "How the sampling moved" for e in at.expander)
    assert not any("moved_csv" in button.proto.id for button in at.get("download_button"))
    at.session_state["moved_box"] = True
    unbroken(at.run())
    assert any("moved_csv" in button.proto.id for button in at.get("download_button"))
    assert any(
        caption.value.startswith("Round 5") and "labels that were positive, out of" in caption.value
        for caption in at.caption
    )
    at = start("Results", 120, study="tree")
    assert any("has learned" in s.value for s in at.header)
    beliefs, rows = frames.believed(study), frames.divergence(study, labels)
    assert len(rows) == 5
    assert drawn(at, "What it believes")[1:] == [
        beliefs["mean"][known].tolist() for known in (beliefs["labels"] > 0, beliefs["labels"] == 0)
    ]
    assert drawn(at, "KL(") == [rows["kl"].tolist()]


def test_of_decisions_alone_nothing_is_said_of_scores() -> None:
    """The page drew a "mean score" of 0 and 1 that nobody had given."""
    truth = np.arange(60) % 3 == 0
    frame = pd.DataFrame({"pred": np.where(truth ^ (np.arange(60) % 10 == 0), "yes", "no")})
    pool = sv.Pool.from_frame(frame)
    study = sv.create_study(pool, metric="f1", budget=20, storage=stores.storage(), name="decided")
    study.answer(sv.Labels.from_frame(frame.assign(label=np.where(truth, "yes", "no")), pool), 15)
    at = start("Results", 120, study="decided")
    assert [s.value for s in at.header if s.value == "A closer look"]
    assert not [s.value for s in at.header if "has learned" in s.value]


def test_of_several_classes_the_belief_is_about_right_predictions() -> None:
    pool, labels = multiclass()
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="recommended")
    study.answer(labels, 60)

    def page() -> None:
        import streamlit as st

        from sampleval.ui import adaptation

        adaptation.believed(st.session_state["study"], 0.9)

    at = AppTest.from_function(page)
    at.session_state["study"] = study
    [drawn] = pictures(unbroken(at.run()))
    assert "share of right predictions" in drawn
    assert adaptation.found(study) == "not as predicted"


def test_no_box_is_there_to_open_where_the_sampling_cannot_be_drawn() -> None:
    """Beside predicted numbers a box said how the sampling moved, and held that there is nothing to show."""
    number = np.linspace(1, 9, 60)
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": number}), task="regression")
    study = sv.create_study(
        pool, metric="mae", budget=40, preset="active-testing", storage=stores.storage(), name="n"
    )
    for _ in range(2):
        study.tell_all((item, 5.0) for item in study.ask(40))
    assert study.round == 2
    at = unbroken(start("Label", 120, study="n"))
    assert "How the sampling moved" not in [box.label for box in at.expander]


def test_each_study_of_one_name_has_its_own_picture() -> None:
    """The name of a deleted study can be used again, and the deleted study's picture had been shown for the new one."""
    pool, labels = calibrated()

    def page() -> None:
        import streamlit as st

        from sampleval.ui import adaptation

        adaptation.moved(st.session_state["study"])

    at, shown = AppTest.from_function(page), []
    at.session_state["moved_box"] = True  # open
    for seed in range(2):
        study = sv.create_study(pool, metric="f1", budget=60, preset="marchant-tree", seed=seed, name="a")
        study.answer(labels, 40)
        at.session_state["study"] = study
        unbroken(at.run())
        shown.append(at.get("plotly_chart")[0].proto.spec)
    assert shown[0] != shown[1]
