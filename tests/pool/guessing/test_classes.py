"""How the classes are called: by the caller, by columns or by cells, and which of two is positive."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval import _checks
from sampleval._checks import InputError
from sampleval.pool import Kind, Labels, Pool, Task, encode_label, guess_columns
from sampleval.pool.columns import Told
from sampleval.pool.guessing.roles import resolve
from sampleval.pool.tables.reading import read_frame
from tests.tables import items, written


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([0, 1], ("0", "1")),
        ([True, False], ("False", "True")),
        (["no", "Yes"], ("no", "Yes")),
        (["1", "0"], ("0", "1")),
        (["negative", "positive"], ("negative", "positive")),
        ([-1, 1], ("-1", "1")),
        ([1.0, 0.0], ("0", "1")),
        ([1, 1], ("0", "1")),
        (["true", "true"], ("false", "true")),
    ],
)
def test_two_classes_whose_sense_is_known(labels: list[Any], classes: tuple[str, str]) -> None:
    frame = pd.DataFrame({"score": [0.2, 0.7], "label": labels})
    pool = Pool.from_frame(frame)
    assert pool.task.classes == classes
    positive = {"1", "True", "Yes", "positive", "true"}
    wanted = [int(_checks.name_of(label) in positive) for label in labels]
    assert Labels.from_frame(frame, pool).values.tolist() == wanted


def test_two_names_need_an_order() -> None:
    frame = pd.DataFrame({"score": [0.2, 0.7], "label": ["ham", "spam"]})
    with pytest.raises(InputError, match=r"which class is positive\? Name both with `classes`"):
        Pool.from_frame(frame)
    pool = Pool.from_frame(frame, classes=("ham", "spam"))
    assert Labels.from_frame(frame, pool).values.tolist() == [0, 1]
    other = Pool.from_frame(frame, classes=("spam", "ham"))
    assert Labels.from_frame(frame, other).values.tolist() == [1, 0]
    named = Pool.from_frame(frame.rename(columns={"score": "p_spam"}))
    assert named.task.classes == ("ham", "spam")


def test_the_question_names_the_system_whose_decisions_it_is_about() -> None:
    """It looked for them beside the first system, which had none: an IndexError."""
    frame = pd.DataFrame({"old.score": [0.1, 0.9], "new.score": [0.2, 0.7], "new.pred": ["eel", "cod"]})
    with pytest.raises(InputError, match=r"^`new\.pred` holds 'eel' and 'cod': which class is positive\?"):
        Pool.from_frame(frame)


@pytest.mark.parametrize("positive", ["very good", "Very_good", "very-good"])
def test_the_positive_class_is_the_one_that_the_score_is_named_after(positive: str) -> None:
    """Of a class in two words it was asked which is the positive one: a column's name joins them with another sign."""
    df = pd.DataFrame({"score_very_good": [0.3, 0.8, 0.6], "label": ["bad", positive, "bad"]})
    assert Pool.from_frame(df).task.classes == ("bad", positive)


@pytest.mark.parametrize(
    ("preds", "labels", "classes"),
    [
        (["No", "Yes"], ["No", "No"], ("No", "Yes")),
        (["FALSE", "TRUE"], ["TRUE", ""], ("FALSE", "TRUE")),
        (["-1", "1"], ["1", "1"], ("-1", "1")),
        (["false", "true"], ["True", "False"], ("False", "True")),
    ],
)
def test_two_classes_are_spelt_as_labels_or_else_decisions_spell_them(
    preds: list[str], labels: list[str], classes: tuple[str, str], tmp_path: Path
) -> None:
    """Of labels all alike the other class had been called by a word of its own: `false` beside `TRUE`, 0 for −1."""
    rows = [f"{k},0.{k},{pred},{label}" for k, (pred, label) in enumerate(zip(preds, labels, strict=True))]
    pool = Pool.read(written(tmp_path, "\n".join(["id,score,pred,label", *rows])))
    assert (pool.task.classes, pool.systems[0].pred.tolist()) == (classes, [0, 1])


