"""`sampleval plan`: what the library's plans say, and what stands behind each number."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import cli
from sampleval.metrics import for_pool
from sampleval.planning import advise_shrinkage
from sampleval.pool import Kind
from tests.cli.commands import pool


def test_a_plan_says_why_it_foretells_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pd.DataFrame({"pred": [1, 0, 0, 0] * 50}).to_csv(tmp_path / "sure.csv", index=False)
    assert cli.main(["plan", str(tmp_path / "sure.csv"), "--budget", "20", "--preset", "oasis"]) == 0
    row, note, strata = capsys.readouterr().out.splitlines()[-3:]
    assert row.split()[2:4] == ["–", "–"]
    assert note == "adaptive: this belief leaves no doubt, so it predicts no error."
    assert strata == "adaptive: 2 strata instead of 30: there are only 2 different values."


def test_a_plan_names_what_stands_behind_each_plus_minus(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ "error ±" was a standard error, "300 ± 14" a standard deviation, and ± 0.05 half an interval's width."""
    assert cli.main(["plan", str(folder / "scores.csv"), "--budget", "20", "--goal", "0.05"]) == 0
    said = capsys.readouterr().out
    assert "  expected error  interval width  " in said
    assert "\npoisson: the number of labels is random; the ± behind it is its standard deviation.\n" in said
    assert said.count("is random") == 1
    assert "labels for ± 0.05 at 90%" in said


def test_a_plan_is_the_librarys(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*words: str) -> str:
        assert cli.main(["plan", "scores.csv", *words]) == 0
        return capsys.readouterr().out

    words = ["--metric", "recall", "--budget", "20", "--shrinkage", "0.8", "--for-width", "0.3", "--json"]
    found = json.loads(printed(*words))
    for row in found["plans"]:
        expected = sv.plan(pool(folder), metric="recall", budget=20, design=row["design"], shrinkage=0.8)
        assert row["error"] == pytest.approx(expected.expected_error, rel=1e-12)
        assert row["width"] == pytest.approx(expected.expected_width, rel=1e-12)
        assert row["certain"] == int(expected.saturated.sum())
    needed = sv.budget_for(pool(folder), metric="recall", width=0.3, shrinkage=0.8)
    assert found["budget_for"] == {
        "width": 0.3,
        "low": needed.low,
        "likely": needed.likely,
        "high": needed.high,
    }
    assert found["advice"] is None  # of several designs
    table = printed("--budget", "20", "--design", "poisson", "--for-width", "0.3")
    assert "poisson" in table
    assert "priority" not in table
    assert "for an interval at most 0.3 wide at 90%" in table
    advice = advise_shrinkage(pool(folder), metric="f1", budget=20, preset=None, design="poisson")
    assert f"λ = {advice.shrinkage:g} suits these scores" in table
    likely = sv.budget_for(pool(folder), metric="f1", width=0.3).likely
    assert f"\nAbout {likely:.0f} labels for ± 0.15 at 90%" in printed("--goal", "0.15")


