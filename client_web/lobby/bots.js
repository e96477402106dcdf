// Bots in words: "easy bot", and how each strength of a game plays.

const LEVELS = ["easy", "medium", "strong"];

/** The word for a strength of a game's bots; "" if it has none. The lowest counts of several. */
export function levelOf(game, strength) {
  return game?.bots?.find((bot) => bot.strength === strength)?.levels?.[0] ?? "";
}

/** A bot in a word or two: `easy bot`, `bot 2`, `bot`. */
export function botText(app, game, strength) {
  const level = levelOf(game, strength);
  if (level) return app.t("bots.level", { level: app.t(`levels.${level}`) });
  return strength === null ? app.t("bots.any") : app.t("bots.number", { strength });
}

/** The strength that a word means in a game; the strongest where the game has no words. */
export function strengthFor(game, level) {
  const named = game.bots?.find((bot) => bot.levels?.includes(level));
  return named ? named.strength : Math.max(...game.strengths);
}

/** The words that a game has for its bots, as `[word, text]`; none where it has numbers alone. */
export function levelsOf(app, game) {
  return LEVELS.filter((level) => game.bots?.some((bot) => bot.levels?.includes(level))).map(
    (level) => [level, app.t(`levels.${level}`)],
  );
}

/** Every strength of a game, as `[strength, text]` with its word and how it plays. */
export function strengthsOf(app, game) {
  return game.strengths.map((strength) => {
    const bot = game.bots?.find((each) => each.strength === strength);
    const word = botText(app, game, strength);
    return [String(strength), bot?.how ? `${word}: ${bot.how}` : word];
  });
}
