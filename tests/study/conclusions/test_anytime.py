"""Intervals that hold at every look: their wagers are fair by enumeration, and no look misses too often."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from sampleval import SKIP, InputError, Labels, Pool, Study, create_study
from sampleval.designs import Inclusions, Priority, Rounds, Watchable, Wave
from sampleval.designs.base import queued
from sampleval.designs.inclusion import spread_sizes, water_fill
from sampleval.designs.priority import enqueue
from sampleval.designs.rounds import least_threshold
from sampleval.intervals import INTERVALS, Basis, Wager, Wagers
from sampleval.intervals.anytime import prior_posterior
from sampleval.intervals.posterior import posterior, stretch
from sampleval.intervals.wagers import log_wealth, lower_limit, scales
from sampleval.metrics import Metric, ratio, resolve, within
from sampleval.pool import Flags
from sampleval.presets import PRESETS, method_of
from sampleval.report import methods
from sampleval.simulation import simulate
from sampleval.study import true_value
from sampleval.study.conclusions.anytime import bets, expected_deviation, prior_draws, room_of, swings_of
from tests.pools import binary, calibrated, multilabel
from tests.reference import Floats, poisson_samples
from tests.studies import begun

Integers = np.ndarray[tuple[int], np.dtype[np.intp]]
ENDLESS = (np.inf, np.inf)

WATCHABLE = ("uniform", "queue", "yilmaz-bs", "yilmaz-online-bs")
SHARES = ("f1", "precision", "recall", "accuracy", "specificity", "jaccard", "brier", "positives")


def pairs(n: int, rng: np.random.Generator) -> tuple[Floats, Floats, float]:
    """Losses (part, whole) of n items as F1 has them, and G."""
    y, decided = rng.integers(0, 2, n), rng.integers(0, 2, n)
    y[0] = decided[0] = decided[1] = 1
    part, whole = (y * decided).astype(float), (y + decided) / 2
    return part, whole, float(part.sum() / whole.sum())


def bet(
    rows: Integers,
    part: Floats,
    whole: Floats,
    b: Floats,
    *,
    before: tuple[float, float] = (0.0, 0.0),
    room: tuple[float, float] = ENDLESS,
    room_before: tuple[float, float] = ENDLESS,
    stake: float = 1.0,
) -> Wager:
    """One wave of these items."""
    return Wager(
        part[rows],
        whole[rows],
        b[rows],
        np.zeros(len(rows), np.intp),
        np.array([before]),
        np.array([room]),
        np.array([room_before]),
        np.array([stake]),
    )


def joined(first: Wager, second: Wager) -> Wager:
    """Two waves as one wager."""
    values = {
        f.name: np.concatenate([getattr(first, f.name), getattr(second, f.name)]) for f in fields(Wager)
    }
    return Wager(**values | {"wave": np.repeat([0, 1], [len(first.part), len(second.part)])})


def test_a_wager_is_fair_on_a_bernoulli_sample_whatever_the_labels(rng: np.random.Generator) -> None:
    for _ in range(4):
        part, whole, truth = pairs(7, rng)
        b = water_fill(rng.random(7) + 0.1, 4)
        samples = list(poisson_samples(b))
        for turned, value in ((False, truth), (True, 1 - truth)):
            wealth = [
                p * np.exp(log_wealth(w.turned() if turned else w, value, 1e4))
                for rows, p in samples
                for w in [bet(rows, part, whole, b)]
            ]
            assert sum(wealth) == pytest.approx(1, abs=1e-12)


def test_the_enumeration_catches_a_wrong_chance_and_a_wrong_value(rng: np.random.Generator) -> None:
    part, whole, truth = pairs(7, rng)
    b = water_fill(rng.random(7) + 0.1, 4)
    wrong = np.sqrt(b)

    def expected(chances: Floats, value: float) -> float:
        samples = poisson_samples(b)
        return sum(
            p * np.exp(log_wealth(bet(rows, part, whole, chances), value, 2000.0)) for rows, p in samples
        )

    assert expected(b, truth) == pytest.approx(1, abs=1e-12)
    assert abs(expected(wrong, truth) - 1) > 1e-5
    assert expected(b, 0.9 * truth) > 1 + 1e-5  # betting on more than too low a value pays
    assert expected(b, min(1.1 * truth, 1.0)) < 1 - 1e-5


def test_a_second_round_that_learns_from_the_first_keeps_the_wager_fair(rng: np.random.Generator) -> None:
    part, whole, truth = pairs(5, rng)
    first = np.array([0.3, 0.6, 0.5, 0.9, 0.4])
    total = 0.0
    for rows, p in poisson_samples(first):
        left = np.setdiff1d(np.arange(5), rows)
        # The second round's chances and stake depend on what the first one showed.
        second = np.clip(0.2 + 0.2 * part[rows].sum() + 0.1 * np.arange(5), 0.05, 1.0)
        stake = 1.0 + whole[rows].sum()
        before = (float(part[rows].sum()), float(whole[rows].sum()))
        for chosen, q in poisson_samples(second[left]):
            later = bet(left[chosen], part, whole, second, before=before, stake=stake)
            both = joined(bet(rows, part, whole, first), later)
            total += p * q * np.exp(log_wealth(both, truth, 1e4))
    assert total == pytest.approx(1, abs=1e-12)


def test_along_a_queue_wealth_is_a_martingale_backwards(rng: np.random.Generator) -> None:
    """Given the sample at a high threshold, each item stays at a lower one with chance b/b'."""
    part, whole, truth = pairs(6, rng)
    h = rng.random(6) + 0.2
    high, low = np.minimum(1, 1.2 * h), np.minimum(1, 0.5 * h)
    for rows, _ in poisson_samples(high):
        mean = sum(
            p * np.exp(log_wealth(bet(rows[kept], part, whole, low), truth, 1e4))
            for kept, p in poisson_samples((low / high)[rows])
        )
        now = np.exp(log_wealth(bet(rows, part, whole, high), truth, 1e4))
        assert mean == pytest.approx(now, rel=1e-12)


