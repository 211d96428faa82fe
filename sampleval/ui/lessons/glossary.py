"""The glossary: the terms that lessons link to, each with one meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from sampleval._checks import capitalised

TERMS: Mapping[str, str] = {
    "pool": "The N items that the model has scored and whose metric is wanted. Estimates are about these items alone.",
    "label": "The true class of an item, given by a person. Each label costs work, and nothing else does.",
    "score": "The model's own probability that an item is positive, between 0 and 1.",
    "calibrated": "Scores are calibrated if, among items with the same score, the share of positives equals the score: of the items "
    "scored 0.8, eight in ten are positive.",
    "budget": "M, the number of labels that may be given in a study.",
    "precision": "The share of positives among the items that the model calls positive.",
    "recall": "The share of the positive items that the model calls positive.",
    "F1 score": "2·found / (2·found + false alarms + missed): the harmonic mean of precision and recall.",
    "uniform sampling": "Sampling in which every item has the same chance to be asked.",
    "deviation": "d, how far the label of one item moves the metric. Its expected size h says how much that label is worth.",
    "proposal": "q, the chance of each item in a single draw with replacement. These chances add up to 1.",
    "importance sampling": "Drawing with replacement from a proposal that favours the items that matter, and "
    "weighting each draw by one over its chance.",
    "importance weight": "1/(N·q): how much one draw counts, compared with a draw in which all items have the same chance.",
    "inclusion probability": "b, the chance that an item is asked at all. These chances add up to the expected number of labels.",
    "design weight": "1/b, the number of items in the pool that one asked item stands for.",
    "Bernoulli sampling": "Sampling that decides on each item separately, with its own inclusion probability, as by tossing "
    "a coin. Survey statisticians call it Poisson sampling, and Bernoulli sampling only if all chances are equal.",
    "water-filling": "Choosing b = min(1, κh) with κ such that all b add up to the budget. Whatever would exceed 1 is "
    "shared out among the other items.",
    "certainty": "An item with b = 1. It is asked in every sample and stands for itself alone.",
    "labelling queue": "The items in the order of u/h, where u is a random number for each. The first items of the queue, "
    "however many, are a valid sample.",
    "belief": "π, how probable each label is that is not known yet: judged by the scores at first, later by the labels too.",
    "λ": "How far the scores are trusted. With 1 they are taken as they are; with 0 one value, their mean or one half, "
    "replaces them all.",
    "stratum": "A group of items with similar scores, whose belief follows the labels given in this group.",
    "tree": "Strata arranged as the leaves of a tree, so that strata with neighbouring scores learn from each other's labels.",
    "sum": "A total over the pool, such as the number of positives found. Metrics are computed from sums.",
    "unbiased": "Right on average over all samples that might have been drawn, although the estimate from a single one may "
    "be far off. An estimator that is unbiased for sums need not be unbiased for their ratios, such as F1.",
    "consistent": "As close to the true value as one likes, given enough labels. The word does not say how many are enough.",
    "interval": "A range that should contain the true value in a promised share of studies.",
    "level": "The promised share, for example 90%.",
    "coverage": "The share of studies whose interval did contain the true value. A method is honest if its coverage reaches "
    "the level.",
    "optional stopping": "Looking at the result again and again, and stopping when it looks right. An interval for a "
    "fixed number of labels then misses the true value more often than promised.",
    "interval for any look": "An interval that contains the true value at all looks at once with the promised "
    "probability, so that one may stop at any time (a confidence sequence). It is usually wider than an interval for a "
    "number of labels fixed beforehand.",
    "seed": "The number from which all random numbers follow: the same seed gives the same sample on any machine.",
}


def anchor(term: str) -> str:
    """The HTML id of a term on the page.

    >>> anchor("Design weight")
    'term-design-weight'
    """
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.lower().replace("λ", "lambda")).strip("-")


def entry(term: str) -> str:
    """A term with its meaning, as HTML with the id that links lead to."""
    shown = term if term == "λ" else capitalised(term)
    return f'<p id="{anchor(term)}" style="margin: 0 0 .7rem"><b>{shown}</b>: {escape(TERMS[term])}</p>'


def linked(text: str) -> str:
    """Markdown in which [[term]] and [[shown|term]] become links to the glossary.

    >>> linked("a [[pool]] of [[pools|pool]]")
    'a [pool](#term-pool) of [pools](#term-pool)'
    """

    def link(match: re.Match[str]) -> str:
        shown, _, term = match[1].partition("|")
        name = term or shown
        if name not in TERMS:
            raise KeyError(name)
        return f"[{shown}](#{anchor(name)})"

    return re.sub(r"\[\[([^\]]+)\]\]", link, text)
