"""What the labels have shown so far, in sentences."""

from __future__ import annotations

import math

from sampleval._checks import capitalised, isolated, retold
from sampleval.metrics import Metric
from sampleval.metrics.names import sides, subject, the
from sampleval.numerals import ROUNDING, as_typed, brief, fixed, many, outwards, rounded, span
from sampleval.pool import Pool, Task
from sampleval.pool.polarity import is_plain
from sampleval.study.conclusions.estimate import Estimate
from sampleval.study.conclusions.too_few import FEW, positives
from sampleval.study.progress import held_up
from sampleval.study.prospects import FIRST, Prospect, narrowing, prospect
from sampleval.study.study import Study
from sampleval.study.words.trust import doubt


def finding(study: Study, estimate: Estimate) -> str:
    """What is known about a metric, how far to trust it, and how many labels would halve the interval."""
    metric, run = study.metric(estimate.metric), study.run(estimate.labels)
    if not estimate.labels and math.isnan(estimate.value) and (waiting := held_up(study.state)):
        return f"Nothing can be said yet about {the(metric.title)} ({waiting})."
    seen = positives(run) if run is not None and study.pool.task.kind == "binary" else None
    foreseen = estimate.about == "pool" and estimate.labels >= FIRST
    halved = prospect(study, estimate, estimate.interval.width / 4) if foreseen else None
    doubtful = doubt(study, estimate)
    return in_sentences(
        metric, estimate, study.pool.task, study.pool.size, seen=seen, halved=halved, doubtful=doubtful
    )


def in_sentences(
    metric: Metric,
    estimate: Estimate,
    task: Task,
    size: int,
    *,
    seen: int | None = None,
    halved: Prospect | None = None,
    doubtful: str = "",
) -> str:
    """An estimate in sentences.

    Args:
        metric: Its metric.
        estimate: The estimate.
        task: Names the classes.
        size: Items in the pool, the unit of totals.
        seen: Positive items among the labels; `None` if labels are not positive or negative.
        halved: The labels needed to halve the interval; `None` to leave them out.
        doubtful: Why the interval may contain the true value less often than its level says; "" if there is no
            reason to doubt it.
    """
    unknown = nothing_known(metric, estimate, size)
    if unknown:
        return unknown
    sure = f"{estimate.interval.sure} interval, which may be too narrow" if doubtful else ""
    known = limits(metric, estimate, task, size, sure=sure)
    if estimate.about == "future":
        known = f"for future items like these: {known}"
    sentences = [f"{capitalised(known)}."]
    if doubtful:
        sentences.append(f"Take care: {doubtful}.")
    if estimate.interval.width > 0:
        if metric.needs_positives and seen is not None and 0 < seen < FEW:
            were = "was" if seen == 1 else "were"
            sentences.append(f"Only {many(seen, 'positive item')} {were} seen: too few to say more.")
        if halved is not None and halved.known:
            likely = f"{more_labels(halved)} would {_outcome(halved, 'halve the interval')}"
            sentences.append(f"{likely}{_perhaps(halved, 'would halve the interval')}.")
        elif halved is not None and halved.unmet:
            sentences.append(
                "It depends on classes that no label has shown yet, so nobody knows how many more would halve the interval."
            )
    return " ".join(sentences)


def whose(pool: Pool) -> str:
    """Which of several systems a metric is about if its name contains no system; "" if there is only one system."""
    if len(pool.systems) == 1:
        return ""
    first = pool.systems[0].name
    return f"Where no system is named, numbers are those of “{isolated(first)}”, the first of {len(pool.systems)} systems."


def towards_goal(study: Study, estimate: Estimate, half: float) -> str:
    """How far away the goal is, for example "± 0.052 now; about 180 more labels (120 to 300) to ± 0.03".

    Args:
        study: The study.
        estimate: The estimate, about this pool, of the metric that the goal is set for.
        half: Half the width wanted, in the unit of the metric.
    """
    at = prospect(study, estimate, half)
    wanted = f"± {as_typed(half)}"
    now = f"± {_on_its_side(at.now, half)}" if math.isfinite(at.now) else "nothing"
    if at.reached:
        doubtful = ", but the interval may be too narrow" if doubt(study, estimate) else ""
        return f"Goal reached: {now} now, {wanted} wanted{doubtful}."
    if not at.known:
        return f"It is not known yet how many more labels {wanted} takes."
    more = more_labels(at)
    outcome = _outcome(at, wanted := f"to {wanted}", settled="to know it exactly")
    return f"{now} now; {more[0].lower() + more[1:]} {outcome}{_perhaps(at, wanted)}."


