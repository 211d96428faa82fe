"""`sampleval estimate` in detail: each class, each system, parts of the items, and the report."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import cli, frames, report
from sampleval.bundle import read_study
from tests.cli.commands import fill, read
from tests.pools import scored

SAMPLE = ["--budget", "30", "--seed", "1", "--out", "q.csv"]


def answered(frame: pd.DataFrame, answers: dict[str, Any], *more: str) -> sv.Study:
    """The study behind a sheet for these items that was filled in."""
    frame.to_csv("scores.csv", index=False)
    assert cli.main(["sample", "scores.csv", *SAMPLE, *more]) == 0
    sheet = read(Path("q.csv"))
    sheet.assign(answer=[answers[id] for id in sheet["id"]]).to_csv("q.csv", index=False)
    study, _ = read_study(Path("q.study"))
    study.tell_all((item, answers[item.id]) for item in study.ask(30))
    return study


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert cli.main(["estimate", "q.csv", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("planned", [(), ("--interval", "anytime")])
def test_parts_are_those_of_the_library(planned: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Their intervals are for a fixed number of labels, also where those of the whole pool are to hold at every look."""
    frame = scored(60)
    truth: dict[str, Any] = dict(zip(frame["id"], (frame["label"] == "spam").astype(int), strict=True))
    part = np.where(np.arange(60) % 3 > 0, "often", "seldom")
    study = answered(frame.drop(columns="label").assign(part=part), truth, *planned)
    said = printed(capsys, "--parts", "part")
    assert "\n\nmetric      part  estimate  90% from" in said
    assert "* fewer than 20 labels" in said
    found = pd.read_csv(io.StringIO(printed(capsys, "--parts", "part", "--metric", "recall", "--csv")))
    expected = frames.parts(study, "part", "recall", interval=study.method.fixed)
    pd.testing.assert_frame_equal(found[["value", "low", "high"]], expected[["value", "low", "high"]])
    assert set(found["metric"]) == {"recall"}


def test_classes_are_those_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    scores = np.random.default_rng(3).dirichlet(np.ones(3), 60)
    frame = pd.DataFrame(scores, columns=["prob_a", "prob_b", "prob_c"])
    frame.insert(0, "id", [f"i{k}" for k in range(60)])
    study = answered(frame, {id: "abc"[k % 2] for k, id in enumerate(frame["id"])})
    said = printed(capsys, "--classes")
    for line in frames.legible_classes(frames.classes(study)).to_numpy().tolist():
        assert all(cell in said for cell in line)
    rows = json.loads(printed(capsys, "--classes", "--json"))
    assert [row["class"] for row in rows[:3]] == ["a", "b", "c"]


def test_systems_are_those_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"old.score": rng.random(60), "new.score": rng.random(60)})
    frame.insert(0, "id", [f"i{k}" for k in range(60)])
    study = answered(frame, {id: k % 2 for k, id in enumerate(frame["id"])})
    said = printed(capsys, "--systems")
    assert [line[10:19].strip() for line in said.splitlines()[-3:]] == ["old", "new", "old − new"]
    rows = json.loads(printed(capsys, "--systems", "--json"))
    assert [row["value"] for row in rows] == pytest.approx(frames.systems(study)["value"].tolist())


def test_curves_are_those_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    frame = scored(60)
    truth: dict[str, Any] = dict(zip(frame["id"], (frame["label"] == "spam").astype(int), strict=True))
    study = answered(frame.drop(columns="label"), truth, "--interval", "anytime")
    assert study.method.interval == "anytime"
    expected = frames.components(study.curve("precision_recall"))
    assert "\n\nprecision_recall  estimate  90% from" in printed(capsys, "--curve", "precision_recall")
    found = pd.read_csv(io.StringIO(printed(capsys, "--curve", "precision_recall", "--csv")))
    pd.testing.assert_frame_equal(found[["value", "low", "high"]], expected[["value", "low", "high"]])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--classes"], "`--classes` needs more than two classes"),
        (["--systems"], "`--systems` needs the scores of several systems"),
        (["--parts", "lang"], "`--parts` must be a column that is shown; got 'lang'"),
        (["--parts", "lang", "--future"], "`--parts` is about this pool only"),
        (["--curve", "f1"], "`--curve` needs several components; pass --metric f1"),
        (["--curve", "class_of"], "`metric` is not known"),
        (["--report", "r.pdf"], "`--report` must end in .html"),
        (["--reanalysis", "r.csv"], "`--reanalysis` must end in .zip"),
    ],
)
def test_a_look_that_a_study_has_not_is_refused_before_answers_are_kept(
    words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--storage", f"sqlite:///{folder / 's.db'}", "--name", "mine"]
    assert cli.main(["sample", "scores.csv", *SAMPLE, *place]) == 0
    fill(folder / "q.csv")
    capsys.readouterr()
    assert cli.main(["estimate", "q.csv", *place, *words]) == 2
    assert said in capsys.readouterr().err
    assert sv.load_study("mine", place[1]).labels == 0


def test_the_files_for_a_reanalysis_are_those_of_the_app(folder: Path) -> None:
    """The console had given nobody the labels with their weights."""
    assert cli.main(["sample", "scores.csv", *SAMPLE]) == 0
    fill(folder / "q.csv")
    assert cli.main(["estimate", "q.csv", "--reanalysis", "r.zip"]) == 0
    study, _ = read_study(folder / "q.study")
    for item, answer in zip(study.ask(30), read(folder / "q.csv")["answer"], strict=True):
        study.tell(item, answer)
    with zipfile.ZipFile("r.zip") as written, zipfile.ZipFile(io.BytesIO(report.archive(study))) as made:
        for file in ("sample.csv", "results.csv", "README.txt"):  # labels.csv has the time of each answer
            assert written.read(file) == made.read(file), file


def test_the_report_is_that_of_the_app(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sample", "scores.csv", *SAMPLE]) == 0
    fill(folder / "q.csv")
    for level in ("0.9", "0.5"):  # an older report is replaced
        assert cli.main(["estimate", "q.csv", "--level", level, "--report", "r.html"]) == 0
    assert "Report: r.html." in capsys.readouterr().err
    study, _ = read_study(folder / "q.study")
    for item, answer in zip(study.ask(30), read(folder / "q.csv")["answer"], strict=True):
        study.tell(item, answer)
    written, made = (
        text.partition("<footer>")[0]
        for text in (Path("r.html").read_text("utf-8"), report.html(study, level=0.5))
    )
    assert written == made
