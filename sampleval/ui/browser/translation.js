// A translator puts elements of its own in the place of texts. The frontend writes later texts into those that it made, where
// nobody sees them, or fails as it removes them. So each comes back before it is changed, and is translated anew.
if (!Object.hasOwn(Text.prototype, "nodeValue")) {
  const translations = new WeakMap();
  const restore = (node) => translations.get(node)?.replaceWith(node);
  new MutationObserver((changes) => changes.forEach(({ removedNodes: [text], addedNodes: [translation] }) => {
    if (text instanceof Text && translation?.nodeName === "FONT") translations.set(text, translation);
  })).observe(document.body, { childList: true, subtree: true });
  for (const name of ["removeChild", "insertBefore"]) {
    const act = Node.prototype[name];
    Node.prototype[name] = function (...nodes) {
      nodes.forEach(restore);
      return act.apply(this, nodes);
    };
  }
  const value = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue");
  Object.defineProperty(Text.prototype, "nodeValue", { ...value, set(text) {
    restore(this);
    value.set.call(this, text);
  } });
}
