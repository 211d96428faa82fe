"""Checks of types, protocols and lists of things."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeGuard, TypeVar

from sampleval._checks.errors import fail

T = TypeVar("T")


def instance(thing: object, kind: type[T], name: str, *, remedy: str = "") -> T:
    """The thing, if it is an instance of this kind; otherwise it is refused.

    >>> instance(3, int, "n")
    3
    """
    if not isinstance(thing, kind):
        fail(name, f"must be a {kind.__name__}", type(thing).__name__, remedy=remedy)
    return thing


def several(things: Iterable[T] | None, name: str, *, remedy: str = "") -> list[T]:
    """The things as a list of at least one. A text counts as one thing.

    >>> several(range(2), "budgets")
    [0, 1]
    """
    given: object = things
    if isinstance(given, str | bytes) or not listable(given):
        fail(name, "must be a list", given, remedy=remedy)
    if not (found := list(given)):
        fail(name, "must not be empty", remedy=remedy)
    return found


def column_names(given: object, name: str, rule: str = "must be a list of column names") -> tuple[str, ...]:
    """The names of columns, or by another rule of something else, as a tuple, which may be empty. A text counts as one name.

    >>> column_names("price", "columns"), column_names(["age", "price"], "columns")
    (('price',), ('age', 'price'))
    """
    if isinstance(given, str):
        return (given,)
    if not listable(given):
        fail(name, rule, given)
    return tuple(given)


def distinct(keys: Iterable[str], name: str, rule: str, *, remedy: str = "") -> None:
    """Refuse keys if one of them occurs twice, and name it."""
    seen = set[str]()
    for key in keys:
        if key in seen:
            fail(name, rule, key, remedy=remedy)
        seen.add(key)


def listable(thing: object) -> TypeGuard[Iterable[Any]]:
    """Whether a thing can be iterated over. A 0-dimensional NumPy array has `__iter__`, but it fails.

    >>> import numpy as np
    >>> listable([1]), listable(1), listable(np.array([1])), listable(np.array(1))
    (True, False, True, False)
    """
    return isinstance(thing, Iterable) and getattr(thing, "ndim", 1) != 0


def conforms(thing: object, protocol: type[T]) -> TypeGuard[T]:
    """`isinstance` for a runtime protocol, computed once per class: a thing must have all its methods from there.

    Python 3.11 examines the protocol anew each time, which took a quarter of the time of an estimate.

    >>> from typing import SupportsFloat
    >>> class Weight:
    ...     def __float__(self): ...
    >>> conforms(Weight(), SupportsFloat), conforms(object(), SupportsFloat)
    (True, False)
    """
    pair = type(thing), protocol
    if pair not in _CONFORMING:
        _CONFORMING[pair] = isinstance(thing, protocol)
    return _CONFORMING[pair]


_CONFORMING: dict[tuple[type, type], bool] = {}
