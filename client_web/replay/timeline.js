// Pure: the log of a table as steps that one can go through, with deals and tricks as marks, and the
// picture of the table after any of them (`protocol/replaying.py`).
//
// An entry of the log is one step, or several where something must be seen before it goes: a complete
// trick before it is taken away, a deal's scores before the next deal. The last step of an entry shows
// what players saw after it.

import { EMPTY_VIEW, follow, pictureOf, viewOf } from "../picture.js";
import { partsOf, placeOf } from "../table/names.js";

/** The number of steps between kept pictures, from which others are computed. */
const KEPT_EVERY = 32;

/** The pages of a log do not follow each other from its first entry on. */
export class Gap extends Error {}

/** The steps of one log, for one viewer. */
export class Timeline {
  /** `pages` are the answers to `log`; throws `Gap`, or `OutOfSync` if they do not fit. */
  constructor(pages) {
    const [first] = pages;
    this.entries = pages.flatMap((page) => page.entries);
    if (this.entries.some(({ seq }, at) => seq !== at + 1)) throw new Gap("an entry is missing");
    const table = { ...first, seq: 0, view: EMPTY_VIEW, facts: [], question: { turn: 0 } };
    this._moves = [];
    this._first = [];
    this._tricks = new Map();
    this._kept = [pictureOf(table)];
    this._layout = this._kept[0];
    /** Each is {seq, part, match, deal, trick, facts, isLast}: deals and tricks from 1, parts from 0. */
    this.steps = [];
    /** The steps with which deals and tricks begin. */
    this.deals = [];
    this.tricks = [];
    this._read();
  }

  get length() {
    return this.steps.length;
  }

  /** The picture after a step. */
  at(step) {
    return this._after(this.steps[step]?.move ?? -1);
  }

  /** The picture after part `part` of entry `seq`, or after the last one before it; 0 is before all. */
  moment(seq, part = Infinity) {
    const entry = Math.min(seq, this.entries.length) - 1;
    if (entry < 0) return this._after(-1);
    const last = (this._first[entry + 1] ?? this._moves.length) - 1;
    return this._after(Math.min(this._first[entry] + part, last));
  }

  /** The step that shows part `part` of entry `seq`, or the last one before it. */
  find(seq, part = Infinity) {
    const after = this.steps.findIndex((step) => step.seq > seq || (step.seq === seq && step.part > part));
    return Math.max(0, (after < 0 ? this.length : after) - 1);
  }

  /** The step with which a deal of a match begins; null if there is none. */
  deal(match, deal) {
    return this.deals.find((at) => this.steps[at].match === match && this.steps[at].deal === deal) ?? null;
  }

  _read() {
    let picture = this._kept[0];
    const now = { match: 0, deal: 0, trick: 0 };
    let lay = 0;
    this.entries.forEach((entry, at) => {
      this._first.push(this._moves.length);
      const parts = partsIn(entry.facts ?? []);
      parts.forEach((facts, part) => {
        const move = { entry, facts, part, isLast: part === parts.length - 1 };
        picture = after(picture, move);
        this._moves.push(move);
        if (this._moves.length % KEPT_EVERY === 0) this._kept.push(picture);
        if (!isSeen(picture, move)) return;
        const begun = facts.find((fact) => fact.verb === "deal_started");
        if (begun) Object.assign(now, { deal: begun.args?.deal ?? now.deal + 1, trick: 0 });
        now.match = picture.info.match ?? 1;
        const before = begun ? 0 : lay;
        lay = this._lying(picture.view);
        if (lay && !before) now.trick += 1;
        if (begun) this.deals.push(this.length);
        if (lay && !before) this.tricks.push(this.length);
        const { isLast } = move;
        this.steps.push({ seq: at + 1, part, ...now, facts, isLast, move: this._moves.length - 1 });
      });
    });
  }

