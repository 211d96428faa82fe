"""Inclusion probabilities by exact water-filling (Y Alg 3, corrected), equal ones, and the defensive mixture of both (M 3.3.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sampleval.pool import Flags, Floats, Integers


def defended(h: Floats, defensive: float, eligible: Flags) -> Floats:
    """(1−δ)·h/Σh + δ/E over the E items that may be asked (M 3.3.1), (N,): proportional to h at δ = 0, even at δ = 1.

    δ, in [0, 1], is the `defensive` share. Sizes h, (N,), are 0 for other items; if all are 0, probabilities are equal.
    """
    return eligible * defensive_mixture(h, float(h.sum()), defensive, max(int(np.count_nonzero(eligible)), 1))


def spread_sizes(h: Floats, defensive: float, eligible: Flags) -> Floats:
    """Sizes in the defensive mixture, (N,); h itself for δ = 0, and where no label matters, since nothing is asked then."""
    return defended(h, defensive, eligible) if defensive and h.any() else h


def defensive_mixture(h: Floats, total: float, defensive: float, items: float) -> Floats:
    """(1−δ)·h/Σh + δ/E of some items, or of groups of alike items, (K,); 1/E if Σh = 0.

    Of all items, Σh is the `total` of the sizes and E the number of `items` that may be asked.
    """
    if total == 0:
        return np.full(len(h), 1 / items)
    return np.asarray((1 - defensive) * h / total + defensive / items)


@dataclass(frozen=True, slots=True, eq=False)
class Waterline:
    """The budgets at which items become certain under b = min(1, κh) with Σb = M, for every M at once.

    Attributes:
        h: Sizes in falling order, (P,), all positive; of items, or of groups of alike items.
        onset: Budget at which the c-th largest item and all before it are certain, (P,).
        tail: Σ h of the items after the first c, (P+1,).
        before: Number of items among the first c, (P+1,): c itself unless they are groups.
    """

    h: Floats
    onset: Floats
    tail: Floats
    before: Floats

    @classmethod
    def of(cls, h: Floats) -> Waterline:
        """The waterline of sizes in any order, O(N log N)."""
        return cls.sorted(np.sort(h[h > 0])[::-1])

    @classmethod
    def sorted(cls, falling: Floats, count: Floats | None = None) -> Waterline:
        """The waterline of positive sizes in falling order, with `count` items of each, by default one, (P,) both; O(N)."""
        count = np.ones(len(falling)) if count is None else count
        tail = np.append(np.cumsum((count * falling)[::-1])[::-1], 0.0)
        before = np.append(0.0, np.cumsum(count))
        # κ = (M − before)/tail with the items before it certain, and κ·h_c ≥ 1 from M = before + tail/h_c on.
        onset = before[:-1] + tail[:-1] / falling if len(falling) else falling
        return cls(falling, np.maximum.accumulate(onset) if len(onset) else onset, tail, before)

    def certain(self, budget: Floats | float) -> Integers:
        """Number of items with b = 1 at these budgets; all of them once M ≥ #{h > 0}."""
        return self.before[self._full(budget)].astype(np.intp)

    def scale(self, budget: Floats | float) -> Floats:
        """κ of b = min(1, κh) at these budgets, infinite once every item is certain."""
        c = self._full(budget)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = (np.asarray(budget, float) - self.before[c]) / self.tail[c]
        return np.where(c >= len(self.h), np.inf, scale)

    def _full(self, budget: Floats | float) -> Integers:
        """Number of items, or of groups, that are certain."""
        within = np.searchsorted(self.onset, np.asarray(budget, float), side="right")
        return np.where(np.asarray(budget) >= self.before[-1], len(self.h), within)


def water_fill(h: Floats, budget: float, *, waterline: Waterline | None = None) -> Floats:
    """bₙ = min(1, κhₙ) with Σb = min(M, #{h > 0}), (N,): minimises Σ h²/b (Y eq 70, Alg 3).

    In Y's Algorithm 3 as printed, the sum is too small by 1 − b of the first item that is not certain. Here items
    before j get 1 and the rest h·(M−(j−1))/Σ_{r≥j} h_r.

    Args:
        h: Sizes, (N,), ≥ 0.
        budget: M, the sum wanted, ≥ 0.
        waterline: That of the same sizes, which saves sorting them.

    >>> water_fill(np.array([8.0, 1.0, 1.0, 0.0]), 2).tolist()
    [1.0, 0.5, 0.5, 0.0]
    """
    scale = float((waterline or Waterline.of(h)).scale(budget))
    b = np.where(h > 0, np.minimum(1.0, scale * np.where(h > 0, h, 1.0)), 0.0)
    open_ = (b > 0) & (b < 1)
    missing = budget - float(np.count_nonzero(b == 1))
    if open_.any():  # this brings the rounding error of the cumulative sum below 1e-9
        b[open_] = np.minimum(1.0, b[open_] * (missing / b[open_].sum()))
    return b


def even_inclusion(eligible: Flags, budget: int) -> Floats:
    """Equal inclusion probabilities, (N,): M/E for the E items that may be asked, 0 for the others."""
    return np.where(eligible, min(budget / max(eligible.sum(), 1), 1.0), 0.0)
