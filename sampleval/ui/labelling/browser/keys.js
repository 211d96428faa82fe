// Which presses are meant for labelling.

const GUARD_MS = 250; // a press this soon after an item appeared was not meant for that item
const BY_FINGER = matchMedia("(any-hover: none)").matches; // as a rule there is no keyboard then: of keys nothing is said

/** Whether keys pressed here belong to a field of the page. */
function isTyping(target) {
  if (target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT") return true;
  if (target.tagName === "INPUT") return !["checkbox", "radio", "button", "submit"].includes(target.type);
  return Boolean(target.closest?.("[role=textbox],[role=combobox],[role=listbox],[role=grid],[role=slider]"));
}

/**
 * Whether the key belongs to a text that is being composed, as in Japanese. In Safari the one that ends it comes when the
 * event no longer says so, with the code that every key has for an input method.
 */
function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

/** Whether a dialog (the page's own, or Streamlit's "Connection error") stands between the annotator and the item. */
function isCovered() {
  return document.querySelector("[role=dialog]") !== null;
}

/** Whether at least half of it is on the screen, below the page's header, or half of what fits there. */
function isInSight(element) {
  const { top, bottom, height } = element.getBoundingClientRect();
  const covered = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  return Math.min(bottom, innerHeight) - Math.max(top, covered) >= Math.min(height, innerHeight - covered) / 2;
}

/**
 * What a key stands for: "1" for the key that prints 1, also where the unshifted number row prints something else (French
 * keyboards); the Latin letter printed on it where the keyboard writes Greek, Cyrillic, Arabic or Hebrew.
 */
function keyName(event) {
  const digit = !event.shiftKey && /^Digit(\d)$/.exec(event.code);
  if (digit) return digit[1];
  const letter = !/^[\p{Script=Latin}\p{ASCII}]/u.test(event.key) && /^Key([A-Z])$/.exec(event.code);
  return (letter ? letter[1] : event.key).toLowerCase().replace("؟", "?");
}
