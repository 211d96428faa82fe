"""What is computed once for every object, and forgotten with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

K = TypeVar("K")
T = TypeVar("T")


def once_each(make: Callable[[K], T]) -> Callable[[K], T]:
    """The function of an object, which remembers what it returned for each as long as that lives.

    For functions of a module alone: what is made inside another one cannot be sent to other processes.
    """
    made: WeakKeyDictionary[K, T] = WeakKeyDictionary()

    @wraps(make)
    def remembered(of: K) -> T:
        if of not in made:
            made[of] = make(of)
        return made[of]

    return remembered
