"""Laws for every metric of the registry and every kind of task, all through the same path."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import cloudpickle
import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import sparse, special
from sklearn import metrics as sk

import sampleval as sv
from sampleval.metrics import (
    METRICS,
    Counts,
    Metric,
    dense,
    difference,
    mean_loss,
    minus,
    numeric_jacobian,
    of_system,
    within,
)
from sampleval.metrics.probability import bin_of
from sampleval.pool import Kind, Labels, Pool, System, Task, scored
from sampleval.pool.answers import decode_label
from sampleval.study import true_value
from sampleval.surrogates import Belief, Evidence, Shrunk, expected_loss, moments, predicted_risk
from sampleval.surrogates.belief import EXTREME, HALF, SHARE
from tests import pools

CLASSES = ("bird", "cat", "dog", "eel")
PAIRS = [(name, kind) for name, metric in METRICS.items() for kind in sorted(metric.kinds)]


def cases(*, keep: Callable[[Metric, str], bool] = lambda metric, kind: True) -> pytest.MarkDecorator:
    """Every metric with every kind of task that it is defined for."""
    chosen = [(name, kind) for name, kind in PAIRS if keep(METRICS[name], kind)]
    return pytest.mark.parametrize(("name", "kind"), chosen, ids=["-".join(pair) for pair in chosen])


every = cases()
scalar = cases(keep=lambda metric, kind: not metric.vector)
listed = cases(keep=lambda metric, kind: kind != "regression")
celled = cases(keep=lambda metric, kind: metric.cells is not None and kind in ("binary", "multiclass"))
numeric = cases(keep=lambda metric, kind: kind == "regression")


def belief_of(pool: Pool, shrinkage: float = 0.9) -> Belief:
    return Shrunk(shrinkage=shrinkage).model(pool).believe(Evidence.none(pool))


@cache
def pool_of(kind: str, n: int = 60, seed: int = 3) -> tuple[Pool, NDArray[Any]]:
    """A random pool of this kind and its encoded labels; binary scores lie on a grid of hundredths."""
    rng = np.random.default_rng([seed, n])
    ids = [f"item-{k}" for k in range(n)]
    if kind == "binary":
        score = rng.integers(1, 100, n) / 100
        frame = pd.DataFrame({"id": ids, "score": score})
        return Pool.from_frame(frame), (rng.random(n) < score).astype(np.int64)
    if kind == "multiclass":
        block = rng.dirichlet(np.full(4, 0.6), n) * 0.98 + 0.005
        frame = pd.DataFrame({"id": ids} | {f"score_{c}": block[:, k] for k, c in enumerate(CLASSES)})
        pool = Pool.from_frame(frame, task="multiclass")
        return pool, np.array([rng.choice(4, p=row) for row in pool.score])
    if kind == "multilabel":
        block = rng.beta(0.6, 1.2, (n, 4))
        frame = pd.DataFrame({"id": ids} | {f"score_{c}": block[:, k] for k, c in enumerate(CLASSES)})
        return Pool.from_frame(frame, task="multilabel"), (rng.random((n, 4)) < block).astype(np.int64)
    pred, sd = rng.normal(3, 2, n), rng.uniform(0.3, 2, n)
    frame = pd.DataFrame({"id": ids, "pred": pred, "pred_sd": sd})
    return Pool.from_frame(frame, task="regression"), pred + sd * rng.normal(size=n)


def answers(pool: Pool, y: NDArray[Any]) -> dict[str, Any]:
    return {str(id): decode_label(pool.task, label) for id, label in zip(pool.ids, y.tolist(), strict=True)}


def labelled(pool: Pool, y: NDArray[Any], metric: str | Metric, k: int, **options: Any) -> sv.Study:
    study = sv.create_study(pool, metric=metric, budget=k, **{"preset": "queue"} | options)
    known = answers(pool, y)
    study.tell_all((item, known[item.id]) for item in study.ask(k))
    return study


# ------------------------------------------------------------------ scikit-learn, under a census


def one_hot(y: Any, width: int) -> NDArray[Any]:
    return np.asarray(y) if np.ndim(y) == 2 else np.eye(width, dtype=int)[np.asarray(y)]


def averaged(score: Callable[..., Any], average: str | None) -> Callable[[Pool, Any], Any]:
    def found(pool: Pool, y: Any) -> Any:
        nan = {"zero_division": 0.0 if score is sk.jaccard_score else np.nan}
        return score(one_hot(y, pool.task.width), one_hot(pool.pred, pool.task.width), average=average, **nan)

    return found


def of_decisions(score: Callable[..., Any], **options: Any) -> Callable[[Pool, Any], Any]:
    return lambda pool, y: score(y, pool.pred, **options)


def per_threshold(pool: Pool, y: Any, score: Callable[..., Any], **options: Any) -> NDArray[Any]:
    """Decisions at each threshold are to scikit-learn one of 101 labels."""
    above = pool.score[:, None] >= np.arange(101) / 100
    return np.asarray(score(np.broadcast_to(y[:, None], above.shape), above, average=None, **options))


def rates(pool: Pool, y: Any) -> NDArray[Any]:
    false = [np.mean(pool.score[y == 0] >= t) for t in np.arange(101) / 100]
    return np.array(false + [np.mean(pool.score[y == 1] >= t) for t in np.arange(101) / 100])


def precisions(pool: Pool, y: Any) -> NDArray[Any]:
    return per_threshold(pool, y, sk.precision_score, zero_division=np.nan)


def pr_points(pool: Pool, y: Any) -> NDArray[Any]:
    return np.append(precisions(pool, y), per_threshold(pool, y, sk.recall_score))


def lift(pool: Pool, y: Any) -> NDArray[Any]:
    return precisions(pool, y) / np.mean(y)


def calibration(pool: Pool, y: Any, *, curve: bool) -> Any:
    """The expected calibration error by loops, since scikit-learn has no function for it."""
    shares, gap, score = [], 0.0, pool.score
    if pool.task.kind == "multiclass":
        score, y = score[np.arange(len(y)), pool.pred], y == pool.pred
    for k in range(10):
        inside = (score >= k / 10) & (score < (k + 1) / 10)
        shares.append(y[inside].mean() if inside.any() else np.nan)
        gap += abs((y[inside] - score[inside]).sum())
    return np.array(shares) if curve else gap / len(y)


# Definitions that differ from scikit-learn's are named where they do.
REFERENCE: dict[str, Callable[[Pool, Any], Any]] = {
    "f1": of_decisions(sk.f1_score),
    "precision": of_decisions(sk.precision_score),
    "recall": of_decisions(sk.recall_score),
    "accuracy": of_decisions(sk.accuracy_score),
    "specificity": of_decisions(sk.recall_score, pos_label=0),
    "f0.5": of_decisions(sk.fbeta_score, beta=0.5),
    "f2": of_decisions(sk.fbeta_score, beta=2.0),
    "jaccard": of_decisions(sk.jaccard_score),
    # scikit-learn's function of this name compares clusterings (pairs of items)
    "fowlkes_mallows": lambda pool, y: np.sqrt(
        sk.precision_score(y, pool.pred) * sk.recall_score(y, pool.pred)
    ),
    "prevalence": lambda pool, y: np.mean(y),
    "positives": lambda pool, y: np.sum(y),
    "missed_positives": lambda pool, y: np.sum(y * (1 - pool.pred)),
    "micro_f1": averaged(sk.f1_score, "micro"),
    "micro_precision": averaged(sk.precision_score, "micro"),
    "micro_recall": averaged(sk.recall_score, "micro"),
    "micro_jaccard": averaged(sk.jaccard_score, "micro"),
    "hamming": of_decisions(sk.hamming_loss),
    "exact_match": of_decisions(sk.accuracy_score),
    "balanced_accuracy": of_decisions(sk.balanced_accuracy_score),
    "mcc": of_decisions(sk.matthews_corrcoef),
    "kappa": of_decisions(sk.cohen_kappa_score),
    "macro_f1": averaged(sk.f1_score, "macro"),
    # Y eq 102; not scikit-learn's macro-F1
    "macro_f1_of_means": lambda pool, y: (
        2
        * (p := averaged(sk.precision_score, "macro")(pool, y))
        * (r := averaged(sk.recall_score, "macro")(pool, y))
        / (p + r)
    ),
    "macro_precision": averaged(sk.precision_score, "macro"),
    "macro_recall": averaged(sk.recall_score, "macro"),
    "macro_jaccard": averaged(sk.jaccard_score, "macro"),
    "weighted_f1": averaged(sk.f1_score, "weighted"),
    "brier": lambda pool, y: sk.brier_score_loss(y, pool.score, scale_by_half=True),
    "brier_sum": lambda pool, y: sk.brier_score_loss(y, pool.score, scale_by_half=False),
    "log_loss": lambda pool, y: sk.log_loss(y, pool.score, labels=range(pool.task.width)),
    "ece": lambda pool, y: calibration(pool, y, curve=False),
    "average_precision": lambda pool, y: sk.average_precision_score(y, pool.score),
    "auc": lambda pool, y: sk.roc_auc_score(y, pool.score),
    "mae": of_decisions(sk.mean_absolute_error),
    "mse": of_decisions(sk.mean_squared_error),
    "rmse": of_decisions(sk.root_mean_squared_error),
    "r2": of_decisions(sk.r2_score),
    "bias": lambda pool, y: np.mean(y - pool.pred),
    "mean_label": lambda pool, y: np.mean(y),
    "precision_recall": lambda pool, y: [sk.precision_score(y, pool.pred), sk.recall_score(y, pool.pred)],
    "pr_curve": pr_points,
    "roc_curve": rates,
    "f1_curve": lambda pool, y: per_threshold(pool, y, sk.f1_score),
    "lift_curve": lift,
    "reliability": lambda pool, y: calibration(pool, y, curve=True),
    "class_precision": averaged(sk.precision_score, None),
    "class_recall": averaged(sk.recall_score, None),
    "class_f1": averaged(sk.f1_score, None),
    "class_support": lambda pool, y: one_hot(y, pool.task.width).sum(axis=0),
    "class_predicted": lambda pool, y: one_hot(pool.pred, pool.task.width).sum(axis=0),
    "class_missed": lambda pool, y: (
        one_hot(y, pool.task.width) * (1 - one_hot(pool.pred, pool.task.width))
    ).sum(axis=0),
    "class_false_alarms": lambda pool, y: (
        (1 - one_hot(y, pool.task.width)) * one_hot(pool.pred, pool.task.width)
    ).sum(axis=0),
    "confusion": lambda pool, y: sk.confusion_matrix(pool.pred, y, labels=range(pool.task.width)).ravel(),
}


def test_every_metric_has_a_reference() -> None:
    assert set(REFERENCE) == set(METRICS)


@every
@pytest.mark.parametrize("seed", [3, 4])
def test_scikit_learn_agrees_on_the_whole_pool(name: str, kind: str, seed: int) -> None:
    pool, y = pool_of(kind, seed=seed)
    metric = METRICS[name]
    value = metric.value(mean_loss(metric, pool.items, y)) * metric.scale(pool.size)
    np.testing.assert_allclose(value, np.atleast_1d(REFERENCE[name](pool, y)), rtol=1e-12, atol=1e-12)


@every
def test_many_mean_losses_are_valued_at_once(name: str, kind: str, rng: np.random.Generator) -> None:
    """Agreement beyond chance took the draws of a posterior one by one, a fifth of the time of the page of results."""
    pool, y = pool_of(kind)
    metric, loss = METRICS[name], np.asarray(METRICS[name].loss(pool.items, y))
    risks = rng.dirichlet(np.full(pool.size, 0.1), 20) @ loss  # so uneven that some leave it undefined
    np.testing.assert_allclose(metric.value(risks.T).T, [metric.value(risk) for risk in risks], rtol=1e-12)
    if metric.counts.wholes is not None:
        wholes = np.array([metric.counts.wholes(risk) for risk in risks], float)
        found = np.asarray(risks @ metric.counts.whole_slopes(risks.shape[1]), float)
        np.testing.assert_allclose(found, wholes, atol=1e-12)


@pytest.mark.parametrize("kind", ["multiclass", "multilabel"])
@pytest.mark.parametrize("predicted", [True, False])
@pytest.mark.parametrize(
    "name", ["macro_f1", "macro_precision", "macro_recall", "macro_f1_of_means", "macro_jaccard"]
)
def test_scikit_learn_agrees_on_means_where_a_class_has_no_item(
    name: str, predicted: bool, kind: Kind, rng: np.random.Generator
) -> None:
    """With `zero_division=nan` it leaves out a class without recall, or without any decision or item."""
    y, pred = rng.integers(0, 2, (2, 60, 4)) if kind == "multilabel" else rng.integers(0, 3, (2, 60))
    if kind == "multilabel":
        y[:, 3] = pred[:, 3] = 0
        pred[0, 3] = predicted
        frame = pd.DataFrame(pred, columns=[f"pred_{c}" for c in CLASSES])
    else:
        pred[0] = 3 if predicted else 0
        frame = pd.DataFrame({"pred": np.array(CLASSES)[pred]})
    pool = Pool.from_frame(frame, fields=[], task=kind, classes=CLASSES)
    true, decided = one_hot(y, 4) > 0, one_hot(pred, 4) > 0
    if name == "macro_jaccard":  # its `zero_division` can only be 0 or 1
        both, either = (true & decided).sum(axis=0), (true | decided).sum(axis=0)
        wanted = np.mean(both[either > 0] / either[either > 0])
    else:
        wanted = REFERENCE[name](pool, y)
    value = METRICS[name].value(mean_loss(METRICS[name], pool.items, y))
    assert value[0] == pytest.approx(wanted, abs=1e-12)


def test_the_ratio_of_one_class_alone_is_no_mean() -> None:
    pool, y = pool_of("multiclass")
    for name in ("macro_recall", "balanced_accuracy"):
        risk = mean_loss(METRICS[name], pool.items, np.zeros_like(y))
        assert np.isnan(METRICS[name].value(risk))
        assert METRICS[name].reason(risk, pool.task) == "no item was found that is 'cat', 'dog', 'eel'"


def test_it_is_said_which_brier_score_is_scikit_learns() -> None:
    """Half of the number that it gives for several classes was said to be as in scikit-learn."""
    for kind, name in (("binary", "brier"), ("multiclass", "brier_sum")):
        pool, y = pool_of(kind)
        value = METRICS[name].value(mean_loss(METRICS[name], pool.items, y))[0]
        assert value == pytest.approx(sk.brier_score_loss(y, pool.score))
    assert "half the sum over more classes" in METRICS["brier"].about
    assert "scikit-learn's for more than two classes" in METRICS["brier_sum"].about


@pytest.mark.parametrize("k", [1, 2, 3, 4, 9])
def test_scikit_learn_agrees_on_the_highest_scores(k: int) -> None:
    pool, y = pool_of("multiclass")
    metric = sv.metrics.resolve(f"top{k}_accuracy")
    wanted = sk.top_k_accuracy_score(y, pool.score, k=min(k, 4), labels=range(4)) if k < 4 else 1.0
    assert metric.value(mean_loss(metric, pool.items, y))[0] == pytest.approx(wanted, abs=1e-12)
    assert labelled(pool, y, f"top{k}_accuracy", pool.size).estimate().value == pytest.approx(wanted)


def test_decisions_without_scores_leave_no_second_guess() -> None:
    pool, y = pool_of("multiclass")
    bare = Pool.from_frame(pd.DataFrame({"pred": [CLASSES[c] for c in pool.pred]}), task="multiclass")
    second = sv.metrics.resolve("top2_accuracy")
    assert second.value(mean_loss(second, bare.items, y))[0] == pytest.approx(np.mean(pool.pred == y))


def test_a_class_without_items_weighs_nothing() -> None:
    frame = pd.DataFrame({"pred": ["a", "b", "c", "c"]})
    pool = Pool.from_frame(frame, task="multiclass", classes=["a", "b", "c", "d"])
    f1 = METRICS["weighted_f1"]
    y = np.array([0, 1, 0, 0])  # nothing is c, though two are called so; nothing is or is called d
    risk = mean_loss(f1, pool.items, y)
    assert f1.value(risk)[0] == pytest.approx(sk.f1_score(y, pool.pred, average="weighted"))
    lost = mean_loss(f1, pool.items, np.array([0, 1, 3, 3]))
    assert f1.value(lost)[0] == pytest.approx(0.5)
    nothing = np.append(np.zeros(12), 1.0)
    assert np.isnan(f1.value(nothing)[0])
    assert f1.reason(nothing, pool.task) == "no label was found"


@pytest.mark.parametrize("name", ["balanced_accuracy", "mcc"])
def test_the_class_counts_give_the_papers_binary_forms(name: str) -> None:
    """M Table 1, from (mean of yŷ, of y, of ŷ)."""
    pool, y = pool_of("binary")
    both, true, pred = (y * pool.pred).mean(), y.mean(), pool.pred.mean()
    paper = {
        "balanced_accuracy": (both + true * (1 - true - pred)) / (2 * true * (1 - true)),
        "mcc": (both - true * pred) / np.sqrt(true * pred * (1 - true) * (1 - pred)),
    }
    metric = METRICS[name]
    assert metric.value(mean_loss(metric, pool.items, y))[0] == pytest.approx(paper[name], rel=1e-12)


def test_a_census_of_many_classes_takes_little_memory() -> None:
    """Its losses, one for each pair of decision and label, would be 3,600 × 3,600 numbers: 104 MB."""
    pred, y = (np.random.default_rng(k).integers(0, 60, 10_000) for k in range(2))
    frame = pd.DataFrame({"pred": pred.astype(str)})
    pool = Pool.from_frame(frame, task="multiclass", classes=[str(c) for c in range(60)])
    tracemalloc.start()
    found = mean_loss(METRICS["confusion"], pool.items, y)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20e6
    counts = sk.confusion_matrix(pred, y, labels=range(60)).ravel() / len(y)
    np.testing.assert_allclose(METRICS["confusion"].value(found), counts)


# ------------------------------------------------------------------ the parts fit together


@every
def test_the_jacobian_agrees_with_finite_differences(name: str, kind: str) -> None:
    pool, y = pool_of(kind)
    metric = METRICS[name]
    risk = mean_loss(metric, pool.items, y) * 0.7  # any scale: g is homogeneous
    given = metric.gradient(risk)
    dense = given.toarray() if sparse.issparse(given) else given
    assert dense.shape == (len(metric.components(pool.task)), len(risk))
    with np.errstate(all="ignore"):
        differences = numeric_jacobian(metric.g, risk)
    there = np.isfinite(metric.value(risk))
    np.testing.assert_allclose(dense[there], differences[there], rtol=2e-6, atol=2e-6)
    np.testing.assert_allclose(dense[there] @ risk, 0, atol=1e-9)


@celled
def test_items_of_one_cell_have_one_loss(name: str, kind: str) -> None:
    pool, y = pool_of(kind)
    metric = METRICS[name]
    assert metric.cells is not None
    codes = metric.cells(pool.items)
    for label in range(pool.task.width):
        loss = metric.loss(pool.items, np.full(len(y), label))
        first = {code: row for row, code in reversed(list(enumerate(codes)))}
        np.testing.assert_array_equal(loss, loss[[first[code] for code in codes]])


def brute(metric: Metric, pool: Pool, mean: NDArray[Any], risk: NDArray[Any]) -> Iterator[tuple[float, ...]]:
    """(E‖d‖², E‖d‖, E‖d − Ed‖²) item by item, over all labels one by one."""
    jacobian = metric.gradient(risk)
    jacobian = np.nan_to_num(jacobian.toarray() if sparse.issparse(jacobian) else jacobian)
    for n in range(pool.size):
        item = pool.items.take(np.array([n]))
        if pool.task.kind == "multilabel":
            sets = list(product((0, 1), repeat=pool.task.width))
            p = np.array([np.prod(np.where(np.array(s) == 1, mean[n], 1 - mean[n])) for s in sets])
            labels = [np.array([s]) for s in sets]
        elif pool.task.kind == "multiclass":
            p, labels = mean[n], [np.array([c]) for c in range(pool.task.width)]
        else:
            p, labels = np.array([1 - mean[n], mean[n]]), [np.array([0]), np.array([1])]
        d = np.stack([jacobian @ metric.loss(item, y)[0] for y in labels])
        norms = np.sqrt((d**2).sum(axis=1))
        centre = p @ d
        yield float(p @ norms**2), float(p @ norms), float(p @ norms**2 - centre @ centre)


@listed
def test_expected_deviations_equal_brute_force(name: str, kind: str) -> None:
    pool, _ = pool_of(kind, 12)
    metric, belief = METRICS[name], belief_of(pool, shrinkage=0.8)
    found = moments(metric, pool.items, belief)
    wanted = np.array(list(brute(metric, pool, belief.mean, predicted_risk(metric, pool.items, belief))))
    np.testing.assert_allclose(found.square, wanted[:, 0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.variance, wanted[:, 2], rtol=1e-8, atol=1e-12)
    if (
        kind == "multilabel" and metric.shortcuts.by_label is not None
    ):  # a bound, tight where labels are near certain
        assert (found.absolute >= wanted[:, 1] * (1 - 1e-9)).all()
        assert (found.absolute**2 <= found.square * (1 + 1e-9)).all()
    else:
        np.testing.assert_allclose(found.absolute, wanted[:, 1], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("f1", "binary"), ("macro_f1", "multiclass"), ("exact_match", "multilabel"), ("mae", "regression")],
)
def test_predicted_losses_count_as_often_as_their_items(name: str, kind: str) -> None:
    pool, _ = pool_of(kind, 12)
    metric, belief, count = METRICS[name], belief_of(pool, shrinkage=0.8), np.arange(12)
    each = expected_loss(metric, pool.items, belief)
    found = predicted_risk(metric, pool.items, belief, weight=count.astype(float))
    np.testing.assert_allclose(found, np.repeat(each, count, axis=0).sum(axis=0) / 12)


@cases(keep=lambda metric, kind: kind == "multiclass" and metric.shortcuts.by_class is not None)
@pytest.mark.parametrize("wrapped", ["alone", "part", "difference"])
def test_classes_in_turn_cost_no_list_of_losses(name: str, kind: str, wrapped: str) -> None:
    """What is said of all classes at once is what they are one by one, and ℓ of chances is the mean."""
    pool, _ = pool_of(kind, 12)
    metric, parts = METRICS[name], np.arange(12) % 3
    if wrapped != "alone":
        metric = within(METRICS[name], parts == 0, "a third")
    if wrapped == "difference":
        metric = minus(metric, within(METRICS[name], parts == 1, "the next third"))
    belief = belief_of(pool, shrinkage=0.8)
    losses = [metric.loss(pool.items, np.full(12, c)) for c in range(pool.task.width)]
    jacobian = np.random.default_rng(2).normal(size=(3, losses[0].shape[1]))
    assert metric.shortcuts.by_class is not None
    for effect, loss in zip(metric.shortcuts.by_class(pool.items, jacobian), losses, strict=True):
        np.testing.assert_allclose(effect, loss @ jacobian.T, atol=1e-12)
    mean = sum(p[:, None] * loss for p, loss in zip(belief.mean.T, losses, strict=True))
    np.testing.assert_allclose(metric.loss(pool.items, belief.mean), mean, atol=1e-12)


def test_the_nodes_of_numbers_are_those_of_gauss() -> None:
    """Four nodes and weights have no other choice where E|Z|^k = 2^(k/2) Γ((k + 1)/2)/√π for k = 0 … 7."""
    power = np.arange(8)
    wanted = 2 ** (power / 2) * special.gamma((power + 1) / 2) / np.sqrt(np.pi)
    np.testing.assert_allclose(HALF ** power[:, None] @ SHARE, wanted, rtol=1e-13)
    assert special.ndtri(0.995) == EXTREME


@numeric
def test_expected_errors_follow_the_error_scale(name: str, kind: str) -> None:
    """Gauss nodes against a fine sum over the normal belief."""
    pool, _ = pool_of(kind, 8)
    metric, belief = METRICS[name], belief_of(pool, shrinkage=1.0)
    found, risk = moments(metric, pool.items, belief), predicted_risk(metric, pool.items, belief)
    z = np.linspace(-9, 9, 20_001)
    weight = np.exp(-(z**2) / 2) / np.exp(-(z**2) / 2).sum()
    for n in range(pool.size):
        item = pool.items.take(np.full(len(z), n))
        d = metric.loss(item, belief.mean[n] + belief.sd[n] * z) @ metric.gradient(risk).T
        assert found.square[n] == pytest.approx(weight @ d[:, 0] ** 2, rel=1e-6)


@every
def test_the_predicted_risk_is_the_mean_of_expected_losses(name: str, kind: str) -> None:
    pool, _ = pool_of(kind)
    metric, belief = METRICS[name], belief_of(pool)
    by_hand = expected_loss(metric, pool.items, belief).mean(axis=0)
    np.testing.assert_allclose(predicted_risk(metric, pool.items, belief), by_hand, rtol=1e-10, atol=1e-12)


# ------------------------------------------------------------------ studies


@scalar
@pytest.mark.parametrize("preset", ["queue", "uniform", "yilmaz-is"])
def test_a_census_gives_the_exact_value_and_width_0(name: str, kind: str, preset: str) -> None:
    pool, y = pool_of(kind, 24)
    study = labelled(pool, y, name, pool.size, preset=preset)
    found = study.estimate(name)
    if found.method != "census":  # items that cannot matter are never asked
        assert study.labels < pool.size
        if preset == "yilmaz-is":  # draws with replacement stay random
            return
    assert found.value == pytest.approx(REFERENCE[name](pool, y), rel=1e-9)
    assert found.variance == pytest.approx(0, abs=1e-15)


@cache
def shuffled(kind: str) -> tuple[Pool, NDArray[Any]]:
    """The items of `pool_of(kind, 40)` in another order."""
    pool, y = pool_of(kind, 40)
    frame = pd.DataFrame({"id": pool.ids})
    if kind == "regression":
        frame["pred"], frame["pred_sd"] = pool.pred, pool.systems[0].error
    elif kind == "binary":
        frame["score"] = pool.score
    else:
        for k, c in enumerate(CLASSES):
            frame[f"score_{c}"] = pool.score[:, k]
    order = np.random.default_rng(1).permutation(pool.size)
    return Pool.from_frame(frame.iloc[order].reset_index(drop=True), task=pool.task.kind), y[order]


@scalar
def test_the_order_of_the_rows_changes_nothing(name: str, kind: str) -> None:
    a, b = (labelled(*items, name, 20).estimate() for items in (pool_of(kind, 40), shuffled(kind)))
    np.testing.assert_allclose([a.value, a.variance], [b.value, b.variance], rtol=1e-8)
    np.testing.assert_allclose(
        [a.interval.low, a.interval.high], [b.interval.low, b.interval.high], rtol=1e-8
    )


@scalar
def test_estimates_of_every_metric_come_from_one_sample(name: str, kind: str) -> None:
    """With intervals inside the range, whichever metric shaped the sample."""
    pool, y = pool_of(kind)
    metric = METRICS[name]
    first = sv.metrics.for_kind(pool.task.kind)[0]
    study = labelled(pool, y, first, 40, defensive=0.1)
    found = study.estimate(name)
    low, high = (end * metric.scale(pool.size) for end in metric.range)
    assert np.isfinite(found.value), found.note
    assert low <= found.interval.low <= found.value <= found.interval.high <= high


@scalar
def test_silent_items_widen_the_interval(name: str, kind: str) -> None:
    pool, y = pool_of(kind)
    known = answers(pool, y)

    def estimate(silent: int) -> sv.Estimate:
        study = sv.create_study(pool, metric=name, budget=40, preset="queue")
        study.tell_all(
            (item, sv.UNSURE if 10 <= k < 10 + silent else known[item.id])
            for k, item in enumerate(study.ask(40))
        )
        return study.estimate()

    told, found = estimate(0).interval, estimate(8)
    assert found.interval.low <= told.low <= told.high <= found.interval.high
    assert found.interval.width > told.width
    assert "without an answer" in found.note
    assert np.isfinite(found.value)


@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.5, 1.0])
def test_micro_f_is_that_of_all_labels_taken_as_one_task(alpha: float) -> None:
    pool, labels = pools.multilabel()
    y, pred = np.asarray(labels.values), pool.pred
    found = true_value(sv.metrics.micro_f(alpha), pool, labels)
    assert found == pytest.approx((y * pred).sum() / (alpha * pred + (1 - alpha) * y).sum())
    assert np.isnan(true_value(sv.metrics.micro_f(alpha), pool, None))


@pytest.mark.parametrize(
    ("make", "wrong", "name"),
    [(sv.metrics.f_alpha, 2, "alpha"), (sv.metrics.f_alpha, "x", "alpha"), (sv.metrics.f_beta, -1, "beta"),
     (sv.metrics.f_beta, None, "beta"), (sv.metrics.micro_f, 2.5, "alpha"), (sv.metrics.f_curve, np.nan, "alpha"),
     (sv.metrics.log_loss, 0, "clip"), (sv.metrics.log_loss, "x", "clip"),
     (sv.metrics.calibration_error, 0, "bins"), (sv.metrics.reliability, 2.5, "bins")],
)  # fmt: skip
def test_metrics_that_mean_nothing_are_refused(make: Any, wrong: Any, name: str) -> None:
    with pytest.raises(sv.InputError, match=f"`{name}` must"):
        make(wrong)


def test_a_reliability_without_a_value_says_of_how_many_bins_nothing_is_known() -> None:
    """The note had named the first five bins as if there were no others."""
    reason = sv.metrics.reliability(bins=8).reason(np.zeros(16), Task("binary"))
    assert reason == (
        "no labelled item has a score in 0–0.125, 0.125–0.25, 0.25–0.375, 0.375–0.5, 0.5–0.625 and 3 more"
    )


def test_r2_calls_labels_alike_only_where_they_are() -> None:
    """Weighed by a sample, the mean square may fall below the squared mean of labels that all differ."""
    metric, task = METRICS["r2"], Task("regression", ())
    alike, differing = np.array([1.0, 3.0, 9.0, 1.0]), np.array([1.0, 3.0, 8.5, 1.0])
    assert np.isnan([metric.value(alike), metric.value(differing)]).all()
    assert metric.reason(alike, task) == "all labels found are alike"
    assert metric.reason(differing, task) == "the labels so far do not show how much the true values vary"


@pytest.mark.parametrize("items", [3_000, 100_000])
def test_r2_has_no_value_where_the_labels_of_many_items_are_alike(items: int) -> None:
    """Rounding errors grow with the number of items, and R² had been -4e13."""
    pool = Pool.from_frame(
        pd.DataFrame({"pred": np.random.default_rng(0).normal(3, 2, items)}), task="regression"
    )
    metric = METRICS["r2"]
    for label in np.arange(-2, 8, 0.7):
        risk = mean_loss(metric, pool.items, np.full(items, label))
        assert np.isnan(metric.value(risk)).all()
        assert metric.reason(risk, pool.task) == "all labels found are alike"


@pytest.mark.parametrize("far", [1e7, 1.7e9, -1e11])
def test_r2_does_not_mind_how_far_from_0_the_labels_are(far: float) -> None:
    """Squares of labels far from 0 would have no digits left for their differences."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=(2, 300))
    y, a, b = far + truth[0], far + truth[0] / 2, far + truth.mean(axis=0)
    part = truth[0] > 0
    of = {"a": {"pred": "a"}, "b": {"pred": "b"}}
    pool = Pool.from_frame(pd.DataFrame({"a": a, "b": b}), task="regression", system=of)
    near = Pool.from_frame(pd.DataFrame({"a": a - far, "b": b - far}), task="regression", system=of)
    metric, of_b = METRICS["r2"], of_system(METRICS["r2"], "b")
    for found, wanted in [
        (metric, sk.r2_score(y, a)),
        (of_b, sk.r2_score(y, b)),
        (difference(metric, "a", "b"), sk.r2_score(y, a) - sk.r2_score(y, b)),
        (within(of_b, part, "high"), sk.r2_score(y[part], b[part])),
        (of_system(within(metric, part, "high"), "b"), sk.r2_score(y[part], b[part])),
    ]:
        assert found.value(mean_loss(found, pool.items, y)) == pytest.approx(wanted, rel=1e-9)
        here, there = (
            labelled(own, label, found, 60).estimate() for own, label in [(pool, y), (near, y - far)]
        )
        assert (here.value, here.variance) == pytest.approx((there.value, there.variance), rel=1e-3)


