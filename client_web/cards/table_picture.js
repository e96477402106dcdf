// A game's table, drawn small: who sits around it, what lies in the middle, one's own hand. It shows
// what is typical, not what is dealt.

import { SUITS } from "./suits.js";

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = { "♣": "clubs", "♦": "diamonds", "♠": "spades", "♥": "hearts" };
const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7"];
const WIDTH = 200;
const HEIGHT = 120;
const MOST_SEATS = 8;

/** What lies in the middle, and the hand: by the game's id without the number of players. */
const TYPICAL = {
  agram: ["trick 9♣ 4♣ 10♣ 6♣", "A♥ 8♥ 3♦ 10♠"],
  blackqueen: ["trick 8♠ K♠ Q♠ 5♠", "3♥ 9♥ J♦ A♣ 6♣"],
  crazyeights: ["stock 8♦", "2♣ J♦ 8♠ 4♦ Q♥"],
  cribbage: ["stock 5♥", "J♣ 5♦ 10♠ 6♥"],
  gofish: ["stock", "7♣ 7♦ 7♥ Q♠ 2♦"],
  golf: ["stock 4♣", "K♦ 2♠ 2♥ 9♣"],
  goofspiel: ["row 9♦", "A♠ 5♠ 9♠ J♠ K♠"],
  hearts: ["trick 10♥ K♥ Q♠ 4♥", "2♥ 6♥ J♣ A♦ 9♠"],
  klaverjassen: ["trick J♠ 9♠ A♠ 8♠", "K♥ Q♥ 10♥ J♣ 7♦"],
  pairs: ["row 7 4 7", "3 9"],
  rummy: ["stock 10♦", "4♠ 5♠ 6♠ Q♥ Q♣"],
  schnapsen: ["trump J♥ A♠ 10♠", "K♦ Q♦ A♥ 10♣ J♣"],
  sixtysix: ["trump 9♦ A♣ 10♣", "K♥ Q♥ A♠ 10♦ J♠"],
  spades: ["trick A♦ K♦ 3♠ 7♦", "A♠ K♠ 10♠ Q♥ 5♣"],
  whist: ["trick 9♣ J♣ A♣ 6♣", "K♦ Q♠ 10♠ 7♥ 4♥"],
};

/**
 * An SVG of the table of a game, as `games` tells it: of its own cards where they are told. It is
 * decoration, and no screen reader hears of it.
 */
export function tablePicture(game) {
  const seats = Math.min(MOST_SEATS, game.usual_seats ?? Math.max(...(game.seats ?? [4])));
  const [middle, hand] = typical(game);
  const [kind, ...lying] = middle.split(" ");
  const svg = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "table-picture", "aria-hidden": "true" });
  for (let other = 1; other < seats; other += 1) svg.append(others(other / seats));
  svg.append(...inTheMiddle(kind, lying, seats), ...fan(hand.split(" "), 100, 108, 0.32, 19, 6));
  return svg;
}

function typical({ id, legend, described }) {
  const name = id.replace(/\d+$/, "").replaceAll("_", "").toLowerCase();
  if (Object.hasOwn(TYPICAL, name)) return TYPICAL[name];
  const labels = legend?.length ? legend.map(({ label }) => String(label)) : null;
  let chance = [...id].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 65521, 7);
  const some = () => {
    chance = (chance * 75 + 74) % 65537;
    if (labels) return labels[chance % labels.length].replaceAll(" ", "\u00a0");
    return RANKS[chance % RANKS.length] + Object.keys(SUITS)[(chance >> 4) % 4];
  };
  return [[described ? "stock" : "trick", some()].join(" "), Array.from({ length: 5 }, some).join(" ")];
}

// What each lays before them, clockwise from one's own seat; or what is drawn from.
function inTheMiddle(kind, labels, seats) {
  if (kind === "row") return labels.map((label, at) => card(label, 100 + 24 * (at - (labels.length - 1) / 2), 56, 0.24));
  if (kind === "stock") {
    const pile = [0, 1, 2].map((at) => card(null, (labels.length ? 86 : 100) - at, 56 - at, 0.24));
    return [...pile, ...labels.map((label) => card(label, 114, 55, 0.24, 4))];
  }
  const trump = kind === "trump" ? labels[0] : null;
  const trick = labels.slice(trump ? 1 : 0).map((label, at, { length }) => {
    const round = (2 * Math.PI * (at + 1)) / Math.min(seats, length);
    return card(label, (trump ? 122 : 100) - 25 * Math.sin(round), 50 + 13 * Math.cos(round), 0.24, 5 * Math.cos(3 * at));
  });
  if (!trump) return trick;
  return [card(trump, 66, 50, 0.24, 90), ...[0, 1, 2].map((at) => card(null, 52 - at, 50 - at, 0.24)), ...trick];
}

// Backs of a hand at the table's edge; `share` of the way around from one's own seat, clockwise.
function others(share) {
  const round = 2 * Math.PI * share;
  const x = 100 - 90 * Math.sin(round);
  const y = 56 + 54 * Math.cos(round);
  const turn = (Math.atan2(100 - x, y - 56) * 180) / Math.PI;
  const hand = node("g", { transform: `translate(${rounded(x)} ${rounded(y)}) rotate(${rounded(turn)})` });
  hand.append(...fan([null, null, null, null], 0, 0, 0.15, 5, 9));
  return hand;
}

function fan(labels, x, y, scale, step, bend) {
  return labels.map((label, at) => {
    const from = at - (labels.length - 1) / 2;
    return card(label, x + step * from, y + scale * 3 * from * from, scale, bend * from);
  });
}

function card(label, x, y, scale, turn = 0) {
  const suit = label && Object.keys(SUITS).find((symbol) => label.endsWith(symbol));
  const lies = `translate(${rounded(x)} ${rounded(y)}) rotate(${rounded(turn)}) scale(${scale}) translate(-50 -70)`;
  const drawn = node("g", { transform: lies, class: label === null ? "c-back" : `c-${COLOURS[suit] ?? "blue"}` });
  drawn.append(node("rect", { width: 100, height: 140, rx: 10, class: "f-paper" }));
  if (label === null) {
    drawn.append(node("rect", { x: 8, y: 8, width: 84, height: 124, rx: 6, class: "f-back" }));
    return drawn;
  }
  const index = suit ? label.slice(0, -1) : label.slice(0, 3);
  drawn.append(words(index, 29, 48, index.length > 1 ? 42 : 50));
  if (suit) drawn.append(node("path", { d: SUITS[suit], class: "f-suit", transform: "translate(56 92) scale(.62)" }));
  else drawn.append(words(index, 62, 118, index.length > 1 ? 46 : 72));
  return drawn;
}

function words(text, x, y, size) {
  const made = node("text", { x, y, "font-size": size, class: "f-index" });
  made.textContent = text;
  return made;
}

function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const rounded = (value) => Math.round(value * 10) / 10;
