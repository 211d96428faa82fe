"""Findings in sentences: exact words for every kind of metric, and limits that never claim too much."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sampleval as sv
from sampleval import report
from sampleval.designs import Profile, Uniform
from sampleval.intervals import Interval
from sampleval.metrics import METRICS, difference, of_system, resolve, within
from sampleval.numerals import outwards, rounded
from sampleval.planning import BudgetRange, forecast, narrowed, rarer_outcomes
from sampleval.pool import Task
from sampleval.study import Estimate, bought, caveats, finding, likely_more, prospect, towards_goal
from sampleval.study.prospects import Prospect, narrowing
from sampleval.study.words.findings import in_sentences, more_labels
from tests.pools import binary
from tests.studies import answered, begun

TWO = Task("binary", ("ham", "spam"))


def at(name: str, low: float, high: float, *, value: float | None = None, method: str = "normal") -> Estimate:
    middle = (low + high) / 2 if value is None else value
    return Estimate(name, middle, 0.01, Interval(low, high, 0.9, method), 100, "some")


SENTENCES = [
    ("recall", 0.4, 0.85, "At least 40% and at most 85% of the items that are “spam” are found (90% sure)."),
    ("recall", 0.4, 1.0, "At least 40% of the items that are “spam” are found (90% sure)."),
    ("precision", 0.0, 0.301, "At most 31% of the items predicted “spam” are right (90% sure)."),
    ("specificity", 0.5, 0.9, "At least 50% and at most 90% of the items that are “ham” are recognised (90% sure)."),
    ("accuracy", 0.912, 0.968, "At least 91.2% and at most 96.8% of the items are judged right (90% sure)."),
    ("f1", 0.41, 0.62, "The F1 score lies between 0.41 and 0.62 (90% sure)."),
    ("f1", 0.41, 1.0, "The F1 score is at least 0.41 (90% sure)."),
    ("mcc", -1.0, 0.2, "The Matthews correlation is at most 0.20 (90% sure)."),
    ("mcc", -0.21, 0.2, "The Matthews correlation lies between −0.21 and 0.20 (90% sure)."),
    ("positives", 12.4, 340.2, "At least 12 and at most 341 items are “spam” (90% sure)."),
    ("missed_positives", 0.0, 1234.5, "At most 1,235 items that are “spam” are missed (90% sure)."),
    ("mae", 0.5, 3.01, "The mean absolute error lies between 0.5 and 3.1 in the label's own unit (90% sure)."),
    ("r2", 0.3, 1.0, "The R² (variance explained) is at least 0.30 (90% sure)."),
    ("recall", 0.732, 0.732, "Exactly 73.2% of the items that are “spam” are found: no label left could change that."),
    ("f1", 0.5, 0.5, "The F1 score is exactly 0.500: no label left could change that."),
    ("recall", 0.9998, 0.9998, "Exactly 99.980% of the items that are “spam” are found: no label left could change that."),
    ("recall", 1.0, 1.0, "Exactly 100.0% of the items that are “spam” are found: no label left could change that."),
    ("brier", 5.7e-8, 5.7e-8, "The Brier score is exactly 0.000000057: no label left could change that."),
    ("r2", -6.3e-5, -6.3e-5, "The R² (variance explained) is exactly −0.000063: no label left could change that."),
    ("positives", 1.0, 1.0, "Exactly 1 item is “spam”: no label left could change that."),
    ("missed_positives", 0.0, 1.0, "At most 1 item that is “spam” is missed (90% sure)."),
    ("f1", 0.0, 1.0, "Nothing can be said yet about the F1 score: it may have any value (90% sure)."),
    ("accuracy", 6e-5, 1.0, "Nothing can be said yet about the accuracy: it may have nearly any value (90% sure)."),
    ("mcc", -0.999, 0.998, "Nothing can be said yet about the Matthews correlation: it may have nearly any value (90% sure)."),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "reason"), [("recall", "no positive was found"), ("precision", "no labelled item is predicted")]
)
def test_each_share_of_positives_is_undefined_for_its_own_reason(name: str, reason: str) -> None:
    assert resolve(name).reason(np.zeros(2), TWO).startswith(reason)


@pytest.mark.parametrize(("name", "low", "high", "expected"), SENTENCES)
def test_an_interval_in_words(name: str, low: float, high: float, expected: str) -> None:
    assert in_sentences(resolve(name), at(name, low, high), TWO, 5000) == expected


def test_a_title_inside_a_sentence_is_written_small() -> None:
    """It was "For future items like these: F1 score lies"."""
    later = replace(at("f1", 0.41, 0.62), about="future")
    assert (
        in_sentences(resolve("f1"), later, TWO, 5000)
        == "For future items like these: the F1 score lies between 0.41 and 0.62 (90% sure)."
    )


def test_what_a_sample_leaves_undefined_is_said_of_its_items_alone() -> None:
    """The pool has predictions of class b and positive ones, but none of the items asked has one."""
    several = sv.Pool.from_frame(pd.DataFrame({"pred": ["a"] * 50 + ["b"] * 50}), task="multiclass")
    two = sv.Pool.from_frame(pd.DataFrame({"pred": [0] * 50 + [1] * 50}))
    reasons = {
        ("macro_precision", several, "a"): "no labelled item is predicted to be 'b'",
        ("precision", two, 0): "no labelled item is predicted positive",
    }
    for (name, pool, answer), reason in reasons.items():
        study = sv.create_study(pool, metric="accuracy", budget=100, preset="uniform")
        study.tell_all((item, answer) for item in study.ask(100) if int(item.id) < 50)
        assert study.estimate(name).undefined == reason


def test_what_is_not_known_is_said_with_its_reason() -> None:
    unknown = replace(
        at("precision", 0.0, 1.0, value=math.nan, method="none"), undefined="nothing is flagged"
    )
    assert (
        in_sentences(resolve("precision"), unknown, TWO, 10)
        == "The precision is undefined: nothing is flagged."
    )
    none = Estimate("f1", 0.3, 0.0, Interval(0, 1, 0.9, "none", "no positive"), 9, "x", "other")
    assert (
        in_sentences(resolve("f1"), none, TWO, 10)
        == "Nothing can be said yet about the F1 score (no positive)."
    )


def test_why_there_is_no_value_is_said_alone_whatever_else_is_noted() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"score": np.linspace(0, 0.4, 60)}), score="score")
    study = sv.create_study(pool, metric="accuracy", budget=40, preset="uniform")
    study.tell_all((item, sv.SKIP if k % 5 == 0 else k % 2) for k, item in enumerate(study.ask(40)))
    found = study.estimate("precision")
    assert found.note.startswith(
        "undefined: no labelled item is predicted positive; items without an answer: 8"
    )
    assert finding(study, found) == "The precision is undefined: no labelled item is predicted positive."
    assert study.estimate("accuracy").undefined == ""


def test_classes_without_a_name_of_their_own_are_positive_and_negative() -> None:
    for classes in (("0", "1"), ("False", "True"), ("no", "yes"), ("n", "y"), ("neg", "pos"), ("-1", "1")):
        words = in_sentences(resolve("recall"), at("recall", 0.4, 0.85), Task("binary", classes), 10)
        assert "of the items that are positive are found" in words


def test_systems_and_parts_are_named() -> None:
    recall = resolve("recall")
    assert "are found (new) (90% sure)" in in_sentences(of_system(recall, "new"), at("r", 0.4, 0.8), TWO, 10)
    part = within(recall, np.ones(3, bool), "channel = {positive}")
    assert "are found, where channel = “spam”" in in_sentences(part, at("r", 0.4, 0.8), TWO, 10)
    words = in_sentences(difference(recall, "new", "old"), at("r", -0.03, 0.05), TWO, 10)
    assert words == "The recall (sensitivity), new − old, lies between −0.030 and 0.050 (90% sure)."


@pytest.mark.parametrize(("low", "high"), [(0.03, 0.05), (-0.05, -0.03)])
def test_of_two_systems_that_differ_the_better_one_is_named(low: float, high: float) -> None:
    """A reader had to infer it from a minus sign."""
    words = in_sentences(difference(resolve("f1"), "new", "old"), at("r", low, high), TWO, 10)
    more, less = ("new", "old") if low > 0 else ("old", "new")
    assert words == f"The F1 score of {more} is higher than that of {less}, by 0.030 to 0.050 (90% sure)."
    near = in_sentences(difference(resolve("f1"), "new", "old"), at("r", 0.00001, 0.05), TWO, 10)
    assert near == "The F1 score of new is higher than that of old, by up to 0.050 (90% sure)."


@pytest.mark.parametrize(
    ("name", "low", "high", "by"),
    [
        ("f1", -0.3, -0.0004, "old is higher than that of new, by up to 0.30"),
        ("mae", 1234.0, 5678.0, "new is higher than that of old, by 1,234 to 5,678 in the label's own unit"),
        ("mae", -5678.0, -1234.0, "old is higher than that of new, by 1,234 to 5,678"),
    ],
)
def test_a_difference_is_told_however_its_limits_are_written(
    name: str, low: float, high: float, by: str
) -> None:
    """Limits with a minus sign or a separator had been parsed as numbers again, which broke the page."""
    assert by in in_sentences(difference(resolve(name), "new", "old"), at("r", low, high), TWO, 10)


def test_systems_whose_names_are_read_from_the_right_stay_on_their_side_of_a_difference() -> None:
    """The minus between them was read from the right too, so that the first system stood behind it."""
    new, old = "חדש", "ישן"
    metric, kept = difference(resolve("f1"), new, old), [f"\u2068{name}\u2069" for name in (new, old)]
    assert metric.title == f"F1 score, {kept[0]} − {kept[1]}"
    assert of_system(resolve("f1"), new).title == f"F1 score of {kept[0]}"
    said = in_sentences(metric, at("f1", 0.03, 0.05), TWO, 10)
    assert (
        said == f"The F1 score of {kept[0]} is higher than that of {kept[1]}, by 0.030 to 0.050 (90% sure)."
    )


def test_few_positives_are_counted_only_where_they_matter() -> None:
    for name, positives, expected in (("recall", 1, "Only 1 positive item was seen: too few to say more."),
                                      ("f1", 9, "Only 9 positive items were seen: too few to say more."),
                                      ("f1", 10, ""), ("accuracy", 3, "")):  # fmt: skip
        words = in_sentences(resolve(name), at(name, 0.2, 0.9), TWO, 500, seen=positives)
        assert words.partition("sure).")[2].strip() == expected


@pytest.mark.parametrize(
    ("more", "left", "expected"),
    [
        ((182.0, 249.0, 401.0), 5000, "About 250 more labels (180 to 400) would halve the interval."),
        ((180.0, 250.0, 600.0), 600, "About 250 more labels (180 to all 600 left) would halve the interval."),
        ((180.0, 250.0, 251.0), 5000, "About 250 more labels (perhaps only 180) would halve the interval."),
        (
            (250.0, 250.0, 600.0),
            600,
            "About 250 more labels (perhaps all 600 left) would halve the interval.",
        ),
        ((250.0, 250.0, 251.0), 5000, "About 250 more labels would halve the interval."),
        ((1797.0, 1797.0, 1797.0), 1797, "Labels for all 1,797 items left would settle it."),
        # The low end of the range had been left out.
        (
            (300.0, 1797.0, 1797.0),
            1797,
            "Labels for all 1,797 items left would settle it; perhaps only 300 would halve the interval.",
        ),
        ((math.nan,) * 3, 600, ""),
    ],
)
def test_what_would_halve_the_interval(more: tuple[float, float, float], left: int, expected: str) -> None:
    halved = Prospect(0.2, 0.1, BudgetRange(*more), left)
    words = in_sentences(resolve("f1"), at("f1", 0.3, 0.7), TWO, 5000, halved=halved)
    assert words.partition("sure).")[2].strip() == expected


@given(
    st.floats(0, 1), st.floats(1e-6, 1), st.booleans()
)  # fmt: skip
def test_limits_are_rounded_outwards_and_not_far(low: float, width: float, percent: bool) -> None:
    high = low + width
    below, above, decimals = outwards(low, high, percent=percent, whole=False)
    assert below <= low + 1e-9
    assert above >= high - 1e-9
    assert above - below <= width * 1.21 + 1e-9
    assert decimals >= 0


@given(st.floats(0.5, 1e6))
def test_a_rounded_number_of_labels_is_near(labels: float) -> None:
    assert abs(rounded(labels) - labels) <= max(0.5, 0.05 * labels)


def test_every_scalar_metric_has_words() -> None:
    for name, metric in METRICS.items():
        if metric.vector:
            continue
        low, high = (min(max(end, -2.0), 2.0) for end in metric.range)
        scale = metric.scale(1000)
        middle = at(name, (low + (high - low) * 0.3) * scale, (low + (high - low) * 0.6) * scale)
        words = in_sentences(
            metric, middle, TWO if "binary" in metric.kinds else Task("multiclass", ("a", "b")), 1000
        )
        assert re.fullmatch(r"[A-Z].* \(90% sure\)\.", words), words
        assert "{" not in words


def test_uniform_labels_halve_as_the_textbook_says() -> None:
    """V ∝ 1/M − 1/N: half the width at 1/(¼(1/k − 1/N) + 1/N)."""
    rng = np.random.default_rng(1)
    profile = Profile.of(rng.random(3000), rng.random(3000))
    found = forecast(Uniform(), profile, 100, 0.5, outcomes=1e9)
    expected = 1 / ((1 / 100 - 1 / 3000) / 4 + 1 / 3000)
    assert found.likely == math.ceil(expected)
    few = forecast(Uniform(), profile, 100, 0.5, outcomes=4)
    assert few.low < found.low <= found.likely == few.likely <= found.high < few.high
    assert forecast(Uniform(), profile, 100, 0.5, outcomes=0.1) == forecast(
        Uniform(), profile, 100, 0.5, outcomes=1
    )
    assert forecast(Uniform(), profile, 100, 0.99, outcomes=4).low == 101  # one more at least


def test_uniform_labels_narrow_as_the_textbook_says() -> None:
    """Width ∝ √(1/M − 1/N)."""
    rng = np.random.default_rng(1)
    profile = Profile.of(rng.random(3000), rng.random(3000))
    found = narrowed(Uniform(), profile, 100, 300, outcomes=1e9)
    assert found[1] == pytest.approx(math.sqrt((1 / 400 - 1 / 3000) / (1 / 100 - 1 / 3000)))
    few = narrowed(Uniform(), profile, 100, 300, outcomes=4)
    assert few[0] < found[0] < found[1] == few[1] < found[2] < few[2] <= 1
    assert narrowed(Uniform(), profile, 100, 1, outcomes=4)[2] == 1  # no wider than now
    assert narrowed(Uniform(), profile, 100, 2900, outcomes=4)[1] == 0


def test_outcomes_are_counted_on_the_rarer_side() -> None:
    """A sample of n with 5 % of one outcome rests on about 2 · 0.05 · n of it."""
    n, p, z = 400, 0.05, 1.6448536
    half = z * math.sqrt(p * (1 - p) / n)
    for value in (p, 1 - p):
        seen = rarer_outcomes(value, 2 * half, 0.9, (0, 1), n)
        assert seen == pytest.approx(2 * p * n, rel=1e-6)
        assert rarer_outcomes(2 * value - 1, 4 * half, 0.9, (-1, 1), n) == pytest.approx(seen)
        assert rarer_outcomes(50 * value - 20, 100 * half, 0.9, (-20, 30), n) == pytest.approx(seen)
    assert rarer_outcomes(3.0, 2.0, 0.9, (0, np.inf), 80) == 20
    assert rarer_outcomes(1.0, 0.0, 0.9, (0, 1), 80) == np.inf


@pytest.mark.parametrize("preset", ["recommended", "queue", "yilmaz-bs", "marchant-tree"])
def test_a_study_says_what_it_knows_everywhere_alike(preset: str) -> None:
    pool, labels = binary(400)
    study = sv.create_study(pool, metric="recall", budget=60, preset=preset, seed=1)
    study.answer(labels, 60)
    estimate = study.estimate()
    words = finding(study, estimate)
    assert words.startswith(("At least", "At most"))
    assert "items that are “spam” are found (90% sure)" in words
    assert words in report.html(study).replace("&#x27;", "'")
    halved = prospect(study, estimate, estimate.interval.width / 4)
    assert 0 < halved.more.low <= halved.more.likely <= halved.more.high <= halved.left
    assert halved.left == 400 - estimate.labels
    assert f"{more_labels(halved)} would halve the interval" in words
    assert prospect(study, estimate, 1.0).reached


@pytest.mark.parametrize("preset", ["recommended", "queue", "yilmaz-bs"])
def test_what_labels_buy_is_what_a_goal_takes_read_backwards(preset: str) -> None:
    pool, labels = binary(400)
    study = sv.create_study(pool, metric="recall", budget=60, preset=preset, seed=1)
    study.answer(labels, 60)
    estimate = study.estimate()
    half = 0.4 * estimate.interval.width
    needed = int(prospect(study, estimate, half).more.likely)
    one_fewer, enough = (narrowing(study, estimate, more) for more in (needed - 1, needed))
    assert enough.likely <= half < one_fewer.likely
    assert 0 < enough.low < enough.likely < enough.high <= enough.now == estimate.interval.width / 2


def test_a_belief_that_leaves_no_doubt_foretells_nothing_of_further_labels() -> None:
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": [1, 0, 0, 0] * 50}))
    study = sv.create_study(pool, metric="accuracy", budget=40, design="uniform", shrinkage=1.0, seed=1)
    study.tell_all((item, int(k % 3 == 0)) for k, item in enumerate(study.ask(20)))
    estimate = study.estimate()
    assert not prospect(study, estimate, 0.05).known
    assert np.isnan(narrowing(study, estimate, 10).likely)


def test_what_labels_buy_is_told_in_a_sentence() -> None:
    pool, labels = binary(400)
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="uniform", seed=1)
    study.answer(labels, 9)
    assert (
        bought(study, study.estimate(), 50)
        == "It is not known yet how much narrower 50 more labels would make the interval."
    )
    study.answer(labels, 51)
    estimate = study.estimate()
    for more, said in (
        (100, "100 more labels likely ± 0.041 (0.03 to 0.066)"),
        (1, "1 more label likely ± 0.079 (0.065 to 0.08)"),
        (340, "340 more labels, for all items left, it would be known exactly"),
    ):
        assert bought(study, estimate, more) == f"± 0.08 now; with {said}."


def test_only_labels_for_all_items_left_are_said_to_be_these() -> None:
    """Precision is known once all that is predicted positive has its label, with most items left."""
    rng = np.random.default_rng(1)
    score = rng.random(200)
    pool = sv.Pool.from_frame(pd.DataFrame({"score": score}))
    study = sv.create_study(pool, metric="precision", budget=200)
    study.tell_all([(item, int(rng.random() < score[int(item.id)])) for item in study.ask(10)])
    told = {more: bought(study, study.estimate(), more).partition("with ")[2] for more in (100, 190)}
    assert re.fullmatch(
        r"100 more labels it would likely be known exactly \(perhaps ± 0\.0\d+\)\.", told[100]
    )
    assert told[190] == "190 more labels, for all items left, it would be known exactly."


def test_items_that_were_skipped_stay_unknown_whatever_else_is_labelled() -> None:
    pool, labels = binary(100)
    study = sv.create_study(pool, metric="accuracy", budget=60, preset="uniform", seed=1)
    for item in study.ask(60):
        known = labels.of(np.array([pool.position(item.id)]))[0]
        study.tell(item, sv.SKIP if item.place % 3 == 0 else int(known))
    assert "exactly" not in bought(study, study.estimate(), 40)
    assert "for all items left" in bought(study, study.estimate(), 60)


def test_beta_intervals_warn_where_they_are_known_to_fail() -> None:
    """Few positives, a metric that needs them, and the paper's interval: all three."""
    pool, labels = binary(400)
    study = sv.create_study(pool, metric="f1", budget=60, preset="yilmaz-bs", seed=1)
    study.answer(labels, 60)
    warned = "too narrow with few positives"
    few = next(k for k in range(60) if labels_among(study, k) == 5)
    many = next(k for k in range(60) if labels_among(study, k) == 12)
    assert f"{warned}, here 5" in study.estimate(labels=few).note
    assert f"{warned}, here 5" in study.estimate(labels=few).interval.note
    assert warned not in study.estimate(labels=many).note
    assert warned not in study.estimate("accuracy", labels=few).note
    assert warned not in study.estimate(labels=few, interval="korn-graubard").note
    assert study.estimate(labels=few).interval.method == "beta"


