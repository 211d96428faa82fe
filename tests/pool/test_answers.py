"""Answers: what each kind of task takes for a label, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool, Task, decode_label, encode_label


@pytest.mark.parametrize(
    ("task", "answer", "value"),
    [
        (Task(), 1, 1),
        (Task(), "0", 0),
        (Task(), np.bool_(True), 1),
        (Task(), np.array(1), 1),
        (Task(), 1.0, 1),
        (Task(), "Yes", 1),
        (Task("binary", ("ham", "spam")), "spam", 1),
        (Task("binary", ("ham", "spam")), "HAM", 0),
        (Task("binary", ("ham", "spam")), True, 1),
        (Task("multiclass", ("cafe\u0301", "bar", "inn")), "Caf\u00e9", 0),  # as macOS and others write it
        (Task("multiclass", ("Straße", "bar", "inn")), "STRASSE", 0),
        (Task("multiclass", ("bar", "جيد!", "inn")), "\u2068جيد!\u2069", 1),  # as it was copied from a page
        (Task("binary", ("-1", "1")), -1, 0),
        (Task("multiclass", ("3", "5", "8")), 5, 1),
        (Task("multiclass", ("3", "5", "8")), np.array("5"), 1),
        (Task("multiclass", ("3", "5", "8")), "8", 2),
        (Task("multilabel", ("a", "b", "c")), {"a", "c"}, (1, 0, 1)),
        (Task("multilabel", ("a", "b", "c")), ["b"], (0, 1, 0)),
        (Task("multilabel", ("a", "b", "c")), "a|b", (1, 1, 0)),
        (Task("multilabel", ("a", "b", "c")), '["a"]', (1, 0, 0)),
        (Task("multilabel", ("a", "b", "c")), (), (0, 0, 0)),
        (Task("multilabel", ("a", "b", "c")), "[]", (0, 0, 0)),
        (Task("multilabel", ("a", "b", "c")), np.array("b"), (0, 1, 0)),
        (Task("multilabel", ("a", "b", "c")), np.array([0, 1, 1]), (0, 1, 1)),
        (Task("multilabel", ("a", "b", "c")), {"a": True, "b": False}, (1, 0, 0)),
        (Task("multilabel", ("a", "B", "c")), "A| b", (1, 1, 0)),
        (Task("multilabel", ("a", "A")), "A", (0, 1)),  # in any case only where one label alone is meant
        (Task("regression", ()), "2.5", 2.5),
        (Task("regression", ()), 3, 3.0),
        (Task("regression", ()), np.float32(0.9), 0.9),
        (Task("regression", ()), Decimal("1.5"), 1.5),
    ],
)
def test_answers_are_encoded(task: Task, answer: object, value: object) -> None:
    encoded = encode_label(task, answer)
    assert encoded == value
    assert encode_label(task, decode_label(task, encoded)) == encoded


def test_a_row_of_a_tensor_is_a_set_of_labels() -> None:
    class Tensor:  # as PyTorch's: no array, and its numbers are tensors
        ndim = 1

        def tolist(self) -> list[int]:
            return [0, 1, 1]

    assert encode_label(Task("multilabel", ("a", "b", "c")), Tensor()) == (0, 1, 1)


def test_a_series_that_names_labels_is_not_read_by_position() -> None:
    with pytest.raises(InputError, match="holds a label that is not known"):
        encode_label(Task("multilabel", ("a", "b", "c")), pd.Series({"c": 1, "b": 1, "a": 0}))


@pytest.mark.parametrize(
    ("task", "answer", "message"),
    [
        (Task(), 2, "must be 0 or 1; got 2"),
        (Task(), -1, "must be 0 or 1; got -1; −1 is no class here: write 0 if it is the negative one"),
        (
            Task("binary", ("ham", "spam")),
            "-1",
            r"must be 'ham' or 'spam' \(or 0/1\); got '-1'; −1 is no class",
        ),
        (Task("binary", ("-1", "1")), 0, "must be '-1' or '1'; got 0"),
        (Task(), None, "must not be missing"),
        (Task(), float("nan"), "must not be missing"),
        (Task(), [1], "not a list"),
        (Task("binary", ("ham", "spam")), "spma", "did you mean 'spam'"),
        (Task("multiclass", ("cat", "dog")), "cow", "must be one of the 2 classes"),
        (Task("multiclass", ("Cat", "CAT")), "cat", "must be one of the 2 classes"),  # either could be meant
        (Task("multilabel", ("a", "b")), {"a", "z"}, "got 'z'"),
        (Task("multilabel", ("a", "b")), 5, "must be a set of labels"),
        (Task("multilabel", ("a", "b")), np.array(5), "must be a set of labels"),
        (
            Task("multilabel", ("a", "b")),
            "",
            r"must name labels; got ''; for none of them pass \[\] or set\(\)",
        ),
        (Task("multilabel", ("a", "b")), " ", "must name labels; got ' '"),
        (Task("multilabel", ("a", "b")), "|", "must name labels"),
        (Task("multilabel", ("a", "b")), b"", "must be a set of labels"),
        (Task("multilabel", ("a", "b")), pd.DataFrame(), "must be a set of labels"),
        (Task("multilabel", ("a", "b")), {"zz": 0}, "holds a label that is not known; got 'zz'"),
        (Task("multilabel", ("a", "A")), "É", "holds a label that is not known; got 'É'"),
        (Task("multilabel", ("a", "b", "c")), [pd.NA, 1, 0], "`label`"),
        (Task("multilabel", ("a", "b", "c")), [np.array([1, 2]), 0, 1], "`label`"),
        (Task("multilabel", ("a", "b", "c")), [None, 1, 0], "`label`"),
        (Task("multilabel", ("a", "b", "c")), [[1], 0, 1], "`label`"),
        (Task("multilabel", ("a", "b", "c")), [2, 0, 1], "`label`"),
        (Task("regression", ()), "many", "must be a number"),
        (Task("regression", ()), "1_000", "`label` must be a number; got '1_000'"),
        (Task("regression", ()), "1_0", "`label` must be a number; got '1_0'"),
        (Task("regression", ()), "3,5", r"got '3,5'; its decimal mark is a comma: write 3\.5"),
        (Task("regression", ()), float("inf"), "must be a finite number"),
        (Task("regression", ()), True, "must be a number"),
        (Task("regression", ()), np.datetime64("2020-01-02", "ns"), "must be a number"),
        (Task("regression", ()), Decimal("sNaN"), "must be a number"),
    ],
)
def test_wrong_answers_are_refused(task: Task, answer: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        encode_label(task, answer)


@pytest.mark.parametrize(
    ("classes", "answer", "value"),
    [
        (("yes", "no"), "N", 1),
        (("yes", "no"), "y", 0),
        (("positive", "negative"), "neg", 1),
        (("true", "false"), "no", 1),
        (("0", "yes"), "no", 0),
        (("m", "f"), 1, 1),
        (("00", "01"), 1, 1),
        (("01", "02"), 1, 0),
    ],
)
def test_words_for_yes_and_no_go_by_their_meaning(
    classes: tuple[str, str], answer: object, value: int
) -> None:
    assert encode_label(Task("binary", classes), answer) == value


@pytest.mark.parametrize(
    ("classes", "answer"),
    [
        (("yes", "no"), 1),
        (("yes", "no"), True),
        (("f", "m"), "t"),
        (("ham", "spam"), "pos"),
        (("yes", "other"), "no"),
        (("1", "2"), 0),
        (("01", "02"), 0),
    ],
)
def test_answers_that_could_mean_either_class_are_refused(classes: tuple[str, str], answer: object) -> None:
    with pytest.raises(InputError, match=f"must be '{classes[0]}' or '{classes[1]}'"):
        encode_label(Task("binary", classes), answer)


def test_flags_that_could_be_names_are_refused() -> None:
    task = Task("multilabel", ("0", "1", "2"))
    for answer in ("[1, 0, 0]", [1, 0, 0], np.array([1, 0, 0])):
        with pytest.raises(
            InputError, match=r"`label` may name labels or say 0/1 of each: both can be meant"
        ):
            encode_label(task, answer)
    assert encode_label(task, '["1", "0"]') == encode_label(task, "1,0") == (1, 1, 0)
    assert encode_label(task, "[true, false, false]") == (1, 0, 0)
    assert encode_label(Task("multilabel", ("a", "b", "c")), "[1, 0, 0]") == (1, 0, 0)


@pytest.mark.parametrize(
    "write",
    [
        str,
        lambda names: str(tuple(names)),
        lambda names: str(set(names)),
        lambda names: str(np.array(names)),
        lambda names: f"[{', '.join(names)}]",
        json.dumps,
    ],
    ids=["list", "tuple", "set", "NumPy", "bare", "JSON"],
)
def test_sets_of_labels_are_read_however_a_program_writes_them(
    write: Callable[[list[str]], str], tmp_path: Path
) -> None:
    sets = [["cat"], ["cat", "dog"], [], ['it\'s a "dog"'], ["dog"]]
    if write(sets[1]).startswith("[c"):
        sets[3] = ["a dog"]
    frame = pd.DataFrame({"id": range(5), "pred": map(write, sets), "label": map(write, sets)})
    frame.to_csv(tmp_path / "pool.csv", index=False)
    pool = Pool.read(tmp_path / "pool.csv")
    known = Labels.from_frame(pd.read_csv(tmp_path / "pool.csv"), pool).by_id(pool)
    assert known == {str(k): tuple(sorted(names)) for k, names in enumerate(sets)}