@pytest.mark.parametrize(
    ("cells", "classes"),
    [
        (["no", "Yes", "YES", "yes"], ("no", "Yes")),
        (["yes", "0", "1", "no"], ("0", "yes")),
        (["False", "TRUE", "true", "false"], ("False", "TRUE")),
        (["Yes", "0.0", "1 ", "TRUE"], ("0", "Yes")),
    ],
)
def test_one_class_in_several_spellings_is_one_class(cells: list[str], classes: tuple[str, str]) -> None:
    frame = pd.DataFrame({"score": [0.1, 0.9, 0.8, 0.7], "label": cells})
    pool = Pool.from_frame(frame)
    assert pool.task.classes == classes
    assert pool.columns.label == ("label",)
    assert Labels.from_frame(frame, pool).known.all()


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Spam", "spam"), "are 'Spam' and 'spam' one class"),
        (("caf\u00e9", "cafe\u0301"), "one class"),
        (("spam", "?"), r"is '\?' a class, or is nothing known there"),
        (("spam", "-"), "is '-' a class"),
    ],
)
@pytest.mark.parametrize("task", ["multiclass", "multilabel"])
def test_class_names_that_may_be_spellings_of_one_class_are_asked_about(
    names: tuple[str, str], said: str, task: Any
) -> None:
    frame = pd.DataFrame({"pred": ["eggs", names[0], "ham"], "label": [names[1], "eggs", "ham"]})
    with pytest.raises(InputError, match=said):
        Pool.from_frame(frame, task=task)
    assert Pool.from_frame(frame, task=task, classes=["eggs", "ham", *names]).task.width == 4
    signs = pd.DataFrame({"pred": ["+", "-", "="]})
    assert Pool.from_frame(signs).task.classes == ("+", "-", "=")


def test_a_class_without_a_name_is_called_not_the_other_class() -> None:
    guess = guess_columns(items(label=["ham", None] * 3))
    assert guess.classes == ("ham", "not ham")
    assert "which class is positive" in guess.question


@pytest.mark.parametrize(
    ("frame", "task", "question"),
    [
        (
            pd.DataFrame({"score": [1.0, 1.0]}),
            "multiclass",
            "which columns hold the scores of the other classes? `score`",
        ),
        (pd.DataFrame({"pred": ["cat", "cat"]}), "multiclass", "which classes are there? `pred` names `cat`"),
        (pd.DataFrame({"pred": ["[]", "[]"]}), "multilabel", "which classes are there? `pred` names none"),
        (
            pd.DataFrame({"pred": [{"label": "spam", "note": "x"}] * 2}),
            None,
            "`pred` holds records with `label`, `note`: give each of these a column of its own",
        ),
    ],
)
def test_a_table_that_names_too_few_classes_is_asked_about(
    frame: pd.DataFrame, task: Any, question: str
) -> None:
    with pytest.raises(InputError, match=re.escape(question)):
        Pool.from_frame(frame, task=task)


def test_decisions_of_which_each_is_a_class_of_its_own_are_asked_about() -> None:
    """Predicted dates were as many classes as items, without a word."""
    dates = pd.date_range("2024-05-01", periods=24).astype(str)
    said = "`predicted_date` names 24 classes in 24 items: make sure that its cells name classes."
    assert said in " ".join(Pool.from_frame(pd.DataFrame({"predicted_date": dates})).report)
    few = pd.DataFrame({"predicted_city": ["Bern", "Rome", "Oslo"] * 8})
    for named in (None, ["Bern", "Rome", "Oslo", *map(str, range(20))]):  # only what the column holds counts
        assert "cells name classes" not in " ".join(Pool.from_frame(few, classes=named).report)


@pytest.mark.parametrize("score", [False, True])
@pytest.mark.parametrize(
    ("pred", "classes", "kind"),
    [([1, 2, 3, 4], [1, 2, 3, 4], "multiclass"), (["ham", "spam"] * 2, ["ham", "spam"], "binary"),
     ([1, 2, 2, 1], ["1", "2"], "binary")],
)  # fmt: skip
def test_told_classes_make_the_task_one_of_these_classes(
    pred: list[Any], classes: list[Any], kind: Kind, score: bool
) -> None:
    """Numbers had become predicted amounts, and two classes one of several, without recall."""
    frame = pd.DataFrame({"pred": pred} | ({"score": [0.1, 0.9, 0.9, 0.1]} if score else {}))
    pool = Pool.from_frame(frame, classes=classes)
    assert pool.task == Task(kind, tuple(map(str, classes)))
    assert pool.pred.tolist() == [classes.index(type(classes[0])(name)) for name in pred]


