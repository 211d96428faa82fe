"""Simulated error and coverage against every sample listed with its probability, on pools small enough for that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import stats

import sampleval as sv
from sampleval.designs import Importance
from sampleval.presets import Method, method_of
from sampleval.simulation import prepare, run, simulate
from sampleval.simulation.oracle import Known, oracle_of
from tests import reference
from tests.reference import Floats

FALSE_ALARM = 1e-6
SCORE = np.array([0.9, 0.7, 0.55, 0.4, 0.2, 0.1])
LABEL = np.array([1, 0, 1, 1, 0, 0])
SAID = (SCORE >= 0.5).astype(int)
BELIEVED = 0.9 * SCORE + 0.05  # λ = .9 towards ½


def pool_of(score: Floats, label: NDArray[np.int64]) -> tuple[sv.Pool, sv.Labels]:
    frame = pd.DataFrame({"id": range(len(score)), "score": score, "label": label})
    pool = sv.Pool.from_frame(frame)
    return pool, sv.Labels.from_frame(frame, pool)


def sizes() -> Floats:
    """h for F1, up to a factor, from Y eq 12: f = yŷ, g = (y + ŷ)/2."""
    predicted = (BELIEVED * SAID).sum() / ((BELIEVED + SAID) / 2).sum()

    def deviation(y: int) -> Floats:
        return np.asarray(y * SAID - predicted * (y + SAID) / 2)

    return np.sqrt(BELIEVED * deviation(1) ** 2 + (1 - BELIEVED) * deviation(0) ** 2)


def f1(weight: Floats, label: Floats) -> float:
    """F1 of weighted items; `nan` if none of them is positive, since they then say nothing about it."""
    below = (weight * (label + SAID) / 2).sum()
    return float((weight * label * SAID).sum() / below) if (weight * label).any() else np.nan


TRUTH = f1(np.ones(6), LABEL)


@dataclass(frozen=True)
class Law:
    """The estimate of every possible sample, and its probability."""

    value: Floats
    chance: Floats

    @classmethod
    def of(cls, samples: Iterable[tuple[Floats, float]]) -> Law:
        listed = [(f1(weight, LABEL), chance) for weight, chance in samples]
        return cls(np.array([v for v, _ in listed]), np.array([p for _, p in listed]))

    def check(self, found: pd.Series, truth: float) -> None:
        """Whether repeats are drawn from this law: which values they have, how many have one, and their error."""
        assert self.chance.sum() == pytest.approx(1)
        known = np.isfinite(self.value)
        defined = found.dropna().to_numpy(float)
        off = np.abs(np.subtract.outer(defined, self.value[known])).min(axis=1)
        assert off.max() < 1e-9
        binomial = stats.binom(len(found), min(self.chance[known].sum(), 1.0))
        assert binomial.ppf(FALSE_ALARM / 2) <= len(defined) <= binomial.isf(FALSE_ALARM / 2)
        chance = self.chance[known] / self.chance[known].sum()
        square = (self.value[known] - truth) ** 2
        mean = chance @ square
        spread = np.sqrt(chance @ square**2 - mean**2)
        z = (((defined - truth) ** 2).mean() - mean) / (spread / np.sqrt(len(defined)))
        assert abs(z) < stats.norm.isf(FALSE_ALARM / 2)


def bernoulli(budget: int) -> Law:
    b = reference.water_fill(sizes().tolist(), budget)

    def samples() -> Iterable[tuple[Floats, float]]:
        for inside, chance in reference.poisson_samples(b):
            weight = np.zeros(6)
            weight[inside] = 1 / b[inside] if len(inside) < 6 else 1  # all labelled: a census weighs nothing
            yield weight, chance

    return Law.of(samples())


def importance(budget: int) -> Law:
    """M_IS draws: the fewest that are expected to reach as many different items (Y eq 83)."""
    q = sizes() / sizes().sum()
    draws = next(m for m in range(1, 100) if (1 - (1 - q) ** m).sum() >= budget)
    return Law.of(
        (np.bincount(drawn, 1 / q[drawn], 6).astype(float), chance)
        for drawn, chance in reference.sequences(q, draws)
    )


def uniform(budget: int) -> Law:
    sets = reference.subsets(6, budget)
    return Law.of((np.bincount(inside, minlength=6).astype(float), 1 / len(sets)) for inside in sets)


@pytest.mark.parametrize("repeats", [400, pytest.param(1500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("budget", [2, 3])
@pytest.mark.parametrize(
    ("law", "arm"),
    [
        (uniform, method_of("uniform")),
        (bernoulli, method_of("yilmaz-bs")),
        (importance, method_of("yilmaz-is", design=Importance(draws="equal-cost"))),
    ],
    ids=["uniform", "bernoulli", "importance"],
)
def test_simulated_errors_follow_the_law_of_all_samples(
    law: Callable[[int], Law], arm: Method, budget: int, repeats: int
) -> None:
    pool, labels = pool_of(SCORE, LABEL)
    work = prepare(pool, labels, {"arm": arm}, metric="f1", metrics=None, budgets=[budget], repeats=repeats)
    law(budget).check(run(replace(work, batch=500))["value"], TRUTH)


def test_the_laws_tell_the_designs_apart() -> None:
    """Negative control: another design's repeats are refused."""
    pool, labels = pool_of(SCORE, LABEL)
    work = prepare(pool, labels, ["uniform"], metric="f1", metrics=None, budgets=[3], repeats=400)
    found = run(replace(work, batch=500))["value"]
    for law in (bernoulli, importance):
        with pytest.raises(AssertionError):
            law(3).check(found, TRUTH)