def test_whole_numbers_below_0_are_no_unknown_labels() -> None:
    pool = Pool.from_frame(pd.DataFrame({"pred": [1.0, -2.0]}), task="regression")
    assert METRICS["mae"].value(mean_loss(METRICS["mae"], pool.items, np.array([-1, -4]))) == 2


def test_a_score_at_the_edge_of_a_bin_lies_in_the_upper_one() -> None:
    """0.29 · 100 is 28.999…: products round, edges do not."""
    score = np.arange(100) / 100
    pool = Pool.from_frame(pd.DataFrame({"score": score}))
    assert bin_of(pool.items, 100).tolist() == list(range(100))


SCORES = pd.DataFrame({"id": range(60), "score": [0.01 + k / 70 for k in range(60)]})
JUDGES_SCORES = {"brier", "brier_sum", "log_loss", "ece", "auc", "average_precision"}


def test_what_judges_scores_is_offered_to_pools_that_have_some() -> None:
    """Decisions stand in as scores of 0 and 1: a Brier score of them is the error rate by another name."""
    pool = sv.Pool.from_frame(SCORES)
    assert sv.metrics.for_pool(pool) == sv.metrics.questions(pool) == sv.metrics.for_kind("binary")
    frame = pd.DataFrame({"pred": [k % 2 for k in range(60)], "label": [int(k % 3 == 0) for k in range(60)]})
    decided = sv.Pool.from_frame(frame)
    kept = sv.metrics.for_pool(decided)
    assert set(sv.metrics.for_kind("binary")) - set(kept) == JUDGES_SCORES
    assert sv.metrics.questions(decided) == kept
    study = sv.create_study(decided, metric="f1", budget=60, preset="uniform")
    study.answer(Labels.from_frame(frame, decided), 60)
    assert not JUDGES_SCORES & {found.metric for found in study.estimates()}
    assert np.isfinite(study.estimate("brier").value)  # whoever names it gets it


