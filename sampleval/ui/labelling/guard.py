"""Presses of ordinary buttons count for what was on screen: the second of two quick ones would answer an item unseen.

A press says nothing of what it was meant for: Python runs what it drew last, which may be on its way to the browser still. So
the browser is told, in hidden fields, what it shows, and sends these along with every press; what it does not show yet, no
press reaches. What it has only just shown, its script keeps from presses, as the desk does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sampleval.ui import shell

TOLD = "told"  # begins the keys of hidden fields; `style.PLAIN` hides them

# The time runs from when all of the item is painted, its pictures too, to when the finger or key went down. A held Enter
# presses again and again. What is picked or typed, and shown before it is sent, is let through.
_SCRIPT = """<script>{
  const TOO_SOON_MS = 250;  // as at the desk
  const place = document.querySelector(".st-key-PLACE_desk");
  const item = () => place.querySelector(".st-key-PLACE_shown");
  const pictures = () => [...item()?.querySelectorAll("img") ?? []];
  const look = () => [
    ...[...place.querySelectorAll("[class*=st-key-told_] input")].map(field => field.value),
    ...[...item()?.querySelectorAll("[data-testid=stText]") ?? []].map(text => text.textContent),
    ...pictures().map(picture => picture.src),
  ].join("\\n");
  const sends = target => target.closest("[data-testid=stButton] button, [data-testid=stFormSubmitButton] button");
  let seen = look(), shownAt = -Infinity, down = null;
  const shown = () => {
    shownAt = Infinity;  // until it is painted
    requestAnimationFrame(() => { shownAt = performance.now(); });
  };
  const refuse = event => { event.preventDefault(); event.stopPropagation(); };
  const soon = stamp => stamp - shownAt < TOO_SOON_MS || pictures().some(picture => !picture.complete);
  const hear = (kind, act) => place.addEventListener(kind, event => place.matches(".st-key-PLACE_desk") && act(event), true);
  // Screen readers hear the next item, as at the desk: that a press changed something above, nobody would tell them.
  item()?.setAttribute("aria-live", "polite");
  if (!place.dataset.guarded) {
    place.dataset.guarded = "true";
    new MutationObserver(() => {
      const now = look();
      if (now !== seen) shown();
      seen = now;
    }).observe(place, { subtree: true, childList: true, characterData: true, attributeFilter: ["src", "value"] });
    hear("load", event => { if (item()?.contains(event.target)) shown(); });
    hear("pointerdown", event => { down = event.timeStamp; });
    hear("pointercancel", () => { down = null; });
    hear("keydown", event => {
      if (event.key !== "Enter" && event.key !== " ") return;
      if (!event.repeat) down = event.timeStamp;
      const enters = event.key === "Enter" && (sends(event.target) || event.target.matches("input"));
      if (enters && (event.repeat || soon(down))) refuse(event);
    });
    hear("click", event => {
      const stamp = down ?? event.timeStamp;  // screen readers click without a finger or a key
      down = null;
      if (sends(event.target) && soon(stamp)) refuse(event);
    });
  }
}</script>"""


@contextmanager
def desk(place: str) -> Iterator[DeltaGenerator]:
    """Guard the presses of what is drawn meanwhile, at a place of this key; gives the box for the item that they are about."""
    with st.container(key=f"{place}_desk"):
        yield st.container(border=True, key=f"{place}_shown")
        st.html(_SCRIPT.replace("PLACE", place), unsafe_allow_javascript=True)


def told(key: str, what: str | None = None) -> None:
    """Tell the browser something that comes back under this key with every press; by default what the session has there."""
    if what is not None:
        st.session_state[key] = what
    with st.container(key=f"{TOLD}_{key}"):
        st.text_input("Shown", key=key, label_visibility="collapsed")


def too_soon(key: str, what: str) -> bool:
    """Whether a press came from a browser that did not show this yet; says so, since the press does not count."""
    soon = st.session_state.get(key) != what
    if soon:
        shell.say("Too soon: that press did not count")
    return soon
