// The table on a desk: pure. People sit round it, each behind what lies before them: clockwise up the left
// side, along the top, down the right side, and at the bottom whoever looks on. In the middle lies what is
// nobody's, and the trick, each card before its player and as large as those of the hand.

import { GAP, NOTHING, RATIO, flow, heldBlock, pileBlock, playedBlock, rowBlock, slotsBlock, textWidth } from "./blocks.js";
import { plateOf } from "./opponents.js";
import { ownRound } from "./own_seat.js";

export const EDGE = 8;
// A plate at the top is no wider, one at a side neither narrower nor wider.
const PLATE = 240;
const SIDE = { least: 164, most: 230, part: 0.2 };
// On a wide felt those at the sides sit so much nearer, in parts of what is left over.
const NEARER = { part: 0.22, most: 200 };
// The backs that somebody holds, and how wide a card of them is at most.
const HELD = { most: 13, size: 84 };
const CROWD = 5;
export const TOOLS = 420;
export const TEAM = 21;
// How far apart two cards of the trick lie at least and at most, one above the other, in their heights.
const NEAR = 0.6;
const FAR = 1.06;
const nearest = ([left, , right]) => (Math.max(left, right) > 1 ? FAR : NEAR);

// How many of `count` others sit left, above and right: the ways in which they may sit.
export function seatings(count) {
  if (count === 2) return [[1, 0, 1], [0, 2, 0]];
  const ways = [];
  for (let side = count === 1 ? 0 : 1; 2 * side < count && side <= 3; side += 1) ways.push([side, count - 2 * side, side]);
  return ways;
}

// One way to lay the table: cards of the hand `card` wide, those of the others `mini`, who sit as `seating`
// says. The height that it takes, and `lay(put, height)`.
export function roundTable(model, { width, height: high, actions, status, kept, seating }, card, mini) {
  const [me, ...rest] = model.seats;
  const others = model.own === null ? model.seats.slice(1) : rest;
  const inner = width - 2 * EDGE;
  const [left, above, right] = seating;
  const aside = left + right ? Math.round(Math.max(SIDE.least, Math.min(SIDE.most, inner * SIDE.part))) : 0;
  const across = above ? Math.min(PLATE, (inner - GAP * (above - 1)) / above) : 0;
  const block = (seat, wide, at, most = wide) => seatBlock(seat, [wide, most], mini, at, model, kept, others.length);
  const sides = [others.slice(0, left).reverse(), others.slice(left + above)].map((seats, at) =>
    seats.map((seat) => block(seat, aside, at)));
  const mine = model.own === null ? watchedBlock(block(me, Math.min(PLATE, inner), 0.5), inner, actions)
    : ownRound(me, model, inner, card, { height: high, actions, kept });
  // When the hand is empty its place stays.
  const own = { ...mine, height: Math.max(mine.height, kept.mine ?? 0) };
  const whole = inner - 2 * (aside ? aside + 2 * GAP : 0);
  const middle = middleBlock(model, whole, card, seating);
  const nearer = aside ? Math.round(Math.min(NEARER.most, Math.max(0, whole - middle.width) * NEARER.part)) : 0;
  const between = whole - 2 * nearer;
  // What lies before few at the top may be wider than their plates.
  const spread = above ? Math.max(across, Math.min(2 * PLATE, (between - GAP * (above - 1)) / above)) : 0;
  const top = others.slice(left, left + above).map((seat) => block(seat, across, 0.5, spread));
  const highest = (blocks) => Math.max(0, ...blocks.map((each) => each.height));
  const topWidth = above * (spread + GAP) - GAP;
  // What the teams have stands in the corner. Beside few at the top the others reach up to them.
  const corner = Math.max(150, Math.min(330, (inner - topWidth) / 2 - GAP));
  const teams = teamsHeight(model.teams, corner);
  const begins = Math.max(topWidth <= between ? 0 : highest(top) + GAP, teams && teams + GAP);
  const sideHeight = highest(sides.map((blocks) => ({ height: stacked(blocks) })));
  const body = Math.max(begins + sideHeight, (top.length ? highest(top) + GAP : 0) + middle.least);
  const height = status + body + GAP + own.height + EDGE;
  const lay = (put, room) => {
    const bottom = room.height - EDGE / 2 - own.height;
    const free = bottom - GAP - status;
    const side = (blocks, x) => {
      const gap = (free - begins - blocks.reduce((sum, each) => sum + each.height, 0)) / (blocks.length + 1);
      blocks.reduce((y, each) => (each.lay(put, x, y), y + each.height + gap), status + begins + gap);
    };
    side(sides[0], EDGE + nearer);
    top.forEach((each, at) => each.lay(put, EDGE + (inner - topWidth) / 2 + at * (spread + GAP), status));
    side(sides[1], width - EDGE - nearer - aside);
    // The table itself, with the plates at its rim.
    const rim = { x: EDGE + nearer + aside / 3, y: status + (top.length ? highest(top) / 2 : 0) };
    put({ type: "rim", ...rim, w: width - 2 * rim.x, h: bottom + Math.min(own.height * 0.4, 60) - rim.y });
    const start = top.length ? highest(top) + GAP : 0;
    middle.lay(put, EDGE + (inner - whole) / 2, status + start, free - start);
    own.lay(put, EDGE, bottom);
    if (teams) put({ type: "teams", x: EDGE, y: status + 2, w: corner, h: teams });
    put({ type: "status", x: EDGE, y: 2, w: inner - TOOLS, h: status });
    const held = new Map(others.map(({ seat, hand }) => [seat, Math.max(kept.held?.get(seat) ?? 0, hand?.size ?? 0)]));
    return { boxes: new Map([...top, ...sides.flat()].map((each) => [each.seat, each.height])), held, mine: own.height };
  };
  return { height: middle.fits ? height : Infinity, card, mini, seating, trick: middle.u, lay };
}

