// Motion that says what happens: a card comes from where it lay, a dealt one from the middle, and one that
// is seen no more goes to who has it now. Where reduced motion is asked for, nothing moves.

import { make } from "../dom.js";
import { partsOf } from "./names.js";
import { lyingAt } from "./placing.js";

// As in table.css, where cards that stay slide.
const SLIDE = { duration: 240, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" };
const LEAVE = { duration: 380, easing: "cubic-bezier(0.4, 0, 0.8, 0.6)", fill: "forwards" };
const BETWEEN = 35;
const HIGH = 0.34;
const MOST = 16;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Motion {
  /** `layer` holds those that leave; `pace` is how long all takes, in parts of the usual time. */
  constructor(layer, pace) {
    this.layer = layer;
    this.pace = still.matches || document.hidden ? 0 : pace;
    this.slides = [];
    this.dealt = [];
    this.gone = [];
    this.used = new Set();
  }

  /** A card is new at its place: it comes from where `old` lies, or is dealt. */
  comes(node, item, old) {
    if (!this.pace) return;
    if (old) {
      this.used.add(old.key);
      this.slides.push([node, old, item]);
    } else if (item.hand) this.dealt.push([node, item]);
  }

  /** A card is seen no more, whose face `node` has; `to` is where it goes now. */
  goes(node, item, to) {
    if (this.pace && to && !this.used.has(item.key) && this.gone.length < MOST) this.gone.push([node, item, to]);
  }

  /** Everything lies where it belongs: let it be seen to come there. Nothing is measured for it. */
  begin(height) {
    const at = (given, more = {}) => ({ ...given, duration: given.duration * this.pace, ...more });
    for (const [node, from, to] of this.slides) {
      const transform = lyingAt(from.x + (from.w - to.w) / 2, from.y + (from.h - to.h) / 2, to.turn);
      node.animate([{ transform, offset: 0 }], at(SLIDE));
    }
    const middle = this.dealt.reduce((sum, [, { x }]) => sum + x, 0) / (this.dealt.length || 1);
    this.dealt.forEach(([node, { y, turn }], index) => {
      const start = { transform: lyingAt(middle, y - height * HIGH, turn), opacity: 0, offset: 0 };
      node.animate([start], at(SLIDE, { delay: index * BETWEEN * this.pace, fill: "backwards" }));
    });
    for (const [node, item, to] of this.gone) this.leave(node, item, to, at(LEAVE));
  }

  leave(node, { x, y, w, h, turn, level }, to, timing) {
    const face = node.querySelector(".face");
    if (!face) return;
    const ghost = make("div", "gone", face);
    ghost.setAttribute("aria-hidden", "true");
    for (const [name, value] of [["width", `${w}px`], ["height", `${h}px`], ["z-index", String(level ?? 1)]]) ghost.style.setProperty(name, value);
    this.layer.append(ghost);
    const [begins, ends] = [lyingAt(x, y, turn), lyingAt(to.x + (to.w - w) / 2, to.y + (to.h - h) / 2)];
    const moving = ghost.animate([{ transform: begins }, { transform: `${ends} scale(0.4)`, opacity: 0.15 }], timing);
    moving.onfinish = moving.oncancel = () => ghost.remove();
  }
}

/** Where what lies in a zone is drawn, or the plate of whose zone it is; null if nowhere. */
export function placeFor(zone, laid) {
  const lies = (item) => item.zone === zone;
  const { seat } = partsOf(zone);
  const own = laid.areas.own;
  return laid.piles.find(lies) ?? laid.cards.find(lies) ?? laid.panels.find((panel) => seat !== null && panel.seat === seat) ??
    (own && own.seat === seat ? own : null);
}
