"""Labels held beforehand, also those of another study: they count, are not asked for, and may teach."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import planning
from sampleval.designs import Rounds, Stratified
from sampleval.metrics import resolve, within
from sampleval.presets import PRESETS
from sampleval.study import take_over
from tests.pools import binary
from tests.studies import LABELS, POOL, TRUTH, answered, begun, exact, of_another_version


def test_labels_held_beforehand_are_certainties() -> None:
    known = dict(list(TRUTH.items())[:15])
    study = begun(held=known, budget=25, metric="accuracy", design="uniform")
    study.answer(LABELS, 25)
    assert set(study.known_labels()) == set(TRUTH)
    found = study.estimate("accuracy")
    assert found.value == pytest.approx(exact("accuracy"))
    assert found.interval.width == 0
    assert found.labels == 25


@pytest.mark.parametrize("preset", PRESETS)
def test_where_every_label_is_held_nothing_is_asked_and_the_value_is_known(preset: str) -> None:
    study = begun(held=dict(TRUTH), budget=5, metric="accuracy", preset=preset)
    assert study.ask(3) == []
    found = study.estimate("accuracy")
    assert found.value == pytest.approx(exact("accuracy"))
    assert found.interval.width == 0


@pytest.mark.parametrize("preset", ["recommended", "queue", "yilmaz-bs", "active-testing"])
def test_where_every_label_that_matters_is_held_the_value_is_known(preset: str) -> None:
    """The labels were "not enough", although no other was ever asked."""
    scores = np.linspace(0.02, 0.98, 40)
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(40), "score": scores}))
    found = {str(k): int(k % 4 > 0) for k in np.flatnonzero(scores >= 0.5)}
    study = sv.create_study(pool, metric="precision", budget=5, preset=preset, held=found)
    assert not study.ask(5)
    at = study.estimate()
    assert at.value == at.interval.low == at.interval.high == pytest.approx(np.mean(list(found.values())))
    assert np.isnan(study.estimate("recall").value)
    assert "never asks" in study.estimate("recall").note
    one_short = dict(list(found.items())[:-1])
    open_ = sv.create_study(pool, metric="precision", budget=5, preset=preset, held=one_short)
    assert np.isnan(open_.estimate().value)
    assert open_.ask(5)


def test_rounds_that_spread_a_share_evenly_ask_nothing_where_no_label_left_matters() -> None:
    """They asked nothing, but called the held labels "not enough", and told to set the δ > 0 that was set."""
    scores = np.linspace(0.02, 0.98, 40)
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(40), "score": scores}))
    found = {str(k): int(k % 4 > 0) for k in np.flatnonzero(scores >= 0.5)}
    spread = Rounds(defensive=0.2)
    study = sv.create_study(
        pool, metric="precision", budget=5, preset="queue", design=spread, estimator="rounds", held=found
    )
    assert not study.ask(5)
    at = study.estimate()
    assert at.value == at.interval.low == at.interval.high == pytest.approx(np.mean(list(found.values())))
    assert "a sample drawn for this metric too would ask them" in study.estimate("accuracy").note


@pytest.mark.parametrize("held", [{"nobody": "spam"}, {"item-000": "eggs"}, {"item-000": None}])
def test_held_labels_that_do_not_fit_are_refused_before_anything_is_stored(
    held: dict[str, Any], tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 's.db'}"
    with pytest.raises(sv.InputError):
        begun(held=held, storage=url, name="s")
    assert sv.Storage.at(url).studies() == []


def test_ids_keep_their_spaces_wherever_they_are_named() -> None:
    """If ids begin with a space, labels by id had been refused, and so had answers by id."""
    frame = pd.DataFrame({"id": [f" a{k}" for k in range(20)], "score": np.linspace(0, 1, 20), "label": 1})
    pool = sv.Pool.from_frame(frame)
    known = sv.Labels.from_frame(frame, pool).by_id(pool)
    study = sv.create_study(pool, metric="f1", budget=5, held=dict(list(known.items())[:3]))
    (item,) = study.ask(1)
    study.tell(item.id, 1)
    assert (study.labels, len(study.known_labels())) == (1, 4)


def test_an_id_may_bear_spaces_that_the_pool_s_does_not() -> None:
    study = begun(held={" item-000": "spam"})
    assert study.known_labels() == {"item-000": "spam"}
    with pytest.raises(sv.InputError, match="`held` must name every item once"):
        begun(held={" item-000": "spam", "item-000": "ham"})


# ---------------------------------------------------------------- of another study


def test_a_new_study_imports_the_labels_of_an_old_one() -> None:
    old = answered(begun(), 12)
    new = begun(metric="recall", seed=9, held=old)
    asked = {item.id for item in new.ask(12)}
    assert asked.isdisjoint(old.known_labels())
    assert new.known_labels() == old.known_labels()


@pytest.mark.parametrize("preset", ["queue", "stratified", "yilmaz-bs", "yilmaz-online-bs"])
def test_a_new_study_of_the_same_seed_draws_by_chance_what_the_old_one_left(preset: str) -> None:
    """It had drawn with the same random numbers: what was left had all been passed over, and counts were twice too high."""
    pool, known = binary(240, seed=8)
    errors = []
    for seed in range(12):
        old = sv.create_study(pool, metric="recall", budget=60, seed=seed, preset=preset)
        old.answer(known, 60)
        new = sv.create_study(pool, metric="f1", budget=30, seed=seed, preset=preset, held=old)
        assert new.answer(known, 30) > 10
        errors.append(new.estimate("positives").value - float(np.sum(known.values)))
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(len(errors))


def test_that_held_labels_are_a_random_sample_is_kept_and_asked_only_where_it_tells(tmp_path: Path) -> None:
    held = dict(list(TRUTH.items())[:15])
    study = begun(
        held=held, held_random=True, preset="recommended", storage=f"sqlite:///{tmp_path}/a.db", name="a"
    )
    study.answer(LABELS, 10)
    again = sv.load_study("a", f"sqlite:///{tmp_path}/a.db")
    assert again.state.problem.held_random
    assert again.estimate("f1") == study.estimate("f1")
    plain = begun(held=held, preset="recommended")
    plain.answer(LABELS, 10)
    assert plain.estimate("f1").value != study.estimate("f1").value
    for wrong, why in (
        ({}, "needs labels in `held`"),
        ({"held": held, "preset": "queue"}, "is for beliefs that learn"),
        ({"held": plain, "preset": "recommended"}, "needs labels that chance or scores chose"),
    ):
        with pytest.raises(sv.InputError, match=why):
            begun(held_random=True, **wrong)


FEATURED = sv.Pool.from_frame(
    pd.DataFrame(
        {
            "id": [f"i{k}" for k in range(60)],
            "a.score": np.linspace(0.02, 0.98, 60),
            "b.score": np.linspace(0.98, 0.02, 60) ** 2,
            "x": np.arange(60.0) % 7,
            "part": ["u", "v"] * 30,
        }
    )
)


@pytest.mark.parametrize(
    ("how", "impartial"),
    [
        ({"metric": "f1", "preset": "queue"}, True),
        ({"metric": ["recall", "accuracy"], "preset": "recommended"}, True),
        ({"metric": "accuracy[a]", "preset": "queue"}, True),
        ({"metric": "accuracy[a - b]", "preset": "queue"}, True),
        ({"metric": ["f1", "f1[b]"], "preset": "queue"}, True),
        ({"metric": within(resolve("f1"), np.arange(60) % 2 == 0, "u"), "preset": "queue"}, False),
        ({"metric": "f1", "preset": "active-testing", "surrogate": "learned"}, False),
        ({"metric": "f1", "design": Stratified(by="k-d tree", columns=("x",))}, False),
        ({"metric": "f1", "preset": "queue", "held": {"i3": 1}}, False),
    ],
    ids=range(9),
)
def test_labels_of_a_study_teach_another_where_scores_and_chance_chose_them(
    how: dict[str, Any], impartial: bool
) -> None:
    old = sv.create_study(FEATURED, budget=20, **how)
    old.tell_all((item, item.place % 2) for item in old.ask(10))
    assert old.impartial is impartial
    new = sv.create_study(FEATURED, metric="f1", budget=20, preset="recommended", held=old)
    assert new.settings.held_random is impartial
    assert sv.create_study(
        FEATURED, metric="f1", budget=20, preset="recommended", held=new
    ).settings.held_random is (impartial)
    for unmoved in (
        sv.create_study(FEATURED, metric="f1", budget=20, preset="queue", held=old),
        sv.create_study(FEATURED, metric="f1", budget=20, held=old, held_random=False),
    ):
        assert not unmoved.settings.held_random
    if not impartial:
        with pytest.raises(sv.InputError, match="`held_random` needs labels that chance or scores chose"):
            sv.create_study(FEATURED, metric="f1", budget=20, held=old, held_random=True)


def again(
    rows: slice = slice(None),
    *,
    threshold: float = 0.5,
    extra: str = "",
    columns: Mapping[str, Any] | None = None,
) -> sv.Pool:
    """The featured items, or some of them, with other columns."""
    frame = pd.DataFrame(
        {
            "id": FEATURED.ids,
            "a.score": FEATURED.systems[0].score,
            "b.score": FEATURED.systems[1].score,
            "x": np.arange(60.0) % 7,
        }
    )
    systems = {name: {"score": f"{name}.score"} for name in ("b", "a")}
    if extra:
        systems |= {extra: {"score": f"{extra}.score"}}
    made = frame.assign(**columns or {}).iloc[rows]
    return sv.Pool.from_frame(made, id="id", system=systems, threshold=threshold)


@pytest.mark.parametrize(
    ("other", "teaches"),
    [
        (again(), True),  # other fields, and the systems in another order
        (again(slice(None, None, -1)), True),
        (again(slice(0, 40)), True),
        (again(threshold=0.3), True),
        (again(extra="c", columns={"c.score": np.linspace(0, 1, 60) ** 3}), True),
        (again(columns={"a.score": np.linspace(0, 1, 60) ** 3}), False),
        (again(columns={"id": [*FEATURED.ids[:-1], "new"]}), False),
    ],
    ids=range(7),
)
def test_labels_chosen_by_other_scores_count_and_do_not_teach(other: sv.Pool, teaches: bool) -> None:
    """Labels of items that an earlier model was unsure of taught a new one: its prevalence was .09 too high."""
    old = sv.create_study(FEATURED, metric="f1", budget=10, preset="recommended")
    old.tell_all((item, item.place % 2) for item in old.ask(10))
    common = {id: label for id, label in old.known_labels().items() if id in other}
    if len(common) == 10:
        new = sv.create_study(other, metric="f1[a]", budget=20, held=old)
        assert (new.known_labels(), new.settings.held_random) == (common, teaches)
        if not teaches:
            with pytest.raises(sv.InputError, match="chosen by other scores, or from other items"):
                sv.create_study(other, metric="f1[a]", budget=20, held=old, held_random=True)
    assert planning.teaches(old, other) is teaches


def test_labels_of_other_items_and_classes_for_numbers_are_refused_in_words() -> None:
    """The message had proposed an id that was like the first one lacking, and a class called "1" became the number 1."""
    old = sv.create_study(FEATURED, metric="f1", budget=60, preset="queue")
    old.tell_all((item, item.place % 2) for item in old.ask(60))
    with pytest.raises(
        sv.InputError,
        match=r"`held` must have labels of the pool's items alone; 20 of 60 labels are not; got 'i.*if id in pool",
    ):
        sv.create_study(again(slice(0, 40)), metric="f1[a]", budget=5, held=old)
    numbers = sv.Pool.from_frame(
        pd.DataFrame({"id": FEATURED.ids, "pred": range(60)}), id="id", pred="pred", task="regression"
    )
    with pytest.raises(sv.InputError, match="`held` must be a study of such labels; its task is two classes"):
        sv.create_study(numbers, metric="mae", budget=5, held=old)


def of_classes(*order: str) -> sv.Pool:
    """Thirty items with scores of these classes, in this order."""
    frame = pd.DataFrame({f"p_{name}": np.linspace(0, 1, 30) ** ord(name) for name in order})
    return sv.Pool.from_frame(
        frame, score={name: f"p_{name}" for name in order}, task="multiclass", transform="softmax"
    )


def test_labels_follow_the_names_of_the_classes() -> None:
    old = sv.create_study(of_classes(*"abc"), metric="accuracy", budget=6)
    old.tell_all((item, "abc"[item.place % 3]) for item in old.ask(6))
    new = sv.create_study(of_classes(*"cab"), metric="accuracy", budget=6, held=old)
    assert new.known_labels() == old.known_labels()
    with pytest.raises(sv.InputError, match="`held` must be one of the 2 classes; got 'c'"):
        sv.create_study(of_classes(*"ab"), metric="accuracy", budget=6, held=old)


def test_a_study_that_was_taught_knows_something_before_its_first_question() -> None:
    old = sv.create_study(FEATURED, metric="f1", budget=20, preset="queue")
    old.tell_all((item, item.place % 2) for item in old.ask(20))
    new = sv.create_study(FEATURED, metric="f1", budget=20, preset="recommended", held=old)
    first = new.estimate("f1")
    assert first.labels == 0
    assert first.note == ""
    assert 0 < first.interval.width < 0.9
    assert new.estimate("accuracy[b]").note == ""
    assert "no answers yet" in new.estimate(within(resolve("f1"), np.arange(60) % 2 == 0, "u")).note
    untaught = sv.create_study(
        FEATURED, metric="f1", budget=20, preset="recommended", held=old, held_random=False
    )
    assert "no answers yet" in untaught.estimate("f1").note


@pytest.mark.parametrize(
    ("options", "teaches"),
    [
        ({"preset": "recommended"}, True),
        ({"preset": "recommended", "held": dict(list(TRUTH.items())[:3])}, False),
        ({"preset": "recommended", "held": dict(list(TRUTH.items())[:3]), "held_random": True}, True),
        ({"preset": "queue"}, True),
        ({"preset": "stratified"}, True),
        ({"preset": "yilmaz-is", "oracle": "stochastic"}, True),
    ],
    ids=str,
)
def test_labels_are_taken_over_from_a_queue_that_cannot_be_remade(
    options: dict[str, Any], teaches: bool, tmp_path: Path
) -> None:
    """They could be had in no way: the study did not open, and the advice to export them needed it to."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = answered(begun(budget=9, storage=url, name="s", **options), 5)
    [first, second, third, *_] = study.state.given.standing.values()
    study.tell(study.item(first.what.place), "spam" if TRUTH[first.what.id] == "ham" else "ham")  # corrected
    study.tell(study.item(second.what.place), sv.SKIP)
    study.undo(answer=third.uuid)
    assert take_over("s", url).known_labels() == study.known_labels()
    of_another_version(url)
    with pytest.raises(
        sv.InputError, match=r"another version.*held=sampleval\.study\.take_over\(name, storage\)"
    ):
        sv.load_study("s", url)
    taken = take_over("s", url, pool=POOL)
    assert taken.known_labels() == study.known_labels()
    assert len(taken.known_labels()) >= 3
    assert taken.impartial == study.impartial == teaches
    anew, wanted = (begun(preset="recommended", held=held).events()[0].what for held in (taken, study))
    assert anew == wanted


