// Where everything lies: pure, from a model and the size of the window to rectangles in pixels. The
// largest cards that fit are chosen; nothing overlaps but cards of one zone, whose corners show.

import { GAP, NOTHING, textWidth } from "./blocks.js";
import { playsInMiddle, sharedBlock } from "./middle.js";
import { opponents } from "./opponents.js";
import { ownArea, plateWidth } from "./own_seat.js";
import { EDGE, TOOLS, roundTable, seatings, teamsHeight } from "./round.js";

export const SMALL = 340;
// A card can be hit with a finger, and where the felt grows it can be read.
const SMALLEST = 24;
const READABLE = 36;
const POOR = 30;
// Where panels are slim one would rather guess a little than scroll.
const POOR_IN_SLIM = 26;
const ZOOMED = { width: 660, height: 600 };
// What others hold, where there is no room for more.
const TINY = 12;
// So large a felt is a round table, if cards of the trick can be read there.
const ROUND = { width: 700, height: 400, card: 44 };

// A felt that is larger than this in both directions is seen from further away: all on it is as much larger.
const FAR_AWAY = { width: 1240, height: 760, most: 2 };

// Wider than a phone it may be lower: after a match.
const LOW = { width: 960, height: 370 };

const isRound = (felt) => [ROUND, LOW].some(({ width, height }) => felt.width >= width && felt.height >= height);
const isWide = ({ width, height }) => width / height > 1.5 && height < 560;

/** By how much everything on a felt of this size is larger than it is laid. */
export function scaleFor({ width, height }) {
  return Math.max(1, Math.min(FAR_AWAY.most, width / FAR_AWAY.width, height / FAR_AWAY.height));
}

// How wide the question and its buttons are at most.
export function askedWidth(size) {
  if (isRound(size)) return size.width - 2 * plateWidth(size.width - 2 * EDGE) - 32;
  return isWide(size) ? size.width * 0.56 : size.width - 2 * EDGE;
}

// `actions` is the height that the question and its buttons take. `kept` is what the layout before has
// kept, so that little moves in the middle of a deal: cards grow no larger than `card` and `mini`, what
// is counted at a seat has the room that it once took, and so has each part (`heights`). Where even the
// smallest cards do not fit, the table is laid higher: `height` of what is returned is what it takes.
export function layout(model, { width, height, actions = 44, kept = {} }) {
  const room = { width, height, actions, wide: isWide({ width, height }), kept };
  const before = asBefore(model, room);
  if (!before && kept.seating && kept.card) return layout(model, { width, height, actions });
  const found = before ?? roundly(model, room) ?? inPanels(model, room);
  if (found.height > height && kept.columns) return layout(model, { width, height, actions });
  // In a window that is zoomed in one would rather scroll than guess.
  const poor = width < ZOOMED.width && height < ZOOMED.height && found.card < (kept.slim ? POOR_IN_SLIM : POOR);
  if (found.height <= height && !poor) return spread(found, room);
  // On the smallest phone many players or bids would push the hand out of the window.
  const slim = width < SMALL && !kept.slim ? layout(model, { width, height, actions, kept: { slim: true } }) : null;
  if (slim && slim.height <= height) return slim;
  const { height: read } = attempt(model, room, READABLE, READABLE / 2);
  const higher = Math.ceil(Math.max(found.height, read));
  if (slim && slim.height < higher) return slim;
  if (higher > height) return layout(model, { width, height: higher, actions, kept: { slim: kept.slim } });
  return spread(found, room);
}

// With everybody round the table, in the way that shows the largest cards; null if there is no room for it.
function roundly(model, room) {
  if (!isRound(room) || (room.kept.card && !room.kept.seating)) return null;
  const others = model.seats.length - 1;
  const ways = room.kept.seating ? [room.kept.seating] : seatings(others);
  const laid = ways.map((seating) => best(model, { ...room, seating })).filter((each) =>
    each.height <= room.height && each.trick >= ROUND.card);
  const worth = (each) => each.card + 1.5 * each.mini + each.trick;
  return laid.reduce((one, other) => (one && worth(one) >= worth(other) ? one : other), null);
}

// Else in the panels, where these are narrow with larger cards if the felt has room for them.
function inPanels(model, room) {
  const found = best(model, { ...room, kept: { ...room.kept, stacked: false } });
  if (!model.tricks || room.wide || found.height > room.height) return found;
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
    if (lower.length) return { ...this.kept.get(Math.max(...lower)), heights: [], mine: 0 };
    const { columns, seating, slim, lines } = this.kept.values().next().value ?? {};
    return { columns, seating, slim, lines };
  }

  set(actions, kept) {
    this.kept.set(actions, kept);
  }
}

