"""How far annotators agree, beyond what chance would bring."""

from __future__ import annotations

from itertools import product
from math import isnan, nan
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import sampleval as sv
from sampleval.events import Answered
from sampleval.study import Agreement, Answer, Shared, Study, agreement, shared
from tests.pools import binary


@pytest.mark.parametrize(
    ("ann", "bob", "equal", "kappa"),
    [
        ("ssssssssss", "ssssshhhhh", 5, 0.0),
        # Cohen (1960) of the shares .45, .15 / .25, .15: observed .6, by chance .54
        ("s" * 60 + "h" * 40, "s" * 45 + "h" * 15 + "s" * 25 + "h" * 15, 60, (0.6 - 0.54) / 0.46),
        ("sss", "sss", 3, nan),
    ],
)
def test_agreement_beyond_chance(ann: str, bob: str, equal: int, kappa: float) -> None:
    pool, _ = binary(200)
    study = sv.create_study(pool, metric="accuracy", budget=len(ann), preset="uniform", seed=3)
    items = study.ask(len(ann))
    for who, said in {"ann": ann, "bob": bob}.items():
        study.tell_all(
            [(i, {"s": "spam", "h": "ham"}[k]) for i, k in zip(items, said, strict=True)], annotator=who
        )
    found = agreement(shared(study.state))
    assert (found.items, found.equal) == (len(ann), equal)
    assert found.kappa == pytest.approx(kappa, nan_ok=True)
    low, high = found.limits()
    assert low <= found.share <= high
    assert (low, high) == pytest.approx(stats.binomtest(equal, len(ann)).proportion_ci(0.9))
    with pytest.raises(sv.InputError, match="`level` must lie strictly between 0 and 1; got 90"):
        found.limits(90)


def test_the_agreement_of_three_is_not_measured_against_chance() -> None:
    study = sv.create_study(binary(200)[0], metric="accuracy", budget=3, preset="uniform", seed=3)
    items = study.ask(3)
    for who, said in {"ann": "ssh", "bob": "ssh", "eve": "shh"}.items():
        study.tell_all(
            [(i, {"s": "spam", "h": "ham"}[k]) for i, k in zip(items, said, strict=True)], annotator=who
        )
    found = agreement(shared(study.state))
    assert (found.items, found.equal) == (3, 2)
    assert found.kappa != found.kappa
    assert all(map(isnan, found.kappa_limits()))


def counted(table: NDArray[np.int_]) -> Agreement:
    """The agreement of two people, as a table of what one said against what the other did tells it."""
    return agreement(
        [
            Shared(0, {"ann": answered(str(a)), "bob": answered(str(b))})
            for (a, b), times in np.ndenumerate(table)
            for _ in range(times)
        ]
    )


def answered(label: str) -> Answer:
    return Answer("", "", "", Answered(0, "i", "label", label))


FLEISS = np.array([[106, 10, 4], [22, 28, 10], [2, 12, 6]])  # their table of 200 diagnoses


@pytest.mark.parametrize(
    "table", [FLEISS, np.array([[2, 3], [1, 2]]), np.array([[1, 9, 2], [7, 1, 3], [4, 6, 0]])]
)
def test_the_variance_of_kappa_is_that_of_the_delta_method(table: NDArray[np.int_]) -> None:
    """The formula of 1969 against derivatives by differences."""

    def kappa(p: NDArray[np.float64]) -> float:
        chance = p.sum(0) @ p.sum(1)
        return float((np.trace(p) - chance) / (1 - chance))

    n, p = table.sum(), table / table.sum()
    step = 1e-6 * np.eye(p.size).reshape(-1, *p.shape)
    slope = np.array([(kappa(p + each) - kappa(p - each)) / 2e-6 for each in step])
    flat = p.ravel()
    found = counted(table)
    assert found.kappa == pytest.approx(kappa(p))
    assert found.variance == pytest.approx((flat @ slope**2 - (flat @ slope) ** 2) / n, rel=1e-6)


def test_the_example_of_fleiss_cohen_and_everitt() -> None:
    found = counted(FLEISS)
    assert (round(found.kappa, 3), round(found.variance, 6)) == (0.429, 0.002885)
    low, high = found.kappa_limits()
    assert low <= found.kappa - 1.645 * 0.002885**0.5
    assert high >= found.kappa + 1.645 * 0.002885**0.5
    assert high - low < 0.22


