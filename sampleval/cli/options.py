"""Options that several commands share, and the objects that they describe."""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from sampleval._checks import InputError, capitalised
from sampleval.designs import DESIGNS
from sampleval.intervals import LEVEL
from sampleval.metrics import for_kind
from sampleval.planning.posing import ALL_HELD
from sampleval.pool import Kind, Labels, Pool
from sampleval.pool.columns import Told
from sampleval.pool.guessing.scales import Transform
from sampleval.pool.tables.reading import opened
from sampleval.pool.tables.sources import FORMATS
from sampleval.presets import PRESETS
from sampleval.sheets import Format
from sampleval.storage import Storage
from sampleval.surrogates import SURROGATES

FORMS: dict[str, Format] = {".csv": "csv", ".xlsx": "xlsx"}
Commands = Any  # argparse keeps the types of its sub-parsers and of its groups to itself
Group = Any


def command(commands: Commands, name: str, about: str, more: str) -> argparse.ArgumentParser:
    """A new command's parser, whose help begins with these words."""
    sentence = f"{capitalised(about)}{'' if about.endswith('?') else '.'}"
    made: argparse.ArgumentParser = commands.add_parser(name, help=about, description=sentence, epilog=more)
    return made


def add_pool(parser: argparse.ArgumentParser) -> None:
    """Add the options for the file of scored items and its columns."""
    parser.add_argument("scores", metavar="scores.csv", help=f"the scored items: {FORMATS}, also .gz")
    columns = parser.add_argument_group("columns (guessed if not given)")
    columns.add_argument("--id", metavar="COLUMN", help="what names an item; row numbers if there is none")
    columns.add_argument(
        "--score", metavar="COLUMN", help="the classifier's probability of the positive class"
    )
    columns.add_argument("--pred", metavar="COLUMN", help="its decision, if that is not score >= threshold")
    columns.add_argument(
        "--threshold", type=float, default=0.5, help="score from which it says yes (default: 0.5)"
    )
    columns.add_argument(
        "--error",
        metavar="COLUMN",
        help="for predicted numbers: the standard deviation expected of label − pred",
    )
    columns.add_argument("--label", metavar="COLUMN", help="known true labels: kept apart from the items")
    columns.add_argument(
        "--task", choices=get_args(Kind), help="what is predicted, if the columns do not tell"
    )
    columns.add_argument(
        "--classes",
        metavar="A,B,…",
        help="names of the classes, separated by commas; with two classes, the negative one first",
    )
    columns.add_argument(
        "--fields", metavar="A,B,…", help="columns to show to whoever labels, separated by commas"
    )
    scale = columns.add_mutually_exclusive_group()
    scales: dict[Transform, str] = {
        "percent": "the scores are percentages, 0 to 100",
        "confidence": "the score is that of the decision (--pred), be it yes or no",
        "sigmoid": "the scores are margins; map them to (0, 1)",
        "softmax": "the same where each item has one of several classes (--task multiclass)",
    }
    for name, about in scales.items():
        scale.add_argument(f"--{name}", dest="transform", action="store_const", const=name, help=about)


def pool_of(args: argparse.Namespace) -> Pool:
    """The pool in the file that the arguments name."""
    return Pool.read(
        args.scores,
        id=args.id,
        score=args.score,
        pred=args.pred,
        threshold=args.threshold,
        label=args.label,
        classes=_separated(args.classes),
        fields=_separated(args.fields),
        task=args.task,
        transform=args.transform,
        error=args.error,
    )


def _separated(names: str | None) -> list[str] | None:
    """Names separated by commas, in their order; `None` if none were given."""
    return None if names is None else [name for name in names.split(",") if name]


def add_held(parser: argparse.ArgumentParser) -> None:
    """Add the options on whether labels in the file count."""
    parser.add_argument(
        "--held",
        action="store_true",
        help="count the labels that the file has for some items (see --label): each for its own item, never asked again; "
        "the sample is drawn from the rest, so they need not be a random sample",
    )
    parser.add_argument(
        "--held-random",
        action="store_true",
        help="the same where they are a random sample of all items: --preset recommended then learns from them too",
    )


def held_of(args: argparse.Namespace, pool: Pool) -> dict[str, Any]:
    """The labels in the pool's file by id, if they are to count."""
    if not (args.held or args.held_random):
        return {}
    told = Told(id=args.id, label=args.label, task=pool.task)
    with opened(args.scores, told) as df:
        known = Labels.from_frame(df, pool, args.label)
    if known.complete:
        raise InputError(f"`--held` must leave items to ask; {ALL_HELD}; leave it out")
    return known.by_id(pool)


