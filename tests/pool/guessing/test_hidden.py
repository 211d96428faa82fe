"""What annotators must not see: columns that may hold the answers or what a model says."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval.pool import Kind, Labels, Pool, guess_columns
from sampleval.pool.guessing.likely_labels import possible_labels
from tests.tables import items


@pytest.mark.parametrize(
    "name", ["label", "y", "truth", "Target", "gold", "y_true", "ground truth", "is_match"]
)
def test_usual_label_names_are_kept_out(name: str) -> None:
    frame = items().rename(columns={"label": name})
    pool = Pool.from_frame(frame)
    assert pool.columns.label == (name,)
    assert name not in pool.fields
    assert Labels.from_frame(frame, pool).values.tolist() == [0, 1, 0, 1, 0, 1]


def test_other_answers_and_outputs_are_not_shown_unless_told() -> None:
    frame = items(truth=0, margin=1.5, score_old=0.1)
    pool = Pool.from_frame(frame)
    assert list(pool.fields.columns) == ["text"]
    assert set(pool.columns.hidden) == {"truth", "margin", "score_old"}
    assert list(Pool.from_frame(frame, fields=["margin"]).fields.columns) == ["margin"]


@pytest.mark.parametrize("text", ["{{1}}", "{[1]: 2}", r"['\d']"])
def test_texts_in_brackets_that_are_no_records_are_shown(text: str) -> None:
    assert Pool.from_frame(items(note=text)).fields["note"].eq(text).all()


CLASSES = {"p_cat": [0.2, 0.9, 0.3] * 4, "p_dog": [0.8, 0.1, 0.7] * 4}


@pytest.mark.parametrize(
    ("columns", "answers"),
    [
        ({"score": [0.2, 0.9, 0.3] * 4, "is_spam": [0, 1, None] * 4}, True),
        ({"score": [0.2, 0.9, 0.3] * 4, "spam": ["yes", "No", "yes"] * 4}, True),
        ({"score": [0.2, 0.9, 0.3] * 4, "spam": ["yes"] * 12}, True),
        ({"score": [0.2, 0.9, 0.3] * 4, "kind": ["ham", "spam", "spam"] * 4}, False),
        ({"score": [0.2, 0.9, 0.3] * 4, "kind": ["a", "b", "c"] * 4}, None),
        ({"score": [0.2, 0.9, 0.3] * 4, "kind": ["ham"] * 12}, None),
        ({"score": [0.2, 0.9, 0.3] * 4, "kind": ["ham", "spam", "spam"] * 4, "label": [0, 1, 1] * 4}, False),
        ({"score": [0.2, 0.9], "text": ["one", "two"]}, None),
        ({"score": [0.2, 0.9, 0.3], "number": [10**50, 0, 0]}, None),
        ({"score": [0.2, 0.9], "list": [[1], [0]]}, None),
        (CLASSES | {"animal": ["Cat", "Dog", None] * 4}, True),
        (CLASSES | {"urgent": [0, 1, 1] * 4}, None),
        (CLASSES | {"animal": ["cat", "dog", "newt"] * 4}, None),
    ],
)
def test_what_may_be_the_label_is_asked_about_and_answers_are_not_shown(
    columns: dict[str, list[Any]], answers: bool | None
) -> None:
    frame = pd.DataFrame(columns)
    [name] = [name for name in frame.columns if name not in {"score", "label", *CLASSES}]
    task: Kind | None = "multiclass" if "p_cat" in columns else None
    guess = Pool.from_frame(frame, task=task).columns
    assert possible_labels(frame, guess) == ({} if answers is None else {name: answers})
    assert (name in guess.hidden) == bool(answers)
    assert Pool.from_frame(frame, task=task, fields=[name]).columns.hidden == ()


def test_a_column_of_sets_of_the_labels_predicted_is_asked_about() -> None:
    """It was left out without a question, so that tags known already were asked again."""
    frame = pd.DataFrame(
        {"pred": ["a;b", "a", "c", "b"], "checked": ["a;c", None, None, "b"], "note": list("wxyz")}
    )
    guess = Pool.from_frame(frame, task="multilabel").columns
    assert possible_labels(frame, guess) == {"checked": True}
    assert (guess.label, guess.hidden, guess.fields) == ((), ("checked",), ("note",))


@pytest.mark.parametrize("start", ["true_", "actual_", "is_", "y_"])
def test_columns_that_answer_for_each_class_are_not_shown(start: str) -> None:
    frame = pd.DataFrame({f"{start}a": [1, 0, 1], f"{start}b": [0, 1, 1], f"{start}b_old": [1, 0, 0]})
    scores = pd.DataFrame({"score_a": [0.9, 0.2, 0.9], "score_b": [0.2, 0.9, 0.9]})
    pool = Pool.from_frame(scores.join(frame))
    assert pool.task.kind == "multilabel"
    assert pool.columns.hidden == (f"{start}a", f"{start}b")
    assert pool.columns.fields == (f"{start}b_old",)
    texts = frame.replace({0: "nothing", 1: "a word"})
    assert Pool.from_frame(scores.join(texts)).columns.fields == tuple(frame.columns)


def test_a_column_that_bears_the_name_of_a_class_is_not_shown() -> None:
    frame = pd.DataFrame(
        {"p_billing": [0.2, 0.9], "p_login": [0.9, 0.8], "billing": [0, 1], "text": ["a", "b"]}
    )
    assert guess_columns(frame).fields == ("text",)


def test_what_a_predicted_number_is_named_after_is_its_label_and_not_shown() -> None:
    frame = pd.DataFrame({"predicted_price": [1.5, 2.5], "Price": [1.0, None], "rooms": [2, 3]})
    guess = guess_columns(frame)
    assert possible_labels(frame, guess) == {"Price": True}
    assert guess.fields == ("rooms",)
    two = frame.rename(columns={"predicted_price": "a.predicted_price"}).assign(
        **{"b.predicted_price": [2.0, 2.0]}
    )
    assert possible_labels(two, guess_columns(two)) == {"Price": True}


@pytest.mark.parametrize("name", ["actual_price", "True value", "price (actual)"])
def test_a_number_that_is_called_the_true_one_is_asked_about_and_not_shown(name: str) -> None:
    frame = pd.DataFrame({"predicted_price": [1.5, 2.5], name: [1.0, None], "factual": [2, 3]})
    guess = guess_columns(frame)
    assert possible_labels(frame, guess) == {name: True}
    assert guess.fields == ("factual",)
    frame["true story"] = ["no", "yes"]
    assert "true story" in guess_columns(frame).fields


def test_what_may_be_another_model_s_score_is_not_shown_unless_asked_for() -> None:
    """Columns of numbers from 0 to 1 had been shown to annotators, whatever their names."""
    frame = pd.DataFrame(
        {"title": ["a", "b", "c"], "model_a": [0.2, 0.9, 0.5], "model_b": [0.25, np.nan, 1.0]}
        | {"price": [0.5, 2.0, 3.0], "rooms": [1, 2, 1]}
    )
    columns = Pool.from_frame(frame, score="model_a").columns
    assert columns.hidden == ("model_b",)
    assert columns.fields == ("title", "price", "rooms")
    assert "model_b" in Pool.from_frame(frame, score="model_a", fields=["model_b"]).columns.fields


@pytest.mark.parametrize(
    "name", ["Model confidence", "pred_confidence", "prediction_confidence", "conf", "Certainty", "pred_conf"]
)
def test_the_models_confidence_is_not_shown_to_annotators(name: str) -> None:
    """Only the word alone had been recognised: beside decisions, “Model confidence” was shown on the card."""
    frame = pd.DataFrame(
        {"Predicted label": ["a", "b", "c"] * 4, name: [0.9, 0.5, 0.7] * 4, "text": [*"uvwxyz"] * 2}
    )
    assert Pool.from_frame(frame).columns.fields == ("text",)


def test_a_wide_table_takes_time_in_proportion_to_its_columns(rng: np.random.Generator) -> None:
    """Each column of 0/1 may be the label, and each other one was compared with all that is computed from each of them."""

    def took(many: int) -> float:
        flags = {f"flag{k}": rng.integers(2, size=1000) for k in range(many)}
        sizes = {f"size{k}": rng.normal(size=1000) for k in range(many)}
        frame = pd.DataFrame({"id": range(1000), "score": rng.random(1000)} | flags | sizes)
        start = time.process_time()
        assert guess_columns(frame).fields == tuple(sizes)
        return time.process_time() - start

    narrow, wide = (min(took(many), took(many)) for many in (20, 80))
    assert wide < 7 * narrow  # four times as long, where it was sixteen times


def test_many_scores_beside_many_fields_take_time_in_proportion(rng: np.random.Generator) -> None:
    """Of each field it is asked whether it is named as what is scored, and the names of all scores were read each time."""

    def took(many: int) -> float:
        scores = {f"score_c{k}": share for k, share in enumerate(rng.dirichlet(np.ones(many), 20).T)}
        frame = pd.DataFrame(scores | {f"n{k}": ["x"] * 20 for k in range(many)})
        start = time.process_time()
        assert len(guess_columns(frame).fields) == many
        return time.process_time() - start

    narrow, wide = (min(took(many), took(many)) for many in (100, 800))
    assert wide < 20 * narrow  # about ten times as long, where it was thirty times


def test_a_number_that_predictions_come_close_to_is_shown_to_nobody() -> None:
    """`price` beside `predicted` stood on the cards of those who were to find it out."""
    rng = np.random.default_rng(3)
    said, n = rng.normal(300, 80, 60), 60
    frame = pd.DataFrame(
        {
            "id": [f"h{k}" for k in range(n)],
            "predicted": said,
            "price": said + rng.normal(0, 40, n),
            "upper": said + 60,
            "unlike": rng.permutation(said),
            "in_dollars": 1.1 * said + 200,
            "few": [*said[:10], *[None] * 50],
            "sqm": rng.integers(30, 200, n),
        }
    )
    columns = Pool.from_frame(frame).columns
    assert columns.hidden == ("price", "upper")
    assert columns.fields == ("unlike", "in_dollars", "few", "sqm")
    assert possible_labels(frame, columns) == {"price": False}  # a bound is not asked about
