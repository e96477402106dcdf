// The course of a match in a review: the score that the bot expects of the deal, decision by decision.

import { draw, label, round } from "../svg.js";
import { figure } from "../words.js";

const WIDEST = 900;
const HEIGHT = 150;
const LEFT = 44;
const EDGE = 12;
const FOOT = 24;

/**
 * A graph of the decisions' worth, null if fewer than two have any. `turns` are the numbers of turning
 * points; a click leads to the nearest decision by `go(decision)`. It is as wide as `room` in pixels.
 */
export function graphOf(app, decisions, turns, go, room) {
  const known = decisions.map((each, at) => ({ ...each, at })).filter(({ worth }) => worth);
  if (known.length < 2) return null;
  const width = Math.min(WIDEST, room);
  const values = known.map(({ worth }) => worth.points);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const across = (index) => LEFT + (index * (width - LEFT - EDGE)) / (known.length - 1);
  const down = (value) => HEIGHT - FOOT - ((value - low) * (HEIGHT - EDGE - FOOT)) / (high - low || 1);
  const parts = [...new Set([low, 0, high])].map((value) => draw("line", {
    class: "mark", x1: LEFT, x2: width - EDGE, y1: round(down(value)), y2: round(down(value)),
  }));
  for (const value of scaleOf(low, high, down)) parts.push(label(LEFT - 6, down(value) + 4, figure(Math.round(value)), "scale"));
  for (const indices of dealsOf(known)) {
    const corners = indices.map((at) => `${round(across(at))},${round(down(values[at]))}`);
    parts.push(label(across(indices[0]), HEIGHT - 6, app.t("review.graph_deal", { deal: known[indices[0]].deal }), "begin"));
    if (indices[0]) parts.push(draw("line", { class: "mark", x1: across(indices[0] - 0.5), x2: across(indices[0] - 0.5), y1: 0, y2: HEIGHT - FOOT }));
    parts.push(draw("polyline", { class: "line line-0", points: corners.join(" ") }));
  }
  known.forEach((decision, index) => {
    const isTurn = turns.includes(decision.at);
    const of = { cx: round(across(index)), cy: round(down(values[index])), r: isTurn ? 6 : 2.5 };
    parts.push(draw("circle", { class: isTurn ? "turn" : "dot line-0", ...of }));
  });
  const given = { class: "chart course", width, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": app.t("review.graph") };
  const graph = draw("svg", given, parts);
  graph.addEventListener("click", ({ clientX }) => {
    const { left, width: wide } = graph.getBoundingClientRect();
    const index = Math.round((((clientX - left) * width) / wide - LEFT) / ((width - LEFT - EDGE) / (known.length - 1)));
    go(decisions[known[Math.min(known.length - 1, Math.max(0, index))].at]);
  });
  return graph;
}

// The values at the scale, without those that would touch zero.
function scaleOf(low, high, down) {
  return [0, ...[low, high].filter((value) => Math.abs(down(value) - down(0)) > 15)];
}

// The indices of the decisions of each deal.
function dealsOf(known) {
  const deals = [];
  known.forEach(({ deal }, at) => {
    if (!at || known[at - 1].deal !== deal) deals.push([]);
    deals.at(-1).push(at);
  });
  return deals;
}
