"""Whether what looks like systems may be aspects, such as food and service, each with a class of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from sampleval._checks import listed, shown
from sampleval.pool.columns import Columns, SystemColumns, in_code
from sampleval.pool.guessing.cells import loose
from sampleval.pool.guessing.systems import UNNAMED
from sampleval.pool.task import Floats

FIRST = 20_000  # rows that show whether systems agree
ENOUGH = 20  # the least of them
AGREE = 0.5  # least correlation of the scores of two models of one thing
VERSION = re.compile(r"\d|^.$|^(?:old|new|base|baseline|candidate|champion|challenger)$", re.IGNORECASE)


def aspects(df: pd.DataFrame, columns: Columns) -> str:
    """A question if what was taken for systems may as well be aspects, each with a class of its own; otherwise "".

    As food and service in `prob_food_good`, `prob_food_bad`, `prob_service_good`, … They go apart more than models of one
    thing do, no label is that of all, and no name is that of a model's version. A point in a column's name, as in
    `food.score`, says that it is a system's.
    """
    by_class = [own.score for own in columns.systems if own.score]
    alike = len({*map(len, by_class)}) == 1 and len(columns.systems) == len(by_class) > 1
    sure = columns.label or columns.system or _named_as_systems(columns.systems)
    if sure or not alike or _go_together(df.head(FIRST), by_class):
        return ""
    first, some = columns.systems[0], in_code([own.name for own in columns.systems], 4)
    alone = f"name the scores of one, score=[{listed([shown(name) for name in first.score], 4)}]"
    return (
        f"are {some} systems that predict the same thing? Their scores hardly agree. If so, pass "
        f'task="{columns.kind}"; if they are aspects, each with a class of its own, {alone}, or pass task="multilabel"'
    )


def _named_as_systems(systems: Sequence[SystemColumns]) -> bool:
    """Whether a name is that of a model's version or stands before a point, or is the one given to a system without a name."""
    versions = any(own.name in ("", *UNNAMED) or VERSION.search(own.name) for own in systems)
    return versions or any(name.startswith(f"{own.name}.") for own in systems for name in own.score)


def _go_together(rows: pd.DataFrame, by_class: Sequence[Sequence[str]]) -> bool:
    """Whether the scores of each two systems agree, or too few rows show whether they do."""
    if len(rows) < ENOUGH:
        return True
    scores = [np.column_stack([loose(rows[name]) for name in names]) for names in by_class]
    return all(_agree(one, other) for one, other in combinations(scores, 2))


def _agree(one: Floats, other: Floats) -> bool:
    """Whether the scores of two systems, (N, C) each, go together as those of models of one thing do.

    Those that are the same in all rows show nothing, as of a class that hardly any item has.
    """
    varied = np.flatnonzero(np.ptp(one, axis=0) * np.ptp(other, axis=0))
    each = [np.corrcoef(one[:, k], other[:, k])[0, 1] for k in varied]
    return not each or bool(np.mean(each) >= AGREE)
