"""Tables that a labelling tool exports of a sheet that was loaded into it: which columns hold what the sheet asked for."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pandas as pd

from sampleval import sheets
from sampleval._checks import fail, listed, shown
from sampleval.offline.answers import reads
from sampleval.offline.lines import id_of, id_there, same
from sampleval.offline.writing import ALLOWED, silences
from sampleval.pool import Task
from sampleval.pool.spellings import spelt
from sampleval.study import SKIP, Study

NAMED = frozenset(
    {"answer", "answers", "label", "labels", "choice", "choices", "category", "class", "class-name", "accept"}
    | {"number", "rating", "result"}
)
GUESSES = frozenset({"prediction", "predictions", "suggestion", "suggestions"})
NONE = "[]"  # no label of a set; where nobody said anything, tools write it too
EMPTY = frozenset({"", NONE})
BARE = "bare"  # among the notes on a table, in how many lines nothing tells these apart
UNTOLD = (
    'an empty list of labels may mean that none applies or that nobody looked; for none write ["none"] there'
)
SAID = frozenset({"annotations", "responses"})  # in which Label Studio and Argilla keep what somebody said
VERDICTS = frozenset({"accept", "reject", "ignore"})  # what Prodigy says under `answer`
Path = tuple[str, ...]  # of a field within fields, in small letters: ("data", "id")
ByPath = dict[Path, list[str]]  # columns of text
RESULT: Path = ("annotations", "result")  # Label Studio's list of what was chosen, as long as it is empty
PASSED = {"was_cancelled": "true", "status": "discarded"}  # how Label Studio and Argilla tell a skip
RENAME = "rename the one that holds the answers to `answer`, and the items' ids to `id`"
APART = "if they are several people's, write a line for each item and person, with a column `annotator`"


def as_sheet(study: Study, table: pd.DataFrame) -> pd.DataFrame:
    """The table with columns id, place and answer, if it is a tool's export with the sheet's `place`; others as they are.

    Tools put their own number under `id`, and the sheet's into a record or nowhere; the place and the fields beside it tell
    the item then. A place alone does not: it may be another study's.

    Raises:
        InputError: Nobody has answered yet, no column, or several, may hold the answers, or none tells the items for certain.
    """
    texts = {str(name): [*map(sheets.as_text, table.iloc[:, k])] for k, name in enumerate(table.columns)}
    by_path = {path_of(name): cells for name, cells in texts.items()}
    if len(by_path) < table.shape[1]:  # two columns of one name: neither is chosen
        return table
    answers = by_path.get(("answer",), [])
    export = Export(study, by_path, fields_of(study), _verdicts(study.pool.task, answers))
    if ("id",) in by_path and any(map(str.strip, answers)) and not export.verdicts:
        return table
    places = next((cells for path, cells in by_path.items() if path[-1] == "place"), [])
    if not any(map(str.strip, places)):
        return table
    told = _answers(export)
    if told is None:
        _refuse_unanswered(export)
        return table
    said, bare = told
    cells = {"id": _ids(export, places), "place": places, "answer": said}
    found = pd.DataFrame(cells, index=table.index, dtype=object)
    found.attrs |= table.attrs | {BARE: bare}
    return found


@dataclass(frozen=True, slots=True)
class Export:
    """A table that a tool may have exported.

    Attributes:
        study: The study whose sheet was loaded into the tool.
        by_path: The table's columns.
        fields: The fields that the pool's items have in a sheet.
        verdicts: What Prodigy says of each line under `answer`; empty if nothing of it is there.
    """

    study: Study
    by_path: ByPath
    fields: frozenset[Path]
    verdicts: list[str]

    @property
    def task(self) -> Task:
        """The kind of labels."""
        return self.study.pool.task

    @property
    def sets(self) -> bool:
        """Whether a label is a set, which may be empty."""
        return self.task.kind == "multilabel"

    @property
    def lines(self) -> int:
        """Number of lines."""
        return len(next(iter(self.by_path.values())))

    def shows(self, path: Path) -> bool:
        """Whether a column holds a field of the items, so that nobody said it in the tool."""
        return is_field(path, self.fields)

    def told(self, path: Path) -> list[str]:
        """The cells of a column of the tool's own; empty ones if there is none."""
        none = [""] * self.lines
        return none if self.shows(path) else self.by_path.get(path, none)


