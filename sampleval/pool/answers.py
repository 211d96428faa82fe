"""Answers and their encoding: a class name, 0/1, a set of labels or a number, and back."""

from __future__ import annotations

import json
import numbers
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from decimal import Decimal
from typing import Any, TypeGuard

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sampleval import _checks
from sampleval._checks import fail, name_of
from sampleval.pool.polarity import meant
from sampleval.pool.spellings import place_of, whole
from sampleval.pool.task import YES_NO, Flags, Floats, Task

Encoded = int | float | tuple[int, ...]
BRACKETS = ("[]", "{}", "()")
QUOTE = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
BARE = r"""[^,'"\[\]|]+"""
# NumPy writes no commas. Words without quotes need commas and square or curly brackets, since "(a)" may be a name.
QUOTED = re.compile(rf"(?:{QUOTE}\s*(?:,\s*)?)+")
ENTRIES = re.compile(rf"(?:\s*{QUOTE}\s*|{BARE})(?:,(?:\s*{QUOTE}\s*|{BARE}))*,?")
ENTRY = re.compile(rf"{QUOTE}|{BARE}")
MANY = (list, tuple, set, frozenset, np.ndarray)  # cells that hold several labels or scores


def is_many(cell: object) -> TypeGuard[Collection[Any]]:
    """Whether a cell holds several labels or scores. An array of no dimension is a single value."""
    return isinstance(cell, MANY) and getattr(cell, "ndim", 1) > 0


def encode_label(task: Task, answer: Any) -> Encoded:
    """The answer in the task's encoding.

    Args:
        task: What is predicted.
        answer: Binary: 0/1, True/False, "yes"/"no" or a class name; −1 only if a class has that name. Multiclass: a
            class name, alone or in a list of one. Multilabel: a set or list of names, one name, a mapping name → bool, or
            C values 0/1; an item without labels is [] or set(), not "". Regression: a number from -1e70 to 1e70.

    Returns:
        Binary: 0/1. Multiclass: the class's position. Multilabel: a tuple of C values 0/1. Regression: a float.

    >>> encode_label(Task("binary", ("ham", "spam")), "spam")
    1
    >>> encode_label(Task("multilabel", ("a", "b", "c")), {"c"})
    (0, 0, 1)
    """
    # Labels may be taken out of a tensor. NumPy's scalars are read as written, a float32 of 0.9 as 0.9, and no Series by
    # position, since its index may name the labels in another order.
    if (
        hasattr(answer, "ndim")
        and hasattr(answer, "tolist")
        and not isinstance(answer, np.generic | pd.Series)
    ):
        answer = answer.tolist()
    if task.kind == "regression":
        return _checks.measured(_number(answer), "label")
    if task.kind == "multilabel":
        return _label_set(task, answer)
    return _class(task, answer)


def decode_label(task: Task, value: object) -> str | float | tuple[str, ...]:
    """The answer that an encoded value stands for: the inverse of `encode_label`.

    Args:
        task: What is predicted.
        value: An encoded value; in multilabel C values 0/1.

    >>> decode_label(Task("multilabel", ("a", "b", "c")), (0, 1, 1))
    ('b', 'c')
    """
    if task.kind == "regression":
        return _checks.real(value, "value")
    if task.kind == "multilabel":
        flags = list(value) if isinstance(value, Iterable) else []
        if len(flags) != task.width or not all(map(_is_flag, flags)):
            fail("value", f"must hold {task.width} values 0/1", value)
        return tuple(name for name, flag in zip(task.classes, flags, strict=True) if flag)
    return task.classes[_checks.count(value, "value", maximum=task.width - 1)]


def label_text(label: object) -> str:
    """A decoded answer as one cell of text that `encode_label` can read back.

    >>> label_text(("a", "c")), label_text(("a|b", "c")), label_text(()), label_text("spam")
    ('a|c', '["a|b", "c"]', '[]', 'spam')
    """
    if not isinstance(label, tuple | list):
        return str(label)
    names = [str(name) for name in label]
    plain = names and not any(set(name) & set("|;,[") or name != name.strip() for name in names)
    return "|".join(names) if plain else json.dumps(names, ensure_ascii=False)


