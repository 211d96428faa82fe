"""Read the records of a JSON or JSONL file as a table, as labelling tools export them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd

from sampleval._checks import fail

PEOPLE = "annotations"  # Label Studio's list of what each person said: a line for each
ASKED = "from_name"  # which of its questions a record of Label Studio answers
RESPONSES, USER = "responses", "user_id"  # Argilla's lists of what each person said to a question
REMEDY = "export CSV, or JSON with a record for each item"


def from_json(text: str) -> pd.DataFrame:
    """The records as lines of text, with names such as `data.id` for fields within fields.

    Lists stay JSON text, but one that holds a single record is that record, and records of Label Studio are called as the
    questions that they answer. Lines are numbered from 1, as in JSONL.

    Raises:
        InputError: The text is no JSON, or not of records.

    >>> from_json('{"id": 7, "meta": {"place": 0}, "label": ["x"]}').to_dict("records")
    [{'id': '7', 'meta.place': '0', 'label': '["x"]'}]
    """
    flat: dict[int, dict[str, str]] = {}
    for record in _records(text):
        for one in _by_person(record):
            flat[len(flat) + 1] = dict(_flat(one, ""))
    return pd.DataFrame.from_dict(flat, orient="index", dtype=object).fillna("")


def _records(text: str) -> list[dict[str, Any]]:
    try:
        found = _parsed(text)
    except (ValueError, RecursionError) as error:
        fail("file", f"must be readable as JSON or JSONL ({error})", remedy=REMEDY)
    if not found or not all(isinstance(record, dict) for record in found):
        fail("file", "must hold records, one for each item", remedy=REMEDY)
    return found


def _parsed(text: str) -> list[Any]:
    try:
        whole = json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    return whole if isinstance(whole, list) else [whole]


def _by_person(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The record once for each person whose annotations Label Studio lists, or whose responses Argilla does by question."""
    said, questions = record.get(PEOPLE), record.get(RESPONSES)
    if isinstance(said, list) and len(said) > 1:
        return [{**record, PEOPLE: each} for each in said]
    if not isinstance(questions, dict):
        return [record]
    lists = {question: said for question, said in questions.items() if isinstance(said, list)}
    responses = [one for said in lists.values() for one in said]
    if not all(isinstance(one, dict) and USER in one for one in responses):
        return [record]

    def of(user: str) -> dict[str, Any]:
        return {question: [one for one in said if str(one[USER]) == user] for question, said in lists.items()}

    users = dict.fromkeys(str(one[USER]) for one in responses)
    return [{**record, RESPONSES: questions | of(user)} for user in users] or [record]


def _flat(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        by_name = {part[ASKED]: part for part in value if isinstance(part.get(ASKED), str)}
        if len(by_name) == len(value):
            value = by_name
        elif len(value) == 1:
            value = value[0]
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _flat(part, f"{path}.{name}" if path else name)
    elif value is not None:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield path, text
