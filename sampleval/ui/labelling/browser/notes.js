// A note on an item.

/**
 * A field for a note, hidden until it is opened, which calls `tell` with the item it was opened for and the text, and
 * `leave`, whether or not there is one, if it has the keyboard.
 */
class NoteField {
  constructor(tell, leave) {
    this.tell = tell;
    this.leave = leave;
    this.input = make("input", { type: "text", dir: "auto", maxlength: "500", "aria-label": "Note on this item", placeholder: BY_FINGER ? "Note on this item" : "Enter keeps the note, Esc drops it" });
    this.input.onkeydown = (event) => {
      if (event.repeat || isComposing(event)) return;
      if (event.key === "Escape") this.drop();
      if (event.key === "Enter") this.close();
    };
    this.row = make("div", { class: "line", hidden: "" }, this.input, button("keep note", () => this.close()));
  }

  open(id) {
    if (id === null) return;
    this.id = id;
    this.row.hidden = false;
    this.input.focus();
  }

  drop() {
    this.input.value = "";
    this.close();
  }

  /** What stands in it belongs to the item for which it was opened, whichever is on show by now. */
  close() {
    const text = this.input.value.trim();
    this.input.value = "";
    const focused = this.row.contains(this.row.getRootNode().activeElement);
    this.row.hidden = true;
    if (focused) this.leave();
    if (text) this.tell(this.id, text);
  }
}
