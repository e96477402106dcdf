// A hint in words: the move, how much better it is than the next, and whether a plainer bot gave it.

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

// Phrases whose figures are points.
const IN_POINTS = new Set(["lead", "team_lead", "behind", "team_behind", "team_gain", "team_loss", "trick_lead",
  "trick_behind", "cost", "score"].map((name) => `hint_${name}`));

// `choices` are those of the question that the hint is for.
export function hintText(hint, words, texts, choices) {
  const called = wordsOf(choices, words);
  const phrase = withWords(hint.phrase, called);
  const move = (texts && howMuch(phrase, words, texts)) || (words.worded(phrase) ?? words.action(hint.action, called.get(hint.action)));
  if (!texts || !hint.weaker) return move;
  const title = hint.phrase?.code === "hint_weaker" ? "" : texts.plain;
  return `${title}${move.replace(/\.$/, "")} (${stronger(hint, words, texts)}).`;
}

// By how many points the move is better than the next; "" where its figures are none, or of two kinds.
function howMuch(phrase, words, texts) {
  const { move, value, other, less } = phrase?.args ?? {};
  if (!IN_POINTS.has(phrase?.code) || other === undefined) return "";
  const points = Math.round(Math.abs(Number(value) - Number(less)));
  if (Number.isNaN(points)) return "";
  return words.worded({ code: points ? "better" : "hardly", args: { move, other, points } }, texts) ?? "";
}

// Whether a stronger bot will give hints, and about when.
function stronger({ seconds }, words, texts) {
  if (seconds === null || seconds === undefined) return texts.no_stronger;
  const left = Math.round(seconds || 1);
  const time = words.fill(texts.about, { seconds: left < 10 ? left : 5 * Math.round(left / 5) });
  return words.fill(texts.stronger, { time });
}
