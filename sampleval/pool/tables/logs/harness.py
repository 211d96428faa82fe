"""Samples of the Language Model Evaluation Harness: choices with log-likelihoods, or generated answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from sampleval.pool.tables.logs.common import Record, Rows, classified, first_answer, refuse

_ONE = "keep the records of one"


def of_harness(records: Sequence[Record], name: str) -> Rows:
    """A row per document: of several choices their shares of the likelihood, else the answer that was generated."""
    filters = {str(one["filter"]) for one in records if "filter" in one}
    if len(filters) > 1:
        rule = f"must hold the records of one filter; it holds {', '.join(sorted(filters))}"
        refuse(name, rule, f"{_ONE} filter")
    pairs = [_likelihoods(one["filtered_resps"]) for one in records]
    asked = [_arguments(one) for one in records]
    texts = [str(each[0][0]) if each and each[0] else "" for each in asked]
    rows: Rows = [{"id": str(one["doc_id"]), "text": text} for one, text in zip(records, texts, strict=True)]
    targets = [str(one.get("target", "")).strip() for one in records]
    if not any(pairs):
        said = [first_answer(one["filtered_resps"]) for one in records]
        answers = [{"prediction": one, "label": target} for one, target in zip(said, targets, strict=True)]
        return classified([row | answer for row, answer in zip(rows, answers, strict=True)], name)
    least, width = min(map(len, pairs)), max(map(len, pairs))
    if not 2 <= least == width:
        rule = f"must give every item the same choices, or as many; it gives from {least} to {width}"
        refuse(name, rule, f"{_ONE} number of choices, which is 2 or more")
    choices = [[str(one[-1]).strip() for one in each] for each in asked]
    alike = all(each == choices[0] for each in choices) and len({*choices[0]}) == width
    classes = choices[0] if alike else [str(k) for k in range(width)]
    rows = [row | _shares(each, classes) for row, each in zip(rows, pairs, strict=True)]
    if not alike:
        rows = [row | {"choices": _listed(each)} for row, each in zip(rows, choices, strict=True)]
    return _with_truth(rows, targets, classes)


def _likelihoods(answers: Any) -> list[float]:
    """The log-likelihoods in pairs of one and whether it is the greedy choice; [] if the answers are others."""
    if not isinstance(answers, list) or not all(isinstance(one, list) and len(one) == 2 for one in answers):
        return []
    try:
        return [float(likelihood) for likelihood, greedy in answers if str(greedy) in ("True", "False")]
    except (TypeError, ValueError):
        return []


def _arguments(record: Record) -> list[list[Any]]:
    """The context and the continuation of each request."""
    arguments = record.get("arguments") or []
    parts = arguments.values() if isinstance(arguments, dict) else arguments
    return [[*one.values()] if isinstance(one, dict) else [*one] for one in parts]


def _shares(likelihoods: list[float], classes: list[str]) -> dict[str, float]:
    most = max(likelihoods)
    weights = [math.exp(one - most) for one in likelihoods]
    return {f"score_{one}": weight / sum(weights) for one, weight in zip(classes, weights, strict=True)}


def _listed(choices: list[str]) -> str:
    return "\n".join(f"{k}: {choice}" for k, choice in enumerate(choices))


def _with_truth(rows: Rows, said: Sequence[str], classes: list[str]) -> Rows:
    """The rows with the right choice, which is written as its text or its place, if it is certain which of these."""
    places = {str(k): one for k, one in enumerate(classes)}
    spelt = {one: one for one in classes}
    ways = [way for way in (places, spelt) if all(one in way for one in said)]
    if not ways or any([way[one] for one in said] != [ways[0][one] for one in said] for way in ways):
        return rows
    return [row | {"label": ways[0][one]} for row, one in zip(rows, said, strict=True)]