@pytest.mark.parametrize("deviation", [5.0, 20.0])
def test_no_look_along_a_tiny_queue_wins_too_often(deviation: float) -> None:
    """Over all looks at many queues of 40 items, wealth reaches 1/α in at most α of them.

    Wagers without room count as lost.
    """
    rng = np.random.default_rng(3)
    part, whole, truth = pairs(40, rng)
    h, runs, alpha = rng.random(40) + 0.3, 300, 0.5
    won = 0
    for _ in range(runs):
        order, queue = enqueue(rng.random(40), h, 39)
        best = -np.inf
        for k in range(1, 40, 3):
            b = np.minimum(1.0, queue.keys[k] * h)
            room = (-np.log1p(-b.min()) if b.min() < 1 else np.inf,) * 2
            best = max(best, log_wealth(bet(order[:k], part, whole, b, room=room), truth, deviation))
        won += best >= np.log(1 / alpha)
    assert won <= stats.binom(runs, alpha).isf(1e-6)
    assert won > 0


@pytest.mark.parametrize("turned", [False, True])
def test_wealth_is_what_a_loop_over_wagers_and_items_makes_it(turned: bool, rng: np.random.Generator) -> None:
    """Two waves: in the first, wagers are cut at what was known before; in the second, those too large are lost."""
    part, whole, _ = pairs(9, rng)
    b, value, deviation = rng.uniform(0.6, 1, 9), 0.4, 3.0
    before, stakes = [(2.0, 3.0), (4.0, 6.5)], [1.3, 0.2]
    room, known = [(0.9, 0.8), (0.6, 0.5)], [(0.5, 0.7), (np.inf, np.inf)]
    of_wave = [np.arange(4), np.arange(4, 9)]
    wager = joined(
        *(
            bet(rows, part, whole, b, before=m, room=r, room_before=k, stake=s)
            for rows, m, r, k, s in zip(of_wave, before, room, known, stakes, strict=True)
        )
    )
    side, up = int(turned), whole - part if turned else part
    unit, share = scales(deviation)
    wealth, cut, lost = 0.0, 0, 0
    for scale, weight in zip(unit, np.exp(share), strict=True):
        rates = [min(s * scale, k[side] / value) for s, k in zip(stakes, known, strict=True)]
        cut += rates[0] == known[0][side] / value
        if any(rate * value > r[side] for rate, r in zip(rates, room, strict=True)):
            lost += 1
            continue
        product_ = 1.0
        for rate, (one, all_), rows in zip(rates, before, of_wave, strict=True):
            product_ *= np.exp(rate * ((all_ - one if turned else one) - value * all_))
            for f, g, chance in zip(up[rows], whole[rows], b[rows], strict=True):
                product_ *= 1 + (np.exp(rate * (f - value * g)) - 1) / chance
        wealth += weight * product_
    assert cut > lost > 0
    found = log_wealth(wager.turned() if turned else wager, value, deviation)
    assert found == pytest.approx(np.log(wealth), rel=1e-10)
    assert np.exp(share).sum() == pytest.approx(1)


def test_wealth_falls_with_the_value_so_that_a_limit_is_where_it_crosses(rng: np.random.Generator) -> None:
    part, whole, _ = pairs(60, rng)
    b = rng.uniform(0.05, 1, 60)
    room = (float(-np.log1p(-b.min())), float(-np.log1p(-b.min())))
    before, rows = (float(part.sum()), float(whole.sum())), np.arange(60)
    first = bet(rows, part, whole, b, room=room)
    both = joined(first, bet(rows, part, whole, b, room=room, before=before, stake=0.4, room_before=room))
    grid = np.linspace(0.001, 1, 400)
    wealth = np.array([log_wealth(both, g, 20.0) for g in grid])
    with np.errstate(invalid="ignore"):
        assert not (np.diff(wealth) > 1e-9).any()
    limit = lower_limit(both, 0.05, 20.0)
    assert 0 < limit < 1
    assert limit == pytest.approx(grid[wealth >= np.log(20)].max(), abs=1 / 400)


def test_a_wager_cut_exactly_at_its_room_is_not_lost_by_rounding(rng: np.random.Generator) -> None:
    part, whole, _ = pairs(60, rng)
    cut = (0.11, 0.11)
    exact, roomy = (
        bet(np.arange(60), part, whole, np.full(60, 0.4), room=room, room_before=cut)
        for room in (cut, (0.2, 0.2))
    )
    for value in np.linspace(0.01, 0.99, 99):
        assert log_wealth(exact, value, 20.0) == log_wealth(roomy, value, 20.0)


