"""Find the kind of task from one system's columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, listed, shown
from sampleval.pool.answer_columns import holds_sets, names_in_sets, names_with_bars
from sampleval.pool.columns import OUTPUT, SystemColumns, Told
from sampleval.pool.guessing.amounts import all_amounts, fractions, numeric, recur, sum_to_one
from sampleval.pool.guessing.by_role import NAMES, ByRole, labels_in, names_in, nested, wholes
from sampleval.pool.naming import class_by_class, column_role, folded
from sampleval.pool.polarity import is_negative, polar, sense
from sampleval.pool.task import Kind, Task

IN_WORDS: dict[Kind, str] = {
    "binary": "two classes",
    "multiclass": "one class per item",
    "multilabel": "any number of labels per item",
    "regression": "a number per item",
}
Decision = tuple[Kind, tuple[str, ...], SystemColumns, str]

CODES = 20  # most numbers that are perhaps codes of classes, where nothing else tells


def told_kind(told: Told) -> Kind | None:
    """The kind of task that the caller gave, alone or as part of a `Task`; `None` if not given."""
    kind = told.task.kind if isinstance(told.task, Task) else told.task
    if kind is not None:
        _checks.choice(kind, get_args(Kind), "task")
    return kind


def decide(df: pd.DataFrame, told: Told, by_role: ByRole) -> Decision | None:
    """The kind of task, the classes and columns of one system, and the reason; `None` if it has no output."""
    kind = told_kind(told)
    of_sets = kind in (None, "multilabel") and _beside_sets(df, by_role)
    idle = by_role.score[:1] if told.score is None and (of_sets or _idle(df, by_role)) else []
    if idle:
        by_role = replace(by_role, score=[])
    if kind is None:
        kind, why = _guess_kind(df, by_role, told_classes(told))
        if idle and of_sets:
            why += f"; `{idle[0]}` is not used, since it is no score of each label"
    else:
        why = f"{IN_WORDS[kind]}, as chosen"
    if kind is None:
        return None
    pred, error = tuple(by_role.pred[:1]), by_role.error[0] if by_role.error else None
    if kind == "regression":
        found = pred or tuple(by_role.preds.values())[:1]
        return (kind, (), SystemColumns("", (), found, error), why) if found else None
    if kind == "binary":
        return _binary(by_role, pred, why, told_classes(told))
    scores = tuple(by_role.scores.values()) or tuple(by_role.score[:1])
    if kind == "multiclass":
        pred = pred or _lone_pred(by_role)
        if told.score is None and pred and len(scores) == 1 and not nested(df[scores[0]]):
            why, scores = f"{why}; `{scores[0]}` is not used, since {_unused(df, scores[0])}", ()
            by_role = replace(by_role, scores={})
        return (kind, tuple(by_role.scores), SystemColumns("", scores, pred), why) if scores or pred else None
    if not (scores or pred) and (lone := _lone_pred(by_role)) and holds_sets(df[lone[0]]):
        pred, by_role = lone, replace(by_role, preds={})  # cells of `predicted_topics` hold labels
    classes = tuple(by_role.scores) or tuple(by_role.preds)
    preds = _per_label(told, by_role, classes) or pred
    return (kind, classes, SystemColumns("", scores, preds), why) if scores or preds else None


def _unused(df: pd.DataFrame, name: str) -> str:
    """Why a single column gives no score of each class. In CSV files and workbooks, lists and records are text."""
    first = next(iter(df[name].dropna().head(1)), "")
    if isinstance(first, str) and first.strip()[:1] in ("[", "{", "("):
        return f"{shown(first, 40)} is text: give the score of each class a column of its own"
    return "it is no score of each class"


def _beside_sets(df: pd.DataFrame, by_role: ByRole) -> bool:
    """Whether the score is a single number beside a set of labels, so that it is the score of none of them."""
    pred = _lone_pred(by_role)
    return bool(by_role.score and pred) and not nested(df[by_role.score[0]]) and holds_sets(df[pred[0]])


def _idle(df: pd.DataFrame, by_role: ByRole) -> bool:
    """Whether the score is a mere confidence: beside scores of each class, or decisions that are numbers."""
    mere = [name for name in by_role.score if column_role(name)[0] == "weak score"]
    if not mere or mere != by_role.score or nested(df[mere[0]]):
        return False
    if len(by_role.scores) > 1:
        return True
    if not (pred := _lone_pred(by_role)):
        return False
    met = names_in(df, pred[0], NAMES)
    amounts = any(fractions(df[name]) for name in by_role.label[:1])
    whole_numbers = not amounts and len(met) <= NAMES and _numbered(met)
    classes = whole_numbers or polar(wholes(met)) is not None  # True and False are numbers to NumPy
    return numeric(df[pred[0]]) and not classes


def _per_label(told: Told, by_role: ByRole, classes: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of decisions in the order of the labels, by the labels in their names, or as listed by the caller."""
    for order in (classes, told_classes(told)):
        if len(order) == len(classes) and set(order) <= set(by_role.preds):
            return tuple(by_role.preds[name] for name in order)
    unnamed = all(key == name for key, name in by_role.preds.items()) and not isinstance(told.pred, Mapping)
    listed_alike = unnamed and len(by_role.preds) == len(classes)
    return class_by_class([*by_role.preds.values()], classes) if listed_alike else ()


