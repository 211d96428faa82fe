"""What a model-assisted estimate adds to its variance: labels unlike all those seen, and mistakes yet to be met.

Throughout, `foreseen` is m of each row in units of the metric, (k, m), and `jacobian` is Dg, (m, d).
"""

from __future__ import annotations

import numpy as np

from sampleval.estimators.rounds import Weighed
from sampleval.estimators.run import Run, recalibrated
from sampleval.metrics import Metric, effects
from sampleval.metrics.jacobians import Jacobian
from sampleval.pool import Floats
from sampleval.surrogates import Belief, expected_loss, expected_squares, one_of_each

# Both from `benchmarks/tried.md`:
UNLIKE = 0.04  # fraction of one unforeseen label that counts in addition to the observed labels
BELIEVED = 10.0  # degrees of freedom that the belief's own variance counts as
ROUNDING = 1e-13  # times the sum of its terms: a smaller difference is what rounding leaves of them
TINY = np.finfo(float).tiny


def unlike_any(metric: Metric, run: Run, weighed: Weighed, foreseen: Floats, jacobian: Jacobian) -> Floats:
    """Factors of the variance that unforeseen labels would add, (k, m), as if `UNLIKE` of one such label had been observed.

    V = UNLIKE·Σ v²/Σ v, where v is what a row would add to the variance if its label were drawn from all labels that
    the pool is believed to have. Rows that represent many items count most.
    """
    problem, items = run.problem, run.items.take(weighed.rounds.rows)
    shares = problem.once("shares of labels", lambda: problem.belief.mean.mean(axis=0))
    anyone = Belief(problem.pool.task, np.broadcast_to(shares, (len(items), *shares.shape)))
    one, which = one_of_each(metric, items)  # one belief for all: few cells
    typical, about = items.take(one), anyone.take(one)
    mean = effects(expected_loss(metric, typical, about), jacobian)[which]
    square = expected_squares(metric, typical, about, jacobian)[which]
    added = added_by_each(run, weighed, foreseen, mean, square)
    return np.asarray(added * np.sqrt(UNLIKE / np.maximum(added.sum(axis=0), TINY)))


def unmet(
    metric: Metric,
    run: Run,
    weighed: Weighed,
    foreseen: Floats,
    jacobian: Jacobian,
    variance: Floats,
    degrees: Floats,
) -> Floats:
    """Factors, (k, m), that raise a variance V̂ of ν degrees of freedom to (ν V̂ + ν₀ V_π)/(ν + ν₀), if V_π is larger.

    V_π is the variance of the same rows if their labels were as the belief after all labels has them, and ν₀ is `BELIEVED`:
    the posterior mean under a scaled inverse χ² prior. ν, the `degrees`, counts what the residuals show: the imagined label
    in V̂ is spread over all rows, and would make a variance that rests on few labels look well known.
    """
    items = run.items.take(weighed.rounds.rows)
    belief = recalibrated(run.problem, run.known, items.index)
    mean = effects(expected_loss(metric, items, belief), jacobian)
    square = expected_squares(metric, items, belief, jacobian)
    added = added_by_each(run, weighed, foreseen, mean, square)
    expected = np.maximum(added.sum(axis=0), TINY)
    more = np.maximum(expected - variance, 0.0) * BELIEVED / (BELIEVED + degrees)
    return np.asarray(np.sqrt(added * more / expected))


def added_by_each(run: Run, weighed: Weighed, foreseen: Floats, mean: Floats, square: Floats) -> Floats:
    """What each row is expected to add to the variance, (k, m): weight² · E (d − m)², from E d and E d² of each row, (k, m)."""
    rounds = weighed.rounds
    less = foreseen * (2 * mean - foreseen)
    off = square - less
    # The root of what rounding leaves of equal terms, 1e-10, would pass for a variance that the labels showed.
    off[off <= ROUNDING * (square + np.abs(less))] = 0.0
    weight = weighed.shares[rounds.round] * weighed.own * np.sqrt(1 - rounds.inclusion)
    return np.asarray((weight[:, None] / run.population) ** 2 * off)
