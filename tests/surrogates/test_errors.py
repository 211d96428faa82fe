"""What is believed of the errors of predicted numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from sampleval import Labels, Pool, create_study
from sampleval.designs.between_rounds.foresight import foresight_of
from sampleval.metrics import resolve
from sampleval.simulation import simulate
from sampleval.surrogates import Evidence, Recalibrated, Shrunk
from sampleval.surrogates.errors import curbed


def test_errors_of_numbers_are_those_of_a_normal_inverse_gamma() -> None:
    """Integrated on a grid: a|b ~ N(0, (1.5 b)²), b² ~ IG(4, 4), y − ŷ ~ N(a, b²) where all predictions are alike."""
    frame = pd.DataFrame({"pred": np.full(50, 7.0), "sd": np.ones(50)})
    pool = Pool.from_frame(frame, pred="pred", error="sd", task="regression")
    square = np.exp(np.linspace(-6, 6, 301))[:, None]
    shift = np.linspace(-40, 40, 1601)
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
    square = np.exp(np.linspace(-2.5, 4.5, 80))[:, None, None]
    a, c = np.linspace(-14, 14, 120)[None, :, None], np.linspace(-14, 14, 120)[None, None, :]
    log = -4 * np.log(square) - 4 / square - 0.5 * (a**2 + c**2) / (2.25 * square) - np.log(square)
    for row, off in zip(at, error, strict=True):
        log = log - 0.5 * (off - a - c * z[row]) ** 2 / square - 0.5 * np.log(square)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    line = (weight * a).sum(), (weight * c).sum()
    np.testing.assert_allclose(belief.mean, pred + line[0] + line[1] * z, atol=1e-3)
    assert belief.sd[0] ** 2 == pytest.approx(1 / (weight / square).sum(), rel=1e-3)


@pytest.mark.parametrize("told", [True, False])
def test_errors_of_numbers_are_averaged_over_every_power_of_every_scale(told: bool) -> None:
    """Given a power γ of a scale, the labels' errors are multivariate t: the a, c and b of each are integrated out."""
    rng = np.random.default_rng(8)
    pred, sd, at = rng.gamma(2.0, 3.0, 30), rng.gamma(2.0, 1.0, 30), np.array([1, 4, 9, 16, 25])
    frame = pd.DataFrame({"pred": pred} | ({"sd": sd} if told else {}))
    pool = Pool.from_frame(frame, pred="pred", error="sd" if told else None, task="regression")
    z, error = (pred - pred.mean()) / pred.std(), rng.normal(1.0, 2.0, 5)
    bases = [0.9 * sd + 0.1 * sd.mean()] if told else [pred + np.median(pred), 1 + np.abs(z)]
    powers = [(base, power) for base in bases for power in np.arange(5) / 4]
    powers = powers if told else powers[:5] + powers[6:]  # at γ = 0 scales are the same
    labels = 2 / (0.5 if told else 5.0) ** 2  # as many as the prior scale is worth
    typical = (sd**2).mean() if told else pred.var()
    log, means, squares = [], [], []
    for base, power in powers:
        square = base ** (2 * power) * typical / (base ** (2 * power)).mean()
        line = np.column_stack([np.ones(30), z])
        spread = 1.5**2 * typical * line @ line[at].T
        shape = np.diag(square[at]) + spread[at]
        log.append(stats.multivariate_t(shape=shape, df=labels).logpdf(error))
        log[-1] -= 0.5 * ((power - told) / 0.35) ** 2
        means.append(pred + spread @ np.linalg.solve(shape, error))
        squares.append(square * (labels + error @ np.linalg.solve(shape, error)) / (labels + 5))
    weight = special.softmax(log)
    belief = Recalibrated().model(pool).believe(Evidence(at, pred[at] + error, np.ones(5)))
    np.testing.assert_allclose(belief.mean, weight @ means)
    np.testing.assert_allclose(belief.sd**2, weight @ squares)


def test_before_any_label_errors_are_foreseen_alike_and_then_as_they_are_believed(
    rng: np.random.Generator,
) -> None:
    pred = rng.gamma(1.0, 3.0, 60)
    pool = Pool.from_frame(pd.DataFrame({"pred": pred}), pred="pred", task="regression")
    model, metric, everyone = Recalibrated().model(pool), resolve("mse"), np.arange(60)
    one = Evidence(np.array([7]), pred[[7]] + 2, np.ones(1))
    for known, alike in ((Evidence.none(pool), True), (one, False)):
        belief = model.believe(known)
        foreseen = foresight_of(model, known, belief).of(metric, pool.items, everyone)[:, 0]
        believed = (belief.mean - pred) ** 2 + belief.sd**2  # E (y − ŷ)²
        assert np.ptp(believed) > 0.1 * believed.mean()
        assert (np.ptp(foreseen) < 1e-9 * foreseen.mean()) == alike
        assert np.allclose(foreseen, believed) != alike


