"""What the sample cannot tell, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sampleval._checks import capitalised, listed
from sampleval.estimators import weights
from sampleval.metrics.counts import SEVERAL
from sampleval.pool import Floats
from sampleval.study.conclusions import FEW, MET, Estimate, met, positives, worst
from sampleval.study.progress import held_up
from sampleval.study.study import Study
from sampleval.study.words.trust import failing, unmet, validity
from sampleval.surrogates.calibration import names

SHOWN = 5e-4  # a difference that three decimals show
HEAVY = 0.02  # share of the pool from which one answer speaks for "many" items


def caveats(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    """What to keep in mind about these estimates, the most pressing first.

    Args:
        study: The study.
        estimates: Estimates from its labels.
    """
    if not any(estimate.labels or not np.isnan(estimate.value) for estimate in estimates):
        return _nothing(study)
    first, last = _method(study, estimates)
    found = [
        *first,
        *_off_target(study, estimates),
        *_unknown(study, estimates),
        *([] if _settled(estimates) else [*_positives(study), *_rare(study)]),
        *_unanswered(study),
        *_fallbacks(study, estimates),
        *_weights(study),
        *last,
    ]
    return [*dict.fromkeys(found), *_always(study, estimates)]


def _method(study: Study, estimates: Sequence[Estimate]) -> tuple[list[str], list[str]]:
    """When the method is valid: said first where its intervals are known to fail here, else last."""
    said = [line for line in [validity(study)] if line]
    failed = [line for e in estimates if (line := failing(study, e))]
    if _settled(estimates):
        return [], []
    if failed:
        warning = f"The intervals may be too narrow: {failed[0]}."
        return [" ".join([warning, *said])], []
    return [], said


def _off_target(study: Study, estimates: Sequence[Estimate]) -> Iterator[str]:
    """Few labels of items that the sample was not drawn for tell of all of them."""
    if few := next(filter(None, (unmet(study, estimate) for estimate in estimates)), ""):
        yield f"{capitalised(few)}: intervals of metrics that need those items may be too narrow."


def _nothing(study: Study) -> list[str]:
    """What to say where no answer counts, and what was known beforehand is not enough."""
    if study.labels:
        return _unanswered(study)
    if held := len(study.state.problem.held):
        return [
            f"Labels known beforehand: {held:,}. No other item has one yet: nothing is known of the rest."
        ]
    return ["No item has a label yet: nothing is known."]


def by_chance(study: Study) -> str:
    """How parts are told in a study that predicts all items from the scores, "" if it does not."""
    if not study.method.predicts:
        return ""
    return (
        "Items without a label are predicted from the scores, which cannot tell a part of the items from the rest. In a part "
        "the labels correct what the scores predict, each counting for the items of similar score. Intervals are wider "
        "there, and parts need not add up exactly."
    )


def side_by_side(study: Study) -> str:
    """How systems are told beside each other where only some of them are predicted from, "" if all are."""
    known = names(study.pool)
    beyond = [system.name for system in study.pool.systems if system.name not in known]
    if not (study.method.predicts and beyond):
        return ""
    first = listed(sorted(known))
    return (
        f"The scores of {first} help to predict the items without a label, those of {listed(beyond)} do not. So that values "
        "and differences agree, here the labels correct what the scores predict, each counting for the items of similar "
        f"score; the estimates of {first} by themselves are surer."
    )


def unlike_mean(study: Study, precisions: Floats) -> str:
    """Why the macro precision is not the mean of the precisions of the classes; "" where it is, or there is none.

    Args:
        study: The study.
        precisions: Those shown, one per class.
    """
    if "macro_precision" not in study.scalars:
        return ""
    if not abs(precisions.mean() - study.estimate("macro_precision").value) >= SHOWN:
        return ""
    return (
        "The macro precision is not quite the mean of the precisions shown by class: each of those is kept to what its "
        "own labels allow, while in a mean over classes one that is too high makes up for another that is too low."
    )


def _settled(estimates: Sequence[Estimate]) -> bool:
    """Whether all that has a value has it exactly, as after a census."""
    widths = [estimate.interval.width for estimate in estimates if not np.isnan(estimate.value)]
    return bool(widths) and max(widths) == 0


def _unknown(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    blank = [e for e in estimates if np.isnan(e.value) or not e.interval.known]
    reasons = [e.note or "the labels so far cannot tell" for e in blank]
    return [f"Not known: {titles}; {reason}." for reason, titles in _by_reason(study, blank, reasons)]


def _by_reason(
    study: Study, estimates: Sequence[Estimate], reasons: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """(reason, titles of the metrics that share it), in order."""
    for reason in dict.fromkeys(reasons):
        shared = [e for e, other in zip(estimates, reasons, strict=True) if other == reason]
        yield reason, ", ".join(study.metric(e.metric).title for e in shared)


def _positives(study: Study) -> list[str]:
    """Few positives make a shaky recall; none among the predicted negatives does not mean none."""
    run = study.run()
    if run is None or study.pool.task.kind != "binary":
        return []
    notes, found = [], positives(run)
    rejected = run.known.where(study.pool.pred[run.known.index] == 0)
    if 0 < found < FEW:
        few = "one labelled item is" if found == 1 else f"{found} labelled items are"
        notes.append(f"Only {few} positive: recall and F scores rest on these few.")
    if len(rejected) and not rejected.labels.any():
        none = (
            "The one labelled item that the classifier rejects is not positive"
            if len(rejected) == 1
            else f"None of the {len(rejected):,} labelled items that the classifier rejects is positive"
        )
        notes.append(
            f"{none}. That does not show that it misses none; the upper limit of the missed positives says how many there may be."
        )
    return notes


def _rare(study: Study) -> list[str]:
    """Classes met a time or two: what is said of them rests on single items, and a mean over all classes too."""
    run, task = study.run(), study.pool.task
    if run is None or task.kind not in SEVERAL:
        return []
    rare = [repr(task.classes[c]) for c in np.flatnonzero(met(run) < MET)]
    said = (
        f"Labelled fewer than {MET} times: {listed(rare, 5)}. What is said of each, and plain means over all classes, rest "
        "on single items: they may be further off than their intervals say."
    )
    return [said] if rare else []


def _unanswered(study: Study) -> list[str]:
    kinds = [answer.what.kind for answer in study.state.given.counting.values()]
    silent, waiting = len(kinds) - kinds.count("label"), held_up(study.state)
    notes = []
    if silent:
        notes.append(
            f"Skipped or marked unsure: {silent:,}. The intervals are widened to allow for {worst(study.pool.task.kind)}."
        )
    if waiting:
        notes.append(f"{waiting}. Waiting answers do not count until those have one.")
    return notes


def _fallbacks(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    other = [e for e in estimates if e.interval.note and e.interval.known]
    notes = [e.interval.note for e in other]
    return [f"{titles}: {note}." for note, titles in _by_reason(study, other, notes)]


def _weights(study: Study) -> list[str]:
    """One answer that speaks for much of the pool is worth a second look."""
    run = study.run()
    if run is None or not len(run.items):
        return []
    weight = weights(run, study.method.estimator)
    heaviest = int(weight.argmax())
    if weight[heaviest] < max(HEAVY * run.population, 2):
        return []
    item = str(study.pool.ids[run.items.index[heaviest]])
    share = f"about {weight[heaviest]:,.0f} of {run.population:,}"
    if weight[heaviest] > run.population:  # of the first labels some are unlikely ones
        share = f"more than all {run.population:,} items"
    said = f"Single answers weigh much: item {item!r} speaks for {share}."
    return [f"{said} A wrong label there would move the result."]


def _always(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    """What no sample of this kind can tell."""
    drawn = study.state.problem.title
    other = f"The sample was drawn for {drawn}: a sample drawn for another metric would measure that one more precisely."
    alike = study.method.design.blind  # whatever it is drawn for, the sample is the same
    about = (
        "This pool" if estimates[0].about == "pool" else "Items that come from the same source as this pool"
    )
    return [
        f"{about}, as scored: the labels cannot tell how the model does on other data, or later.",
        "Labels are taken to be right: disagreement between annotators is not in the intervals.",
        *([] if alike or _settled(estimates) else [other]),
    ]
