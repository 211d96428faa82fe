"""Cells that hold a system's output become columns: scores by class one for each class, a decision and its score two.

This is the rule, for cells as Arrow's lists and records. Where they stand otherwise, others bring them into that form:
`written` from text and Python's objects, `arrow.by_place` from Spark's vectors. `spread` applies the rule to tables and
frames. Guesses by rank, which stand in columns already, are those of `ranks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from sampleval.pool.naming import OUTPUTS, SCORES, column_role, role_of, says_bound, says_scores
from sampleval.pool.tables.arrow import (
    MOST,
    VECTOR,
    alone,
    by_place,
    entries,
    fields_of,
    is_list,
    is_number,
    is_text,
    single,
)

NAMES = ("name", "value", "verdict")  # of what has a score, beside the names of labels
_OUTPUTS = [(role, "") for role in OUTPUTS]
NEAR = 0.02  # from 1: how far a sum of rounded scores may be
ByClass = dict[str, Any]  # class or field → its cells, a `pa.ChunkedArray`


@dataclass(slots=True)
class Output:
    """What the records of one column, or lists in it, say of a system's output.

    Attributes:
        of: The columns that hold it.
        scores: Class → its scores.
        score: How sure it is of its decisions.
        pred: Decisions.
        left: The fields that say something else.
    """

    of: tuple[str, ...]
    scores: ByClass = field(default_factory=dict)
    score: pa.ChunkedArray | None = None
    pred: pa.ChunkedArray | None = None
    left: list[str] = field(default_factory=list)

    @property
    def columns(self) -> dict[str, pa.ChunkedArray]:
        """The columns to put in place of these."""
        found = {f"score_{name}": cells for name, cells in self.scores.items()}
        if self.score is not None and not found:
            found["confidence"] = self.score
        called = "prediction" if self.score is None and not found else "decision"
        return found if self.pred is None else found | {called: self.pred}


@dataclass(frozen=True, slots=True)
class Found:
    """A system's output in columns of its own.

    Attributes:
        columns: The columns to put in place of those that held it.
        hidden: The latter, and what else says the same.
        left: Column → those of its fields that are not read.
        ranked: The columns of best guesses by rank, where those held it.
    """

    columns: dict[str, pa.ChunkedArray]
    hidden: set[str]
    left: dict[str, list[str]] = field(default_factory=dict)
    ranked: tuple[str, ...] = ()


def found_output(nested: ByClass, others: Sequence[str]) -> Found | None:
    """A system's output, if exactly one column, or pair of lists, holds it; else `None`.

    Such are a record of scores by class, a list of pairs of a class and its score, a list of classes beside one of
    scores, and a record of a decision and its score.
    """
    roles = {column_role(name)[0] for name in others}
    decided, scored = "pred" in roles, not roles.isdisjoint(SCORES)
    found = [one for one in outputs(nested, decided=decided) if one.scores or not (decided or scored)]
    if scored:
        found = [one for one in found if role_of(one.of[-1]) == ("score", "")]
    if (output := _foremost(found)) is None:
        return None
    if decided:
        output.pred = None
    # What else names the classes is a shorter form of the same, or what annotators said: either gives the answer away.
    alike = [name for name, cells in nested.items() if output.scores and _is_of(cells, {*output.scores})]
    left = {one.of[0]: one.left for one in found if one.left}
    left |= {name: [*fields_of(nested[name])] for name in alike if name not in output.of}
    return Found(output.columns, {name for one in found for name in one.of} | {*alike}, left)


def _foremost(found: Sequence[Output]) -> Output | None:
    """The output to use; `None` if that is not certain.

    If there are several, it is the only one with scores by class, or among these the only one that is called scores.
    """
    by_class = [one for one in found if one.scores]
    best = [one for one in by_class if says_scores(one.of[-1])] or by_class or found
    return best[0] if len(best) == 1 else None


def _is_of(cells: pa.ChunkedArray, classes: AbstractSet[str]) -> bool:
    """Whether cells are records of these classes, or vectors with as many places."""
    return classes in ({*fields_of(cells)}, {*by_place(cells)})


def outputs(nested: ByClass, *, decided: bool) -> Iterator[Output]:
    """What each of these columns holds of a system's output, and each pair of lists.

    Where the table has a column of decisions, numbers in a record may be anything else.
    """
    for name, column in nested.items():
        cells = single(column)
        scores = _by_name(name, cells, summing=not decided) or _pairs(cells) or _lists(fields_of(cells))
        if scores or (says_scores(name) and (scores := by_place(cells))):
            yield Output((name,), scores)
        elif output := _of_record(name, fields_of(cells)):
            yield output
    if scores := _lists(nested):
        yield Output(_two_lists(nested), scores)
    elif (pair := _two_lists(nested)) and says_scores(pair[1]) and all(alone(nested[name]) for name in pair):
        pred, score = (entries(nested[name]) for name in pair)
        yield Output(pair, score=score, pred=pred)


def _of_record(name: str, fields: ByClass) -> Output | None:
    """What a record holds of a system's output, among other things: scores with decisions, or by class; else `None`."""
    if _is_forecast(name, fields):
        return Output((name,), pred=fields["value"], left=[key for key in fields if key != "value"])
    output = Output((name,))
    said = {key: role_of(key)[0] for key in fields}
    for key, part in fields.items():
        if scores := _by_name(key, part, summing=True) or _pairs(part):
            output.scores = scores
        elif said[key] in SCORES and is_number(part.type):
            output.score = part
        elif said[key] == "pred" and not pa.types.is_nested(part.type):
            output.pred = part
        else:
            output.left.append(key)
    # Beside a score, the label is the one that the score is of.
    of_score = next(filter(_is_scored, output.left), None)
    if output.pred is None and of_score is not None:
        output.pred = fields[of_score]
        output.left.remove(of_score)
    scored = output.scores or (output.score is not None and output.pred is not None)
    return output if scored else None


