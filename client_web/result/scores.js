// Pure: what the matches at a table have scored, deal by deal, folded from facts.
//
// `results` are the matches from the first that is known: {match, names, deals, ranks}; `deals` are
// {deal, scores, totals} by seat, `ranks` is null until the match is over. They are never changed
// after they were made, and JSON holds them.

import { infoOf, namesOf } from "../picture.js";

/** `results` after `facts` at a table with `info`; a repeated deal counts once. */
export function scored(results, info, facts) {
  for (const { verb, args = {} } of facts) {
    if (verb === "deal_scored") results = withDeal(results, info, args);
    if (verb === "match_ended") results = withEnd(results, info, args);
  }
  return results;
}

/** Whether the match and those before it are known from the first deal to the last. */
export function isWhole(results, match) {
  const known = results.filter((each) => each.match <= match);
  return known.length === match && known.every((each) => each.ranks && each.deals.every(({ deal }, at) => deal === at + 1));
}

/** The lines of a chart: [{names, points}], a point for each deal and one before it; partners share theirs. */
export function linesOf({ names, deals }) {
  const lines = new Map();
  names.forEach((name, seat) => {
    const start = deals[0].totals[seat] - deals[0].scores[seat];
    const points = [start, ...deals.map(({ totals }) => totals[seat])];
    const key = points.join(" ");
    const line = lines.get(key) ?? { names: [], points };
    line.names.push(name);
    lines.set(key, line);
  });
  return [...lines.values()];
}

/** The players of the table: [{name, totals, won}], a total or null for each finished match. */
export function eveningOf(results) {
  const over = results.filter((each) => each.ranks && !each.practice);
  const names = [...new Set(over.flatMap((each) => each.names))];
  return names.map((name) => {
    const seats = over.map((each) => each.names.indexOf(name));
    return {
      name,
      totals: over.map(({ deals }, at) => deals.at(-1)?.totals[seats[at]] ?? null),
      won: over.filter(({ ranks }, at) => ranks[seats[at]] === 1).length,
    };
  });
}

function withDeal(results, info, { deal, scores, totals }) {
  const match = matchIn(results, info);
  const deals = [...match.deals.filter((each) => each.deal < deal), { deal, scores, totals }];
  return put(results, { ...match, deals });
}

function withEnd(results, info, { ranks }) {
  return put(results, { ...matchIn(results, info), ranks, practice: Boolean(info.practice) });
}

function matchIn(results, info) {
  const known = results.find((each) => each.match === info.match);
  return { deals: [], ranks: null, ...known, match: info.match, names: namesOf(infoOf(info)) };
}

function put(results, match) {
  const others = results.filter((each) => each.match !== match.match);
  return [...others, match].sort((one, other) => one.match - other.match);
}
