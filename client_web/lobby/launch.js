// What `blackqueen play --browser` wants the page to open: its server keeps that for the key behind #.

import { sameBot, strengthFor } from "./bots.js";

/** `{name, table, bots}` for a key, which is valid once; null for any other. */
export async function launchBy(root, key) {
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(new URL("opening", root), { headers, cache: "no-store" });
  return answer.ok ? answer.json() : null;
}

/** Open the table, seat bots and start; return its code, or null if it is refused. */
export async function launch(app, { table, bots = [] }) {
  const opened = await app.ask("create_table", table);
  if (!opened) return null;
  const game = await app.game(table.game);
  const seats = table.seats ?? game?.usual_seats ?? 1;
  const same = new Set(game ? bots.map((wished) => sameBot(app, game, wished)) : []);
  for (let seat = 1; seat < seats; seat++) {
    const wished = bots[Math.min(seat, bots.length) - 1] ?? "medium";
    const strength = typeof wished === "number" ? wished : strengthFor(game, wished);
    await app.ask("add_bot", { table: opened.table, seat, strength });
  }
  await app.ask("start", { table: opened.table });
  for (const told of same) if (told) app.alert(told, true);
  return opened.table;
}
