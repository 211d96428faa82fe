"""Every public function refuses in words what cannot be meant, and never takes it for something else."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import designs, frames, metrics, report, surrogates
from sampleval.metrics import resolve
from tests.pools import binary, multiclass, multilabel

POOL, LABELS = binary()
NUMBERS = sv.Pool.from_frame(pd.DataFrame({"amount": [1.5, 2.5, 7.25]}), pred="amount", task="regression")
FRAME = pd.DataFrame({"score": [0.1, 0.9]})
STUDY = sv.create_study(POOL, metric="f1", budget=5, seed=1)
STUDY.answer(LABELS, 5)


def simulated(pool: Any = POOL, **options: Any) -> pd.DataFrame:
    usual: dict[str, Any] = {"budgets": [5], "repeats": 1, "presets": "queue"}
    return sv.simulate(pool, LABELS, **(usual | options))


def created(**options: Any) -> sv.Study:
    usual: dict[str, Any] = {"metric": "f1", "budget": 5}
    return sv.create_study(POOL, **(usual | options))


def planned(**options: Any) -> sv.Plan:
    return sv.plan(POOL, metric="f1", budget=5, held={"item-001": "ham"}, **options)


def needed(**options: Any) -> object:
    return sv.budget_for(POOL, metric="f1", width=0.3, held={"item-001": "ham"}, **options)


def curve(defensive: Any, *designs: str) -> pd.DataFrame:
    return sv.plan_curve(POOL, metric="f1", budgets=[5], designs=designs or ("uniform",), defensive=defensive)


def part(name: str, size: int) -> metrics.Metric:
    return metrics.within(resolve(name), np.ones(size, bool), "x")


def told(study: sv.Study, answer: object) -> None:
    study.tell(study.ask(1)[0], answer)


def unknown(labels: Any) -> Any:
    return np.where(np.arange(len(labels)) == 7, -1, labels)


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "simulate a frame": (lambda: simulated(FRAME), "`pool` must be a Pool"),
    "simulate weights": (lambda: simulated(metric={"f1": 0}), "`metric\\['f1'\\]` must be"),
    "simulate a set": (lambda: simulated(metric={"f1", "recall"}), "a set has no first metric"),
    "cache": (lambda: simulated(cache=5), "`cache` must be the path of a folder; got 5"),
    "cache of no name": (lambda: simulated(cache=""), "`cache` must be the path of a folder; got ''"),
    "cache of arrays": (lambda: simulated(cache=np.array([1, 2])), "`cache` must be the path of a folder"),
    "cache that no disk has": (lambda: simulated(cache="a\0b"), "`cache` cannot be made: .*embedded null"),
    "progress of arrays": (lambda: simulated(progress=np.array([1, 2])), "`progress` must be True or False"),
    "presets in lists": (lambda: simulated(presets=[["queue"]]), "`presets` must be a name; got .*; there is 'recommended'"),
    "presets misspelt": (lambda: simulated(presets=["quue"]), "`presets` is not known; got 'quue'; did you mean 'queue'"),
    "probability of numbers": (lambda: sv.simulate(NUMBERS, None, metric="mae", probability=np.full(3, 0.5)), "`probability` has no meaning for numbers; pass known labels"),
    "probability beyond all bounds": (lambda: simulated(probability=[10**400]), "`probability` must hold numbers"),
    "oracle of arrays": (lambda: created(oracle=np.array([1, 2])), "`oracle` must be a name"),
    "guidelines of arrays": (lambda: STUDY.guide(np.array([1, 2])), "`text` must be text"),  # type: ignore[arg-type]
    "held what is unknown": (lambda: created(held={"item-999": "ham"}), "`held` is not in the pool; got 'item-999'; did you mean"),
    "score of the negative class": (
        lambda: sv.Pool.from_frame(pd.DataFrame({"id": ["a", "b"], "prob_no": [0.2, 0.7]})),
        "`score` must be the positive class's probability; got 'prob_no'; if it is, pass score='prob_no'",
    ),
    "rows of two systems": (
        lambda: sv.Pool.from_frame(pd.DataFrame({"id": ["a", "b"] * 2, "score": 0.5, "run": [1, 1, 2, 2]})),
        "if each system has its own rows, call the column that names it `system`",
    ),
    "address of a file": (
        lambda: sv.Pool.read("https://example.org/scores.csv"),
        "got 'https://example.org/scores.csv'; nothing is downloaded: save it as a file first",
    ),
    "labels by their index": (
        lambda: sv.Labels.from_frame(pd.DataFrame({"label": ["ham"]}, index=pd.Index(["a"], name="id")), POOL),
        "the pool's, 'id', is not in the frame; its index is: pass df.reset_index",
    ),
    "frame of a study": (lambda: frames.estimates(STUDY), "`found` must be a list of estimates; got .* pass study.estimates()"),  # type: ignore[arg-type]
    "frame of names": (lambda: frames.estimates(["f1"]), "`found` must be a Estimate; got 'str'; pass study.estimates()"),  # type: ignore[list-item]
    "labels of a name": (lambda: frames.labels("digits"), "`study` must be a Study; got 'str'; load_study opens"),  # type: ignore[arg-type]
    "report of a name": (lambda: report.html("digits"), "`study` must be a Study; got 'str'; load_study opens"),  # type: ignore[arg-type]
    "positions in lists": (lambda: LABELS.of([[1, 2], [3]]), "`index` must hold positions from 0 to"),  # type: ignore[arg-type]
    "cache in a file": (lambda: simulated(cache=f"{__file__}/x"), "`cache` cannot be made: not a directory"),
    "replay names": (lambda: sv.Study.replay(POOL, STUDY.events(), metrics="f1"), "`metrics` must be a list"),  # type: ignore[arg-type]
    "replay a name": (lambda: sv.Study.replay(POOL, STUDY.events(), metrics=["f1"]), "`metrics` must be a Metric"),  # type: ignore[list-item]
    "item of text": (lambda: STUDY.item("0"), "`place` must be a whole number"),  # type: ignore[arg-type]
    "item below": (lambda: STUDY.item(-1), "`place` must be a whole number of at least 0; got -1"),
    "item beyond": (lambda: STUDY.item(99), "`place` must be a place of the queue, which has 5 items so far; got 99"),
    "sample below": (lambda: STUDY.sample(-1), "`k` must be a whole number"),
    "sample of text": (lambda: STUDY.sample("5"), "`k` must be a whole number"),  # type: ignore[arg-type]
    "metric of no length": (lambda: created(metric=np.array("f1")), "`metric` must be a metric, a list of them"),
    "metrics of no length": (lambda: STUDY.estimates(np.array("f1")), "`metrics` must be a list"),  # type: ignore[arg-type]
    "answers of no length": (lambda: STUDY.tell_all(np.array(3)), "`answers` must be pairs of item"),
    "an answer of no length": (lambda: STUDY.tell_all([np.array(3)]), "`answers` must be pairs of item"),  # type: ignore[list-item]
    "ids of no length": (lambda: POOL.positions(np.array(3)), "`ids` must be a list of ids"),
    **{
        f"{made.__name__} where chance is {said!r}": (
            partial(made, held_random=said),
            "`held_random` must be True or False; got",
        )
        for made in (created, planned, needed)
        for said in (pd.NA, np.array([1, 2]), "no", 1)
    },
    "sample of none": (lambda: STUDY.sample(0), "`k` must be a whole number from 1 to"),
    "sample beyond": (lambda: STUDY.sample(255), "`k` must be a whole number from 1 to"),
    "sample before": (lambda: sv.create_study(POOL, metric="f1", budget=5).sample(), "needs an answer before its sample"),
    "run below": (lambda: STUDY.run(-1), "`k` must be a whole number"),
    "interval text": (lambda: STUDY.estimate(interval=""), "`interval` is not known"),
    "interval zero": (lambda: STUDY.estimate(interval=0), "`interval` must be a name"),  # type: ignore[arg-type]
    "no plans": (lambda: frames.sorted_inclusion([]), "`plans` must not be empty"),
    "points of no density": (lambda: frames.density(STUDY.estimate("f1"), resolve("f1"), POOL.size, points=0), "`points` must be a whole number of at least 1"),
    "points of no divergence": (lambda: frames.divergence(STUDY, LABELS, points=-1), "`points` must be a whole number of at least 1"),
    "column by letters": (lambda: surrogates.Learned(columns="price").model(POOL), "`columns` is not known; got 'price'"),  # type: ignore[arg-type]
    "columns of a number": (lambda: surrogates.DirichletTree(columns=5), "`columns` must be a list of column names; got 5"),  # type: ignore[arg-type]
    "region of no level": (lambda: STUDY.curve("precision_recall").ellipsoid(2), r"`level` must lie strictly between 0 and 1; got 2"),
    "kind": (lambda: metrics.for_kind([]), "`kind` must be a name"),  # type: ignore[arg-type]
    "grid of text": (lambda: metrics.roc_curve("a"), "`grid` must hold thresholds"),  # type: ignore[arg-type]
    "grid of nothing": (lambda: metrics.roc_curve(np.array([np.nan])), "`grid` must hold thresholds"),
    "grid of one": (lambda: metrics.precision_recall_curve(1), "`grid` must be a whole number from 2 to 10000"),
    "lift of one": (lambda: metrics.lift_curve(1), "`grid` must be a whole number from 2 to 10000"),
    "grid of millions": (lambda: resolve("pr_curve@99999999"), "`grid` must be a whole number from 2 to 10000"),
    "grid without end": (lambda: resolve("pr_curve@" + "9" * 5000), "`metric` is not known"),
    "scores on one threshold": (lambda: metrics.score_grid(np.arange(9.0), 1), "`most` must be a whole number of at least 2; got 1"),
    "beta without end": (lambda: resolve("f1" + "0" * 400), "`beta` must be a finite number"),
    "minus": (lambda: metrics.minus("f1", resolve("f1")), "`first` must be a Metric; .* metrics.resolve"),  # type: ignore[arg-type]
    "minus what": (lambda: metrics.minus(resolve("f1"), "f1"), "`second` must be a Metric"),  # type: ignore[arg-type]
    "of_system": (lambda: metrics.of_system("f1", "a"), "`metric` must be a Metric"),  # type: ignore[arg-type]
    "difference": (lambda: metrics.difference("f1", "a", "b"), "`metric` must be a Metric"),  # type: ignore[arg-type]
    "within": (lambda: metrics.within("f1", LABELS.known, "x"), "`metric` must be a Metric"),  # type: ignore[arg-type]
    "within positions": (lambda: metrics.within(resolve("f1"), np.arange(5), "x"), "`members` must be True or False for every.* np.isin"),  # type: ignore[arg-type]
    "within perhaps": (lambda: metrics.within(resolve("f1"), np.array([True, np.nan], object), "x"), "`members` must be True or False"),
    "within few": (lambda: STUDY.estimate(part("f1", 5)), f"`members` must be True or False for each of the {POOL.size} items of the pool; got 5"),
    "within many": (lambda: STUDY.estimate(part("auc", 99)), f"`members` must be .* {POOL.size} items of the pool; got 99"),
    "within parts": (lambda: metrics.within(part("auc", 5), LABELS.known, "x"), f"`members` must be .* {POOL.size} items of the pool; got 5"),
    "mean of unknown labels": (lambda: metrics.mean_loss(resolve("f1"), POOL.items, unknown(LABELS.values)), "`labels` must all be known; got -1 at row 7"),
    "total minus share": (lambda: metrics.minus(resolve("positives"), resolve("recall")), "`second` must be a total.*, or neither may be a total; got 'recall'"),
    "a metric minus one of another form": (lambda: created(metric=metrics.minus(resolve("f1"), resolve("mcc"))), r"`second` must have the form of `first` \('f1'\); got 'mcc'; look at"),
    "one number minus several": (lambda: metrics.minus(resolve("mcc"), resolve("class_f1")), "`second` must have the form .* got 'class_f1'"),
    "share minus total": (lambda: metrics.minus(resolve("recall"), resolve("positives")), "`second` must be a total"),
    "questions": (lambda: metrics.questions(None), "`pool` must be a Pool"),  # type: ignore[arg-type]
    "name": (lambda: created(name={}), "`name` must be a str"),
    "metric twice": (lambda: created(metric=["f1", "recall", "f1"]), "`metric` must name each metric once; got 'f1'; for"),
    "metric called like another": (lambda: created(metric=metrics.ratio("accuracy", "Mine", lambda items, y: (y, 1.0))), "`metric` must not have the name of another one, Accuracy; got 'accuracy'; give yours"),
    "δ of none": (lambda: curve(0.1), "`defensive` has no meaning for any of these designs; got 0.1; leave it out"),
    "grid of numerals": (lambda: metrics.roc_curve(["0.5"]), "`grid` must hold thresholds"),  # type: ignore[arg-type]
    "grid of flags": (lambda: metrics.f_curve(grid=np.array([False, True])), "`grid` must hold thresholds"),
    "grid of times": (lambda: metrics.roc_curve(np.array(["2020-01-01"], "M8[ns]")), "`grid` must hold thresholds"),
    "grid beyond all bounds": (lambda: metrics.roc_curve([10**400]), "`grid` must hold thresholds"),  # type: ignore[arg-type]
    "bins beyond all bounds": (lambda: metrics.reliability(2**63), "`bins` must be a whole number from 1 to 10000"),
    "system by number": (lambda: metrics.of_system(resolve("f1"), 1), "`system` must be a str; got 'int'"),  # type: ignore[arg-type]
    "difference by number": (lambda: metrics.difference(resolve("f1"), "old", 1), "`b` must be a str; got 'int'"),  # type: ignore[arg-type]
    "metrics of an empty generator": (lambda: created(metric=iter(())), "`metric` must be a metric, a list of them"),
    "two designs of a kind": (lambda: curve(None, "poisson", "uniform", "poisson"), "`designs` must name each kind of design once.* got 'poisson'; make"),
    "δ of text": (lambda: curve("abc", "uniform", "priority"), "`defensive` must be a number"),
    "δ of no share": (lambda: curve(5, "uniform", "priority"), r"`defensive` must lie in \[0, 1\]"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_meant_is_refused_in_words(what: str) -> None:
    use, said = REFUSED[what]
    with pytest.raises(sv.InputError, match=said):
        use()


def test_a_stored_study_is_opened_with_a_pool_and_metrics_only(tmp_path: Any) -> None:
    url = f"sqlite:///{tmp_path / 's.db'}"
    created(storage=url, name="s")
    with pytest.raises(sv.InputError, match="`pool` must be a Pool"):
        sv.load_study("s", url, pool=FRAME)  # type: ignore[arg-type]
    with pytest.raises(sv.InputError, match="`metrics` must be a Metric; got 'str'"):
        sv.load_study("s", url, metrics=["f1"])  # type: ignore[list-item]


def test_a_stored_study_is_not_opened_with_another_pool(tmp_path: Any) -> None:
    """The stored pool had been read in its place, without a word."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    created(storage=url, name="s")
    with pytest.raises(sv.InputError, match=r"`pool` must be the pool of the study 's'.*leave it out"):
        sv.load_study("s", url, pool=binary(30)[0])
    assert sv.load_study("s", url, pool=binary()[0]).pool.size == POOL.size


