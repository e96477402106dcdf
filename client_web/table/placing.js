// Puts elements where the layout says, as variables that the style sheet reads.

const round = (value) => Math.round(value * 10) / 10;

// An area of the table, in whole pixels.
export function placed(node, area) {
  for (const side of ["x", "y", "w", "h"]) node.style.setProperty(`--${side}`, `${Math.round(area[side])}px`);
}

// A card, a panel or a pile, which may be turned.
export function put(node, item) {
  for (const side of ["x", "y", "w", "h"]) node.style.setProperty(`--${side}`, `${round(item[side])}px`);
  node.style.setProperty("--turn", `${round(item.turn ?? 0)}deg`);
}

// Only where it lies.
export function putAt(node, x, y) {
  node.style.setProperty("--x", `${round(x)}px`);
  node.style.setProperty("--y", `${round(y)}px`);
}

// How an element lies there, for an animation that begins with it.
export function lyingAt(x, y, turn = 0) {
  return `translate(${round(x)}px, ${round(y)}px) rotate(${round(turn)}deg)`;
}
