// The component itself: what is shown, which key does what, when the backlog is sent. The Python wrapper joins
// ledger.js, cards.js, keys.js, numbers.js and this file into one module, so there is nothing to build.

const GUARD_MS = 250; // a press this soon after an item appeared was not meant for that item
const OFFLINE_MS = 4000; // without an acknowledgement for this long we say "offline"
const RESEND_MS = [3000, 6000, 12000, 30000]; // growing, because each resend restarts a page script that is still running
const KNOWN_CARDS = 200; // cards kept in memory so that undo can show them without the server
const DIGITS = "1234567890";

/** A class that is a digit has its own key, as have “no” and “yes” for 0 and 1; others are counted through. */
function keysOf(classes) {
  const stand = classes.join() === "no,yes" ? ["0", "1"] : classes.slice(0, DIGITS.length);
  const free = [...DIGITS].filter((digit) => !stand.includes(digit));
  return stand.map((name) => (/^\d$/.test(name) ? name : free.shift()));
}

/** A class's name that may be broken where names are joined: “returns_and_refunds” after each underscore. */
function breakable(name) {
  const parts = name.split(/(?<=[_/.])/);
  return make("span", {}, ...parts.flatMap((part, index) => (index ? [make("wbr"), part] : [part])));
}

/** Room for the longest word, so that none is broken where there is space for it. */
function roomFor(classes) {
  const lengths = classes.flatMap((name) => name.split(/(?<=[_/.-])|\s+/)).map((word) => word.length);
  return `--word: ${Math.max(0, ...lengths)}ch`;
}

function manyAnswers(count) {
  return `${count} ${count === 1 ? "answer" : "answers"}`;
}

const ledgers = new Map(); // study and annotator → Ledger: outlives the component when the page is switched
const views = new WeakMap(); // parent element → View
const live = []; // mounted views; only the newest hears the keyboard

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  live.at(-1)?.hearKey(event);
}

class View {
  constructor(parent) {
    this.parent = parent;
    this.known = new Map();
    this.shown = {};
    this.run = 0;
    this.card = make("div", { class: "card", role: "region", "aria-label": "Item to label", "aria-live": "polite", tabindex: "0" });
    this.controls = make("div", { class: "controls" });
    this.state = make("span", { class: "state", role: "status", "aria-live": "polite" });
    this.last = make("span", { class: "last" });
    this.others = make("span", { class: "others", role: "status" });
    const footer = make("div", { class: "footer" }, this.state, this.last, this.others);
    this.root = make("div", { class: "labelling" }, this.card, this.controls, footer);
    // Seen from the page, keys typed in our fields come from a <div>, and Streamlit's own shortcuts (r, c) would fire.
    this.root.addEventListener("keydown", (event) => isTyping(event.composedPath()[0]) && event.stopPropagation());
    this.hearStorage = ({ key, newValue }) => {
      this.ledger.hear(key, newValue);
      if (newValue === null) this.stale = true; // another tab's answer is stored: our cards are no longer the latest
      this.render();
    };
    this.hearOnline = () => this.ledger.pending.size && this.send();
  }

  update(data, setStateValue) {
    const prefix = ["sampleval", data.study, data.annotator, ""].map(encodeURIComponent).join("/");
    const fresh = this.ledger?.prefix !== prefix;
    this.data = data;
    this.setStateValue = setStateValue;
    if (fresh) this.open(prefix);
    if (this.ledger.settle(data.acknowledged)) this.progressed();
    this.sayUndone(data.idle);
    this.remember(data.cards);
    this.buildControls(data.task);
    this.enter();
    this.render();
    if (fresh && this.ledger.pending.size) this.send();
    return ++this.run;
  }

  open(prefix) {
    if (!ledgers.has(prefix)) ledgers.set(prefix, new Ledger(prefix));
    this.ledger = ledgers.get(prefix);
    this.ledger.load();
    this.known.clear();
    this.shown = {};
    this.last.textContent = "";
    this.progressed();
  }

  remember(cards) {
    for (const card of cards) {
      this.known.delete(card.id); // re-inserting keeps the map in order of last use
      this.known.set(card.id, card);
    }
    for (const id of [...this.known.keys()].slice(0, -KNOWN_CARDS)) this.known.delete(id);
  }

