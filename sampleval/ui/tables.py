"""Frames for reading: titles instead of names, formatted numbers, and no more columns than needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from sampleval._checks import isolated
from sampleval.offline import Conflict, Rejected
from sampleval.study import Estimate, Shared, Study
from sampleval.ui import words
from sampleval.ui.labelling import desk


def metrics(study: Study, found: Sequence[Estimate]) -> pd.DataFrame:
    """Every estimate with its interval. Titles are Markdown, which wraps on a narrow page and keeps limits together."""
    level = found[0].interval.sure
    rows = []
    for estimate in found:
        metric, interval = study.metric(estimate.metric), estimate.interval
        rows.append(
            {
                "Metric": words.plain(metric.title),
                "Estimate": words.value(estimate, whole=metric.total),
                f"{level}\N{NO-BREAK SPACE}interval": words.possible(
                    interval.low, interval.high, whole=metric.total
                ).replace(" ", "\N{NO-BREAK SPACE}"),
            }
        )
    return pd.DataFrame(rows)


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


def marked(rows: pd.DataFrame) -> pd.Series:
    """The classes of `frames.classes`, with a mark on those that have too few labels."""
    few = " (" + rows["labels"].map(lambda n: words.many(n, "label")) + ")"
    return rows["class"].map(isolated) + few.where(rows["few"], "")


def parts(rows: pd.DataFrame, level: float) -> pd.DataFrame:
    """`frames.parts` for reading, with intervals at this level and stars on small parts; the cells are Markdown."""
    return pd.DataFrame(
        {
            "Part": rows["part"].map(words.name),
            "Items": rows["items"].map(words.count),
            "Labels": rows["labels"].map(words.count) + rows["small"].map({True: r" \*", False: ""}),
            "Estimate": rows["value"].map(words.number),
            f"{words.sure(level)} interval": [
                words.possible(a, b) for a, b in zip(rows["low"], rows["high"], strict=True)
            ],
        }
    )