def all_used(told: Told, by_role: ByRole, decision: Decision) -> None:
    """Refuse columns that the caller gave to a system and that its kind of task cannot use."""
    kind, classes, found, _ = decision
    used = {*found.score, *found.pred, *([found.error] if found.error else [])}
    for role in sorted(OUTPUT):
        given = [*getattr(by_role, role), *getattr(by_role, f"{role}s").values()]
        idle = [name for name in given if name not in used]
        if not idle or (getattr(told, role) is None and not isinstance(told.system, Mapping)):
            continue
        if kind == "binary" and role == "score":  # the negative class's score is accepted too
            continue
        remedy = f"leave out {listed([shown(name) for name in idle], 6)}"
        if kind == "multilabel" and role == "pred":
            remedy = f"name one column per label, for {listed([shown(name) for name in classes], 6)}"
        fail(role, f"must name only what a {kind} task can use", given, remedy=remedy)


def told_classes(told: Told) -> tuple[str, ...]:
    """The class names that the caller gave, alone or as part of a `Task`; () if not given."""
    given = told.classes if told.classes is not None else getattr(told.task, "classes", ())
    return tuple(str(name) for name in given) if isinstance(given, Sequence) else ()


def _binary(by_role: ByRole, pred: tuple[str, ...], why: str, classes: tuple[str, ...]) -> Decision | None:
    """The decision for a binary task, whose score is the only score column, or the positive class's among several."""
    scores, pair = tuple(by_role.score[:1]) or tuple(by_role.scores.values()), None
    if not by_role.score and by_role.scores and all(map(is_negative, by_role.scores)):
        fail(
            "score", "must be the positive class's probability", scores[0], remedy='if it is, pass score="…"'
        )
    if len(scores) > 1:
        pair = polar(by_role.scores) if len(by_role.scores) == 2 else None
        positive = _positive(by_role, pair, classes)
        if positive is None:
            remedy = (
                "name the positive class's, or pass classes=(negative, positive); for two systems name "
                'the scores of each, system={"old": {"score": …}, "new": {"score": …}}'
            )
            fail("score", "must be one column in a binary task", list(scores), remedy=remedy)
        scores = (by_role.scores[positive],)
    pred = pred or _lone_pred(by_role)
    return ("binary", pair or (), SystemColumns("", scores, pred), why) if scores or pred else None


def _positive(by_role: ByRole, pair: tuple[str, str] | None, classes: tuple[str, ...]) -> str | None:
    """The name that the positive class has among the score columns; `None` if none can be told."""
    spelt = {folded(name): name for name in by_role.scores}
    if classes and classes[-1] in by_role.scores:
        return classes[-1]
    if classes and len(spelt) == len(by_role.scores) and folded(classes[-1]) in spelt:
        return spelt[folded(classes[-1])]
    turned = [sense(name) for name in classes] == [1, 0]  # the caller calls the no positive
    return pair[not turned] if pair else None


def _guess_kind(df: pd.DataFrame, by_role: ByRole, classes: tuple[str, ...]) -> tuple[Kind | None, str]:
    scores = list(by_role.scores.values())
    if by_role.score:
        if nested(df[by_role.score[0]]):
            return "multiclass", f"`{by_role.score[0]}` holds a list of scores per row: one class each"
        pred = _lone_pred(by_role)
        if pred and (len(classes) > 2 or _names_class(df, pred[0], by_role.label[:1])):
            return "multiclass", f"`{pred[0]}` names one of several classes"
        what = "is the one score column" if len(by_role.score) == 1 else "was taken for the score"
        return "binary", f"`{by_role.score[0]}` {what}: two classes"
    if len(scores) == 1:
        return "binary", f"`{scores[0]}` is the one score column: two classes"
    if scores:
        return _guess_wide(df, by_role, scores)
    if by_role.pred:
        return _guess_pred(df, by_role.pred[0], by_role.label[:1], classes)
    if len(by_role.preds) > 1:
        return "multilabel", f"{len(by_role.preds)} columns of decisions, one per label, and no scores"
    if by_role.preds:
        return _guess_pred(df, next(iter(by_role.preds.values())), by_role.label[:1], classes)
    return None, ""


