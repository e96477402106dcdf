// The trick that was taken last, by the facts of a deal alone: of those that a snapshot has, the
// first may be missing, and a table that is seen anew has shown no trick yet.

import { partsOf, placeOf } from "./names.js";

// Where the game lays tricks, if it plays any.
export function playsTricks(scene) {
  return Boolean(scene.layout?.zones?.some((hint) => hint.place === "trick"));
}

// The cards of the last complete trick as {seat, token, zone}, in the order in which they were
// played; null if these facts show none from its beginning.
export function lastTrick(facts, scene) {
  let lying = [];
  let whole = !scene.earlier;
  let last = null;
  for (const fact of facts) {
    const before = lying;
    let swept = false;
    for (const change of fact.changes ?? []) {
      if (change.do === "lay") {
        lying = [];
        whole = true;
      }
      if (change.do !== "move") continue;
      if (isTrick(change.source, scene)) {
        swept = true;
        const left = without(lying, change);
        whole &&= left !== null;
        lying = left ?? [];
      }
      if (isTrick(change.target, scene)) lying = [...lying, ...cardsOf(change)];
    }
    if (!swept || lying.length) continue;
    if (whole && before.length > 1) last = before;
    whole = true;
  }
  return last;
}

// Who has taken the last trick of these facts; null if they do not say it.
export function takerOf(facts, scene) {
  const taken = (change) => change.do === "move" && isTrick(change.source, scene);
  const last = facts.findLast(({ changes = [] }) => changes.some(taken));
  if (!last) return null;
  return last.args?.seat ?? partsOf(last.changes.find(taken).target).seat;
}

function isTrick(zone, scene) {
  const { kind, seat, slot } = partsOf(zone);
  return placeOf(kind, seat !== null, slot !== "", scene) === "trick";
}

function cardsOf({ source, target, cards }) {
  const seat = partsOf(target).seat ?? partsOf(source).seat;
  const tokens = Array.isArray(cards) ? cards : Array(cards).fill(null);
  return tokens.map((token) => ({ seat, token, zone: target }));
}

// What is left of the cards that lay there; null if one goes whose coming was not seen.
function without(lying, { source, cards }) {
  const left = [...lying];
  for (const token of Array.isArray(cards) ? cards : Array(cards).fill(null)) {
    const at = left.findIndex((card) => card.zone === source && (token === null || card.token === token || card.token === null));
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}
