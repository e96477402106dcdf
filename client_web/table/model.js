// What lies on a table, sorted by where it belongs: pure, from view, legend and labels alone. The
// game's layout hints say of each kind of zone where it lies; where they say nothing, its name and
// its cards do.

const NUMBER = /^[0-9]{1,3}$/;
const PILES = new Set(["taken", "won", "deck", "stock", "talon", "discard", "played", "spent", "lost"]);
const TRICKS = new Set(["trick", "bid", "drawn", "shown"]);
const MARKERS = new Set(["turn", "leader", "dealer"]);
const OF_MATCH = new Set(["team", "total", "team_total"]);
const INTERNAL = new Set(["option", "play", "sheet", "now", "turn", ...OF_MATCH]);

const PARTS = new Map();

// The parts of the name of a zone or a value. They are asked for again and again, so they are kept.
export function partsOf(name) {
  const known = PARTS.get(name);
  if (known) return known;
  const [kind, owner = "", ...rest] = name.split("/");
  const parts = { kind, seat: NUMBER.test(owner) ? Number(owner) : null, slot: rest.join("/") };
  if (PARTS.size > 4000) PARTS.clear();
  PARTS.set(name, parts);
  return parts;
}

export function labelOf(kind, labels = []) {
  const label = labels.find((each) => each.kind === kind);
  return label ?? { kind, title: kind.replace(/_team$/, "").replaceAll("_", " "), holds: "" };
}

// The game's hint for a kind of zones or of values; undefined if it says nothing.
function hintOf(what, kind, told) {
  return told.layout?.[what]?.find((each) => each.kind === kind);
}

// Where zones of a kind lie: hand, slots, trick, pile, stack, row or hidden.
export function placeOf(kind, owned, slotted, told) {
  if (told.layout?.zones?.length) return hintOf("zones", kind, told)?.place ?? "row";
  if (owned && kind === "hand") return "hand";
  if (owned && slotted) return "slots";
  if (slotted) return "row";
  if (TRICKS.has(kind)) return "trick";
  if (PILES.has(kind) || !owned) return "pile";
  return "row";
}

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

