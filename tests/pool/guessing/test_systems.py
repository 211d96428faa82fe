"""Several systems on the same items: in columns of their own, or in a long table."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Kind, Pool, Task, guess_columns
from tests.tables import items, two_scores

ONE, TWO = [0.1, 0.9, 0.6], [0.7, 0.2, 0.3]


@pytest.mark.parametrize(
    ("columns", "system", "decided"),
    [
        ({"id": list("xyz"), "a.score": ONE, "b.score": TWO, "b.pred": [0, 1, 1]}, None, [0, 1, 1]),
        ({"id": list("xyz"), "score_a": ONE, "score_b": TWO, "label": [0, 1, 1]}, None, [1, 0, 0]),
        ({"id": list("xyz"), "score.a": ONE, "score.b": TWO, "label": [0, 1, 1]}, None, [1, 0, 0]),
        ({"id": list("xyz"), "one": ONE, "two": TWO}, {"a": {"score": "one"}, "b": {"score": "two"}}, [1, 0, 0]),
        ({"id": list("xyzzyx"), "model": list("aaabbb"), "score": ONE + TWO[::-1]}, None, [1, 0, 0]),
    ],
    ids=["dotted", "suffix", "behind a dot", "mapping", "long"],
)  # fmt: skip
def test_systems_are_told_by_dots_by_suffixes_by_a_mapping_or_by_rows(
    columns: dict[str, list[Any]], system: Any, decided: list[int]
) -> None:
    pool = Pool.from_frame(pd.DataFrame(columns), system=system)
    assert [s.name for s in pool.systems] == ["a", "b"]
    assert pool.ids.tolist() == ["x", "y", "z"]
    assert "2 systems (a, b); for a, `" in " ".join(pool.report)
    assert pool.systems[1].score.tolist() == TWO
    assert pool.items.of("b").pred.tolist() == decided
    assert pool.items.of("b").systems[1].name == "a"
    assert pool.items.take(np.array([0])).of("b").everywhere is pool.systems[1]


def test_one_of_two_systems_may_score_both_classes() -> None:
    score = np.linspace(0.01, 0.93, 40)
    frame = pd.DataFrame({"a.score": score, "b.p_no": 1 - score, "b.p_yes": score})
    assert guess_columns(frame).classes == ("0", "1")
    assert guess_columns(frame[["b.p_no", "b.p_yes", "a.score"]]).classes == ("no", "yes")


def test_each_of_several_systems_is_read_as_it_would_be_alone() -> None:
    """The score `new.y_score` was taken for a mere confidence beside those of each class, which `y_score` was not."""
    score = np.linspace(0.01, 0.93, 40)
    alone = pd.DataFrame({"y_score": score, "prob_a": score, "prob_b": 1 - score})
    both = pd.concat([alone.add_prefix("old."), alone.add_prefix("new.")], axis=1)
    assert guess_columns(both).kind == guess_columns(alone).kind == "binary"
    assert guess_columns(both).scores == ("old.y_score", "new.y_score")


def test_two_columns_of_scores_may_be_two_systems_and_the_report_says_so() -> None:
    guessed = Pool.from_frame(two_scores())
    assert guessed.task.kind == "multilabel"
    assert 'if two systems gave them, choose two classes (task="binary")' in guessed.report[1]
    told = Pool.from_frame(two_scores(), task="binary")
    assert [system.name for system in told.systems] == ["old", "new"]
    assert told.task == Task()
    classes = Pool.from_frame(two_scores(label=[0, 1, 1, 0]), task="binary", classes=("old", "new"))
    assert [system.name for system in classes.systems] == [""]
    assert classes.score.tolist() == two_scores()["score_new"].tolist()
    known = Pool.from_frame(two_scores(label=[0, 1, 1, 0]), task="binary", classes=("no", "yes"))
    assert [system.name for system in known.systems] == ["old", "new"]
    assert known.task.classes == ("no", "yes")
    third = Pool.from_frame(two_scores(label=["a", "b", "c", "a"]))  # no label of a decision between two
    assert (third.task.kind, third.task.classes) == ("multilabel", ("old", "new"))


@pytest.mark.parametrize("order", [("scored", "decided"), ("decided", "scored")])
@pytest.mark.parametrize("kind", ["multiclass", "multilabel"])
def test_a_system_of_decisions_alone_goes_with_one_whose_columns_name_the_classes(
    order: tuple[str, str], kind: Kind
) -> None:
    """Its column names no class, which is no other set of classes."""
    frame = pd.DataFrame({"m_b": [0.7, 0.1, 0.2], "m_a": [0.2, 0.8, 0.1], "m_c": [0.1, 0.1, 0.7]})
    frame["said"] = ["b", "c", "c"]
    columns = {"scored": {"score": "m_"}, "decided": {"pred": "said"}}
    pool = Pool.from_frame(frame, task=kind, system={name: columns[name] for name in order}, fields=[])
    assert pool.task.classes == ("b", "a", "c")
    decided = pool.items.of("decided").pred
    np.testing.assert_array_equal(decided if kind == "multiclass" else decided.argmax(axis=1), [0, 2, 2])
    frame["said"] = ["b", "z", "c"]
    with pytest.raises(InputError, match="z"):
        Pool.from_frame(frame, task=kind, system={name: columns[name] for name in order}, fields=[])


@pytest.mark.parametrize("task", ["multiclass", "multilabel"])
def test_systems_whose_columns_name_no_common_class_are_told_what_to_pass(task: str) -> None:
    """The refusal said "'old' is multilabel, 'new' is multilabel; name the columns", which were named."""
    named = [f"{system}_{c}" for system in ("old", "new") for c in ("cat", "dog")]
    df = pd.DataFrame([[0.2, 0.8, 0.3, 0.7], [0.6, 0.4, 0.9, 0.1]], columns=named)
    lists = {system: {"score": [f"{system}_cat", f"{system}_dog"]} for system in ("old", "new")}
    with pytest.raises(InputError, match=r"of 'new' are `new_cat`, `new_dog`, .*; map each class"):
        Pool.from_frame(df, task=task, classes=["cat", "dog"], system=lists)  # type: ignore[arg-type]
    mapped = {s: {"score": {c: f"{s}_{c}" for c in ("cat", "dog")}} for s in ("old", "new")}
    assert Pool.from_frame(df, task=task, system=mapped).task.classes == ("cat", "dog")  # type: ignore[arg-type]


def test_versions_of_one_probability_are_two_columns() -> None:
    frame = (
        items(label=[0, 1] * 3)
        .drop(columns="score")
        .assign(**{f"P(spam) v2.{k}": items()["score"] for k in (2, 3)})
    )
    assert [own.score for own in guess_columns(frame).systems] == [("P(spam) v2.2",), ("P(spam) v2.3",)]


def test_the_bounds_of_a_prediction_are_no_systems() -> None:
    ends = {"pred_low": [0.5, 1.5, 3.0], "pred_high": [1.5, 3.0, 5.0]}
    frame = pd.DataFrame({"id": [*"abc"], "prediction": [1.0, 2.0, 4.0], "label": [1.5, 1.5, 4.5], **ends})
    pool = Pool.from_frame(frame)
    assert pool.task.kind == "regression"
    assert [system.name for system in pool.systems] == [""]
    assert pool.pred.tolist() == [1.0, 2.0, 4.0]
    assert pool.columns.hidden == ("pred_low", "pred_high")
    crossing = Pool.from_frame(frame.assign(pred_low=[1.5, 1.5, 3.0]))  # above the prediction, then below it
    assert [system.name for system in crossing.systems] == ["low", "high"]
    assert len(Pool.from_frame(frame.drop(columns="prediction")).systems) == 2


def test_a_long_table_must_have_a_row_for_each_item_and_system() -> None:
    frame = pd.DataFrame({"id": list("xyx"), "system": list("aab"), "score": 0.5})
    with pytest.raises(InputError, match="exactly one row per system; for example 'b' has 0; got 'y'"):
        Pool.from_frame(frame)
    with pytest.raises(InputError, match="`id` must be told in a long table of several systems"):
        Pool.from_frame(frame.drop(columns="id"), system="system")


@pytest.mark.parametrize("item", ["item", "ticket_id", "text"])
@pytest.mark.parametrize("rows", [False, True])
def test_a_long_table_is_known_by_its_rows_where_no_name_tells_the_id(item: str, *, rows: bool) -> None:
    """It was read as one system with every row as an item."""
    frame = pd.DataFrame({item: list("xyzxyz"), "model": list("aaabbb"), "prob": np.linspace(0, 1, 6)})
    frame = frame.reset_index() if rows else frame
    pool = Pool.from_frame(frame)
    assert (pool.columns.id, pool.columns.system) == (item, "model")
    assert pool.ids.tolist() == ["x", "y", "z"]
    assert [system.name for system in pool.systems] == ["a", "b"]
    assert Pool.from_frame(frame.rename(columns={"model": "vendor"}), system="vendor").size == 3


@pytest.mark.parametrize("name", [" a", "a ", "nan"])
def test_a_long_table_keeps_every_system(name: str) -> None:
    frame = pd.DataFrame(
        {"id": list("xyxy"), "system": [name, name, "b", "b"], "score": [0.1, 0.2, 0.3, 0.4]}
    )
    pool = Pool.from_frame(frame)
    assert [system.name for system in pool.systems] == [name.strip(), "b"]
    assert pool.systems[0].score.tolist() == [0.1, 0.2]


def test_a_table_that_a_few_rows_would_make_long_is_remarked_upon() -> None:
    frame = pd.DataFrame({"item": list("wxyzwxy"), "model": list("aaaabbb"), "prob": 0.5})
    pool = Pool.from_frame(frame)
    assert pool.size == Pool.from_frame(frame.assign(item=frame["item"].map(list))).size == 7
    said = 'what one system says of an item, complete the table and pass id="item", system="model"'
    assert f"`item` repeats, but not beside the same `model`: if each row is {said}" in " ".join(pool.report)
    cars = pd.DataFrame({"brand": list("vvvbbba"), "model": list("xyzzzwq"), "prob": 0.5})
    assert "system" not in " ".join(Pool.from_frame(cars).report)


def test_more_models_than_items_are_no_systems() -> None:
    """Two makes of car with each of thirty models were two items for thirty systems."""
    cars = pd.DataFrame(
        {"make": ["v", "b"] * 30, "model": np.repeat(range(30), 2), "prob": np.linspace(0, 1, 60)}
    )
    assert (Pool.from_frame(cars).size, Pool.from_frame(cars, system="model").size) == (60, 2)


def test_a_column_of_texts_names_no_systems() -> None:
    frame = pd.DataFrame({"id": 0, "system": np.arange(1_100), "score": 0.5})
    with pytest.raises(InputError, match="`system` must name at most 1,000 systems; got 'more'"):
        Pool.from_frame(frame)


@pytest.mark.parametrize("task", [None, "regression"])
@pytest.mark.parametrize("factor", [1.0, 0.37])
def test_numbers_that_several_systems_predict_are_told_by_suffixes_without_a_label(
    task: Kind | None, factor: float
) -> None:
    """They were taken for decisions on the labels a and b, "must be 0 or 1"; of a task that was told, the first was the only one."""
    frame = pd.DataFrame({"text": ["a", "b"] * 30, "pred_a": np.arange(60) * factor * 100})
    frame["pred_b"] = frame["pred_a"] + 50
    pool = Pool.from_frame(frame, task=task)
    assert (pool.task.kind, [system.name for system in pool.systems]) == ("regression", ["a", "b"])
    beside = Pool.from_frame(frame.assign(pred=frame["pred_a"]), task="regression")
    assert beside.columns.systems[0].pred == ("pred",)
    numbers = frame[["pred_a", "pred_b"]]
    bounds = numbers.rename(columns={"pred_a": "pred_low", "pred_b": "pred_high"})
    for others in (bounds, numbers / 1e4, numbers // factor % 3):  # or probabilities, or codes of classes
        with pytest.raises(InputError, match="must be 0 or 1"):
            Pool.from_frame(others)


def test_a_long_table_may_tell_the_error_that_each_number_is_expected_to_have() -> None:
    """Its columns of predictions were listed once for each system, and looked up as one table."""
    frame = pd.DataFrame({"id": range(9), "pred": np.arange(9.0), "error": 2.0, "rooms": np.arange(9) % 4})
    pool = Pool.from_frame(pd.concat([frame.assign(system="a"), frame.assign(system="b", error=3.0)]))
    assert [(own.name, own.error.tolist()) for own in pool.systems] == [("a", [2.0] * 9), ("b", [3.0] * 9)]
    assert pool.columns.preds == ("pred",)


CAT, DOG = np.array([0.2, 0.7, 0.5, 0.1]), np.array([0.5, 0.2, 0.1, 0.3])


def three(form: str, *, turned: bool = False) -> dict[str, Any]:
    """Scores of three classes, in columns named like this."""
    one, two = (DOG, CAT) if turned else (CAT, DOG)
    return {form.format("cat"): one, form.format("big_dog"): two, form.format("fox"): 1 - CAT - DOG}


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("prob_{}_v1", "prob_{}_v2", ["v1", "v2"]),
        ("prob_v1_{}", "prob_v2_{}", ["v1", "v2"]),
        ("p_{}", "p_{}-new", ["model", "new"]),
        ("p_{}", "p_new {}", ["model", "new"]),
        ("p_{}", "new.p_{}", ["model", "new"]),
        ("p_{}", "model.p_{}", ["first", "model"]),
    ],
)
def test_systems_are_told_by_the_classes_that_each_of_them_scores(
    first: str, second: str, names: list[str]
) -> None:
    """Two models with three classes each were read as one model that gives each item any of six labels."""
    frame = pd.DataFrame({"id": list("wxyz")} | three(first) | three(second, turned=True))
    pool = Pool.from_frame(frame)
    assert (pool.task.kind, {*pool.task.classes}) == ("multiclass", {"cat", "big_dog", "fox"})
    assert [system.name for system in pool.systems] == names
    cat = pool.task.classes.index("cat")
    assert [system.score[:, cat].tolist() for system in pool.systems] == [CAT.tolist(), DOG.tolist()]


def test_systems_of_the_same_classes_bring_their_own_decisions() -> None:
    own = three("p_{}_a") | three("p_{}_b", turned=True) | {"pred_a": ["fox"] * 4, "pred_b": ["cat"] * 4}
    pool = Pool.from_frame(pd.DataFrame({"id": list("wxyz")} | own))
    assert [{pool.task.classes[k] for k in system.pred} for system in pool.systems] == [{"fox"}, {"cat"}]


def test_labels_that_do_not_exclude_each_other_are_no_systems() -> None:
    frame = pd.DataFrame({"id": list("wxyz"), "p_cat_a": CAT, "p_dog_a": DOG, "p_cat_b": DOG, "p_dog_b": CAT})
    assert Pool.from_frame(frame).task.kind == "multilabel"
    aspects = {
        f"p_{label}_{side}": of for label in ("food", "staff") for side, of in (("yes", CAT), ("no", 1 - CAT))
    }
    held = pd.DataFrame({"id": list("wxyz"), "labels": ["food;staff", "food", "", "staff"]} | aspects)
    assert len(guess_columns(held).systems) < 2
    told = pd.DataFrame({"id": list("wxyz")} | three("p_{}_a") | three("p_{}_b"))
    assert len(Pool.from_frame(told, task="multilabel").task.classes) == 6


def of_three(name: str, scores: np.ndarray[Any, Any]) -> dict[str, Any]:
    """The scores of a system or an aspect for three classes, and each sums to 1."""
    return {f"prob_{name}_{one}": scores[:, k] for k, one in enumerate(("bad", "fair", "good"))}


def test_aspects_that_go_apart_are_asked_about() -> None:
    """Food, staff and price were three systems, of which each was held against the same labels."""
    draws = np.random.default_rng(3).dirichlet([1.0] * 3, (3, 60))
    df = pd.DataFrame({"id": range(60)} | of_three("food", draws[0]) | of_three("staff", draws[1]))
    said = "are `food`, `staff` systems that predict the same thing?"
    assert guess_columns(df).question.startswith(said)
    with pytest.raises(InputError, match=re.escape(said)):
        Pool.from_frame(df)
    assert len(Pool.from_frame(df, task="multiclass").systems) == 2
    assert Pool.from_frame(df, task="multilabel").task.width == 6
    alone = Pool.from_frame(df, score=[f"prob_food_{one}" for one in ("bad", "fair", "good")])
    assert (len(alone.systems), alone.task.width) == (1, 3)
    two = {
        f"p_{one}_{side}": of
        for one, p in (("food", draws[0, :, 0]), ("staff", draws[1, :, 0]))
        for side, of in (("no", 1 - p), ("yes", p))
    }
    assert guess_columns(pd.DataFrame(two)).question.startswith(said)
    pointed = pd.DataFrame({"food.score": draws[0, :, 0], "staff.score": draws[1, :, 0]})
    assert len(Pool.from_frame(pointed).systems) == 2  # as the README says how to compare models


@pytest.mark.parametrize(
    ("names", "apart", "label"),
    [
        (("bert", "gpt"), False, False),
        (("bert", "gpt"), True, True),
        (("v1", "v2"), True, False),
        (("old", "new"), True, False),
        (("a", "b"), True, False),
    ],
    ids=["agree", "one label of all", "numbers", "old and new", "letters"],
)
def test_systems_are_not_asked_about(names: tuple[str, str], *, apart: bool, label: bool) -> None:
    draws = np.random.default_rng(3).dirichlet([1.0] * 3, (2, 60))
    other = draws[1] if apart else 0.8 * draws[0] + 0.2 * draws[1]
    df = pd.DataFrame({"id": range(60)} | of_three(names[0], draws[0]) | of_three(names[1], other))
    if label:
        df["label"] = np.array(["bad", "fair", "good"])[draws[0].argmax(axis=1)]
    assert [own.name for own in Pool.from_frame(df).systems] == [*names]


def test_scores_that_are_always_the_same_do_not_tell_systems_from_aspects() -> None:
    """They agree with none, so that a class without items, or a share as a baseline, made a question."""
    draws = np.random.default_rng(3).dirichlet([1.0] * 2, 60)
    never = np.column_stack([draws, np.zeros(60)])
    df = pd.DataFrame(of_three("bert", never) | of_three("gpt", never))
    shares = pd.DataFrame(
        of_three("bert", np.column_stack([0.8 * draws, np.full(60, 0.2)]))
        | of_three("prior", np.full((60, 3), [0.5, 0.3, 0.2]))
    )
    assert [len(Pool.from_frame(each).systems) for each in (df, shares)] == [2, 2]