def labels_among(study: sv.Study, k: int) -> int:
    run = study.run(k)
    return 0 if run is None else int(run.labels[run.responded].sum())


def test_no_label_is_foreseen_where_none_is_left() -> None:
    pool, labels = binary(30)
    study = sv.create_study(pool, metric="accuracy", budget=30, preset="queue")
    study.answer(labels, 30)
    assert finding(study, study.estimate()).startswith("Exactly ")


def test_no_label_is_foreseen_where_the_same_item_may_be_asked_again() -> None:
    pool, labels = binary(60)
    for oracle in ("stochastic", "deterministic"):
        study = sv.create_study(
            pool, metric="accuracy", budget=40, preset="marchant-is", oracle=oracle, seed=1
        )
        study.answer(labels, 20)
        assert ("would halve" in finding(study, study.estimate())) == (oracle == "deterministic")


@pytest.mark.parametrize("preset", ["queue", "uniform", "marchant-is"])
def test_a_goal_is_not_foreseen_where_another_answer_may_differ(preset: str) -> None:
    """Of 120 items, the 60 left were to make ± 0.14 ± 0.03, or known exactly: with an answer for each it was ± 0.15."""
    pool, labels = binary(60)
    for told in (5, 40):
        options = {"metric": "f1", "budget": 60, "preset": preset, "goal": 0.01, "seed": 1}
        study = sv.create_study(pool, oracle="stochastic", **options)  # type: ignore[arg-type]
        study.answer(labels, told)
        main = study.estimate()
        assert towards_goal(study, main, 0.01) == "It is not known yet how many more labels ± 0.01 takes."
        assert "how many more labels ± 0.01 takes" in report.html(study)
        assert not prospect(study, main, 0.01).known
        for more in (10, 60):
            assert bought(study, main, more).startswith("It is not known yet how much narrower")
        assert towards_goal(study, main, 1.0).startswith("Goal reached: ")


