// Where everything lies: pure, from a model and the size of the window to rectangles in pixels. The
// largest cards that fit are chosen; nothing overlaps but cards of one zone, whose corners show.

const RATIO = 1.4;
const GAP = 8;
const EDGE = 8;
const TITLE = 14;
const HEAD = 24;
const CHIP = 20;
const SMALLEST = 22;
const FULL_FACE = 58;
const SLOT = 25;
const HELD = 50;
const TOOLS = 420;

const textWidth = (text, size = 6.6) => String(text).length * size;

// `actions` is the height that the question and its buttons take; `most` bounds the width of cards,
// so that they do not grow in the middle of a deal.
export function layout(model, { width, height, actions = 44, most = Infinity }) {
  const wide = width / height > 1.5 && height < 560;
  const desk = width >= 900 && height >= 600 && model.seats.length <= 5;
  const room = { width, height, actions, wide, ring: desk && model.tricks };
  const found = largest(model, room, most);
  const long = model.seats.some((seat) => seat.slots.length > 6);
  // Where room is scarce, many slots lie in as few rows as fit, whatever the game would like.
  const other = long ? largest(withoutRows(model), room, most) : found;
  const worth = (each) => (each.height <= height ? 1000 : 0) + each.card + 1.5 * each.mini;
  return spread(worth(other) > worth(found) ? other : found, room);
}

function withoutRows(model) {
  const flat = (seat) => ({ ...seat, slots: seat.slots.map((slot) => ({ ...slot, rows: 1 })) });
  return { ...model, seats: model.seats.map(flat) };
}

function largest(model, room, most) {
  const { width, height } = room;
  const start = Math.min(most, height > 700 ? 118 : 92, Math.max(44, width / 5.2));
  for (let card = Math.floor(start); card >= SMALLEST; card -= 2) {
    const first = attempt(model, room, card, Math.max(SMALLEST, card * 0.5));
    if (first.height > height) continue;
    let best = first;
    for (let mini = card * 0.5 + 3; mini <= card * 0.85; mini += 3) {
      const next = attempt(model, room, card, mini);
      if (next.height > height) break;
      best = next;
    }
    return best;
  }
  return attempt(model, room, SMALLEST, SMALLEST);
}

// One way to lay the table: hand cards `card` wide, those of opponents `mini` wide.
function attempt(model, room, card, mini) {
  const { width } = room;
  const others = model.own === null ? model.seats : model.seats.slice(1);
  const me = model.own === null ? null : model.seats[0];
  const status = { height: statusHeight(model.status, width - 2 * EDGE, width < 700) };
  const table = Math.max(SMALLEST, card * 0.82);
  const inner = width - 2 * EDGE;
  const tricks = model.tricks && !room.ring;
  const shared = (within) => sharedBlock(model, within, table, room);
  const beside = room.wide && shared(inner).height > 0;
  const grid = opponents(others, inner, mini, tricks, beside ? shared : null);
  const middle = room.wide ? { width: 0, height: 0, items: [] } : shared(inner);
  const mine = ownArea(me, model, inner, card, table, tricks, room);
  const parts = [status, grid, middle, mine].filter((part) => part.height > 0);
  const total = parts.reduce((sum, part) => sum + part.height, 0) + GAP * (parts.length - 1) + EDGE;
  return { status, grid, middle, mine, height: total, card, mini, table };
}

// Gives what is left over to the gaps between the parts, and makes everything absolute.
function spread(found, room) {
  const { status, grid, middle, mine } = found;
  const out = { ...found, width: room.width, fits: found.height <= room.height, panels: [], cards: [],
    piles: [], spots: [], areas: {} };
  const slack = Math.max(0, room.height - found.height);
  const shares = middle.height ? 3 : 2;
  const pad = Math.min(slack / shares, 60);
  let y = status.height + GAP;
  const narrow = room.width < 700;
  const under = narrow ? 30 : 0;
  const along = room.width - 2 * EDGE - (narrow ? 0 : TOOLS);
  out.areas.status = { x: EDGE, y: 2 + under, w: along, h: status.height - under };
  place(out, grid.items, EDGE, y + Math.min(pad / 2, 12));
  const bottom = room.height - EDGE / 2 - mine.height;
  y += grid.height + Math.min(pad / 2, 12);
  const space = bottom - y;
  place(out, middle.items, EDGE, y + Math.max(0, (space - middle.height) / 2));
  place(out, mine.items, EDGE, bottom);
  return out;
}

