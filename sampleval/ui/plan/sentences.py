"""The precision and the costs of a plan, in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from sampleval.designs import Moving
from sampleval.metrics import resolve
from sampleval.metrics.names import the, together
from sampleval.planning import UNKNOWN_WIDTH, BudgetRange, Plan, WidthRange
from sampleval.planning.sentences import WIDE
from sampleval.pool import Pool, at_odds, scored, told_errors
from sampleval.surrogates import Shrunk
from sampleval.ui import pointless, words
from sampleval.ui.held import Beforehand
from sampleval.ui.plan.trust import trusted, unshrunk


def promise(
    plan: Plan,
    pool: Pool,
    title: str,
    level: float,
    uniform: BudgetRange,
    widths: WidthRange = UNKNOWN_WIDTH,
    *,
    taught: bool = False,
) -> str:
    """The precision to expect from the plan, in two sentences, and a lack of strata in a third."""
    labels, title = plan.asked, the(title)
    bought = f"With **{words.many(labels, 'label')}**"
    if plan.note:
        return f"It cannot be predicted how close **{words.many(labels, 'label')}** will come to {title}: {plan.note}. {_remedy(plan, pool)}"
    if plan.expected_width == 0:
        which = "one for every item"
        if labels < pool.size:
            others = "among them " if plan.also else ""  # which serve other metrics
            which = f"{others}{which} that can change the result"
        bought += f", {which}, {title} will be known exactly."
    else:
        half, level_said = margin(plan), words.sure(level)
        bought += f" the {level_said} interval of {title} should be about **± {half}**{_turnout(widths, half)}, {_premise(plan, pool, title, taught=taught)}."
        if claim := at_odds(pool.task, pool.systems[0]):
            times = f"{claim.times:,.0f}"
            pair = f"{times} times the {claim.of}" if claim.more else f"one for every {times} {claim.of}"
            bought += (
                f" The scores add up to {pair} predicted: if they are not probabilities, expect other values."
            )
    if plan.strata:
        bought += f" {words.sentence(plan.strata)}"
    if not (times := _as_many(labels, uniform)):
        return bought
    ends = words.span(*map(words.count, (uniform.low, uniform.likely, uniform.high)))
    more = words.many(uniform.likely, "label")
    return f"{bought} Uniform sampling would need about **{times}**: {more}{ends and f' ({ends})'}."


def bought(plan: Plan, ranges: Sequence[WidthRange], level: float) -> str:
    """The precision that the budget buys, in a line, with the range for each of the plan's metrics; "" if it cannot be foreseen."""
    titles = [the(words.entitled(each.metric)) for each in plan.each]
    foreseen = list(zip(titles, plan.each, ranges, strict=True))
    exactly = [title for title, each, _ in foreseen if each.expected_width == 0]
    nearly = [
        f"{title} {_ranging(each, widths)}" for title, each, widths in foreseen if each.expected_width > 0
    ]
    said = [f"to know {together(exactly)} exactly"] if exactly else []
    if nearly:
        said.append(f"for {together(nearly)} at {words.sure(level)}, as it looks now")
    return f"Enough {together(said)}." if said else ""


def _as_many(labels: int, uniform: BudgetRange) -> str:
    """How many times as many labels uniform sampling is likely to need; "" if hardly more.

    >>> _as_many(300, BudgetRange(620, 946, 1700)), _as_many(300, BudgetRange(300, 310, 320)), _as_many(0, BudgetRange(10, 10, 10))
    ('3.2 × as many', '', '')
    """
    factor = uniform.likely / labels if labels else math.nan
    return f"{words.brief(factor)} × as many" if factor > 1.05 else ""


def margin(plan: Plan) -> str:
    """Half the expected width, with no more decimals than the value that the plan predicts, but with two digits at least."""
    half = plan.expected_width / 2
    alone = words.number(half)
    if not half > 0 or alone.startswith("<"):  # 0, unknown, or smaller than any digit shown
        return alone
    two = 1 - math.floor(math.log10(half))
    return words.fixed(half, min(_decimals(alone), max(_decimals(words.number(plan.predicted)), two)))


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])


def _turnout(widths: WidthRange, half: str) -> str:
    """The range in which the ± may turn out, in brackets and with what it depends on; only its upper end if the lower one says nothing.

    >>> _turnout(WidthRange(0.04, 0.26), "0.048"), _turnout(WidthRange(0.01, 0.74), "0.008")
    (' (0.020 to 0.130, depending on how the labels turn out)', ' (perhaps ± 0.370)')
    """
    ends = halves(widths, half)
    why = "" if ends.startswith("perhaps") else ", depending on how the labels turn out"
    return f" ({ends}{why})" if ends else ""


def halves(widths: WidthRange, half: str) -> str:
    """Half of both ends, or only of the upper one if the lower one says nothing; "" if nothing is known beyond the likely ±.

    >>> halves(WidthRange(16.944, 67.6), "19.3"), halves(WidthRange(0.01, 0.74), "0.008"), halves(UNKNOWN_WIDTH, "0.1")
    ('8.5 to 33.8', 'perhaps ± 0.370', '')
    """
    places = _decimals(half)  # all three with the same, so that they compare at a glance
    low, high = (words.fixed(width / 2, places) for width in (widths.low, widths.high))
    if not math.isfinite(widths.high) or low == high:
        return ""
    if widths.high > WIDE * widths.low:
        return f"perhaps ± {high}" if high != half else ""
    return f"{low} to {high}"


