"""How far the labelling has come, how fast it goes and how long the rest will take."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from math import isnan
from statistics import median

from sampleval.numerals import many
from sampleval.study.assembly import held_suffice
from sampleval.study.state import State

FEWEST = 5  # timed answers from which a pace is told: before the first ones people look around
RECENT = 30  # answers that set the pace: enough for it to settle, few enough to follow a change of habit


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the labelling stands.

    Attributes:
        labels: Answers given, skipped and unsure ones included.
        budget: Labels allowed, or fewer if the design asks for no more.
        skipped: Items skipped.
        unsure: Items marked unsure.
        round: Number of the open round, from 1; 0 before the first.
        seconds: Median time in seconds of the last timed answers; `nan` with fewer than five of them.
    """

    labels: int
    budget: int
    skipped: int
    unsure: int
    round: int
    seconds: float

    @property
    def share(self) -> float:
        """Share done, in [0, 1]."""
        return min(1.0, self.labels / self.budget) if self.budget else 1.0

    @property
    def rest(self) -> int:
        """Labels still to give."""
        return max(0, self.budget - self.labels)

    @property
    def left(self) -> float:
        """Expected time for the rest in seconds; `nan` if the pace is unknown."""
        return self.rest * self.seconds if self.rest else 0.0


def progress(state: State, *, annotator: str | None = None) -> Progress:
    """The progress of a study.

    Args:
        state: The state of the study.
        annotator: Whose pace to use; that of all annotators if `None`, or until this one has timed answers.
    """
    kinds = [answer.what.kind for answer in state.given.counting.values()]
    own = pace(state, annotator)
    return Progress(
        len(kinds),
        allowed(state),
        kinds.count("skip"),
        kinds.count("unsure"),
        len(state.rounds),
        pace(state, None) if isnan(own) else own,
    )


def allowed(state: State) -> int:
    """The number of labels that the budget leads to: that of `foreseen`, or fewer if no further item can matter."""
    return len(state.queue) if state.rounds and done(state) else foreseen(state)


def foreseen(state: State) -> int:
    """The same without planning a round: the budget, or the number that chance has drawn where the design's size is random."""
    drawn = state.rounds and state.method.design.random_size
    return len(state.queue) if drawn else state.budget


def all_known(state: State) -> bool:
    """Whether every item of the pool has a label."""
    counting = state.given.counting.values()
    asked = {answer.what.id for answer in counting if answer.what.kind == "label"}
    return len(state.problem.held) + len(asked) == state.problem.pool.size


def known_beforehand(state: State) -> bool:
    """Whether labels known beforehand leave nothing to ask, so that no answer is needed for an exact value."""
    return len(state.problem.held) > 0 and held_suffice(state.problem, state.method)


def room(state: State) -> int:
    """The number of labels by which the budget can be raised; 0 if the design asks for no more at any budget."""
    # A random size may stay the same for one more label of budget, and to try larger budgets would take long.
    fixed = not state.method.design.random_size
    if fixed and done(state) and state.plan(max(state.budget, len(state.queue)) + 1) is None:
        return 0
    return state.problem.population - state.budget


def done(state: State) -> bool:
    """Whether every item asked has an answer and the design asks for no more within the budget."""
    return not state.open_places(1) and state.next_round() is None


def exhausted(state: State) -> bool:
    """Whether nothing is left to ask at any budget."""
    return all_known(state) or known_beforehand(state) or (done(state) and not room(state))


def held_up(state: State) -> str:
    """A clause on answers that wait for earlier items of the queue, as when two people label; "" if there are none."""
    waiting = state.given.waiting
    if not waiting:
        return ""
    wait, them = ("waits", "it") if waiting == 1 else ("wait", "them")
    return f"{many(waiting, 'answer')} {wait} for items before {them} that have no answer yet"


def pace(state: State, annotator: str | None) -> float:
    """Median seconds of the last `RECENT` timed answers, `nan` of fewer than `FEWEST`; as a median it is not moved by a single long break."""
    who = None if annotator is None else state.given.name_of(annotator)
    timed = (
        answer.what.seconds
        for answer in reversed(state.given.standing.values())
        if who in (None, answer.annotator) and answer.what.seconds is not None
    )
    recent = list(islice(timed, RECENT))
    return float(median(recent)) if len(recent) >= FEWEST else float("nan")
