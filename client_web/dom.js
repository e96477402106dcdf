// Small helpers for the document. Text only ever becomes text: nothing here reads HTML.

/**
 * An element: `text` is its text, `onclick` and its like are listeners, `value` and `checked` are
 * properties, everything else is an attribute; what is null or false is left out.
 */
export function el(tag, given = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) set(node, name, value);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

function set(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "text") node.textContent = value;
  else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (name === "value" || name === "checked") node[name] = value;
  else node.setAttribute(name, value === true ? "" : value);
}

/** An element of a class, which may be empty. */
export const make = (tag, kind, ...children) => el(tag, { class: kind || null }, ...children);

/** A button with these words. */
export function button(text, onclick, given = {}) {
  return el("button", { type: "button", text, onclick, ...given });
}

/** Load a style sheet that is not in the first load, once. */
export function stylesheet({ href }) {
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.append(el("link", { rel: "stylesheet", href }));
}

/** A field with its label; `hint` is a further text. */
export function field(label, input, hint = "") {
  return el("label", { class: input.type === "checkbox" ? "field tick" : "field" }, [
    el("span", { text: label }),
    input,
    hint ? el("small", { text: hint }) : null,
  ]);
}

/** A name without the effects of copying: line ends and invisible characters. */
export function pastedName(text) {
  return text.replace(/[\s\p{Cc}]+/gu, " ").replace(/[\u00ad\u200b\u2060\ufeff]/gu, "").trim();
}

/** A choice of one of `options`, which are `[value, text]`. */
export function select(options, value, given = {}) {
  const node = el(
    "select",
    given,
    options.map(([each, text]) => el("option", { value: each, text })),
  );
  node.value = value;
  return node;
}

/** Put `text` into a node if it has changed, as a screen reader announces each change. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Set a node's attribute if its value has changed; null or false removes it. */
export function mark(node, name, value) {
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Show or hide a node if that changes, as the browser would lay it out again. */
export function show(node, shown) {
  if (node.hidden === shown) node.hidden = !shown;
}

/**
 * Make the children of `parent` those of `items`, in order, and keep the nodes that are there: what
 * has the focus keeps it. `make` gives a new node, `update` brings one up to date.
 */
export function list(parent, items, key, make, update) {
  const there = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  items.forEach((item, at) => {
    const name = String(key(item));
    let node = there.get(name);
    if (!node) {
      node = make(item);
      node.dataset.key = name;
    }
    there.delete(name);
    update(node, item);
    // A node that is moved loses the focus, so only those are moved that lie elsewhere.
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
  });
  for (const node of there.values()) node.remove();
}

/** Whether a key pressed here is for the page, and not for a field or a dialog. */
export function isForPage(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  return !event.target.closest?.("input, select, textarea, dialog");
}