def test_labels_are_not_foreseen_to_narrow_what_classes_without_labels_leave_open() -> None:
    """“About 40 more labels would halve the interval” stood where nothing narrows it but labels of classes not met yet."""
    names = [f"c{k:02}" for k in range(20)]
    pool = sv.Pool.from_frame(pd.DataFrame({"pred": names * 10}), classes=names, task="multiclass")
    study = sv.create_study(pool, metric="macro_recall", budget=60, preset="uniform", seed=1)
    study.tell_all((item, names[int(item.id) % 20]) for item in study.ask(12))
    main = study.estimate()
    assert finding(study, main).endswith("so nobody knows how many more would halve the interval.")
    assert towards_goal(study, main, 0.05).startswith("It is not known yet")
    assert bought(study, main, 20).startswith("It is not known yet")
    assert "would halve" in finding(study, study.estimate("accuracy"))
    study.tell_all((item, names[int(item.id) % 20]) for item in study.ask(48))
    assert not prospect(study, study.estimate(), study.estimate().interval.width / 4).unmet


def test_a_report_tells_labels_given_from_labels_known_beforehand() -> None:
    pool, labels = binary(100)
    known = labels.by_id(pool)
    held = {id_: known[id_] for id_ in list(known)[:40]}
    study = sv.create_study(pool, metric="accuracy", budget=20, held=held, seed=1)
    study.answer(labels, 20)
    assert "from 20 answers and 40 labels known beforehand in a pool of 100 items" in report.html(study)
    one = sv.create_study(pool, metric="accuracy", budget=20, held=dict(list(held.items())[:1]), seed=1)
    said = report.html(one)
    assert "and 1 label known beforehand" in said
    assert "Taken as certain: 1 label known beforehand" in said
    without = sv.create_study(pool, metric="accuracy", budget=20, seed=1)
    without.answer(labels, 12)
    assert "from 12 answers in a pool of 100 items" in report.html(without)