  _after(move) {
    const kept = Math.floor((move + 1) / KEPT_EVERY);
    let picture = this._kept[kept];
    for (let at = kept * KEPT_EVERY; at <= move; at++) picture = after(picture, this._moves[at]);
    return picture;
  }

  /** The number of cards in the zone of the game's tricks. */
  _lying(view) {
    let cards = 0;
    for (const [name, zone] of Object.entries(view.zones)) {
      if (this._isTrick(name)) cards += zone.cards.length + zone.backs;
    }
    return cards;
  }

  _isTrick(name) {
    let known = this._tricks.get(name);
    if (known === undefined) {
      const { kind, seat, slot } = partsOf(name);
      known = placeOf(kind, seat !== null, slot !== "", this._layout) === "trick";
      this._tricks.set(name, known);
    }
    return known;
  }
}

/** The logs of all seats together: each card is shown that any of them was shown. */
export class OpenTimeline {
  /** `base` has the steps, and their facts. */
  constructor(base, others) {
    this.base = base;
    this._all = [base, ...others];
  }

  get steps() {
    return this.base.steps;
  }

  get deals() {
    return this.base.deals;
  }

  get tricks() {
    return this.base.tricks;
  }

  get length() {
    return this.base.length;
  }

  at(step) {
    const { seq, part } = this.steps[step] ?? { seq: 0, part: 0 };
    return this.moment(seq, part);
  }

  moment(seq, part = Infinity) {
    const pictures = this._all.map((each) => each.moment(seq, part));
    return { ...pictures[0], view: opened(pictures.map(({ view }) => view)) };
  }

  find(seq, part) {
    return this.base.find(seq, part);
  }

  deal(match, deal) {
    return this.base.deal(match, deal);
  }
}

/** One view of several viewers' views at one moment: each zone as it is known best. */
export function opened(views) {
  const zones = {};
  const values = {};
  for (const view of views) {
    for (const [name, zone] of Object.entries(view.zones)) {
      if (!Object.hasOwn(zones, name) || zone.backs < zones[name].backs) zones[name] = zone;
    }
    Object.assign(values, view.values);
  }
  return { zones, values };
}

/** The last of the `marks` before step `at`, else the first step. */
export function before(marks, at) {
  return marks.findLast((mark) => mark < at) ?? 0;
}

/** The first of the `marks` behind step `at`, else the last of `length` steps. */
export function behind(marks, at, length) {
  return marks.find((mark) => mark > at) ?? Math.max(0, length - 1);
}

/** The facts of an entry in the parts that are shown one after the other. */
export function partsIn(facts) {
  // What was taken back is told again from the deal's beginning: that was seen before.
  if (facts.some((fact) => fact.verb === "undone")) return [facts];
  const parts = [[]];
  for (const fact of facts) {
    const told = parts.at(-1);
    const rests = told.at(-1)?.verb === "deal_scored";
    const goes = fact.holds && told.some((each) => each.changes?.length);
    if (told.length && (rests || goes || fact.verb === "deal_started")) parts.push([]);
    parts.at(-1).push(fact);
  }
  return parts;
}

/** Whether a part of an entry has something to show: a match, and facts. */
function isSeen(picture, { entry, facts, isLast }) {
  const { zones } = picture.view;
  if (picture.info.phase === "lobby" || !Object.keys(zones).length) return false;
  return facts.length > 0 || Boolean(isLast && entry.changed && entry.view);
}

function after(picture, { entry, facts, isLast }) {
  const told = { seq: picture.seq + 1, facts };
  if (!isLast) {
    const next = follow(picture, told);
    // Nobody is asked before all of it has happened.
    return { ...next, seq: picture.seq, question: { ...next.question, to_act: [] } };
  }
  const next = follow(picture, { ...told, info: entry.info, question: entry.question });
  if (!entry.changed) return next;
  return { ...next, seat: entry.seat ?? null, view: entry.view ? viewOf(entry.view) : next.view };
}
