"""The console command as a whole: processes, help, and errors in one sentence."""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path

import pandas as pd
import pytest

from sampleval import cli
from sampleval.bundle import read_study
from sampleval.cli.spoken import SPOKEN
from tests.cli.commands import MODULE, run, started
from tests.places import ROOT
from tests.pools import scored


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
        (["simulate", "q.csv"], "'estimate'); see sampleval --help"),  # and no suggestion
        (["estmate", "q.csv"], "did you mean 'estimate'?; see sampleval --help"),
        (["plan", "scores.csv", "--metrc", "f1"], "--metrc f1; did you mean '--metric'?; see sampleval plan --help"),
        (["plan", "scores.csv", "--metrc=f1"], "did you mean '--metric'?"),
        (["plan", "scores.csv", "-m", "f1"], "-m f1; there is '--metric'; see sampleval plan --help"),
        (["plan", "scores.csv", "-z"], "arguments: -z; see sampleval plan --help"),
        (["estimate", "a.csv", "b.csv"], "arguments: b.csv; see sampleval estimate --help"),
        (["sample", "scores.csv", "--preset", "unifrm"], "did you mean 'uniform'?; see sampleval sample --help"),
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
    assert cli.main(["sample", "scores.csv", "--budget", "5", "--out", sheet]) == 0
    assert (folder / sheet).exists()
    assert read_study(folder / os.fsdecode(b"q\xff.study"))[0].name == "q?"
    assert cli.main(["estimate", sheet]) == 0


def test_python_runs_the_package_as_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["plan", "scores.csv", "--budget", "10"]
    module = started([*MODULE, *words], folder)
    assert module.returncode == 0, module.stderr
    assert cli.main(words) == 0
    assert module.stdout == capsys.readouterr().out


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


@pytest.mark.parametrize("words", [[], ["app"], ["plan"], ["sample"], ["estimate"]])
def test_every_command_has_its_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main([*words, "--help"])
    assert stop.value.code == 0
    assert "sampleval" in capsys.readouterr().out


def test_what_the_console_puts_in_other_words_is_what_the_library_says() -> None:
    """What a message is made of stands in the source; `fail` puts the argument's name before its rule."""
    sources = [path for path in (ROOT / "sampleval").rglob("*.py") if path.parent.name not in {"cli", "ui"}]
    trees = [ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for path in sources]
    said = {str(node.value) for tree in trees for node in tree if isinstance(node, ast.Constant)}
    for told in SPOKEN:
        rule = re.sub("^`(transform|target|column)` ", "", told)
        assert any(rule in text for text in said), told