def test_a_report_counts_skips_as_the_answers_they_are() -> None:
    study = sv.create_study(binary(100)[0], metric="accuracy", budget=20, seed=1, preset="queue")
    study.tell_all([(item, item.place % 2 or sv.SKIP) for item in study.ask(20)])
    assert ", from 20 answers in a pool" in report.html(study)


def test_skips_are_told_alike_in_the_caveats_and_beside_each_number() -> None:
    """For numbers the limits allow for quantiles, while the caveat had said any label."""
    numbers = sv.Pool.from_frame(pd.DataFrame({"pred": np.linspace(1, 9, 60)}), task="regression")
    for pool, metric, widened in (
        (numbers, "mae", "99.5% quantiles"),
        (binary(60)[0], "accuracy", "any label"),
    ):
        study = sv.create_study(pool, metric=metric, budget=20, preset="queue", seed=1)
        study.tell_all([(item, sv.SKIP if item.place == 3 else 1) for item in study.ask(20)])
        estimates = study.estimates()
        [told] = [line for line in caveats(study, estimates) if line.startswith("Skipped")]
        assert widened in told
        assert all(widened in e.note for e in estimates)


def test_positives_known_beforehand_are_positives() -> None:
    """Three held positives that the classifier rejects are known, so that counts and caveats must include them."""
    pool = sv.Pool.from_frame(pd.DataFrame({"id": range(60), "score": np.linspace(0.02, 0.98, 60)}))
    study = sv.create_study(
        pool, metric="f1", budget=30, preset="yilmaz-bs", seed=1, held=dict.fromkeys("012", 1)
    )
    study.tell_all([(item, 0) for item in study.ask(30)])
    said = "\n".join(caveats(study, study.estimates()))
    assert "none is positive" not in said
    assert "Only 3 positives among the labelled items: recall and F scores rest on so few." in said
    assert "Only 3 positive items were seen" in finding(study, study.estimate("recall"))


