"""The page's table of how well each class is recognised."""

from __future__ import annotations

from html import escape

import pandas as pd

from sampleval import frames, numerals
from sampleval.pool import SEVERAL
from sampleval.study import Study, unlike_means
from sampleval.study.conclusions.future import About
from sampleval.study.conclusions.rare_classes import MET

HEADS = {"items": "Items", "precision": "Precision", "recall": "Recall", "f1": "F1"}


def by_class(study: Study, *, level: float | None, interval: str | None, about: About) -> str:
    """The section on classes; "" if there are none or nothing is known about them.

    Args:
        study: The study.
        level: Coverage of the limits; the study's by default.
        interval: Kind of the other intervals of the page; the method's by default. The section keeps its own.
        about: What the rest of the page is about. The section is always about this pool.
    """
    if study.pool.task.kind not in SEVERAL:
        return ""
    rows = frames.classes(study, level=level)
    if rows.loc[rows["measure"].isin(HEADS), "value"].isna().all():
        return ""
    head = "".join(f"<th>{cell}</th>" for cell in ("Class", "Labels", *HEADS.values()))
    body = "".join(_row(str(name), group) for name, group in rows.groupby("class", sort=False))
    lines = []
    if rows["few"].any():
        lines.append(f"* fewer than {MET} labels: too few to say much about this class.")
    lines += unlike_means(study, rows)
    if len(missing := rows[rows["value"].isna()]):
        lines.append(f"“–” where undefined: {missing['note'].iloc[0]}.")
    if (interval or study.method.interval) == "anytime":
        lines.append("Limits by class are for this number of labels, fixed beforehand.")
    elif interval not in (None, study.method.fixed):
        lines.append(
            "The kind of interval that was chosen is that of the metrics above: limits by class keep theirs."
        )
    if about == "future":
        lines.append(
            "Values and limits by class are about this pool; they do not allow for the pool itself being a random sample."
        )
    notes = "".join(f'<p class="note">{escape(line)}</p>' for line in lines)
    table = f'<table class="classes"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f"<h2>Class by class</h2>{table}{notes}"


def _row(name: str, rows: pd.DataFrame) -> str:
    first, measures = rows.iloc[0], {row["measure"]: row for _, row in rows.iterrows()}
    star = " *" if first["few"] else ""
    cells = "".join(_cell(measures[measure], whole=measure == "items") for measure in HEADS)
    return (
        f"<tr><td><bdi>{escape(name)}</bdi></td><td>{numerals.count(first['labels'])}{star}</td>{cells}</tr>"
    )


def _cell(row: pd.Series, *, whole: bool) -> str:
    """A table cell with a value over its limits."""
    value, limits = numerals.in_cell(row["value"], row["low"], row["high"], whole=whole)
    return f'<td>{escape(value)}<div class="note">{escape(limits)}</div></td>'
