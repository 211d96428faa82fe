"""Results that are computed once per object and freed with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

K = TypeVar("K")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
KEPT = 32  # number of results kept per object, for as many further arguments: a result may have an entry per item


def once_each(make: Callable[[K, *Ts], T]) -> Callable[[K, *Ts], T]:
    """The function of an object, and of any further arguments, with its results cached as long as the object lives.

    This is for module-level functions only: nested functions cannot be sent to other processes.
    """
    made: WeakKeyDictionary[K, dict[tuple[*Ts], tuple[T]]] = WeakKeyDictionary()

    @wraps(make)
    def remembered(of: K, *rest: *Ts) -> T:
        kept = made.setdefault(of, {})
        if (known := kept.get(rest)) is None:
            known = (make(of, *rest),)
            # The oldest are those of a copy, since other threads may add and drop results meanwhile.
            for oldest in list(kept)[: 1 - KEPT]:
                kept.pop(oldest, None)
            kept[rest] = known
        return known[0]

    return remembered
