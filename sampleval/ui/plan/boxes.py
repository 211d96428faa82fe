"""The boxes of the Plan page: the method, the expected precision, the goal, the costs and the choice of λ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st

from sampleval import frames, plots
from sampleval.designs import Moving
from sampleval.designs.between_rounds.schedule import for_people, least_round
from sampleval.metrics import resolve
from sampleval.metrics.names import in_sentence, the
from sampleval.planning import Advice, BudgetRange, Plan, enough, precision_for
from sampleval.planning.sentences import RANDOM_SIZE, needed, suggestion, what_ranges_hold
from sampleval.pool import Pool
from sampleval.presets import DEFAULT, PRESETS, Method
from sampleval.ui import address, charts, goals, shell, words
from sampleval.ui.headings import heading
from sampleval.ui.held import Beforehand
from sampleval.ui.plan import combine, outlooks, planner, sentences, trust
from sampleval.ui.plan.outlooks import Outlook
from sampleval.ui.plan.planner import Wanted

SHOWN: Mapping[Literal["width", "error"], str] = {"width": "Interval width", "error": "Expected error"}
MANY = 1_000  # most people who can be planned for
# Most for a label, in any currency and in seconds: larger ones are slips, and no axis has room.
DEAREST, LONGEST = 1e7, 1e6


def recipe(pool: Pool) -> str:
    """Ask how the items are chosen."""
    kind = pool.task.kind
    known = planner.recipes(kind)
    key = st.selectbox(
        "How are the items chosen? (method)",
        list(known),
        format_func=lambda key: planner.title_of(key, kind),
        **address.bound("method", known, DEFAULT, then=partial(combine.take_defaults, pool)),
        help="Methods differ in how many labels they need, in how freely you may stop, and in how often "
        "their intervals contain the true value while labels are few.",
    )
    st.caption(planner.about(key, kind))
    return key


def people(method: Method) -> int:
    """Ask how many people will label at the same time, if the method works in rounds, which end for all at once."""
    if not (least := least_round(method.design)):
        address.unasked("people", instead="this method has no rounds, so that any number of people may label")
        return 1
    wanted = st.number_input(
        "How many people will label at the same time?",
        value=1,
        **address.number("people", 1, MANY),
        help="Which items come next depends on the answers, so this method asks in rounds, and people get items that "
        "nobody else has until a round is nearly done. With more people the rounds are made larger, so that less work is "
        "done twice. The price: less is learned between rounds. With rounds of 60 for 30 people, in place of 10, errors "
        "on demo data sets were up to 35% larger at 100 labels, and up to 15% at 200 and 300. Methods that do not learn, "
        "such as the labelling queue, have no rounds and lose nothing.",
    )
    if wanted > 1:
        size = least_round(for_people(method.design, wanted))
        as_usual = ", as for one" * (size == least)
        st.caption(f"Rounds of at least {words.many(size, 'item')}, for {wanted:,} people{as_usual}.")
    return wanted


def called(wanted: Wanted) -> str:
    """The name of the chosen method in pictures and sentences: that of the preset, since several presets share a design."""
    design, preset = wanted.method().design, PRESETS.get(wanted.recipe)
    if preset is None or wanted.own is not None or design.key != preset.method_for(wanted.kind).design.key:
        return design.title
    return preset.title


def promised(outlook: Outlook, pool: Pool, wanted: Wanted) -> None:
    """Show the precision that the budget buys: in words, as three numbers, and next to other designs."""
    plan, title = outlook.plan, words.plain(words.entitled(wanted.metric))
    st.markdown(
        sentences.promise(
            plan, pool, title, wanted.level, outlook.uniform, outlook.widths[0], taught=outlook.taught
        )
    )
    with st.container(horizontal=True):
        spread = f" ± {words.count(plan.labels_sd)}" if plan.labels_sd else ""
        st.metric(
            "Labels (M)",
            f"{words.count(plan.asked)}{spread}",
            border=True,
            help=words.sentence(RANDOM_SIZE) if spread else None,
        )
        for each, widths in zip(plan.each, outlook.widths, strict=True):
            whose = f"{words.plain(words.entitled(each.metric))}, {words.sure(wanted.level)} interval"
            ends = sentences.halves(widths, sentences.margin(each)) or None
            st.metric(whose, sentences.within(each), ends, delta_color="off", delta_arrow="off", border=True)
        learning = isinstance(plan.method.design, Moving)
        certain = "Certain to be asked, for now" if learning else "Certain to be asked"
        without_chance = "Items that chance cannot leave out." + " Later rounds may change that." * learning
        st.metric(certain, words.count(plan.saturated.sum()), border=True, help=without_chance)
    if outlook.tiny:
        st.markdown(sentences.too_small(pool.size))
    if not outlook.drawable:
        return
    by = shell.choice("Show", SHOWN, key="shown")
    design, others = plan.method.design, planner.drawn(wanted.kind, apart=wanted.apart)
    titles = {key: title for key, (title, _) in others.items()} | {design.key: called(wanted)}
    charts.chart(
        plots.curves(outlook.curve, quantity=by, budget=plan.budget, design=design.key, titles=titles),
        outlook.curve,
        key="curves",
        alt="Expected interval width or error against the number of labels, one line per design.",
    )
    about = f"All lines are about {the(title)}. They" if plan.also else "All lines"
    st.caption(
        f"{about} assume what the chosen method believes about the model; with another method they change. "
        f"± is half the width of an interval. {what_ranges_hold(wanted.kind)}"
    )


def goal(plan: Plan, pool: Pool, wanted: Wanted, known: Beforehand) -> Wanted:
    """Ask how precise the estimate should be, offer to allow the labels for it, and return what is wanted, with a goal if any."""
    with st.container(border=True):
        heading("How many labels for ± x?")
        ask, answer = st.columns([1, 2], vertical_alignment="center")
        aim = precision_for(resolve(plan.metric), plan.expected_width)
        within = ask.number_input(
            "± x",
            planner.NEAREST,
            aim.most,
            step=aim.step,
            format="%.10g",
            **planner.nearness(key := f"within_{wanted.metric}", aim),
            help="Half the width of the interval: smaller takes more labels.",
        )
        needs = {
            name: outlooks.needed(pool, wanted, name, within * 2, known)
            for name in _comparable(wanted.metrics)
        }
        close = {name: named(name, f"± {words.as_typed(within)}", wanted) for name in needs}
        for name, budget in needs.items():
            answer.markdown(needed(budget, close[name], wanted.level, stressed="**{}**".format))
        with st.container(horizontal=True, vertical_alignment="center"):
            aimed = st.toggle(
                f"Make {close[wanted.metric]} the goal of the study",
                **address.switch("aim", partial(planner.settle_on, key, within)),
                help=f"While you label, the study shows how far away the goal still is. It can be changed at any time. {goals.price(plan.method, wanted.kind)}",
            )
            _allowing(enough(needs.values()), plan.budget)
    return replace(wanted, goal=within) if aimed else wanted


def _allowing(budget: BudgetRange, now: int) -> None:
    """Offer to set M to the likely number of labels, and to that at the upper end of the range, unless it is so many now."""
    for labels, name in ((budget.likely, "likely"), (budget.high, "cautious")):
        # Not if nothing is known of it, nor the same twice.
        if labels >= 1 and round(labels) != now and (name == "likely" or labels > budget.likely):
            st.button(
                f"Set to {words.many(labels, 'label')} ({name})",
                key=f"allow_{name}",
                type="tertiary",
                on_click=planner.allow,
                args=(labels,),
                icon=":material/arrow_forward:",
            )


def named(metric: str, near: str, wanted: Wanted) -> str:
    """How near an estimate is to come, with the metric's title where the sample is for several."""
    return f"{words.plain(in_sentence(words.entitled(metric)))} {near}" if wanted.also else near


