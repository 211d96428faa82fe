"""Numbers as annotators type them: what they mean, and which deserve a second look; browser/numbers.js does the same."""

from __future__ import annotations

import math
import re

import numpy as np

from sampleval.study import Study

REACH = 3  # how many times larger or smaller than all the others a number is before it is asked about

Span = tuple[float, float]


def number_in(text: str) -> float | None:
    """The number in a text, with a decimal point or comma; `None` for `1,234`, which may mean a thousand.

    A browser's field for numbers drops a comma that its language does not know, and makes 55 of 5,5.

    >>> [number_in(text) for text in ("5,5", "-.5", "1,234", "five")]
    [5.5, -0.5, None, None]
    """
    said = text.strip()
    clear = re.fullmatch(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?", said)
    if not clear or re.fullmatch(r"[+-]?[1-9]\d{0,2},\d{3}", said):
        return None
    value = float(said.replace(",", "."))
    return value if math.isfinite(value) else None


def doubtful(text: str, usual: Span | None) -> str:
    """Why a number deserves a second look before it counts; "" if it does not.

    `1.234` may be a thousand. Where only one of the two can be meant, as far as other numbers tell, nobody is asked.

    Args:
        text: The text that was typed.
        usual: The range in which an answer is expected; `None` if it is not known.

    >>> doubtful("12.345", (5.0, 40.0)), doubtful("12.345", (5.0, 40e3))
    ('', '“12.345” is read as 12.345; if 12345 is meant, leave out the dot')
    >>> doubtful("1200", (5.0, 40.0))
    '1200 is far from all that was predicted or answered'
    """
    value, said = number_in(text), text.strip()
    if value is None:
        return ""
    far = not expected(value, usual)
    if re.fullmatch(r"[+-]?[1-9]\d{0,2}\.\d{3}", said) and (far or expected(1000 * value, usual)):
        return f"“{said}” is read as {value:g}; if {said.replace('.', '')} is meant, leave out the dot"
    return f"{said} is far from all that was predicted or answered" if far else ""


def expected(value: float, usual: Span | None) -> bool:
    """Whether a number lies between the usual limits."""
    return usual is None or usual[0] <= value <= usual[1]


def usual(study: Study) -> Span | None:
    """The limits between which an answer is expected; `None` if answers are not numbers, or if no limits are known.

    It reaches beyond all that was predicted, known or answered so far, by whoever it was: a model may be too timid.

    Args:
        study: The study.
    """
    if study.pool.task.kind != "regression":
        return None
    answers, given = study.state.given.labels(len(study.state.queue))
    known = [answers[given], study.state.problem.held.labels, *(system.pred for system in study.pool.systems)]
    least, most = (float(end([end(part) for part in known if len(part)])) for end in (np.min, np.max))
    return beyond(least, most) if least < most else None


def beyond(least: float, most: float) -> Span:
    """Limits around a span: multiples of its ends if they share a sign, otherwise one width of the span further out.

    >>> beyond(300.0, 900.0), beyond(-10.0, 30.0)
    ((100.0, 2700.0), (-50.0, 70.0))
    """
    if least > 0:
        return least / REACH, most * REACH
    if most < 0:
        return least * REACH, most / REACH
    return 2 * least - most, 2 * most - least
