// Where everything lies: pure, from a model and the size of the window to rectangles in pixels. The
// largest cards that fit are chosen; nothing overlaps but cards of one zone, whose corners show.

import { GAP, NOTHING, textWidth } from "./blocks.js";
import { playsInMiddle, ringCard, sharedBlock } from "./middle.js";
import { opponents } from "./opponents.js";
import { ownArea } from "./own_seat.js";

const EDGE = 8;
// A card can be hit with a finger, and where the felt grows it can be read.
const SMALLEST = 24;
const READABLE = 36;
const POOR = 30;
const ZOOMED = { width: 660, height: 600 };
// What others hold, where there is no room for more.
const TINY = 12;
const TOOLS = 420;
// An ellipse whose cards would be smaller tells less than cards in the panels.
const IN_RING = 48;

// `actions` is the height that the question and its buttons take. `kept` is what the layout before has
// kept, so that little moves in the middle of a deal: cards grow no larger than `card` and `mini`, what
// is counted at a seat has the room that it once took, and so has each part (`heights`). Where even the
// smallest cards do not fit, the table is laid higher: `height` of what is returned is what it takes.
export function layout(model, { width, height, actions = 44, kept = {} }) {
  const wide = width / height > 1.5 && height < 560;
  const desk = width >= 900 && height >= 600 && model.seats.length <= 5;
  const room = { width, height, actions, wide, ring: desk && model.tricks, kept };
  // A low window of a desk: a replay, or the end of a match.
  const low = wide && width >= 860 && height >= 400 && model.tricks && model.seats.length <= 5;
  const found = asBefore(model, room) ?? (low ? around(model, room) : null) ?? inPanels(model, room);
  if (found.height > height && kept.columns) return layout(model, { width, height, actions });
  // In a window that is zoomed in one would rather scroll than guess.
  const poor = width < ZOOMED.width && height < ZOOMED.height && found.card < POOR;
  if (found.height > height || poor) {
    const { height: read } = attempt(model, room, READABLE, READABLE / 2);
    const higher = Math.ceil(Math.max(found.height, read));
    if (higher > height) return layout(model, { width, height: higher, actions });
  }
  return spread(found, room);
}

// With the trick as an ellipse between the others, if there is room for it; null if not.
function around(model, room) {
  if (room.kept.card && !room.kept.ring) return null;
  // It stands in their line.
  const columns = model.seats.length - (model.own === null ? 0 : 1) + 1;
  const found = best(model, { ...room, ring: true, kept: { ...room.kept, columns } });
  if (found.height > room.height || found.inRing < IN_RING) return null;
  return room.kept.ring || found.card > best(model, room).card * 0.75 ? found : null;
}

// Else in the panels, where these are narrow with larger cards if the felt has room for them.
function inPanels(model, room) {
  const found = best(model, { ...room, kept: { ...room.kept, stacked: false } });
  if (!model.tricks || room.ring || room.wide || found.height > room.height) return found;
  if (room.kept.card && !room.kept.stacked) return found;
  const kept = { ...room.kept, columns: found.grid.columns, stacked: true };
  const other = attempt(found.flat ? withoutRows(model) : model, { ...room, kept }, found.card, found.mini);
  return other.height <= room.height ? { ...other, flat: found.flat } : found;
}

// What the layouts of a deal keep, by the height that the question and its buttons take. Another
// question is laid with the sizes that a lower one had; all have the opponents in the same columns.
export class Kept {
  constructor() {
    this.kept = new Map();
  }

  clear() {
    this.kept.clear();
  }

  get(actions) {
    if (this.kept.has(actions)) return this.kept.get(actions);
    const lower = [...this.kept.keys()].filter((each) => each < actions);
    if (lower.length) return { ...this.kept.get(Math.max(...lower)), heights: [] };
    const { columns, lines } = this.kept.values().next().value ?? {};
    return { columns, lines };
  }

  set(actions, kept) {
    this.kept.set(actions, kept);
  }
}

// The same sizes as before if they still fit, else a hand that is somewhat smaller.
function asBefore(model, room) {
  const { card, mini, flat, ring } = room.kept;
  if (!card) return null;
  const laid = (size) => {
    const found = attempt(flat ? withoutRows(model) : model, { ...room, ring }, size, mini);
    return found.height <= room.height ? { ...found, flat } : null;
  };
  const least = Math.max(SMALLEST, Math.ceil(card * 0.7));
  return laid(card) ?? farthest(Math.floor((card - least) / 2), (step) => laid(least + 2 * step));
}

function best(model, room) {
  const found = largest(model, room);
  // Where room is scarce, many slots lie in as few rows as fit, whatever the game would like.
  if (!model.seats.some((seat) => seat.slots.length > 6)) return found;
  const other = { ...largest(withoutRows(model), room), flat: true };
  const worth = (each) => (each.height <= room.height ? 1000 : 0) + each.card + 1.5 * each.mini;
  return worth(other) > worth(found) ? other : found;
}

function withoutRows(model) {
  const flat = (seat) => ({ ...seat, slots: seat.slots.map((slot) => ({ ...slot, rows: 1 })) });
  return { ...model, seats: model.seats.map(flat) };
}

