"""Plan: what a budget buys, before the first label."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sampleval.ui import address, asking, held, pointless, shell, stopping, stores, words
from sampleval.ui.headings import heading
from sampleval.ui.plan import (
    beginning,
    boxes,
    combine,
    formulas,
    links,
    outlooks,
    planner,
    sentences,
    target,
    trust,
)

stores.choose_shown()
shell.page("Plan")
pool = stores.chosen_pool()
if pool is None:
    st.info("First choose the scored items to evaluate.", icon=":material/table_view:")
    shell.next_step("Data", "choose the data")
    st.stop()

links.unheeded()
kind = pool.task.kind
settings, pictures = st.columns([4, 8], gap="large")
with settings:
    metric, also = target.ask(pool)
    affordable = st.container()  # asked last, for labels known beforehand are not asked again
    bought = st.container()  # on a narrow screen the pictures are far below
    recipe, apart = boxes.recipe(pool), planner.apart(pool)
    own, base = None, planner.recipes(kind, apart=apart)[recipe]
    if st.toggle(
        "Combine a method of your own",
        **address.switch("combine", partial(combine.take_own, pool)),
        help="Choose belief, design and estimator one by one instead of a published method.",
    ):
        with st.container(border=True):
            own = combine.axes(base, kind)
        if own is None:
            st.stop()
    chosen = own or base
    unshrunk, mixes = trust.unshrunk(chosen, pool), chosen.defensive is not None
    shrinkage = st.slider(
        f"How far to trust {trust.trusted(pool)}? (λ)",
        value=trust.shrinkage_of(chosen),
        step=0.001,
        format="%.3f",
        **address.number("trust", 0.0, 1.0),
        disabled=bool(unshrunk),
        help=unshrunk
        or "Up: more labels where the model says it is uncertain; down: labels are spread more evenly, "
        "which protects against a model that is confident but wrong. With enough labels, estimates are "
        "right either way; until then, intervals may be too narrow where the model is confident but wrong.",
    )
    suggest = st.container()
    targets, unpulled = trust.towards(kind), trust.unpulled(chosen, pool)
    with st.expander("More settings", icon=":material/tune:"):
        toward = st.segmented_control(
            "Distrusted scores are pulled towards",
            list(targets),
            required=True,
            disabled=bool(unpulled),
            format_func=targets.__getitem__,
            **address.bound("toward", targets),
            help=unpulled
            or f"{targets['half'].capitalize()} is the paper's choice. Where positives, or a class, are rare, it spends "
            "most labels on items that almost surely are something else; the mean score does not.",
        )
        defensive = st.slider(
            "How much to spread evenly? (δ)",
            value=chosen.defensive or 0.0,
            step=0.001,
            format="%.3f",
            **address.number("even", 0.0, 0.5),
            disabled=not mixes,
            help="Up: every item keeps a fair chance, so that other metrics come out well too; this one "
            "becomes a bit less precise."
            if mixes
            else "Not for this design: it has its own way to give every item a chance.",
        )
        level = asking.level(
            "How sure do you want to be? (level)",
            "level",
            help="Up: intervals that hold the true value more often, and are wider.",
        )
        seed = st.number_input(
            "Seed",
            value=0,
            **address.number("seed", 0, 2**31 - 1),
            help="The same seed draws the same items again, on any machine; another seed draws other items.",
        )
with settings, st.container(border=True):
    heading("Start the study")
    stem = address.recall("name") or "study"
    st.text_input("Its name", **address.typed("called", beginning.free_name(stem)))
    people = boxes.people(chosen)
    watched = stopping.ask(pool, metric, chosen)
    known = held.ask(pool, learns=chosen.surrogate.learns)
    starting = st.container()

with affordable, shell.mistakes_in_words():
    budget = asking.budget(
        "How many labels can you afford? (M)",
        pool.size,
        planner.SENSIBLE_BUDGET,
        held=beginning.counted(pool, known),
        help="More labels: a narrower interval, more work. You can stop earlier or extend later.",
    )
with shell.mistakes_in_words():
    wanted = planner.Wanted(
        metric,
        recipe,
        budget,
        shrinkage,
        toward or "",
        defensive,
        level,
        seed,
        own,
        kind,
        apart=apart,
        people=people,
        also=also,
        watched=watched,
    )
    advice = outlooks.advice(pool, wanted)
    outlook = outlooks.outlook(pool, wanted, known)
futile = pointless.why(outlook.plan, pool)
settled = sentences.known_exactly(outlook.plan, pool, known, telling=outlook.telling)

with pictures:
    if settled:
        st.success(words.plain(settled), icon=":material/check_circle:")
    elif futile:  # any figure would contradict the warning
        st.warning(words.plain(f"{futile} {pointless.nothing_predicted(pool)}"), icon=":material/help:")
    else:
        if line := sentences.bought(outlook.plan, outlook.widths, level):
            bought.caption(words.unbroken(line))
        boxes.promised(outlook, pool, wanted)
        wanted = boxes.goal(outlook.plan, pool, wanted, known)
        boxes.costs(outlook, boxes.called(wanted))
    if advice is not None:
        boxes.why(advice)
    if not futile and outlook.drawable:
        boxes.filled(outlook, boxes.called(wanted))
    with st.expander("Formulas", icon=":material/function:"):
        formulas.plan(outlook.plan.method, kind, several=bool(also))
if advice is not None:
    with suggest:
        boxes.suggested(advice, shrinkage)


def start(where: DeltaGenerator, label: str, key: str) -> bool:
    """A button that creates the study, greyed where nothing could come of it."""
    return where.button(
        label,
        key=key,
        type="primary",
        icon=":material/play_arrow:",
        disabled=bool(futile) and not settled,  # a study of what is settled has results to pass on
        help=words.plain(settled or futile) or None,
    )


here = start(starting, "Create it and start labelling", "create")
there = start(pictures, "Next: create the study and start labelling", "create_below")
with pictures:
    if here or there:
        with shell.mistakes_in_words():
            begin = partial(beginning.begin, pool, wanted, stem, known, name=address.recall("called"))
            address.carry("study", beginning.once(f"{pool.fingerprint} {wanted} {known.key}", begin))
            address.carry("called", "")
        shell.go("Label")
    if stores.chosen_record() is not None:
        shell.next_step("Label", f"go on labelling {words.short(address.recall('study'))}")