def test_classes_given_in_another_spelling_are_those_of_the_columns() -> None:
    frame = pd.DataFrame({"PROB_VERY_GOOD": [0.7, 0.2], "PROB_BAD": [0.1, 0.5], "PROB_SO": [0.2, 0.3]})
    frame["label"] = ["very good", "bad"]
    pool = Pool.from_frame(frame, classes=["bad", "so", "very good"])
    assert pool.columns.systems[0].score == ("PROB_BAD", "PROB_SO", "PROB_VERY_GOOD")
    np.testing.assert_array_equal(Labels.from_frame(frame, pool).values, pool.pred)
    renamed = Pool.from_frame(frame.drop(columns="label"), classes=["x", "y", "z"])
    assert renamed.columns.systems[0].score == ("PROB_VERY_GOOD", "PROB_BAD", "PROB_SO")


@pytest.mark.parametrize("given", [["c", "a", "b"], ["a", "b", "c"]])
def test_label_columns_follow_the_order_in_which_classes_are_given(given: list[str]) -> None:
    truth = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1]])
    frame = pd.DataFrame(truth, columns=["label_a", "label_b", "label_c"])
    for j, name in enumerate("bca"):
        frame[f"score_{name}"] = 0.2 + 0.5 * truth[:, "abc".index(name)] + 0.01 * j
    pool = Pool.from_frame(frame, classes=given)
    assert pool.columns.label == tuple(f"label_{name}" for name in given)
    np.testing.assert_array_equal(Labels.from_frame(frame, pool).values, pool.pred)
    lists = frame[["label_a", "label_b", "label_c"]].assign(scores=[*(0.2 + 0.5 * truth)])
    listed = Pool.from_frame(
        lists, score="scores", label="label_", classes=["a", "b", "c"], task="multilabel"
    )
    np.testing.assert_array_equal(Labels.from_frame(lists, listed).values, truth)


