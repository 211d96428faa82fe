"""What every page has the browser do: begin at the top, print, scroll under a finger, and stay translated.

Streamlit would leave a new page scrolled as far as the last one was, and the next Tab would go to whatever stands where
the pressed button was.
"""

from __future__ import annotations

import streamlit as st

# Takes no room. A browser runs a script anew when its text changes: with the visit's number in it, once a visit.
_MARK = """<style>[data-testid=stElementContainer]:has(> [data-testid=stHtml] > .arrival) { display: none; }</style>
<i class="arrival" data-visit="%d"></i>"""
# The page as a whole is no stop on the way by Tab: it has no frame there, and the arrows scroll it from anything on it.
_NO_STOP = (
    """<script>document.querySelector("[data-testid=stMain]")?.setAttribute("tabindex", "-1");</script>"""
)
# What opens above the page is built at the document's end. If a press there takes it away together with the button that opened
# it, as Delete does, the next Tab would begin anew above the navigation. If it takes away only what was in use there, as Rename
# does, that button has the keyboard.
_NOT_LOST = """<script>
if (!window.keptKeyboard) {
  window.keptKeyboard = true;
  const page = () => document.querySelector("[data-testid=stMain]");
  let above = null;
  document.addEventListener("focusin", ({ target }) => { above = page()?.closest("#root")?.contains(target) ? null : target; });
  const left = () => document.querySelector("[data-testid=stPopoverButton][aria-expanded=true]") ?? page();
  const keep = () => { if (document.activeElement === document.body) left()?.focus({ preventScroll: true }); };
  new MutationObserver(() => {
    if (!above || above.isConnected) return;
    above = null;
    setTimeout(keep, 200);  // unless it is given back by then
  }).observe(document.body, { childList: true, subtree: true });
}
</script>"""
# From the button that opened something, the next Tab would go through the rest of the page before it came there. While the
# keyboard is elsewhere, the frontend takes what was opened out of the way by Tab, and keeps the former `tabindex` aside.
_NEXT_TO_ITS_BUTTON = """<script>
if (!window.openedNextToItsButton) {
  window.openedNextToItsButton = true;
  const stops = (box) => [...box.querySelectorAll("a[href], button, input, textarea, summary, [tabindex]")].filter(
    (stop) => (stop.dataset.tabindex ?? stop.tabIndex) !== -1 && !stop.disabled && stop.getClientRects().length);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.ctrlKey || event.altKey || event.metaKey) return;
    const box = document.querySelector("[data-testid=stPopoverBody]");
    const button = document.querySelector("[data-testid=stPopoverButton][aria-expanded=true]");
    if (!box || !button) return;
    const all = stops(box), here = document.activeElement, back = event.shiftKey;
    if (here === button && !back && all.length) all[0].focus();
    else if (here === all[0] && back) button.focus();
    else if (here === all.at(-1) && !back) return button.focus();  // from where the browser goes on
    else return;
    event.preventDefault();
  }, true);
}
</script>"""
_TO_TOP = """<script>{
  const main = document.querySelector("[data-testid=stMain]");
  main?.scrollTo(0, 0);
  main?.focus({ preventScroll: true });
}</script>"""
# A finger that scrolls the page over a chart would zoom into it instead, and its axes would be others. A browser scrolls, and
# turns a mere touch into that of a mouse, where nobody listens to fingers.
_SCROLLED = """<script>
if (!window.fingersScroll) {
  window.fingersScroll = true;
  const leave = (event) => { if (event.target.closest?.(".js-plotly-plot .draglayer")) event.stopImmediatePropagation(); };
  window.addEventListener("touchstart", leave, { capture: true, passive: true });
}
</script>"""
# Plotly draws charts as wide as the window, Streamlit makes room for them on paper no wider than the sheet, and a browser
# does not ask them to draw themselves anew. A drawing that says how large it is becomes smaller with its room, instead of
# losing its right. In the window it must not say so for longer: drawn anew, it would be shown as if it had the old size.
_PRINTED = """<script>{
  const each = (change) => () => document.querySelectorAll(".js-plotly-plot .main-svg").forEach(change);
  const size = (drawing) => `0 0 ${drawing.getAttribute("width")} ${drawing.getAttribute("height")}`;
  window.onbeforeprint = each((drawing) => drawing.setAttribute("viewBox", size(drawing)));
  window.onafterprint = each((drawing) => drawing.removeAttribute("viewBox"));
}</script>"""
# A translator puts elements of its own in the place of texts. The frontend writes later texts into those that it made, where
# nobody sees them, or fails as it removes them. So each comes back before it is changed, and is translated anew.
_TRANSLATED = """<script>
if (!Object.hasOwn(Text.prototype, "nodeValue")) {
  const translations = new WeakMap();
  const restore = (node) => translations.get(node)?.replaceWith(node);
  new MutationObserver((changes) => changes.forEach(({ removedNodes: [text], addedNodes: [translation] }) => {
    if (text instanceof Text && translation?.nodeName === "FONT") translations.set(text, translation);
  })).observe(document.body, { childList: true, subtree: true });
  for (const name of ["removeChild", "insertBefore"]) {
    const act = Node.prototype[name];
    Node.prototype[name] = function (...nodes) {
      nodes.forEach(restore);
      return act.apply(this, nodes);
    };
  }
  const value = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  Object.defineProperty(Text.prototype, "nodeValue", { ...value, set(text) {
    restore(this);
    value.set.call(this, text);
  } });
}
</script>"""


def run(page: str) -> None:
    """Run these scripts. A rerun of the same page leaves the scroll position as it is."""
    before, visit = st.session_state.get("_visit", ("", 0))
    if page != before:
        visit += 1
        st.session_state["_visit"] = page, visit
    # All in one, since each element takes room. A session's first page stays where the browser opened it: its address may name a place on it.
    others = _NO_STOP + _NOT_LOST + _NEXT_TO_ITS_BUTTON + _PRINTED + _SCROLLED + _TRANSLATED
    st.html(_MARK % visit + _TO_TOP * (visit > 1) + others, unsafe_allow_javascript=True)
