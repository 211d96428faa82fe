"""Tables of what is no study, pool, plan or curve are refused by the argument's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames, offline
from tests.pools import binary

POOL, LABELS = binary()
OF_STUDIES: dict[str, Callable[[Any], object]] = {
    "believed": frames.believed,
    "classes": frames.classes,
    "confused": lambda study: frames.confused(study, 3),
    "confusion": frames.confusion,
    "divergence": lambda study: frames.divergence(study, LABELS),
    "labels": frames.labels,
    "moved": frames.moved,
    "notes": frames.notes,
    "parts": lambda study: frames.parts(study, "text"),
    "sample": frames.sample,
    "systems": frames.systems,
    "a sheet": offline.sheet,
    "a sheet's file": offline.write,
    "a sheet's answers": lambda study: offline.read(study, pd.DataFrame({"id": ["a"], "answer": ["1"]})),
}
OF_POOLS: dict[str, Callable[[Any], object]] = {
    "histogram": frames.histogram,
    "inclusion": lambda pool: frames.inclusion(sv.plan(POOL, metric="f1", budget=5), pool),
    "part columns": frames.part_columns,
    "parts": lambda pool: frames.parts_of(pool, "text"),
    "predicted positive": frames.predicted_positive,
    "prediction error": lambda pool: frames.prediction_error(pool, LABELS),
    "reliability": lambda pool: frames.reliability(pool, LABELS),
}


@pytest.mark.parametrize("of", OF_STUDIES)
def test_a_table_of_a_study_takes_no_name_of_one(of: str) -> None:
    with pytest.raises(sv.InputError, match="`study` must be a Study; got 'str'; load_study opens"):
        OF_STUDIES[of]("digits")


@pytest.mark.parametrize("of", OF_POOLS)
def test_a_table_of_a_pool_takes_no_frame(of: str) -> None:
    with pytest.raises(sv.InputError, match=r"`pool` must be a Pool; got 'DataFrame'; make one with"):
        OF_POOLS[of](pd.DataFrame({"score": [0.1, 0.9]}))


def test_tables_of_plans_and_curves_name_what_they_need() -> None:
    plan: Any = sv.plan(POOL, metric="f1", budget=5)
    estimate: Any = sv.create_study(POOL, metric="f1", budget=5).estimate()
    for table, name in ((frames.plans, "found"), (frames.sorted_inclusion, "plans")):
        with pytest.raises(
            sv.InputError, match=f"`{name}` must be a list of plans; got 'Plan'; put a single one in a list"
        ):
            table(plan)
        with pytest.raises(sv.InputError, match=f"`{name}` must be a Plan; got 'str'"):
            table(["f1"])  # type: ignore[list-item]
    for joint in (frames.components, frames.curve, frames.region):
        with pytest.raises(
            sv.InputError, match=r"`found` must be a JointEstimate; got 'Estimate'; pass study\.curve"
        ):
            joint(estimate)
    with pytest.raises(sv.InputError, match="`price` must be >= 0; got -1"):
        frames.costs(pd.DataFrame({"budget": [5]}), price=-1, seconds=3)


def test_corrections_are_wanted_or_not() -> None:
    """`corrections="no"` had replaced the answers."""
    study = sv.create_study(POOL, metric="f1", budget=5)
    unlike: Any = "no"
    with pytest.raises(sv.InputError, match="`corrections` must be True or False; got 'no'"):
        offline.read(study, offline.sheet(study), corrections=unlike)
    with pytest.raises(sv.InputError, match="`pictures` must be True or False; got 'no'"):
        offline.sheet(study, pictures=unlike)
