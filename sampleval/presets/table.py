"""The table of presets, published methods and our own: surrogate, design, estimator and source of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from types import MappingProxyType

from sampleval.designs import (
    Adaptive,
    Importance,
    Poisson,
    Priority,
    Rounds,
    Sequential,
    Stratified,
    Targeted,
    Uniform,
)
from sampleval.estimators import (
    AdaptiveImportanceSampling,
    HorvitzThompson,
    ImportanceSampling,
    Lure,
    ModelAssisted,
    PosteriorPredictive,
    RoundsMean,
    StratifiedMean,
)
from sampleval.pool import Kind
from sampleval.presets.axes import Method
from sampleval.surrogates import BetaBernoulli, Calibration, DirichletTree, Recalibrated, Shrunk
from sampleval.surrogates.together import TOGETHER

RARE_POSITIVES = "where positives are rare, this method's intervals contain the true value far less often than they promise"
ROUNDS = "Unbiased for sums after a number of complete rounds fixed beforehand;"
LEARNED = (
    "Always consistent, and nearly unbiased for sums; each round learns from the labels of earlier rounds."
)
FAR = "where scores are confident but wrong, some studies are far off even with hundreds of labels"
EARLY = f"Early intervals are too narrow: 90% intervals contained the true value in 10 to 50% of studies of a rare class; {FAR}."
RARE_CLASS = (
    "where a class is rare and labels are few, 90% intervals contained the true value in 10 to 50% of studies"
)


@dataclass(frozen=True, slots=True, repr=False)
class Preset:
    """A named method.

    Attributes:
        method: The method it stands for.
        source: Where it was published.
        about: What it does, in one sentence.
        valid: When its estimates and intervals can be trusted, for binary labels.
        elsewhere: The method for labels that are not binary, if it is another one.
        apart: The method for binary labels and metrics that distinguish items of similar scores, if it is another one.
        title: Its name for people; no other preset has it.
        fails: A clause on where its intervals are known to cover less often than their level, and how; "" if they are not.
        pair: Whether it is meant for two classes only, although its parts accept other labels.
        others: Kind of labels → when it is valid for them, if the words for binary labels do not fit.
        numbers: What it does with numbers, if the words for classes do not fit; otherwise "".
    """

    method: Method
    source: str
    about: str
    valid: str
    elsewhere: Method | None = None
    apart: Method | None = None
    _: KW_ONLY
    title: str
    fails: str = ""
    pair: bool = False
    others: Mapping[Kind, str] = field(default_factory=dict)
    numbers: str = ""

    def __repr__(self) -> str:
        return f"<Preset {self.title!r}: {' × '.join(self.method.keys)}>"

    def method_for(self, kind: Kind = "binary", *, apart: bool = False) -> Method:
        """The method for labels of this kind and for metrics that do or do not distinguish items of similar scores."""
        other = self.elsewhere if kind != "binary" else self.apart if apart else None
        return other or self.method

    def validity(self, kind: Kind) -> str:
        """When its estimates and intervals can be trusted for labels of this kind, as a sentence."""
        valid = self.others.get(kind, self.valid)
        return f"Valid: {valid[:1].lower()}{valid[1:]}"

    def does(self, kind: Kind) -> str:
        """What it does, in words that fit labels of this kind."""
        return self.numbers if self.numbers and kind == "regression" else self.about

    def suits(self, kind: Kind) -> bool:
        """Whether it is worth offering for labels of this kind."""
        return kind == "binary" or not self.pair


def for_others(classes: str, numbers: str = "") -> Mapping[Kind, str]:
    """When a method is valid for several classes, for sets of labels and, if it is for numbers, for these."""
    said: dict[Kind, str] = {"multiclass": classes, "multilabel": classes}
    return said | {"regression": numbers} if numbers else said


QUEUE = Method(Shrunk(), Priority(), HorvitzThompson())


PRESETS: MappingProxyType[str, Preset] = MappingProxyType(
    {
        "recommended": Preset(
            Method(Calibration(), Targeted(), PosteriorPredictive(), "posterior"),
            "sampleval",
            "Learns from the labels how far to trust the model, and asks for those that make the metric most certain.",
            "Always consistent. With few labels it relies on a smooth calibration curve, with many each "
            "group of similar scores relies on its own labels. For a metric of one part of the pool, "
            "of a fourth system or of weighted items, the labelling queue is used instead.",
            Method(
                Recalibrated(together=TOGETHER),
                Rounds(first=50, growth=0.5, defensive=0.1, assisted=True),
                ModelAssisted(opening="ratio"),
            ),
            QUEUE,
            title="Learned trust in the model",
            others=for_others(LEARNED, LEARNED),
        ),
        "queue": Preset(
            QUEUE,
            "Duffield, Lund & Thorup 2007; Ohlsson 1998",
            "A labelling queue that can be stopped or extended at any label; items that matter more come first.",
            "Always unbiased for sums; efficient where the scores rank the items well.",
            title="Labelling queue",
            others={
                "regression": "Always unbiased for sums; efficient where the expected errors rank the items well."
            },
        ),
        "uniform": Preset(
            Method(Shrunk(), Uniform(), StratifiedMean()),
            "textbook",
            "Every item has the same chance; the baseline for all other methods.",
            "Always, but it needs very many labels where what matters is rare.",
            title="Uniform sampling",
        ),
        "yilmaz-is": Preset(
            Method(Shrunk(toward="half"), Importance(), ImportanceSampling(), "beta"),
            "Yilmaz et al. 2021, Algorithm 1",
            "Draws with replacement in proportion to how much a label can move the metric.",
            "When few labels are drawn from many items and positives are not rare; where they are rare, its interval fails.",
            title="Importance sampling",
            others=for_others(
                "When few labels are drawn from many items and no class is rare; where one is rare, its interval fails.",
                "When few labels are drawn from many items.",
            ),
            fails=RARE_POSITIVES,
        ),
        "yilmaz-bs": Preset(
            Method(Shrunk(toward="half"), Poisson(), HorvitzThompson(), "beta"),
            "Yilmaz et al. 2021, Algorithm 2",
            "Includes each item independently; the number of labels is random, with mean M.",
            "When positives are not rare; where they are rare, its interval fails.",
            title="Bernoulli sampling",
            others=for_others(
                "When no class is rare; where one is rare, its interval fails.",
                "Always unbiased for sums, once the whole sample is labelled.",
            ),
            fails=RARE_POSITIVES,
        ),
        "yilmaz-online-bs": Preset(
            Method(
                Shrunk(toward="half"),
                Rounds(first=20, growth=0.0, draw="bernoulli", linearise="estimate"),
                RoundsMean(weights="equal"),
                "beta",
            ),
            "Yilmaz et al. 2021, Appendix E",
            "Bernoulli sampling in rounds of about 20 labels; each round aims at the metric as earlier rounds estimate it.",
            f"{ROUNDS} the scores themselves are not corrected. Its interval fails where positives are rare.",
            title="Bernoulli sampling in rounds",
            others=for_others(
                f"{ROUNDS} the scores themselves are not corrected. Its interval fails where a class is rare.",
                f"{ROUNDS} the expected errors are not corrected.",
            ),
            fails=RARE_POSITIVES,
        ),
        "marchant-is": Preset(
            Method(
                Shrunk(shrinkage=1.0),
                Adaptive(first=0, uncentred=True),
                AdaptiveImportanceSampling(),
            ),
            "Marchant & Rubinstein 2021, Remark 4",
            "Draws from one proposal, in proportion to how much a label is expected to move the metric if the scores are right.",
            "When the scores are calibrated; where scores are confident but wrong, estimates are seldom far off, but then very far.",
            title="Importance sampling, the model taken at its word",
            others={
                "regression": "When the expected errors are right; where they are too small, estimates are seldom far off, but then very far."
            },
            numbers="Draws from one proposal, in proportion to how much a label is expected to move the metric if the expected errors are right.",
            fails="where scores are confident but wrong, this method's intervals are seldom far off, but then very far",
        ),
        "marchant-flat": Preset(
            Method(
                DirichletTree(depth=1),
                Adaptive(first=10, uncentred=True),
                AdaptiveImportanceSampling(),
            ),
            "Marchant & Rubinstein 2021, “Ours-1”",
            "Adaptive importance sampling; each stratum of scores learns from its own labels.",
            f"Consistent; efficient where positives are rare. {EARLY}",
            title="Adaptive importance sampling, strata apart",
            others=for_others(f"Consistent. {EARLY}"),
            fails=RARE_CLASS,
        ),
        "marchant-tree": Preset(
            Method(
                DirichletTree(depth=8),
                Adaptive(first=10, uncentred=True),
                AdaptiveImportanceSampling(),
            ),
            "Marchant & Rubinstein 2021, “Ours-8”",
            "Adaptive importance sampling; strata of scores also learn from their neighbours.",
            f"Consistent; the best of the published ones where positives are rare. {EARLY}",
            title="Adaptive importance sampling, strata in a tree",
            others=for_others(f"Consistent. {EARLY}"),
            fails=RARE_CLASS,
        ),
        "oasis": Preset(
            Method(
                BetaBernoulli(),
                Adaptive(first=1, norm=2, floor=0.0, defensive=1e-3, by="stratum"),
                AdaptiveImportanceSampling(),
            ),
            "Marchant & Rubinstein 2017",
            "Adaptive importance sampling on strata of scores; a thousandth of the draws is spread evenly over the pool.",
            "For F-measures of two classes; consistent. Where a rare class hides in a wide stratum, it learns slowly and "
            f"its interval misses the true value; {FAR}.",
            title="Adaptive importance sampling for F-measures (OASIS)",
            pair=True,
            fails="where a rare class hides in a wide range of scores, this method's intervals miss the true value",
        ),
        "stratified": Preset(
            Method(Shrunk(), Stratified(), StratifiedMean()),
            "Druck & McCallum 2011",
            "Strata of similar score, each labelled in proportion to its size.",
            "Always; better than uniform where scores tell classes apart, but a rare class stays rare in the sample.",
            title="Stratified sampling",
            others={
                "regression": "Always; better than uniform where items with similar predictions are also similar in what is measured."
            },
            numbers="Strata of similar prediction, each labelled in proportion to its size.",
        ),
        "active-testing": Preset(
            Method(Recalibrated(), Sequential(uncentred=True), Lure()),
            "Kossen et al. 2021",
            "Draws one item at a time, preferring those where the surrogate expects the largest loss.",
            "Unbiased for sums at any number of labels; its interval needs a dozen labels, or hundreds where losses are "
            "rare or the belief is confident but wrong.",
            title="Active testing",
        ),
    }
)
DEFAULT = "recommended"
BASE = "queue"  # where a free combination starts: the default's parts fit only each other


def namesakes(method: Method, kind: Kind) -> list[str]:
    """The presets made of the same three parts, for labels of this kind; their options may differ."""
    return [name for name, preset in PRESETS.items() if preset.method_for(kind).keys == method.keys]