def test_columns_listed_for_the_labels_are_paired_by_name_with_the_scores() -> None:
    frame = pd.DataFrame(
        {"true_a": [1, 1, 0], "true_b": [0, 0, 1], "on_a": [1, 0, 0], "on_b": [0, 1, 1]}
        | {"score_b": [0.1, 0.9, 0.8], "score_a": [0.9, 0.3, 0.2], "first": 1, "second": 0}
    )
    truth, decided = ["true_a", "true_b"], ["on_a", "on_b"]
    pool = Pool.from_frame(frame, label=truth, pred=decided, task="multilabel")
    assert pool.task.classes == ("b", "a")
    assert pool.columns.label == ("true_b", "true_a")
    assert pool.pred.tolist() == [[0, 1], [1, 0], [1, 0]]
    for labels in (Labels.from_frame(frame, pool), Labels.from_frame(frame, pool, label=truth)):
        assert labels.values.tolist() == [[0, 1], [0, 1], [1, 0]]
    listed = Labels.from_frame(frame, pool, label=["first", "second"])
    assert listed.values.tolist() == [[1, 0]] * 3
    crossed = Labels.from_frame(frame, pool, label={"a": "true_b", "b": "true_a"})
    assert crossed.values.tolist() == [[1, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize("spec", [{"a": "true_a"}, ["true_a", "true_b", "id"]])
def test_columns_of_labels_are_as_many_as_labels(spec: Any) -> None:
    scores = {"score_a": [0.1, 0.9], "score_b": [0.7, 0.8]}
    pool = Pool.from_frame(pd.DataFrame(scores), task="multilabel")
    frame = pd.DataFrame({"true_a": [0, 1], "true_b": [1, 0], "id": [0, 1]})
    with pytest.raises(InputError, match=r"in a multilabel task one per label \('a', 'b'\); got .*'true_a'"):
        Labels.from_frame(frame, pool, label=spec)
    # The column of one of two classes may be that of the negative one.
    with pytest.raises(InputError, match="must name one column"):
        Labels.from_frame(frame, Pool.from_frame(pd.DataFrame({"score": [0.1, 0.9]})), label={"0": "true_a"})


def test_a_mapping_says_whose_each_column_of_labels_is() -> None:
    """Names that were none of a label's had been passed over, and the columns paired in their order."""
    frame = pd.DataFrame({"one": [0.1, 0.9], "two": [0.7, 0.8], "x": [0, 1], "y": [1, 0]})
    told: dict[str, Any] = {"score": ["one", "two"], "task": "multilabel", "fields": ()}
    pool = Pool.from_frame(frame, classes=["a", "b"], label={"b": "x", "a": "y"}, **told)
    assert pool.columns.label == ("y", "x")
    crossed = {"B": "x", "A": "y"}
    with pytest.raises(InputError, match=r"one per label \('a', 'b'\); got \{'B': 'x', 'A': 'y'\}"):
        Labels.from_frame(frame, pool, label=crossed)
    with pytest.raises(InputError, match=r"one per label \('one', 'two'\); got \{'B'"):
        Pool.from_frame(frame, label=crossed, **told)


@pytest.mark.parametrize(
    ("names", "classes"),
    [
        (["Wahrsch. Rechnung", "Wahrsch. Reklamation"], ("Rechnung", "Reklamation")),
        (["score Rechnung", "score Reklamation"], ("Rechnung", "Reklamation")),
        (["score_new_york", "score_new_jersey"], ("new_york", "new_jersey")),
        (["Rechnung", "Reklamation"], ("Rechnung", "Reklamation")),
        (["cat food", "cat toy"], ("cat food", "cat toy")),
    ],
)
def test_what_chosen_scores_begin_with_is_no_part_of_their_classes(
    names: list[str], classes: tuple[str, ...]
) -> None:
    frame = pd.DataFrame({name: [0.5, 0.25] for name in names} | {"label": classes})
    assert resolve(frame, Told(score=names, task="multilabel")).classes == classes


def test_labels_of_more_classes_are_refused_if_told_and_set_aside_if_guessed() -> None:
    frame = items(label=[0, 1, 2, 3, 4, 5])
    with pytest.raises(InputError, match="`label` must hold two classes"):
        Pool.from_frame(frame, label="label")
    pool = Pool.from_frame(frame)
    assert pool.columns.label == ()
    assert "label" in pool.columns.hidden


# ---------------------------------------------------------------- classes that numbers, shares and words for nothing name


@pytest.mark.parametrize(
    ("names", "score"),
    [
        (["score_ 0", "score_ 1", "score_ 2"], None),
        (["score: 0", "score: 1", "score: 2"], "score:"),
        (["score:0", "score:1", "score:2"], None),
        (["a", "b", "c"], dict(zip(np.array([0.0, 1.0, 2.0]), "abc", strict=True))),
        (["a", "b", "c"], {" 0": "a", "1 ": "b", "2": "c"}),
    ],
)
def test_classes_of_score_columns_are_named_as_labels_are(names: list[str], score: Any) -> None:
    """No label could be " 0", and the classes of a model that was fitted to 0.0, 1.0, … are "0", "1", …"""
    frame = pd.DataFrame(np.eye(3) * 0.4 + 0.2, columns=names).assign(label=[0.0, 1.0, 2.0])
    pool = Pool.from_frame(frame, score=score, label="label")
    assert pool.task == Task("multiclass", ("0", "1", "2"))
    assert Labels.from_frame(frame, pool, "label").values.tolist() == [0, 1, 2]


@pytest.mark.parametrize("start", ["p_", "s_"])
def test_classes_named_by_numbers_with_decimals_are_answered_by_these_numbers(start: str) -> None:
    """A frame's own labels 1.0 were refused where its score columns end in 1.0: cells say 1."""
    shares = np.random.default_rng(0).dirichlet(np.ones(3), 12)
    df = pd.DataFrame(shares, columns=[f"{start}{k}.0" for k in (1, 2, 3)]).assign(label=[1.0, 2.0, 3.0] * 4)
    pool = Pool.from_frame(df)
    assert pool.task == Task("multiclass", ("1.0", "2.0", "3.0"))
    assert [encode_label(pool.task, answer) for answer in (1.0, 2, "3", "3.0")] == [0, 1, 2, 2]
    np.testing.assert_array_equal(Labels.from_frame(df, pool, "label").values, [0, 1, 2] * 4)


@pytest.mark.parametrize(
    ("classes", "mark"),
    [(("10%", "20%", "30%"), ","), (("10%", "2,5%", "30%"), ";"), (("1,5", "2", "3"), ";")],
)
def test_classes_may_be_called_by_shares_and_fractions(
    tmp_path: Path, classes: tuple[str, ...], mark: str
) -> None:
    """The sign had been taken for the unit of a column's name, and the comma of a decision for a decimal one."""
    rows = [["id", *(f"score_{name}" for name in classes), "pred"]]
    rows += [[name, "0.2", "0.3", "0.5", name] for name in classes]
    (path := tmp_path / "pool.csv").write_text("\n".join(map(mark.join, rows)))
    pool = Pool.read(path)
    assert (pool.task.classes, pool.systems[0].pred.tolist()) == (classes, [0, 1, 2])


@pytest.mark.parametrize("classes", [["1.1", "1.10", "1.2"], ["1.1", "1.2", "2.0"], ["1E1", "1E2", "5"]])
def test_no_digit_of_a_class_is_lost(classes: list[str], tmp_path: Path) -> None:
    """The class 1.10 had become 1.1, and if a class was called 2.0, a sound file had been refused."""
    wide = [",".join(["id", *(f"score_{name}" for name in classes), "label"])]
    for k, name in enumerate(classes):
        wide.append(",".join([str(k), *("0.8" if k == j else "0.1" for j in range(3)), name]))
    frame = read_frame(path := written(tmp_path, "\n".join(wide)), Told())
    pool = Pool.read(path)
    assert pool.task == Task("multiclass", tuple(classes))
    assert Labels.from_frame(frame, pool).values.tolist() == [0, 1, 2]
    rows = [f"{k},{name},{classes[k - 1]}" for k, name in enumerate(classes)]
    told = Told(classes=classes, task="multiclass")
    frame = read_frame(written(tmp_path, "\n".join(["id,pred,label", *rows])), told)
    pool = Pool.from_frame(frame, task="multiclass", classes=classes)
    assert (pool.pred.tolist(), Labels.from_frame(frame, pool).values.tolist()) == ([0, 1, 2], [2, 0, 1])


def test_classes_that_went_through_floats_are_whole_numbers(tmp_path: Path) -> None:
    path = written(
        tmp_path, "id,score_1,score_2,score_3,label\na,.8,.1,.1,1.0\nb,.2,.7,.1,2.0\nc,.2,.7,.1,\n"
    )
    assert Labels.from_frame(read_frame(path, Told()), Pool.read(path)).values.tolist() == [0, 1, -1]
    path = written(tmp_path, "id,pred,label\na,1.50,1.5\nb,2.25,3\n")
    assert read_frame(path, Told())["pred"].tolist() == [1.5, 2.25]


def test_a_class_may_have_a_name_that_elsewhere_means_missing(tmp_path: Path) -> None:
    path = tmp_path / "pool.csv"
    path.write_text("score_for,score_None,label,age\n.1,.9,None,4\n.8,.2,for,NA\n.3,.7,,6\n")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    assert pool.task.classes == ("for", "None")
    assert Labels.from_frame(frame, pool).report[1] == "Classes: 'for' 1, 'None' 1."
    assert np.isnan(frame["age"][1])
    path.write_text("score,label\n.1,0\n.8,None\n.3,1\n")
    assert read_frame(path, Told())["label"].isna().tolist() == [False, True, False]


@pytest.mark.parametrize("word", ["None", "NA", "null", "N/A", "NaT"])
def test_a_word_for_missing_is_a_class_where_one_bears_its_name(word: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"id,score,label\n{word},0.2,{word}\nb,0.9,toxic\nc,0.1,\nd,0.3,nan\n")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame, classes=[word, "toxic"])
    assert pool.ids.tolist() == [word, "b", "c", "d"]
    assert Labels.from_frame(frame, pool).values.tolist() == [0, 1, -1, -1]
    assert any("'nan' (1), taken for unknown" in line for line in pool.report)
    assert guess_columns(frame).question.startswith(f"`label` holds '{word}' and 'toxic'")


def test_a_word_for_missing_is_unknown_elsewhere_and_the_report_says_so(tmp_path: Path) -> None:
    path = written(
        tmp_path, "id,score,label,age\n1,0.2,no,4\n2,0.9,yes,NA\n3,0.1,NA,6\n4,0.3,None,\n5,0.4,NA,1\n"
    )
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    labels = Labels.from_frame(frame, pool)
    assert pool.task == Task("binary", ("no", "yes"))
    assert labels.values.tolist() == [0, 1, -1, -1, -1]
    said = "`label` holds 'NA' (2), 'None' (1), taken for unknown; if it is a class, name it with `classes`."
    assert said in pool.report
    assert said not in labels.report  # once is enough
    later = pd.DataFrame({"id": ["1", "2"], "label": ["n/a", "yes"]})
    assert "`label` holds 'n/a' (1), taken for unknown" in Labels.from_frame(later, pool).report[-1]
    assert pool.fields["age"].isna().tolist() == [False, True, False, True, False]


def test_a_decision_may_have_the_name_of_what_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path, "id,pred,label\n1,NA,EU\n2,EU,NA\n3,AS,EU\n4,EU,\n")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    assert pool.task.classes == ("AS", "EU", "NA")
    assert Labels.from_frame(frame, pool).values.tolist() == [1, 2, 1, -1]
    path = written(tmp_path, "id,pred\n1,cat\n2,nan\n3,dog\n4,cow\n")
    with pytest.raises(InputError, match="must hold a decision in every row; got 'nan' in line 3"):
        Pool.read(path)


