"""Names of classes that the caller gave, and the columns per class in their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from pandas.api.types import is_scalar

from sampleval._checks import fail, listed, name_of, shown
from sampleval.pool.columns import Columns, in_order
from sampleval.pool.guessing.two_classes import positive_name
from sampleval.pool.naming import folded


def with_given(columns: Columns, given: Sequence[Any], *, score_told: bool) -> Columns:
    """The columns with the caller's class names. Columns per class are put in their order if they have the same names.

    Args:
        columns: The roles found.
        given: The names, of two classes the negative one first.
        score_told: Whether the caller named the scores too.
    """
    names = _names(columns, given)
    own, named = _respelt(columns.classes, names), replace(columns, classes=names)
    if {*own} == {*names}:
        systems = tuple(system.in_order(own, names) for system in columns.systems)
        named = replace(named, systems=systems, label=in_order(columns.label, own, names))
    else:
        _not_moved(columns, names)
    if columns.kind == "binary" and not score_told:
        _not_turned(named)
    return named


def _names(columns: Columns, given: Sequence[Any]) -> tuple[str, ...]:
    """The given names as text, if they are different, as many as the columns per class, and of two classes two."""
    if isinstance(given, str | bytes) or not isinstance(given, Sequence):
        fail("classes", "must be a list of names", given)
    names = tuple("" if is_scalar(name) and pd.isna(name) else name_of(name, "classes") for name in given)
    if len(set(names)) < len(names) or not all(names) or len(names) < 2:
        fail("classes", "must hold two or more different names", list(given))
    if columns.kind == "binary" and len(names) != 2:
        fail("classes", "must be (negative, positive) in a binary task", list(given))
    if columns.classes and len(columns.classes) != len(names):
        fail("classes", f"must name the {len(columns.classes)} score columns", list(given))
    return names


def _respelt(own: tuple[str, ...], given: tuple[str, ...]) -> tuple[str, ...]:
    """The columns' class names as the caller spells them, if they are the same but for case, spaces and the like.

    >>> _respelt(("B", "very_good"), ("very good", "b")), _respelt(("0", "1"), ("ham", "spam"))
    (('b', 'very good'), ('0', '1'))
    """
    spelt = {folded(name): name for name in given}
    same = [folded(name) for name in own]
    return tuple(spelt[name] for name in same) if len(spelt) == len(own) and set(same) == set(spelt) else own


def _not_moved(columns: Columns, names: tuple[str, ...]) -> None:
    """Refuse new names for the columns if one of them is that of another column. Numbers may only count the columns."""
    score, place = columns.systems[0].score, {folded(name): k for k, name in enumerate(names)}
    if len(score) != len(names):
        return
    for k, name in enumerate(columns.classes):
        if place.get(folded(name), k) != k and not name.isdigit():
            rule = f"must be in the order of the score columns, or hold the same names as these, but {shown(name)} is `{score[k]}`"
            remedy = f"the columns are those of {listed([shown(each) for each in columns.classes])}"
            fail("classes", rule, list(names), remedy=remedy)


def _not_turned(columns: Columns) -> None:
    """Refuse (negative, positive) if the guessed score is named after the negative class."""
    called = folded(positive_name(columns))
    negative, positive = columns.classes
    if called and called == folded(negative) != folded(positive):
        score = columns.systems[0].score[0]
        rule = f"must be (negative, positive), but `{score}` seems to be the score of {shown(negative)}"
        remedy = f'turn them round, or if it is that of {shown(positive)}, pass score="{score}"'
        fail("classes", rule, list(columns.classes), remedy=remedy)
