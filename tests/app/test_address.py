"""What the address holds of a page's choices: keys that a reload, another page and another release understand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import NumberInput

import sampleval as sv
from sampleval.ui import stores
from sampleval.ui.data.demos import DEMOS
from tests.app.steps import digits, stored, stored_study
from tests.apps import fine, start, told, unbroken

pytestmark = pytest.mark.usefixtures("folder")

# A page, and of controls that it shows together: a value that is not the default, and how the address spells it.
CHOICES: list[tuple[str, dict[str, tuple[str, Any, str]]]] = [
    ("Data", {"demo": ("radio", "diabetes", "diabetes")}),
    ("Data", {"source": ("segmented_control", "upload", "upload")}),
    (
        "Plan",
        {
            "metric": ("selectbox", "recall", "recall"),
            "method": ("selectbox", "yilmaz-is", "yilmaz-is"),
            "labels": ("select_slider", 1000, "1000"),
            "level": ("select_slider", 0.95, "0.95"),
            "shown": ("segmented_control", "error", "error"),
        },
    ),
    (
        "Results",
        {
            "shown_level": ("select_slider", 0.95, "0.95"),
            "shown_about": ("segmented_control", "future", "future"),
            "shown_interval": ("selectbox", "beta", "beta"),
            "shown_metric": ("selectbox", "recall", "recall"),
            "side": ("segmented_control", "most", "most"),
        },
    ),
    (
        "Simulate",
        {
            "studied_metric": ("selectbox", "recall", "recall"),
            "studied_labels": ("select_slider", 1000, "1000"),
            "repeats": ("select_slider", 1000, "1000"),
            "studied_level": ("select_slider", 0.95, "0.95"),
            "reported": ("multiselect", ["recall", "accuracy"], "recall,accuracy"),
        },
    ),
]


def opened(page: str, **query: str) -> AppTest:
    """A page in a new session, as a reload makes it."""
    return fine(start(page, **query))


def control(at: AppTest, kind: str, key: str) -> Any:
    return next(widget for widget in at.get(kind) if getattr(widget, "key", None) == key)


def pooled() -> dict[str, str]:
    """The address of a stored pool."""
    return {"pool": digits()}


def labelled() -> dict[str, str]:
    """The address of a study with some labels."""
    pool = stores.pool(digits())
    known = stores.labels(pool.fingerprint)
    assert known is not None
    stored_study(pool, "f1", 60).answer(known, 15)
    return {"study": "s"}


def partly_labelled() -> dict[str, str]:
    """The address of a study of items whose true labels are not known."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7, 0.9]}))
    study = sv.create_study(pool, metric="f1", budget=2, preset="queue", storage=stores.storage(), name="p")
    study.tell_all((item, 1) for item in study.ask(1))
    return {"study": "p"}


PLACES: dict[str, Callable[[], dict[str, str]]] = {"Plan": pooled, "Results": labelled}


@pytest.mark.parametrize(("page", "choices"), CHOICES)
def test_a_reload_restores_what_the_address_names(
    page: str, choices: dict[str, tuple[str, Any, str]]
) -> None:
    place = PLACES[page]() if page in PLACES else {}
    at = opened(page, **place)
    usual = {key: control(at, kind, key).value for key, (kind, _, _) in choices.items()}
    for key, (kind, value, _) in choices.items():
        assert value != usual[key]
        assert key not in at.query_params
        control(at, kind, key).set_value(value)
    fine(at.run())
    assert {key: told(at, key) for key in choices} == {key: spelt for key, (_, _, spelt) in choices.items()}
    again = opened(page, **place | {key: spelt for key, (_, _, spelt) in choices.items()})
    for key, (kind, value, spelt) in choices.items():
        assert (control(again, kind, key).value, told(again, key)) == (value, spelt)
    strange = opened(page, **place | dict.fromkeys(choices, "nothing known"))
    assert {key: control(strange, kind, key).value for key, (kind, _, _) in choices.items()} == usual
    assert not set(choices) & set(strange.query_params)


