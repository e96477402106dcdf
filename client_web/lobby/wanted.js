// What `blackqueen play --browser` wants the page to open: it stands behind the # of the address.

import { strengthFor } from "./bots.js";

const BEFORE = "#play=";

/** `{name, table, bots}`, or null if the address says nothing of the kind. */
export function wantedIn(hash) {
  if (!hash.startsWith(BEFORE)) return null;
  try {
    const wanted = JSON.parse(decodeURIComponent(hash.slice(BEFORE.length)));
    return typeof wanted === "object" ? wanted : null;
  } catch {
    return null;
  }
}

/** Open the table, put bots into the other seats and start; its code, or null if it is refused. */
export async function openWanted(app, { table, bots = [] }) {
  const opened = await app.ask("create_table", table);
  if (!opened) return null;
  const game = await app.game(table.game);
  const seats = table.seats ?? game?.usual_seats ?? 1;
  for (let seat = 1; seat < seats; seat++) {
    const wished = bots[Math.min(seat, bots.length) - 1] ?? "medium";
    const strength = typeof wished === "number" ? wished : strengthFor(game, wished);
    await app.ask("add_bot", { table: opened.table, seat, strength });
  }
  await app.ask("start", { table: opened.table });
  return opened.table;
}
