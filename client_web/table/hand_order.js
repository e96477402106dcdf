// In which order the cards of one's own hand lie: pure, from the legend and the values that are told.

/**
 * Compares two tokens of a hand: `how` is `suit`, `rank` or `trump`; those that somebody has put in
 * their places by hand come first, as `arranged` has them.
 */
export function handOrder(scene, how, arranged = []) {
  const cards = new Map((scene.legend ?? []).map((card) => [card.token, card]));
  const place = new Map(arranged.map((token, at) => [token, at]));
  const keys = how === "rank" ? byRank(scene.legend ?? []) : how === "trump" ? trumpsFirst(scene) : () => 0;
  const known = new Map();
  const compared = (token) => {
    const card = cards.get(token);
    if (!known.has(token)) known.set(token, [place.get(token) ?? arranged.length, card ? keys(card) : 0, card?.order ?? 1e6]);
    return known.get(token);
  };
  return (one, other) => {
    const [these, those] = [compared(one), compared(other)];
    const at = these.findIndex((each, index) => each !== those[index]);
    return at < 0 ? 0 : these[at] - those[at];
  };
}

// How many cards of its group are above a card.
function byRank(legend) {
  const groups = new Map();
  for (const { group, order } of legend) groups.set(group, [...(groups.get(group) ?? []), order]);
  return ({ group, order }) => -groups.get(group).filter((each) => each > order).length;
}

// A game that has trumps tells the group of the cards that are trumps.
function trumpsFirst({ view }) {
  const [, trump] = Object.entries(view.values ?? {}).find(([kind]) => /^trumps?$/i.test(kind)) ?? [];
  return ({ group }) => (trump && group === trump ? 0 : 1);
}

/** The tokens of a hand with the card at one place put at another. */
export function moved(tokens, from, to) {
  const left = tokens.filter((_, at) => at !== from);
  return [...left.slice(0, to), tokens[from], ...left.slice(to)];
}
