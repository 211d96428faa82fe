// How an item looks. Uploaded text reaches the page through text nodes only, never as HTML.

const ALIGNED = /\n {4}|\t|\S {3,}\S/; // in lines: code that is indented, or a log in columns
const PICTURE = /^data:image\/(png|jpeg);base64,/;

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children); // strings become text nodes, never HTML
  return node;
}

/** Names in a line of their own order: of Arabic ones each reads from the right, and keeps its full stop. */
function enumerated(names) {
  return names.length ? names.flatMap((name, index) => [index ? ", " : "", make("bdi", {}, name)]) : ["none"];
}

function drawValue({ name, kind, value, width }) {
  const aligned = value.includes("\n") && ALIGNED.test(value) ? " aligned" : "";
  if (kind !== "image") return make("span", { class: kind + aligned }, value.trim() ? value : "–");
  if (!PICTURE.test(value)) return make("em", {}, "(not a PNG or JPEG picture)");
  const picture = make("img", { alt: name });
  picture.src = value;
  if (!width) return enlargeable(picture);
  picture.classList.add("pixels"); // enlarged by whole pixels it stays crisp
  picture.width = width;
  return picture;
}

/** A picture that is shown whole, and at a press as wide as the card, since a small window hides its details. */
function enlargeable(picture) {
  const frame = make("button", { type: "button", class: "picture", "aria-pressed": "false", title: "Enlarge, or show whole" }, picture);
  frame.onclick = () => frame.setAttribute("aria-pressed", String(frame.getAttribute("aria-pressed") !== "true"));
  return frame;
}

const MARKS = { same: "=", differs: "≠", missing: "–" };

function drawPairs({ heads, rows }) {
  const header = make("tr", {}, make("th", { scope: "col" }, "field"), ...heads.map((head) => make("th", { scope: "col" }, head)));
  const body = rows.map(({ name, status, left, right }) => {
    const mark = make("span", { class: "mark", title: status, role: "img", "aria-label": status }, MARKS[status]);
    const cells = [left, right].map((field) => make("td", {}, field ? drawValue(field) : "–"));
    return make("tr", { class: status }, make("th", { scope: "row" }, mark, make("bdi", {}, name)), ...cells);
  });
  return make("table", {}, make("thead", {}, header), make("tbody", {}, ...body));
}

function drawCard({ pairs, fields, note }) {
  const parts = pairs ? [drawPairs(pairs)] : [];
  for (const field of fields) parts.push(make("div", { class: "field" }, make("div", { class: "name" }, field.name), drawValue(field)));
  if (note) parts.push(make("p", { class: "note" }, note));
  return parts;
}
