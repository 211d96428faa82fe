"""Run a simulation batch by batch, on any number of processes; it can be stopped and resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import compress
from pathlib import Path

import joblib
import pandas as pd

from sampleval import _checks
from sampleval.pool.files import aside
from sampleval.simulation.work import Batch, Simulation

Progress = Callable[[int, int], bool | None]


def run(
    work: Simulation,
    *,
    jobs: int = 1,
    progress: Progress | bool | None = None,
    cache: str | Path | None = None,
) -> pd.DataFrame:
    """The rows of all batches, one per repeat, budget and metric; fewer if `progress` stops the work."""
    frames: list[pd.DataFrame] = []
    total = len(work.batches())
    with _reporter(progress, total) as report:
        for frame in batch_by_batch(work, jobs=jobs, cache=cache):
            frames.append(frame)
            if report(len(frames), total) is False:
                break
    return pd.concat(frames, ignore_index=True)


@contextmanager
def _reporter(progress: Progress | bool | None, total: int) -> Iterator[Progress]:
    """Give the function to call after every batch: the caller's, one that moves a bar, or one that does nothing."""
    if callable(progress):
        yield progress
    elif progress is not None and _checks.flag(progress, "progress"):
        from tqdm.auto import tqdm  # here, for in a notebook it imports widgets

        # Fast and slow methods take turns, so the mean pace predicts the time left better than the latest pace does.
        shape = "{percentage:3.0f}%|{bar}| {n_fmt} of {total_fmt} batches, {remaining} left"
        with tqdm(total=total, smoothing=0, miniters=1, bar_format=shape) as bar:
            yield lambda _done, _total: bar.update()  # never `False`, which would stop
    else:
        yield lambda _done, _total: None


def batch_by_batch(
    work: Simulation, *, jobs: int = 1, cache: str | Path | None = None
) -> Iterator[pd.DataFrame]:
    """The batches in a fixed order, each as soon as it is done. If the caller stops reading, the work stops.

    Args:
        work: From `prepare`.
        jobs: Worker processes; with 1 the work is done in this process.
        cache: Folder in which finished batches are kept and looked up.

    Raises:
        InputError: `jobs` is below 1, or `cache` is no folder or is given for the caller's own metrics or parts of methods.
    """
    jobs = min(_checks.count(jobs, "jobs", minimum=1), len(work.batches()))  # more would have nothing to do
    folder = None if cache is None else _made(cache, work)
    if jobs == 1:
        yield from (_kept(work, batch, folder) for batch in work.batches())
        return
    tasks = (joblib.delayed(_kept)(work, batch, folder) for batch in work.batches())
    yield from joblib.Parallel(n_jobs=jobs, return_as="generator")(tasks)


def _made(cache: object, work: Simulation) -> Path:
    """The folder for finished batches, which is created if it does not exist."""
    if not isinstance(cache, str | Path) or not str(cache):
        _checks.fail("cache", "must be the path of a folder", cache, remedy="leave it out to keep nothing")
    work.keepable()
    folder = Path(cache)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # the last: characters that no path has
        why = f"cannot be made: {(getattr(error, 'strerror', '') or str(error)).lower()}"
        _checks.fail("cache", why, str(cache), remedy="name a folder that you may write to")
    return folder


def finished(work: Simulation, cache: str | Path) -> tuple[pd.DataFrame, tuple[bool, ...]]:
    """The rows of the batches in the cache, and for each of all batches whether it is there."""
    work.keepable()
    paths = [_path(work, batch, Path(cache)) for batch in work.batches()]
    done = tuple(path.exists() for path in paths)
    frames = [pd.read_parquet(path) for path in compress(paths, done)]
    return (pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()), done


def _path(work: Simulation, batch: Batch, folder: Path) -> Path:
    return folder / f"{work.key(batch)}.parquet"


def _kept(work: Simulation, batch: Batch, folder: Path | None) -> pd.DataFrame:
    """The rows of one batch, from the cache if it is there. The cache never holds half a batch."""
    if folder is None:
        return work.do(batch)
    path = _path(work, batch, folder)
    if path.exists():
        return pd.read_parquet(path)
    frame = work.do(batch)
    with aside(path) as part:
        frame.to_parquet(part)
    return frame
