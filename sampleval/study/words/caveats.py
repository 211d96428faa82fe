"""What the sample cannot tell, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType

import numpy as np
import pandas as pd

from sampleval._checks import capitalised, listed, shown
from sampleval.estimators import weights
from sampleval.numerals import many
from sampleval.pool import SEVERAL
from sampleval.study.conclusions.estimate import Estimate
from sampleval.study.conclusions.rare_classes import MET, met_by_chance
from sampleval.study.conclusions.remarks import worst
from sampleval.study.conclusions.too_few import FEW, gross_errors_unmet, positives
from sampleval.study.progress import all_known, held_up
from sampleval.study.study import Study
from sampleval.study.words.trust import failing, too_few_for, validity
from sampleval.surrogates.together import names_together

SHOWN = 5e-4  # a difference that three decimals show
# That have a mean over classes.
MEASURES = MappingProxyType({"precision": "precision", "recall": "recall", "f1": "F1"})
HEAVY = 0.02  # share of the pool from which one answer speaks for "many" items


def caveats(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    """Sentences on what to keep in mind about these estimates, the most important first."""
    if not _some(estimates):
        return _nothing(study)
    first, last = _method(study, estimates)
    found = [
        *first,
        *_off_target(study, estimates),
        *_unknown(study, estimates),
        *_few(study, estimates),
        *_unanswered(study),
        *_fallbacks(study, estimates),
        *_weights(study),
        *last,
    ]
    return [*dict.fromkeys(found), *_always(study, estimates)]


def cautions(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    """Those of the caveats that warn of something which the estimates do not note themselves, as for a place that shows notes."""
    if not _some(estimates):
        return []
    first = _method(study, estimates)[0]
    return [
        *dict.fromkeys([*first, *_off_target(study, estimates), *_few(study, estimates), *_weights(study)])
    ]


def _some(estimates: Sequence[Estimate]) -> bool:
    """Whether anything is known, or at least answered."""
    return any(estimate.labels or not np.isnan(estimate.value) for estimate in estimates)


def _method(study: Study, estimates: Sequence[Estimate]) -> tuple[list[str], list[str]]:
    """What to say of the method first, and what to say of it last.

    The sentence on when the method is valid comes last, unless its intervals are known to fail here: then a warning
    and that sentence come first. Both lists are empty if all values are exact.
    """
    if _settled(estimates):
        return [], []
    said = list(filter(None, [validity(study)]))
    if failed := next(filter(None, (failing(study, estimate) for estimate in estimates)), ""):
        return [" ".join([f"The intervals may be too narrow: {failed}.", *said])], []
    return [], said


def _off_target(study: Study, estimates: Sequence[Estimate]) -> Iterator[str]:
    """A warning if some metric needs items that the sample was not drawn for and of which few have a label."""
    if few := next(filter(None, (too_few_for(study, estimate) for estimate in estimates)), ""):
        yield f"{capitalised(few)}: intervals of metrics that need those items may be too narrow."


def _nothing(study: Study) -> list[str]:
    """What to say where no answer counts yet and the labels known beforehand are not enough for an estimate."""
    if study.labels:
        return _unanswered(study)
    if held := len(study.state.problem.held):
        return [
            f"Labels known beforehand: {held:,}. No other item has one yet: nothing is known of the rest."
        ]
    return ["No item has a label yet: nothing is known."]


def estimating_parts(study: Study) -> str:
    """How parts of the pool are estimated in a study that predicts items from their scores; "" in other studies."""
    if not study.method.predicts:
        return ""
    return (
        "Items without a label are predicted from their scores, and scores cannot tell a part of the items from the rest. In a "
        "part the labels therefore correct what the scores predict, and each label counts for the items of similar score. "
        "Intervals are wider there, and the parts need not add up exactly."
    )


def side_by_side(study: Study) -> str:
    """How systems are compared if the study predicts items from the scores of some of them only; "" otherwise."""
    known = names_together(study.pool)
    beyond = [system.name for system in study.pool.systems if system.name not in known]
    if not (study.method.predicts and beyond):
        return ""
    first = listed(sorted(known))
    return (
        f"The scores of {first} help to predict the items without a label, and those of {listed(beyond)} do not. To make values "
        "and differences agree, the labels here correct what the scores predict, and each label counts for the items of "
        f"similar score. The estimates of {first} alone are more precise."
    )


def unlike_means(study: Study, rows: pd.DataFrame) -> list[str]:
    """Why macro averages differ from the means of what is shown by class, as far as they do.

    Args:
        study: The study.
        rows: What is shown, as `frames.classes` has it.
    """
    apart = [
        measure
        for measure in MEASURES
        if f"macro_{measure}" in study.scalars and _unlike(study, measure, rows)
    ]
    corrected = [f"macro {MEASURES[measure]}" for measure in apart if measure != "precision"]
    said = []
    if "precision" in apart:
        said.append(
            "The macro precision is not quite the mean of the precisions shown by class. Each of those is "
            "limited to what its own labels allow. The mean over classes is taken without these limits, "
            "because a precision that is too high makes up for another that is too low."
        )
    if corrected:
        said.append(
            f"The {' and the '.join(corrected)} {'are' if len(corrected) > 1 else 'is'} not the plain mean of the numbers "
            "shown by class: with few labels most of these are too high, or most too low, and their mean is corrected for this."
        )
    return said


def undefined_classes(rows: pd.DataFrame) -> list[str]:
    """Why classes have no value, each reason once with the measures that lack it; of `frames.classes`."""
    return [
        f"“–” for {' and '.join(MEASURES.get(each, each) for each in about.unique())}: {note}."
        for note, about in rows[rows["value"].isna()].groupby("note", sort=False)["measure"]
    ]


def _unlike(study: Study, measure: str, rows: pd.DataFrame) -> bool:
    """Whether three decimals show that a macro average is not the mean over the classes."""
    mean = rows.loc[rows["measure"] == measure, "value"].mean()  # where it is defined, like the average
    return bool(abs(mean - study.estimate(f"macro_{measure}").value) >= SHOWN)


def _settled(estimates: Sequence[Estimate]) -> bool:
    """Whether every estimate that has a value is exact, as after a census."""
    widths = [estimate.interval.width for estimate in estimates if not np.isnan(estimate.value)]
    return bool(widths) and max(widths) == 0


def _unknown(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    """The metrics that are not known, or have no value though all labels are known, with the reason."""
    blank = [e for e in estimates if np.isnan(e.value) or not e.interval.known]
    # Without limits, no label could make it known.
    undefined = [(e, e.undefined) for e in blank if np.isnan(e.interval.low)]
    unknown = [(e, e.note or "the labels so far cannot tell") for e in blank if not np.isnan(e.interval.low)]
    return [
        *(f"Undefined: {', '.join(those)}; {reason}." for reason, those in by_reason(study, undefined)),
        *(f"Not known: {', '.join(those)}; {reason}." for reason, those in by_reason(study, unknown)),
    ]


def by_reason(study: Study, told: Iterable[tuple[Estimate, str]]) -> Iterable[tuple[str, list[str]]]:
    """Each reason with the titles of the metrics that share it, in the order in which reasons first occur."""
    found: dict[str, list[str]] = {}
    for estimate, reason in told:
        found.setdefault(reason, []).append(study.metric(estimate.metric).title)
    return found.items()


def _few(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    """Warnings where few labels are of a kind that matters; none after a census."""
    return [] if _settled(estimates) else [*_positives(study), *_rare(study), *_gross(study)]


def _positives(study: Study) -> list[str]:
    """Warnings where few labelled items are positive, and where none predicted negative is although others may be."""
    run = study.run()
    if run is None or study.pool.task.kind != "binary":
        return []
    notes, found = [], positives(run)
    rejects = study.pool.pred == 0
    rejected = run.known.where(rejects[run.known.index])
    unseen = np.count_nonzero(rejects) > len(np.unique(rejected.index))
    if 0 < found < FEW:
        few = many(found, "positive")
        notes.append(f"Only {few} among the labelled items: recall and F scores rest on so few.")
    if len(rejected) and unseen and not rejected.labels.any():
        notes.append(
            f"Of the labelled items that are predicted negative ({len(rejected):,}), none is positive. That does not show that "
            "the model misses none; the upper limit of the missed positives says how many there may be."
        )
    return notes


def _rare(study: Study) -> list[str]:
    """A warning about classes with fewer than `MET` labels: their metrics, and means over classes, rest on single items."""
    run, task = study.run(), study.pool.task
    if run is None or task.kind not in SEVERAL:
        return []
    rare = [shown(task.classes[c]) for c in np.flatnonzero(met_by_chance(run) < MET)]
    asked = " beside those known beforehand" if len(run.held) and not run.problem.held_random else ""
    said = (
        f"Classes with fewer than {MET} labels{asked}: {listed(rare, 5)}. Their values, and plain means over all "
        f"classes, rest on single items and may be further off than their intervals say."
    )
    return [said] if rare else []


def _gross(study: Study) -> list[str]:
    """A warning about gross errors of predicted numbers that are among none of the labels."""
    run = study.run()
    few = "" if run is None else gross_errors_unmet(run, study.method.estimator)
    return [f"{few}: squared errors, R² and means would then lie far outside their intervals."] if few else []


def _unanswered(study: Study) -> list[str]:
    """How many items were skipped or marked unsure, and how many answers wait for others before them."""
    kinds = [answer.what.kind for answer in study.state.given.counting.values()]
    silent, waiting = len(kinds) - kinds.count("label"), held_up(study.state)
    notes = []
    if silent:
        notes.append(
            f"Skipped or marked unsure: {silent:,}. The intervals are widened to allow for {worst(study.pool.task.kind)}."
        )
    if waiting:
        notes.append(f"{waiting}. Waiting answers do not count until the items before them have one.")
    return notes


def _fallbacks(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    """The notes on how intervals were made, each with the metrics that it concerns."""
    noted = ((e, e.interval.note) for e in estimates if e.interval.note and e.interval.known)
    return [f"{', '.join(titles)}: {note}." for note, titles in by_reason(study, noted)]


def _weights(study: Study) -> list[str]:
    """A warning if a single answer speaks for a large part of the pool, so that a mistake in it would matter.

    After a census, every label counts once, however it was drawn.
    """
    run = study.run()
    if run is None or not run.responded.any() or all_known(study.state):
        return []
    weight = weights(run, study.method.estimator) * run.responded
    heaviest = int(weight.argmax())
    if weight[heaviest] < max(HEAVY * run.population, 2):
        return []
    item = shown(str(study.pool.ids[run.items.index[heaviest]]))
    part = f"about {weight[heaviest]:,.0f} of {run.population:,}"
    if weight[heaviest] > run.population:  # an unlikely item among the first labels has a very large weight
        part = f"more than all {run.population:,} items"
    said = f"Single answers weigh much: item {item} speaks for {part}."
    return [f"{said} A wrong label there would move the result."]


def _always(study: Study, estimates: Sequence[Estimate]) -> list[str]:
    """The limits of what any sample of this kind can tell."""
    drawn = study.state.problem.title
    other = f"The sample was drawn for {drawn}: another metric would be measured more precisely by a sample drawn for it."
    # A blind design draws the same sample for every metric, and a census is no sample.
    alike = study.method.design.blind or all_known(study.state) or _settled(estimates)
    right = "Labels are assumed to be right: the intervals do not include disagreement between annotators."
    about = (
        "this pool" if estimates[0].about == "pool" else "items that come from the same source as this pool"
    )
    return [
        f"The results are about {about}, as scored: the labels cannot tell how the model does on other data, or later.",
        *([] if study.state.problem.stochastic else [right]),
        *([] if alike else [other]),
    ]