def hypergeometric_sequence(right: int, labels: int, population: int, alpha: float) -> float:
    """Width of the prior–posterior-ratio confidence sequence of a share (Waudby-Smith & Ramdas 2020), uniform prior."""
    total = np.arange(population + 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        posterior = stats.betabinom(population - labels, 1 + right, 1 + labels - right).logpmf(total - right)
    prior = -np.log(population + 1)
    inside = total[prior - posterior < np.log(1 / alpha)]
    return float((inside.max() - inside.min()) / population)


@pytest.mark.parametrize(("labels", "right"), [(50, 45), (200, 180), (200, 100), (1000, 930)])
def test_for_a_uniform_sample_it_is_about_as_narrow_as_the_hypergeometric_one(
    labels: int, right: int
) -> None:
    population, rng = 3000, np.random.default_rng(1)
    chance = float(rng.beta(labels, population - labels + 1))
    part, whole = (np.arange(labels) < right).astype(float), np.ones(labels)
    room = (float(-np.log1p(-chance)),) * 2
    wager = bet(np.arange(labels), part, whole, np.full(labels, chance), room=room)
    deviation = population * np.sqrt(0.1 * 0.9 / 200)
    low, high = Wagers(wager, wager, deviation).limits(0.9)
    assert low < right / labels < high
    ratio = (high - low) / hypergeometric_sequence(right, labels, population, 0.1)
    assert 0.8 < ratio < 1.25


def study(
    preset: str | None = "queue", labels: int = 0, metric: str = "f1", **options: object
) -> tuple[Study, dict[str, str]]:
    pool, known = binary(120, seed=8)
    made = create_study(pool, metric=metric, budget=120, preset=preset, seed=2, **options)  # type: ignore[arg-type]
    made.answer(known, labels)
    truth = {str(i): str(known.task.classes[int(y)]) for i, y in zip(pool.ids, known.values, strict=True)}
    return made, truth


@pytest.mark.parametrize("preset", WATCHABLE)
@pytest.mark.parametrize("metric", SHARES)
def test_every_share_has_an_interval_that_holds_its_estimate_and_is_the_wider_one(
    preset: str, metric: str
) -> None:
    made, _ = study(preset, 45)
    wide = made.estimate(metric, interval="anytime")
    fixed = made.estimate(metric, interval="korn-graubard")
    assert wide.value == fixed.value
    assert wide.interval.low <= wide.value <= wide.interval.high
    assert wide.interval.method in ("anytime", "census")
    assert wide.interval.width > fixed.interval.width or wide.interval.method == "census"
    narrower = made.estimate(metric, interval="anytime", level=0.5).interval
    assert narrower.width <= wide.interval.width


@pytest.mark.parametrize("preset", WATCHABLE)
def test_a_share_is_above_half_its_estimate_with_some_probability(preset: str) -> None:
    made, _ = study(preset, 45)
    assert 0 < made.probability_above(made.estimate().value * 0.5, interval="anytime") <= 1


@pytest.mark.parametrize("preset", WATCHABLE)
def test_a_census_is_exact_and_no_label_is_nothing(preset: str) -> None:
    made, _ = study(preset)
    assert np.isnan(made.estimate("f1", interval="anytime").value)
    _, known = binary(120, seed=8)
    made.answer(known, 120)
    found = made.estimate("f1", interval="anytime")
    if found.labels == 120:
        assert found.interval.width == 0


def test_without_a_positive_nothing_is_said_of_a_metric_that_needs_one() -> None:
    made, _ = study("uniform")
    for item in made.ask(15):
        made.tell(item, "ham")
    assert made.estimate("recall", interval="anytime").interval.method == "none"
    share = made.estimate("prevalence", interval="anytime").interval
    assert share.low == 0
    assert 0 < share.high < 1


def test_skipped_answers_allow_for_any_label() -> None:
    made, truth = study("queue")
    other, _ = study("queue")
    for k, item in enumerate(made.ask(50)):
        made.tell(item, SKIP if k % 6 == 0 else truth[item.id])
        other.tell(other.ask(1)[0], truth[item.id])
    skipped, full = (s.estimate("f1", interval="anytime").interval for s in (made, other))
    assert skipped.low < full.low
    assert skipped.high > full.high
    ends = []
    for answer in ("ham", "spam"):
        one, _ = study("queue")
        for k, item in enumerate(one.ask(50)):
            one.tell(item, answer if k % 6 == 0 else truth[item.id])
        ends.append(one.estimate("f1", interval="anytime").interval)
    assert skipped.low <= min(e.low for e in ends) + 1e-9
    assert skipped.high >= max(e.high for e in ends) - 1e-9


def test_held_labels_narrow_it_and_none_is_counted_twice() -> None:
    made, _ = study("queue", 40)
    held = create_study(made.pool, metric="f1", budget=80, preset="queue", seed=9, held=made)
    _, known = binary(120, seed=8)
    held.answer(known, 40)
    found = held.estimate("f1", interval="anytime")
    assert found.interval.width < made.estimate("f1", interval="anytime").interval.width
    held.answer(known, 40)
    assert held.estimate("f1", interval="anytime").interval.width == 0


def test_held_labels_are_known_before_any_look() -> None:
    pool, known = binary(120, seed=8)
    truth = np.asarray(known.values)
    held = {str(pool.ids[k]): truth[k] for k in np.flatnonzero(truth == pool.pred)[:60]}
    made = create_study(pool, metric="accuracy", budget=60, seed=2, held=held)
    metric, problem = made.metric(), made.state.problem
    assert prior_draws(metric, problem, made.method.estimator).min() >= 0.5
    made.answer(known, 20)
    found, plain = (made.estimate(interval=family).interval for family in ("anytime", "posterior"))
    assert 0.5 <= found.low <= plain.low <= plain.high <= found.high


def test_each_metric_of_a_study_has_its_own_draws_before_any_label() -> None:
    pool, _ = binary(120, seed=8)
    one = create_study(pool, metric="f1", budget=30)
    found = [prior_draws(resolve(m), one.state.problem, one.method.estimator) for m in ("f1", "accuracy")]
    other = create_study(pool, metric="f1", budget=30).state.problem
    alone = prior_draws(resolve("accuracy"), other, one.method.estimator)
    np.testing.assert_array_equal(found[1], alone)
    assert not np.allclose(found[0], found[1])


def test_rounds_count_from_end_to_end_and_say_so() -> None:
    made, _ = study(None, design=Rounds(first=20, growth=0.0))
    _, known = binary(120, seed=8)
    made.answer(known, 12)
    assert made.estimate("f1", interval="anytime").interval.method == "none"
    made.answer(known, 8)
    whole = made.estimate("f1", interval="anytime")
    made.answer(known, 7)
    later = made.estimate("f1", interval="anytime")
    assert whole.interval.method == "anytime"
    assert "7 answers" in later.note
    low, high = min(whole.interval.low, later.value), max(whole.interval.high, later.value)
    assert (later.interval.low, later.interval.high) == pytest.approx((low, high))


@pytest.mark.parametrize("metric", ["f1", "accuracy"])
def test_a_round_s_wager_knows_the_labels_before_it_and_none_of_its_own(metric: str) -> None:
    pool, known = binary(120, seed=8)
    truth, asked = np.asarray(known.values), resolve(metric)
    held = {str(pool.ids[k]): truth[k] for k in range(10)}
    design = Rounds(first=20, growth=0.0)
    made = create_study(pool, metric=metric, budget=60, seed=2, held=held, design=design)
    made.answer(known, 60)
    run, past = made.run(), made.state.rounds
    assert run is not None
    wagers = bets(asked, run, design, design.waves(made.state.problem, past, 60))
    before = np.arange(10)
    for number, opened in enumerate(past):
        told = asked.loss(pool.items.take(before), truth[before]).sum(axis=0)
        np.testing.assert_allclose(wagers.against.before[number], told)
        before = np.concatenate([before, opened.queue])
    assert len(wagers.against.before) == 3


def test_a_round_hardly_ever_falls_short_of_the_threshold_counted_on(rng: np.random.Generator) -> None:
    h, short = rng.random(400) ** 3 + 0.01, 0
    for _ in range(4000):
        _, queue = enqueue(rng.random(400), h, 20)
        short += queue.keys[20] < least_threshold(20, h)
    assert short <= stats.binom(4000, 1e-3).isf(1e-6)


@pytest.mark.parametrize("left", [20, 24, 39, 40, 100])
def test_a_bernoulli_round_holds_all_items_below_its_threshold_wherever_the_budget_ends(
    left: int, rng: np.random.Generator
) -> None:
    h, short, design = rng.random(400) ** 3 + 0.01, 0, Rounds(first=20, draw="bernoulli")
    for _ in range(1000):
        u = rng.random(400)
        order, queue, threshold = design._drawn(u, h, 20, left)
        assert np.array_equal(np.sort(order), np.flatnonzero(u / h < queue.keys[-1]))
        short += queue.keys[-1] < threshold
    assert short <= stats.binom(1000, 1e-3).isf(1e-6)


def test_bets_know_the_least_chance_at_each_share_that_is_spread_evenly() -> None:
    pool, _ = binary(120, seed=8)
    problem = create_study(pool, metric="f1", budget=60, preset="queue").state.problem
    for defensive in (0.0, 0.5):
        design = Priority(defensive=defensive)
        opened = design.open(problem, (), problem.held, 60)
        assert opened is not None
        size = spread_sizes(problem.size, defensive, problem.eligible)
        chance = np.minimum(1, opened.facts.keys[40] * size)
        least = design.waves(problem, [opened], 40)[0].least
        np.testing.assert_allclose(least, [chance[pool.pred == y].min() for y in (0, 1)])


@pytest.mark.parametrize("preset", ["queue", "uniform"])
def test_bets_know_the_least_chance_of_all_items_of_a_decision(preset: str) -> None:
    """Room for bets follows from it, as an item of small chance could make a factor negative."""
    pool, known = binary(120, seed=8)
    made = create_study(pool, metric="f1", budget=60, preset=preset)
    made.answer(known, 60)
    design, state = made.method.design, made.state
    assert isinstance(design, Watchable)
    wave = design.waves(state.problem, state.rounds, 40)[0]
    size = np.ones(120) if preset == "uniform" else state.problem.size
    chance = np.minimum(1, state.rounds[0].facts.keys[40] * size)  # the 41st key is the threshold
    np.testing.assert_allclose(wave.least, [chance[pool.pred == y].min() for y in (0, 1)])


def weighted(worth: Floats) -> Metric:
    """Accuracy in which each item counts as much as it is worth."""
    return ratio(
        "worth", "Worth", lambda items, y: (worth[items.index] * (y == items.pred), worth[items.index])
    )


@pytest.mark.parametrize("design", [Priority(), Rounds(first=30)])
def test_weights_by_row_leave_room_to_bet(design: Priority | Rounds) -> None:
    """A heavy item is hardly left to chance, but with the chance of a light one it left limits of 0.02 to 1 after 300 labels."""
    pool, labels = calibrated(800, seed=1)
    worth = np.random.default_rng(1).lognormal(0, 1.5, 800)
    metric = weighted(worth)
    truth = true_value(metric, pool, labels)
    made = create_study(pool, metric=metric, budget=200, design=design, seed=4)
    made.answer(labels, 200)
    found = made.estimate(interval="anytime").interval
    assert found.low <= truth <= found.high
    assert found.width < 0.2
    assert isinstance(made.method.design, Watchable)
    state = made.state
    swings, waves = (
        swings_of(metric, state.problem),
        made.method.design.waves(state.problem, state.rounds, 200),
    )
    if isinstance(design, Priority):  # the room is never more than any item allows, and at least half of that
        chance = np.minimum(1, state.rounds[0].facts.keys[-1] * state.problem.size)
        with np.errstate(divide="ignore"):
            most = float((-np.log1p(-chance) / worth).min())
        assert np.all(
            (most / 2 <= room_of(waves[0].least, swings)) & (room_of(waves[0].least, swings) <= most)
        )


def test_weights_that_are_all_alike_leave_the_room_as_it_is() -> None:
    pool, labels = calibrated(300, seed=2)
    found = []
    for metric in (resolve("accuracy"), weighted(np.full(300, 2.0))):
        made = create_study(pool, metric=metric, budget=90, preset="queue", seed=4)
        made.answer(labels, 90)
        found.append(made.estimate(interval="anytime").interval)
    assert found[0].low == pytest.approx(found[1].low, abs=1e-4)
    assert found[0].high == pytest.approx(found[1].high, abs=1e-4)


def test_what_has_no_such_interval_says_so() -> None:
    made, _ = study("queue", 40)
    assert "shares" in made.estimate("mcc", interval="anytime").note
    with pytest.raises(InputError, match="about this pool"):
        made.estimate("f1", interval="anytime", about="future")
    other, _ = study("yilmaz-is", 10)
    with pytest.raises(InputError, match="'anytime' is not known for design 'importance'"):
        other.estimate("f1", interval="anytime")
    for preset in PRESETS:
        if PRESETS[preset].method.design.key in ("importance", "adaptive", "stratified", "sequential"):
            with pytest.raises(InputError, match="it is for design 'priority'"):
                method_of(preset, interval="anytime")
    pool, known = multilabel()
    several = create_study(pool, metric="micro_f1", budget=20, preset="queue")
    several.answer(known, 15)
    with pytest.raises(InputError, match="of two or more classes only"):
        several.estimate("exact_match", interval="anytime")


def test_no_study_begins_with_intervals_that_it_could_never_have() -> None:
    binary_pool, several = binary(30)[0], multilabel()[0]
    numbers = Pool.from_frame(pd.DataFrame({"pred": [1.0, 2.0, 3.0]}), pred="pred", task="regression")
    for preset, said in (("queue", "the same label each time"), ("recommended", "'stochastic' is not known")):
        with pytest.raises(InputError, match=said):
            create_study(
                binary_pool, metric="f1", budget=9, preset=preset, interval="anytime", oracle="stochastic"
            )
        for pool, metric in ((several, "micro_f1"), (numbers, "mae")):
            with pytest.raises(InputError, match="of two or more classes only; leave it out"):
                create_study(pool, metric=metric, budget=3, preset=preset, interval="anytime")


def test_an_item_that_a_label_could_matter_in_but_no_chance_reaches_forbids_a_limit() -> None:
    """Room is 0 where an item that matters cannot come in."""
    wager = bet(np.arange(5), np.ones(5), np.ones(5), np.full(5, 0.5), room=(0.0, 0.0))
    assert Wagers(wager, wager, 3.0).limits(0.9) == (0.0, 1.0)


def test_several_classes_have_one_for_their_accuracy() -> None:
    rng = np.random.default_rng(4)
    scores = rng.dirichlet(np.full(3, 0.4), 150)
    frame = pd.DataFrame({"id": range(150)} | {f"score_{c}": scores[:, k] for k, c in enumerate("abc")})
    frame["label"] = np.array(list("abc"))[(scores.cumsum(axis=1) < rng.random(150)[:, None]).sum(axis=1)]
    pool = Pool.from_frame(frame, id="id", score="score_", label="label", fields=[], task="multiclass")
    made = create_study(pool, metric="accuracy", budget=80, preset="queue")
    made.answer(Labels.from_frame(frame, pool, label="label"), 80)
    found = made.estimate("accuracy", interval="anytime")
    assert found.interval.method == "anytime"
    assert 0.05 < found.interval.width < 0.6


def after(found: Flags, rng: np.random.Generator) -> Basis:
    """A basis with draws of a rate after these labels, and before any label, when all rates were equally likely."""
    a, b = 1 + np.count_nonzero(found), 1 + np.count_nonzero(~found)
    mean = a / (a + b)
    return Basis(mean, mean * (1 - mean) / (a + b + 1), draws=rng.beta(a, b, 600), before=rng.random(600))


@pytest.mark.parametrize("breadth", [0.3, 1.0, 3.0])
def test_a_posterior_s_limits_are_where_its_density_is_a_tenth_of_the_one_before(breadth: float) -> None:
    """Against the densities themselves, for a posterior that is normal; stretched as all its limits are."""
    rng, wide = np.random.default_rng(1), stretch(0)
    centre, spread = 0.6, 0.02
    normal = stats.norm(centre, spread / wide)
    before = centre + breadth * (rng.random(20000) - 0.5)
    basis = Basis(centre, spread**2, draws=normal.ppf((np.arange(20000) + 0.5) / 20000), before=before)
    for level in (0.8, 0.9, 0.99):
        found = prior_posterior(basis, level)
        at = stats.norm(centre, spread).pdf([found.low, found.high])
        np.testing.assert_allclose(
            np.log(at), np.log((1 - level) / breadth), atol=0.5
        )  # the density before: 25 neighbours
        assert found.low < posterior(basis, level).low < posterior(basis, level).high < found.high


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_where_the_labels_contradict_the_prior_limits_are_no_closer_than_at_an_equal_density(
    level: float,
) -> None:
    """Before, the values were surer than after: the density at the centre is not raised, and s·√(2·log(1/α)) is left."""
    at = stats.norm.ppf((np.arange(20000) + 0.5) / 20000)
    basis = Basis(0.6, 0.02**2, draws=0.6 + 0.02 * at, before=0.6 + 0.001 * at)
    found = prior_posterior(basis, level)
    reach = stretch(0) * 0.02 * np.sqrt(-2 * np.log(1 - level))
    assert (0.6 - found.low, found.high - 0.6) == pytest.approx((reach, reach), rel=1e-3)


def test_limits_of_heavy_tails_are_those_of_their_farthest_quantile() -> None:
    """Beyond .95 the quantiles of Student's t of two degrees lie ever farther out than those of a normal distribution."""
    at = 0.5 + 0.01 * stats.t(2).ppf((np.arange(20000) + 0.5) / 20000)
    basis = Basis(0.5, 0.01**2, draws=at, before=np.random.default_rng(1).random(20000), range=(-9.0, 9.0))

    def spread(level: float) -> float:
        return float(stretch(0) * (0.5 - np.quantile(at, (1 - level) / 2)) / stats.norm.ppf((1 + level) / 2))

    for level, seen in ((0.9, 0.9), (0.95, 0.95), (0.99, 0.99), (0.999, 0.99)):
        height = np.sqrt(2 * np.pi) * spread(0.9) * (1 - level)  # the density before is 1
        reach = spread(seen) * np.sqrt(-2 * np.log(height))
        found = prior_posterior(basis, level)
        assert (0.5 - found.low, found.high - 0.5) == pytest.approx((reach, reach), rel=0.05)


@pytest.mark.parametrize(
    ("draws", "before"),
    [(None, 100), (np.full(600, np.nan), 100), (np.array([0.4, np.nan]), 100), (np.array([0.4, 0.5]), 24)],
)
def test_too_few_draws_give_no_limits_for_any_look(draws: Floats | None, before: int) -> None:
    basis = Basis(0.4, 0.01, draws=draws, before=np.linspace(0, 1, before))
    found = INTERVALS["anytime"].limits(basis, 0.9)
    assert (found.low, found.high, found.known) == (0, 1, False)


def drawn(posterior: stats.rv_continuous, rng: np.random.Generator) -> Basis:
    """A basis of exact draws, before any label uniform."""
    draws = posterior.rvs(600, random_state=rng)
    return Basis(float(posterior.median()), float(posterior.var()), draws=draws, before=rng.random(600))


@pytest.mark.parametrize(
    "posterior", [stats.beta(60, 1), stats.uniform(0.5, 0.2), stats.lognorm(1.5, scale=0.1)]
)
def test_a_surer_interval_holds_a_less_sure_one(posterior: stats.rv_continuous) -> None:
    basis = replace(drawn(posterior, np.random.default_rng(3)), range=(0.0, np.inf))
    levels = [1e-9, 0.1, 0.5, 0.8, 0.9, 0.93, 0.95, 0.97, 0.99, 0.999, 1 - 1e-9, np.nextafter(1, 0)]
    limits = np.array([(i.low, i.high) for i in (prior_posterior(basis, float(level)) for level in levels)])
    assert (np.diff(limits[:, 0]) <= 0).all()
    assert (np.diff(limits[:, 1]) >= 0).all()


def test_over_whole_studies_a_posterior_s_limits_for_any_look_miss_no_more_than_promised() -> None:
    """Rates drawn as the prior has it, ever more labels, a look at each of twenty; fixed-time limits as control."""
    rng, looks = np.random.default_rng(2), np.unique(np.geomspace(1, 1000, 25).astype(int))
    missed = {prior_posterior: 0, posterior: 0}
    for _ in range(60):
        rate = rng.random()
        found = rng.random(looks[-1]) < rate
        bases = [after(found[:n], rng) for n in looks]
        for family in missed:
            limits = [family(basis, 0.9) for basis in bases]
            missed[family] += any(not i.low <= rate <= i.high for i in limits)
    assert missed[prior_posterior] <= 6
    assert missed[posterior] > 12


def test_recommended_has_one_for_every_metric_of_two_classes() -> None:
    made, _ = study("recommended", 60)
    for metric in ("f1", "recall", "mcc", "kappa", "auc", "brier", "positives"):
        free, fixed = (made.estimate(metric, interval=family) for family in ("anytime", "posterior"))
        assert free.interval.method == "anytime"
        assert free.interval.low <= fixed.interval.low <= fixed.value
        assert fixed.value <= fixed.interval.high <= free.interval.high
        assert free.interval.width > fixed.interval.width
    said = methods(made, made.estimate("f1", interval="anytime"))
    assert "confidence sequence" in said
    assert "calibration model" in said
    assert made.estimate("f1").interval.method == "posterior"


def test_recommendeds_anytime_interval_widens_for_skipped_items_and_has_no_width_after_a_census() -> None:
    made, truth = study("recommended", 40)
    before = made.estimate("f1", interval="anytime").interval
    made.tell(made.ask(1)[0].id, SKIP)
    assert made.estimate("f1", interval="anytime").interval.width >= before.width
    whole, _ = study("recommended", len(truth))
    assert whole.estimate("f1", interval="anytime").interval.width == 0


def test_a_method_may_name_it_as_its_own_interval() -> None:
    made, _ = study("queue", 45, interval="anytime")
    assert made.estimate("f1").interval.method == "anytime"
    assert "confidence sequence" in methods(made, made.estimate("f1"))
    assert INTERVALS["anytime"].limits(Basis(0.5, 0.01), 0.9).method == "none"
    assert isinstance(made.method.design, Watchable)
    assert len(queued(made.state.rounds)) == 120


LOOKS = (1, 3, 6, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400)
MADE = {
    "digits-like": (1500, 0.1, 1.0),
    "two per cent": (4000, 0.02, 1.0),
    "overconfident": (2500, 0.05, 2.5),
}


def rare(size: int, prevalence: float, slope: float) -> tuple[Pool, Labels]:
    rng = np.random.default_rng(11)
    log_odds = special.logit(prevalence) - 2 + 2 * rng.normal(size=size)
    seen = special.expit(slope * log_odds + (slope - 1) * 2 + 0.5 * rng.normal(size=size))
    label = (rng.random(size) < special.expit(log_odds)).astype(int)
    cut = np.quantile(seen, 1 - prevalence)
    frame = pd.DataFrame({"id": range(size), "score": seen, "label": label, "pred": (seen > cut).astype(int)})
    pool = Pool.from_frame(frame, id="id", score="score", pred="pred", label="label", fields=[])
    return pool, Labels.from_frame(frame, pool, label="label")


def test_what_has_no_interval_for_any_look_is_refused_from_the_start() -> None:
    """It had been refused only after the first label, and accepted again once all labels were known."""
    _, known = binary(120, seed=8)
    made, _ = study("marchant-is")
    for _ in range(2):
        with pytest.raises(InputError, match="'anytime' is not known for design 'adaptive'"):
            made.estimate(interval="anytime")
        made.answer(known, 20)


@pytest.mark.slow
@pytest.mark.parametrize("made", MADE)
def test_no_more_than_one_study_in_ten_misses_at_any_look(made: str) -> None:
    pool, labels = rare(*MADE[made])
    watched = {name: method_of(name, interval="anytime") for name in ("uniform", "queue", "yilmaz-online-bs")}
    watched["rounds"] = method_of(design="rounds", interval="anytime")
    watched["recommended"] = method_of("recommended", interval="anytime")
    table = simulate(
        pool,
        labels,
        presets=watched,
        metric="f1",
        metrics=["f1", "recall", "accuracy"],
        budgets=LOOKS,
        repeats=40,
        seed=5,
    )
    last = table[table["budget"] == LOOKS[-1]]
    assert (last["missed_ever"] * 40 <= stats.binom(40, 0.1).isf(1e-6 / len(last))).all()
    assert last["missed_ever"].mean() <= 0.1
    assert last["width"].mean() < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.5, 2.0])
