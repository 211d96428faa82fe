"""Metrics as functions of the threshold: precision–recall and ROC curves, F, lift (M Ex. 1).

All depend on an item's score through its bin in a grid of thresholds, so that N items cost L + 1 losses,
ℓ = (1[s ≥ τ], y·1[s ≥ τ], y, 1), d = 2L + 2. They equal the exact curves if the scores lie on the grid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import sparse

from sampleval._checks import count, fail, is_number, unit
from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.counts import Counts
from sampleval.metrics.jacobians import Jacobian, Map
from sampleval.metrics.makers import repeatable
from sampleval.metrics.names import exact
from sampleval.metrics.ranks import ranked
from sampleval.pool import Floats, Integers, Items

DEFAULT = 101  # thresholds 0, 0.01, …, 1
MOST = 10_000  # largest size of an even grid: losses have two entries per threshold

Grid = int | Floats
Weights = tuple[float, float, float, float]  # of the parts of R, see `_parts`


def thresholds(grid: Grid) -> Floats:
    """Thresholds τ₁ < … < τ_L, (L,): a number of them, at most 10,000, evenly from 0 to 1, or those given.

    Raises:
        InputError: Too few or too many thresholds, or some that do not rise.
    """
    if is_number(grid):
        return even(count(grid, "grid", minimum=2, maximum=MOST))
    given: Any = grid
    try:
        tau = np.asarray(given, float) if all(map(is_number, given)) else np.empty(0)
    except (TypeError, ValueError, OverflowError):
        tau = np.empty(0)
    if tau.ndim != 1 or not len(tau) or np.isnan(tau).any() or not (np.diff(tau) > 0).all():
        remedy = "pass a number for an even grid"
        fail("grid", "must hold thresholds in rising order", grid, remedy=remedy)
    return tau


def even(size: int) -> Floats:
    """Thresholds k/(L−1), (L,), rounded to the nearest float, so that scores with two decimals lie on hundredths.

    >>> even(5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    return np.arange(size) / (size - 1)


def score_grid(score: Floats, most: int = 1024) -> Floats:
    """Thresholds adapted to the scores: all distinct ones if they are few, so that curves are exact, else by ranks.

    Half of these divide the items evenly, half have steps that grow with the rank from the top, where precision changes
    most.

    Args:
        score: Scores of the items, (N,).
        most: Largest number of thresholds L, at least 2.
    """
    return ranked(score, most=count(most, "most", minimum=2)).low


def _loss(tau: Floats) -> Callable[[Items, Encoded], Floats]:
    def loss(items: Items, y: Encoded) -> Floats:
        above = np.arange(len(tau))[:, None] < _bins(tau)(items)
        out = np.empty((2 * len(tau) + 2, len(y)))
        out[: len(tau)], out[len(tau) : -2] = above, above & np.asarray(y, bool)
        out[-2], out[-1] = y, 1.0
        return out.T  # a column is contiguous, as sparse Jacobians read them

    return loss


def _bins(tau: Floats) -> Callable[[Items], Integers]:
    """Function from items to the number of thresholds that each score reaches, 0..L."""
    if len(tau) < 2 or not np.array_equal(tau, even(len(tau))):
        return lambda items: np.searchsorted(tau, items.score, side="right")
    last, bounds = len(tau) - 1, np.append(tau, np.inf)

    def bins(items: Items) -> Integers:
        """The number of thresholds reached on an even grid: computed up to rounding, then corrected by comparisons."""
        near = (items.score * last).astype(np.intp)
        near += bounds[near] <= items.score
        near += bounds[near] <= items.score
        return near

    return bins


def _parts(risk: Floats) -> tuple[Floats, Floats, float, float]:
    """(n, t, y, 1): shares of the items predicted positive and of those found at each threshold, of positives, and of all."""
    size = (len(risk) - 2) // 2
    return risk[:size], risk[size:-2], risk[-2], risk[-1]  # NumPy scalars, which divided by zero give inf


def _banded(rows: int, *columns: tuple[Any, Any]) -> Jacobian:
    """A sparse (rows, d) Jacobian from pairs of (column of every row, entry of every row)."""
    row = np.tile(np.arange(rows), len(columns))
    column, entry = (np.concatenate([np.broadcast_to(pair[k], rows) for pair in columns]) for k in range(2))
    return sparse.csr_array((entry.astype(float), (row, column)), (rows, 2 * rows + 2))


@dataclass(frozen=True, slots=True)
class Rate:
    """A share at each threshold: a·(n, t, y, 1) / b·(n, t, y, 1), a `above` and b `below`, with the parts of R as in `_parts`."""

    name: str
    above: Weights
    below: Weights

    def value(self, risk: Floats) -> Floats:
        """The share at each threshold, (L,)."""
        return _sum(self.above, risk) / self.whole(risk)

    def whole(self, risk: Floats) -> Floats:
        """b·(n, t, y, 1), (L,)."""
        return _sum(self.below, risk)

    def slope(self, risk: Floats) -> Jacobian:
        """Its Jacobian (a − b·share)/whole, (L, d), sparse."""
        whole = self.whole(risk)
        part, rows = _sum(self.above, risk) / whole**2, len(whole)
        columns = np.arange(rows), rows + np.arange(rows), 2 * rows, 2 * rows + 1
        each = zip(columns, self.above, self.below, strict=True)
        return _banded(rows, *((column, a / whole - b * part) for column, a, b in each if a or b))


def _sum(weights: Weights, risk: Floats) -> Floats:
    of_n, of_t, of_y, of_one = weights
    n, t, y, one = _parts(risk)
    return np.asarray(of_n * n + of_t * t + of_y * y + of_one * one)


PRECISION = Rate("precision", (0, 1, 0, 0), (1, 0, 0, 0))
RECALL = Rate("recall", (0, 1, 0, 0), (0, 0, 1, 0))
TRUE_POSITIVES = replace(RECALL, name="true positive rate")
FALSE_POSITIVES = Rate("false positive rate", (1, -1, 0, 0), (0, 0, -1, 1))


def _metric(
    name: str,
    title: str,
    grid: Grid,
    g: Callable[[Floats], Any],
    jacobian: Callable[[Floats], Jacobian],
    *,
    quantities: tuple[str, ...],
    range: tuple[float, float] = (0.0, 1.0),
    wholes: Map | None = None,
    about: str,
) -> Metric:
    """A metric of the shares at each threshold, with the grid in its name unless it is the default."""
    tau = thresholds(grid)
    return Metric(
        name + _suffix(grid, tau),
        title,
        _loss(tau),
        g,
        jacobian,
        range=range,
        outputs=tuple(f"{quantity} at {t}" for quantity in quantities for t in _told_apart(tau)),
        counts=Counts(wholes=wholes),
        cells=_bins(tau),
        about=about,
        undefined="no labelled item scores so high, or no positive was found",
        needs_positives=True,
        of_scores=True,
    )


def _told_apart(tau: Floats) -> list[str]:
    """Thresholds as text, with six digits or with all of them if six do not distinguish all thresholds."""
    short = [f"{t:.6g}" for t in tau]
    return short if len(set(short)) == len(tau) else [exact(t) for t in tau]


def _suffix(grid: Grid, tau: Floats) -> str:
    """Suffix of a metric's name for its grid, "" for the default; that of an even grid is its size, which `resolve` reads."""
    if isinstance(grid, int):
        return "" if grid == DEFAULT else f"@{grid}"
    return f"@{len(tau)}-{blake2b(tau.tobytes(), digest_size=4).hexdigest()}"


def _of_rates(name: str, title: str, grid: Grid, *rates: Rate, about: str) -> Metric:
    """A metric of these shares at every threshold, one after the other."""
    return _metric(
        name,
        title,
        grid,
        lambda risk: np.concatenate([rate.value(risk) for rate in rates]),
        lambda risk: sparse.vstack([rate.slope(risk) for rate in rates], format="csr"),
        quantities=tuple(rate.name for rate in rates),
        wholes=lambda risk: np.concatenate([rate.whole(risk) for rate in rates]),
        about=about,
    )


@repeatable
def precision_recall_curve(grid: Grid = DEFAULT) -> Metric:
    """Precision t/n, then recall t/y at every threshold: m = 2L (M Ex. 1)."""
    about = "Precision and recall at every threshold."
    return _of_rates("pr_curve", "Precision–recall curve", grid, PRECISION, RECALL, about=about)


@repeatable
def roc_curve(grid: Grid = DEFAULT) -> Metric:
    """False positive rate (n−t)/(1−y), then true positive rate t/y at every threshold: m = 2L."""
    about = "False and true positive rate at every threshold."
    return _of_rates("roc_curve", "ROC curve", grid, FALSE_POSITIVES, TRUE_POSITIVES, about=about)


@repeatable
def f_curve(alpha: float = 0.5, grid: Grid = DEFAULT) -> Metric:
    """F_α = t/(αn + (1−α)y) at every threshold, 0 ≤ α ≤ 1."""
    alpha = unit(alpha, "alpha", remedy="α = 1/(1+β²)")
    name, title = ("f1", "F1") if alpha == 0.5 else (f"f_alpha={exact(alpha)}", f"F (α = {exact(alpha)})")
    rate = Rate(title, (0, 1, 0, 0), (alpha, 0, 1 - alpha, 0))
    about = "What F would be at another threshold."
    return _of_rates(f"{name}_curve", f"{title} against the threshold", grid, rate, about=about)


@repeatable
def lift_curve(grid: Grid = DEFAULT) -> Metric:
    """(t/n)/(y/1) at every threshold: the share of positives above it relative to that in the whole pool."""

    def g(risk: Floats) -> Floats:
        n, t, y, one = _parts(risk)
        return t * one / (n * y)

    def jacobian(risk: Floats) -> Jacobian:
        n, t, y, one = _parts(risk)
        at, lift = np.arange(len(n)), t * one / (n * y)
        return _banded(
            len(n),
            (at, -lift / n),
            (len(n) + at, one / (n * y)),
            (2 * len(n), -lift / y),
            (2 * len(n) + 1, lift / one),
        )

    about = "Share of positives above each threshold, relative to the share in the whole pool."
    return _metric(
        "lift_curve", "Lift", grid, g, jacobian, quantities=("lift",), range=(0.0, np.inf), about=about
    )


CURVES = (precision_recall_curve(), roc_curve(), f_curve(), lift_curve())
ON_GRIDS: MappingProxyType[str, Callable[[int], Metric]] = MappingProxyType(
    {
        "pr_curve": precision_recall_curve,
        "roc_curve": roc_curve,
        "f1_curve": lambda grid: f_curve(grid=grid),
        "lift_curve": lift_curve,
    }
)
