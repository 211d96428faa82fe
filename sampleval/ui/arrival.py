"""Every page begins at its top, for the keyboard too.

Otherwise Streamlit would leave a new page scrolled as far as the last one was, and the next Tab would go to whatever
stands where the pressed button was.
"""

from __future__ import annotations

import streamlit as st

from sampleval.ui import style, translation

# Takes no room. A browser runs a script anew when its text changes: with the visit's number in it, once a visit.
_MARK = """<style>[data-testid=stElementContainer]:has(> [data-testid=stHtml] > .arrival) { display: none; }</style>
<i class="arrival" data-visit="%d"></i>"""
# The page as a whole is no stop on the way by Tab: it has no frame there, and the arrows scroll it from anything on it.
_NO_STOP = (
    """<script>document.querySelector("[data-testid=stMain]")?.setAttribute("tabindex", "-1");</script>"""
)
# What opens above the page is built at the document's end. If a press there takes it away together with the button that opened
# it, as Delete does, the next Tab would begin anew above the navigation.
_NOT_LOST = """<script>
if (!window.keptKeyboard) {
  window.keptKeyboard = true;
  const page = () => document.querySelector("[data-testid=stMain]");
  let above = null;
  document.addEventListener("focusin", ({ target }) => { above = page()?.closest("#root")?.contains(target) ? null : target; });
  const keep = () => { if (document.activeElement === document.body) page()?.focus({ preventScroll: true }); };
  new MutationObserver(() => {
    if (!above || above.isConnected) return;
    above = null;
    setTimeout(keep, 200);  // unless it is given back by then
  }).observe(document.body, { childList: true, subtree: true });
}
</script>"""
_TO_TOP = """<script>{
  const main = document.querySelector("[data-testid=stMain]");
  main?.scrollTo(0, 0);
  main?.focus({ preventScroll: true });
}</script>"""


def begin_at_top(name: str) -> None:
    """Go to the top if another page was shown before. A rerun of the same page leaves the scroll position as it is."""
    before, visit = st.session_state.get("_visit", ("", 0))
    if name != before:
        visit += 1
        st.session_state["_visit"] = name, visit
    # What prepares charts for paper and for fingers, and texts for a translator, goes along: an element of its own would take room.
    # A session's first page stays where the browser opened it: its address may name a place on it.
    others = _NO_STOP + _NOT_LOST + style.PRINTED + style.SCROLLED + translation.SCRIPT
    st.html(_MARK % visit + _TO_TOP * (visit > 1) + others, unsafe_allow_javascript=True)
