"""Column names that are alike: groups that differ in one part only, such as the name of a class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def by_prefix(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Groups of columns whose names begin alike: prefix → rest of the name → column. Prefixes end in a separator.

    A bracket that a prefix opens is closed by no part of the rest.

    >>> by_prefix(["Prob. car", "Prob. cat", "note"]), by_prefix(["tree (a)", "tree (b)"])
    ({'Prob. ': {'car': 'Prob. car', 'cat': 'Prob. cat'}}, {'tree (': {'a': 'tree (a)', 'b': 'tree (b)'}})
    """
    groups: dict[str, dict[str, str]] = {}
    for name in names:
        for end in re.finditer(r"[\W_]+(?=.)", name):
            groups.setdefault(name[: end.end()], {})[name[end.end() :]] = name
    several = {prefix: _closed(prefix, group) for prefix, group in groups.items() if len(group) > 1}
    longest = {frozenset(several[prefix].values()): prefix for prefix in sorted(several, key=len)}
    return {prefix: several[prefix] for prefix in longest.values()}


def _closed(prefix: str, group: dict[str, str]) -> dict[str, str]:
    """The group without the bracket that closes each rest, if the prefix opens it."""
    close = {"(": ")", "[": "]"}.get(prefix[-1], "")
    if not close or not all(rest.endswith(close) and len(rest) > 1 for rest in group):
        return group
    return {rest[:-1]: name for rest, name in group.items()}


def by_ending(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Groups of columns whose names end alike: ending → rest of the name → column. Endings begin with a separator.

    >>> by_ending(["no_PREDICTION", "yes_PREDICTION", "note"])
    {'_PREDICTION': {'no': 'no_PREDICTION', 'yes': 'yes_PREDICTION'}}
    """
    turned = by_prefix(name[::-1] for name in names)
    return {
        end[::-1]: {rest[::-1]: name[::-1] for rest, name in group.items()} for end, group in turned.items()
    }


def by_number(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Groups of columns whose names are one word with a number at its end: word → number → column.

    >>> by_number(["p0", "p1", "p_2", "note"])
    {'p': {'0': 'p0', '1': 'p1'}}
    """
    groups: dict[str, dict[str, str]] = {}
    for name in names:
        if found := re.fullmatch(r"([^\W\d_]+)(\d+)", name):
            groups.setdefault(found[1], {})[found[2]] = name
    return {word: group for word, group in groups.items() if len(group) > 1}


def named_alike(names: Iterable[str]) -> list[dict[str, str]]:
    """Groups of columns whose names begin alike: what differs → column."""
    known = list(names)
    return [*by_prefix(known).values(), *by_number(known).values()]


def class_by_class(columns: Sequence[str], classes: Sequence[str]) -> tuple[str, ...]:
    """Columns in the order of the classes, if their names differ only in the class that each names; else as they are.

    >>> class_by_class(["true_a", "true_b"], ["b", "a"]), class_by_class(["first", "second"], ["b", "a"])
    (('true_b', 'true_a'), ('first', 'second'))
    >>> class_by_class(["true_A", "true_a"], ["a", "A"])
    ('true_A', 'true_a')
    """
    spelt = {name.lower(): name for name in columns}
    names = [name.lower() for name in classes]
    if not names or len(spelt) < len(columns):
        return tuple(columns)
    for column in spelt:
        for found in re.finditer(re.escape(names[0]), column):
            before, after = column[: found.start()], column[found.end() :]
            made = [before + name + after for name in names]
            if set(made) == set(spelt):
                return tuple(spelt[name] for name in made)
    return tuple(columns)