function place(out, items, x, y) {
  for (const item of items) {
    const moved = { ...item, x: item.x + x, y: item.y + y };
    if (item.type === "card") out.cards.push(moved);
    else if (item.type === "panel") out.panels.push(moved);
    else if (item.type === "pile") out.piles.push(moved);
    else if (item.type === "spot") out.spots.push(moved);
    else out.areas[item.type] = moved;
  }
}

const shifted = (items, x, y) => items.map((item) => ({ ...item, x: item.x + x, y: item.y + y }));

// On a narrow table the small buttons have a line of their own.
function statusHeight(status, width, narrow) {
  const long = status.reduce((sum, [title, text]) => sum + textWidth(title) + textWidth(text) + 26, 0);
  return narrow ? (long > width ? 74 : 54) : long > width - TOOLS ? 54 : 30;
}

// Blocks beside each other, in as many lines as they need.
function flow(blocks, width, centred = false, gap = GAP) {
  const lines = [];
  for (const block of blocks.filter((each) => each.width > 0)) {
    const line = lines.at(-1);
    if (line && line.width + gap + block.width <= width) {
      line.blocks.push(block);
      line.width += gap + block.width;
      line.height = Math.max(line.height, block.height);
    } else lines.push({ blocks: [block], width: block.width, height: block.height });
  }
  const items = [];
  let y = 0;
  for (const line of lines) {
    let x = centred ? (width - line.width) / 2 : 0;
    for (const block of line.blocks) {
      items.push(...shifted(block.items, x, y + (line.height - block.height)));
      x += block.width + gap;
    }
    y += line.height + 4;
  }
  const used = Math.max(0, ...lines.map((line) => line.width));
  return { width: used, height: Math.max(0, y - 4), items };
}

function cardItem(card, x, y, w, overlapped = false, more = {}) {
  const face = card.token === null ? "back" : w >= FULL_FACE ? "full" : overlapped ? "corner" : "small";
  return { type: "card", ...card, x, y, w, h: w * RATIO, face, turn: 0, ...more };
}

function spotItem(zone, x, y, w, more = {}) {
  return { type: "spot", zone, x, y, w, h: w * RATIO, ...more };
}

// A pile shows its top card, its title and how many lie there; of the pile under it a part.
function pileBlock(pile, u, covered = false) {
  const reach = pile.under ? u * 0.62 : 0;
  const width = Math.max(u + reach, Math.min(92, textWidth(pile.title, 6) + textWidth(pile.size, 6) + 12));
  const x = (width - u - reach) / 2;
  const items = [
    { type: "pile", zone: pile.zone, title: pile.title, count: pile.size, x: 0, y: 0, w: width, h: TITLE },
  ];
  for (const [each, left] of [...(pile.under ? [[pile.under, x + reach]] : []), [pile, x]]) {
    items.push(spotItem(each.zone, left, TITLE, u, { empty: each.size === 0 }));
    each.cards.slice(-2).forEach((card, at, shown) => {
      const below = at < shown.length - 1 || covered;
      // What somebody has taken is told by its number.
      const token = covered ? null : card.token;
      items.push(cardItem({ ...card, token }, left - at, TITLE - at, u, false, { below }));
    });
  }
  return { width, height: TITLE + u * RATIO, items };
}

