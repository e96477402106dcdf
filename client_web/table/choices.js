// What a player may do, as things to click: pure, from the choices of a question and the view.
// A click on a card or a pile narrows the moves; what is left becomes a few buttons.

import { isolated } from "../words.js";
import { partsOf } from "./names.js";

export const FEW = 8;

export const placeKey = (zone, token) => `${zone} ${token ?? ""}`.trim();

// The moves of a question: {moves: [{action, text, label, cards, zones, goals}], pick}. `say(action, text)`
// words a move; `cards` and `zones` are the places on the table that a click on it may name, `goals`
// the zones where its cards may be dropped.
export function readMoves(scene, say) {
  const choices = scene.question?.choices;
  const empty = { turn: scene.question?.turn ?? 0, moves: [], pick: null };
  if (!choices || scene.seat === null) return empty;
  const tokens = new Set((scene.legend ?? []).map((card) => card.token));
  const { texts = [], actions = [], ways = [] } = choices;
  const parts = choices.parts?.length === actions.length ? choices.parts : null;
  const read = actions.map((action, at) => {
    const text = texts.length === actions.length ? texts[at] : "";
    const places = parts ? placesOfParts(parts[at], ways, scene) : placesOf(action, scene, tokens);
    return { action, text, label: say(action, text), ...places };
  });
  const targets = new Set(read.map((move) => move.goals.join()));
  // A place to which all cards go says nothing; where none is named, the place is all there is.
  const moves = read.map((move) => {
    const goals = targets.size > 1 || !move.cards.length ? move.goals : [];
    return { ...move, zones: [...new Set([...move.zones, ...goals])] };
  });
  const first = choices.picks?.[0];
  const source = ways[first?.way ?? -1]?.source ?? (first && !ways.length ? "" : ways[0]?.source);
  const pick = first && {
    ...first,
    alone: choices.picks.length === 1,
    places: first.cards.map((token) => placeKey(source || zoneOf(token, "", scene), token)),
  };
  return { ...empty, moves, pick: pick ?? null };
}

// The places that the parts of an action name.
function placesOfParts(part, ways, scene) {
  const cards = [];
  const zones = [];
  const goals = [];
  for (const step of [part, ...(part.then ?? [])]) {
    const way = ways[step.way ?? 0] ?? {};
    for (const token of step.cards ?? []) {
      cards.push(placeKey(way.source || zoneOf(token, "", scene), token));
    }
    if (way.source && !step.cards?.length) zones.push(way.source);
    if (way.target && way.target in (scene.view.zones ?? {})) goals.push(way.target);
  }
  return { cards: [...new Set(cards)], zones: [...new Set(zones)], goals: [...new Set(goals)] };
}

/** The places of the cards that an action names, as they lie before it. */
export function placesNamed(action, scene) {
  return placesOf(action, scene, new Set((scene.legend ?? []).map((card) => card.token))).cards;
}

// The same from the words of an action, where the server tells no parts.
function placesOf(action, scene, tokens) {
  const zones = scene.view.zones ?? {};
  const cards = [];
  const named = [];
  for (const word of action.split(/[ ,]+/)) {
    const [token, slot = ""] = word.split("@");
    if (word in zones) named.push(word);
    else if (tokens.has(token)) {
      const zone = zoneOf(token, slot, scene);
      if (zone) cards.push(placeKey(zone, token));
    }
  }
  // A zone that holds a card of the move says nothing more than the card.
  const goals = named.filter((zone) => !cards.some((place) => place.startsWith(`${zone} `)));
  return { cards: [...new Set(cards)], zones: [], goals: [...new Set(goals)] };
}

// The zone in which a card of a move lies: with a slot in that one, else the hand before all others.
function zoneOf(token, slot, scene) {
  const zones = Object.entries(scene.view.zones ?? {}).filter(([, zone]) => zone.cards?.includes(token));
  const ranked = zones.map(([name]) => {
    const { kind, seat, slot: at } = partsOf(name);
    const own = seat === scene.seat;
    if (slot) return [own && at === slot ? 0 : own && at ? 3 : 9, name];
    return [own && kind === "hand" ? 0 : own && kind === "taken" ? 8 : own ? 1 : seat === null ? 2 : 4, name];
  });
  return ranked.sort((a, b) => a[0] - b[0])[0]?.[1] ?? "";
}

const names = (move, place) => move.cards.includes(place) || move.zones.includes(place);

