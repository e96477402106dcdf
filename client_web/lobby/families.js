// Pure: games as people tell them apart. A game of ours is one, and so are all files of one title.

import { fileOf, summaryOf } from "./bots.js";

/** The number of players that is chosen first among files for several. */
const USUAL = 4;
/** Games whose last match is remembered. */
const MOST_PLAYED = 60;

/** The key under which a game is found among the families of any server. */
export function keyOf({ id, title }) {
  return fileOf(id) === null ? id : `file ${title}`;
}

/**
 * The families of a server's games: `{key, title, name, about, text, described, games,
 * seats}`, where `name` tells one from all others, `text` is what a search looks at, and `seats` are
 * the numbers of players in order.
 */
export function familiesOf(app, games) {
  const made = new Map();
  for (const game of games) {
    const key = keyOf(game);
    const family = made.get(key);
    if (family) family.games.push(game);
    else made.set(key, { key, described: Boolean(game.described), games: [game] });
  }
  return [...made.values()].map((family) => {
    const [first] = family.games.sort((one, other) => most(one) - most(other));
    const seats = new Set(family.games.flatMap((game) => game.seats));
    // What turns letters would turn ours as well.
    const title = family.described ? first.title.replace(/\p{Bidi_Control}/gu, "") : app.words.gameTitle(first);
    const name = family.described ? app.t("lobby.file_family", { title }) : title;
    const about = summaryOf(app, family.games.find((game) => game.about) ?? first);
    const text = plain([name, about, ...family.games.map(({ id }) => stemOf(id))].join(" "));
    return { ...family, title, name, about, text, seats: [...seats].sort((one, other) => one - other) };
  });
}

/** The id of a game, or the name of its file without the ending. */
export function stemOf(id) {
  return fileOf(id)?.replace(/\.[a-z]+$/, "") ?? id;
}

/** A game of a family among its others: `4 players`, with the file's name where two are alike. */
export function variantName(app, family, game) {
  const isAlike = family.games.some((other) => other !== game && most(other) === most(game));
  const players = app.t("lobby.players", { seats: most(game) });
  return isAlike ? `${players}, ${fileOf(game.id)}` : players;
}

/** The game of a family that is offered first: the one played last, else the one for most but `USUAL`. */
export function usualOf(family, played) {
  const last = family.games.find(({ id }) => id === played[family.key]?.game);
  return last ?? family.games.findLast((game) => most(game) <= USUAL) ?? family.games[0];
}

/** The families with all words of a search in their titles, sentences or files; of no search all. */
export function found(families, search) {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return families.filter(({ text }) => words.every((word) => text.includes(word)));
}

/** What was played in this browser last, by family: `{at, game}`. */
export function playedIn(memory) {
  const kept = memory.get("played");
  return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
}

/** Store that a game is played now. */
export function played(memory, game) {
  const all = Object.entries({ ...playedIn(memory), [keyOf(game)]: { at: Date.now(), game: game.id } });
  const latest = all.sort(([, one], [, other]) => other.at - one.at).slice(0, MOST_PLAYED);
  memory.set("played", Object.fromEntries(latest));
}

/** Letters as a search compares them: small, without marks. */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function most({ seats }) {
  return Math.max(...seats);
}
