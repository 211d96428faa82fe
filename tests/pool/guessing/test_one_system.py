"""Which columns a model wrote: its scores, its confidence and its decisions."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Labels, Pool, Task, guess_columns
from sampleval.pool.columns import Told
from sampleval.pool.guessing.two_classes import positive_name
from sampleval.pool.tables.reading import read_frame
from tests.tables import items


@pytest.mark.parametrize(
    "name", ["score", "Score", "p", "prob", "Probability", "p_toxic", "SCORE_SPAM", "y_prob"]
)
def test_usual_score_names_are_found(name: str) -> None:
    pool = Pool.from_frame(items().rename(columns={"score": name}))
    assert pool.columns.systems[0].score == (name,)


@pytest.mark.parametrize(
    "name", ["Pred Prob (%)", "Prediction probability", "Score (%)", "prob_spam [percent]"]
)
def test_a_score_is_known_whatever_its_unit(name: str) -> None:
    frame = pd.DataFrame({name: [74.4, 0.2, 17.8], "spam?": ["yes", None, "no"]})
    columns = guess_columns(frame)
    assert (columns.kind, columns.systems[0].score, columns.hidden) == ("binary", (name,), ("spam?",))
    assert Pool.from_frame(frame, transform="percent").score == pytest.approx([0.744, 0.002, 0.178])


@pytest.mark.parametrize(
    "name",
    [
        "P(Mideast)",
        "P(Mideast) v2.3",
        "Pr(Mideast | text)",
        "prob [Mideast]",
        "p(y=Mideast)",
        "P(Mideast) (%)",
    ],
)
def test_a_probability_written_as_in_a_textbook_is_a_score(name: str) -> None:
    frame = pd.DataFrame({"text": [*"tuvwxy"], name: items()["score"], "Model decision": ["no", "yes"] * 3})
    guess = guess_columns(frame)
    assert [(own.score, own.pred) for own in guess.systems] == [((name,), ("Model decision",))]
    assert (guess.fields, positive_name(guess)) == (("text",), "Mideast")


def test_a_similarity_is_the_score_of_pairs_unless_there_is_another() -> None:
    pairs = items().rename(columns={"score": "similarity"})
    pool = Pool.from_frame(pairs)
    assert pool.score.tolist() == pairs["similarity"].tolist()
    assert "similarity" not in pool.fields
    scored = Pool.from_frame(pairs.assign(score=0.5))
    assert set(scored.score) == {0.5}
    assert "similarity" not in scored.fields


@pytest.mark.parametrize(("negative", "positive"), [("no", "yes"), ("False", "True"), ("0", "1")])
@pytest.mark.parametrize("known", [True, False])
def test_two_columns_named_no_and_yes_are_scores_of_the_two_classes(
    negative: str, positive: str, known: bool
) -> None:
    """`no` had been read as an item number and `True` as the truth, and the model's scores had been shown."""
    score = np.linspace(0.01, 0.93, 40)
    frame = pd.DataFrame({"id": range(40), "text": ["a"] * 40, negative: 1 - score, positive: score})
    if known:
        frame["label"] = [negative, positive] * 20
    columns = guess_columns(frame)
    assert (columns.kind, [s.score for s in columns.systems], columns.id) == ("binary", [(positive,)], "id")
    assert (columns.label, columns.fields) == (("label",) if known else (), ("text",))
    assert columns.classes == (negative, positive)


def test_a_class_called_no_stands_beside_others_and_an_id_called_no_stays_one() -> None:
    part = np.linspace(0.01, 0.3, 40)
    frame = pd.DataFrame({"no": part, "maybe": part, "yes": 1 - 2 * part, "label": ["no", "maybe"] * 20})
    assert guess_columns(frame).systems[0].score == ("no", "maybe", "yes")
    frame = pd.DataFrame({"no": range(40), "score": part, "true": np.arange(40) % 2})
    columns = guess_columns(frame)
    assert (columns.id, columns.label, columns.systems[0].score) == ("no", ("true",), ("score",))