// The same sizes as before if they still fit, else a hand that is somewhat smaller.
function asBefore(model, room) {
  const { card, mini, flat, seating, boxes } = room.kept;
  if (!card) return null;
  const laid = (size) => {
    const found = attempt(flat ? withoutRows(model) : model, { ...room, seating }, size, mini);
    return found.height <= room.height ? { ...found, flat } : null;
  };
  const least = Math.max(SMALLEST, Math.ceil(card * 0.7));
  return laid(card) ?? (boxes ? asBefore(model, { ...room, kept: { ...room.kept, boxes: null, mine: 0 } }) : null) ?? farthest(Math.floor((card - least) / 2), (step) => laid(least + 2 * step));
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
  const most = (model.size ?? 1) * (room.seating ? Math.max(92, Math.min(180, height * 0.14)) : height > 700 ? 118 : 92);
  const start = Math.floor(Math.min(most, Math.max(44, (model.size ?? 1) * width / 5.2)));
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
  const others = model.own === null ? model.seats : model.seats.slice(1);
  const me = model.own === null ? null : model.seats[0];
  const facts = statusHeight(model.status, width - 2 * EDGE, width < 700);
  if (room.seating) return roundTable(model, { ...room, status: facts }, card, mini);
  const status = { facts, height: facts + teamsHeight(model.teams, width - 2 * EDGE) };
  const table = Math.max(SMALLEST, card * 0.82);
  const inner = width - 2 * EDGE;
  const shared = (within) => sharedBlock(model, within, table, room);
  const beside = room.wide && shared(inner).height > 0;
  const grid = opponents(others, inner, mini, model.tricks, beside ? shared : null, room.kept, model.clocked);
  const middle = room.wide ? NOTHING : shared(inner);
  const inMiddle = playsInMiddle(model, room);
  const mine = ownArea(me, model, inner, card, table, model.tricks && !inMiddle, room);
  const parts = [status, grid, middle, mine].filter((part) => part.height > 0);
  const total = parts.reduce((sum, part) => sum + part.height, 0) + GAP * (parts.length - 1) + EDGE;
  return { status, grid, middle, mine, height: total, card, mini, stacked: room.kept.stacked, inMiddle };
}

// Gives what is left over to the gaps between the parts, and lays everything; the hand at the edge.
function spread(found, room) {
  const out = { card: found.card, mini: found.mini, height: room.height, panels: [], cards: [], piles: [], spots: [],
    areas: {} };
  const kinds = { card: out.cards, panel: out.panels, pile: out.piles, spot: out.spots };
  const put = (item) => {
    if (kinds[item.type]) kinds[item.type].push(item);
    else out.areas[item.type] = item;
  };
  const { card, mini, flat, seating, stacked } = found;
  const keeps = found.lay ? found.lay(put, room) : inParts(found, room, put);
  const counted = [...out.panels, ...(out.areas.own ? [out.areas.own] : [])];
  const lines = new Map(counted.map((panel) => [panel.seat, panel.lines]));
  out.kept = { card, mini, flat, seating, stacked, slim: room.kept.slim, lines, ...keeps };
  return out;
}

// One part below the other, the hand at the edge.
function inParts(found, room, put) {
  let slack = Math.max(0, room.height - found.height);
  // Each part stays as high as it was where there is room for that.
  const parts = [found.status, found.grid, found.mine, found.middle].map((part, at) => {
    const more = Math.max(0, (room.kept.heights?.[at] ?? 0) - part.height);
    if (!part.height || more > slack) return part;
    slack -= more;
    return { ...part, height: part.height + more };
  });
  const [status, grid, mine, middle] = parts;
  const shares = middle.height ? 3 : 2;
  const pad = Math.min(room.kept.pad ?? Math.min(slack / shares, 60) / 2, slack, 12);
  const narrow = room.width < 700;
  const under = narrow ? 30 : 0;
  const along = room.width - 2 * EDGE - (narrow ? 0 : TOOLS);
  const { facts, height } = found.status;
  put({ type: "status", x: EDGE, y: 2 + under, w: along, h: facts - under });
  if (height > facts) put({ type: "teams", x: EDGE, y: facts, w: room.width - 2 * EDGE, h: height - facts });
  const top = status.height + GAP + pad;
  grid.lay(put, EDGE, top);
  const y = top + grid.height;
  const bottom = room.height - EDGE / 2 - mine.height;
  // A played card lies near those of the others.
  const free = Math.max(0, (bottom - y - middle.height) / 2);
  middle.lay(put, EDGE, y + (found.inMiddle ? Math.min(free, 2 * GAP) : free));
  mine.lay(put, EDGE, room.height - EDGE / 2 - found.mine.height);
  return { columns: grid.columns, pad, heights: parts.map(({ height }) => height) };
}

// On a narrow table the small buttons have a line of their own.
function statusHeight(status, width, narrow) {
  const long = status.reduce((sum, [title, text]) => sum + textWidth(title) + textWidth(text) + 26, 0);
  return narrow ? (long > width ? 74 : 54) : long > width - TOOLS ? 54 : 30;
}
