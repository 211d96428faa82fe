"""How far annotators agree, beyond what chance would bring."""

from __future__ import annotations

from math import nan

import pytest
from scipy import stats

import sampleval as sv
from sampleval.study import agreement, shared
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
