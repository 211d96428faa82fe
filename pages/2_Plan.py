"""Plan: what a budget buys, before the first label."""

from dataclasses import replace
from functools import partial

import streamlit as st

from sampleval import frames, plots
from sampleval.metrics import questions, resolve
from sampleval.presets import DEFAULT
from sampleval.ui import charts, combine, formulas, held, outlooks, planner, prospects, shell, stores, words

shell.page("Plan")
pool = stores.chosen_pool()
if pool is None:
    st.info("First choose the scored items to evaluate.", icon=":material/table_view:")
    shell.next_step("Data", "choose the data")
    st.stop()

settings, pictures = st.columns([4, 8], gap="large")
with settings:
    metric = st.selectbox(
        "What do you want to know?", questions(pool), **shell.bound("metric", questions(pool)),
        format_func=lambda name: resolve(name).title,
        help="The sample is drawn so that this metric (the pre-sampling metric) comes out most precise. "
        "All others can be estimated from the same labels.",
    )  # fmt: skip
    st.caption(resolve(metric).about)
    budget = planner.ask_budget(
        "How many labels can you afford? (M)", pool.size, planner.SENSIBLE_BUDGET,
        help="More labels: a narrower interval, more work. You can stop earlier or extend later.",
    )  # fmt: skip
    known = planner.recipes(pool.task.kind)
    recipe = st.selectbox(
        "Whom do you ask? (design)", list(known),
        **shell.bound("method", known, DEFAULT, then=partial(planner.take_defaults, pool.task.kind)),
        format_func=lambda key: planner.title_of(key, pool.task.kind),
        help="All of them give valid estimates; they differ in how many labels they need and how freely you may stop.",
    )  # fmt: skip
    st.caption(planner.about(recipe))
    own = None
    if st.toggle(
        "Combine a method of your own", key="combine", bind="query-params",
        help="Choose belief, design and estimator one by one instead of a published method.",
    ):  # fmt: skip
        with st.container(border=True):
            own = combine.axes(known[recipe], pool.task.kind)
        if own is None:
            st.stop()
    chosen = own or known[recipe]
    shrinks, mixes = planner.shrinks(chosen), planner.mixes(chosen)
    shrinkage = st.slider(
        "How far to trust the model's own probabilities? (λ)", 0.0, 1.0, planner.shrinkage_of(chosen), 0.001,
        format="%.3f", key="trust", bind="query-params", disabled=not shrinks,
        help="Up: more labels where the model says it is uncertain; down: labels are spread more evenly, which "
        "insures against a model that is sure and wrong. Estimates are valid either way."
        if shrinks else "Not for this method: it learns from the labels how far to trust the probabilities.",
    )  # fmt: skip
    suggest = st.container()
    with st.expander("More settings", icon=":material/tune:"):
        toward = st.segmented_control(
            "Distrusted scores are pulled towards", list(planner.TOWARD), required=True, disabled=not shrinks,
            format_func=planner.TOWARD.__getitem__, **shell.bound("toward", planner.TOWARD),
            help="One half is the paper's choice. With rare positives it spends most labels on items that are "
            "almost surely negative; the mean score does not."
            if shrinks else "Not for this method: it does not pull scores anywhere.",
        )  # fmt: skip
        defensive = st.slider(
            "How much to spread evenly? (δ)", 0.0, 0.5, planner.defensive_of(chosen), 0.001, format="%.3f",
            key="even", bind="query-params", disabled=not mixes,
            help="Up: every item keeps a fair chance, so that other metrics come out well too; this one gets a bit "
            "less precise." if mixes else "Not for this design: it has its own way to keep every item in reach.",
        )  # fmt: skip
        level = st.select_slider(
            "How sure do you want to be? (level)", planner.LEVELS, **shell.bound("level", planner.LEVELS, 0.9),
            format_func=words.share, help="Up: intervals that hold the true value more often, and are wider.",
        )  # fmt: skip
        seed = st.number_input(
            "Seed", 0, 2**31 - 1, 0, key="seed", bind="query-params",
            help="The same seed draws the same items again, on any machine; another one draws others.",
        )  # fmt: skip
    kind = pool.task.kind
    wanted = planner.Wanted(
        metric, recipe, budget, shrinkage, toward or "", defensive, level, seed, own, kind
    )

with shell.mistakes_in_words():
    advice = outlooks.advice(pool, wanted)
    outlook = outlooks.outlook(pool, wanted)
plan, curve, title = outlook.plan, outlook.curve, resolve(metric).title
design = plan.method.design.key
filling, pointless = outlook.filling, planner.pointless(plan)
drawn = not pointless and planner.drawable(curve, design)

