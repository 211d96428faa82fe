"""Find the columns of one system's output, and what kind of task they are of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pandas as pd

from sampleval._checks import fail, listed, shown
from sampleval.pool.answer_columns import holds_sets
from sampleval.pool.column_groups import class_by_class
from sampleval.pool.columns import SYSTEM_ROLES, Columns, SystemColumns, Told
from sampleval.pool.guessing.by_role import ByRole
from sampleval.pool.guessing.cells import NAMES, first_cell, fractions, names_in, nested, numeric, wholes
from sampleval.pool.guessing.kinds import guess_kind, numbered
from sampleval.pool.naming import column_role, folded
from sampleval.pool.polarity import is_negative, polar, sense
from sampleval.pool.spellings import whole
from sampleval.pool.task import Kind

IN_WORDS: dict[Kind, str] = {
    "binary": "two classes",
    "multiclass": "one class per item",
    "multilabel": "any number of labels per item",
    "regression": "a number per item",
}


def understood(df: pd.DataFrame, told: Told, by_role: ByRole) -> Columns | None:
    """The kind, one system and its classes, as far as names of columns give them, and why; `None` if it has no output."""
    beside_sets = told.kind in (None, "multilabel") and _beside_sets(df, by_role)
    used = by_role
    if told.score is None and (beside_sets or _idle(df, by_role)):
        used = replace(by_role, score=[])
    if told.kind is not None:
        kind, why = told.kind, f"{IN_WORDS[told.kind]}, as chosen"
    else:
        guess, why = guess_kind(df, used, told.class_names)
        if guess is None:
            return None
        kind = guess
        if beside_sets and used is not by_role:
            why += f"; `{by_role.score[0]}` is not used, since it is no score of each label"
    found = _BY_KIND[kind](df, told, used, why)
    return found if found.scores or found.preds else None


def _of_numbers(_df: pd.DataFrame, _told: Told, by_role: ByRole, why: str) -> Columns:
    pred, error = tuple(by_role.of("pred")[:1]), next(iter(by_role.error), None)
    return Columns("regression", (), (SystemColumns("", (), pred, error),), explanation=why)


def _of_two_classes(_df: pd.DataFrame, told: Told, by_role: ByRole, why: str) -> Columns:
    """The score is the only score column, or the positive class's among several."""
    scores, pair = tuple(by_role.score[:1]) or tuple(by_role.scores.values()), None
    if not by_role.score and by_role.scores and all(map(is_negative, by_role.scores)):
        rule = "must be the positive class's probability"
        fail("score", rule, scores[0], remedy=f"if it is, pass score={scores[0]!r}")
    if len(scores) > 1:
        pair = polar(by_role.scores) if len(by_role.scores) == 2 else None
        positive = _positive(by_role, pair, told.class_names)
        if positive is None:
            remedy = (
                "name the positive class's, or pass classes=(negative, positive); for two systems name "
                'the scores of each, system={"old": {"score": …}, "new": {"score": …}}'
            )
            fail("score", "must be one column in a binary task", list(scores), remedy=remedy)
        scores = (by_role.scores[positive],)
    return Columns("binary", pair or (), (SystemColumns("", scores, by_role.lone("pred")),), explanation=why)


def _positive(by_role: ByRole, pair: tuple[str, str] | None, classes: tuple[str, ...]) -> str | None:
    """The name that the positive class has among the score columns; `None` if none can be told."""
    spelt = {folded(name): name for name in by_role.scores}
    if classes and classes[-1] in by_role.scores:
        return classes[-1]
    if classes and len(spelt) == len(by_role.scores) and folded(classes[-1]) in spelt:
        return spelt[folded(classes[-1])]
    turned = [sense(name) for name in classes] == [1, 0]  # the caller calls the no positive
    return pair[not turned] if pair else None


def _of_several_classes(df: pd.DataFrame, told: Told, by_role: ByRole, why: str) -> Columns:
    classes, scores = tuple(by_role.scores), tuple(by_role.scores.values()) or tuple(by_role.score[:1])
    pred = by_role.lone("pred")
    if told.pred is None and pred and not by_role.pred and classes and _of_no_class(df, pred[0], classes):
        pred = ()
    if told.score is None and pred and len(scores) == 1 and not nested(df[scores[0]]):
        why = f"{why}; `{scores[0]}` is not used, since {_unused(df, scores[0])}"
        classes, scores = (), ()
    return Columns("multiclass", classes, (SystemColumns("", scores, pred),), explanation=why)


