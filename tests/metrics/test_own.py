"""Metrics of the user's own: costs too large for small integers, and names that another metric may have."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import sampleval as sv
from sampleval.estimators.inference import values_at
from sampleval.metrics import (
    METRICS,
    Counts,
    Metric,
    by_label,
    by_place,
    log_loss,
    minus,
    precision_recall_curve,
    ratio,
    registered,
    resolve,
)
from sampleval.pool import Items
from sampleval.presets import axes
from sampleval.simulation import prepare, run
from sampleval.simulation.work import Batch
from sampleval.study import finding, true_value
from tests.pools import binary, multiclass, multilabel, scored

Cost = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
# Each is within the numbers that 8 bits hold at no more than one of its steps.
COSTS: dict[str, Cost] = {
    "misses twice": lambda y, pred: 90 * y * (1 - pred) + 90 * y,
    "positives": lambda y, pred: 200 * y,
    "false alarms": lambda y, pred: 200 * pred * (1 - y),
}


def costing(cost: Cost) -> Metric:
    def loss(items: Items, y: NDArray[Any]) -> NDArray[Any]:
        return np.column_stack([cost(y, items.pred), np.ones(len(y))])

    return Metric("cost", "Mean cost", loss, lambda risk: risk[0] / risk[1], range=(0, 200))


@pytest.mark.parametrize("cost", COSTS.values(), ids=COSTS)
def test_costs_that_exceed_8_bits_do_not_overflow(cost: Cost) -> None:
    """In 8 bits 90 + 90 is -76: a plan, a census and a simulation are compared with plain Python's numbers."""
    frame, (pool, labels) = scored(), binary()
    y, pred = (frame["label"] == "spam").tolist(), (frame["score"] >= 0.5).tolist()
    expected = np.mean([cost(np.array(int(a)), np.array(int(b))) for a, b in zip(y, pred, strict=True)])
    assert true_value(costing(cost), pool, labels) == pytest.approx(expected, rel=1e-12)
    study = sv.create_study(pool, metric=costing(cost), budget=40, preset="queue")
    study.answer(labels, 40)
    assert study.estimate().value == pytest.approx(expected, rel=1e-12)
    found = sv.simulate(
        pool,
        labels,
        presets="uniform",
        metric=costing(cost),
        metrics=[costing(cost)],
        budgets=[40],
        repeats=1,
    )
    assert found["truth"][0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("cost", COSTS.values(), ids=COSTS)
def test_a_plan_foresees_such_costs(cost: Cost) -> None:
    """The error of a plan in whole numbers is that of the same plan in floating point."""
    pool, _ = binary()
    floating = costing(lambda y, pred: cost(y.astype(float), pred.astype(float)))
    plans = [sv.plan(pool, metric=metric, budget=10) for metric in (costing(cost), floating)]
    assert plans[0].expected_error == plans[1].expected_error


def test_costs_label_by_label_do_not_overflow() -> None:
    pool, _ = multilabel()

    def loss(items: Items, y: NDArray[Any]) -> NDArray[Any]:
        assert items.pred.dtype.itemsize == 8
        return np.column_stack([(200 * items.pred * (1 - y)).sum(axis=1), np.ones(len(y))])

    by_one = by_label(loss).by_label
    assert by_one is not None
    effect = by_one(pool.items, np.array([[1.0, 0.0]]))
    np.testing.assert_array_equal(effect[:, :, 0, 0].sum(axis=1), 200 * pool.pred.astype(int).sum(axis=1))


def test_widened_items_are_still_ranked_among_the_pools_own_system() -> None:
    """What is handed to a loss has decisions of another size, but ranks its items among the same system."""
    pool, _ = binary()
    seen: list[Any] = []

    def loss(items: Items, y: NDArray[Any]) -> NDArray[Any]:
        seen.append(items.everywhere)
        return np.ones((len(y), 1))

    metric = Metric("m", "M", loss, lambda risk: risk[0])
    for items in (pool.items, pool.items.take(slice(0, 3))):
        metric.loss(items, np.zeros(len(items), np.int8))
    assert seen[0] is seen[1] is pool.systems[0]


# ------------------------------------------------------------------ what is kept of simulations


def test_a_cache_is_refused_where_a_name_does_not_tell_the_metric(tmp_path: Path) -> None:
    pool, labels = binary()
    for metric in (costing(COSTS["positives"]), METRICS["f1"]):
        mine = Metric("f1", "Mine", metric.loss, metric.g)
        with pytest.raises(sv.InputError, match=r"`cache` cannot keep .*of one's own; got '(cost|f1)'"):
            sv.simulate(
                pool,
                labels,
                presets="uniform",
                metric=metric if metric.name == "cost" else mine,
                budgets=[10],
                repeats=1,
                cache=tmp_path,
            )
    assert not list(tmp_path.iterdir())


def test_a_cache_of_another_version_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool, labels = binary()
    work = prepare(pool, labels, "uniform", metric="f3", metrics=["f3", "accuracy"], budgets=[10], repeats=2)
    run(work, cache=tmp_path)

    def never(_: Batch) -> pd.DataFrame:
        raise AssertionError("it was to be read")

    with monkeypatch.context() as patch:
        patch.setattr("sampleval.simulation.work.Simulation.do", lambda self, batch: never(batch))
        run(work, cache=tmp_path)
        patch.setattr("sampleval.simulation.work.__version__", "0.0.9")
        with pytest.raises(AssertionError, match="to be read"):
            run(work, cache=tmp_path)


@pytest.mark.parametrize("nothing", [np.nan, np.inf])
@pytest.mark.parametrize("preset", ["recommended", "queue"])
def test_a_loss_without_a_value_for_some_label_is_refused_before_any_is_asked(
    nothing: float, preset: str
) -> None:
    """It leads to no chance of being asked, so that the search for the next item would never end."""
    lost = sv.metrics.ratio(
        "lost",
        "Lost",
        lambda items, y: (np.where(y == 0, nothing, 1.0), 1.0),
        kinds=frozenset({"multiclass"}),
    )
    with pytest.raises(sv.InputError, match="'lost' must have a finite loss for every label"):
        sv.create_study(multiclass()[0], metric=lost, budget=4, preset=preset).ask(1)


def test_a_loss_that_is_not_finite_is_given_as_the_reason_why_there_is_no_estimate() -> None:
    """The mean absolute percentage error where a true value is 0."""
    percentage = sv.metrics.ratio(
        "mape",
        "Mean absolute percentage error",
        lambda items, y: (
            np.abs(np.divide(y - items.pred, y, out=np.full(len(y), np.inf), where=y != 0)),
            1.0,
        ),
        kinds=frozenset({"regression"}),
        range=(0.0, np.inf),
    )
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": [1.5, 2.5, 3.5, 4.5]}), task="regression")
    study = sv.create_study(pool, metric=percentage, budget=4, preset="uniform")
    for item in study.ask(4):
        study.tell(item, 0.0 if item.id == "1" else 2.0)
    found = study.estimate()
    assert np.isnan(found.value)
    assert "the loss of a label is not finite" in found.note


def test_numbers_too_large_to_be_squared_are_refused_in_words() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": np.linspace(1e60, 2e60, 60)}), task="regression")
    cubed = ratio("cubed", "Mean cubed error", lambda items, y: (np.abs(y - items.pred) ** 3, 1.0), range=(0, np.inf), kinds=frozenset({"regression"}))  # fmt: skip
    with pytest.raises(sv.InputError, match=r"'cubed' must have a finite loss .* too large to be squared"):
        sv.create_study(pool, metric=cubed, budget=20, preset="queue").ask(1)


@pytest.mark.parametrize(
    ("loss", "shape"),
    [
        (lambda items, y: (y != items.pred) * 1.0, r"\(\d,\)"),
        (lambda items, y: np.ones((3, 1)), r"\(3, 1\)"),
        (lambda items, y: 1.0, r"\(\)"),
    ],
)
def test_a_loss_of_another_shape_is_refused_in_words(loss: Any, shape: str) -> None:
    """NumPy had raised errors from deep inside, about an axis or a matrix product."""
    error = sv.metrics.Metric("error", "Error rate", loss, g=lambda risk: risk[0])
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.1, 0.9, 9)}))
    with pytest.raises(
        sv.InputError, match=rf"`loss` must give an array of shape \(\d, d\).* got {shape}; .*cost\[:, None\]"
    ):
        sv.create_study(pool, metric=error, budget=4).ask(1)


