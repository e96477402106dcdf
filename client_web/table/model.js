// What lies on a table, sorted by where it belongs: pure, from view, legend and labels alone. The
// game's layout hints say of each kind of zone where it lies; where they say nothing, its name and
// its cards do.

import { handOrder } from "./hand_order.js";
import { hintOf, labelOf, partsOf, placeOf } from "./names.js";
import { teamsOf } from "./teams.js";
import { isSingle, statusOf, valuesOf } from "./values.js";

// Counted in cards: beside points the bare number would be taken for those.
const TAKEN = new Set(["taken", "won"]);

// Cards of a zone from bottom to top as {zone, token, key}; a key stays the same while others move.
export function cardsOf(name, zone, ordered = null) {
  const tokens = ordered ? [...(zone.cards ?? [])].sort(ordered) : (zone.cards ?? []);
  const seen = new Map();
  const faces = tokens.map((token) => {
    const copy = seen.get(token) ?? 0;
    seen.set(token, copy + 1);
    return { zone: name, token, key: `${name}:${token}:${copy}` };
  });
  const backs = Array.from({ length: zone.backs ?? 0 }, (_, at) => ({
    zone: name,
    token: null,
    key: `${name}::${at}`,
  }));
  return [...backs, ...faces];
}

// For each card that lies in a zone of nobody's, the seat it came from, in the order of the zone.
export function originsOf(facts, zones) {
  const came = new Map();
  const forget = (zone, cards) => {
    const kept = came.get(zone) ?? [];
    for (const card of cards) {
      const at = kept.findIndex(([token]) => token === card);
      if (at >= 0) kept.splice(at, 1);
    }
  };
  for (const change of facts.flatMap((fact) => fact.changes ?? [])) {
    if (change.do === "lay") came.clear();
    if (change.do !== "move" || !Array.isArray(change.cards)) continue;
    forget(change.source, change.cards);
    const { seat } = partsOf(change.source);
    if (seat === null || partsOf(change.target).seat !== null) continue;
    const there = came.get(change.target) ?? [];
    came.set(change.target, [...there, ...change.cards.map((card) => [card, seat])]);
  }
  const owners = {};
  for (const [zone, known] of came) {
    const left = [...known];
    owners[zone] = (zones[zone]?.cards ?? []).map((token) => {
      const at = left.findIndex(([card]) => card === token);
      return at < 0 ? null : left.splice(at, 1)[0][1];
    });
  }
  return owners;
}

// The cards that have come into the own hand since this player has last given one: from a pass, drawn. None
// while the whole hand has just been dealt.
export function newInHand({ deal = [], seat, view }) {
  const hand = `hand/${seat}`;
  let came = [];
  for (const change of deal.flatMap((fact) => fact.changes ?? [])) {
    // Within the hand cards are only sorted.
    if (change.do === "move" && change.source === change.target) continue;
    if (change.do === "lay" || change.source === hand) came = [];
    if (change.do === "move" && change.target === hand && Array.isArray(change.cards)) came.push(...change.cards);
  }
  const held = view.zones?.[hand]?.cards?.length ?? 0;
  return came.length < held ? came : [];
}

