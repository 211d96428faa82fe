"""What the address says of controls: of switches and numbers, which Streamlit binds to it, and of options and texts.

Streamlit silently drops what such a control does not accept, so it is checked here. What the page itself has put there is
known, so that it notices when the browser's back button has removed some of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Hashable, Iterable, Sequence
from typing import Any, Generic, Literal, TypedDict, TypeVar

import streamlit as st

from sampleval.ui import words

N = TypeVar("N", int, float)
Then = Callable[[], None] | None  # what else to do after a change
USUAL = "the usual choice is used"  # in place of what a link asks for in vain


class Bound(TypedDict):
    """Arguments for a control whose value Streamlit keeps in the address."""

    key: str
    bind: Literal["query-params"]


class Span(Bound, Generic[N]):
    """The same for a number control."""

    min_value: N | None
    max_value: N | None


class Switch(Bound):
    """The same for a switch."""

    on_change: Then


class Tie(TypedDict):
    """The same for a control whose value this module keeps there."""

    key: str
    on_change: Callable[[], None]


def begin_page(page: str, *, linked: bool) -> set[str]:
    """Begin a run of a page (key in `PAGES`) and return the keys that the back button has removed from the address.

    A link carries none of the page's choices. If one is known to have led here, they are kept, as on the way from another
    page, and the address is told them again. The button undoes one choice at a time; if more are gone, a link left them out.
    """
    before, told = _begun()
    gone = set(told - st.query_params.keys())
    if linked or page != before or len(gone) > 1:
        gone, told = set(), set()
    st.session_state["_address"] = page, told & st.query_params.keys()
    return gone


def _begun() -> tuple[str, set[str]]:
    """The page that was begun last, "" for none, and the keys that it has put into the address."""
    begun: tuple[str, set[str]] = st.session_state.setdefault("_address", ("", set()))
    return begun


def _in_address() -> set[str]:
    """The keys that this page has put into the address, as a set that can be changed."""
    return _begun()[1]


def recall(key: str) -> str:
    """The value of `key`, e.g. "pool" or "study", in the URL or else in this session; "" if neither has one."""
    if value := st.query_params.get(key, ""):
        st.session_state[f"_{key}"] = value
    return carried(key)


def remember(key: str, value: str) -> None:
    """Put the value of `key` into the URL and the session; "" removes it."""
    st.session_state[f"_{key}"] = value
    if value:
        st.query_params[key] = value
        _in_address().add(key)
    else:
        st.query_params.pop(key, None)
        _in_address().discard(key)


def carry(key: str, value: str) -> None:
    """Remember the value of `key` for the page that `shell.go` leads to next, whose address has it; "" for none.

    Put into this page's address first, each would cost one more press of the back button.
    """
    st.session_state[f"_{key}"] = value


def carried(key: str) -> str:
    """The value of `key` that `go` carries along, which is newer than what the address holds; "" if there is none."""
    return str(st.session_state.get(f"_{key}", ""))


def refused(key: str, told: str, *, instead: str = USUAL) -> None:
    """Say at the top, since a control may be folded away, what a link asks for and this page cannot do."""
    if told and key in st.query_params.keys() - _in_address():
        said = f"The address says {key} = {words.short(told)}, which cannot be chosen here: {instead}."
        st.session_state["_top"].warning(words.plain(said), icon=":material/link_off:")


def unasked(key: str, *, instead: str = USUAL) -> None:
    """Say the same of a control that this page lacks at the moment, unless it had it before: then a choice here took it away."""
    if key not in st.session_state:
        refused(key, st.query_params.get(key, ""), instead=instead)


def switch(key: str, then: Then = None) -> Switch:
    """Arguments that tie a switch to the address. What is there neither "true" nor "false" is refused with a message."""
    told = st.query_params.get(key, "")
    if told.lower() not in ("true", "false"):
        refused(key, told)
    return Switch(key=key, bind="query-params", on_change=then and on_its_page(then))


def several(key: str, options: Container[str]) -> Bound:
    """The same for a control for several options, each of them a value of its own in the address."""
    told = st.query_params.get_all(key)
    strange = [name for name in told if name not in options]
    instead = "the others are" if len(strange) < len(told) else USUAL
    refused(key, ", ".join(strange), instead=instead)
    return Bound(key=key, bind="query-params")


def number(key: str, least: N | None, most: N | None = None) -> Span[N]:
    """The same for a number control that accepts numbers between these limits, of which `None` is none."""
    # What was chosen here is no link's: its limits may have moved since.
    told = "" if key in st.session_state else st.query_params.get(key, "")
    if not taken(told, least, most):
        refused(key, told)
    elif isinstance(least, int) and not float(told).is_integer():
        refused(key, told, instead=f"{int(float(told))} is used")
    return Span(min_value=least, max_value=most, key=key, bind="query-params")


def taken(text: str, least: float | None, most: float | None = None) -> bool:
    """Whether a text is a number between these limits, of which `None` is none.

    >>> taken("3.5", 0), taken("3.5", 0, 3), taken("-1", 0), taken("inf", 0), taken("", 0), taken("-1", None)
    (True, False, False, False, False, True)
    """
    try:
        value = float(text)
    except ValueError:
        return False
    least, most = -math.inf if least is None else least, math.inf if most is None else most
    return math.isfinite(value) and least <= value <= most


def named(key: str, options: Iterable[Hashable], default: Hashable = None) -> Hashable:
    """The option that the address names, or the default, which is left out of it; `None` for the first one."""
    known, usual = {str(option): option for option in options}, str(_usual(options, default))
    told = recall(key)
    if told not in known:
        refused(key, told)
    # Back from another page, the address has to be told again. The usual choice may stay in a link that spells it out:
    # each change would cost one more press of the back button.
    spelt = told in known and (told != usual or key in st.query_params)
    remember(key, told if spelt else "")
    return known.get(told, known.get(usual))


def _usual(options: Iterable[Hashable], default: Hashable) -> Hashable:
    """The default, or else the first option; `None` if there is none."""
    return next(iter(options), None) if default is None else default


def on_its_page(act: Callable[[], object]) -> Callable[[], None]:
    """A control's callback that does nothing once another page is shown.

    After two quick presses of the back button the browser still reports the controls of the page that was left. The server
    has forgotten them by then, and takes each for changed.
    """
    page, _ = _begun()

    def _acted() -> None:
        if _begun()[0] == page:
            act()

    return _acted


def tied(key: str, spelt: Callable[[Any], str] = str, then: Then = None, *, control: str = "") -> Tie:
    """Arguments by which the address gets a control's value, so spelt, after each change.

    The `control` may have a key of its own. Where what it proposes changes by itself, its key must change along: a browser
    that has not heard yet of what is proposed now reports what was, as if somebody had chosen that.
    """
    control = control or key

    def keep() -> None:
        if control not in st.session_state:  # it is gone by now
            return
        remember(key, spelt(st.session_state[control]))
        if then is not None:
            then()

    return Tie(key=control, on_change=on_its_page(keep))


def bound(key: str, options: Iterable[Hashable], default: Hashable = None, *, then: Then = None) -> Tie:
    """Arguments that tie a control for one of several options to the address, under the option's key and not its title.

    An address that names none of the options means the default, which is left out of it; by default it is the first one.
    A control that binds itself to the address would put there what it shows: "1,000" and "F1 score". Such links
    break when words are changed, and no other page could write them.
    """
    st.session_state[key] = named(key, options, default)
    usual = _usual(options, default)
    return tied(key, lambda chosen: "" if chosen == usual else str(chosen), then)


def bound_several(
    key: str, options: Iterable[str], default: Sequence[str], *, most: int | None = None, then: Then = None
) -> Tie:
    """The same for a control for several options, at `most` so many. The address lists them with commas; "," means none."""
    known, told = set(options), list(dict.fromkeys(recall(key).split(",")))
    chosen = [name for name in told if name in known][:most]
    instead = "the others are" if chosen else USUAL
    refused(key, ", ".join(name for name in told if name and name not in chosen), instead=instead)
    usual = [name for name in default if name in known][:most]
    st.session_state[key] = shown = chosen if chosen or recall(key) == "," else usual
    remember(key, "" if shown == usual else _listed(shown))
    return tied(key, _listed, then)


def _listed(names: Sequence[str]) -> str:
    return ",".join(names) or ","


def typed(key: str, default: str = "") -> Tie:
    """The same for a control that accepts any text. It follows the default until somebody types."""
    told = recall(key)
    st.session_state[key] = told or default
    remember(key, told)
    return tied(key)
