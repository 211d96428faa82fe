// The time runs from when all of the item is painted, its pictures too, to when the finger or key went down. A held Enter
// presses again and again. What is picked or typed, and shown before it is sent, is let through. PLACE is the key of the desk.
{
  const TOO_SOON_MS = 250;  // as at the desk
  const place = document.querySelector(".st-key-PLACE_desk");
  const item = () => place.querySelector(".st-key-PLACE_shown");
  const pictures = () => [...item()?.querySelectorAll("img") ?? []];
  const look = () => [
    ...[...place.querySelectorAll("[class*=st-key-told_] input")].map(field => field.value),
    ...[...item()?.querySelectorAll("[data-testid=stText]") ?? []].map(text => text.textContent),
    ...pictures().map(picture => picture.src),
  ].join("\n");
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
}
