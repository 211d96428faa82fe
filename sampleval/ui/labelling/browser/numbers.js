// Numbers as they are typed: what they mean, and which are worth a second look. numbers.py reads them likewise.

/** The text as a keyboard writes it: the minus of a page or a typesetter, − or –, is a hyphen there. */
function asTyped(text) {
  return text.trim().replace(/^[−–]/, "-");
}

/** The number in a text, with a decimal point or comma; NaN for others and for `1,234`, which may be a thousand. */
function numberIn(text) {
  const said = asTyped(text);
  if (/^[+-]?[1-9]\d{0,2},\d{3}$/.test(said)) return NaN;
  return /^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/i.test(said) ? Number(said.replace(",", ".")) : NaN;
}

/** Why a number is worth a second look before it counts, "" if it is not; `usual` is null or [least, most]. */
function doubtful(text, value, usual) {
  const said = asTyped(text);
  const expected = (number) => !usual || (usual[0] <= number && number <= usual[1]);
  const dotted = /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(said);
  if (dotted && (!expected(value) || expected(1000 * value))) {
    return `“${said}” is read as ${value}; if ${said.replace(".", "")} is meant, leave out the dot`;
  }
  return expected(value) ? "" : `${said} is far from all that was predicted or answered`;
}

/** A field for a number, which calls `tell` with it; one worth a second look waits for a second press. */
class NumberField {
  constructor(tell) {
    this.tell = tell;
    this.input = make("input", { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": "Value", placeholder: "Type a number" });
    this.doubt = make("div", { class: "doubt", role: "status" });
    this.input.oninput = () => this.believe();
  }

  clear() {
    this.input.value = "";
    this.believe();
  }

  /** Nothing is held against the number any more. */
  believe() {
    this.input.setCustomValidity("");
    this.doubt.textContent = "";
    this.asked = null;
  }

  /** Change the sign, which keys for numbers on a telephone leave out. */
  turn() {
    const said = asTyped(this.input.value);
    this.input.value = said.startsWith("-") ? said.slice(1) : `-${said.replace("+", "")}`;
    this.believe();
    this.input.focus();
  }

  save(usual, stamp) {
    const text = this.input.value;
    const value = numberIn(text);
    if (!Number.isFinite(value)) return this.refuse(text);
    const why = doubtful(text, value, usual);
    if (why && this.asked === null) {
      this.asked = stamp;
      this.doubt.textContent = `${why}. Press ${BY_FINGER ? "save" : "Enter"} again to keep it.`;
    } else if (!why || stamp - this.asked >= GUARD_MS) this.tell(value, stamp); // a bounce is no second press
  }

  refuse(text) {
    this.input.focus();
    this.input.setCustomValidity(text && "A number, please: 1234.5 or 1234,5, without thousands separators or units");
    this.input.reportValidity();
  }
}
