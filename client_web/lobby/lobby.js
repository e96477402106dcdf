// The lobby: tables that wait for people, all games, and a search for both.

import { el, field, select } from "../dom.js";
import { codeForm } from "./code.js";
import { Tables } from "./tables.js";
import { Tiles } from "./tiles.js";

export class Lobby {
  constructor(app) {
    this.app = app;
    this.title = "";
    this._tables = new Tables(app);
    this._tiles = new Tiles(app, () => this._level.value);
    this._past = el("section", { hidden: true });
    this._level = select(
      [["easy"], ["medium"], ["strong"]].map(([level]) => [level, app.t(`levels.${level}`)]),
      app.memory.get("level") ?? "medium",
      { onchange: () => this._chooseLevel() },
    );
    this.element = el("div", { class: "lobby" }, [
      el("div", { class: "head" }, [
        el("h1", { text: app.t("lobby.play"), tabindex: -1 }),
        this._search(),
        field(app.t("lobby.bots"), this._level),
      ]),
      this._tables.first,
      codeForm(app, (table) => app.go(`t/${table}`)),
      this._tiles.element,
      this._tables.others,
      this._past,
    ]);
    if (app.session.online) this._begin();
    if (app.games) this._drawGames();
  }

  happened(event) {
    if (event.kind === "welcomed") this._begin();
    if (event.kind === "lobby") this._tables.told(event.lobby);
    if (["snapshot", "event", "closed", "changed"].includes(event.kind)) this._tables.draw();
  }

  end() {
    this._tables.end();
    this._tiles.end();
  }

  async _begin() {
    this._tables.draw();
    this._tables.follow();
    this._showPast();
    const answer = await this.app.ask("games");
    if (!answer) return;
    this.app.games = answer.games;
    this._drawGames();
  }

  /** Show this browser's stored matches: only a welcome says whether a server reviews them. */
  async _showPast() {
    const { app } = this;
    const reviews = app.session.knows("review");
    if (reviews === this._reviews || !app.memory.get("past")) return;
    this._reviews = reviews;
    const past = await app.load(() => import("./past.js"));
    if (!past) return;
    const drawn = past.pastMatches(app);
    this._past.replaceWith(drawn);
    this._past = drawn;
  }

  _drawGames() {
    this._tiles.show(this.app.games);
    this._tables.games(this.app.games);
  }

  /** The choice of the bots' strength for starting a match at once. */
  _chooseLevel() {
    this.app.memory.set("level", this._level.value);
    this._tiles.draw();
  }

  _search() {
    const { app } = this;
    const text = el("input", { type: "search", maxlength: 64, placeholder: app.t("lobby.search") });
    text.setAttribute("aria-label", app.t("lobby.search"));
    text.addEventListener("input", () => {
      const search = text.value.trim();
      this._tiles.find(search);
      this._tables.filter("text", search);
    });
    return el("div", { class: "search", role: "search" }, [text]);
  }
}