// A row shows every card, overlapped where they need it, in lines.
function rowBlock(row, u, width) {
  u = Math.min(u, width);
  const step = u * 0.58;
  const count = row.cards.length;
  const open = count * (u + 3) - 3 <= Math.min(width, (u + 3) * 4);
  const along = open ? u + 3 : step;
  const inLine = Math.max(1, Math.floor((width - u) / along) + 1);
  const lines = Math.max(1, Math.ceil(count / inLine));
  const per = Math.max(1, Math.ceil(count / lines));
  const rise = u * 0.72;
  const used = u + (Math.min(per, Math.max(count, 1)) - 1) * along;
  const across = Math.max(used, Math.min(width, textWidth(row.title + row.slot, 6) + 22));
  const items = [
    { type: "pile", zone: row.zone, title: `${row.title} ${row.slot}`.trim(), count: row.size > 3 ? row.size : 0,
      x: 0, y: 0, w: across, h: TITLE },
    spotItem(row.zone, 0, TITLE, u, {
      empty: count === 0,
      w: used,
      h: (lines - 1) * rise + u * RATIO,
    }),
  ];
  row.cards.forEach((card, at) => {
    const line = Math.floor(at / per);
    items.push(cardItem(card, (at % per) * along, TITLE + line * rise, u, !open || lines > 1));
  });
  return { width: across, height: TITLE + (lines - 1) * rise + u * RATIO, items };
}

// Slots in one line or in several of the same length; in each, what shows lies on what does not.
function slotsBlock(slots, u, width) {
  if (!slots.length) return { width: 0, height: 0, items: [] };
  const gap = 3;
  const alone = (width + gap) / slots.length - gap;
  if (alone >= SLOT && slots[0].rows === 1) return slotLines(slots, Math.min(u, alone), width, gap);
  return slotLines(slots, u, width, gap);
}

function slotLines(slots, u, width, gap) {
  const fit = Math.max(1, Math.floor((width + gap) / (u + gap) + 1e-6));
  const lines = Math.max(Math.min(slots[0].rows, slots.length), Math.ceil(slots.length / fit));
  const per = Math.ceil(slots.length / lines);
  const deep = Math.min(3, Math.max(1, ...slots.map((slot) => slot.cards.length)));
  const lift = u * 0.14;
  const rise = u * RATIO + lift * (deep - 1) + gap;
  const items = [];
  slots.forEach((slot, at) => {
    const x = (at % per) * (u + gap);
    const y = Math.floor(at / per) * rise;
    const shown = slot.cards.slice(-3);
    items.push(spotItem(slot.zones.at(-1), x, y + lift * (deep - 1), u, { empty: !shown.length, slot: slot.slot }));
    shown.forEach((card, level) => {
      const low = y + lift * (deep - shown.length + level);
      items.push(cardItem(card, x, low, u, false, { slot: slot.slot, below: level < shown.length - 1 }));
    });
  });
  return { width: per * (u + gap) - gap, height: lines * rise - gap, items };
}

// What somebody holds: a few backs and their number; cards that are open lie in a row.
function heldBlock(hand, u, width) {
  if (!hand || !hand.size) return { width: 0, height: 0, items: [] };
  const backs = hand.cards.filter((card) => card.token === null);
  const faces = hand.cards.filter((card) => card.token !== null);
  if (faces.length) {
    return rowBlock({ ...hand, cards: [...backs, ...faces] }, u, width);
  }
  const shown = backs.slice(0, 5);
  u = Math.min(u, HELD, width / (1 + 0.2 * (shown.length - 1)));
  const step = u * 0.2;
  const w = u + (shown.length - 1) * step;
  const items = shown.map((card, at) => cardItem(card, at * step, 0, u, false, { below: at < shown.length - 1 }));
  items.push({ type: "pile", zone: hand.zone, title: "", count: hand.size, badge: true, held: true,
    x: w - 22, y: u * RATIO - 20, w: 22, h: 20 });
  return { width: w, height: u * RATIO, items };
}

// The place of the card that a seat has played.
function playedBlock(cards, u, seat) {
  const step = u * 0.58;
  const width = u + Math.max(0, cards.length - 1) * step;
  const items = [spotItem(`played ${seat}`, 0, 0, u, { empty: !cards.length, played: true })];
  cards.forEach((card, at) => items.push(cardItem(card, at * step, 0, u, cards.length > 1, { played: seat })));
  return { width, height: u * RATIO, items };
}

export function chipLines(chips, width) {
  let lines = chips.length ? 1 : 0;
  let used = 0;
  for (const [title, text] of chips) {
    const long = Math.min(width, textWidth(title, 6.4) + textWidth(text, 7) + 18);
    if (used && used + long > width) {
      lines += 1;
      used = 0;
    }
    used += long;
  }
  return lines;
}