// What can be clicked once `picked` places and groups have been chosen:
// {left: moves, places: Map of place to the moves it leaves, buttons, chosen: Set of places}.
export function offered(read, picked = []) {
  const groups = picked.filter((each) => each.group);
  const places = picked.filter((each) => each.place).map((each) => each.place);
  if (read.pick && (!read.moves.length || read.pick.places.includes(places[0]))) {
    return offeredPick(read.pick, places);
  }
  let left = read.moves.filter((move) => places.every((place) => names(move, place)));
  for (const { group } of groups) left = left.filter((move) => groupOf(move.label) === group);
  const open = new Map();
  for (const move of left) {
    for (const place of [...move.cards, ...move.zones]) {
      if (!places.includes(place)) open.set(place, [...(open.get(place) ?? []), move]);
    }
  }
  for (const place of read.pick?.places ?? []) if (!open.has(place)) open.set(place, []);
  const worded = picked.length ? left : left.filter(isWorded(left));
  return { left, places: open, chosen: new Set(places), buttons: buttonsFor(worded, groups.length), pick: null };
}

// Which moves have a button from the beginning: those without a card, and beside them those with a card
// that lies in the middle, such as the uppermost of a discard beside a stock.
function isWorded(moves) {
  const isShared = (place) => partsOf(place.split(" ")[0]).seat === null;
  const some = moves.filter((move) => !move.cards.length || move.cards.every(isShared));
  const few = some.length <= FEW && some.some((move) => !move.cards.length);
  return (move) => !move.cards.length || (few && some.includes(move));
}

function offeredPick(pick, places) {
  const open = new Map(pick.places.map((place) => [place, []]));
  const enough = places.length >= pick.least && places.length <= pick.most;
  const tokens = pick.cards.filter((_, at) => places.includes(pick.places[at]));
  // Equal cards lie in one place and are named as often as they are chosen.
  const action = [pick.verb, ...tokens.slice(0, pick.most)].join(" ");
  // Until enough are chosen the button says how many it needs, and does nothing.
  const count = Math.max(places.length, pick.least);
  const buttons = [{ label: null, verb: pick.verb, count, action: enough ? action : null }];
  return { left: [], places: open, chosen: new Set(places), buttons, pick };
}

// Few buttons: all moves, or the first words by which many of them differ.
function buttonsFor(moves, depth) {
  const amounts = moves.length > 1 && moves.every((move) => /^\S+ -?[0-9]+$/.test(move.action));
  const plain = (move) => ({ label: move.label, action: move.action });
  if (amounts) return moves.map((move) => ({ ...plain(move), amount: move.action.split(" ")[1] }));
  if (moves.length <= FEW || depth) return moves.map(plain);
  const groups = new Map();
  for (const move of moves) {
    const group = groupOf(move.label);
    groups.set(group, [...(groups.get(group) ?? []), move]);
  }
  if (groups.size >= moves.length || groups.size < 2) return moves.map(plain);
  return [...groups].map(([group, some]) =>
    some.length === 1 ? plain(some[0]) : { label: `${isolated(group)} …`, group },
  );
}

// The first part of a move's words: up to a comma, else the first two words.
export function groupOf(label) {
  const [first, ...rest] = label.split(", ");
  return rest.length ? first : label.split(" ").slice(0, 2).join(" ");
}

// What a click on a place does: {action} to send, {picked} to go on with, or {} for nothing.
export function clicked(read, picked, place) {
  const now = offered(read, picked);
  if (now.chosen.has(place)) return { picked: picked.filter((each) => each.place !== place) };
  const moves = now.places.get(place);
  if (!moves) {
    const anew = picked.length ? offered(read, []).places.get(place) : undefined;
    return anew ? clicked(read, [], place) : {};
  }
  const inPick = read.pick?.places.includes(place) && (!read.moves.length || !moves.length);
  if (inPick) {
    const chosen = picked.filter((each) => each.place);
    return chosen.length >= read.pick.most && read.pick.most > 1 ? {} : { picked: [
      ...(read.pick.most === 1 ? [] : chosen), { place }] };
  }
  return moves.length === 1 ? { action: moves[0].action } : { picked: [...picked, { place }] };
}

// The height of the question and its buttons in a box of this width. On the smallest phones amounts are
// smaller, as in table.css: eight stand in a line.
export function actionsHeight(question, buttons, width, isSmall = false) {
  const room = width - 16;
  const full = (question.length * 8.2) / room;
  // Lines that break between words are not filled.
  const lines = Math.max(question ? 1 : 0, Math.min(4, Math.ceil(full > 1 ? full + 0.3 : full)));
  let used = 0;
  let rows = buttons.length ? 1 : 0;
  for (const button of buttons) {
    const text = button.amount ?? button.label ?? "confirm these";
    const least = button.amount ? (isSmall ? 33 : 44) : 60;
    const wide = Math.min(room, button.amount ? least : Math.max(least, String(text).length * 9 + 34));
    if (used && used + wide > room) {
      rows += 1;
      used = 0;
    }
    used += wide + (isSmall ? 3 : 6);
  }
  return Math.max(36, lines * 20 + rows * 44 + (lines && rows ? 4 : 0));
}
