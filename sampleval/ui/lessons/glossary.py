"""One word, one meaning: the terms that lessons link to."""

from __future__ import annotations

import re
from html import escape
from types import MappingProxyType

from sampleval._checks import capitalised

TERMS: MappingProxyType[str, str] = MappingProxyType(
    {
        "pool": "The N items that the model has scored and whose metric is wanted; nothing beyond it is claimed.",
        "label": "The true class of an item, found by a person. Each costs work; everything else is free.",
        "score": "The model's own probability that an item is positive, between 0 and 1.",
        "calibrated": "Of items with the same score, that share is positive: of those scored 0.8, eight in ten.",
        "budget": "M, the number of labels that can be afforded.",
        "precision": "Of the items called positive, the share that are.",
        "recall": "Of the items that are positive, the share that is called so.",
        "F1 score": "2·found / (2·found + false alarms + missed): the harmonic mean of precision and recall.",
        "uniform sampling": "Every item has the same chance to be asked.",
        "deviation": "d, how far one item's label moves the metric; its expected size h says how much the label is worth.",
        "proposal": "q, the chance of each item at one draw with replacement; adds up to 1.",
        "importance sampling": "Drawing with replacement from a proposal that favours what matters, and weighing each "
        "draw by one over its chance.",
        "importance weight": "1/(N·q): how many items one draw speaks for, relative to an even draw.",
        "inclusion probability": "b, the chance of an item to be asked at all; adds up to the expected number of labels.",
        "design weight": "1/b: how many items of the pool one asked item speaks for.",
        "Bernoulli sampling": "A coin of its own for each item, with its inclusion probability. Surveys call it Poisson sampling, "
        "and Bernoulli only where all chances are equal.",
        "water-filling": "Choosing b = min(1, κh) with κ such that all b add up to the budget: what would reach over 1 "
        "is poured over the others.",
        "certainty": "An item with b = 1: asked in every sample, speaking for itself alone.",
        "labelling queue": "Items in the order of u/h, u a random number of each: every prefix is a valid sample.",
        "belief": "π, what is thought of the labels that are not known yet: from the scores first, then from labels too.",
        "λ": "How far scores are trusted: 1 takes them as they are, 0 takes one value for all: their mean, or one half.",
        "stratum": "A group of items with similar scores, which learns from its own labels.",
        "tree": "Strata under branches: neighbours along the score share what labels teach.",
        "sum": "A total over the pool, as of the positives found. Metrics are made of sums.",
        "unbiased": "Right on average over all samples that might have been drawn; a single one may be far off. What "
        "is unbiased for sums need not be so for their ratios, as F1.",
        "consistent": "As near to the truth as one likes, with enough labels; how many that is it does not say.",
        "interval": "A range that should hold the true value in a promised share of studies.",
        "level": "The promised share, for example 90%.",
        "coverage": "The share of studies whose interval did hold the truth. A method is honest if it reaches the level.",
        "optional stopping": "Looking at the result again and again, and stopping when it pleases: then a fixed-time "
        "interval misses more often than promised.",
        "interval for any look": "One that holds at all looks at once with the promised probability, whenever one "
        "stops (a confidence sequence); wider than one for a number of labels fixed beforehand.",
        "seed": "The number that makes all chance repeatable: the same seed, the same sample, on any machine.",
    }
)


def anchor(term: str) -> str:
    """Where a term stands on the page.

    >>> anchor("Design weight")
    'term-design-weight'
    """
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.lower().replace("λ", "lambda")).strip("-")


def entry(term: str) -> str:
    """A term with its meaning, as HTML that a link finds."""
    shown = term if term == "λ" else capitalised(term)
    return f'<p id="{anchor(term)}" style="margin: 0 0 .7rem"><b>{shown}</b>: {escape(TERMS[term])}</p>'


def linked(text: str) -> str:
    """Markdown whose [[terms]], or [[shown|terms]], link to the glossary.

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
