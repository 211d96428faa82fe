"""Which program wrote a log, judged by the names in its first record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sampleval._checks import InputError
from sampleval.pool.tables.logs.common import Reader, Record, Rows, refuse
from sampleval.pool.tables.logs.graded import of_openai_items, of_openai_log, of_promptfoo
from sampleval.pool.tables.logs.harness import of_harness
from sampleval.pool.tables.logs.servers import of_outputs, of_predictions
from sampleval.pool.tables.logs.studio import of_label_studio

# What a reader meets in a record of another form.
MISFITS = (KeyError, IndexError, TypeError, AttributeError, ValueError, RecursionError)


def rows_of(first: Record, records: Callable[[], Sequence[Record]], name: str, *, whole: bool) -> Rows:
    """A row per item of a log, given its first record, or if `whole` the one that is around all; [] if this is no log."""
    read = _around(first) if whole else _fitting(first)
    if read is None:
        return []
    found = [first] if whole else records()
    try:
        return read(found, name)
    except InputError:
        raise
    except MISFITS as error:
        odd = 0 if whole else _odd(read, found, name)
        which = f"record {odd:,} of this log has" if odd else "some of this log have"
        rule = (
            f"must hold records in the form of one program; {which} another ({type(error).__name__}: {error})"
        )
        refuse(name, rule, "write a table with a line per item: its text, and what the system says")


def _odd(read: Reader, records: Sequence[Record], name: str) -> int:
    """Which record cannot be read by itself, counted from 1; 0 if each can."""
    for k, one in enumerate(records, 1):
        try:
            read([one], name)
        except InputError:
            continue  # such as a class without others
        except MISFITS:
            return k
    return 0


def _around(whole: Record) -> Reader | None:
    """What reads an object around all items."""
    match whole:
        case {"results": {"results": [*tests]} | [*tests]} if tests and _all_have(tests, "vars", "response"):
            return of_promptfoo
        case {"outputs": [*tensors]} if tensors and _all_have(tensors, "name", "shape", "datatype", "data"):
            return of_outputs
        case {"predictions": [_, _, *_] as cells, **others}:
            lists = any(isinstance(value, list) for value in others.values())
            if not lists and all(isinstance(cell, str | int | float) for cell in cells):
                return of_predictions
    return None


def _fitting(first: Record) -> Reader | None:
    """What reads records of which this is the first."""
    match first:
        case {"doc_id": _, "doc": _, "filtered_resps": _}:
            return of_harness
        case {"vars": _, "response": _, "gradingResult": _}:
            return of_promptfoo
        case {"run_id": _, "event_id": _, "sample_id": _, "type": _, "data": _}:
            return of_openai_log
        case {"spec": {"completion_fns": _}}:
            return of_openai_log
        case {"object": "eval.run.output_item"}:
            return of_openai_items
        case {"id": _, "data": {}, "annotations": [*people]}:
            models = first.get("predictions", [])
            if isinstance(models, list) and _all_have([*people, *models], "result"):
                return of_label_studio
    return None


def _all_have(records: list[Any], *keys: str) -> bool:
    """Whether these are records with all these keys."""
    return all(isinstance(one, dict) and one.keys() >= {*keys} for one in records)
