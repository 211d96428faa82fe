"""`sampleval sample`: choose the items to label and write them to a sheet."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from sampleval import offline
from sampleval._checks import InputError
from sampleval.bundle import export_study
from sampleval.cli.options import (
    FORMS,
    Commands,
    add_held,
    add_method,
    add_pool,
    add_storage,
    asked,
    command,
    file_to_write,
    held_of,
    one_place,
    pool_of,
    storage_of,
)
from sampleval.cli.printing import print_reading
from sampleval.estimators import ESTIMATORS
from sampleval.intervals import INTERVALS
from sampleval.metrics.names import together
from sampleval.numerals import number
from sampleval.pool.files import aside
from sampleval.study import Study, create_study, method_name
from sampleval.study.opening import keep
from sampleval.study.preset import as_preset

# A sheet is labelled away from the study, so it needs a queue that does not wait for answers.
SHEET = "queue"


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    about = "choose the items to label and write them to a sheet"
    more = (
        'Fill in the column "answer" from the top down, as far as you like; then run: sampleval estimate. '
        "In another labelling tool, load the columns id and place with the items; estimate reads its CSV or JSON export."
    )
    parser = command(commands, "sample", about, more)
    add_pool(parser)
    parser.add_argument(
        "--budget", type=int, metavar="M", required=True, help="how many labels you can afford"
    )
    parser.add_argument(
        "--goal",
        type=float,
        metavar="X",
        help="how close the estimate should be, 0.03 for ± 0.03; estimate then says how far that is",
    )
    add_held(parser)
    parser.add_argument("--out", metavar="FILE", required=True, help="the sheet to write: .csv or .xlsx")
    parser.add_argument(
        "--seed", type=int, default=0, help="the same seed chooses the same items (default: 0)"
    )
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    kept = parser.add_argument_group("where the study is kept (default: one file beside the sheet)")
    kept.add_argument(
        "--study", metavar="FILE", help="the study's file (default: the sheet's name ending in .study)"
    )
    add_storage(kept)
    kept.add_argument("--name", help="keep it in the database under this name, where the app finds it too")
    how = add_method(parser, SHEET)
    how.add_argument(
        "--estimator", choices=ESTIMATORS, help="in place of the preset's way to weigh the answers"
    )
    how.add_argument(
        "--interval",
        choices=INTERVALS,
        help="in place of the preset's kind of interval; with anytime you may stop when you have seen enough",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Create the study, write its sheet, and say what comes next."""
    one_place(args)
    out, kept = _files(args)
    store = storage_of(args, new=True) if args.name else None
    study = _study(args)
    sheet = offline.write(study, study.pool.size, FORMS[out.suffix.lower()])
    if not study.state.asked:
        found = study.estimate(study.scalars[0])
        why = found.note or f"all labels that matter are in the file, and it is {number(found.value)}"
        raise InputError(
            f"`--metric` must be one that labels can tell something about; {why}; choose another, or another --threshold"
        )
    if store is not None:
        keep(study, store, args.name)
    if kept is not None:
        export_study(study, kept)
    with aside(out, "--out") as part:  # last, since a sheet without its study is of no use
        part.write_bytes(sheet)
    where = ["--study", str(kept)] if kept is not None else ["--storage", "URL", "--name", args.name]
    print(f"Items to label, in {out}, in this order: {len(study.state.queue):,} of {study.pool.size:,}.")
    drawn = together(study.metric(name).title for name in study.settings.metrics)
    print(f"Metric: {drawn}. Method: {_method(study)}. Seed: {args.seed}. Study: {kept or args.name}.")
    if known := len(study.state.problem.held):
        print(f"Labels in the file, which also count and are not asked for again: {known:,}.")
    print(f'Fill in the column "answer", then run: {shlex.join(["sampleval", "estimate", str(out), *where])}')
    if len(study.state.queue) < study.budget and not study.method.design.random_size:
        print(
            "The method learns from the answers: with --next FILE that command writes the items that come next."
        )
    print_reading(args.scores, study.pool)


def _files(args: argparse.Namespace) -> tuple[Path, Path | None]:
    """The paths of the sheet and of the study's file, which is `None` for a study in a database."""
    scores = {"scores": args.scores}
    out = file_to_write(args.out, "--out", endings=FORMS, force=args.force, beside=scores)
    if args.name:
        return out, None
    kept = args.study or str(out.with_suffix(".study"))
    return out, file_to_write(kept, "--study", force=args.force, beside=scores | {"--out": args.out})


def _method(study: Study) -> str:
    """The method's name for people: the preset's, or else those of its three parts."""
    if as_preset(study):
        return method_name(study.settings.preset)
    method = study.method
    return " × ".join(part.title for part in (method.surrogate, method.design, method.estimator))


def _study(args: argparse.Namespace) -> Study:
    pool = pool_of(args)
    told = asked(args, pool, held_of(args, pool)) | {"preset": args.preset or SHEET}
    told |= {"estimator": args.estimator, "interval": args.interval}
    # A file name need not be valid text, but the study's name, which is stored in the file, must be.
    name = args.name or Path(args.out).stem.encode(errors="replace").decode()
    return create_study(pool, budget=args.budget, seed=args.seed, goal=args.goal, name=name, **told)
