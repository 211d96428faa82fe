"""Whether the precomputed figures agree with those of the papers. Tests check these statements."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

AGREES: Mapping[str, str] = MappingProxyType(
    {
        "Y1": "Agrees except at the end: here importance sampling is exact too once all items are labelled, because a study that holds "
        "every label counts them instead of weighing draws.",
        "Y2": "Agrees for F1, precision and recall: Bernoulli sampling is best from a fifth of the pool "
        "on, and uniform sampling is worst up to seven tenths; at nine tenths importance sampling is "
        "worst, for F1 and recall, but below a tenth it is as good as Bernoulli sampling.",
        "Y3": "Agrees: from a tenth to seven tenths of the pool the limits for F1 hold in 84 to 95% of studies, and at the ends in up to all. "
        "Once all predicted positives are labelled, precision is known exactly, and its limits always hold.",
        "Y4": "Agrees: the first items become certain at about a quarter of the pool labelled.",
        "Y5": "Only in part: the three lie close together, within their bands, because these tickets have several common "
        "labels and the model is often unsure; Bernoulli sampling leads from two fifths of the pool on.",
        "Y6": "Only in part: here the two samplers have nearly the same errors, so that either serves both metrics.",
        "Y7": "Agrees: the same labels serve the other metrics, precision soonest of all.",
        "Y8": "Agrees, in the order of figure 2; an error of 0 has no place on this scale.",
        "Y9": "Only in part: for F1 Bernoulli sampling is best from half of the pool on, with a tenth of the others' squared error at "
        "nine tenths, but importance sampling is then worse than uniform sampling; before, all three have similar errors, since a third "
        "of these sentences is positive.",
        "Y10": "Agrees within the bands: F1 and recall are served by the same sampler, which beats the others for both; "
        "precision is exact soonest when sampled for itself.",
        "Y11": "Agrees within the bands, with the order of figure 10 and larger errors at the right end.",
        "M2": "Agrees: the flat model and the tree move towards the best sampler and are the closest in the end; OASIS comes closer too, "
        "but stays behind IS. Passive and stratified sampling are no better than a guess of ½.",
        "M3": "Agrees for the digits, where one in ten is positive; for the sentences, a third of them positive, "
        "stratified sampling is as good as any.",
        "M5": "Agrees for the digits: the four that draw by importance have similar errors, far below that of passive "
        "sampling. For the sentences all six have similar errors.",
        "M4": "Only in part: passive curves are useless, those of the tree and of IS are not. But with these few labels the "
        "tree has seldom met a match that scores low: its recall is too high in most studies and far too low in a few. "
        "IS spreads evenly around the truth.",
        "M6": "Agrees: at 1,000 labels the errors of passive and stratified sampling are some sixty times that of IS and a "
        "hundred times the tree's, tiny though all are: 39 of 101,568 decisions are wrong.",
        "M7": "Agrees for the flat model and the tree on the digits: their divergence halves and their error is the smallest. "
        "OASIS, by strata, begins closest and hardly moves; its error ends at half that of passive sampling. For the sentences "
        "the tree and IS lead, and the others end hardly better than passive sampling.",
        "M8": "Agrees for the errors: at 1,000 labels all methods that draw by importance are some fifteen to a hundred times better than "
        "passive and stratified sampling, at 200 two and a half to thirteen times. They are close to each other at 200 labels, but not in the end: "
        "on the rare matches the error of IS is then a fifth of the tree's, on the digits those of the adaptive ones are half that of IS. "
        "The divergence falls on the digits; on the rare matches IS stays closest.",
    }
)
