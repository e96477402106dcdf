// What people have said at tables. A server tells a line once, whichever screen is in view, so this
// tab keeps it for the same player.

import { keep, kept } from "./memory.js";

const MOST_LINES = 50;
const PLACE = "blackqueen chat ";

/** Where this tab keeps whom it does not want to read at a table, one name a line. */
export const mutedAt = (code) => `blackqueen muted ${code}`;

export class Said {
  /** What a player called `name()` has been told here. */
  constructor(name) {
    this._name = name;
  }

  /** The lines that are kept of a table. */
  of(code) {
    return read(PLACE + code, this._name());
  }

  /** Keep a line, unless nobody here wants to read it; announcements of the server are no chat. */
  add({ table, name, seat, text, apart = false, phrase = null, number = 0, earlier = false }) {
    if ((seat === null && !apart) || kept(mutedAt(table)).split("\n").includes(name)) return;
    this._keep(table, [...this.of(table), { name, text, apart, phrase, number, earlier }]);
  }

  /** Forget what somebody has said at a table. */
  drop(code, name) {
    this._keep(code, this.of(code).filter((line) => line.name !== name));
  }

  /** Whoever leaves a table keeps nothing of what was said. */
  forget(code) {
    keep(PLACE + code, "");
  }

  /** The numbers of the last lines by table: for all, and among spectators. */
  heard(name) {
    const heard = new Map();
    for (const place of places()) {
      const lines = read(place, name);
      const last = (among) => Math.max(0, ...lines.filter((line) => line.apart === among).map(({ number }) => number ?? 0));
      if (lines.length) heard.set(place.slice(PLACE.length), [last(false), last(true)]);
    }
    return heard;
  }

  _keep(code, lines) {
    keep(PLACE + code, lines.length ? JSON.stringify({ by: this._name(), chats: lines.slice(-MOST_LINES) }) : "");
  }
}

function read(place, name) {
  try {
    const { by, chats } = JSON.parse(kept(place));
    return by === name ? chats : [];
  } catch {
    return [];
  }
}

function places() {
  try {
    return Object.keys(sessionStorage).filter((each) => each.startsWith(PLACE));
  } catch {
    return [];
  }
}