def test_a_pool_made_without_columns_has_scores_if_some_are_no_decisions() -> None:
    ids, task = np.array(["a", "b"], object), Task()
    for score, has in (([0.0, 1.0], False), ([0.0, 0.4], True)):
        system = System("", np.array(score), np.array([0, 1], np.int8), np.empty(0))
        assert scored(Pool(ids, task, (system,))) is has


def test_metrics_made_of_others_judge_scores_as_they_do() -> None:
    for name in ("brier[a]", "brier[a - b]", "top3_accuracy", "pr_curve", "reliability"):
        assert sv.metrics.resolve(name).of_scores
    assert not sv.metrics.resolve("f1[a - b]").of_scores


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("f1_macro", "macro_f1"),
        ("Precision_Micro", "micro_precision"),
        ("f1_weighted", "weighted_f1"),
        ("f1_score", "f1"),
        ("roc_auc_score", "auc"),
        ("balanced_accuracy_score", "balanced_accuracy"),
        ("mean_squared_error", "mse"),
        ("top_2_accuracy", "top2_accuracy"),
        ("top_k_accuracy_score", "top3_accuracy"),
        ("neg_root_mean_squared_error", "rmse"),
        ("mean_absolute_error", "mae"),
        ("mean_error", "bias"),
        ("sensitivity", "recall"),
        ("roc", "roc_curve"),
        ("confusion_matrix", "confusion"),
        ("f1-score", "f1"),
        ("f1score", "f1"),
        ("Macro F1", "macro_f1"),
        ("acc", "accuracy"),
        ("PR-AUC", "average_precision"),
        ("cross_entropy", "log_loss"),
    ],
)
def test_a_metric_called_by_its_title_or_as_others_call_it_is_suggested(name: str, meant: str) -> None:
    """scikit-learn's scorers end in what ours begin with, errors are written out in full, and people say "acc" ("mcc" was)."""
    with pytest.raises(sv.InputError, match=f"did you mean '{meant}'"):
        sv.metrics.resolve(name)


