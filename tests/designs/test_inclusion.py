"""Inclusion probabilities, hashing and the queue: identities of the papers and independence of row order."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sampleval import InputError, Pool, create_study, plan
from sampleval.designs import DESIGNS, Importance, Poisson, Priority, Profile, Rounds, Uniform, water_fill
from sampleval.designs.importance import drawn_at_least_once, equal_cost_draws, solve_draws
from sampleval.designs.inclusion import Waterline
from sampleval.designs.problem.hashing import uniforms
from tests import reference

sizes = arrays.arrays(
    float,
    st.integers(1, 40),
    elements=st.floats(0, 1e6, allow_subnormal=False).map(lambda x: 0.0 if x < 1e-6 else x),
)


def frame(n: int, seed: int = 0) -> pd.DataFrame:
    """A small binary pool with ties and exact zeros and ones."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.4, 1.5, n).round(2)
    return pd.DataFrame(
        {
            "id": [f"i{k}" for k in range(n)],
            "score": score,
            "label": (rng.random(n) < score).astype(int),
            "text": "x",
        }
    )


@given(h=sizes, share=st.floats(0, 1.2))
def test_water_filling_uses_up_the_budget(
    h: np.ndarray[tuple[int], np.dtype[np.float64]], share: float
) -> None:
    budget = share * len(h)
    b = water_fill(h, budget)
    assert b.sum() == pytest.approx(min(budget, np.count_nonzero(h)), abs=1e-9)
    assert ((b >= 0) & (b <= 1)).all()
    assert (b[h == 0] == 0).all()
    np.testing.assert_allclose(b, reference.water_fill(list(h), budget), atol=1e-6)


def test_water_filling_is_optimal(rng: np.random.Generator) -> None:
    """No shift of inclusion from one item to another lowers Σ h²/b."""
    h = rng.random(12) ** 3
    b = water_fill(h, 5)
    best = (h**2 / b).sum()
    for i in range(12):
        for j in range(12):
            moved = b.copy()
            moved[i] -= 1e-4
            moved[j] += 1e-4
            if i != j and moved[i] > 0 and moved[j] <= 1:
                assert (h**2 / moved).sum() > best - 1e-9


def test_saturation_starts_where_the_paper_says(rng: np.random.Generator) -> None:
    h = rng.random(500)
    onset = float(Waterline.of(h).onset[0])
    assert onset == pytest.approx(500 * h.mean() / h.max())
    assert water_fill(h, onset * 0.999).max() < 1
    assert water_fill(h, onset * 1.001).max() == 1


@given(seed=st.integers(0, 50), budget=st.integers(0, 30))
def test_equal_cost_draws_are_the_smallest_that_suffice(seed: int, budget: int) -> None:
    q = np.random.default_rng(seed).dirichlet(np.full(25, 0.5))
    draws = equal_cost_draws(q, budget)
    if budget >= 25:
        assert draws is None
        return
    assert draws is not None
    assert drawn_at_least_once(q, draws).sum() >= budget - 1e-9
    assert draws == 0 or drawn_at_least_once(q, draws - 1).sum() < budget or budget == 0


def test_grouped_equal_cost_draws_agree_with_the_exact_ones(rng: np.random.Generator) -> None:
    q = rng.dirichlet(np.full(300, 0.3))
    budgets = np.array([0.0, 10.0, 100.0, 299.0, 300.0])
    draws = solve_draws(np.append(np.repeat(q, 2) / 2, 0.0), np.append(np.full(600, 0.5), 7.0), budgets)
    half = solve_draws(q / 2, np.ones(300), budgets)
    np.testing.assert_allclose(draws, half, rtol=1e-6)
    np.testing.assert_allclose(
        [drawn_at_least_once(q / 2, m).sum() for m in half[:-1]], budgets[:-1], rtol=1e-6, atol=1e-6
    )
    assert np.isinf(draws[-1])


