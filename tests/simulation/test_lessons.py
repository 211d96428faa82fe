"""What the lessons tell their readers is true."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sampleval.plots import lessons as pictures
from sampleval.simulation import lessons
from sampleval.ui.lessons import LESSONS
from tests.colours import contrast


def test_the_toy_pool_holds_the_share_of_positives_it_is_asked_for() -> None:
    for prevalence in (0.005, 0.1, 0.5):
        made = lessons.toy(prevalence=prevalence)
        assert abs(made.truth.sum() - prevalence * made.pool.size) <= 1
        assert made.rate.mean() == pytest.approx(prevalence)


def test_a_uniform_sample_finds_no_positive_as_often_as_the_formula_says() -> None:
    made = lessons.toy(prevalence=0.01)
    samples = lessons.rare(made, labels=459, repeats=2000)
    none = samples.groupby("design")["positives"].agg(lambda found: (found == 0).mean())
    exact = stats.hypergeom(made.pool.size, int(made.truth.sum()), 459).pmf(0)
    assert abs(none["uniform"] - exact) < 5 * np.sqrt(exact / 2000) + 1e-3
    assert exact < 0.99**459
    assert none["poisson"] == 0
    spread = samples.groupby("design")["value"].std()
    assert spread["poisson"] < spread["uniform"]


def test_samples_of_the_whole_pool_hold_every_positive_and_give_its_f1() -> None:
    made = lessons.toy(prevalence=0.5)
    samples = lessons.rare(made, labels=made.pool.size, repeats=20)
    assert (samples["positives"] == made.truth.sum()).all()
    assert samples["value"].to_numpy() == pytest.approx(samples["truth"].to_numpy())


def test_the_picture_of_rare_classes_counts_the_samples_that_say_nothing() -> None:
    """Their bars are missing: of 400 samples with 50 labels, the uniform ones that are drawn are 300."""
    samples = lessons.rare(lessons.toy(prevalence=0.02), labels=50)
    silent = int(samples.loc[samples["design"] == "uniform", "value"].isna().sum())
    assert silent > 50
    uniform, bernoulli = pictures.rare(samples).data
    assert uniform.name == f"Uniform sampling ({silent} say nothing)"
    assert len(uniform.x) == 400 - silent
    assert (bernoulli.name, len(bernoulli.x)) == ("Bernoulli sampling", 400)


def test_weights_are_one_over_the_relative_chance_and_the_error_is_least_near_one() -> None:
    made = lessons.toy(prevalence=0.05)
    items = lessons.drawn(made, tilt=1, draws=100)
    assert np.allclose(items["weight"] * items["relative"], 1)
    assert items["times"].sum() == 100
    error = lessons.spread(made, tilts=(0, 1, 3), draws=100).set_index("tilt")["rmse"]
    assert error[1] < error[0]
    assert error[1] < error[3]
    assert lessons.drawn(made, tilt=0, draws=50)["weight"].to_numpy() == pytest.approx(1)


def test_a_lean_of_three_overestimates_recall_in_as_many_samples_as_the_lesson_says() -> None:
    """A missed positive counts hundreds of times as much as one found, but with 100 draws most samples have hardly any."""
    made = lessons.toy(prevalence=0.05)
    recall = []
    for seed in range(200):
        items = lessons.drawn(made, tilt=3, draws=100, seed=seed)
        counts = (items["weight"] * items["times"]).groupby(items["outcome"]).sum()
        recall.append(counts["found"] / (counts["found"] + counts.get("missed", 0.0)))
    truth = (made.truth * made.decided).sum() / made.truth.sum()
    assert (np.array(recall) > truth).mean() == pytest.approx(0.8, abs=0.06)
    assert 0.02 < (np.array(recall) < truth / 2).mean() < 0.2
    outcomes = {draws: lessons.drawn(made, tilt=3, draws=draws)["outcome"] for draws in (100, 500)}
    assert "missed" not in set(outcomes[100])
    assert "missed" in set(outcomes[500])
    assert "four samples in five" in LESSONS["weights"].answer


def test_the_first_item_is_certain_from_the_onset_on() -> None:
    made = lessons.toy(size=60, prevalence=0.2)
    onset = lessons.onset(made)
    for budget, some in ((np.floor(onset), False), (np.ceil(onset), True)):
        items = lessons.filled(made, budget=budget)
        assert (items["inclusion"] >= 1).any() == some
        assert items["inclusion"].sum() == pytest.approx(budget)
        assert items["importance"].sum() >= budget - 1e-9
    assert (lessons.filled(made, budget=60)["inclusion"] == 1).all()


def test_labels_bring_every_belief_nearer_to_the_truth() -> None:
    made = lessons.toy(prevalence=0.3, slope=2.5)

    def off(labels: int, kind: str) -> float:
        groups = [lessons.believed(made, labels=labels, kind=kind, seed=seed) for seed in range(4)]
        return float(np.mean([(g["believed"] - g["true"]).abs().mean() for g in groups]))

    for kind in lessons.BELIEFS:
        assert off(300, kind) < 0.63 * off(0, kind)
    assert off(300, "scores") == off(0, "scores")


def test_beliefs_beat_the_best_shrinkage_after_as_many_labels_as_the_lesson_says() -> None:
    """With the page's own seed, at the numbers of labels that it offers."""
    made = lessons.toy(prevalence=0.3, slope=2.5)

    def off(kind: str, labels: int, shrinkage: float = 0.9) -> float:
        groups = lessons.believed(made, labels=labels, kind=kind, shrinkage=shrinkage)
        return float((groups["believed"] - groups["true"]).abs().mean())

    trusts = np.arange(21) / 20
    best = min(trusts, key=lambda trust: off("scores", 0, trust))
    least = off("scores", 0, best)
    assert best == pytest.approx(0.7)
    assert off("recalibrated", 100) < least < off("recalibrated", 30)
    assert off("tree", 300) < 0.9 * least
    assert off("tree", 100) == pytest.approx(least, rel=0.02)
    assert off("strata", 300) < 0.9 * least < least < off("strata", 100)


