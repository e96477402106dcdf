// The other players: pure. A panel for each, clockwise above the own seat.

import {
  CHIP, GAP, HEAD, HELD, NOTHING, chipLines, flow, heldBlock, pileBlock, playedBlock, rowBlock, slotsBlock, textWidth,
} from "./blocks.js";
import { figure } from "../words.js";

const PLAYED = 96;
// A panel as narrow as this has the played card below what its player holds, if there is room.
const NARROW = 170;
const HELD_ABOVE = 36;
// The played card in a slim panel, beside what is counted; what is counted keeps off it in table.css.
const SLIM = { card: 28, beside: 34 };
// What the first line of a panel takes: a letter of names, a digit of scores, the sign before them, a clock.
const NAME = 8.5;
const SCORE = 9;
const SIGN = 20;
const LIGHT = 30;
const CLOCK = 44;
const RESERVE = 110;
const LETTERED = 180;

const nameWidth = ({ name }) => LIGHT + textWidth(name, NAME);
const scoreWidth = ({ score }) => (score === null ? 0 : SIGN + textWidth(figure(score), SCORE));

// What is said of an opponent in a panel: how high it is, and what of it stands in its first line. What
// is counted takes no less than `least` lines. Whoever is asked, a clock has the same room, if there are
// any. A plate of a round table has a letter before it, if it is not narrow. With `low` the score stands
// with what is counted, because that of somebody else has to; so wide is what lies `beside` that.
export function plateOf(seat, width, least, clocked, { round = false, low = false, beside = 0 } = {}) {
  const lettered = round && width >= LETTERED;
  const inner = width - (lettered ? 54 : 16);
  const marks = [...seat.marks, seat.partner && "partner", seat.note].filter(Boolean);
  const said = [seat.name, ...marks].join("   ");
  // The first line: its light and gaps, what is said, clock and score.
  const total = scoreWidth(seat);
  // Only one's own clock has a word before it.
  const clock = clocked ? (seat.own ? RESERVE : CLOCK) : 0;
  const first = LIGHT + textWidth(said, NAME) + clock + total;
  const counted = seat.chips.reduce((sum, [title, text]) => sum + textWidth(`${title} ${text}`, 7.2) + 12, 0);
  // What is counted stands behind the name where there is room, also for a longer score.
  const inline = !round && !beside && !least && seat.chips.length > 0 && 60 + textWidth(said, 7.4) + counted + clock < inner;
  // A short first line is for the name: what marks the seat stands with what is counted, then the clock
  // does, then the score.
  const alone = nameWidth(seat);
  const below = {
    marks: !inline && marks.length > 0 && first > inner,
    clock: !inline && clocked && alone + clock + total > inner,
    score: !inline && total > 0 && (low || alone + total > inner),
  };
  const lower = [
    ...(below.score ? [["Σ", figure(seat.score)]] : []),
    ...(below.marks ? marks.map((mark) => [mark, ""]) : []),
    ...seat.chips,
    ...(below.clock ? [["", seat.own ? "Reserve 00:00" : "00:00"]] : []),
  ];
  const lines = inline ? 0 : Math.max(least, chipLines(lower, inner - beside));
  const height = Math.max(HEAD + lines * CHIP, lettered ? HEAD + CHIP : 0);
  return { seat: seat.seat, inline, below, long: alone > inner, lines, lettered, height };
}

// Whether the score of one of these seats has no room beside its name.
const isLow = (seats, inner) => seats.some((seat) => seat.score !== null && nameWidth(seat) + scoreWidth(seat) > inner);

// An opponent on the smallest phone: what is counted stands beside the card that they played, and the backs
// that they hold are left out.
function slimBlock(seat, width, least, clocked, low) {
  const { height, ...plate } = plateOf(seat, width, least, clocked, { low, beside: SLIM.beside });
  const played = playedBlock(seat.trick, SLIM.card, seat.seat);
  const lay = (put, x, y, high) => {
    put({ type: "panel", ...plate, slim: true, x, y, w: width, h: high });
    played.lay(put, x + width - 6 - SLIM.card, y + HEAD + 2);
  };
  return { width, height: Math.max(height, HEAD + played.height) + 6, lay };
}

// Whether nothing lies before a seat but what it has played and backs.
const holdsBacks = ({ hand, slots, piles, rows, trick }) => !isOpen(hand ?? { cards: [] }) && !slots.length && !piles.length &&
  !rows.length && trick.length < 2;

