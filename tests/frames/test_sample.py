"""Reanalysis: what a statistician computes from the exported file alone, by textbook formulas, is what the study says."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, t

import sampleval as sv
from sampleval import frames, sheets
from sampleval.designs import Stratified
from sampleval.estimators import HorvitzThompson, infer
from sampleval.estimators.class_ratios import weight_bias
from sampleval.metrics import METRICS
from sampleval.presets import PRESETS
from sampleval.study import Study
from tests.pools import binary, multiclass, scored

Columns = dict[str, np.ndarray]
POOL, LABELS = binary(400)


def exported(study: Study) -> pd.DataFrame:
    """The sample as others read it from the file, sorted by item and round."""
    return pd.read_csv(io.BytesIO(sheets.to_csv(frames.sample(study))), dtype={"label": str, "pred": str})


def first(n: int) -> dict[str, str]:
    """The labels of the first items, to be held beforehand."""
    frame = scored(400).head(n)
    return dict(zip(frame["id"], frame["label"], strict=True))


def residuals(f: np.ndarray, g: np.ndarray, w: np.ndarray) -> tuple[float, np.ndarray]:
    """The ratio Σwf/Σwg, and what each item's linearised residual adds to its total per unit of weight."""
    ratio = (w @ f) / (w @ g)
    return ratio, (f - ratio * g) / (w @ g)


def poisson(table: pd.DataFrame, e: np.ndarray) -> float:
    """Horvitz–Thompson under Poisson sampling, Σ (1−b)/b² e²."""
    b = table["probability"].to_numpy()
    return float(((1 - b) / b**2) @ e**2)


def stratified(table: pd.DataFrame, e: np.ndarray) -> float:
    """Σ N_h² (1 − n_h/N_h) s_h²/n_h."""
    each = (
        table.assign(e=e).groupby("stratum").agg(n=("e", "size"), N=("stratum_size", "first"), s=("e", "var"))
    )
    return float((each.N**2 * (1 - each.n / each.N) * each.s / each.n).sum())


def hansen_hurwitz(table: pd.DataFrame, e: np.ndarray) -> float:
    """(1/J²) Σ_draws (e/q − c)², as Yilmaz et al. have it; the mean c is 0 if no label was held."""
    m, q = table["draws"].to_numpy(), table["probability"].to_numpy()
    return float(m @ (e / q - m @ (e / q) / m.sum()) ** 2 / m.sum() ** 2)


def unbiased(table: pd.DataFrame, e: np.ndarray) -> float:
    """The same over J(J − 1), Hansen & Hurwitz's own."""
    draws = table["draws"].sum()
    return hansen_hurwitz(table, e) * draws / (draws - 1)


def in_rounds(table: pd.DataFrame, e: np.ndarray) -> float:
    """Σ a_r² V_r, or that between the rounds if one of them is a single draw: Σ c (Z − R̂)²/(1 + Σ c), c = a²/(1 − 2a).

    An item's weight is a_r/b in its own round r and a_r in each later one, from which the a_r follow.
    """
    b, w, r = (table[name].to_numpy() for name in ("probability", "weight", "round"))
    last, later = int(r.max()), 0.0
    a, z, v = np.zeros((3, last))
    for k in range(last, 0, -1):
        own = r == k
        a[k - 1] = ((w[own] - later) * b[own])[0]
        later += a[k - 1]
        z[k - 1] = e[r < k].sum() + (e[own] / b[own]).sum()
        v[k - 1] = ((1 - b[own]) / b[own] ** 2) @ e[own] ** 2
    assert later == pytest.approx(1, abs=1e-9)
    if (np.bincount(r)[1:] > 1).all():
        return float(a**2 @ v)
    c = a**2 / (1 - 2 * a)
    return float(c @ (z - a @ z) ** 2 / (1 + c.sum()))


def korn_graubard(value: float, variance: float, tail: float) -> tuple[float, float]:
    """Clopper–Pearson at n* = F(1 − F)/V."""
    n = value * (1 - value) / variance
    x = n * value
    return float(beta.ppf(tail, x, n - x + 1)), float(beta.ppf(1 - tail, x + 1, n - x))


def of_beta(value: float, variance: float, tail: float) -> tuple[float, float]:
    """The quantiles of the Beta distribution with this mean and variance."""
    shape = value * (1 - value) / variance - 1
    low, high = beta.ppf([tail, 1 - tail], value * shape, (1 - value) * shape)
    return float(low), float(high)