def test_coverage_of_a_share_is_what_the_hypergeometric_says() -> None:
    """Uniform sampling, 15 of 30 right, 12 labels: the normal interval listed for every count of right ones."""
    n, size, right = 12, 30, 15
    pool, labels = pool_of(np.full(size, 0.9), np.repeat([1, 0], right))
    arms = {"uniform": method_of("uniform", interval="normal")}
    raw = simulate(pool, labels, presets=arms, metric="accuracy", budgets=[n], repeats=600, level=0.8).iloc[0]
    share = np.arange(n + 1) / n
    half = stats.norm.isf(0.1) * np.sqrt((1 - n / size) * share * (1 - share) / (n - 1))
    chance = stats.hypergeom(size, right, n).pmf(np.arange(n + 1))
    exact = chance[np.abs(share - right / size) <= half].sum()
    assert 0.6 < exact < 0.9
    band = stats.binom(600, exact)
    assert band.ppf(FALSE_ALARM / 2) <= raw["coverage"] * 600 <= band.isf(FALSE_ALARM / 2)
    assert raw["coverage_low"] < exact < raw["coverage_high"]
    assert raw["width"] == pytest.approx(chance @ (2 * half), rel=0.01)
    assert raw["mse"] == pytest.approx((1 - n / size) * 0.25 * size / (size - 1) / n, rel=0.2)


def test_results_do_not_depend_on_how_the_work_is_cut() -> None:
    """What one repeat computes and the next one takes over must not be what chance decides."""
    pool, labels = pool_of(np.tile(SCORE, 10), np.tile(LABEL, 10))
    names = ["queue", "yilmaz-is", "yilmaz-bs", "stratified", "marchant-tree", "recommended"]
    metrics, budgets = ["f1", "accuracy"], [10, 20]
    work = prepare(pool, labels, names, metric="f1", metrics=metrics, budgets=budgets, repeats=6)
    found = [
        run(replace(work, batch=size))
        .sort_values(["method", "repeat", "budget", "metric"], ignore_index=True)
        .drop(columns="seconds")
        for size in (1, 4, 6)
    ]
    for other in found[1:]:
        pd.testing.assert_frame_equal(found[0], other)
    values = found[0].query("metric == 'f1' and budget == 10").groupby("method")["value"].nunique()
    assert (values > 1).all()


@pytest.mark.slow
def test_with_a_stochastic_oracle_every_draw_is_labelled_anew() -> None:
    """F1 from M draws with their own labels: all sequences of draws and all their answers."""
    p, draws = np.array([0.8, 0.6, 0.3, 0.5, 0.1, 0.2]), 3
    pool, labels = pool_of(SCORE, LABEL)
    q = sizes() / sizes().sum()

    def samples() -> Iterable[tuple[float, float]]:
        for drawn, chance in reference.sequences(q, draws):
            for answers, how in reference.poisson_samples(p[drawn]):
                label = np.isin(np.arange(draws), answers).astype(float)
                above = (label * SAID[drawn] / q[drawn]).sum()
                below = ((label + SAID[drawn]) / 2 / q[drawn]).sum()
                yield (above / below if label.any() else np.nan), chance * how

    listed = list(samples())
    law = Law(np.array([v for v, _ in listed]), np.array([c for _, c in listed]))
    truth = (p * SAID).sum() / ((p + SAID) / 2).sum()
    work = prepare(
        pool,
        None,
        ["yilmaz-is"],
        metric="f1",
        metrics=None,
        budgets=[draws],
        repeats=1500,
        probability=p,
    )
    raw = run(replace(work, batch=500))
    assert (raw["labels"] == draws).all()
    law.check(raw["value"], truth)
    with pytest.raises(AssertionError):  # negative control: labels that never change
        law.check(run(replace(work, oracle=Known(labels)))["value"], truth)


@pytest.mark.parametrize("kind", ["multiclass", "multilabel"])
def test_answers_by_chance_come_as_often_as_their_probability(kind: str) -> None:
    """Frequencies over many censuses, class by class; what has no chance is never answered."""
    rng = np.random.default_rng(4)
    score = rng.dirichlet(np.ones(3), 5) if kind == "multiclass" else rng.random((5, 3))
    p = rng.permutation(score, axis=1)
    p[0] = [0, 1, 0]
    columns = {f"score_{c}": score[:, k] for k, c in enumerate("abc")}
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(5), **columns}))
    assert pool.task.kind == kind
    oracle = oracle_of(pool, None, p)
    answers = oracle.answer(np.repeat(np.arange(5), 2000), np.random.default_rng(1)).reshape(5, 2000, -1)
    said = np.eye(3)[answers[..., 0]] if kind == "multiclass" else answers
    count = said.sum(axis=1)
    assert (count[0] == [0, 2000, 0]).all()
    band = stats.binom(2000, np.clip(p, 1e-9, 1 - 1e-9))
    assert (count >= band.ppf(FALSE_ALARM / 2)).all()
    assert (count <= band.isf(FALSE_ALARM / 2)).all()


@pytest.mark.parametrize("name", ["uniform", "yilmaz-is", "yilmaz-bs", "marchant-flat", "marchant-tree"])
def test_by_chance_every_design_nears_the_expected_truth(name: str) -> None:
    """The truth is that of the expected losses, not of any labels; more labels come closer to it."""
    rng = np.random.default_rng(2)
    score = rng.random(80)
    pool, _ = pool_of(score, (score > 0.5).astype(int))
    p = np.clip(score**2, 0.02, 0.98)
    result = simulate(pool, None, presets=[name], metric="f1", budgets=[10, 72], repeats=40, probability=p)
    said = score >= 0.5
    assert result["truth"].iloc[0] == pytest.approx(2 * p[said].sum() / (p.sum() + said.sum()))
    few, many = result.sort_values("budget")["rmse"]
    assert many < 0.6 * few
