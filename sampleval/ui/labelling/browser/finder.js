// A search among more classes than there are digits.

/** Text as a search compares it: “arger” finds “Ärger”. */
function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * A search field over the items of a list, and a line that says if it finds none: arrows move, Enter picks, Enter in the
 * empty field calls `enterEmpty`. Both calls tell whether the item on show was answered by it; `leave` takes the keyboard.
 */
function finder(items, names, pick, enterEmpty, leave) {
  const field = make("input", { type: "search", dir: "auto", "aria-label": "Search the classes", placeholder: `${BY_FINGER ? "Search" : "Press / to search"} ${names.length.toLocaleString("en")} classes` });
  const nothing = make("div", { class: "nothing", role: "status" });
  const said = make("div", { class: "said", role: "status" }); // the keyboard stays in the field
  const plain = names.map(folded);
  let active = null;
  const mark = (item) => {
    active?.classList.remove("active");
    active = item ?? null;
    active?.classList.add("active");
    said.textContent = active ? names[items.indexOf(active)] : "";
    active?.scrollIntoView({ block: "nearest" });
  };
  const filter = () => {
    const wanted = folded(field.value.trim());
    const parts = wanted.split(/\s+/); // “spotted j” finds “spotted finch j”
    items.forEach((item, index) => (item.hidden = !parts.every((part) => plain[index].includes(part))));
    const first = plain.findIndex((name) => name.startsWith(wanted));
    nothing.textContent = items.every((item) => item.hidden) ? "No class has this in its name." : "";
    mark(wanted ? items[first] ?? items.find((item) => !item.hidden) : null);
  };
  const move = (step) => {
    const visible = items.filter((item) => !item.hidden);
    mark(visible[Math.min(Math.max(visible.indexOf(active) + step, 0), visible.length - 1)]);
  };
  field.oninput = filter;
  field.onkeydown = (event) => {
    if (event.key === "/" && !field.value) event.preventDefault(); // pressed once more, for the next of several labels
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (isComposing(event) || !(event.key in steps || ["Enter", "Escape"].includes(event.key))) return;
    event.preventDefault();
    if (event.key in steps) return move(steps[event.key]);
    if (event.repeat) return;
    const index = items.indexOf(active);
    if (event.key === "Enter" && index < 0 && field.value.trim()) return; // nothing is called so: it may be a slip
    field.value = "";
    filter();
    if (event.key === "Escape") return leave();
    const answered = index >= 0 ? pick(index, event.timeStamp) : enterEmpty(event.timeStamp);
    if (answered) leave(); // u, s, ? and n are keys again, and not typed here
  };
  return [field, nothing, said];
}
