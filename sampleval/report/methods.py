"""The methods paragraph: how the labels were chosen and weighed, so that others can judge and repeat it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from math import isnan
from types import MappingProxyType

from sampleval.designs import Design, Uniform
from sampleval.presets import PRESETS
from sampleval.study import Estimate, Study, progress
from sampleval.study.trust import as_preset
from sampleval.surrogates import Shrunk, Surrogate

DESIGNS: Mapping[str, str] = MappingProxyType(
    {
        "uniform": "Items were drawn with equal chances",
        "stratified": (
            "Items were drawn without replacement from strata of similar items, from each in proportion to its size "
            "(Druck and McCallum 2011)"
        ),
        "importance": (
            "Items were drawn with replacement in proportion to how far a label can be expected to move the metric "
            "(importance sampling, Sawade et al. 2010)"
        ),
        "poisson": (
            "Each item was included independently, with a probability proportional to how far its label can be expected "
            "to move the metric, cut at 1 (Poisson sampling, Yilmaz et al. 2021)"
        ),
        "priority": (
            "Items were queued by priority sampling (Duffield, Lund and Thorup 2007; sequential Poisson sampling, "
            "Ohlsson 1998), with sizes proportional to how far a label can be expected to move the metric; any number "
            "of answers from the head of this queue is a valid sample"
        ),
        "rounds": (
            "Items were drawn without replacement in rounds, each among the items left, with sizes proportional to how far "
            "a label can be expected to move the metric after the labels before it"
        ),
        "adaptive": (
            "Items were drawn with replacement in rounds, each in proportion to how far a label can be expected to move "
            "the metric after the labels before it (adaptive importance sampling, Marchant and Rubinstein 2021)"
        ),
        "sequential": (
            "Items were drawn one after the other and without replacement, each among the items left in proportion to how "
            "far its label can be expected to move the metric (active testing, Kossen et al. 2021)"
        ),
        "targeted": (
            "Items were drawn without replacement in rounds, in part from the ranges of scores whose labels would tell most "
            "about the metric, in part from those whose labels are least certain, at random within a range"
        ),
    }
)
BLIND = ("uniform", "stratified")  # designs that ask whatever is expected of a label
SURROGATES: Mapping[str, str] = MappingProxyType(
    {
        "shrunk": "was taken from the scores",
        "calibration": (
            "was read off a Bayesian calibration curve (how often items of like score are positive), which trusts the "
            "scores until labels say otherwise"
        ),
        "recalibrated": "was taken from the scores, corrected by a calibration map learned from the labels so far",
        "beta-bernoulli": (
            "was learned in strata of similar items, in each from its own labels alone, with its mean score as the prior "
            "(Marchant and Rubinstein 2017)"
        ),
        "dirichlet-tree": (
            "was learned in strata of similar items by a Dirichlet tree of depth {0.depth} (Marchant and Rubinstein 2021)"
        ),
        "learned": (
            "was predicted by a classifier of its own, trained on the labels so far and mixed with the scores while labels "
            "are few"
        ),
    }
)
ESTIMATORS: Mapping[str, str] = MappingProxyType(
    {
        "horvitz-thompson": "Horvitz–Thompson weighting",
        "importance-sampling": "importance weighting",
        "stratified": "the stratified mean",
        "adaptive-importance-sampling": (
            "importance weighting, every draw by the proposal it came from (Marchant and Rubinstein 2021)"
        ),
        "rounds": "the mean of the rounds, each unbiased given those before, with weights fixed beforehand",
        "assisted": (
            "the model-assisted mean of the rounds (a difference estimator: the prediction for every item made before "
            "each round, corrected by the weighted errors of that round's labels)"
        ),
        "lure": "LURE weights (Farquhar et al. 2021, Kossen et al. 2021)",
    }
)
INTERVALS: Mapping[str, str] = MappingProxyType(
    {
        "korn-graubard": "Korn–Graubard (Clopper–Pearson at the effective sample size)",
        "beta": "Beta (moments matched, Yilmaz et al. 2021)",
        "logit": "normal on the log-odds scale",
        "normal": "normal (Wald)",
        "anytime": (
            "a confidence sequence: limits that hold at every number of labels at once, whenever labelling stops "
            "(a mixture of wagers on the weighted labels, Ville’s inequality)"
        ),
        "census": "exact, since every item is labelled",
        "bounds": "what the labels not given could make of it, since every other item has one",
    }
)


def methods(study: Study, main: Estimate) -> str:
    """One paragraph on how the estimates of a study came about.

    Args:
        study: The study.
        main: Its main estimate, which says interval and scope.
    """
    return " ".join(
        [
            _pool(study),
            _design(study),
            _labels(study),
            _conclusion(study, main),
            f"Computed with sampleval{_version()}.",
        ]
    )


def _pool(study: Study) -> str:
    pool = study.pool
    aim = study.state.problem.title
    output = "predictions" if pool.task.kind == "regression" else "scores and decisions"
    return (
        f"The pool holds {pool.size:,} items with the model's {output} "
        f"(SHA-256 of its content: {pool.fingerprint[:12]}…). The sample was drawn to estimate: {aim}."
    )


def _design(study: Study) -> str:
    design = study.method.design
    parts = [f"{_drawn(design)}; random seed {study.settings.seed}."]
    if even := study.method.defensive:
        parts.append(f"A share δ = {even:g} of the sampling was spread evenly.")
    if design.key not in BLIND:
        parts.append(f"What to expect of a label {_belief(study.method.surrogate)}.")
    return " ".join([*parts, *_known_as(study)])


def _drawn(design: Design) -> str:
    said = DESIGNS[design.key]
    if isinstance(design, Uniform):
        return f"{said}, {'with' if design.replacement else 'without'} replacement"
    return said if getattr(design, "first", 1) else f"{said}, here all in one round"


def _belief(surrogate: Surrogate) -> str:
    said = SURROGATES[surrogate.key].format(surrogate)
    if not isinstance(surrogate, Shrunk):
        return said
    if surrogate.shrinkage == 1:
        return f"{said} as they are"
    where = {"half": "one half", "mean": "the mean score"}[surrogate.toward]
    return f"{said}, trusted with λ = {surrogate.shrinkage:g} and shrunk towards {where}"


def _known_as(study: Study) -> list[str]:
    """The preset that the study began as; how sure its limits are to be changes nothing of it."""
    name = study.settings.preset
    if name not in PRESETS:
        return []
    if as_preset(study):
        return [f"This is the preset “{name}” ({PRESETS[name].source})."]
    return [f"It began as the preset “{name}”, with other settings."]


def _labels(study: Study) -> str:
    at, held = progress(study.state), len(study.state.problem.held)
    times = sorted(a.at for answers in study.state.answers.values() for a in answers)
    said = f"Of {study.budget:,} answers allowed, {at.labels:,} were given"
    said += f" ({at.skipped:,} skipped, {at.unsure:,} unsure)" if at.skipped or at.unsure else ""
    said += _by(study)
    said += _when(times[0][:10], times[-1][:10]) if times else ""
    if not held:
        return f"{said}."
    speaking = (
        ", and, chosen by chance, they speak for the items like them" if study.settings.held_random else ""
    )
    return f"{said}. {held:,} labels were known beforehand and count as certain{speaking}."


def _by(study: Study) -> str:
    """Who answered, and where there are several, how many items each; nobody's name is put to another's answers."""
    given = Counter(who for answers in study.state.answers.values() for who in {a.annotator for a in answers})
    if len(given) < 2:
        return "".join(f" by {who}" for who in given if who)
    shares = [f"{who} ({n:,})" for who, n in sorted(given.items()) if who]
    shares += [f"somebody without a name ({given['']:,})"] if given[""] else []
    return f" by {', '.join(shares)}"


def _when(first: str, last: str) -> str:
    return f" on {first} (UTC)" if first == last else f" between {first} and {last} (UTC)"


def _conclusion(study: Study, main: Estimate) -> str:
    if isnan(main.value):
        return f"No estimate is given: {main.note or 'the labels do not tell'}."
    if main.method == "census":
        said = "Every item that bears on the metric has a label: metrics were counted over the pool, not estimated."
        return said if main.about == "pool" else f"{said} {_intervals(main)}"
    if main.method == "posterior":
        problem = study.state.problem
        given = "those asked for" if len(problem.held) and not problem.held_random else "all labels"
        said = (
            "Labelled items count as themselves, the others as posterior draws of the calibration curve say, given "
            f"{given}; each draw was carried to each metric."
        )
        return f"{said} {_intervals(main)}"
    estimator = ESTIMATORS.get(main.method, main.method)
    if main.method == "assisted" and getattr(study.method.estimator, "opening", "") == "ratio":
        estimator += ", those of the first round as a ratio to their weights (Hájek 1971),"
    return (
        f"Mean losses were estimated by {estimator} and carried to each metric; their variance by "
        f"the delta method. {_intervals(main)}"
    )


def _intervals(main: Estimate) -> str:
    """What kind of limits the estimate has, how sure and of what; or why it has none."""
    method = main.interval.method
    if method == "none":
        return f"No interval is given: {main.interval.note or 'the labels do not tell'}."
    kind = INTERVALS.get(method, method)
    if main.method == "posterior":
        kind = _posterior_limits(main)
    return f"Intervals are {kind}, at the {main.interval.sure} level, and speak about {_scope(main)}."


def _posterior_limits(main: Estimate) -> str:
    if main.interval.method != "anytime":
        return "quantiles of such draws, wary of what no label has shown"
    return (
        "a confidence sequence, which holds at every number of labels at once: all values whose density the labels "
        f"have not pressed below {100 * (1 - main.interval.level):g}% of what it was before any label (Waudby-Smith and "
        "Ramdas 2020), as far as the calibration model holds"
    )


def _scope(main: Estimate) -> str:
    return "this pool" if main.about == "pool" else "future items from the source of this pool"


def _version() -> str:
    try:
        return " " + version("sampleval")
    except PackageNotFoundError:  # run from a checkout
        return ""
