// The page's `protocol/texts/movements.py`.

import { zoneParts } from "./picture.js";
import { isolated } from "./words.js";

/** A sentence for each of the `facts`, or null. */
export function sentences(facts, words, picture) {
  const told = [];
  let together = [];
  let passing = null;
  let named = [];
  facts.forEach((fact, at) => {
    const target = targetOf(fact);
    if (target === null) {
      if (fact.verb === "option_taken") named = String(fact.args.action).replaceAll(",", "").split(" ");
      told.push(words.sentence(fact));
      passing = null;
      return;
    }
    together.push(fact.args);
    if (targetOf(facts[at + 1]) === target) {
      told.push(null);
      return;
    }
    if (goesOn(passing, together)) {
      told[at - 1] = null;
      together = passing;
    }
    told.push(movement(target, together, named, words, picture));
    passing = told[at] && together;
    const gone = [...tokensOf(together), ...together.map(({ source }) => source)];
    named = named.filter((word) => !gone.includes(word));
    together = [];
  });
  return told;
}

function goesOn(before, [move, more]) {
  const same = (name) => before[0][name] === move[name];
  return before?.length === 1 && !more && same("cards") && same("count") && move.source === before[0].target;
}

function targetOf(fact) {
  const target = fact?.verb === "cards_moved" ? fact.args.target : null;
  return typeof target === "string" ? target : null;
}

function tokensOf(moves) {
  return moves.flatMap(({ cards }) => (typeof cards === "string" ? cards.split(" ") : []));
}

function movement(target, moves, named, words, picture) {
  const tokens = tokensOf(moves);
  if (tokens.length && tokens.every((token) => named.includes(token))) return null;
  const backs = moves.reduce((sum, { count }) => sum + (Number.isInteger(count) ? count : 0), 0);
  if (backs === 1 && !tokens.length && moves.every(({ source }) => named.includes(source))) return null;
  const { movements, words: { and } } = words.texts;
  const shown = [tokens.map((token) => words.label(token)).join(" "), backs && words.fill(movements.backs, { count: backs })];
  const what = shown.filter(Boolean).join(` ${and} `);
  if (!what) return null;
  const count = tokens.length + backs;
  const place = (zone) => placeOf(String(zone), words, picture);
  const [source, ...others] = new Set(moves.map((move) => move.source));
  const template = others.length ? movements.gathered : movements.moved;
  return words.fill(template, { what, count, to: place(target), from: place(source) });
}

function placeOf(zone, words, { labels, layout, info }) {
  const { kind, owner, slot } = zoneParts(zone);
  const { movements, titles } = words.texts;
  const hint = [...labels, ...layout.zones, ...layout.values].find((each) => each.kind === kind);
  const title = hint?.title ?? kind.replace(/_team$/, "").replaceAll("_", " ");
  const known = { ...titles[""], ...titles[info.game] };
  const name = [Object.hasOwn(known, title) ? known[title] : title, slot].filter(Boolean).map(isolated).join(" ");
  return words.fill(owner === null ? movements.shared : movements.owned, { name, who: owner });
}
