"""What the columns of an upload mean is guessed, asked and confirmed: label, scores, decisions, fields, classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

import sampleval as sv
from sampleval.pool import Task
from sampleval.ui import stores
from sampleval.ui.data import looks, offers
from tests.app.steps import GOOD, begun, box, fields, planned, said, upload
from tests.apps import fine, start, told, unbroken

pytestmark = pytest.mark.usefixtures("folder")


def test_what_annotators_see_is_asked_once_the_model_s_columns_are_known() -> None:
    """Score columns that were not recognised had been chosen to be shown."""
    rows = "\n".join(f"0.{k},0.{9 - k},0.1,text {k}" for k in range(1, 9))
    at = upload("animals.csv", f"cat,dog,bird,comment\n{rows}\n".encode())
    asked = "Shown while labelling"
    assert asked not in [box.label for box in at.multiselect]
    fine(box(at, "What is predicted?").set_value("multiclass").run())
    assert asked not in [box.label for box in at.multiselect]
    scores = next(box for box in at.multiselect if box.label.startswith("Scores"))
    fine(scores.set_value(["cat", "dog", "bird"]).run())
    assert fields(at) == ["comment"]
    assert "One class per item, as chosen." in [caption.value for caption in at.caption]


def test_labels_that_are_no_two_classes_are_left_out_and_refused_when_chosen() -> None:
    at = upload("t.csv", GOOD.replace(",1,item 7", ",maybe,item 7").encode())
    assert "no two\\-class label" in said(at)
    # Confidence in what decision?
    assert box(at, "The scores are").options == [offers.SCALES[scale] for scale in ("", "percent", "sigmoid")]
    box(at, "True label").set_value("label").run()
    assert "maybe" in unbroken(at).error[0].value


def test_one_class_only_and_no_predicted_positive_are_noted() -> None:
    frame = pd.DataFrame({"id": range(30), "score": np.linspace(0, 0.4, 30), "label": 0})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert "Only one class occurs" in said(at)
    at = planned(at)
    unbroken(at.selectbox(key="metric").set_value("precision").run())
    assert "undefined" in said(at)
    assert at.button(key="create").disabled
    assert "No item is predicted positive" in said(at)


@pytest.mark.parametrize(("values", "seen"), [([0, 1], False), (["ham", "spam"], True)])
def test_a_column_that_may_be_the_label_is_asked_about(values: list[object], seen: bool) -> None:
    frame = pd.DataFrame({"score": np.linspace(0, 1, 40), "is_spam": values * 20, "text": range(40)})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert ("is_spam" in fields(at)) == seen
    assert (
        f"Is `is_spam` the true label? {'It is' if seen else 'Because it may be, it is not'} shown"
        in said(at)
    )
    unbroken(at.button(key="is_label_is_spam").click().run())
    assert box(at, "True label").value == "is_spam"
    assert "the true label?" not in said(at)
    assert fields(at) == ["text"]
    if not seen:
        assert {m.label: m.value for m in at.metric}["Known labels"] == "40"


def test_a_question_among_the_columns_opens_them() -> None:
    """After "Yes, it is" the page was empty except for a closed box, inside which it asked for the positive class."""
    rows = "\n".join(f"{k},{k / 50},text {k},{('ok', 'faulty')[k % 2]}" for k in range(40))
    at = upload("t.csv", f"id,score,text,Zustand\n{rows}".encode())
    (box,) = (box for box in at.expander if box.label.startswith("**Columns**"))
    assert not box.proto.expanded
    unbroken(at.button(key="is_label_Zustand").click().run())
    (box,) = (box for box in at.expander if box.label.startswith("**Columns**"))
    assert box.proto.expanded
    assert "which class is positive" in box.warning[0].value
    again = start("Data", **{key: told(at, key) for key in ("source", "upload")})
    assert [found.value for found in again.selectbox if found.label.startswith("True label")] == ["Zustand"]
    assert "which class is positive" in again.warning[0].value


def test_the_table_s_own_label_leaves_nothing_to_ask() -> None:
    at = upload("t.csv", GOOD.replace("text", "urgent").replace("item ", "").encode())
    assert "the true label?" not in said(at)


def test_margins_are_mapped_on_request() -> None:
    frame = pd.DataFrame({"id": range(40), "margin": np.linspace(-4, 4, 40)})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    box(at, "Score").set_value("margin").run()
    assert "say that these are margins" in at.error[0].value
    assert not [b for b in at.button if b.key == "are_percent"]
    box(at, "The scores are").set_value("sigmoid").run()
    unbroken(at)
    assert not at.error
    assert {m.label: m.value for m in at.metric}["Predicted “1”"] == "50%"


PERCENT = {
    "binary": pd.DataFrame({"score": np.linspace(0, 100, 40)}),
    "multiclass": pd.DataFrame({"p_a": np.linspace(0, 100, 40), "p_b": np.linspace(100, 0, 40)}),
}


@pytest.mark.parametrize("kind", PERCENT)
@pytest.mark.parametrize("scale", ["percent", "margin"])
def test_scores_beyond_1_are_said_to_be_percentages_or_margins_with_one_press(kind: str, scale: str) -> None:
    at = upload("t.csv", PERCENT[kind].to_csv(index=False).encode())
    assert "percent" in at.error[0].value
    key = "are_percent" if scale == "percent" else "are_softmax" if kind == "multiclass" else "are_sigmoid"
    unbroken(at.button(key=key).click().run())
    assert not at.error
    assert not [b for b in at.button if (b.key or "").startswith("are_")]
    assert box(at, "The scores are").value == key.removeprefix("are_")
    if scale == "percent":
        assert {m.value for m in at.metric if m.label.startswith("Predicted")} == {"50%"}


def test_the_tiles_are_the_classes_predicted_most_often() -> None:
    predicted = ["c"] * 20 + ["a"] * 10 + ["d"] * 10 + ["b"] * 5 + ["e"] * 5
    rows = "".join(f"{k},text {k},{name}\n" for k, name in enumerate(predicted))
    at = upload("t.csv", f"id,text,predicted_class\n{rows}".encode())
    shown = [(m.label, m.value) for m in at.metric if m.label.startswith("Predicted")]
    assert shown == [("Predicted “c”", "40%"), ("Predicted “a”", "20%"), ("Predicted “d”", "20%")]


def test_classes_that_the_table_names_are_not_asked_for() -> None:
    rows = "".join(f"{k / 20},{'ham' if k % 2 else 'spam'}\n" for k in range(21))
    at = upload("mails.csv", f"score_spam,label\n{rows}".encode())
    assert not [box for box in at.text_input if box.label.startswith("What is a positive")]


@pytest.mark.parametrize(
    ("kind", "values"), [("regression", [1.5, 2.0, 4.0]), ("multiclass", ["cat", "dog", "newt"])]
)
def test_predictions_under_unknown_names_can_be_chosen(kind: str, values: list[object]) -> None:
    frame = pd.DataFrame({"guessed": values * 10, "measured": values * 10, "place": "Köln"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert [w.value for w in at.warning] == [
        "No column is taken for the model's score or prediction\\: choose it here."
    ]
    assert not at.error
    unbroken(box(at, "What is predicted").set_value(kind).run())
    unbroken(box(at, "Prediction").set_value("guessed").run())
    unbroken(box(at, "True label").set_value("measured").run())
    assert "as told" not in said(at)
    assert not at.warning
    assert not at.error
    assert {m.label: m.value for m in at.metric}["Known labels"] == "30"
    assert "Known labels would" not in said(at)
    assert "`place`. Nothing shown may" in said(at).replace("\\", "")


def test_the_column_that_says_how_far_off_a_prediction_may_be_can_be_chosen_and_left_out() -> None:
    doubt = np.linspace(0.1, 4, 40)
    frame = pd.DataFrame({"prediction": np.linspace(5, 95, 40), "doubt": doubt, "std": 1.5, "place": "Köln"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert box(at, "How far off").value == "std"
    unbroken(box(at, "How far off").set_value("doubt").run())
    again = unbroken(start("Data", **{key: told(at, key) for key in ("source", "upload")}))
    assert box(again, "How far off").value == "doubt"
    told_scale = begun(again, "sensible").pool
    assert told_scale.systems[0].error.tolist() == doubt.tolist()
    unbroken(box(at, "How far off").set_value("–").run())
    without = begun(at, "sensible").pool
    assert not without.systems[0].error.size
    assert "std" not in without.fields


def test_decisions_without_scores_are_not_drawn_as_scores_and_every_class_is_counted() -> None:
    frame = pd.DataFrame({"pred": ["cat", "dog", "newt", "ox", "owl"] * 8, "place": "Köln"})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    assert any("decisions but no scores" in caption.value for caption in at.caption)
    assert not at.get("plotly_chart")
    assert {m.label: m.value for m in at.metric}["Other classes"] == "2"


def test_a_reload_finds_the_columns_as_they_were_confirmed() -> None:
    shares = np.linspace(5, 95, 40)
    frame = pd.DataFrame(
        {"no": range(40), "odd": shares, "other": shares, "answer?": ["ham", "spam"] * 20, "text": "x"}
    )
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "Score").set_value("odd").run())
    unbroken(box(at, "True label").set_value("answer?").run())
    unbroken(box(at, "Which class is positive").set_value("ham").run())
    unbroken(box(at, "The scores are").set_value("percent").run())
    unbroken(next(s for s in at.slider if s.label.startswith("Threshold")).set_value(0.7).run())
    unbroken(
        next(m for m in at.multiselect if m.label.startswith("Other systems")).set_value(["other"]).run()
    )
    address = {key: told(at, key) for key in ("source", "upload")}
    again = start("Data", **address)
    for now in (
        again,
        unbroken(at.switch_page("pages/2_Plan.py").run())
        and unbroken(at.switch_page("pages/1_Data.py").run()),
    ):
        assert [box(now, b).value for b in ("Score", "True label", "Which class", "The scores are")] == [
            "odd",
            "answer?",
            "ham",
            "percent",
        ]
        assert next(s for s in now.slider if s.label.startswith("Threshold")).value == 0.7
        assert fields(now) == ["text"]
        assert {m.label: m.value for m in now.metric}["Predicted “ham”"] == {
            m.label: m.value for m in again.metric
        }["Predicted “ham”"]
    assert (
        "columns" not in at.query_params
    )  # each change of the address would be a step of the browser's Back


def test_scores_of_several_classes_under_unknown_names_can_be_chosen() -> None:
    shares = np.random.default_rng(3).dirichlet([1, 1, 1], 40)
    frame = pd.DataFrame(shares, columns=[*"ABC"]).assign(kind=[*"ABCA"] * 10, place="Köln")
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "What is predicted").set_value("multiclass").run())
    scores = next(box for box in at.multiselect if box.label.startswith("Scores"))
    unbroken(scores.set_value(["A"]).run())
    assert "the other classes" in at.warning[0].value
    assert not at.error
    unbroken(scores.set_value([*"ABC"]).run())
    assert not at.warning
    unbroken(box(at, "True label").set_value("kind").run())
    assert {m.label: m.value for m in at.metric}["Known labels"] == "40"
    pool = stores.pool(told(planned(at), "pool"))
    assert pool.task == Task("multiclass", ("A", "B", "C"))
    assert np.allclose(pool.score, shares)
    assert list(pool.fields.columns) == ["place"]


def test_scores_of_several_labels_can_be_chosen() -> None:
    frame = pd.DataFrame({"billing": [0.2, 0.9, 0.4], "login": [0.7, 0.8, 0.1], "text": [*"abc"]})
    at = upload("t.csv", frame.to_csv(index=False).encode())
    unbroken(box(at, "What is predicted").set_value("multilabel").run())
    scores = next(box for box in at.multiselect if box.label.startswith("Scores"))
    unbroken(scores.set_value(["login", "billing"]).run())
    assert not [*at.warning, *at.error]
    pool = stores.pool(told(planned(at), "pool"))
    assert pool.task == Task("multilabel", ("login", "billing"))


def test_a_judge_and_its_confidence_are_decision_and_score() -> None:
    """Read as the probability of yes, the confidence in a no would count against it."""
    lines = [
        f'{{"text": "t{k}", "verdict": "{"yes" if k % 3 else "no"}", "confidence": {0.51 + k / 50}}}'
        for k in range(20)
    ]
    at = upload("judge.jsonl", "\n".join(lines).encode())
    unbroken(at.button(key="is_pred_verdict").click().run())
    assert "7 differ from score" in said(at)
    yes = at.button(key="are_confidence")
    assert yes.label == "Yes, it does"  # the question begins with "does"
    unbroken(yes.click().run())
    assert "1 − confidence where the decision is negative" in said(at)
    assert not [b for b in at.button if b.key == "are_confidence"]
    assert "differ from score" not in said(at)
    lines = [line.replace('"no"', '"yes"') for line in lines]  # nothing to tell from
    at = upload("all.jsonl", "\n".join(lines).encode())
    unbroken(at.button(key="is_pred_verdict").click().run())
    assert not [*at.error, *(b for b in at.button if b.key == "are_confidence")]


def test_a_field_that_turns_out_to_be_the_label_is_shown_no_more() -> None:
    """Once the score columns are chosen, the names of the classes show which column holds the label."""
    table = "mail,Lob,Frage,Kategorie\n" + "\n".join(
        f"Mail {k},{k / 20:.2f},{1 - k / 20:.2f},{'Lob' if k % 2 else 'Frage'}" for k in range(20)
    )
    at = upload("mails.csv", table.encode())
    unbroken(box(at, "What is predicted").set_value("multiclass").run())
    scores = next(box for box in at.multiselect if box.label.startswith("Scores"))
    unbroken(scores.set_value(["Lob", "Frage"]).run())
    assert fields(at) == ["mail"]
    next(box for box in at.multiselect if box.label.startswith("Shown")).set_value(["mail", "Kategorie"])
    unbroken(at.run())  # whoever wants it gets it
    assert fields(at) == ["mail", "Kategorie"]
    assert "Left out" not in said(at)


def test_the_threshold_and_the_fields_are_adjustable() -> None:
    at = upload("t.csv", GOOD.encode())
    threshold = next(s for s in at.slider if s.label.startswith("Threshold"))
    at = unbroken(threshold.set_value(0.8).run())
    assert {m.label: m.value for m in at.metric}["Predicted “1”"] == "20%"
    assert "Shown to annotators" in said(at)
    at.multiselect[0].set_value([]).run()
    assert "Shown to annotators" not in said(unbroken(at))


def test_the_id_is_shown_while_labelling_only_if_chosen() -> None:
    """An id such as a house number may be the only thing by which an item can be looked up."""
    at = upload("t.csv", GOOD.encode())
    shown = next(box for box in at.multiselect if box.label.startswith("Shown"))
    assert ("id" in shown.options, shown.value) == (True, ["text"])
    at = unbroken(shown.set_value(["id", "text"]).run())
    assert not at.error
    study = begun(at, "sensible")
    [item] = study.ask(1)
    assert item.fields["id"] == item.id


def test_items_are_called_by_the_identifier_that_is_chosen() -> None:
    at = upload("t.csv", GOOD.encode())
    study = begun(unbroken(box(at, "Identifier").set_value("text").run()), "sensible")
    assert set(study.pool.ids) == {f"item {k}" for k in range(20)}


def test_of_several_classes_label_and_identifier_are_the_columns_chosen() -> None:
    rows = [f"{k},mail {k},{'abc'[k % 3]},a,{'bc'[k % 2]}" for k in range(12)]
    at = upload("t.csv", "\n".join(["id,text,pred,label,second", *rows]).encode())
    unbroken(box(at, "True label").set_value("second").run())
    at = unbroken(box(at, "Identifier").set_value("text").run())
    pool = stores.pool(told(planned(at), "pool"))
    assert pool.ids[0] == "mail 0"
    known = stores.labels(pool.fingerprint)
    assert known is not None
    assert set(known.by_id(pool).values()) == {"b", "c"}


def test_a_threshold_that_the_decisions_do_not_follow_is_not_drawn() -> None:
    frame = pd.DataFrame({"score": [0.1, 0.4, 0.6, 0.9], "pred": [0, 1, 1, 1]})
    assert looks.look(sv.Pool.from_frame(frame), None).threshold is None
    frame["pred"] = [0, 0, 1, 1]
    assert looks.look(sv.Pool.from_frame(frame), None).threshold == 0.5


def test_classes_that_are_never_predicted_can_be_named() -> None:
    """A judge that calls everything "ham" may still be wrong."""
    at = upload("calls.csv", b"id,pred\n1,ham\n2,ham\n3,ham\n")
    at = fine(box(at, "What is predicted?").set_value("multiclass").run())
    others = next(asked for asked in at.multiselect if asked.label.startswith("Classes that no item"))
    at = fine(others.set_value(["spam", " eggs ", "ham"]).run())
    at = fine(at.button(key="sensible").click().run())
    study = sv.load_study("calls", stores.storage())
    assert study.pool.task.classes == ("ham", "spam", "eggs")