def bought(study: Study, estimate: Estimate, more: int) -> str:
    """How narrow further labels make the interval, for example "± 0.052 now; with 200 more labels likely ± 0.037 (0.03 to 0.045)".

    Args:
        study: The study.
        estimate: One of its estimates, about this pool.
        more: Number of further labels, ≥ 1.
    """
    at = narrowing(study, estimate, more)
    labels = many(more, "more label")
    if not math.isfinite(at.likely):
        return f"It is not known yet how much narrower {labels} would make the interval."
    now = f"± {brief(at.now)} now" if math.isfinite(at.now) else "Nothing is known now"
    if not at.likely:
        if at.high:
            return f"{now}; with {labels} it would likely be known exactly (perhaps ± {brief(at.high)})."
        all_left = ", for all items left," if more >= at.left else ""
        return f"{now}; with {labels}{all_left} it would be known exactly."
    ends = span(brief(at.low), brief(at.likely), brief(at.high))
    return f"{now}; with {labels} likely ± {brief(at.likely)}{ends and f' ({ends})'}."


def _on_its_side(now: float, half: float) -> str:
    """Half a width with two digits, or with so many that it does not read as if it were on the other side of the goal.

    >>> _on_its_side(0.0523, 0.03), _on_its_side(0.0304, 0.03), _on_its_side(0.02951, 0.0296)
    ('0.052', '0.0304', '0.0295')
    """
    said = (brief(now, digits) for digits in range(2, 18))
    return next(text for text in said if (float(text.replace(",", "")) <= half) == (now <= half))


def nothing_known(metric: Metric, estimate: Estimate, size: int) -> str:
    """A sentence on why nothing can be said about the metric; "" if something can be said."""
    if estimate.undefined:
        return f"{capitalised(subject(metric.title))} is undefined: {estimate.undefined}."
    low, high = metric.ends(size)
    interval = estimate.interval
    if math.isnan(estimate.value) or not interval.known:
        reason = f" ({interval.note})" if interval.note else ""
        return f"Nothing can be said yet about {the(metric.title)}{reason}."
    if interval.low <= low and interval.high >= high:
        nearly = ""
    elif 0 < interval.width < math.inf:
        below, above, _ = outwards(interval.low, interval.high, percent=_percent(metric), whole=metric.total)
        if below > low or above < high:
            return ""
        nearly = "nearly "  # after rounding, the limits would cover the whole range
    else:
        return ""
    return f"Nothing can be said yet about {the(metric.title)}: it may have {nearly}any value ({_sure(estimate)})."


def limits(metric: Metric, estimate: Estimate, task: Task, size: int, *, sure: str = "") -> str:
    """The interval as a statement, without the full stop.

    A metric that is a share or a number of something is described in those words, and any other by its title. Limits
    are rounded outwards, and a limit at the end of the metric's range is left out. The level follows in brackets, or `sure`.
    """
    ends = metric.ends(size)
    low, high, percent = estimate.interval.low, estimate.interval.high, _percent(metric)
    if low == high:
        return _exactly(metric, low, task)
    low, high, decimals = outwards(low, high, percent=percent, whole=metric.total)
    above = fixed(low, decimals, percent=percent) if low > ends[0] else ""
    below = fixed(high, decimals, percent=percent) if high < ends[1] else ""
    sure = f"({sure or _sure(estimate)})"
    if _natural(metric):
        known = [f"at {side} {limit}" for side, limit in (("least", above), ("most", below)) if limit]
        bounds = " and ".join(known)
        return f"{bounds} {phrase(metric, task, one=(below or above) == '1')} {sure}"
    unit = f" {metric.unit}" if metric.unit else ""
    if not (above and below):
        return f"{subject(metric.title)} is at {f'least {above}' if above else f'most {below}'}{unit} {sure}"
    if (pair := sides(metric)) and not estimate.interval.low <= 0 <= estimate.interval.high:
        return f"{_ahead(metric, pair, low, high, decimals)}{unit} {sure}"
    return f"{subject(metric.title)} lies between {above} and {below}{unit} {sure}"