def _remedy(plan: Plan, pool: Pool) -> str:
    """What to choose instead of a belief that cannot foresee an error."""
    other = "Choose another method" if unshrunk(plan.method, pool) else f"Trust {trusted(pool)} less (λ)"
    return f"{other} to see what to expect; with enough labels, estimates are right either way."


def _premise(plan: Plan, pool: Pool, title: str, *, taught: bool) -> str:
    """What the plan assumes, or what labels held beforehand taught it, and the value of the metric under this assumption."""
    value = words.number(plan.predicted)
    about = value.replace("<", "below ") if value.startswith("<") else f"about {value}"
    if taught:
        return f"based on what the known labels say of the others ({title} {about})"
    if pool.task.kind != "regression":
        belief = plan.method.surrogate
        told = "scores" if scored(pool) else "decisions"
        if isinstance(belief, Shrunk) and belief.shrinkage < 1:
            return f"if the {told} are right when trusted to this degree (λ = {belief.shrinkage:g}); they then predict {value}"
        if told == "decisions":  # they say nothing of how often they are right
            return f"based on how often such decisions are usually right ({title} {about})"
        if belief.as_scored:
            return f"if the scores are right; they predict {value}"
        return f"based on what this method expects of such scores before any new label ({title} {about})"
    if told_errors(pool):
        return f"if the expected errors are right; they predict {value}"
    return f"if errors are as large as the spread of the predictions, since no column tells how large they are ({title} {about})"


def known_exactly(plan: Plan, pool: Pool, held: Beforehand, *, telling: bool) -> str:
    """The value of the metric if labels held beforehand leave nothing to find out; "" if other items' are still telling.

    The plan's method may all the same ask items that tell nothing.
    """
    metric = resolve(plan.metric)
    if not len(held) or telling or not math.isfinite(plan.predicted):
        return ""
    if pointless.nothing_predicted(pool) or pointless.nothing_apart(metric, pool):
        return ""  # then no label tells anything, and the reason is what helps
    value = words.number(plan.predicted, whole=metric.total)
    rest = "Nothing is left to ask."
    if plan.inclusion.any():
        rest = f"This method asks other items all the same: their labels tell other metrics, not {the(metric.title)}."
    return f"The labels known beforehand tell {the(metric.title)} exactly: {value}. {rest}"


def within(plan: Plan) -> str:
    """The ± of the interval; "exact" if nothing is left to chance, and "–" if it cannot be foreseen."""
    if plan.expected_width == 0:
        return "exact"
    return f"± {margin(plan)}" if math.isfinite(plan.expected_width) else "–"


def _ranging(plan: Plan, widths: WidthRange) -> str:
    """The ± of the interval with the range in which it may turn out, if there is one."""
    ends = halves(widths, margin(plan))
    return f"{within(plan)}{ends and f' ({ends})'}"


def too_small(size: int) -> str:
    """What to do with a pool that is too small for pictures of a plan.

    >>> too_small(1)
    'A pool of 1 item is too small for pictures. Label all of it: the result is exact then, without an interval.'
    """
    return (
        f"A pool of {words.many(size, 'item')} is too small for pictures. Label all of it: the result is "
        "exact then, without an interval."
    )


def compared(called: str) -> str:
    """The caption of the picture of inclusion probabilities, with the name of the chosen method."""
    return (
        f"Thick line: {called}, the chosen method, as planned before any new label; a method that learns will "
        "change it later. For comparison: Bernoulli and importance sampling with the same belief."
    )


def certainty(plan: Plan, shown: Plan, chosen: str) -> str:
    """Which design's certain items a picture shows, and why it is not the design of the plan."""
    if plan is shown:
        return f"For {chosen}, the chosen method. Orange: where the first item becomes certain."
    title, learns = shown.method.design.title, isinstance(plan.method.design, Moving)
    why = "the labels decide which items become certain" if learns else "no item is certain beforehand"
    return f"For {title} with the same belief, because with {chosen}, the chosen method, {why}."


def bill(labels: int, uniform: BudgetRange, costs: pd.DataFrame, currency: str) -> str:
    """What a number of labels costs, and what those cost that uniform sampling would need for the same error.

    The costs are those of `frames.costs`: a row about the labels, then three about the low, likely and high numbers of
    uniform sampling.
    """
    sign = words.plain(currency)
    (own, *money), (work, *hours) = (
        [words.money(amount, sign) for amount in costs["money"]],
        [words.duration(amount) for amount in costs["hours"]],
    )
    paid = f"{words.many(labels, 'label')}: **{own}** and **{work}** of work."
    if not (times := _as_many(labels, uniform)):
        return paid
    each = (
        f"**{amounts[1]}**{ends and f' ({ends})'}"
        for amounts in (money, hours)
        for ends in [words.span(*amounts)]
    )
    return f"{paid} Uniform sampling would need about {times}: {' and '.join(each)} of work."
