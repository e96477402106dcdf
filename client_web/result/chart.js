// What was scored at a table, drawn when a match is over: a chart and a table of its deals, and all matches.

import { el } from "../dom.js";
import { namesOf } from "../picture.js";
import { dealAddress } from "../replay/moment.js";
import { draw, label, round } from "../svg.js";
import { figure, isolated } from "../words.js";
import { remember } from "../lobby/past.js";
import { eveningOf, linesOf } from "./scores.js";

const WIDEST = 600;
const NARROWEST = 290;
const HEIGHT = 220;
const LEFT = 48;
const RIGHT = 120;
const EDGE = 16;
/** The height for the deals' numbers below the lines. */
const FOOT = 30;
/** The distance between names at the ends of lines, and between two figures. */
const APART = 15;
const DEALS_APART = 24;
const COLOURS = 8;

/** Store a finished match among those of this browser. */
export function remembered(app, picture) {
  if (picture.info.phase === "finished") remember(app.memory, picture);
}

/** An element with the finished match of `picture`, and earlier matches. */
export function drawn(app, picture, results) {
  const { match: number, phase } = picture.info;
  const own = namesOf(picture.info)[picture.seat];
  // Players read of themselves as everywhere else.
  const called = (name) => (name && name === own ? app.t("table.you") : name);
  const match = results.find((each) => each.match === number);
  const over = results.filter((each) => each.ranks && !each.practice);
  const path = (deal) => `t/${picture.table}/replay${dealAddress(number, deal)}`;
  const parts = [];
  if (match?.deals.length > 1) {
    const names = match.names.map(called);
    const rows = match.deals.map(({ deal, scores }) => [linkTo(app, deal, path(deal)), ...scores]);
    const total = [app.t("table.total"), ...match.deals.at(-1).totals];
    const byDeal = grid([app.t("table.deal"), ...names], [...rows, total]);
    const lines = linesOf({ ...match, names });
    parts.push(chart(app, match, lines, (deal) => app.go(path(deal)), phase === "finished"));
    parts.push(folded(app.t("results.by_deal"), byDeal));
  }
  // Of a single deal the result has said it, as long as that is there.
  if (match?.deals.length === 1 && over.length < 2 && phase !== "finished") {
    parts.push(grid(["", ...match.names.map(called)], [[app.t("table.total"), ...match.deals[0].totals]]));
  }
  if (over.length > 1) {
    const heads = ["", ...over.map(({ match: at }) => app.t("results.match", { at })), app.t("results.won")];
    const rows = eveningOf(results).map(({ name, totals, won }) => [called(name), ...totals, won]);
    parts.push(el("h3", { text: app.t("results.evening") }), grid(heads, rows));
  }
  return parts;
}

/** A deal as a link to its beginning in the replay, at `path` below the page's root. */
function linkTo(app, deal, path) {
  const name = app.t("results.replay", { deal });
  const link = el("a", { href: new URL(path, app.root).href, text: String(deal), "aria-label": name, title: name });
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    app.go(path);
  });
  return link;
}