def _comparable(metrics: list[str]) -> list[str]:
    """The first metric, and those others for which ± x means the same: shares, if it is one too."""
    first, *others = metrics
    return [first, *(name for name in others if resolve(first).fraction and resolve(name).fraction)]


def costs(outlook: Outlook, called: str) -> None:
    """Show what the labels cost in money and time, for this budget and for the widths that other budgets buy."""
    plan = outlook.plan
    with st.container(border=True):
        heading("What does it cost?")
        one, two, three = st.columns(3)
        price = one.number_input(
            "Price of a label",
            value=0.5,
            step=0.1,
            **address.number("price", 0.0, DEAREST),
            help="All that one label costs. It changes the amounts, not how many labels are needed.",
        )
        seconds = two.number_input(
            "Seconds for a label",
            value=20.0,
            step=1.0,
            **address.number("seconds", 0.0, LONGEST),
            help="How long one label takes. The Label page shows how long yours have taken.",
        )
        currency = three.text_input("Currency", "€", max_chars=4, key="currency", bind="query-params")
        uniform = outlook.uniform
        paid = pd.DataFrame({"budget": [plan.asked, uniform.low, uniform.likely, uniform.high]})
        bill = frames.costs(paid, price=price, seconds=seconds)
        st.markdown(sentences.bill(plan.asked, uniform, bill, currency))
        if outlook.drawable:
            priced = frames.costs(outlook.curve, price=price, seconds=seconds)
            design = plan.method.design.key
            charts.chart(
                plots.costs(
                    priced, design=design, budget=plan.budget, currency=currency, titles={design: called}
                ),
                priced,
                key="costs",
                alt="Interval width against labels, money and time, beside uniform sampling.",
            )


