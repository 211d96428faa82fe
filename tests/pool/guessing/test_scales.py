"""Scores that are no probabilities: margins, percentages, and what leaves the range by rounding."""

# ruff: noqa: PD011 - Labels.values is ours, not pandas'

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sampleval._checks import InputError
from sampleval.pool import Kind, Labels, Pool, Task, guess_columns
from sampleval.pool.columns import Told
from sampleval.pool.guessing.scales import plausible_transforms
from sampleval.pool.guessing.two_classes import positive_name
from sampleval.pool.tables.reading import read_frame
from tests.tables import items, written


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ({"score": [0.0, 1.0]}, ()),
        ({"score": [0.5, 99.0]}, ("percent", "sigmoid")),
        ({"score": [-0.5, 99.0]}, ("sigmoid",)),
        ({"score": [0.5, 101.0]}, ("sigmoid",)),
        ({"score": [0.5, 1.2]}, ("sigmoid",)),
        ({"score": [0.5, 1.0001]}, ()),
        ({"score": [-0.0001, 0.5]}, ()),
        ({"score": ["5%", "150%"]}, ()),
        ({"score": [0.5, None]}, ()),
        ({"score": [50.0, np.inf]}, ()),
        ({"score": [-np.inf, np.inf]}, ()),
        ({"score": ["high", "low"]}, ()),
        ({"p_a": [30.0, 80.0], "p_b": [70.0, 20.0]}, ("percent", "softmax")),
        ({"pred": ["a", "b"]}, ()),
    ],
)
def test_what_scores_may_be_that_leave_the_unit_interval(
    scores: dict[str, list[Any]], found: tuple[str, ...]
) -> None:
    frame = pd.DataFrame(scores)
    assert plausible_transforms(frame, guess_columns(frame)) == found


def test_a_sigmoid_maps_margins_to_scores() -> None:
    margin = np.array([-1000.0, -1.0, 0.0, 1.0, 30.0, 1000.0])
    pool = Pool.from_frame(items(margin=margin), score="margin", transform="sigmoid")
    with np.errstate(over="ignore"):
        assert pool.score.tolist() == pytest.approx((1 / (1 + np.exp(-margin))).tolist())
    assert pool.pred.tolist() == [0, 0, 1, 1, 1, 1]


def test_a_softmax_maps_margins_to_scores_of_classes() -> None:
    frame = pd.DataFrame({"score_a": [0.0, 900.0], "score_b": [0.0, 0.0]})
    pool = Pool.from_frame(frame, task="multiclass", transform="softmax")
    assert pool.score.tolist() == [[0.5, 0.5], [1.0, 0.0]]


@pytest.mark.parametrize(
    ("told", "advice"),
    [
        ({}, r'margins \(transform="sigmoid"; if each item has one class, task="multiclass", transform="softmax"\)'),
        ({"task": "multilabel"}, r'transform="sigmoid"; if each item has one class, task="multiclass"'),
        ({"task": "multiclass"}, r'margins \(transform="softmax"\)'),
        ({"transform": "softmax"}, r'must be .sigmoid. in a multilabel task.*if each item has one class, name task="multiclass"'),
        ({"score": "score_a"}, r'margins \(transform="sigmoid"\)$'),
        ({"score": "score_a", "transform": "softmax"}, r"must be 'sigmoid' in a binary task"),
    ],
)  # fmt: skip
def test_margins_of_several_classes_are_advised_as_such(told: dict[str, Any], advice: str) -> None:
    """The advice to use a sigmoid had turned classes into labels that do not exclude each other."""
    frame = pd.DataFrame(
        {"score_a": [-1.0, 2.5, 0.1], "score_b": [0.5, -2.0, 0.3], "score_c": [1.5, 0.0, -4.0]}
    )
    with pytest.raises(InputError, match=advice):
        Pool.from_frame(frame, **told)


