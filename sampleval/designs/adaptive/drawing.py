"""Draws with replacement for one round, with repeated draws counted instead of listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from sampleval.designs.adaptive.proposal import Proposal
from sampleval.designs.base import Round
from sampleval.designs.importance import positions
from sampleval.designs.problem import Problem
from sampleval.designs.sample import NOBODY, Draws
from sampleval.designs.streams import ROUNDS, stream
from sampleval.pool import Floats, Integers

# Longest gap between new items: if it would be longer, the items left unlabelled cannot matter.
LONGEST = 10**15
TINY = 1e-18
DIGITS = 2.0**44  # precision of chances: sums in another order differ in the last of 53 binary digits
TRIES = 30
Streaks = tuple[Integers, Integers, Integers]  # `row`, `count` and `needs` of `DrawFacts`


@dataclass(frozen=True, slots=True, eq=False)
class DrawFacts:
    """The draws of one round, and the sample of the draws of all rounds before it.

    Attributes:
        before: Rows queued before this round.
        proposal: q of every row of the joint queue under this round's proposal, (k,).
        row: Row of each streak of draws of one item, (r,).
        count: Draws in the streak, (r,).
        needs: Number of answered rows from which on the streak may be used, (r,).
        waiting: How many streaks at the end were drawn while the round waited for one new item more, which it left out.
        earlier: The sample of the earlier rounds' draws.
    """

    before: int
    proposal: Floats
    row: Integers
    count: Floats
    needs: Integers
    waiting: int
    earlier: Draws

    def sample(self, answered: int, population: int, *, over: bool = False) -> Draws:
        """The sample of the draws that may be used once the first `answered` rows have answers.

        One run of draws until just before a new item gives unbiased sums (Haldane 1945). But each of many rounds would then
        count a wait for an item that it left out, and repeats too much: rounds of one label up to twice. So a round that
        another follows, one that is `over`, ends with its last new item.
        """
        rows = np.arange(answered)
        row, count = self.used(answered, over=over)
        inverse, square = np.zeros(answered), np.zeros(answered)
        inverse[: self.before], square[: self.before] = self.earlier.inverse, self.earlier.square
        inverse += np.bincount(row, count / self.proposal[row], answered)
        square += np.bincount(row, count / self.proposal[row] ** 2, answered)
        total = self.earlier.draws + float(count.sum())
        return Draws(rows, total, inverse, square, self.proposal[:answered], population)

    def used(self, answered: int, *, over: bool = False) -> tuple[Integers, Floats]:
        """Row and number of draws of each of this round's streaks that may be used, (r,) both; see `sample`."""
        usable = self.needs <= answered
        usable[len(usable) - self.waiting * over :] = False
        return self.row[usable], self.count[usable]


def draw(
    problem: Problem, proposal: Proposal, past: Sequence[Round], size: int, *, draws: int | None = None
) -> Round | None:
    """The next round: draws until just before the (size + 1)-th new item, or exactly `draws`; `None` if no item is left.

    Draws after the last new item count until another round begins.

    The number of repeated draws before each new item is geometric, and these are multinomial over the rows known by
    then. This has the same distribution as drawing one by one, at a cost that does not depend on the repeats.
    """
    by_cell = proposal.unqueued * proposal.of_cell
    cumulative = np.cumsum(by_cell)
    if not cumulative[-1] > 0:
        return None
    rng = stream(problem.entropy, ROUNDS, len(past))
    # q of each queued item, in their order
    queued = dict(zip(proposal.queue.tolist(), proposal.of_row.tolist(), strict=True))
    streaks, taken = list[Streaks](), Counter[int]()
    before, there = len(queued), int(proposal.unqueued[by_cell > 0].sum())
    open_, left = float(cumulative[-1]), np.inf if draws is None else float(draws)
    while True:
        new = len(queued) - before
        chance = float(graded(np.clip(open_, TINY, 1.0)))
        gap = min(rng.geometric(chance) - 1.0, LONGEST, left) if new < there else 0.0
        row, hit = len(queued), np.empty(0, np.intp)
        if gap and row:
            q = np.array([*queued.values()])
            counts = rng.multinomial(int(gap), graded(q / q.sum()))
            hit = np.flatnonzero(counts)
            streaks.append((hit, counts[hit], np.full(len(hit), row)))
        left -= gap
        if new in (there, size) or left <= 0:
            waiting = len(hit) if new == size and left > 0 else 0
            items, q = np.array([*queued][before:], np.intp), np.array([*queued.values()])
            return drawn_round(past, items, q, streaks, waiting)
        position = new_item(proposal, cumulative, queued, taken, rng)
        streaks.append((np.array([row]), np.ones(1, np.intp), np.array([row + 1])))
        queued[position] = float(proposal.of_cell[proposal.cells.of[position]])
        open_, left = open_ - queued[position], left - 1


