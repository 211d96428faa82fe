"""`sampleval sample`: a sheet and its study are written together, in the place of no other file, or not at all."""

from __future__ import annotations

import errno
import json
import os
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import cli
from sampleval.bundle import read_study
from tests.cli.commands import pool
from tests.pools import scored


def test_a_sheet_for_a_curve_is_said_to_be_for_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was said to be for the first metric that is a single number."""
    sheet = str(folder / "curve.csv")
    asked = ["--metric", "pr_curve", "--budget", "20", "--out", sheet]
    assert cli.main(["sample", str(folder / "scores.csv"), *asked]) == 0
    assert "Metric: Precision–recall curve. " in capsys.readouterr().out


def test_the_next_command_can_be_copied_whatever_the_files_are_called(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A file name with a space had been split, and the printed command failed with a list of options."""
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--out", "my queue's.csv"]) == 0
    line = capsys.readouterr().out.split("then run: sampleval ")[1].splitlines()[0]
    assert cli.main(shlex.split(line)) == 0


def test_existing_files_are_replaced_only_with_force(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["sample", "scores.csv", "--budget", "5", "--out", "q.csv"]
    assert cli.main(words) == 0
    before = (folder / "q.csv").read_bytes()
    (folder / "q.csv").unlink()
    assert cli.main(words) == 2  # the study's file is there
    assert "q.study" in capsys.readouterr().err
    assert cli.main([*words, "--force"]) == 0
    assert (folder / "q.csv").read_bytes() == before


def test_a_sample_is_drawn_for_every_metric_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--budget", "20", "--out", "q.csv", "--metric", "f1", "--metric", "recall"]
    assert cli.main(["sample", "scores.csv", *words]) == 0
    assert "Metric: F1 score and Recall (sensitivity)." in capsys.readouterr().out
    assert read_study(folder / "q.study")[0].settings.metrics == {"f1": 1.0, "recall": 1.0}


def test_a_method_is_combined_of_three_parts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only the design could be chosen, as in the app belief and estimator can be, too."""
    parts: dict[str, Any] = {"surrogate": "recalibrated", "design": "sequential", "estimator": "lure"}
    chosen = [word for axis, key in parts.items() for word in (f"--{axis}", key)]
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--out", "q.csv", *chosen]) == 0
    assert "Method: Recalibrated scores × " in capsys.readouterr().out
    made = sv.create_study(pool(folder), metric="f1", budget=20, preset="queue", **parts)
    assert read_study(folder / "q.study")[0].method == made.method
    assert cli.main(["plan", "scores.csv", "--budget", "20", *chosen[:4], "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["plans"]
    planned = sv.plan(made.pool, metric="f1", budget=20, surrogate="recalibrated", design="sequential")
    assert row["width"] == pytest.approx(planned.expected_width)
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--out", "r.csv", "--estimator", "lure"]) == 2
    assert "`estimator` 'lure' cannot weigh the samples of design 'priority'" in capsys.readouterr().err


def test_a_sample_for_what_the_file_tells_already_is_refused_with_the_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The reason had been left empty: "; ; choose another"."""
    table = scored(60)
    found = np.where(table["score"] >= 0.5, "1", "")
    table.assign(label=found).to_csv("found.csv", index=False)
    words = ["sample", "found.csv", "--held", "--budget", "5", "--metric", "precision", "--out", "q.csv"]
    assert cli.main(words) == 2
    assert (
        "all labels that matter are in the file, and it is 1.000; choose another" in capsys.readouterr().err
    )


def test_a_sample_of_which_no_label_can_tell_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sheet had been empty, or writing the workbook had failed."""
    pd.DataFrame({"id": range(50), "score": 0.1}).to_csv("low.csv", index=False)
    before = sorted(folder.iterdir())
    for more in (["--out", "q.csv"], ["--out", "q.xlsx"]):
        assert cli.main(["sample", "low.csv", "--metric", "precision", "--budget", "10", *more]) == 2
        said = (
            "no label can change the precision here, so none is asked; choose another, or another --threshold"
        )
        assert said in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before
    place = ["--storage", "sqlite:///s.db", "--name", "mine", "--out", "q.csv"]
    assert cli.main(["sample", "low.csv", "--metric", "precision", "--budget", "10", *place]) == 2
    assert not sv.Storage.at("sqlite:///s.db").studies()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--out", "q.csv", "--study", "q.csv"],
            "`--study` and `--out` must be different files; got 'q.csv'",
        ),
        (["--out", "scores.csv"], "`--out` and `scores` must be different files"),
        (["--out", "./scores.csv"], "`--out` and `scores` must be different files"),
        (["--out", "q.csv", "--study", "scores.csv"], "`--study` and `scores` must be different files"),
        (["--out", "q.csv", "--study", "none/q.study"], "`--study` must lie in a folder that exists"),
    ],
)
def test_no_file_of_a_sample_takes_the_place_of_another(
    words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """This holds even with --force: the sheet had replaced the scores, and a sheet had been left without its study."""
    before = (folder / "scores.csv").read_bytes()
    assert cli.main(["sample", "scores.csv", "--budget", "5", "--force", *words]) == 2
    assert said in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["scores.csv"]
    assert (folder / "scores.csv").read_bytes() == before


def test_a_sample_that_fails_leaves_no_sheet(folder: Path) -> None:
    (folder / "taken").mkdir()
    words = ["sample", "scores.csv", "--budget", "5", "--out", "q.csv", "--force", "--study", "taken"]
    assert cli.main(words) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["scores.csv", "taken"]


def test_a_folder_as_output_is_refused_before_a_study_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A study had been written before the refusal, and the error said `[Errno 21]`."""
    (folder / "q.csv").mkdir()
    assert cli.main(["sample", "scores.csv", "--budget", "5", "--out", "q.csv", "--force"]) == 2
    assert "`--out` must name a file; 'q.csv' is a folder; choose another name" in capsys.readouterr().err


def test_a_sheet_without_room_is_refused_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Half a sheet had stayed, and a second attempt may not replace a sheet."""

    def fill_up(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:100])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", fill_up)
    assert (
        cli.main(["sample", str(folder / "scores.csv"), "--budget", "5", "--out", str(folder / "q.csv")]) == 2
    )
    said = capsys.readouterr().err
    assert "`--out` must be a file that can be written: No space left on device" in said
    assert sorted(path.name for path in folder.iterdir()) == ["q.study", "scores.csv"]


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="such devices are Linux's")
def test_a_device_as_output_is_refused_and_left_as_it_is(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run by an administrator, the command had turned the device into a plain file."""
    words = ["sample", str(folder / "scores.csv"), "--budget", "5", "--study", "/dev/full", "--force"]
    assert cli.main([*words, "--out", str(folder / "q.csv")]) == 2
    assert (
        "`--study` must name a file; '/dev/full' is a device; choose another name" in capsys.readouterr().err
    )
    assert Path("/dev/full").is_char_device()
    assert not (folder / "q.study").exists()
