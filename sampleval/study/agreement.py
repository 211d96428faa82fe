"""Items that several annotators answered: who said what, who settled it, and how often they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan, sqrt
from types import MappingProxyType
from typing import Any

from scipy.special import ndtri

from sampleval import _checks, numerals
from sampleval.events import Answered
from sampleval.intervals import LEVEL
from sampleval.intervals.binomial import clopper_pearson
from sampleval.study.answers import Answer
from sampleval.study.state import State


@dataclass(frozen=True, slots=True)
class Shared:
    """An item that several annotators answered.

    Attributes:
        place: Its place in the queue.
        own: Annotator → their own answer, in the order in which they first answered.
        decision: The answer that settles the label: the last one given in view of own answers that differed, or after such
            a decision; `None` if there is none.
    """

    place: int
    own: Mapping[str, Answer]
    decision: Answer | None = None

    def said(self, text: Callable[[Answered], str]) -> str:
        """Each annotator's own answer, as this function puts it: "ann: yes; bob: no"."""
        return "; ".join(f"{who or 'no name'}: {text(answer.what)}" for who, answer in self.own.items())

    @property
    def equal(self) -> bool:
        """Whether the own answers of all annotators are the same."""
        return len({_said(answer) for answer in self.own.values()}) == 1

    @property
    def open(self) -> bool:
        """Whether the own answers differ and nobody has settled the label."""
        return not self.equal and self.decision is None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often annotators who answered the same item gave the same answer.

    Attributes:
        items: Number of items that several annotators answered.
        equal: Number of these items for which all of them gave the same answer.
        kappa: Cohen's κ (1960), the agreement beyond chance: 1 if perfect, 0 if no better than the annotators' shares of
            answers make by chance. `nan` unless the same two annotators answered all items and the answers vary.
        chance: The share of equal answers that chance makes of the annotators' shares of answers; `nan` if κ is.
        variance: Large-sample variance of κ (Fleiss, Cohen & Everitt 1969, eq. 13); `nan` if κ is.
    """

    items: int
    equal: int
    kappa: float
    chance: float = nan
    variance: float = nan

    @property
    def share(self) -> float:
        """Share of the items for which all annotators gave the same answer; `nan` without items."""
        return self.equal / self.items if self.items else nan

    def limits(self, level: float = LEVEL) -> tuple[float, float]:
        """Limits of the share among all items that such annotators might answer, if these are a random sample of them.

        >>> low, high = Agreement(4, 3, 0.5).limits()
        >>> round(low, 2), round(high, 2)
        (0.25, 0.99)

        Args:
            level: Least coverage, in (0, 1).

        Raises:
            InputError: The level is out of range.
        """
        low, high = clopper_pearson(self.equal, self.items - self.equal, _checks.level(level))
        return float(low), float(high)

    def kappa_limits(self, level: float = LEVEL) -> tuple[float, float]:
        """Limits of κ in the same sense as those of the share; (`nan`, `nan`) if κ is unknown.

        They are those of the share, less the chance seen and divided by its complement, or κ ± z σ where that is farther out.
        Alone, the second ones hold for one pair of annotators in ten if there are few items and κ is near 1, and are of no
        width if nobody disagreed. The first ones alone are too narrow where annotators systematically disagree.

        >>> low, high = Agreement(100, 60, 0.13, 0.54, 0.0079).kappa_limits()
        >>> round(low, 2), round(high, 2)
        (-0.06, 0.31)

        Args:
            level: Coverage, in (0, 1), which few items may miss where κ is far below 0.

        Raises:
            InputError: The level is out of range.
        """
        low, high = self.limits(level)
        if isnan(self.kappa):
            return nan, nan
        off = float(ndtri((1 + level) / 2)) * sqrt(self.variance)
        least = min((low - self.chance) / (1 - self.chance), self.kappa - off) if self.equal else -1.0
        most = max((high - self.chance) / (1 - self.chance), self.kappa + off)
        return max(least, -1.0), min(most, 1.0)


def shared(state: State) -> list[Shared]:
    """Every item that several annotators answered, in the order of the queue."""
    several = sorted(place for place, answers in state.given.by_place.items() if len(answers) > 1)
    found = [_shared(place, state.given.by_place[place]) for place in several]
    return [item for item in found if len(item.own) > 1]


def agreement(found: Sequence[Shared]) -> Agreement:
    """How often the annotators of these items agree."""
    return Agreement(len(found), sum(item.equal for item in found), *_kappa(found))


def agreed(at: Agreement) -> str:
    """How often annotators agree, as a sentence.

    >>> agreed(Agreement(4, 3, 0.5, 0.5, 0.17))
    "Several people answered 4 items, 3 of them alike: 75% (90% interval 25% to 99%); Cohen's κ 0.500 (90% interval −0.51 to 1.00)."
    >>> agreed(Agreement(1, 0, nan))
    'Several people answered 1 item, 0 of them alike: 0% (90% interval 0% to 95%).'
    """
    low, high = (f"{limit:.0%}" for limit in at.limits(LEVEL))
    known = f"{numerals.sure(LEVEL)} interval"
    alike = f"{numerals.count(at.equal)} of them alike: {numerals.share(at.share)} ({known} {low} to {high})"
    if not isnan(at.kappa):
        beyond = numerals.limits(*at.kappa_limits(LEVEL))
        alike += f"; Cohen's κ {numerals.number(at.kappa)} ({known} {beyond})"
    return f"Several people answered {numerals.many(at.items, 'item')}, {alike}."


def _shared(place: int, answers: Sequence[Answer]) -> Shared:
    """The own answers and the decision at one place.

    Until the own answers differ, each answer is its annotator's own. The first one after that which was given in sight of the
    others is a decision, and so is every answer after it: the last one counts, and another label must not stand as decided.
    """
    own: dict[str, Answer] = {}
    decision = None
    for answer in answers:
        if decision or (not answer.what.apart and len({_said(held) for held in own.values()}) > 1):
            decision = answer
        else:
            own[answer.annotator] = answer
    return Shared(place, MappingProxyType(own), decision)


def _said(answer: Answer) -> Any:
    label = answer.what.label
    return answer.what.kind, tuple(label) if isinstance(label, list) else label


def _kappa(found: Sequence[Shared]) -> tuple[float, float, float]:
    """κ, the share of equal answers by chance, and the variance of κ."""
    pairs = {frozenset(item.own) for item in found}
    if len(pairs) != 1 or len(two := sorted(*pairs)) != 2:
        return nan, nan, nan
    n = len(found)
    said = Counter((_said(item.own[two[0]]), _said(item.own[two[1]])) for item in found)
    one, other = (Counter(_said(item.own[who]) for item in found) for who in two)
    equal = sum(times for (a, b), times in said.items() if a == b) / n
    chance = sum(one[what] * other[what] for what in one) / n**2
    if chance == 1:
        return nan, nan, nan
    told = 0.0
    for (a, b), times in said.items():
        shares = (other[a] + one[b]) / n  # p.a + pb., as in the paper
        told += times / n * ((a == b) * (1 - chance) - shares * (1 - equal)) ** 2
    told -= (equal * chance - 2 * chance + equal) ** 2
    return (equal - chance) / (1 - chance), chance, max(told, 0.0) / (n * (1 - chance) ** 4)