def graded(chance: Floats) -> Floats:
    """Chances rounded to 44 binary digits, in the shape in which they come.

    Sums in another order, or on another processor, differ in their last digits. NumPy's draws depend on these digits alone
    where a chance is just ½ (multinomial) or ⅓ (geometric), as for the last of items that are all alike.
    """
    mantissa, exponent = np.frexp(chance)
    return np.ldexp(np.round(mantissa * DIGITS) / DIGITS, exponent)


def draw_anew(problem: Problem, proposal: Proposal, past: Sequence[Round], size: int) -> Round:
    """The round of `size` draws with a stochastic oracle: every draw is asked, and rows may repeat items."""
    rng = stream(problem.entropy, ROUNDS, len(past))
    cells, before = proposal.cells, len(proposal.queue)
    cumulative = np.cumsum(proposal.unqueued * proposal.of_cell)
    cell = positions(cumulative, size, rng)
    within = np.floor(rng.random(size) * cells.count[cell]).astype(np.intp)
    new = cells.members[cells.start[cell] + within]
    q = proposal.of_cell[cells.of[np.concatenate([proposal.queue, new])]]
    row = np.arange(before, before + size)
    return drawn_round(past, new, q, [(row, np.ones(size, np.intp), row + 1)])


def new_item(
    proposal: Proposal,
    cumulative: Floats,
    queued: Container[int],
    taken: Counter[int],
    rng: np.random.Generator,
) -> int:
    """The position of an item drawn in proportion to q among those not queued yet; its cell is counted in `taken`."""
    cells = proposal.cells
    for _ in range(TRIES):
        cell = int(positions(cumulative, 1, rng)[0])
        # The cumulative sums are those at the start of the round: reject in proportion to what was taken since.
        if rng.random() * proposal.unqueued[cell] < proposal.unqueued[cell] - taken[cell]:
            break
    else:  # hardly any item is left: compute the sums anew, or rejections would never end
        left = proposal.unqueued.astype(float)
        left[list(taken)] -= list(taken.values())
        cell = int(positions(np.cumsum(left * proposal.of_cell), 1, rng)[0])
    taken[cell] += 1
    return member(cells.members[cells.start[cell] : cells.start[cell + 1]], queued, rng)


def member(among: Integers, queued: Container[int], rng: np.random.Generator) -> int:
    """One of these positions that is not queued, with equal probabilities."""
    for _ in range(TRIES):
        position = int(among[rng.integers(len(among))])
        if position not in queued:
            return position
    free = [p for p in among.tolist() if p not in queued]
    return free[int(rng.integers(len(free)))]


def drawn_round(
    past: Sequence[Round], new: Integers, q: Floats, streaks: Sequence[Streaks], waiting: int = 0
) -> Round:
    """The round of these new items and draws, with the sums over the earlier rounds."""
    before = len(q) - len(new)
    earlier = past[-1].facts.sample(before, 0, over=True) if past else Draws.of(*NOBODY, 0)
    row, count, needs = np.hstack([np.empty((3, 0), np.intp), *streaks])
    return Round(new, DrawFacts(before, q, row, count.astype(float), needs, waiting, earlier))