// An opponent: name and score, what is counted, the card they played, what lies before them.
function panelBlock(seat, width, u, tricks) {
  const inner = width - 16;
  // What is counted stands behind the name where there is room.
  const said = [seat.name, ...seat.marks, seat.note ?? "", seat.partner ? "partner" : ""].join("   ");
  const counted = seat.chips.reduce((sum, [title, text]) => sum + textWidth(`${title} ${text}`, 7.2) + 12, 0);
  const inline = seat.chips.length > 0 && 60 + textWidth(said, 7.4) + counted < inner;
  const head = HEAD + (inline ? 0 : chipLines(seat.chips, inner) * CHIP);
  const played = tricks ? playedBlock(seat.trick, Math.min(u * 1.35, inner * 0.36), seat.seat) : null;
  const beside = played ? inner - played.width - GAP : inner;
  const pieces = (within) => [
    heldBlock(seat.hand, u, within),
    slotsBlock(seat.slots, u, within),
    ...(played || !seat.trick.length ? [] : [playedBlock(seat.trick, u, seat.seat)]),
    ...seat.piles.map((pile) => pileBlock(pile, Math.min(u * 0.8, HELD, within), true)),
    ...seat.rows.map((row) => rowBlock(row, u, within)),
  ];
  const rest = flow(pieces(beside), beside, false, 6);
  const items = [];
  let body = rest.height;
  if (played) {
    items.push(...shifted(played.items, 8, head + 4));
    items.push(...shifted(rest.items, 8 + played.width + GAP, head + 4));
    body = Math.max(body, played.height);
  } else items.push(...shifted(rest.items, 8, head + 4));
  const height = head + (body ? body + 10 : 2);
  return { width, height, items, panel: { type: "panel", seat: seat.seat, inline, x: 0, y: 0, w: width, h: height } };
}

