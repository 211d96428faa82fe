"""The queue: budgets nest."""

from __future__ import annotations

from sampleval import Pool, create_study
from tests.designs.frames import frame


def test_budgets_nest_in_the_queue() -> None:
    pool = Pool.from_frame(frame(200), id="id", score="score", label="label")
    queues = [
        [i.id for i in create_study(pool, metric="f1", budget=m, seed=4, preset="queue").ask(m)]
        for m in (20, 90)
    ]
    assert [len(queue) for queue in queues] == [20, 90]
    assert queues[0] == queues[1][:20]
