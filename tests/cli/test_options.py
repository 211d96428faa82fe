"""Options that say how a file of scores is read: its scales, its classes, the labels it has."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sampleval as sv
from sampleval import cli
from sampleval.bundle import read_study
from tests.pools import scored


def test_percentages_make_the_same_sample() -> None:
    table = pd.read_csv("scores.csv")
    table.assign(score=100 * table["score"]).to_csv("percent.csv", index=False)
    for scores, more, out in (("scores.csv", [], "a.csv"), ("percent.csv", ["--percent"], "b.csv")):
        assert cli.main(["sample", scores, "--budget", "20", "--out", out, *more]) == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


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


def test_the_confidence_in_a_decision_can_be_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The app and the library take it; the console's advice was an argument of the library, or to change the file."""
    table = pd.read_csv(folder / "scores.csv").assign(pred=lambda items: (items["score"] >= 0.5).astype(int))
    table["score"] = table["score"].where(table["pred"] == 1, 1 - table["score"])
    table.to_csv(folder / "sure.csv", index=False)
    asked = ["plan", str(folder / "sure.csv"), "--budget", "10", "--design", "priority", "--json"]
    assert cli.main(asked) == 0
    said = capsys.readouterr().err
    assert "if it is the probability of what the model decided, pass --confidence." in said
    assert "transform" not in said
    assert cli.main([*asked, "--confidence"]) == 0
    told = capsys.readouterr()
    assert "pass --confidence" not in told.err
    expected = sv.plan(
        sv.Pool.from_frame(table, transform="confidence"), metric="f1", budget=10, design="priority"
    )
    assert json.loads(told.out)["plans"][0]["error"] == pytest.approx(expected.expected_error)
    assert cli.main(["plan", str(folder / "scores.csv"), "--budget", "10", "--confidence"]) == 2
    said = capsys.readouterr().err
    assert "`--confidence` can be given only for scores beside decisions between two classes" in said
    assert "name the decisions' column, --pred …" in said


def test_margins_of_several_classes_can_be_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The library's softmax had no option here, and the message advised an argument of the library."""
    rng = np.random.default_rng(4)
    margins = pd.DataFrame(rng.normal(size=(60, 3)), columns=["score_a", "score_b", "score_c"])
    margins.to_csv(folder / "margins.csv", index=False)
    asked = ["plan", str(folder / "margins.csv"), "--budget", "10", "--design", "priority", "--json"]
    for more, said in (
        ([], "(--sigmoid; if each item has one class, --task multiclass, --softmax)"),
        (["--task", "multiclass"], "(--softmax)"),
        (["--softmax"], "`--softmax` must be --sigmoid"),
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