// How high the teams are told: beside each other, each in a line, or as a table below the words for all.
export function teamsHeight(teams, width) {
  const wide = ({ title, chips, score }) => Math.max(42, textWidth(title, 7.5)) + textWidth(score) + 54 +
    chips.reduce((sum, [name, text]) => sum + textWidth(name) + textWidth(text) + 19, 0);
  if (teams.reduce((sum, team) => sum + wide(team) + 30, 0) < width) return teams.length && TEAM;
  return TEAM * (teams.length + (teams.some((team) => wide(team) > width) ? 1 : 0));
}

const stacked = (blocks) => blocks.reduce((sum, each) => sum + each.height + GAP, -GAP);

// A seat: the plate, and behind it what this player holds and what lies before them, which may take more
// width. `at` is 0 where that lies at the left, 1 where it lies at the right.
function seatBlock(seat, [across, width], u, at, model, kept, others) {
  const { height: head, ...plate } = plateOf(seat, across, kept.lines?.get(seat.seat) ?? 0, model.clocked, { round: true });
  const most = others > CROWD ? 5 : HELD.most;
  const pieces = flow([
    heldBlock(seat.hand, u, width, { most, size: HELD.size, reserve: kept.held?.get(seat.seat), mirrored: at === 1 }),
    slotsBlock(seat.slots, u, width, u * 0.8),
    ...(model.tricks || !seat.trick.length ? [] : [playedBlock(seat.trick, u, seat.seat)]),
    ...seat.piles.map((pile) => pileBlock(pile, Math.min(u * 0.8, HELD.size, width), true)),
    ...seat.rows.map((row) => rowBlock(row, u, width)),
  ], width, at === 0.5, 6);
  const height = Math.max(head + (pieces.height ? pieces.height + 6 : 0), kept.boxes?.get(seat.seat) ?? 0);
  const lay = (put, x, y) => {
    put({ type: "panel", ...plate, plate: true, x: x + (width - across) / 2, y, w: across, h: head });
    pieces.lay(put, at === 0.5 ? x : x + at * (width - pieces.width), y + head + 6);
  };
  return { seat: seat.seat, width, height, lay };
}

// Where somebody watches, the seat at the bottom, and what is said above it.
function watchedBlock(seat, width, actions) {
  const lay = (put, x, y) => {
    put({ type: "actions", x, y, w: width, h: actions });
    seat.lay(put, x + (width - seat.width) / 2, y + actions + 4);
  };
  return { width, height: actions + 4 + seat.height, lay };
}