def test_of_items_of_unlike_weight_no_more_than_one_study_in_ten_misses_at_any_look(spread: float) -> None:
    pool, labels = rare(*MADE["digits-like"])
    metric = weighted(np.random.default_rng(3).lognormal(0, spread, len(pool)))
    watched = {
        "queue": method_of("queue", interval="anytime"),
        "rounds": method_of(design="rounds", interval="anytime"),
    }
    table = simulate(
        pool,
        labels,
        presets=watched,
        metric=metric,
        metrics=[metric, "accuracy"],
        budgets=LOOKS,
        repeats=40,
        seed=5,
    )
    last = table[table["budget"] == LOOKS[-1]]
    assert (last["missed_ever"] * 40 <= stats.binom(40, 0.1).isf(1e-6 / len(last))).all()
    assert last.loc[last["metric"] == metric.name, "width"].max() < 0.2


@pytest.mark.slow
def test_the_control_fixed_time_intervals_miss_at_some_look() -> None:
    pool, labels = rare(*MADE["digits-like"])
    table = simulate(pool, labels, presets=["uniform"], metric="accuracy", budgets=LOOKS, repeats=60, seed=5)
    assert table["missed_ever"].iloc[-1] > 0.2


def test_a_value_is_held_by_the_limits_that_are_found_by_search() -> None:
    part = (np.arange(60) % 3 > 0).astype(float)
    wager = bet(np.arange(60), part, np.ones(60), np.full(60, 0.2), room=(0.2, 0.2))
    both = Wagers(wager, wager, 20.0)
    for level in (0.5, 0.9):
        low, high = both.limits(level)
        assert 0 < low < 2 / 3 < high < 1
        assert [both.hold(value, level) for value in (low - 1e-3, low + 1e-3, high - 1e-3, high + 1e-3)] == [
            0,
            1,
            1,
            0,
        ]


