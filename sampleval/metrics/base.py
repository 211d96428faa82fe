"""What a metric is: a loss, a map g of its mean, and the Jacobian of that map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sampleval.pool import Floats, Integers, Items, Kind

Encoded = NDArray[Any]
Loss = Callable[[Items, Encoded], Floats]
Map = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Metric:
    """G = g(R) with R = (1/N) Σₙ ℓ(n, yₙ), the mean of a vector loss over the pool (M, Def. 1).

    Every loss carries what its g needs to be homogeneous of degree 0, so that Dg(R)·R = 0 and the
    linearised deviation of an item is dₙ(y) = Dg(R)·ℓ(n, y).

    Attributes:
        name: Key in the registry, e.g. "f1".
        title: The name people read, e.g. "F1 score".
        loss: ℓ of n items and their encoded labels, (n, d).
        g: R (d,) to G (m,); `nan` where undefined.
        jacobian: Dg at R, (m, d); `None` for central differences.
        kinds: The tasks it is defined for.
        range: Smallest and largest possible value.
        outputs: Names of the m components; one empty name for a scalar.
        cells: Codes (n,) in 0..K−1 such that ℓ depends on an item through its code alone; lets a
            pool of N items cost K losses. `None` where ℓ depends on the score itself.
        total: Whether G is a count over the pool: N·g(R).
        about: What it answers, in one sentence.
        undefined: Why g can be `nan`, in words.
        needs_positives: Whether a sample without a positive says nothing about it.
    """

    name: str
    title: str
    loss: Loss
    g: Map
    jacobian: Map | None = None
    kinds: frozenset[Kind] = frozenset({"binary"})
    range: tuple[float, float] = (0.0, 1.0)
    outputs: tuple[str, ...] = ("",)
    cells: Callable[[Items], Integers] | None = None
    total: bool = False
    about: str = ""
    undefined: str = ""
    needs_positives: bool = False

    def value(self, risk: Floats) -> Floats:
        """g(R), (m,), without floating-point warnings; `nan` where undefined."""
        with np.errstate(all="ignore"):
            value = np.atleast_1d(np.asarray(self.g(risk), float))
        return np.where(np.isfinite(value), value, np.nan)

    def gradient(self, risk: Floats) -> Floats:
        """Dg(R), (m, d), analytic where given, else by central differences."""
        with np.errstate(all="ignore"):
            if self.jacobian is not None:
                return np.atleast_2d(np.asarray(self.jacobian(risk), float))
            return numeric_jacobian(self.g, risk)


def numeric_jacobian(g: Map, risk: Floats) -> Floats:
    """Central differences of g at R, (m, d), with the step that balances the two errors."""
    step = np.cbrt(np.finfo(float).eps) * np.maximum(np.abs(risk), 1e-3)
    shifts = np.diag(step)
    columns = [
        (np.atleast_1d(g(risk + s)) - np.atleast_1d(g(risk - s))) / (2 * h)
        for s, h in zip(shifts, step, strict=True)
    ]
    return np.stack(columns, axis=1)


def ratio(
    name: str,
    title: str,
    parts: Callable[[Items, Encoded], tuple[NDArray[Any] | float, NDArray[Any] | float]],
    **options: Any,
) -> Metric:
    """The metric Σf / Σg of Y eq 1: ℓ = (f, g), G = R₁/R₂, Dg = (1, −G)/R₂.

    >>> m = ratio("share", "Share", lambda items, y: (y, 1.0))
    >>> m.value(np.array([0.2, 0.8])).tolist()
    [0.25]
    """

    def loss(items: Items, y: Encoded) -> Floats:
        out = np.empty((len(y), 2))
        out[:, 0], out[:, 1] = parts(items, y)
        return out

    def jacobian(risk: Floats) -> Floats:
        return np.array([[1.0, -risk[0] / risk[1]]]) / risk[1]

    return Metric(name, title, loss, lambda risk: risk[:1] / risk[1], jacobian, **options)
