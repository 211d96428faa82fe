"""Asking: in which order items come, and that the budget is a hard cap until it is extended."""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval.designs import DESIGNS, Importance, Poisson, Priority, Rounds, Sequential
from sampleval.study import progress
from tests.studies import LABELS, POOL, TRUTH, answered, begun


def test_untold_items_come_first_and_in_order() -> None:
    study = begun()
    first = study.ask(4)
    study.tell(first[2], "ham")
    assert [item.id for item in study.ask(3)] == [first[0].id, first[1].id, first[3].id]
    assert [item.place for item in study.ask(6)] == [0, 1, 3, 4, 5, 6]


def test_more_than_there_is_may_be_asked_for() -> None:
    assert len(begun().ask(10**30)) == 12


@pytest.mark.parametrize("design", DESIGNS)
def test_the_budget_is_a_hard_cap_and_a_larger_one_goes_on_with_the_queue(design: str) -> None:
    """A new design that drew another sample for the larger budget asked again for items that had their answers."""
    study = begun(preset=None, design=design, budget=15)
    first = study.answer(LABELS, 100)
    queue = study.state.queue.tolist()
    assert study.ask(1) == []
    study.extend(9)
    more = study.answer(LABELS, 100)
    assert study.ask(1) == []
    assert study.state.queue.tolist()[:first] == queue
    assert len({*study.state.queue.tolist()}) == study.labels == first + more
    if not study.method.design.random_size:
        assert (first, more) == (15, 9)


def test_a_larger_budget_only_appends() -> None:
    small, large = begun(budget=6), begun(budget=12)
    small.ask(1)
    large.ask(1)
    small.extend(6)
    answered(small, 6)
    small.ask(6)
    assert small.state.queue.tolist() == large.state.queue.tolist()


def test_an_extension_beyond_the_pool_is_refused() -> None:
    study = begun()
    with pytest.raises(
        sv.InputError,
        match="`labels` cannot exceed the 28 items that can be asked beyond the budget of 12; got 40",
    ):
        study.extend(POOL.size)
    assert study.budget == 12


def test_items_whose_label_is_held_are_no_room_for_the_budget() -> None:
    """A budget of all items with some of them held stood at 7 of 12 for good, and could be extended by what is held."""
    held = {id: TRUTH[id] for id in map(str, POOL.ids[:5])}
    study = begun(held=held, budget=POOL.size, metric="accuracy", preset="uniform")
    assert study.budget == POOL.size - 5
    answered(study, POOL.size)
    assert progress(study.state).share == 1.0
    assert progress(study.state).left == 0.0
    with pytest.raises(sv.InputError, match="`labels` cannot exceed the 0 items that can be asked"):
        study.extend(1)


def test_a_study_that_asks_no_more_is_done_and_has_no_room() -> None:
    """Precision: three items are predicted positive, and no other label can change it."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [0.9, 0.8, 0.7] + [0.2] * 27}), score="score")
    study = sv.create_study(pool, metric="precision", budget=10, preset="queue")
    for item in study.ask(10):
        study.tell(item, 1, seconds=4.0)
    at = progress(study.state)
    assert (at.labels, at.budget, at.left) == (3, 3, 0.0)
    with pytest.raises(sv.InputError, match="`labels` cannot exceed the 0 items that can be asked"):
        study.extend(5)


@pytest.mark.parametrize("preset", ["marchant-is", "yilmaz-is", "yilmaz-bs", "queue", "recommended"])
def test_whether_more_can_be_asked_is_known_at_once(preset: str) -> None:
    """A sample of the whole pool had been planned to find out, which took minutes with replacement."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.random.default_rng(0).beta(0.3, 3, 20_000)}))
    study = sv.create_study(pool, metric="f1", budget=20, preset=preset)
    while items := study.ask(20):
        study.tell_all([(item, item.place % 2) for item in items])
    start = process_time()
    study.extend(10)
    assert process_time() - start < 2
    assert study.ask(1)


@pytest.mark.parametrize("design", [Poisson, Priority, Rounds, Sequential])
def test_no_design_with_sizes_spreads_a_share_where_no_label_matters(design: type[Any]) -> None:
    """Bernoulli sampling asked the whole pool for a budget of 5, and the chances of the others were 1 as well."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.4, 100)}))
    spread = design(defensive=0.1)
    study = sv.create_study(pool, metric="precision", budget=5, design=spread)
    assert study.ask(100) == []
    assert not spread.inclusion(study.state.problem, 5).any()


@pytest.mark.parametrize("preset", ["recommended", "queue", "yilmaz-bs"])
def test_a_study_that_asks_for_nothing_says_why(preset: str) -> None:
    pool = sv.Pool.from_frame(
        pd.DataFrame({"id": ["a", "b", "c"], "score": [0.1, 0.2, 0.4]}), id="id", score="score"
    )
    study = sv.create_study(pool, metric="precision", budget=3, preset=preset)
    assert study.ask() == []
    assert study.estimate().note == "no label can change the precision here, so none is asked"
    assert (
        sv.create_study(pool, metric="accuracy", budget=3, preset=preset).estimate().note == "no labels yet"
    )


@pytest.mark.parametrize("preset", ["uniform", "yilmaz-is", "marchant-tree"])
def test_a_study_that_asks_although_no_label_matters_does_not_say_that_it_asks_none(preset: str) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.4, 20)}))
    study = sv.create_study(pool, metric="precision", budget=3, preset=preset)
    assert study.estimate().note == "no label can change the precision here"
    assert study.ask(3)


def test_an_item_shows_cut_texts_and_of_bytes_their_number() -> None:
    item = sv.Item("a", 0, {"image": b"\x89PNG" * 99, "text": "so " * 99})
    assert repr(item) == f"<Item 'a', place 0, {{'image': 396 bytes, 'text': '{('so ' * 99)[:58]}…}}>"


def test_where_every_draw_costs_a_label_the_budget_is_how_many_are_made() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(50), "score": np.linspace(0.05, 0.95, 50)}))
    design = Importance(draws="equal-cost")
    study = sv.create_study(pool, metric="f1", budget=20, design=design, oracle="stochastic")
    assert len(study.ask(50)) == 20
