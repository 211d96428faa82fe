"""What is computed once and kept, where, and until when.

- A part of an object that follows from its fields alone: `functools.cached_property`, kept as long as the object.
- A fact about an object of a layer below, such as a pool: a function with `once_each`, forgotten with the object.
- What an owner needs again and again, a problem or a study's state: its `Memo`, kept by key as long as the owner. What
  depends on more, such as the labels so far, has a version there, and only the latest one is kept.
- A function of plain values, such as a metric's name: `functools.lru_cache`, kept as long as the process.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary, ref

K = TypeVar("K")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
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


@dataclass(slots=True, eq=False)
class Memo:
    """What its owner keeps. No object that outlives the owner may be one: a pool would then outlive its study.

    >>> memo = Memo()
    >>> memo.once("belief", lambda: "of 3 labels", 3), memo.once("belief", lambda: "made anew", 3)
    ('of 3 labels', 'of 3 labels')
    >>> memo.once("belief", lambda: "of 4 labels", 4)
    'of 4 labels'
    """

    # By key, the version and the result.
    _made: dict[Hashable, tuple[Hashable, Any]] = field(default_factory=dict)

    def once(self, key: Hashable, make: Callable[[], T], version: Hashable = None) -> T:
        """The result of `make`, computed once for this key, and anew for another version of what it depends on."""
        found = self._made.get(key)
        if found is None or found[0] != version:
            found = self._made[key] = version, make()  # one version is enough: a pool may be large
        made: T = found[1]
        return made