@pytest.mark.parametrize("items", [5, 12])
@pytest.mark.parametrize(("share", "kappa"), [(0.5, -0.3), *product([0.5, 0.2], [0.0, 0.5, 0.8, 0.95])])
def test_limits_of_kappa_hold_as_often_as_they_say(items: int, share: float, kappa: float) -> None:
    """By enumeration. κ had no limits; κ ± z σ alone holds in 10% of studies of 5 items at κ = .95."""
    shares = np.array([share, 1 - share])
    true = kappa * np.diag(shares) + (1 - kappa) * np.outer(shares, shares)
    held = known = 0.0
    for a in range(items + 1):
        for b in range(items + 1 - a):
            for c in range(items + 1 - a - b):
                table = np.array([[a, b], [c, items - a - b - c]])
                found = counted(table)
                if not isnan(found.kappa):
                    chance = stats.multinomial(items, true.ravel()).pmf(table.ravel())
                    low, high = found.kappa_limits()
                    assert -1 <= low < high <= 1
                    known += chance
                    held += chance * (low <= kappa <= high)
    assert held / known >= 0.9


def test_limits_of_kappa_where_all_agree_none_does_or_nothing_varies() -> None:
    """All alike left a variance of 0, as if it were known."""
    all_alike, none, one = (
        counted(np.diag([3, 4])),
        counted(np.array([[0, 1], [0, 0]])),
        counted(np.diag([5, 0])),
    )
    low, high = all_alike.kappa_limits()
    assert (all_alike.kappa, all_alike.variance, high) == (1, 0, 1)
    assert 0 < low < 0.5
    assert none.kappa_limits()[0] == -1
    assert none.kappa_limits()[1] > 0.9
    assert isnan(one.kappa)
    assert all(map(isnan, one.kappa_limits()))


def test_one_person_however_written_agrees_with_nobody() -> None:
    """The log keeps every spelling, so that older ones, in which they were two people, are read the same way."""
    pool, _ = binary(200)
    study = sv.create_study(pool, metric="accuracy", budget=3, preset="uniform", seed=3)
    [item] = study.ask(1)
    for who, label in (("Ann", "spam"), ("ann ", "ham")):
        study.tell(item, label, annotator=who)
    assert (shared(study.state), [*study.known_labels().values()]) == ([], ["ham"])
    assert [event.annotator for event in study.events()][-2:] == ["Ann", "ann "]
    assert study.undo(annotator="ANN") is not None
    assert [*study.known_labels().values()] == ["spam"]
    assert Study.replay(pool, study.events()).state == study.state


def test_answers_given_apart_are_no_decisions() -> None:
    """Of three people who differ, the third was taken for somebody who settles it."""
    study = sv.create_study(binary(200)[0], metric="accuracy", budget=3, preset="uniform", seed=3)
    item = study.ask(1)[0]
    study.tell_apart([("ann", item, "spam"), ("bob", item.id, "ham"), ("eve", item, sv.UNSURE)])
    [found] = shared(study.state)
    assert [*found.own] == ["ann", "bob", "eve"]
    assert found.open
    study.tell(item, "ham", annotator="eve")
    [found] = shared(study.state)
    assert found.decision is not None
    assert found.own["eve"].what.kind == "unsure"
    study.undo(annotator="eve")
    [found] = shared(study.state)
    assert found.open


def test_an_answer_given_apart_after_a_decision_is_a_new_one() -> None:
    """It counted, while the item was said to be settled with the label decided before."""
    study = sv.create_study(binary(200)[0], metric="accuracy", budget=3, preset="uniform", seed=3)
    item = study.ask(1)[0]
    study.tell_apart([("ann", item, "spam"), ("bob", item, "ham")])
    study.tell(item, "spam", annotator="chair")
    study.tell_apart([("eve", item, "ham")])
    [found] = shared(study.state)
    assert found.decision == study.state.given.current(item.place)
    study.undo(annotator="chair")
    [found] = shared(study.state)
    assert found.open
    assert [*found.own] == ["ann", "bob", "eve"]


@pytest.mark.parametrize(
    "answers",
    [5, "ann", {"ann": 1}, [("ann", "item")], ["abc"], [("ann", "nobody", "spam")], [("ann", None, "x")]],
)
def test_what_is_no_answer_of_a_person_is_refused_and_nothing_kept(answers: Any) -> None:
    study = sv.create_study(binary(200)[0], metric="accuracy", budget=3, preset="uniform", seed=3)
    item = study.ask(1)[0]
    if isinstance(answers, list):
        answers = [("bob", item, "spam"), *answers]
    with pytest.raises(sv.InputError):
        study.tell_apart(answers)
    assert not study.labels
