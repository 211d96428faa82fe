"""The columns of a system by role: what their names and values suggest, and what the caller says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields

import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, name_of
from sampleval.pool.alike import by_ending, by_number, by_prefix, named_alike
from sampleval.pool.columns import ColumnSpec, Told, strings
from sampleval.pool.guessing.amounts import fractions, head_and_all, loose, numeric, sum_to_one
from sampleval.pool.guessing.names import NAMES, labels_in, names_in, wholes
from sampleval.pool.naming import column_role, role_of, says_percent
from sampleval.pool.polarity import polar, sense, whole


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

    @property
    def lone_pred(self) -> tuple[str, ...]:
        """The only column of decisions, whether or not its name mentions a class; () if there are none or several."""
        return tuple(self.pred[:1]) or (tuple(self.preds.values()) if len(self.preds) == 1 else ())

    @property
    def columns(self) -> set[str]:
        """The names of all these columns."""
        return strings([getattr(self, role.name) for role in fields(self)])


def sort_columns(df: pd.DataFrame, names: Mapping[str, str]) -> ByRole:
    """Sort columns by the roles that their names suggest.

    Args:
        df: The table.
        names: Name without the system's prefix → name of the column.
    """
    answers = _no_and_yes(df, names)
    taken = answers.values()
    by_role = _by_name(df, {bare: name for bare, name in names.items() if name not in taken})
    # Fractions that sum to 1, which Keras calls y_pred too, are no decisions.
    divided = any(fractions(df[name]) for name in by_role.preds.values())
    if divided and not by_role.of("score") and _are_shares(df, by_role.preds.values()):
        by_role.scores, by_role.preds = by_role.preds, {}
    if not by_role.of("score"):
        free = [name for name in names.values() if name in taken or _may_be_of_class(df, name)]
        outputs = [*by_role.pred, *by_role.label]
        by_role.scores = _shares(df, free, outputs) or ({} if outputs else answers)
    for role in ("score", "pred", "label"):
        getattr(by_role, role).sort(key=_rank)
    if len(by_role.pred) > 1 and by_role.label and not numeric(df[by_role.label[0]]):
        # Weka writes the decision, 1:yes, to `predicted` and its confidence, 0.9, to `prediction`. Labels are 1:? if unknown.
        met = {*labels_in(df[by_role.label[0]], (), NAMES)}

        def unlike(name: str) -> tuple[bool, bool]:
            return met.isdisjoint(names_in(df[name], NAMES)), fractions(df[name])

        by_role.pred.sort(key=unlike)
    return by_role


def _no_and_yes(df: pd.DataFrame, names: Mapping[str, str]) -> dict[str, str]:
    """The two columns named like no and yes whose numbers sum to 1 in each row, or {}.

    They are the scores of two classes, so that a column `True` among them does not hold the truth.
    """
    pair = {bare: name for bare, name in names.items() if sense(bare) is not None}
    shares = len(pair) == 2 and polar(pair) is not None and all(fractions(df[name]) for name in pair.values())
    return pair if shares and _are_shares(df, pair.values()) else {}


def _by_name(df: pd.DataFrame, names: Mapping[str, str]) -> ByRole:
    """The columns by the roles that their names suggest alone, scores and error scales only if they hold numbers."""
    by_role, weak, wordy = ByRole(), [], dict[str, str]()
    for bare, name in names.items():
        role, suffix = role_of(bare)
        if role == "weak score" and numeric(df[name]):
            weak.append(name)
        elif role not in ("score", "pred", "error", "label"):
            continue
        elif not suffix:
            getattr(by_role, role).append(name)
        elif role in ("pred", "label") or numeric(df[name]):
            getattr(by_role, f"{role}s")[suffix] = name
        elif role == "score":
            wordy[suffix] = name
    # A score column without numbers is kept if its class has a label or decision. It is then refused by name later. If it
    # were left out, its class would be lost with it.
    paired = by_role.labels.keys() | by_role.preds.keys()
    if paired & by_role.scores.keys():
        by_role.scores |= {suffix: name for suffix, name in wordy.items() if suffix in paired}
    if not by_role.of("score") and len(weak) == 1:
        by_role.score = weak
    elif not by_role.of("score") and any(fractions(df[name]) for name in weak) and _are_shares(df, weak):
        by_role.scores = {role_of(bare)[1] or bare: name for bare, name in names.items() if name in weak}
    # Beside predictions in another unit, an error in percent is a relative one.
    if not any(map(says_percent, by_role.of("pred"))):
        by_role.error = [name for name in by_role.error if not says_percent(name)]
    return by_role


def _may_be_of_class(df: pd.DataFrame, name: str) -> bool:
    """Whether the name leaves open that the column belongs to a class. A column `no` with fractions is no item number."""
    role = column_role(name)[0]
    return not role or (role == "weak id" and fractions(df[name]))


def _shares(df: pd.DataFrame, names: Iterable[str], outputs: Sequence[str]) -> dict[str, str]:
    """Class → column, for columns of numbers that sum to 1 in each row.

    The names of these columns share a beginning or are names of classes. The result is empty if several groups of
    columns qualify, or if the decisions and labels contain none of these classes.

    Args:
        df: The table.
        names: Columns whose names suggest no other role.
        outputs: Columns of decisions and labels.
    """
    free = [name for name in names if numeric(df[name])]
    found = [group for group in by_prefix(free).values() if _are_shares(df, group.values())]
    numbered = [group for group in by_number(free).values() if _are_shares(df, group.values())]
    if len(found) + len(numbered) > 1 or len(free) < 2:
        return {}
    # The outputs are read only now, because a table of predicted numbers has no such columns and names no classes.
    met = wholes(name for column in outputs for name in names_in(df[column], NAMES))
    # Labels may be spelt as the classes are, "a", or as their columns, "topic a".
    spelt = [one for group in found or numbered for one in (group, {name: name for name in group.values()})]
    # One known class tells enough, but not where the columns are x1, x2, …, which may be shares of anything.
    fitting = [one for one in spelt if met <= wholes(one) or (found and met & wholes(one))]
    if found or fitting:
        return fitting[0] if fitting else {}
    # A class that is never predicted has a column too: if the named columns alone do not sum to 1, all free ones may.
    called = [name for name in free if whole(name) in met]
    for group in (called, free) if called else ():
        if _are_shares(df, group):
            return {name: name for name in group}
    return {}


def _are_shares(df: pd.DataFrame, names: Collection[str]) -> bool:
    """Whether there are at least two columns, which sum to 1 in each row and are never negative."""
    several = len(names) > 1 and all(sum_to_one(rows, list(names)) for rows in head_and_all(df))
    return several and not any((loose(df[name]) < 0).any() for name in names)


def _rank(name: str) -> int:
    """A sort key that puts short, plain names first, `label` before `true_class`, and weak ones last."""
    plain = ("score", "prob", "probability", "pred", "prediction", "label", "y", "y_true")
    last = len(plain) + column_role(name)[0].startswith("weak")
    return plain.index(name.lower()) if name.lower() in plain else last


def told_roles(df: pd.DataFrame, told: Told, by_role: ByRole) -> ByRole:
    """The guessed roles, in which the columns that the caller names replace the guesses."""
    for role in ("score", "pred", "label"):
        if (spec := getattr(told, role)) is not None:
            set_role(df, by_role, role, spec)
    if told.error is not None:
        by_role.error = [column_named(df, told.error, "error")]
    if told.score is not None and not isinstance(told.score, str | Mapping):
        by_role.scores = _unprefixed(df, by_role)
    if told.names is None and not isinstance(told.score, Mapping):
        by_role.scores = _as_met(df, by_role)
    return by_role


def _as_met(df: pd.DataFrame, by_role: ByRole) -> dict[str, str]:
    """Scores by class as labels and decisions spell it: 0 for `prob_class_0`, a for `prob_[a]`, and 1 for `1.0`.

    The names stay as they are if the columns do not sum to 1 in each row, or if some label or decision is another name.
    """
    if len(by_role.scores) < 2:
        return by_role.scores
    met = wholes(
        name for column in (*by_role.pred, *by_role.label) for name in labels_in(df[column], (), NAMES)
    )
    spelt = _simpler(by_role.scores, met)
    return spelt if spelt and sum_to_one(df, [*spelt.values()]) else by_role.scores


def _simpler(scores: Mapping[str, str], met: AbstractSet[str]) -> dict[str, str]:
    """The columns by simpler names, among which are all names that were met; {} if there are none or no need for them.

    >>> _simpler({"class_0": "p_class_0", "class_1": "p_class_1"}, {"1"}), _simpler({"0.0": "0.0", "1.0": "1.0"}, set())
    ({'0': 'p_class_0', '1': 'p_class_1'}, {'0': '0.0', '1': '1.0'})
    """
    if polar(scores):
        return {}
    decimal = {whole(name): column for name, column in scores.items()}
    if polar(decimal):  # of two classes 0.0 and 1.0, the latter is the positive one
        return decimal
    if met & wholes(scores):
        return {}
    inner = {name[1:-1]: name for name in scores if name[:1] + name[-1:] in ("[]", "()")}
    ended = [group for group in by_ending(scores).values() if len(group) == len(scores)]
    both = [{rest: one[name] for rest, name in group.items()} for one in ended for group in named_alike(one)]
    for group in (inner, *named_alike(scores), *ended, *both):
        # Where nothing tells how classes are called, no and yes do.
        fits = met <= wholes(group) if met else len(group) == 2 and polar(group)
        if fits and len(group) == len(scores):
            return {name: scores[one] for name, one in group.items()}
    return {}


def _unprefixed(df: pd.DataFrame, by_role: ByRole) -> dict[str, str]:
    """Scores by class, where a beginning that all column names share is no part of the class names.

    The names stay whole if one of them already suggests a role, or if a label or decision is one of them.
    """
    groups = by_prefix(by_role.scores).values()
    group = next((one for one in groups if len(one) == len(by_role.scores)), {})
    met = {name for column in (*by_role.pred, *by_role.label) for name in names_in(df[column], NAMES)}
    bare = all(name == column for name, column in by_role.scores.items()) and not met & by_role.scores.keys()
    return group if group and bare else by_role.scores


def set_role(df: pd.DataFrame, by_role: ByRole, role: str, spec: ColumnSpec) -> None:
    """Put the columns that a specification names in place of those of a role."""
    found, group = _column_spec(df, spec, role)
    setattr(by_role, role, found)
    setattr(by_role, f"{role}s", group)


def _column_spec(df: pd.DataFrame, spec: ColumnSpec, role: str) -> tuple[list[str], dict[str, str]]:
    """The columns that a specification names: those without a class, and class → column.

    Args:
        df: The table.
        spec: A column, a prefix of columns, a list of columns, or a mapping class → column. Class names are written as
            in labels.
        role: The role that the columns play, for messages.

    Raises:
        InputError: The specification has another form, or it names a column twice or one that does not exist.
    """
    if isinstance(spec, str):
        group = {
            name_of(name[len(spec) :]): name for name in df.columns if name.startswith(spec) and name != spec
        }
        if spec in df.columns or not (spec and group and not spec[-1].isalnum()):
            return [column_named(df, spec, role)], {}
        return [], group
    if isinstance(spec, Mapping):
        return [], {name_of(key, role): column_named(df, name, role) for key, name in spec.items()}
    if not isinstance(spec, Sequence):
        fail(role, "must be a column name, a list of them, or a mapping class → column", spec)
    names = [column_named(df, name, role) for name in spec]
    if len(set(names)) < len(names):
        fail(role, "must name different columns", list(names))
    if len(names) == 1:
        return names, {}
    return [], {role_of(name)[1] or name: name for name in names}


def column_named(df: pd.DataFrame, name: object, role: str) -> str:
    """The name as text, if the table has such a column; otherwise it is refused."""
    _checks.column(df, name, role)
    return str(name)
