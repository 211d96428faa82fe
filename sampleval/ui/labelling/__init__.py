"""Label items by keyboard in the browser, so that no answer is ever lost.

The component shows the first unanswered card of a prefetched queue. One press records the answer in the browser's own
storage, shows the next card at once and sends every answer that Python has not acknowledged yet; it goes on sending
through reloads, dropped connections and server restarts until the answer's uuid comes back in ``acknowledged``.

The caller stores what arrives (a repeated uuid is success) and says so, as `desk.Inbox` does: first what `received` gives;
then, in the same run, what `labelling` returns, after which it reruns.

Nothing here knows the database or computes anything.
"""

import time
from collections.abc import Container, Mapping, Sequence
from importlib import resources
from types import MappingProxyType

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from sampleval.pool import Task
from sampleval.ui.labelling.cards import Card, Field, card_data
from sampleval.ui.labelling.messages import Message, messages_in

__all__ = ["Card", "Field", "Message", "labelling", "received"]

_SCRIPTS = (
    "ledger.js",
    "cards.js",
    "keys.js",
    "finder.js",
    "numbers.js",
    "notes.js",
    "controls.js",
    "component.js",
)


def labelling(
    cards: Sequence[Card],
    *,
    task: Task,
    acknowledged: Container[str],
    refused: Mapping[str, str] = MappingProxyType({}),
    usual: tuple[float, float] | None = None,
    study: str,
    annotator: str,
    key: str,
) -> tuple[Message, ...]:
    """Show the queue and return the messages that are not acknowledged yet, oldest first.

    Compute ``acknowledged`` before ``cards`` in every run: the browser hides an item while its answer is on its way and
    believes the cards again once the answer is acknowledged.

    Args:
        cards: The next unanswered items (about 20), an item taken back by undo first. Empty at the end of the queue.
        task: What the annotator is asked.
        acknowledged: Uuids that need not be sent again: all that are stored, and those refused for good. Only ``in`` is
            used, so it may be a set or a view on the database. Acknowledgements must not be withdrawn.
        refused: Those of them that are not stored → the reason, shown by the caller below the component; "" for an undo
            with nothing to take back.
        usual: The range in which an answer is expected; a number outside counts only at a second press.
        study: Name of the study; with ``annotator`` it separates the answers kept in one browser.
        annotator: Who answers; may be empty.
        key: Streamlit key of the component.

    Returns:
        Messages to store now. After storing any, call ``st.rerun()`` so that the browser learns of it.
    """
    held = received(study=study, annotator=annotator, key=key)
    result = _component()(
        key=key,
        data={
            "study": study,
            "annotator": annotator,
            "task": {"kind": task.kind, "classes": list(task.classes)},
            "cards": [card_data(card) for card in cards],
            "usual": usual and list(usual),
            "run": time.monotonic_ns(),  # the browser only looks at data that differ from the last
            "acknowledged": [each.uuid for each in held if each.uuid in acknowledged],
            "refused": {each.uuid: refused[each.uuid] for each in held if each.uuid in refused},
        },
        # Streamlit exposes a component's state key only if a callback names it.
        on_outbox_change=lambda: None,
    )
    # The value is read here and not in a callback: after a server restart it arrives without one.
    messages = messages_in(result.get("outbox"), study=study, annotator=annotator)
    return tuple(each for each in messages if each.uuid not in acknowledged)


def received(*, study: str, annotator: str, key: str) -> tuple[Message, ...]:
    """Return the messages that came with this run, before the component is mounted.

    Storing these first lets one run do the work of two: the cards and the progress then already know them, and no rerun
    is needed. Inside ``st.fragment`` it is needed: a full rerun after every answer now and then takes the component off
    the page for a moment, and a press in that moment is not heard. It does not replace what `labelling` returns: in a
    fresh session (reload, server restart) Streamlit knows the component's value only after mounting.

    The arguments are those of `labelling`.

    Returns:
        All messages the browser has last sent, oldest first, stored ones included.
    """
    state = st.session_state.get(key)
    outbox = state.get("outbox") if isinstance(state, Mapping) else None
    return messages_in(outbox, study=study, annotator=annotator)


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    """Register the component on first use (importing does nothing) and return its mounting command."""
    folder = resources.files(__package__) / "browser"
    scripts = (folder.joinpath(name).read_text("utf-8") for name in _SCRIPTS)
    css = folder.joinpath("component.css").read_text("utf-8")
    return st.components.v2.component("sampleval.labelling", js="\n".join(scripts), css=css)
