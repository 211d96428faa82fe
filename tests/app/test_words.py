"""Sentences for users: one of a thing, all of it, and what a plan rests on."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("streamlit", reason="needs Streamlit: install the extra [app]")

import sampleval as sv
from sampleval import cli, offline, sheets
from sampleval._checks import retold
from sampleval.metrics import METRICS
from sampleval.planning import WidthRange
from sampleval.pool import Columns, InputError, Kind, Task, encode_label, guess_columns
from sampleval.pool.files import aside
from sampleval.presets import AXES, PRESETS, reasons
from sampleval.ui import words
from sampleval.ui.data import mapping
from sampleval.ui.plan import combine, planner, sentences
from sampleval.ui.results import verdict
from tests.places import ROOT


def promised(pool: sv.Pool, metric: str, budget: int) -> str:
    plan = sv.plan(pool, metric=metric, budget=budget)
    return sentences.promise(plan, pool, "Recall", 0.9, budget)


def test_a_label_for_every_item_promises_no_interval() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 12)}))
    every = "With **12 labels**, one for every item, the recall will be known exactly."
    assert promised(pool, "f1", 12) == every
    assert (
        "based on what this method expects of such scores before any label (the recall about 0."
        in promised(pool, "f1", 6)
    )
    few = promised(pool, "precision", 10)  # a label of an item that is not flagged says nothing of precision
    assert few.startswith(
        "With **6 labels**, one for every item that can change the result, the recall will be known exactly."
    )
    assert "(the recall about 6." in promised(pool, "positives", 6)  # a number of items, as its interval is
    right = sv.plan(pool, metric="f1", budget=6, preset="queue", shrinkage=1)
    assert f"if the scores are right; they predict {right.predicted:.3f}" in sentences.promise(
        right, pool, "Recall", 0.9, 6
    )
    wary = sv.plan(pool, metric="f1", budget=6, preset="queue", shrinkage=0.5)
    assert "(λ = 0.5); they then predict" in sentences.promise(wary, pool, "Recall", 0.9, 6)
    one = sv.Pool.from_frame(pd.DataFrame({"score": [0.7]}))
    assert "**1 label**" in promised(one, "f1", 1)


def test_no_width_is_called_the_largest_beside_a_range_that_exceeds_it() -> None:
    """It was "at most ± 0.020 (0.011 to 0.040, …)" for strata, whose widths are foreseen like any other design's."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.02, 0.98, 200) ** 2}))
    even, strata = (sv.plan(pool, metric="accuracy", budget=50, preset=p) for p in ("uniform", "stratified"))
    assert strata.expected_width < 0.97 * even.expected_width
    half = strata.expected_width / 2
    said = sentences.promise(strata, pool, "Accuracy", 0.9, 60, WidthRange(half, 4 * half))
    assert f"should be about **± {sentences.margin(strata)}** (" in said


@pytest.mark.parametrize(
    ("value", "half", "shown"),
    [(55.7, 2.01, "2.0"), (1503.2, 19.31, "19"), (0.739, 0.0463, "0.046"), (55.7, 0.046, "0.046")],
)
def test_a_margin_has_the_decimals_of_its_value(value: float, half: float, shown: str) -> None:
    """It was "55.7 ± 2.010"."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 12)}))
    plan = replace(sv.plan(pool, metric="f1", budget=6), predicted=value, expected_width=2 * half)
    assert sentences.within(plan) == f"± {shown}"
    assert f"**± {shown}**" in sentences.promise(plan, pool, "RMSE", 0.9, 6)
    tiny = replace(plan, expected_width=1e-7)
    assert sentences.within(tiny) == "± <0.0001"


@pytest.mark.parametrize(("uniform", "times"), [(959.4, "160"), (19.4, "3.2"), (75.0, "12")])
def test_how_many_times_as_many_is_told_with_two_digits(uniform: float, times: str) -> None:
    """It was "159.9 × as many", which nobody can foresee so closely."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0.05, 0.95, 12)}))
    plan = sv.plan(pool, metric="f1", budget=6)
    assert f"**{times} × as many**" in sentences.promise(plan, pool, "F1 score", 0.9, uniform)


def test_a_foreseen_value_too_small_to_show_is_not_about_less_than_something() -> None:
    """It was "about <0.0001"."""
    pool = sv.Pool.from_frame(pd.DataFrame({"score": [1e-7] * 4000 + [0.999999] * 4}))
    said = promised(pool, "brier", 30)
    assert "(the recall below 0.0001)" in said, said


