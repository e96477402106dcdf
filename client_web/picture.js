// The picture of a table: a snapshot, and every event after it folded in.
//
// The same folds as `engine/views.py` and `protocol/mirror.py`. Pictures and views are never changed
// after they were made, so whoever draws may keep them.

import { isolated } from "./words.js";

/** An event does not follow from the picture; only a new snapshot helps. */
export class OutOfSync extends Error {}

/** The right event, but one that this page cannot apply; the next may be like it. */
export class UnsupportedEvent extends OutOfSync {}

export const EMPTY_VIEW = Object.freeze({ zones: {}, values: {} });
const KNOWN_CHANGES = new Set(["lay", "move", "show", "set"]);

/** `view` after the changes of `facts`; throws `UnsupportedEvent` if they do not fit together. */
export function fold(facts, view = EMPTY_VIEW) {
  const zones = { ...view.zones };
  const values = { ...view.values };
  for (const fact of facts) {
    for (const change of fact.changes) apply(zones, values, change);
  }
  return { zones, values };
}

/** Kind, owner and slot of a zone's name, null where it has none: `column/2/5`. */
export function zoneParts(name) {
  const [kind, owner, ...slot] = name.split("/");
  const number = (text) => (/^\d{1,3}$/.test(text ?? "") ? Number(text) : null);
  return { kind, owner: number(owner), slot: slot.length ? slot.join("/") : null };
}

/** The picture of a message `table`; `before` keeps values that no snapshot contains. */
export function pictureOf(message, before = null) {
  const question = questionOf(message.question);
  return {
    table: message.table,
    seq: message.seq,
    seat: message.seat ?? null,
    info: infoOf(message.info),
    view: viewOf(message.view),
    facts: (message.facts ?? []).map(readableFact),
    earlier: message.earlier ?? 0,
    question,
    legend: (message.legend ?? []).map((card) => ({ back: "standard", ...card })),
    labels: (message.labels ?? []).map(labelOf),
    layout: { zones: [], values: [], teams: [], ...message.layout },
    latecomers: before ? before.latecomers : {},
    late: before ? lateAt(before, question) : [],
    spectators: before ? before.spectators : 0,
  };
}

/** The picture after the next event; throws `OutOfSync` if `message` is not that. */
export function follow(picture, message) {
  if (message.seq !== picture.seq + 1) {
    throw new OutOfSync(`event ${message.seq} comes after event ${picture.seq}`);
  }
  const facts = (message.facts ?? []).map(factOf);
  const deal = facts.findLastIndex((fact) => fact.verb === "deal_started");
  const told = deal < 0 ? facts : facts.slice(deal);
  const question = message.question ? questionOf(message.question) : picture.question;
  return {
    ...picture,
    seq: message.seq,
    seat: seatAfter(picture.seat, facts),
    info: message.info ? infoOf(message.info) : picture.info,
    view: fold(told, deal < 0 ? picture.view : EMPTY_VIEW),
    facts: deal < 0 ? [...picture.facts, ...told] : told,
    earlier: deal < 0 ? picture.earlier : 0,
    question,
    late: lateAt(picture, question),
  };
}

/** The picture after a player's connection came or went, for which there is no event. */
export function withPresence(picture, seat, away) {
  const seats = picture.info.seats.map((chair, at) => (at === seat ? { ...chair, away } : chair));
  return { ...picture, info: { ...picture.info, seats } };
}

/** The picture of a table without missed events, with its present times and presences. */
export function withTimes(picture, { info, clock = null, reserve = [] }) {
  const question = { ...picture.question, clock, reserve };
  return { ...picture, info: infoOf(info), question, late: lateAt(picture, question) };
}

/** The players whose time is up, if the notice of it is for this question. */
function lateAt({ late, question: { turn } }, question) {
  return question.turn === turn && question.clock === 0 ? late : [];
}

/** The picture after a notice of latecomers, late players or spectators; null if unchanged. */
export function withNotice(picture, notice) {
  if (notice.kind === "spectators") return { ...picture, spectators: notice.count ?? 0 };
  if (notice.kind === "time_up") {
    const news = (notice.seats ?? []).filter((seat) => !picture.late.includes(seat));
    return news.length ? { ...picture, late: [...picture.late, ...news] } : null;
  }
  if (notice.kind !== "latecomer" && notice.kind !== "latecomer_gone") return null;
  const { [notice.request]: _, ...latecomers } = picture.latecomers;
  if (notice.kind === "latecomer") latecomers[notice.request] = notice.name ?? "";
  return { ...picture, latecomers };
}

/** Whether the player's own seat is to move. */
export function isMyTurn(picture) {
  return picture.seat !== null && picture.question.to_act.includes(picture.seat);
}

/** The names by seat, "" for an empty one; players with equal names get their seat added. */
export function namesOf(info) {
  const names = info.seats.map((chair) => isolated(chair.name));
  return names.map((name, at) =>
    name && (info.seats[at].alike || names.indexOf(name) !== names.lastIndexOf(name)) ? `${name} (${at + 1})` : name,
  );
}

/** A table's `info` with all default values that messages omit. */
export function infoOf(info) {
  return { practice: false, seeded: false, ...info, seats: info.seats.map(chairOf) };
}

