// The component itself: what is shown, when the backlog is sent. The Python wrapper joins the files beside it and this
// one, the last, into one module, so there is nothing to build.

const RESEND_MS = [3000, 6000, 12000, 30000]; // growing, because each resend restarts a page script that is still running
const LEAVE_MS = 1000; // a render that is followed by another within this time has not taken the component off the page
const KNOWN_CARDS = 200; // cards kept in memory so that undo can show them without the server

function manyAnswers(count) {
  return `${count} ${count === 1 ? "answer" : "answers"}`;
}

/** Set a status line: one that is set to what it says already would be read out again. */
function announce(line, text) {
  if (line.textContent !== text) line.textContent = text;
}

const ledgers = new Map(); // study and annotator → Ledger: outlives the component when the page is switched
const views = new WeakMap(); // parent element → View
const live = []; // mounted views; only the newest hears the keyboard

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isComposing(event)) return;
  live.at(-1)?.hearKey(event);
}

class View {
  constructor(parent) {
    this.parent = parent;
    this.known = new Map();
    this.shown = {};
    this.run = 0;
    this.card = make("div", { class: "card", role: "region", "aria-label": "Item to label", "aria-live": "polite", tabindex: "0" });
    this.card.onscroll = () => this.tellMore();
    this.card.addEventListener("load", () => this.tellMore(), true); // of pictures
    new ResizeObserver(() => this.tellMore()).observe(this.card);
    this.panel = make("div", { class: "controls" });
    this.state = make("span", { class: "state", role: "status" });
    this.last = make("span", { class: "last", role: "status" });
    this.others = make("span", { class: "others", role: "status" });
    const footer = make("div", { class: "footer" }, this.state, this.last, this.others);
    this.root = make("div", { class: "labelling" }, this.card, this.panel, footer);
    // Seen from the page, keys typed in our fields come from a <div>, and Streamlit's own shortcuts (r, c) would fire.
    this.root.addEventListener("keydown", (event) => isTyping(event.composedPath()[0]) && event.stopPropagation());
    this.hearStorage = ({ key, newValue }) => {
      this.expect();
      this.ledger.hear(key, newValue);
      if (newValue === null) this.stale = true; // another tab's answer is stored: our cards are no longer the latest
      this.render();
    };
    this.hearOnline = () => this.ledger.pending.size && this.send();
  }