def test_of_two_score_columns_the_positive_class_counts() -> None:
    frame = pd.DataFrame({"score_spam": [0.9, 0.2], "score_ham": [0.1, 0.8]})
    pool = Pool.from_frame(frame, task="binary", classes=("ham", "spam"))
    assert pool.score.tolist() == [0.9, 0.2]
    assert pool.columns.hidden == ("score_ham",)
    with pytest.raises(InputError, match="`score` must be one column in a binary task"):
        Pool.from_frame(frame, task="binary")
    with pytest.raises(InputError, match="must be the positive class's probability; got 'score_0'"):
        Pool.from_frame(pd.DataFrame({"score_0": [0.9, 0.2]}))
    with pytest.raises(InputError, match="must be the positive class's probability; got 'score_off'"):
        Pool.from_frame(pd.DataFrame({"score_off": [0.9, 0.2]}))
    assert Pool.from_frame(pd.DataFrame({"score_f": [0.9, 0.2]})).size == 2  # an initial, of whatever
    known = frame.set_axis(["score_1", "score_0"], axis=1)
    assert Pool.from_frame(known).score.tolist() == [0.9, 0.2]


@pytest.mark.parametrize(
    ("names", "classes", "column"),
    [
        (("No", "Yes"), ("yes", "no"), "prob_No"),
        (("no", "yes"), ("No", "Yes"), "prob_yes"),
        (("0", "1"), ("yes", "no"), "prob_0"),
        (("0", "1"), ("ham", "spam"), "prob_1"),
        (("Not Spam", "Spam"), ("spam", "not_spam"), "prob_Not Spam"),
    ],
)
def test_of_two_scores_that_of_the_class_given_as_positive_is_used(
    names: tuple[str, str], classes: tuple[str, str], column: str
) -> None:
    frame = pd.DataFrame({f"prob_{names[0]}": [0.75, 0.25], f"prob_{names[1]}": [0.25, 0.75]})
    pool = Pool.from_frame(frame, classes=classes, task="binary")
    assert pool.columns.systems[0].score == (column,)
    assert pool.task.classes == classes


def test_a_score_named_after_the_negative_class_is_refused_unless_it_is_named() -> None:
    frame = pd.DataFrame({"p_spam": [0.9, 0.2], "label": ["spam", "ham"]})
    assert Pool.from_frame(frame, classes=["ham", "Spam"]).task.classes == ("ham", "Spam")
    with pytest.raises(InputError, match=r"`p_spam` seems to be the score of 'spam'.*turn them round"):
        Pool.from_frame(frame, classes=["spam", "ham"])
    assert Pool.from_frame(frame, classes=["spam", "ham"], score="p_spam").task.classes == ("spam", "ham")
    assert (
        Pool.from_frame(frame.assign(p_ham=[0.1, 0.8]), classes=["spam", "ham"], task="binary").score[1]
        == 0.8
    )


def test_words_beside_a_score_are_no_score() -> None:
    frame = pd.DataFrame(
        {"score_a": [0.1, 0.9], "score_b": [0.4, 0.3], "label_a": [0, 1], "score_why": ["x", "y"]}
    )
    assert guess_columns(frame).classes == ("a", "b")


@pytest.mark.parametrize("form", ["csv", "frame"])
@pytest.mark.parametrize("asks", ["label", "pred"])
@pytest.mark.parametrize(
    ("cell", "said"),
    [(None, "must not be missing"), ("", "must not be missing"), ("high", "must be a number; got 'high'")],
)
def test_a_score_without_numbers_takes_no_class_along(
    cell: Any, said: str, asks: str, form: str, tmp_path: Path
) -> None:
    """A third label had silently been left out."""
    scores = {"score_a": [0.1, 0.9], "score_b": [0.4, 0.3], "score_c": [cell] * 2}
    frame = pd.DataFrame(scores | {f"{asks}_{name}": [0, 1] for name in "abc"})
    frame.to_csv(path := tmp_path / "pool.csv", index=False)
    with pytest.raises(InputError, match=f"`score_c` {said}.* row 0"):
        Pool.from_frame(frame if form == "frame" else read_frame(path, Told()))
    assert Pool.from_frame(frame.drop(columns=["score_c", f"{asks}_c"])).task.classes == ("a", "b")


# ---------------------------------------------------------------- scores of several classes


