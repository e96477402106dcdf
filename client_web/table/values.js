// What is counted: the values of a view as words for a seat and for the whole table, pure.

import { figure, isolated } from "../words.js";
import { hintOf, labelOf, partsOf } from "./names.js";

const MARKERS = new Set(["turn", "leader", "dealer"]);
const OF_MATCH = new Set(["team", "total", "team_total"]);
const INTERNAL = new Set(["option", "play", "sheet", "now", "turn", ...OF_MATCH]);

// How a value is shown: {shown, title, zero, holds, first}; guessed where the game says nothing.
export function showing(kind, owned, scene) {
  if (scene.layout?.values?.length) {
    const hint = hintOf("values", kind, scene);
    return { zero: true, holds: "", first: 0, ...(hint ?? { shown: "nobody", title: kind }) };
  }
  const label = labelOf(kind, scene.labels);
  const hidden = label.holds === "nothing" || INTERNAL.has(kind) || kind === "turn";
  const shown = MARKERS.has(kind) ? "seat" : kind.endsWith("_team") ? "team" : owned ? "seat" : "table";
  const zero = !owned || isCounted(kind, scene.view.values ?? {});
  const holds = MARKERS.has(kind) ? "seat" : label.holds;
  return { ...label, holds, shown: hidden ? "nobody" : shown, zero };
}

// The values of a seat: what is counted as [title, text], and what marks the seat.
export function valuesOf(seat, team, scene) {
  const values = scene.view.values ?? {};
  // Partners have a line of their own.
  const apart = scene.layout?.teams?.some((seats) => seats.length > 1);
  const chips = [];
  const marks = [];
  for (const key of inOrder(Object.keys(values), scene)) {
    const value = values[key];
    const { kind, seat: owner, slot } = partsOf(key);
    if (slot || OF_MATCH.has(kind) || kind === "turn") continue;
    const how = showing(kind, owner !== null, scene);
    if (how.shown === "seat" && owner === null && how.holds === "seat") {
      if (value - (how.first ?? 0) === seat && typeof value === "number") marks.push(how.title);
      continue;
    }
    if (how.shown !== "seat" && (how.shown !== "team" || apart)) continue;
    if (owner === null || owner !== (how.shown === "team" ? team : seat)) continue;
    const text = valueText(how, value, scene);
    if (text === "" || value === false || (value === 0 && !how.zero)) continue;
    chips.push([how.title, value === true ? "" : text]);
  }
  return { chips, marks };
}

// Whether a zero is worth showing: somebody else has something else, or it was bid.
function isCounted(kind, values) {
  if (kind === "bid" || kind === "tricks") return true;
  return Object.entries(values).some(([key, value]) => partsOf(key).kind === kind && value !== 0);
}

export function valueText(label, value, scene) {
  if (value === null || value === undefined || value === "NONE") return "";
  if (label.holds === "seat" && typeof value === "number") {
    const seat = value - (label.first ?? 0);
    return scene.names?.[seat] ?? (value === 0 ? "" : String(value));
  }
  if (label.holds === "cards" && typeof value === "string") {
    const known = new Map((scene.legend ?? []).map((card) => [card.token, card.label]));
    return value.split(" ").map((token) => isolated(known.get(token) ?? token)).join(" ");
  }
  if (value === true) return label.title;
  if (label.holds === "team" && typeof value === "number") return String(value + 1);
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "string" && label.words?.[value]) return isolated(label.words[value]);
  if (typeof value === "string" && value.length > 1 && /^[A-Z]+$/.test(value)) return value.toLowerCase();
  return isolated(figure(value));
}

// The deal, then the others as the game lists them: a view that was folded has another order.
export function inOrder(keys, scene) {
  const listed = (scene.layout?.values ?? []).map((each) => each.kind);
  const at = (key) => listed.indexOf(partsOf(key).kind);
  const rank = (key) => (key === "deal" ? -1 : at(key) < 0 ? listed.length : at(key));
  return keys.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

// Whether this is a match of one deal that still goes on: there is no total yet.
export const isSingle = ({ info }) => info?.options?.deals === 1 && info.phase === "playing";

// What is said of the whole table: [title, text] in a fixed order.
export function statusOf(scene) {
  const values = scene.view.values ?? {};
  const parts = [];
  for (const key of inOrder(Object.keys(values), scene)) {
    const value = values[key];
    const { kind, seat: owner } = partsOf(key);
    if (key.includes("/") && owner === null) continue;
    const how = showing(kind, owner !== null, scene);
    if (how.shown !== "table" || owner !== null || value === false || value === "") continue;
    if (key.endsWith("s") && key.slice(0, -1) in values) continue;
    if (value === 0 && how.zero === false) continue;
    if (scene.info?.phase === "finished" && key !== "deal") continue;
    const text = valueText(how, value, scene);
    if (!text) continue;
    if (key === "deal" && isSingle(scene)) continue;
    const most = values[`option/${key}s`] ?? values[`${key}s`];
    parts.push([how.title, value === true ? "" : most ? `${text}/${most}` : text]);
  }
  if (scene.spectators && scene.info?.phase !== "finished") {
    parts.push([scene.words.page("table.spectators"), String(scene.spectators)]);
  }
  return parts;
}

const BACKS = new WeakMap();

// The name of the back that the cards of a zone show: as the view says, or that of the whole deck.
export function backOf(zone, { view, legend }) {
  const known = view.values?.[`play/backs/${zone}`];
  if (typeof known === "string" && known) return known.split(" ").at(-1).toLowerCase();
  if (!legend?.length) return "standard";
  if (!BACKS.has(legend)) {
    const backs = new Set(legend.map((card) => card.back ?? "standard"));
    BACKS.set(legend, backs.size === 1 ? [...backs][0] : "standard");
  }
  return BACKS.get(legend);
}