// The table, sorted: `seats` in clockwise order from the seat that looks on, and what is shared.
export function modelOf(told) {
  const { view, seat: own, labels = [] } = told;
  const zones = view.zones ?? {};
  const order = new Map((told.legend ?? []).map((card) => [card.token, card.order]));
  const ordered = (a, b) => (order.get(a) ?? 1e6) - (order.get(b) ?? 1e6);
  const owners = originsOf(told.deal ?? [], zones);
  const count = seatCount(told, zones);
  const seats = Array.from({ length: count }, (_, seat) => seatModel(seat, told));
  const shared = { trick: [], piles: [], rows: [] };
  let tricks = false;
  for (const [name, zone] of Object.entries(zones)) {
    const { kind, seat, slot } = partsOf(name);
    const place = placeOf(kind, seat !== null, slot !== "", told);
    if (place === "hidden") continue;
    const hint = hintOf("zones", kind, told);
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
    } else if (place === "hand") at.hand = block;
    else if (place === "slots") addSlot(at, block);
    else if (place === "trick") at.trick.push(...cards);
    else if (piled && isNamed(name, told)) at.piles.push(block);
    else if (piled) {
      // What somebody has taken is told by its number.
      if (size) at.chips.push([title, String(size)]);
    } else at.rows.push(block);
  }
  shared.piles = joined(shared.piles).filter((pile) => pile.size || pile.under || isGoal(pile.zone, told));
  for (const each of seats) {
    each.piles = each.piles.filter((pile) => pile.size);
    each.rows = each.rows.filter((row) => row.size || (isGoal(row.zone, told) && row.slot === ""));
    if (each.slots.every((slot) => slot.cards.length === 0)) each.slots = [];
    const groups = each.slots.map((slot) => slot.group);
    each.slots.sort(
      (a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || Number(a.slot) - Number(b.slot),
    );
  }
  const from = own ?? 0;
  const clockwise = seats.map((_, at) => seats[(from + at) % count]);
  return { own, tricks, seats: clockwise, shared, status: statusOf(told) };
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

function seatCount(told, zones) {
  const owners = Object.keys(zones).map((name) => partsOf(name).seat ?? -1);
  return Math.max(told.info?.seats?.length ?? 0, 1, ...owners.map((seat) => seat + 1));
}

// Whether a choice speaks of a zone or of a card in it.
function isNamed(zone, told) {
  return isGoal(zone, told) || (told.question?.choices?.ways ?? []).some((way) =>
    way.source === zone || way.target === zone);
}

function isGoal(zone, told) {
  const actions = told.question?.choices?.actions ?? [];
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

function seatModel(seat, told) {
  const values = told.view.values ?? {};
  const asked = told.question?.to_act ?? [];
  const totals = values[`total/${seat}`];
  const team = values[`team/${seat}`];
  return {
    seat,
    own: seat === told.seat,
    name: told.names?.[seat] ?? "",
    asked: asked.includes(seat),
    partner: told.seat !== null && seat !== told.seat && team !== undefined &&
      team === values[`team/${told.seat}`],
    team: team ?? null,
    score: totals ?? null,
    ...valuesOf(seat, team, told),
    hand: null,
    slots: [],
    trick: [],
    piles: [],
    rows: [],
  };
}

// How a value is shown: {shown, title, zero, holds, first}; guessed where the game says nothing.
function showing(kind, owned, told) {
  if (told.layout?.values?.length) {
    const hint = hintOf("values", kind, told);
    return { zero: true, holds: "", first: 0, ...(hint ?? { shown: "nobody", title: kind }) };
  }
  const label = labelOf(kind, told.labels);
  const hidden = label.holds === "nothing" || INTERNAL.has(kind) || kind === "turn";
  const shown = MARKERS.has(kind) ? "seat" : kind.endsWith("_team") ? "team" : owned ? "seat" : "table";
  const zero = !owned || isCounted(kind, told.view.values ?? {});
  const holds = MARKERS.has(kind) ? "seat" : label.holds;
  return { ...label, holds, shown: hidden ? "nobody" : shown, zero };
}

// The values of a seat: what is counted as [title, text], and what marks the seat.
function valuesOf(seat, team, told) {
  const values = told.view.values ?? {};
  const chips = [];
  const marks = [];
  for (const [key, value] of Object.entries(values)) {
    const { kind, seat: owner, slot } = partsOf(key);
    if (slot || OF_MATCH.has(kind) || kind === "turn") continue;
    const how = showing(kind, owner !== null, told);
    if (how.shown === "seat" && owner === null && how.holds === "seat") {
      if (value - (how.first ?? 0) === seat && typeof value === "number") marks.push(how.title);
      continue;
    }
    if (how.shown !== "seat" && how.shown !== "team") continue;
    if (owner === null || owner !== (how.shown === "team" ? team : seat)) continue;
    const text = valueText(how, value, told);
    if (text === "" || value === false || (value === 0 && !how.zero)) continue;
    chips.push([how.title, value === true ? "" : text]);
  }
  return { chips, marks };
}

// Whether a zero is worth showing: somebody else has something else, or it was bid.
function isCounted(kind, values) {
  if (kind === "bid" || kind === "tricks") return true;
  return Object.entries(values).some(([key, value]) => partsOf(key).kind === kind && value !== 0);
}

function valueText(label, value, told) {
  if (value === null || value === undefined || value === "NONE") return "";
  if (label.holds === "seat" && typeof value === "number") {
    const seat = value - (label.first ?? 0);
    return told.names?.[seat] ?? (value === 0 ? "" : String(value));
  }
  if (label.holds === "cards" && typeof value === "string") {
    const known = new Map((told.legend ?? []).map((card) => [card.token, card.label]));
    return value.split(" ").map((token) => known.get(token) ?? token).join(" ");
  }
  if (value === true) return label.title;
  if (label.holds === "team" && typeof value === "number") return String(value + 1);
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "string" && label.words?.[value]) return label.words[value];
  if (typeof value === "string" && value.length > 1 && /^[A-Z]+$/.test(value)) return value.toLowerCase();
  return signed(value);
}

// The deal, then the others as the game lists them: a view that was folded has another order.
function inOrder(keys, told) {
  const listed = (told.layout?.values ?? []).map((each) => each.kind);
  const rank = (key) => (key === "deal" ? -1 : listed.includes(key) ? listed.indexOf(key) : listed.length);
  return keys.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

// What is said of the whole table: [title, text] in a fixed order.
function statusOf(told) {
  const values = told.view.values ?? {};
  const parts = [];
  for (const key of inOrder(Object.keys(values), told)) {
    const value = values[key];
    const { kind, seat: owner } = partsOf(key);
    if (key.includes("/") && owner === null) continue;
    const how = showing(kind, owner !== null, told);
    if (how.shown !== "table" || owner !== null || value === false || value === "") continue;
    if (key.endsWith("s") && key.slice(0, -1) in values) continue;
    if (value === 0 && how.zero === false) continue;
    if (told.info?.phase === "finished" && key !== "deal") continue;
    const text = valueText(how, value, told);
    if (!text) continue;
    const most = values[`option/${key}s`] ?? values[`${key}s`];
    parts.push([how.title, value === true ? "" : most ? `${text}/${most}` : text]);
  }
  return parts;
}

// A figure with a real minus.
export function signed(value) {
  return typeof value === "number" && value < 0 ? `−${-value}` : String(value);
}
