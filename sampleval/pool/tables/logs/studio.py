"""Tasks that Label Studio exports as JSON, with what a model and annotators chose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sampleval.pool.tables.logs.common import Record, Rows, beside, refuse


def of_label_studio(records: Sequence[Record], name: str) -> Rows:
    """A row per task: its data, what a model chose, and what all annotators did, if they agree."""
    if any(len(one.get("predictions") or ()) > 1 for one in records):
        refuse(
            name, "must hold one prediction for each task; some have more", "keep those of one model version"
        )
    chosen = [dict(_choices(one.get("predictions") or ())) for one in records]
    asked = sorted({question for each in chosen for question in each})
    if len(asked) > 1:
        refuse(name, f"must hold the choices of one question; it holds {', '.join(asked)}", "keep one")
    if not asked or not all(chosen):
        rule = "must hold a prediction for each task, and that must be a choice between classes"
        remedy = (
            "export the tasks with the predictions of a model; labels alone go into the table with its scores"
        )
        refuse(name, rule, remedy)
    single = all(len(each[asked[0]]) == 1 for each in chosen)
    rows = Rows()
    for one, each in zip(records, chosen, strict=True):
        row: dict[str, Any] = {"id": str(one["id"]), "prediction": _cell(each[asked[0]], single=single)}
        if isinstance(score := one["predictions"][0].get("score"), float | int):
            row["confidence"] = float(score)
        row["label"] = _agreed(one.get("annotations") or (), asked[0], single=single)
        rows.append(beside(row, one["data"], "data"))
    return rows


def _choices(answers: Sequence[Record]) -> Iterator[tuple[str, list[str]]]:
    """Each question and the choices that were made, in predictions or annotations."""
    for answer in answers:
        for result in answer.get("result") or () if not answer.get("was_cancelled") else ():
            if result.get("type") == "choices":
                yield str(result.get("from_name")), [str(one) for one in result["value"]["choices"]]


def _agreed(annotations: Sequence[Record], question: str, *, single: bool) -> Any:
    """What all annotators chose, which may be none of several; `None` if there are none, or if they differ."""
    said = [[*_choices([one])] for one in annotations if not one.get("was_cancelled")]
    each = ([sorted(chosen) for asked, chosen in one if asked == question] or [[]] for one in said)
    met = [chosen for all_of_one in each for chosen in all_of_one if chosen or not single]
    return _cell(met[0], single=single) if met and all(one == met[0] for one in met) else None


def _cell(chosen: list[str], *, single: bool) -> Any:
    return chosen[0] if single and len(chosen) == 1 else chosen
