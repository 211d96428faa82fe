"""Frames of answers for reading: what became of a sheet's lines, and of items on which people differed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from sampleval.offline import Conflict, Rejected
from sampleval.study import Shared, Study
from sampleval.ui import words
from sampleval.ui.labelling import desk


def conflicts(found: Sequence[Conflict]) -> pd.DataFrame:
    """The lines of a sheet that differ from answers given before."""
    return pd.DataFrame(
        [{"Line": c.line, "Item": c.id, "Given before": c.given, "In the sheet": c.answer} for c in found]
    )


def rejected(found: Sequence[Rejected]) -> pd.DataFrame:
    """The lines of a sheet that could not be used, with the reasons; the cells are Markdown."""
    return pd.DataFrame(
        [
            {
                "Line": r.line,
                "Item": words.name(r.id),
                "In the sheet": words.name(words.short(r.answer)),
                "Why not": words.sentence(r.reason),
            }
            for r in found
        ]
    )


def settled(study: Study, found: Sequence[Shared]) -> pd.DataFrame:
    """The items on which annotators differed until somebody decided; the cells are Markdown."""
    task, rows = desk.shown_task(study.pool.task), []
    for item in found:
        counts = study.state.given.by_place[item.place][-1]
        rows.append(
            {
                "Item": words.name(counts.what.id),
                "Said": words.plain(item.said(partial(words.answer, task))),
                "Counts": words.name(words.answer(task, counts.what)),
                "Settled by": words.name(counts.annotator or "no name"),
            }
        )
    return pd.DataFrame(rows)
