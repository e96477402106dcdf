// A card shown large: under the mouse, where a finger has tapped, or where the arrow keys have come. The
// first tap of a finger does nothing else, and says what another one would do.

import { make, show } from "../dom.js";
import { FEW } from "./choices.js";
import { partsOf } from "./names.js";
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
  isUnder(key, event) {
    const item = this.table.felt.items.get(key);
    if (!item) return false;
    const [x, y] = this.table.pointed(event);
    const isWithin = (at, start, length) => at > start - EDGE && at < start + length + EDGE;
    return isWithin(x, item.x, item.w) && isWithin(y, item.y, item.h);
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

  // Shows the card large and says what another tap would do, or why the card may not be played.
  async look({ classList, dataset: { key, place, zone, token } }) {
    const { table } = this;
    const moves = table.offer.places.get(place) ?? [];
    table.problem = "";
    table.noted = this.again(moves, token);
    table.draw();
    this.show(key);
    if (table.noted) table.tell(table.noted);
    else if (classList.contains("is-forbidden")) {
      await this.refuse(place, zone, token, true);
      // The reason may have moved the cards.
      if (this.key === key) this.show(key);
    }
  }

  // Says why a card may not be played: the server knows it. It may stay large meanwhile.
  async refuse(place, zone, token, isShown = false) {
    const { table } = this;
    const refused = refusedAction(table.read, zone, token);
    if (refused) await table.act(refused, table.read.turn, isShown);
    else table.complain(table.say(...whyNot(table.read, place)));
  }

  again(moves, token) {
    const { table } = this;
    const words = table.words();
    if (moves.length > 1) return table.say("tap_again_choose", { card: words.label(token) });
    return moves.length ? table.say("tap_again", { move: words.doing(moves[0].action, moves[0].text) }) : "";
  }

  // Takes it away when its card has gone.
  check() {
    if (this.key && !this.table.felt.nodes.card.has(this.key)) this.show(null);
  }
}

// An action that would play a card that is not offered: the server's refusal says why not. Null where
// it could be a move after all, or would be refused for its number of cards.
function refusedAction(read, zone, token) {
  const { pick } = read;
  if (pick?.cards.includes(token)) return null;
  const verbs = read.moves.filter((move) => move.cards.length === 1).map((move) => move.action.split(" ")[0]);
  const { slot } = partsOf(zone);
  if (verbs.length) return `${verbs[0]} ${token}${slot ? `@${slot}` : ""}`;
  return pick?.alone && pick.least <= 1 ? `${pick.verb} ${token}` : null;
}

// Why a card cannot be chosen, as the key of a text and what is filled in there.
function whyNot(read, place) {
  const { pick } = read;
  if (!pick) return ["not_now", {}];
  if (pick.places.includes(place)) return ["pick_full", { most: pick.most }];
  const tokens = [...new Set(pick.cards)];
  const more = tokens.length > FEW ? ["…"] : [];
  return ["pick_other", { cards: [...tokens.slice(0, FEW), ...more].join(" ") }];
}
