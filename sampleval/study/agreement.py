"""Items that several annotators answered: who said what, who settled it, and how often they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from types import MappingProxyType
from typing import Any

from sampleval.pool import Task
from sampleval.study.answers import Answer, in_text
from sampleval.study.state import State


@dataclass(frozen=True, slots=True)
class Shared:
    """An item that several annotators answered.

    Attributes:
        place: Its place in the queue.
        own: Annotator → the answer of their own, in the order in which they first answered.
        decision: The last answer given after these differed, `None` if there is none: it settles what counts.
    """

    place: int
    own: Mapping[str, Answer]
    decision: Answer | None = None

    def said(self, task: Task) -> str:
        """Who said what, as "ann: yes; bob: no"."""
        own = self.own.items()
        return "; ".join(f"{who or 'no name'}: {in_text(task, answer.what)}" for who, answer in own)

    @property
    def equal(self) -> bool:
        """Whether all said the same of their own accord."""
        return len({_said(answer) for answer in self.own.values()}) == 1

    @property
    def open(self) -> bool:
        """Whether they differ and nobody has settled it."""
        return not self.equal and self.decision is None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often annotators who answered the same item said the same.

    Attributes:
        items: Items that several answered.
        equal: Those of which all said the same.
        kappa: Cohen's κ (1960): agreement beyond what each one's shares of answers bring about by chance,
            1 if perfect and 0 if no better; `nan` unless the same two answered all these items, and not all alike.
    """

    items: int
    equal: int
    kappa: float

    @property
    def share(self) -> float:
        """Share of the items of which all said the same, `nan` without items."""
        return self.equal / self.items if self.items else nan


def shared(state: State) -> list[Shared]:
    """Every item that several annotators answered, in the order of the queue."""
    several = sorted(place for place, answers in state.answers.items() if len(answers) > 1)
    found = [_shared(place, state.answers[place]) for place in several]
    return [item for item in found if len(item.own) > 1]


def agreement(found: Sequence[Shared]) -> Agreement:
    """How often these items' annotators agree."""
    return Agreement(len(found), sum(item.equal for item in found), _kappa(found))


def _shared(place: int, answers: Sequence[Answer]) -> Shared:
    """Own answers and decision: an answer that comes when others already differ decides; before, it is its annotator's own."""
    own: dict[str, Answer] = {}
    decision = None
    for answer in answers:
        if len({_said(held) for held in own.values()}) > 1:
            decision = answer
        else:
            own[answer.annotator] = answer
    return Shared(place, MappingProxyType(own), decision)


def _said(answer: Answer) -> Any:
    label = answer.what.label
    return answer.what.kind, tuple(label) if isinstance(label, list) else label


def _kappa(found: Sequence[Shared]) -> float:
    pairs = {frozenset(item.own) for item in found}
    if len(pairs) != 1 or len(two := sorted(*pairs)) != 2:
        return nan
    n = len(found)
    one, other = (Counter(_said(item.own[who]) for item in found) for who in two)
    chance = sum(one[said] * other[said] for said in one) / n**2
    return nan if chance == 1 else (sum(item.equal for item in found) / n - chance) / (1 - chance)