  update(data, setStateValue) {
    clearTimeout(this.leaving);
    const prefix = ["sampleval", data.study, data.annotator, ""].map(encodeURIComponent).join("/");
    const fresh = this.ledger?.prefix !== prefix;
    if (this.data && this.data.study !== data.study) this.controls.note.drop(); // begun for an item of the other study
    this.data = data;
    this.setStateValue = setStateValue;
    if (fresh) this.open(prefix);
    this.ledger.refuse(data.refused);
    if (this.ledger.settle(data.acknowledged)) this.progressed();
    this.sayOutcome();
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

  /**
   * Streamlit also runs the clean-up of a render that a newer one has overtaken, before or after that newer one is told to
   * us: only the latest may take us down, and only if none follows. What is half typed or being read would begin afresh.
   */
  leave(run) {
    if (run === this.run) this.leaving = setTimeout(() => this.end(), LEAVE_MS);
  }

  end() {
    clearTimeout(this.leaving);
    if (!live.includes(this)) return;
    live.splice(live.indexOf(this), 1);
    if (!live.length) document.removeEventListener("keydown", onKey, true);
    window.removeEventListener("storage", this.hearStorage);
    window.removeEventListener("online", this.hearOnline);
    clearInterval(this.timer);
    this.ledger = null; // should we be mounted again, the backlog is read and sent afresh
  }

  /** The server, and with it this file, may have been replaced while the page was open: leave the place to the later one. */
  retire() {
    this.end();
    this.root.remove();
  }

  progressed() {
    this.resends = 0;
    this.heardAt = this.sentAt = performance.now(); // no clock that may be set while answers wait
  }

  /** Before an answer of this tab or another one: where none was waiting, the server is not late yet. */
  expect() {
    if (!this.ledger.pending.size) this.progressed();
  }

  send() {
    const { study, annotator } = this.data;
    this.sentAt = performance.now();
    this.stale = false;
    this.setStateValue("outbox", { study, annotator, events: this.ledger.backlog() });
  }

  tick() {
    const wait = RESEND_MS[Math.min(this.resends, RESEND_MS.length - 1)];
    const overdue = this.ledger.pending.size > 0 && performance.now() - this.sentAt > wait;
    if (overdue) this.resends += 1;
    const seen = !document.hidden && this.root.getClientRects().length; // on other pages than its own it is hidden
    if (overdue || (this.stale && seen)) this.send();
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

  /** Whether the answer counts; `stamp` is when the key went down, not when the page found time for it. */
  record(kind, value, stamp) {
    const { id } = this.shown;
    if (!this.ledger || (kind !== "undo" && id === null)) return false;
    if (stamp - this.shownAt < GUARD_MS) {
      this.last.textContent = "Too soon: that press did not count";
      return false;
    }
    this.controls.note.close();
    if (kind === "undo") this.add(kind, "", this.ledger.replay().answered.at(-1)?.uuid ?? null);
    else this.add(kind, id, value);
    const silent = { skip: "skipped", unsure: "unsure", undo: "taking back…" }[kind];
    this.last.replaceChildren("Last: ", ...(silent ? [silent] : enumerated([value].flat().map(String))));
    this.shown = {};
    this.render();
    this.send();
    return true;
  }

  /** Only the server knows whether an answer was taken, and whether there was something to take back. */
  sayOutcome() {
    const latest = this.ledger.ordered().at(-1);
    if (!this.ledger.settled.has(latest?.uuid)) return;
    const reason = this.ledger.refused.get(latest.uuid);
    if (reason) this.last.textContent = "Last: refused";
    else if (latest.kind === "undo") this.last.textContent = reason === "" ? "Nothing to take back" : "Last: taken back";
  }

  add(kind, id, value) {
    this.expect();
    const seconds = Math.max(0, Math.round(performance.now() - this.shownAt)) / 1000;
    this.ledger.add(kind, id, value, seconds);
  }

  render() {
    this.renderState();
    const card = this.current();
    const id = card?.id ?? null;
    const text = card ? JSON.stringify(card) : this.emptyText();
    if (id === this.shown.id && text === this.shown.text) return;
    if (id !== this.shown.id) {
      this.controls.begin(this.ledger.replay().reopened.findLast((item) => item.id === id)?.value);
      this.shownAt = Infinity; // until it is painted
      requestAnimationFrame(() => (this.shownAt = performance.now())); // the frame may have begun long before
    }
    this.shown = { id, text };
    this.card.replaceChildren(...(card ? drawCard(card) : [make("p", { class: "empty" }, text)]));
    this.card.scrollTop = 0;
    this.tellMore();
    this.root.classList.toggle("idle", !card);
  }

  /** Mark that the item goes on below: where fingers scroll, no scroll bar tells. */
  tellMore() {
    const { scrollHeight, scrollTop, clientHeight } = this.card;
    this.card.classList.toggle("more", scrollHeight - scrollTop - clientHeight > 8);
  }

  emptyText() {
    if (this.ledger.replay().waiting) return "Fetching the item you took back…";
    return this.ledger.pending.size ? "Waiting for the next items…" : "No item is waiting.";
  }

  renderState() {
    const count = this.ledger.pending.size;
    const answers = manyAnswers(count);
    const offline = count > 0 && performance.now() - this.heardAt > OFFLINE_MS;
    const some = this.ledger.events.size > 0; // before the first answer there is nothing that could be saved
    const lost = this.ledger.lost();
    let text = count ? "Saving…" : some ? "Saved ✓" : "";
    if (lost.length && !count) {
      const why = lost.every(({ uuid }) => this.ledger.elsewhere.has(uuid)) ? "another tab says why" : "for the reason below";
      text = `${manyAnswers(lost.length)} not saved, ${why}`;
    }
    if (offline) text = `Offline: ${answers} kept in this browser`;
    if (count && !this.ledger.durable) text = `${answers} not saved yet; this browser keeps nothing over a reload`;
    // Beside each answer, “Saving…” and “Saved ✓” would be read out twice for nothing: only troubles are, and their end.
    const usual = [this.state.textContent, text].every((said) => ["", "Saving…", "Saved ✓"].includes(said));
    this.state.setAttribute("aria-live", usual ? "off" : "polite");
    announce(this.state, text);
    this.state.classList.toggle("offline", offline || lost.length > 0);
    const others = [...waitingElsewhere(this.ledger.prefix)].map(
      ([name, many]) => `${manyAnswers(many)} ${name ? `by ${name}` : "without a name"} not saved yet: label under that name to send them`);
    announce(this.others, others.join("; "));
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
    if (typing && path[0] !== this.controls.number?.input) return;
    if (!inside && (!this.root.getClientRects().length || isCovered())) return;
    if (name === "enter" && path[0].closest?.("button, a, summary")) return;
    const act = this.controls.shortcuts.get(name);
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      const seen = (inside && path[0] !== this.card) || isInSight(this.card);
      if (!seen) this.bringBack(); // whoever reads further down, for instance to correct an answer, means another item
      if (seen || this.controls.beginning.has(name)) act(event.timeStamp); // else a set would be saved without it
      else this.last.textContent = "The item was out of sight: that press did not count";
    } else if (this.controls.number && /^[\d.,-]$/.test(event.key)) {
      this.controls.number.input.focus(); // the digit then lands in the field
      if (!isInSight(this.card)) this.bringBack();
    }
  }

  bringBack() {
    this.showItem();
    this.shownAt = performance.now(); // so that a second tap is too soon
  }

  /** Where a field closes: it would drop the keyboard at the page's beginning, and may have taken a small screen. */
  returnToItem() {
    this.card.focus({ preventScroll: true });
    this.showItem();
  }

  showItem() {
    if (!isInSight(this.card)) this.card.scrollIntoView({ block: "start" }); // the page keeps its header off
  }

  buildControls(task) {
    const signature = JSON.stringify(task);
    if (signature === this.signature) return;
    this.signature = signature;
    this.controls = new Controls(task, {
      record: (kind, value, stamp) => this.record(kind, value, stamp),
      keepNote: (id, text) => this.keepNote(id, text),
      returnToItem: () => this.returnToItem(),
      usual: () => this.data.usual,
      shown: () => this.shown.id,
    });
    this.panel.replaceChildren(...this.controls.nodes);
  }

  /** The item may no longer be the one on show. */
  keepNote(id, text) {
    this.add("note", id, text);
    this.last.textContent = "Note kept";
    this.renderState();
    this.send();
  }
}

export default function labelling({ data, parentElement, setStateValue }) {
  if (!views.has(parentElement)) {
    parentElement.retireDesk?.(); // of a module of its own: both would hear every key
    views.set(parentElement, new View(parentElement));
  }
  const view = views.get(parentElement);
  parentElement.retireDesk = () => view.retire();
  const run = view.update(data, setStateValue);
  return () => view.leave(run);
}