def test_beliefs_need_as_many_labels_on_average_as_the_lesson_says() -> None:
    """The sample shown is lucky for the tree: with 10 labels it is as near as it is on average with 125."""
    made = lessons.toy(prevalence=0.3, slope=2.5)

    def off(kind: str, labels: int, seeds: range = range(24)) -> float:
        groups = [lessons.believed(made, labels=labels, kind=kind, seed=seed) for seed in seeds]
        return float(np.mean([(g["believed"] - g["true"]).abs().mean() for g in groups]))

    shown = lessons.believed(made, labels=0, kind="scores", shrinkage=0.7)
    least = float((shown["believed"] - shown["true"]).abs().mean())
    assert off("tree", 10, range(1)) == pytest.approx(least, rel=0.02)
    assert off("tree", 10) > 1.3 * least
    assert off("tree", 100) > least > off("tree", 150)
    assert off("strata", 150) > least > off("strata", 200)
    assert "on average it takes about 125, and the strata about 165" in LESSONS["belief"].answer


def test_how_far_a_belief_is_off_comes_with_how_far_the_samples_can_tell() -> None:
    made = lessons.toy(prevalence=0.3, slope=2.5)
    off = [
        float((g["believed"] - g["true"]).abs().mean())
        for g in (lessons.believed(made, labels=30, kind="strata", seed=seed) for seed in range(10))
    ]
    [told] = lessons.missed(made, labels=30, kind="strata", samples=10).to_dict("records")
    low, high = stats.t.interval(0.95, 9, np.mean(off), stats.sem(off))
    assert (told["mean"] - told["half"], told["mean"] + told["half"]) == pytest.approx((low, high))
    assert (told["shown"], told["least"], told["most"]) == pytest.approx((off[0], min(off), max(off)))
    [same] = lessons.missed(made, labels=0, kind="strata", samples=3).to_dict("records")
    assert same["half"] == pytest.approx(0, abs=1e-12)


