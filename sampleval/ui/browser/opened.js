// From the button that opened something, the next Tab would go through the rest of the page before it came there. While the
// keyboard is elsewhere, the frontend takes what was opened out of the way by Tab, and keeps the former `tabindex` aside.
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