def test_columns_that_sum_to_1_are_scores_of_the_classes_in_their_names() -> None:
    block = np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]])
    frame = pd.DataFrame(block, columns=["score_cat", "score_dog", "score_cow"]).assign(pred=["cat", "dog"])
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multiclass", ("cat", "dog", "cow"))
    assert pool.pred.tolist() == [0, 1]
    assert Pool.from_frame(frame.drop(columns="pred")).pred.tolist() == [0, 2]
    assert (
        Pool.from_frame(frame, classes=["cow", "cat", "dog"]).score.tolist() == block[:, [2, 0, 1]].tolist()
    )
    assert pool.score.sum(axis=1).tolist() == pytest.approx([1.0, 1.0], abs=1e-15)


def test_scores_of_classes_may_stand_in_one_column_of_lists(tmp_path: Path) -> None:
    frame = pd.DataFrame({"scores": [[0.7, 0.2, 0.1], [0.1, 0.1, 0.8]], "pred": [0, 1]})
    pool = Pool.from_frame(frame)
    assert (pool.task.kind, pool.task.classes, pool.pred.tolist()) == ("multiclass", ("0", "1", "2"), [0, 1])
    frame.to_parquet(tmp_path / "pool.parquet")
    assert Pool.read(tmp_path / "pool.parquet").score.tolist() == pool.score.tolist()


SHARES = {"Rechnung": [0.7, 0.1, 0.2], "Reklamation": [0.2, 0.6, 0.3], "Mahnung": [0.1, 0.3, 0.5]}


@pytest.mark.parametrize("prefix", ["Wahrsch. ", "ki-modell ", "w_"])
@pytest.mark.parametrize("whole", [1, 100])
@pytest.mark.parametrize("fields", [None, ["text"]])
def test_columns_that_begin_alike_and_sum_to_1_are_scores_of_classes(
    prefix: str, whole: int, fields: list[str] | None, tmp_path: Path
) -> None:
    shares = {f"{prefix}{name}": np.multiply(cells, whole) for name, cells in SHARES.items()}
    frame = pd.DataFrame({"text": ["a", "b", "c"], **shares, "Klasse": ["Mahnung", "Mahnung", "Rechnung"]})
    frame.to_csv(path := tmp_path / "items.csv", index=False, sep=";", decimal=",")
    pool = Pool.read(path, fields=fields, transform="percent" if whole == 100 else None)
    assert (pool.task.kind, pool.task.classes) == ("multiclass", (*SHARES,))
    assert pool.score.tolist() == pytest.approx(np.transpose([*SHARES.values()]))


@pytest.mark.parametrize(
    "more",
    [
        {"part a": [0.2, 0.3, 0.4], "part b": [0.8, 0.7, 0.6]},  # which of the two groups?
        {"pred": ["new", "old", "old"]},  # of no class that these name
        {"score": [0.2, 0.3, 0.4]},
        {"Wahrsch. Rest": [0.1, 0.1, 0.1]},
        {"Wahrsch. Rest": [0.5, 0.5, 0.5], "Wahrsch. Abzug": [-0.5, -0.5, -0.5]},
    ],
    ids=["two", "pred", "score", "more", "negative"],
)
def test_shares_that_may_be_no_scores_are_not_taken_for_them(more: dict[str, Any]) -> None:
    frame = pd.DataFrame({f"Wahrsch. {name}": cells for name, cells in SHARES.items()} | more)
    assert not any("Wahrsch" in name for name in guess_columns(frame).model)


@pytest.mark.parametrize("spelt", ["{}", "topic {}"])
def test_columns_that_sum_to_1_are_the_classes_that_labels_name(spelt: str) -> None:
    """Labels spelt as the columns are, and not as what tells them apart, named no class: the columns were no scores."""
    shares = np.random.default_rng(3).dirichlet([1, 1, 1], 40)
    frame = pd.DataFrame(shares, columns=["topic a", "topic b", "topic c"])
    frame["label"] = [spelt.format(name) for name in "abca" * 10]
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multiclass", tuple(map(spelt.format, "abc")))
    assert np.allclose(pool.score, shares)


@pytest.mark.parametrize(
    ("names", "predicted"),
    [(("cat", "dog", "bird"), 3), (("cat", "dog", "bird"), 2), (("0", "1", "2"), 3), (("ham", "spam"), 2)],
)
def test_columns_called_as_the_classes_are_their_scores(names: tuple[str, ...], predicted: int) -> None:
    """As software writes them beside its decisions; a class that is never predicted has a column, too."""
    shares = np.random.default_rng(0).dirichlet(np.ones(len(names)), 60)
    frame = pd.DataFrame(shares, columns=list(names)).assign(
        text="t", prediction=np.array(names)[shares[:, :predicted].argmax(axis=1)]
    )
    pool = Pool.from_frame(frame)
    assert pool.columns.systems[0].score == names
    assert pool.task == Task("multiclass", names)
    others = frame.rename(columns=dict(zip(names, ("width", "height", "depth"), strict=False)))
    assert Pool.from_frame(others).columns.systems[0].score == ()


