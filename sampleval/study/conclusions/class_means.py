"""Limits of means over classes, which depend most on the classes with hardly any labels.

`ratios` is the metric by class whose mean is taken, such as recall by class for balanced accuracy, or a difference of such.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sampleval.estimators import Inference, Run, weights
from sampleval.intervals import Interval, joined, joined_limits
from sampleval.metrics import Metric, between_systems, effects, halves
from sampleval.pool import SEVERAL, Flags, Floats, Integers, Items
from sampleval.study.conclusions.rare_classes import in_part, met

ROUNDING = 1e-9  # smaller effects of a label are rounding errors


def widened_for_classes(limits: Interval, result: Inference) -> Interval:
    """Limits of metrics of means over classes, widened for classes with few labels and for those without any.

    A label informs about a class if it is of that class or, for precision, if its item is predicted to be of that class.
    Classes without such a label may have any value, unless they are never predicted. Predictions do not vary with the
    sample: without this, with 100 classes and 300 labels, limits covered balanced accuracy in 1 study of 20.
    """
    for ratios, slope in result.metric.counts.by_classes(result.risk):
        if result.metric.counts.per_class or ratios.terms:
            limits = _widened_for_alike(limits, result, ratios, slope)
    return widened_for_unmet(limits, result)


def widened_for_unmet(limits: Interval, result: Inference) -> Interval:
    """Limits of metrics of means over classes, widened to allow any value for classes without labels, or their absence."""
    if result.run.items.task.kind not in SEVERAL:
        return limits
    for ratios, slope in result.metric.counts.by_classes(result.risk):
        limits = _widened_for_unmet(limits, result, ratios, slope)
    return limits


def unmet_width(result: Inference, level: float) -> float:
    """The width that classes without labels give the limits of a mean over classes by themselves."""
    value = float(result.value[0])
    return widened_for_unmet(Interval(value, value, level, "bounds"), result).width


def may_gain_classes(result: Inference) -> bool:
    """Whether unknown labels may reveal items of a class that no label is of, so that the mean would include that class too."""
    run, pool = result.run, result.run.problem.pool.items
    if run.items.task.kind not in SEVERAL:
        return False
    open_ = [each for each in result.metric.counts.averages if _without_labels(each, run)[0].any()]
    if not open_:
        return False
    known = pool.take(run.labelled)
    return any(in_part(each, known).sum() < in_part(each, pool).sum() for each in open_)


def _widened_for_unmet(limits: Interval, result: Inference, ratios: Metric, slope: float) -> Interval:
    """`widened_for_unmet` for one of the means; `slope` is the metric's derivative by this mean."""
    metric, run = result.metric, result.run
    unmet = _without_labels(ratios, run)[0]
    if not unmet.any():
        return limits
    below, above = _allowed(ratios, result.risk, run)
    (bottom, top), centre = metric.range, float(result.value[0])
    wider = _over_fewer(ratios, result.risk, run, unmet)
    low = centre - (centre - limits.low) * (wider if bottom < 0 else 1.0) - slope * below
    low, high = max(low, bottom), min(centre + (limits.high - centre) * wider + slope * above, top)
    lacking = "met in no label" if ratios.counts.of_class == "ratio" else "predicted for no labelled item"
    are = "is" if unmet.sum() == 1 else "are"
    note = f"{unmet.sum():,} of the {len(unmet):,} classes {are} {lacking}: the limits allow any value there"
    return replace(limits, low=float(low), high=float(high), note=joined(limits.note, note))


def _allowed(ratios: Metric, risk: Floats, run: Run) -> tuple[float, float]:
    """How far below and above that at R̂, (d,), the mean over the classes may be, if those without labels have any value.

    A class without items has no value, and the mean is over the others. A class that is never predicted may be such a class;
    otherwise its ratio is 0. Two systems may decide for different classes, so the precisions of a difference are treated
    term by term.
    """
    if ratios.terms and ratios.counts.of_class != "ratio":
        (below, above), (under, over) = (_allowed(term, half, run) for term, half in halves(ratios, risk))
        return below + over, above + under
    unmet, classes = _without_labels(ratios, run)
    bottom, top = ratios.range
    value = np.clip(_filled(ratios, risk), bottom, top)
    absent = unmet & _never_predicted(ratios, run)
    least, most = (np.where(unmet, end, value) for end in (bottom, top))
    least = np.where(absent, np.fmin(0.0, _mean(least[~absent])), least)
    most = np.where(absent, np.fmax(0.0, _mean(most[~absent])), most)
    below, above = (float(far[unmet].sum()) / classes for far in (value - least, most - value))
    return max(below, 0.0), max(above, 0.0)