def test_a_plan_doubts_scores_that_claim_far_more_positives_than_are_predicted() -> None:
    flat = pd.DataFrame({"score": np.linspace(0.2, 0.4, 300)})
    flat["pred"] = (flat["score"] > 0.396).astype(int)
    assert flat["pred"].sum() == 6
    said = "The scores add up to 15 times the positives predicted: if they are not probabilities, expect other values."
    assert said in promised(sv.Pool.from_frame(flat), "f1", 50)
    plain = sv.Pool.from_frame(flat.assign(pred=(flat["score"] > 0.3).astype(int)))
    assert "add up" not in promised(plain, "f1", 50)


def test_a_plan_doubts_scores_that_claim_far_fewer_positives_than_are_predicted() -> None:
    low = pd.DataFrame({"score": np.linspace(0.0, 0.04, 300), "pred": 1})
    low.loc[:59, "pred"] = 0
    said = "The scores add up to one for every 40 positives predicted: if they are not probabilities, expect other values."
    assert said in promised(sv.Pool.from_frame(low), "f1", 50)


def test_a_plan_says_that_nothing_tells_systems_apart_that_decide_alike() -> None:
    rng = np.random.default_rng(0)
    old = rng.random(60)
    scored = pd.DataFrame({"old.score": old, "new.score": old**2 / (old**2 + (1 - old) ** 2)})
    pool, apart = sv.Pool.from_frame(scored), sv.Pool.from_frame(scored.assign(**{"new.score": 1 - old}))
    for metric, same in (("f1[old - new]", True), ("accuracy[old - new]", True), ("f1[new]", False)):
        plan = sv.plan(pool, metric=metric, budget=20)
        why = "“old” and “new” decide alike on every item: no label can tell them apart."
        assert planner.pointless(plan, pool) == (why if same else "")
        assert planner.pointless(sv.plan(apart, metric=metric, budget=20), apart) == ""
    assert planner.pointless(sv.plan(pool, metric="brier[old - new]", budget=20), pool) == ""


def test_a_plan_says_of_the_whole_pool_why_a_metric_is_undefined() -> None:
    pool = sv.Pool.from_frame(
        pd.DataFrame({"pred": ["a", "b"] * 30}), task="multiclass", classes=["a", "b", "c"]
    )
    plan = sv.plan(pool, metric="macro_precision", budget=20, preset="uniform")
    why = "Macro precision is undefined here: no item is predicted to be 'c'."
    assert planner.pointless(plan, pool) == why


@pytest.mark.parametrize("answers", [["no", "yes"], ["a", "b", "c"]])
@pytest.mark.parametrize("preset", ["recommended", "queue", "active-testing"])
def test_a_plan_for_mere_decisions_speaks_of_no_scores(answers: list[str], preset: str) -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": [answers[k % len(answers)] for k in range(90)]}))
    plan = sv.plan(pool, metric="accuracy", budget=30, preset=preset)
    said = sentences.promise(plan, pool, "Accuracy", 0.9, 30)
    assert "score" not in said
    assert "decisions" in said


@pytest.mark.parametrize("name", ["recommended", "uniform"])
def test_methods_for_numbers_speak_of_neither_scores_nor_classes(name: str) -> None:
    """They are offered, and described in reports, for models that predict prices."""
    preset = PRESETS[name]
    told = [preset.title, preset.about, preset.method_for("regression").design.title]
    if name == "recommended":
        told.append(preset.method_for("regression").surrogate.methods)
    else:
        told.append(preset.valid)
    assert not [said for said in told if re.search(r"\bscores?\b|\bclass(es)?\b", said)]


def test_a_plan_for_numbers_says_what_it_takes_the_errors_for() -> None:
    """Without expected errors the predictions' own spread stands in: no score has said how large errors are."""
    frame = pd.DataFrame({"predicted_price": np.linspace(1e5, 9e5, 50), "pred_sd": 2e4})
    guessed = promised(sv.Pool.from_frame(frame[["predicted_price"]]), "rmse", 20)
    assert "scores" not in guessed
    assert "nothing is known of them" in guessed
    told = sv.Pool.from_frame(frame, pred="predicted_price", task="regression")
    assert told.items.error.size
    assert "if the expected errors are right" in promised(told, "rmse", 20)
    none = sv.Pool.from_frame(frame.assign(pred_sd=0.0), pred="predicted_price", task="regression")
    assert promised(none, "rmse", 20) == guessed


