"""The frame around every page: navigation, the question of the page, what every link carries along, and the next step.

With a folder named `pages`, the first request to a fresh server runs the page file without `app.py`. So each
page calls `page` first, which registers the navigation itself; doing so twice in a run changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Literal, ParamSpec, TypeVar, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page as StreamlitPage

from sampleval._checks import InputError
from sampleval.ui import address, browser, words
from sampleval.ui.pages import PAGES

K = TypeVar("K", bound=str)
P = ParamSpec("P")
# A picture of our own, and no icons in the navigation: for a Material symbol there the browser asks a server
# elsewhere for the tab's picture.
MARK = Path(__file__).with_name("mark.svg")
# What the URL holds on every page.
IN_URL = ("pool", "study")


def navigation() -> StreamlitPage:
    """Register the pages and return the one that the URL asks for."""
    (first, start), *others = PAGES.items()
    pages = [
        st.Page(start.file, title=first, help=start.about, url_path="start", default=True),
        *(st.Page(info.file, title=name, help=info.about) for name, info in others),
        # The default page answers at "/" alone; this is the same one for links that spell its name.
        st.Page(start.file, title=first, url_path=first, visibility="hidden"),
    ]
    return st.navigation(pages, position="top")


def run() -> None:
    """Run the page that the URL asks for, and show in words what the storage refuses on the way."""
    asked, st.session_state["_framed"] = navigation(), True
    try:
        asked.run()
    except InputError:
        with mistakes_in_words(offer=lambda: st.button("Try again", icon=":material/refresh:")):
            raise  # any press runs the page anew


def page(name: str) -> None:
    """Set up a page (key in `PAGES`): call this first in every page's script."""
    info = PAGES[name]
    st.set_page_config(page_title=f"{name} · sampleval", page_icon=str(MARK), layout="wide")
    navigation()
    if not st.session_state.get("_framed"):
        st.session_state["_framed"] = True
        st.rerun()  # it begins in `app.py`, and so in `run`
    for key in address.begin_page(name, linked=not (chosen := _at_hand()).keys() <= st.query_params.keys()):
        st.session_state.pop(f"_{key}", None)
    st.query_params.update(chosen)  # all at once: each time costs one more press of the browser's back button
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    st.session_state["_top"] = st.container()
    with head:
        st.title(info.question, anchor=False, width="stretch")
        with st.popover("Present", icon=":material/co_present:", type="tertiary"):
            st.toggle(
                "Large type",
                **address.switch("present"),
                help="The address keeps it, as it keeps the settings: share the link.",
            )
            st.caption("For light or dark, use the ⋮ menu at the top right.")
    browser.style(presenting=presenting())
    browser.run(name)
    mishap()


def press(act: Callable[P, object]) -> Callable[P, None]:
    """A callback for a button: if its action is refused, the page is still drawn, and `mishap` shows the reason."""

    def _pressed(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            act(*args, **kwargs)
        except InputError as error:
            st.session_state["_mishap"] = str(error)

    return _pressed


def say(message: str) -> None:
    """Show a passing message once the page is drawn: shown by a callback, before the page, it would take the place of its style."""
    st.session_state["_said"] = message


def mishap() -> None:
    """Show why the last press of a button did nothing, if it was refused, and what it had to say."""
    if said := st.session_state.pop("_mishap", ""):
        st.error(words.sentence(said), icon=":material/error:")
    if said := st.session_state.pop("_said", ""):
        st.toast(said)


def columns(*widths: int, gap: Literal["small", "large"] = "large") -> list[DeltaGenerator]:
    """Columns of these relative widths. Each is a container: chips and buttons right in a column are cut off, not wrapped."""
    return [column.container() for column in st.columns(widths, gap=gap)]


def choice(
    label: str, titles: Mapping[K, str], *, key: str, default: K | None = None, labelled: bool = False
) -> K:
    """Ask for one of several options, shown as a row of buttons with their titles; `default` as in `address.bound`.

    Unless it is `labelled`, the label is for screen readers only.
    """
    st.segmented_control(
        label,
        list(titles),
        required=True,
        format_func=titles.__getitem__,
        label_visibility="visible" if labelled else "collapsed",
        **address.bound(key, titles, default),
    )
    return cast("K", st.session_state[key])


def _at_hand() -> dict[str, str]:
    """The known values of the keys in `IN_URL`."""
    return {key: value for key in IN_URL if (value := address.recall(key))}


def in_url() -> dict[str, str]:
    """The part of the URL that every link to another page carries along."""
    return _at_hand() | ({"present": "true"} if presenting() else {})


def go(name: str, query: Mapping[str, str] = MappingProxyType({})) -> None:
    """Switch to a page (key in `PAGES`) at once, with further parameters of the URL, e.g. settings for its controls."""
    carried = {key: value for key in IN_URL if (value := address.carried(key))}
    # Large type goes along by itself: what a control is bound to, nobody else may put into the address.
    st.switch_page(PAGES[name].file, query_params=carried | dict(query))


def next_step(name: str, label: str, query: Mapping[str, str] = MappingProxyType({})) -> None:
    """Link to the next step, at the end of a page, with what to do there, e.g. "plan the labelling"; for the rest see `go`."""
    st.page_link(
        PAGES[name].file,
        label=f"**Next: {words.plain(label)}**",
        icon=":material/arrow_forward:",
        query_params=in_url() | dict(query),
    )


def presenting() -> bool:
    """Whether the page is presented to a room in larger type, because the URL has `?present=true`."""
    return bool(st.session_state.get("present"))


@contextmanager
def mistakes_in_words(*, stop: bool = True, offer: Callable[[], object] | None = None) -> Iterator[None]:
    """Show a refused input as a message with its remedy instead of a traceback, and below it what is on offer to help.

    The page stops there unless told not to, as where the rest does without what was refused.
    """
    try:
        yield
    except ValueError as error:  # an InputError, or what a library says of what somebody typed
        st.error(words.sentence(error), icon=":material/error:")
        if offer is not None:
            offer()
        if stop:
            st.stop()
