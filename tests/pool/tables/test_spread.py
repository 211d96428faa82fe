"""A system's output in lists and records of a frame, and in text of a CSV file: it is read as it is from JSON."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool, guess_columns
from sampleval.pool.columns import Told
from sampleval.pool.tables.reading import read_frame
from sampleval.pool.tables.spread import in_frame
from sampleval.pool.tables.written import LONGEST, as_nested

N = 24
CLASSES = ("negative", "neutral", "positive")
TRUTH = np.arange(N) * 7 % 3
SHARES = np.array([[0.5, 0.2, 0.3], [0.1, 0.6, 0.3], [0.25, 0.35, 0.4]])[TRUTH]
GOLD = [CLASSES[one] for one in TRUTH]


def pairs(k: int) -> list[dict[str, Any]]:
    """What a pipeline of Hugging Face says of one item, the best class first."""
    return [{"label": CLASSES[one], "score": float(SHARES[k, one])} for one in np.argsort(-SHARES[k])]


PAIRS = [pairs(k) for k in range(N)]
CELLS: dict[str, list[Any]] = {
    "pairs": PAIRS,
    "arrays of pairs": [np.array(cell, dtype=object) for cell in PAIRS],
    "record": [dict(zip(CLASSES, map(np.float32, SHARES[k]), strict=True)) for k in range(N)],
    "JSON": [json.dumps(cell) for cell in PAIRS],
    "Python": [str(cell) for cell in PAIRS],
}


@pytest.mark.parametrize("cells", CELLS.values(), ids=CELLS)
@pytest.mark.parametrize("name", ["prediction", "out"])
def test_scores_by_class_in_a_frame_are_read_as_from_a_file(name: str, cells: list[Any]) -> None:
    """A pipeline's column was a class for each of its texts, or no output at all."""
    df = pd.DataFrame({"text": "x", name: cells, "gold": GOLD}, index=range(5, N + 5))
    before = df.copy()
    name = "scores" if name == "out" and isinstance(cells[0], dict) else name
    pool = Pool.from_frame(df.rename(columns={"out": name}))
    assert (pool.task.kind, pool.task.classes, pool.columns.fields) == ("multiclass", CLASSES, ("text",))
    np.testing.assert_allclose(pool.score, SHARES, atol=1e-6)
    np.testing.assert_array_equal(Labels.from_frame(df, pool).values, pool.pred)
    pd.testing.assert_frame_equal(df, before)


@pytest.mark.parametrize("kind", [object, "string", pd.StringDtype("pyarrow")])
def test_columns_guessed_of_a_frame_make_its_pool(kind: Any) -> None:
    df = pd.DataFrame({"out": pd.Series(map(str, PAIRS), dtype=kind), "gold": GOLD})
    guess = guess_columns(df)
    assert guess.scores == tuple(f"score_{one}" for one in CLASSES)
    assert Pool.from_columns(df, guess).fingerprint == Pool.from_frame(df).fingerprint


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("confidence", {"label": "yes", "score": 0.9}),
        ("decision", {"label": "no", "scores": {"no": 0.75, "yes": 0.25}}),
        ("prediction", {"value": 2.5, "lower_bound": 1.5}),
    ],
)
def test_a_record_called_as_what_is_read_of_it_is_spread_for_columns_guessed(name: str, cell: Any) -> None:
    """The name was taken for the record's, which stayed as it was: columns were missing."""
    df = pd.DataFrame({name: [cell, cell], "gold": ["no", "yes"] if "label" in cell else [1.5, 2.5]})
    assert Pool.from_columns(df, guess_columns(df)).fingerprint == Pool.from_frame(df).fingerprint


def test_records_in_text_are_not_read_beside_an_output_of_another_column(tmp_path: Path) -> None:
    """A reply kept as it came beside what was read of it, and text beside lists of scores, made two outputs, and no pool."""
    said = [{"label": GOLD[k], "score": 0.5 + k / 99} for k in range(N)]
    raw = [json.dumps({"label": GOLD[k], "score": 0.5 + k / 99}) for k in range(N)]
    rows = [{"id": k, "output": said[k], "raw": raw[k]} for k in range(N)]
    assert of_lines(tmp_path, rows).columns.preds == ("decision",)
    assert Pool.from_frame(pd.DataFrame(rows)).columns.preds == ("decision",)
    pool = Pool.from_frame(pd.DataFrame({"scores": SHARES.tolist(), "raw": raw}))
    assert (pool.columns.scores, pool.columns.preds) == (("scores",), ())


