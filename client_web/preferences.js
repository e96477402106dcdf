// What a player has set comes along to their other devices: their server keeps it, if it keeps anything.

import { wear } from "./looks.js";

const TABLE = ["suits", "indices", "keys", "pace", "order", "size", "light", "felt", "back", "hand"];
const NAMES = ["sounds", ...TABLE.map((name) => `table.${name}`)];
/** In the memory while the server has not confirmed what was set last. */
const UNKEPT = "unkept";
const LONGEST = 16;
const REST_MILLISECONDS = 1000;

export class Preferences {
  constructor(app) {
    this.app = app;
    // Whose preferences have come already: what is set on another device comes with the next page.
    this._whose = null;
  }

  /** A server has welcomed the player: what was set here since it was last there goes there, else comes once. */
  async welcomed() {
    const { app } = this;
    if (!app.session.knows("preferences")) return;
    const whose = app.memory.get("token");
    if (app.memory.get(UNKEPT)) this.keep();
    else if (this._whose !== whose) {
      const answer = await app.connection.ask("preferences");
      if (answer.type === "error") return;
      this._whose = whose;
      this._read(answer.kept);
    }
  }

  /** Something was set: keep all of it, once nothing more is set for a moment. */
  set() {
    this.app.memory.set(UNKEPT, true);
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this.keep(), REST_MILLISECONDS);
  }

  async keep() {
    const { memory, session, connection } = this.app;
    if (!session.knows("preferences")) return;
    const chosen = NAMES.map((name) => [name, memory.get(name)]).filter(([, value]) => value !== null);
    const kept = JSON.stringify(Object.fromEntries(chosen));
    if ((await connection.ask("preferences", { kept })).kept === kept) memory.set(UNKEPT, null);
  }

  /** Take over what was set on another device; what is none of the page's values is left out. */
  _read(kept) {
    const { app } = this;
    const values = parsed(kept);
    if (!values) return;
    for (const name of NAMES) {
      const value = values[name];
      // Every object has some names, such as `constructor`, that are no words of ours.
      const isWord = typeof value === "string" && value.length <= LONGEST && !(value in {});
      const isKnown = value === true || isWord;
      app.memory.set(name, isKnown ? value : null);
    }
    wear(app.memory);
    app.screen?.redraw?.();
  }
}

function parsed(text) {
  try {
    const values = JSON.parse(text);
    return typeof values === "object" ? values : null;
  } catch {
    return null;
  }
}
