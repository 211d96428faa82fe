"""The methods paragraph, which says how labels were chosen and weighed so that others can judge and repeat the study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import isnan

import numpy as np

from sampleval._checks import capitalised, conforms, retold
from sampleval._version import __version__
from sampleval.estimators import (
    ESTIMATORS,
    Estimator,
    PosteriorPredictive,
    Predictive,
    foresees_misses,
    weights,
)
from sampleval.intervals import INTERVALS
from sampleval.numerals import many
from sampleval.pool import Pool, scored, told_errors
from sampleval.presets import PRESETS
from sampleval.study import Estimate, Study, agreed, agreement, progress, shared
from sampleval.study.conclusions.answerable import UNASKED
from sampleval.study.preset import as_preset, larger_rounds
from sampleval.surrogates import Shrunk

# Words for intervals that are not in the registry.
OTHERS: Mapping[str, str] = {
    "census": "exact, since every item whose label matters has one",
    "bounds": "the range that missing labels leave open, since every other item whose label matters has one",
    "resampled": "resampled, from the basic bootstrap interval to that of draws centred on the estimate, as noise "
    "biases a metric with kinks by an amount not known",
}

# What a stochastic oracle means for what is estimated.
ANEW = (
    "An item that is drawn again is labelled again, and another answer may differ: metrics are those of the losses to expect "
    "over all answers, and intervals allow for their variation."
)


def methods(study: Study, main: Estimate) -> str:
    """A paragraph on how the estimates of a study were made.

    Args:
        study: The study.
        main: Its main estimate, whose interval and scope are described.
    """
    return " ".join(
        [
            _pool(study),
            _design(study),
            _labels(study),
            *_agreed(study),
            _conclusion(study, main),
            f"Computed with sampleval {__version__}.",
        ]
    )


def _pool(study: Study) -> str:
    pool = study.pool
    aim = study.state.problem.title
    decided = "scores and decisions" if scored(pool) else "decisions"
    output = "predictions" if pool.task.kind == "regression" else decided
    return (
        f"The pool holds {many(pool.size, 'item')} with the model's {output} "
        f"(SHA-256 of its content: {pool.fingerprint[:12]}…). The sample was drawn to estimate {aim}."
    )


def _design(study: Study) -> str:
    method = study.method
    together = ", here all in one round" if getattr(method.design, "first", None) == 0 else ""
    parts = [f"{method.design.methods}{together}; random seed {study.settings.seed}."]
    if even := method.defensive:
        parts.append(f"A share δ = {even:g} of the sampling was spread evenly.")
    if not method.design.blind:
        parts.append(f"The label to expect of each item {_expected(study)}.")
    return " ".join([*parts, *_known_as(study)])


def _expected(study: Study) -> str:
    """The surrogate's clause on where expectations of labels come from, in words that are true of this pool."""
    surrogate, pool = study.method.surrogate, study.pool
    if not isinstance(surrogate, Shrunk):
        return surrogate.methods
    if pool.task.kind == "regression" and not told_errors(pool):
        return "was taken from the predictions, with errors alike for all"
    return retold(surrogate.methods, _trusted(pool))


def _trusted(pool: Pool) -> Mapping[str, str]:
    """Words of the surrogate's clause about scores → words for what this pool has in place of scores."""
    if pool.task.kind == "regression":
        return {"the scores": "the expected errors", "the mean score": "their mean", "one half": "their mean"}
    alike = {"one half": "equal chances of all classes"} if pool.task.kind == "multiclass" else {}
    return alike | ({} if scored(pool) else {"the scores": "the decisions", "the mean score": "their mean"})


def _known_as(study: Study) -> list[str]:
    """A sentence that names the study's preset, as a list, which is empty without a preset. The level does not matter."""
    name = study.settings.preset
    if name not in PRESETS:
        return []
    if as_preset(study):
        rounds = (
            f", with rounds of at least {many(least, 'label')}" if (least := larger_rounds(study)) else ""
        )
        return [f"This is the preset “{name}” ({PRESETS[name].source}){rounds}."]
    return [f"It began as the preset “{name}”, with other settings."]


