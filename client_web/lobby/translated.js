// What a server says of games in English, in the language of the page: options and bots.

/** A game with the help of its options, their words and its bots in other words, as far as there are any. */
export function translated(game, { options, bots }) {
  const thinking = game.described ? {} : (own(bots, game.id) ?? {});
  return {
    ...game,
    options: game.options?.map((option) => {
      const told = own(options, option.phrase?.code ?? "");
      return told ? { ...option, help: told.help, titles: { ...option.titles, ...told.words } } : option;
    }),
    bots: game.bots?.map((bot) => ({
      ...bot,
      how: own(thinking, bot.strength) ?? own(bots[""] ?? {}, bot.strength) ?? bot.how,
    })),
  };
}

function own(table, key) {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