/** The totals after each deal as lines with the players' names; a click on a deal opens it. */
function chart(app, match, lines, go, beside) {
  const { width, height } = sizeOf(beside);
  const values = lines.flatMap((line) => line.points);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const across = (at) => LEFT + (at * (width - LEFT - RIGHT)) / match.deals.length;
  const down = (value) => height - FOOT - ((value - low) * (height - EDGE - FOOT)) / (high - low || 1);
  const parts = apart([0, low, high], APART, down).flatMap((value) => [
    draw("line", { class: "mark", x1: LEFT, x2: width - RIGHT, y1: down(value), y2: down(value) }),
    label(LEFT - 6, down(value) + 4, figure(value), "scale"),
  ]);
  const ends = spread(lines.map((line) => down(line.points.at(-1))), height - FOOT + 6);
  const numbers = match.deals.map((_, at) => at);
  parts.push(label(LEFT - 6, height - 6, app.t("table.deal"), "scale"));
  for (const at of apart([match.deals.length - 1, ...numbers], DEALS_APART, (each) => across(each + 1))) {
    parts.push(label(across(at + 1), height - 6, String(match.deals[at].deal), "number"));
  }
  lines.forEach(({ names, points }, at) => {
    const colour = `line line-${at % COLOURS}`;
    const corners = points.map((value, deal) => `${round(across(deal))},${round(down(value))}`);
    const right = across(points.length - 1);
    const shown = isolated(fitted(names.join(", "), width - right - 12));
    parts.push(draw("polyline", { class: colour, points: corners.join(" ") }));
    parts.push(draw("line", { class: `${colour} lead`, x1: right, x2: right + 8, y1: down(points.at(-1)), y2: ends[at] }));
    parts.push(label(right + 11, ends[at] + 4, shown, `name line-${at % COLOURS}`));
  });
  match.deals.forEach(({ deal }, at) => {
    const width = across(1) - across(0);
    const area = draw("rect", { class: "deal", x: round(across(at + 0.5)), y: 0, width: round(width), height });
    const title = draw("title", {});
    title.textContent = app.t("results.replay", { deal });
    area.append(title);
    area.addEventListener("click", () => go(deal));
    parts.push(area);
  });
  const given = { class: "chart", width, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": app.t("results.chart") };
  return draw("svg", given, parts);
}

/** The size of a chart: on a phone narrower with equally large words, lower beside a result. */
function sizeOf(beside) {
  const window = document.documentElement.clientWidth;
  if (beside && window >= 1000) {
    // Half of what the chat leaves, without the edges.
    const half = (Math.min(window, 1240) - 348) / 2 - 30;
    return { width: Math.max(NARROWEST, Math.floor(half)), height: 176 };
  }
  return { width: Math.min(WIDEST, Math.max(NARROWEST, window - 60)), height: HEIGHT };
}

/** Those of `values` whose positions are at least this far from all before them. */
function apart(values, least, place) {
  return values.reduce((kept, value) => {
    const fits = kept.every((other) => Math.abs(place(other) - place(value)) >= least);
    return fits ? [...kept, value] : kept;
  }, []);
}

/** The beginning of a name that fits this width in the font of charts. */
function fitted(name, width) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `600 13px ${getComputedStyle(document.documentElement).fontFamily}`;
  const letters = [...name];
  const first = (count) => (count < letters.length ? `${letters.slice(0, count).join("")}…` : name);
  let count = letters.length;
  while (count > 1 && pen.measureText(first(count)).width > width) count -= 1;
  return first(count);
}

/** The heights in their order, moved apart so that a name fits at each. */
function spread(heights, lowest) {
  const order = heights.map((_, at) => at).sort((one, other) => heights[one] - heights[other]);
  const placed = [...heights];
  order.forEach((at, rank) => {
    if (rank) placed[at] = Math.max(placed[at], placed[order[rank - 1]] + APART);
  });
  // What does not fit below moves up, and the others with it as far as they must.
  order.toReversed().forEach((at, rank) => {
    placed[at] = Math.min(placed[at], lowest - rank * APART);
  });
  return placed.map(round);
}

function grid(heads, rows) {
  const cellOf = (cell, tag) => (cell instanceof Node ? el(tag, {}, [cell]) : el(tag, { text: figure(cell ?? "") }));
  const row = (cells, tag) => el("tr", {}, cells.map((cell) => cellOf(cell, tag)));
  const table = el("table", {}, [el("thead", {}, [row(heads, "th")]), el("tbody", {}, rows.map((cells) => row(cells, "td")))]);
  return el("div", { class: "wide", tabindex: 0 }, [table]);
}

function folded(title, content) {
  return el("details", {}, [el("summary", { text: title }), content]);
}
