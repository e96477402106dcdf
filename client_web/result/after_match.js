// After a match: what was scored at the table. It is followed from the first deal, and drawn at the end.

import { el } from "../dom.js";
import { keep, kept } from "../memory.js";
import { isWhole, scored } from "./scores.js";

const MOST_PAGES = 60;

/** The results of one table, from this tab's events or the log. */
export class AfterMatch {
  constructor(app, code) {
    this.app = app;
    this._place = `blackqueen results ${code}`;
    this._results = read(this._place);
    this.element = el("div", { class: "results" });
  }

  /** Add the facts of an event at the table. */
  follow(picture, facts) {
    this._put(scored(this._results, picture.info, facts));
  }

  /** Show the finished match, each time with a call of `told`; missing results are requested. */
  async show(picture, told) {
    const { match } = picture.info;
    // No match that is being played draws what was scored.
    const part = await this.app.load(() => import("./chart.js"));
    if (!part) return;
    const draw = () => {
      this.element.replaceChildren(...part.drawn(this.app, picture, this._results));
      told();
    };
    part.remembered(this.app, picture);
    draw();
    if (isWhole(this._results, match)) return;
    const all = await readResults(this.app, picture.table);
    if (!all) return;
    this._put(all);
    draw();
  }

  _put(results) {
    if (results === this._results) return;
    this._results = results;
    keep(this._place, JSON.stringify(results));
  }
}

/** All matches at a table by its log; null if that is refused. */
async function readResults(app, table) {
  let results = [];
  let after = 0;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await app.connection.ask("log", { table, after });
    if (page.type === "error") return null;
    let { info } = page;
    for (const entry of page.entries) {
      info = entry.info ?? info;
      results = scored(results, info, entry.facts ?? []);
    }
    after = page.entries.at(-1)?.seq ?? page.last;
    if (after >= page.last) break;
  }
  return results;
}

function read(place) {
  try {
    const results = JSON.parse(kept(place) || "[]");
    return Array.isArray(results) ? results : [];
  } catch {
    return [];
  }
}
