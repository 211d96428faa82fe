"""The demo data sets are understood, and the picture of their scores says what a score is."""

from __future__ import annotations

import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

from sampleval.ui.data.demos import DEMOS
from tests.app.steps import box, said
from tests.apps import start, unbroken
from tests.places import ROOT

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_is_understood(name: str) -> None:
    at = unbroken(start("Data").radio(key="demo").set_value(name).run())
    frame = pd.read_parquet(ROOT / "demo_data" / DEMOS[name].file)
    assert {m.label: m.value for m in at.metric}["Items"] == f"{len(frame):,}"
    assert not at.error
    assert "Known labels" in said(at)


@pytest.mark.parametrize(
    ("name", "axis"),
    [("ten-digits", "share right"), ("digits", "share truly positive"), ("diabetes", "known number")],
)
def test_what_a_score_is_the_probability_of_stands_at_the_axis(name: str, axis: str) -> None:
    shown = said(unbroken(start("Data").radio(key="demo").set_value(name).run()))
    assert axis in shown
    assert "In a real evaluation you would not have them" in shown


def test_what_somebody_changes_about_a_demo_is_not_what_others_begin_with() -> None:
    unbroken(box(start("Data"), "True label").set_value("–").run())
    assert box(start("Data"), "True label").value == "label"