def test_a_decision_and_its_score_are_read_from_a_frame() -> None:
    df = pd.DataFrame({"out": [{"label": "yes", "score": 0.5 + k / 99, "by": "m"} for k in range(N)]})
    df["label"] = ["no", "yes"] * (N // 2)
    pool = Pool.from_frame(df)
    assert (pool.columns.preds, pool.columns.scores) == (("decision",), ("confidence",))
    assert "`out` also holds `by`, neither read nor shown" in " ".join(pool.report)


def test_a_decision_in_lists_of_one_is_no_label() -> None:
    df = pd.DataFrame({"label": [[one] for one in GOLD], "prob": [[0.4 + k / 99] for k in range(N)]})
    pool = Pool.from_frame(df)
    assert (pool.columns.preds, pool.columns.label) == (("decision",), ())
    with pytest.raises(InputError, match="none looks like a label"):
        Labels.from_frame(df, pool)


@pytest.mark.parametrize("write", [json.dumps, str])
def test_lists_of_classes_beside_lists_of_scores_are_read_from_a_csv_file(write: Any, tmp_path: Path) -> None:
    """Two lists of zero-shot classification were a set of labels and a text."""
    rows = {
        name: [write([one[key] for one in cell]) for cell in PAIRS]
        for name, key in (("labels", "label"), ("scores", "score"))
    }
    pd.DataFrame({"text": "x", **rows}).to_csv(tmp_path / "t.csv", index=False)
    pool = Pool.read(tmp_path / "t.csv")
    assert (pool.task.kind, pool.task.classes, pool.columns.fields) == ("multiclass", CLASSES, ("text",))
    np.testing.assert_allclose(pool.score, SHARES)


@pytest.mark.parametrize("told", [None, "probs"])
def test_lists_of_scores_are_read_from_text(told: str | None, tmp_path: Path) -> None:
    """The advice was to give each class a column."""
    pd.DataFrame({"probs": [str(row.tolist()) for row in SHARES], "n": 1}).to_csv(
        tmp_path / "t.csv", index=False
    )
    pool = Pool.read(tmp_path / "t.csv", score=told)
    np.testing.assert_allclose(pool.score, SHARES)
    assert (
        Pool.from_frame(pd.read_csv(tmp_path / "t.csv"), score=told, classes=CLASSES).task.classes == CLASSES
    )


OTHERS: dict[str, list[Any]] = {
    "tags": ["['a', 'b']"] * N,
    "features": [{"age": 0.5, "height": k / N} for k in range(N)],
    "one cell is none": [*map(str, PAIRS[1:]), "none"],
    "a late one is none": [*map(str, PAIRS * 50), "[0.5"],
    "search": [[{"name": f"d{k}", "score": 0.9}, {"name": f"d{k + 1}", "score": 0.1}] for k in range(N)],
    "sets": [{"a", "b"}] * N,
}


@pytest.mark.parametrize("cells", OTHERS.values(), ids=OTHERS)
def test_what_is_no_output_in_every_cell_stays_as_it_is(cells: list[Any], tmp_path: Path) -> None:
    df = pd.DataFrame({"seen": cells})
    assert in_frame(df, Told()) is df
    df.to_csv(tmp_path / "t.csv", index=False)
    if isinstance(cells[0], str):
        assert read_frame(tmp_path / "t.csv", Told())["seen"].tolist() == cells


def test_records_with_ever_new_fields_and_long_texts_are_not_read() -> None:
    """Each field would be a column of Arrow's, filled or not."""
    assert as_nested([{f"w{k}": 1} for k in range(1000)]) is None
    assert as_nested([{"a": [{f"w{k}": {"b": 1}}]} for k in range(1000)]) is None
    assert as_nested([str(["a" * LONGEST])]) is None
    assert as_nested(["[" * (LONGEST - 1)]) is None
    assert as_nested([{0: 0.5, 1: 0.5}, pd.NA]).to_pylist() == [{"0": 0.5, "1": 0.5}, None]  # type: ignore[union-attr]


def test_text_in_brackets_brings_no_warnings() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        as_nested([r"['\d']"])
        as_nested(["['a', 0x1for]"])
    assert not told


def of_lines(tmp_path: Path, rows: list[dict[str, Any]], **told: Any) -> Pool:
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return Pool.read(tmp_path / "items.jsonl", **told)


def test_what_vertex_ai_predicted_from_is_spread(tmp_path: Path) -> None:
    """All of it was one text, and rows were counted in place of the id."""
    scores = [{"classes": CLASSES, "scores": row.tolist()} for row in SHARES]
    rows = [
        {"instance": {"id": f"a{k}", "text": f"t {k}"}, "prediction": one} for k, one in enumerate(scores)
    ]
    pool = of_lines(tmp_path, rows)
    assert (pool.columns.id, pool.columns.fields, pool.task.classes) == ("id", ("text",), CLASSES)
    assert of_lines(tmp_path, rows, fields=["instance"]).columns.fields == ("instance",)


@pytest.mark.parametrize("more", [{"score": 0.5}, {"n": 1}], ids=["an output", "a name that is taken"])
def test_an_instance_that_may_be_misread_stays(more: dict[str, Any], tmp_path: Path) -> None:
    rows = [{"instance": {"id": f"a{k}", **more}, "prediction": pairs(k), "n": k} for k in range(N)]
    assert "instance" in {*(columns := of_lines(tmp_path, rows).columns).fields, *columns.hidden}


def test_a_predicted_number_is_read_beside_its_bounds(tmp_path: Path) -> None:
    rows = [
        {"id": k, "prediction": {"value": k + 0.5, "lower_bound": k - 1, "upper_bound": k + 2}}
        for k in range(N)
    ]
    pool = of_lines(tmp_path, rows)
    assert (pool.task.kind, pool.columns.preds, pool.columns.fields) == ("regression", ("prediction",), ())
    np.testing.assert_array_equal(pool.pred, np.arange(N) + 0.5)
