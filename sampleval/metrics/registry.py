"""The registry of metrics: what a name such as "f3" or "recall[new - old]" stands for, which metrics suit a pool, and joint targets."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, get_args

from sampleval._checks import InputError, choice, distinct, fail, listable, positive, several
from sampleval.metrics.base import Metric
from sampleval.metrics.binary import BINARY, f_beta, precision_recall
from sampleval.metrics.confusion import confusion
from sampleval.metrics.curves import CURVES, ON_GRIDS
from sampleval.metrics.differences import difference
from sampleval.metrics.multiclass import MULTICLASS, PER_CLASS
from sampleval.metrics.multilabel import MULTILABEL
from sampleval.metrics.probability import PROBABILITY, reliability, top_k_accuracy
from sampleval.metrics.ranking import RANKINGS
from sampleval.metrics.regression import REGRESSION
from sampleval.metrics.wrappers import DIFFERENCE, of_system, quoted, unquoted
from sampleval.pool import Kind, Pool, checked, scored

MetricLike = str | Metric
Target = MetricLike | Mapping[str, float] | Sequence[MetricLike]
SCALARS = (*BINARY, *MULTILABEL, *MULTICLASS, *PROBABILITY, *RANKINGS, *REGRESSION)
VECTORS = (precision_recall, *CURVES, reliability(), *PER_CLASS, confusion)
FITTING = 2  # titles per word: if more have all words of a name, as of "error", it suggests none of them
METRICS = MappingProxyType({metric.name: metric for metric in (*SCALARS, *VECTORS)})
# What others call a metric, if its title does not say so → its name.
OTHERWISE = MappingProxyType(
    {
        "acc": "accuracy",
        "ap": "average_precision",
        "aupr": "average_precision",
        "auprc": "average_precision",
        "bacc": "balanced_accuracy",
        "crossentropy": "log_loss",
        "dice": "f1",
        "f": "f1",
        "iou": "jaccard",
        "ppv": "precision",
        "prauc": "average_precision",
        "subsetaccuracy": "exact_match",
        "tnr": "specificity",
        "tpr": "recall",
    }
)


def resolve(metric: MetricLike) -> Metric:
    """The metric of this name; a `Metric` is returned as it is.

    "f0.5" is F_β for any β, "top3_accuracy" uses the three highest scores, "pr_curve@1024" is a curve with this number of
    thresholds, "f1[b]" the metric of system b and "f1[a - b]" the difference of two systems. A system with " - " in
    its name is put in quotation marks. Names of the same metric, such as "f1.0" and "f1", give one object.

    Raises:
        InputError: No metric has this name; the message suggests the one that was probably meant.

    >>> resolve("f3").title, resolve("recall[new - old]").title, resolve("f1.0") is resolve("f1")
    ('F3 score', 'Recall (sensitivity), new − old', True)
    """
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str):
        fail("metric", "must be a name or a Metric", metric, remedy="metric='f1', for instance")
    if metric in METRICS:  # "f1" is one object, whoever asks for it
        return METRICS[metric]
    made = _made(metric)
    return made if made.name == metric else resolve(made.name)


@lru_cache(maxsize=256)  # so that "f3" is one object too, and results cached for a metric are found again
def _made(metric: str) -> Metric:
    """The metric described by a name; an error is raised if there is none."""
    if match := re.fullmatch(r"f(\d+(?:\.\d+)?(?:e[+-]\d+)?)", metric):
        return f_beta(float(match[1]))
    if match := re.fullmatch(r"top([1-9]\d{0,8})_accuracy", metric):
        return top_k_accuracy(int(match[1]))
    if (match := re.fullmatch(r"(\w+)@(\d{1,9})", metric)) and match[1] in ON_GRIDS and int(match[2]) > 1:
        return ON_GRIDS[match[1]](int(match[2]))
    if match := re.fullmatch(DIFFERENCE, metric):
        return difference(resolve(match[1]), unquoted(match[2]), unquoted(match[3]))
    if match := re.fullmatch(r"(.+?)\[(.+)\]", metric):
        return of_system(resolve(match[1]), unquoted(match[2]))
    words = _words(metric)
    nearest = (_reordered, _topped, _titled, _inside)
    if meant := OTHERWISE.get("".join(words)) or next(filter(None, (like(words) for like in nearest)), ""):
        fail("metric", "is not known", metric, remedy=f"did you mean {meant!r}?")
    return METRICS[choice(metric, METRICS, "metric")]


def own(metrics: Iterable[Metric]) -> list[str]:
    """Names of user-defined metrics, for which `resolve` does not return the metric.

    >>> from sampleval.metrics import ratio
    >>> own([resolve("f1"), resolve("f3"), ratio("f1", "Mine", lambda items, y: (y, 1.0))])
    ['f1']
    """
    return [metric.name for metric in metrics if not registered(metric)]


def registered(metric: Metric) -> bool:
    """Whether `resolve` returns this metric for its name, so that it is not user-defined."""
    return _namesake(metric) is metric


def _namesake(metric: Metric) -> Metric | None:
    """The metric that `resolve` returns for this one's name; `None` if there is none."""
    try:
        return resolve(metric.name)
    except InputError:
        return None


def built_in(metric: Metric) -> bool:
    """Whether no function of the user's own is part of it: it is registered, or made from such metrics and from data alone.

    >>> from sampleval.metrics import precision_recall_curve, ratio
    >>> built_in(precision_recall_curve([0.2, 0.7])), built_in(ratio("mine", "Mine", lambda items, y: (y, 1.0)))
    (True, False)
    """
    if registered(metric):
        return True
    if not isinstance(metric.maker, partial):
        return False
    given = (*metric.maker.args, *metric.maker.keywords.values())
    return all(built_in(one) if isinstance(one, Metric) else not callable(one) for one in given)