def test_a_word_of_many_titles_suggests_none() -> None:
    """A user who wrote "error" was asked whether "bias" was meant."""
    for name in ("error", "mean", "of", "the", "score"):
        with pytest.raises(sv.InputError, match="there is 'f1'"):
            sv.metrics.resolve(name)


@pytest.mark.parametrize(
    ("name", "usual"),
    [("f1.0", "f1"), ("f3.0", "f3"), ("pr_curve@101", "pr_curve"), ('f1["b"]', "f1[b]"), ("f1.0[b - a]", "f1[b - a]")],
)  # fmt: skip
def test_names_of_one_metric_give_one_object(name: str, usual: str) -> None:
    """A second object of the same name would be taken for a user's own metric."""
    assert sv.metrics.resolve(name) is sv.metrics.resolve(usual)
    assert sv.metrics.own([sv.metrics.resolve(name)]) == []


@every
def test_a_metric_that_was_used_goes_to_other_processes(name: str, kind: str) -> None:
    """What a metric remembers about a pool must be left out, since it holds references that cannot be pickled."""
    pool, y = pool_of(kind)
    used = [METRICS[name], *([sv.metrics.resolve("top2_accuracy")] if kind == "multiclass" else [])]
    for metric in map(replace, used):  # copies, since those of the registry are only named
        value = metric.value(mean_loss(metric, pool.items, y))
        sent = cloudpickle.loads(cloudpickle.dumps(metric))
        np.testing.assert_array_equal(sent.value(mean_loss(sent, pool.items, y)), value)