// What is nobody's beside the trick, or in lines where there is no room for that.
function middleBlock(model, width, card, seating) {
  const { piles, rows, trick } = model.shared;
  const table = Math.max(24, card * 0.82);
  const around = [
    ...piles.map((pile) => pileBlock(pile, table)),
    ...rows.map((row) => rowBlock(row, table, Math.min(width, table * 5))),
    ...(trick.length
      ? [rowBlock({ zone: model.shared.trickZone, title: "", slot: "", size: trick.length, cards: trick }, card, width)]
      : []),
  ];
  const lines = flow(around, width, true, 2 * GAP);
  if (!model.tricks) return { least: lines.height, width: lines.width, fits: lines.width <= width, u: card, lay: (put, x, y, high) =>
    lines.lay(put, x, y + (high - lines.height) / 2) };
  const u = Math.min(card, (width - 2 * GAP) / columnsOf(seating));
  const small = trickBlock(model, u, seating, nearest(seating));
  // Half of it at each side, so that the trick lies in the middle, or as near to it as there is room.
  const half = Math.ceil(around.length / 2);
  const parts = [around.slice(0, half), around.slice(half)];
  const wide = (blocks) => blocks.reduce((sum, each) => sum + each.width + 2 * GAP, 0);
  const [before, behind] = parts.map(wide);
  const beside = small.width + before + behind <= width;
  const least = beside ? Math.max(small.height, lines.height) : small.height + (lines.height ? lines.height + GAP : 0);
  const wanted = beside ? Math.min(width, small.width + 2 * Math.max(before, behind)) : Math.max(small.width, lines.width);
  const lay = (put, x, y, high) => {
    const room = beside ? high : high - (lines.height ? lines.height + GAP : 0);
    const whole = trickBlock(model, u, seating, Math.max(nearest(seating), Math.min(FAR, room / (u * RATIO) - 1)));
    const start = x + (beside ? Math.max(before, Math.min((width - whole.width) / 2, width - behind - whole.width)) : (width - whole.width) / 2);
    if (!beside) {
      const top = y + (room - whole.height) / 2;
      whole.lay(put, start, top);
      lines.lay(put, x, top + whole.height + GAP);
      return;
    }
    whole.lay(put, start, y + (high - whole.height) / 2);
    parts.forEach((blocks, at) => {
      let from = at ? start + whole.width + 2 * GAP : start - before;
      for (const each of blocks) {
        each.lay(put, from, y + (high - each.height) / 2);
        from += each.width + 2 * GAP;
      }
    });
  };
  return { least, width: wanted, fits: small.width <= width && lines.width <= width, u, lay };
}

const columnsOf = ([left, above, right]) => (left ? 1.06 : 0) + Math.max(1, above) * 1.06 + (right ? 1.06 : 0);

// The trick, each card before its player: `pitch` is how far the lower cards lie below the upper ones, in
// heights of a card.
function trickBlock(model, u, [left, above, right], pitch) {
  const high = u * RATIO;
  const wide = Math.max(u, ...model.seats.map(({ trick }) => u + Math.max(0, trick.length - 1) * u * 0.58));
  const step = wide + u * 0.06;
  const columns = (left ? 1 : 0) + Math.max(1, above) + (right ? 1 : 0);
  // Nobody sits above: those at the sides have played half a card higher than whoever is below.
  const down = above ? pitch * high : 0.45 * high;
  const [width, height] = [columns * step - u * 0.06, high + down * (Math.max(left, right) > 2 ? 2 : 1)];
  const middle = (left ? step : 0) + ((Math.max(1, above) - 1) * step) / 2;
  // From the lowest at a side to the highest.
  const rising = (count, at) => (count === 1 ? (above ? (height - high) / 2 : 0) : ((count - 1 - at) * (height - high)) / (count - 1));
  const places = [[middle, height - high]];
  for (let at = 0; at < left; at += 1) places.push([0, rising(left, at)]);
  for (let at = 0; at < above; at += 1) places.push([(left ? step : 0) + at * step, 0]);
  for (let at = 0; at < right; at += 1) places.push([width - wide, rising(right, right - 1 - at)]);
  const lay = (put, x, y) => {
    // Lower ones over those above them, whose indices show.
    const order = [...model.seats.keys()].sort((one, other) => places[one][1] - places[other][1]);
    for (const at of order) {
      const seat = model.seats[at];
      const played = playedBlock(seat.trick, u, seat.seat, seat.own);
      played.lay(put, x + places[at][0] + (wide - played.width) / 2, y + places[at][1]);
    }
  };
  return { width, height, lay };
}