def test_an_item_that_is_never_asked_leaves_no_room_to_bet_on_its_decision() -> None:
    """Infinite sizes stand for decisions that no item has, and the threshold past the last item is infinite, too."""
    sample = Inclusions(np.arange(2), np.full(2, 0.5), 9)
    for threshold, least in ((0.4, [0.0, 0.2, 1.0]), (np.inf, [0.0, 1.0, 1.0])):
        wave = Wave.of(sample, threshold, np.array([0.0, 0.5, np.inf]))
        np.testing.assert_array_equal(wave.least, least)


@pytest.mark.parametrize("name", [*SHARES, "prevalence"])
def test_bets_know_the_largest_swing_of_each_decision(name: str) -> None:
    pool, _ = binary(120, seed=8)
    metric, problem = resolve(name), create_study(pool, metric="f1", budget=60).state.problem
    if name == "prevalence":  # one cell, of both decisions
        metric = replace(metric, cells=lambda items: np.zeros(len(items), int))
    each = np.stack([metric.loss(pool.items, np.full(120, y)) for y in (0, 1)])
    swings = np.stack([(each[..., 1] - each[..., 0]).max(axis=0), each[..., 0].max(axis=0)], axis=1)
    wanted = [swings[pool.pred == decision].max(axis=0) for decision in (0, 1)]
    np.testing.assert_allclose(swings_of(metric, problem), wanted)