@pytest.mark.parametrize("name", [*METRICS, "f3", "top2_accuracy", "pr_curve@64", "recall[b - a]"])
def test_a_metric_of_the_registry_is_the_same_object_in_another_process(name: str) -> None:
    """joblib and multiprocessing send pickles, which had refused the functions within."""
    metric = sv.metrics.resolve(name)
    assert pickle.loads(pickle.dumps(metric)) is metric
    assert copy.deepcopy(metric) is metric


def right_and_all(items: sv.pool.Items, y: NDArray[Any]) -> NDArray[Any]:
    return np.column_stack([y == items.pred, np.ones(len(y))]).astype(float)


def first_share(risk: NDArray[Any]) -> NDArray[Any]:
    return risk[:1] / risk[1]


def all_columns(items: sv.pool.Items, y: NDArray[Any]) -> tuple[NDArray[Any], float]:
    return y * items.pred, 1.0


MADE = {
    "a part": within(METRICS["f1"], np.arange(60) % 3 == 0, "a third"),
    "a part, with ranks of its own": within(METRICS["auc"], np.arange(60) % 3 == 0, "a third"),
    "a part of a total": within(METRICS["positives"], np.arange(60) % 3 == 0, "a third"),
    "a difference": minus(METRICS["precision"], METRICS["recall"], title="More precise than complete"),
    "two parts": minus(
        within(METRICS["f1"], np.arange(60) % 3 == 0, "a third"),
        within(METRICS["f1"], np.arange(60) % 3 == 1, "the next third"),
    ),
    "of a system": of_system(within(METRICS["f1"], np.arange(60) % 3 == 0, "a third"), "b"),
    "F with a number": sv.metrics.f_beta(2.5),
    "a curve at thresholds of one's own": sv.metrics.roc_curve(np.array([0.2, 0.5])),
    "a ratio of one's own": sv.metrics.ratio("found", "Found", all_columns),
    "a share of one's own": Metric("right", "Right", right_and_all, first_share, counts=Counts(share=True)),
}