def _over_fewer(ratios: Metric, risk: Floats, run: Run, unmet: Flags) -> float:
    """The factor on the distance of the limits from the mean that allows for classes without any item in the pool.

    A class that is never predicted counts in the mean with a ratio of 0, since a model expects a few items of it. If it is
    also `unmet`, (C,), the pool may have none, and the mean is over fewer classes.
    """
    if ratios.counts.of_class != "ratio":
        return 1.0
    absent = unmet & _never_predicted(ratios, run)
    others, counted = int((~absent).sum()), int((~np.isnan(ratios.value(risk))).sum())
    return max(counted / max(others, 1), 1.0)


def _filled(ratios: Metric, risk: Floats) -> Floats:
    """The ratio of each class at R̂, (d,) to (C,), with the mean of the others in place of undefined ones.

    The mean over all classes is then the metric's value, even for a difference whose terms are undefined for different classes.
    """
    if ratios.terms:
        first, second = (_filled(term, half) for term, half in halves(ratios, risk))
        return first - second
    value = ratios.value(risk)
    return np.where(np.isnan(value), _mean(value), value)


def _mean(values: Floats) -> float:
    """Mean of the values that are known, unlike `mean_defined` also of a single one; 0 if none is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else 0.0


def _without_labels(ratios: Metric, run: Run) -> tuple[Flags, int]:
    """The classes that no label informs about, (C,), and the number of classes that the mean may be over.

    Classes that are never predicted have no precision. A class may have labels for only one term of a difference.
    """
    if ratios.counts.of_class == "ratio":
        unmet = met(run, ratios) == 0
        return unmet, len(unmet)
    if ratios.terms:
        (one, classes), (other, others) = (_without_labels(term, run) for term in ratios.terms)
        return one | other, min(classes, others)
    if not ratios.counts.per_class:  # a metric of one's own, whose counts are not known
        width = run.items.task.width
        return np.zeros(width, bool), width
    predicted = ~_never_predicted(ratios, run)
    labelled = run.problem.pool.items.take(run.known.index)
    return predicted & (_decided(ratios, labelled) == 0), int(np.count_nonzero(predicted))


def _widened_for_alike(limits: Interval, result: Inference, ratios: Metric, slope: float) -> Interval:
    """The limits, widened for classes whose few labels are all alike, which show no variance.

    Clopper–Pearson limits of such a class are used instead and combined with those of the mean. Without this, limits of
    balanced accuracy of five classes covered it in .77 of uniform samples of 40 labels, and those of a difference of two
    systems in .60.
    """
    metric, run = result.metric, result.run
    loss, pool_sums = run.problem.losses(metric, run.known), result.risk * run.population
    known_sums = loss.sum(axis=0)
    value, (bottom, top) = ratios.value(result.risk), ratios.range
    alike = _alike(ratios, loss) & np.isclose(value, ratios.value(known_sums), atol=ROUNDING)
    alike &= ~_never_predicted(ratios, run)
    unshown = np.where(alike, _unshown(ratios, known_sums, pool_sums, limits.level), 0.0)
    if between_systems(ratios):
        unshown = np.where(alike, unshown, _outweighed(ratios, loss, result, limits.level))
        even = ~alike | np.isclose(value, 0, atol=ROUNDING)
        unshown = np.where(even, np.fmin(unshown, _disputed_share(ratios, run, pool_sums)), unshown)
    unshown = slope * np.where(np.isnan(value), 0.0, unshown)  # classes without a value: `widened_for_unmet`
    rooms = (np.where(unshown > 0, room, 0.0) for room in (value - bottom, top - value))
    below, above = (np.square(unshown * room).sum() for room in rooms)
    centre, classes = float(result.value[0]), max(int((~np.isnan(value)).sum()), 1)
    return joined_limits(limits, centre, np.sqrt(below) / classes, np.sqrt(above) / classes, metric.range)


def _alike(ratios: Metric, loss: Floats) -> Flags:
    """Whether all labels of a class have the same effect, (C,): all are right or all wrong, or a difference never varies.

    ℓ of the known labels is (n, d).
    """
    known_sums = loss.sum(axis=0)
    if not ratios.terms:
        return np.isin(ratios.value(known_sums), ratios.range)
    return np.asarray(~(np.abs(effects(loss, ratios.gradient(known_sums))) > ROUNDING).any(axis=0))


def _unshown(ratios: Metric, known_sums: Floats, pool_sums: Floats, level: float) -> Floats:
    """Largest share of a class that may differ from its labels although these are all alike, (C,): 1 − (α/2)^(1/k).

    It is 0 if no item of the class is left. Of a difference, the term with the fewer labels counts.

    Args:
        ratios: The ratio of each class, as a metric.
        known_sums: Σℓ of the known labels, (d,).
        pool_sums: Estimated Σℓ of the pool, (d,).
        level: 1 − α.
    """
    if ratios.terms:
        sums = halves(ratios, np.stack([known_sums, pool_sums]))
        return np.asarray(np.maximum(*(_unshown(term, k, n, level) for term, (k, n) in sums)))
    assert ratios.counts.wholes is not None
    labels, items = np.asarray(ratios.counts.wholes(known_sums)), np.asarray(ratios.counts.wholes(pool_sums))
    open_ = (labels > 0) & ((labels < items) | (ratios.counts.of_class == "ratio"))
    return np.where(open_, _most_unseen(labels, level), 0.0)


def _outweighed(ratios: Metric, loss: Floats, result: Inference, level: float) -> Floats:
    """`_unshown` for labels that do not tell the systems apart, as far as they weigh more than each label that does, (C,).

    A design may ask for some items far more often than for others, such as those that the first system decides for a rare
    class. If these alone tell the systems apart, their variance says nothing of the many items that each other label stands
    for. Of a new version that decides a tenth of the items anew, limits of macro recall by `queue` then held in .64 of the
    studies, and otherwise in all. Those of model-assisted means, whose residuals show as little, held in .2 to .6.

    Args:
        ratios: The difference of such ratios, as a metric.
        loss: ℓ of the known labels, those held first, (n, d).
        result: The inference, with the estimator that weighs the labels.
        level: 1 − α.
    """
    run = result.run
    weight = np.append(np.ones(len(run.held)), weights(run, result.estimator)[run.responded])[:, None]
    slopes = (term.gradient(half.sum(axis=0)) for term, half in halves(ratios, loss))
    moved = np.subtract(*np.split(loss, 2, axis=1))
    apart = np.any([np.abs(effects(moved, slope)) > ROUNDING for slope in slopes], axis=0)
    more = weight - (weight * apart).max(axis=0)
    more = np.where(more > ROUNDING * weight, more, 0.0)

    def unshown(term: Metric, loss: Floats) -> Floats:
        of_class = loss @ term.counts.whole_slopes(loss.shape[1])
        labels, items = ((more > 0) * of_class).sum(axis=0), (weight * of_class).sum(axis=0)
        share = (more * of_class).sum(axis=0) / np.where(items > 0, items, 1.0)
        return np.asarray(share * _most_unseen(labels, level))

    return np.maximum(*(unshown(term, half) for term, half in halves(ratios, loss)))


def _most_unseen(labels: Floats, level: float) -> Floats:
    """Largest share that may differ from k labels that are all alike, 1 − (α/2)^(1/k), elementwise."""
    return np.asarray(1 - ((1 - level) / 2) ** (1 / np.maximum(labels, 1)))


def _disputed_share(ratios: Metric, run: Run, pool_sums: Floats) -> Floats:
    """Unlabelled items that only one of the two systems decides for a class, as a share of the class, (C,).

    Where both systems did equally well on all labels of a class, no other items can tell them apart. Without this, limits
    for a new version that decides one item in fifty anew were three times as wide. This does not hold for terms that differ by
    more than the system: by the metric, which two equal systems do not make equal, or by the part of the pool.

    Args:
        ratios: The difference of such ratios, as a metric.
        run: The answered run.
        pool_sums: Estimated Σℓ of the pool, (d,).
    """
    problem, pool = run.problem, run.problem.pool.items
    in_pool = problem.once((ratios, "disputed"), lambda: _decided(ratios, pool))
    unlabelled = in_pool - _decided(ratios, pool.take(run.labelled))
    sums = ((term.counts.wholes, half) for term, half in halves(ratios, pool_sums))
    least = np.minimum(*(np.asarray(wholes(half)) for wholes, half in sums if wholes))
    return np.asarray(unlabelled / np.maximum(least, 1.0))


def _never_predicted(ratios: Metric, run: Run) -> Flags:
    """Whether no item that counts is predicted to be of a class, (C,): it has no precision, and 0 for other ratios if it has items.

    Without this, limits for macro-F1 of ten labels, four of which a timid model never predicts, were 7 to 11 times as wide as
    they need be.
    """
    if run.items.task.kind not in SEVERAL:
        return np.zeros(run.items.task.width, bool)
    if ratios.terms:
        return np.logical_and(*(_never_predicted(term, run) for term in ratios.terms))
    pool = run.problem.pool.items
    return run.problem.once((ratios, "never predicted"), lambda: _decided(ratios, pool) == 0)


def _decided(ratios: Metric, items: Items) -> Integers:
    """Number of items that count and that the system decides for each class, (C,); for a difference, that only one of both does."""
    items = items.take(np.flatnonzero(in_part(ratios, items)))
    preds = [(items.of(*own.systems) if own.systems else items).pred for own in ratios.terms or (ratios,)]
    if preds[0].ndim == 2:
        return np.asarray(np.logical_xor.reduce(preds).sum(axis=0), np.intp)
    if ratios.terms:
        preds = [pred[np.not_equal(*preds)] for pred in preds]
    return np.bincount(np.concatenate(preds).astype(np.intp), minlength=items.task.width)