@pytest.mark.parametrize("preset", ["recommended", "queue", "uniform", "marchant-tree", "active-testing"])
def test_values_beyond_the_range_are_refused_and_not_cut(preset: str) -> None:
    """Cut at 1, a census of costs had silently given 1.0 for 1.8."""
    pool, labels = binary()

    def answered(metric: Metric) -> sv.Study:
        study = sv.create_study(pool, metric=metric, budget=40, preset=preset)
        study.answer(labels, 40)
        assert study.estimate().labels
        return study

    told = costing(lambda y, pred: 8 * y + 1)
    cut = replace(told, range=(0.0, 1.0))
    study, rule = answered(told), "`range` must hold all values that labels can give 'cost', for example .*"
    estimate = study.estimate()
    assert estimate.interval.low <= estimate.value <= estimate.interval.high
    for refused in (answered, study.estimate):
        with pytest.raises(sv.InputError, match=rule):
            refused(cut)


def test_a_ratio_whose_part_exceeds_its_whole_needs_a_range() -> None:
    pool, _ = binary()
    costly = ratio("misses", "Misses", lambda items, y: (5 * y * (1 - items.pred), 1.0))
    with pytest.raises(sv.InputError, match="`range` must be given where 'misses' is not a share"):
        sv.create_study(pool, metric=costly, budget=20).ask(1)