def test_a_total_in_a_part_of_a_part_is_over_the_items_in_both() -> None:
    """It was over all items of the outer part, and so twice as many."""
    pool, y = pool_of("binary")
    even, first = np.arange(60) % 2 == 0, np.arange(60) < 30
    metric = within(within(METRICS["positives"], even, "even"), first, "first half")
    value = metric.value(mean_loss(metric, pool.items, y)) * metric.scale(60)
    assert value == pytest.approx(y[even & first].sum())


@pytest.mark.parametrize("metric", MADE.values(), ids=MADE)
def test_a_metric_that_was_made_is_made_again_in_another_process(metric: Metric) -> None:
    """Those without a name that `resolve` knows hold functions that no pickle can."""
    one, y = pool_of("binary")
    pool = Pool.from_frame(pd.DataFrame({"a.score": one.score, "b.score": one.score[::-1]}))
    sent = pickle.loads(pickle.dumps(metric))
    assert (sent.name, sent.title, sent.outputs) == (metric.name, metric.title, metric.outputs)
    risk, found = (mean_loss(each, pool.items, y) for each in (metric, sent))
    np.testing.assert_array_equal(found, risk)
    np.testing.assert_array_equal(sent.value(found), metric.value(risk))
    np.testing.assert_array_equal(dense(sent.gradient(found)), dense(metric.gradient(risk)))
    assert copy.deepcopy(metric) is copy.copy(metric) is metric


