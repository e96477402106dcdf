// A hint in words: its sentence, how sure the bot is of it, and whether a plainer bot gave it, in the
// words of the terminal.

import { withWords, wordsOf } from "./told_moves.js";

// What is said beside the sentence, which nothing else needs; null if it cannot be loaded.
export async function hintTexts(language) {
  try {
    const answer = await fetch(new URL(`../texts/${language}.more.json`, import.meta.url));
    return (await answer.json()).hint;
  } catch {
    return null;
  }
}

// `choices` are those of the question that the hint is for.
export function hintText(hint, words, texts, choices) {
  const called = wordsOf(choices, words);
  const move = words.worded(withWords(hint.phrase, called)) ?? words.action(hint.action, called.get(hint.action));
  if (!texts) return move;
  const notes = [howSure(hint, words, texts, called), hint.weaker && stronger(hint, words, texts)].filter(Boolean);
  const title = hint.weaker && hint.phrase?.code !== "hint_weaker" ? texts.plain : "";
  return title + (notes.length ? `${move.replace(/\.$/, "")} (${notes.join("; ")}).` : move);
}

// The values of the recommended move and of the one that it is compared with, each with its
// deviation; "" where the bot tells none.
function howSure({ action, phrase, candidates = [] }, words, texts, called) {
  const weighed = candidates.filter(isWeighed);
  const best = weighed.find((each) => each.action === action);
  if (best?.why?.deviation === undefined) return "";
  const others = weighed.filter((each) => each !== best);
  const other = others.find((each) => each.action === phrase?.args?.other) ?? others[0];
  const digits = weighed.every(isWhole) ? 0 : 2;
  const figure = (number) => number.toFixed(digits).replace(".", words.texts.words.point);
  const said = [best, other].filter(Boolean).map(({ action: move, value, why }) => {
    const deviation = why?.deviation === undefined ? "" : ` ± ${figure(why.deviation)}`;
    return `${words.fill("{move}", { move: called.get(move) ?? move })} ${value < 0 ? "−" : "+"}${figure(Math.abs(value))}${deviation}`;
  });
  const values = words.fill(texts.values, { unit: said.join("; ") });
  return words.fill(texts.deviation, { values, sign: "±" });
}

// Whether the bot has evaluated a move; it need not if other moves are equally good.
function isWeighed({ value, why = {} }) {
  return value !== 0 || Object.values(why).some((each) => each !== 0);
}

function isWhole({ value, why = {} }) {
  return Number.isInteger(value) && Number.isInteger(why.deviation ?? 0);
}

// Whether a stronger bot will give hints, and about when.
function stronger({ seconds }, words, texts) {
  if (seconds === null || seconds === undefined) return texts.no_stronger;
  const left = Math.round(seconds || 1);
  const time = words.fill(texts.about, { seconds: left < 10 ? left : 5 * Math.round(left / 5) });
  return words.fill(texts.stronger, { time });
}
