"""A sampling problem: items are hashed by their text, wherever their rows are, and grouped without loss."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b

import numpy as np
import pytest

from sampleval import Pool, create_study
from sampleval.designs import DESIGNS, Adaptive, Design, Importance, Poisson, Problem, Profile, Uniform
from sampleval.designs.problem import floored
from sampleval.designs.problem.hashing import uniforms
from sampleval.metrics import resolve
from sampleval.surrogates import BetaBernoulli, Evidence, Shrunk
from tests import reference
from tests.designs.frames import frame
from tests.studies import LABELS, TRUTH, begun, exact


def test_hash_is_siphash_of_the_text_and_the_same_for_ever() -> None:
    """Golden values, because a queue made years ago must come out the same again."""
    ids = np.array(["a83", "", "Größe", "x" * 31], object)
    assert reference.siphash(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5  # the authors' vector
    key = blake2b(b"7/queue", digest_size=8).hexdigest().encode()
    expected = [((reference.mixed(reference.siphash(key, i.encode())) >> 11) + 0.5) / 2**53 for i in ids]
    np.testing.assert_array_equal(uniforms(ids, 7), expected)
    assert uniforms(ids, 7)[0] == 0.9688667991101974


@pytest.mark.parametrize("design", [*DESIGNS, Uniform(replacement=True), Importance(draws="equal-cost")])
def test_permuting_the_rows_changes_nothing(design: str) -> None:
    df = frame(60)
    truth = dict(zip(df["id"], df["label"], strict=True))
    queues = []
    for rows in (df, df.sample(frac=1, random_state=3)):
        study = create_study(
            Pool.from_frame(rows, id="id", score="score", label="label"),
            metric="f1",
            budget=20,
            design=design,
        )
        ids = []
        while items := study.ask(5):
            for item in items:
                study.tell(item.id, truth[item.id])
                ids.append(item.id)
        queues.append((ids, study.estimate("f1").value))
    assert queues[0][0] == queues[1][0]
    assert queues[0][1] == pytest.approx(queues[1][1], nan_ok=True)


def test_profile_groups_keep_the_variance_of_a_large_pool(rng: np.random.Generator) -> None:
    h = rng.beta(0.3, 5, 60_000)
    fine, coarse = Profile.of_groups(h, h**2, np.ones(len(h))), Profile.of(h, h**2)
    budgets = np.array([100.0, 3000.0, 20_000.0])
    assert len(coarse.h) < 2500
    for design in (Poisson(), Importance(), Poisson(defensive=0.2)):
        np.testing.assert_allclose(
            design.variance(coarse, budgets), design.variance(fine, budgets), rtol=2e-3
        )


def test_a_target_for_twice_the_weight_has_twice_the_squares_and_sqrt_2_times_the_sizes() -> None:
    pool = Pool.from_frame(frame(200), id="id", score="score", fields=["text"])
    f1, accuracy = resolve("f1"), resolve("accuracy")
    once, twice = (Problem(pool, {f1: 1.0 * w, accuracy: 3.0 * w}, Shrunk()).target for w in (1, 2))
    np.testing.assert_allclose(twice.square, 2 * once.square)
    np.testing.assert_allclose(twice.variance, 2 * once.variance)
    np.testing.assert_allclose(twice.absolute, np.sqrt(2) * once.absolute)


def test_a_problem_with_another_seed_keeps_only_what_does_not_depend_on_it() -> None:
    pool = Pool.from_frame(frame(50), id="id", score="score", fields=["text"])
    one = Problem(pool, {resolve("f1"): 1.0, resolve("accuracy"): 1.0}, Shrunk())
    parts = {name for name, part in vars(Problem).items() if isinstance(part, cached_property)} - {"memo"}
    assert all(getattr(one, name) is not None for name in parts)  # computed, and so handed on
    kept, anew = one.reseeded(5), replace(one, seed=5)
    for name in parts:
        assert pickle.dumps(getattr(kept, name)) == pickle.dumps(getattr(anew, name)), name


def test_draws_do_not_depend_on_the_order_of_held_labels() -> None:
    pool = Pool.from_frame(frame(50), id="id", score="score", fields=["text"])
    ids = [str(id) for id in pool.ids[:5]]
    problems = [
        Problem(pool, {resolve("f1"): 1.0}, Shrunk(), held=Evidence.held(pool, dict.fromkeys(order, 1)))
        for order in (ids, ids[::-1])
    ]
    np.testing.assert_array_equal(problems[0].uniforms, problems[1].uniforms)


def test_groups_have_the_floor_of_their_items() -> None:
    h, able, count = (
        np.array([0.0, 1e-9, 2.0, 5.0]),
        np.array([True, True, True, False]),
        np.array([4, 3, 1, 9]),
    )
    groups, items = (
        floored(h, able, count.astype(float)),
        floored(np.repeat(h, count), np.repeat(able, count)),
    )
    np.testing.assert_allclose(np.repeat(groups, count), items)
    assert (
        floored(np.zeros(4), able).tolist() == able.tolist()
    )  # a belief that is sure of all items prefers none


@pytest.mark.parametrize(
    "design", [*(make() for make in DESIGNS.values()), Importance(draws="equal-cost")], ids=repr
)
def test_no_design_asks_beyond_its_budget_or_for_labels_that_are_known(design: Design) -> None:
    known = begun(preset=None, design=design, held=TRUTH)
    assert known.ask(3) == []
    assert known.state.plan(5) is None
    assert known.estimate("f1").value == exact("f1")
    spent = begun(preset=None, design=design)
    spent.answer(LABELS, 40)
    assert spent.ask(1) == []
    assert spent.state.plan(spent.budget) is None


def test_a_design_by_strata_brings_a_surrogate_that_has_some() -> None:
    assert begun(preset=None, design=Adaptive(by="stratum")).method.surrogate == BetaBernoulli()
