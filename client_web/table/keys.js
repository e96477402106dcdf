// The keyboard: arrows from card to card, digits for buttons and cards, and where the focus stays.

import { mark } from "../dom.js";

const WAYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);
const SIDES = new Map([["ArrowLeft", -1], ["ArrowRight", 1]]);
// Zones whose first cards lie no further below the highest of a line lie in that line.
const LINE = 30;

export class Keys {
  constructor(table) {
    this.table = table;
    this.roved = null;
    this.lost = false;
    // What has the focus only because nothing could be played.
    this.parked = null;
  }

  listen() {
    this.table.on("keydown", (event) => this.key(event));
    this.table.on("focusin", (event) => this.focused(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const { table } = this;
    // A key that is held down answers one question.
    if (event.repeat && /^([0-9]|Enter)$/.test(key)) {
      event.preventDefault();
      return;
    }
    // Who speaks to the computer may not want a letter to do anything.
    if (key.length === 1 && table.isSet("keys", "off")) return;
    if (key === "Escape") {
      table.enlarged?.show(null);
      table.sheets?.close();
      table.unpick();
    } else if (/^[0-9]$/.test(key) && this.digit(Number(key))) event.preventDefault();
    else if (key === "?" && table.callbacks.help) {
      // The page has the same key elsewhere.
      event.preventDefault();
      table.callbacks.help();
    } else if (event.shiftKey && SIDES.has(key) && event.target.matches?.(".card.in-hand")) {
      this.put(event.target, SIDES.get(key));
      event.preventDefault();
    } else if (WAYS.has(key)) {
      this.arrow(key, event.target.closest?.(".card, .goal, .choice"));
      event.preventDefault();
    }
  }

  // Puts a card of the own hand one place further.
  put({ dataset: { key } }, way) {
    const { model } = this.table;
    const at = model.seats[0]?.hand?.cards.findIndex((card) => card.key === key) ?? -1;
    if (model.seats[0]?.own && at >= 0) this.table.arrange(at, at + way);
  }

  // A digit is an amount where there are any, or the number of a button, else of a card that may be played.
  digit(number) {
    const buttons = [...this.table.ask.buttons.children];
    const open = [...this.table.root.querySelectorAll(".card.is-open, .goal")];
    const target = buttons.some((node) => node.choice.amount)
      ? buttons.find((node) => node.choice.amount === String(number))
      : (buttons.length ? buttons : open)[number - 1];
    target?.click();
    return Boolean(target);
  }

  groups() {
    const groups = new Map();
    const { spot, card } = this.table.felt.nodes;
    const goals = [...spot.values()].map((node) => node.firstElementChild);
    for (const node of [...goals, ...card.values()]) {
      if (node?.localName !== "button") continue;
      const { group } = node.dataset;
      if (groups.has(group)) groups.get(group).push(node);
      else groups.set(group, [node]);
    }
    return groups;
  }

  // One stop for the tab key in each group of cards.
  rove() {
    for (const nodes of this.groups().values()) {
      const kept = nodes.find((node) => node === document.activeElement) ??
        nodes.find((node) => node.dataset.key === this.roved) ??
        nodes.find((node) => node.classList.contains("is-open")) ?? nodes[0];
      for (const node of nodes) mark(node, "tabindex", node === kept ? "0" : "-1");
    }
    // What somebody types elsewhere is theirs.
    const gone = this.lost && (document.activeElement ?? document.body) === document.body;
    const goesOn = this.parked && this.parked === document.activeElement && this.first();
    if (gone || goesOn) this.focusFirst();
  }

  // The first thing that makes a move.
  first() {
    const { root } = this.table;
    return root.querySelector(".card.is-open, .goal") ?? root.querySelector(".choice");
  }

  focused(event) {
    if (event.target !== this.parked) this.parked = null;
    const { key } = event.target.dataset ?? {};
    if (key) this.roved = key;
    this.lost = Boolean(event.target.closest?.(".felt, .ask"));
  }

  focusFirst() {
    const { root } = this.table;
    const first = this.first();
    const target = first ?? root.querySelector('.in-hand[tabindex="0"]') ?? root.querySelector('.felt button[tabindex="0"]');
    target?.focus({ preventScroll: true });
    this.parked = first ? null : target;
  }

  // Left and right go through a zone and on to the next one, so that they reach everything; up and
  // down go to what is nearest there.
  arrow(key, from) {
    if (!from) {
      this.focusFirst();
      return;
    }
    const zones = this.zones();
    const zone = zones.find((nodes) => nodes.includes(from)) ?? [from];
    const all = zones.flat();
    const beside = (step) => all[(all.indexOf(from) + step + all.length) % all.length];
    const to = {
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
      ArrowUp: () => nearest(from, all, -1),
      ArrowDown: () => nearest(from, all, 1),
      Home: () => zone[0],
      End: () => zone.at(-1),
    }[key]();
    to?.focus();
  }

  // What can have the focus, zone by zone as they lie from top to bottom.
  zones() {
    const choices = [...this.table.ask.buttons.children];
    const zones = [...this.groups().values(), choices].filter((nodes) => nodes.length);
    const level = (node) => Number(node.style.getPropertyValue("z-index"));
    for (const nodes of zones) nodes.sort((a, b) => level(a) - level(b));
    const placed = zones.map((nodes) => ({ nodes, at: middle(nodes[0]) })).sort((a, b) => a.at[1] - b.at[1]);
    let line = -LINE;
    for (const zone of placed) {
      if (zone.at[1] - line >= LINE) [, line] = zone.at;
      zone.line = line;
    }
    placed.sort((a, b) => a.line - b.line || a.at[0] - b.at[0]);
    return placed.map(({ nodes }) => nodes);
  }
}

function nearest(from, all, way) {
  const [x, y] = middle(from);
  let best = null;
  for (const node of all) {
    const [px, py] = middle(node);
    const along = (py - y) * way;
    const far = along + Math.abs(px - x) * 2.5;
    if (along >= 3 && (!best || far < best.far)) best = { node, far };
  }
  return best?.node;
}

// The middle of what shows of a card that others overlap, where it lies: the one with the focus is lifted.
function middle(node) {
  const whole = node.closest(".felt") ?? node;
  const { x: left, y: top, width, height } = whole.getBoundingClientRect();
  const scale = width / whole.offsetWidth || 1;
  const lies = node.closest(".card, .spot")?.lies.split(" ").map((each) => Number(each) * scale);
  const [x, y, w, h] = lies ?? [0, 0, width, height];
  return [left + x + Math.min(w / 2, 14 * scale), top + y + h / 2];
}