def add_method(parser: argparse.ArgumentParser, preset: str) -> Group:
    """Add the options on what the sample is for and how it is drawn, and return their group."""
    how = parser.add_argument_group("how to choose the items")
    told = (
        f"what you most want to know, may be repeated for a joint target (default: the first). {_metrics()}"
    )
    how.add_argument("--metric", action="append", help=told)
    how.add_argument("--preset", choices=PRESETS, help=f"a published method by name (default: {preset})")
    how.add_argument(
        "--surrogate", choices=SURROGATES, help="in place of the preset's belief about the labels"
    )
    how.add_argument("--design", choices=DESIGNS, help="in place of the preset's way of choosing items")
    how.add_argument(
        "--shrinkage",
        type=float,
        metavar="λ",
        help="how far to trust the scores: 1 wholly, 0 not at all (default: the preset's, mostly 0.9)",
    )
    how.add_argument(
        "--defensive",
        type=float,
        metavar="δ",
        help="share of the labels spread evenly over all items (default: the preset's, mostly 0)",
    )
    add_level(how)
    return how


def _metrics() -> str:
    """A text that lists the metrics by kind of task."""
    tasks: dict[Kind, str] = {
        "binary": "Two classes",
        "multiclass": "More classes",
        "multilabel": "Sets of labels",
        "regression": "Numbers",
    }
    return " ".join(f"{title}: {', '.join(for_kind(kind))}." for kind, title in tasks.items())


def add_level(parser: Any, default: float | None = LEVEL) -> None:
    """Add the option for the level of intervals."""
    usual = "the study's" if default is None else default
    about = f"how sure the intervals should be (default: {usual})"
    parser.add_argument("--level", type=float, default=default, help=about)


def metrics_of(args: argparse.Namespace, pool: Pool) -> list[str]:
    """The metrics that the options name, each once, or otherwise the usual one of the task."""
    return list(dict.fromkeys(args.metric or for_kind(pool.task.kind)[:1]))


def asked(args: argparse.Namespace, pool: Pool, held: dict[str, Any]) -> dict[str, Any]:
    """The arguments that `plan`, `budget_for` and `create_study` share, by name."""
    return {
        "metric": metrics_of(args, pool),
        "preset": args.preset,
        "surrogate": args.surrogate,
        "design": args.design,
        "shrinkage": args.shrinkage,
        "defensive": args.defensive,
        "level": args.level,
        "held": held,
        "held_random": args.held_random,
    }


def add_storage(parser: Any) -> None:
    """Add the option for the database, by default the one that the app uses."""
    parser.add_argument(
        "--storage",
        metavar="URL",
        help="database of studies, e.g. sqlite:///sampleval.db (default: $SAMPLEVAL_STORAGE)",
    )


def storage_of(args: argparse.Namespace, *, new: bool) -> Storage:
    """The database of studies; an SQLite file is created if it may be `new`."""
    url = args.storage or os.environ.get("SAMPLEVAL_STORAGE")
    if not url:
        raise InputError("`--name` needs `--storage`, e.g. --storage sqlite:///sampleval.db")
    return Storage.at(url, new=new)


def one_place(args: argparse.Namespace) -> None:
    """Refuse a file together with a name in a database, and a database without a name, since one would be ignored."""
    if args.storage is not None and not args.name:
        raise InputError(
            "`--storage` keeps a study under a name; pass --name too, or leave it out for a file beside the sheet"
        )
    if args.name and args.study is not None:
        raise InputError("`--study` names a file and `--name` a study in the database; leave one of them out")


def file_to_write(
    name: str,
    option: str,
    *,
    endings: Collection[str] = (),
    force: bool | None = None,
    beside: Mapping[str, str] = MappingProxyType({}),
) -> Path:
    """The path of a file to be written; refused if it cannot be written or if another file would be lost.

    Args:
        name: The path.
        option: The option that named it.
        endings: How its name may end, in small letters; in any way if there are none.
        force: Whether an existing file may be replaced; `None` if the command never replaces one.
        beside: Option → path of the command's other files, which must not be replaced.
    """
    path = Path(name)
    if endings and path.suffix.lower() not in endings:
        raise InputError(f"`{option}` must end in {' or '.join(endings)}; got {name!r}; rename it")
    if not path.parent.is_dir():
        raise InputError(
            f"`{option}` must lie in a folder that exists; there is no {str(path.parent)!r}; create it"
        )
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a device"
        raise InputError(f"`{option}` must name a file; {name!r} is {what}; choose another name")
    for other, taken in beside.items():
        if path.resolve() == Path(taken).resolve():
            raise InputError(f"`{option}` and `{other}` must be different files; got {name!r}; rename one")
    if path.exists() and not force:
        remedy = "choose another name" + ("" if force is None else ", or pass --force")
        raise InputError(f"`{path}` must not exist yet, it may hold answers; {remedy}")
    return path