def _labels(study: Study) -> str:
    at, held = progress(study.state), len(study.state.problem.held)
    times = sorted(answer.at for answer in study.state.given.standing.values())
    allowed = f"{many(study.budget, 'answer')} allowed"
    if study.method.design.random_size and study.state.rounds:
        allowed = f"{many(at.budget, 'answer')} asked for, a number set by chance ({study.budget:,} expected)"
    said = f"Of {allowed}, {at.labels:,} {'was' if at.labels == 1 else 'were'} given"
    said += f" ({at.skipped:,} skipped, {at.unsure:,} unsure)" if at.skipped or at.unsure else ""
    said += _by(study)
    said += _when(times[0][:10], times[-1][:10]) if times else ""
    anew = study.state.problem.stochastic
    said += f". {ANEW}" if anew else "."
    if not held:
        return said
    speaking = (
        ", chosen by chance, so that they also inform about similar items"
        if study.settings.held_random
        else ", each for its own item alone, so that what chose them biases no estimate"
    )
    taken = "for one of the answers that their items could get" if anew else "as certain"
    return f"{said} Taken {taken}: {many(held, 'label')} known beforehand{speaking}."


def _by(study: Study) -> str:
    """The clause on who answered and, if several did, how many items each; answers without a name are counted apart."""
    places = study.state.given.by_place.values()
    given = Counter(who for answers in places for who in {a.annotator for a in answers})
    if len(given) < 2:
        return "".join(f" by {who}" for who in given if who)
    shares = [f"{who} ({n:,})" for who, n in sorted(given.items()) if who]
    shares += [f"somebody without a name ({given['']:,})"] if given[""] else []
    return f" by {', '.join(shares)}"


def _agreed(study: Study) -> list[str]:
    """How often several annotators of an item agree, and what counts where they do not; nothing if no item had several."""
    found = shared(study.state)
    differ = ["Where they differ, the last answer counts."] if not all(item.equal for item in found) else []
    return [agreed(agreement(found)), *differ] if found else []


def _when(first: str, last: str) -> str:
    return f" on {first} (UTC)" if first == last else f" between {first} and {last} (UTC)"


def _conclusion(study: Study, main: Estimate) -> str:
    if isnan(main.value):
        return f"No estimate is given: {main.note or 'the labels do not tell'}."
    if main.interval.note == UNASKED:
        return f"{capitalised(UNASKED)}."
    if main.method == "census":
        said = "Every item that bears on the metric has a label: metrics were counted over the pool, not estimated."
        return said if main.about == "pool" else f"{said} {_intervals(main)}"
    estimator = _weighing(study, main)
    if conforms(estimator, Predictive):
        problem = study.state.problem
        given = "those asked for" if len(problem.held) and not problem.held_random else "all labels"
        said = (
            f"Labelled items count with their labels, the others as {estimator.methods} say, given "
            f"{given}; each metric was computed from each draw."
        )
        return f"{said} {_intervals(main)}"
    resampled = main.interval.method == "resampled"
    spread = "its spread by a multiplier bootstrap" if resampled else "its variance by the delta method"
    how = f"computed from them{_corrections(study, estimator)}, {spread}"
    return f"Mean losses were estimated by {estimator.methods}; each metric was {how}. {_intervals(main)}"


def _corrections(study: Study, estimator: Estimator) -> str:
    """What means over classes are corrected for, in brackets; "" in studies without such a metric."""
    if not any(study.metric(name).means_over_classes for name in study.scalars):
        return ""
    run = study.run()
    uneven = run and not foresees_misses(estimator, run.problem) and np.ptp(weights(run, estimator)) > 0
    more = ", and one for unequal weights" if uneven else ""
    return f" (means over classes with a correction for the bias of ratios, Hartley & Ross 1954{more})"


def _weighing(study: Study, main: Estimate) -> Estimator:
    """The estimator that was used: the study's own, or the one that replaced it for this metric or these labels."""
    own = study.method.estimator
    return own if own.key == main.method else ESTIMATORS[main.method]()


def _intervals(main: Estimate) -> str:
    """A sentence on the kind, level and scope of the estimate's interval, or on why it has none."""
    if main.interval.method == "none":
        return f"No interval is given: {main.interval.note or 'the labels do not tell'}."
    level = f"{main.interval.sure} level (made to hold the true value in {100 * main.interval.level:g} of 100 studies)"
    return f"Intervals are {_limits(main)}, at the {level}, and are about {_scope(main)}."


def _limits(main: Estimate) -> str:
    method = main.interval.method
    if method == "anytime" and main.method == PosteriorPredictive.key:
        return (
            "a confidence sequence, which holds at every number of labels at once: all values whose density the labels "
            f"have not pressed below {100 * (1 - main.interval.level):g}% of what it was before any label (Waudby-Smith and "
            "Ramdas 2020), as far as the calibration model holds"
        )
    return INTERVALS[method].methods if method in INTERVALS else OTHERS.get(method, method)


def _scope(main: Estimate) -> str:
    if main.about == "pool":
        return "this pool"
    return "future items from the source of this pool, including the sampling variance of the pool itself"
