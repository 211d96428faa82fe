"""From a study's state to what estimators and other studies read."""

from __future__ import annotations

from typing import Any

from sampleval.estimators import Run
from sampleval.pool import decode_label
from sampleval.study.assembly import assemble
from sampleval.study.state import State


def run_of(state: State, k: int) -> Run | None:
    """The first k answers as the estimators see them; `None` if there is no label at all."""
    return assemble(state.problem, state.method, state.rounds, state.queue[:k], *state.labels(k))


def impartial(state: State) -> bool:
    """Whether chance and the first system's scores alone chose whose label is known.

    Such labels speak for other items of like score, in whatever study; those chosen by what sets items of like
    score apart (features, another system, a part of the pool, a person) need not.
    """
    first, held = state.pool.systems[0].name, state.problem.held
    alike = all(metric.alike(first) for metric in state.problem.metrics)
    return alike and not state.method.by_features and (not len(held) or state.settings.held_random)


def known_labels(state: State) -> dict[str, Any]:
    """Id → label of every labelled item, those held beforehand included."""
    ids, task, held = state.pool.ids, state.pool.task, state.problem.held
    given = {str(ids[p]): decode_label(task, y) for p, y in zip(held.index, held.labels, strict=True)}
    for row in sorted(state.answers):
        what = state.answers[row][-1].what
        if what.kind == "label":
            given[what.id] = decode_label(task, what.label)
    return given