def path_of(name: str) -> Path:
    """The field within fields that a column's name tells, in small letters."""
    return tuple(re.split("[.:]", name.strip().lower()))  # Toloka writes INPUT:id


def fields_of(study: Study) -> frozenset[Path]:
    """The fields that the pool's items have in a sheet."""
    return frozenset(path_of(str(name)) for name in study.pool.fields.columns)


def is_field(path: Path, fields: frozenset[Path]) -> bool:
    """Whether a column holds one of these fields, alone or within a record, as a tool exports it."""
    return any(path[k:] in fields for k in range(len(path)))


def _verdicts(task: Task, cells: list[str]) -> list[str]:
    """The cells, if they are Prodigy's verdicts and no classes; otherwise none."""
    said = {cell.strip() for cell in cells} - {""}
    return cells if said and said <= VERDICTS and not said & {*task.classes} else []


def _ids(export: Export, places: list[str]) -> list[str]:
    """The ids: the column that says them at most places, or, if fields stand there as in the pool, those of the places."""
    study, by_path = export.study, export.by_path
    there = [id_there(study, place) for place in places]

    def agreeing(path: Path) -> int:
        pairs = zip(by_path[path], there, strict=True)
        return sum(at is not None and (id_of(study, id) == at or same(at, id.strip())) for id, at in pairs)

    paths = [path for path in by_path if path[-1].endswith("id")]
    best = max(paths, key=agreeing, default=None)
    if best is not None and 2 * agreeing(best) > len(there):
        return by_path[best]
    beside = (
        (name, path)
        for name in map(str, study.pool.fields.columns)
        for path in by_path
        if is_field(path, frozenset({path_of(name)}))
    )
    if not any(_stand(study, name, there, by_path[path]) for name, path in beside):
        rule = "must tell which item each line is about; no column has the ids of this study at their places"
        remedy = (
            "the tool may have put its own numbers under `id`: export JSON, or put back the ids of the sheet"
        )
        fail("file", rule, remedy=f"{remedy}. Is it another study's sheet?")
    return [id or "" for id in there]


def _stand(study: Study, name: str, there: list[str | None], cells: list[str]) -> bool:
    """Whether the cells are the pool's at all these places, and tell items apart."""
    if None in there:
        return False
    column = study.pool.fields[name]
    own = [sheets.as_text(column.iloc[study.pool.position(id)]).strip() for id in there if id is not None]
    apart = len(set(own)) == len(set(there))
    return apart and own == [cell.strip() for cell in cells]


def _answers(export: Export) -> tuple[list[str], int] | None:
    """The answers in the one column that has some under a usual name, and skips; `None` if the table has neither.

    The number is that of the lines in which an empty list of labels is no answer, as it may be of nobody.
    """
    path, passed = _answer_path(export), _passed(export)
    none = _none_chosen(export, path)
    skipped = any(passed) and {*map(str.strip, export.verdicts)} <= {"ignore", ""}
    if path is None and not skipped and not (export.sets and any(none)):
        return None
    said = [""] * len(passed) if path is None else [*map(_plain, export.by_path[path])]
    said = [NONE if nothing else cell for cell, nothing in zip(said, none, strict=True)]
    if export.verdicts:
        said = [_judged(export.task, *pair) for pair in zip(said, export.verdicts, strict=True)]
    skip = next(word for word, silence in silences(export.task).items() if silence == SKIP)
    said = [skip if gone else cell for cell, gone in zip(said, passed, strict=True)]
    if export.sets and (any(none) or (path and _says_who(export, path))):
        return said, 0
    return ["" if cell == NONE else cell for cell in said], said.count(NONE) if export.sets else 0


def _none_chosen(export: Export, path: Path | None) -> list[bool]:
    """Which lines Label Studio says are of somebody who chose nothing, alone or beside these answers."""
    results = export.told(RESULT)
    if path is not None:
        lines = zip(results, export.told(("annotation_id",)), export.by_path[path], strict=True)
        return [result == NONE or (id != "" and cell == "") for result, id, cell in lines]
    other = any(field[: len(RESULT)] == RESULT != field for field in export.by_path)  # may be the answers
    return [result == NONE and not other for result in results]


