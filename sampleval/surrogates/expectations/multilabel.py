"""Deviations that are sums over independent labels: moments without listing 2^C label sets (Y eq 95–97)."""

from __future__ import annotations

import numpy as np

from sampleval.pool import Flags, Floats


def moments(effect: Floats, mean: Floats) -> tuple[Floats, Floats, Floats, Flags]:
    """(E‖d‖², E‖d‖, E‖d − E d‖², whether d can be ≠ 0), each (n,), of d = Σ_c d_c.

    The first includes the cross terms between labels, E‖d‖² = ‖Σ E d_c‖² + Σ Var d_c (Y eq 95–97). E‖d‖ is an upper
    bound: exact for sets that differ from the likeliest one in at most one label, by Jensen's inequality for all others.

    Args:
        effect: d_c for y_c = 0 and 1, (n, C, 2, m).
        mean: π(y_c = 1), (n, C).
    """
    change, centre = _first_moment(effect, mean)
    variance = np.einsum("nc,ncm,ncm->n", mean * (1 - mean), change, change)
    square = np.einsum("nm,nm->n", centre, centre) + variance
    noise = 1e-14 * np.abs(effect).max(initial=0.0) * effect.shape[1]
    able = np.abs(change) > noise
    possible = able.any(axis=(1, 2)) | (np.abs(effect[:, :, 0].sum(axis=1)) > noise).any(axis=1)
    return square, _absolute(effect, change, mean, square), variance, possible


def _first_moment(effect: Floats, mean: Floats) -> tuple[Floats, Floats]:
    """What a positive label adds to d compared with a negative one, (n, C, m), and E d, (n, m)."""
    change = effect[:, :, 1] - effect[:, :, 0]
    return change, effect[:, :, 0].sum(axis=1) + np.einsum("nc,ncm->nm", mean, change)


def _absolute(effect: Floats, change: Floats, mean: Floats, square: Floats) -> Floats:
    likely = mean > 0.5
    base = np.where(likely[:, :, None], effect[:, :, 1], effect[:, :, 0]).sum(axis=1)
    away = base[:, None] + np.where(likely[:, :, None], -change, change)
    rare = np.minimum(mean, 1 - mean)
    none = (1 - rare).prod(axis=1)
    one = none[:, None] * rare / (1 - rare)
    at_base, at_one = np.einsum("nm,nm->n", base, base), np.einsum("ncm,ncm->nc", away, away)
    known = none * np.sqrt(at_base) + np.einsum("nc,nc->n", one, np.sqrt(at_one))
    chance_left = np.maximum(1 - none - one.sum(axis=1), 0.0)
    square_left = np.maximum(square - none * at_base - np.einsum("nc,nc->n", one, at_one), 0.0)
    return np.asarray(known + np.sqrt(chance_left * square_left))


def squares(effect: Floats, mean: Floats) -> Floats:
    """E d² of each component, (n, m), with the cross terms between labels; arguments as in `moments`."""
    change, centre = _first_moment(effect, mean)
    return np.asarray(centre**2 + np.einsum("nc,ncm->nm", mean * (1 - mean), change**2))