  enter() {
    if (live.includes(this)) return;
    if (!live.length) document.addEventListener("keydown", onKey, true);
    live.push(this);
    this.parent.append(this.root);
    window.addEventListener("storage", this.hearStorage);
    window.addEventListener("online", this.hearOnline);
    this.timer = setInterval(() => this.tick(), 500);
  }

  /** Streamlit also runs the clean-up of a render that a newer one has overtaken: only the latest may take us down. */
  leave(run) {
    if (run !== this.run || !live.includes(this)) return;
    live.splice(live.indexOf(this), 1);
    if (!live.length) document.removeEventListener("keydown", onKey, true);
    window.removeEventListener("storage", this.hearStorage);
    window.removeEventListener("online", this.hearOnline);
    clearInterval(this.timer);
    this.ledger = null; // should we be mounted again, the backlog is read and sent afresh
  }

  progressed() {
    this.resends = 0;
    this.heardAt = this.sentAt = Date.now();
  }

  send() {
    const { study, annotator } = this.data;
    this.sentAt = Date.now();
    this.stale = false;
    this.setStateValue("outbox", { study, annotator, events: this.ledger.backlog() });
  }

  tick() {
    const wait = RESEND_MS[Math.min(this.resends, RESEND_MS.length - 1)];
    const overdue = this.ledger.pending.size > 0 && Date.now() - this.sentAt > wait;
    if (overdue) this.resends += 1;
    if (overdue || (this.stale && !document.hidden)) this.send();
    this.renderState();
  }

  current() {
    const { answered, reopened, waiting } = this.ledger.replay();
    if (waiting) return undefined;
    const { settled } = this.ledger;
    const open = new Set(this.data.cards.map((card) => card.id));
    for (const { id, undo } of reopened.reverse()) {
      if (this.known.has(id) && (open.has(id) || !settled.has(undo))) return this.known.get(id);
    }
    const done = new Set(answered.filter((event) => !settled.has(event.uuid)).map((event) => event.id));
    const rest = this.data.cards.filter((card) => !done.has(card.id));
    return rest.find((card) => card.id === this.shown.id) ?? rest[0]; // what is being read stays, wherever it now stands
  }

  /** `stamp` is when the key went down, not when the page found time for it. */
  record(kind, value, stamp) {
    const { id } = this.shown;
    if (!this.ledger || (kind !== "undo" && id === null)) return;
    if (stamp - this.shownAt < GUARD_MS) return void (this.last.textContent = "Too soon: that press did not count");
    this.keepNote();
    if (kind === "undo") this.add(kind, "", this.ledger.replay().answered.at(-1)?.uuid ?? null);
    else this.add(kind, id, value);
    const said = { skip: "skipped", unsure: "unsure", undo: "taking back…" }[kind] ?? ([value].flat().join(", ") || "none");
    this.last.textContent = `Last: ${said}`;
    this.shown = {};
    this.render();
    this.send();
  }

  /** Only the server knows whether there was something to take back. */
  sayUndone(idle) {
    const latest = this.ledger.ordered().at(-1);
    if (latest?.kind !== "undo" || !this.ledger.settled.has(latest.uuid)) return;
    this.last.textContent = idle.includes(latest.uuid) ? "Nothing to take back" : "Last: taken back";
  }

  add(kind, id, value) {
    if (!this.ledger.pending.size) this.progressed();
    const seconds = kind === "undo" ? 0 : Math.round(performance.now() - this.shownAt) / 1000;
    this.ledger.add(kind, id, value, seconds);
  }

  render() {
    this.renderState();
    const card = this.current();
    const id = card?.id ?? null;
    const text = card ? JSON.stringify(card) : this.emptyText();
    if (id === this.shown.id && text === this.shown.text) return;
    if (id !== this.shown.id) {
      this.resetFields(id);
      this.shownAt = performance.now();
      requestAnimationFrame((now) => (this.shownAt = Math.max(this.shownAt, now))); // not visible before this
    }
    this.shown = { id, text };
    this.card.replaceChildren(...(card ? drawCard(card) : [make("p", { class: "empty" }, text)]));
    this.card.scrollTop = 0;
    this.root.classList.toggle("idle", !card);
  }