def test_a_joint_target_has_a_row_for_each_metric(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--metric", "recall", "--metric", "precision", "--budget", "20", "--goal", "0.1"]
    words += ["--metric", "recall"]  # once more: it was told to pass weights, which the console cannot
    assert cli.main(["plan", "scores.csv", *words, "--design", "priority"]) == 0
    said, head, *rows, needed = capsys.readouterr().out.splitlines()
    assert "; Recall (sensitivity) and Precision; " in said
    assert head.split()[:2] == ["design", "metric"]
    assert [row.split()[:2] for row in rows] == [["priority", "recall"], ["priority", "precision"]]
    assert needed.startswith("Recall (sensitivity): About ")
    assert cli.main(["plan", "scores.csv", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["plans"]
    joint = sv.plan(pool(folder), metric=["recall", "precision"], budget=20, design="priority")
    assert [(row["metric"], row["error"]) for row in found[:2]] == [
        (each.metric, each.expected_error) for each in (joint, *joint.also)
    ]


def test_labels_needed_below_several_designs_are_those_of_a_named_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Below nine designs "About 271 labels for ± 0.05" read like the first one's, which needs 451."""
    for shrinkage, design in ((None, "targeted"), (0.8, "priority")):
        more = [] if shrinkage is None else ["--shrinkage", str(shrinkage)]
        assert (
            cli.main(["plan", "scores.csv", "--metric", "f1", "--budget", "20", "--goal", "0.15", *more]) == 0
        )
        needed = sv.budget_for(pool(folder), metric="f1", width=0.3, design=design, shrinkage=shrinkage)
        assert f"\n{design}: About {needed.likely:.0f} labels for ± 0.15" in capsys.readouterr().out


def test_a_plan_says_how_its_file_was_read_and_what_is_odd_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no item is predicted positive the page says so first; at the console 10 labels were enough for ± 0.05."""
    file = tmp_path / "low.csv"
    pd.DataFrame({"score": np.linspace(0, 0.4, 60)}).to_csv(file, index=False)
    assert cli.main(["plan", str(file), "--budget", "20", "--preset", "queue"]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        f"How {file} was read:",
        *(f"  {line}" for line in sv.Pool.read(file).report),
    ]
    assert "No item is predicted positive" in said.err
    assert "was read" not in said.out


@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel", "regression"])
def test_one_of_several_designs_is_the_default_method(
    kind: Kind, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The labels needed are the default's: beside its ± 5.6 stood rounds of other sizes, with ± 6.4."""
    rng = np.random.default_rng(2)
    names = {"binary": ["score"], "regression": ["pred", "pred_sd"]}.get(
        kind, ["score_a", "score_b", "score_c"]
    )
    table = pd.DataFrame(rng.dirichlet(np.ones(3), 120)[:, : len(names)], columns=names)
    table.to_csv(tmp_path / "t.csv", index=False)
    words = ["plan", str(tmp_path / "t.csv"), "--task", kind, "--budget", "40", "--json"]
    assert cli.main(words) == 0
    found = json.loads(capsys.readouterr().out)["plans"]
    default = sv.plan(
        items := sv.Pool.read(tmp_path / "t.csv", task=kind), metric=for_pool(items)[0], budget=40
    )
    [row] = [row for row in found if row["design"] == default.method.design.key]
    assert (row["error"], row["width"]) == (default.expected_error, default.expected_width)
    assert len(found) == len({row["design"] for row in found}) > 5


def test_advice_is_weighed_against_the_shrinkage_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", "scores.csv", "--budget", "20", "--design", "poisson"]
    assert cli.main([*words, "--shrinkage", "0.5"]) == 0
    assert "with your 0.5." in capsys.readouterr().out
    assert cli.main(words) == 0
    assert "The method's own λ = 0.9 suits these scores: an expected error of" in capsys.readouterr().out
    assert cli.main([*words, "--defensive", "0.5", "--json"]) == 0
    mixed = advise_shrinkage(
        sv.Pool.read("scores.csv"), metric="f1", budget=20, preset=None, design="poisson", defensive=0.5
    )
    told = [row["expected"] for row in json.loads(capsys.readouterr().out)["advice"]]
    assert told == pytest.approx(mixed.expected)
    assert cli.main(["plan", "scores.csv", "--budget", "60", "--design", "poisson"]) == 0
    assert "λ" not in capsys.readouterr().out  # where all are labelled each is as good
    for blind in ("uniform", "stratified"):
        # It was said that 0.9 suits, where the page says that λ changes nothing.
        assert cli.main(["plan", "scores.csv", "--budget", "20", "--preset", blind]) == 0
        assert "λ" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("column", "cells", "known"),
    [("score", [0.2, 0.8], "scores"), ("pred", [0, 1], "decisions"), ("pred", [20.25, 1.5], "predictions")],
)
def test_a_plan_says_of_what_a_file_has_that_it_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], column: str, cells: list[float], known: str
) -> None:
    """It was "nothing but the scores" where there are none."""
    pd.DataFrame({column: cells * 30}).to_csv(tmp_path / "t.csv", index=False)
    task = ["--task", "regression", "--metric", "mae"] if known == "predictions" else []
    assert cli.main(["plan", str(tmp_path / "t.csv"), "--budget", "20", "--preset", "uniform", *task]) == 0
    assert f"nothing but the {known} is known so far" in capsys.readouterr().out
