// The logs of a table that one player reads, as what can be gone through; each is asked for once.

import { download, readPages, wholeOf } from "./reading.js";
import { Timeline } from "./timeline.js";

const OVER = ["finished", "closed"];
/** Refusals for which the page has texts of its own. */
const REFUSED = { forbidden: "replay.forbidden", unknown_table: "replay.unknown" };

export class Logs {
  constructor(app, code) {
    this.app = app;
    this.code = code;
    this._read = new Map();
  }

  /** The log of the player's own view, which is read first. */
  get own() {
    return this._read.get(null).line;
  }

  /**
   * The log as this player saw it (null), or as a seat was shown it; a sentence if it is refused.
   * `tell` is called with how much of it is there, from 0 to 1.
   */
  async line(seat, tell) {
    if (this._read.has(seat)) return this._read.get(seat).line;
    const { app } = this;
    tell(0);
    const pages = await readPages(app, this.code, seat, tell);
    if (!Array.isArray(pages)) {
      const known = REFUSED[pages.code];
      return known ? app.t(known) : app.refusal(pages);
    }
    try {
      const line = new Timeline(pages);
      this._read.set(seat, { line, pages });
      return line;
    } catch (error) {
      console.warn(error);
      return app.t("replay.unreadable");
    }
  }

  /** The views that this player may have: their own, and after a match that could be watched all. */
  allowed() {
    const { info } = this.own.moment(this.own.entries.length);
    const isOpen = isOver(info) && info.settings?.watchable !== false;
    return isOpen ? ["own", "all", ...info.seats.keys()] : ["own"];
  }

  /** Whether this player sat at the table. */
  get isPlayer() {
    return this.own.steps.some((_, at) => this.own.at(at).seat !== null);
  }

  /** Save the log as a file in the browser. */
  save() {
    const logs = [...this._read].map(([seat, { pages }]) => wholeOf(pages, seat));
    download(`blackqueen-${this.code}.json`, JSON.stringify({ table: this.code, logs }, null, 1));
  }
}

/** Whether a match at a table is over, also while the players get ready for the next. */
export function isOver({ phase, match }) {
  return OVER.includes(phase) || match > (phase === "lobby" ? 0 : 1);
}
