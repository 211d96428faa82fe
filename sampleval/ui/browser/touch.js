// A finger that scrolls the page over a chart would zoom into it instead, and its axes would be others. A browser scrolls, and
// turns a mere touch into that of a mouse, where nobody listens to fingers.
if (!window.fingersScroll) {
  window.fingersScroll = true;
  const leave = (event) => { if (event.target.closest?.(".js-plotly-plot .draglayer")) event.stopImmediatePropagation(); };
  window.addEventListener("touchstart", leave, { capture: true, passive: true });
}
