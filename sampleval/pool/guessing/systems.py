"""Find the systems that the columns belong to, and whether they may be aspects of one, such as food and service."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from operator import or_
from typing import get_args

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, listed, shown
from sampleval.pool.answer_columns import holds_sets
from sampleval.pool.columns import SYSTEM_ROLES, Columns, SystemColumns, Told, in_code, short_code
from sampleval.pool.guessing.by_role import ByRole, sort_columns
from sampleval.pool.guessing.cells import ENOUGH, FIRST, every_name, labels_in, loose, sum_to_one
from sampleval.pool.guessing.kinds import surely_amounts
from sampleval.pool.guessing.one_system import all_used, understood
from sampleval.pool.guessing.told import set_role
from sampleval.pool.naming import OUTPUTS, role_of, says_bound
from sampleval.pool.polarity import polar
from sampleval.pool.task import Floats, Kind

MOST = 1000
# What a system is called whose columns do not name it, the latter beside one that they call model.
UNNAMED = ("model", "first")
AGREE = 0.5  # least correlation of the scores of two models of one thing
_VERSION = re.compile(r"\d|^.$|^(?:old|new|base|baseline|candidate|champion|challenger)$", re.IGNORECASE)
# Names of columns that hold a class and a system, with either first.
IN_CLASSES = (
    re.compile(r"(?P<class>.+)[_ .-](?P<system>[^_ .-]+)"),
    re.compile(r"(?P<system>[^_ .-]+)[_ .-](?P<class>.+)"),
)


def find_systems(df: pd.DataFrame, told: Told, by_role: ByRole, long: str | None) -> Columns:
    """The kind of task, the classes as far as column names give them, the systems, and the reason."""
    if told.kind is not None:
        _checks.choice(told.kind, get_args(Kind), "task")
    named = _several(df, told, by_role, long)
    if len(named) == 1 and long is None and told.system is None:  # as MTurk's Input.score, it needs no name
        named, (by_role,) = {}, named.values()
    readings = _readings(df, told, named, by_role)
    if not readings:
        return Columns(told.kind or "binary", ())
    first, reading = next(iter(readings.items()))
    classes = reading.classes
    if reading.kind != "binary":  # a column of decisions names no classes and takes those of another system
        classes = next((one.classes for one in readings.values() if one.classes), ())
    _refuse_unlike(readings, classes)
    systems = tuple(
        replace(one.systems[0].in_order(one.classes, classes), name=name) for name, one in readings.items()
    )
    several = f"{len(systems)} systems ({', '.join(named)}); for {first}, " if named else ""
    return Columns(reading.kind, classes, systems, explanation=several + reading.explanation)


def _readings(
    df: pd.DataFrame, told: Told, named: Mapping[str, ByRole], by_role: ByRole
) -> dict[str, Columns]:
    """System → how its columns are understood, "" if none is named; {} if that one has no output."""
    readings: dict[str, Columns] = {}
    for name, own in (named or {"": by_role}).items():
        if reading := understood(df, told, own):
            all_used(told, own, reading)
            readings[name] = reading
        elif named:
            fail("system", f"has neither score nor pred for {name!r}", remedy="name a column for it")
    return readings


def _refuse_unlike(readings: Mapping[str, Columns], classes: tuple[str, ...]) -> None:
    """Refuse systems of another kind than the first, or with other classes than these."""
    first, kind = next((name, one.kind) for name, one in readings.items())
    for name, one in readings.items():
        if one.kind != kind:
            rule = f"must give systems of one kind; {first!r} is {kind}, {name!r} is {one.kind}"
            fail("system", rule, remedy="name the columns")
        if kind != "binary" and one.classes and set(one.classes) != set(classes):
            both = f"those of {name!r} are {short_code(one.classes)}, others are {short_code(classes)}"
            remedy = 'map each class to its column, {"score": {"cat": "new_cat", "dog": "new_dog"}}'
            fail("system", f"must give systems with the same classes; {both}", remedy=remedy)


def _several(df: pd.DataFrame, told: Told, by_role: ByRole, long: str | None) -> dict[str, ByRole]:
    """System → its columns by role, if there are several systems; otherwise {}."""
    if isinstance(told.system, Mapping):
        for role in sorted(SYSTEM_ROLES):
            if getattr(told, role):
                rule = "must be left out where `system` names each system's columns"
                fail(role, rule, getattr(told, role))
        return {str(name): _mapped(df, str(name), spec, by_role) for name, spec in told.system.items()}
    if long is not None:
        names = every_name(df[long], MOST)
        if len(names) > MOST:
            remedy = "name another column, system=…"
            fail(long, f"must name at most {MOST:,} systems", "more", remedy=remedy)
        return dict.fromkeys(names, by_role)
    if told.score is not None or told.pred is not None:
        return {}
    return _dotted(df, by_role) or _in_blocks(df, told, by_role) or _suffixed(df, told, by_role)


def _mapped(df: pd.DataFrame, name: str, spec: object, by_role: ByRole) -> ByRole:
    """The columns of one system that the caller gave as `system={name: {"score": …, "pred": …, "error": …}}`."""
    if not isinstance(spec, Mapping):
        fail("system", f'must give {name!r} a mapping such as {{"score": "score_a"}}', spec)
    own = ByRole(label=by_role.label, labels=by_role.labels)
    for key, names in spec.items():
        role = _checks.choice(key, ("score", "pred", "error"), "system")
        set_role(df, own, role, names)
    return own


def _dotted(df: pd.DataFrame, by_role: ByRole) -> dict[str, ByRole]:
    """Systems recognised by a prefix: `a.score`, `a.pred`, `b.score`; beside one without it only if all score the same classes."""
    names: dict[str, dict[str, str]] = {}
    for name in df.columns:
        system, dot, bare = name.partition(".")
        if dot and system and role_of(bare)[0] in (*OUTPUTS, "error"):
            names.setdefault(system, {})[bare] = name
    own = {system: sort_columns(df, bare) for system, bare in names.items()}
    own = {system: one for system, one in own.items() if _has_output(one)}
    for one in own.values():
        one.label, one.labels = by_role.label, by_role.labels
    if own and by_role.scores and all(one.scores.keys() == by_role.scores.keys() for one in own.values()):
        return {_unnamed(own): by_role} | own
    return {} if _has_output(by_role) else own


def _has_output(by_role: ByRole) -> bool:
    return bool(by_role.of("score") or by_role.of("pred"))


def _in_blocks(df: pd.DataFrame, told: Told, by_role: ByRole) -> dict[str, ByRole]:
    """Systems recognised by the classes that each of them scores, as `prob_cat_a`, `prob_dog_a`, `prob_cat_b`, `prob_dog_b`.

    The scores of each sum to 1, so that they are not those of labels that do not exclude each other.
    """
    if told.kind in ("multilabel", "regression") or by_role.score or by_role.labels:
        return {}
    if by_role.label and holds_sets(df[by_role.label[0]]):  # as where scores are for and against each label
        return {}
    decided = {"": by_role.pred} | {system: [name] for system, name in by_role.preds.items()}
    named = {system for system, names in decided.items() if names}
    for pattern, short in product(IN_CLASSES, (False, True)):
        blocks = _blocks(by_role.scores, pattern, short=short)
        if blocks.keys() >= named and _alike(df, blocks):
            return {
                system or _unnamed(blocks): ByRole(
                    pred=decided.get(system, []), scores=block, label=by_role.label
                )
                for system, block in blocks.items()
            }
    return {}


def _alike(df: pd.DataFrame, blocks: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether there are several blocks of scores, of the same classes, and each sums to 1 in each row."""
    same = len(blocks) > 1 and len({frozenset(block) for block in blocks.values()}) == 1
    return same and all(sum_to_one(df, [*block.values()]) for block in blocks.values())


