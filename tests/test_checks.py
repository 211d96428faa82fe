"""Single values that callers give: what breaks its rule is refused by name."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sampleval import _checks
from sampleval._checks import InputError


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (_checks.level, 1, "strictly between 0 and 1"),
        (_checks.shrinkage, 1.1, r"`shrinkage` must lie in \[0, 1\]"),
        (lambda x: _checks.budget(x, 10), 0, "at least 1 label"),
        (lambda x: _checks.budget(x, 10), -5, "at least 1 label"),
        (lambda x: _checks.budget(x, 10), 11, "cannot exceed the 10 items of the pool; got 11; pass 10"),
        (lambda x: _checks.budget(x, 10), 2.5, "whole number"),
        (lambda x: _checks.count(x, "n", minimum=1), True, "`n` must be a whole number of at least 1; got True"),
        (lambda x: _checks.count(x, "n", minimum=1), 0, "at least 1"),
        (lambda x: _checks.count(x, "n", maximum=3), 4, "from 0 to 3"),
        (lambda x: _checks.count(x, "n"), float("inf"), "whole number"),
        (lambda x: _checks.count(x, "n"), Fraction(10**400, 3), "whole number"),
        (lambda x: _checks.real(x, "x"), [10**5000], "must be a number; got a list that cannot be written"),
        (lambda x: _checks.real(x, "x"), nested(10**5), "must be a number; got a list that cannot be written"),
        (_checks.level, 10**400, "must be a finite number; got a whole number of more than 40 digits"),
        (_checks.path, "", "must be the path of a file; got ''"),
        (lambda x: _checks.choice(x, ["f1", "recall"], "metric"), "recal", "`metric` is not known; .*did you mean 'recall'"),
        (lambda x: _checks.choice(x, ["f1"], "metric"), 3, "must be a name"),
        (lambda x: _checks.unit(x, "d"), "1", "must be a number"),
        (lambda x: _checks.unit(x, "d"), np.array([], object), r"got \[\]$"),  # as a cell of Parquet that holds a list
    ],
)  # fmt: skip
def test_single_values_that_break_their_rule_are_refused(check: Any, value: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check(value)


@pytest.mark.parametrize("name", ["نمی\u200cخواهم", "\U0001f469\u200d\U0001f469\u200d\U0001f467"])
def test_what_joins_signs_of_a_script_is_part_of_a_name(name: str) -> None:
    """Such names had been shown with backslashes in them; where a joiner hides what differs, it still is."""
    assert _checks.shown(name) == f"'{name}'"
    assert _checks.shown("yes\u200d") == r"'yes\u200d'"
    assert _checks.shown(r"é\u200dé") == repr(r"é\u200dé")


def test_no_more_of_an_array_is_written_than_is_shown() -> None:
    """A wide one took seconds, and gigabytes."""
    assert _checks.shown(np.broadcast_to(0.0, (10**9, 10**9))).startswith("[[0.0, 0.0, ")
