"""What the report says: how columns were understood, what scores claim, and what may be a mistake."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval.pool import Pool, Task
from tests.tables import items


def test_a_table_of_two_classes_is_understood_and_reported() -> None:
    pool = Pool.from_frame(items().assign(empty=None))
    assert pool.task == Task("binary", ("0", "1"))
    assert pool.ids.tolist() == ["a0", "a1", "a2", "a3", "a4", "a5"]
    assert pool.score.tolist() == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert pool.pred.tolist() == [0, 0, 0, 1, 1, 1]
    assert list(pool.fields.columns) == ["text"]
    words = " ".join(pool.report)
    for part in (
        "6 items",
        "`score`",
        "1 at exactly 0, 1 at exactly 1",
        "score ≥ 0.5",
        "3 of 6 items (50%) predicted positive",
        "`text`",
        "`label`",
        "Left out (empty, row numbers, or may give away the answer or what the model says): `empty`.",
    ):
        assert part in words


def test_the_report_tells_each_of_two_classes_once() -> None:
    """Long names filled three lines: the positive one was told again."""
    frame = pd.DataFrame({"score": [0.2, 0.8], "label": ["all is well", "asks for a refund"]})
    pool = Pool.from_frame(frame, classes=["all is well", "asks for a refund"])
    told = "two classes, 'all is well' (negative) and 'asks for a refund' (positive)"
    assert pool.report[0] == f"2 items. Task: {told}."


def test_the_report_notes_that_one_class_alone_is_labelled_or_predicted() -> None:
    pool = Pool.from_frame(items(label=0, score=0.1))
    words = " ".join(pool.report)
    assert "holds only '0'" in words
    assert "No item is predicted positive" in words
    assert re.search(r"; 0 of \d+ items \(0%\) predicted positive", words)
    single = Pool.from_frame(items(1))
    assert single.report[0].startswith("1 item.")
    assert (single.size, single.pred.tolist()) == (1, [0])


def test_the_report_says_that_nothing_is_shown_and_that_percentages_read_as_such_need_no_remark() -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "score_pct": [0.4, 0.8]})
    said = " ".join(Pool.from_frame(frame).report)
    assert "Nothing but the id is shown to annotators" in said
    assert "`score_pct` says percent and was read as shares of 1" in said
    percent = Pool.from_frame(frame.assign(score_pct=[40.0, 80.0]), transform="percent")
    assert "read as shares" not in " ".join(percent.report)


def test_the_report_counts_decisions_other_than_the_scores_suggest() -> None:
    rows = [[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.4, 0.4, 0.2], [0.0, 0.1, 0.9]]
    frame = pd.DataFrame({"pred": ["a", "b", "b", "c"], "proba": rows})
    said = " ".join(Pool.from_frame(frame, classes=["a", "b", "c"]).report)
    assert "3 of 3 classes are predicted." in said  # ties go to either class
    wrong = " ".join(Pool.from_frame(frame, classes=["c", "a", "b"]).report)  # the lists are in another order
    assert "3 of 3 classes are predicted; 4 differ from the class with the largest score." in wrong
    sets = pd.DataFrame({"pred_a": [1, 0], "pred_b": [1, 0], "score_a": [0.9, 0.1], "score_b": [0.2, 0.6]})
    assert "1 labels per item on average; 2 differ from score ≥ 0.5." in " ".join(
        Pool.from_frame(sets).report
    )


def test_the_report_says_that_scores_may_be_ranked_rather_than_of_classes() -> None:
    shares = np.random.default_rng(0).dirichlet(np.ones(3), 30)
    names, said = ["prob_1", "prob_2", "prob_3"], "in every row they fall from the first to the last"
    ranked = pd.DataFrame(-np.sort(-shares, axis=1), columns=names)
    assert said in " ".join(Pool.from_frame(ranked).report)
    assert said not in " ".join(Pool.from_frame(ranked.head(10)).report)
    assert said not in " ".join(Pool.from_frame(pd.DataFrame(shares, columns=names)).report)


def test_the_report_asks_about_scores_that_may_be_those_of_the_decisions() -> None:
    """The output of a pipeline gives the probability of what was decided, also where that is negative."""
    sure = np.linspace(0.5, 0.99, 40)
    decided = np.where(np.arange(40) % 2, "yes", "no")
    said = "is nowhere below 0.5: if it is the probability of what the model decided"
    for frame in (
        pd.DataFrame({"label": decided, "score": sure}),
        pd.DataFrame({"pred": decided, "confidence": sure}),
    ):
        [line] = [line for line in Pool.from_frame(frame).report if said in line]
        assert ("name the decisions" in line) == ("pred" not in frame)  # they need not be named again
        assert not any(said in line for line in Pool.from_frame(frame.head(10)).report)
    assert not any(said in line for line in Pool.from_frame(frame, transform="confidence").report)


@pytest.mark.parametrize("name", ["churn_prediction", "Reviewer decision", "Churn Flag", "isFlagged"])
def test_the_report_asks_about_columns_that_sound_like_decisions(name: str) -> None:
    """They are left out, so that the threshold decides instead. Without an underscore, nothing was said of them."""
    frame = pd.DataFrame({"churn_score": [0.9, 0.6, 0.1], name: [1, 0, 0]})
    said = f"`{name}` sounds like the decisions: if it holds them, name it with pred"
    assert any(said in line for line in Pool.from_frame(frame).report)
    assert not any(said in line for line in Pool.from_frame(frame, pred=name).report)


def test_the_report_asks_once_about_flags() -> None:
    """Where exceptions were made of some mails, nothing told that the threshold decides and not what was flagged."""
    scores = np.linspace(0.01, 0.99, 40)
    frame = pd.DataFrame({"p_spam": scores, "flagged": np.where(scores > 0.3, "yes", "no")})
    [cut] = [line for line in Pool.from_frame(frame).report if "name it with pred" in line]
    assert cut.startswith("`flagged` says yes where `p_spam` is 0.3")
    frame.loc[39, "flagged"] = "no"
    said = "`flagged` sounds like the decisions: if it holds them, name it with pred."
    assert said in Pool.from_frame(frame).report


@pytest.mark.parametrize(
    ("score", "positives", "claim", "threshold"),
    [
        (0.45, 3, "45 positives, 15 times as many as predicted", "high"),
        (0.02, 60, "2 positives, 30 times fewer than predicted", "low"),
        (0.55, 97, "45 negatives, 15 times as many as predicted", "low"),
        (0.98, 40, "2 negatives, 30 times fewer than predicted", "high"),
    ],
)
def test_scores_that_claim_far_more_or_fewer_of_a_class_than_are_predicted_are_told(
    score: float, positives: int, claim: str, threshold: str
) -> None:
    frame = items(100, score=score).assign(pred=(np.arange(100) < positives).astype(int))
    said = f"The scores add up to {claim}: either they are not probabilities or the threshold is {threshold}"
    assert said in " ".join(Pool.from_frame(frame).report)
    assert "add up to" not in " ".join(
        Pool.from_frame(frame.assign(score=0.45, pred=np.arange(100) % 2)).report
    )


def test_decisions_with_the_classes_the_wrong_way_round_are_told() -> None:
    """They were said to be a low threshold, or the scores no probabilities."""
    scores = np.linspace(0.0, 1.0, 200) ** 3

    def decided(positive: Any, **said: Any) -> str:
        frame = pd.DataFrame({"p_spam": scores, "flagged": np.where(positive, "yes", "no")})
        pool = Pool.from_frame(frame, score="p_spam", pred="flagged", **said)
        return next(line for line in pool.report if line.startswith("Decisions"))

    turned = "Perhaps the classes are the wrong way round: if `p_spam` is the score of 'yes', take 1 − `p_spam` beforehand"
    exceptions = np.arange(200) % 20 == 0
    for threshold in (0.1, 0.5, 0.8):
        for positive in (scores >= threshold, (scores >= threshold) ^ exceptions):
            assert turned in decided(positive, classes=("yes", "no"))
            assert "wrong way round" not in decided(positive)
    assert "add up to" not in decided(scores >= 0.9, classes=("yes", "no"))  # no threshold would explain it
    assert "wrong way round" not in decided(np.arange(200) % 2 == 0)
    sure = pd.DataFrame({"pred": scores >= 0.5, "score": np.maximum(scores, 1 - scores)})
    assert "wrong way round" not in " ".join(Pool.from_frame(sure).report)


def test_scores_without_any_item_of_a_class_raise_no_such_doubt() -> None:
    for score, pred in ((0.0, 1), (0.3, 0), (1.0, 0), (0.3, 1)):
        pool = Pool.from_frame(items(100, score=score).assign(pred=pred), label=None, classes=("no", "yes"))
        assert "add up to" not in " ".join(pool.report)


def test_a_field_that_gives_the_label_away_is_named() -> None:
    frame = items(200, digit=np.arange(200) % 10, half=np.arange(200) % 5)
    words = " ".join(Pool.from_frame(frame).report)
    assert "`digit` has one label for each of its values" in words
    assert "`half` has one label" not in words
    assert "`text` goes" not in words
