"""`sampleval estimate`: estimate metrics from the answers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sampleval import offline, report
from sampleval._checks import InputError, fail, listed, shown
from sampleval.bundle import export_study, read_study
from sampleval.cli.closer import add_looks, check_look, look
from sampleval.cli.options import (
    FORMS,
    Commands,
    add_level,
    add_storage,
    command,
    file_to_write,
    one_place,
    storage_of,
)
from sampleval.cli.printing import as_json, print_csv, table
from sampleval.frames import estimates
from sampleval.intervals import INTERVALS
from sampleval.metrics import defined
from sampleval.numerals import ends, many, within
from sampleval.offline import Imported
from sampleval.pool import Labels
from sampleval.pool.files import aside
from sampleval.study import (
    Estimate,
    Study,
    cautions,
    finding,
    load_study,
    progress,
    room,
    towards_goal,
    whose,
)
from sampleval.study.conclusions.future import About
from sampleval.study.words.caveats import by_reason


class Page(NamedTuple):
    """What can be written beside the estimates: the ending of the file's name, its title, and its content."""

    ending: str
    title: str
    content: Callable[..., bytes]


PAGES = {
    "report": Page(".html", "Report", lambda study, **how: report.html(study, **how).encode()),
    "reanalysis": Page(".zip", "For a reanalysis", report.archive),
}
SHOWN = 5  # most lines of a sheet that are named one by one


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    about = "what the answers say: every metric with its interval"
    more = (
        "Answers count from the top of the queue down to the first item without one; skip and unsure count as answers. "
        "Of several people, each may have a line for each item, with their name in a column annotator."
    )
    parser = command(commands, "estimate", about, more)
    parser.add_argument(
        "answers",
        metavar="queue.csv",
        nargs="?",
        help="the sheet with answers (leave it out to use those in the database)",
    )
    kept = parser.add_argument_group("the study that the sheet came from")
    kept.add_argument("--study", metavar="FILE", help="its file (default: the sheet's name ending in .study)")
    add_storage(kept)
    kept.add_argument("--name", help="its name in the database; the answers are kept there")
    kept.add_argument("--annotator", default="", help="who answered, where no column annotator says it")
    kept.add_argument(
        "--corrections",
        action="store_true",
        help="replace answers in the database that differ; where people differ already, a sheet without a column annotator decides",
    )
    on = parser.add_argument_group("to go on labelling")
    on.add_argument(
        "--next", metavar="FILE", help="write the next items to label, .csv or .xlsx, and keep the answers"
    )
    on.add_argument("--more", type=int, metavar="M", help="allow this many more labels")
    what = parser.add_argument_group("what to print")
    what.add_argument("--metric", action="append", help="only this metric (may be repeated; default: all)")
    what.add_argument(
        "--interval",
        choices=INTERVALS,
        help="kind of interval (default: the study's); beta is too narrow where few positives are found; anytime is "
        "usually wider, but you may stop when you have seen enough",
    )
    what.add_argument(
        "--future", action="store_true", help="about items like these, not only about the items in this file"
    )
    add_level(what, None)
    add_looks(what)
    what.add_argument(
        "--report", metavar="FILE", help="write all of it as a page, .html, with a methods paragraph"
    )
    what.add_argument(
        "--reanalysis",
        metavar="FILE",
        help="write what a colleague needs to redo the numbers without sampleval, .zip: sample, labels, results and a legend",
    )
    form = what.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON; of a closer look, if one is asked for")
    form.add_argument("--csv", action="store_true", help="print CSV; of a closer look, if one is asked for")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Read the answers, print the estimates, and write the next sheet if asked to."""
    if args.more is not None and args.next is None:
        raise InputError(
            "`--more` needs `--next`, the sheet for the items that it allows; e.g. --next more.csv"
        )
    out = None if args.next is None else file_to_write(args.next, "--next", endings=FORMS)
    pages = {  # which can be made again, so an older one is replaced
        option: file_to_write(name, f"--{option}", endings=[page.ending], force=True)
        for option, page in PAGES.items()
        if (name := getattr(args, option)) is not None
    }
    study, known = _study(args)
    _check(args, study)
    if args.answers:
        done = offline.read(study, args.answers, annotator=args.annotator, corrections=args.corrections)
        _say(done, args.answers)
    found, closer = study.estimates(args.metric, **_how(args)), look(args, study)
    frame = estimates(found) if closer is None else closer.rows
    if args.json:
        print(as_json(frame.to_dict("records")))
    elif args.csv:
        print_csv(frame)
    else:
        _print(study, found)
        _tell(args, study, found)
        if closer is not None:
            print(closer.text)
    for option, path in pages.items():
        with aside(path, f"--{option}") as part:
            part.write_bytes(PAGES[option].content(study, **_how(args)))
        print(f"{PAGES[option].title}: {path}.", file=sys.stderr)
    if out is not None:
        _go_on(args, study, known, out)


def _check(args: argparse.Namespace, study: Study) -> None:
    """Refuse options that do not fit this study, before any answer is stored."""
    metrics = [study.metric(name) for name in args.metric or study.scalars[:1]]
    defined(metrics, study.pool.task.kind)
    for metric in metrics:
        study.estimate(metric, **_how(args), labels=0)
    check_look(args, study)
    if args.more is None:
        return
    left = room(study.state)
    if not 0 < args.more <= left:
        rule = f"must be from 1 to the {many(left, 'item')} that can be asked beyond the budget of {study.budget:,}"
        fail("--more", rule if left else "must be left out: nothing more can be asked", args.more)


def _how(args: argparse.Namespace) -> dict[str, Any]:
    """The arguments that estimates and the report share, by name."""
    about: About = "future" if args.future else "pool"
    return {"level": args.level, "interval": args.interval, "about": about}


def _study(args: argparse.Namespace) -> tuple[Study, Labels | None]:
    """The study that the arguments name, and the known labels that its file holds."""
    one_place(args)
    if args.name:
        return load_study(args.name, storage_of(args, new=False)), None
    path = _file(args)
    if not path.is_file():
        raise InputError(
            f"`--study` must name the file that sampleval sample wrote; there is no {str(path)!r}"
        )
    return read_study(path)


def _file(args: argparse.Namespace) -> Path:
    if not args.study and args.answers is None:
        raise InputError(
            "`--study` must be given, or a sheet, or --storage and --name; see sampleval estimate --help"
        )
    return Path(args.study) if args.study else Path(args.answers).with_suffix(".study")


def _go_on(args: argparse.Namespace, study: Study, known: Labels | None, out: Path) -> None:
    """Store the answers in the study's file, if it has one, and write the next sheet."""
    try:
        if args.more is not None:
            study.extend(args.more)
        items = study.ask(study.pool.size)
    finally:  # answers are stored even if no more can be asked
        if not args.name:
            export_study(study, _file(args), labels=known)
    if not items:
        more = "; --more M allows more labels" if room(study.state) else ""
        print(f"Nothing is left to ask{more}.", file=sys.stderr)
        return
    with aside(out, "--next") as part:
        part.write_bytes(offline.write(study, len(items), FORMS[out.suffix.lower()]))
    print(f"Next items to label, in {out}: {len(items):,}.", file=sys.stderr)
    later = study.budget - study.labels - len(items)
    if later > 0 and not study.method.design.random_size:
        print(
            f"{many(later, 'more label')} can follow when these have their answers: use --next again then.",
            file=sys.stderr,
        )


