"""A system's output in records and lists, as services and frameworks write it: which of it is read, and what is left."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sampleval.pool import Labels, Pool
from sampleval.pool.columns import Told
from sampleval.pool.tables.reading import read_frame

N = 24
CLASSES = ("negative", "neutral", "positive")
TRUTH = np.arange(N) * 7 % 3
SHARES = np.array([[0.5, 0.2, 0.3], [0.1, 0.6, 0.3], [0.25, 0.35, 0.4]])[TRUTH]
Rows = list[dict[str, Any]]


def read(tmp_path: Path, rows: Rows) -> tuple[Pool, pd.DataFrame]:
    """The pool of these records and the frame it was made from."""
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return Pool.read(path), read_frame(path, Told())


def pairs(k: int, name: str = "label", score: str = "score", **more: Any) -> Rows:
    """The classes of one item with their scores, the best one first."""
    best = np.argsort(-SHARES[k])
    return [{name: CLASSES[one], score: float(SHARES[k, one]), **more} for one in best]


def apart(k: int, name: str, score: str, **more: Any) -> dict[str, Any]:
    """The same in two lists."""
    found = pairs(k)
    return {name: [one["label"] for one in found], score: [one["score"] for one in found], **more}


def by_class(k: int) -> dict[str, float]:
    """The same in a record."""
    return {one["label"]: one["score"] for one in sorted(pairs(k), key=lambda one: one["label"])}


NESTED: dict[str, Callable[[int], dict[str, Any]]] = {
    "Hugging Face": lambda k: {"prediction": pairs(k)},
    "nameless scores": lambda k: {"scores": pairs(k)},
    "Comprehend": lambda k: {"Classes": pairs(k, "Name", "Score")},
    "BigQuery": lambda k: {"predicted_label_probs": pairs(k, "label", "prob")},
    "DataRobot": lambda k: {"predictionValues": pairs(k, "label", "value")},
    "pairs with a link": lambda k: {"prediction": pairs(k, link="http://x")},
    "Rasa": lambda k: {
        "intent": pairs(k, "name", "confidence")[0],
        "intent_ranking": pairs(k, "name", "confidence"),
    },
    "Vertex AI": lambda k: {"prediction": apart(k, "classes", "scores")},
    "Vertex AI for text": lambda k: {
        "prediction": apart(k, "displayNames", "confidences", ids=["1", "2", "3"])
    },
    "zero-shot": lambda k: apart(k, "labels", "scores"),
    "spaCy": lambda k: {"cats": by_class(k)},
    "sentiment of Comprehend": lambda k: {"SentimentScore": by_class(k)},
    "sentiment of Azure": lambda k: {"confidenceScores": by_class(k)},
    "record": lambda k: {"predictions": by_class(k)},
    "Snowflake": lambda k: {"PREDICTION": {"class": pairs(k)[0]["label"], "probability": by_class(k)}},
}


@pytest.mark.parametrize("output", NESTED.values(), ids=NESTED)
def test_scores_by_class_are_read_however_they_are_nested(
    output: Callable[[int], dict[str, Any]], tmp_path: Path
) -> None:
    """To give each a column of its own was the advice, if they were not taken for lists of nameless scores."""
    pool, frame = read(tmp_path, [{"id": f"i{k}", **output(k), "gold": CLASSES[TRUTH[k]]} for k in range(N)])
    assert (pool.task.kind, pool.task.classes) == ("multiclass", CLASSES)
    np.testing.assert_allclose(pool.score, SHARES)
    np.testing.assert_array_equal(Labels.from_frame(frame, pool).values, pool.pred)
    assert pool.columns.fields == ()


def test_scores_by_class_are_read_from_parquet_in_their_precision(tmp_path: Path) -> None:
    kind = pa.list_(pa.struct([("label", pa.int64()), ("prob", pa.float32())]))
    cells = [
        [{"label": one, "prob": float(SHARES[k, one])} for one in np.argsort(-SHARES[k])] for k in range(N)
    ]
    table = pa.table({"predicted_label": TRUTH, "probs": pa.array(cells, kind)})
    pq.write_table(table, tmp_path / "items.parquet")
    pool = Pool.read(tmp_path / "items.parquet")
    assert (pool.task.classes, pool.columns.preds) == (("0", "1", "2"), ("predicted_label",))
    assert read_frame(tmp_path / "items.parquet", Told())["score_0"].dtype == np.float32


@pytest.mark.parametrize(
    "output",
    [
        {"label": "yes", "score": 0.9},
        [{"label": "yes", "score": 0.9}],
        {"name": "yes", "confidence": 0.9},
        {"verdict": "yes", "confidence": 0.9},
        {"predicted_label": "yes", "score": 0.9},
    ],
    ids=["pair", "list of one", "name", "verdict", "decision"],
)
def test_a_decision_and_its_score_are_read_from_a_record(output: Any, tmp_path: Path) -> None:
    rows = [{"result": output, "text": f"text {k}", "label": ["no", "yes"][k % 2]} for k in range(N)]
    pool, frame = read(tmp_path, rows)
    (own,) = pool.columns.systems
    assert (pool.task.classes, own.score, own.pred) == (("no", "yes"), ("confidence",), ("decision",))
    assert pool.columns.fields == ("text",)
    assert Labels.from_frame(frame, pool).known.all()


def test_a_decision_and_its_score_are_read_from_lists_of_one(tmp_path: Path) -> None:
    """Of SageMaker's texts, the label was taken for a known one."""
    rows = [{"label": [f"__label__{CLASSES[TRUTH[k]]}"], "prob": [0.4 + k / 99]} for k in range(N)]
    pool, _ = read(tmp_path, rows)
    assert (pool.task.width, pool.columns.preds, pool.columns.label) == (3, ("decision",), ())


