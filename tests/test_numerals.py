"""Numbers are written alike on pages, in reports and on the console."""

from __future__ import annotations

import re
from html import unescape

import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

import sampleval as sv
from sampleval import frames, numerals, plots, report
from sampleval.designs import Rounds
from sampleval.events import Answered
from sampleval.intervals import Interval
from sampleval.metrics import resolve
from sampleval.planning import advise_shrinkage
from sampleval.report import page
from sampleval.study import Estimate
from sampleval.ui import words
from sampleval.ui.labelling import desk
from sampleval.ui.results import tables, verdict
from tests.pools import binary


def estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate("f1", value, 0.0, Interval(low, high, 0.9, "posterior"), 1000, "posterior")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (-0.00005, ">−0.0001"),
        (0.00005, "<0.0001"),
        (1.2e-15, "0.000"),
        (-1.2e-15, "0.000"),
        (-0.105, "−0.105"),
        (-0.004, "−0.004"),
        (-1503.2, "−1,503"),
        (float("nan"), "–"),
        (float("-inf"), "–"),
    ],
)
def test_library_pages_and_report_write_a_number_alike(value: float, written: str) -> None:
    assert numerals.number(value) == written
    assert words.number is numerals.number
    assert unescape(page.number(estimate(value, value, value), resolve("f1"))) == written


def test_library_pages_pictures_and_report_write_a_level_alike() -> None:
    """A study at 99.5% was promised 100% in a picture, and one at 92.5% had 92% intervals on the pages."""
    study = sv.create_study(binary()[0], metric="f1", budget=10, seed=7, level=0.925)
    found = study.estimate()
    assert "92.5% interval" in str(found)
    assert "92.5% interval" in words.between(found)
    assert "92.5% interval" in report.html(study)
    assert tables.metrics(study, [found]).columns[-1].replace("\N{NO-BREAK SPACE}", " ") == "92.5% interval"
    summary = pd.DataFrame({"method": "queue", "labels": [20, 50], "level": 0.995, "coverage": 0.99})
    summary = summary.assign(coverage_low=0.9, coverage_high=1.0)
    assert plots.comparison(summary, quantity="coverage").layout.yaxis.title.text.endswith("promised 99.5%)")


def test_an_estimate_is_never_written_beyond_its_limits() -> None:
    """With 1,000 labels an F1 score of 0.795 stood beside an interval from 0.7826 to 0.7948."""
    found = estimate(0.794788, 0.782677, 0.794788)
    assert str(found).startswith("f1 0.7948, 90% interval 0.7826 to 0.7948")
    assert page.number(found, resolve("f1")) == "0.7948"
    rows = tables.metrics(sv.create_study(binary()[0], metric="f1", budget=10, seed=7), [found])
    assert rows["Estimate"].tolist() == ["0.7948"]


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
    assert words.answer(pool.task, Answered(0, "a", "label", 308581.0)) == "308,581"
    assert words.answer(pool.task, Answered(0, "a", "skip")) == "skip"
    assert "at most 40,000?" in verdict.question("RMSE", 40000, 0.5, at_most=True)
    assert "at least −0.5?" in verdict.question("R²", -0.5, 0.5)


def told_of_one() -> dict[str, str]:
    """What is written about a single item, label or answer."""
    pool, labels = binary(20)
    study = sv.create_study(pool, metric="f1", budget=2, preset="queue")
    study.answer(labels, 1)
    rounds = sv.create_study(
        pool, metric="accuracy", budget=20, preset="queue", design=Rounds(first=5), interval="anytime"
    )
    rounds.answer(labels, 6)
    history = frames.estimates([study.estimate()])
    advice = frames.advice(advise_shrinkage(binary(300)[0], metric="f1", budget=1))
    return {
        "methods": report.methods(study, study.estimate()),
        "pool": binary(1)[0].report[0],
        "labels": binary(1)[1].report[0],
        "held": words.held(19, 20),
        "convergence": plots.convergence(history).to_json(),
        "histogram": plots.histogram(frames.histogram(pool)).to_json(),
        "reliability": plots.reliability(frames.reliability(pool, labels, groups=20)).to_json(),
        "inclusion": plots.sorted_inclusion(
            frames.sorted_inclusion([sv.plan(pool, metric="f1", budget=1)]), budget=1
        ).to_json(),
        "trust": plots.advice(advice, budget=1).to_json(),
        "note": rounds.estimate().interval.note,
    }


def test_one_of_a_thing_is_not_told_as_several() -> None:
    for where, written in told_of_one().items():
        text = written.replace(r"\u003cbr\u003e", " ")  # titles of pictures are wrapped
        assert not re.search(r"\b1 (items|labels|answers|studies|were)\b", text), where
        assert re.search(r"\b1 (item|label|answer|was)\b", text), where
