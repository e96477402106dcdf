// What a server says of games in English, in the language of the page: options and bots.

import { isolated } from "../words.js";

/** A game with translated help, words and bots, as far as there are translations. */
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

/**
 * The layout hints and labels of a game with their titles in other words. Values that are words get
 * a table of these as well, and what has no label is called by its title.
 */
export function titled({ layout, labels }, game, titles) {
  const words = { ...own(titles, ""), ...own(titles, game) };
  const worded = (each) => ({ ...each, title: isolated(own(words, each.title) ?? each.title) });
  const zones = layout.zones.map(worded);
  const known = new Set(labels.map(({ kind }) => kind));
  const unnamed = zones.filter(({ kind }) => !known.has(kind));
  return {
    layout: { ...layout, zones, values: layout.values.map((each) => ({ ...worded(each), words })) },
    labels: [...labels.map(worded), ...unnamed.map(({ kind, title }) => ({ kind, title, text: "", holds: "" }))],
  };
}

function own(table, key) {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
