"""The page with a study's results."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from importlib import resources
from math import inf

import pandas as pd

from sampleval import frames, numerals
from sampleval._checks import capitalised
from sampleval.metrics import Metric
from sampleval.metrics.names import subject
from sampleval.pool import SEVERAL
from sampleval.report.methods import methods
from sampleval.report.svg import convergence, round_ends, whisker
from sampleval.study import (
    Estimate,
    Study,
    caveats,
    checked_study,
    finding,
    towards_goal,
    undefined_classes,
    unlike_means,
    whose,
)
from sampleval.study.conclusions.future import About
from sampleval.study.conclusions.rare_classes import MET

# With this policy, the page cannot load or run anything even if some text were not escaped.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
# What is shown by class.
HEADS = {"items": "Items", "precision": "Precision", "recall": "Recall", "f1": "F1"}


def html(
    study: Study, *, level: float | None = None, interval: str | None = None, about: About = "pool"
) -> str:
    """A study's results as one HTML page that needs no network.

    Args:
        study: The study.
        level: Coverage of the intervals; the study's by default.
        interval: Key in `INTERVALS`; the method's by default.
        about: "pool" for this pool's metrics, "future" for items like these.

    Raises:
        InputError: `study` is no `Study`, or another argument is out of range.
    """
    checked_study(study)
    found = study.estimates(level=level, interval=interval, about=about)
    main = found[0]
    metric = study.metric(main.metric)
    history = study.history(main.metric, level=level, interval=interval, about=about)
    name = escape(study.name or "study")
    body = [
        f"<h1><bdi>{name}</bdi></h1>",
        _lead(study, main, metric),
        _table(study, found),
        _settled(study, metric, history),
        _by_class(study, level=level, interval=interval, about=about),
        "<h2>What the labels cannot tell</h2>",
        "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in caveats(study, found)) + "</ul>",
        "<h2>Methods</h2>",
        f"<p>{escape(methods(study, main))}</p>",
        f"<footer>Written {datetime.now(UTC):%Y-%m-%d %H:%M} UTC.</footer>",
    ]
    style = resources.files(__package__).joinpath("report.css").read_text("utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{name} · sampleval</title><style>{style}</style></head>"
        f'<body><main class="report">{"".join(body)}</main></body></html>'
    )


def _lead(study: Study, main: Estimate, metric: Metric) -> str:
    value = f"{escape(metric.title)}: <strong>{number(main, metric)}</strong>"
    low, high, level = main.interval.low, main.interval.high, main.interval.level
    sure = escape(numerals.between(low, high, level, whole=metric.total))
    held = len(study.state.problem.held)
    beforehand = f" and {numerals.many(held, 'label')} known beforehand" if held else ""
    rests = f"from {numerals.many(main.labels, 'answer')}{beforehand} in a pool of {numerals.many(study.pool.size, 'item')}"
    said = [finding(study, main)]
    if study.goal is not None and main.about == "pool":
        said.append(towards_goal(study, main, study.goal))
    said += [note] if (note := whose(study.pool)) else []
    return f'<p class="lead">{value}, {sure}, {rests}.</p><p>{escape(" ".join(said))}</p>'


def _table(study: Study, found: list[Estimate]) -> str:
    heads = ("Metric", "Estimate", f"{found[0].interval.sure} interval")
    head = "".join(f"<th>{cell}</th>" for cell in heads) + "<td></td>"
    notes = list(dict.fromkeys(note for e in found for note in _notes(e)))
    rows = "".join(_row(study, e, [1 + notes.index(note) for note in _notes(e)]) for e in found)
    below = "".join(f"<li>{escape(f'{capitalised(note)}.')}</li>" for note in notes)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return table + (f'<ol class="note">{below}</ol>' if notes else "")


def _notes(estimate: Estimate) -> list[str]:
    """The notes on the value and on its limits, as separate texts, since many metrics share one of them."""
    limits = estimate.interval.note
    return [note for note in (estimate.note.removesuffix(limits).removesuffix("; "), limits) if note]


def _row(study: Study, estimate: Estimate, marks: list[int]) -> str:
    metric = study.metric(estimate.metric)
    picture = whisker(estimate) if metric.fraction else ""  # fractions share one scale
    low, high = estimate.interval.low, estimate.interval.high
    limits = escape(numerals.possible(low, high, whole=metric.total))
    noted = f"<sup>{', '.join(map(str, marks))}</sup>" if marks else ""
    return (
        f"<tr><td>{escape(metric.title)}{noted}</td><td>{number(estimate, metric)}</td>"
        f'<td class="limits">{limits}</td><td>{picture}</td></tr>'
    )


def _settled(study: Study, metric: Metric, history: list[Estimate]) -> str:
    if len(history) < 2 or not frames.has_scale(frames.estimates(history)):
        return ""
    low, high = metric.ends(study.pool.size)
    if not 0 < high - low < inf:  # no largest value, or a total over a part without items
        low, high = round_ends(history)
    return f"<h2>How {escape(subject(metric.title))} settled</h2>{convergence(history, low, high)}"


def number(estimate: Estimate, metric: Metric) -> str:
    """The value of an estimate as text."""
    interval = estimate.interval
    return escape(numerals.within(estimate.value, interval.low, interval.high, whole=metric.total))


def _by_class(study: Study, *, level: float | None, interval: str | None, about: About) -> str:
    """The section on classes, about this pool and with intervals of its own; "" if there are none or nothing is known of them."""
    if study.pool.task.kind not in SEVERAL:
        return ""
    rows = frames.classes(study, level=level)
    if rows.loc[rows["measure"].isin(HEADS), "value"].isna().all():
        return ""
    head = "".join(f"<th>{cell}</th>" for cell in ("Class", "Labels", *HEADS.values()))
    body = "".join(_class_row(str(name), group) for name, group in rows.groupby("class", sort=False))
    lines = []
    if rows["few"].any():
        lines.append(f"* fewer than {MET} labels: too few to say much about this class.")
    lines += unlike_means(study, rows)
    lines += undefined_classes(rows)
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


def _class_row(name: str, rows: pd.DataFrame) -> str:
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
