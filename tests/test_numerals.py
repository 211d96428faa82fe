"""Numbers are written alike on pages, in reports and on the console."""

from __future__ import annotations

from html import unescape

import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

import sampleval as sv
from sampleval import numerals
from sampleval.events import Answered
from sampleval.metrics import resolve
from sampleval.report import page
from sampleval.ui import verdict, words
from sampleval.ui.labelling import desk, review


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (-0.00005, ">−0.0001"),
        (0.00005, "<0.0001"),
        (-0.105, "−0.105"),
        (-0.004, "−0.004"),
        (-1503.2, "−1,503"),
        (float("nan"), "–"),
        (float("-inf"), "–"),
    ],
)
def test_one_way_of_writing_a_number(value: float, written: str) -> None:
    assert numerals.number(value) == written
    assert words.number is numerals.number
    assert unescape(page.number(value, resolve("f1"))) == written


def test_a_number_of_items_is_whole_and_nothing_has_no_sign() -> None:
    assert [numerals.count(value) for value in (-0.2, -2.6, 1234.4)] == ["0", "−3", "1,234"]


def test_large_numbers_of_the_data_are_read_without_an_exponent() -> None:
    """House prices: in what was understood of the table, on the desk, and where an answer is corrected."""
    frame = pd.DataFrame({"predicted_price": [44451.25, 155331.4, 1407913.0], "size": [1, 2, 3]})
    pool = sv.Pool.from_frame(frame, pred="predicted_price", task="regression")
    assert any("from 44,451 to 1,407,913" in line for line in pool.report)
    assert [desk.opinion(pool, k) for k in (1, 2)] == [
        "The model says 155,331",
        "The model says 1,407,913",
    ]
    assert review.told(pool.task, Answered(0, "a", "label", 308581.0)) == "308,581"
    assert review.told(pool.task, Answered(0, "a", "skip")) == "skip"
    assert "at most 40,000?" in verdict.question("RMSE", 40000, 0.5, at_most=True)
    assert "at least −0.5?" in verdict.question("R²", -0.5, 0.5)