VARIANCES: dict[str, Callable[[pd.DataFrame, np.ndarray], float]] = {
    "uniform": stratified,
    "stratified": stratified,
    "queue": poisson,
    "yilmaz-bs": poisson,
    "yilmaz-is": hansen_hurwitz,
    "yilmaz-online-bs": in_rounds,
    "marchant-is": unbiased,
    "marchant-flat": unbiased,
    "marchant-tree": unbiased,
    "oasis": unbiased,
    "active-testing": in_rounds,
}
LIMITS: dict[str, Callable[[float, float, float], tuple[float, float]]] = {
    "korn-graubard": korn_graubard,
    "beta": of_beta,
}
RATIOS: dict[str, Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]] = {
    "f1": lambda y, p: (y * p, (y + p) / 2),
    "precision": lambda y, p: (y * p, p),
    "recall": lambda y, p: (y * p, y),
}


@pytest.mark.parametrize("held", [0, 20])
@pytest.mark.parametrize("metric", RATIOS)
@pytest.mark.parametrize("preset", VARIANCES)
def test_the_file_alone_gives_values_and_variances(preset: str, metric: str, held: int) -> None:
    study = sv.create_study(POOL, metric="f1", budget=90, seed=7, preset=preset, held=first(held))
    while study.answer(LABELS, 90):
        pass
    table, found = exported(study), study.estimate(metric)
    y, p = ((table[name] == "spam").to_numpy(float) for name in ("label", "pred"))
    value, e = residuals(*RATIOS[metric](y, p), table["weight"].to_numpy())
    assert found.value == pytest.approx(value, rel=1e-9)
    drawn = table["stratum"] > 0
    assert (table.loc[~drawn, ["draws", "probability", "weight"]] == 1).all(
        axis=None
    )  # they stand for themselves
    if not isinstance(study.method.design, Stratified):
        assert (table.loc[drawn, "stratum"] == 1).all()
    variance = VARIANCES[preset](table[drawn], e[drawn])
    assert found.variance == pytest.approx(variance, rel=1e-9)
    limits = LIMITS[found.interval.method](value, variance, (1 - found.interval.level) / 2)
    assert (found.interval.low, found.interval.high) == pytest.approx(limits, rel=1e-7)


@pytest.mark.parametrize("held", [0, 20])
@pytest.mark.parametrize("preset", ["marchant-is", "active-testing"])
def test_the_file_alone_gives_the_accuracy_of_methods_that_count_errors(preset: str, held: int) -> None:
    study = sv.create_study(POOL, metric="f1", budget=90, seed=7, preset=preset, held=first(held))
    while study.answer(LABELS, 90):
        pass
    table, found = exported(study), study.estimate("accuracy")
    wrong = (table["label"] != table["pred"]).to_numpy(float) / POOL.size
    drawn = table["stratum"] > 0
    variance = VARIANCES[preset](table[drawn], wrong[drawn])
    value = 1 - float(table["weight"].to_numpy() @ wrong)
    assert (found.value, found.variance) == pytest.approx((value, variance), rel=1e-9)


def test_the_file_alone_gives_the_limits_of_an_error_without_a_largest_value() -> None:
    rng = np.random.default_rng(5)
    df = pd.DataFrame({"id": range(300), "pred": rng.gamma(2, 10, 300)})
    pool = sv.Pool.from_frame(df, id="id", pred="pred", fields=[], task="regression")
    study = sv.create_study(pool, metric="rmse", budget=60, seed=3, preset="queue")
    for item in study.ask(60):
        study.tell(item, float(df["pred"].iloc[int(item.id)] * rng.normal(1, 0.2)))
    table, found = exported(study), study.estimate()
    y, p, b, w = (table[name].to_numpy(float) for name in ("label", "pred", "probability", "weight"))
    square, e = residuals((y - p) ** 2, np.ones(len(table)), w)
    value = np.sqrt(square)
    s = (1 - b) / b**2 * (e / (2 * value)) ** 2
    k = np.count_nonzero(s)
    degrees = np.clip(2 / ((s**2).sum() / s.sum() ** 2 - 1 / k), 1, k - 1)
    factor = np.exp(t.ppf((1 + found.interval.level) / 2, degrees) * np.sqrt(s.sum()) / value)
    said = (found.value, found.variance, found.interval.low, found.interval.high)
    assert said == pytest.approx((value, s.sum(), value / factor, value * factor), rel=1e-9)


