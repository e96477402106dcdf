// The felt: cards, panels and places as elements that stay while the table changes. Nodes are kept
// by zone and place, so what has the focus keeps it, and a card that moves slides.

import { Faces } from "../cards/faces.js";
import { make, mark, say as tell } from "../dom.js";
import { figure } from "../words.js";
import { placeKey } from "./choices.js";
import { Motion, placeFor } from "./motion.js";
import { partsOf } from "./names.js";
import { put, setStyle } from "./placing.js";

const HIGHEST = 450;

export class Felt {
  constructor(element, words) {
    this.element = element;
    this.words = words;
    this.faces = new Faces(element);
    this.layers = { panel: this.layer("panels"), spot: this.layer("spots"), card: this.layer("cards"),
      pile: this.layer("piles"), gone: this.layer("leaving") };
    this.nodes = { panel: new Map(), spot: new Map(), card: new Map(), pile: new Map() };
    this.items = new Map();
  }

  layer(kind) {
    const layer = make("div", `layer ${kind}`);
    this.element.append(layer);
    return layer;
  }

  // Draws a laid out table. `moved` says where new cards come from, by key; `offer` what may be
  // clicked; `names` gives a card its name; `pace` is how long cards move, in parts of the usual time.
  draw(laid, model, { offer, nameOf, isForbidden, fresh, moved, pace }) {
    const seats = new Map(model.seats.map((seat) => [seat.seat, seat]));
    const panels = laid.panels.concat(laid.areas.own ? [{ ...laid.areas.own, own: true }] : []);
    this.keep("panel", panels, (item) => item.seat, (node, item) => this.panel(node, item, seats.get(item.seat)));
    this.keep("spot", laid.spots, (item) => item.zone, (node, item) => this.spot(node, item, offer, nameOf));
    this.layers.spot.classList.toggle("has-open", laid.spots.some(({ zone }) => offer.places.has(zone)));
    this.keep("pile", laid.piles, (item) => item.zone, (node, item) => this.pile(node, item, offer));
    const before = this.items;
    this.items = new Map(laid.cards.map((card) => [card.key, card]));
    this.levels(laid.cards);
    setStyle(this.element, "--slide", `${0.24 * pace}s`);
    const motion = new Motion(this.layers.gone, fresh ? 0 : pace);
    this.keep("card", laid.cards, (item) => item.key, (node, item, isNew) => {
      this.card(node, item, { offer, nameOf, isForbidden });
      if (isNew) motion.comes(node, item, this.origin(item, moved, before));
    }, (node, key) => {
      const item = before.get(key);
      const to = item && this.target(item, moved);
      if (to) motion.goes(node, item, placeFor(to, laid));
    });
    motion.begin(laid.height);
  }

  // What lies over what. A card that stays keeps its level while that is still above the one before;
  // between two there is room for some that come.
  levels(cards, anew = false) {
    let below = 0;
    for (const card of cards) {
      const before = anew ? 0 : (this.nodes.card.get(card.key)?.level ?? 0);
      card.level = before > below ? before : below + (before || anew ? 4 : 1);
      below = card.level;
    }
    if (below > HIGHEST && !anew) this.levels(cards, true);
  }

  keep(kind, items, keyOf, update, goes = null) {
    const nodes = this.nodes[kind];
    const left = new Set(nodes.keys());
    const had = this.layers[kind].contains(document.activeElement) ? document.activeElement : null;
    for (const item of items) {
      const key = String(keyOf(item));
      let node = nodes.get(key);
      const wanted = this.tagOf(kind, item);
      const isNew = !node || (node.localName !== wanted && node !== had);
      if (isNew) {
        node?.remove();
        node = make(wanted, kind);
        if (wanted === "button") node.type = "button";
        node.dataset.key = key;
        nodes.set(key, node);
        this.layers[kind].append(node);
      }
      left.delete(key);
      put(node, item);
      update(node, item, isNew);
    }
    for (const key of left) {
      goes?.(nodes.get(key), key);
      nodes.get(key).remove();
      nodes.delete(key);
    }
  }

  tagOf(kind, item) {
    if (kind === "card") return item.below || item.token === null ? "div" : "button";
    return "div";
  }

  panel(node, item, seat) {
    const isMe = item.own && this.words.you === item.seat;
    const { name: called, asked, partner, away, marks: marked, note: noted, score: points, chips: counted } = seat;
    const { own, inline, slim, long, plate, lettered, below = {} } = item;
    const lower = Object.values(below).join();
    if (isDrawn(node, isMe, own, inline, slim, plate, lettered, lower, long, called, asked, partner, away, noted, points, marked, counted)) return;
    classes(node, "panel", { "is-own": item.own, "is-inline": inline, "is-slim": slim, "is-long": long, "is-plate": plate, "is-lettered": lettered, "is-asked": seat.asked,
      "is-partner": seat.partner, "is-away": seat.away });
    if (!node.parts) node.parts = panelParts(node);
    const { head, chips, light, name, marks, clock, score } = node.parts;
    const say = (key, args) => this.words.page(`table.${key}`, args);
    mark(light, "hidden", !seat.asked && "hidden");
    // In a replay somebody else may have sat there.
    tell(name, isMe ? say("you") : seat.name || say("nobody"));
    note(node, { letter: letterOf(seat.name) });
    const notes = [...seat.marks, seat.partner && say("partner"), seat.note].filter(Boolean);
    tell(marks, below.marks ? "" : notes.join(" · "));
    note(clock, { seat: String(item.seat) });
    setStyle(node, "--seat", String(item.seat));
    const total = seat.score === null ? "" : say("score_of", { total: figure(seat.score) });
    tell(score, below.score ? "" : total);
    mark(score, "title", say("score"));
    const lowerChips = [...(below.score ? [["", total]] : []),
      ...(below.marks ? notes.map((mark) => [mark, ""]) : []), ...seat.chips];
    if (clock.parentElement === chips) clock.remove();
    this.chips(chips, lowerChips);
    if (below.clock) chips.append(clock);
    else if (clock.parentElement !== head) head.insertBefore(clock, score);
  }