def _is_scored(key: str) -> bool:
    """Whether a field is called as that is which a score beside it is of."""
    return role_of(key)[0] == "label" or key.lower() in NAMES


def _is_forecast(name: str, fields: ByClass) -> bool:
    """Whether a record under a name such as prediction holds a number, and else only its bounds, as Vertex AI writes it."""
    others = all(key == "value" or says_bound(key) for key in fields)
    return role_of(name) == ("pred", "") and others and "value" in fields and is_number(fields["value"].type)


def _by_name(name: str, cells: pa.ChunkedArray, *, summing: bool) -> ByClass:
    """The scores in a record of class → score; {} if it is none.

    Under a name that says score alone, it may hold something else too. Under another, numbers are scores if `summing` and
    they sum to 1.
    """
    fields = fields_of(cells)
    if {*fields} <= VECTOR or any(role_of(key) in _OUTPUTS for key in fields):
        return {}
    if role_of(name) == ("score", ""):
        return fields
    shares = _are_shares(fields) and (says_scores(name) or (summing and _sum_to_one(fields)))
    return fields if shares else {}


def _pairs(cells: pa.ChunkedArray) -> ByClass:
    """The scores in lists of pairs of a class and its score; {} if the cells are none.

    Every list names the same classes, other than one of search results or of entities.
    """
    if not is_list(cells.type) or not pa.types.is_struct(cells.type.value_type):
        return {}
    kinds = {part.name: part.type for part in cells.type.value_type}
    numbers = [key for key, kind in kinds.items() if pa.types.is_floating(kind)]
    named = [key for key, kind in kinds.items() if is_text(kind) or pa.types.is_integer(kind)]
    named = [*filter(_is_scored, named)] or named
    if len(numbers) != 1 or not named:
        return {}
    parts = fields_of(entries(cells))
    found = _sorted(pc.list_value_length(cells), parts[named[0]], parts[numbers[0]])
    return found if says_scores(numbers[0]) or _sum_to_one(found) else {}


def _lists(fields: ByClass) -> ByClass:
    """The scores in a list beside one of their classes; {} if these columns are none."""
    if not (pair := _two_lists(fields)):
        return {}
    names, numbers = (fields[name] for name in pair)
    sizes = pc.list_value_length(names)
    if not sizes.equals(pc.list_value_length(numbers)):
        return {}
    found = _sorted(sizes, entries(names), entries(numbers))
    return found if says_scores(pair[1]) or _sum_to_one(found) else {}


def _two_lists(fields: ByClass) -> tuple[str, str] | tuple[()]:
    """The names of the first list of texts that are no numbers and of the only list of numbers; () if there are none."""
    lists = {name: cells for name, cells in fields.items() if is_list(cells.type)}
    numbers = [name for name, cells in lists.items() if pa.types.is_floating(cells.type.value_type)]
    texts = [name for name, cells in lists.items() if is_text(cells.type.value_type)]
    worded = [name for name in texts if not _counted(lists[name])] or texts
    return (worded[0], numbers[0]) if worded and len(numbers) == 1 else ()


def _counted(cells: pa.ChunkedArray) -> bool:
    """Whether all entries of the first list are digits, as ids are."""
    return all(str(entry).isdigit() for entry in cells[0].as_py() or ())


def _sorted(sizes: pa.ChunkedArray, names: pa.ChunkedArray, numbers: pa.ChunkedArray) -> ByClass:
    """The numbers of each name, of lists of these sizes end to end; {} if the lists do not all hold the same names."""
    size = sizes[0].as_py() if len(sizes) > 1 else None  # a single list shows nothing
    if not size or not 1 < size <= MOST or not pc.all(pc.equal(sizes, size), skip_nulls=False).as_py():
        return {}
    cells = pd.Index([str(name) for name in names.to_pylist()], dtype=object)
    classes = sorted({*cells[:size]})
    codes = pd.Index(classes, dtype=object).get_indexer(cells).reshape(-1, size)
    if not np.array_equal(np.sort(codes, axis=1), np.tile(np.arange(size), (len(codes), 1))):
        return {}
    place = np.argsort(codes, axis=1) + size * np.arange(len(codes))[:, None]
    return {name: numbers.take(pa.array(place[:, k])) for k, name in enumerate(classes)}


def _are_shares(fields: ByClass) -> bool:
    """Whether these are several numbers from 0 to 1, some strictly between. Zeros and ones alone may be labels."""
    parts = [part for part in fields.values() if is_number(part.type) and not part.null_count]
    if not 1 < len(parts) == len(fields):
        return False
    ends = [pc.min_max(part).as_py() for part in parts]
    within = all(end["min"] >= 0.0 and end["max"] <= 1.0 for end in ends)
    return within and any(pc.any(pc.and_(pc.greater(part, 0), pc.less(part, 1))).as_py() for part in parts)


def _sum_to_one(fields: ByClass) -> bool:
    """Whether these numbers sum to 1 in each row."""
    total = sum(np.nan_to_num(part.to_numpy()) for part in fields.values())
    return bool(len(fields) > 1 and np.all(np.abs(total - 1.0) <= NEAR))
