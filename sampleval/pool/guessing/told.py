"""The columns of a system by role, as the caller names them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet

import pandas as pd

from sampleval import _checks
from sampleval._checks import fail, name_of
from sampleval.pool.column_groups import by_ending, by_prefix, named_alike
from sampleval.pool.columns import ColumnSpec, Told
from sampleval.pool.guessing.by_role import ByRole
from sampleval.pool.guessing.cells import NAMES, labels_in, met_in, sum_to_one, wholes
from sampleval.pool.naming import role_of
from sampleval.pool.polarity import polar
from sampleval.pool.spellings import whole


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
    met = wholes(name for column in by_role.answers for name in labels_in(df[column], (), NAMES))
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
    for group in _stripped(scores):
        # Where nothing tells how classes are called, no and yes do.
        if met <= wholes(group) if met else len(group) == 2 and polar(group):
            return {name: scores[one] for name, one in group.items()}
    return {}


def _stripped(names: Collection[str]) -> list[dict[str, str]]:
    """Ways to leave out what all names have in common, brackets, a beginning, an ending or both: rest → name.

    >>> _stripped(["[a]", "[b]"])[0], _stripped(["of_a_new", "of_b_new"])[-1]
    ({'a': '[a]', 'b': '[b]'}, {'a': 'of_a_new', 'b': 'of_b_new'})
    """
    inner = {name[1:-1]: name for name in names if name[:1] + name[-1:] in ("[]", "()")}
    ended = [group for group in by_ending(names).values() if len(group) == len(names)]
    both = [{rest: one[name] for rest, name in group.items()} for one in ended for group in named_alike(one)]
    return [group for group in (inner, *named_alike(names), *ended, *both) if len(group) == len(names)]


def _unprefixed(df: pd.DataFrame, by_role: ByRole) -> dict[str, str]:
    """Scores by class, where a beginning that all column names share is no part of the class names.

    The names stay whole if one of them already suggests a role, or if a label or decision is one of them.
    """
    groups = by_prefix(by_role.scores).values()
    group = next((one for one in groups if len(one) == len(by_role.scores)), {})
    bare = all(name == column for name, column in by_role.scores.items())
    if group and bare and met_in(df, by_role.answers).isdisjoint(by_role.scores):
        return group
    return by_role.scores


def set_role(df: pd.DataFrame, by_role: ByRole, role: str, spec: ColumnSpec) -> None:
    """Put the columns that a specification names in place of those of a role."""
    found, group = _column_spec(df, spec, role)
    setattr(by_role, role, found)
    setattr(by_role, f"{role}s", group)


def _column_spec(df: pd.DataFrame, spec: ColumnSpec, role: str) -> tuple[list[str], dict[str, str]]:
    """The columns that a specification names: those without a class, and class → column.

    It is a column, a prefix of columns, a list of columns, or a mapping class → column with the classes as labels write them.
    What has another form is refused, as is a column that is named twice or does not exist.
    """
    if isinstance(spec, str):
        prefix = bool(spec) and not spec[-1].isalnum() and spec not in df.columns
        begun = [name for name in df.columns if prefix and name.startswith(spec)]
        if not begun:
            return [column_named(df, spec, role)], {}
        return [], {name_of(name[len(spec) :]): name for name in begun}
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