def test_margins_may_be_the_least_number_there_is() -> None:
    """It stands for a class that is excluded, and was refused as predicted numbers are, whose errors are squared."""
    least = np.finfo(float).min
    several = pd.DataFrame({"p_a": [least, 2.0], "p_b": [1.0, least], "p_c": [1.0, 2.0]})
    pool = Pool.from_frame(several, task="multiclass", transform="softmax")
    assert pool.score.tolist() == [[0, 0.5, 0.5], [0.5, 0, 0.5]]
    two = Pool.from_frame(pd.DataFrame({"score": [least, 0.0]}), score="score", transform="sigmoid")
    assert two.score.tolist() == [0, 0.5]


@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel"])
def test_percentages_are_probabilities_times_100(kind: Kind) -> None:
    percent = pd.DataFrame({"score_a": [0.0, 30.0, 100.0], "score_b": [100.0, 70.0, 0.0]})
    if kind == "binary":
        percent = percent[["score_a"]]
    pool = Pool.from_frame(percent, task=kind, transform="percent")
    assert np.array_equal(pool.score, Pool.from_frame(percent / 100, task=kind).score)
    assert any("percentages divided by 100" in line for line in pool.report)
    with pytest.raises(InputError, match=r"must lie in \[0, 100\]; got 200"):
        Pool.from_frame(2 * percent, task=kind, transform="percent")


@pytest.mark.parametrize(("cells", "mark"), [(["34.9%", "100 %", ""], ","), (["34,9%", "100 %", ""], ";")])
@pytest.mark.parametrize("transform", [None, "percent"])
def test_cells_that_say_percent_are_read_so(
    cells: list[str], mark: str, transform: Any, tmp_path: Path
) -> None:
    rows = [mark.join(row) for row in zip(["id", "a", "b", "c"], ["prob_spam", *cells], strict=True)]
    path = written(tmp_path, "\n".join(rows[:3]))
    pool = Pool.read(path, transform=transform)
    assert pool.score.tolist() == pytest.approx([0.349, 1.0], abs=1e-15)
    assert "`prob_spam` was text and was read as percentages, divided by 100." in pool.report
    assert not any("percentages divided by 100, from" in line for line in pool.report)
    path = written(tmp_path, "\n".join(rows))
    with pytest.raises(InputError, match="`prob_spam` must not be missing"):
        Pool.read(path, transform=transform)


