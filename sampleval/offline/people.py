"""Who gave each answer, where a column of a sheet or of a tool's export says so."""

from __future__ import annotations

import re

import pandas as pd

from sampleval.offline.exports import Path, fields_of, is_field, path_of
from sampleval.offline.lines import texts_at
from sampleval.offline.writing import FIELD
from sampleval.study import Study

# What columns of people are called, letters alone, the surest first.
SURE = (
    *("annotator", "annotatorname", "annotatorid", "annotators", "annotatedby"),
    *("labeller", "labeler", "labellerid", "labelerid", "labelledby", "labeledby"),
    *("rater", "raterid", "ratername", "ratedby", "coder", "coderid", "codername", "codedby"),
    *("worker", "workerid", "workername", "completedby"),
)
# Such columns may be about the items, too: they count where several lines answer one item.
LIKELY = (
    *("user", "username", "userid", "person", "reviewer", "reviewerid", "judge", "assessor", "respondent"),
    *(
        "respondentid",
        "participant",
        "participantid",
        "createdby",
        "createdusername",
        "email",
        "emailaddress",
    ),
)
WITHIN = ("email", "username", "name", "id")  # what a tool says of a person in a record, the best first
RANKS = {name: rank for rank, name in enumerate((*SURE, *LIKELY))}


def people_of(study: Study, table: pd.DataFrame) -> list[str] | None:
    """The annotator of each line, "" where none is named; `None` if no column names them, or it only has numbers that tell none.

    Fields of the study's pool are about the items, under whichever name they stand.
    """
    texts = [texts_at(table, k) for k in range(table.shape[1])]
    paths = [path_of(str(name)) for name in table.columns]
    renamed = {path_of(str(name).removesuffix(FIELD)) for name in table.columns if str(name).endswith(FIELD)}
    ranks = [_rank(path, fields_of(study) - renamed) for path in paths]
    filled = {
        rank: k for k, rank in reversed([*enumerate(ranks)]) if rank is not None and any(texts[k])
    }  # of equal ones the first
    best = min(filled, default=None)
    if best is None or (best[0] >= len(SURE) and not _repeated(paths, texts)):
        return None
    people = texts[filled[best]]
    return None if _numbered(people, repeated=_repeated(paths, texts)) else people


def is_person(name: str) -> bool:
    """Whether a column of this name may name who answered."""
    return _rank(path_of(name)) is not None


def _rank(path: Path, fields: frozenset[Path] = frozenset()) -> tuple[int, int] | None:
    """How surely a column names who answered, the lower the better; `None` if it does not, or holds one of these fields."""
    last = _letters(path[-1])
    if len(path) > 1 and last in WITHIN and (rank := RANKS.get(_letters(path[-2]))) is not None:
        records = frozenset(field for field in fields if len(field) > 1)  # an item's `name` is no annotator's
        return None if is_field(path, records) else (rank, WITHIN.index(last))
    rank = RANKS.get(last)
    return None if rank is None or is_field(path, fields) else (rank, 0)


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name)


def _numbered(people: list[str], *, repeated: bool) -> bool:
    """Whether numbers tell nobody: of one person, whose name is known to who brings the sheet, or one for each line.

    The latter may number the lines. They do tell people where several lines answer one item.
    """
    said = [person for person in people if person]
    apart = len({*said})
    return (apart == 1 or (apart == len(said) and not repeated)) and all(map(str.isdecimal, said))


def _repeated(paths: list[Path], texts: list[list[str]]) -> bool:
    """Whether several lines are about one item, as its place or else its id tells."""
    told = next(
        (k for name in ("place", "id") for k, path in enumerate(paths) if path[-1] == name and any(texts[k])),
        None,
    )
    cells = [] if told is None else [cell for cell in texts[told] if cell]
    return len(set(cells)) < len(cells)
