// Faces of cards as SVG symbols. A face is made once from its entry in the legend, and used again
// and again: a card on the table is one <svg> with one <use>.

import { BACK, COURTS } from "./art.js";
import { SUITS } from "./suits.js";

const SVG = "http://www.w3.org/2000/svg";
const PLAIN = new Set(["black", "green", "blue", "red"]);

// Where the pips of a number lie: columns of a card at 36, 50 and 64 across, rows down; those in the
// lower half are turned.
const PIPS = {
  2: [[50, 28], [50, 112]],
  3: [[50, 28], [50, 70], [50, 112]],
  4: [[36, 28], [64, 28], [36, 112], [64, 112]],
  5: [[36, 28], [64, 28], [50, 70], [36, 112], [64, 112]],
  6: [[36, 28], [64, 28], [36, 70], [64, 70], [36, 112], [64, 112]],
  7: [[36, 28], [64, 28], [50, 49], [36, 70], [64, 70], [36, 112], [64, 112]],
  8: [[36, 28], [64, 28], [50, 49], [36, 70], [64, 70], [50, 91], [36, 112], [64, 112]],
  9: [[36, 26], [64, 26], [36, 54], [64, 54], [50, 70], [36, 86], [64, 86], [36, 114], [64, 114]],
  10: [[36, 26], [64, 26], [50, 40], [36, 54], [64, 54], [36, 86], [64, 86], [50, 100], [36, 114],
    [64, 114]],
};

// How a card is called on its face: {index, suit, word}. A French card has a suit, others a word.
export function marksOf(card) {
  const label = String(card.label);
  const suit = Object.keys(SUITS).find((symbol) => label.endsWith(symbol));
  if (suit && label.length > 1) return { index: label.slice(0, -suit.length), suit, word: "" };
  const words = label.split(/[\s_-]+/).filter(Boolean);
  const last = words.at(-1) ?? label;
  if (words.length > 1 && last.length <= 3) {
    return { index: last, suit: "", word: words.slice(0, -1).join(" ") };
  }
  return label.length <= 3
    ? { index: label, suit: "", word: card.group && card.group !== label ? card.group : "" }
    : { index: [...label][0].toUpperCase(), suit: "", word: label };
}

// The class or the hue that gives a card its colour. A deck without colours gets one for each word.
export function colourOf(card) {
  const { suit, word } = marksOf(card);
  if (suit) return { name: { "♣": "clubs", "♦": "diamonds", "♠": "spades", "♥": "hearts" }[suit] };
  const named = String(card.group || word).toLowerCase();
  if (PLAIN.has(card.colour) && card.colour !== "black") return { name: card.colour };
  if (!named) return { name: "black" };
  const hues = { yellow: 48, gold: 40, orange: 28, violet: 280, purple: 280, pink: 330, rose: 340 };
  const hash = [...named].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7);
  return { hue: hues[named] ?? hash };
}

function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function text(x, y, size, words, kind) {
  const made = element("text", { x, y, "font-size": size, class: kind });
  made.textContent = words;
  return made;
}

function suitAt(suit, x, y, size, turned = false) {
  const scale = size / 100;
  const turn = turned ? " rotate(180)" : "";
  return element("path", {
    d: SUITS[suit],
    class: "f-suit",
    transform: `translate(${x} ${y})${turn} scale(${scale})`,
  });
}

function paper() {
  return element("rect", { x: 0.6, y: 0.6, width: 98.8, height: 138.8, rx: 8, class: "f-paper" });
}

