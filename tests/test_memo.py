"""Results that are computed once per object and kept in a bounded number."""

from __future__ import annotations

import gc
from collections import Counter
from dataclasses import dataclass, field
from itertools import count, islice
from weakref import ref

from sampleval.memo import KEPT, once_each
from sampleval.metrics import by_place, ratio
from sampleval.pool import Pool
from tests.pools import scored


@dataclass(eq=False)
class Thing:
    """An object with results of its own."""

    asked: Counter[int] = field(default_factory=Counter)


@once_each
def doubled(thing: Thing, number: int) -> int:
    """Counts how often it is computed."""
    thing.asked[number] += 1
    return 2 * number


def test_the_latest_results_of_an_object_are_kept() -> None:
    thing = Thing()
    for _ in range(2):
        assert [doubled(thing, k) for k in range(KEPT)] == [2 * k for k in range(KEPT)]
    assert set(thing.asked.values()) == {1}
    doubled(thing, KEPT)
    doubled(thing, 1)
    doubled(thing, 0)
    assert [thing.asked[k] for k in (KEPT, 1, 0)] == [1, 1, 2]


def test_a_result_dropped_for_another_thread_is_still_given() -> None:
    """Two sessions of the app that looked at many parts of one pool could meet a KeyError."""
    thing, others, busy = Thing(), count(), list[int]()

    class Slow(int):
        """A number whose hash takes as long as another thread needs for many results."""

        def __hash__(self) -> int:
            if not busy:
                busy.append(self)
                for other in islice(others, KEPT + 1):
                    doubled(thing, other)
                busy.clear()
            return int(self)

    assert doubled(thing, Slow(-5)) == -10


def test_a_pool_that_a_metric_of_one_s_own_looks_into_is_freed() -> None:
    """It was kept for as long as the process ran, by what is known of the metric on this pool."""

    def looked_at() -> ref[Pool]:
        pool = Pool.from_frame(scored(), classes=("ham", "spam"))
        own = ratio("own", "Own", lambda items, y: (y * (pool.size > 0), 1.0))
        assert not by_place(pool, own)
        return ref(pool)

    gone = looked_at()
    gc.collect()
    assert gone() is None


def test_an_argument_whose_own_weak_reference_slot_cannot_be_read_is_an_argument() -> None:
    """As that of each metric before Python 3.11.3, where no study could be opened."""

    class Early:
        def __getattribute__(self, name: str) -> object:
            if name == "__weakref__":
                raise TypeError(name)
            return object.__getattribute__(self, name)

    @once_each
    def of(thing: Thing, _: Early) -> int:
        thing.asked[0] += 1
        return 1

    thing, early = Thing(), Early()
    assert [of(thing, early), of(thing, early)] == [1, 1]
    assert thing.asked[0] == 1
