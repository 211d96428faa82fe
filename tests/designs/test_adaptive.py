"""Adaptive designs in studies: caps, replays, repeats, missing answers, stochastic oracles, and the papers' proposals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import special

from sampleval import SKIP, UNSURE, InputError, Labels, Pool, Study, create_study
from sampleval.designs import Adaptive, Draws, Importance, Problem, Round, Rounds, Sequential, queued
from sampleval.designs.between_rounds.aim import silent_labels
from sampleval.estimators import AdaptiveImportanceSampling, Lure, RoundsMean, weighted_mean
from sampleval.metrics import METRICS, Metric, resolve
from sampleval.pool import Items
from sampleval.presets import PRESETS, Method, method_of, misfit, reasons
from sampleval.simulation import simulate
from sampleval.study.assembly import evidence_of
from sampleval.surrogates import (
    BetaBernoulli,
    Calibration,
    DirichletTree,
    Evidence,
    LeafModel,
    Learned,
    Model,
    Recalibrated,
    Shrunk,
)
from tests.places import ROOT
from tests.reference import Floats

ADAPTIVE = [
    name for name, p in PRESETS.items() if p.method.design.key in ("adaptive", "rounds", "sequential")
]


def frame(n: int, seed: int = 0, share: float = 0.3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    score = rng.beta(share, 1.5, n)
    return pd.DataFrame(
        {
            "id": [f"i{k}" for k in range(n)],
            "score": score,
            "x": score + rng.normal(0, 0.2, n),
            "label": (rng.random(n) < score**1.3).astype(int),
        }
    )


def made(n: int = 300, seed: int = 0) -> tuple[Pool, dict[str, int]]:
    df = frame(n, seed)
    pool = Pool.from_frame(df, id="id", score="score", label="label", fields=["x"])
    return pool, dict(zip(df["id"], df["label"].tolist(), strict=True))


def finish(study: Study, truth: dict[str, int], labels: int | None = None, batch: int = 7) -> int:
    """Label until the end, or until this many labels, and return how many were given."""
    given = 0
    while (left := batch if labels is None else min(batch, labels - given)) and (items := study.ask(left)):
        for item in items:
            study.tell(item, truth[item.id])
            given += 1
    return given


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_spends_its_budget_and_not_a_label_more(name: str) -> None:
    pool, truth = made()
    study = create_study(pool, metric="f1", budget=60, preset=name, seed=3)
    given = finish(study, truth)
    assert given == study.labels
    if study.method.design.random_size:
        return
    assert given == 60
    study.extend(15)
    assert finish(study, truth) == 15
    estimate = study.estimate("f1")
    assert 0 <= estimate.value <= 1
    assert estimate.interval.low <= estimate.value <= estimate.interval.high


@pytest.mark.parametrize("name", ADAPTIVE)
def test_a_replay_in_the_middle_of_a_round_asks_the_same_next_item(name: str) -> None:
    pool, truth = made()
    study = create_study(pool, metric="f1", budget=60, preset=name, seed=5)
    finish(study, truth, 33, batch=4)
    copy = Study.replay(pool, study.events())
    assert copy.state == study.state
    assert [i.id for i in copy.ask(5)] == [i.id for i in study.ask(5)]
    finish(study, truth, 10)
    finish(copy, truth, 10)
    assert copy.state.queue.tolist() == study.state.queue.tolist()
    assert copy.estimate().value == study.estimate().value


@pytest.mark.parametrize("name", ADAPTIVE)
def test_an_open_round_is_not_planned_anew_by_its_answers(name: str) -> None:
    pool, truth = made()
    study = create_study(pool, metric="f1", budget=60, preset=name, seed=5)
    finish(study, truth, 15, batch=15)
    queue, rounds = study.state.queue.tolist(), study.round
    for item in study.ask(1):
        study.tell(item, truth[item.id])
        study.tell(item, 1 - truth[item.id])
        study.undo()
    assert study.state.queue.tolist()[: len(queue)] == queue
    assert study.round <= rounds + 1


@pytest.mark.parametrize("name", ADAPTIVE)
def test_estimates_exist_at_every_prefix(name: str) -> None:
    pool, truth = made()
    study = create_study(pool, metric="accuracy", budget=40, preset=name, seed=2)
    finish(study, truth)
    values = [e.value for e in study.history("accuracy", points=40)]
    assert np.isfinite(values[5:]).all()
    assert abs(values[-1] - np.mean(values[-5:])) < 0.2


@pytest.mark.parametrize("name", ADAPTIVE)
def test_skipped_items_cost_budget_and_are_allowed_for(name: str) -> None:
    pool, truth = made()
    study = create_study(pool, metric="f1", budget=40, preset=name, seed=4)
    count = 0
    while items := study.ask(3):
        for item in items:
            study.tell(item, {0: SKIP, 1: UNSURE}.get(count % 10, truth[item.id]))
            count += 1
    assert count == 40
    assert "items without an answer: 8" in study.estimate("f1").note


@pytest.mark.parametrize("name", ADAPTIVE)
def test_labels_held_beforehand_are_never_asked(name: str) -> None:
    pool, truth = made()
    held = {id: truth[id] for id in list(truth)[::7]}
    study = create_study(pool, metric="f1", budget=40, preset=name, held=held)
    finish(study, truth)
    assert not set(held) & {str(pool.ids[p]) for p in study.state.queue}
    assert np.isfinite(study.estimate("f1").value)


@pytest.mark.parametrize("name", ["marchant-tree", "oasis", "active-testing", "yilmaz-online-bs"])
def test_everything_labelled_is_exact(name: str) -> None:
    pool, truth = made(40)
    study = create_study(pool, metric="recall", budget=40, preset=name)
    finish(study, truth)
    found = study.estimate("recall")
    y = np.array([truth[str(i)] for i in pool.ids])
    assert found.value == pytest.approx((y * np.asarray(pool.pred)).sum() / y.sum())
    assert found.interval.width == pytest.approx(0)


def problem_of(
    pool: Pool, method: Method, metric: str = "f1", seed: int = 0, stochastic: bool = False
) -> Problem:
    return Problem(pool, {method.form(resolve(metric)): 1.0}, method.surrogate, seed, stochastic=stochastic)


def test_repeats_are_free_and_count_in_the_estimate() -> None:
    pool, truth = made()
    study = create_study(pool, metric="f1", budget=100, preset="marchant-tree")
    finish(study, truth)
    sample = study.state.sample(100)
    assert isinstance(sample, Draws)
    assert sample.draws > 110
    assert sample.weight.sum() == pytest.approx(300, rel=0.6)


def test_marchants_proposal_is_the_papers() -> None:
    """q ∝ Σ_y max{‖Dg ℓ‖, ε 1[ℓ ≠ 0]} π, item by item; a labelled item's π is its label."""
    pool, truth = made(50)
    surrogate, design = DirichletTree(leaves=6, depth=2), Adaptive(first=5, floor=0.01)
    method = method_of(surrogate=surrogate, design=design)
    problem = problem_of(pool, method)
    first = design.open(problem, (), problem.held, 50)
    assert first is not None
    y = np.array([truth[str(i)] for i in pool.ids])
    queue = first.queue
    evidence = evidence_of(problem, method, [first], queue, y[queue], np.ones(5, bool))
    q = design.propose(problem, [first], evidence).of_items()
    metric = METRICS["f1"]
    risk = evidence.weight @ metric.loss(pool.items.take(queue), y[queue]) / 50
    jacobian = metric.gradient(risk)
    if not np.isfinite(jacobian).all():
        pytest.fail("this seed must find a positive in the first round")
    pi = problem.believe(evidence).mean.copy()
    pi[queue] = y[queue]
    expected, epsilon = np.zeros(50), 0.01 * (1 - 5 / 50)
    for n in range(50):
        for label, p in ((0, 1 - pi[n]), (1, pi[n])):
            loss = metric.loss(pool.items.take(np.array([n])), np.array([label]))[0]
            expected[n] += p * max(abs(float((jacobian @ loss)[0])), epsilon * bool(loss.any()))
    np.testing.assert_allclose(q, expected / expected.sum(), rtol=1e-9)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 0.0])
