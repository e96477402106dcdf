// What happened, a sentence for each fact, and for cards that move without a verb of their own: the
// same as in `protocol/texts/movements.py`.

import { zoneParts } from "./picture.js";

/** A sentence by `words` for each of the `facts` at this table, null where nothing is to be said. */
export function sentences(facts, words, picture) {
  let together = [];
  let named = new Set();
  return facts.map((fact, at) => {
    const target = targetOf(fact);
    if (target === null) {
      if (fact.verb === "option_taken") named = new Set(String(fact.args.action).split(" "));
      return words.sentence(fact);
    }
    together.push(fact.args);
    if (at + 1 < facts.length && targetOf(facts[at + 1]) === target) return null;
    const told = movement(target, together, named, words, picture);
    together = [];
    named = new Set();
    return told;
  });
}

function targetOf({ verb, args }) {
  return verb === "cards_moved" && typeof args.target === "string" ? args.target : null;
}

/** What goes where, and from where if that is one place. */
function movement(target, moves, named, words, picture) {
  const tokens = moves.flatMap(({ cards }) => (typeof cards === "string" ? cards.split(" ") : []));
  if (tokens.length && tokens.every((token) => named.has(token))) return null;
  const backs = moves.reduce((sum, { count }) => sum + (Number.isInteger(count) ? count : 0), 0);
  const { movements, words: { and } } = words.texts;
  const shown = [tokens.map((token) => words.label(token)).join(" "), backs && words.fill(movements.backs, { count: backs })];
  const what = shown.filter(Boolean).join(` ${and} `);
  if (!what) return null;
  const sources = [...new Set(moves.map(({ source }) => String(source)))];
  const args = { what, count: tokens.length + backs, to: placeOf(target, words, picture) };
  if (sources.length > 1) return words.fill(movements.gathered, args);
  return words.fill(movements.moved, { ...args, from: placeOf(sources[0], words, picture) });
}

/** `your hand`, `Ann's row 2`, `the stock`. */
function placeOf(zone, words, picture) {
  const { kind, owner, slot } = zoneParts(zone);
  const name = [titleOf(kind, words, picture), slot].filter(Boolean).join(" ");
  const { owned, shared } = words.texts.movements;
  return owner === null ? words.fill(shared, { name }) : words.fill(owned, { who: owner, name });
}

function titleOf(kind, { texts: { titles } }, { labels, layout, info }) {
  const named = [labels, layout.zones, layout.values].map((list) => list.find((each) => each.kind === kind)).find(Boolean);
  const title = named?.title ?? kind.replace(/_team$/, "").replaceAll("_", " ");
  const known = { ...titles?.[""], ...titles?.[info.game] };
  return Object.hasOwn(known, title) ? known[title] : title;
}
