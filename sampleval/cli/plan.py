"""`sampleval plan`: what a budget would buy, before any label."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sampleval import frames
from sampleval._checks import InputError, goal
from sampleval.cli.options import (
    Commands,
    add_held,
    add_method,
    add_pool,
    asked,
    command,
    held_of,
    metrics_of,
    pool_of,
)
from sampleval.cli.printing import as_json, print_reading, table
from sampleval.designs import DESIGNS
from sampleval.metrics import Metric, target
from sampleval.metrics.names import together
from sampleval.numerals import as_typed, many, number
from sampleval.planning import Advice, Plan, advise_shrinkage, budget_for, plan
from sampleval.planning.sentences import RANDOM_SIZE, needed, suggestion
from sampleval.pool import Pool, scored
from sampleval.presets import DEFAULT, method_of, tells_apart
from sampleval.study import whose
from sampleval.surrogates import Shrunk


def add(commands: Commands) -> None:
    """Add the command and its options to the parser."""
    about = "how sure would this many labels make you, and how many labels do you need?"
    parser = command(commands, "plan", about, "Nothing is stored: try as many plans as you like.")
    add_pool(parser)
    parser.add_argument("--budget", type=int, metavar="M", help="how many labels you can afford")
    parser.add_argument(
        "--for-width",
        type=float,
        metavar="W",
        help="how wide the interval may be; prints the labels that takes (0.06 is ± 0.03)",
    )
    parser.add_argument(
        "--goal",
        type=float,
        metavar="X",
        help="half of that: how close the estimate should be, 0.03 for ± 0.03",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_held(parser)
    add_method(parser, f"with --budget every design, else {DEFAULT}")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print the plans of all designs side by side, or of the one that was chosen."""
    if args.goal is not None:
        if args.for_width is not None:
            raise InputError("`--goal` and `--for-width` say the same; pass one of them")
        args.for_width = 2 * goal(args.goal, "--goal")
    if args.budget is None and args.for_width is None:
        raise InputError("`--budget` must be given, or `--goal`; e.g. --budget 300")
    pool = pool_of(args)
    held = held_of(args, pool)
    told = asked(args, pool, held)
    found = _plans(pool, args.budget, told) if args.budget is not None else []
    likely = budget_for(pool, width=args.for_width, **told) if args.for_width is not None else None
    advice = _advice(args, pool, found)
    print_reading(args.scores, pool)
    if args.json:
        suggested = None if advice is None else frames.advice(advice).to_dict("records")
        plans = frames.plans(_each(found)).to_dict("records")
        needs = None if likely is None else {"width": args.for_width} | asdict(likely)
        print(as_json({"plans": plans, "budget_for": needs, "advice": suggested}))
        return
    metrics = [*target(told["metric"])]
    print(_known(pool, metrics, len(held)))
    if found:
        print(_table(found))
        print(_notes(found), end="")
    if likely is not None:
        about = [_usual_design(pool, told)] * (len(found) > 1) + [metrics[0].title] * (len(metrics) > 1)
        print(f"{', '.join(about)}{': ' if about else ''}{needed(likely, _precision(args), args.level)}")
    if advice is not None:
        print(suggestion(advice, given=args.shrinkage is not None))


def _known(pool: Pool, metrics: Sequence[Metric], held: int) -> str:
    """What is planned for and what is known before it, in a line, and of which system, if some metric does not say."""
    output = "predictions" if pool.task.kind == "regression" else "scores" if scored(pool) else "decisions"
    known = f"the {output} and {many(held, 'label')} are" if held else f"nothing but the {output} is"
    line = (
        f"{many(pool.size, 'item')}; {together([metric.title for metric in metrics])}; {known} known so far"
    )
    note = "" if all(metric.systems for metric in metrics) else whose(pool)
    return f"{line}\n{note}" if note else line


def _plans(pool: Pool, budget: int, told: dict[str, Any]) -> list[Plan]:
    """The plan of the chosen method, or the plans of all designs that these options fit."""
    if told["design"] or told["preset"]:
        return [plan(pool, budget=budget, **told)]
    found, usual = [], _usual_design(pool, told)
    for design in DESIGNS:
        try:
            # The default method's row is that method's: with other labels than of two classes its design has options of its own.
            found.append(plan(pool, budget=budget, **told | {"design": None if design == usual else design}))
        except ValueError:
            if not found:  # what the first, the default, refuses is the user's mistake
                raise
    return found


def _usual_design(pool: Pool, told: dict[str, Any]) -> str:
    """Key of the design that is planned for if these options choose none."""
    apart = tells_apart(target(told["metric"]), pool)
    trust = {name: told[name] for name in ("surrogate", "shrinkage", "defensive")}
    return method_of(kind=pool.task.kind, apart=apart, **trust).design.key


def _advice(args: argparse.Namespace, pool: Pool, found: list[Plan]) -> Advice | None:
    """The advice on λ for the chosen design at this budget; `None` if there is no λ to choose or it does not matter."""
    metric, *more = metrics_of(args, pool)
    if more or not found or not (args.design or args.preset) or pool.task.kind != "binary":
        return None
    parts = {"surrogate": args.surrogate, "design": args.design}
    method = method_of(args.preset, kind="binary", shrinkage=args.shrinkage, **parts)
    if not isinstance(method.surrogate, Shrunk) or math.isnan(found[0].predicted):
        return None
    advice = advise_shrinkage(
        pool,
        metric=metric,
        budget=args.budget,
        preset=args.preset,
        surrogate=method.surrogate,
        design=args.design,
        defensive=args.defensive,
    )
    return advice if advice.matters else None


def _each(found: list[Plan]) -> list[Plan]:
    """Every plan, followed by those of the further metrics of a joint target."""
    return [each for plan in found for each in plan.each]


def _table(found: list[Plan]) -> str:
    several = bool(found[0].also)  # rows of one design then differ by their metric
    head = ["design", *["metric"][:several], "expected value", "expected error", "interval width", "labels"]
    rows = [
        [
            p.method.design.key,
            *[p.metric][:several],
            number(p.predicted),
            number(p.expected_error),
            number(p.expected_width),
            f"{p.asked:,}" + (f" ± {p.labels_sd:.0f}" if p.labels_sd else ""),
            f"{int(p.saturated.sum()):,}",
        ]
        for p in _each(found)
    ]
    return table([*head, "certain items"], rows)


def _notes(found: list[Plan]) -> str:
    """What the table cannot say, in lines: a random number of labels, why nothing is predicted, a lack of strata."""
    told = {p.method.design.key: f"{RANDOM_SIZE}." for p in found if p.labels_sd}
    told |= {p.method.design.key: f"{p.note}." for p in found if p.note}
    lines = [*told.items(), *((p.method.design.key, f"{p.strata}.") for p in found if p.strata)]
    return "".join(f"{design}: {words}\n" for design, words in lines)


def _precision(args: argparse.Namespace) -> str:
    return (
        f"± {as_typed(args.goal)}"
        if args.goal is not None
        else f"an interval at most {as_typed(args.for_width)} wide"
    )
