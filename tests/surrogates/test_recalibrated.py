"""Recalibrated scores: they start at the scores, are the penalised optimum, and survive few labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special

from sampleval import InputError, Pool
from sampleval.pool import Floats, Kind
from sampleval.surrogates import Evidence, Recalibrated
from tests.pools import overconfident_pool


def test_recalibration_starts_at_the_scores_and_is_the_penalised_optimum(rng: np.random.Generator) -> None:
    pool, truth = overconfident_pool(200)
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


@pytest.mark.parametrize("weighted", [False, True])
def test_the_map_of_several_classes_is_the_penalised_optimum(
    weighted: bool, rng: np.random.Generator
) -> None:
    score, y, w = rng.dirichlet(np.ones(3), 50), rng.integers(0, 3, 12), rng.uniform(1, 9, 12)
    pool = Pool.from_frame(pd.DataFrame(score, columns=list("abc")), score=list("abc"))
    logs = np.log(score / score.max(axis=1, keepdims=True))
    slope = 0.4 * max(1.0, 6.0 / -logs.mean())  # looser where scores span less than six log-odds
    counts = w / w.mean() if weighted else np.ones(12)

    def lost(at: Floats) -> float:
        fit = counts @ special.log_softmax(at[:3] + at[3] * logs[:12], axis=1)[np.arange(12), y]
        return float((at[:3] ** 2).sum() / 2 + ((at[3] - 1) / slope) ** 2 / 2 - fit)

    best = optimize.minimize(lost, [0.0, 0.0, 0.0, 1.0]).x
    found = Recalibrated(shift=1.0, slope=0.4, weighted=weighted).model(pool)
    believed = found.believe(Evidence(np.arange(12), y, w)).mean
    np.testing.assert_allclose(believed, special.softmax(best[:3] + best[3] * logs, axis=1), atol=1e-5)


def test_scores_of_classes_are_hardly_shrunk_before_any_label(rng: np.random.Generator) -> None:
    score = rng.dirichlet(np.ones(3), 50)
    pool = Pool.from_frame(pd.DataFrame(score, columns=list("abc")), score=list("abc"))
    found = Recalibrated(opening=0.9).model(pool).believe(Evidence.none(pool)).mean
    np.testing.assert_allclose(found, 0.9 * score + 0.1 * score.mean(axis=0))


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
    pool, _ = overconfident_pool(100)
    model = Recalibrated(weighted=weighted).model(pool)
    for k in (1, 3, 100):
        mean = model.believe(Evidence(np.arange(k), np.full(k, label), np.linspace(1, 50, k))).mean
        assert np.isfinite(mean).all()
        assert ((mean >= 0) & (mean <= 1)).all()
        assert (np.sign(mean - pool.score)[pool.score < 0.9] == (1 if label else -1)).mean() > 0.9


@pytest.mark.parametrize("kind", ["multiclass", "multilabel"])
def test_further_systems_are_trusted_as_far_as_labels_confirm_them(
    kind: Kind, rng: np.random.Generator
) -> None:
    """The first system says nothing here, the second everything. Published methods are about one system's scores."""
    odds = rng.normal(0, 2, (800, 3))
    true = special.softmax(odds, axis=1) if kind == "multiclass" else special.expit(odds)
    blind = np.roll(true, 1, axis=0)
    frame = pd.DataFrame(
        {f"{name}.score_{c}": p[:, k] for name, p in (("a", blind), ("b", true)) for k, c in enumerate("xyz")}
    )
    pool = Pool.from_frame(frame, task=kind)
    y = (
        (true.cumsum(axis=1) > rng.random((800, 1))).argmax(axis=1)
        if kind == "multiclass"
        else rng.random(true.shape) < true
    )
    found = Evidence(np.arange(200), y[:200], np.ones(200))
    off = [np.abs(Recalibrated(together=k).model(pool).believe(found).mean - true).mean() for k in (1, 2, 3)]
    assert off[1] == off[2] < off[0] / 2
    alone = Pool.from_frame(frame.filter(like="a.").rename(columns=lambda name: name[2:]), task=kind)
    np.testing.assert_array_equal(
        Recalibrated().model(pool).believe(found).mean, Recalibrated().model(alone).believe(found).mean
    )
    with pytest.raises(InputError, match="`together` must be a whole number from 1 to 3"):
        Recalibrated(together=4)
