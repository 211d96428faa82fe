"""A closer look beside the metrics: each class, each system, the parts into which a column divides the items, or a curve."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from sampleval import frames
from sampleval._checks import InputError
from sampleval.cli.options import Group
from sampleval.cli.printing import table
from sampleval.metrics import METRICS, defined
from sampleval.numerals import count, ends, sure, within
from sampleval.pool import SEVERAL
from sampleval.study import Study, estimating_parts, side_by_side, unlike_means


class Look(NamedTuple):
    """What a closer look shows: its numbers, and the same as text for people, with remarks below."""

    rows: pd.DataFrame
    text: str


def add_looks(what: Group) -> None:
    """Add the options for a closer look, of which a command takes one."""
    one = what.add_mutually_exclusive_group()
    one.add_argument(
        "--classes", action="store_true", help="a closer look: how well each class is told apart"
    )
    one.add_argument(
        "--systems", action="store_true", help="the same at each system, and by how much they differ"
    )
    one.add_argument(
        "--parts", metavar="COLUMN", help="the same at the parts of the items by a column that is shown"
    )
    several = ", ".join(name for name, metric in METRICS.items() if metric.vector)
    one.add_argument("--curve", metavar="NAME", help=f"the same at what has several components: {several}")


def check_look(args: argparse.Namespace, study: Study) -> None:
    """Refuse a closer look that this study does not have."""
    asked = _asked(args)
    if asked and args.future:
        raise InputError(f"`--{asked}` is about this pool only; leave it out, or --future")
    if args.classes and study.pool.task.kind not in SEVERAL:
        raise InputError("`--classes` needs more than two classes, or sets of labels; leave it out")
    if args.systems and len(study.pool.systems) < 2:
        raise InputError("`--systems` needs the scores of several systems; leave it out")
    if args.parts is not None:
        frames.parts_of(study.pool, args.parts)
    if args.curve is not None:
        defined([metric := study.metric(args.curve)], study.pool.task.kind)
        if not metric.vector:
            raise InputError(f"`--curve` needs several components; pass --metric {metric.name}")


def look(args: argparse.Namespace, study: Study) -> Look | None:
    """The closer look that the options ask for; `None` if they ask for none."""
    asked = _asked(args)
    return LOOKS[asked](args, study) if asked else None


def _asked(args: argparse.Namespace) -> str:
    return next((name for name in LOOKS if getattr(args, name)), "")


def _classes(args: argparse.Namespace, study: Study) -> Look:
    rows = frames.classes(study, level=args.level)
    legible = frames.legible_classes(rows)
    return _of(rows, legible.columns.tolist(), legible.to_numpy().tolist(), unlike_means(study, rows))


def _systems(args: argparse.Namespace, study: Study) -> Look:
    rows = frames.systems(study, args.metric, level=args.level, interval=_kind(args, study))
    lines = [
        [
            study.metric(row["metric"]).title,
            f"{row['system']} − {row['against']}" if row["against"] else row["system"],
            *_interval(row),
        ]
        for row in rows.to_dict("records")
    ]
    return _of(rows, ["metric", "system", *_head(args, study)], lines, [side_by_side(study)])


def _parts(args: argparse.Namespace, study: Study) -> Look:
    asked, kind = args.metric or [study.scalars[0]], _kind(args, study)
    rows = pd.concat(
        frames.parts(study, args.parts, name, level=args.level, interval=kind).assign(metric=name)
        for name in asked
    )
    lines = [
        [
            study.metric(row["metric"]).title,
            row["part"],
            *_interval(row),
            count(row["labels"]) + "*" * row["small"],
            count(row["items"]),
        ]
        for row in rows.to_dict("records")
    ]
    few = f"* fewer than {frames.FEW_IN_PART} labels: wait for more before you rely on it."
    remarks = [*[few] * bool(rows["small"].any()), estimating_parts(study)]
    return _of(rows, ["metric", args.parts, *_head(args, study), "labels", "items"], lines, remarks)


def _curve(args: argparse.Namespace, study: Study) -> Look:
    found = study.curve(args.curve, level=args.level)
    rows = frames.components(found)
    lines = [[row["component"], *_interval(row)] for row in rows.to_dict("records")]
    return _of(rows, [found.metric, *_head(args, study)], lines, [found.note and f"{found.note}."])


def _kind(args: argparse.Namespace, study: Study) -> str:
    """The kind of interval; not for any look unless asked for, since that is not known of parts."""
    return args.interval or study.method.fixed


def _head(args: argparse.Namespace, study: Study) -> list[str]:
    level = study.settings.level if args.level is None else args.level
    return ["estimate", f"{sure(level)} from", "to"]


def _interval(row: Mapping[Any, Any]) -> list[str]:
    low, high = row["low"], row["high"]
    return [within(row["value"], low, high), *ends(low, high)]


def _of(rows: pd.DataFrame, head: list[str], lines: list[list[str]], remarks: list[str]) -> Look:
    return Look(rows, "\n".join(["", table(head, lines), *filter(None, remarks)]))


LOOKS: Mapping[str, Callable[[argparse.Namespace, Study], Look]] = MappingProxyType(
    {"classes": _classes, "systems": _systems, "parts": _parts, "curve": _curve}
)