def test_errors_and_misses_of_the_lessons_have_bands_that_hold_those_of_many_more_samples() -> None:
    """The curves had none, in the picture and in its figures."""
    made, told = lessons.toy(prevalence=0.05), {"truth": 0.9, "labels": 200, "level": 0.9, "family": "beta"}
    few, many = (lessons.spread(made, tilts=(0, 1, 2), draws=100, repeats=n, seed=n) for n in (200, 4000))
    assert few["rmse"].between(few["rmse_low"], few["rmse_high"]).all()
    assert many["rmse"].between(0.9 * few["rmse_low"], 1.1 * few["rmse_high"]).all()
    assert (few["rmse_high"] - few["rmse_low"] > many["rmse_high"] - many["rmse_low"]).all()
    looks, more = (lessons.watched(**told, repeats=n, seed=n) for n in (300, 6000))  # type: ignore[arg-type]
    for name in ("now", "ever", "anytime"):
        assert looks[name].between(looks[f"{name}_low"], looks[f"{name}_high"]).all()
        assert more[name].between(looks[f"{name}_low"], looks[f"{name}_high"]).mean() > 0.7
    assert [trace.fill for trace in pictures.tilts(few, tilt=1).data].count("tonexty") == 1
    assert [trace.fill for trace in pictures.peeking(looks).data].count("tonexty") == 3
    studies = lessons.replicates(truth=0.9, labels=50, level=0.9, family="beta")
    hits = stats.binomtest(int(studies["hit"].sum()), 100).proportion_ci(0.95)
    assert lessons.coverage(studies) == pytest.approx((hits.low, hits.high))


def test_the_plug_in_interval_covers_as_often_as_enumeration_says() -> None:
    """Truth .98 and 50 labels: an all-right sample (36 % of them) has width 0 and misses."""
    found = lessons.replicates(truth=0.98, labels=50, level=0.9, family="plug-in", repeats=4000)
    k = np.arange(51)
    share = k / 50
    half = stats.norm.isf(0.05) * np.sqrt(share * (1 - share) / 49)
    exact = stats.binom(50, 0.98).pmf(k)[np.abs(share - 0.98) <= half].sum()
    assert found["hit"].mean() == pytest.approx(exact, abs=0.03)
    assert exact < 0.7
    honest = lessons.replicates(truth=0.98, labels=50, level=0.9, family="korn-graubard", repeats=4000)
    assert honest["hit"].mean() > 0.9


def test_peeking_misleads_several_times_as_often_as_one_look() -> None:
    looks = lessons.watched(truth=0.9, labels=300, level=0.95, family="beta")
    assert (looks["ever"].diff().dropna() >= 0).all()
    assert looks["now"].mean() == pytest.approx(0.05, abs=0.02)
    assert looks["ever"].iloc[-1] > 0.2


@pytest.mark.parametrize("family", ["plug-in", "beta", "korn-graubard"])
def test_a_look_at_so_many_labels_misses_as_often_as_that_many_studies_of_them(family: str) -> None:
    """Both pictures of the lesson are about one kind of interval, so they agree where they meet."""
    told = {"truth": 0.98, "level": 0.9, "family": family}
    looks = lessons.watched(**told, labels=50, repeats=4000)  # type: ignore[arg-type]
    studies = lessons.replicates(**told, labels=50, repeats=4000)  # type: ignore[arg-type]
    assert looks["now"].iloc[-1] == pytest.approx(1 - studies["hit"].mean(), abs=0.04)


def test_an_interval_for_any_look_keeps_its_promise_while_peeking() -> None:
    looks = lessons.watched(truth=0.9, labels=300, level=0.9, family="korn-graubard", every=1, repeats=2000)
    assert 0 < looks["anytime"].iloc[-1] <= 0.1
    assert looks["ever"].iloc[-1] > 0.3


def test_betting_against_the_true_share_is_fair_and_against_another_pays() -> None:
    right = np.arange(21)
    chance = stats.binom(20, 0.7).pmf(right)
    assert chance @ lessons.wealth(right, np.array(20), 0.7) == pytest.approx(1, abs=1e-12)
    assert chance @ lessons.wealth(right, np.array(20), 0.5) > 2


@pytest.mark.parametrize("page", [(255, 255, 255), (20, 25, 31)], ids=["light", "dark"])
def test_the_labels_behind_a_belief_are_seen_on_light_and_on_dark_pages(page: tuple[int, int, int]) -> None:
    """On the dark page the dots were twice as bright as the ground at most, of which marks need three times."""
    groups = lessons.believed(lessons.toy(prevalence=0.3), labels=100, kind="strata")
    (dots,) = (trace for trace in pictures.belief(groups).data if trace.mode == "markers")
    edge = [int(dots.marker.line.color[at : at + 2], 16) for at in (1, 3, 5)]
    assert (dots.marker.opacity, dots.marker.line.width) == (1, 1.5)
    assert contrast(edge, page) >= 3
