// What the player has chosen of the page's looks, said to its style sheets.

import { mark } from "./dom.js";

const WORN = ["light", "felt", "back", "hand"];

/** Put on what is remembered; what nobody has chosen is as it comes. */
export function wear(memory) {
  for (const name of WORN) mark(document.documentElement, `data-${name}`, memory.get(`table.${name}`));
}
