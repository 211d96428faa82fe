"""Label: one item at a time, by keyboard."""

from datetime import timedelta

import streamlit as st

import sampleval as sv
from sampleval.study import Progress, all_known, known_beforehand, progress, room
from sampleval.ui import adaptation, address, goals, pointless, shell, stores, words
from sampleval.ui.labelling import buttons, desk, live, oracle, review, seats
from sampleval.ui.labelling.spreadsheet import spreadsheet

COMPONENT = "desk"


def main() -> None:
    """The page."""
    study, record = stores.chosen_study(), stores.chosen_record()
    if study is None or record is None:
        stores.no_study()
        return
    st.session_state["_whole_run"] = True
    workplace(study, record.id)
    st.session_state["_whole_run"] = False
    shell.next_step("Results", "see the results")


# Because it reruns by itself, if only once a day, a browser that finds a new server asks it for the whole page. Of the
# fragment alone that server knows nothing, and would never hear the answers. It holds no other fragment: when it reruns,
# Streamlit drops what it has not sent of this one, but sends what the other wrote into containers that it has dropped.
@st.fragment(run_every=timedelta(days=1))
def workplace(study: sv.Study, identity: str) -> None:
    """All that changes with a label: the item, the progress, the estimate. Reruns without the rest of the page."""
    with shell.mistakes_in_words():  # here and not around the call: a rerun runs this function alone
        shell.mishap()
        annotator = places(study, identity)
        with st.expander("Label in a spreadsheet or another tool", icon=":material/table_view:"):
            spreadsheet(study, annotator)


def places(study: sv.Study, identity: str) -> str:
    """The item on the left, what helps with it on the right, below each other where the screen is narrow; returns who answers."""
    known = stores.truth(study.pool.fingerprint)
    working = oracle.step(study, known, identity)
    left, right = st.columns([9, 5], gap="large")
    with right:
        beside = st.container()
        annotator, scores, plain = settings()
    with left:
        late = at_work(study, identity, annotator, scores=scores, plain=plain)
        review.disagreements(study, annotator)
        review.correct(study, annotator)
    with beside:
        guidelines(study, annotator)
        # What stands below keeps its place, and with it the keyboard, when more is said here.
        with st.container():
            live.live_estimate(study, identity)
            adaptation.moved(study)
        # Of items whose label it does not know the oracle would say "unsure", at the cost of the budget.
        if known is not None and (at := progress(study.state)).rest:
            oracle.controls(at.rest, at.budget)
    if late or working:
        whole = st.session_state.get("_whole_run", True)
        st.rerun(scope="app" if whole else "fragment")
    return annotator


def settings() -> tuple[str, bool, bool]:
    """Who answers, whether the model's score is shown, and whether ordinary buttons replace the keyboard."""
    with st.expander("Your name and view", icon=":material/tune:"):
        name = seats.name(
            "Your name (optional)",
            help="Stored with each answer. Undo reaches your own answers only. People who label at the same time need "
            "different names: then they get different items, as long as the round has items that nobody else has on "
            "screen. Rounds can be small: the Plan page makes them larger for many people.",
        )
        scores = st.toggle(
            "Show what the model says",
            **address.switch("scores"),
            help="Off is better: seeing the model's score pulls labels towards it.",
        )
        plain = st.toggle(
            "Ordinary buttons",
            **address.switch("plain"),
            help="For screen readers, or where the keyboard desk does not appear.",
        )
    return name, scores, plain


def at_work(study: sv.Study, identity: str, annotator: str, *, scores: bool, plain: bool) -> int:
    """The item to label, or what to do when there is none; how many answers came late.

    While the storage is away the desk stays, with the items it had: it keeps the answers and sends them again.
    """
    inbox = desk.inbox(study, identity, annotator)
    with inbox.patience():
        inbox.collect(COMPONENT)
        inbox.items = seats.offered(study, identity, annotator, desk.PREFETCH)
        if (record := stores.chosen_record()) is not None and record.name != study.name:
            st.rerun()  # renamed elsewhere: from here on the address has the new name, for a reload too
    items, cards = inbox.items, desk.ahead(desk.cards(study, inbox.items, scores=scores))
    headline(study.name, progress(study.state, annotator=annotator))
    if not items and not inbox.away:
        finished(study)
    late = 0
    if plain and items:
        buttons.plain_buttons(study, items[0], cards[0], annotator=annotator)
    else:
        late = inbox.mount(cards, key=COMPONENT)
    if items and not inbox.away and (hint := seats.crowded(study, identity, annotator)):
        st.caption(words.plain(hint))
    for complaint in (*inbox.complaints, *inbox.overtaken):
        st.warning(words.sentence(complaint), icon=":material/warning:")
    if inbox.away:
        kept = "The answers are kept in this browser, which sends them again until they are stored."
        again = "All earlier answers are stored; press again in a moment."
        st.warning(f"{words.sentence(inbox.away)} {again if plain else kept}", icon=":material/cloud_off:")
        st.stop()  # the rest would ask the storage, too
    return late


def headline(name: str, at: Progress) -> None:
    """Which study, how far, how fast, how long still."""
    parts = [words.name(words.short(name)), f"**{words.answered(at)}**"]
    if at.round > 1:
        parts.append(f"round {at.round}")
    if at.left > 0:  # known, and not all done
        parts += [f"{at.seconds:.1f} s each", f"{words.roughly(at.left / 3600)} left"]
    st.progress(at.share, text=" · ".join(parts))


def finished(study: sv.Study) -> None:
    """The budget is used up, or nothing is left that matters: conclude, or extend it."""
    at = progress(study.state)
    if not at.labels and known_beforehand(study.state):
        st.success(
            "Nothing is left to ask: every label that matters was known beforehand.",
            icon=":material/check_circle:",
        )
        return
    if not at.labels:
        st.warning(pointless.nothing_here(study), icon=":material/help:")
        return
    done = (
        "every item of this budget has an answer"
        if at.labels >= study.budget
        else "every item that was to be asked has an answer; these are fewer than the budget allows"
    )
    st.success(f"Done: {done}.", icon=":material/check_circle:")
    shell.next_step("Results", "look at the results")
    rest = room(study.state)
    if not rest:
        why = "no other label can change what is to be estimated"
        if all_known(study.state):
            why = "the whole pool has its labels"
        elif study.budget >= study.state.problem.population:  # some skipped, or drawn again
            why = "there are as many answers as there were items to ask"
        st.caption(f"Nothing is left to ask: {why}.")
        return
    with st.form("extend", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        more = st.number_input("More labels", 1, rest, goals.proposed(study), key="more_labels", width=180)
        if st.form_submit_button("Extend the budget", icon=":material/add:"):
            goals.extend(study, int(more))


def guidelines(study: sv.Study, annotator: str) -> None:
    """What counts as what, for all who label; kept with the study."""
    text = study.state.guidelines
    with st.expander("Guidelines", icon=":material/menu_book:", expanded=bool(text)):
        if text:
            st.text(text, width="stretch")
        with (
            st.popover("Edit" if text else "Write guidelines", icon=":material/edit:"),
            st.form("guide", border=False),
        ):
            said = st.text_area(
                "What counts as what?",
                value=text,
                height=240,
                key=f"guide_text_{hash(text)}",  # anew once somebody else has saved some
                max_chars=20_000,
            )
            if st.form_submit_button("Save", type="primary"):
                study.guide(said.strip(), annotator=annotator)
                st.rerun()


shell.page("Label")
main()
