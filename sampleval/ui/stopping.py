"""Stopping when one has seen enough: the switch on the Plan and Results pages, and what it costs."""

from __future__ import annotations

import streamlit as st

from sampleval.designs import DESIGNS
from sampleval.estimators import PosteriorPredictive
from sampleval.intervals import INTERVALS, suited
from sampleval.metrics import resolve
from sampleval.pool import Pool
from sampleval.presets import Method, watchable
from sampleval.study import Estimate, Study
from sampleval.study.conclusions.anytime import WHERE_KNOWN, Obstacle, obstacle
from sampleval.study.conclusions.future import About
from sampleval.ui import address, words
from sampleval.ui.memo import once

FAMILY = "anytime"
KEY = "anytime"  # of the switch on the Plan page, also in the address
SWITCH = "I’ll stop when I’ve seen enough"  # as sentences about stopping name it
WHY = (
    "An interval for a fixed number of labels misses more often than it promises if you look again and again and "
    "stop when you like what you see. The intervals behind this switch hold at all looks at once."
)
MODELLED = (  # the assumption behind the promise, where it is not a theorem
    "Here they rest on the model of how far scores can be trusted: their promise of 90% was kept in 98 of 100 "
    "simulated studies, and in 94 of 100 with bad scores."
)


def ask(pool: Pool, metric: str, method: Method) -> bool:
    """Ask whether a new study is to be watched: its intervals then hold at every look, beside the labelling too."""
    found = obstacle(pool, method) if method.predicts or resolve(metric).counts.share else "kind"
    if found is not None:
        told = excuse(found, method).removesuffix(".").replace("They", "intervals that hold at every look", 1)
        address.unasked(KEY, instead=told)
    watched = switch(KEY, found, method, grey="no_watching")
    if watched:
        st.caption(
            "Such intervals are wider than the ± of this plan, which is for a number of labels fixed beforehand. On Results they "
            "can be switched off."
        )
    return watched


def toggle(study: Study, about: About) -> bool:
    """Ask whether this person stops when they have seen enough."""
    found = obstacle_of(study, about)
    return switch("shown_anytime", found, study.method, study.method.interval == FAMILY, grey="no_anytime")


def switch(key: str, found: Obstacle | None, method: Method, usual: bool = False, *, grey: str) -> bool:
    """The switch. Without such intervals it is off, with the reason that was found.

    Then it has another key, `grey`: what was switched on elsewhere must not look as if it were heeded.
    """
    if found is not None:
        return st.toggle(SWITCH, key=grey, disabled=True, help=f"{WHY} {excuse(found, method)}")
    why = f"{WHY} {MODELLED}" if method.predicts else WHY
    return st.toggle(SWITCH, usual, **address.switch(key), help=why)


def unheeded(study: Study, about: About) -> None:
    """Say which intervals the page shows where those for any look are not known, which the switch tells only when pointed at.

    About future items alone they are missing by the user's own choice; else only an address can ask for them.
    """
    found = obstacle_of(study, about)
    told = st.query_params.get("shown_anytime", "true" if study.method.interval == FAMILY else "")
    if found == "future":
        said = "Intervals that hold at every look are known for statements about this pool only. "
        said += "Those about future items hold for a number of labels fixed beforehand"
        if told == "true":
            st.warning(f"{said}: if you stop because of what you see, rely on those about this pool.")
        else:
            st.caption(f"{said}.")
    elif found is not None and told == "true":
        said = f"The address asks for intervals that hold at every look. {excuse(found, study.method)}"
        st.warning(said, icon=":material/link_off:")


def obstacle_of(study: Study, about: About) -> Obstacle | None:
    """The reason why this study has no such intervals for statements of this kind; `None` if it has."""
    return obstacle(study.pool, study.method, about, stochastic=study.state.problem.stochastic)


def excuse(found: Obstacle, method: Method) -> str:
    """Why this study has no such intervals, in the words of the page."""
    if found != "design":
        return f"They are known {WHERE_KNOWN[found]}."
    able = ", ".join(kind.title for kind in DESIGNS.values() if watchable(kind()))
    return (
        f"They are not known yet for this study ({method.design.title}), only for {able}, and where the "
        f"estimate is “{PosteriorPredictive.title}”."
    )


def price(study: Study, main: Estimate) -> None:
    """Show in one sentence what stopping at will costs in this study now; show nothing if it is not offered."""
    if obstacle_of(study, main.about):
        return
    taken = main.interval.method == FAMILY
    # The kind of interval that the page shows, which need not be the usual one.
    fixed = _estimate(study, main, study.method.fixed) if taken else main
    st.caption(cost(_estimate(study, main, FAMILY), fixed, taken=taken))


def cost(free: Estimate, fixed: Estimate, *, taken: bool) -> str:
    """How much wider an interval for any look is than one for a fixed number of labels; the first is shown if it is `taken`.

    >>> from sampleval.intervals import Interval
    >>> e = [Estimate("f1", 0.8, 0.01, Interval(a, 0.9, 0.9, "x"), 100, "ht") for a in (0.5, 0.7)]
    >>> print(cost(*e, taken=True))
    You may stop whenever you like; the price now is an interval 2 × as wide as one for exactly 100 answers (0.400 in place of 0.200).
    """
    wide, narrow = free.interval.width, fixed.interval.width
    if 0 in (wide, narrow):
        return "You may stop now: no label left could change this."
    if not free.interval.known:
        return f"No interval here allows for “{SWITCH}”: {free.interval.note or 'the labels cannot tell'}."
    if not 0 < narrow < wide:
        return "You may stop at any look: the interval that holds at all of them is no wider now."
    times = f"{words.brief(wide / narrow)} × as wide"
    instead = f"({words.number(wide)} in place of {words.number(narrow)})"
    if taken:
        fixed_at = f"one for exactly {words.many(free.labels, 'answer')}"
        return (
            f"You may stop whenever you like; the price now is an interval {times} as {fixed_at} {instead}."
        )
    return f"To stop as soon as you like what you see, switch on “{SWITCH}”: the interval would be {times} now {instead}."


def kinds(study: Study) -> list[str]:
    """The kinds of interval, for a fixed number of labels, that some metric of this study has; the usual one comes first."""
    suit = {suited(key, study.metric(name).range) for key in INTERVALS for name in study.scalars}
    able = suit - ({FAMILY} if study.method.predicts else {FAMILY, "posterior"})
    # What stands in for the study's own kind, where no metric has that one.
    first = next(key for key in (study.method.fixed, "log-normal", "normal") if key in able)
    return [first, *(key for key in INTERVALS if key in able - {first})]


def family(study: Study, kind: str) -> str:
    """The family to ask the study for where this kind is chosen: for the usual one its own, so that estimates note what stands in for it."""
    return study.method.fixed if kind == kinds(study)[0] else kind


def help_on_kinds(offered: list[str], *, anytime: bool) -> str | None:
    """What to say beside the kinds of interval on offer (keys in `INTERVALS`); `anytime` if those for any look are shown."""
    if anytime:
        return f"Not while “{SWITCH}” is on: its intervals, which hold at all looks at once, are of one kind."
    if "beta" in offered:
        return "Beta intervals fail where positives are rare: they contain the true value far less often than they promise."
    return None


def _estimate(study: Study, main: Estimate, family: str) -> Estimate:
    """The main estimate with an interval of this family at the same level."""
    level = main.interval.level
    return once(
        study,
        ("price", main.metric, level, family),
        lambda: study.estimate(main.metric, level=level, interval=family),
    )
