// When what arrives is shown: pure, with a clock that is handed in. Everything that one event brings
// is shown at once, except that a complete trick rests before it is taken away, and a deal's score
// until it is dismissed. A backlog is skipped; what happened in it is told all the same.
//
// A frame has `facts`, which are drawn with it, and `news`: all that has happened since the frame
// before, in order, also what changes nothing that is seen.

import { EMPTY_VIEW, fold } from "../picture.js";
import { partsOf, placeOf } from "./names.js";

// A second, once the last card of the trick has come.
export const TRICK = 1250;
export const SCORE = 8000;
export const BACKLOG = 4000;
/** How much longer or shorter than usual cards move and rest. */
export const PACES = { slow: 2, quick: 0.5, none: 0 };

export class Stage {
  constructor(now) {
    this.now = now;
    this.frames = [];
    this.free = 0;
    this.resting = null;
    this.pace = 1;
  }

  // What is told becomes one frame or several; each says how long it rests.
  add(scene) {
    const frames = framesOf(scene, Math.max(1, TRICK * this.pace));
    if (scene.fresh) {
      this.frames = frames;
      this.free = 0;
      this.resting = null;
      return;
    }
    this.frames.push(...frames);
    const score = this.frames.findLastIndex((each) => each.scored);
    const soon = Math.max(0, this.free - this.now());
    // A score is not skipped, but for a later one; what comes before it and behind it may be.
    if (score >= 0 && soon + this.rests(0, score) > this.most) {
      this.skip(0, score);
      this.free = 0;
    }
    const from = this.frames.findLastIndex((each) => each.scored) + 1;
    const late = from || this.resting?.scored ? 0 : soon;
    if (late + this.rests(from, -1) <= this.most) return;
    this.skip(from, this.frames.length - 1);
    if (late) this.free = 0;
  }

  // How long what is told may wait before some of it is skipped.
  get most() {
    return BACKLOG * Math.max(1, this.pace);
  }

  // How long all of these frames rest together.
  rests(from, to) {
    return this.frames.slice(from, to).reduce((sum, each) => sum + each.rest, 0);
  }

  // Leaves out the frames from one to another, which tells their news.
  skip(from, to) {
    const frame = this.frames[to];
    frame.news = [...this.frames.splice(from, to - from).flatMap((each) => each.news), ...frame.news];
  }

  // What has happened and is not shown yet, for who waits no longer; it is not told again.
  takeNews() {
    const news = this.frames.flatMap((each) => each.news);
    for (const each of this.frames) each.news = [];
    return news;
  }

  // The frames to be shown now, in order.
  due() {
    const shown = [];
    while (this.frames.length && this.free <= this.now()) {
      const frame = this.frames.shift();
      shown.push(frame);
      this.resting = frame;
      this.free = frame.rest ? this.now() + frame.rest : 0;
    }
    return shown;
  }

  // Milliseconds until the next frame; null if there is none.
  wait() {
    return this.frames.length ? Math.max(0, this.free - this.now()) : null;
  }

  // Goes on at once, because somebody has seen enough.
  dismiss() {
    this.free = 0;
  }

  // Whether the last thing that was told is what is shown: only then a click is meant for it.
  get settled() {
    return this.frames.length === 0;
  }
}

// The frames of what is told: one, or more where something must be seen before it goes; a complete trick
// rests for `trick` milliseconds.
export function framesOf(scene, trick = TRICK) {
  const last = { scene, facts: scene.facts ?? [], news: scene.facts ?? [], rest: 0 };
  if (scene.fresh || !scene.before) return [last];
  const frames = [];
  let view = scene.before;
  let shown = [];
  let news = [];
  let seen = 0;
  // What has been told since cards moved last: if the deal is over, why it ended so.
  let why = [];
  const rest = (milliseconds, more = {}) => {
    const between = { ...scene, view, question: { ...scene.question, to_act: [], choices: null } };
    // Who played which card is read from the deal so far.
    const later = facts.length - seen;
    between.deal = later ? (scene.deal ?? []).slice(0, -later) : scene.deal;
    frames.push({ scene: between, facts: shown, news, rest: milliseconds, ...more });
    shown = [];
    news = [];
  };
  const facts = scene.facts ?? [];
  facts.forEach((fact, at) => {
    if ((fact.holds || empties(fact, view, scene)) && shown.some((each) => each.changes?.length)) rest(trick);
    news.push(fact);
    const after = foldOne(fact.verb === "deal_started" ? EMPTY_VIEW : view, fact);
    if (after === null) return;
    view = after;
    shown.push(fact);
    seen = at + 1;
    if (fact.verb === "deal_scored" && at < facts.length - 1) rest(SCORE, { scored: fact, why });
    const moves = fact.changes?.some(({ do: kind }) => kind === "move" || kind === "lay");
    why = moves ? [] : [...why, fact];
  });
  return [...frames, { ...last, facts: shown, news }];
}

function foldOne(view, fact) {
  try {
    return fold([fact], view);
  } catch {
    return null;
  }
}

// Whether a fact takes cards off a trick that is seen.
function empties(fact, view, scene) {
  return (fact.changes ?? []).some((change) => {
    if (change.do === "lay") return trickCards(view, scene) > 1;
    if (change.do !== "move") return false;
    const { kind, seat, slot } = partsOf(change.source);
    return placeOf(kind, seat !== null, slot !== "", scene) === "trick" && trickCards(view, scene) > 1;
  });
}

function trickCards(view, scene) {
  return Object.entries(view.zones ?? {}).reduce((sum, [name, zone]) => {
    const { kind, seat, slot } = partsOf(name);
    const trick = placeOf(kind, seat !== null, slot !== "", scene) === "trick";
    return trick ? sum + (zone.cards?.length ?? 0) : sum;
  }, 0);
}

// Which cards these facts move, and between which zones; a card that nobody sees has no token.
export function movedIn(facts) {
  const moves = [];
  for (const change of facts.flatMap((fact) => fact.changes ?? [])) {
    if (change.do !== "move") continue;
    const { source, target, cards, hidden } = change;
    if (Array.isArray(cards) && !hidden) moves.push(...cards.map((token) => ({ source, target, token })));
    else moves.push({ source, target, token: null });
  }
  return moves;
}