def test_what_else_stands_in_the_record_of_an_output_is_said_and_not_shown(tmp_path: Path) -> None:
    rows = [
        {
            "judge": {"verdict": "yes", "confidence": 0.5 + k / 99, "why": "so"},
            "label": "no",
            "text": f"t {k}",
        }
        for k in range(N)
    ]
    pool, _ = read(tmp_path, rows)
    assert pool.columns.fields == ("text",)
    assert "`judge` also holds `why`, neither read nor shown" in " ".join(pool.report)


def test_what_else_names_the_classes_of_the_scores_is_not_shown(tmp_path: Path) -> None:
    """As a text, it would have shown annotators of spaCy's categories the truth, and those of a moderation what it decides."""
    rows = [
        {
            "pred_cats": by_class(k),
            "cats": {one: float(one == CLASSES[TRUTH[k]]) for one in CLASSES},
            "text": "x",
        }
        for k in range(N)
    ]
    pool, _ = read(tmp_path, rows)
    assert (pool.task.kind, pool.columns.fields) == ("multiclass", ("text",))
    assert "`cats` also holds `negative`, `neutral`, `positive`" in " ".join(pool.report)


def test_flagged_is_not_shown_beside_scores_of_labels(tmp_path: Path) -> None:
    rows = [
        {"flagged": k > 9, "category_scores": {"hate": k / N, "violence": 0.3}, "text": "x"} for k in range(N)
    ]
    pool, _ = read(tmp_path, rows)
    assert (pool.task.kind, pool.columns.fields) == ("multilabel", ("text",))


OTHERS: dict[str, Callable[[int], dict[str, Any]]] = {
    "search": lambda k: {"hits": [{"name": f"d{k}", "score": 0.9}, {"name": f"d{k + 1}", "score": 0.1}]},
    "more and fewer": lambda k: {"hits": [{"name": "a", "score": 0.9}] * (1 + k % 2)},
    "twice the same": lambda k: {"hits": [{"name": "a", "score": 0.9}, {"name": "a", "score": 0.1}]},
    "some without": lambda k: {"hits": [] if k else pairs(k)},
    "features": lambda k: {"features": {"age": 0.5, "height": k / N}},
    "shares beside a decision": lambda k: {"features": {"age": k / N, "height": 1 - k / N}, "pred": k % 2},
    "a score of nothing": lambda k: {"meta": {"score": k / N, "source": "x"}},
    "beside a score": lambda k: {"meta": {"score": k / N, "label": "x"}, "score": k / N},
    "two systems": lambda k: {"one": pairs(k), "other": pairs(k)},
    "tokens": lambda k: {"tokens": [f"t{k}", "t"], "weights": [0.5, 0.5]},
}


@pytest.mark.parametrize("nested", OTHERS.values(), ids=OTHERS)
def test_records_and_lists_of_something_else_stay(
    nested: Callable[[int], dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(json.dumps({"id": k, **nested(k)}) for k in range(N)))
    assert {*read_frame(path, Told())} == {"id", *nested(0)}


def test_scores_by_class_are_read_beside_a_decision_and_its_confidence(tmp_path: Path) -> None:
    rows = [{"prediction": pairs(k)[0]["label"], "confidence": 0.6, "scores": pairs(k)} for k in range(N)]
    pool, _ = read(tmp_path, rows)
    assert pool.columns.scores == tuple(f"score_{one}" for one in CLASSES)
    assert (pool.columns.preds, pool.columns.fields) == (("prediction",), ())


def test_columns_of_scores_may_be_named_as_the_report_calls_them(tmp_path: Path) -> None:
    rows = [{"id": k, "prediction": pairs(k)[0], "note": "x"} for k in range(N)]
    read(tmp_path, rows)
    pool = Pool.read(tmp_path / "items.jsonl", id="id", pred="decision", fields=["note"])
    assert (pool.task.classes, pool.columns.fields) == (CLASSES, ("note",))
    read(tmp_path, [{"id": k, "cats": by_class(k)} for k in range(N)])
    assert Pool.read(tmp_path / "items.jsonl", score="score_").task.classes == CLASSES


def test_a_column_that_the_caller_named_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(json.dumps({"id": k, "cats": by_class(k), "p": k / N}) for k in range(N)))
    pool = Pool.read(path, id="id", score="p", fields=["cats"])
    assert (pool.columns.scores, pool.columns.fields) == (("p",), ("cats",))
    only = Pool.read(path, id="id", fields=[])
    assert only.columns.scores == ("p",)


@pytest.mark.parametrize(
    "record",
    [{"label": "no"}, {"label": "yes", "by": "kim"}, [{"start": 1, "label": "no"}], {"yes": 3, "no": 1}],
    ids=["label", "label by whom", "labels", "votes"],
)
def test_records_that_name_a_label_are_not_shown(record: Any, tmp_path: Path) -> None:
    """LangSmith's `reference_outputs` were shown as a text that tells the truth."""
    rows = [
        {"pred": ["no", "yes"][k % 2], "seen": record, "doc": {"answer": "x", "n": k}, "n": k}
        for k in range(N)
    ]
    pool, _ = read(tmp_path, rows)
    assert pool.columns.fields == ("doc", "n")
