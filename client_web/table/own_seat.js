// The own seat: pure. A line with name and counts, what lies before it, the question, the hand.

import {
  CHIP, FULL_FACE, GAP, HEAD, HELD, NOTHING, RATIO, cardItem, chipLines, flow, pileBlock, playedBlock, rowBlock,
  slotsBlock, textWidth,
} from "./blocks.js";
import { plateOf } from "./opponents.js";

const MOST_BENT = 8;
// A clock and the word before it.
const RESERVE = 96;

// How wide the plate of the own seat is on a round table, and so what is left for the question.
const PLATE = { least: 180, most: 260, part: 0.24 };

export const plateWidth = (width) => Math.round(Math.max(PLATE.least, Math.min(PLATE.most, width * PLATE.part)));

// On a round table: what lies before this player where a hand would reach, then the plate beside the
// question, and the hand.
export function ownRound(me, model, width, card, room) {
  const aside = plateWidth(width);
  const u = Math.max(28, card * 0.82);
  const piles = flow(me.piles.map((pile) => pileBlock(pile, Math.min(Math.max(26, u * 0.7), HELD), true)), aside);
  const body = flow([
    ...(model.tricks || !me.trick.length ? [] : [playedBlock(me.trick, u, me.seat)]),
    slotsBlock(me.slots, me.hand?.cards.length ? u : card, width),
    ...me.rows.map((row) => rowBlock(row, u, width)),
  ], width, true);
  const hand = handBlock(me.hand, card, width - 2 * (piles.width ? piles.width + GAP : 0), room);
  const { height: line, ...plate } = plateOf(me, aside, room.kept.lines?.get(me.seat) ?? 0, model.clocked, { round: true });
  const strip = Math.max(line, room.actions);
  const above = body.height ? body.height + 6 : 0;
  const below = Math.max(hand.height, piles.height);
  const height = above + strip + (below ? below + 4 : 0);
  const lay = (put, x, y) => {
    body.lay(put, x, y);
    put({ type: "own", ...plate, plate: true, x, y: y + above + strip - line, w: aside, h: line });
    put({ type: "actions", x: x + aside + GAP, y: y + above + strip - room.actions, w: width - 2 * (aside + GAP), h: room.actions });
    piles.lay(put, x, y + height - piles.height);
    hand.lay(put, x + (width - hand.width) / 2, y + height - hand.height);
  };
  return { width, height, lay };
}

// In how many lines what is counted of the own seat stands below its first one.
function linesOf(me, model, width) {
  const chips = me.chips.reduce((sum, [title, text]) => sum + textWidth(title, 6.4) + textWidth(text, 7) + 18, 0);
  // Beside what is counted stands who one is, what marks the seat, the clock and the score.
  const marked = textWidth([...me.marks, me.note].join("   "), 7.4);
  const said = Math.max(130, 136 + marked + textWidth(me.score ?? "", 9)) + (model.clocked ? RESERVE : 0);
  return said + chips > width ? chipLines(me.chips, width - 20) : 0;
}