def test_a_pool_is_found_by_text_only(tmp_path: Any) -> None:
    storage = sv.Storage.at(f"sqlite:///{tmp_path}/s.db")
    with pytest.raises(sv.InputError, match="`fingerprint` must be a str; got 'int'"):
        storage.load_pool(5)  # type: ignore[arg-type]


def test_known_labels_are_held_as_they_are() -> None:
    """Such labels had been refused, with advice meant for a study."""
    known = np.arange(POOL.size) % 3 == 0
    some = replace(LABELS, known=known)
    by_id = some.by_id(POOL)
    assert created(held=some).known_labels() == created(held=by_id).known_labels() == by_id
    one, other = (sv.plan(POOL, metric="f1", budget=5, held=held) for held in (some, by_id))
    assert (one.inclusion == other.inclusion).all()
    assert one.expected_error == other.expected_error
    with pytest.raises(sv.InputError, match="must hold the labels of this pool"):
        sv.plan(binary(n=30)[0], metric="f1", budget=5, held=some)


def test_fractions_are_numbers() -> None:
    """Fractions had been refused as a "circular reference", or as no numbers of an array."""
    half: Any = Fraction(1, 2)
    usual: dict[str, Any] = {"preset": "queue", "design": "poisson"}
    as_floats = created(**usual, shrinkage=0.5, defensive=0.5, level=0.5)
    for parts in (
        {"shrinkage": half, "defensive": half},
        {"surrogate": surrogates.Shrunk(half), "design": designs.Poisson(half)},
    ):
        assert created(**usual | parts, level=half).settings == as_floats.settings
        assert (
            planned(**usual | parts).expected_error
            == planned(**usual, shrinkage=0.5, defensive=0.5).expected_error
        )


