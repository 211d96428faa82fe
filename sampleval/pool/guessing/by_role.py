"""The columns of a system by role, as their names and values suggest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields

import pandas as pd

from sampleval.pool.column_groups import by_number, by_prefix
from sampleval.pool.columns import strings
from sampleval.pool.guessing.cells import (
    NAMES,
    fractions,
    head_and_all,
    labels_in,
    loose,
    met_in,
    names_in,
    numeric,
    sum_to_one,
    wholes,
)
from sampleval.pool.naming import column_role, role_of, says_percent
from sampleval.pool.polarity import polar, sense
from sampleval.pool.spellings import whole

_ROLES = ("score", "pred", "error", "label")


@dataclass(slots=True)
class ByRole:
    """The columns of one system, by role.

    The lists hold columns that may fill a role alone. The mappings hold columns that name a class: class → column.
    """

    score: list[str] = field(default_factory=list)
    pred: list[str] = field(default_factory=list)
    error: list[str] = field(default_factory=list)
    label: list[str] = field(default_factory=list)
    scores: dict[str, str] = field(default_factory=dict)
    preds: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    def of(self, role: str) -> list[str]:
        """The names of all columns of a role, those that may fill it alone first."""
        return [*getattr(self, role), *getattr(self, f"{role}s").values()]

    def lone(self, role: str) -> tuple[str, ...]:
        """The column that fills a role alone, also if it is the only one that names a class; () if there is none."""
        found = self.of(role)
        return tuple(found[:1]) if getattr(self, role) or len(found) == 1 else ()

    @property
    def answers(self) -> tuple[str, ...]:
        """The columns of decisions and labels that may fill these roles alone, so that their cells name classes."""
        return (*self.pred, *self.label)

    @property
    def columns(self) -> set[str]:
        """The names of all these columns."""
        return strings([getattr(self, role.name) for role in fields(self)])


def sort_columns(df: pd.DataFrame, names: Mapping[str, str]) -> ByRole:
    """Sort columns, as name without the system's prefix → column, by the roles that their names suggest."""
    answers = _no_and_yes(df, names)
    taken = answers.values()
    by_role = _by_name(df, {bare: name for bare, name in names.items() if name not in taken})
    if not by_role.of("score") and _divided(df, by_role.preds.values()):
        by_role.scores, by_role.preds = by_role.preds, {}
    if not by_role.of("score"):
        free = [name for name in names.values() if name in taken or _may_be_of_class(df, name)]
        by_role.scores = _shares(df, free, by_role.answers) or ({} if by_role.answers else answers)
    for role in ("score", "pred", "label"):
        getattr(by_role, role).sort(key=_rank)
    if len(by_role.pred) > 1 and by_role.label and not numeric(df[by_role.label[0]]):
        by_role.pred = _most_like(df, by_role.label[0], by_role.pred)
    return by_role


def _divided(df: pd.DataFrame, preds: Collection[str]) -> bool:
    """Whether columns that are named as decisions, as Keras's y_pred is, hold fractions that sum to 1, which are none."""
    return any(fractions(df[name]) for name in preds) and _are_shares(df, preds)


def _most_like(df: pd.DataFrame, label: str, preds: Sequence[str]) -> list[str]:
    """These columns of decisions in a new order: first those that name what the label names, of them first whole numbers.

    Weka writes the decision, 1:yes, to `predicted` and its confidence, 0.9, to `prediction`. Labels are 1:? if unknown.
    """
    met = {*labels_in(df[label], (), NAMES)}

    def unlike(name: str) -> tuple[bool, bool]:
        return met.isdisjoint(names_in(df[name], NAMES)), fractions(df[name])

    return sorted(preds, key=unlike)


def _no_and_yes(df: pd.DataFrame, names: Mapping[str, str]) -> dict[str, str]:
    """The two columns named like no and yes whose numbers sum to 1 in each row, or {}.

    They are the scores of two classes, so that a column `True` among them does not hold the truth.
    """
    pair = {bare: name for bare, name in names.items() if sense(bare) is not None}
    shares = len(pair) == 2 and polar(pair) is not None and all(fractions(df[name]) for name in pair.values())
    return pair if shares and _are_shares(df, pair.values()) else {}