def _of_no_class(df: pd.DataFrame, name: str, classes: tuple[str, ...]) -> bool:
    """Whether a column always names the same, and no class, as `prediction_agent` does."""
    met = names_in(df[name], NAMES)
    return len(met) == 1 and folded(whole(met[0])) not in {folded(whole(one)) for one in classes}


def _of_labels(df: pd.DataFrame, told: Told, by_role: ByRole, why: str) -> Columns:
    scores, pred = tuple(by_role.scores.values()) or tuple(by_role.score[:1]), tuple(by_role.pred[:1])
    if not (scores or pred) and (lone := by_role.lone("pred")) and holds_sets(df[lone[0]]):
        # `predicted_topics` names no label.
        return Columns("multilabel", (), (SystemColumns("", (), lone),), explanation=why)
    classes = tuple(by_role.scores) or tuple(by_role.preds)
    preds = _per_label(told, by_role, classes) or pred
    return Columns("multilabel", classes, (SystemColumns("", scores, preds),), explanation=why)


_BY_KIND: dict[Kind, Callable[[pd.DataFrame, Told, ByRole, str], Columns]] = {
    "binary": _of_two_classes,
    "multiclass": _of_several_classes,
    "multilabel": _of_labels,
    "regression": _of_numbers,
}


def _unused(df: pd.DataFrame, name: str) -> str:
    """Why a single column gives no score of each class. In CSV files and workbooks, lists and records are text."""
    first = first_cell(df[name])
    if isinstance(first, str) and first.strip()[:1] in ("[", "{", "("):
        return f"{shown(first, 40)} is text: give the score of each class a column of its own"
    return "it is no score of each class"


def _beside_sets(df: pd.DataFrame, by_role: ByRole) -> bool:
    """Whether the score is a single number beside a set of labels, so that it is the score of none of them."""
    pred = by_role.lone("pred")
    return bool(by_role.score and pred) and not nested(df[by_role.score[0]]) and holds_sets(df[pred[0]])


def _idle(df: pd.DataFrame, by_role: ByRole) -> bool:
    """Whether the score is a mere confidence, beside decisions that are numbers."""
    mere = [name for name in by_role.score if column_role(name)[0] in ("weak score", "log-odds")]
    if not mere or mere != by_role.score or nested(df[mere[0]]) or not (pred := by_role.lone("pred")):
        return False
    met = names_in(df[pred[0]], NAMES)
    amounts = any(fractions(df[name]) for name in by_role.label[:1])
    whole_numbers = not amounts and len(met) <= NAMES and numbered(met)
    classes = whole_numbers or polar(wholes(met)) is not None  # True and False are numbers to NumPy
    return numeric(df[pred[0]]) and not classes


def _per_label(told: Told, by_role: ByRole, classes: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of decisions in the order of the labels, by the labels in their names, or as listed by the caller."""
    for order in (classes, told.class_names):
        if len(order) == len(classes) and set(order) <= set(by_role.preds):
            return tuple(by_role.preds[name] for name in order)
    unnamed = all(key == name for key, name in by_role.preds.items()) and not isinstance(told.pred, Mapping)
    listed_alike = unnamed and len(by_role.preds) == len(classes)
    return class_by_class([*by_role.preds.values()], classes) if listed_alike else ()


def all_used(told: Told, by_role: ByRole, reading: Columns) -> None:
    """Refuse columns that the caller gave to a system and that its kind of task cannot use."""
    kind, used = reading.kind, {*reading.model}
    for role in sorted(SYSTEM_ROLES):
        given = by_role.of(role)
        idle = [name for name in given if name not in used]
        if not idle or (getattr(told, role) is None and not isinstance(told.system, Mapping)):
            continue
        if kind == "binary" and role == "score":  # the negative class's score is accepted too
            continue
        remedy = f"leave out {listed([shown(name) for name in idle], 6)}"
        if kind == "multilabel" and role == "pred":
            remedy = f"name one column per label, for {listed([shown(name) for name in reading.classes], 6)}"
        fail(role, f"must name only what a {kind} task can use", given, remedy=remedy)