// Opponents above, clockwise from the lower left: as many columns as make them lowest.
function opponents(seats, width, u, tricks, shared) {
  const count = seats.length + (shared ? 1 : 0);
  if (!count) return { height: 0, items: [] };
  let best = null;
  for (let columns = Math.min(count, 8); columns >= 1; columns -= 1) {
    const each = Math.min((width - GAP * (columns - 1)) / columns, 420);
    if (each < 98 && columns > 1) continue;
    const blocks = seats.map((seat) => panelBlock(seat, each, u, tricks));
    const cells = clockwise(count, columns);
    if (shared) {
      const middle = shared(each);
      blocks.splice(Math.ceil(seats.length / 2), 0, { ...middle, width: each, panel: null });
    }
    const rows = [];
    cells.forEach(([row], at) => {
      rows[row] = Math.max(rows[row] ?? 0, blocks[at].height);
    });
    const height = rows.reduce((sum, row) => sum + row + GAP, -GAP);
    if (best && best.height <= height) continue;
    const items = [];
    cells.forEach(([row, column, inRow], at) => {
      const left = (width - inRow * each - (inRow - 1) * GAP) / 2;
      const x = left + column * (each + GAP);
      const y = rows.slice(0, row).reduce((sum, high) => sum + high + GAP, 0);
      const { items: inside, panel } = blocks[at];
      if (panel) items.push({ ...panel, x, y, h: rows[row] });
      items.push(...shifted(inside, x, y));
    });
    best = { height, items };
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

// Piles and rows that belong to nobody; with room for it, the trick as an ellipse.
function sharedBlock(model, width, u, room) {
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
  const items = [];
  model.seats.forEach((seat, at) => {
    const turn = Math.PI / 2 + (2 * Math.PI * at) / count;
    const x = width / 2 + Math.cos(turn) * (width - u) / 2 - u / 2;
    const y = height / 2 + Math.sin(turn) * (height - u * RATIO) / 2 - (u * RATIO) / 2;
    items.push(...shifted(playedBlock(seat.trick, u, seat.seat).items, x, y));
  });
  return { width, height, items };
}

// The own seat: a line with name and counts, what lies before it, the question, the hand.
function ownArea(me, model, width, card, table, tricks, room) {
  const items = [];
  if (!me) {
    items.push({ type: "actions", x: 0, y: 0, w: width, h: room.actions });
    return { height: room.actions, items };
  }
  const aside = room.wide ? Math.floor(width * 0.42) : width;
  const handWidth = room.wide ? width - aside - GAP : width;
  const u = Math.max(28, table);
  const blocks = (within) => [
    ...(tricks ? [playedBlock(me.trick, u, me.seat)] : []),
    slotsBlock(me.slots, u, within - (tricks && room.wide ? u + GAP : 0)),
    ...(!tricks && !model.tricks && me.trick.length ? [playedBlock(me.trick, u, me.seat)] : []),
    ...me.piles.map((pile) => pileBlock(pile, Math.min(Math.max(26, u * 0.6), HELD), true)),
    ...me.rows.map((row) => rowBlock(row, u, within)),
  ];
  const body = flow(blocks(aside), aside, !room.wide);
  const hand = handBlock(me.hand, card, handWidth, room);
  const chips = me.chips.reduce((sum, [title, text]) => sum + textWidth(title, 6.4) + textWidth(text, 7) + 18, 0);
  const line = 130 + chips > aside ? HEAD + chipLines(me.chips, aside - 16) * CHIP : HEAD;
  const head = { type: "own", seat: me.seat, x: 0, y: 0, w: aside, h: line };
  if (room.wide) {
    const high = Math.max(line + 4 + body.height, room.actions + 4 + hand.height);
    items.push({ ...head, y: high - body.height - 4 - line });
    items.push(...shifted(body.items, 0, high - body.height));
    const x = aside + GAP;
    items.push({ type: "actions", x, y: high - hand.height - 4 - room.actions, w: handWidth, h: room.actions });
    items.push(...shifted(hand.items, x, high - hand.height));
    return { height: high, items };
  }
  let y = line + 4;
  items.push(head);
  items.push(...shifted(body.items, 0, y));
  if (body.height) y += body.height + 6;
  items.push({ type: "actions", x: 0, y, w: width, h: room.actions });
  y += room.actions + 4;
  items.push(...shifted(hand.items, 0, y));
  return { height: y + hand.height, items };
}

// The own hand: a fan in one line where it fits, else lines whose corners show.
function handBlock(hand, card, width, room) {
  const count = hand?.cards.length ?? 0;
  if (!count) return { height: 0, items: [] };
  const bend = room.height >= 600 && count > 2 ? Math.min(8, count * 1.1) : 0;
  const radians = (bend * Math.PI) / 180;
  const narrower = 2 * card * RATIO * Math.sin(radians);
  const least = Math.max(26, card * (card >= FULL_FACE ? 0.34 : 0.58));
  const along = (per, within) => (per < 2 ? 0 : Math.min(card + 6, (within - card) / (per - 1)));
  const items = [];
  const raise = 12;
  if (count === 1 || along(count, width - narrower) >= least) {
    const step = along(count, width - narrower);
    const left = (width - card - step * (count - 1)) / 2;
    const sag = (at) => {
      const t = count < 2 ? 0 : (2 * at) / (count - 1) - 1;
      return { t, drop: t * t * card * 0.13 * (bend ? 1 : 0) };
    };
    hand.cards.forEach((each, at) => {
      const { t, drop } = sag(at);
      items.push(cardItem(each, left + at * step, raise + drop, card, step < card, { turn: t * bend, hand: true }));
    });
    const low = bend ? card * 0.13 + Math.sin(radians) * card * 0.5 : 0;
    return { height: raise + card * RATIO + low, items };
  }
  let lines = 2;
  while (lines < 5 && along(Math.ceil(count / lines), width) < least) lines += 1;
  const per = Math.ceil(count / lines);
  const rise = Math.max(28, card * (card >= FULL_FACE ? 0.62 : 0.78) * RATIO * 0.85);
  const step = along(per, width);
  hand.cards.forEach((each, at) => {
    const line = Math.floor(at / per);
    const inLine = Math.min(per, count - line * per);
    const left = (width - card - step * (inLine - 1)) / 2;
    const x = left + (at % per) * step;
    items.push(cardItem(each, x, raise + line * rise, card, true, { hand: true }));
  });
  return { height: raise + (lines - 1) * rise + card * RATIO, items };
}
