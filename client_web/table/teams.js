// What partners have together: pure, a line for each team from the values of a view.

import { figure } from "../words.js";
import { partsOf } from "./names.js";
import { inOrder, showing, valueText } from "./values.js";

// The teams of a game whose partners stay the same, that of the seat that looks on first; empty without
// such. `chips` is what is counted, `score` the total and what wins.
export function teamsOf(scene) {
  const teams = scene.layout?.teams ?? [];
  if (!teams.some((seats) => seats.length > 1)) return [];
  const values = scene.view.values ?? {};
  const made = teams.map((seats, team) => ({ team, seats, own: seats.includes(scene.seat), title: titleOf(seats, scene),
    chips: countedOf(team, seats, scene), score: scoreOf(team, values) }));
  return made.sort((one, other) => Number(other.own) - Number(one.own));
}

function titleOf(seats, scene) {
  if (scene.seat !== null) return scene.words?.page?.(seats.includes(scene.seat) ? "table.we" : "table.they") ?? "";
  return seats.map((seat) => scene.names?.[seat] ?? "").join(" & ");
}

// Partners add up what each has; what the team has is told once.
function countedOf(team, seats, scene) {
  const values = scene.view.values ?? {};
  const chips = new Map();
  for (const key of inOrder(Object.keys(values), scene)) {
    const { kind, seat: owner, slot } = partsOf(key);
    if (owner === null || slot || chips.has(kind) || kind === "total" || kind === "team_total") continue;
    const how = showing(kind, true, scene);
    const own = how.shown === "team" ? [values[`${kind}/${team}`]]
      : how.shown === "seat" && !how.holds ? seats.map((seat) => values[`${kind}/${seat}`]) : [];
    const numbers = own.filter((value) => typeof value === "number");
    if (numbers.length) chips.set(kind, [how.title, valueText(how, numbers.reduce((sum, value) => sum + value, 0), scene)]);
  }
  return [...chips.values()];
}

function scoreOf(team, values) {
  const total = values[`team_total/${team}`];
  if (total === undefined) return "";
  const target = values["option/target"];
  return typeof target === "number" ? `${figure(total)} / ${figure(target)}` : figure(total);
}
