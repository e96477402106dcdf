// The middle of a table that is no round one: pure. What belongs to nobody, and the own played card.

import { GAP, flow, pileBlock, playedBlock, rowBlock } from "./blocks.js";

// Piles and rows that belong to nobody; where somebody looks from below, the card that this seat has
// played: near those of the others.
export function sharedBlock(model, width, u, room) {
  const { piles, rows, trick } = model.shared;
  const blocks = piles.map((pile) => pileBlock(pile, u));
  const middle = Math.ceil(blocks.length / 2);
  if (playsInMiddle(model, room)) blocks.splice(middle, 0, playedBlock(model.seats[0].trick, u, model.seats[0].seat));
  blocks.push(...rows.map((row) => rowBlock(row, u, Math.min(width, u * 5))));
  if (trick.length) {
    const row = { zone: model.shared.trickZone, title: "", slot: "", size: trick.length, cards: trick };
    blocks.push(rowBlock(row, u, width));
  }
  return flow(blocks, width, true, room.wide ? GAP : 2 * GAP);
}

// Whether one's own played card lies below those of the others, not beside one's own hand.
export const playsInMiddle = (model, room) => model.tricks && model.own !== null && !room.wide;
