"""The console command on files: the same numbers as the library, and errors in words."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import tomllib
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import cli
from sampleval.bundle import read_study
from sampleval.planning import advise_shrinkage
from sampleval.study import finding, towards_goal
from tests.places import ROOT
from tests.pools import scored

MODULE = [sys.executable, "-m", "sampleval"]


def command() -> list[str]:
    """The installed console command beside this Python, or else the package as a module."""
    installed = Path(sys.executable).parent / "sampleval"
    if installed.exists() and find_spec("sampleval") and os.access(installed, os.X_OK):
        return [str(installed)]
    return MODULE


def environment(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("SAMPLEVAL_")}
    return kept | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"} | more


def run(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the real command in a process of its own."""
    return started([*command(), *words], folder, **env)


def started(words: list[str], folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=folder, env=environment(**env), capture_output=True, text=True, check=False
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with scores.csv, without its labels."""
    monkeypatch.chdir(tmp_path)
    scored(60).drop(columns="label").to_csv("scores.csv", index=False)
    return tmp_path


def pool(folder: Path) -> sv.Pool:
    return sv.Pool.read(folder / "scores.csv")


def read(sheet: Path) -> pd.DataFrame:
    """The lines of a sheet as text, with "" in empty cells."""
    if sheet.suffix == ".csv":
        return pd.read_csv(sheet, dtype=str, keep_default_na=False)
    return pd.read_excel(sheet, dtype=str, keep_default_na=False)


def fill(sheet: Path, *, lines: int | None = None) -> None:
    """Answer the sheet from the top down, as its owner would."""
    truth = dict(zip(scored(60)["id"], (scored(60)["label"] == "spam").astype(int), strict=True))
    table = read(sheet)
    done = len(table) if lines is None else lines
    table["answer"] = [str(truth[id]) if k < done else "" for k, id in enumerate(table["id"])]
    table.to_csv(sheet, index=False) if sheet.suffix == ".csv" else table.to_excel(sheet, index=False)


def study(folder: Path, sheet: Path, budget: int = 20) -> sv.Study:
    """The same study, made through the library."""
    made = sv.create_study(pool(folder), metric="f1", budget=budget, seed=7, preset="queue")
    for item, answer in zip(made.ask(budget), read(sheet)["answer"], strict=True):
        if answer:
            made.tell(item, answer)
    return made


def test_a_sheet_for_a_curve_is_said_to_be_for_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was said to be for the first metric that is a single number."""
    sheet = str(folder / "curve.csv")
    asked = ["--metric", "pr_curve", "--budget", "20", "--out", sheet]
    assert cli.main(["sample", str(folder / "scores.csv"), *asked]) == 0
    assert "Metric: Precision–recall curve. " in capsys.readouterr().out


def test_from_scores_to_estimates_on_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--metric", "f1", "--budget", "20", "--seed", "7", "--goal", "0.1", "--out", "queue.csv"]
    sampled = run(folder, "sample", "scores.csv", *words)
    assert sampled.returncode == 0, sampled.stderr
    assert "sampleval estimate queue.csv --study queue.study" in sampled.stdout
    said = "Metric: F1 score. Method: Labelling queue (queue). Seed: 7. Study: queue.study."
    assert said in sampled.stdout
    assert sampled.stderr.startswith("How scores.csv was read:\n  60 items.")
    fill(folder / "queue.csv", lines=17)
    printed = run(folder, "estimate", "queue.csv", "--study", "queue.study", "--json")
    assert printed.returncode == 0, printed.stderr
    assert "17 answers" in printed.stderr
    expected = study(folder, folder / "queue.csv").estimates()
    for row, e in zip(json.loads(printed.stdout), expected, strict=True):
        assert (row["metric"], row["labels"], row["method"], row["note"]) == (e.metric, 17, e.method, e.note)
        assert (row["value"], row["low"], row["high"]) == (e.value, e.interval.low, e.interval.high)
    assert cli.main(["estimate", "queue.csv", "--study", "queue.study", "--metric", "recall"]) == 0
    labelled = study(folder, folder / "queue.csv")
    assert capsys.readouterr().out.splitlines()[-2:] == [
        finding(labelled, labelled.estimate("recall")),
        towards_goal(labelled, labelled.estimate(), 0.1),
    ]


def test_percentages_make_the_same_sample() -> None:
    table = pd.read_csv("scores.csv")
    table.assign(score=100 * table["score"]).to_csv("percent.csv", index=False)
    for scores, more, out in (("scores.csv", [], "a.csv"), ("percent.csv", ["--percent"], "b.csv")):
        assert cli.main(["sample", scores, "--budget", "20", "--out", out, *more]) == 0
    assert Path("a.csv").read_text() == Path("b.csv").read_text()


def test_remedies_are_options_of_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = pd.read_csv(folder / "scores.csv")
    table.assign(score=100 * table["score"]).to_csv(folder / "percent.csv", index=False)
    assert cli.main(["plan", str(folder / "percent.csv"), "--budget", "10"]) == 2
    said = capsys.readouterr().err
    assert "for percentages pass --percent, else" in said
    assert "(--sigmoid)" in said
    assert "transform" not in said
    assert cli.main(["plan", str(folder / "scores.csv"), "--budget", "10", "--percent"]) == 2
    assert "`--percent` cannot be given where all scores of `score` lie in [0, 1]" in capsys.readouterr().err


def test_margins_of_several_classes_can_be_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The library's softmax had no option here, and the message advised an argument of the library."""
    rng = np.random.default_rng(4)
    margins = pd.DataFrame(rng.normal(size=(60, 3)), columns=["score_a", "score_b", "score_c"])
    margins.to_csv(folder / "margins.csv", index=False)
    asked = ["plan", str(folder / "margins.csv"), "--budget", "10", "--design", "priority", "--json"]
    for more, said in (
        ([], "(--sigmoid; if each item has one class, --task multiclass, --softmax)"),
        (["--task", "multiclass"], "(--softmax)"),
        (["--softmax"], "if each item has one class name --task multiclass, else pass --sigmoid"),
        (["--task", "multiclass", "--sigmoid"], "`--sigmoid` must be --softmax"),
    ):
        assert cli.main([*asked, *more]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert "transform" not in told
    assert cli.main([*asked, "--task", "multiclass", "--softmax"]) == 0
    printed = json.loads(capsys.readouterr().out)["plans"][0]["error"]
    pool = sv.Pool.from_frame(margins, task="multiclass", transform="softmax")
    expected = sv.plan(pool, metric="accuracy", budget=10, design="priority").expected_error
    assert printed == pytest.approx(expected)


def test_classes_of_unknown_names_are_told_which_is_positive(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = ["zorg" if k % 3 else "blip" for k in range(30)]
    frame = pd.DataFrame({"id": range(30), "score": [k / 30 for k in range(30)], "label": labels})
    frame.to_csv(folder / "named.csv", index=False)
    asked = ["plan", str(folder / "named.csv"), "--budget", "10"]
    assert cli.main(asked) == 2
    assert "which class is positive? Name both with --classes" in capsys.readouterr().err
    assert cli.main([*asked, "--classes", "zorg,blip"]) == 0
    sample = ["sample", *asked[1:], "--classes", "zorg,blip", "--out", str(folder / "s.csv")]
    assert cli.main(sample) == 0
    assert cli.main([*sample[:-1], str(folder / "t.csv"), "--classes", "zorg"]) == 2


def test_classes_of_lists_and_of_spellings_that_differ_are_named_by_option(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = pd.DataFrame({"probs": [[0.4, 0.6]] * 9, "label": ["ham", "spam", "ham"] * 3})
    lists.to_json(folder / "lists.jsonl", orient="records", lines=True)
    asked = ["plan", str(folder / "lists.jsonl"), "--budget", "5"]
    assert cli.main(asked) == 2
    assert "or name all with --classes in the order of the lists" in capsys.readouterr().err
    (folder / "t.csv").write_text("id,label_pred\na,1\n")
    assert cli.main(["plan", "t.csv", "--budget", "1"]) == 2
    assert "if `label_pred` holds the decision, name it, --pred …" in capsys.readouterr().err
    assert cli.main([*asked, "--classes", "ham,spam"]) == 0


def test_what_is_predicted_and_how_far_off_it_is_expected_to_be_can_be_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whole numbers may be classes, and any column may hold the expected errors."""
    frame = pd.DataFrame({"pred": [k % 3 for k in range(90)], "doubt": [0.1 + k % 7 for k in range(90)]})
    frame.to_csv(folder / "numbers.csv", index=False)
    words = ["plan", str(folder / "numbers.csv"), "--budget", "20", "--design", "priority", "--json"]
    assert cli.main([*words, "--task", "regression", "--error", "doubt"]) == 0
    printed = json.loads(capsys.readouterr().out)["plans"][0]["width"]
    told = sv.Pool.read(folder / "numbers.csv", task="regression", error="doubt")
    assert told.items.error.any()
    expected = sv.plan(told, metric="rmse", budget=20, design="priority").expected_width
    assert printed == pytest.approx(expected)
    assert cli.main([*words, "--task", "multiclass"]) == 0
    capsys.readouterr()
    assert cli.main([*words, "--task", "multiclass", "--error", "doubt"]) == 2
    assert "`error`" in capsys.readouterr().err


def test_a_plan_says_why_it_foretells_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pd.DataFrame({"pred": [1, 0, 0, 0] * 50}).to_csv(tmp_path / "sure.csv", index=False)
    assert cli.main(["plan", str(tmp_path / "sure.csv"), "--budget", "20", "--preset", "oasis"]) == 0
    row, note = capsys.readouterr().out.splitlines()[-2:]
    assert row.split()[2:4] == ["–", "–"]
    assert note == "adaptive: this belief leaves no doubt, so it predicts no error."


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


def test_labels_that_the_file_has_count_and_are_not_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    table = scored(60).replace({"label": {"ham": "no", "spam": "yes"}})
    whole = table.copy()
    table["label"] = table["label"].where(table.index < 20)
    table.to_csv("scores.csv", index=False)
    words = ["sample", "scores.csv", "--budget", "50", "--out", "queue.csv"]
    assert cli.main([*words, "--held"]) == 0
    assert "are not asked for again: 20." in capsys.readouterr().out
    assert set(pd.read_csv("queue.csv")["id"]) == set(table["id"][20:])
    assert cli.main([*words, "--force"]) == 0
    assert len(pd.read_csv("queue.csv")) == 50
    random = [*words, "--force", "--held-random"]
    assert cli.main([*random, "--preset", "recommended"]) == 0
    assert read_study("queue.study")[0].settings.held_random
    assert cli.main(random) == 2
    assert "`held_random` is for beliefs that learn" in capsys.readouterr().err
    plan = ["plan", "scores.csv", "--budget", "20", "--design", "priority", "--json"]
    printed = []
    for more in ([], ["--held"]):
        capsys.readouterr()
        assert cli.main([*plan, *more]) == 0
        printed.append(json.loads(capsys.readouterr().out)["plans"][0]["width"])
    known = dict(zip(table["id"][:20], table["label"][:20], strict=True))
    read = sv.Pool.read("scores.csv")
    expected = [sv.plan(read, metric="f1", budget=20, design="priority", held=held) for held in ({}, known)]
    assert printed == pytest.approx([plan.expected_width for plan in expected])
    assert cli.main(["plan", "scores.csv", "--budget", "20", "--held"]) == 0
    assert "the scores and 20 labels are known so far" in capsys.readouterr().out
    whole.to_csv("scores.csv", index=False)
    assert cli.main([*words, "--force", "--held"]) == 2
    assert "every item has its label already" in capsys.readouterr().err


def test_the_next_command_can_be_copied_whatever_the_files_are_called(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A file name with a space had been split, and the printed command failed with a list of options."""
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--out", "my queue's.csv"]) == 0
    line = capsys.readouterr().out.split("then run: sampleval ")[1].splitlines()[0]
    assert cli.main(shlex.split(line)) == 0


def test_csv_leaves_unknown_numbers_blank(capsys: pytest.CaptureFixture[str]) -> None:
    """Unknown numbers had been written as "<NA>" in columns of whole numbers, and as "nan" in others."""
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--out", "queue.csv"]) == 0
    capsys.readouterr()
    assert cli.main(["estimate", "queue.csv", "--csv"]) == 0
    printed = capsys.readouterr().out
    found = pd.read_csv(io.StringIO(printed), keep_default_na=False)
    assert set(found.loc[found["metric"] == "f1", "value"]) == {""}
    assert "<NA>" not in printed
    assert "nan" not in printed


def test_a_workbook_does_as_well(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--seed", "7", "--out", "queue.xlsx"]) == 0
    fill(folder / "queue.xlsx")
    capsys.readouterr()
    expected = study(folder, folder / "queue.xlsx")
    assert cli.main(["estimate", "queue.xlsx"]) == 0
    table = capsys.readouterr().out
    for e in expected.estimates()[:5]:
        assert f"{e.value:.3f}" in table
    assert cli.main(["estimate", "queue.xlsx", "--csv", "--metric", "recall", "--level", "0.5"]) == 0
    frame = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert frame.loc[0, "low"] == expected.estimate("recall", level=0.5).interval.low


def stored(folder: Path) -> list[str]:
    """The options that name a stored study, whose sheet q.csv is filled in but not read yet."""
    place = ["--storage", f"sqlite:///{folder / 's.db'}", "--name", "mine"]
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--seed", "7", "--out", "q.csv", *place]) == 0
    fill(folder / "q.csv")
    return place


def test_a_stored_study_is_the_one_the_app_opens(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = stored(folder)
    url = place[1]
    first = run(
        folder, "estimate", "q.csv", "--name", "mine", "--json", "--annotator", "bo", SAMPLEVAL_STORAGE=url
    )
    assert first.returncode == 0, first.stderr
    opened = sv.load_study("mine", url)
    assert opened.labels == 20
    assert json.loads(first.stdout)[0]["value"] == opened.estimate("f1").value
    table = pd.read_csv(folder / "q.csv", dtype=str)
    table["answer"] = ["1" if answer == "0" else "0" for answer in table["answer"]]
    table.to_csv(folder / "q.csv", index=False)
    before = opened.known_labels()
    capsys.readouterr()
    assert cli.main(["estimate", "q.csv", *place]) == 0
    differs = capsys.readouterr().err
    assert "pass --corrections to replace it" in differs
    assert "… and 15 more lines" in differs
    opened.refresh()
    assert opened.known_labels() == before
    assert cli.main(["estimate", "q.csv", *place, "--corrections"]) == 0
    opened.refresh()
    assert all(opened.known_labels()[id] != label for id, label in before.items())
    capsys.readouterr()
    assert cli.main(["estimate", *place, "--json", "--metric", "f1", "--future"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["value"] == opened.estimate("f1", about="future").value


def test_a_metric_asked_for_by_name_must_be_one_of_these_labels(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = stored(folder)
    capsys.readouterr()
    for metric, said in (
        ("rmse", "`metric` 'rmse' is not defined for binary labels; choose"),
        ("f-1", "not known"),
    ):
        assert cli.main(["estimate", "q.csv", *place, "--metric", "recall", "--metric", metric]) == 2
        printed = capsys.readouterr()
        assert said in printed.err
        assert not printed.out
    assert sv.load_study("mine", place[1]).labels == 0


def test_labelling_goes_on_round_by_round(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A design that learns asks its first items only; each answered sheet brings the next."""
    words = ["--preset", "marchant-flat", "--budget", "25", "--seed", "7", "--out", "0.csv"]
    assert cli.main(["sample", "scores.csv", *words]) == 0
    assert "with --next FILE" in capsys.readouterr().out
    here = sv.create_study(pool(folder), metric="f1", preset="marchant-flat", budget=25, seed=7)
    sheet, n = 0, 0
    while (folder / f"{sheet}.csv").exists():
        fill(folder / f"{sheet}.csv")
        table = pd.read_csv(folder / f"{sheet}.csv", dtype=str)
        for item, answer in zip(here.ask(25), table["answer"], strict=True):
            here.tell(item, answer)
        n += len(table)
        goes_on = ["--study", "0.study", "--next", f"{sheet + 1}.csv", "--json", "--metric", "f1"]
        capsys.readouterr()
        assert cli.main(["estimate", f"{sheet}.csv", *goes_on]) == 0
        shown = capsys.readouterr()
        assert json.loads(shown.out)[0]["value"] == here.estimate("f1").value
        assert here.labels == n
        sheet += 1
    assert (n, sheet > 1) == (25, True)
    assert "Nothing is left to ask" in shown.err
    goes_on = ["--study", "0.study", "--more", "5", "--next", "more.csv", "--json", "--metric", "f1"]
    assert cli.main(["estimate", *goes_on]) == 0
    assert len(pd.read_csv(folder / "more.csv")) == 5
    capsys.readouterr()
    assert cli.main(["estimate", *goes_on]) == 2  # more.csv may hold answers by now
    assert capsys.readouterr().err.endswith("it may hold answers; choose another name\n")
    assert not list(folder.glob(".*.part"))


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
    table = printed("--budget", "20", "--design", "poisson", "--for-width", "0.3")
    assert "poisson" in table
    assert "priority" not in table
    assert "for an interval at most 0.3 wide at 90%" in table
    advice = advise_shrinkage(pool(folder), metric="f1", budget=20, preset=None, design="poisson")
    assert f"λ = {advice.shrinkage:g} suits these scores" in table
    assert " for ± 0.15 at 90%" in printed("--goal", "0.15")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plan", "nowhere.csv", "--budget", "5"], "does not exist"),
        (["plan", "scores.csv"], "`--budget` must be given"),
        (["plan", "scores.csv", "--budget", "0"], "at least 1"),
        (["plan", "scores.csv", "--budget", "500"], "cannot exceed the 60 items"),
        (["plan", "scores.csv", "--budget", "5", "--metric", "f-one"], "`metric` is not known"),
        (["plan", "scores.csv", "--budget", "5", "--shrinkage", "7"], "`shrinkage` must lie in [0, 1]; got 7.0; 1 trusts the scores wholly, 0 not at all"),
        (["plan", "scores.csv", "--budget", "5", "--defensive", "3"], "`defensive` must lie in [0, 1]; got 3.0; it is the share of the labels"),
        (["plan", "scores.csv", "--budget", "5", "--score", "skore"], "did you mean 'score'?"),
        (["plan", "scores.csv", "--budget", "5", "--level", "1"], "`level`"),
        (["plan", "scores.csv", "--budget", "five"], "invalid int value"),
        (["plan", "scores.csv", "--for-width", "0"], "`width` must be > 0"),
        (["plan", "scores.csv", "--goal", "-1"], "`--goal` must be > 0"),
        (["plan", "scores.csv", "--goal", ".1", "--for-width", ".2"], "say the same"),
        (["sample", "scores.csv", "--budget", "5", "--out", "q.pdf"], "must end in .csv or .xlsx"),
        (["sample", "scores.csv", "--budget", "5", "--out", "no/such/q.csv"], "a folder that exists"),
        (["sample", "scores.csv", "--budget", "5", "--out", "scores.csv"], "must be different files"),
        (["sample", "scores.csv", "--budget", "5", "--out", "q.csv", "--name", "x"], "needs `--storage`"),
        (["sample", "scores.csv", "--budget", "5", "--out", "q.csv", "--name", "x", "--storage", "y"], "`storage`"),
        (["estimate", "scores.csv"], "there is no 'scores.study'"),
        (["estimate", "--study", "x", "--more", "5"], "needs `--next`"),
        (["estimate", "--study", "x", "--next", "x.txt"], "must end in .csv or .xlsx"),
        (["estimate"], "`--study` must be given"),
        (["estimate", "--study", ""], "`--study` must be given"),
        (["estimate", "--study", "x", "--name", "y", "--storage", "sqlite:///s.db"], "leave one of them out"),
        (["sample", "scores.csv", "--budget", "5", "--out", "q.csv", "--name", "x", "--study", "y"], "leave one of them out"),
        (["estimate", "--study", "scores.csv"], "must be an undamaged exported study"),
        (["estimate", "q.csv", "--name", "x", "--storage", "sqlite:///none.db"], "`storage` does not exist"),
        (["app", "--port", "0"], "`--port`"),
        (["plan", "scores.csv", "--budget", "5", "--metric", ""], "`metric` is not known"),
        (["sample", "scores.csv", "--budget", "5", "--out", "q.csv", "--storage", "sqlite:///s.db"], "pass --name too"),
        (["estimate", "q.csv", "--storage", "sqlite:///s.db"], "pass --name too"),
        (["app", "--port", "abc"], "invalid int value: 'abc'; see sampleval app --help"),
        ([], "the following arguments are required"),
        (["dance"], "invalid choice"),
    ],
)  # fmt: skip
def test_errors_are_one_sentence_and_exit_code_2(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SAMPLEVAL_STORAGE", raising=False)
    try:
        code: object = cli.main(words)
    except SystemExit as stop:  # argparse ends the process itself
        code = stop.code
    shown = capsys.readouterr()
    assert code == 2
    assert shown.out == ""
    assert said in shown.err
    assert "Traceback" not in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name of a file is text")
def test_a_sheet_may_bear_a_name_that_is_no_text(folder: Path) -> None:
    sheet = os.fsdecode(b"q\xff.csv")
    done = run(folder, "sample", "scores.csv", "--budget", "5", "--out", sheet)
    assert (done.returncode, (folder / sheet).exists()) == (0, True), done.stderr
    assert read_study(folder / os.fsdecode(b"q\xff.study"))[0].name == "q?"
    assert run(folder, "estimate", sheet).returncode == 0


def test_python_runs_the_package_as_the_command(folder: Path) -> None:
    words = ["plan", "scores.csv", "--budget", "10"]
    module = started([*MODULE, *words], folder)
    assert module.returncode == 0, module.stderr
    assert module.stdout == run(folder, *words).stdout


def test_a_real_process_ends_with_2_and_no_traceback(folder: Path) -> None:
    (folder / "broken.csv").write_bytes(b"id,score\na,0.5\nb,1.7\n")
    done = run(folder, "plan", "broken.csv", "--budget", "1")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("sampleval plan: `score` must lie in [0, 1]; got 1.7 in line 3 (id 'b')")


def test_an_unexpected_error_is_one_line_unless_debugging(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SAMPLEVAL_DEBUG", raising=False)
    monkeypatch.setattr("sampleval.cli.plan.pool_of", lambda args: 1 / 0)
    assert cli.main(["plan", "scores.csv", "--budget", "3"]) == 2
    assert "ZeroDivisionError: division by zero (SAMPLEVAL_DEBUG=1 shows where)" in capsys.readouterr().err
    monkeypatch.setenv("SAMPLEVAL_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["plan", "scores.csv", "--budget", "3"])


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


def test_estimate_says_how_many_labels_follow_after_the_next_sheet(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The next sheet has none of the 20 labels that --more allows, and nothing had said that they can follow."""
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--out", "q.csv"]) == 0
    fill(folder / "q.csv", lines=12)
    assert cli.main(["estimate", "q.csv", "--more", "20", "--next", "more.csv"]) == 0
    assert len(pd.read_csv(folder / "more.csv")) == 8
    assert "20 more labels can follow when these have their answers" in capsys.readouterr().err


def test_a_metric_of_several_numbers_is_to_be_seen_in_the_app(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A method of the library had been named, which the command line does not have."""
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--out", "q.csv"]) == 0
    fill(folder / "q.csv", lines=12)
    assert cli.main(["estimate", "q.csv", "--metric", "confusion"]) == 2
    said = capsys.readouterr().err
    assert (
        "'confusion' has several components; to see them, import the .study file and then the sheet" in said
    )
    assert "Study.curve" not in said


@pytest.mark.parametrize("words", [["plan"], ["sample", "--out", "q.csv"]])
def test_a_sample_is_for_one_metric(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The first of two had been forgotten, although `estimate` takes several."""
    with pytest.raises(SystemExit):
        cli.main([*words, "scores.csv", "--budget", "20", "--metric", "f1", "--metric", "recall"])
    assert "--metric can be given once" in capsys.readouterr().err


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


def test_messages_about_one_item_use_the_singular(capsys: pytest.CaptureFixture[str]) -> None:
    table = scored(60).assign(id=[f"{k:03d}" for k in range(60)], label=["1", *[""] * 59])
    table.to_csv("one.csv", index=False)
    words = ["one.csv", "--held", "--budget"]
    assert cli.main(["plan", *words, "5"]) == 0
    assert cli.main(["sample", *words, "1", "--out", "q.csv"]) == 0
    pd.read_csv("q.csv").assign(answer="1").to_csv("q.csv", index=False)
    assert cli.main(["estimate", "q.csv", "--more", "1", "--next", "more.csv"]) == 0
    assert cli.main(["sample", *words, "2", "--out", "two.csv"]) == 0
    two = pd.read_csv("two.csv", dtype=str)
    two.assign(answer=["1", ""]).to_csv("two.csv", index=False)
    assert cli.main(["estimate", "two.csv", "--more", "1", "--next", "third.csv"]) == 0
    two.loc[[0] * 6].assign(answer="perhaps").to_csv("two.csv", index=False)
    assert cli.main(["estimate", "two.csv"]) == 2
    shown = capsys.readouterr()
    for said in ("1 label ", "1 id changed by", "1 answer in", "1 line without", "1 more line like"):
        assert said in shown.out + shown.err
    assert re.findall(r"\b1 (?:more )?(?:labels|ids|answers|lines|items)\b.*", shown.out + shown.err) == []


def test_a_sheet_without_one_usable_answer_is_an_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command had succeeded with estimates of nothing. Ids that a spreadsheet changed are mentioned once."""
    scores = pd.read_csv("scores.csv")
    scores.assign(id=[f"{k:03d}" for k in range(60)]).to_csv("numbers.csv", index=False)
    for name in ("scores", "numbers"):
        assert cli.main(["sample", f"{name}.csv", "--budget", "20", "--out", f"{name}_q.csv"]) == 0
    fill(folder / "scores_q.csv")
    capsys.readouterr()
    assert cli.main(["estimate", "scores_q.csv", "--study", "numbers_q.study"]) == 2
    shown = capsys.readouterr()
    assert "none of its 20 can be used; is it another study's sheet?" in shown.err
    assert not shown.out
    pd.read_csv("numbers_q.csv").assign(answer="x").to_csv("numbers_q.csv", index=False)
    assert cli.main(["estimate", "numbers_q.csv"]) == 2
    assert "none of its 20 can be used; write one of the allowed answers" in capsys.readouterr().err
    pd.read_csv("numbers_q.csv").assign(answer=1).to_csv("numbers_q.csv", index=False)
    assert cli.main(["estimate", "numbers_q.csv"]) == 0
    assert "20 ids changed by the spreadsheet" in capsys.readouterr().err


def test_a_sample_of_which_no_label_can_tell_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sheet had been empty, or writing the workbook had failed."""
    pd.DataFrame({"id": range(50), "score": 0.1}).to_csv("low.csv", index=False)
    before = sorted(folder.iterdir())
    for more in (["--out", "q.csv"], ["--out", "q.xlsx"]):
        assert cli.main(["sample", "low.csv", "--metric", "precision", "--budget", "10", *more]) == 2
        said = "no label can change precision here, so none is asked; choose another, or another --threshold"
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


def test_held_labels_find_their_items_by_the_ids_of_the_pool() -> None:
    """A code with leading zeros had been read as a number for the labels, but as text for the pool."""
    table = scored(60).drop(columns="id").assign(code=[f"{k:05d}" for k in range(60)])
    table["label"] = table["label"].map({"ham": "no", "spam": "yes"}).where(table.index < 20)
    table.to_csv("coded.csv", index=False)
    words = ["sample", "coded.csv", "--id", "code", "--budget", "5", "--out", "q.csv", "--held"]
    assert cli.main(words) == 0
    assert read_study("q.study")[0].state.problem.held.index.tolist() == list(range(20))


def test_held_labels_that_are_refused_are_told_by_their_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "odd.csv").write_text("sep=;\nid;score;label\na;0.5;0\nb;0.7;1\nc;0.2;3\nd;0.1;\n")
    words = ["plan", "odd.csv", "--budget", "1", "--task", "binary", "--classes", "0,1", "--held"]
    assert cli.main(words) == 2
    assert "line 5" in (said := capsys.readouterr().err)
    assert "row" not in said


def test_held_labels_bear_the_names_of_the_told_classes() -> None:
    """With given classes the pool has a class called 2.0, which labels read without them had not named."""
    classes = ["1.1", "1.2", "2.0"]
    rows = [f"{k},{classes[k % 3]},{classes[k % 2 + 1] if k < 20 else ''}" for k in range(40)]
    Path("coded.csv").write_text("\n".join(["id,pred,label", *rows]))
    words = [
        "sample",
        "coded.csv",
        "--budget",
        "5",
        "--out",
        "q.csv",
        "--held",
        "--classes",
        ",".join(classes),
    ]
    assert cli.main(words) == 0
    assert read_study("q.study")[0].state.problem.held.index.tolist() == list(range(20))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--level", "2"], "`level` must lie strictly between 0 and 1"),
        (["--metric", "pr_curve"], "`metric` 'pr_curve' has several components"),
        (
            ["--interval", "anytime", "--future"],
            "`interval` 'anytime' is known for statements about this pool only; leave out --future",
        ),
    ],
)
def test_what_cannot_be_asked_is_refused_before_answers_are_kept(
    words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = stored(folder)
    capsys.readouterr()
    assert cli.main(["estimate", "q.csv", *place, *words]) == 2
    assert said in capsys.readouterr().err
    assert sv.load_study("mine", place[1]).labels == 0


def test_advice_is_weighed_against_the_shrinkage_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", "scores.csv", "--budget", "20", "--design", "poisson"]
    assert cli.main([*words, "--shrinkage", "0.5"]) == 0
    assert "with your 0.5." in capsys.readouterr().out
    assert cli.main(words) == 0
    assert "The method's own λ = 0.9 suits these scores: an expected error of" in capsys.readouterr().out
    assert cli.main(["plan", "scores.csv", "--budget", "60", "--design", "poisson"]) == 0
    assert "λ" not in capsys.readouterr().out  # where all are labelled each is as good


def test_unknown_numbers_are_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["sample", "scores.csv", "--budget", "5", "--out", "q.csv"])
    capsys.readouterr()
    assert cli.main(["estimate", "q.csv", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)[0]
    assert (row["value"], row["note"]) == (None, "no labels yet")


@pytest.mark.parametrize("words", [[], ["app"], ["plan"], ["sample"], ["estimate"]])
def test_every_command_has_its_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main([*words, "--help"])
    assert stop.value.code == 0
    assert "sampleval" in capsys.readouterr().out


def test_help_prints_on_a_console_without_greek(folder: Path) -> None:
    done = run(folder, "plan", "--help", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "--shrinkage ?" in done.stdout


def test_numbers_keep_their_sign_on_a_console_without_the_minus_of_print(folder: Path) -> None:
    """Matthews correlation of −0.466 had been printed as ?0.466. Windows' usual encoding lacks the minus too."""
    assert run(folder, "sample", "scores.csv", "--budget", "20", "--out", "queue.csv").returncode == 0
    fill(folder / "queue.csv")
    table = read(folder / "queue.csv")
    table["answer"] = table["answer"].map({"0": "1", "1": "0"})  # all that was right is wrong
    table.to_csv(folder / "queue.csv", index=False)
    words = ["estimate", "queue.csv", "--study", "queue.study", "--metric", "mcc"]
    full = run(folder, *words, PYTHONIOENCODING="utf-8").stdout
    assert "−0." in full
    assert run(folder, *words, PYTHONIOENCODING="ascii").stdout == full.replace("−", "-")


@pytest.mark.skipif(
    shutil.which("streamlit") is None and find_spec("streamlit") is None, reason="needs the extra [app]"
)
def test_the_app_starts_where_it_is_told_and_stops_when_told(folder: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"sqlite:///{folder / 'kept' / 's.db'}"
    words = ["app", "--port", str(port), "--headless", "--storage", url, "--data", str(folder / "kept")]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [*command(), *words], cwd=folder, env=environment(), stdout=log, stderr=subprocess.STDOUT
        )
    try:
        for _ in range(300):
            assert server.poll() is None, (folder / "log").read_text()
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as answer:
                    assert answer.read() == b"ok"
                    break
            except OSError:
                time.sleep(0.2)
        else:
            pytest.fail((folder / "log").read_text())
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
    assert f"http://127.0.0.1:{port}" in (folder / "log").read_text()
    with socket.socket() as probe:  # the server was this very process, so nothing is left behind
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_a_port_where_another_server_listens_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """The app said where it is, and then that the port is not available."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert cli.main(["app", "--port", str(port), "--headless"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert (
        f"no server can listen at 127.0.0.1:{port} (address already in use); choose another `--port`"
        in said.err
    )


def test_streamlits_welcome_message_is_hidden() -> None:
    """Streamlit's welcome brings a notice for programmers on every page of an app that opens a browser."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["logger"]["hideWelcomeMessage"]


@pytest.mark.parametrize("more", ["-5", "0", "100000"])
def test_labels_that_cannot_be_added_are_refused_before_an_answer_is_kept(
    more: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answers had been stored and the estimates printed before the refusal, which named `labels`."""
    place = stored(folder)
    capsys.readouterr()
    assert cli.main(["estimate", "q.csv", *place, "--next", "more.csv", "--more", more]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "`--more` must be from 1 to the " in said.err
    assert sv.load_study("mine", place[1]).labels == 0


def test_answers_are_kept_where_nothing_more_can_be_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """With three items predicted positive, --more for precision had been refused, and the sheet's answers were lost."""
    scores = pd.DataFrame({"id": range(30), "score": [0.9, 0.8, 0.7] + [0.2] * 27})
    scores.to_csv("few.csv", index=False)
    assert cli.main(["sample", "few.csv", "--metric", "precision", "--budget", "10", "--out", "q.csv"]) == 0
    pd.read_csv("q.csv", dtype=str).assign(answer="1").to_csv("q.csv", index=False)
    assert cli.main(["estimate", "q.csv", "--next", "more.csv", "--more", "5"]) == 2
    assert "that can be asked" in capsys.readouterr().err
    assert cli.main(["estimate", "--study", "q.study", "--next", "more.csv"]) == 0
    said = capsys.readouterr()
    assert "Exactly 100.0% of the items" in said.out
    assert said.err.rstrip().endswith("Nothing is left to ask.")


def test_a_closed_output_is_no_error(folder: Path) -> None:
    words = [*command(), "plan", "scores.csv", "--budget", "5"]
    line = ["sh", "-c", 'exec "$@" >&-', "sh", *words]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, env=environment(), check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_as_output_is_refused_before_a_study_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A study had been written before the refusal, and the error said `[Errno 21]`."""
    (folder / "q.csv").mkdir()
    assert cli.main(["sample", "scores.csv", "--budget", "5", "--out", "q.csv", "--force"]) == 2
    assert "`--out` must name a file; 'q.csv' is a folder; choose another name" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="such devices are Linux's")
def test_an_output_without_room_is_told_in_words(folder: Path) -> None:
    """The message had been `[Errno 28] No space left on device`."""
    words = [*command(), "plan", "scores.csv", "--budget", "5"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            words, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, env=environment(), check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith("sampleval plan: what it says cannot be written: No space left on device; ")


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