@pytest.mark.parametrize("metric", ["macro_f1", "macro_recall", "macro_precision"])
def test_the_file_alone_gives_means_over_classes_but_for_what_scores_correct(metric: str) -> None:
    """The bias of each class's ratio is that of the legend (Hartley & Ross 1954). That of unequal weights needs the scores."""
    pool, known = multiclass(400)
    study = sv.create_study(pool, metric="accuracy", budget=80, seed=3, preset="queue")
    study.answer(known, 80)
    table, found = exported(study), study.estimate(metric)
    b, w = (table[name].to_numpy(float) for name in ("probability", "weight"))
    each, mean = [], np.zeros(len(table))
    for name in pool.task.classes:
        y, p = ((table[column] == name).to_numpy(float) for column in ("label", "pred"))
        f, g = RATIOS[metric.removeprefix("macro_")](y, p)
        ratio, e = residuals(f, g, w)
        whole, a = w @ g, (1 - b) / b**2
        each.append(np.clip(ratio + a @ (e * g) * whole / (whole**2 + a @ g**2), 0, 1))
        mean += e / pool.task.width
    run = study.run()
    assert run is not None
    risk = infer(METRICS[metric], run, HorvitzThompson()).risk
    half = weight_bias(METRICS[metric], run, risk, w) / 2
    assert (half == 0) == (metric == "macro_precision")
    expected = np.mean(each) - half, poisson(table, mean) + half**2
    assert (found.value, found.variance) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rows_of_an_item_add_up_to_its_weight(preset: str) -> None:
    """With a label held beforehand and, where rounds are long, an answer that waits for others and so is in no sample."""
    study = sv.create_study(POOL, metric="f1", budget=40, seed=1, preset=preset, held={"item-000": "ham"})
    study.answer(LABELS, 25)
    study.tell(study.ask(2)[-1], "spam")
    table, given = frames.sample(study), frames.labels(study).set_index("id")
    assert table["population"].eq(POOL.size).all()
    assert (table[["round", "stratum", "stratum_size", "weight"]].iloc[0] == [0, 0, 1, 1]).all()
    weight = given["weight"].dropna()
    assert table["place"].is_monotonic_increasing
    assert table["id"].drop_duplicates().tolist() == weight.index.tolist()
    np.testing.assert_allclose(
        table.groupby("id", sort=False).agg({"weight": "sum"})["weight"], weight, rtol=1e-12
    )


@pytest.mark.parametrize("preset", ["uniform", "yilmaz-is", "marchant-flat"])
def test_a_census_is_in_the_order_of_the_queue_too(preset: str) -> None:
    pool, known = binary(20)
    study = sv.create_study(pool, metric="f1", budget=20, seed=1, preset=preset)
    while study.answer(known, 20):
        pass
    table = frames.sample(study)
    assert table["place"].tolist() == list(range(20))
    assert table[["weight", "probability"]].eq(1).all(axis=None)


def test_columns_keep_their_types_without_answers() -> None:
    empty = sv.create_study(POOL, metric="f1", budget=9, seed=1)
    study = sv.create_study(POOL, metric="f1", budget=9, seed=1)
    study.answer(LABELS, 9)
    assert frames.sample(empty).dtypes.to_dict() == frames.sample(study).dtypes.to_dict()


def test_predictions_of_several_systems_have_the_names_that_a_pool_reads() -> None:
    df = pd.DataFrame({"id": range(30), "a.score": np.linspace(0, 1, 30), "b.score": np.linspace(1, 0, 30)})
    pool = sv.Pool.from_frame(df, id="id", fields=[])
    study = sv.create_study(pool, metric="f1[a - b]", budget=6, seed=1, preset="queue")
    for item in study.ask(6):
        study.tell(item, 1)
    table = frames.sample(study).astype({"id": int}).merge(df, on="id")
    assert (table["a.pred"] == (table["a.score"] >= 0.5).astype(int).astype(str)).all()
    assert (table["b.pred"] == (table["b.score"] >= 0.5).astype(int).astype(str)).all()
