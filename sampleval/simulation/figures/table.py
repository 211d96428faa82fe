"""The recipes of the papers' figures, made on the demo pools, each with whether it agrees with the paper: tests check this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from sampleval.designs import Stratified
from sampleval.metrics import resolve
from sampleval.presets import Method, method_of
from sampleval.simulation.comparisons import equal_cost
from sampleval.simulation.figures.recipe import Recipe
from sampleval.surrogates import DirichletTree

DIGITS, SENTENCES, LINKAGE = "digits_is8", "statistics_sentences", "linkage"
FIVE = ("accuracy", "f1", "precision", "recall", "specificity")
TITLES = {resolve(name).title: name for name in FIVE}
# The three samplers of Y. IS makes as many draws as cost the same number of labels.
YILMAZ: Mapping[str, Method] = MappingProxyType({"uniform": method_of("uniform"), **equal_cost()})
MARCHANT: Mapping[str, Method] = MappingProxyType(
    {
        "passive": method_of("uniform"),
        "stratified": method_of("stratified"),
        "IS": method_of("marchant-is"),
        "OASIS": method_of("oasis"),
        "Ours-1 (flat)": method_of("marchant-flat"),
        "Ours-8 (tree)": method_of("marchant-tree"),
    }
)
# A curve on 128 even thresholds. Four of them make a stratum, as in M section 5.3. OASIS exists only for F-measures.
CURVE, STRATA = "pr_curve@128", 32
ALONG_THE_CURVE: Mapping[str, Method] = MappingProxyType(
    {
        "passive": MARCHANT["passive"],
        "stratified": replace(MARCHANT["stratified"], design=Stratified(by="thresholds", strata=STRATA)),
        "IS": MARCHANT["IS"],
        **{
            name: replace(
                MARCHANT[name], surrogate=DirichletTree(by="thresholds", leaves=STRATA, depth=depth)
            )
            for name, depth in (("Ours-1 (flat)", 1), ("Ours-8 (tree)", 8))
        },
    }
)
RUN = (*(round(0.02 + 0.04 * k, 2) for k in range(25)), 1.0)
GROWING = (20, 50, 100, 200, 300)

FIGURES: Mapping[str, Recipe] = MappingProxyType({
    "Y1": Recipe(
        "1", "Estimating F1: one study each", "single", (DIGITS,), YILMAZ,
        "In the paper uniform sampling strays from the true value, importance sampling comes closer but never reaches it, and "
        "Bernoulli sampling approaches it and is exact once all items are labelled.",
        "Agrees except at the end: here importance sampling is exact too once all items are labelled, because a study that holds "
        "every label counts them instead of weighing draws.",
        at=RUN, repeats=1, quantity="value",
    ),
    "Y2": Recipe(
        "2", "Mean error of five metrics, sampled for F1", "errors", (DIGITS,), YILMAZ,
        "For F1, recall and precision, uniform sampling has the largest error and Bernoulli sampling the smallest, which is 0 "
        "once all items are labelled.",
        "Agrees for F1, precision and recall: Bernoulli sampling is best from a fifth of the pool "
        "on, and uniform sampling is worst up to seven tenths; at nine tenths importance sampling is "
        "worst, for F1 and recall, but below a tenth it is as good as Bernoulli sampling.",
        metrics=FIVE, quantity="absolute",
    ),
    "Y3": Recipe(
        "3", "How often the 90% limits hold the truth", "errors", (DIGITS,), YILMAZ,
        "The share is near 90% in the middle, but not at either end.",
        "Agrees: from a tenth to seven tenths of the pool the limits for F1 hold in 84 to 95% of studies, and at the ends in up to all. "
        "Once all predicted positives are labelled, precision is known exactly, and its limits always hold.",
        metrics=FIVE, quantity="coverage",
    ),
    "Y4": Recipe(
        "4", "What is certain to be asked", "chances", (DIGITS,),
        {"Bernoulli": method_of("yilmaz-bs"), "importance": method_of("yilmaz-is")},
        "At first no item is certain to be asked, then more and more are. Bernoulli sampling is certain to ask the first of "
        "them, which importance sampling leaves to chance.",
        "Agrees: the first items become certain at about a quarter of the pool labelled.",
        at=(0.25, 0.5), repeats=1,
    ),
    "Y5": Recipe(
        "5", "Several labels per item: error of micro-F1", "errors", ("tickets_multilabel",), YILMAZ,
        "Bernoulli sampling has the smallest error and uniform sampling the largest.",
        "Only in part: the three lie close together, within their bands, because these tickets have several common "
        "labels and the model is often unsure; Bernoulli sampling leads from two fifths of the pool on.",
        metric="micro_f1", metrics=("micro_f1",), at=(0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0), repeats=60,
        quantity="absolute",
    ),
    "Y6": Recipe(
        "6", "Several labels: sampled for micro- or for macro-F1", "errors", ("tickets_multilabel",),
        {"sampled for micro-F1": method_of("yilmaz-bs"), "sampled for macro-F1": method_of("yilmaz-bs")},
        "For each metric the sample drawn for it is best, and the other is nearly as good.",
        "Only in part: here the two samplers have nearly the same errors, so that either serves both metrics.",
        targets={"sampled for micro-F1": "micro_f1", "sampled for macro-F1": "macro_f1_of_means"},
        metrics=("micro_f1", "macro_f1_of_means"), at=(0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0), repeats=60,
        quantity="absolute",
    ),
    "Y7": Recipe(
        "7", "The other metrics: one study each, sampled for F1", "single", (DIGITS,), YILMAZ,
        "As in figure 1, for accuracy, precision, recall and specificity from the same labels.",
        "Agrees: the same labels serve the other metrics, precision soonest of all.",
        metrics=("accuracy", "precision", "recall", "specificity"), at=RUN, repeats=1, quantity="value",
    ),
    "Y8": Recipe(
        "8", "Squared error on a logarithmic scale", "errors", (DIGITS,), YILMAZ,
        "As in figure 2. Once all items are labelled Bernoulli sampling has no error, and no point on this scale.",
        "Agrees, in the order of figure 2; an error of 0 has no place on this scale.",
        metrics=FIVE,
    ),
    "Y9": Recipe(
        "9", "Text: squared error, sampled for F1", "errors", (SENTENCES,), YILMAZ,
        "The paper uses 20 Newsgroups with naive Bayes; we use sentences of a manual with logistic regression.",
        "Only in part: for F1 Bernoulli sampling is best from half of the pool on, with a tenth of the others' squared error at "
        "nine tenths, but importance sampling is then worse than uniform sampling; before, all three have similar errors, since a third "
        "of these sentences is positive.",
        metrics=FIVE,
    ),
    **{
        f"Y{number}": Recipe(
            str(number), f"Sample for one metric, report another: {title}", "errors", (DIGITS,),
            dict.fromkeys(TITLES, YILMAZ[title]),
            "Each panel is a metric reported, each line a metric sampled for: the line of the same name "
            "should be lowest (the diagonal of the Simulate page's matrix). A point is missing if the "
            "error is 0 or if most studies have no value: a sample for precision never asks an item that is predicted negative.",
            agrees,
            targets=TITLES, metrics=FIVE, at=(0.05, 0.1, 0.2, 0.4, 0.6, 0.8), repeats=60,
        )
        for number, title, agrees in (
            (
                10, "Bernoulli",
                ("Agrees within the bands: F1 and recall are served by the same sampler, which beats the others for both; "
                 "precision is exact soonest when sampled for itself."),
            ),
            (11, "importance", "Agrees within the bands, with the order of figure 10 and larger errors at the right end."),
        )
    },
    "M2": Recipe(
        "2", "Rare matches: divergence and error of F1", "convergence", (LINKAGE,), MARCHANT,
        "The adaptive samplers approach the best one as they learn; passive and stratified sampling hardly find a match in a "
        "thousand labels. The paper's pool is abt-buy; in ours, of invented directories, matches are as rare. A study without a value "
        "counts as a guess of ½.",
        "Agrees: the flat model and the tree move towards the best sampler and are the closest in the end; OASIS comes closer too, "
        "but stays behind IS. Passive and stratified sampling are no better than a guess of ½.",
        at=(50, 100, 200, 500, 1000), repeats=40, x="labels", guess=True,
    ),
    "M3": Recipe(
        "3", "Error of F1 at one number of labels, pool by pool", "bars", (DIGITS, SENTENCES), MARCHANT,
        "The adaptive methods are best, or as good as the best. The paper has six pools and 2,000 labels; we have two smaller "
        "ones and 300 labels.",
        "Agrees for the digits, where one in ten is positive; for the sentences, a third of them positive, "
        "stratified sampling is as good as any.",
        at=GROWING, repeats=60, x="labels", guess=True,
    ),
    "M4": Recipe(
        "4", "A hundred estimated precision–recall curves over the true one", "curves", (LINKAGE,),
        {name: ALONG_THE_CURVE[name] for name in ("Ours-8 (tree)", "IS", "passive")},
        "The curves of the tree and of IS lie close to the true one, those of passive sampling do not. Ours have 1,000 labels "
        "and 128 thresholds, the paper's 5,000 and 1,024.",
        "Only in part: passive curves are useless, those of the tree and of IS are not. But with these few labels the "
        "tree has seldom met a match that scores low: its recall is too high in most studies and far too low in a few. "
        "IS spreads evenly around the truth.",
        metric=CURVE, at=(1000,), repeats=100, x="labels",
    ),
    "M5": Recipe(
        "5", "Error of F1 against labels, pool by pool", "errors", (DIGITS, SENTENCES), MARCHANT,
        "Where classes are less rare, adaptive and static samplers are about equally good, and better than passive sampling.",
        "Agrees for the digits: the four that draw by importance have similar errors, far below that of passive "
        "sampling. For the sentences all six have similar errors.",
        at=GROWING, repeats=60, x="labels", guess=True,
    ),
    "M6": Recipe(
        "6", "Rare matches: divergence and error of accuracy", "convergence", (LINKAGE,), MARCHANT,
        "Accuracy is easy to estimate closely where nearly all items are negative; adaptive sampling finds the few errors. "
        "The paper leaves out OASIS, which is meant for F-measures.",
        "Agrees: at 1,000 labels the errors of passive and stratified sampling are some sixty times that of IS and a "
        "hundred times the tree's, tiny though all are: 39 of 101,568 decisions are wrong.",
        metric="accuracy", metrics=("accuracy",), at=(50, 100, 200, 500, 1000), repeats=40, x="labels", guess=True,
    ),
    "M7": Recipe(
        "7", "Divergence and error of accuracy, pool by pool", "convergence", (DIGITS, SENTENCES), MARCHANT,
        "For adaptive samplers the divergence falls with the labels, and their error falls below that of passive sampling. "
        "The paper leaves out OASIS, which is meant for F-measures.",
        "Agrees for the flat model and the tree on the digits: their divergence halves and their error is the smallest. "
        "OASIS, by strata, begins closest and hardly moves; its error ends at half that of passive sampling. For the sentences "
        "the tree and IS lead, and the others end hardly better than passive sampling.",
        metric="accuracy", metrics=("accuracy",), at=GROWING, repeats=40, x="labels",
    ),
    "M8": Recipe(
        "8", "A whole precision–recall curve: divergence and total error", "convergence", (LINKAGE, DIGITS),
        ALONG_THE_CURVE,
        "All methods that draw by importance have far smaller errors than passive and stratified sampling, and differ less among "
        "themselves than for F1. The error is added up over 128 thresholds, for precision and recall; an undefined one counts as a guess of ½.",
        "Agrees for the errors: at 1,000 labels all methods that draw by importance are some fifteen to a hundred times better than "
        "passive and stratified sampling, at 200 two and a half to thirteen times. They are close to each other at 200 labels, but not in the end: "
        "on the rare matches the error of IS is then a fifth of the tree's, on the digits those of the adaptive ones are half that of IS. "
        "The divergence falls on the digits; on the rare matches IS stays closest.",
        metric=CURVE, at=(50, 100, 200, 500, 1000), repeats=40, x="labels", guess=True,
    ),
})  # fmt: skip
