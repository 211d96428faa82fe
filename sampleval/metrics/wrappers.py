"""Metrics of one of several systems, of a part of the pool, and differences (M section 2.2).

Each wraps any metric and is a metric again: the same designs, estimators and intervals serve it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeVar

import numpy as np
from scipy import sparse

from sampleval._checks import InputError, fail, instance
from sampleval.metrics.base import Encoded, Jacobian, Metric
from sampleval.metrics.codes import Coder, paired
from sampleval.numerals import many
from sampleval.pool import Flags, Floats, Integers, Items, Task

T = TypeVar("T")
Exceptions = Callable[[Items], Iterator[Encoded]]
ByLabel = Callable[[Items, Floats], Floats]
ByClass = Callable[[Items, Floats], Iterator[Floats]]
QUOTED = r'"(?:[^"]|"")*"'
SYSTEM = rf'({QUOTED}|(?!")(?:(?! - ).)+)'
DIFFERENCE = rf"(.+?)\[{SYSTEM} - {SYSTEM}\]"


def of_system(metric: Metric, system: str) -> Metric:
    """The metric of the named system, in a pool that holds several.

    Args:
        metric: Any metric.
        system: The system's name.
    """
    by_label, by_class = _metric(metric).by_label, metric.by_class
    cells, exceptions = metric.cells, metric.exceptions
    uncentred, among = metric.uncentred, metric.among
    return replace(
        metric,
        name=f"{metric.name}[{quoted(system)}]",
        title=f"{metric.title} of {system}",
        phrase=metric.phrase and f"{metric.phrase} ({system})",
        loss=lambda items, y: metric.loss(items.of(system), y),
        cells=cells and (lambda items: cells(items.of(system))),
        by_label=by_label and (lambda items, jacobian: by_label(items.of(system), jacobian)),
        by_class=by_class and (lambda items, jacobian: by_class(items.of(system), jacobian)),
        exceptions=exceptions and (lambda items: exceptions(items.of(system))),
        systems=frozenset({system}),
        terms=tuple(of_system(term, system) for term in metric.terms),
        uncentred=uncentred and of_system(uncentred, system),
        among=among and (lambda members: of_system(among(members), system)),
    )


def difference(metric: Metric, a: str, b: str) -> Metric:
    """System a's metric minus system b's on the same items: what both get wrong alike cancels.

    Args:
        metric: Any metric.
        a: One system's name.
        b: The other's.
    """
    name = f"{_metric(metric).name}[{quoted(a)} - {quoted(b)}]"
    return minus(of_system(metric, a), of_system(metric, b), name, f"{metric.title}, {a} − {b}")


def quoted(system: str) -> str:
    """A system as a metric's name has it: between quotation marks where it would be read as a difference.

    >>> quoted("new"), quoted("new - 2"), unquoted(quoted('a "b" - c'))
    ('new', '"new - 2"', 'a "b" - c')
    """
    odd = " - " in f" {system} " or system.startswith('"')
    return '"{}"'.format(system.replace('"', '""')) if odd else system


def unquoted(system: str) -> str:
    """The system that `quoted` wrote."""
    return system[1:-1].replace('""', '"') if re.fullmatch(QUOTED, system) else system


def minus(first: Metric, second: Metric, name: str = "", title: str = "") -> Metric:
    """first − second from the same labels, ℓ = (ℓ₁, ℓ₂); the covariance of the two is counted.

    Args:
        first: A metric.
        second: Another of the same form, e.g. for another system or another part of the pool.
        name: Its name; by default made from theirs.
        title: What people read; likewise.
    """
    first, second = _metric(first, "first"), _metric(second, "second")
    if (first.total, first.population) != (second.total, second.population):
        rule = "must be a total over the same items as `first`, or neither a total"
        fail("second", rule, second.name, remedy="compare shares instead")

    def loss(items: Items, y: Encoded) -> Floats:
        left, right = first.loss(items, y), second.loss(items, y)
        if left.shape != right.shape:
            raise InputError(f"`second` must have the form of `first` ({first.name!r}); got {second.name!r}")
        return np.hstack([left, right])

    def jacobian(risk: Floats) -> Jacobian:
        left, right = np.split(risk, 2)
        return _beside(first.gradient(left), -1 * second.gradient(right))

    def undefined(risk: Floats, task: Task) -> str:
        pairs = zip((first, second), np.split(risk, 2), strict=True)
        return "; ".join(dict.fromkeys(m.reason(r, task) for m, r in pairs if np.isnan(m.value(r)).any()))

    (low, high), (least, most) = first.range, second.range
    return replace(
        first,
        name=name or f"{first.name} - {second.name}",
        title=title or f"{first.title} − {second.title}",
        phrase="",
        loss=loss,
        g=lambda risk: first.value(np.split(risk, 2)[0]) - second.value(np.split(risk, 2)[1]),
        jacobian=jacobian,
        kinds=first.kinds & second.kinds,
        range=(low - most, high - least),
        cells=_both(first.cells, second.cells, _cells),
        by_label=_both(first.by_label, second.by_label, _by_label),
        by_class=_both(first.by_class, second.by_class, _by_class),
        exceptions=_both(first.exceptions, second.exceptions, _exceptions),
        smooth=first.smooth and second.smooth,
        uncentred=_both(first.uncentred, second.uncentred, lambda a, b: minus(a, b, name, title)),
        about=f"{first.title} minus {second.title}, on the same items.",
        undefined=undefined,
        needs_positives=first.needs_positives or second.needs_positives,
        share=False,
        wholes=None,
        counted=first.counted and second.counted,
        systems=first.systems | second.systems,
        part=first.part or second.part,
        parts=_both(first.parts, second.parts, _parts) or _beyond(first.parts or second.parts),
        terms=(first, second),
        among=_among(first, second, name, title),
        of_class=first.of_class if first.of_class == second.of_class else "",
        groups=0,
        averages=_averages(first.averages, second.averages),
        means=None,
        of_scores=first.of_scores or second.of_scores,
        graded=first.graded or second.graded,
    )


def within(metric: Metric, members: Flags, name: str) -> Metric:
    """The metric of a part of the pool: ℓ·1[n in the part], as g does not mind the common factor.

    Where ℓ takes ranks, they are those in the part.

    Args:
        metric: Any metric.
        members: Which items of the pool belong to the part, (N,) bool.
        name: What the part is called, e.g. "channel = email".

    Raises:
        InputError: Members that are no such mask; one of another length when it meets the pool.
    """
    members = _mask(members)
    whole, among = metric, _metric(metric).among
    metric = among(members) if among else metric
    by_label, by_class, cells, parts = metric.by_label, metric.by_class, metric.cells, metric.parts
    size = int(members.sum())

    def inside(items: Items) -> Flags:
        return _of(len(items.everywhere.pred), members)[items.index]

    def coded(items: Items) -> Integers:
        assert cells is not None
        return np.where(inside(items), cells(items) + 1, 0)

    def undefined(risk: Floats, task: Task) -> str:
        return f"{metric.reason(risk, task)} in {name}" if size else f"no item has {name}"

    return replace(
        metric,
        name=f"{metric.name}[{name}]",
        title=f"{metric.title} where {name}",
        phrase=metric.phrase and f"{metric.phrase}, where {name}",
        loss=lambda items, y: inside(items)[:, None] * metric.loss(items, y),
        cells=cells and coded,
        by_label=by_label
        and (lambda items, jacobian: by_label(items, jacobian) * inside(items)[:, None, None, None]),
        by_class=by_class
        and (lambda items, jacobian: (each * inside(items)[:, None] for each in by_class(items, jacobian))),
        population=size if metric.total else None,
        part=True,
        parts=lambda items: inside(items) * (1 if parts is None else parts(items)),
        terms=tuple(within(term, members, name) for term in metric.terms),
        about=f"{metric.about} Only items with {name} count.",
        undefined=undefined,
        uncentred=None,  # the denominator it knows is not the number of items in the part
        among=among and (lambda others: within(whole, _of(len(others), members) & others, name)),
    )


def _mask(members: object) -> Flags:
    mask = np.asarray(members)
    if mask.dtype != bool or mask.ndim != 1:
        remedy = "of positions make np.isin(np.arange(len(pool)), positions)"
        fail("members", "must be True or False of every item of the pool", members, remedy=remedy)
    return mask


def _of(size: int, members: Flags) -> Flags:
    """The mask, if it is one of so many items."""
    if len(members) != size:
        fail(
            "members", f"must be True or False of each of the {many(size, 'item')} of the pool", len(members)
        )
    return members


def _metric(metric: object, name: str = "metric") -> Metric:
    return instance(metric, Metric, name, remedy="of a name make one with metrics.resolve(name)")


def _beside(left: Jacobian, right: Jacobian) -> Jacobian:
    """(left, right) with the same rows."""
    if sparse.issparse(left) or sparse.issparse(right):
        return sparse.hstack([left, right], format="csr")
    return np.hstack([left, right])


def _both(one: T | None, other: T | None, join: Callable[[T, T], T]) -> T | None:
    """What both metrics have, joined; `None` where one of them lacks it."""
    return None if one is None or other is None else join(one, other)


def _averages(first: Metric | None, second: Metric | None) -> Metric | None:
    """The difference of the metrics by class, if both need labels of a class for the same reason."""
    return minus(first, second) if first and second and first.of_class == second.of_class else None


def _cells(one: Coder, other: Coder) -> Coder:
    def cells(items: Items) -> Integers:
        joint = paired(one(items), other(items))
        # Few of all pairs of codes occur. Codes without gaps spare the memory that the others would take.
        return np.unique(joint, return_inverse=True)[1]

    return cells


def _parts(one: Coder, other: Coder) -> Coder:
    return lambda items: paired(one(items), other(items))


def _beyond(parts: Coder | None) -> Coder | None:
    """The codes where items outside count too: for the other metric."""
    return parts and (lambda items: parts(items) + 1)


def _among(first: Metric, second: Metric, name: str, title: str) -> Callable[[Flags], Metric] | None:
    if first.among is None and second.among is None:
        return None

    def among(members: Flags) -> Metric:
        left, right = (m.among(members) if m.among else m for m in (first, second))
        return minus(left, right, name, title)

    return among


def _exceptions(one: Exceptions, other: Exceptions) -> Exceptions:
    return lambda items: chain(one(items), other(items))


def _by_label(one: ByLabel, other: ByLabel) -> ByLabel:
    def by_label(items: Items, jacobian: Floats) -> Floats:
        left, right = np.split(jacobian, 2, axis=1)
        return one(items, left) + other(items, right)

    return by_label


def _by_class(one: ByClass, other: ByClass) -> ByClass:
    def by_class(items: Items, jacobian: Floats) -> Iterator[Floats]:
        left, right = np.split(jacobian, 2, axis=1)
        return map(np.add, one(items, left), other(items, right))

    return by_class