def test_a_changed_copy_of_a_metric_is_not_sent_as_the_unchanged_one() -> None:
    changed = replace(MADE["a part"], title="Another")
    assert cloudpickle.loads(cloudpickle.dumps(changed)).title == "Another"


def test_a_study_of_a_part_of_the_pool_can_be_sent_to_another_process() -> None:
    pool, _ = pool_of("binary")
    study = sv.create_study(pool, metric=MADE["a part"], budget=9)
    study.tell_all([(item, item.place % 2) for item in study.ask(9)])
    assert pickle.loads(pickle.dumps(study)).estimate() == study.estimate()


def test_the_answers_of_a_study_can_be_sent_to_another_process() -> None:
    pool, _ = pool_of("binary")
    study = sv.create_study(pool, metric="f1", budget=5)
    study.tell_all([(item, item.place % 2) for item in study.ask(5)])
    run = study.run()
    assert run is not None
    assert pickle.loads(pickle.dumps(run)).labels.tolist() == run.labels.tolist()
    assert pickle.loads(pickle.dumps(study.state)).problem.main is sv.metrics.resolve("f1")


def test_log_loss_of_sure_scores_is_0_where_they_are_right_and_bounded_where_they_are_wrong() -> None:
    frame = pd.DataFrame({"id": range(4), "score": [1.0, 0.0, 0.0, 1.0], "label": [1, 0, 1, 1]})
    pool = sv.Pool.from_frame(frame, id="id", score="score", label="label")
    found = sv.metrics.resolve("log_loss").loss(pool.items, frame["label"].to_numpy())[:, 0]
    assert found.tolist() == [0, 0, pytest.approx(6 * np.log(10), rel=1e-12), 0]