def _by_name(df: pd.DataFrame, names: Mapping[str, str]) -> ByRole:
    """The columns by the roles that their names suggest alone, scores and error scales only if they hold numbers."""
    by_role = ByRole()
    for bare, name in names.items():
        role, suffix = role_of(bare)
        if role not in _ROLES:
            continue
        if not suffix:
            getattr(by_role, role).append(name)
        elif role in ("pred", "label") or numeric(df[name]):
            getattr(by_role, f"{role}s")[suffix] = name
    by_role.scores |= _without_numbers(df, names, by_role)
    if not by_role.of("score"):
        by_role.score, by_role.scores = _weak_scores(df, names)
    # Beside predictions in another unit, an error in percent is a relative one.
    if not any(map(says_percent, by_role.of("pred"))):
        by_role.error = [name for name in by_role.error if not says_percent(name)]
    return by_role


def _without_numbers(df: pd.DataFrame, names: Mapping[str, str], by_role: ByRole) -> dict[str, str]:
    """Class → column, of scores that are no numbers but whose class has a label or decision.

    They are refused by name later. If they were left out, their classes would be lost with them.
    """
    paired = by_role.labels.keys() | by_role.preds.keys()
    if paired.isdisjoint(by_role.scores):
        return {}
    scores = {name: role_of(bare)[1] for bare, name in names.items() if role_of(bare)[0] == "score"}
    return {one: name for name, one in scores.items() if one in paired and not numeric(df[name])}


def _weak_scores(df: pd.DataFrame, names: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """The one column whose name suggests a score only weakly, or those of all classes: class → column."""

    def called(role: str) -> dict[str, str]:
        return {bare: name for bare, name in names.items() if role_of(bare)[0] == role and numeric(df[name])}

    weak = called("weak score") or called("log-odds")
    if len(weak) == 1:
        return [*weak.values()], {}
    if any(fractions(df[name]) for name in weak.values()) and _are_shares(df, weak.values()):
        return [], {role_of(bare)[1] or bare: name for bare, name in weak.items()}
    return [], {}


def _may_be_of_class(df: pd.DataFrame, name: str) -> bool:
    """Whether the name leaves open that the column belongs to a class. A column `no` with fractions is no item number."""
    role = column_role(name)[0]
    return not role or (role == "weak id" and fractions(df[name]))


def _shares(df: pd.DataFrame, names: Iterable[str], answers: Sequence[str]) -> dict[str, str]:
    """Class → column, for those of these columns whose numbers sum to 1 in each row.

    The names of these columns share a beginning or are names of classes. The result is empty if several groups of
    columns qualify, or if the decisions and labels contain none of these classes.
    """
    free = [name for name in names if numeric(df[name])]
    if len(free) < 2:
        return {}
    named, numbered = (
        [group for group in groups.values() if _are_shares(df, group.values())]
        for groups in (by_prefix(free), by_number(free))
    )
    if len(named) + len(numbered) > 1:
        return {}
    # The answers are read only now, because a table of predicted numbers has no such columns and names no classes.
    met = wholes(met_in(df, answers))
    # One known class tells enough, but not where the columns are x1, x2, …, which may be shares of anything.
    if named:
        return next((one for one in _spellings(named[0]) if not met or met & wholes(one)), {})
    spelt = _spellings(numbered[0]) if numbered else ()
    return next((one for one in spelt if met <= wholes(one)), None) or _called(df, free, met)


def _spellings(group: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Class → column, with classes spelt as what differs between the columns, "a", or as the columns, "topic a"."""
    return group, {name: name for name in group.values()}


def _called(df: pd.DataFrame, names: Sequence[str], met: AbstractSet[str]) -> dict[str, str]:
    """Class → column, for columns of shares some of which are called as the classes that were met.

    A class that is never predicted has a column too: if those that are called so do not sum to 1, all may.
    """
    called = [name for name in names if whole(name) in met]
    if not called:
        return {}
    found = next((group for group in (called, names) if _are_shares(df, group)), ())
    return {name: name for name in found}


def _are_shares(df: pd.DataFrame, names: Collection[str]) -> bool:
    """Whether there are at least two columns, which sum to 1 in each row and are never negative."""
    several = len(names) > 1 and all(sum_to_one(rows, list(names)) for rows in head_and_all(df))
    return several and not any((loose(df[name]) < 0).any() for name in names)


def _rank(name: str) -> int:
    """A sort key that puts short, plain names first, `label` before `true_class`, and weak ones last."""
    plain = ("score", "prob", "probability", "pred", "prediction", "label", "y", "y_true")
    last = len(plain) + column_role(name)[0].startswith("weak")
    return plain.index(name.lower()) if name.lower() in plain else last