def why(advice: Advice) -> None:
    """Show the expected error for every λ, and what it was computed from."""
    with st.expander("Which λ suits these scores?", icon=":material/balance:"):
        seen = frames.advice(advice)
        charts.chart(
            plots.advice(seen, budget=advice.budget, metric=words.entitled(advice.metric)),
            seen,
            key="advice",
            alt="Expected error against λ over plausible calibrations, the suggested λ and the method's own marked.",
        )
        st.caption(
            "Each λ gives a different sample. Its error was computed as if the scores were wrong in many "
            "plausible ways: too sharp, too flat, shifted, bent. The λ with the least expected error is "
            "suggested; no label is needed for this."
        )


def suggested(advice: Advice, shrinkage: float) -> None:
    """Show the λ that suits these scores, with a button that sets it if another one is set."""
    st.caption(words.plain(suggestion(advice)))
    if advice.shrinkage != shrinkage:
        st.caption(
            "The ± of the plan cannot tell which λ is better: λ also changes what the plan assumes. These errors can: "
            "every λ is judged by the same ways in which the scores may be wrong."
        )
        st.button(
            f"Use λ = {advice.shrinkage:g}",
            key="suggest",
            icon=":material/auto_fix_high:",
            type="tertiary",
            on_click=trust.take,
            args=(advice.shrinkage,),
        )


def filled(outlook: Outlook, called: str) -> None:
    """Show the chances with which items are asked, and the budget from which items become certain."""
    # In large type their titles would run under the charts' buttons if they stood side by side.
    inclusion, certain = (st.container(), st.container()) if shell.presenting() else st.columns(2)
    plan, filling, design = outlook.plan, outlook.filling, outlook.plan.method.design.key
    with inclusion:
        charts.chart(
            plots.sorted_inclusion(
                outlook.inclusion, budget=plan.budget, design=design, titles={design: called}
            ),
            outlook.inclusion,
            key="inclusion",
            alt="Inclusion probabilities in falling order: of the chosen method, of Bernoulli and of importance sampling.",
        )
        st.caption(sentences.compared(called))
    with certain:
        charts.chart(
            plots.certain(
                outlook.curve, design=filling.method.design.key, onset=filling.onset, budget=plan.budget
            ),
            outlook.curve,
            key="certain",
            alt="Share of items that are certain to be asked against the number of labels, its onset marked.",
        )
        st.caption(sentences.certainty(plan, filling, called))