@pytest.mark.parametrize("word", ["<NA>", r"\N", "#DIV/0!", "#REF!", "#NAME?"])
def test_words_and_errors_for_a_missing_value_are_no_class_names(word: str, tmp_path: Path) -> None:
    """Each error value of a spreadsheet had become a class of its own."""
    path = written(tmp_path, f"id,pred,label,age\n1,cat,{word},{word}\n2,dog,cow,7\n")
    frame = read_frame(path, Told())
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multiclass", ("cat", "cow", "dog"))
    assert Labels.from_frame(frame, pool).values.tolist() == [-1, 1]
    assert pool.fields["age"].isna().tolist() == [True, False]
    with pytest.raises(InputError, match=rf"must hold a decision in every row; got {re.escape(repr(word))}"):
        Pool.read(written(tmp_path, f"id,pred\n1,cat\n2,{word}\n3,dog\n"))


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_cell_names_no_class(blank: str) -> None:
    """In formats that distinguish blank from missing cells, such as JSON, blanks had become a class."""
    frame = pd.DataFrame({"id": [*"xyz"], "pred": ["dog", "cat", "fox"], "label": ["dog", blank, "cat"]})
    pool = Pool.from_frame(frame)
    assert pool.task.classes == ("cat", "dog", "fox")
    assert Labels.from_frame(frame, pool).by_id(pool) == {"x": "dog", "z": "cat"}
    with pytest.raises(InputError, match=r"`pred` must hold a decision in every row.* row 1"):
        Pool.from_frame(frame.assign(pred=["dog", blank, "fox"]))


