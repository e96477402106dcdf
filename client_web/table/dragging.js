// Cards drawn along by mouse or finger to where they shall lie, also to another place in the own hand.

const DRAGGED = 8;
const FAR = 40;
const NEAR = 12;

export class Dragging {
  constructor(table) {
    this.table = table;
    this.drag = null;
  }

  get moved() {
    return Boolean(this.drag?.moved);
  }

  listen() {
    const { table } = this;
    table.on("pointerdown", (event) => this.press(event));
    table.on("pointermove", (event) => this.move(event));
    table.on("pointerup", (event) => this.release(event));
    table.on("pointercancel", () => this.stop());
  }

  press(event) {
    this.drag = null;
    const card = event.target.closest?.("button.card:is(.is-open, .in-hand)");
    if (!card || event.button !== 0 || !(card.matches(".is-open") || this.isOwn(card))) return;
    const { turn } = this.table.read;
    this.drag = { card, turn, x: event.clientX, y: event.clientY, moved: false };
  }

  move(event) {
    const { drag } = this;
    if (!drag || drag.done) return;
    if (!event.buttons) {
      this.stop();
      return;
    }
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < DRAGGED) return;
    if (!drag.moved) {
      drag.moved = true;
      drag.card.classList.add("is-dragged");
      this.table.enlarged.show(null);
      drag.card.setPointerCapture(event.pointerId);
      this.showTargets(true);
    }
    drag.card.style.setProperty("--dx", `${dx / this.table.scale}px`);
    drag.card.style.setProperty("--dy", `${dy / this.table.scale}px`);
  }

  release(event) {
    const { drag, table } = this;
    if (!drag?.moved) {
      this.drag = null;
      return;
    }
    drag.done = true;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    const over = this.targets().filter((spot) => this.isOver(spot, event));
    const moves = this.movesTo(over);
    const place = over.length ? -1 : this.placeInHand(drag.card, event);
    this.drop();
    // The click that follows a drag is none.
    setTimeout(() => { this.drag = null; }, 0);
    if (place >= 0) {
      table.arrange(this.inHand().findIndex(({ key }) => key === drag.card.dataset.key), place);
      return;
    }
    // Meanwhile something else may be asked.
    if (far < FAR || drag.turn !== table.read.turn || !drag.card.matches(".is-open")) return;
    if (moves.length === 1) table.act(moves[0].action, table.read.turn);
    else {
      const { place: named, zone, token } = drag.card.dataset;
      table.taps.activate(named, zone, token);
    }
  }

  // The moves of the card that is dragged, to any of these places; without places all of them.
  movesTo(spots) {
    const moves = this.table.offer.places.get(this.drag?.card.dataset.place) ?? [];
    if (!spots) return moves;
    return moves.filter((move) => move.goals.some((goal) => spots.some((spot) => spot.zone === goal)));
  }

  // Where the card may be dropped: the places of its moves; what is played to a trick lies before
  // its player.
  targets() {
    const goals = new Set(this.movesTo(null).flatMap((move) => move.goals));
    const { laid, scene } = this.table;
    const named = laid.spots.filter((spot) => goals.has(spot.zone));
    return named.length ? named : laid.spots.filter((spot) => spot.zone === `played ${scene.seat}`);
  }

  isOwn({ dataset: { key } }) {
    return this.inHand().some((item) => item.key === key);
  }

  // The cards of the own hand as they lie.
  inHand() {
    const [me] = this.table.model.seats;
    const zone = me?.own ? me.hand?.zone : null;
    return zone ? this.table.laid.cards.filter((item) => item.hand && item.zone === zone) : [];
  }

  // The place in the own hand over which a card of it is let go; -1 where that is beside the hand.
  placeInHand(card, event) {
    if (!this.isOwn(card)) return -1;
    const others = this.inHand().filter(({ key }) => key !== card.dataset.key);
    const [along, down] = this.table.pointed(event);
    const line = others.filter(({ y, h }) => down > y - NEAR && down < y + h + NEAR);
    if (!line.length) return -1;
    const before = line.filter(({ x, w }) => x + Math.min(w, 40) / 2 < along).at(-1);
    return before ? others.indexOf(before) + 1 : others.indexOf(line[0]);
  }

  isOver(spot, event) {
    const [pointX, pointY] = this.table.pointed(event);
    const along = pointX - spot.x;
    const down = pointY - spot.y;
    return along > -NEAR && down > -NEAR && along < spot.w + NEAR && down < spot.h + NEAR;
  }

  showTargets(on) {
    const zones = new Set(on ? this.targets().map((spot) => spot.zone) : []);
    for (const [zone, node] of this.table.felt.nodes.spot) node.classList.toggle("is-target", zones.has(zone));
  }

  stop() {
    this.drop();
    this.drag = null;
  }

  drop() {
    this.showTargets(false);
    const card = this.drag?.card;
    card?.classList.remove("is-dragged");
    card?.style.removeProperty("--dx");
    card?.style.removeProperty("--dy");
  }
}
