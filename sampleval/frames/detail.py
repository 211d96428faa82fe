"""Results in detail as frames: curves, systems side by side, parts of the pool."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise

import numpy as np
import pandas as pd

from sampleval import _checks
from sampleval._checks import InputError, fail
from sampleval.estimators import PosteriorPredictive
from sampleval.frames.results import estimates
from sampleval.metrics import Metric, difference, named, of_system, within
from sampleval.metrics.names import sides
from sampleval.numerals import as_written
from sampleval.pool import Flags, Pool, checked
from sampleval.sheets import as_text
from sampleval.study import JointEstimate, Study, checked_study

MOST_PARTS = 30  # most distinct values that make parts; columns of more numbers are cut at their quartiles
PARTS = ["part", "items", "labels", "value", "low", "high", "small", "known", "note"]
FEW_IN_PART = 20  # answers below which a part is marked as small
ABSENT = "undefined: nothing among the labels bears on it"


def components(found: JointEstimate) -> pd.DataFrame:
    """A vector estimate as a frame with one row per component.

    Returns:
        Columns component, value, low, high, band_low, band_high, variance, note (why a value is missing).
    """
    _joint(found)
    return pd.DataFrame(
        {
            "component": found.outputs,
            "value": found.value,
            "low": found.low,
            "high": found.high,
            "band_low": found.band_low,
            "band_high": found.band_high,
            "variance": found.variance,
            "note": np.where(np.isnan(found.value), found.note or ABSENT, ""),
        }
    )


def region(found: JointEstimate) -> pd.DataFrame:
    """The joint region of a vector estimate with two components, as it is drawn.

    Returns:
        Columns point ("estimate" in the first row, else "edge"), and one per component.
    """
    edge = _joint(found).ellipsoid().outline()
    drawn = pd.DataFrame(np.vstack([found.value, edge]), columns=list(found.outputs))
    drawn.insert(0, "point", ["estimate", *["edge"] * len(edge)])
    return drawn


def _joint(found: object) -> JointEstimate:
    return _checks.instance(found, JointEstimate, "found", remedy="pass study.curve(…)")


def curve(found: JointEstimate) -> pd.DataFrame:
    """A curve on a grid of thresholds, with one row per quantity and threshold.

    Args:
        found: `Study.curve` of "pr_curve", "roc_curve", "f1_curve" or "lift_curve", on any grid.

    Returns:
        Columns quantity, threshold, then those of `components` without the component's name.

    Raises:
        InputError: The estimate is of no curve on thresholds.
    """
    split = [name.rsplit(" at ", 1) for name in _joint(found).outputs]
    if any(len(part) != 2 for part in split):
        fail("found", "must be a curve on thresholds", found.metric, remedy="use `components`")
    rows = components(found).drop(columns="component")
    rows.insert(0, "quantity", [quantity for quantity, _ in split])
    rows.insert(1, "threshold", [float(threshold) for _, threshold in split])
    return rows


def systems(
    study: Study,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    *,
    level: float | None = None,
    interval: str | None = None,
) -> pd.DataFrame:
    """The metrics of each system and the differences of all pairs, from the same labels.

    Errors that two systems share cancel, so a difference is more certain than the two values. All values are estimated
    in one way, so that they agree with each other. If one system is not among those that a posterior considers, all are
    estimated from the chances of being asked alone, and `Study.estimate` may then be more certain about the others. A
    posterior's values are medians, and the median of a difference need not be the difference of the medians.

    Args:
        study: A study whose pool holds several systems.
        metrics: One or more names or metrics; the pre-sampling one by default. Systems in their names are left out:
            "f1[new - old]" is "f1".
        level: Coverage of the intervals; the study's by default.
        interval: Key in `INTERVALS`; the method's by default.

    Returns:
        Columns metric, system, against ("" for a system's own value), value, low, high, note.

    Raises:
        InputError: The pool holds a single system, or a metric is unknown or compares systems in a way of its own.
    """
    names = [system.name for system in checked_study(study).pool.systems]
    if not any(names):
        remedy = "frames.estimates(study.estimates()) has the metrics of this one"
        fail("study", "must have a pool of several systems; this holds one", remedy=remedy)
    rows = []
    asked = (study.metric(m) for m in ([None] if metrics is None else named(metrics)))
    for metric in dict.fromkeys(map(_without_systems, asked)):
        # Each system is estimated in the same way as the differences. With a posterior for the first system alone, F1
        # came out as .555 and .587 for two systems whose difference was +.024.
        alike = partial(replace, systems=frozenset(names))
        alone = [(name, "", alike(of_system(metric, name))) for name in names]
        pairs = [(a, b, difference(metric, a, b)) for a, b in _pairs(study, names)]
        for system, against, chosen in (*alone, *pairs):
            found = estimates([study.estimate(chosen, level=level, interval=interval)])
            rows.append(found.assign(metric=metric.name, system=system, against=against))
    columns = ["metric", "system", "against", "value", "low", "high", "note"]
    return _agreeing(pd.concat(rows, ignore_index=True))[columns]


def _without_systems(metric: Metric) -> Metric:
    """The metric without the systems that it is about, to be asked of each of them."""
    if not metric.systems:
        return metric
    if metric.without_systems is None:
        rule = "must be metrics of one system, or of a difference in one metric"
        fail("metrics", rule, metric.name, remedy="study.estimate(metric) has the value of this one")
    return metric.without_systems


def _pairs(study: Study, names: Sequence[str]) -> list[tuple[str, str]]:
    """All pairs of systems in the pool's order, except that a study of b − a has the pair (b, a): one sign all over."""
    asked = sides(study.metric())
    return [pair[::-1] if pair[::-1] == asked else pair for pair in combinations(names, 2)]


def _agreeing(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of `systems` with each difference set to that of the two values, and its limits extended to hold it.

    Single values are moved to what is possible, which differences do not follow by themselves. A posterior's differences
    are left unchanged, since all of its draws are possible and give the difference better.
    """
    own = rows[rows["against"] == ""].set_index(["metric", "system"])["value"]
    pair = (rows["against"] != "") & (rows["method"] != PosteriorPredictive.key)
    first, second = (
        own.reindex(pd.MultiIndex.from_frame(rows.loc[pair, ["metric", side]])).to_numpy()
        for side in ("system", "against")
    )
    rows.loc[pair, "value"] = first - second
    rows.loc[pair, "low"] = np.fmin(rows.loc[pair, "low"], first - second)
    rows.loc[pair, "high"] = np.fmax(rows.loc[pair, "high"], first - second)
    return rows


def parts(
    study: Study,
    column: str,
    metric: str | Metric | None = None,
    *,
    level: float | None = None,
    interval: str | None = None,
) -> pd.DataFrame:
    """A metric in every part of the pool, where the parts are the values of a column to show; small parts are marked.

    Args:
        study: The study.
        column: A column of the pool's fields; numbers with many values are cut at their quartiles.
        metric: The pre-sampling one by default.
        level: Coverage of the intervals; the study's by default.
        interval: Key in `INTERVALS`; the method's by default.

    Returns:
        Columns part, items (in the pool), labels (answers in the part), value, low, high, small, known (whether its
        labels say anything), note.
    """
    chosen, run = checked_study(study).metric(metric), study.run()
    asked = np.empty(0, np.intp) if run is None else run.items.index[run.responded]
    rows = []
    for name, members in parts_of(study.pool, column).items():
        part = within(chosen, members, f"{column} = {name}")
        found = study.estimate(part, level=level, interval=interval)
        labels = int(members[asked].sum())
        few = labels < min(FEW_IN_PART, members.sum())
        limits = found.interval.low, found.interval.high
        known = found.interval.known
        rows.append((name, int(members.sum()), labels, found.value, *limits, few, known, found.note))
    return pd.DataFrame(rows, columns=PARTS)


def parts_of(pool: Pool, column: str) -> dict[str, Flags]:
    """Part → its items, (N,) bool, for the parts into which a column divides the pool, in order.

    Args:
        pool: The pool.
        column: A column of its fields.

    Raises:
        InputError: There is no such column, or it holds text with too many different values.
    """
    values = _checks.column(checked(pool).fields, column, "column")
    if values.nunique() > MOST_PARTS:
        if not pd.api.types.is_numeric_dtype(values):
            raise InputError(
                f"`column` {column!r} has {values.nunique():,} different values; at most {MOST_PARTS} make parts"
            )
        values = _quarters(values)
    shown = values.astype("category")
    found: dict[str, Flags] = {}
    for cell in shown.cat.categories.to_numpy():
        name = as_text(as_written(cell))
        found[name] = found.get(name, False) | np.asarray(shown == cell, bool)
    missing = np.asarray(values.isna(), bool)
    if missing.any():  # joined with cells that say so in words
        found["(missing)"] = found.get("(missing)", False) | missing
    return found


def _quarters(values: pd.Series) -> pd.Series:
    """The quarter of each number between the quartiles; the outer quarters include infinite numbers."""
    finite = values[np.isfinite(values.to_numpy(float, na_value=np.nan))]
    edges = sorted({values.min(), *finite.quantile([0.25, 0.5, 0.75]), values.max()})
    inner = [_told_apart(edge, edges) for edge in edges[1:-1]]
    between = [f"{low} to {high}" for low, high in pairwise(inner)]
    names = [f"up to {inner[0]}", *between, f"above {inner[-1]}"] if inner else ["all"]
    return pd.cut(values, edges, include_lowest=True, labels=names)


def _told_apart(number: float, among: Sequence[float]) -> str:
    """A number with four digits, or with as many as distinguish it from the others.

    >>> _told_apart(41100.4, [1.299, 41100.4, 1e6]), _told_apart(0.12341, [0.12341, 0.12343])
    ('41,100', '0.12341')
    """

    def form(value: float, digits: int) -> str:
        return f"{float(f'{value:.{digits}g}'):,.{max(digits, 15)}g}"

    enough = next(d for d in range(4, 18) if len({form(other, d) for other in among}) == len(set(among)))
    return form(number, enough)


def part_columns(pool: Pool) -> list[str]:
    """Columns of the pool's fields that divide it into at least two parts, but not too many."""
    return [str(name) for name, values in checked(pool).fields.items() if _makes_parts(values)]


def _makes_parts(values: pd.Series) -> bool:
    """Whether a column has two values or more, but not too many unless they are numbers, which can be cut."""
    if pd.api.types.is_numeric_dtype(values):
        return bool(values.nunique() >= 2)
    pictures = any(isinstance(cell, bytes) for cell in values.dropna().head(1))
    return not pictures and 2 <= values.nunique() <= MOST_PARTS