def test_the_data_page_shows_the_pool_that_the_address_names() -> None:
    frame = pd.DataFrame({"id": ["a", "b", "c"], "score": [0.2, 0.6, 0.9]})
    pool = sv.Pool.from_frame(frame, id="id", score="score")
    at = opened("Data", pool=stored(pool))
    assert at.segmented_control(key="source").value == "stored"
    assert at.metric[0].value == "3"
    fine(at.segmented_control(key="source").set_value("demo").run())
    assert at.metric[0].value != "3"
    assert "At hand" in at.segmented_control(key="source").options
    assert "At hand" not in opened("Data").segmented_control(key="source").options


def test_from_an_address_that_names_no_stored_pool_others_can_be_chosen() -> None:
    at = unbroken(start("Data", pool="deadbeef"))
    assert "choose the data again" in at.error[0].value
    none = "must be a pool's fingerprint"
    for gone, said in (("0" * 64, "choose the same data again"), ("../../etc/passwd", none), ("x", none)):
        lost = unbroken(start("Plan", pool=gone))
        assert said in lost.error[0].value
        assert "choose the data" in lost.get("page_link")[-1].proto.label
    fine(at.segmented_control(key="source").set_value("demo").run())
    assert at.metric


def test_the_default_needs_no_place_in_the_address() -> None:
    at = opened("Data", demo="diabetes")
    fine(at.radio(key="demo").set_value(next(iter(DEMOS))).run())
    assert "demo" not in at.query_params


def test_the_default_may_stay_in_a_link_that_spells_it_out() -> None:
    """Each change of the address costs one more press of the back button."""
    at = opened("Plan", pool=digits(), metric="f1", level="0.9")
    assert (told(at, "metric"), told(at, "level")) == ("f1", "0.9")
    assert not at.warning
    fine(at.selectbox(key="metric").set_value("recall").run())
    fine(at.selectbox(key="metric").set_value("f1").run())
    assert "metric" not in at.query_params


def test_a_control_of_a_page_that_was_left_changes_nothing() -> None:
    def script() -> None:
        import streamlit as st

        from sampleval.ui import address

        for page in ("Plan", "Data"):
            address.begin_page("Plan", linked=False)
            st.session_state["called"] = f"on {page}"
            change = address.tied("called")["on_change"]
            address.begin_page(page, linked=False)
            change()

    at = fine(AppTest.from_function(script).run())
    assert told(at, "called") == "on Plan"


def test_the_way_back_undoes_a_choice_and_a_link_keeps_it() -> None:
    """Going back restores the address. Links from and to other pages carry only data and study."""
    at = opened("Plan", pool=digits())
    usual = at.selectbox(key="metric").value
    for then in ("", "shown"):
        fine(at.selectbox(key="metric").set_value("recall").run())
        if then:
            fine(at.segmented_control(key="shown").set_value("error").run())
        del at.query_params["metric"]
        fine(at.run())
        assert (at.selectbox(key="metric").value, "metric" in at.query_params) == (usual, False)
    assert at.segmented_control(key="shown").value == "error"
    fine(at.selectbox(key="metric").set_value("recall").run())
    at.query_params.clear()
    fine(at.run())
    assert (at.selectbox(key="metric").value, told(at, "metric")) == ("recall", "recall")


def test_a_link_keeps_choices_where_the_address_names_no_data() -> None:
    """With the demo data a link to the page leaves the address empty, as if everything had been undone at once."""
    at = opened("Simulate")
    fine(at.selectbox(key="studied_metric").set_value("recall").run())
    fine(at.select_slider(key="repeats").set_value(10).run())
    at.query_params.clear()
    fine(at.run())
    assert at.selectbox(key="studied_metric").value == told(at, "studied_metric") == "recall"


def test_no_metric_at_all_stays_so_until_another_is_chosen() -> None:
    at = opened("Simulate")
    fine(at.multiselect(key="reported").set_value([]).run())
    assert at.multiselect(key="reported").value == []
    again = opened("Simulate", reported=told(at, "reported"))
    assert again.multiselect(key="reported").value == []
    assert not again.warning, "the page does not know its own address"