def test_oasis_proposal_is_the_formula(alpha: float) -> None:
    """v_k ∝ ω_k √(ȳ̂(α²F²(1−π) + (1−F)²π) + (1−ȳ̂)(1−α)²F²π), q = (1−ε)v + εω."""
    pool, _ = made(200)
    method = PRESETS["oasis"].method
    name = {0.5: "f1", 1.0: "precision", 0.0: "recall"}[alpha]
    problem = problem_of(pool, method, name)
    assert isinstance(method.design, Adaptive)
    model = problem.model
    assert isinstance(model, LeafModel)
    q = method.design.propose(problem, (), problem.held).of_items()
    leaf, k = model.partition.leaf, model.partition.count
    omega = np.bincount(leaf) / 200
    share = np.bincount(leaf, np.asarray(pool.pred, float)) / np.bincount(leaf)
    pi = model.leaves(Evidence.none(pool)).mean
    believed = pi[leaf]
    pred = np.asarray(pool.pred, float)
    f = (believed * pred).sum() / (alpha * pred + (1 - alpha) * believed).sum()
    flagged = alpha**2 * f**2 * (1 - pi) + (1 - f) ** 2 * pi
    v = omega * np.sqrt(share * flagged + (1 - share) * (1 - alpha) ** 2 * f**2 * pi)
    expected = (1 - 1e-3) * v / v.sum() + 1e-3 * omega
    np.testing.assert_allclose(np.bincount(leaf, q, k), expected, rtol=1e-9)


def test_printed_oasis_adds_the_roots() -> None:
    pool, _ = made(200)
    pooled, added = (
        Adaptive(norm=2, floor=0.0, defensive=1e-3, by=by) for by in ("stratum", "stratum-added")
    )
    problem = problem_of(pool, PRESETS["oasis"].method)
    q, r = (d.propose(problem, (), problem.held).of_items() for d in (pooled, added))
    assert q.sum() == pytest.approx(1)
    assert r.sum() == pytest.approx(1)
    assert np.abs(q - r).max() > 1e-6


