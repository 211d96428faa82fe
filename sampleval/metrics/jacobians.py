"""Jacobians of g, dense or sparse, analytic or numeric, and the effects of losses through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from sampleval.pool import Floats

Map = Callable[[Floats], Floats | float]
Jacobian = Any  # (m, d), a NumPy array or, where most entries are 0, a SciPy sparse one


def finite(jacobian: Jacobian) -> Jacobian:
    """A Jacobian with 0 in place of undefined and infinite entries, so that they have no effect."""
    if sparse.issparse(jacobian):
        jacobian = jacobian.tocsr(copy=True)  # its rows can be picked
        jacobian.data = finite(jacobian.data)
        return jacobian
    return np.nan_to_num(jacobian, nan=0.0, posinf=0.0, neginf=0.0)


def dense(jacobian: Jacobian) -> Floats:
    """A Jacobian as a NumPy array, (m, d)."""
    return np.asarray(jacobian.toarray() if sparse.issparse(jacobian) else jacobian)


def effects(loss: Floats, jacobian: Jacobian) -> Floats:
    """Dg·ℓ of each row, (n, d) to (n, m), for a dense or sparse Dg."""
    return np.asarray(loss @ jacobian.T)


def numeric_jacobian(g: Map, risk: Floats) -> Floats:
    """Central differences of g at R, (m, d), with a step that balances truncation and rounding errors."""
    step = np.cbrt(np.finfo(float).eps) * np.maximum(np.abs(risk), 1e-3)
    shifts = np.diag(step)
    columns = [  # as floats: NumPy does not subtract True and False, and wraps round below 0 without a sign
        np.atleast_1d(np.subtract(g(risk + s), g(risk - s), dtype=float)) / (2 * h)
        for s, h in zip(shifts, step, strict=True)
    ]
    return np.stack(columns, axis=1)
