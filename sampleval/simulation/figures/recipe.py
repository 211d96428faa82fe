"""The recipe of a paper's figure, and the tidy frame that it leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pandas as pd

from sampleval.pool import Labels, Pool
from sampleval.presets import Method
from sampleval.simulation.running import Progress

Load = Callable[[str], tuple[Pool, Labels]]
# Panel of the figure, line in the panel, a point with its band, and the truth if there is one.
COLUMNS = ("panel", "group", "x", "y", "low", "high", "truth")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to make a figure.

    Attributes:
        number: The figure's number in its paper, e.g. "2".
        title: The figure's title.
        kind: Key in `KINDS`, which says what is computed and drawn.
        pools: Demo pools, by file stem.
        arms: Line name → method.
        see: What to look at, and what the paper found.
        agrees: Whether the precomputed figure agrees with the paper's.
        metric: Pre-sampling metric.
        targets: Arm → pre-sampling metric, where the arms have one each.
        metrics: Reported metrics.
        at: Labelled fractions of the pool if at most 1, else numbers of labels.
        repeats: Studies per line.
        quantity: The column of the summary to draw.
        x: The quantity on the horizontal axis.
        guess: Whether an undefined estimate counts as a guess in the middle of the metric's range; otherwise an
            error is shown if at least half of the studies have a value.
    """

    number: str
    title: str
    kind: str
    pools: tuple[str, ...]
    arms: Mapping[str, Method]
    see: str
    agrees: str
    metric: str = "f1"
    targets: Mapping[str, str] | None = None
    metrics: tuple[str, ...] = ("f1",)
    at: tuple[float, ...] = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
    repeats: int = 100
    quantity: str = "mse"
    x: Literal["fraction", "labels"] = "fraction"
    guess: bool = False

    def budgets(self, size: int) -> tuple[int, ...]:
        """The numbers of labels for a pool of N items."""
        return tuple(max(1, round(a * size)) if a <= 1 else int(a) for a in self.at)


@dataclass(frozen=True, slots=True)
class Resources:
    """What there is to compute figures with.

    Attributes:
        load: File stem of a demo pool → pool and labels.
        jobs: Worker processes.
        cache: Folder of finished batches, which figures of the same studies share.
        progress: Called after each piece of work with the numbers of those done and of all.
    """

    load: Load
    jobs: int = 1
    cache: Path | None = None
    progress: Progress | None = None

    def parts(self, count: int) -> list[Resources]:
        """Those for each of this many equal parts of the work. What they tell is the progress of the whole.

        >>> first, second = Resources(load=None, progress=lambda *at: print(at)).parts(2)
        >>> first.progress(3, 3), second.progress(1, 5)
        (3, 6)
        (6, 10)
        (None, None)
        """
        if (tell := self.progress) is None:
            return [self] * count

        def within(part: int) -> Progress:
            return lambda done, total: tell(part * total + done, count * total)

        return [replace(self, progress=within(part)) for part in range(count)]


def from_folder(folder: Path) -> Load:
    """A function that loads the demo pools of a folder with their labels, but without the fields to show."""

    def load(stem: str) -> tuple[Pool, Labels]:
        frame = pd.read_parquet(folder / f"{stem}.parquet")
        pool = Pool.from_frame(frame, fields=[])
        return pool, Labels.from_frame(frame, pool)

    return load


def tidy(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with only the columns of a figure, in order."""
    return frame.reindex(columns=list(COLUMNS)).reset_index(drop=True)