def unmistakable(metrics: Iterable[Metric]) -> None:
    """Refuse a metric of the user's own with the name of another: by its name alone a stored study is reopened."""
    for metric in metrics:
        other = None if built_in(metric) else _namesake(metric)
        if other is not None and not other.systems:  # as "recall[vip]" is, of a system that no pool need have
            rule = f"must not have the name of another one, {other.title}"
            fail("metric", rule, metric.name, remedy="give yours a name of its own")


def _pickled(metric: Metric) -> str | tuple[Any, ...]:
    """What a pickle consists of: the name of a metric of the registry, or how the metric was made; else all that it holds."""
    if registered(metric):
        return resolve, (metric.name,)
    return metric.__reduce_ex__(2) if metric.maker is None else (metric.maker, ())


copyreg.pickle(Metric, _pickled)


def named(metrics: MetricLike | Iterable[MetricLike]) -> list[MetricLike]:
    """The metrics as a non-empty list, given one metric or several.

    >>> named("f1"), named(("f1", "recall"))
    (['f1'], ['f1', 'recall'])
    """
    if isinstance(metrics, str | Metric):
        return [metrics]
    return several(metrics, "metrics", remedy="name some, or leave it out")


def target(metric: Target) -> dict[Metric, float]:
    """Pre-sampling metrics with weights, from a name, a metric, a list of them, or name → weight.

    >>> [m.name for m in target(["f1", "recall"])]
    ['f1', 'recall']
    """
    if isinstance(metric, str | Metric):
        return {resolve(metric): 1.0}
    given: object = metric  # callers may pass anything
    rule = "must be a metric, a list of them, or a mapping name → weight"
    if isinstance(given, set | frozenset):
        fail("metric", rule, metric, remedy="a set has no first metric to plan for: pass a list")
    if not listable(given):
        fail("metric", rule, metric)
    weighted = metric.items() if isinstance(metric, Mapping) else ((name, 1.0) for name in metric)
    found = [(resolve(name), weight) for name, weight in weighted]
    if not found:
        fail("metric", rule, metric)
    names, remedy = (one.name for one, _ in found), "for more weight pass {name: weight}"
    distinct(names, "metric", "must name each metric once", remedy=remedy)
    remedy = "leave out what does not count"
    return {one: positive(weight, f"metric[{one.name!r}]", remedy=remedy) for one, weight in found}


def _words(name: str) -> list[str]:
    """The words of a name, in lower case and without what other libraries add: of "F1-score" and "f1score" it is "f1"."""
    words = [word.removesuffix("score") for word in re.split(r"[\s_-]+", name.lower().removeprefix("neg_"))]
    return [word for word in words if word]


def _reordered(words: list[str]) -> str:
    """Name of the metric with these words in another order, as in scikit-learn's "f1_macro"; "" if there is none."""
    return next((known for known in METRICS if sorted(known.split("_")) == sorted(words)), "")


def _topped(words: list[str]) -> str:
    """The accuracy of the k highest scores that other libraries call "top_k_accuracy"; "" if it is not that."""
    if words[:1] != ["top"] or "accuracy" not in words:
        return ""
    return next((f"top{k}_accuracy" for k in words if re.fullmatch(r"[1-9]\d{0,8}", k)), "top3_accuracy")


def _titled(words: list[str]) -> str:
    """The metric with the shortest title that has all words, as in "mean_squared_error"; "" if none or many have."""
    fitting = [m for m in METRICS.values() if {*words} <= {*re.findall(r"\w+", m.title.lower())}]
    if not 0 < len(fitting) <= FITTING * len(words):
        return ""
    return min(fitting, key=lambda m: len(m.title.partition(" (")[0])).name


def _inside(words: list[str]) -> str:
    """The longest name of a metric made of some of the words, as in scikit-learn's "f1_score"; "" if there is none."""
    spans = ["_".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    return max((span for span in spans if span in METRICS), key=len, default="")


def for_kind(kind: Kind) -> tuple[str, ...]:
    """Names of the scalar metrics defined for this kind of task, the usual one first."""
    choice(kind, get_args(Kind), "kind")
    return tuple(name for name, m in METRICS.items() if kind in m.kinds and not m.vector)


def for_pool(pool: Pool) -> tuple[str, ...]:
    """Names of the scalar metrics defined for this pool; without those of scores if it has decisions alone."""
    names = for_kind(checked(pool).task.kind)
    return names if scored(pool) else tuple(name for name in names if not METRICS[name].of_scores)


def defined(metrics: Iterable[Metric], kind: Kind) -> None:
    """Raise an error for a metric that is not defined for this kind of task; the message names those that are."""
    for metric in metrics:
        if kind not in metric.kinds:
            known = ", ".join(for_kind(kind))
            raise InputError(
                f"`metric` {metric.name!r} is not defined for {kind} labels; choose one of {known}"
            )


def questions(pool: Pool) -> tuple[str, ...]:
    """Metrics that a sample can be drawn for; with several systems also differences in the usual metrics."""
    names, systems = for_pool(pool), [system.name for system in pool.systems]
    pairs = [(a, b) for k, a in enumerate(systems) for b in systems[k + 1 :]]
    return names + tuple(f"{name}[{quoted(a)} - {quoted(b)}]" for a, b in pairs for name in names[:4])