export function ownArea(me, model, width, card, table, tricks, room) {
  const actions = (put, x, y, w) => put({ type: "actions", x, y, w, h: room.actions });
  if (!me) return { width, height: room.actions, lay: (put, x, y) => actions(put, x, y, width) };
  const aside = room.wide ? Math.floor(width * 0.42) : width;
  const u = Math.max(28, table);
  const blocks = (within) => [
    ...(tricks ? [playedBlock(me.trick, u, me.seat)] : []),
    slotsBlock(me.slots, u, within - (tricks && room.wide ? u + GAP : 0)),
    ...(!tricks && !model.tricks && me.trick.length ? [playedBlock(me.trick, u, me.seat)] : []),
    ...me.piles.map((pile) => pileBlock(pile, Math.min(Math.max(26, u * 0.6), HELD), true)),
    ...me.rows.map((row) => rowBlock(row, u, within)),
  ];
  const body = flow(blocks(aside), aside, !room.wide);
  // Where little lies before this seat, the hand has the width of the table.
  const across = room.wide && !me.slots.length && body.width < width * 0.25;
  const left = across ? body.width : aside;
  const hand = handBlock(me.hand, card, room.wide && left ? width - left - GAP : width, room);
  const lines = Math.max(room.kept.lines?.get(me.seat) ?? 0, linesOf(me, model, aside));
  const line = HEAD + lines * CHIP;
  const head = (put, x, y) => put({ type: "own", seat: me.seat, lines, x, y, w: aside, h: line });
  if (across) {
    const strip = Math.max(line, room.actions);
    const high = strip + 4 + Math.max(hand.height, body.height);
    const lay = (put, x, y) => {
      const bottom = y + high;
      head(put, x, y + strip - line);
      actions(put, x + aside + GAP, y + strip - room.actions, width - aside - GAP);
      body.lay(put, x, bottom - body.height);
      hand.lay(put, x + (left && left + GAP), bottom - hand.height);
    };
    return { width, height: high, lay };
  }
  if (room.wide) {
    const high = Math.max(line + 4 + body.height, room.actions + 4 + hand.height);
    const lay = (put, x, y) => {
      const bottom = y + high;
      head(put, x, bottom - body.height - 4 - line);
      body.lay(put, x, bottom - body.height);
      actions(put, x + aside + GAP, bottom - hand.height - 4 - room.actions, width - aside - GAP);
      hand.lay(put, x + aside + GAP, bottom - hand.height);
    };
    return { width, height: high, lay };
  }
  const under = line + 4 + (body.height ? body.height + 6 : 0);
  const lay = (put, x, y) => {
    head(put, x, y);
    body.lay(put, x, y + line + 4);
    actions(put, x, y + under, width);
    hand.lay(put, x, y + under + room.actions + 4);
  };
  return { width, height: under + room.actions + 4 + hand.height, lay };
}

// The own hand: a fan in one line where it fits, else lines whose corners show.
function handBlock(hand, card, width, room) {
  const count = hand?.cards.length ?? 0;
  if (!count) return NOTHING;
  const high = room.height >= 600;
  const bend = high && count > 2 ? Math.min(MOST_BENT, count * 1.1) : 0;
  const radians = (bend * Math.PI) / 180;
  const narrower = 2 * card * RATIO * Math.sin(radians);
  const least = Math.max(26, card * (card >= FULL_FACE ? 0.34 : 0.58));
  const along = (per, within) => (per < 2 ? 0 : Math.min(card + 6, (within - card) / (per - 1)));
  const raise = 12;
  if (count === 1 || along(count, width - narrower) >= least) {
    const step = along(count, width - narrower);
    const left = (width - card - step * (count - 1)) / 2;
    const lay = (put, x, y) => {
      hand.cards.forEach((each, at) => {
        const t = count < 2 ? 0 : (2 * at) / (count - 1) - 1;
        const drop = t * t * card * 0.13 * (bend ? 1 : 0);
        put(cardItem(each, x + left + at * step, y + raise + drop, card, step < card, { turn: t * bend, hand: true }));
      });
    };
    // The room of a bent fan stays while there are fewer and fewer cards.
    const low = high ? card * 0.13 + Math.sin((MOST_BENT * Math.PI) / 180) * card * 0.5 : 0;
    return { width, height: raise + card * RATIO + low, lay };
  }
  let lines = 2;
  while (lines < 5 && along(Math.ceil(count / lines), width) < least) lines += 1;
  const per = Math.ceil(count / lines);
  const rise = Math.max(28, card * (card >= FULL_FACE ? 0.62 : 0.78) * RATIO * 0.85);
  const step = along(per, width);
  const lay = (put, x, y) => {
    hand.cards.forEach((each, at) => {
      const line = Math.floor(at / per);
      const inLine = Math.min(per, count - line * per);
      const left = x + (width - card - step * (inLine - 1)) / 2 + (at % per) * step;
      put(cardItem(each, left, y + raise + line * rise, card, true, { hand: true }));
    });
  };
  return { width, height: raise + (lines - 1) * rise + card * RATIO, lay };
}
