"""Write the next items to a sheet."""

from __future__ import annotations

from typing import Any

import pandas as pd

from sampleval import sheets
from sampleval._checks import choice, flag
from sampleval.pool import Task
from sampleval.study import SKIP, UNSURE, Silence, Study, checked_study

ALLOWED = "allowed_answers"
OWN = ("id", "place", "answer", ALLOWED)
PERSON = "annotator"  # column that several people may add
FIELD = " (field)"  # stands after the name of a field that is also called so


def silences(task: Task) -> dict[str, Silence]:
    """The words for skip and unsure → what they mean. A word is put in brackets if a class has that name."""
    taken = {name.lower() for name in task.classes}
    return {f"({a.kind})" if a.kind in taken else a.kind: a for a in (SKIP, UNSURE)}


def allowed(task: Task) -> list[str]:
    """The answers that may stand in the answer column, in words."""
    names = {
        "regression": ["a number"],
        "multilabel": ["several joined by |", *task.classes, "[] for none"],
    }.get(task.kind, list(task.classes))
    return [*names, *silences(task)]


def sheet(study: Study, n: int = 100, *, pictures: bool = False) -> pd.DataFrame:
    """The next items to label from `Study.ask`. A second sheet repeats items that have no answer yet.

    Args:
        study: The study.
        n: Most items.
        pictures: Whether to include fields that hold bytes.

    Returns:
        Columns id, place (in the queue, from 0), the pool's fields (with " (field)" after a name that is also a
        column of the sheet, or `annotator`, which people may add), answer (empty) and allowed_answers (in the first line).
    """
    pictures = flag(pictures, "pictures")
    items = checked_study(study).ask(n)
    columns: dict[str, list[Any]] = {"id": [i.id for i in items], "place": [i.place for i in items]}
    for name in study.pool.fields.columns:
        cells = [item.fields[str(name)] for item in items]
        if pictures or not any(isinstance(cell, bytes) for cell in cells):
            columns[f"{name}{FIELD}" if str(name).lower() in (*OWN, PERSON) else str(name)] = cells
    columns["answer"] = [""] * len(items)
    columns[ALLOWED] = [" / ".join(allowed(study.pool.task)), *[""] * len(items)][: len(items)]
    return pd.DataFrame(columns)


def write(study: Study, n: int = 100, form: sheets.Format = "csv") -> bytes:
    """The sheet as the content of a CSV or XLSX file.

    Args:
        study: The study.
        n: Most items.
        form: "csv" or "xlsx". A workbook also shows pictures and offers the classes as a list to choose from.
    """
    if choice(form, ("csv", "xlsx"), "form") == "csv":
        return sheets.to_csv(sheet(study, n))
    task = study.pool.task
    lists = {"answer": allowed(task)} if task.classified else None
    texts = [] if task.kind == "regression" else ["answer"]
    return sheets.to_xlsx(sheet(study, n, pictures=True), lists=lists, texts=texts)
