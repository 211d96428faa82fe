"""Logs in which each answer has a grade, of promptfoo and of OpenAI's evals. A grade tells the truth, and is no score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sampleval.pool.tables.logs.common import Record, Rows, beside, classified, first_answer, refuse, told

EXPECTED = "expected"  # what the variable of the right answer is mostly called


def of_promptfoo(records: Sequence[Record], name: str) -> Rows:
    """A row per test, and per prompt and provider if there are several, which are the systems."""
    if len(records) == 1 and "results" in records[0]:
        records = _results(records[0]["results"])
    systems = [_system(one) for one in records]
    parts = [k for k in range(2) if len({each[k] for each in systems}) > 1]
    rows, counts = Rows(), dict[tuple[str, ...], int]()
    for one, system in zip(records, systems, strict=True):
        response = one.get("response")
        if not isinstance(response, dict) or "output" not in response:
            refuse(name, "must hold an output for each test", "run those with an error again, or remove them")
        counts[system] = counts.get(system, -1) + 1
        row = {"id": str(one.get("testIdx", counts[system])), "prediction": _text(response["output"])}
        if parts:
            row["system"] = " ".join(system[k] for k in parts)
        expected, asked = _expected(one), one.get("vars") or {}
        if expected is not None:
            row["label"] = expected
        shown = {key: cell for key, cell in asked.items() if key != EXPECTED and cell != expected}
        rows.append(beside(row, shown, "vars"))
    return classified(rows, name)


def _expected(record: Record) -> str | None:
    """The answer that is expected, by the only test for equality, which may name a variable, or by one of its name."""
    asked = record.get("vars") or {}
    tests = [
        one.get("assertion") or {}
        for one in (record.get("gradingResult") or {}).get("componentResults") or ()
    ]
    equal = [
        one["value"] for one in tests if one.get("type") == "equals" and isinstance(one.get("value"), str)
    ]
    said = equal[0] if len(equal) == 1 else asked.get(EXPECTED)
    named = re.fullmatch(r"\{\{\s*(\w+)\s*\}\}", said) if isinstance(said, str) else None
    said = asked.get(named[1]) if named else said
    return said if isinstance(said, str) else None


def _results(results: Any) -> list[Record]:
    """The list of results, which newer versions nest once more."""
    return results if isinstance(results, list) else results["results"]


def _system(record: Record) -> tuple[str, str]:
    """The provider and the prompt."""
    provider = record.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return str(provider), f"prompt {record.get('promptIdx', 0)}"


def _text(output: Any) -> str:
    return output.strip() if isinstance(output, str) else str(output)


def of_openai_log(records: Sequence[Record], name: str) -> Rows:
    """A row per sample of the events that `oaieval` writes: what was asked, picked and expected."""
    rows: dict[str, dict[str, Any]] = {}
    for event in records:
        sample, data = event.get("sample_id"), event.get("data")
        if sample is None or not isinstance(data, dict) or event.get("type") not in ("sampling", "match"):
            continue
        row = rows.setdefault(str(sample), {"id": str(sample)})
        if event["type"] == "sampling":
            row["text"] = told(data.get("prompt"))
            row.setdefault("prediction", first_answer(data.get("sampled")))
        else:
            picked = data.get("picked")
            row["prediction"] = first_answer(data.get("sampled") if picked is None else picked)
            row["label"] = first_answer(data.get("expected"))
    return classified([row for row in rows.values() if "prediction" in row], name)


def of_openai_items(records: Sequence[Record], name: str) -> Rows:
    """A row per output item of the evals of OpenAI's API."""
    rows = Rows()
    for one in records:
        output = (one.get("sample") or {}).get("output") or []
        if not output:
            refuse(name, "must hold an output for each item", "run those with an error again, or remove them")
        row = {
            "id": str(one.get("datasource_item_id", one["id"])),
            "prediction": told([*output][-1:]).strip(),
        }
        rows.append(beside(row, one.get("datasource_item") or {}, "item"))
    return classified(rows, name)