def test_a_belief_that_expects_no_deviation_has_limits_for_any_look() -> None:
    score = np.repeat([0.0, 1.0], 30)
    pool = Pool.from_frame(pd.DataFrame({"id": range(60), "score": score}))
    made = create_study(pool, metric="accuracy", budget=40, preset="queue", shrinkage=1.0, interval="anytime")
    for item in made.ask(40):
        made.tell(item.id, int(score[int(item.id)]) if int(item.id) % 9 else 0)
    assert expected_deviation(made.metric(), made.state.problem, made.method.design) > 0
    found = made.estimate()
    assert 0 < found.interval.low < found.value <= found.interval.high <= 1


def test_wagers_expect_the_spread_that_a_few_hundred_labels_leave() -> None:
    """Σd of accuracy in a uniform sample of n labels: N √(p (1 − p)/n), with p as the scores say."""
    made = create_study(binary(4000)[0], metric="accuracy", budget=10, preset="uniform")
    accuracy, problem = made.metric(), made.state.problem
    right = float(accuracy.value(problem.predicted_risk(accuracy))[0])
    found = expected_deviation(accuracy, problem, made.method.design)
    assert found == pytest.approx(4000 * np.sqrt(right * (1 - right) / 200), rel=0.01)


def test_before_the_first_round_is_answered_the_limits_say_what_they_wait_for() -> None:
    pool, known = binary(120)
    made = create_study(pool, metric="f1", budget=60, preset="yilmaz-online-bs", seed=1)
    (item,) = made.ask(1)
    made.tell(item, known.by_id(pool)[item.id])
    found = made.estimate("accuracy", interval="anytime").interval
    assert (found.low, found.high, found.known) == (0, 1, False)
    assert "no round is fully answered yet" in found.note


