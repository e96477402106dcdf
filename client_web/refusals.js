// Why a command was refused, in the language of the page.

import { isolated } from "./words.js";

/** What a server says itself, it says in this one. */
const WIRE_LANGUAGE = "en";

/** A sentence for an `error`, about the table of `picture` if there is one. */
export async function refusalOf(app, error, picture) {
  const words = picture ? app.wordsFor(picture) : app.words;
  const known = words.worded(error.phrase);
  if (known) return known;
  const { refusals, errors } = (await app.more()) ?? {};
  const told = refusals && words.worded(error.phrase, refusals);
  if (told) return told;
  // Before the first table is shown, what tables say is not there.
  await app.load(() => app.allTexts(), false);
  const other = words.worded(error.phrase);
  if (other) return other;
  // A newer server may have phrases that are not known here.
  const advice = words.advice(error.code, errors);
  const { reason = "", code } = error;
  if (!reason || reason === code || app.texts.language !== WIRE_LANGUAGE) return advice;
  const sentence = isolated(`${reason[0].toUpperCase()}${reason.slice(1)}`);
  return `${/[.!?]$/.test(sentence) ? sentence : `${sentence}.`} ${advice}`;
}