def test_what_is_typed_or_taken_over_outlasts_a_reload(folder: Path) -> None:
    table = folder / "mine.csv"
    table.write_text("id,score\na,0.2\nb,0.6\nc,0.9\n")
    at = opened("Data", source="server")
    fine(at.text_input(key="server_path").set_value(str(table)).run())
    assert opened("Data", source="server", server_path=told(at, "server_path")).metric[0].value == "3"
    place = pooled()
    labelled()
    at = opened("Plan", **place)
    fine(at.selectbox(key="held").set_value("s").run())
    fine(at.text_input(key="called").set_value("third").run())
    again = opened("Plan", **place, held=told(at, "held"), called=told(at, "called"))
    assert (again.selectbox(key="held").value, again.text_input(key="called").value) == ("s", "third")
    assert [m.value for m in again.metric] == [m.value for m in at.metric]


def test_what_the_address_asks_for_in_vain_is_said() -> None:
    at = opened("Plan", pool=digits(), metric="rmse", level="0.37", labels="999999", method="queue")
    said = " ".join(warning.value for warning in at.warning)
    assert all(part in said for part in ("metric = rmse", "level = 0.37", "labels = 999999"))
    assert "method" not in said
    assert not fine(at.run()).warning
    [warning] = opened("Simulate", view="rounds", times="7").warning
    assert "times = 7" in warning.value
    [warning] = opened("Simulate", view="cross", reported="f1,rmse,recall").warning
    assert warning.value.endswith("the others are.")
    [warning] = opened("Simulate", view="cross", reported="rmse").warning
    assert warning.value.endswith("the usual choice is used.")


@pytest.mark.parametrize(
    "asked",
    [
        {"seed": "-4", "even": "0.6", "price": "free", "within_f1": "7"},
        {"seed": "one", "price": "1e39", "seconds": "1e39"},
    ],
)
def test_a_number_that_a_control_does_not_take_is_said(asked: dict[str, str]) -> None:
    at = opened("Plan", pool=digits(), **asked)
    usual = {"seed": 0, "even": 0.0, "price": 0.5, "seconds": 20.0, "within_f1": 0.05}
    controls = {c.key: c.value for c in [*at.number_input, *at.slider]}
    assert {key: controls[key] for key in asked} == {key: usual[key] for key in asked}
    said = {w.value.replace("\\", "") for w in at.warning}
    assert len(said) == len(at.warning) == len(asked)
    for key, value in asked.items():
        assert any(f"{key} = {value}, which cannot be chosen here" in told for told in said)
    assert not [*at.expander[0].warning], "it lies in a box that is closed"
    assert not fine(at.run()).warning


def test_a_number_of_which_a_control_takes_the_whole_part_is_said() -> None:
    at = opened("Plan", pool=digits(), seed="1.5", trust="0.5", people="2.0")
    [said] = [w.value.replace("\\", "") for w in at.warning]
    assert said == "The address says seed = 1.5, which cannot be chosen here: 1 is used."
    assert at.number_input(key="seed").value == 1


def test_a_number_that_a_control_takes_is_no_broken_link() -> None:
    at = opened("Plan", pool=digits(), seed="4", even="0.25", within_f1="0.2")
    assert not at.warning
    assert at.number_input(key="seed").value == 4


@pytest.mark.parametrize(
    ("page", "asked"),
    [
        ("Plan", {"combine": "perhaps", "aim": "1"}),
        ("Results", {"shown_anytime": "1", "threshold_f1": "7"}),
        ("Label", {"scores": "on", "plain": "on"}),
        ("Simulate", {"chosen": "1", "presets": "magic"}),
        ("Simulate", {"view": "cross", "studied_together": "no"}),
        ("Simulate", {"view": "rounds", "draws": "queue"}),
    ],
)
def test_what_a_bound_control_does_not_take_is_said(page: str, asked: dict[str, str]) -> None:
    """Streamlit dropped it without a word: with `aim=1` the study had no goal, and of two methods one was simulated."""
    place = labelled() if page in ("Results", "Label") else pooled()
    at = opened(page, **place, **asked)
    said = [w.value.replace("\\", "") for w in at.warning]
    strange = {key: value for key, value in asked.items() if key != "view"}
    for key, value in strange.items():
        assert (
            f"The address says {key} = {value}, which cannot be chosen here: the usual choice is used."
            in said
        )
    assert len(said) == len(strange)