  emptyText() {
    if (this.ledger.replay().waiting) return "Fetching the item you took back…";
    return this.ledger.pending.size ? "Waiting for the next items…" : "No item is waiting.";
  }

  renderState() {
    const count = this.ledger.pending.size;
    const answers = manyAnswers(count);
    const offline = count > 0 && Date.now() - this.heardAt > OFFLINE_MS;
    const some = this.ledger.events.size > 0; // before the first answer there is nothing that could be saved
    let text = count ? "Saving…" : some ? "Saved ✓" : "";
    if (offline) text = `Offline: ${answers} kept in this browser`;
    if (count && !this.ledger.durable) text = `${answers} not saved yet; this browser keeps nothing over a reload`;
    if (this.state.textContent !== text) this.state.textContent = text; // an unchanged status is not announced again
    this.state.classList.toggle("offline", offline);
    const others = [...waitingElsewhere(this.ledger.prefix)].map(
      ([name, many]) => `${manyAnswers(many)} ${name ? `by ${name}` : "without a name"} not saved yet: label under that name to send them`);
    if (this.others.textContent !== others.join("; ")) this.others.textContent = others.join("; ");
  }

  hearKey(event) {
    const path = event.composedPath();
    const inside = path.includes(this.root);
    const typing = isTyping(path[0]);
    const name = keyName(event);
    if (event.repeat) {
      if (inside && !typing && ["enter", " "].includes(name)) event.preventDefault(); // held Enter clicks again and again
      return;
    }
    if (typing && path[0] !== this.number?.input) return;
    if (!inside && (!this.root.getClientRects().length || isCovered(this.root))) return;
    if (name === "enter" && path[0].closest?.("button, a, summary")) return;
    const act = this.shortcuts.get(name);
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      act(event.timeStamp);
    } else if (/^[\d.,-]$/.test(event.key)) this.number?.input.focus(); // the digit then lands in the field
  }

  buildControls(task) {
    const signature = JSON.stringify(task);
    if (signature === this.signature) return;
    this.signature = signature;
    this.shortcuts = new Map();
    this.number = null;
    this.boxes = [];
    const build = { multilabel: this.ticks, regression: this.numberField }[task.kind] ?? this.choices;
    const actions = [
      this.button("U", "undo", (stamp) => this.record("undo", null, stamp)),
      this.button("S", "skip", (stamp) => this.record("skip", null, stamp)),
      this.button("?", "unsure", (stamp) => this.record("unsure", null, stamp)),
      this.button("N", "note", () => this.openNote()),
    ];
    const row = make("div", { class: "actions" }, ...actions);
    this.controls.replaceChildren(...build.call(this, task.classes), row, this.noteField());
  }

  bind(key, node, act) {
    node.setAttribute("aria-keyshortcuts", key);
    node.prepend(make("kbd", {}, key));
    this.shortcuts.set(key.toLowerCase(), act);
  }

  button(key, text, act) {
    const node = make("button", { type: "button" }, breakable(text));
    node.onclick = (event) => act(event.timeStamp);
    if (key) this.bind(key, node, act);
    return node;
  }

  choices(classes) {
    const few = classes.length <= DIGITS.length;
    const keys = keysOf(classes);
    const pick = (index, stamp) => this.record("label", classes[index], stamp);
    const buttons = classes.map((name, index) => this.button(few && keys[index], name, (stamp) => pick(index, stamp)));
    const grid = make("div", { class: few ? "choices" : "choices many", style: roomFor(classes) }, ...buttons);
    return few ? [grid] : [this.finder(buttons, classes, pick, () => {}), grid];
  }

  ticks(classes) {
    const few = classes.length <= DIGITS.length;
    this.boxes = classes.map(() => make("input", { type: "checkbox" }));
    const toggle = (index) => (this.boxes[index].checked = !this.boxes[index].checked);
    const labels = classes.map((name, index) => make("label", {}, this.boxes[index], breakable(name)));
    const keys = keysOf(classes);
    labels.slice(0, DIGITS.length).forEach((label, index) => this.bind(keys[index], label, () => toggle(index)));
    const save = (stamp) => this.record("label", classes.filter((_, index) => this.boxes[index].checked), stamp);
    const grid = make("div", { class: few ? "choices ticks" : "choices ticks many", style: roomFor(classes) }, ...labels);
    const parts = [grid, make("div", { class: "choices" }, this.button("Enter", "save", save))];
    return few ? parts : [this.finder(labels, classes, toggle, save), ...parts];
  }

  numberField() {
    this.number = new NumberField((value, stamp) => this.record("label", value, stamp));
    const save = (stamp) => this.number.save(this.data.usual, stamp);
    return [make("div", { class: "line" }, this.number.input, this.button("Enter", "save", save)), this.number.doubt];
  }

  /** A search field over the items of a list: arrows move, Enter picks, Enter in the empty field calls `enterEmpty`. */
  finder(items, names, pick, enterEmpty) {
    const field = make("input", { type: "search", "aria-label": "Search the classes", placeholder: `Press / to search ${names.length} classes` });
    let active = null;
    const mark = (item) => {
      active?.classList.remove("active");
      active = item ?? null;
      active?.classList.add("active");
      active?.scrollIntoView({ block: "nearest" });
    };
    const filter = () => {
      const wanted = folded(field.value.trim());
      const plain = names.map(folded);
      items.forEach((item, index) => (item.hidden = !plain[index].includes(wanted)));
      const first = plain.findIndex((name) => name.startsWith(wanted));
      mark(wanted ? items[first] ?? items.find((item) => !item.hidden) : null);
    };
    const move = (step) => {
      const visible = items.filter((item) => !item.hidden);
      mark(visible[Math.min(Math.max(visible.indexOf(active) + step, 0), visible.length - 1)]);
    };
    field.oninput = filter;
    field.onkeydown = (event) => {
      const steps = { ArrowDown: 1, ArrowUp: -1 };
      if (event.isComposing || !(event.key in steps || ["Enter", "Escape"].includes(event.key))) return;
      event.preventDefault();
      if (event.key in steps) return move(steps[event.key]);
      if (event.repeat) return;
      const index = items.indexOf(active);
      if (event.key === "Enter" && index < 0 && field.value.trim()) return; // nothing is called so: it may be a slip
      const { id } = this.shown;
      field.value = "";
      filter();
      if (event.key === "Escape") return field.blur();
      if (index >= 0) pick(index, event.timeStamp);
      else enterEmpty(event.timeStamp);
      if (this.shown.id !== id) field.blur(); // answered: u, s, ? and n are keys again, and not typed here
    };
    this.shortcuts.set("/", () => field.focus());
    return field;
  }

  noteField() {
    this.note = make("input", { type: "text", maxlength: "500", "aria-label": "Note on this item", placeholder: "Enter keeps the note, Esc drops it" });
    this.note.onkeydown = (event) => {
      if (event.repeat || event.isComposing) return;
      if (event.key === "Escape") this.note.value = "";
      if (event.key === "Escape" || event.key === "Enter") this.keepNote();
    };
    this.noteRow = make("div", { class: "line", hidden: "" }, this.note, this.button("", "keep note", () => this.keepNote()));
    return this.noteRow;
  }

  openNote() {
    if (this.shown.id === null) return;
    this.noteFor = this.shown.id;
    this.noteRow.hidden = false;
    this.note.focus();
  }

  /** Close the note field; what stands in it belongs to the item for which it was opened. */
  keepNote() {
    const text = this.note.value.trim();
    if (this.noteRow.hidden) return;
    this.note.value = "";
    this.noteRow.hidden = true;
    if (!text) return;
    this.add("note", this.noteFor, text);
    this.last.textContent = "Note kept";
    this.renderState();
    this.send();
  }

  /** Empty the fields for another item; a set of labels that was taken back begins with what it was, to be mended. */
  resetFields(id) {
    const back = this.ledger.replay().reopened.findLast((item) => item.id === id);
    const ticked = [back?.value ?? []].flat();
    this.boxes.forEach((box, index) => (box.checked = ticked.includes(this.data.task.classes[index])));
    this.number?.clear();
  }
}

export default function labelling({ data, parentElement, setStateValue }) {
  if (!views.has(parentElement)) views.set(parentElement, new View(parentElement));
  const view = views.get(parentElement);
  const run = view.update(data, setStateValue);
  return () => view.leave(run);
}
