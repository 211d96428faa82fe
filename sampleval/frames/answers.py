"""What was asked and answered, with the chances it came in with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from sampleval.estimators import inference
from sampleval.pool import Floats, Task, decode_label, label_text
from sampleval.study import Study, in_text, shared
from sampleval.study.conclusions import has_labels

COLUMNS = [
    "id",
    "place",
    "label",
    "status",
    "annotator",
    "seconds",
    "at",
    "inclusion",
    "weight",
    "answers",
    "note",
]


def labels(study: Study) -> pd.DataFrame:
    """Every item that was answered or held beforehand, in the order of the queue.

    Returns:
        Columns id; place (in the queue, from 0; −1 if held); label (a class name, `a|b` for a set of
        labels, a number in regression, missing where there is none);
        status ("label", "skip", "unsure" or "held"); annotator; seconds; at (UTC); inclusion (nominal: the chance
        to be among all that the whole budget asks, and no weight for fewer answers; of a design that learns as
        planned before any label); weight (for the answers so far: how many items chance has it speak for, over all
        its draws; missing while the answer waits for items before it); answers (who said what, where several
        annotators answered, as "ann: yes; bob: no"); note (what annotators remarked). Model-assisted and posterior
        estimates add what is believed of the others, so that these weights alone do not give them.
    """
    return pd.concat([_held(study), _given(study)], ignore_index=True)


def _held(study: Study) -> pd.DataFrame:
    held, pool = study.state.problem.held, study.pool
    n = len(held)
    return _frame(
        {
            "id": pool.ids[held.index],
            "place": np.full(n, -1),
            "label": [_said(pool.task, y) for y in held.labels],
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
    labelled = [answer.what.kind == "label" for answer in answers]
    several = {item.place: item.said(task) for item in shared(state)}
    remarks = remarked(study)
    return _frame(
        {
            "id": [answer.what.id for answer in answers],
            "place": places,
            "label": [
                _said(task, a.what.label) if given else None
                for a, given in zip(answers, labelled, strict=True)
            ],
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
    """The chance of the items at these places to be asked; of a pool held as a whole a design can say nothing."""
    if not places:
        return np.empty(0)
    return study.method.design.inclusion(study.state.problem, study.budget)[study.state.queue[places]]


def notes(study: Study) -> pd.DataFrame:
    """Every item with a remark, answered or not, in the order of the queue: columns id, place, answer, note."""
    state, task = study.state, study.pool.task
    remarks = remarked(study)
    given = {place: state.current(place) for place in remarks}
    return pd.DataFrame(
        {
            "id": list(map(state.id_at, given)),
            "place": list(given),
            "answer": [in_text(task, answer.what) if answer else "" for answer in given.values()],
            "note": list(remarks.values()),
        }
    )


def remarked(study: Study) -> dict[int, str]:
    """Place in the queue → what annotators remarked, with their names where they told them."""
    found: dict[int, list[str]] = {}
    for who, noted in study.state.notes:
        found.setdefault(noted.place, []).append(f"{who}: {noted.text}" if who else noted.text)
    return {place: "; ".join(texts) for place, texts in sorted(found.items())}


def _said(task: Task, value: Any) -> str | float:
    label = decode_label(task, value)
    return label if isinstance(label, float) else label_text(label)


def weights(study: Study, places: list[int]) -> Floats:
    """How many items each answered place speaks for; `nan` past the answered run, 1 in a census."""
    k = study.state.run_length()
    used = np.full(len(study.state.queue), np.nan)
    run = study.run(k)
    if run is not None:
        census = has_labels(run, run.sample.population)  # however it was drawn
        used[:k] = 1.0 if census else inference.weights(run, study.method.estimator)
    return used[places]


def _frame(columns: dict[str, Any]) -> pd.DataFrame:
    kinds = {"place": "int64", "seconds": "float64", "inclusion": "float64", "weight": "float64"}
    series = {name: pd.Series(columns[name], dtype=kinds.get(name, "object")) for name in COLUMNS}
    return pd.DataFrame(series)
