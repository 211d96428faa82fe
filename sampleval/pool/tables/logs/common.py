"""What logs of several programs have in common: records of items, and answers that should name classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from sampleval._checks import fail, shown

Record = Mapping[str, Any]
Rows = list[dict[str, Any]]
Reader = Callable[[Sequence[Record], str], Rows]  # the records and the file's name → a row per item
FEW = 8  # items of which each may have a class of its own
RATINGS = 10  # most numbers that may be ratings, and no free answers


def refuse(name: str, rule: str, remedy: str) -> NoReturn:
    """Refuse a file whose records cannot be read as items."""
    fail("path", rule, name, remedy=remedy)


def classified(rows: Rows, name: str) -> Rows:
    """The rows, if their predictions name classes; texts that are written freely are refused."""
    if not rows:
        refuse(name, "must hold the answers of a system; there is none", "is it the log of the whole run?")
    answers = {str(row["prediction"]) for row in rows}
    counted = len(answers) > RATINGS and all(map(_is_number, answers))
    if counted or 2 * len(answers) > max(len(rows), FEW):
        rule = f"must hold answers that name classes; those of this log are free texts, as {shown(min(answers), 60)}"
        remedy = (
            "to learn how many of them are right, write a table with a column for the question, one for the answer, "
            "and as `score` how likely it is right, such as a judge's grade"
        )
        refuse(name, rule, remedy)
    return rows


def _is_number(text: str) -> bool:
    return text.replace(",", "").removeprefix("-").replace(".", "", 1).isdecimal()


def beside(row: dict[str, Any], fields: object, prefix: str) -> dict[str, Any]:
    """The row with these fields too, under a longer name where it has one of their name."""
    more = fields if isinstance(fields, Mapping) else {prefix: fields}
    return row | {f"{prefix}.{key}" if key in row else str(key): cell for key, cell in more.items()}


def first_answer(answers: Any) -> str:
    """The only answer, or the first of several."""
    while isinstance(answers, list):
        answers = answers[0] if answers else ""
    return str(answers).strip()


def told(prompt: object) -> str:
    """The text of a prompt: of a chat what the user said last."""
    if isinstance(prompt, list):
        said = [one for one in prompt if isinstance(one, Mapping) and one.get("role") == "user"] or prompt
        return told(said[-1].get("content") if isinstance(said[-1], Mapping) else said[-1]) if said else ""
    return prompt if isinstance(prompt, str) else str(prompt)
