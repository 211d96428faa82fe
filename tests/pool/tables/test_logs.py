"""Logs of evaluations, exports and replies of servers: what is read of them, and what they are refused with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool
from sampleval.pool.columns import Told
from sampleval.pool.tables.reading import read_frame

N = 24
CLASSES = ["bad", "fair", "good"]
TRUTH = [CLASSES[k * 7 % 3] for k in range(N)]
SAID = [CLASSES[k * 5 % 3 if k % 4 else k * 7 % 3] for k in range(N)]
Rows = list[dict[str, Any]]


def read(tmp_path: Path, content: Any, *, lines: bool = True) -> tuple[Pool, Labels | None]:
    """The pool of these records, and the labels that they hold."""
    path = tmp_path / ("items.jsonl" if lines else "items.json")
    path.write_text("\n".join(map(json.dumps, content)) if lines else json.dumps(content, ensure_ascii=False))
    pool = Pool.read(path)
    return pool, Labels.from_frame(read_frame(path, Told()), pool) if pool.columns.label else None


def likelihoods(k: int) -> list[float]:
    """Log-likelihoods of the choices, of which what is said has the largest."""
    return [-1.0 if one == SAID[k] else -2.0 - k / N for one in CLASSES]


def harness(k: int, *, new: bool = False, choices: list[str] = CLASSES) -> dict[str, Any]:
    """A sample of the harness as it is logged, and as newer versions write all of it as text."""
    asked, answers = [[f"text {k}", f" {one}"] for one in choices], [[one, False] for one in likelihoods(k)]
    rest = {"doc_id": k, "doc": {"q": k, "choices": choices}, "acc": 1.0, "doc_hash": "ab", "filter": "none"}
    if not new:
        return rest | {
            "target": CLASSES.index(TRUTH[k]),
            "arguments": asked,
            "resps": [[one] for one in answers],
            "filtered_resps": answers,
        }
    named = {f"gen_args_{i}": {"arg_0": one[0], "arg_1": one[1]} for i, one in enumerate(asked)}
    spelt = [[str(one), str(greedy)] for one, greedy in answers]
    return rest | {
        "target": str(CLASSES.index(TRUTH[k])),
        "arguments": named,
        "resps": [[one] for one in spelt],
        "filtered_resps": spelt,
    }


def generated(k: int, answer: str) -> dict[str, Any]:
    row = {"doc_id": k, "doc": {"q": k}, "target": TRUTH[k], "filter": "none", "exact_match": 1.0}
    return row | {
        "arguments": [[f"text {k}", {"until": ["\n"]}]],
        "resps": [[answer]],
        "filtered_resps": [answer],
    }


def promptfoo(
    k: int, output: Any = None, *, provider: Any = "m", value: str | None = None, **more: Any
) -> dict[str, Any]:
    test = {"pass": True, "score": 1, "assertion": {"type": "equals", "value": value or TRUTH[k]}}
    grading = {"pass": True, "score": 1.0, "componentResults": [test]}
    row = {
        "id": f"r{k}",
        "testIdx": k,
        "promptIdx": 0,
        "provider": provider,
        "vars": {"text": f"text {k}", "expected": TRUTH[k]},
    }
    return row | {
        "response": {"output": output or SAID[k]},
        "score": 1.0,
        "success": True,
        "gradingResult": grading,
        **more,
    }


def events(k: int) -> Rows:
    """What `oaieval` logs of one sample."""
    one = {"run_id": "r", "sample_id": f"dev.{k}", "created_by": ""}
    asked = {
        "prompt": [{"role": "system", "content": "Rate it."}, {"role": "user", "content": f"text {k}"}],
        "sampled": [SAID[k]],
    }
    match = {"correct": True, "expected": TRUTH[k], "picked": SAID[k], "sampled": SAID[k]}
    return [
        one | {"event_id": 2 * k, "type": "sampling", "data": asked},
        one | {"event_id": 2 * k + 1, "type": "match", "data": match},
    ]


def output_item(k: int) -> dict[str, Any]:
    sample = {"input": [], "output": [{"role": "assistant", "content": SAID[k]}]}
    results = [{"name": "match", "score": 1.0, "passed": True}]
    item = {"text": f"text {k}", "label": TRUTH[k]}
    return {
        "object": "eval.run.output_item",
        "id": f"o{k}",
        "datasource_item_id": k,
        "datasource_item": item,
        "sample": sample,
        "results": results,
    }


def task(k: int, kind: str = "choices", **more: Any) -> dict[str, Any]:
    """A task of Label Studio."""

    def result(choice: str) -> Rows:
        return [{"from_name": "tone", "to_name": "text", "type": kind, "value": {kind: [choice]}}]

    said = [{"id": k, "result": result(SAID[k]), "score": 0.5 + k / 99}]
    known = [
        {"id": k, "result": result(TRUTH[k]), "was_cancelled": False},
        {"id": -k, "result": result("bad"), "was_cancelled": True},
    ]
    return {"id": k, "data": {"text": f"text {k}"}, "annotations": known, "predictions": said, **more}


SPEC = {"spec": {"completion_fns": ["m"], "eval_name": "e"}}
LOGS: dict[str, Rows] = {
    "harness": [harness(k) for k in range(N)],
    "new harness": [harness(k, new=True) for k in range(N)],
    "generated": [generated(k, f" {SAID[k]}") for k in range(N)],
    "promptfoo": [promptfoo(k) for k in range(N)],
    "promptfoo by name": [promptfoo(k, value="{{expected}}") for k in range(N)],
    "OpenAI log": [
        SPEC,
        *(event for k in range(N) for event in events(k)),
        {"final_report": {"accuracy": 0.5}},
    ],
    "OpenAI items": [output_item(k) for k in range(N)],
    "Label Studio": [task(k) for k in range(N)],
}


@pytest.mark.parametrize("rows", LOGS.values(), ids=LOGS)
@pytest.mark.parametrize("lines", [True, False], ids=["lines", "list"])
def test_an_items_text_its_class_and_the_truth_are_read_from_logs(
    rows: Rows, *, lines: bool, tmp_path: Path
) -> None:
    """They were refused, or the grade was taken for the score and shown to annotators."""
    pool, labels = read(tmp_path, rows, lines=lines)
    assert (pool.task.kind, pool.task.classes) == ("multiclass", tuple(CLASSES))
    assert [pool.task.classes[one] for one in pool.pred] == SAID
    assert labels is not None
    assert [CLASSES[one] for one in labels.values.tolist()] == TRUTH
    assert pool.columns.fields == ("text",)
    assert pool.fields["text"].tolist() == [f"text {k}" for k in range(N)]
    assert pool.ids[0].removeprefix("dev.") == "0"


def test_likelihoods_are_shares_of_the_choices(tmp_path: Path) -> None:
    pool, _ = read(tmp_path, LOGS["harness"])
    weights = np.exp([likelihoods(k) for k in range(N)])
    np.testing.assert_allclose(pool.score, weights / weights.sum(axis=1, keepdims=True))


def test_choices_that_differ_are_classes_by_place(tmp_path: Path) -> None:
    rows = [harness(k, choices=[f"{one} {k}" for one in CLASSES]) for k in range(N)]
    pool, labels = read(tmp_path, rows)
    assert (pool.task.classes, pool.columns.fields) == (("0", "1", "2"), ("text", "choices"))
    assert pool.fields["choices"][3] == "0: bad 3\n1: fair 3\n2: good 3"
    assert labels is not None
    assert [CLASSES[one] for one in labels.values.tolist()] == TRUTH


def test_a_truth_that_may_be_a_place_or_a_choice_is_not_read(tmp_path: Path) -> None:
    pool, labels = read(tmp_path, [harness(k, choices=["2", "0", "1"]) for k in range(N)])
    assert (labels, {*pool.task.classes}) == (None, {"0", "1", "2"})


def test_a_choice_called_none_is_not_the_answer_where_none_is_logged(tmp_path: Path) -> None:
    """A target that is not there was read as the text None."""
    rows = [harness(k, choices=["None", "fair", "good"]) for k in range(N)]
    for row in rows:
        del row["target"]
    assert read(tmp_path, rows)[1] is None


def test_providers_are_systems(tmp_path: Path) -> None:
    rows = [promptfoo(k, provider={"id": one}) for k in range(N) for one in ("old", "new")]
    whole = {"evalId": "e", "results": {"version": 3, "results": rows, "stats": {}}, "config": {}}
    pool, _ = read(tmp_path, whole, lines=False)
    assert [own.name for own in pool.systems] == ["old", "new"]


def test_what_annotators_disagree_on_is_unknown(tmp_path: Path) -> None:
    rows = [task(k) for k in range(N)]
    rows[1]["annotations"].append(task(2)["annotations"][0] | {"id": 99})
    _, labels = read(tmp_path, rows)
    assert labels is not None
    assert labels.known.tolist() == [k != 1 or TRUTH[1] == TRUTH[2] for k in range(N)]


def test_what_one_annotator_chose_in_two_parts_of_an_item_is_unknown_if_it_differs(tmp_path: Path) -> None:
    """The last one was taken for all of the item."""
    rows = [task(k) for k in range(N)]
    for k, other in enumerate([TRUTH[0], next(label for label in TRUTH if label != TRUTH[1])]):
        result = rows[k]["annotations"][0]["result"]
        result.append({**result[0], "value": {"choices": [other]}})
    _, labels = read(tmp_path, rows)
    assert labels is not None
    assert labels.known.tolist() == [k != 1 for k in range(N)]


def test_who_chose_none_of_several_labels_said_so(tmp_path: Path) -> None:
    """The item had no label, or that of somebody else who chose one."""
    rows = [task(k) for k in range(N)]
    for row in rows:
        row["predictions"][0]["result"][0]["value"]["choices"] = [SAID[row["id"]], "more"]
    for row in rows[:2]:
        row["annotations"][0]["result"] = []
    rows[1]["annotations"].append(task(2)["annotations"][0])
    _, labels = read(tmp_path, rows)
    assert labels is not None
    assert labels.known.tolist() == [k != 1 for k in range(N)]
    assert not labels.values[0].any()


def tensor(name: str, data: Any, kind: str = "FP32") -> dict[str, Any]:
    cells = np.array(data)
    return {"name": name, "shape": [*cells.shape], "datatype": kind, "data": cells.ravel().tolist()}


SHARES = np.random.default_rng(1).dirichlet(np.ones(3), N)


def test_tensors_of_a_server_are_scores_and_decisions(tmp_path: Path) -> None:
    reply = {
        "model_name": "m",
        "outputs": [tensor("probs", SHARES), tensor("label", [[one] for one in SAID], "BYTES")],
    }
    scores = read_frame(_written(tmp_path, reply), Told())
    assert [*scores.columns] == ["scores", "prediction"]
    pool, _ = read(tmp_path, {"outputs": [tensor("output__0", SHARES)]}, lines=False)
    np.testing.assert_allclose(pool.score, SHARES)
    pool, _ = read(tmp_path, {"predictions": SAID}, lines=False)
    assert (pool.columns.preds, pool.task.width) == (("prediction",), 3)


def _written(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "items.json"
    path.write_text(json.dumps(content))
    return path


FREE = [f"It is {k}." for k in range(N)]
REFUSED: dict[str, tuple[Any, str]] = {
    "free answers": ([generated(k, FREE[k]) for k in range(N)], "free texts, as 'It is 0.'.*a judge's grade"),
    "free outputs": ([promptfoo(k, FREE[k]) for k in range(N)], "must hold answers that name classes"),
    "numbers": ([generated(k, str(k % 12)) for k in range(N)], "must hold answers that name classes"),
    "filters": ([harness(k) | {"filter": "ab"[k % 2]} for k in range(N)], "one filter; it holds a, b"),
    "choices": (
        [harness(k, choices=CLASSES) | ({"filtered_resps": [[-1, True]]} if k else {}) for k in range(N)],
        "it gives from 1 to 3",
    ),
    "errors": (
        [promptfoo(k, response={"error": "x"}) for k in range(N)],
        "must hold an output for each test",
    ),
    "no events": ([SPEC, {"final_report": {}}], "must hold the answers of a system"),
    "boxes": ([task(k, "rectanglelabels") for k in range(N)], "must be a choice between classes"),
    "no predictions": ([task(k, predictions=[]) for k in range(N)], "labels alone go into the table"),
    "two models": (
        [task(k, predictions=task(k)["predictions"] * 2) for k in range(N)],
        "one prediction for each task",
    ),
    "other records": ([*map(harness, range(2)), {"id": 1}], "record 3 of this log has another"),
    "other records around": (
        {"results": [promptfoo(0), promptfoo(1) | {"vars": "x"}]},
        "some of this log have another",
    ),
    "probabilities": ({"predictions": [0.5, 0.7]}, "probabilities, or amounts that are predicted"),
    "a shape": ({"outputs": [tensor("p", SHARES) | {"shape": [7]}]}, "as many numbers as its shape says"),
}


@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_logs_that_make_no_pool_are_refused_with_what_to_do(content: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        read(tmp_path, content, lines=isinstance(content, list))


@pytest.mark.parametrize("end", [-20, -1], ids=["cut short", "too deep"])
def test_a_damaged_log_is_refused_with_the_line_at_which_it_breaks(end: int, tmp_path: Path) -> None:
    """It was told that its records differed from the first."""
    path, deep = tmp_path / "items.jsonl", f', "more": {"[" * 99_999}{"]" * 99_999}}}'
    lines = "\n".join(json.dumps(harness(k)) for k in range(N))
    path.write_text(lines[:end] + deep * (end == -1))
    with pytest.raises(InputError, match=f"damaged or cut short .*line {N} column"):
        Pool.read(path)


OTHERS: dict[str, Callable[[int], dict[str, Any]]] = {
    "predictions of each": lambda k: {"id": k, "predictions": ["a", "b"]},
    "data": lambda k: {"id": k, "data": {"n": k}, "predictions": [{"label": "a", "score": 0.5}]},
    "outputs": lambda k: {"id": k, "outputs": [{"name": "a", "score": 0.5}]},
}


@pytest.mark.parametrize("record", OTHERS.values(), ids=OTHERS)
def test_records_that_only_resemble_a_log_stay(
    record: Callable[[int], dict[str, Any]], tmp_path: Path
) -> None:
    path = _written(tmp_path, [record(k) for k in range(N)])
    assert "id" in read_frame(path, Told())
    assert len(read_frame(path, Told())) == N


def test_tables_by_columns_are_no_replies_of_a_server(tmp_path: Path) -> None:
    path = _written(tmp_path, {"predictions": [0, 1, 1], "labels": [0, 1, 0]})
    assert [*read_frame(path, Told()).columns] == ["predictions", "labels"]