@pytest.mark.parametrize("outputs", [("",), ("a", "b", "c")])
def test_a_metric_with_more_outputs_than_names_or_fewer_is_refused(outputs: tuple[str, ...]) -> None:
    pool, labels = binary()
    study = sv.create_study(pool, metric="f1", budget=30)
    study.answer(labels, 30)
    two = Metric(
        "two",
        "Two",
        lambda items, y: np.column_stack([y * items.pred, items.pred, y]).astype(float),
        lambda risk: np.array([risk[0] / risk[1], risk[0] / risk[2]]),
        outputs=outputs,
    )
    with pytest.raises(sv.InputError, match=r"`g` must give a number for each of the \d outputs of 'two'"):
        study.curve(two) if two.vector else study.estimate(two)


@pytest.mark.parametrize("preset", ["recommended", "queue", "uniform", "active-testing", "stratified"])
@pytest.mark.filterwarnings("error")
def test_losses_of_numbers_are_asked_of_believed_labels_alone(preset: str) -> None:
    """A percentage error is undefined at a label of 0, which nobody gave."""
    pred = np.linspace(5, 9, 60)
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": pred}))
    percentage = ratio(
        "mape",
        "Mean absolute percentage error",
        lambda items, y: (np.abs((y - items.pred) / y), 1.0),
        kinds=frozenset({"regression"}),
        range=(0, np.inf),
    )
    study = sv.create_study(pool, metric=percentage, budget=20, preset=preset)
    while items := study.ask(5):
        for item in items:
            study.tell(item.id, 1.1 * pred[int(item.id)])
    assert study.estimate().value == pytest.approx(0.1 / 1.1, rel=0.01)


def worth() -> tuple[sv.Pool, Metric, NDArray[Any], NDArray[Any]]:
    """A pool whose large items are decided by a coin, and the accuracy by value; with its labels and weights."""
    rng = np.random.default_rng(1)
    score, large = np.round(rng.random(800), 2), rng.random(800) < 0.3
    y = np.where(large, rng.random(800) < 0.5, rng.random(800) < score).astype(int)
    weight = np.where(large, 10.0, 1.0)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}), score="score")
    own = ratio(
        "worth",
        "Accuracy by value",
        lambda items, y: (weight[items.index] * (y == items.pred), weight[items.index]),
    )
    return pool, own, y, weight