def test_hash_is_siphash_of_the_text_and_the_same_for_ever() -> None:
    """Golden values, because a queue made years ago must come out the same again."""
    ids = np.array(["a83", "", "Größe", "x" * 31], object)
    assert reference.siphash(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5  # the authors' vector
    key = blake2b(b"7/queue", digest_size=8).hexdigest().encode()
    expected = [((reference.mixed(reference.siphash(key, i.encode())) >> 11) + 0.5) / 2**53 for i in ids]
    np.testing.assert_array_equal(uniforms(ids, 7), expected)
    assert uniforms(ids, 7)[0] == 0.9688667991101974


def test_streams_and_seeds_are_independent() -> None:
    ids = np.array([f"i{k}" for k in range(20_000)], object)
    u, v, w = uniforms(ids, 1), uniforms(ids, 2), uniforms(ids, 1, "round 1")
    for other in (v, w):
        assert abs(np.corrcoef(u, other)[0, 1]) < 0.03
    assert abs(u.mean() - 0.5) < 0.01


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


def test_budgets_nest_in_the_queue() -> None:
    pool = Pool.from_frame(frame(200), id="id", score="score", label="label")
    queues = [
        [i.id for i in create_study(pool, metric="f1", budget=m, seed=4, preset="queue").ask(m)]
        for m in (20, 90)
    ]
    assert [len(queue) for queue in queues] == [20, 90]
    assert queues[0] == queues[1][:20]


def test_poisson_asks_about_as_many_as_the_budget() -> None:
    pool = Pool.from_frame(frame(400), id="id", score="score", label="label")
    counts = []
    for seed in range(200):
        study = create_study(pool, metric="f1", budget=60, seed=seed, design=Poisson())
        counts.append(len(study.ask(400)))
    b = Poisson().inclusion(study.state.problem, 60)
    assert b.sum() == pytest.approx(60, abs=1e-9)
    assert abs(np.mean(counts) - 60) < 5 * np.sqrt(b @ (1 - b) / 200)


def test_profile_groups_keep_the_variance_of_a_large_pool(rng: np.random.Generator) -> None:
    h = rng.beta(0.3, 5, 60_000)
    fine, coarse = Profile.of_groups(h, h**2, np.ones(len(h))), Profile.of(h, h**2)
    budgets = np.array([100.0, 3000.0, 20_000.0])
    assert len(coarse.h) < 2500
    for design in (Poisson(), Importance(), Poisson(defensive=0.2)):
        np.testing.assert_allclose(
            design.variance(coarse, budgets), design.variance(fine, budgets), rtol=2e-3
        )


@pytest.mark.parametrize("design", [Priority, Poisson, Importance])
def test_the_even_share_is_that_of_the_items_that_may_be_asked(
    design: type[Priority | Poisson | Importance],
) -> None:
    """With half of the pool held, half of δ had been lost on held items."""
    pool = Pool.from_frame(frame(400), id="id", score="score", label="label")
    study = create_study(
        pool, metric="f1", budget=20, design=design(defensive=1.0), held=dict.fromkeys(pool.ids[:200], 0)
    )
    np.testing.assert_allclose(design(defensive=1.0).inclusion(study.state.problem, 20)[200:], 0.1)
    least = design(defensive=0.4).inclusion(study.state.problem, 20)[200:].min()
    assert least >= 0.04 * (1 - 1e-9) if design is not Importance else least > 0.035


def test_uniform_draws_with_replacement_vary_as_importance_sampling_without_sizes(
    rng: np.random.Generator,
) -> None:
    """One draw a label was counted, although repeats bring draws that cost none: 1.4 of them at half the pool."""
    h, budgets = rng.beta(0.3, 5, 500), np.array([1.0, 50.0, 250.0, 499.0, 500.0])
    profile = Profile.of(h, h**2)
    drawn = Uniform(replacement=True).variance(profile, budgets)
    np.testing.assert_allclose(drawn, Importance(defensive=1.0).variance(profile, budgets), rtol=1e-6)
    ratio = np.mean(h**2) / drawn[:4]  # draws
    np.testing.assert_allclose(500 * (1 - (1 - 1 / 500) ** ratio), budgets[:4], rtol=1e-6)
    assert (drawn >= Uniform().variance(profile, budgets)).all()


def test_only_squared_deviations_have_a_foreseen_part() -> None:
    """With norm 1, `assisted` had been ignored silently."""
    with pytest.raises(InputError, match="`assisted` must be False with norm=1"):
        Rounds(norm=1, assisted=True)


@pytest.mark.parametrize("labels", [4, 5])
def test_joined_strata_do_not_favour_the_one_that_completes_a_pair(labels: int) -> None:
    """With as many strata as items; their answers alone would say .54 and .53, far beyond four standard errors."""
    truth = np.array([0, 0, 0, 1, 0, 1, 1, 1])
    pool = Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 8)}), score="score")
    found = []
    for seed in range(600):
        study = create_study(pool, metric="prevalence", budget=labels, preset="stratified", seed=seed)
        study.tell_all([(item, truth[int(item.id)]) for item in study.ask(labels)])
        found.append(study.estimate("prevalence").value)
    assert abs(np.mean(found) - truth.mean()) < 4 * np.std(found) / np.sqrt(len(found))


@pytest.mark.parametrize("budget", [1, 7, 80])
def test_importance_sampling_plans_the_labels_it_may_ask(budget: int) -> None:
    pool = Pool.from_frame(frame(200), id="id", score="score", fields=["text"])
    made = plan(pool, metric="f1", budget=budget, preset="yilmaz-is")
    assert made.expected_labels == pytest.approx(budget, rel=1e-9)
