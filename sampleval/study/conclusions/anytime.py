"""Intervals that hold at every look, for stopping at any time: from an answered run to wagers and their limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from sampleval._checks import InputError, conforms
from sampleval.designs import TYPICAL, Design, Problem, Watchable, Wave
from sampleval.designs.waves import decisions
from sampleval.estimators import Estimator, Inference, Predictive, Run, held_loss, values_at
from sampleval.intervals import Basis, Interval, Wager, Wagers, anytime, joined, nothing
from sampleval.metrics import Encoded, Metric
from sampleval.metrics.codes import distinct, paired, summed
from sampleval.numerals import many
from sampleval.planning import variance_at
from sampleval.pool import Floats, Items, Pool
from sampleval.presets import Method, unwatchable
from sampleval.study.conclusions.future import About
from sampleval.surrogates import Belief, worst_labels

Obstacle = Literal["stochastic", "future", "kind", "design"]
# A design has no entry: its message lists the designs that have such intervals.
WHERE_KNOWN: Mapping[Obstacle, str] = {
    "stochastic": "only where an item gets the same label each time",
    "future": "for statements about this pool only",
    "kind": "for shares of the items of two or more classes only",
}
FORM = "intervals for any look are known for shares of the items of two or more classes, and this metric is no such share"
APART = "intervals for any look are known for the whole pool and the first three systems alone"
UNFINISHED = "no round is fully answered yet, and an interval for any look is updated round by round"
UNCOUNTED = "not counted in the interval yet: {} of a round that is not fully answered"


def obstacle(
    pool: Pool, method: Method, about: About = "pool", *, stochastic: bool = False
) -> Obstacle | None:
    """The reason why a study of these items by this method cannot have intervals for any look, `None` if it can."""
    if stochastic:
        return "stochastic"
    if not pool.task.classified:
        return "kind"
    if unwatchable(method):
        return "design"
    return None if about == "pool" else "future"


def refuse_any_look(problem: Problem, method: Method, about: About = "pool") -> None:
    """Refuse intervals for any look where they are not known."""
    found = obstacle(problem.pool, method, about, stochastic=problem.stochastic)
    if found is None:
        return
    if found == "design":
        raise InputError(unwatchable(method))
    remedy = "leave it out"
    if found == "future":
        remedy = (
            f"take `about`='pool' or, for a number of labels fixed beforehand, `interval`={method.fixed!r}"
        )
    raise InputError(f"`interval` 'anytime' is known {WHERE_KNOWN[found]}; {remedy}")


def anytime_interval(result: Inference, design: Design, level: float) -> Interval:
    """The interval that covers the metric at every look at once with probability `level`; it also contains the estimate."""
    metric, run = result.metric, result.run
    if not metric.counts.share:
        return nothing(metric.range, level, FORM)
    waves = design.waves(run.problem, run.past, len(run.items)) if conforms(design, Watchable) else None
    if not waves:
        return nothing(metric.range, level, APART if waves is None else UNFINISHED)
    wagers = bets(metric, run, design, waves)
    found = anytime(Basis(float(result.value[0]), np.nan, range=metric.range, wagers=wagers), level)
    left = len(run.items) - sum(len(wave.rows) for wave in waves)
    return replace(found, note=joined(found.note, UNCOUNTED.format(many(left, "answer")) if left else ""))


def prior_draws(metric: Metric, problem: Problem, estimator: Estimator) -> Floats:
    """Draws of a scalar metric for limits, (J,), from the posterior given only the labels held beforehand.

    However the held items were chosen, later posteriors are compared with this one.
    """
    assert conforms(estimator, Predictive)
    return problem.once(
        ("prior draws", metric),
        lambda: values_at(metric, estimator.predict(metric, problem, problem.held)[1])[:, 0],
    )


def bets(metric: Metric, run: Run, design: Design, waves: list[Wave]) -> Wagers:
    """The wagers on a share, which allow for any labels of unanswered items."""
    problem = run.problem
    swings = problem.once(("swings", metric), lambda: swings_of(metric, problem))
    against, favouring = (wager(metric, run, waves, swings, losses) for losses in extreme_losses(metric, run))
    return Wagers(against, favouring, expected_deviation(metric, problem, design))


def wager(metric: Metric, run: Run, waves: list[Wave], swings: Floats, losses: Floats) -> Wager:
    """The wager on a share with the labels of these waves.

    Args:
        metric: The share.
        run: The answered run.
        waves: The waves of this run.
        swings: Result of `swings_of`, (C, 2).
        losses: ℓ of every row of the run, (k, 2).
    """
    loss = np.concatenate([losses[wave.rows] for wave in waves])
    place = np.repeat(np.arange(len(waves)), [len(wave.rows) for wave in waves])
    sums = summed(loss, place, len(waves))
    telling = loss[:, 1] > 0
    return Wager(
        loss[telling, 0],
        loss[telling, 1],
        np.concatenate([wave.inclusion for wave in waves])[telling],
        place[telling],
        held_loss(metric, run) + np.cumsum(sums, axis=0) - sums,
        np.stack([room_of(wave.least, swings) for wave in waves]),
        np.stack([room_of(wave.least_before, swings) for wave in waves]),
        np.array([wave.stake for wave in waves]),
    )


def room_of(least: Floats, swings: Floats) -> Floats:
    """Largest wagers λ up and down, (2,), with 1 + (e^{−λs} − 1)/b ≥ 0 for every possible swing s."""
    with np.errstate(divide="ignore", invalid="ignore"):
        most = np.where(swings > 0, -np.log1p(-least)[:, None] / swings, np.inf).min(axis=0)
    return np.asarray(most)


def swings_of(metric: Metric, problem: Problem) -> Floats:
    """Largest ℓ₂ − ℓ₁ and largest ℓ₁ over all items and labels, by decision, (C, 2)."""
    items, codes = problem.pool.items, decisions(problem)
    if metric.cells is not None:
        items = items.take(distinct(paired(metric.cells(items), codes))[0])
    found = np.zeros((int(codes.max(initial=0)) + 1, 2))
    against, most = extreme_labels(metric, items, problem.belief.take(items.index))
    short = metric.loss(items, against) @ [-1.0, 1.0]
    np.maximum.at(found, codes[items.index], np.column_stack([short, metric.loss(items, most)[:, 0]]))
    return found


def extreme_labels(metric: Metric, items: Items, belief: Belief) -> tuple[Encoded, Encoded]:
    """The labels with the largest ℓ₂ − ℓ₁, which lower the share most, and those with the largest ℓ₁, which raise it most."""
    against, most = np.array([[1.0, -1.0]]), np.array([[1.0, 0.0]])
    return worst_labels(metric, items, belief, against)[0], worst_labels(metric, items, belief, most)[1]


def extreme_losses(metric: Metric, run: Run) -> tuple[Floats, Floats]:
    """ℓ of every row, (k, 2), with the labels of unanswered items that lower the share most, and that raise it most."""
    lowest = metric.loss(run.items, run.labels)
    if not len(silent := run.silent):
        return lowest, lowest
    highest, (items, belief) = lowest.copy(), run.unanswered
    against, most = extreme_labels(metric, items, belief)
    lowest[silent], highest[silent] = metric.loss(items, against), metric.loss(items, most)
    return lowest, highest


def expected_deviation(metric: Metric, problem: Problem, design: Design) -> float:
    """Standard deviation of the weighted Σd after a typical number of labels, as expected under the first belief."""
    variance = variance_at(design, problem.profile_for(metric), 1)
    total = problem.predicted_risk(metric)[1] * problem.pool.size
    expected = np.sqrt(variance / TYPICAL) * total
    return float(expected) if expected > 0 else float(np.sqrt(problem.pool.size))