def simulated(design: Adaptive | Rounds | Sequential, estimator: object, budget: int, repeats: int) -> Floats:
    """Estimates, one per seed, of the mean of a fixed value per item in a pool of eight items."""
    assert isinstance(estimator, AdaptiveImportanceSampling | RoundsMean | Lure)
    pool, truth = made(8, seed=9)
    y = np.array([truth[str(i)] for i in pool.ids])
    values = np.column_stack([y + np.arange(8) / 8, np.ones(8)])
    method = Method(Recalibrated(), design, estimator)
    base, found = problem_of(pool, method, "accuracy"), np.empty((repeats, 2))
    for seed in range(repeats):
        problem, past = base.reseeded(seed), list[Round]()
        while len(queue := queued(past)) < budget:
            evidence = evidence_of(problem, method, past, queue, y[queue], np.ones(len(queue), bool))
            following = design.open(problem, past, evidence, budget)
            assert following is not None
            past.append(following)
        found[seed] = weighted_mean(estimator, design.sample(problem, past, len(queue)), values[queue])
    return (found - values.mean(axis=0)) / (found.std(axis=0) / np.sqrt(repeats) + 1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "estimator"),
    [
        (Adaptive(first=0), AdaptiveImportanceSampling()),
        (Rounds(first=2, growth=0.0), RoundsMean()),
        (Rounds(first=2, growth=0.0), RoundsMean("root")),
        (Sequential(), Lure()),
    ],
)
def test_designs_are_unbiased_for_sums(design: Adaptive | Rounds | Sequential, estimator: object) -> None:
    errors = simulated(design, estimator, 5, 4000)
    assert np.abs(errors.mean(axis=0)).max() < 5


@pytest.mark.slow
def test_rounds_counted_in_draws_are_unbiased_for_sums() -> None:
    """M's Algorithm 1: three rounds of four draws, each round's proposal from the labels before it."""
    pool, truth = made(8, seed=9)
    y = np.array([truth[str(i)] for i in pool.ids])
    values = np.column_stack([y + np.arange(8) / 8, np.ones(8)])
    design, estimator = Adaptive(first=4, counts="draws", defensive=0.2), AdaptiveImportanceSampling()
    method = Method(Recalibrated(), design, estimator)
    base, found, said = problem_of(pool, method, "accuracy"), np.empty((6000, 2)), np.empty((6000, 2))
    for seed in range(6000):
        problem, past = base.reseeded(seed), list[Round]()
        for _ in range(3):
            queue = queued(past)
            evidence = evidence_of(problem, method, past, queue, y[queue], np.ones(len(queue), bool))
            opened = design.open(problem, past, evidence, 100)
            if opened is None:
                break
            past.append(opened)
        queue = queued(past)
        sample = design.sample(problem, past, len(queue))
        assert isinstance(sample, Draws)
        found[seed] = weighted_mean(estimator, sample, values[queue])
        said[seed] = estimator.spread(sample, values[queue], found[seed]).variance
    error = (found.mean(axis=0) - values.mean(axis=0)) / (found.std(axis=0) / np.sqrt(6000))
    assert np.abs(error).max() < 5
    off = (found - values.mean(axis=0)) ** 2 - said
    assert np.abs(off.mean(axis=0) / (off.std(axis=0) / np.sqrt(6000))).max() < 5


def test_a_stochastic_oracle_is_asked_for_every_draw() -> None:
    pool, _ = made(30)
    rng = np.random.default_rng(0)
    score = dict(zip(map(str, pool.ids), pool.score.tolist(), strict=True))
    study = create_study(pool, metric="f1", budget=30, preset="marchant-tree", oracle="stochastic", seed=1)
    while items := study.ask(4):
        for item in items:
            study.tell(item, int(rng.random() < score[item.id]))
    queue = study.state.queue
    assert len(queue) == 30 > len(np.unique(queue))
    sample = study.state.sample(30)
    assert isinstance(sample, Draws)
    assert (sample.draws, len(sample.rows)) == (30, 30)
    assert np.isfinite(study.estimate("f1").value)
    assert Study.replay(pool, study.events()).state == study.state


@pytest.mark.parametrize("design", [Importance(), Adaptive(first=0)])
def test_an_id_means_its_latest_draw_without_an_answer(design: Importance | Adaptive) -> None:
    pool, _ = made(4)
    study = create_study(pool, metric="accuracy", budget=4, design=design, oracle="stochastic", seed=3)
    items = study.ask(4)
    twice = next(i.id for i in items if sum(j.id == i.id for j in items) > 1)
    rows = [i.place for i in items if i.id == twice]
    for row in reversed(rows):
        study.tell(twice, 1)
        assert study.state.given.current(row) is not None
    study.tell(twice, 0)
    last = study.state.given.current(rows[-1])
    assert last is not None
    assert last.what.label == 0


def test_metrics_out_of_the_proposals_reach_are_unknown_with_the_reason() -> None:
    pool, truth = made()
    study = create_study(pool, metric="accuracy", budget=60, preset="marchant-tree")
    finish(study, truth)
    assert np.isfinite(study.estimate("accuracy").value)
    assert np.isnan(study.estimate("recall").value)
    assert "δ > 0" in study.estimate("recall").note
    study = create_study(pool, metric="accuracy", budget=60, preset="marchant-tree", defensive=0.1)
    finish(study, truth)
    assert np.isfinite(study.estimate("recall").value)


