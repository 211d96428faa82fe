"""How well one colour is seen on another, for tests of pictures and tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    """The contrast ratio of two colours (WCAG 2.2), each as red, green and blue in 0 to 255."""

    def luminance(colour: Sequence[float]) -> float:
        shares = (part / 255 for part in colour)
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares]
        return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
