"""The problem that a plan is made for: a pool, a metric, a method, and labels known beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from sampleval._checks import InputError, conforms, fail, flag
from sampleval.designs import Design, Problem
from sampleval.metrics import Metric, Target, target
from sampleval.numerals import many
from sampleval.pool import Labels, Pool, checked
from sampleval.pool.likeness import incompatible
from sampleval.presets import Method, method_of, tells_apart
from sampleval.surrogates import Evidence, Surrogate
from sampleval.surrogates.together import chosen_alike


@runtime_checkable
class OtherStudy(Protocol):
    """What a plan or a study takes from another study whose labels it holds beforehand."""

    @property
    def pool(self) -> Pool:
        """Its pool."""

    @property
    def impartial(self) -> bool:
        """Whether chance and scores alone chose the items it labelled."""

    def known_labels(self) -> dict[str, Any]:
        """Its labels, id → label."""


Held = Mapping[str, Any] | Labels | OtherStudy
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
    held_random: bool | None,
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
    random: bool | None = None,
) -> Problem:
    """The problem for this method before its first label; plans are about the first metric. `random` is as in `beforehand`.

    Raises:
        InputError: The labels held do not fit, or leave nothing to ask.
    """
    known, learned = beforehand(checked(pool), held, method, random=random)
    if len(known) == pool.size:
        raise InputError(f"`held` must leave items to ask; {ALL_HELD}; leave it out")
    return Problem(pool, method.forms(metrics), method.surrogate, held=known, held_random=learned)


def beforehand(
    pool: Pool, held: Held | None, method: Method, *, random: bool | None
) -> tuple[Evidence, bool]:
    """The labels held beforehand as evidence, and whether the method is to learn from them.

    Args:
        pool: The scored items.
        held: Id → label, the pool's known labels, or a study; `None` if there are none.
        method: The method.
        random: Whether they were chosen by chance, or by chance and scores of this pool, so that the method may learn from
            them. `None` means that only those of a study are, if they qualify (`teaches`) and the method learns.

    Raises:
        InputError: An unknown id or label, or `random` without such labels or for a method that cannot learn from them.
    """
    learned = flag(random, "held_random") if random is not None else False
    given: Any = held
    if conforms(held, OtherStudy):
        given, alike = _labels_for(pool, held), teaches(held, pool)
        if learned and not alike:
            rule = "needs labels that chance or scores chose; those of this study were chosen by more than that, or were held by it"
            if held.impartial:
                rule = "needs labels that chance or scores of this pool chose; those of this study were chosen by other scores, or from other items"
            raise InputError(f"`held_random` {rule}; leave it out")
        learned = learned or (random is None and bool(given) and alike and method.surrogate.learns)
    elif isinstance(held, Labels):
        given = held.by_id(pool)
    if learned and not given:
        raise InputError("`held_random` needs labels in `held`; leave it out")
    if learned and not method.surrogate.learns:
        key = method.surrogate.key
        raise InputError(
            f"`held_random` is for beliefs that learn, and labels do not change {key!r}; leave it out"
        )
    return Evidence.held(pool, given), learned


def _labels_for(pool: Pool, held: OtherStudy) -> dict[str, Any]:
    """The labels of a study. Those of items that the pool lacks, and those that would be read as numbers, are refused."""
    given, numbers = held.known_labels(), [task.kind == "regression" for task in (held.pool.task, pool.task)]
    if given and numbers[0] != numbers[1]:  # a class called "1" would be the number 1
        raise InputError(
            f"`held` must be a study of such labels; {incompatible(held.pool.task, pool.task)}; leave it out"
        )
    if lost := [id for id in given if id not in pool and id.strip() not in pool]:
        rule = f"must have labels of the pool's items alone; {len(lost):,} of {many(len(given), 'label')} are not"
        remedy = (
            "pass those that are: {id: label for id, label in study.known_labels().items() if id in pool}"
        )
        fail("held", rule, lost[0], remedy=remedy)
    return given


def teaches(held: OtherStudy, pool: Pool) -> bool:
    """Whether the labels of a study also tell of similar items of this pool, so that methods may learn from them."""
    return held.impartial and chosen_alike(held.pool, pool)