def _number(answer: object) -> object:
    """The answer as a number if it is text or a decimal; any other answer as it is. "−5" is -5."""
    if isinstance(answer, str | Decimal):
        try:
            # Python reads 1_0 as 10; a person may mean 1.0.
            return float(str(answer).replace("_", " ").replace("−", "-"))
        except ValueError:
            fail("label", "must be a number", answer, remedy=_checks.comma(answer))
    return answer


def _class(task: Task, answer: object) -> int:
    if answer is None or (isinstance(answer, float) and np.isnan(answer)):
        fail("label", "must not be missing", answer)
    name = name_of(answer, "label")
    if (known := place_of(name, task.classes)) is not None:
        return known
    names = bracketed(name) or []
    if len(names) == 1 and (known := place_of(name_of(names[0]), task.classes)) is not None:
        return known
    name = whole(name)
    if task.kind == "binary" and (side := meant(name, task.classes)) is not None:
        return side
    if task.kind == "multiclass":
        rule = f"must be one of the {task.width} classes"
        return fail("label", rule, answer, remedy=_checks.nearest(name, task.classes))
    return fail("label", f"must be {_either(task)}", answer, remedy=_correction(task, name))


def _either(task: Task) -> str:
    """The permitted binary answers, in words."""
    if task.classes == ("0", "1"):
        return "0 or 1"
    either = " or ".join(_checks.shown(name) for name in task.classes)
    return either if meant("1", task.classes) is None else f"{either} (or 0/1)"


def _correction(task: Task, name: str) -> str:
    """Advice on a cell that is no binary answer."""
    if name == "-1":
        return "−1 is no class here: write 0 if it is the negative one, leave the item out if it is unknown"
    return _checks.alike(name, task.classes) or "correct it, or leave the item out"


def _label_set(task: Task, answer: object) -> tuple[int, ...]:
    answer = _said(task, answer) if isinstance(answer, str) else answer
    flags = _flags(task, answer)
    if flags is not None:
        return flags
    if isinstance(answer, bytes | pd.DataFrame) or not isinstance(answer, Iterable):
        fail("label", "must be a set of labels", answer, remedy=_checks.nearest("", task.classes))
    told = answer.items() if isinstance(answer, Mapping) else ((name, 1) for name in answer)
    chosen = set()
    for name, holds in ((name_of(name, "label"), _class(YES_NO, value)) for name, value in told):
        known = place_of(name, task.classes)
        if known is None:
            none = f"{_checks.existing(task.classes)}; for none of them write []"
            remedy = _checks.alike(name, task.classes) or none
            fail("label", "holds a label that is not known", name, remedy=remedy)
        chosen |= {known} if holds else set()
    return tuple(int(k in chosen) for k in range(task.width))


def _said(task: Task, answer: str) -> list[Any]:
    """The labels in a text. A text without any is refused, because the answer may have been left out."""
    if not (names := split_labels(answer, task.classes)) and bracketed(answer.strip()) is None:
        fail("label", "must name labels", answer, remedy="for none of them pass [] or set()")
    return names


def _flags(task: Task, answer: object) -> tuple[int, ...] | None:
    """C values 0/1 given by position, or `None` for any other answer; refused if 0 and 1 are names of labels too."""
    if not isinstance(answer, list | tuple) or len(answer) != task.width:
        return None
    if not all(map(_is_flag, answer)):
        return None
    if all(name_of(flag) in task.classes for flag in answer):
        rule = "may name labels or say 0/1 of each: both can be meant"
        fail("label", rule, answer, remedy='write names as text, ["1", "0"], or true and false of each label')
    return tuple(int(flag) for flag in answer)


