// Why a command was refused, in the language of the page.

/** What a server says itself, it says in this one. */
const WIRE_LANGUAGE = "en";

/** A sentence for an `error`, about the table of `picture` if there is one. */
export async function refusalOf(app, error, picture) {
  const words = picture ? app.wordsFor(picture) : app.words;
  const told = words.worded(error.phrase) ?? words.worded(error.phrase, await later(app, error.phrase));
  if (told) return told;
  // A newer server may have phrases that are not known here.
  const advice = words.advice(error.code);
  const { reason = "", code } = error;
  if (!reason || reason === code || app.texts.language !== WIRE_LANGUAGE) return advice;
  const sentence = `${reason[0].toUpperCase()}${reason.slice(1)}`;
  return `${/[.!?]$/.test(sentence) ? sentence : `${sentence}.`} ${advice}`;
}

/** The phrases that no table needs; those that there are, if they cannot be loaded. */
async function later(app, phrase) {
  return phrase ? (await app.more())?.refusals : undefined;
}
