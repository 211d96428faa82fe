"""Metrics of one of several systems, and of a part of the pool (M section 2.2).

Each wraps any metric and is itself a metric, so that all designs, estimators and intervals apply to it.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from sampleval._checks import fail, instance, isolated
from sampleval.metrics.base import Metric
from sampleval.metrics.codes import Part
from sampleval.metrics.makers import repeatable
from sampleval.numerals import many
from sampleval.pool import Flags, Floats, Integers, Items, Task

QUOTED = r'"(?:[^"]|"")*"'
SYSTEM = rf'({QUOTED}|(?!")(?:(?! - ).)+)'
DIFFERENCE = rf"(.+?)\[{SYSTEM} - {SYSTEM}\]"


@repeatable
def of_system(metric: Metric, system: str) -> Metric:
    """The metric of the named system, for a pool with several systems."""
    system = instance(system, str, "system")
    cells, uncentred, among = as_metric(metric).cells, metric.uncentred, metric.among
    return replace(
        metric,
        name=f"{metric.name}[{quoted(system)}]",
        title=f"{metric.title} of {isolated(system)}",
        phrase=metric.phrase and f"{metric.phrase} ({isolated(system)})",
        loss=lambda items, y: metric.loss(items.of(system), y),
        cells=cells and (lambda items: cells(items.of(system))),
        shortcuts=metric.shortcuts.of(system),
        counts=metric.counts.each(lambda each: of_system(each, system)),
        systems=frozenset({system}),
        without_systems=metric.without_systems or metric,
        terms=tuple(of_system(term, system) for term in metric.terms),
        uncentred=uncentred and of_system(uncentred, system),
        among=among and (lambda members: of_system(among(members), system)),
    )


def quoted(system: str) -> str:
    """A system's name inside the name of a metric: in quotation marks if it could be read as a difference.

    >>> quoted("new"), quoted("new - 2"), unquoted(quoted('a "b" - c'))
    ('new', '"new - 2"', 'a "b" - c')
    """
    odd = " - " in f" {system} " or system.startswith('"')
    return '"{}"'.format(system.replace('"', '""')) if odd else system


def unquoted(system: str) -> str:
    """The system's name, given the result of `quoted`."""
    return system[1:-1].replace('""', '"') if re.fullmatch(QUOTED, system) else system


@repeatable
def within(metric: Metric, members: Flags, name: str) -> Metric:
    """The metric of a part of the pool, with loss ℓ·1[n in the part]: g is invariant to the common factor.

    If ℓ uses ranks, they are the ranks within the part.

    Args:
        metric: Any metric.
        members: Whether each item of the pool belongs to the part, (N,) bool.
        name: Name of the part, e.g. "channel = email".

    Raises:
        InputError: Members that are not such a mask; if the length is wrong, when the metric is used with the pool.
    """
    members = _mask(members)
    whole, among = metric, as_metric(metric).among
    metric = among(members) if among else metric
    cells, part = metric.cells, metric.part
    counted = (
        members if part is None or part.members is None else _of(len(part.members), members) & part.members
    )

    def inside(items: Items) -> Flags:
        return _of(len(items.everywhere.pred), members)[items.index]

    def coded(items: Items) -> Integers:
        assert cells is not None
        return np.where(inside(items), cells(items) + 1, 0)

    def undefined(risk: Floats, task: Task) -> str:
        return f"{metric.reason(risk, task)} in {name}" if members.any() else f"no item has {name}"

    return replace(
        metric,
        name=f"{metric.name}[{name}]",
        title=f"{metric.title} where {name}",
        phrase=metric.phrase and f"{metric.phrase}, where {name}",
        loss=lambda items, y: inside(items)[:, None] * metric.loss(items, y),
        cells=cells and coded,
        shortcuts=metric.shortcuts.within(inside),
        counts=metric.counts.each(lambda each: within(each, members, name)),
        part=Part(lambda items: inside(items) * (part.codes(items) if part else 1), counted),
        without_systems=whole.without_systems and within(whole.without_systems, members, name),
        terms=tuple(within(term, members, name) for term in metric.terms),
        about=f"{metric.about} Only items with {name} count.",
        undefined=undefined,
        uncentred=None,  # its known denominator is that of the whole pool
        among=among and (lambda others: within(whole, _of(len(others), members) & others, name)),
    )


def _mask(members: object) -> Flags:
    mask = np.asarray(members)
    if mask.dtype != bool or mask.ndim != 1:
        remedy = "for positions pass np.isin(np.arange(len(pool)), positions)"
        fail("members", "must be True or False for every item of the pool", members, remedy=remedy)
    return mask


def _of(size: int, members: Flags) -> Flags:
    """The mask, if it has this size; otherwise an error is raised."""
    if len(members) != size:
        fail(
            "members", f"must be True or False for each of the {many(size, 'item')} of the pool", len(members)
        )
    return members


def as_metric(metric: object, name: str = "metric") -> Metric:
    """The metric itself; an error is raised for anything else, for example a name."""
    return instance(metric, Metric, name, remedy="from a name make one with metrics.resolve(name)")
