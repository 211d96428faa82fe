"""Which program wrote a log, judged by the names in its first record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sampleval._checks import InputError
from sampleval.pool.tables.logs.common import Reader, Record, Rows, refuse
from sampleval.pool.tables.logs.graded import of_openai_items, of_openai_log, of_promptfoo
from sampleval.pool.tables.logs.harness import of_harness
from sampleval.pool.tables.logs.servers import PREDICTED, of_outputs, of_predictions
from sampleval.pool.tables.logs.studio import of_label_studio


def rows_of(first: Record, records: Callable[[], Sequence[Record]], name: str, *, whole: bool) -> Rows:
    """A row per item of a log; [] if this is none.

    Args:
        first: The first record, or the one that is around all.
        records: Gives all records.
        name: The file's name, for messages.
        whole: Whether the one record is around all.

    Raises:
        InputError: The log cannot be read as items; the message says what to do.
    """
    read = next(_around(first) if whole else _fitting(first), None)
    if read is None:
        return []
    try:
        return read([first] if whole else records(), name)
    except InputError:
        raise
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, RecursionError) as error:
        rule = f"must hold records of one form; some of this log differ from the first ({type(error).__name__}: {error})"
        refuse(name, rule, "write a table with a line per item: its text, and what the system says")


def _around(whole: Record) -> Iterator[Reader]:
    """What reads an object around all items."""
    results = whole.get("results")
    inner = results.get("results") if isinstance(results, dict) else results
    if _lists_records(inner, {"vars", "response"}):
        yield of_promptfoo
    if _lists_records(whole.get("outputs"), {"name", "shape", "datatype", "data"}):
        yield of_outputs
    others = [value for key, value in whole.items() if key != PREDICTED]
    if _are_scalars(whole.get(PREDICTED)) and not any(isinstance(value, list) for value in others):
        yield of_predictions


def _fitting(first: Record) -> Iterator[Reader]:
    """What reads records of which this is the first."""
    if first.keys() >= {"doc_id", "doc", "filtered_resps"}:
        yield of_harness
    if first.keys() >= {"vars", "response", "gradingResult"}:
        yield of_promptfoo
    if first.keys() >= {"run_id", "event_id", "sample_id", "type", "data"} or _has(
        first, "spec", "completion_fns"
    ):
        yield of_openai_log
    if first.get("object") == "eval.run.output_item":
        yield of_openai_items
    if first.keys() >= {"id", "data", "annotations"} and isinstance(first["data"], dict) and _is_task(first):
        yield of_label_studio


def _is_task(first: Record) -> bool:
    """Whether a record has lists of results, of annotators and perhaps of models."""
    said = [first[key] for key in ("annotations", "predictions") if key in first]
    return all(
        isinstance(one, list) and all(isinstance(each, dict) and "result" in each for each in one)
        for one in said
    )


def _has(first: Record, key: str, inner: str) -> bool:
    return isinstance(first.get(key), dict) and inner in first[key]


def _lists_records(value: Any, keys: set[str]) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) and one.keys() >= keys for one in value)
    )


def _are_scalars(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) > 1
        and all(isinstance(one, str | int | float) for one in value)
    )
