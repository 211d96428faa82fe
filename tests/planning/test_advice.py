"""The advice on λ: its expected errors are the variances under each calibration, and it avoids 0.9 if that fails."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import frames, plots
from sampleval._checks import InputError
from sampleval.designs import Poisson, Problem
from sampleval.metrics import resolve
from sampleval.planning import Advice, advice_of, advise_shrinkage, plausible
from sampleval.presets import PRESETS
from sampleval.surrogates import Shrunk
from tests.planning.test_goals import made
from tests.pools import binary, multilabel

LEAST = 0.02  # share of positives


def advise(pool: sv.Pool, **options: object) -> Advice:
    return advise_shrinkage(pool, metric="f1", budget=300, **options)  # type: ignore[arg-type]


def test_expected_errors_are_those_of_plans_judged_by_each_calibration() -> None:
    """At two λ, against sums over all items with the inclusion probabilities of the plan itself."""
    pool, _ = made(5000, 0.1, 2)
    scope, metric = plausible(pool), resolve("f1")
    code = Problem(pool, {metric: 1.0}, PRESETS["recommended"].method.surrogate).model.cells.code  # type: ignore[attr-defined]
    found = advise(pool)
    for level in (0.5, 0.99):
        b = Poisson().inclusion(Problem(pool, {metric: 1.0}, Shrunk(level, "half")), 300)
        errors = []
        for rate in scope.rate:
            p = np.zeros(code.max() + 1)
            p[scope.groups.cell] = rate
            y = p[code]
            true = (y * pool.pred).sum()
            below = (pool.pred + y).sum() / 2
            f = true / below
            hit, miss = pool.pred - f * (pool.pred + 1) / 2, -f * pool.pred / 2
            square = (y * hit**2 + (1 - y) * miss**2) / below**2
            errors.append(np.sqrt(((1 / b - 1) * square).sum()))
        at = np.flatnonzero(found.shrinkages == level)[0]
        assert found.expected[at] == pytest.approx(np.sqrt(np.mean(np.square(errors))), rel=0.03)
        assert found.median[at] == pytest.approx(np.median(errors), rel=0.03)
        assert found.span_at(level) == pytest.approx(tuple(np.quantile(errors, [0.1, 0.9])), rel=0.03)


def test_the_suggestion_is_as_good_as_the_best_and_near_the_methods_own() -> None:
    pool, _ = made(5000, 0.02, 3)
    found = advise(pool)
    assert found.default == 0.9
    assert found.at(found.shrinkage) <= 1.02 * found.expected.min()
    nearer = np.abs(found.shrinkages - 0.9) < abs(found.shrinkage - 0.9)
    assert (found.expected[nearer] > 1.02 * found.expected.min()).all()
    assert (found.low <= found.median).all()
    assert (found.median <= found.high).all()


def test_an_advice_is_shown_in_one_line() -> None:
    """A notebook showed its arrays, over twenty lines."""
    found = advise(binary(1000)[0])
    error = f"{found.at(found.shrinkage):.3f}"
    assert repr(found) == f"<Advice f1, 300 labels: λ = {found.shrinkage:g}, expected error {error}>"


def test_a_design_that_does_not_look_at_scores_keeps_its_own_value() -> None:
    pool, _ = binary(300)
    assert advise(pool, preset="uniform").shrinkage == advise(pool, preset="uniform").default


@pytest.mark.parametrize("preset", ["yilmaz-bs", "yilmaz-is", "yilmaz-online-bs", "queue", "marchant-is"])
def test_every_method_with_shrunk_scores_is_advised(preset: str) -> None:
    pool, _ = made(20_000, LEAST, 4)
    found = advise(pool, preset=preset)
    assert found.toward == PRESETS[preset].method.surrogate.toward  # type: ignore[attr-defined]
    assert 0 <= found.shrinkage <= 1
    if found.toward == "half":
        assert found.shrinkage > 0.98
        assert found.at(found.shrinkage) < 0.9 * found.at(0.9)


def test_what_has_no_trust_to_choose_is_refused() -> None:
    pool, _ = binary()
    with pytest.raises(InputError, match="must be 'shrunk' to have a λ"):
        advise_shrinkage(pool, metric="f1", budget=10, preset="recommended")
    several, _ = multilabel()
    with pytest.raises(InputError, match="must have two classes"):
        advise_shrinkage(several, metric="micro_f1", budget=10)
    none = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.01, 0.4, 50)}))
    with pytest.raises(InputError, match="undefined whatever"):
        advise_shrinkage(none, metric="precision", budget=10)


def test_the_picture_shows_the_frame() -> None:
    pool, _ = made(5000, LEAST, 3)
    found = advise(pool)
    frame = frames.advice(found)
    assert found.shrinkage != found.default == 0.9
    for column, level in (("suggested", found.shrinkage), ("default", 0.9)):
        assert frame.loc[frame[column], "shrinkage"].tolist() == [level]
    figure = plots.advice(frame, budget=300, metric="F1 score")
    names = [trace.name for trace in figure.data if trace.name]
    assert f"suggested: λ = {found.shrinkage:g}" in names
    assert "the method's own: λ = 0.9" in names
    assert list(figure.data[3].y) == list(frame["expected"])


def test_a_million_items_take_well_below_a_second() -> None:
    rng = np.random.default_rng(1)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": rng.beta(0.1, 3, 1_000_000)}))
    start = time.process_time()
    advise(pool)
    assert time.process_time() - start < 1.5  # about half a second; a busy machine is slower


@pytest.mark.slow
@pytest.mark.parametrize("budget", [200, 500])
@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_the_suggestion_avoids_the_failure_of_0_9_on_rare_positives(shift: float, budget: int) -> None:
    pool, labels = made(20_000, LEAST, 6, shift=shift)
    method = PRESETS["yilmaz-bs"].method
    found = advice_of(plausible(pool), pool, resolve("f1"), method, budget)
    shrinkages = sorted({0.5, 0.9, 0.99, 0.998, 1.0, found.shrinkage})
    methods = {f"{v:g}": replace(method, surrogate=Shrunk(v, "half")) for v in shrinkages}
    done = sv.simulate(pool, labels, presets=methods, metric="f1", budgets=[budget], repeats=150)
    error = dict(zip(shrinkages, done["rmse"], strict=True))
    assert error[found.shrinkage] < 1.1 * min(error.values())
    assert error[found.shrinkage] < error[0.9]


def test_only_what_was_tried_has_an_expected_error() -> None:
    """For a λ between two tried values, the error of the next one had been returned."""
    advice = advise_shrinkage(binary()[0], metric="f1", budget=10)
    assert advice.at(0.9) == advice.expected[advice.shrinkages.tolist().index(0.9)]
    for shrinkage in (0.123, 2, "a", float("nan")):
        with pytest.raises(InputError, match="`shrinkage` must be"):
            advice.at(shrinkage)  # type: ignore[arg-type]


def test_no_advice_for_a_metric_of_other_labels() -> None:
    with pytest.raises(InputError, match="`metric` 'mse' is not defined for binary labels"):
        advise_shrinkage(binary()[0], metric="mse", budget=10)
