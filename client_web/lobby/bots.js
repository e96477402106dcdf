// Games, tables, options and bots in words: what a game is about, "easy bot", how each strength plays.

import { isolated } from "../words.js";

const LEVELS = ["easy", "medium", "strong"];

/** The description of a game, in a sentence; that of a file is in its own words. */
export function summaryOf(app, game) {
  const kept = app.texts.summaries[game.id];
  if (kept) return upper(kept);
  const about = game.about ?? "";
  const told = Object.hasOwn(app.texts.abouts, about) ? app.texts.abouts[about] : isolated(about);
  return told || app.t(game.described ? "lobby.described" : "lobby.game");
}

/** The name of the file that describes a game, if there is one: `Agram3.rcy`. */
export function fileOf(id) {
  return /^(.+)@[0-9a-f]+$/.exec(id)?.[1] ?? null;
}

/**
 * What tells a game from all others: `Whist (Oh Hell)`; `Agram, 3 players, from a file`; where files
 * describe several games that would be called the same, `Agram, 3 players, from Agram3.rcy`.
 */
export function gameName(app, { id, title, seats }) {
  const file = fileOf(id);
  if (file === null) return app.words.gameTitle({ id, title });
  const players = Math.max(...seats);
  const isLike = (other) => other.title === title && Math.max(...other.seats) === players;
  const isOther = (other) => isLike(other) && ![null, file].includes(fileOf(other.id));
  const key = app.games?.some(isOther) ? "lobby.file_game_named" : "lobby.file_game";
  // What turns letters would turn ours as well.
  const [plain, from] = [title, file].map((text) => text.replace(/\p{Bidi_Control}/gu, ""));
  return app.t(key, { title: plain, seats: players, file: from });
}

/** The name of a table's game. */
export function gameNameAt(app, { game, title, seats }) {
  return gameName(app, { id: game, title, seats: [seats.length] });
}

/** The state of a table, short enough for a list or below a title. */
export function phaseText(app, phase) {
  if (phase === "playing") return app.t("room.playing");
  if (phase === "finished") return app.t("room.finished");
  return app.texts.phases[phase] ?? phase;
}

/** The title of an option. */
export function optionTitle(app, option) {
  return app.words.worded(option.phrase)?.replace(/\.$/, "") ?? upper(option.title);
}

/** The text of an option's value. */
export function valueText(app, option, value) {
  if (typeof value === "boolean") return app.t(value ? "yes" : "no");
  return option?.titles?.[value] ?? String(value).replaceAll("_", " ");
}

/** The word for a strength of a game's bots; "" if it has none. The lowest counts of several. */
function levelOf(game, strength) {
  return game?.bots?.find((bot) => bot.strength === strength)?.levels?.[0] ?? "";
}

/** A bot in a word or two: `easy bot`, `bot 2`, `bot`. */
export function botText(app, game, strength) {
  const level = levelOf(game, strength);
  if (level) return app.t("bots.level", { level: app.t(`levels.${level}`) });
  if (strength === 0) return app.t("bots.random");
  return strength === null ? app.t("bots.any") : app.t("bots.number", { strength });
}

/** A bot with all its words, for the choice of one: `easy bot = medium bot`. */
export function botNames(app, game, strength) {
  const levels = game?.bots?.find((bot) => bot.strength === strength)?.levels ?? [];
  if (levels.length < 2) return botText(app, game, strength);
  return levels.map((level) => app.t("bots.level", { level: levelText(app, level) })).join(" = ");
}

/** A number of seconds, as a word of a setting. */
export function secondsText(app, word) {
  return app.t("settings.seconds", { seconds: word, count: /^[0-9]+$/.test(word) ? Number(word) : word });
}

/** The note that a word names the bot of a lower one; "" if it has a bot of its own. */
export function sameBot(app, game, level) {
  const levels = game.bots?.find((bot) => bot.levels?.includes(level))?.levels ?? [];
  if (levels.indexOf(level) < 1) return "";
  return app.t("bots.same", { level: levelText(app, level), lower: levelText(app, levels[0]) });
}

/** A word for a strength; an unknown one of a newer server stays unchanged. */
function levelText(app, level) {
  return LEVELS.includes(level) ? app.t(`levels.${level}`) : level;
}

/** The strength of a word in a game; the strongest if the game has no words. */
export function strengthFor(game, level) {
  const named = game.bots?.find((bot) => bot.levels?.includes(level));
  return named ? named.strength : Math.max(...game.strengths);
}

/** The words of a game for its bots, as `[word, text]`; empty if it has numbers alone. */
export function levelsOf(app, game) {
  return LEVELS.filter((level) => game.bots?.some((bot) => bot.levels?.includes(level))).map(
    (level) => [level, app.t(`levels.${level}`)],
  );
}

/** The way of playing of a strength, in a sentence; "" if there is none. */
export function howOf(game, strength) {
  return game.bots?.find((bot) => bot.strength === strength)?.how ?? "";
}

/** Every strength of a game, as `[strength, text]` with its words. */
export function strengthNames(app, game) {
  return game.strengths.map((strength) => [String(strength), botNames(app, game, strength)]);
}

/** Every strength of a game, as `[strength, text]` with its words and how it plays. */
export function strengthsOf(app, game) {
  return game.strengths.map((strength) => {
    const how = howOf(game, strength);
    const word = botNames(app, game, strength);
    return [String(strength), how ? `${word}: ${isolated(how)}` : word];
  });
}

function upper(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