def numbered_shares(label: list[object]) -> pd.DataFrame:
    """Scores of three classes in columns p0, p1 and p2."""
    scores = np.random.default_rng(4).dirichlet([1, 1, 1], 30)
    labels = np.array(label, object)[scores.argmax(axis=1)]
    return pd.DataFrame(
        {"id": range(30), **dict(zip(["p0", "p1", "p2"], scores.T, strict=True)), "label": labels}
    )


def test_numbered_columns_that_sum_to_one_are_scores_of_numbered_classes() -> None:
    frame = numbered_shares([0, 1, 2])
    pool = Pool.from_frame(frame)
    assert pool.task.classes == ("0", "1", "2")
    assert pool.columns.systems[0].score == ("p0", "p1", "p2")
    assert (Labels.from_frame(frame, pool).values == pool.pred).all()
    beside = frame.assign(forecast=np.linspace(-3, 9, 30))  # of amounts, they may be shares of anything
    assert Pool.from_frame(beside).task.kind == "regression"


def test_scores_of_classes_that_no_name_tells_are_asked_about_and_never_shown() -> None:
    """Beside decisions they were shown to annotators."""
    frame = numbered_shares(["bird", "cat", "dog"])
    with pytest.raises(
        InputError, match=r"`p0`, `p1`, `p2` sum to 1 in each row: .* rename each to prob_NAME"
    ):
        Pool.from_frame(frame)
    beside = Pool.from_frame(frame.assign(prediction=frame["label"], size=0.5))
    assert beside.columns.fields == ("size",)
    assert {"p0", "p1", "p2"} <= {*beside.columns.hidden}
    numbered = frame.drop(columns="label").rename(columns={f"p{k}": f"score_b{k}" for k in range(3)})
    assert Pool.from_frame(numbered).task.classes == (
        "b0",
        "b1",
        "b2",
    )  # the names behind a separator are whole
    renamed = frame.rename(columns={"p0": "prob_bird", "p1": "prob_cat", "p2": "prob_dog"})
    assert Pool.from_frame(renamed).task.classes == ("bird", "cat", "dog")


# ---------------------------------------------------------------- confidence and decisions


@pytest.mark.parametrize(
    "name", ["confidence", "Model confidence", "prediction_confidence", "conf", "certainty"]
)
def test_a_confidence_takes_the_place_of_no_score_and_makes_no_classes_of_numbers(name: str) -> None:
    """It was taken for the score of two classes: in place of P(yes), of three classes' scores, of sets and of prices."""
    sure, two = [0.9, 0.7, 0.6] * 4, {"prob_no": [0.9, 0.3, 0.6] * 4, "prob_yes": [0.1, 0.7, 0.4] * 4}
    three = {"prob_a": [0.9, 0.2, 0.1] * 4, "prob_b": [0.1, 0.7, 0.3] * 4, "prob_c": [0.0, 0.1, 0.6] * 4}
    assert Pool.from_frame(pd.DataFrame({name: sure} | two)).columns.systems[0].score == ("prob_yes",)
    assert Pool.from_frame(pd.DataFrame({name: sure} | three)).task.classes == ("a", "b", "c")
    scored = pd.DataFrame({name: sure, "model_score": two["prob_yes"]})
    assert Pool.from_frame(scored).columns.systems[0].score == ("model_score",)
    for decisions, kind in ((["a|b", "b", "a"], "multilabel"), ([10.5, 12.5, 14.25], "regression")):
        frame = pd.DataFrame({"prediction": decisions * 4, name: sure})
        pool = Pool.from_frame(frame)
        assert (pool.task.kind, pool.columns.fields, pool.columns.systems[0].score) == (kind, (), ())
    systems = pd.DataFrame({f"a.{name}": sure, f"b.{name}": sure})
    assert [system.name for system in Pool.from_frame(systems).systems] == ["a", "b"]