// The largest cards that fit, first one's own, then those of the others. Each step of a search lays the
// whole table, so both halve what is left instead of trying one size after another.
function largest(model, room) {
  const { width, height, kept } = room;
  const start = Math.floor(Math.min(height > 700 ? 118 : 92, Math.max(44, width / 5.2)));
  // The same sizes are tried whatever bounds them, so that the same table is laid alike again.
  const laid = (card, mini) => {
    if (card > (kept.card ?? card) || mini > (kept.mini ?? mini)) return null;
    const found = attempt(model, room, card, mini);
    return found.height <= height ? found : null;
  };
  const sizes = Math.floor((start - SMALLEST) / 2);
  const fitting = (least) => farthest(sizes, (step) => {
    const card = SMALLEST + 2 * step + ((start - SMALLEST) % 2);
    return laid(card, Math.max(least, card * 0.5));
  });
  const first = fitting(SMALLEST) ?? fitting(TINY);
  if (!first) return attempt(model, room, SMALLEST, TINY);
  const { card } = first;
  const larger = (step) => card * 0.5 + 3 * (step + 1);
  return farthest(Math.floor((card * 0.35) / 3) - 1, (step) => laid(card, larger(step))) ?? first;
}

// What `find` gives for the largest step that it gives anything for, from 0 to `most`; null if for none.
function farthest(most, find) {
  let [low, high, best] = [0, most, null];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = find(middle);
    if (found) [low, best] = [middle + 1, found];
    else high = middle - 1;
  }
  return best;
}

// One way to lay the table: hand cards `card` wide, those of opponents `mini` wide.
function attempt(model, room, card, mini) {
  const { width } = room;
  const seats = model.own === null ? model.seats : model.seats.slice(1);
  // What lies in the ring lies nowhere else.
  const others = room.ring ? seats.map((seat) => ({ ...seat, trick: [] })) : seats;
  const me = model.own === null ? null : model.seats[0];
  const status = { height: statusHeight(model.status, width - 2 * EDGE, width < 700) };
  const table = Math.max(SMALLEST, card * 0.82);
  const inner = width - 2 * EDGE;
  const tricks = model.tricks && !room.ring;
  const shared = (within) => sharedBlock(model, within, table, room);
  const beside = room.wide && shared(inner).height > 0;
  const grid = opponents(others, inner, mini, tricks, beside ? shared : null, room.kept, model.clocked);
  const middle = room.wide ? NOTHING : shared(inner);
  const inMiddle = playsInMiddle(model, room);
  const mine = ownArea(me, model, inner, card, table, tricks && !inMiddle, room);
  const parts = [status, grid, middle, mine].filter((part) => part.height > 0);
  const total = parts.reduce((sum, part) => sum + part.height, 0) + GAP * (parts.length - 1) + EDGE;
  const { ring, kept: { stacked } } = room;
  const inRing = ring && room.wide ? ringCard(model, grid.each, table) : table;
  return { status, grid, middle, mine, height: total, card, mini, ring, stacked, inRing, inMiddle };
}

// Gives what is left over to the gaps between the parts, and lays everything; the hand at the edge.
function spread(found, room) {
  let slack = Math.max(0, room.height - found.height);
  // Each part stays as high as it was where there is room for that.
  const parts = [found.status, found.grid, found.mine, found.middle].map((part, at) => {
    const more = Math.max(0, (room.kept.heights?.[at] ?? 0) - part.height);
    if (!part.height || more > slack) return part;
    slack -= more;
    return { ...part, height: part.height + more };
  });
  const [status, grid, mine, middle] = parts;
  const out = { card: found.card, mini: found.mini, height: room.height, panels: [], cards: [], piles: [], spots: [],
    areas: {} };
  const kinds = { card: out.cards, panel: out.panels, pile: out.piles, spot: out.spots };
  const put = (item) => {
    if (kinds[item.type]) kinds[item.type].push(item);
    else out.areas[item.type] = item;
  };
  const shares = middle.height ? 3 : 2;
  const pad = Math.min(room.kept.pad ?? Math.min(slack / shares, 60) / 2, slack, 12);
  const narrow = room.width < 700;
  const under = narrow ? 30 : 0;
  const along = room.width - 2 * EDGE - (narrow ? 0 : TOOLS);
  out.areas.status = { x: EDGE, y: 2 + under, w: along, h: status.height - under };
  const top = status.height + GAP + pad;
  grid.lay(put, EDGE, top);
  const y = top + grid.height;
  const bottom = room.height - EDGE / 2 - mine.height;
  // A played card lies near those of the others.
  const free = Math.max(0, (bottom - y - middle.height) / 2);
  middle.lay(put, EDGE, y + (found.inMiddle ? Math.min(free, 2 * GAP) : free));
  mine.lay(put, EDGE, room.height - EDGE / 2 - found.mine.height);
  const counted = [...out.panels, ...(out.areas.own ? [out.areas.own] : [])];
  const lines = new Map(counted.map((panel) => [panel.seat, panel.lines]));
  const { card, mini, flat, ring, stacked } = found;
  const { columns } = grid;
  out.kept = { card, mini, flat, ring, stacked, columns, lines, pad, heights: parts.map(({ height }) => height) };
  return out;
}

// On a narrow table the small buttons have a line of their own.
function statusHeight(status, width, narrow) {
  const long = status.reduce((sum, [title, text]) => sum + textWidth(title) + textWidth(text) + 26, 0);
  return narrow ? (long > width ? 74 : 54) : long > width - TOOLS ? 54 : 30;
}