@pytest.mark.parametrize(
    ("above", "at_most", "expected"),
    [(1.0, False, "Yes,"), (1.0, True, "No,"), (1 - 1e-9, False, "over 99%")],
)
def test_only_what_is_exact_is_certain(above: float, at_most: bool, expected: str) -> None:
    assert expected in verdict.question("F1 score", 0.8, above, at_most=at_most)


def scored(**columns: object) -> sv.Pool:
    return sv.Pool.from_frame(pd.DataFrame(columns))


def write_to(path: Path) -> None:
    with aside(path) as part:
        part.write_bytes(b"")


REFUSED: list[Callable[[], object]] = [
    lambda: sv.Storage.at("sqlite:///no folder/studies.db"),
    lambda: write_to(Path("no folder/pool.parquet")),
    lambda: scored(score=[12.0, 80.0]),
    lambda: scored(score=[-3.0, 2.0]),
    lambda: scored(score_a=[-3.0, 2.0], score_b=[1.0, 4.0]),
    lambda: sv.Pool.from_frame(pd.DataFrame({"score_a": [-3.0], "score_b": [1.0]}), task="multiclass"),
    lambda: sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7]}), transform="percent"),
    lambda: scored(score=[0.2, 1.0005]),
    lambda: sv.Pool.from_frame(
        pd.DataFrame({"score_a": [0.9, 0.8], "score_b": [0.9, 0.1], "score_c": [0.4, 0.3]}), task="multiclass"
    ),
    lambda: encode_label(Task(), "perhaps"),
    lambda: sv.Pool.from_frame(
        pd.DataFrame({"score_a": [0.9], "score_b": [0.0], "score_c": [0.1]}), task="binary"
    ),
    lambda: sv.Pool.from_frame(pd.DataFrame({"score": [0.2, 0.7, 0.9], "label": list("abc")}), label="label"),
    lambda: scored(pred=["€ 1,214.65", "€ 90.00"]),
    lambda: scored(score=[0.2, 0.7], pred=[1, None]),
]
CONFIDENT: dict[str, object] = {"score": np.linspace(0.5, 1, 30)}
REPORTED: tuple[dict[str, object], ...] = (
    CONFIDENT,
    CONFIDENT | {"pred": [0, 1] * 15},
    {"churn_score": [0.9, 0.6, 0.1], "churn_prediction": [1, 0, 0]},
)
GUESSED = (
    {"score_a": [0.9, 0.8], "score_b": [0.9, 0.1]},
    {"pred": ["news", "art|design", "sport"]},
    {"pred": ["news", "art|design", "art"]},
    {"old_score": [0.9, 0.8], "new_score": [0.9, 0.1]},
    {"old_pred": [0, 1], "new_pred": [1, 1]},
    {"label_pred": [0, 1]},
)


def not_used(answer: str) -> str:
    """Why an answer in a sheet is not used."""
    study = sv.create_study(scored(score=[0.2, 0.7]), metric="f1", budget=2)
    sheet = sheets.from_file(offline.write(study, 1)).assign(answer=answer)
    (line,) = offline.read(study, sheet.to_csv(index=False).encode()).rejected
    return line.reason


def test_what_pages_put_in_other_words_is_what_the_library_says() -> None:
    """If a message changes, its replacement no longer fits, and people would read `transform="percent"`."""
    messages = [not_used("perhaps")]
    for refused in REFUSED:
        with pytest.raises(InputError) as caught:
            refused()
        messages.append(str(caught.value))
    messages += [guess_columns(pd.DataFrame(columns)).explanation for columns in GUESSED]
    messages += [line for columns in REPORTED for line in scored(**columns).report]
    for told in words.SPOKEN:
        assert any(told in message for message in messages), told
    retellings = [retold(message, words.SPOKEN) for message in messages]
    assert not any(
        code in said for said in retellings for code in ("transform=", "task=", "={", "pred=", "with pred")
    )
    assert not any(words.report([message]).count("task=") for message in messages)
    assert set(re.findall("choose “(.+?)”", " ".join(retellings))) <= set(mapping.KINDS.values())


def test_what_the_console_puts_in_other_words_is_what_the_library_says() -> None:
    """What a message is made of stands in the source; `fail` puts the argument's name before its rule."""
    sources = [path for path in (ROOT / "sampleval").rglob("*.py") if path.parent.name not in {"cli", "ui"}]
    trees = [ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for path in sources]
    said = {str(node.value) for tree in trees for node in tree if isinstance(node, ast.Constant)}
    for told in cli.SPOKEN:
        rule = re.sub("^`(transform|target)` ", "", told)
        assert any(rule in text for text in said), told