@pytest.mark.parametrize(
    ("part", "value"),
    [("surrogate.strength", 0.0), ("design.key", "of the future"), ("interval", "of the future")],
)
def test_labels_are_taken_over_from_a_method_that_this_version_does_not_know(
    part: str, value: object, tmp_path: Path
) -> None:
    """Studies by OASIS were once begun with a strength of 0. Their labels could be had in no way, as in a study of the future."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    study = begun(preset="oasis", budget=9, storage=url, name="s")
    study.answer(LABELS, 5)
    with closing(sqlite3.connect(tmp_path / "s.db")) as database, database:
        change = "update events set payload=json_set(payload,'$.settings.method.'||?,?) where seq=1"
        database.execute(change, (part, value))
    said = r"does not know the method.* update sampleval; otherwise .*held=sampleval\.study\.take_over\(name"
    with pytest.raises(sv.InputError, match=said):
        sv.load_study("s", url)
    taken = take_over("s", url)
    assert taken.known_labels() == study.known_labels()
    assert len(taken.known_labels()) == 5
    assert study.impartial
    assert not taken.impartial  # nobody can say what chose them
    assert not begun(held=taken, preset="recommended").settings.held_random


def test_labels_follow_the_items_to_a_pool_that_was_read_differently(tmp_path: Path) -> None:
    """As after an update that reads dates as dates. The refusal led to the stored pool alone."""
    url = f"sqlite:///{tmp_path / 's.db'}"
    day = pd.DataFrame({"id": POOL.ids, "score": POOL.score, "day": "2026-01-01"})
    earlier, now = (sv.Pool.from_frame(day.assign(day=day["day"] + time)) for time in (" 00:00:00", ""))
    study = sv.create_study(earlier, metric="f1", budget=9, storage=url, name="s")
    study.tell(study.ask(1)[0], 1)
    with pytest.raises(sv.InputError, match=r"`pool` must be .* held=load_study\(name, storage\)$"):
        sv.load_study("s", url, pool=now)
    new = sv.create_study(now, metric="f1", budget=9, held=sv.load_study("s", url))
    assert new.known_labels() == study.known_labels()


def test_the_variance_beside_held_labels_is_that_of_the_other_items_share() -> None:
    """Of 100 items 40 are held, and 20 of the other 60 are drawn: Var = (60/100)² (1 − 20/60) s²/20."""
    pool, labels = binary(100)
    held = dict(list(labels.by_id(pool).items())[:40])
    study = sv.create_study(pool, metric="accuracy", budget=20, preset="uniform", held=held)
    study.answer(labels, 20)
    index = study.state.queue
    right = (labels.of(index) == pool.pred[index]).astype(float)
    assert 0 < right.mean() < 1
    expected = 0.6**2 * (1 - 20 / 60) * right.var(ddof=1) / 20
    assert study.estimate().variance == pytest.approx(expected, rel=1e-12)