  clocks() {
    return [...this.nodes.panel.values()].map((panel) => panel.querySelector(".clock"));
  }

  chips(holder, chips) {
    chips.forEach(([title, text], at) => {
      const chip = holder.children[at] ?? holder.appendChild(make("span", "chip", make("span"), make("b")));
      tell(chip.children[0], title);
      tell(chip.children[1], text);
    });
    while (holder.children.length > chips.length) holder.lastChild.remove();
  }

  spot(node, item, offer, nameOf) {
    const open = offer.places.has(item.zone);
    const chosen = offer.chosen.has(item.zone);
    const name = open ? nameOf.zone(item.zone) : "";
    if (isDrawn(node, item.empty, open, chosen, name)) return;
    classes(node, "spot", { "is-empty": item.empty, "is-open": open, "is-chosen": chosen });
    note(node, { zone: item.zone });
    let button = node.firstElementChild;
    if (!open) {
      button?.remove();
      return;
    }
    if (!button) {
      button = make("button", "goal");
      button.type = "button";
      node.append(button);
    }
    note(button, { key: item.zone, place: item.zone, group: "goals" });
    mark(button, "aria-label", name);
  }

  pile(node, item) {
    if (isDrawn(node, item.badge, item.title, item.count)) return;
    classes(node, "pile", { "is-badge": item.badge });
    let [title, count] = node.children;
    if (!title) {
      title = make("span", "title");
      count = make("span", "count");
      node.append(title, count);
    }
    tell(title, item.title);
    tell(count, item.count ? String(item.count) : "");
    mark(node, "title", item.title);
  }

  card(node, item, { offer, nameOf, isForbidden }) {
    const place = placeKey(item.zone, item.token);
    const open = item.token !== null && !item.below && offer.places.has(place);
    const chosen = offer.chosen.has(place);
    const forbidden = isForbidden(item);
    const hinted = nameOf.hint?.(place);
    const marked = nameOf.mark?.(place) ?? "";
    const isButton = node.localName === "button";
    const name = isButton ? nameOf.card(item, place) : "";
    const back = item.token === null ? nameOf.back(item) : "standard";
    const { zone, level, hand, below, isNew, face: shown } = item;
    if (isDrawn(node, zone, level, hand, below, isNew, shown, this.faces.large, back, open, chosen, forbidden, hinted, marked, name)) return;
    node.level = level;
    setStyle(node, "z-index", String(level));
    classes(node, "card", { "is-open": open, "is-chosen": chosen, "is-forbidden": forbidden, "in-hand": hand,
      "is-below": below, "is-new": isNew, "is-hint": hinted, "is-better": marked === "better", "is-played": marked === "played", "is-taken": open && partsOf(zone).seat === null });
    let face = node.firstElementChild;
    if (!face) {
      face = this.faces.svg();
      node.append(face);
      if (isButton) node.append(make("span", "grip"));
    }
    this.faces.fill(face, item.token, shown === "back" ? "small" : shown, back);
    if (!isButton) {
      mark(node, "aria-hidden", "true");
      return;
    }
    const group = hand ? "hand" : partsOf(zone).slot ? zone.split("/", 2).join("/") : zone;
    note(node, { place, zone, token: item.token, group });
    mark(node, "aria-label", name);
    mark(node, "aria-pressed", chosen && "true");
    mark(node, "aria-disabled", forbidden && "true");
  }

  // Where a new card lay before, by the moves of this event.
  origin(item, moved, before) {
    for (const { source, target, token } of moved) {
      if (target !== item.zone || (token !== null && token !== item.token)) continue;
      for (const old of before.values()) {
        if (old.zone === source && (old.token === token || old.token === null)) return old;
      }
    }
    return null;
  }

  // The zone to which the moves of this event take a card; undefined if they do not.
  target({ zone, token }, moved) {
    return moved.find((move) => move.source === zone && (move.token === token || move.token === null))?.target;
  }
}

// What a panel is made of; its clock stands in the first line or behind what is counted.
function panelParts(node) {
  const [light, name, marks, clock, score] = ["light", "name", "marks", "clock", "score"].map((kind) => make("span", kind));
  const parts = { head: make("div", "head", light, name, marks, clock, score), chips: make("div", "chips"),
    light, name, marks, clock, score };
  node.append(parts.head, parts.chips);
  return parts;
}

// The first letter of a name, whatever its alphabet.
function letterOf(name) {
  return [...name.matchAll(/[\p{L}\p{N}]/gu)][0]?.[0].toUpperCase() ?? "";
}

// What follows writes only what changes: each write makes the browser look at the element anew.

// Whether the node shows this already: then nothing of it is even compared.
function isDrawn(node, ...what) {
  const drawn = what.join("\n");
  if (node.drawn === drawn) return true;
  node.drawn = drawn;
  return false;
}

function classes(node, kind, on) {
  const wanted = [kind, ...Object.keys(on).filter((name) => on[name])].join(" ");
  if (node.className !== wanted) node.className = wanted;
}

function note(node, data) {
  for (const [name, value] of Object.entries(data)) if (node.dataset[name] !== value) node.dataset[name] = value;
}