def _ahead(metric: Metric, pair: tuple[str, str], low: float, high: float, decimals: int) -> str:
    """Which of two systems has the higher value, and by how much, from the rounded limits of their difference."""
    more, less = map(isolated, pair)
    title = the(metric.title.removesuffix(f", {more} − {less}"))
    if high <= 0:
        more, less, low, high = less, more, -high, -low
    by = f"{fixed(low, decimals)} to " if low else "up to "
    return f"{title} of {more} is higher than that of {less}, by {by}{fixed(high, decimals)}"


def _natural(metric: Metric) -> bool:
    """Whether the metric has words of its own as a share or a number of something."""
    return bool(metric.phrase) and metric.range == (0.0, 1.0)


def _percent(metric: Metric) -> bool:
    return _natural(metric) and not metric.total


def _exactly(metric: Metric, value: float, task: Task) -> str:
    decimals = 0 if metric.total else _decimals(metric, value)
    shown = fixed(0.0 if abs(value) < ROUNDING else value, decimals, percent=_percent(metric))
    settled = "no label left could change that"
    if _natural(metric):
        return f"exactly {shown} {phrase(metric, task, one=shown == '1')}: {settled}"
    return f"{subject(metric.title)} is exactly {shown}{f' {metric.unit}' if metric.unit else ''}: {settled}"


def _decimals(metric: Metric, value: float) -> int:
    """Decimals of an exact value: enough to tell it from 0 and from the ends of its range, of which rounding would make it one."""
    ends = (0.0, *filter(math.isfinite, metric.range))
    off = min((abs(value - end) for end in ends if abs(value - end) > ROUNDING), default=1.0)
    least, unit = (1, 100) if _percent(metric) else (3, 1)
    return max(least, 1 - math.floor(math.log10(off * unit)))


def phrase(metric: Metric, task: Task, *, one: bool = False) -> str:
    """The words that follow a share or a number of this metric, which may be `one`, with the names of the classes.

    >>> from sampleval.metrics import resolve
    >>> phrase(resolve("recall"), Task("binary", ("ham", "spam")))
    'of the items that are “spam” are found'
    >>> phrase(resolve("missed_positives"), Task(), one=True)
    'item that is positive is missed'
    """
    told = metric.phrase
    if one:
        told = told.replace("items", "item", 1).replace(" are ", " is ", 2)
    names = {"{negative}": "negative", "{positive}": "positive"}
    if task.kind == "binary" and not is_plain(task.classes):
        names = {key: f"“{name}”" for key, name in zip(names, task.classes, strict=True)}
    return retold(told, names)


def more_labels(at: Prospect) -> str:
    """The labels needed, for example "About 250 more labels (180 to 400)", or all that are left."""
    likely = likely_more(at)
    if likely == at.left:
        return "A label for the one item left" if at.left == 1 else f"Labels for all {at.left:,} items left"
    low, high = rounded(at.more.low), min(rounded(at.more.high), at.left)
    most = f"all {at.left:,} left" if at.more.high >= at.left else f"{high:,}"
    others = span(f"{low:,}", f"{likely:,}", most)
    return f"About {many(likely, 'more label')}{f' ({others})' if others else ''}"


def likely_more(at: Prospect) -> int:
    """The labels most likely needed, as sentences state them: all that are left, or a number of two digits."""
    return at.left if at.more.likely >= at.left else min(rounded(at.more.likely), at.left)


def _outcome(at: Prospect, wanted: str, *, settled: str = "settle it") -> str:
    return settled if at.more.likely >= at.left else wanted


def _perhaps(at: Prospect, wanted: str) -> str:
    """The least number of labels that may be enough, where the likely one is all that are left: that settles more than was wanted."""
    low = min(rounded(at.more.low), at.left)
    return f"; perhaps only {low:,} {wanted}" if low < likely_more(at) == at.left else ""


def _sure(estimate: Estimate) -> str:
    return f"{estimate.interval.sure} sure"