def test_each_metric_of_a_study_has_its_own_room_to_bet() -> None:
    (both, _), (one, _) = study(labels=45), study(labels=45)
    for metric in ("precision", "accuracy"):
        found = both.estimate(metric, interval="anytime").interval
    assert found == one.estimate("accuracy", interval="anytime").interval


@pytest.mark.parametrize("design", [Priority(), Rounds(first=30)])
def test_a_queue_for_a_part_has_the_limits_of_a_pool_of_that_part_alone(design: Priority | Rounds) -> None:
    """It had none, however many labels there were: items that are never asked left no room to bet on the others."""
    rng = np.random.default_rng(0)
    score, inside = rng.random(400), rng.random(400) < 0.5
    frame = pd.DataFrame({"id": range(400), "score": score})
    label, found = rng.random(400) < score, []
    for rows in (inside | True, inside):
        pool = Pool.from_frame(frame[rows].reset_index(drop=True))
        part = within(resolve("accuracy"), inside[rows], "part")
        made = create_study(pool, metric=part, budget=90, design=design, surrogate="shrunk", shrinkage=1.0)
        while items := made.ask(30):
            made.tell_all((item, bool(label[int(item.id)])) for item in items)
        found.append(made.estimate(interval="anytime").interval)
    assert found[0].low == pytest.approx(found[1].low)
    assert found[0].high == pytest.approx(found[1].high)
    assert 0 < found[0].width < 0.5


def test_the_room_of_a_wager_is_where_the_worst_label_would_lose_all() -> None:
    least, swings = np.array([0.3, 0.6]), np.array([[0.5, 1.0], [1.0, 0.2]])
    for side, most in enumerate(room_of(least, swings)):
        factors = 1 + np.expm1(-most * swings[:, side]) / least
        assert factors.min() == pytest.approx(0, abs=1e-12)


def test_labels_that_tell_nothing_of_a_share_leave_its_limits_unknown_at_any_look() -> None:
    """Only an item that is predicted negative has a label, and the one of precision was skipped."""
    study = begun(metric="accuracy", preset="uniform")
    items = study.ask(12)
    chosen = [int(study.pool.pred[study.pool.position(item.id)]) for item in items]
    upto = max(chosen.index(0), chosen.index(1)) + 1
    study.tell_all((item, SKIP if said else "spam") for item, said in zip(items, chosen[:upto], strict=False))
    found = study.estimate("precision", interval="anytime")
    assert 0 < found.value < 1
    assert (found.interval.low, found.interval.high, found.interval.known) == (0, 1, False)
    assert "there are too few labels for an interval that holds at any look" in found.interval.note
