"""Frames of results for reading: titles instead of names, formatted numbers, and no more columns than needed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from sampleval._checks import isolated
from sampleval.study import Estimate, Study
from sampleval.ui import words


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