def _unnamed(others: Collection[str]) -> str:
    """What a system is called whose columns do not name it, beside others."""
    return UNNAMED[UNNAMED[0] in others]


def _blocks(scores: Mapping[str, str], pattern: re.Pattern[str], *, short: bool) -> dict[str, dict[str, str]]:
    """System → class → column, for names that hold both; "" for the system of names that are a class alone.

    If `short`, every class is also such a name alone: then "credit_card" is a class, and no system is called "card".
    """
    blocks: dict[str, dict[str, str]] = {}
    for name, column in scores.items():
        found = pattern.fullmatch(name)
        if found and short and found["class"] not in scores:
            found = None
        system, one = (found["system"], found["class"]) if found else ("", name)
        blocks.setdefault(system, {})[one] = column
    return blocks


def _suffixed(df: pd.DataFrame, told: Told, by_role: ByRole) -> dict[str, ByRole]:
    """Systems recognised by a suffix, as `score_a` and `score_b`.

    This needs one label column for all of them, that the caller gave a binary task, or that numbers are predicted.
    """
    groups, binary = by_role.scores or by_role.preds, told.kind == "binary"
    if len(groups) < 2 or by_role.score or by_role.labels:
        return {}
    if not (binary or (told.kind is None and by_role.label) or _are_amounts(df, told, by_role)):
        return {}
    if binary and (polar(groups) or not {*told.class_names}.isdisjoint(groups)):
        return {}
    of_one_system = _are_of_classes if by_role.scores else _are_bounds
    if of_one_system(df, by_role) or (by_role.label and not _serves_all(df, by_role, groups)):
        return {}
    return {suffix: _one_of(by_role, suffix) for suffix in groups}