// An opponent: the panel, the card they played, what lies before them. `stacked` has a larger played
// card, with a line of its own.
function panelBlock(seat, width, u, tricks, least, { stacked, slim, low }, clocked) {
  if (slim && tricks && holdsBacks(seat)) {
    const usual = panelBlock(seat, width, u, tricks, least, { stacked, low }, clocked);
    const other = slimBlock(seat, width, least, clocked, low);
    return other.height < usual.height ? other : usual;
  }
  const inner = width - 16;
  const { height: head, ...plate } = plateOf(seat, width, least, clocked, { low });
  const large = stacked ? Math.min(u * 1.7, inner * 0.6, PLAYED) : Math.min(u * 1.35, inner * 0.36, PLAYED);
  const played = tricks ? playedBlock(seat.trick, large, seat.seat) : null;
  const beside = played && !stacked ? inner - played.width - GAP : inner;
  const pieces = (within) => [
    heldBlock(seat.hand, stacked ? Math.min(u, HELD_ABOVE) : u, within),
    slotsBlock(seat.slots, u, within),
    ...(played || !seat.trick.length ? [] : [playedBlock(seat.trick, u, seat.seat)]),
    ...seat.piles.map((pile) => pileBlock(pile, Math.min(u * 0.8, HELD, within), true)),
    ...seat.rows.map((row) => rowBlock(row, isOpen(row) ? u : Math.min(u, HELD_ABOVE, within / 2.2), within)),
  ];
  const rest = flow(pieces(beside), beside, false, 6);
  const above = stacked && rest.height ? rest.height + 6 : 0;
  const body = stacked ? above + played.height : Math.max(rest.height, played?.height ?? 0);
  const height = head + (body ? body + 10 : 2);
  // The panel is as high as the highest beside it; the cards lie at its foot, all in one line.
  const lay = (put, x, y, high) => {
    put({ type: "panel", ...plate, x, y, w: width, h: high });
    const foot = y + high - 6;
    played?.lay(put, x + (stacked ? (width - played.width) / 2 : 8), foot - played.height);
    if (played && !stacked) rest.lay(put, x + 8 + played.width + GAP, foot - rest.height);
    else rest.lay(put, x + 8, y + head + 4);
  };
  return { width, height, lay };
}

const isOpen = (row) => row.cards.some(({ token }) => token !== null);

// Opponents above, clockwise from the lower left: in as many columns as in the layout before, else in
// those that make them lowest.
export function opponents(seats, width, u, tricks, shared, { lines, columns: before, stacked, slim }, clocked) {
  const count = seats.length + (shared ? 1 : 0);
  if (!count) return NOTHING;
  let best = null;
  const most = Math.min(before ?? 8, count);
  for (let columns = most; columns >= Math.min(before ?? 1, most); columns -= 1) {
    const each = Math.min((width - GAP * (columns - 1)) / columns, 420);
    if (each < (slim ? 94 : 110) && columns > 1 && !before) continue;
    const under = stacked && tricks && each < NARROW;
    const low = isLow(seats, each - 16);
    const blocks = seats.map((seat) => panelBlock(seat, each, u, tricks, lines?.get(seat.seat) ?? 0, { stacked: under, slim, low }, clocked));
    const cells = clockwise(count, columns);
    if (shared) blocks.splice(Math.ceil(seats.length / 2), 0, shared(each));
    const rows = [];
    cells.forEach(([row], at) => {
      rows[row] = Math.max(rows[row] ?? 0, blocks[at].height);
    });
    const height = rows.reduce((sum, row) => sum + row + GAP, -GAP);
    if (best && best.height <= height) continue;
    const lay = (put, left, top) => {
      cells.forEach(([row, column, inRow], at) => {
        const x = left + (width - inRow * each - (inRow - 1) * GAP) / 2 + column * (each + GAP);
        const y = rows.slice(0, row).reduce((sum, high) => sum + high + GAP, top);
        blocks[at].lay(put, x, y, rows[row]);
      });
    };
    best = { width, height, lay, columns, each };
  }
  return best;
}

// [row, column, cells in the row] of each opponent: up the left side, along the top, down the right.
export function clockwise(count, columns) {
  const rows = Math.ceil(count / columns);
  const sizes = Array.from({ length: rows }, (_, row) => Math.min(columns, count - row * columns));
  const left = [];
  const right = [];
  for (let row = rows - 1; row >= 1; row -= 1) {
    const half = Math.floor(sizes[row] / 2) || (sizes[row] === 1 ? 1 : 0);
    for (let column = 0; column < half; column += 1) left.push([row, column, sizes[row]]);
  }
  for (let row = 1; row < rows; row += 1) {
    const half = Math.floor(sizes[row] / 2) || (sizes[row] === 1 ? 1 : 0);
    for (let column = half; column < sizes[row]; column += 1) right.push([row, column, sizes[row]]);
  }
  const top = Array.from({ length: sizes[0] }, (_, column) => [0, column, sizes[0]]);
  return [...left, ...top, ...right];
}