// The table, sorted: `seats` in clockwise order from the seat that looks on, and what is shared. `ordered`
// compares two tokens of a hand.
export function modelOf(scene, ordered = handOrder(scene)) {
  const { view, seat: own, labels = [] } = scene;
  const zones = view.zones ?? {};
  const owners = originsOf(scene.deal ?? [], zones);
  const count = seatCount(scene, zones);
  const seats = Array.from({ length: count }, (_, seat) => seatModel(seat, scene));
  const shared = { trick: [], piles: [], rows: [] };
  let tricks = false;
  for (const [name, zone] of Object.entries(zones)) {
    const { kind, seat, slot } = partsOf(name);
    const place = placeOf(kind, seat !== null, slot !== "", scene);
    if (place === "hidden") continue;
    const hint = hintOf("zones", kind, scene);
    const title = hint?.title || labelOf(kind, labels).title;
    const size = (zone.cards?.length ?? 0) + (zone.backs ?? 0);
    const piled = place === "pile";
    const cards = cardsOf(name, zone, place === "hand" ? ordered : null);
    const block = { zone: name, kind, slot, title, cards, size, hinted: Boolean(hint), over: hint?.over ?? "", rows: hint?.rows ?? 1 };
    tricks ||= place === "trick";
    const at = seats[seat];
    if (seat === null || !at) {
      if (place === "trick") {
        cards.forEach((card, index) => {
          const player = owners[name]?.[index];
          (seats[player]?.trick ?? shared.trick).push(card);
        });
        shared.trickZone = name;
      } else if (piled) shared.piles.push(block);
      else if (size) shared.rows.push(block);
    } else if (place === "hand") at.hand = seat === own ? { ...block, cards: marked(cards, newInHand(scene)) } : block;
    else if (place === "slots") addSlot(at, block);
    else if (place === "trick") at.trick.push(...cards);
    else if (piled && isNamed(name, scene)) at.piles.push(block);
    else if (piled) {
      // What somebody has taken is told by its number.
      const cards = TAKEN.has(kind) ? scene.words?.page?.("table.cards_of", { count: size }) : "";
      if (size) at.chips.push([cards || title, String(size)]);
    } else at.rows.push(block);
  }
  shared.piles = joined(shared.piles).filter((pile) => pile.size || pile.under || isGoal(pile.zone, scene));
  for (const each of seats) {
    each.piles = each.piles.filter((pile) => pile.size);
    each.rows = each.rows.filter((row) => row.size || (isGoal(row.zone, scene) && row.slot === ""));
    if (each.slots.every((slot) => slot.cards.length === 0)) each.slots = [];
    const groups = each.slots.map((slot) => slot.group);
    each.slots.sort(
      (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || Number(a.slot) - Number(b.slot),
    );
  }
  const teams = teamsOf(scene);
  if (teams.length && teams.every(({ score }) => score !== "")) for (const seat of seats) seat.score = null;
  const from = own ?? 0;
  const clockwise = seats.map((_, at) => seats[(from + at) % count]);
  return { own, tricks, seats: clockwise, shared, teams, status: statusOf(scene), clocked: hasClock(scene) };
}

// The cards of a hand, those that are new in it marked.
function marked(cards, came) {
  const left = [...came];
  return cards.map((card) => {
    const at = card.token === null ? -1 : left.indexOf(card.token);
    return at < 0 ? card : { ...card, isNew: Boolean(left.splice(at, 1)) };
  });
}

// Whether a clock runs in some turns of this match, perhaps not in this one.
function hasClock({ info, clocks }) {
  if (!clocks || info?.phase !== "playing") return false;
  return Boolean(info.settings?.turn_seconds) || (clocks.turn ?? null) !== null;
}

// A pile that lies over another takes that one along, as `under`.
function joined(piles) {
  const under = new Map(piles.map((pile) => [pile.kind, pile]));
  const lower = new Set();
  const made = piles.map((pile) => {
    const other = pile.over && !pile.slot ? under.get(pile.over) : undefined;
    if (!other?.size || !pile.size || other === pile) return pile;
    lower.add(other);
    return { ...pile, under: other };
  });
  return made.filter((_, at) => !lower.has(piles[at]));
}

function seatCount(scene, zones) {
  const owners = Object.keys(zones).map((name) => partsOf(name).seat ?? -1);
  return Math.max(scene.info?.seats?.length ?? 0, 1, ...owners.map((seat) => seat + 1));
}

// Whether a choice speaks of a zone or of a card in it.
function isNamed(zone, scene) {
  return isGoal(zone, scene) || (scene.question?.choices?.ways ?? []).some((way) =>
    way.source === zone || way.target === zone);
}

function isGoal(zone, scene) {
  const actions = scene.question?.choices?.actions ?? [];
  return actions.some((action) => action.split(/[ ,]+/).includes(zone));
}

// Slots of several kinds with the same number are one stack: what shows lies over what does not.
function addSlot(at, block) {
  const group = block.over || block.kind;
  const alike = (slot) => slot.slot === block.slot && (slot.group === group || !block.hinted);
  const there = at.slots.find(alike);
  if (!there) {
    at.slots.push({ slot: block.slot, title: block.title, group, rows: block.rows, zones: [block.zone], cards: block.cards });
    return;
  }
  there.zones.push(block.zone);
  there.cards = [...there.cards, ...block.cards].sort(
    (a, b) => (a.token !== null) - (b.token !== null),
  );
}

function seatModel(seat, scene) {
  const values = scene.view.values ?? {};
  const asked = scene.question?.to_act ?? [];
  const totals = values[`total/${seat}`];
  const team = values[`team/${seat}`];
  return {
    seat,
    own: seat === scene.seat,
    name: scene.names?.[seat] ?? "",
    asked: asked.includes(seat),
    partner: scene.seat !== null && seat !== scene.seat && team !== undefined &&
      team === values[`team/${scene.seat}`],
    team: team ?? null,
    score: isSingle(scene) ? null : totals ?? null,
    ...valuesOf(seat, team, scene),
    hand: null,
    slots: [],
    trick: [],
    piles: [],
    rows: [],
  };
}
