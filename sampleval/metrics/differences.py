"""Differences of two metrics: of two systems on the same items, or of any two metrics of the same form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NoReturn, TypeVar

import numpy as np
from scipy import sparse

from sampleval._checks import fail, instance, isolated
from sampleval.memo import once_each
from sampleval.metrics.base import Encoded, Metric
from sampleval.metrics.codes import Coder, paired, side_by_side
from sampleval.metrics.jacobians import Jacobian
from sampleval.metrics.makers import repeatable
from sampleval.metrics.wrappers import as_metric, of_system, quoted
from sampleval.pool import Flags, Floats, Integers, Items, Pool, Task

T = TypeVar("T")


def difference(metric: Metric, a: str, b: str) -> Metric:
    """The metric of system a minus that of system b on the same items: errors that both make cancel."""
    a, b = instance(a, str, "a"), instance(b, str, "b")
    name = f"{as_metric(metric).name}[{quoted(a)} - {quoted(b)}]"
    title = f"{metric.title}, {isolated(a)} − {isolated(b)}"
    return minus(of_system(metric, a), of_system(metric, b), name, title)


def between_systems(metric: Metric) -> bool:
    """Whether a metric is a difference of two systems alone: its two terms are one metric of the same part of the pool."""
    return (
        metric.without_systems is not None
        and bool(metric.terms)
        and not any(term.terms for term in metric.terms)
    )


@once_each
def between_parts(pool: Pool, metric: Metric) -> bool:
    """Whether a metric is a difference of two metrics of parts of the pool that have no item in common."""
    codes = [term.part.codes(pool.items) > 0 for term in metric.terms if term.part]
    return len(codes) == 2 and not (codes[0] & codes[1]).any()


def halves(metric: Metric, risk: Floats) -> Iterator[tuple[Metric, Floats]]:
    """Both terms of a difference, each with its half of R, (d,), or of other sums or losses in rows, (…, d).

    >>> from sampleval.metrics import resolve
    >>> [(term.name, half.tolist()) for term, half in halves(resolve("recall[new - old]"), np.arange(4.0))]
    [('recall[new]', [0.0, 1.0]), ('recall[old]', [2.0, 3.0])]
    """
    return zip(metric.terms, np.split(risk, 2, axis=-1), strict=True)


@repeatable
def minus(first: Metric, second: Metric, name: str = "", title: str = "") -> Metric:
    """first − second estimated from the same labels, ℓ = (ℓ₁, ℓ₂), which takes their covariance into account.

    Args:
        first: A metric.
        second: Another of the same form, e.g. for another system or another part of the pool.
        name: Name of the difference; by default it is made from the names of the two.
        title: The title that people read; by default it is made from the titles of the two.

    Raises:
        InputError: One has several components and the other has not, or one is a total and the other is not, or over other
            items.
    """
    first, second = as_metric(first, "first"), as_metric(second, "second")
    if first.vector != second.vector:
        _refuse_unlike(first, second)
    if (first.total, first.population) != (second.total, second.population):
        rule = "must be a total over the same items as `first`, or neither may be a total"
        fail("second", rule, second.name, remedy="compare shares instead")

    (low, high), (least, most) = first.range, second.range
    # All attributes are given explicitly, so that a new one is never copied from `first` by accident.
    return Metric(
        name=name or f"{first.name} - {second.name}",
        title=title or f"{first.title} − {second.title}",
        loss=_losses(first, second),
        g=lambda risk: first.value(np.split(risk, 2)[0]) - second.value(np.split(risk, 2)[1]),
        jacobian=_slopes(first, second),
        kinds=first.kinds & second.kinds,
        range=(low - most, high - least),
        outputs=first.outputs,
        cells=_both(first.cells, second.cells, _cells),
        total=first.total,
        better=first.better,
        about=f"{first.title} minus {second.title}, on the same items.",
        undefined=_reasons(first, second),
        phrase="",
        unit=first.unit,
        smooth=first.smooth and second.smooth,
        needs_positives=first.needs_positives or second.needs_positives,
        of_scores=first.of_scores or second.of_scores,
        graded=first.graded or second.graded,
        shortcuts=first.shortcuts.beside(second.shortcuts),
        counts=first.counts.beside(second.counts, minus),
        uncentred=_both(first.uncentred, second.uncentred, lambda a, b: minus(a, b, name, title)),
        systems=first.systems | second.systems,
        without_systems=first.without_systems if first.without_systems == second.without_systems else None,
        part=side_by_side(first.part, second.part),
        among=_among(first, second, name, title),
        terms=(first, second),
    )


def _beside(left: Jacobian, right: Jacobian) -> Jacobian:
    """Two Jacobians with the same rows, side by side."""
    if sparse.issparse(left) or sparse.issparse(right):
        return sparse.hstack([left, right], format="csr")
    return np.hstack([left, right])


def _both(one: T | None, other: T | None, join: Callable[[T, T], T]) -> T | None:
    """The attributes of both metrics joined; `None` if one of them is `None`."""
    return None if one is None or other is None else join(one, other)


def _losses(first: Metric, second: Metric) -> Callable[[Items, Encoded], Floats]:
    """ℓ = (ℓ₁, ℓ₂) of a difference."""

    def loss(items: Items, y: Encoded) -> Floats:
        left, right = first.loss(items, y), second.loss(items, y)
        if left.shape != right.shape:
            _refuse_unlike(first, second)
        return np.hstack([left, right])

    return loss


def _refuse_unlike(first: Metric, second: Metric) -> NoReturn:
    rule = f"must have the form of `first` ({first.name!r})"
    fail("second", rule, second.name, remedy="look at the two side by side instead")


def _slopes(first: Metric, second: Metric) -> Callable[[Floats], Jacobian]:
    """Dg = (Dg₁, −Dg₂) of a difference."""

    def jacobian(risk: Floats) -> Jacobian:
        left, right = np.split(risk, 2)
        return _beside(first.gradient(left), -1 * second.gradient(right))

    return jacobian


def _reasons(first: Metric, second: Metric) -> Callable[[Floats, Task], str]:
    """The reason why a difference is undefined: the reasons of its metrics that are."""

    def undefined(risk: Floats, task: Task) -> str:
        pairs = zip((first, second), np.split(risk, 2), strict=True)
        return "; ".join(dict.fromkeys(m.reason(r, task) for m, r in pairs if np.isnan(m.value(r)).any()))

    return undefined


def _cells(one: Coder, other: Coder) -> Coder:
    def cells(items: Items) -> Integers:
        joint = paired(one(items), other(items))
        # Few of the possible pairs of codes occur; codes without gaps save memory.
        return np.unique(joint, return_inverse=True)[1]

    return cells


def _among(first: Metric, second: Metric, name: str, title: str) -> Callable[[Flags], Metric] | None:
    if first.among is None and second.among is None:
        return None

    def among(members: Flags) -> Metric:
        left, right = (m.among(members) if m.among else m for m in (first, second))
        return minus(left, right, name, title)

    return among
