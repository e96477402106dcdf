// What is drawn, in words: a list to be read at will, which a screen reader finds by its heading.

import { el, list, make, say } from "../dom.js";
import { figure } from "../words.js";

export class InWords {
  constructor(table) {
    this.table = table;
    this.heading = make("h2", "");
    this.lines = make("ul", "");
    this.element = make("div", "spoken in-words", this.heading, this.lines);
  }

  draw() {
    const { model, scene } = this.table;
    say(this.heading, this.table.say("in_words"));
    const lines = positionOf(model, scene).map((text, at) => ({ text, at }));
    list(this.lines, lines, (line) => line.at, () => el("li"), (node, { text }) => say(node, text));
  }
}

// Pure: a line for what is shared, and one for each seat of a model; `scene` has the words.
export function positionOf(model, scene) {
  const say = (key, args) => scene.words.page(`table.${key}`, args);
  const named = (cards) => {
    const open = cards.filter((card) => card.token !== null).map((card) => scene.words.cardName(card.token));
    const hidden = cards.length - open.length;
    return [...open, ...(hidden ? [say("face_down", { count: hidden })] : [])].join(", ");
  };
  const place = (title, cards) => (cards.length ? say("place", { title, cards: named(cards) }) : "");
  const block = ({ title, slot = "", cards }) => place(`${title} ${slot}`.trim(), cards);
  // Of a pile the top card is seen, and the number of all.
  const pile = ({ title, cards, size, under }) => {
    const top = cards.at(-1)?.token;
    const all = size ? `${title} ${size}${top ? `: ${named(cards.slice(-1))}` : ""}` : "";
    return [all, ...(under ? [pile(under)] : [])].filter(Boolean).join("; ");
  };
  const { piles, rows, trick } = model.shared;
  const shared = [
    ...model.status.map(([title, text]) => `${title} ${text}`.trim()),
    ...model.teams.map(({ title, chips, score }) =>
      `${title}: ${[...chips.map((each) => each.join(" ")), score && `${say("score")} ${score}`].filter(Boolean).join(", ")}`),
    ...piles.map(pile),
    ...rows.map(block),
    trick.length ? named(trick) : "",
  ];
  const lines = model.seats.map((seat) => {
    const parts = [
      seat.score === null ? "" : `${say("score")} ${figure(seat.score)}`,
      seat.asked ? say("to_move") : "",
      ...seat.marks,
      seat.partner ? say("partner") : "",
      seat.note ?? "",
      ...seat.chips.map(([title, text]) => `${title} ${text}`.trim()),
      seat.trick.length ? say("played", { cards: named(seat.trick) }) : "",
      seat.hand ? block(seat.hand) : "",
      ...seat.slots.map(block),
      ...seat.rows.map(block),
      ...seat.piles.map(pile),
    ];
    const name = seat.own ? say("you") : seat.name || say("nobody");
    return `${name}: ${parts.filter(Boolean).join("; ")}`;
  });
  return [shared.filter(Boolean).join("; "), ...lines].filter(Boolean);
}