def test_a_metric_that_weighs_items_is_not_told_from_their_scores() -> None:
    """The posterior took items of like score for alike: .64 ± .05 for .52, and limits held in a third of the studies."""
    pool, own, y, weight = worth()
    true = np.average(y == pool.pred, weights=weight)
    study = sv.create_study(pool, metric=own, budget=200)
    assert study.method == sv.create_study(pool, metric=own, budget=200, preset="queue").method
    assert not study.impartial
    told = sv.create_study(pool, metric="f1", budget=400, seed=3)
    for each in (study, told):
        while items := each.ask(50):
            each.tell_all([(item, int(y[int(item.id)])) for item in items])
        found = each.estimate(own)
        assert found.method != "posterior"
        assert found.interval.low <= true <= found.interval.high
    assert told.estimate("accuracy").method == "posterior"


def test_no_metric_of_the_registry_looks_at_an_item_s_place() -> None:
    for pool in (binary()[0], multiclass()[0], multilabel()[0]):
        kind = pool.task.kind
        assert not [m.name for m in METRICS.values() if kind in m.kinds and by_place(pool, m)]
    pool, own, *_ = worth()
    assert by_place(pool, own)
    assert not by_place(pool, replace(own, loss=resolve("f1").loss))
    # sums over the pool in another order are no place
    centred = ratio(
        "c", "c", lambda items, y: (y * (items.score - items.everywhere.score.mean()), 1.0), range=(-1, 1)
    )
    assert not by_place(pool, centred)
    rare = np.where(np.arange(800) == 400, 1e6, 1.0)  # one item in many
    assert by_place(pool, ratio("r", "r", lambda items, y: (rare[items.index] * y, rare[items.index])))


def test_a_g_that_gives_no_number_is_refused_in_words() -> None:
    own = Metric("own", "Own", resolve("accuracy").loss, lambda risk: "x")  # type: ignore[arg-type, return-value]
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.1, 0.9, 9)}))
    with pytest.raises(sv.InputError, match="`g` must give numbers, one for each output of 'own'; got 'x'"):
        sv.plan(pool, metric=own, budget=5)


def test_findings_plans_and_reports_find_the_own_metric_of_an_estimate() -> None:
    """The estimate was there, and its sentence, its plan and its report were refused."""
    pool, labels = binary()
    mine = costing(lambda y, z: 2.0 * (y != z))
    study = sv.create_study(pool, metric="accuracy", budget=20, seed=1)
    study.answer(labels, 20)
    found = study.estimate(mine)
    assert finding(study, found).startswith("The mean cost lies")
    assert study.estimate(mine.name) == found
    with pytest.raises(sv.InputError, match="is not known"):
        study.estimate("another")