def _is_flag(cell: object) -> bool:
    """Whether a cell is 0 or 1, as a number or a truth value. Missing cells and arrays are not."""
    return isinstance(cell, np.bool_ | numbers.Real) and cell in (0, 1)


def split_labels(answer: str, classes: Collection[str] = ()) -> list[Any]:
    """The labels in one cell of text: `a|b`, `a; b`, `a, b`, a list, set or tuple as programs write it, or one of the classes."""
    text = answer.strip()
    if text in classes:
        return [text]
    if (names := bracketed(text)) is not None:
        return names
    mark = next((mark for mark in "|;," if mark in text), "|")
    return [part for part in (part.strip() for part in text.split(mark)) if part]


def bracketed(text: str) -> list[Any] | None:
    """The names in a list, set or tuple as JSON, Python, NumPy or PostgreSQL writes it; `None` if the text has another form.

    >>> bracketed('["a", 2]'), bracketed("{'a', 'b'}"), bracketed("['a' 'b']"), bracketed("[a, b]"), bracketed("(a)")
    (['a', 2], ['a', 'b'], ['a', 'b'], ['a', 'b'], None)
    >>> bracketed('{a,"b c"}'), bracketed("{a: 1}")
    (['a', 'b c'], None)
    """
    ends, inner = text[:1] + text[-1:], text[1:-1].strip()
    if text in ("set()", "frozenset()") or (ends in BRACKETS and not inner):
        return []
    if ends == "[]":
        with suppress(ValueError, RecursionError):
            return list(json.loads(text))
    words = ends == "[]" or (ends == "{}" and ":" not in inner)  # in a record, a colon follows each name
    if ends in BRACKETS and (QUOTED.fullmatch(inner) or (words and ENTRIES.fullmatch(inner))):
        entries = (entry.strip() for entry in ENTRY.findall(inner))
        return [re.sub(r"\\(.)", r"\1", e[1:-1]) if e[0] in "'\"" else e for e in entries if e]
    return None


def stored(task: Task, values: Floats, known: Flags) -> NDArray[np.generic]:
    """The labels read from a file, in the task's encoding. A known value that is no label is refused with its row.

    Args:
        task: What is predicted.
        values: (n,) or in multilabel (n, C).
        known: Which items have a label, (n,) bool. The values of the others become −1, in regression nan.

    >>> stored(Task(), np.array([1.0, 7.0]), np.array([True, False]))
    array([ 1, -1], dtype=int8)
    """
    if task.kind == "regression":
        rule, sound = "must hold finite labels", np.isfinite(values)
    else:
        last = 1 if task.kind == "multilabel" else task.width - 1
        rule, sound = f"must hold labels from 0 to {last}", np.isin(values, np.arange(last + 1))
    wrong = known & ~sound.reshape(len(known), -1).all(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        fail("path", rule, values[row].tolist(), row=row, remedy="write the labels anew with to_parquet")
    labels = unlabelled(task, len(known))
    labels[known] = values[known]
    return labels


def unlabelled(task: Task, n: int) -> NDArray[Any]:
    """Encoded labels of n items that have none: −1, in regression nan, (n,) or in multilabel (n, C)."""
    blank = np.nan if task.kind == "regression" else -1
    return np.full((n, *_shape(task)), blank, dtype_of(task))


def dtype_of(task: Task) -> type[np.generic]:
    """The type of encoded values: int32 for multiclass positions, float64 in regression, else int8."""
    if task.kind == "regression":
        return np.float64
    return np.int32 if task.kind == "multiclass" else np.int8


def blanks(task: Task, n: int) -> np.ndarray[Any, Any]:
    """Zeros to be filled with the encoded labels of n items, (n,) or (n, C)."""
    return np.zeros((n, *_shape(task)), np.float64 if task.kind == "regression" else np.int64)


def _shape(task: Task) -> tuple[int, ...]:
    """The shape of one encoded value: (C,) in multilabel, else ()."""
    return (task.width,) if task.kind == "multilabel" else ()
