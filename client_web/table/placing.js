// Puts elements where the layout says, as variables that the style sheet reads.

const round = (value) => Math.round(value * 10) / 10;

// A property of an element's own style, written only if it is another one: to write the same costs
// the browser its style anew.
export function setStyle(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

// An area of the table, in whole pixels.
export function placed(node, area) {
  for (const side of ["x", "y", "w", "h"]) setStyle(node, `--${side}`, `${Math.round(area[side])}px`);
}

// A card, a panel or a pile, which may be turned.
export function put(node, item) {
  const sides = [item.x, item.y, item.w, item.h, item.turn ?? 0].map(round);
  const lies = sides.join(" ");
  if (node.lies === lies) return;
  node.lies = lies;
  ["x", "y", "w", "h"].forEach((side, at) => setStyle(node, `--${side}`, `${sides[at]}px`));
  setStyle(node, "--turn", `${sides[4]}deg`);
}

// Only where it lies.
export function putAt(node, x, y) {
  setStyle(node, "--x", `${round(x)}px`);
  setStyle(node, "--y", `${round(y)}px`);
}

// How an element lies there, for an animation that begins with it.
export function lyingAt(x, y, turn = 0) {
  return `translate(${round(x)}px, ${round(y)}px) rotate(${round(turn)}deg)`;
}
