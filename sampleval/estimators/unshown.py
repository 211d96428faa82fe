"""What a model-assisted estimate adds to its variance: labels unlike all those seen, and mistakes yet to be met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.estimators.run import Run, recalibrated
from sampleval.metrics import Metric, effects
from sampleval.metrics.jacobians import Jacobian
from sampleval.pool import Floats, Integers, Items
from sampleval.surrogates import Belief, expected_loss, expected_squares, one_of_each

# Both from `benchmarks/tried.md`:
UNLIKE = 0.04  # fraction of one unforeseen label that counts in addition to the observed labels
BELIEVED = 10.0  # degrees of freedom that the belief's own variance counts as
ROUNDING = 1e-13  # times the sum of its terms: a smaller difference is what rounding leaves of them
TINY = np.finfo(float).tiny


@dataclass(frozen=True, slots=True, eq=False)
class Unshown:
    """What a variance lacks of the labels of some rows.

    Attributes:
        metric: The metric.
        run: The answered run.
        items: The rows' items, (k,).
        weight: Weight of each row's residual in the standard deviation of the estimated sum, (k,).
        foreseen: m of each row in units of the metric, (k, m).
        jacobian: Dg, (m, d).
    """

    metric: Metric
    run: Run
    items: Items
    weight: Floats
    foreseen: Floats
    jacobian: Jacobian

    def unlike_any(self) -> Floats:
        """Factors of the variance that unforeseen labels would add, (k, m), as if `UNLIKE` of one such label had been observed.

        V = UNLIKE·Σ v²/Σ v, where v is what a row would add to the variance if its label were drawn from all labels that
        the pool is believed to have. Rows that represent many items count most.
        """
        problem = self.run.problem
        shares = problem.once("shares of labels", lambda: problem.belief.mean.mean(axis=0))
        anyone = Belief(problem.pool.task, np.broadcast_to(shares, (len(self.items), *shares.shape)))
        one, which = one_of_each(self.metric, self.items)  # one belief for all: few cells
        added = self._added(self.items.take(one), anyone.take(one), which)
        return np.asarray(added * np.sqrt(UNLIKE / np.maximum(added.sum(axis=0), TINY)))

    def unmet(self, variance: Floats, degrees: Floats) -> Floats:
        """Factors, (k, m), that raise a variance V̂ of ν degrees of freedom to (ν V̂ + ν₀ V_π)/(ν + ν₀), if V_π is larger.

        V_π is the variance of the same rows if their labels were as the belief after all labels has them, and ν₀ is `BELIEVED`:
        the posterior mean under a scaled inverse χ² prior. ν, the `degrees`, counts what the residuals show: the imagined label
        in V̂ is spread over all rows, and would make a variance that rests on few labels look well known.
        """
        belief = recalibrated(self.run.problem, self.run.known, self.items.index)
        added = self._added(self.items, belief, np.arange(len(self.items)))
        expected = np.maximum(added.sum(axis=0), TINY)
        more = np.maximum(expected - variance, 0.0) * BELIEVED / (BELIEVED + degrees)
        return np.asarray(np.sqrt(added * more / expected))

    def _added(self, items: Items, belief: Belief, which: Integers) -> Floats:
        """What each row is expected to add to the variance, (k, m): weight² · E (d − m)².

        These are n items with a belief about each; `which`, (k,), tells which of them stands for each row.
        """
        mean = effects(expected_loss(self.metric, items, belief), self.jacobian)[which]
        square = expected_squares(self.metric, items, belief, self.jacobian)[which]
        less = self.foreseen * (2 * mean - self.foreseen)
        off = square - less
        # The root of what rounding leaves of equal terms, 1e-10, would pass for a variance that the labels showed.
        off[off <= ROUNDING * (square + np.abs(less))] = 0.0
        return np.asarray((self.weight[:, None] / self.run.population) ** 2 * off)
