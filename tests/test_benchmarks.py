"""The benchmarks' command keeps what it finds: CSV with a Markdown table beside it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("plotly", reason="needs Plotly: install the extra [app]")

from benchmarks import anytime, efficiency, stopping
from benchmarks.__main__ import main
from benchmarks.tables import markdown


def command(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", *map(str, words)])
    main()


@pytest.mark.parametrize("kind", ["rounds", "metrics"])
def test_a_table_lies_beside_the_csv(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "new folder" / f"{kind}.csv"
    few = ["--cases", "queue in rounds"] if kind == "rounds" else []
    command(monkeypatch, kind, "--size", "10000", *few, "--out", out)
    assert out.with_suffix(".md").read_text(encoding="utf-8") == markdown(pd.read_csv(out))


def test_a_band_holds_samples_without_any_error() -> None:
    rare = np.array([1.0, 0.0])  # of four samples one holds no error
    assert efficiency.ratio_band(rare, rare) == (1, 0, np.inf)
    assert efficiency.ratio_band(np.zeros(2), np.zeros(2)) == (1, 1, 1)


def test_two_runs_are_compared_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [tmp_path / f"{name}.csv" for name in ("before", "after", "both")]
    cell = {"pool": "p", "metric": "f1", "budget": 50, "method": "queue"}
    for file, mse in zip(files, (0.04, 0.01), strict=False):
        found = {"mse": mse, "mse_low": 0.9 * mse, "mse_high": 1.1 * mse, "coverage": 0.9}
        pd.DataFrame([cell | found]).to_csv(file, index=False)
    command(monkeypatch, "compare", *files[:2], "--out", files[2])
    assert pd.read_csv(files[2])[["ratio", "changed"]].to_numpy().tolist() == [[0.25, "better"]]
    assert "| p | f1 | 50 | queue | 0.25 |" in files[2].with_suffix(".md").read_text(encoding="utf-8")


def test_an_undefined_estimate_counts_as_the_middle_of_its_metrics_range() -> None:
    """½ had been taken for every metric: for MCC, from -1 to 1, or an error without a limit it means nothing."""
    found = {"recommended": [np.nan, np.nan], "queue": [0.3, 0.3], "uniform": [0.9, 0.9]}
    raw = pd.DataFrame(
        {"pool": "p", "metric": metric, "budget": 50, "method": method, "repeat": repeat, "value": value, "truth": 0.2}
        for metric in ("mcc", "mse")
        for method, values in found.items()
        for repeat, value in enumerate(values)
    )  # fmt: skip
    mcc, mse = efficiency.against_best(raw).to_dict("records")
    assert (mcc["best"], mcc["ratio"]) == ("queue", pytest.approx(4.0))
    assert (mse["best"], np.isnan(mse["ratio"])) == ("", True)


def test_the_anytime_table_leaves_out_budgets_that_were_not_looked_at() -> None:
    row = {"pool": "p", "method": "queue", "metric": "f1", "ever_fixed": 0.5, "ever_anytime": 0.0}
    found = pd.DataFrame([row | {"ever_anytime_high": 0.1, "width_500": 0.2, "times_500": 1.5}])
    assert anytime.markdown(found).splitlines()[2] == "| p | queue | f1 | 50% | 0% (10%) | 0.20 (1.5 ×) |"


def test_a_study_stops_where_it_is_first_as_narrow_as_half_of_the_studies_become() -> None:
    """Of two studies one is narrow too soon, and misses there; both hold at the labels of the goal."""
    fifty, looks = stopping.LOOKS[np.abs(stopping.LOOKS - 50).argmin()], stopping.LOOKS
    rows = [
        ("p", "queue", "f1", repeat, labels, 0.1 if lucky or labels >= fifty else 0.5, labels >= fifty)
        for repeat, lucky in enumerate((False, True))
        for labels in looks
    ]
    raw = pd.DataFrame(rows, columns=["pool", "method", "metric", "repeat", "labels", "width", "held"])
    found = stopping.summary(raw).to_dict("records")[0]
    assert (found["held_fixed"], found["held_stopped"], found["stops"]) == (1, 0.5, 8)
    assert found["labels"] < 1
