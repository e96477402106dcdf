// A card shown large: under the mouse, where a finger has tapped, or where the arrow keys have come.

import { make, show } from "../dom.js";
import { putAt } from "./placing.js";

const BELOW = 96;
// A card in a fan is turned, and lifted under the mouse.
const EDGE = 40;

export class Enlarged {
  constructor(table) {
    this.table = table;
    this.key = null;
    this.byKeys = false;
    this.face = table.felt.faces.svg();
    this.element = make("div", "peek", this.face);
    this.element.hidden = true;
    this.element.setAttribute("aria-hidden", "true");
  }

  listen() {
    // Where cards close up under a mouse that rests, it comes over another one without a move.
    this.table.on("pointermove", (event) => this.hover(event));
    this.table.on("pointerover", (event) => {
      if (this.cardOf(event) !== this.key) this.hover(event, false);
    });
    // A finger leaves whenever it is lifted; what it has tapped stays.
    this.table.on("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.show(null);
    });
    this.table.on("focusin", ({ target }) => {
      if (target.matches?.("button.card:focus-visible")) this.show(target.dataset.key);
      else if (this.byKeys) this.show(null);
      this.byKeys = this.key !== null && target.matches?.(":focus-visible");
    });
    this.table.on("focusout", () => {
      if (this.byKeys) this.show(null);
    });
  }

  hover(event, points = true) {
    if (event.pointerType !== "mouse" || this.table.dragging?.drag) return;
    const key = this.cardOf(event);
    if (points && key === this.key) return;
    this.show(points && key && this.isUnder(key, event) ? key : null);
  }

  // The key of the card there; null elsewhere.
  cardOf({ target }) {
    return target.closest?.("button.card")?.dataset.key ?? null;
  }

  // Whether a card is laid where the mouse is; one that has just been played is still seen to leave it.
  isUnder(key, { clientX, clientY }) {
    const item = this.table.felt.items.get(key);
    if (!item) return false;
    const { left, top } = this.table.root.getBoundingClientRect();
    const isWithin = (at, start, length) => at > start - EDGE && at < start + length + EDGE;
    return isWithin(clientX - left, item.x, item.w) && isWithin(clientY - top, item.y, item.h);
  }

  // The card of this key, if it is drawn smaller than it is read; null takes it away.
  show(key) {
    const { felt, size } = this.table;
    const item = key === null ? null : felt.items.get(key);
    this.key = item ? key : null;
    const shown = Boolean(item && item.token !== null && item.w < BELOW);
    show(this.element, shown);
    if (!shown) return;
    const width = Math.min(150, size.width * 0.36, size.height * 0.36);
    const high = width * 1.4;
    const x = Math.max(6, Math.min(item.x + item.w / 2 - width / 2, size.width - width - 6));
    // Above the question as well, whose buttons it would hide.
    const ask = this.table.isMine() ? this.table.laid.areas.actions : null;
    const over = ask && ask.y < item.y ? Math.min(item.y, ask.y + 10) : item.y;
    const above = (over - high - 10 > 4 ? over : item.y) - high - 10;
    const y = above > 4 ? above : Math.min(item.y + item.h + 10, size.height - high - 4);
    felt.faces.fill(this.face, item.token, "full");
    putAt(this.element, x, y);
    this.element.style.setProperty("--w", `${width}px`);
  }

  // Takes it away when its card has gone.
  check() {
    if (this.key && !this.table.felt.nodes.card.has(this.key)) this.show(null);
  }
}