def test_a_fraction_is_where_scores_are_clipped() -> None:
    assert metrics.log_loss(Fraction(1, 100)).name == metrics.log_loss(0.01).name  # type: ignore[arg-type]


def test_the_number_of_thresholds_may_be_one_of_numpy() -> None:
    assert metrics.roc_curve(np.int64(11)).outputs == metrics.roc_curve(11).outputs  # type: ignore[arg-type]


def test_a_goal_below_all_bounds_takes_all_labels() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sv.plan(POOL, metric="f1", budget=5, goal=1e-300).needed.low == POOL.size


@pytest.mark.parametrize("goal", [1e150, 1e300])
def test_a_goal_beyond_all_bounds_takes_a_label(goal: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sv.plan(POOL, metric="f1", budget=5, goal=goal).needed.low == 1


def test_more_workers_than_batches_are_not_started() -> None:
    many, one = simulated(jobs=10**6), simulated()
    timeless = [name for name in one.columns if "seconds" not in str(name)]
    pd.testing.assert_frame_equal(many[timeless], one[timeless])


# What is refused where the remedy led to a second refusal, or back → what is advised instead.
ADVISED: dict[str, tuple[Callable[[], object], str]] = {
    "cells of several classes": (
        lambda: sv.create_study(multiclass()[0], metric="accuracy", budget=5, design="targeted"),
        "`design` 'targeted' is for two classes, and these are multiclass labels; choose another one",
    ),
    "strata of label sets": (
        lambda: sv.create_study(multilabel()[0], metric="micro_f1", budget=5, preset="oasis"),
        "`design` 'adaptive' draws by strata, which multilabel labels do not have; choose another one",
    ),
    "any look at the future of what has no such interval": (
        lambda: created(preset="oasis").estimate(interval="anytime", about="future"),
        "`interval` 'anytime' is not known for design 'adaptive'",
    ),
    "an answer of no class": (lambda: told(created(), "perhaps"), "or leave the item out"),
    "postgres": (lambda: sv.Storage.at("postgres://me@here/db"), "write 'postgresql://' and the server"),
    "another driver": (
        lambda: sv.Storage.at("postgresql+asyncpg://me@here/db"),
        "write 'postgresql://' and the server",
    ),
    "a slip": (lambda: sv.Storage.at("sqllite:///s.db"), "did you mean 'sqlite'?"),
}


@pytest.mark.parametrize("what", ADVISED)
def test_a_remedy_can_be_followed(what: str) -> None:
    call, message = ADVISED[what]
    with pytest.raises(sv.InputError) as refused:
        call()
    assert message in str(refused.value)