def _are_amounts(df: pd.DataFrame, told: Told, by_role: ByRole) -> bool:
    """Whether columns with suffixes hold numbers that are predicted: as the caller says, or as they show."""
    if by_role.scores or by_role.pred or any(map(says_bound, by_role.preds)):
        return False
    if told.kind is not None:
        return told.kind == "regression"
    return all(surely_amounts(df[name]) for name in by_role.preds.values())


def _are_of_classes(df: pd.DataFrame, by_role: ByRole) -> bool:
    """Whether scores with suffixes are those of one system's classes, as their sums or the decisions beside them show."""
    others = by_role.preds and by_role.preds.keys() != by_role.scores.keys()
    return bool(by_role.pred or others) or sum_to_one(df, [*by_role.scores.values()])


def _are_bounds(df: pd.DataFrame, by_role: ByRole) -> bool:
    """Whether the columns are the bounds of the one predicted number, as `pred_low` and `pred_high` beside `pred`.

    Each of them is then nowhere above it or nowhere below it, and there are some of either sort. Predictions of other
    systems are now above it and now below.
    """
    if not by_role.pred:
        return False
    number = loose(df[by_role.pred[0]])
    columns = [loose(df[name]) for name in by_role.preds.values()]
    low = [bool((column <= number).all()) for column in columns]
    high = [bool((column >= number).all()) for column in columns]
    return any(low) and any(high) and all(map(or_, low, high))


def _serves_all(df: pd.DataFrame, by_role: ByRole, groups: Mapping[str, str]) -> bool:
    """Whether one label serves for all suffixes, so that they are systems and not classes.

    It must hold no sets and none of the suffixes, and beside scores no more than two classes.
    """
    label = by_role.label[0]
    names = labels_in(df[label], groups, 20)
    several = by_role.scores and len(names) > 2
    return not (holds_sets(df[label]) or set(names) & set(groups) or several)


def _one_of(by_role: ByRole, suffix: str) -> ByRole:
    def pick(group: dict[str, str]) -> list[str]:
        return [group[suffix]] if suffix in group else []

    return ByRole(pick(by_role.scores), pick(by_role.preds), pick(by_role.errors), by_role.label)


def aspects(df: pd.DataFrame, columns: Columns) -> str:
    """A question if what was taken for systems may as well be aspects, each with a class of its own; otherwise "".

    As food and service in `prob_food_good`, `prob_food_bad`, `prob_service_good`, … They go apart more than models of one
    thing do, no label is that of all, and no name is that of a model's version. A point in a column's name, as in
    `food.score`, says that it is a system's.
    """
    by_class = [own.score for own in columns.systems if own.score]
    alike = len({*map(len, by_class)}) == 1 and len(columns.systems) == len(by_class) > 1
    sure = columns.label or columns.system or _named_as_systems(columns.systems)
    if sure or not alike or _go_together(df.head(FIRST), by_class):
        return ""
    first, some = columns.systems[0], in_code([own.name for own in columns.systems], 4)
    alone = f"name the scores of one, score=[{listed([shown(name) for name in first.score], 4)}]"
    return (
        f"are {some} systems that predict the same thing? Their scores hardly agree. If so, pass "
        f'task="{columns.kind}"; if they are aspects, each with a class of its own, {alone}, or pass task="multilabel"'
    )


def _named_as_systems(systems: Sequence[SystemColumns]) -> bool:
    """Whether a name is that of a model's version or stands before a point, or is the one given to a system without a name."""
    versions = any(own.name in ("", *UNNAMED) or _VERSION.search(own.name) for own in systems)
    return versions or any(name.startswith(f"{own.name}.") for own in systems for name in own.score)


def _go_together(rows: pd.DataFrame, by_class: Sequence[Sequence[str]]) -> bool:
    """Whether the scores of each two systems agree, or too few rows show whether they do."""
    if len(rows) < ENOUGH:
        return True
    scores = [np.column_stack([loose(rows[name]) for name in names]) for names in by_class]
    return all(_agree(one, other) for one, other in combinations(scores, 2))


def _agree(one: Floats, other: Floats) -> bool:
    """Whether the scores of two systems, (N, C) each, go together as those of models of one thing do.

    Those that are the same in all rows show nothing, as of a class that hardly any item has.
    """
    varied = np.flatnonzero(np.ptp(one, axis=0) * np.ptp(other, axis=0))
    each = [np.corrcoef(one[:, k], other[:, k])[0, 1] for k in varied]
    return not each or bool(np.mean(each) >= AGREE)
