// The page as a whole is no stop on the way by Tab: it has no frame there, and the arrows scroll it from anything on it.
document.querySelector("[data-testid=stMain]")?.setAttribute("tabindex", "-1");

// What opens above the page is built at the document's end. If a press there takes it away together with the button that opened
// it, as Delete does, the next Tab would begin anew above the navigation. If it takes away only what was in use there, as Rename
// does, that button has the keyboard.
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
