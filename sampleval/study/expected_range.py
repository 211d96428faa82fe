"""The range in which answers that are numbers are expected, so that a slip of the finger is asked about."""

from __future__ import annotations

import numpy as np

from sampleval.study.state import State

REACH = 3  # how many times larger or smaller than all the others a number is before it is unexpected


def expected_range(state: State) -> tuple[float, float] | None:
    """The limits between which an answer is expected; `None` if answers are not numbers, or if no limits are known.

    They reach beyond all that was predicted, known or answered so far, by whoever it was: a model may be too timid.
    """
    if state.pool.task.kind != "regression":
        return None
    answers, given = state.given.labels(len(state.queue))
    known = [answers[given], state.problem.held.labels, *(system.pred for system in state.pool.systems)]
    least, most = (float(end([end(part) for part in known if len(part)])) for end in (np.min, np.max))
    return beyond(least, most) if least < most else None


def beyond(least: float, most: float) -> tuple[float, float]:
    """Limits around a span: multiples of its ends if they share a sign, otherwise one width of the span further out.

    >>> beyond(300.0, 900.0), beyond(-900.0, -300.0), beyond(-10.0, 30.0)
    ((100.0, 2700.0), (-2700.0, -100.0), (-50.0, 70.0))
    """
    if least > 0:
        return least / REACH, most * REACH
    if most < 0:
        return least * REACH, most / REACH
    return 2 * least - most, 2 * most - least