@pytest.mark.parametrize("name", ["logit", "Log-odds", "decision_function"])
def test_log_odds_are_the_score_if_there_is_no_other(name: str) -> None:
    """They had to be named. Numbers that are predicted have none, and a margin may be that of the best class or of a price."""
    frame = pd.DataFrame({name: [-2.0, 0.5, 3.0] * 4, "text": ["a"] * 12})
    with pytest.raises(InputError, match="say that these are margins"):
        Pool.from_frame(frame)
    assert Pool.from_frame(frame, transform="sigmoid").score.max() == pytest.approx(1 / (1 + np.exp(-3.0)))
    for better in ("score", "confidence"):
        assert Pool.from_frame(frame.assign(**{better: 0.2})).columns.systems[0].score == (better,)
    assert Pool.from_frame(frame.assign(pred=frame[name] + 100.25)).columns.systems[0].score == ()
    with pytest.raises(InputError, match="no column holds a score"):
        Pool.from_frame(frame.rename(columns={name: "margin"}), transform="sigmoid")


@pytest.mark.parametrize("decisions", [["cat", "dog", "cow"], [3, 7, 8]])
@pytest.mark.parametrize("name", ["pred", "predicted_animal"])
def test_the_confidence_in_one_of_several_classes_is_no_score_of_each(
    decisions: list[Any], name: str
) -> None:
    frame = pd.DataFrame({name: decisions * 4, "confidence": [0.9, 0.5, 0.7] * 4, "text": ["a"] * 12})
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multiclass", tuple(sorted(map(str, decisions))))
    assert pool.columns.fields == ("text",)
    assert "`confidence` is not used" in " ".join(pool.report)
    assert Pool.from_frame(frame[[name, "text"]], task="multiclass").task == pool.task
    with pytest.raises(InputError, match="must hold 3 scores"):
        Pool.from_frame(frame, task="multiclass", score="confidence", pred=name)


@pytest.mark.parametrize("score", ["score", "prob", "confidence"])
@pytest.mark.parametrize("write", ["|".join, ", ".join, list], ids=["bars", "commas", "lists"])
def test_a_single_score_beside_sets_of_labels_is_not_used(score: str, write: Callable[[Any], Any]) -> None:
    decided = [write(names) for names in ("a", "b", "ab", "bc", "c")]
    frame = pd.DataFrame({"predicted": decided, "label": decided, score: [0.9, 0.8, 0.7, 0.6, 0.95]})
    pool = Pool.from_frame(frame)
    assert pool.task == Task("multilabel", ("a", "b", "c"))
    assert f"`{score}` is not used, since it is no score of each label." in " ".join(pool.report)
    assert Pool.from_frame(frame, task="multilabel").task == pool.task


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("[0.7 0.2 0.1]", "'[0.7 0.2 0.1]' is text: give the score of each class a column of its own"),
        ('{"a" 0.7}', """'{"a" 0.7}' is text: give the score of each class a column of its own"""),
        ("0.7", "it is no score of each class"),
    ],
)
def test_the_report_says_why_a_score_is_not_used(cell: str, why: str) -> None:
    frame = pd.DataFrame({"predicted": ["a", "b", "c"], "proba": cell})
    assert f"`proba` is not used, since {why}." in " ".join(Pool.from_frame(frame).report)


def test_decisions_stand_in_for_missing_scores() -> None:
    pool = Pool.from_frame(pd.DataFrame({"id": ["x", "y"], "pred": ["no", "yes"]}))
    assert (pool.task.classes, pool.score.tolist(), pool.pred.tolist()) == (("no", "yes"), [0.0, 1.0], [0, 1])
    assert any("No scores" in line for line in pool.report)


@pytest.mark.parametrize("dtype", [bool, "boolean", "bool[pyarrow]", object, int])
@pytest.mark.parametrize("decided", [(True, False), (False, False)])
def test_truth_values_are_decisions_beside_a_weak_score(dtype: Any, decided: tuple[bool, bool]) -> None:
    """True and False had been taken for predicted numbers, and the scores were left out."""
    frame = pd.DataFrame({"fraud_score": [0.9, 0.2, 0.4], "predicted_fraud": [*decided, False]})
    pool = Pool.from_frame(frame.astype({"predicted_fraud": dtype}))
    assert pool.score.tolist() == [0.9, 0.2, 0.4]
    assert pool.pred.tolist() == [*decided, 0]
