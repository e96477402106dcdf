// How long a player may still think: in the panels, every half second, with what happens then.

import { now } from "../clock.js";

export function showClocks(nodes, scene) {
  const { clocks, question, words, info } = scene ?? {};
  for (const node of nodes) {
    const seat = Number(node.dataset.seat);
    // A bot needs none, and nobody does when the match is over.
    const runs = info?.phase === "playing" && info.seats[seat]?.kind !== "bot";
    const asked = runs && question?.to_act?.includes(seat) && clocks?.turn !== null && clocks?.turn !== undefined;
    const left = asked ? clocks.turn - (now() - clocks.since) : null;
    const spare = clocks?.reserve?.[seat];
    const shown = left === null ? null : left > 0 ? left : (spare ?? 0) + left;
    const isReserve = left !== null && left <= 0 && spare !== undefined;
    const time = shown === null ? "" : minutes(Math.max(0, Math.ceil(shown)));
    // Only the own panel has room for a word.
    const text = isReserve && seat === scene.seat ? words.page("table.reserve", { time }) : time;
    if (node.textContent !== text) node.textContent = text;
    const title = time && words.page(`table.clock_${isReserve ? "reserve" : spare === undefined ? "bot" : "turn"}`);
    if (node.title !== title) node.title = title;
    node.classList.toggle("is-short", shown !== null && shown < 10);
  }
}

function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