def test_a_class_named_zero_that_is_the_positive_one_keeps_its_name() -> None:
    words = in_sentences(resolve("recall"), at("recall", 0.4, 0.85), Task("binary", ("1", "0")), 10)
    assert "of the items that are “0” are found" in words


@pytest.mark.parametrize(
    ("half", "goal", "told"),
    [
        (0.0523, 0.03, "± 0.052 now; "),
        (0.0304, 0.03, "± 0.0304 now; "),
        (0.02951, 0.0296, "Goal reached: ± 0.0295 now, ± 0.0296 wanted."),
        (0.0525, 0.0525, "Goal reached: ± 0.052 now, ± 0.0525 wanted."),
    ],
)
def test_a_goal_reads_as_reached_where_it_is(half: float, goal: float, told: str) -> None:
    """It was "± 0.03 now; about 5 more labels to ± 0.03"."""
    study = answered(begun(), 12)
    estimate = replace(study.estimate(), interval=Interval(0.5, 0.5 + 2 * half, 0.9, "normal"))
    assert towards_goal(study, estimate, goal + 1e-15).startswith(told)


def test_no_more_labels_are_named_than_there_are_items_without_one() -> None:
    """Of 1,252 items left, "about 1,300 more labels" were to halve the interval."""
    words = more_labels(Prospect(0.1, 0.05, BudgetRange(1160.0, 1170.0, 1251.0), 1252))
    assert words == "About 1,200 more labels (perhaps 1,252)"
    near = Prospect(0.1, 0.05, BudgetRange(900.0, 1251.0, 1252.0), 1252)
    assert likely_more(near) == 1252


def test_what_would_settle_a_value_includes_the_items_skipped() -> None:
    """A label for the one item never asked was to settle what 12 skipped items leave open."""
    pool, labels = binary(40)
    study = sv.create_study(pool, metric="accuracy", budget=39, preset="queue", seed=1)
    by_id = labels.by_id(pool)
    study.tell_all((item, sv.SKIP if item.place % 3 == 0 else by_id[item.id]) for item in study.ask(39))
    said = finding(study, study.estimate())
    assert said.endswith("Labels for all 14 items left would settle it.")


def test_a_goal_that_likely_takes_all_items_may_take_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The low end of the range had been left out."""
    far = Prospect(0.1, 0.05, BudgetRange(60.0, 140.0, 140.0), 140)
    monkeypatch.setattr("sampleval.study.words.findings.prospect", lambda *_: far)
    study = sv.create_study(binary(200)[0], metric="f1", budget=20)
    said = towards_goal(study, study.estimate(), 0.05)
    assert said == "± 0.1 now; labels for all 140 items left to know it exactly; perhaps only 60 to ± 0.05."
