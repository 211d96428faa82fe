"""Ten items in samples of several designs, on which estimators are compared with R's survey package."""

from __future__ import annotations

import numpy as np

from sampleval.designs import Draws, Inclusions, Strata
from sampleval.estimators import Linear, weighted_mean
from sampleval.metrics import METRICS

# R 4.2.2, survey 4.1.1, from the data below:
#   y, x as here; p: inclusion; options(digits = 15)
#   d <- svydesign(id = ~1, probs = ~p, data, pps = poisson_sampling(p)); svytotal(~y, d)
#   svyratio(~I(x*y), ~I(.5*x + .5*y), d)
#   d <- svydesign(id = ~1, data, fpc = rep(40, 10)); the same ratio
#   d <- svydesign(id = ~1, strata = ~s, data, fpc = N_h); svymean(~y, d); the same ratio
#   d <- svydesign(id = ~1, weights = 1/(10*q), data); the same ratio, SE times sqrt(9/10): R divides by n - 1
Y = np.array([1, 0, 1, 1, 0, 0, 1, 0, 1, 0])
X = np.array([1, 1, 0, 1, 0, 1, 1, 0, 1, 1])
P = np.array([0.9, 0.25, 0.5, 0.8, 0.1, 0.3, 0.6, 0.2, 1, 0.4])
Q = np.array([0.05, 0.02, 0.1, 0.05, 0.03, 0.03, 0.04, 0.02, 0.1, 0.06])
STRATUM = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2])


def ratio_and_error(estimator: Linear, sample: Inclusions | Strata | Draws) -> tuple[float, float]:
    """F1 of predictions X against labels Y, from the library's own parts."""
    metric = METRICS["f1"]
    loss = np.column_stack([X * Y, 0.5 * X + 0.5 * Y])
    risk = weighted_mean(estimator, sample, loss)
    jacobian = metric.gradient(risk)
    spread = estimator.spread(sample, loss @ jacobian.T, jacobian @ risk)
    return float(metric.value(risk)[0]), float(np.sqrt(spread.variance[0]))