/** A fact with all omitted default values; throws `UnsupportedEvent` for an unknown kind of change. */
export function factOf(fact) {
  for (const change of fact.changes ?? []) {
    if (!KNOWN_CHANGES.has(change.do)) throw new UnsupportedEvent(`unknown change ${change.do}`);
  }
  return { args: {}, changes: [], words: "", ...fact };
}

/** A fact of a snapshot or a log, whose view includes changes of unknown kinds. */
export function readableFact(fact) {
  const changes = (fact.changes ?? []).filter((change) => KNOWN_CHANGES.has(change.do));
  return factOf({ ...fact, changes });
}

/** A view with all default values that messages omit. */
export function viewOf(view) {
  const zones = {};
  for (const [name, zone] of Object.entries(view.zones ?? {})) {
    zones[name] = { cards: zone.cards ?? [], backs: zone.backs ?? 0 };
  }
  return { zones, values: { ...view.values } };
}

function questionOf(question) {
  const choices = question.choices;
  return {
    clock: null,
    ...question,
    to_act: question.to_act ?? [],
    reserve: question.reserve ?? [],
    choices: choices ? choicesOf(choices) : null,
  };
}

function choicesOf({ actions = [], texts = [], picks = [], ways = [], parts = [], prompt = null }) {
  const moved = { way: 0, cards: [], backs: [] };
  const empty = { ...moved, seats: [], words: [], numbers: [], then: [], nth: 0 };
  return {
    actions,
    texts,
    picks: picks.map((pick) => ({ way: 0, ...pick })),
    prompt,
    ways: ways.map((way) => ({ source: "", target: "", ...way })),
    parts: parts.map((part) => ({
      ...empty,
      ...part,
      then: (part.then ?? []).map((each) => ({ ...moved, ...each })),
    })),
  };
}

function chairOf(chair) {
  return {
    name: "",
    ready: false,
    strength: null,
    away: false,
    stand_in: false,
    program: "",
    ...chair,
  };
}

function labelOf(label) {
  return { text: "", holds: "", first: 0, ...label };
}

function apply(zones, values, change) {
  switch (change.do) {
    case "set":
      if (change.value === null || change.value === undefined) delete values[change.key];
      else values[change.key] = change.value;
      return;
    case "lay":
      for (const name of Object.keys(zones)) delete zones[name];
      for (const [name, backs] of Object.entries(change.zones)) zones[name] = { cards: [], backs };
      return;
    case "show": {
      const { cards, backs } = zone(zones, change.zone);
      if (backs < change.cards.length) throw new UnsupportedEvent(`${change.zone} has ${backs} backs`);
      zones[change.zone] = {
        cards: [...cards, ...change.cards],
        backs: backs - change.cards.length,
      };
      return;
    }
    case "move": {
      const { source, target, cards, hidden = false } = change;
      zones[source] = taken(zone(zones, source), cards, source);
      const put = hidden && Array.isArray(cards) ? cards.length : cards;
      zones[target] = joined(zone(zones, target), put);
      return;
    }
    default:
      throw new UnsupportedEvent(`unknown change ${change.do}`);
  }
}

function zone(zones, name) {
  if (!Object.hasOwn(zones, name)) throw new UnsupportedEvent(`there is no zone ${name}`);
  return zones[name];
}

function taken(zone, cards, name) {
  const faces = [...zone.cards];
  let backs = zone.backs;
  if (Array.isArray(cards)) {
    for (const card of cards) {
      const at = faces.indexOf(card);
      if (at < 0) backs -= 1;
      else faces.splice(at, 1);
    }
  } else {
    backs -= cards;
  }
  if (backs < 0) throw new UnsupportedEvent(`${cards} cannot leave ${name}`);
  return { cards: faces, backs };
}

function joined(zone, cards) {
  if (Array.isArray(cards)) return { cards: [...zone.cards, ...cards], backs: zone.backs };
  return { cards: zone.cards, backs: zone.backs + cards };
}

function seatAfter(seat, facts) {
  for (const { verb, args } of facts) {
    if (verb === "player_moved" && seat !== null && args.seat === seat && Number.isInteger(args.to)) {
      seat = args.to;
    }
  }
  return seat;
}

const MOST_KNOWN = 32;
const LONGEST_DIGEST = 64;

/** The legends of games, kept under their digests: the server sends each once. */
export class Legends {
  constructor() {
    this._kept = new Map();
  }

  /** Keep the legend of a game. */
  keep({ digest, legend, labels = [], layout = {} }) {
    this._kept.delete(digest);
    this._kept.set(digest, { legend, labels, layout });
  }

  /** Keep the legends that came with games: the server does not send them again. */
  keepThose(cards) {
    for (const card of cards) if (card.legend && card.digest) this.keep(card);
  }

  /** The digests of the latest legends, which need not be sent again. */
  get known() {
    return [...this._kept.keys()].filter((digest) => digest.length <= LONGEST_DIGEST).slice(-MOST_KNOWN);
  }

  /** A message `table` with the legend of its digest. */
  completed(table) {
    const common = this._kept.get(table.digest);
    return common ? { ...table, ...common } : table;
  }
}