def test_a_difference_states_every_attribute_of_a_metric() -> None:
    """An attribute that `minus` leaves out would get its default, whatever the two metrics have."""
    [made] = [
        node
        for node in ast.walk(ast.parse(inspect.getsource(minus)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Metric"
    ]
    assert [keyword.arg for keyword in made.keywords] == [
        field.name for field in fields(Metric) if field.init
    ]


def test_a_study_of_other_labels_says_that_a_metric_is_not_defined_for_them() -> None:
    found = sv.create_study(binary()[0], metric="f1", budget=5).estimate("macro_f1")
    assert np.isnan(found.value)
    assert found.note == "Macro-F1 (mean of F1s) is not defined for binary labels"


def test_a_mean_over_classes_of_one_s_own_is_that_of_its_estimates() -> None:
    """Without its wholes the bias of its ratios is not known, and nothing is subtracted."""
    pool, labels = multiclass()

    def losses(items: Items, y: NDArray[Any]) -> NDArray[Any]:
        of_class = np.eye(4)[y]
        return np.hstack([of_class * (y == items.pred)[:, None], of_class])

    each = Metric(
        "recalls",
        "Recalls",
        losses,
        lambda r: r[:4] / r[4:],
        kinds=frozenset({"multiclass"}),
        outputs=tuple("abcd"),
    )
    mean = replace(
        each,
        name="mean",
        outputs=("",),
        g=lambda r: (r[:4] / r[4:]).mean(axis=0),
        counts=Counts(averages=(each,)),
    )
    study = sv.create_study(pool, metric=mean, budget=60, preset="uniform", seed=1)
    study.answer(labels, 60)
    drawn, known = study.state.queue, np.asarray(labels.values)
    y, right = known[drawn], (pool.pred == known)[drawn]
    found = study.estimate(mean)
    assert found.value == pytest.approx(np.mean([right[y == c].mean() for c in range(4)]))
    assert found.interval.low < true_value(mean, pool, labels) < found.interval.high


def test_a_metric_of_several_means_says_how_it_follows_from_them() -> None:
    """It was taken for the first of them."""
    each = METRICS["macro_recall"].counts.averages + METRICS["macro_precision"].counts.averages
    with pytest.raises(sv.InputError, match="`slopes` must be given where a metric is made of several means"):
        Counts(averages=each)
    assert Counts(averages=each, slopes=lambda _: (0.5, 0.5)).mean_of is None


def test_a_difference_is_defined_for_the_labels_that_both_metrics_are_defined_for() -> None:
    found = minus(METRICS["recall"], METRICS["accuracy"]), minus(METRICS["accuracy"], METRICS["recall"])
    assert [each.kinds for each in found] == [{"binary"}] * 2


def believed(**fields: Any) -> Metric:
    """Accuracy, written by oneself from one decision on."""
    loss = resolve("accuracy").loss
    return Metric("own", "Own", **{"loss": loss, "g": lambda risk: risk[0] / risk[1], **fields})


CODES: dict[str, tuple[Callable[[Items], Any], str]] = {
    "below 0": (
        lambda items: items.pred.astype(int) - 1,
        "`cells` must give a whole number .* got -1 at row",
    ),
    "fractions": (
        lambda items: items.score,
        "`cells` must give a whole number .* got 'float64'; codes.astype",
    ),
    "too few": (lambda items: items.pred[:1], r"`cells` must give a whole number .* got \(1,\)"),
    "of several lengths": (lambda items: [[0], [0, 1]], r"`cells` must give a whole number .* got \(2,\)"),
    "too large": (lambda items: 10**12 * items.pred.astype(int), "at most 67,108,864; got 1000000000000"),
}


@pytest.mark.parametrize(("cells", "refusal"), CODES.values(), ids=CODES)
def test_codes_that_are_none_are_refused(cells: Callable[[Items], Any], refusal: str) -> None:
    """A code of -1 had selected the last row of a table, which silently gave .003 (0 to .03) in place of .15."""
    pool, _ = binary()
    with pytest.raises(sv.InputError, match=refusal):
        sv.create_study(pool, metric=believed(cells=cells), budget=20).ask(5)


def weighed(worth: NDArray[Any], cells: Callable[[Items], Any] | None) -> Metric:
    """Accuracy in which each item counts as much as it is worth."""
    return ratio(
        "worth",
        "Worth",
        lambda items, y: (worth[items.index] * (y == items.pred), worth[items.index]),
        kinds=frozenset({"binary", "multiclass"}),
        cells=cells,
    )


@pytest.mark.parametrize("several", [False, True], ids=["two classes", "several classes"])
def test_cells_that_do_not_know_of_weights_by_row_are_refused(several: bool) -> None:
    """A plan was for other weights, and a simulation took 0.940 for the truth where scikit-learn says 0.947."""
    pool, labels = multiclass() if several else binary()
    worth = np.random.default_rng(0).choice([0.0, 1.0, 5.0], len(pool))
    blind = weighed(worth, lambda items: items.pred.astype(int))
    refusal = r"`cells` must tell apart items that 'worth' treats differently; see row \d+ \(id .*; leave `cells` out"
    study = sv.create_study(pool, metric="accuracy", budget=20, preset="uniform")
    study.answer(labels, 20)
    tried: list[Callable[[], Any]] = [
        lambda: sv.plan(pool, metric=blind, budget=20),
        lambda: sv.create_study(pool, metric=blind, budget=20),
        lambda: study.estimate(blind),
        lambda: true_value(blind, pool, labels),
        lambda: sv.simulate(pool, labels, metric="accuracy", metrics=[blind], budgets=[20]),
    ]
    for attempt in tried:
        with pytest.raises(sv.InputError, match=refusal):
            attempt()
    right = pool.pred == np.asarray(labels.values)
    known = weighed(worth, lambda items: items.pred * 10 + worth[items.index].astype(int))
    for metric in (known, weighed(worth, None)):
        expected = np.average(right, weights=worth)
        assert true_value(metric, pool, labels) == pytest.approx(expected, rel=1e-12)


def test_codes_may_be_true_or_false() -> None:
    pool, labels = binary()
    own = believed(cells=lambda items: items.pred == 1)
    study = sv.create_study(pool, metric=own, budget=30, seed=2)
    study.answer(labels, 30)
    assert study.estimate(own).value == study.estimate("accuracy").value
    assert true_value(own, pool, labels) == true_value(resolve("accuracy"), pool, labels)


def table(items: Items, y: NDArray[Any]) -> Any:
    return pd.DataFrame({"right": (y == items.pred).astype(float), "one": np.ones(len(y))})


def texts(items: Items, y: NDArray[Any]) -> Any:
    return np.column_stack([y == items.pred, np.ones(len(y))]).astype(object)


def test_a_loss_may_be_a_table_and_must_be_of_numbers() -> None:
    pool, labels = binary()
    assert true_value(believed(loss=table), pool, labels) == true_value(resolve("accuracy"), pool, labels)
    with pytest.raises(sv.InputError, match="`loss` must give an array of numbers; got 'object'"):
        true_value(believed(loss=texts), pool, labels)
    with pytest.raises(sv.InputError, match=r"`loss` must give an array of shape \(40, d\).* got \(40,\)"):
        true_value(believed(loss=lambda items, y: [[1.0] * (1 + k % 2) for k in range(len(y))]), pool, labels)


@pytest.mark.parametrize("kind", [np.bool_, np.uint8])
def test_a_g_is_differentiated_in_floats_whatever_its_numbers(kind: type) -> None:
    """Of truth values NumPy knows no difference, and that of 0 and 1 without a sign was 255."""
    falling = believed(g=lambda risk: kind(risk[0] < 0.5))
    slope = falling.gradient(np.array([0.5, 1.0]))
    assert slope[0, 0] < 0 == slope[0, 1]


@pytest.mark.parametrize("given", [None, 1j, [0.5, [0.5]]])
def test_a_g_without_a_number_is_no_unknown_value(given: Any) -> None:
    """`None` had become `nan`, so that a forgotten `return` looked like a metric that labels cannot determine."""
    with pytest.raises(sv.InputError, match="`g` must give numbers, one for each output of 'own'"):
        believed(g=lambda risk: given).value(np.array([0.5, 1.0]))


@pytest.mark.parametrize("given", [np.ones(3), np.ones((2, 2)), np.ones((1, 2, 1)), np.array([["a", "b"]])])
def test_a_jacobian_is_of_g(given: NDArray[Any]) -> None:
    with pytest.raises(sv.InputError, match=r"`jacobian` must give numbers of shape \(1, 2\)"):
        believed(jacobian=lambda risk: given).gradient(np.array([0.5, 1.0]))


@pytest.mark.parametrize(
    ("given", "got"),
    [([[1], [1, 2]], "object"), (np.ones((1, 2), object), "object"), (np.ones(3), r"\(1, 3\)")],
)
def test_the_refusal_of_a_jacobian_says_what_is_wrong_with_it(given: Any, got: str) -> None:
    with pytest.raises(sv.InputError, match=f"`jacobian` must give numbers of shape .* got '?{got}"):
        believed(jacobian=lambda risk: given).gradient(np.array([0.5, 1.0]))


def test_kinds_and_outputs_may_be_any_list_of_names() -> None:
    """A list or a set of kinds had raised "unhashable type" in the first study."""
    pool, _ = binary()
    for kinds in (["binary"], {"binary"}, ("binary", "multiclass"), "binary"):
        assert "binary" in believed(kinds=kinds).kinds
        sv.plan(pool, metric=believed(kinds=kinds), budget=10)
    two = believed(outputs=["a", "b"], g=lambda risk: risk)
    assert hash(two)
    assert two.outputs == ("a", "b")
    for outputs in ([], ["a", "a"]):
        with pytest.raises(sv.InputError, match="`outputs` must be one or more names, all different"):
            believed(outputs=outputs)
    with pytest.raises(sv.InputError, match="`kinds` is not known; got 'binry'; did you mean 'binary'"):
        believed(kinds=["binry"])
    for field in ("kinds", "outputs", "systems"):
        with pytest.raises(sv.InputError, match=f"`{field}` must be a list of names; got 3"):
            believed(**{field: 3})


def test_draws_of_a_difference_are_valued_all_at_once() -> None:
    """Columns of values were refused within, so that each draw was valued alone: simulations took a quarter longer."""
    calls, f1 = [], resolve("f1")

    def counting(risk: NDArray[Any]) -> Any:
        calls.append(risk.shape)
        return f1.g(risk)

    apart, risks = minus(replace(f1, g=counting), f1), np.random.default_rng(0).random((50, 4)) + 0.5
    np.testing.assert_array_equal(values_at(apart, risks), [apart.value(risk) for risk in risks])
    assert calls.count((2, 50)) == 1
    assert calls.count((2,)) == 5 + len(risks)


def test_a_g_that_would_mix_draws_is_handed_one_at_a_time() -> None:
    """All at once, it gives as many values as there are draws, but divides by the sum of them all."""
    share = replace(resolve("f1"), g=lambda risk: risk[:1] / risk.sum())
    risks = np.random.default_rng(0).random((50, 2))
    np.testing.assert_allclose(values_at(share, risks)[:, 0], risks[:, 0] / risks.sum(axis=1))


def test_a_mean_loss_may_be_a_list() -> None:
    assert believed().value([0.5, 2.0]).tolist() == [0.25]  # type: ignore[arg-type]


def test_a_loss_with_by_label_that_compares_labels_is_refused() -> None:
    """Beliefs are handed to it in place of labels, all of them unlike any decision: a Hamming loss of 1 was foreseen."""
    pool, _ = multilabel()

    def compared(items: Items, y: NDArray[Any]) -> NDArray[Any]:
        return np.column_stack([(items.pred != y).sum(axis=1), np.ones(len(y))])

    def affine(items: Items, y: NDArray[Any]) -> NDArray[Any]:
        wrong = y * (1 - items.pred) + (1 - y) * items.pred
        return np.column_stack([wrong.sum(axis=1), np.ones(len(y))])

    def hamming(loss: Any, **fields: Any) -> Metric:
        return Metric(
            "own", "Own", loss, lambda r: r[0] / r[1] / 3, kinds=frozenset({"multilabel"}), **fields
        )

    foreseen = sv.plan(pool, metric=hamming(compared), budget=10).predicted
    told = hamming(affine, shortcuts=by_label(affine))
    assert sv.plan(pool, metric=told, budget=10).predicted == pytest.approx(foreseen)
    with pytest.raises(sv.InputError, match="`loss` must be affine in the labels where `by_label` is given"):
        sv.plan(pool, metric=hamming(compared, shortcuts=by_label(compared)), budget=10)


def test_only_a_metric_with_a_function_of_one_s_own_is_asked_whether_it_looks_at_an_item_s_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A curve of chosen thresholds was: 12 of the 20 seconds that the Results page of a million items took."""
    pool, asked = binary()[0], []
    monkeypatch.setattr(axes, "by_place", lambda pool, metric: asked.append(metric))
    mine = ratio("mine", "Mine", lambda items, y: (y, 1.0))
    ours = (
        precision_recall_curve(np.array([0.2, 0.7])),
        minus(resolve("recall"), resolve("precision")),
        log_loss(0.01),
    )
    assert not any(map(registered, (*ours, mine)))
    axes.tells_apart([*ours, mine, minus(resolve("f1"), mine), replace(mine, name="another")], pool)
    assert [metric.name for metric in asked] == ["mine", "f1 - mine", "another"]