def test_some_cells_in_percent_are_no_column_of_percentages(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must be a number; got '20%' in line 2"):
        Pool.read(written(tmp_path, "id,score\na,20%\nb,20\n"))


@pytest.mark.parametrize("cell", ["0.9", "0.9%"])
@pytest.mark.parametrize("name", ["score (%)", "score_pct", "percent_score", "Probability in Percent"])
def test_a_name_that_says_percent_is_told_of_beside_shares(name: str, cell: str, tmp_path: Path) -> None:
    """Shares of frauds may all be below 1%, so that their numbers do not tell."""
    pool = Pool.read(written(tmp_path, f"id,{name}\na,{cell}\n"))
    said = f"`{name}` says percent and was read as shares of 1: divide percentages by 100 beforehand."
    assert (said in pool.report) == (cell == "0.9")


def test_percentages_of_one_system_do_not_excuse_probabilities_of_another() -> None:
    frame = pd.DataFrame({"score_a": [20.0, 80.0], "score_b": [0.2, 0.8], "score_c": ["20%", "80%"]})
    with pytest.raises(InputError, match="all scores of `score_b` lie"):
        Pool.from_frame(
            frame,
            system={"a": {"score": "score_a"}, "b": {"score": "score_b"}},
            task="binary",
            transform="percent",
        )
    pool = Pool.from_frame(
        frame,
        system={"a": {"score": "score_a"}, "c": {"score": "score_c"}},
        task="binary",
        transform="percent",
    )
    assert [own.score.tolist() for own in pool.systems] == [[0.2, 0.8]] * 2


@pytest.mark.parametrize(("pred", "label"), [("50", "55%"), ("50%", "55")])
def test_percentages_are_not_compared_with_other_numbers(pred: str, label: str, tmp_path: Path) -> None:
    """Labels such as 0.55 had been compared with predictions such as 50."""
    frame = read_frame(written(tmp_path, f"id,pred,label\na,{pred},{label}\nb,{pred},\n"), Told())
    with pytest.raises(InputError, match=r"says percent and `(pred|label)` does not"):
        Labels.from_frame(frame, Pool.from_frame(frame))
    frame = read_frame(written(tmp_path, "id,pred,label\na,50%,55%\nb,30%,\n"), Told())
    assert Labels.from_frame(frame, Pool.from_frame(frame)).values.tolist()[0] == 0.55
    frame["label"] = None
    assert not Labels.from_frame(frame, Pool.from_frame(frame)).known.any()


def test_confidence_in_a_decision_becomes_the_positive_classs_probability() -> None:
    frame = pd.DataFrame({"pred": ["no", "yes", "no"], "score": [0.9, 0.8, 0.6], "text": ["a"] * 3})
    pool = Pool.from_frame(frame, transform="confidence")
    assert pool.score.tolist() == pytest.approx([0.1, 0.8, 0.4])
    assert pool.pred.tolist() == [0, 1, 0]
    with pytest.raises(InputError, match="decisions between two classes"):
        Pool.from_frame(frame[["score"]], transform="confidence")


@pytest.mark.parametrize("transform", ["softmax", "sigmoid", "percent"])
def test_a_transform_without_scores_is_refused(transform: Any) -> None:
    margins = {"logit_a": [2.0, 0.0, 0.0], "logit_b": [0.0, 2.0, 0.0], "logit_c": [0.0, 0.0, 2.0]}
    frame = pd.DataFrame({"pred": ["a", "b", "c"], **margins})
    with pytest.raises(InputError, match=r"needs scores, and no column was taken for them.*score=…"):
        Pool.from_frame(frame, transform=transform)
    named = Pool.from_frame(frame, transform="softmax", score=[*margins])
    assert named.score[0].round(3).tolist() == [0.787, 0.107, 0.107]
    numbers = pd.DataFrame({"prediction": [1.5, 2.5, 4.0]})
    with pytest.raises(InputError, match="needs scores"):
        Pool.from_frame(numbers, transform=transform)


@pytest.mark.parametrize(
    ("score", "transform", "remedy"),
    [
        ([0.2, 1.0001], None, r"got 1.0001 at row 1.*; it is off by little, .*: clip the column to \[0, 1\]$"),
        ([-0.0005, 1.0], None, r"got -0.0005 at row 0.*; it is off by little"),
        ([0.2, 100.01], "percent", r"got 100.01 at row 1.*clip the column to \[0, 100\]$"),
        ([0.2, 1.2], None, r"got 1.2 at row 1 \(id '1'\); map a probability column"),
        ([0.2, 60.0], None, 'for percentages pass transform="percent"'),
        (["5%", "150%"], None, r"must lie in \[0, 100\] percent; got '150%' at row 1.*its cells say .*drop the row$"),
        (["5%", "150%"], "percent", r"must lie in \[0, 100\] percent; got '150%' at row 1"),
        ([0.2, 0.9], "percent", "`transform` cannot be 'percent' where all scores of `score` lie in .*got 0.9; leave"),
    ],
)  # fmt: skip
def test_the_remedy_fits_how_far_scores_leave_their_range(
    score: list[Any], transform: Any, remedy: str
) -> None:
    with pytest.raises(InputError, match=remedy):
        Pool.from_frame(pd.DataFrame({"score": score}), transform=transform)


@pytest.mark.parametrize("kind", ["binary", "multiclass", "multilabel", "listed"])
@pytest.mark.parametrize("whole", [1.0, 100.0])
def test_rounding_beyond_0_and_1_in_single_precision_is_clipped_and_reported(kind: Any, whole: float) -> None:
    """A softmax's 1.0000001 had been refused, with the advice to divide by 100."""
    sure = np.float32(1.0000001), np.float32(-1e-7)
    frame = pd.DataFrame({"score_a": [sure[0], 0.5, sure[1]], "score_b": [sure[1], 0.5, sure[0]]}) * whole
    if kind == "binary":
        frame = frame[["score_a"]]
    if kind == "listed":
        frame = pd.DataFrame({"score": frame.to_numpy().tolist()})
    task: Any = Task("multilabel", ("a", "b")) if kind == "listed" else kind
    pool = Pool.from_frame(frame, task=task, transform="percent" if whole > 1 else None)
    first = pool.score if kind == "binary" else pool.score[:, 0]
    assert first.tolist() == [1.0, 0.5, 0.0]
    assert (pool.score.min(), pool.score.max()) == (0.0, 1.0)
    said = any(
        f"`score_a` leaves [0, {whole:g}] by rounding and was clipped." in line for line in pool.report
    )
    assert said == (kind != "listed")
    assert not any("clipped" in line for line in Pool.from_frame(items()).report)


def test_every_score_of_a_list_is_looked_at() -> None:
    frame = pd.DataFrame({"score": [[0.5, 0.2], [0.5, 7.0]]})
    task = Task("multilabel", ("a", "b"))
    with pytest.raises(InputError, match=r"must lie in \[0, 1\]; got 7.0 at row 1"):
        Pool.from_frame(frame, task=task)
    assert Pool.from_frame(frame, task=task, transform="sigmoid").score[1, 1] == pytest.approx(
        0.999, abs=1e-3
    )


def test_a_list_of_scores_that_holds_a_word_is_refused_by_its_own_row() -> None:
    frame = pd.DataFrame(
        {"id": ["a", "b", "c"], "score": [[0.2, 0.3, 0.5], [0.2, "x", 0.5], [0.2, 0.3, 0.5]]}
    )
    with pytest.raises(InputError, match=r"lists of numbers; got \[0.2, 'x', 0.5\] at row 1 \(id 'b'\)"):
        Pool.from_frame(frame, score="score", task="multiclass", classes=["u", "v", "w"])


def test_a_list_of_scores_is_not_said_to_be_text(tmp_path: Path) -> None:
    path = written(
        tmp_path, '{"id": 1, "score": [0.5, 0.5]}\n{"id": 2, "score": [0.1, 0.9]}\n', "items.jsonl"
    )
    assert not any("was text" in line for line in Pool.read(path).report)


def test_a_list_of_scores_where_one_is_needed_is_not_to_be_dropped() -> None:
    frame = pd.DataFrame({"probability": [[0.5, 0.5], [0.1, 0.9]]})
    for cells in (frame, frame.map(np.array)):
        with pytest.raises(InputError, match="several classes, give each a column of its own"):
            Pool.from_frame(cells, task="binary")


@pytest.mark.parametrize("name", ["score_pct", "prob_percent", "confidence_percentage", "score in percent"])
def test_percent_at_the_end_of_a_name_is_a_unit_and_no_class(name: str) -> None:
    """Annotators were asked whether an item is "pct" or "not pct"."""
    pool = Pool.from_frame(pd.DataFrame({"id": ["a", "b"], name: [20, 90]}), transform="percent")
    assert (pool.columns.systems[0].score, positive_name(pool.columns)) == ((name,), "")
    wide = pd.DataFrame({"score_10_percent": [0.2, 0.9], "score_20_percent": [0.8, 0.1]})
    assert Pool.from_frame(wide).task.classes == ("10_percent", "20_percent")
    assert not any("says percent" in line for line in Pool.from_frame(wide).report)