def test_a_question_of_the_library_is_asked_without_its_way_in_python() -> None:
    names = pd.DataFrame({"score": [0.1, 0.9], "label": ["ham", "spam"]})

    def asked(frame: pd.DataFrame) -> str:
        guess = guess_columns(frame)
        return mapping.question(guess, guess)

    assert asked(names) == "`label` holds 'ham' and 'spam': which class is positive? Choose it here"
    guess = guess_columns(names)  # a column of another name is taken for the label by hand
    odd = replace(guess, question=guess.question.replace("`label`", "`label?`").replace("'ham'", "'h? m'"))
    told = "`label?` holds 'h? m' and 'spam': which class is positive? Choose it here"
    assert mapping.question(odd, odd) == told
    assert "choose it here" in asked(pd.DataFrame({"text": ["a", "b"]}))
    shares = pd.DataFrame({"p0": [0.2, 0.7], "p1": [0.8, 0.3], "label": ["a", "b"]})
    assert asked(shares).startswith(
        "`p0`, `p1` sum to 1 in each row: if they are the scores of the classes, rename"
    )
    assert asked(pd.DataFrame({"pred": [[], []]})) == "which classes are there? Choose them here"
    lists = pd.DataFrame({"probs": [[0.2, 0.8]] * 2, "label": ["ham", "spam"]})
    assert asked(lists).endswith("names 'ham', 'spam': give each class a column")
    twice = asked(pd.DataFrame({"pred": ["Cat", "cat", "dog"]}))  # only the file can tell
    assert twice == "are 'Cat' and 'cat' one class? Spell it in one way"
    assert not asked(names[["score"]])
    undone = mapping.question(Columns("binary"), guess_columns(names[["score"]]))
    assert undone == "no column is taken for the model's score or prediction: choose it here"


@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel", "regression"])
def test_a_combination_that_a_preset_has_for_such_labels_bears_its_name(kind: Kind) -> None:
    for name, preset in PRESETS.items():
        if preset.suits(kind):
            assert name in combine.known_as(preset.method_for(kind), kind)


def test_a_name_stands_as_it_was_typed() -> None:
    assert words.plain("R&amp;D") == r"R\&amp;D"


@pytest.mark.parametrize("name", [":material/home:", "is :streamlit: it"])
def test_no_name_becomes_a_picture(name: str) -> None:
    """Streamlit looks for these in the text that Markdown has left, in which an escaped colon is a colon."""
    read = words.plain(name).replace("\\", "")
    assert re.search(r":(material/\w+|streamlit):", read) is None
    assert read.replace("\N{WORD JOINER}", "") == name


@pytest.mark.parametrize("name", ["see http://a.org", "HTTPS://a.org", "www.a.org", "me@a.org"])
def test_no_name_becomes_a_link(name: str) -> None:
    """As with pictures: the frontend looks for addresses in what Markdown has left."""
    read = words.plain(name).replace("\\", "")
    assert re.search(r"https?://|www\.|@\w", read, re.IGNORECASE) is None
    assert read.replace("\N{WORD JOINER}", "") == name


@pytest.mark.parametrize("end", ["\n\n", "\r\r", "\r\n\r\n"])
def test_no_name_ends_the_code_in_which_it_stands(end: str) -> None:
    """Beyond the end of a paragraph, a backquote of a class name is no code: a picture there was fetched from its server."""
    name = f"a`{end}![](http://a.org/b.png){end}`"
    assert "\n" not in words.report([f"one of 3 classes ({name}, b, c)"])
    assert not set("\r\n") & set(words.coded(f"`{name}` is a column"))
    assert not set("\r\n") & set(words.plain(name))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel", "regression"])
def test_reasons_against_a_combination_have_titles_for_every_key(preset: str, kind: Kind) -> None:
    method = PRESETS[preset].method_for(kind)
    for axis in AXES:
        for reason in filter(None, reasons(method, axis, kind).values()):
            said = combine.in_titles(reason, "binary")
            assert not set("'`") & set(said), said
            assert not re.search(r"\b(binary|multiclass|multilabel|regression) labels", said), said


def test_what_is_said_of_a_metric_of_two_classes_is_so() -> None:
    """F0.5, F1 and F2 bore the same words; “the share of true positives that are predicted positive” is always 1."""
    about = {name: metric.about for name, metric in METRICS.items()}
    assert about["f1"].endswith("their harmonic mean.")
    assert about["f0.5"].endswith("in which precision counts more.")
    assert about["f2"].endswith("in which recall counts more.")
    assert not [said for said in about.values() if re.search("true (positives|negatives)", said)]
