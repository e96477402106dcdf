// Moves in the words of a game, where something is said of them (`client_cli/told_moves.py`): pure.

/** The text of each choice of a question, by action; empty if the game has no words of its own. */
export function wordsOf({ actions = [], texts = [] } = {}, words) {
  if (texts.length !== actions.length) return new Map();
  return new Map(actions.map((action, at) => [action, words.inWords(texts[at])]).filter(([, text]) => text));
}

/** `phrase` with its moves in the words of `called`, by action. */
export function withWords(phrase, called) {
  if (!phrase?.args) return phrase;
  const args = Object.entries(phrase.args).map(([name, value]) => [name, called.get(value) ?? value]);
  return { ...phrase, args: Object.fromEntries(args) };
}