def _refuse_unanswered(export: Export) -> None:
    """Refuse a tool's export in which nobody has answered yet."""
    said = {p: {*map(str.strip, cells)} for p, cells in export.by_path.items() if not export.shows(p)}
    empty = [path for path, cells in said.items() if NONE in cells <= EMPTY]
    if said.get(("status",)) == {"pending"} or any(_says_answer(p) or p == ("annotations",) for p in empty):
        rule = "must hold answers; in the tool that exported it nobody has given one yet"
        remedy = "label the items there, submit what was chosen, and export them again"
        if export.sets and any(map(_says_answer, empty)):
            rule, remedy = "must hold answers; all its lists of labels are empty", f"{remedy}: {UNTOLD}"
        fail("file", rule, remedy=remedy)


def _answer_path(export: Export) -> Path | None:
    """The one column with answers under a usual name; `None` if none may hold them. Several, and other names, are refused."""
    filled = {
        path: cells
        for path, cells in export.by_path.items()
        if not GUESSES & {*path}
        and not {*map(str.strip, cells)} <= ({""} if export.sets and _says_who(export, path) else EMPTY)
    }
    if export.verdicts:  # what they judge was chosen under `accept`, or else shown under `label`
        beside = {"answer", "label"} if ("accept",) in filled else {"answer"}
        filled = {path: cells for path, cells in filled.items() if path[-1] not in beside}
    named = [path for path in filled if _says_answer(path) and not export.shows(path)]
    if len(named) > 1 and all(path[-1] == "value" for path in named):  # several questions of Argilla
        named = [path for path in named if not _asks_words(export.task, filled[path])] or named
    if len(named) > 1:
        fail("file", f"must have its answers in one column; {_in_words(named)} may hold them", remedy=RENAME)
    if named:
        return named[0]
    own, classes = {"id", "place", "answer", ALLOWED}, {*map(spelt, export.task.classes)}
    meant = [
        path
        for path, cells in filled.items()
        if path[-1] not in own
        and not export.shows(path)
        and {spelt(cell.strip()) for cell in cells} - {""} <= classes
    ]
    if meant:
        remedy = RENAME if len(meant) == 1 else f"{RENAME}; {APART}"
        fail("file", f"must have a column named `answer`; {_in_words(meant)} may be meant", remedy=remedy)
    return None


def _in_words(paths: list[Path]) -> str:
    return listed([shown(".".join(path)) for path in paths], 3)


def _says_who(export: Export, path: Path) -> bool:
    """Whether a field is empty only where nobody answered; in others an empty list of labels may be an answer or not."""
    return bool((SAID & {*path} and path != RESULT) or (export.verdicts and path[-1] == "accept"))


def _says_answer(path: Path) -> bool:
    """Whether a field's name says that it is an answer; Argilla writes responses.question.value."""
    return path[-1] in NAMED or (path[-1] == "value" and "responses" in path)


def _asks_words(task: Task, cells: list[str]) -> bool:
    """Whether most of what was said to a question is no answer of the task."""
    said = [cell for cell in cells if cell not in EMPTY]
    return 2 * sum(reads(task, cell) for cell in said) < len(said)


def _passed(export: Export) -> list[bool]:
    """Which lines the tool says were skipped."""
    marks = [[verdict.strip() == "ignore" for verdict in export.verdicts or [""] * export.lines]]
    for path, cells in export.by_path.items():
        if path[-1] in PASSED and not export.shows(path):
            marks.append([cell.strip().lower() == PASSED[path[-1]] for cell in cells])
    return [any(line) for line in zip(*marks, strict=True)]


def _judged(task: Task, label: str, verdict: str) -> str:
    """What a label that was accepted or rejected says: of two classes, a rejected one says the other."""
    if verdict.strip() != "reject":
        return label if verdict.strip() else ""
    if task.kind == "binary" and label in task.classes:
        return task.classes[1 - task.classes.index(label)]
    return f"not {label}"  # is refused, with the allowed answers


def _plain(cell: str) -> str:
    """A cell without the record that Label Studio's CSV puts around several choices."""
    with suppress(ValueError):
        value: Any = json.loads(cell)
        if isinstance(value, dict) and len(value) == 1:
            value = next(iter(value.values()))
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return cell
