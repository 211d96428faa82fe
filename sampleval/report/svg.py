"""Small pictures in plain SVG, since a plotly figure would add four megabytes of script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from itertools import count, groupby
from math import floor, isfinite, log10

import numpy as np

from sampleval import frames
from sampleval.numerals import as_typed
from sampleval.study import Estimate

Scale = Callable[[float], float]

WIDTH, HEIGHT = 640, 230
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 8, 34
DIGIT = 7  # approximate width of a digit
STEPS = 4  # number of intervals between the lines of a vertical scale
ROW_WIDTH, ROW_HEIGHT, PAD = 220, 18, 6


def whisker(estimate: Estimate) -> str:
    """An estimate as a dot on its interval, on a scale from 0 to 1."""

    def x(value: float) -> float:
        return PAD + value * (ROW_WIDTH - 2 * PAD)

    middle = ROW_HEIGHT / 2
    a, b = x(estimate.interval.low), x(estimate.interval.high)
    parts = [f'<line class="scale" x1="{x(0):.1f}" y1="{middle}" x2="{x(1):.1f}" y2="{middle}"/>']
    if isfinite(estimate.value):
        parts += [
            f'<line class="ink" x1="{a:.1f}" y1="{middle}" x2="{b:.1f}" y2="{middle}"/>',
            *(f'<line class="ink" x1="{e:.1f}" y1="4" x2="{e:.1f}" y2="{ROW_HEIGHT - 4}"/>' for e in (a, b)),
            f'<circle class="dot" cx="{x(estimate.value):.1f}" cy="{middle}" r="4"/>',
        ]
    return _svg(ROW_WIDTH, ROW_HEIGHT, parts, f"{estimate.metric} on its interval")


def convergence(history: Sequence[Estimate], low: float, high: float) -> str:
    """Estimate and interval against the number of answers; limits are cut off at the ends of the scale.

    Args:
        history: Estimates after ever more answers.
        low: Lower end of the vertical scale.
        high: Upper end.
    """
    most = max(e.labels for e in history)
    values = [low + k / STEPS * (high - low) for k in range(STEPS + 1)]
    left = max(LEFT, 10 + DIGIT * max(len(as_typed(value)) for value in values))

    def x(labels: float) -> float:
        return left + labels / most * (WIDTH - left - RIGHT)

    def y(value: float) -> float:
        return TOP + (high - min(max(value, low), high)) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = _grid(x, y, most, values)
    for known, run in groupby(history, key=lambda e: e.interval.low <= e.interval.high):
        if known:  # it is not where all labels show that the metric is undefined
            ends = [(x(e.labels), y(e.interval.low), y(e.interval.high)) for e in run]
            upper = [f"{at:.1f},{top:.1f}" for at, _, top in ends]
            lower = [f"{at:.1f},{bottom:.1f}" for at, bottom, _ in ends]
            parts.append(f'<polygon class="band" points="{" ".join(upper + lower[::-1])}"/>')
    for known, run in groupby(history, key=lambda e: low <= e.value <= high):
        if known:
            points = " ".join(f"{x(e.labels):.1f},{y(e.value):.1f}" for e in run)
            parts.append(f'<polyline class="ink" fill="none" points="{points}"/>')
    parts.append(
        f'<text x="{(left + WIDTH - RIGHT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">answers</text>'
    )
    return _svg(WIDTH, HEIGHT, parts, "Estimate and interval against the number of answers")


def round_ends(history: Sequence[Estimate]) -> tuple[float, float]:
    """Round ends of a scale for an unbounded metric, which include all limits except those after the first few answers."""
    numbers = frames.late(frames.estimates(history))
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    width = high - low or abs(high) or 1.0
    rounded = (part * 10.0**k for k in count(floor(log10(width / STEPS))) for part in (1, 2, 2.5, 5))
    step = next(each for each in rounded if (floor(low / each) + STEPS) * each >= high)
    return floor(low / step) * step, (floor(low / step) + STEPS) * step


def _grid(x: Scale, y: Scale, most: int, values: Sequence[float]) -> list[str]:
    lines = []
    for value in values:
        lines.append(
            f'<line class="scale" x1="{x(0):.1f}" y1="{y(value):.1f}" x2="{WIDTH - RIGHT}" y2="{y(value):.1f}"/>'
        )
        lines.append(
            f'<text x="{x(0) - 6:.1f}" y="{y(value) + 4:.1f}" text-anchor="end">{as_typed(value)}</text>'
        )
    step = next(s * 10**e for e in range(12) for s in (1, 2, 5) if most <= 5 * s * 10**e)
    for labels in range(0, most + 1, step):
        lines.append(f'<text x="{x(labels):.1f}" y="{HEIGHT - 18}" text-anchor="middle">{labels}</text>')
    return lines


def _svg(width: int, height: int, parts: Sequence[str], title: str) -> str:
    """A picture of these parts, with an escaped title, since a metric's name may hold the user's names of systems."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg {size} role="img" aria-label="{escape(title)}">'
    return head + "".join(parts) + "</svg>"
