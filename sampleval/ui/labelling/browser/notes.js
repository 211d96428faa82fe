// A note on an item.

/**
 * A field for a note, hidden until it is opened, which calls `tell` with the item it was opened for and the text, and
 * `closed` whether or not there is one.
 */
class NoteField {
  constructor(tell, closed) {
    this.tell = tell;
    this.closed = closed;
    this.input = make("input", { type: "text", maxlength: "500", "aria-label": "Note on this item", placeholder: "Enter keeps the note, Esc drops it" });
    this.input.onkeydown = (event) => {
      if (event.repeat || event.isComposing) return;
      if (event.key === "Escape") this.input.value = "";
      if (event.key === "Escape" || event.key === "Enter") this.close();
    };
    this.row = make("div", { class: "line", hidden: "" }, this.input, button("keep note", () => this.close()));
  }

  open(id) {
    if (id === null) return;
    this.id = id;
    this.row.hidden = false;
    this.input.focus();
  }

  /** What stands in it belongs to the item for which it was opened, whichever is on show by now. */
  close() {
    const text = this.input.value.trim();
    if (this.row.hidden) return;
    this.input.value = "";
    this.row.hidden = true;
    this.closed();
    if (text) this.tell(this.id, text);
  }
}