with pictures:
    if pointless:
        st.warning(f"{pointless} {words.nothing_predicted(pool)}", icon=":material/help:")
    else:
        st.markdown(prospects.promise(plan, pool, title, level, outlook.uniform))
        with st.container(horizontal=True):
            spread = f" ± {words.count(plan.labels_sd)}" if plan.labels_sd else ""
            st.metric("Labels (M)", f"{words.count(plan.expected_labels)}{spread}", border=True)
            st.metric(
                f"{title}, {words.share(level)} interval",
                f"± {words.number(planner.half(plan.expected_width))}",
                border=True,
            )
            st.metric("Certain to be asked", words.count(plan.saturated.sum()), border=True)
    if drawn:
        by = shell.choice("Show", {"width": "Interval width", "error": "Expected error"}, key="shown")
        charts.chart(
            plots.curves(curve, quantity=by, budget=budget, design=design), curve, key="curves",
            alt="Expected interval width or error against the number of labels, one line a design.",
        )  # fmt: skip
    elif not pointless:
        st.markdown(prospects.too_small(pool.size))

    if not pointless:  # else any figure would contradict the warning
        with st.container(border=True):
            st.markdown("**How many labels for ± x?**")
            ask, answer = st.columns([1, 2], vertical_alignment="center")
            aim = planner.precision(plan)
            within = ask.number_input(
                "± x", aim.step / 10, aim.most, aim.first, aim.step, format="%.4g", key=f"within_{metric}", bind="query-params",
                help="Half the width of the interval: smaller takes more labels.",
            )  # fmt: skip
            likely = outlooks.needed(pool, wanted, within * 2)
            answer.markdown(prospects.needed(likely, within, level))
            with st.container(horizontal=True, vertical_alignment="center"):
                if st.toggle(
                    f"Make ± {words.told(within)} the goal of the study", key="aim", bind="query-params",
                    help="While you label, the study tells how far the goal still is. It can be changed at any time.",
                ):  # fmt: skip
                    wanted = replace(wanted, goal=within)
                for labels, name in ((likely.likely, "likely"), (likely.high, "at worst")):
                    # Not if nothing is known of it, nor the same twice.
                    if labels >= 1 and (name == "likely" or labels > likely.likely):
                        st.button(
                            f"Allow {words.many(labels, 'label')} ({name})", key=f"allow_{name}", type="tertiary",
                            on_click=planner.allow, args=(labels,), icon=":material/arrow_upward:",
                        )  # fmt: skip

    if advice is not None:
        with st.expander("Which λ suits these scores?", icon=":material/balance:"):
            seen = frames.advice(advice)
            charts.chart(
                plots.advice(seen, budget=budget, metric=title), seen, key="advice",
                alt="Expected error against λ over plausible calibrations, the suggested λ and the method's own marked.",
            )  # fmt: skip
            st.caption(
                "Each λ makes another sample. Its error was computed as if the scores were wrong in many plausible ways: "
                "too sharp, too flat, shifted, bent. The least expected error is suggested; no label is needed for this."
            )
    if drawn:
        inclusion, certain = st.columns(2)
        with inclusion:
            charts.chart(
                plots.sorted_inclusion(outlook.inclusion, budget=budget), outlook.inclusion, key="inclusion",
                alt="Inclusion probabilities of Bernoulli and importance sampling in falling order.",
            )  # fmt: skip
        with certain:
            charts.chart(
                plots.certain(curve, design=filling.method.design.key, onset=filling.onset, budget=budget), curve,
                key="certain",
                alt="Share of items that are certain to be asked against the number of labels, its onset marked.",
            )  # fmt: skip

    if not pointless:
        with st.container(border=True):
            st.markdown("**What does it cost?**")
            one, two, three = st.columns(3)
            price = one.number_input(
                "Price of a label", 0.0, None, 0.5, 0.1, key="price", bind="query-params"
            )
            seconds = two.number_input(
                "Seconds for a label", 0.0, None, 20.0, 1.0, key="seconds", bind="query-params"
            )
            currency = three.text_input("Currency", "€", max_chars=4, key="currency", bind="query-params")
            bill = frames.costs(frames.plans([plan]), price=price, seconds=seconds).iloc[0]
            st.markdown(prospects.bill(plan.budget, bill["money"], bill["hours"], currency))
            if drawn:
                priced = frames.costs(curve, price=price, seconds=seconds)
                charts.chart(
                    plots.costs(priced, design=design, budget=budget, currency=words.plain(currency)), priced, key="costs",
                    alt="Interval width against labels, money and hours, beside uniform sampling.",
                )  # fmt: skip
    with st.expander("Formulas", icon=":material/function:"):
        formulas.plan(design)

if advice is not None:
    with suggest:
        st.caption(words.plain(prospects.suggestion(advice)))
        if advice.shrinkage != shrinkage:
            st.button(
                f"Use λ = {advice.shrinkage:g}", key="suggest", icon=":material/auto_fix_high:", type="tertiary",
                on_click=planner.trust, args=(advice.shrinkage,),
            )  # fmt: skip
with settings, st.container(border=True):
    st.markdown("**Start the study**")
    name = st.text_input("Its name", planner.free_name(st.query_params.get("name", "study")), max_chars=80)
    gather = held.ask(pool, learns=wanted.learns)
    start = {
        "type": "primary",
        "icon": ":material/play_arrow:",
        "disabled": bool(pointless),
        "help": pointless or None,
    }
    here = st.button("Create it and start labelling", key="create", **start)
with pictures:
    there = st.button("Next: create the study and start labelling", key="create_below", **start)
    if here or there:
        with shell.mistakes_in_words():
            shell.remember("study", planner.begin(pool, wanted, name, gather()).name)
        shell.go("Label")
    if stores.chosen_record() is not None:
        shell.next_step("Label", f"go on labelling {words.short(shell.recall('study'))}")
