"""Numbers are written alike on pages, in reports and on the console."""

from __future__ import annotations

from html import unescape

import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval import numerals
from sampleval.metrics import resolve
from sampleval.report import page
from sampleval.ui import words


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
