"""What a cell of a sheet answers: a label of the task, or one of the words for none."""

from __future__ import annotations

import re
from typing import Any

from sampleval._checks import InputError, fail, located
from sampleval.offline.writing import silences
from sampleval.pool import Task, decode_label, encode_label
from sampleval.pool.answers import split_labels
from sampleval.study import UNSURE

SPREADSHEET = re.compile(r"\d[-/:.,%]")  # in dates, times and numbers as spreadsheets write them
KEPT = "did the spreadsheet change it? The cells of a workbook keep what is typed"
DOUBT = "?"  # the key for unsure when labelling by keyboard


def answer_in(task: Task, text: str, unclear: frozenset[str] = frozenset()) -> Any:
    """The answer in a cell: a label of the task, `SKIP` or `UNSURE`; a class in doubt is refused."""
    known = {DOUBT: UNSURE} | silences(task)
    if text in unclear:
        rule = "must tell which class is meant; a spreadsheet may write another one the same way, by dropping zeros"
        fail("answer", rule, text, remedy="export it as .xlsx, whose cells keep zeros, and answer there")
    word = known.get(text.lower()) or known.get(text.lower().strip("()"))
    if word is not None and text not in task.classes:
        return word
    if task.kind == "multilabel" and _says_none(task, text):
        text = "[]"
    try:
        with located("", called="answer"):
            return decode_label(task, encode_label(task, text))
    except InputError as error:  # which knows nothing of sheets
        raise InputError(
            f"{error}; {' and '.join(silences(task))} are answers too{_altered(task, text)}"
        ) from None


def _altered(task: Task, text: str) -> str:
    """A hint that a spreadsheet may have made a date, a time or a number of a class such as 1/2, 10:30 or 5%."""
    counted = any(map(str.isdigit, "".join(task.classes)))
    return f"; {KEPT}" if counted and SPREADSHEET.search(text) else ""


def _says_none(task: Task, text: str) -> bool:
    """Whether a cell has the app's word for an empty set of labels, unless this is the name of a label."""
    said = [str(name).lower() for name in split_labels(text, task.classes)]
    return said == ["none"] and "none" not in {name.lower() for name in task.classes}


def reads(task: Task, text: str) -> bool:
    """Whether a cell is an answer of the task."""
    try:
        answer_in(task, text)
    except InputError:
        return False
    return True