// The corner is what shows of a card in a fan: 28 of 100 across.
function corner(marks, kind = "") {
  const size = marks.index.length > 1 ? 23 : 27;
  const index = text(14, 25, size, marks.index, `f-index${kind}`);
  if (marks.index.length > 1) {
    index.setAttribute("textLength", Math.min(24, 13 * marks.index.length));
    index.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  if (marks.suit) return element("g", {}, index, suitAt(marks.suit, 13.5, 38, 17));
  if (!marks.word) return element("g", {}, index);
  const initial = text(14, 43, 15, [...marks.word][0].toUpperCase(), "f-index f-initial");
  return element("g", {}, index, initial);
}

// A corner with an index that is read from afar; it is high, for a fan shows no more of its width.
function largeCorner(marks) {
  const index = text(14.5, 40, 46, marks.index, "f-index");
  index.setAttribute("textLength", 24);
  index.setAttribute("lengthAdjust", "spacingAndGlyphs");
  if (marks.suit) return element("g", {}, index, suitAt(marks.suit, 14.5, 59, 24));
  if (!marks.word) return element("g", {}, index);
  return element("g", {}, index, text(14.5, 66, 24, [...marks.word][0].toUpperCase(), "f-index f-initial"));
}

function bothWays(...parts) {
  const turned = parts.map((part) => part.cloneNode(true));
  return [...parts, element("g", { transform: "rotate(180 50 70)" }, ...turned)];
}

function court(rank, suit) {
  const half = element("g", { "clip-path": "url(#card-half)" });
  half.append(element("rect", { x: 24, y: 12, width: 52, height: 58, class: "f-tint" }));
  for (const [kind, path] of COURTS[rank]) half.append(element("path", { d: path, class: `f-${kind}` }));
  half.append(suitAt(suit, 66, 22, 14));
  const frame = { x: 24, y: 12, width: 52, height: 116, rx: 2.5, class: "f-frame" };
  return [...bothWays(half), element("rect", frame)];
}

function fullFace(marks) {
  return [paper(), ...middle(marks), ...bothWays(corner(marks))];
}

function largeFace(marks) {
  const smaller = { transform: "translate(50 70) scale(0.84) translate(-50 -70)" };
  return [paper(), element("g", smaller, ...middle(marks)), ...bothWays(largeCorner(marks))];
}

function middle({ index, suit, word }) {
  const parts = [];
  if (suit && COURTS[index]) parts.push(...court(index, suit));
  else if (suit && index === "A") parts.push(suitAt(suit, 50, 70, 52));
  else if (suit && PIPS[index]) {
    for (const [x, y] of PIPS[index]) parts.push(suitAt(suit, x, y, 19, y > 70));
  } else if (suit) parts.push(suitAt(suit, 50, 70, 44));
  else parts.push(...plate(index, word));
  return parts;
}

// The middle of a card without a suit: its index in a plate of the card's colour, its word below.
function plate(index, word) {
  const size = index.length > 2 ? 26 : 38;
  const parts = [
    element("rect", { x: 24, y: 32, width: 52, height: 76, rx: 10, class: "f-plate" }),
    text(50, word ? 70 : 83, size, index, "f-big"),
  ];
  if (word) {
    const small = text(50, 92, 12, word, "f-word");
    if (word.length > 7) {
      small.setAttribute("textLength", 48);
      small.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
    parts.push(small);
  }
  return parts;
}

// A face for a card that is drawn small: a large index over a large suit.
function smallFace(marks) {
  const { index, suit, word } = marks;
  const size = index.length > 1 ? 54 : 64;
  const big = text(50, 60, size, index, "f-index");
  if (index.length > 1) {
    big.setAttribute("textLength", Math.min(80, 36 * index.length));
    big.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  if (suit) return [paper(), big, suitAt(suit, 50, 100, 56)];
  const plate = { x: 10, y: 78, width: 80, height: 48, rx: 8, class: "f-plate" };
  const parts = [paper(), big];
  if (word) {
    parts.push(element("rect", plate));
    const small = text(50, 110, [27, 24, 21, 24][Math.max(0, Math.min(3, word.length - 3))], word.slice(0, 8), "f-word");
    if (word.length > 5) {
      small.setAttribute("textLength", 72);
      small.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
    parts.push(small);
  }
  return parts;
}

// A face for a small card of which the left half shows.
function cornerFace(marks) {
  const { index, suit, word } = marks;
  const big = text(29, 50, 50, index, "f-index");
  if (index.length > 1) {
    big.setAttribute("textLength", 48);
    big.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  if (suit) return [paper(), big, suitAt(suit, 29, 84, 42), suitAt(suit, 74, 112, 34, true)];
  if (!word) return [paper(), big];
  const plate = { x: 6, y: 66, width: 46, height: 40, rx: 8, class: "f-plate" };
  const initial = text(29, 97, 30, [...word][0].toUpperCase(), "f-word");
  return [paper(), big, element("rect", plate), initial];
}

const FACES = { full: fullFace, large: largeFace, small: smallFace, corner: cornerFace };

function backFace() {
  const parts = [paper(), element("rect", { x: 6, y: 6, width: 88, height: 128, rx: 5, class: "f-back" })];
  for (const [kind, path] of BACK) parts.push(element("path", { d: path, class: `f-back-${kind}` }));
  return parts;
}

let decks = 0;

// The faces of one legend, kept in `holder`, an element of the document.
export class Faces {
  constructor(holder) {
    this.id = `deck${++decks}`;
    this.legend = new Map();
    this.large = false;
    this.sprite = element("svg", { class: "sprite", "aria-hidden": "true", width: 0, height: 0 });
    const clip = element("clipPath", { id: "card-half" });
    clip.append(element("rect", { x: 24, y: 12, width: 52, height: 58 }));
    this.sprite.append(clip);
    holder.append(this.sprite);
    this.made = new Map();
  }

  read(legend) {
    if (this.cards === legend) return;
    this.cards = legend;
    this.legend = new Map(legend.map((card) => [card.token, card]));
  }

  card(token) {
    return this.legend.get(token) ?? { token, label: token, group: "", order: 1e6, colour: "black" };
  }

  // Fills `svg` with the face of `token`, `wanted` being full, small or corner; without a token it is
  // the back called `back`. The indices of small faces and corners are large anyway.
  fill(svg, token, wanted, back = "standard") {
    const form = wanted === "full" && this.large ? "large" : wanted;
    const key = token === null ? `back ${back}` : `${form} ${token}`;
    if (svg.dataset.face === key) return;
    svg.dataset.face = key;
    svg.setAttribute("class", `face ${token === null ? "is-back" : "is-face"}`);
    const colour = token === null ? backColour(back) : colourOf(this.card(token));
    if (colour.name) svg.classList.add(`c-${colour.name}`);
    if (colour.hue !== undefined) {
      svg.classList.add("c-hue");
      svg.style.setProperty("--hue", colour.hue);
    }
    svg.replaceChildren(element("use", { href: `#${this.symbol(key, token, form)}` }));
  }

  symbol(key, token, form) {
    const shown = token === null ? "back" : key;
    let id = this.made.get(shown);
    if (id) return id;
    id = `${this.id}-${this.made.size}`;
    this.made.set(shown, id);
    const parts = token === null ? backFace() : FACES[form](marksOf(this.card(token)));
    this.sprite.append(element("symbol", { id, viewBox: "0 0 100 140" }, ...parts));
    return id;
  }

  svg() {
    return element("svg", { viewBox: "0 0 100 140", "aria-hidden": "true" });
  }
}

function backColour(back) {
  if (back === "standard" || back === "default") return { name: "back" };
  return { hue: [...String(back)].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 360, 7) };
}
