// The middle of the table: pure. What belongs to nobody, and the trick where there is room for it.

import { GAP, RATIO, flow, pileBlock, playedBlock, rowBlock } from "./blocks.js";

// Of a card in the ellipse, how many are as wide as it, by the number of players.
const ringWidth = (count) => (count > 4 ? 6.4 : count > 3 ? 4 : 3.2);

// How wide the cards of the ellipse are where there is so much room.
export const ringCard = (model, width, u) => Math.min(u, width / ringWidth(model.seats.length));

// Piles and rows that belong to nobody; with room for it, the trick as an ellipse, else where somebody
// looks from below the card that this seat has played: near those of the others.
export function sharedBlock(model, width, u, room) {
  const { piles, rows, trick } = model.shared;
  const blocks = piles.map((pile) => pileBlock(pile, u));
  const middle = Math.ceil(blocks.length / 2);
  if (room.ring) blocks.splice(middle, 0, ringBlock(model, ringCard(model, width, u)));
  else if (playsInMiddle(model, room)) blocks.splice(middle, 0, playedBlock(model.seats[0].trick, u, model.seats[0].seat));
  blocks.push(...rows.map((row) => rowBlock(row, u, Math.min(width, u * 5))));
  if (trick.length) {
    const row = { zone: model.shared.trickZone, title: "", slot: "", size: trick.length, cards: trick };
    blocks.push(rowBlock(row, u, width));
  }
  return flow(blocks, width, true, room.wide ? GAP : 2 * GAP);
}

// Whether one's own played card lies below those of the others, not beside one's own hand.
export const playsInMiddle = (model, room) => model.tricks && model.own !== null && !room.ring && !room.wide;

// Played cards around the middle, each towards its player.
function ringBlock(model, u) {
  const count = model.seats.length;
  const height = u * RATIO * 2.15;
  const width = u * ringWidth(count);
  const lay = (put, left, top) => {
    model.seats.forEach((seat, at) => {
      const turn = Math.PI / 2 + (2 * Math.PI * at) / count;
      const x = left + (width + Math.cos(turn) * (width - u) - u) / 2;
      const y = top + (height + Math.sin(turn) * (height - u * RATIO) - u * RATIO) / 2;
      playedBlock(seat.trick, u, seat.seat).lay(put, x, y);
    });
  };
  return { width, height, lay };
}