def _guess_wide(df: pd.DataFrame, by_role: ByRole, scores: list[str]) -> tuple[Kind, str]:
    several = f"{len(scores)} score columns"
    per_label = set(by_role.scores) & (set(by_role.preds) | set(by_role.labels))
    if per_label and not by_role.pred:
        return "multilabel", f"{several} with their own decisions or labels: any number of labels per item"
    for name in (*by_role.pred[:1], *by_role.label[:1]):
        met = wholes(one for one in names_in(df, name, NAMES) if not _checks.says_missing(one))
        joined = holds_sets(df[name]) or not met <= wholes(by_role.scores)
        if joined and set(names_in_sets(df[name])) <= set(by_role.scores):
            return (
                "multilabel",
                f"{several}, and `{name}` holds sets of their labels: any number of labels per item",
            )
    if sum_to_one(df, scores):
        if len(scores) == 2 and polar(by_role.scores):
            return "binary", "two score columns that sum to 1: two classes"
        return "multiclass", f"{several} that sum to 1 in each row: one class per item"
    known = [
        name
        for name in (*by_role.pred[:1], *by_role.label[:1])
        if wholes(names_in(df, name, NAMES)) & wholes(by_role.scores)
    ]
    if known:
        return "multiclass", f"{several}, and `{known[0]}` names one of their classes"
    why = f"{several} that do not sum to 1: any number of labels per item"
    if len(scores) == 2 and not by_role.pred:
        why += '; if two systems gave them, choose two classes (task="binary")'
    return "multilabel", why


def _lone_pred(by_role: ByRole) -> tuple[str, ...]:
    """The only column of decisions, whether or not its name mentions a class; () if there are none or several."""
    return tuple(by_role.pred[:1]) or (tuple(by_role.preds.values()) if len(by_role.preds) == 1 else ())


def _names_class(df: pd.DataFrame, name: str, label: list[str]) -> bool:
    """Whether decisions name at least three classes, by names or by numbers, and no label has fewer than three."""
    if any(len(labels_in(df, column)) <= 2 for column in label):
        return False
    met = names_in(df, name, NAMES)
    if numeric(df[name]):
        return 2 < len(met) <= NAMES and all(one.isdecimal() for one in met)
    return len(met) > 2


def _guess_pred(df: pd.DataFrame, name: str, label: list[str], classes: tuple[str, ...]) -> tuple[Kind, str]:
    barred = names_with_bars(df[name])
    if holds_sets(df[name]):
        why = f"no score; `{name}` holds sets of labels: any number per item"
        if len(barred) == 1:
            why += f'; if {shown(barred[0])} is one class, choose several classes (task="multiclass")'
        return "multilabel", why
    if len(classes) > 1:
        kind: Kind = "binary" if len(classes) == 2 else "multiclass"
        return kind, f"no score; `{name}` holds decisions between the {len(classes)} classes named"
    names = names_in(df, name)
    if polar(names):
        return "binary", f"no score; `{name}` holds decisions between two classes"
    may_be_codes = numeric(df[name]) and not any(fractions(df[one]) for one in label)
    if coded := may_be_codes and _codes(df, name):
        return "multiclass", f"no score; `{name}` names a class by {coded}"
    if numeric(df[name]):
        why = f"`{name}` holds numbers and there is no score: a number is predicted"
        if any(polar(wholes(labels_in(df, column))) for column in label) and fractions(df[name]):
            why += f"; as `{label[0]}` says no and yes, it may be a probability: then name it with score"
        if may_be_codes and _few(names_in(df, name, CODES)) and recur(df[name]):
            why += '; if these are codes of classes, pass task="multiclass"'
        return "regression", why
    if names and all_amounts(df[name], names):
        remedy = 'write 1214.65 for "€ 1,214.65"; if they name classes, pass task="multiclass"'
        fail("pred", "must hold plain numbers, if numbers are predicted", names[0], remedy=remedy)
    why = f"no score; `{name}` names a class"
    if barred:
        why += f'; {shown(barred[0])} is one, as its parts are met nowhere else (else task="multilabel")'
    return "multiclass", why


def _codes(df: pd.DataFrame, name: str) -> str:
    """What shows that numbers stand for classes; "" if nothing does.

    It is the column's name, as `predicted_class`, or as `pred_label` if the numbers recur (of counts and ages there are
    many), or zeros in front of numbers.
    """
    written = names_in(df, name, NAMES)
    words = {*re.split(r"[\W_]+", name.lower())}
    if _numbered(written) and ("class" in words or ("label" in words and recur(df[name]))):
        return 'its number; if these are amounts, pass task="regression"'
    zeros = all(map(str.isdecimal, written)) and any(len(one) > 1 and one[0] == "0" for one in written)
    return "codes with leading zeros" if zeros else ""


def _few(names: Sequence[str]) -> bool:
    """Whether these are a few whole numbers."""
    return len(names) <= CODES and _numbered(names)


def _numbered(names: Sequence[str]) -> bool:
    """Whether all names are whole numbers, as 3, -1 and 2.0 are."""
    return all(one.removeprefix("-").isdecimal() for one in wholes(names))