def _tell(args: argparse.Namespace, study: Study, found: list[Estimate]) -> None:
    """Print in words what was found, how far away the goal is, and which system it is about."""
    for estimate in found if args.metric else found[:1]:
        print(finding(study, estimate))
    if study.goal is not None and not args.future:  # it is about this pool
        main = study.estimate(study.scalars[0], level=args.level, interval=args.interval)
        print(towards_goal(study, main, study.goal))
    if (note := whose(study.pool)) and not all(study.metric(e.metric).systems for e in found):
        print(note)


def _say(done: Imported, sheet: str) -> None:
    """Say on stderr what happened to the sheet's lines."""
    say = partial(print, file=sys.stderr)
    used = len(done.imported) + len(done.corrected) + len(done.unchanged)
    say(f"{many(used, 'answer')} in {sheet}, {many(done.empty, 'line')} without one")
    lines = [f"{many(done.bare, 'line')} without an answer: {offline.UNTOLD}"] if done.bare else []
    lines += [f"line {r.line} not used: {r.reason}" for r in done.rejected]
    lines += [
        f"line {c.line} differs: {c.id!r} has the answer {c.given!r}, the sheet says {c.answer!r}; "
        "pass --corrections to replace it"
        for c in done.conflicts
    ]
    for line in lines[:SHOWN]:
        say(line)
    if len(lines) > SHOWN:
        say(f"… and {many(len(lines) - SHOWN, 'more line')} like these")
    if done.people:
        say(f"who answered, as the sheet says: {listed([shown(who) for who in done.people])}")
    if done.disputed:
        say(
            f"people differ on {many(len(done.disputed), 'item')}: {listed([shown(id) for id in done.disputed], SHOWN)}; the "
            "last answer counts until somebody decides: in the app on the page Label, or with a sheet that holds one answer "
            "for each and no column of people, --corrections, and as --annotator none of these people"
        )
    if done.settled:
        say(
            f"decided by this sheet, where people differed: {many(len(done.settled), 'item')}. For one more person's own "
            "answers, write their name in a column annotator: then nothing is decided"
        )
    if done.altered:
        say(
            f"{many(len(done.altered), 'id')} changed by the spreadsheet (for example zeros before a number), "
            f"whose rows tell the items: {listed([shown(id) for id in done.altered], 3)}"
        )
    if done.rejected and not used + len(done.conflicts):
        unclear = all(line.reason.startswith("`answer`") for line in done.rejected)
        remedy = "write one of the allowed answers" if unclear else "is it another study's sheet?"
        raise InputError(
            f"`{sheet}` must have answers for this study; none of its {len(done.rejected):,} can be used; {remedy}"
        )


def _print(study: Study, found: list[Estimate]) -> None:
    at = progress(study.state)
    given = f"{at.labels:,} of {many(at.budget, 'answer')}"
    held = len(study.state.problem.held)
    beforehand = f"; {many(held, 'label')} known beforehand" if held else ""
    like = "items like " if found[0].about == "future" else ""
    about = f"about {like}this pool of {many(study.pool.size, 'item')}"
    print(f"{given}{beforehand}; {about}; seed {study.settings.seed}")
    head = ["metric", "estimate", f"{found[0].interval.sure} from", "to", "answers", "method", "interval"]
    rows = [
        [
            metric.title,
            within(e.value, e.interval.low, e.interval.high, whole=metric.total),
            *ends(e.interval.low, e.interval.high, whole=metric.total),
            f"{e.labels:,}",
            e.method,
            e.interval.method,
        ]
        for e, metric in ((e, study.metric(e.metric)) for e in found)
    ]
    print(table(head, rows))
    for line in cautions(study, found):
        print(line)
    for note, titles in by_reason(study, ((e, e.note) for e in found if e.note)):
        print(f"{', '.join(titles) if len(titles) < len(found) else 'All'}: {note}")
