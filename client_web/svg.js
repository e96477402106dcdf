// Elements of SVG, for what is drawn beside the cards.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with its attributes and children. */
export function draw(tag, given, children = []) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** A text of one line, which begins, is centred or ends at `x` as its class says. */
export function label(x, y, text, kind) {
  const node = draw("text", { x, y, class: kind });
  node.textContent = text;
  return node;
}

export const round = (value) => Math.round(value * 10) / 10;
