"""Small pictures in plain SVG: a plotly figure would bring four megabytes of script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import isfinite

from sampleval.study import Estimate

Scale = Callable[[float], float]

WIDTH, HEIGHT = 640, 230
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 8, 34
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
    """Estimate and interval against the number of answers.

    Args:
        history: Estimates after ever more answers.
        low: Lower end of the vertical scale.
        high: Upper end.
    """
    most = max(e.labels for e in history)

    def x(labels: float) -> float:
        return LEFT + labels / most * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    upper = [f"{x(e.labels):.1f},{y(e.interval.high):.1f}" for e in history]
    lower = [f"{x(e.labels):.1f},{y(e.interval.low):.1f}" for e in history]
    parts = [
        *_grid(x, y, most, low, high),
        f'<polygon class="band" points="{" ".join(upper + lower[::-1])}"/>',
    ]
    for known, run in groupby(history, key=lambda e: isfinite(e.value)):
        if known:
            points = " ".join(f"{x(e.labels):.1f},{y(e.value):.1f}" for e in run)
            parts.append(f'<polyline class="ink" fill="none" points="{points}"/>')
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">answers</text>'
    )
    return _svg(WIDTH, HEIGHT, parts, "Estimate and interval against the number of answers")


def _grid(x: Scale, y: Scale, most: int, low: float, high: float) -> list[str]:
    lines = []
    for k in range(5):
        value = low + k / 4 * (high - low)
        lines.append(
            f'<line class="scale" x1="{LEFT}" y1="{y(value):.1f}" x2="{WIDTH - RIGHT}" y2="{y(value):.1f}"/>'
        )
        lines.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    step = next(s * 10**e for e in range(12) for s in (1, 2, 5) if most <= 5 * s * 10**e)
    for labels in range(0, most + 1, step):
        lines.append(f'<text x="{x(labels):.1f}" y="{HEIGHT - 18}" text-anchor="middle">{labels}</text>')
    return lines


def _svg(width: int, height: int, parts: Sequence[str], title: str) -> str:
    """`title` must hold no user text: it is a sentence of ours with registry names."""
    head = f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{title}">'
    return head + "".join(parts) + "</svg>"
