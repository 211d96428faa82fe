"""`sampleval estimate`: the library's numbers from answered sheets, round by round."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import cli, offline
from sampleval.bundle import read_study
from sampleval.numerals import in_cell, limits
from sampleval.study import cautions, caveats, finding, towards_goal, whose
from tests.cli.commands import fill, pool, read, run, study
from tests.pools import scored, two_systems

TOTALS = ("positives", "missed_positives")


def test_from_scores_to_estimates_on_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--metric", "f1", "--budget", "20", "--seed", "7", "--goal", "0.1", "--out", "queue.csv"]
    assert cli.main(["sample", "scores.csv", *words]) == 0
    sampled = capsys.readouterr()
    assert "sampleval estimate queue.csv --study queue.study" in sampled.out
    said = "Metric: F1 score. Method: Labelling queue (queue). Seed: 7. Study: queue.study."
    assert said in sampled.out
    assert "learns from the answers" not in sampled.out  # the sheet holds the whole budget
    assert sampled.err.startswith("How scores.csv was read:\n  60 items.")
    fill(folder / "queue.csv", lines=17)
    printed = run(folder, "estimate", "queue.csv", "--study", "queue.study", "--json")
    assert printed.returncode == 0, printed.stderr
    assert "17 answers" in printed.stderr
    expected = study(folder, folder / "queue.csv").estimates()
    for row, e in zip(json.loads(printed.stdout), expected, strict=True):
        assert (row["metric"], row["labels"], row["method"], row["note"]) == (e.metric, 17, e.method, e.note)
        assert (row["value"], row["low"], row["high"]) == (e.value, e.interval.low, e.interval.high)
    both = ["--metric", "recall", "--metric", "precision"]
    assert cli.main(["estimate", "queue.csv", "--study", "queue.study", *both]) == 0
    labelled = study(folder, folder / "queue.csv")
    assert capsys.readouterr().out.splitlines()[-3:] == [
        finding(labelled, labelled.estimate("recall")),
        finding(labelled, labelled.estimate("precision")),
        towards_goal(labelled, labelled.estimate(), 0.1),
    ]
    assert cli.main(["estimate", "queue.csv", "--level", "0.5"]) == 0
    said = towards_goal(labelled, labelled.estimate(level=0.5), 0.1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == said != towards_goal(labelled, labelled.estimate(), 0.1)
    noted = [e for e in labelled.estimates(level=0.5) if e.note]
    told = [f"{labelled.metric(e.metric).title}: {e.note}" for e in noted]
    assert lines[-2 - len(told) : -2] == told != []
    # The goal is about this pool: of wider limits about the future, those about the pool had been said to be theirs.
    assert cli.main(["estimate", "queue.csv", "--future"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == finding(labelled, labelled.estimate(about="future"))


def test_limits_in_the_table_are_rounded_outwards(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of one interval the table said .678 to .838 and the sentence below .677 to .839."""
    assert (
        cli.main(
            ["sample", "scores.csv", "--metric", "f1", "--budget", "20", "--seed", "7", "--out", "queue.csv"]
        )
        == 0
    )
    fill(folder / "queue.csv", lines=20)
    capsys.readouterr()
    assert cli.main(["estimate", "queue.csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for line, e in zip(lines[2:], study(folder, folder / "queue.csv").estimates(), strict=False):
        low, high = limits(e.interval.low, e.interval.high, whole=e.metric in TOTALS).split(" to ")
        assert line.split()[-5:-3] == [low, high], line


def test_values_have_as_many_decimals_as_their_limits(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Results and the report said .9685 within .9578 and .9750, this table .969."""
    words = ["--metric", "f1", "--budget", "57", "--seed", "7", "--out", "queue.csv"]
    assert cli.main(["sample", "scores.csv", *words]) == 0
    fill(folder / "queue.csv")
    capsys.readouterr()
    assert cli.main(["estimate", "queue.csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for line, e in zip(lines[2:], study(folder, folder / "queue.csv", budget=57).estimates(), strict=False):
        value, _ = in_cell(e.value, e.interval.low, e.interval.high, whole=e.metric in TOTALS)
        assert line.split()[-6] == value, line


def test_labels_known_beforehand_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """The report had named them, and Results, but not this table, which rests on them just as much."""
    table = scored(60)
    table.assign(label=table["label"].where(table.index < 9)).to_csv("some.csv", index=False)
    words = ["--classes", "ham,spam", "--held", "--budget", "20", "--out", "q.csv"]
    assert cli.main(["sample", "some.csv", *words]) == 0
    capsys.readouterr()
    assert cli.main(["estimate", "q.csv"]) == 0
    said = "0 of 20 answers; 9 labels known beforehand; about this pool of 60 items; seed 0"
    assert capsys.readouterr().out.splitlines()[0] == said


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


def test_a_stored_study_is_the_one_the_app_opens(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = stored(folder)
    url = place[1]
    monkeypatch.setenv("SAMPLEVAL_STORAGE", url)
    capsys.readouterr()
    assert cli.main(["estimate", "q.csv", "--name", "mine", "--json", "--annotator", "bo"]) == 0
    opened = sv.load_study("mine", url)
    assert opened.labels == 20
    assert json.loads(capsys.readouterr().out)[0]["value"] == opened.estimate("f1").value
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
    assert capsys.readouterr().err.startswith("20 answers in q.csv, 0 lines without one")
    opened.refresh()
    assert all(opened.known_labels()[id] != label for id, label in before.items())
    capsys.readouterr()
    assert cli.main(["estimate", *place, "--json", "--metric", "f1", "--future"]) == 0
    [told], future = json.loads(capsys.readouterr().out), opened.estimate("f1", about="future")
    assert (told["value"], told["low"], told["about"]) == (future.value, future.interval.low, "future")
    assert told["low"] < opened.estimate("f1").interval.low


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
    assert "'confusion' has several components; print them with --curve" in said
    assert "Study.curve" not in said


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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--level", "2"], "`level` must lie strictly between 0 and 1"),
        (["--metric", "pr_curve"], "`metric` 'pr_curve' has several components"),
        (
            ["--interval", "anytime", "--future"],
            "leave out --future or, for a number of labels fixed beforehand, --interval 'korn-graubard'",
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


def test_unknown_numbers_are_null_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["sample", "scores.csv", "--budget", "5", "--out", "q.csv"])
    capsys.readouterr()
    assert cli.main(["estimate", "q.csv", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)[0]
    assert (row["value"], row["note"]) == (None, "no labels yet")


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


def test_of_several_systems_it_is_said_whose_numbers_these_are(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plan, Results and the report say it; at the console 21 metrics of the first system stood without its name."""
    compared, told = "f1[old - new]", whose(two_systems(60)[0])
    items = two_systems(60)[0]
    table = pd.DataFrame({f"{system.name}.score": system.score for system in items.systems})
    table.to_csv("two.csv", index=False)
    assert (
        cli.main(["sample", "two.csv", "--metric", compared, "--budget", "20", "--out", "two.queue.csv"]) == 0
    )
    sheet = read(folder / "two.queue.csv").assign(answer=["0", "1"] * 10)
    sheet.to_csv("two.queue.csv", index=False)
    for words, named in (
        (["estimate", "two.queue.csv"], False),
        (["estimate", "two.queue.csv", "--metric", compared], True),
        (["plan", "two.csv", "--budget", "20", "--preset", "queue"], False),
        (["plan", "two.csv", "--budget", "20", "--preset", "queue", "--metric", compared], True),
    ):
        capsys.readouterr()
        assert cli.main(words) == 0
        assert (told in capsys.readouterr().out.splitlines()) != named


def test_of_a_sample_of_random_size_its_own_size_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pages said "22 of 22 answered", and the console 22 of 20 answers."""
    words = ["--preset", "yilmaz-bs", "--budget", "20", "--seed", "1", "--out", "queue.csv"]
    assert cli.main(["sample", "scores.csv", *words]) == 0
    fill(folder / "queue.csv")
    drawn = len(read(folder / "queue.csv"))
    assert drawn != 20
    capsys.readouterr()
    assert cli.main(["estimate", "queue.csv"]) == 0
    assert capsys.readouterr().out.startswith(f"{drawn} of {drawn} answers; ")


def test_what_the_pages_warn_of_is_said_at_the_console(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where positives are rare the pages and the report said that Beta intervals may be too narrow, and the console nothing."""
    rng = np.random.default_rng(6)
    score = rng.beta(0.1, 6, 600)
    pd.DataFrame({"id": range(600), "score": score}).to_csv("rare.csv", index=False)
    words = ["--preset", "yilmaz-bs", "--budget", "40", "--out", "rare.queue.csv"]
    assert cli.main(["sample", "rare.csv", *words]) == 0
    sheet = read(folder / "rare.queue.csv")
    sheet.assign(answer=[str(int(k == 0)) for k in range(len(sheet))]).to_csv("rare.queue.csv", index=False)
    capsys.readouterr()
    assert cli.main(["estimate", "rare.queue.csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    made, _ = read_study(folder / "rare.queue.study")
    offline.read(made, folder / "rare.queue.csv")
    found = made.estimates()
    warned = cautions(made, found)
    assert [line.partition(":")[0] for line in warned][:1] == ["The intervals may be too narrow"]
    assert len(warned) > 1
    assert set(warned) < set(caveats(made, found))
    at = lines.index(warned[0])
    assert lines[at : at + len(warned)] == warned
    assert cli.main(["estimate", "rare.queue.csv", "--json"]) == 0
    assert "too narrow: where" not in capsys.readouterr().out  # data alone


def test_before_the_first_answer_there_is_nothing_to_warn_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sample", "scores.csv", "--budget", "20", "--out", "queue.csv"]) == 0
    capsys.readouterr()
    assert cli.main(["estimate", "queue.csv"]) == 0
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()[-2:]] == [
        "All",
        "Nothing can be said yet about the F1 score (no labels yet).",
    ]


def test_several_people_in_one_sheet_are_named_and_so_is_where_they_differ(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every second answer that differed was a line that could not be used."""
    cli.main(["sample", "scores.csv", "--metric", "f1", "--budget", "6", "--out", "queue.csv"])
    fill(folder / "queue.csv")
    ann = read(folder / "queue.csv").assign(annotator="ann")
    bob = ann.assign(annotator="bob", answer=["0" if answer == "1" else answer for answer in ann["answer"]])
    pd.concat([ann, bob]).to_csv(folder / "queue.csv", index=False)
    differ = int((ann["answer"] != bob["answer"]).sum())
    capsys.readouterr()
    assert cli.main(["estimate", "queue.csv"]) == 0
    said = capsys.readouterr().err
    assert "12 answers in queue.csv, 0 lines without one" in said
    assert "who answered, as the sheet says: 'ann', 'bob'" in said
    assert f"people differ on {differ} item" in said
    assert "the last answer counts until somebody decides" in said
    assert "as --annotator none of these people" in said
    assert "not used" not in said
    assert cli.main(["estimate", "queue.csv", "--next", "next.csv"]) == 0
    ann.drop(columns="annotator").to_csv(folder / "final.csv", index=False)
    decides = ["estimate", "final.csv", "--study", "queue.study", "--corrections"]
    capsys.readouterr()
    assert cli.main(decides) == 0
    assert f"decided by this sheet, where people differed: {differ} item" in capsys.readouterr().err
