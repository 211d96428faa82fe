"""What to say of a table in which no column holds a system's output: what may be the reason, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from sampleval.pool.columns import Columns, in_code, short_code
from sampleval.pool.guessing.cells import keys_in, numeric
from sampleval.pool.guessing.forecasts import central
from sampleval.pool.naming import OUTPUTS, in_two_lines, role_of, says_decision, suggesting

_NAME_ONE = {"score": "name one, score=…", "pred": "name one, pred=…"}


def without_output(df: pd.DataFrame, columns: Columns, shares: Sequence[str], *, numbers: bool) -> Columns:
    """The columns with a question, since none holds a system's output, and with the likely reason as explanation.

    The `shares` are columns that sum to 1; `numbers` says whether numbers may be predicted, as far as the labels tell.
    """
    of_numbers = columns.kind == "regression"
    reason = (
        _reason(df.columns)
        or (_shares_named(shares) if shares else "")
        or _stacked(df)
        or _sounding(df, scored=not of_numbers, counted=numbers)
    )
    there = f"no column holds a score or a prediction; there is {short_code(df.columns)}"
    question = f"{there}: {reason or _NAME_ONE['pred' if of_numbers else 'score'] + labels_alone(columns)}"
    return replace(columns, question=question, explanation=columns.explanation or reason)


def labels_alone(columns: Columns) -> str:
    """A clause on where labels go that come in a table without a system's output; "" if there are no labels."""
    known = (
        f"if {in_code(columns.label, 4)} holds labels known already, they go into the table with the scores"
    )
    return f"; {known}, as a column that is empty where no label is known" if columns.label else ""


def _shares_named(names: Sequence[str]) -> str:
    """Advice on columns that sum to 1 in each row, of classes that their names do not tell."""
    told = f"{in_code(names, 4)} sum to 1 in each row"
    remedy = (
        "rename each to prob_NAME with the name of its class, those of several systems to SYSTEM.prob_NAME"
    )
    return f"{told}: if they are the scores of the classes, {remedy}"


def _sounding(df: pd.DataFrame, *, scored: bool, counted: bool) -> str:
    """Advice on columns that sound like scores or decisions, and on records that may hold them; "" if there are none.

    It is on scores only if `scored`, since they are of no use where numbers are predicted, and on such numbers only if `counted`.
    """
    scores = [name for name in suggesting(df.columns, "weak score") if scored and numeric(df[name])]
    decided = [name for name in df.columns if says_decision(name)]
    for role, what, names in (("score", "score", scores), ("pred", "decision", decided)):
        if len(names) > 1:
            return _one_of(role, what, names)
    if numbers := central(df, [*df.columns] if counted else []):
        return f"if {in_code(numbers[:1])} holds the numbers that are predicted, name it, pred={numbers[0]!r}"
    if decided:
        return f"if `{decided[0]}` holds the decision, name it, pred=…"
    return _in_records(df)


def _one_of(role: str, what: str, names: Sequence[str]) -> str:
    """Advice on several columns that sound like the same role."""
    systems = [f"{stem}.{role}" for name in names if (stem := name.rpartition("_")[0])]
    compare = f", or to compare systems call them {in_code(systems, 4)}" if len(systems) > 1 else ""
    return f"{in_code(names, 4)} could each be the {what}: {_NAME_ONE[role]}{compare}"


def _in_records(df: pd.DataFrame) -> str:
    """Advice on the first column of records, of those with an output if there are any; "" if there are no records."""
    records = {name: keys for name in df.columns if (keys := keys_in(df[name]))}
    telling = [name for name, keys in records.items() if any(role_of(key)[0] in OUTPUTS for key in keys)]
    if not records:
        return ""
    first = next(iter([*telling, *records]))
    return (
        f"`{first}` holds records with {short_code(records[first])}: give each of these a column of its own"
    )


def _stacked(df: pd.DataFrame) -> str:
    """Advice if the first row seems to name the columns too, below a line with the systems; "" otherwise."""
    upper = ["" if re.fullmatch(r"index|unnamed_\d+", name) else name for name in df.columns]
    return in_two_lines(upper, [cell if isinstance(cell, str) else "" for cell in df.iloc[0]])


def _reason(names: pd.Index[Any]) -> str:
    """Advice if the cells seem not to be separated as intended; "" otherwise."""
    if len(names) > 1 and all(re.fullmatch(r"unnamed_\d+", name) for name in names[1:]):
        return "the first line should name the columns: remove what stands above their names"
    if len(names) == 1 and re.search(r"[\s,;|:^~]", names[0]):
        part = "if the one column is several, part them by commas, and quote cells but no whole lines"
        return f"{part}; if this is a title, remove it"
    if any(name.count('"') % 2 or name.lstrip().startswith('"') for name in names):
        return "put nothing between a separator and the quote after it"
    if any(re.fullmatch(r"0?\.\d+|-?\d\.\d+e[+-]\d+", name) for name in names):
        return "the first line should name the columns, and seems to be a row of the table"
    return ""