def test_limits_use_the_map_that_the_design_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second map of a million items of ten classes took 2 s of the first estimate, and 0.5 GB."""
    made: list[Pool] = []
    model = Recalibrated.model

    def counted(self: Recalibrated, pool: Pool, *, stochastic: bool = False) -> Model:
        made.append(pool)
        return model(self, pool, stochastic=stochastic)

    monkeypatch.setattr(Recalibrated, "model", counted)
    df = pd.DataFrame(np.random.default_rng(0).dirichlet([1, 1, 1], 60), columns=list("abc"))
    study = create_study(
        Pool.from_frame(df, score=list("abc"), task="multiclass"), metric="accuracy", budget=20
    )
    study.tell_all((item, SKIP if k == 3 else "a") for k, item in enumerate(study.ask(10)))
    study.estimate("balanced_accuracy")
    assert len(made) == 1


def test_scores_of_exactly_0_and_1_stay_within_reach() -> None:
    df = frame(60).assign(score=lambda d: (d["score"] > 0.3).astype(float))
    df.loc[df["score"] == 1, "score"] = np.linspace(0.6, 1, int((df["score"] == 1).sum()))
    pool = Pool.from_frame(df, id="id", score="score", label="label", fields=["x"])
    problem = problem_of(pool, PRESETS["marchant-is"].method)
    assert (PRESETS["marchant-is"].method.design.inclusion(problem, 10) > 0).all()


def test_recalibration_starts_at_the_scores_and_is_the_penalised_optimum(rng: np.random.Generator) -> None:
    pool, truth = made(200)
    model = Recalibrated(shift=1.0, slope=0.4).model(pool)
    np.testing.assert_allclose(model.believe(Evidence.none(pool)).mean, pool.score, atol=1e-9)
    index = rng.choice(200, 40, replace=False)
    y = np.array([truth[str(i)] for i in pool.ids[index]])
    found = model.believe(Evidence(index, y, np.ones(40))).mean
    logit = np.log(pool.score / (1 - pool.score))
    grid = np.linspace(-1.5, 1.5, 301)
    a, b = np.meshgrid(grid, 1 + grid, indexing="ij")
    z = a[..., None] + b[..., None] * logit[index]
    objective = (y * z - np.logaddexp(0, z)).sum(axis=-1) - a**2 / 2 - (b - 1) ** 2 / (2 * 0.4**2)
    i, j = np.unravel_index(objective.argmax(), objective.shape)
    np.testing.assert_allclose(found, 1 / (1 + np.exp(-(grid[i] + (1 + grid[j]) * logit))), atol=0.01)


def test_recalibration_of_classes_bends_what_naive_bayes_makes_of_them(rng: np.random.Generator) -> None:
    """Extreme log-odds say less and less: after 300 labels both sure and half-sure items are calibrated."""
    wanted = np.repeat([[0.49, 0.17, 0.17, 0.17], [0.94, 0.02, 0.02, 0.02]], 1500, axis=0)
    claimed = np.repeat([4.0, 40.0], 1500) * rng.uniform(0.8, 1.25, 3000)
    best = rng.integers(0, 4, 3000)
    y = (best + (rng.random(3000)[:, None] > wanted.cumsum(axis=1)).sum(axis=1)) % 4
    odds = np.where(np.arange(4) == best[:, None], claimed[:, None], rng.normal(0, 0.1, (3000, 4)))
    names = [f"score_{c}" for c in "abcd"]
    pool = Pool.from_frame(pd.DataFrame(special.softmax(odds, axis=1), columns=names), score=names)
    index = rng.choice(3000, 300, replace=False)
    found = Recalibrated().model(pool).believe(Evidence(index, y[index], np.ones(300))).mean
    right = found[np.arange(3000), best]
    for part, share in ((slice(0, 1500), 0.49), (slice(1500, 3000), 0.94)):
        assert right[part].mean() == pytest.approx(share, abs=0.06)


@pytest.mark.parametrize("flatness", [1.0, 12.0])
@pytest.mark.parametrize("several", [True, False])
def test_recalibration_learns_what_flat_scores_mean(
    several: bool, flatness: float, rng: np.random.Generator
) -> None:
    """Votes and similarities that mean far more than they say: after 80 labels half the gap is closed."""
    odds = 3 * rng.normal(size=(2000, 5))
    true = special.softmax(odds, axis=1) if several else special.expit(odds)
    seen = special.softmax(odds / flatness, axis=1) if several else special.expit(odds / flatness)
    columns = [f"score_{c}" for c in "abcde"]
    df = pd.DataFrame(seen, columns=columns).assign(id=np.arange(2000))
    preds = {} if several else {f"pred_{c}": seen[:, k] > 0.5 for k, c in enumerate("abcde")}
    pool = Pool.from_frame(df.assign(**preds), id="id", score=columns, pred=list(preds) or None, fields=[])
    assert pool.task.kind == ("multiclass" if several else "multilabel")
    said = (
        (true.cumsum(axis=1) > rng.random((2000, 1))).argmax(axis=1)
        if several
        else rng.random(true.shape) < true
    )
    believed = Recalibrated().model(pool).believe(Evidence(np.arange(80), said[:80], np.ones(80))).mean
    assert np.abs(believed - true).mean() < max(np.abs(seen - true).mean() / 2, 0.04)


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("weighted", [False, True])
def test_recalibration_survives_few_and_one_sided_labels(label: int, weighted: bool) -> None:
    pool, _ = made(100)
    model = Recalibrated(weighted=weighted).model(pool)
    for k in (1, 3, 100):
        mean = model.believe(Evidence(np.arange(k), np.full(k, label), np.linspace(1, 50, k))).mean
        assert np.isfinite(mean).all()
        assert ((mean >= 0) & (mean <= 1)).all()
        assert (np.sign(mean - pool.score)[pool.score < 0.9] == (1 if label else -1)).mean() > 0.9


@pytest.mark.parametrize("classifier", ["logistic", "forest"])
def test_a_learned_surrogate_learns_and_begins_with_the_scores(classifier: str) -> None:
    pool, truth = made(300)
    model = Learned(classifier=classifier, prior=5).model(pool)
    np.testing.assert_array_equal(model.believe(Evidence.none(pool)).mean, pool.score)
    y = np.array([truth[str(i)] for i in pool.ids])
    one_sided = np.flatnonzero(y == 0)[:5]
    np.testing.assert_array_equal(
        model.believe(Evidence(one_sided, y[one_sided], np.ones(5))).mean, pool.score
    )
    flipped = model.believe(Evidence(np.arange(150), 1 - y[:150], np.ones(150))).mean
    assert np.corrcoef(flipped[150:], y[150:])[0, 1] < 0


def test_a_learned_surrogate_learns_from_features_where_all_scores_are_alike() -> None:
    """The log-odds of equal scores, divided by a spread of mere rounding, had drowned every other feature."""
    x = np.random.default_rng(0).random(60)
    pool = Pool.from_frame(pd.DataFrame({"score": np.full(60, 0.3), "x": x}), score="score", fields=["x"])
    y = (x > 0.5).astype(int)
    mean = Learned(prior=1).model(pool).believe(Evidence(np.arange(30), y[:30], np.ones(30))).mean
    assert np.corrcoef(mean[30:], x[30:])[0, 1] > 0.9


def test_a_classifier_handed_in_travels_in_the_settings() -> None:
    from sklearn.naive_bayes import GaussianNB

    method = method_of(surrogate=Learned(classifier=GaussianNB(var_smoothing=0.5)), design="sequential")
    again = Method.from_dict(method.to_dict())
    assert isinstance(again.surrogate, Learned)
    assert again.surrogate.classifier.get_params() == {"priors": None, "var_smoothing": 0.5}
    with pytest.raises(InputError, match="predict_proba"):
        Learned(classifier=object())


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("builtins", "print"),
        ("subprocess", "Popen"),
        ("sklearn.datasets", "make_blobs"),
        ("sklearn.base", "x"),
    ],
)
def test_a_stored_classifier_calls_nothing_but_a_classifier(
    module: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    import_module(module)
    with pytest.raises(InputError, match="`classifier` must name a class with fit, predict_proba"):
        Learned(classifier={"module": module, "class": name, "params": {}})
    assert capsys.readouterr().out == ""


def test_errors_of_numbers_are_those_of_a_normal_inverse_gamma() -> None:
    """Integrated on a grid: a|b ~ N(0, (1.5 b)²), b² ~ IG(4, 4), y − ŷ ~ N(a, b²) where all predictions are alike."""
    frame = pd.DataFrame({"pred": np.full(50, 7.0), "sd": np.ones(50)})
    pool = Pool.from_frame(frame, pred="pred", error="sd", task="regression")
    square = np.exp(np.linspace(-6, 6, 3001))[:, None]
    shift = np.linspace(-40, 40, 4001)
    for error in (0.0, 3.0, 5.0):
        belief = (
            Recalibrated().model(pool).believe(Evidence(np.array([7]), np.array([7 + error]), np.ones(1)))
        )
        log = -5.0 * np.log(square) - 4 / square - 0.5 * shift**2 / (2.25 * square)
        log = log - 0.5 * (error - shift) ** 2 / square
        weight = np.exp(
            log - log.max()
        )  # one √b² each of prior and likelihood, and one b² of the grid, cancel
        weight /= weight.sum()
        assert belief.mean[0] == pytest.approx(7 + (weight * shift).sum(), abs=1e-6)
        assert belief.sd[0] ** 2 == pytest.approx(1 / (weight / square).sum(), rel=1e-6)


def test_errors_of_numbers_lie_on_a_line() -> None:
    """The same for three labels on y − ŷ ~ N(a + c·z, b²), z the prediction in standard deviations from the mean."""
    pred = np.linspace(0, 9, 50)
    frame = pd.DataFrame({"pred": pred, "sd": np.ones(50)})
    pool = Pool.from_frame(frame, pred="pred", error="sd", task="regression")
    at, error = np.array([3, 20, 49]), np.array([2.0, -1.0, -4.0])
    belief = Recalibrated().model(pool).believe(Evidence(at, pred[at] + error, np.ones(3)))
    z = (pred - pred.mean()) / pred.std()
    square = np.exp(np.linspace(-2.5, 4.5, 120))[:, None, None]
    a, c = np.linspace(-14, 14, 240)[None, :, None], np.linspace(-14, 14, 240)[None, None, :]
    log = -4 * np.log(square) - 4 / square - 0.5 * (a**2 + c**2) / (2.25 * square) - np.log(square)
    for row, off in zip(at, error, strict=True):
        log = log - 0.5 * (off - a - c * z[row]) ** 2 / square - 0.5 * np.log(square)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    line = (weight * a).sum(), (weight * c).sum()
    np.testing.assert_allclose(belief.mean, pred + line[0] + line[1] * z, atol=1e-3)
    assert belief.sd[0] ** 2 == pytest.approx(1 / (weight / square).sum(), rel=1e-3)


@pytest.mark.parametrize("told", [True, False])
def test_one_gross_error_does_not_tilt_the_line_of_the_others(told: bool, rng: np.random.Generator) -> None:
    pred = np.linspace(0, 9, 200)
    frame = pd.DataFrame({"pred": pred} | ({"sd": np.full(200, 0.5)} if told else {}))
    pool = Pool.from_frame(frame, pred="pred", error="sd" if told else None, task="regression")
    at = rng.choice(199, 40, replace=False)
    label = pred[at] + rng.normal(0, 0.5, 40)
    believed = [
        Recalibrated().model(pool).believe(Evidence(np.append(at, 199), np.append(label, last), np.ones(41)))
        for last in (9.0, 1e4)
    ]
    np.testing.assert_allclose(believed[1].mean, believed[0].mean, atol=1.0)


@pytest.mark.parametrize("told", [True, False])
def test_how_far_errors_follow_a_scale_is_learned(told: bool) -> None:
    """A given scale may be noise. Without one, errors of prices are often, but need not be, proportional to prices."""
    rng = np.random.default_rng(2)
    scale = np.exp(rng.normal(size=400))
    pred = np.zeros(400) if told else scale
    frame = pd.DataFrame({"pred": pred} | ({"sd": scale} if told else {}))
    pool = Pool.from_frame(frame, pred="pred", error="sd" if told else None, task="regression")
    seen, model, slopes = np.arange(200), Recalibrated().model(pool), []
    for sd in (scale, np.ones(400)):
        labels = pred[seen] + 0.5 * sd[seen] * rng.normal(size=200)
        believed = model.believe(Evidence(seen, labels, np.ones(200))).sd
        slopes.append(np.polyfit(np.log(scale), np.log(believed), 1)[0])
        assert np.log(believed / (0.5 * sd)).mean() == pytest.approx(0, abs=0.5)  # the prior weighs 8 labels
    assert slopes[0] > (0.8 if told else 0.45)  # the sizes of predictions count with their median
    assert slopes[1] < (0.5 if told else 0.3)
    before = np.polyfit(np.log(scale), np.log(model.believe(nothing()).sd), 1)[0]
    assert before > 0.5 if told else before < 0.4


def test_a_told_error_of_0_is_no_promise() -> None:
    """A third of the items have an expected error of 0 but err like the others, which had tripled the error."""
    rng = np.random.default_rng(5)
    sd = np.exp(rng.normal(0, 0.8, 3000))
    pred = 10 + 3 * rng.normal(size=3000)
    told = np.where(rng.random(3000) < 1 / 3, 0.0, sd)
    frame = pd.DataFrame({"pred": pred, "sd": told, "label": pred + sd * rng.normal(size=3000)})
    pool = Pool.from_frame(frame, pred="pred", error="sd", label="label", task="regression")
    found = simulate(
        pool,
        Labels.from_frame(frame, pool, "label"),
        presets=["recommended", "uniform"],
        metric="rmse",
        budgets=[100],
        repeats=30,
    ).set_index("method")["rmse"]
    assert found["recommended"] < 1.5 * found["uniform"]


def test_errors_may_grow_away_from_the_mean_of_the_predictions() -> None:
    """A fit to the bulk of the items is far off where it extrapolates, on either side."""
    rng = np.random.default_rng(3)
    z = rng.normal(size=1000)
    pool = Pool.from_frame(pd.DataFrame({"pred": 100 + z}), pred="pred", task="regression")
    seen, model, ratios = np.arange(300), Recalibrated().model(pool), []
    for sd in (0.3 * (1 + np.abs(z)), np.ones(1000)):
        labels = 100 + z[seen] + sd[seen] * rng.normal(size=300)
        believed = model.believe(Evidence(seen, labels, np.ones(300))).sd
        ratios.append([believed[z.argmin()], believed[z.argmax()]] / believed[np.abs(z).argmin()])
    assert (ratios[0] > 2.5).all()  # the truth: about 4
    assert (ratios[1] < 1.5).all()


@pytest.mark.parametrize("zeros", [1, 30])
def test_predictions_next_to_0_may_be_off_by_less_unless_many_are_exactly_0(zeros: int) -> None:
    rng = np.random.default_rng(4)
    pred = np.append(np.zeros(zeros), np.linspace(-5, 5, 200))
    pool = Pool.from_frame(pd.DataFrame({"pred": pred}), pred="pred", task="regression")
    labels = pred * (1 + 0.4 * rng.normal(size=len(pred)))
    believed = (
        Recalibrated().model(pool).believe(Evidence(np.arange(len(pred)), labels, np.ones(len(pred)))).sd
    )
    ratio = believed[-1] / believed[zeros + 100]
    assert ratio == pytest.approx(1) if zeros > 10 else 2.5 < ratio < 3.1


def nothing() -> Evidence:
    """No labels."""
    return Evidence(np.empty(0, np.intp), np.empty(0), np.empty(0))


@pytest.mark.parametrize("small", [1e-100, 1e-200, 5e-324])
@pytest.mark.parametrize("preset", ["marchant-is", "marchant-tree", "yilmaz-is", "recommended"])
def test_scores_next_to_0_overflow_no_weight(preset: str, small: float) -> None:
    rng = np.random.default_rng(0)
    score = np.append(rng.random(100), np.full(300, small))
    y = (rng.random(400) < score).astype(int)
    frame = pd.DataFrame({"score": score, "y": y})
    pool = Pool.from_frame(frame, score="score", label="y")
    study = create_study(pool, metric="accuracy", budget=150, preset=preset, seed=2)
    study.answer(Labels.from_frame(frame, pool, "y"), 150)
    found = study.estimate()
    assert np.isfinite([found.variance, found.interval.low, found.interval.high]).all()
    assert found.interval.low <= found.value <= found.interval.high
    assert found.note == ""


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Calibration(bins=0), "`bins` must be a whole number from 1 to 1000"),
        (lambda: Calibration(bins=40_000), "got 40000"),
        (lambda: Adaptive(counts="draws", growth=0.5), "`growth` must be 0 where rounds count draws"),
        (lambda: Adaptive(floor=-1.0), "`floor` must be >= 0; got -1.0; 0 sets no floor"),
        (lambda: Adaptive(growth=-0.5), "`growth` must be >= 0; got -0.5"),
        (lambda: BetaBernoulli(strength=0.0), "`strength` must be > 0; got 0.0"),
        (lambda: Recalibrated(slope=0.0), "`slope` must be > 0; got 0.0"),
    ],
)
def test_options_that_could_do_nothing_are_refused(make: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        make()


@pytest.mark.parametrize("name", PRESETS)
def test_settings_of_every_preset_come_back_the_same(name: str) -> None:
    method = PRESETS[name].method
    assert Method.from_dict(method.to_dict()) == method
    assert misfit(method, "binary") == ""


def test_what_does_not_fit_says_why() -> None:
    method = PRESETS["oasis"].method
    assert "none" in reasons(method, "surrogate")["shrunk"]
    assert reasons(method, "surrogate")["dirichlet-tree"] == ""
    assert set(reasons(method, "design", "binary").values()) == {""}
    assert "lure" not in [k for k, why in reasons(method, "estimator").items() if not why]
    assert "regression" in reasons(method, "surrogate", "regression")["beta-bernoulli"]
    with pytest.raises(InputError, match="cannot weigh"):
        method_of(design="adaptive", estimator="lure")


def classes_pool(n: int = 300) -> tuple[Pool, Floats]:
    rng = np.random.default_rng(1)
    scores = rng.dirichlet([0.4] * 4, n)
    df = pd.DataFrame({"id": [f"i{k}" for k in range(n)]} | {f"score_{c}": scores[:, c] for c in range(4)})
    y = (scores.cumsum(axis=1) < rng.random(n)[:, None]).sum(axis=1)
    return Pool.from_frame(df, id="id", score=[f"score_{c}" for c in range(4)], task="multiclass"), y


@pytest.mark.parametrize("surrogate", [DirichletTree(), BetaBernoulli(), Recalibrated(), Learned(), Shrunk()])
@pytest.mark.parametrize("design", [Adaptive(first=6), Rounds(first=6), Sequential(first=3)])
def test_adaptive_designs_sample_several_classes(
    surrogate: DirichletTree, design: Adaptive | Rounds | Sequential
) -> None:
    pool, y = classes_pool()
    study = create_study(pool, metric="macro_f1", budget=50, surrogate=surrogate, design=design)
    while items := study.ask(10):
        for item in items:
            study.tell(item, pool.task.classes[int(y[int(item.id[1:])])])
    assert study.labels == 50
    assert np.isfinite(study.estimate("accuracy").value)


@pytest.mark.parametrize(
    "surrogate", [DirichletTree(leaves=8, depth=3), BetaBernoulli(), Recalibrated(), Learned()]
)
@pytest.mark.parametrize("design", [Adaptive(first=6), Rounds(first=6), Sequential(first=3)])
def test_adaptive_designs_sample_sets_of_labels(
    surrogate: DirichletTree, design: Adaptive | Rounds | Sequential
) -> None:
    rng = np.random.default_rng(2)
    scores = rng.beta(0.5, 1, (200, 3))
    df = pd.DataFrame(
        {"id": [f"i{k}" for k in range(200)]} | {f"score_{c}": scores[:, i] for i, c in enumerate("abc")}
    )
    pool = Pool.from_frame(df, id="id", score=["score_a", "score_b", "score_c"], task="multilabel")
    y = rng.random((200, 3)) < scores
    study = create_study(pool, metric="micro_f1", budget=40, surrogate=surrogate, design=design)
    while items := study.ask(10):
        for item in items:
            study.tell(item, {pool.task.classes[c] for c in np.flatnonzero(y[int(item.id[1:])])})
    assert study.labels == 40
    assert 0 < study.estimate("micro_f1").value < 1


@pytest.mark.parametrize("name", ["queue", "uniform", "stratified", "yilmaz-bs"])
def test_labelling_everything_is_no_census_if_answers_may_differ(name: str) -> None:
    pool, truth = made(30)
    study = create_study(pool, metric="accuracy", budget=30, preset=name, oracle="stochastic")
    finish(study, truth)
    found = study.estimate("accuracy")
    assert found.method != "census"
    assert found.interval.width > 0.01


DEMOS = ROOT / "demo_data"


# On linkage the online Bernoulli design has not settled by then (λ = .9 towards ½ plants positives), and active
# testing takes minutes.
SETTLING = [
    *(
        (name, demo)
        for name in ("marchant-tree", "marchant-flat", "oasis")
        for demo in ("digits_is8", "linkage", "synthetic")
    ),
    *(
        (name, demo)
        for name in ("yilmaz-online-bs", "active-testing")
        for demo in ("digits_is8", "synthetic")
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "demo"), SETTLING)
def test_errors_fall_as_one_over_the_root_of_labels(name: str, demo: str) -> None:
    """Nine times the labels make the error about a third; half is let pass, which a bias would not."""
    df = frame(4000, 3) if demo == "synthetic" else pd.read_parquet(DEMOS / f"{demo}.parquet")
    pool = Pool.from_frame(df, id="id", score="score", label="label", fields=[])
    labels = Labels.from_frame(df, pool, label="label")
    found = simulate(pool, labels, presets=[name], metric="f1", budgets=(60, 540), repeats=60, seed=1)
    rmse = found.set_index("budget")["rmse"]
    assert rmse[540] < 0.5 * rmse[60]


def test_predictions_that_are_too_extreme_are_recalibrated_from_labels() -> None:
    """Without recalibration, R² was .38 off after 40 labels, and at times far below 0."""
    rng = np.random.default_rng(2)
    truth = rng.normal(size=1500)
    frame = pd.DataFrame({"pred": 1.5 * truth, "label": truth + rng.normal(0, 0.5, 1500)})
    pool = Pool.from_frame(frame, pred="pred", label="label", task="regression")
    labels = Labels.from_frame(frame, pool, "label")
    found = simulate(
        pool,
        labels,
        presets=["recommended", "uniform"],
        metric="rmse",
        metrics=["rmse", "r2"],
        budgets=[40, 100],
        repeats=20,
    ).set_index(["metric", "budget", "method"])["rmse"]
    for metric in ("rmse", "r2"):
        for budget in (40, 100):
            assert found[metric, budget, "recommended"] < found[metric, budget, "uniform"]


def test_a_good_predictor_s_error_is_known_as_well_as_from_a_uniform_sample() -> None:
    """The scale of its errors is unknown beforehand, and a guess far too wide had tripled the error."""
    rng = np.random.default_rng(2)
    pred = rng.uniform(50, 100, 1000)
    frame = pd.DataFrame({"pred": pred, "label": pred + rng.normal(0, 2, 1000)})
    pool = Pool.from_frame(frame, pred="pred", label="label", task="regression")
    found = simulate(
        pool,
        Labels.from_frame(frame, pool, "label"),
        presets=["recommended", "uniform"],
        metric="rmse",
        budgets=[80],
        repeats=20,
    ).set_index("method")["rmse"]
    assert found["recommended"] < 1.3 * found["uniform"]


def test_exact_predictions_have_an_error_of_0() -> None:
    pred = np.random.default_rng(1).normal(3, 5, 60)
    pool = Pool.from_frame(pd.DataFrame({"pred": pred}), pred="pred", task="regression")
    study = create_study(pool, metric="rmse", budget=20)
    study.tell_all((item, pred[int(item.id)]) for item in study.ask(20))
    assert study.estimate("rmse").value == pytest.approx(0, abs=1e-6)


def test_each_label_is_looked_at_once_to_find_those_that_a_sample_never_meets_again() -> None:
    """Twice for each metric took 37 s of processor time for the estimates of a million items with four labels."""
    scores = np.random.default_rng(0).dirichlet(np.ones(3), 30)
    pool = Pool.from_frame(pd.DataFrame(scores, columns=["score_a", "score_b", "score_c"]))
    looked: list[str] = []

    def counted(name: str) -> Metric:
        metric = resolve(name)

        def loss(items: Items, y: Any) -> Floats:
            looked.append(name)
            return metric.loss(items, y)

        return replace(metric, loss=loss)

    belief = Shrunk().model(pool).believe(Evidence.none(pool))
    assert not silent_labels([counted("macro_f1")], counted("kappa"), pool.items, belief)
    assert (
        looked == ["macro_f1"] * 3
    )  # of the three classes; its loss is 0 for none, so that the other one cannot matter
