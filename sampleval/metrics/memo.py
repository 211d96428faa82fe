"""Results that are computed once, and kept for as long as an object lives or until they are out of date."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary, ref

K = TypeVar("K")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Kept = dict[str, tuple[Hashable, Any]]  # what is made → the version and the result
KEPT = 32  # number of results kept per object, for as many further arguments: a result may have an entry per item


def once_each(make: Callable[[K, *Ts], T]) -> Callable[[K, *Ts], T]:
    """The function of an object, and of any further arguments, with its results cached as long as the object lives.

    This is for module-level functions only: nested functions cannot be sent to other processes.
    """
    made: WeakKeyDictionary[K, dict[tuple[object, ...], tuple[T]]] = WeakKeyDictionary()

    @wraps(make)
    def remembered(of: K, *rest: *Ts) -> T:
        kept, key = made.setdefault(of, {}), tuple(map(_weakly, rest))
        if (known := kept.get(key)) is None:
            known = (make(of, *rest),)
            # The oldest are those of a copy, since other threads may add and drop results meanwhile.
            for oldest in list(kept)[: 1 - KEPT]:
                kept.pop(oldest, None)
            kept[key] = known
        return known[0]

    return remembered


def _weakly(argument: object) -> object:
    """A weak reference to an argument that may hold the object, which would then never be freed: a metric of the user's own."""
    try:  # before Python 3.11.3, having `__weakref__` says nothing about a class with slots
        return ref(argument)
    except TypeError:
        return argument


def latest(place: Kept, key: str, version: Hashable, make: Callable[[], T]) -> T:
    """The result of `make`, computed once for one look, at which many metrics need it; only the latest is kept.

    Args:
        place: Where it is kept. Nothing that holds this owner may be: a pool would then outlive its study.
        key: What is made.
        version: What it depends on, such as the labels so far.
        make: Makes it.
    """
    found = place.get(key)
    if found is None or found[0] != version:
        found = place[key] = version, make()  # one is enough: a pool may be large
    made: T = found[1]
    return made
