"""Whether items of the same ids are the same items, by what is shown of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval.pool import Pool
from sampleval.pool.likeness import Likeness, brief, likeness

N = 6
WORDS = ["ab", "cd", "ef", "gh", "ij", "x" * 300]


def of(**columns: Any) -> Pool:
    frame = pd.DataFrame({"score": np.linspace(0, 1, N), **columns})
    return Pool.from_frame(frame, score="score", fields=list(columns))


def compared(one: Pool, other: Pool) -> Likeness:
    """The same with the other table in brief."""
    found = likeness(one, other.ids, other.fields)
    assert likeness(one, other.ids, brief(other.fields)) == found
    return found


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"text": WORDS}, {"text": WORDS}, True),
        ({"text": WORDS}, {"text": [*WORDS[:-1], "x" * 299 + "y"]}, False),
        ({"text": WORDS}, {"words": WORDS}, False),  # nothing to compare
        ({"text": WORDS, "a": 1}, {"text": WORDS, "b": 2}, True),
        ({"text": ["yes"] * N}, {"text": ["yes"] * N}, False),  # tells nothing apart
        ({"row": range(N)}, {"row": range(N)}, False),  # which all tables have
        ({"row": range(7, 7 + N)}, {"row": range(7, 7 + N)}, False),
        ({"year": [4, 9, 1, 7, 3, 2]}, {"year": [4.0, 9.0, 1.0, 7.0, 3.0, 2.0]}, True),
        ({"year": [4, 9, 1, 7, 3, None]}, {"year": [4, 9, 1, 7, 3, None]}, True),
        (
            {"picture": [word.encode() for word in WORDS]},
            {"picture": [word.encode() for word in WORDS]},
            True,
        ),
        (
            {"picture": [word.encode() for word in WORDS]},
            {"picture": [word.encode() for word in WORDS[::-1]]},
            False,
        ),
    ],
    ids=range(11),
)
def test_items_are_the_same_where_what_is_shown_is_equal_and_tells_them_apart(
    one: dict[str, Any], other: dict[str, Any], same: bool
) -> None:
    assert compared(of(**one), of(**other)).same is same


def test_only_items_of_both_are_compared_and_what_differs_is_counted() -> None:
    pool = of(text=WORDS, a=["p"] * N)
    found = likeness(
        pool, ["1", "2", "new"], pd.DataFrame({"text": ["cd", "ef", "zz"], "a": ["p", "q", "q"]})
    )
    assert (found.items, found.equal, found.unlike, found.telling) == (2, ("text",), {"a": 1}, True)
    assert not likeness(pool, ["new"], pd.DataFrame({"text": ["ab"]})).same
