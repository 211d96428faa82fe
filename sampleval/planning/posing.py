"""The problem that a plan is made for: a pool, a metric, a method, and labels known beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sampleval._checks import InputError, flag
from sampleval.designs import Design, Problem
from sampleval.metrics import Metric, Target, target
from sampleval.pool import Labels, Pool, checked
from sampleval.presets import Method, method_of, tells_apart
from sampleval.surrogates import Evidence, Surrogate

Held = Mapping[str, Any] | Labels
ALL_HELD = "every item has its label already"


def asked_for(
    pool: Pool,
    metric: Target,
    *,
    preset: str | None,
    surrogate: str | Surrogate | None,
    design: str | Design | None,
    shrinkage: float | None,
    defensive: float | None,
    held: Held | None,
    held_random: bool,
) -> tuple[Problem, Method]:
    """The problem and the method given by the arguments of `plan`, where they are described."""
    metrics = target(metric)
    method = method_of(
        preset,
        kind=checked(pool).task.kind,
        apart=tells_apart(metrics, pool),
        surrogate=surrogate,
        design=design,
        shrinkage=shrinkage,
        defensive=defensive,
    )
    return posed(pool, metrics, method, held, random=held_random), method


def posed(
    pool: Pool,
    metrics: Mapping[Metric, float],
    method: Method,
    held: Held | None = None,
    *,
    random: bool = False,
) -> Problem:
    """The problem for this method before its first label.

    Args:
        pool: The scored items.
        metrics: Pre-sampling metrics with their weights; plans are about the first one.
        method: The method.
        held: Labels known beforehand (id → label): certainties.
        random: Whether they were chosen by chance, or by chance and scores.

    Raises:
        InputError: The labels held do not fit, or leave nothing to ask.
    """
    random = flag(random, "held_random")
    known = beforehand(checked(pool), held, method, random=random)
    if len(known) == pool.size:
        raise InputError(f"`held` must leave items to ask; {ALL_HELD}; leave it out")
    return Problem(pool, method.forms(metrics), method.surrogate, held=known, held_random=random)


def beforehand(pool: Pool, held: Held | None, method: Method, *, random: bool) -> Evidence:
    """The labels held beforehand as evidence.

    Args:
        pool: The scored items.
        held: Id → label, or the pool's known labels; `None` if there are none.
        method: The method.
        random: Whether they were chosen by chance, or by chance and scores, so that the method may learn from them.

    Raises:
        InputError: An unknown id or label, or `random` without labels or for a method that cannot learn from them.
    """
    if isinstance(held, Labels):
        held = held.by_id(pool)
    if random and not held:
        raise InputError("`held_random` needs labels in `held`; leave it out")
    if random and not method.surrogate.learns:
        key = method.surrogate.key
        raise InputError(
            f"`held_random` is for beliefs that learn, and labels do not change {key!r}; leave it out"
        )
    return Evidence.held(pool, held)