def test_a_told_scale_foresees_errors_before_any_label() -> None:
    sd = np.arange(1.0, 21.0)
    frame = pd.DataFrame({"pred": np.arange(20.0), "sd": sd})
    model = Recalibrated().model(Pool.from_frame(frame, pred="pred", error="sd", task="regression"))
    shrunk = 0.9 * sd + 0.1 * sd.mean()
    expected = shrunk * np.sqrt((sd**2).mean() / (shrunk**2).mean())
    np.testing.assert_allclose(foresight_of(model, nothing(), model.believe(nothing())).belief.sd, expected)


@pytest.mark.parametrize("surrogate", [Shrunk(), Recalibrated()], ids=["shrunk", "recalibrated"])
@pytest.mark.parametrize("pred", [7.0, 0.1])
def test_predictions_that_are_all_alike_may_be_off(surrogate: Shrunk | Recalibrated, pred: float) -> None:
    """Their spread, which stands in for a scale of errors, is 0. That of many 0.1 is 1e-17, which had been planned with."""
    pool = Pool.from_frame(pd.DataFrame({"pred": np.full(1000, pred)}), pred="pred", task="regression")
    assert surrogate.model(pool).believe(nothing()).sd == pytest.approx(np.ones(1000))


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


def test_where_most_predictions_are_exactly_right_the_other_errors_are_not_gross() -> None:
    error = np.array([0.0, 0.0, 0.0, 0.0, 5.0, -3.0, 2.0])
    assert curbed(error, np.ones(7)).tolist() == error.tolist()


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


def test_told_errors_too_small_to_be_squared_are_none() -> None:
    """They ended a study in a division of 0 by 0."""
    frame = pd.DataFrame({"pred": np.arange(30.0), "sd": 1e-200})
    pool = Pool.from_frame(frame, pred="pred", error="sd", task="regression")
    alone = Pool.from_frame(frame[["pred"]], pred="pred", task="regression")
    for model in (Shrunk().model, Recalibrated().model):
        np.testing.assert_array_equal(model(pool).believe(nothing()).sd, model(alone).believe(nothing()).sd)


def test_a_told_error_of_0_is_no_promise() -> None:
    """A third of the items have an expected error of 0 but err like the others, which had tripled the error."""
    rng = np.random.default_rng(5)
    sd = np.exp(rng.normal(0, 0.8, 2000))
    pred = 10 + 3 * rng.normal(size=2000)
    told = np.where(rng.random(2000) < 1 / 3, 0.0, sd)
    frame = pd.DataFrame({"pred": pred, "sd": told, "label": pred + sd * rng.normal(size=2000)})
    pool = Pool.from_frame(frame, pred="pred", error="sd", label="label", task="regression")
    found = simulate(
        pool,
        Labels.from_frame(frame, pool, "label"),
        presets=["recommended", "uniform"],
        metric="rmse",
        budgets=[100],
        repeats=12,
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
        budgets=[40],
        repeats=6,
    ).set_index(["metric", "method"])["rmse"]
    for metric in ("rmse", "r2"):
        assert found[metric, "recommended"] < found[metric, "uniform"]


def test_a_good_predictor_s_error_is_known_as_well_as_from_a_uniform_sample() -> None:
    """The scale of its errors is unknown beforehand, and a guess far too wide had tripled the error."""
    rng = np.random.default_rng(2)
    pred = rng.uniform(50, 100, 300)
    frame = pd.DataFrame({"pred": pred, "label": pred + rng.normal(0, 2, 300)})
    pool = Pool.from_frame(frame, pred="pred", label="label", task="regression")
    found = simulate(
        pool,
        Labels.from_frame(frame, pool, "label"),
        presets=["recommended", "uniform"],
        metric="rmse",
        budgets=[80],
        repeats=8,
    ).set_index("method")["rmse"]
    assert found["recommended"] < 1.3 * found["uniform"]


def test_the_error_of_a_very_good_predictor_is_not_believed_to_be_the_spread_of_its_predictions() -> None:
    """Errors of a twentieth of that spread were foreseen too large for hundreds of labels: RMSE was off by .29."""
    rng = np.random.default_rng(0)
    pred = rng.normal(50, 10, 2000)
    frame = pd.DataFrame({"pred": pred, "label": pred + rng.normal(0, 0.5, 2000)})
    pool = Pool.from_frame(frame, pred="pred", label="label", task="regression", fields=[])
    known = Labels.from_frame(frame, pool)
    true = np.sqrt(np.mean((frame["label"] - pred) ** 2))
    off = []
    for seed in range(6):
        study = create_study(pool, metric="rmse", budget=100, seed=seed)
        study.answer(known, 100)
        off.append(study.estimate().value / true - 1)
    assert np.sqrt(np.mean(np.square(off))) < 0.12


def test_exact_predictions_have_an_error_of_0() -> None:
    pred = np.random.default_rng(1).normal(3, 5, 60)
    pool = Pool.from_frame(pd.DataFrame({"pred": pred}), pred="pred", task="regression")
    study = create_study(pool, metric="rmse", budget=20)
    study.tell_all((item, pred[int(item.id)]) for item in study.ask(20))
    assert study.estimate("rmse").value == pytest.approx(0, abs=1e-6)
