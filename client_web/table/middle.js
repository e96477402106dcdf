// The middle of the table: pure. What belongs to nobody, and the trick where there is room for it.

import { GAP, RATIO, flow, pileBlock, playedBlock, rowBlock } from "./blocks.js";

// Piles and rows that belong to nobody; with room for it, the trick as an ellipse.
export function sharedBlock(model, width, u, room) {
  const { piles, rows, trick } = model.shared;
  const blocks = piles.map((pile) => pileBlock(pile, u));
  if (room.ring) blocks.splice(Math.ceil(blocks.length / 2), 0, ringBlock(model, u));
  blocks.push(...rows.map((row) => rowBlock(row, u, Math.min(width, u * 5))));
  if (trick.length) {
    const row = { zone: model.shared.trickZone, title: "", slot: "", size: trick.length, cards: trick };
    blocks.push(rowBlock(row, u, width));
  }
  return flow(blocks, width, true, room.wide ? GAP : 2 * GAP);
}

// Played cards around the middle, each towards its player.
function ringBlock(model, u) {
  const count = model.seats.length;
  const height = u * RATIO * 2.15;
  const width = u * (count > 4 ? 6.4 : count > 3 ? 4 : 3.2);
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
