"""Results that are computed once per object and freed with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

K = TypeVar("K")
T = TypeVar("T")


def once_each(make: Callable[[K], T]) -> Callable[[K], T]:
    """The function of an object, with its result for each object cached as long as the object lives.

    This is for module-level functions only: nested functions cannot be sent to other processes.
    """
    made: WeakKeyDictionary[K, T] = WeakKeyDictionary()

    @wraps(make)
    def remembered(of: K) -> T:
        if of not in made:
            made[of] = make(of)
        return made[of]

    return remembered