def test_a_missing_name_is_no_class() -> None:
    """`df["label"].unique()` holds one where labels are missing; it had become a class called "nan"."""
    frame = pd.DataFrame({"id": ["a", "b"], "score": [0.2, 0.7]})
    absent: Any
    for absent in (None, np.nan, pd.NA):
        with pytest.raises(InputError, match="`classes` must hold two or more different names"):
            Pool.from_frame(frame, classes=["ham", absent])


def test_a_misspelt_class_does_not_move_the_others_to_other_columns() -> None:
    """The dogs had got the scores of the cats, since one of the names was no column's."""
    frame = pd.DataFrame({"id": ["a", "b"], "prob_cat": [0.2, 0.7], "prob_dog": [0.8, 0.3]})
    with pytest.raises(
        InputError,
        match=r"`classes` must .* but 'dog' is `prob_dog`; got .*; the columns are those of 'cat', 'dog'",
    ):
        Pool.from_frame(frame, classes=["dog", "cats"])
    assert Pool.from_frame(frame, classes=["dog", "cat"]).columns.systems[0].score == ("prob_dog", "prob_cat")
    for renamed in (["cat", "hound"], ["Katze", "Hund"]):
        assert Pool.from_frame(frame, classes=renamed).task.classes == tuple(renamed)
    counted = frame.rename(columns={"prob_cat": "prob_0", "prob_dog": "prob_1"})
    assert Pool.from_frame(counted, classes=["1", "2"]).task.classes == ("1", "2")
