"""Rounds without replacement: what each counts for, and how far the belief before it is trusted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from sampleval import Pool, create_study
from sampleval.designs import DESIGNS, TYPICAL, Problem, Rounds, Successive
from sampleval.designs.between_rounds.schedule import for_people, least_round
from sampleval.designs.between_rounds.updating import DOUBT, MOST, trust, updated
from sampleval.designs.problem import joint
from sampleval.designs.rounds import STEEPEST, RoundFacts
from sampleval.metrics import resolve
from sampleval.surrogates import Evidence, Shrunk
from tests.pools import binary


def test_a_wager_stakes_what_the_labels_of_its_round_are_expected_to_tell() -> None:
    """A label counts as n/Σ(d²/b) = (n/Σh)², with b = nh/Σh and d in proportion to h, but no more than `STEEPEST`."""
    pool, known = binary(120, seed=8)
    study = create_study(pool, metric="f1", budget=100, design=Rounds(first=20, growth=0.5))
    study.answer(known, 100)
    rounds, design = study.state.rounds, study.method.design
    assert isinstance(design, Rounds)
    first: RoundFacts = rounds[0].facts
    stakes = [wave.stake for wave in design.waves(study.state.problem, rounds, 100)]
    told = [r.facts.wanted * min((first.total / r.facts.total) ** 2, STEEPEST) for r in rounds]
    assert stakes == pytest.approx([each / TYPICAL for each in told])
    late = replace(first, total=first.total / 100)
    assert late.stake(first) == STEEPEST * first.stake(first)


@pytest.mark.parametrize("seed", range(3))
def test_a_round_of_random_size_counts_for_its_planned_labels_at_most(seed: int) -> None:
    """Otherwise a round would weigh the less once its last label is known."""
    pool, known = binary(120, seed=8)
    design = Rounds(first=10, growth=0.0, draw="bernoulli")
    study = create_study(pool, metric="f1", budget=90, seed=seed, design=design)
    study.answer(known, 90)
    state = study.state
    assert max(len(r.queue) for r in state.rounds) > 10
    for answered in range(1, 91):
        sample = design.sample(state.problem, state.rounds, answered)
        assert isinstance(sample, Successive)
        assert (sample.counted <= sample.planned).all()
        assert (sample.counted[:-1] == sample.planned[:-1]).all()


def test_a_belief_is_trusted_by_half_where_labels_cannot_tell_whether_it_is_right() -> None:
    """If it foresees the same of each item, E d = 0, and what is left to measure is the same either way."""
    score = np.full(40, 0.5)
    pool = Pool.from_frame(pd.DataFrame({"score": score}))
    metric = resolve("accuracy")
    problem = Problem(pool, {metric: 1.0}, Shrunk())
    known = Evidence(np.arange(20), np.arange(20) % 2, np.ones(20))
    risks = {metric: problem.predicted_risk(metric)}
    assert trust(problem, problem.belief, known, risks, problem.joint_weights) == 0.5


@pytest.mark.parametrize("right", [3, 7, 8, 20])
def test_trust_is_what_makes_the_residuals_as_large_as_they_are(right: int) -> None:
    """(1 − w) E d² + w Var d = residuals² of the labels, averaged with ½ that counts as `DOUBT` labels."""
    score = np.r_[np.full(30, 0.9), np.full(30, 0.4)]
    pool = Pool.from_frame(pd.DataFrame({"score": score}))
    names = {"accuracy": 1.0, "f1": 3.0}
    problem = Problem(pool, {resolve(name): weight for name, weight in names.items()}, Shrunk())
    known = Evidence(np.arange(20, 40), (np.arange(20) < right).astype(int), np.ones(20))
    risks = {m: problem.predicted_risk(m) for m in problem.metrics}
    square = variance = residual = 0.0
    p = problem.belief.mean[known.index]
    for metric, weight in problem.joint_weights.items():
        slope = metric.gradient(risks[metric])
        items = pool.items.take(known.index)
        no, yes, real = (
            metric.loss(items, y) @ slope[0] for y in (0 * known.labels, 0 * known.labels + 1, known.labels)
        )
        mean = (1 - p) * no + p * yes
        square += weight * ((1 - p) * no**2 + p * yes**2).sum()
        variance += weight * ((1 - p) * (no - mean) ** 2 + p * (yes - mean) ** 2).sum()
        residual += weight * ((real - mean) ** 2).sum()
    own = (square - residual) / (square - variance)
    assert (1 - own) * square + own * variance == pytest.approx(residual)
    assert (0 < own < 1) == (right in (7, 8))
    wanted = np.clip((DOUBT / 2 + 20 * own) / (DOUBT + 20), 0, MOST)
    assert trust(problem, problem.belief, known, risks, problem.joint_weights) == pytest.approx(wanted)


def test_sizes_follow_the_belief_as_far_as_it_is_trusted() -> None:
    score = np.r_[np.full(30, 0.9), np.full(30, 0.4)]
    pool = Pool.from_frame(pd.DataFrame({"score": score}))
    problem = Problem(pool, {resolve("f1"): 1.0}, Shrunk())
    known = Evidence(np.arange(20, 40), (np.arange(20) < 8).astype(int), np.ones(20))
    found = updated(problem, [], known, norm=2, defensive=0.0, linearise="belief", assisted=True)
    risks = {m: problem.risk_under(m, problem.belief, known) for m in problem.metrics}
    aim = joint(problem.metrics, pool.items, problem.belief, risks)
    w = trust(problem, problem.belief, known, risks, aim.weights)
    assert 0 < w < MOST
    h = np.sqrt((1 - w) * aim.square + w * aim.variance)
    assert found.chances == pytest.approx(h / h.sum())


@pytest.mark.parametrize("key", DESIGNS)
def test_rounds_are_twice_as_large_as_the_group_unless_they_are_larger_already(key: str) -> None:
    design = DESIGNS[key]()
    assert for_people(design, 1) == design
    least = least_round(design)
    assert least_round(for_people(design, 40)) == (80 if least else 0)
    assert least_round(for_people(design, 2)) == (max(least, 4) if least else 0)
