// What there is to press below the item: a button or a tick for each class, or a field for a number; undo, skip, unsure, note.

const DIGITS = "1234567890";
const KEYS = `${DIGITS}ABDEFGHIJKLMOPQTVWXYZ`; // without U, S and N, which have a meaning, and Streamlit's own R and C

/**
 * A class that is a digit has its own key, as have “no” and “yes” for 0 and 1; others are counted through. More than ten
 * go on with letters, of which a class that is one has its own too, written small or large: else B would be l's key, not b's.
 */
function keysOf(classes) {
  const keys = [...(classes.length > DIGITS.length ? KEYS : DIGITS)];
  const stand = classes.join() === "no,yes" ? ["0", "1"] : classes.slice(0, keys.length);
  const own = (name) => keys.find((key) => name === key || (name === key.toLowerCase() && !stand.includes(key)));
  const owned = stand.map(own);
  const free = keys.filter((key) => !owned.includes(key));
  return owned.map((key) => key ?? free.shift());
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

/** A press counts from when the finger or the mouse went down: when it is lifted, another item may stand there. */
function button(text, act) {
  const node = make("button", { type: "button" }, breakable(text));
  let down = null;
  node.onpointerdown = (event) => (down = event.timeStamp);
  node.onpointercancel = () => (down = null); // the page was scrolled
  node.onclick = (event) => {
    act((event.detail && down) || event.timeStamp); // by a key or a screen reader there is no other time
    down = null;
  };
  return node;
}

/**
 * The controls of a task, and the keys that stand for them.
 *
 * Of the view they need: `record(kind, value, stamp)`, which tells whether the answer counted, `keepNote(id, text)`,
 * `usual()` for numbers, `shown()`, the id of the item on show, and `returnToItem()`, which brings it into sight and gives
 * it the keyboard.
 */
class Controls {
  constructor(task, view) {
    this.view = view;
    this.classes = task.classes;
    this.shortcuts = new Map(); // key → what it does, given when it went down
    this.number = null;
    this.boxes = [];
    this.ticked = null; // a line below a search, since of many labels most boxes are out of sight
    this.beginning = new Set(); // keys that only begin an answer, which can be seen and mended before it is saved
    this.note = new NoteField(view.keepNote, view.returnToItem);
    const build = { multilabel: this.ticks, regression: this.numberField }[task.kind] ?? this.choices;
    this.nodes = [...build.call(this, task.classes), this.actions(), this.note.row];
  }

  actions() {
    const { record, shown } = this.view;
    return make(
      "div",
      { class: "actions" },
      this.keyed("U", "undo", (stamp) => record("undo", null, stamp)),
      this.keyed("S", "skip", (stamp) => record("skip", null, stamp)),
      this.keyed("?", "unsure", (stamp) => record("unsure", null, stamp)),
      this.keyed("N", "note", () => this.note.open(shown())),
    );
  }

  choices(classes) {
    const few = classes.length <= DIGITS.length;
    const keys = classes.length <= KEYS.length ? keysOf(classes) : []; // of more, those without one are searched for
    const pick = (index, stamp) => this.view.record("label", classes[index], stamp);
    const buttons = classes.map((name, index) => this.keyed(keys[index], name, (stamp) => pick(index, stamp)));
    const grid = make("div", { class: few ? "choices" : "choices many", style: roomFor(classes) }, ...buttons);
    return few ? [grid] : [...this.search(buttons, pick, () => false), grid];
  }

  ticks(classes) {
    const few = classes.length <= DIGITS.length;
    this.boxes = classes.map(() => make("input", { type: "checkbox" }));
    const said = make("div", { class: "said", role: "status" }); // a key ticks a box that does not have the keyboard
    const toggle = (index) => {
      const ticked = (this.boxes[index].checked = !this.boxes[index].checked);
      said.textContent = `${classes[index]} ${ticked ? "ticked" : "not ticked"}`;
      this.tellTicked();
    };
    const labels = classes.map((name, index) => make("label", {}, this.boxes[index], breakable(name)));
    const keys = keysOf(classes);
    labels.slice(0, keys.length).forEach((label, index) => this.bind(keys[index], label, () => toggle(index)));
    this.beginning = new Set(keys);
    const save = (stamp) => this.view.record("label", this.chosen(), stamp);
    const grid = make("div", { class: few ? "choices ticks" : "choices ticks many", style: roomFor(classes) }, ...labels);
    grid.onchange = () => this.tellTicked();
    const parts = [grid, make("div", { class: "choices" }, this.keyed("Enter", "save", save)), said];
    if (few) return parts;
    this.ticked = make("div", { class: "ticked" });
    return [...this.search(labels, toggle, save), this.ticked, ...parts];
  }

  chosen() {
    return this.boxes.flatMap((box, index) => (box.checked ? [this.classes[index]] : []));
  }

  tellTicked() {
    this.ticked?.replaceChildren("Ticked: ", ...enumerated(this.chosen()));
  }

  numberField() {
    const { record, usual } = this.view;
    this.number = new NumberField((value, stamp) => record("label", value, stamp));
    const save = (stamp) => this.number.save(usual(), stamp);
    const turn = button("±", () => this.number.turn());
    turn.setAttribute("aria-label", "Change the sign");
    turn.className = "turn";
    return [make("div", { class: "line" }, this.number.input, turn, this.keyed("Enter", "save", save)), this.number.doubt];
  }

  search(items, pick, enterEmpty) {
    const parts = finder(items, this.classes, pick, enterEmpty, this.view.returnToItem);
    this.shortcuts.set("/", () => parts[0].focus());
    this.beginning.add("/");
    return parts;
  }

  keyed(key, text, act) {
    const node = button(text, act);
    if (key) this.bind(key, node, act);
    return node;
  }

  bind(key, node, act) {
    node.setAttribute("aria-keyshortcuts", key);
    node.prepend(make("kbd", {}, key));
    this.shortcuts.set(key.toLowerCase(), act);
  }

  /** Empty the fields for another item; a set of labels that was taken back begins with what it was, to be mended. */
  begin(takenBack) {
    const ticked = [takenBack ?? []].flat();
    this.boxes.forEach((box, index) => (box.checked = ticked.includes(this.classes[index])));
    this.tellTicked();
    this.number?.clear();
  }
}
