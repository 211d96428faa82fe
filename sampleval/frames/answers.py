"""The items asked and their answers, with the chances by which they were drawn."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from sampleval.estimators import inference
from sampleval.pool import Floats, Task, decode_label, label_text
from sampleval.study import Study, checked_study, in_text, shared
from sampleval.study.conclusions.census import has_labels

KINDS = {"place": "int64", "seconds": "float64", "inclusion": "float64", "weight": "float64"}  # else objects


def labels(study: Study) -> pd.DataFrame:
    """Every item that was answered or held beforehand, in the order of the queue.

    Returns:
        Columns id; place (in the queue, from 0; −1 if held); label (a class name, `a|b` for a set of
        labels, a number in regression, missing where there is none);
        status ("label", "skip", "unsure" or "held"); annotator; seconds; at (UTC); inclusion (nominal chance to be
        asked within the whole budget, in an adaptive design as planned before any label; it is no weight while
        answers are missing); weight (number of items that this one stands for, given the answers so far and over all
        its draws; missing while the answer waits for items before it); answers (each annotator's own, if several
        answered, as "ann: yes; bob: no"); note (remarks). The weights alone do not give model-assisted and posterior
        estimates, to which the belief about the other items contributes.

    Raises:
        InputError: `study` is no `Study`.
    """
    checked_study(study)
    return pd.concat([_held(study), _given(study)], ignore_index=True)


def _held(study: Study) -> pd.DataFrame:
    held, pool = study.state.problem.held, study.pool
    n = len(held)
    return _frame(
        {
            "id": pool.ids[held.index],
            "place": np.full(n, -1),
            "label": [said(pool.task, y) for y in held.labels],
            "status": ["held"] * n,
            "annotator": [""] * n,
            "seconds": np.full(n, np.nan),
            "at": [""] * n,
            "inclusion": np.ones(n),
            "weight": np.ones(n),
            "answers": [""] * n,
            "note": [""] * n,
        }
    )


def _given(study: Study) -> pd.DataFrame:
    state, task = study.state, study.pool.task
    counting = state.given.counting
    places, answers = list(counting), list(counting.values())
    several = {item.place: item.said(partial(in_text, task)) for item in shared(state)}
    remarks = _remarked(study)
    return _frame(
        {
            "id": [answer.what.id for answer in answers],
            "place": places,
            "label": [said(task, a.what.label) if a.what.kind == "label" else None for a in answers],
            "status": [answer.what.kind for answer in answers],
            "annotator": [answer.annotator for answer in answers],
            "seconds": [np.nan if a.what.seconds is None else a.what.seconds for a in answers],
            "at": [answer.at for answer in answers],
            "inclusion": _inclusion(study, places),
            "weight": weights(study, places),
            "answers": [several.get(place, "") for place in places],
            "note": [remarks.get(place, "") for place in places],
        }
    )


def _inclusion(study: Study, places: list[int]) -> Floats:
    """The chance of the items at these places to be asked; empty without places, as when the whole pool is held."""
    if not places:
        return np.empty(0)
    return study.method.design.inclusion(study.state.problem, study.budget)[study.state.queue[places]]


def notes(study: Study) -> pd.DataFrame:
    """All items with a remark, answered or not, in the order of the queue, with columns id, place, answer, note."""
    state, task = checked_study(study).state, study.pool.task
    remarks = _remarked(study)
    given = {place: state.given.current(place) for place in remarks}
    return pd.DataFrame(
        {
            "id": list(map(state.id_at, given)),
            "place": list(given),
            "answer": [in_text(task, answer.what) if answer else "" for answer in given.values()],
            "note": list(remarks.values()),
        }
    )


def _remarked(study: Study) -> dict[int, str]:
    """Place in the queue → the annotators' remarks, with their names if given."""
    found: dict[int, list[str]] = {}
    for who, noted in study.state.notes:
        found.setdefault(noted.place, []).append(f"{who}: {noted.text}" if who else noted.text)
    return {place: "; ".join(texts) for place, texts in sorted(found.items())}


def said(task: Task, value: Any) -> str | float:
    """The answer that an encoded value stands for, as one cell."""
    label = decode_label(task, value)
    return label if isinstance(label, float) else label_text(label)


def weights(study: Study, places: list[int]) -> Floats:
    """The number of items that each of these places stands for: `nan` beyond the answered run, and 1 in a census."""
    k = study.state.given.run_length
    used = np.full(len(study.state.queue), np.nan)
    run = study.run(k)
    if run is not None:
        census = has_labels(run, run.sample.population)  # whatever the design
        used[:k] = 1.0 if census else inference.weights(run, study.method.estimator)
    return used[places]


def _frame(columns: dict[str, Any]) -> pd.DataFrame:
    """The columns as a frame, each of the same type with rows and without."""
    return pd.DataFrame(
        {name: pd.Series(cells, dtype=KINDS.get(name, "object")) for name, cells in columns.items()}
    )