def test_choices_beside_the_main_ones_outlast_a_reload(monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser puts them into the address; without a place there, a reload had lost them."""
    at = opened("Results", **labelled(), reveal="true", bought="80")
    assert (at.toggle(key="reveal").value, at.number_input(key="bought").value) == (True, 80)
    assert sheet_items(opened("Label", study="s", sheet_items="3")).value == 3
    for cores, value, warnings in ((8, 5, 0), (2, 1, 1)):
        monkeypatch.setattr("os.cpu_count", lambda n=cores: n)
        at = opened("Simulate", cores="5")
        assert (at.number_input(key="cores").value, len(at.warning)) == (value, warnings)


def test_a_number_chosen_here_whose_limits_have_moved_is_no_broken_link() -> None:
    """Of the usual number, which is 45 here, the address would say nothing."""
    at = opened("Label", **labelled(), sheet_items="40")
    assert not at.warning
    study = sv.load_study("s", stores.storage())
    known = stores.labels(study.pool.fingerprint)
    assert known is not None
    study.answer(known, 9)
    assert not fine(at.run()).warning
    assert sheet_items(at).value == 36
    sv.create_study(
        study.pool, metric="f1", budget=60, preset="queue", storage=stores.storage(), name="other"
    )
    at = opened("Label", study="s")
    at.query_params["study"] = "other"
    assert sheet_items(fine(at.run())).value == 50
    assert "sheet_items" not in at.query_params


def sheet_items(at: AppTest) -> NumberInput:
    """Where the Label page asks how many items a sheet is to have."""
    [control] = [number for number in at.number_input if number.label == "How many?"]
    return control


def test_what_a_browser_has_not_heard_of_yet_is_not_taken_for_chosen() -> None:
    """While two tabs labelled at once, one reported what had been proposed for a sheet before, and the address kept it."""
    at = opened("Label", **labelled())
    study = sv.load_study("s", stores.storage())
    known = stores.labels(study.pool.fingerprint)
    assert known is not None
    late = sheet_items(at).id
    study.answer(known, 9)
    shown = sheet_items(fine(at.run()))
    assert shown.value == 36
    shown.set_value(45).id = late  # as the browser shows it still
    assert sheet_items(fine(at.run())).value == 36
    assert "sheet_items" not in at.query_params


@pytest.mark.parametrize(
    ("page", "place", "asked", "instead"),
    [
        ("Plan", pooled, {"people": "5", "method": "queue"}, "this method has no rounds"),
        ("Plan", pooled, {"known_random": "true"}, "there are no such labels"),
        ("Plan", pooled, {"present": "7"}, "the usual choice"),
        (
            "Simulate",
            dict,
            {"studied_even": "0.2", "view": "cross", "studied_method": "uniform"},
            "this method",
        ),
        ("Results", partly_labelled, {"reveal": "true"}, "the true value is not known"),
    ],
)
def test_what_a_link_asks_of_a_control_that_is_not_there_is_said(
    page: str, place: Callable[[], dict[str, str]], asked: dict[str, str], instead: str
) -> None:
    """It was ignored without a word, as was any `present` but true and false."""
    [warning] = opened(page, **place(), **asked).warning
    key, value = next(iter(asked.items()))
    said = warning.value.replace("\\", "")
    assert said.startswith(f"The address says {key} = {value}, which cannot be chosen here: {instead}")


def test_what_a_choice_here_takes_away_is_no_broken_link() -> None:
    at = opened("Plan", pool=digits(), people="5")
    for method in ("queue", "uniform"):
        assert not fine(at.selectbox(key="method").set_value(method).run()).warning


def test_what_a_bound_control_takes_is_no_broken_link() -> None:
    assert not opened("Results", **labelled(), shown_anytime="True", threshold_f1="0.3").warning
    assert not opened("Simulate", **pooled(), presets="uniform").warning


@pytest.mark.parametrize("path", ["x" * 300, "~nobody-here/scores.csv", "/no/such.csv"])
def test_a_path_that_leads_nowhere_is_said_so(path: str) -> None:
    assert "`path`" not in unbroken(start("Data", source="server", server_path=path)).error[0].value


@pytest.mark.parametrize(
    ("labels", "read"), [("137", 137), ("1797", 1797), ("1798", 300), ("0", 300), ("9" * 5000, 300)]
)
def test_any_number_of_labels_up_to_the_pool_can_be_linked_to(labels: str, read: int) -> None:
    at = opened("Plan", pool=digits(), labels=labels)
    assert at.select_slider(key="labels").value == read
    assert ("labels" in at.query_params) == (read != 300)


def test_other_data_than_those_at_hand_stay_chosen_for_simulating() -> None:
    at = opened("Simulate", pool=digits(), chosen="false", source="demo", demo="diabetes")
    assert not at.toggle(key="chosen").value
    assert "442 items" in " ".join(caption.value for caption in at.caption)


@pytest.mark.parametrize(
    "made",
    [
        {"preset": "queue", "shrinkage": 0.7, "defensive": 0.2},
        {"surrogate": "dirichlet-tree", "design": "adaptive", "estimator": "adaptive-importance-sampling"},
    ],
    ids=["preset", "combination"],
)
def test_a_duplicated_study_begins_with_all_its_settings(made: dict[str, Any]) -> None:
    pool = stores.pool(digits())
    store = stores.storage()
    first = sv.create_study(
        pool, metric="recall", budget=1001, level=0.95, seed=5, storage=store, name="a", **made
    )
    at = opened("Studies")
    again = next(b for b in at.button if (b.key or "").startswith("again_"))
    fine(again.click().run())
    at = opened("Plan", **{key: told(at, key) for key in at.query_params})
    fine(at.button(key="create").click().run())
    second = sv.load_study("a-2", store)
    assert second.method == first.method
    kept = ("budget", "level", "seed", "metrics")
    assert [getattr(second.settings, k) for k in kept] == [getattr(first.settings, k) for k in kept]


def uploaded() -> AppTest:
    """The Data page after the upload of a table of three rows."""
    at = opened("Data", source="upload")
    at.file_uploader[0].set_value(("my <b>table</b>.v2.csv", b"id,score\na,0.2\nb,0.6\nc,0.9\n", "text/csv"))
    return fine(at.run())


def test_a_reload_finds_the_upload_again() -> None:
    at = uploaded()
    again = opened("Data", source="upload", upload=told(at, "upload"))
    for shown in (at, again):
        assert shown.metric[0].value == "3"
        assert any("Uploaded: my \\<b\\>table" in caption.value for caption in shown.caption)
    assert told(again, "upload") == told(at, "upload")


def test_an_upload_that_is_gone_is_said_so(folder: Path) -> None:
    at = uploaded()
    [kept] = (folder / "uploads").iterdir()
    kept.unlink()
    again = unbroken(start("Data", source="upload", upload=told(at, "upload")))
    [error] = again.error
    assert "no longer on this machine; upload it again" in error.value
    assert again.file_uploader
    [box] = [
        box
        for box in unbroken(start("Simulate", source="upload", upload=told(at, "upload"))).expander
        if box.error
    ]
    assert box.proto.expanded, "the refusal is folded away"


@pytest.mark.parametrize("name", ["../../secret.csv", "/etc/passwd", "*", "0" * 63, "", "-../secret.csv"])
def test_no_address_leads_out_of_the_uploads(folder: Path, name: str) -> None:
    (folder / "secret.csv").write_text("id,score\nsecret,0.5\n")
    digest = told(uploaded(), "upload").partition("-")[0]
    refused = unbroken(start("Data", source="upload", upload=f"{name}-table.csv"))
    assert "64 hexadecimal digits" in refused.error[0].value
    assert opened("Data", source="upload", upload=f"{digest}-{name}").metric[0].value == "3"
