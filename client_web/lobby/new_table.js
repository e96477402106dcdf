// A new table: which game, for how many, with which options and settings.

import { button, el, field, select } from "../dom.js";
import { summaryOf } from "./bots.js";
import { optionForm, settingsForm } from "./options.js";

export class NewTable {
  /** `game` is the id of the game that is chosen first. */
  constructor(app, game) {
    this.app = app;
    this.title = app.t("new.title");
    this._chosen = game;
    this.element = el("section", { class: "new" }, [el("h1", { text: this.title, tabindex: -1 })]);
    if (app.games) this._draw();
    else if (app.session.online) this._ask();
  }

  happened(event) {
    if (event.kind === "welcomed" && !this.app.games) this._ask();
  }

  end() {}

  async _ask() {
    const answer = await this.app.ask("games");
    if (!answer) return;
    this.app.games = await this.app.worded(answer.games);
    await this._draw();
  }

  async _draw() {
    const { app } = this;
    this._help = (await app.more())?.settings;
    const titles = app.games.map((game) => [game.id, app.words.gameTitle(game)]);
    const known = app.games.some((game) => game.id === this._chosen);
    const game = select(titles, known ? this._chosen : app.games[0].id);
    const parts = el("div");
    const change = () => this._drawGame(parts, app.games.find((each) => each.id === game.value));
    game.addEventListener("change", change);
    const submit = (event) => {
      event.preventDefault();
      this._open();
    };
    this._form = el("form", { onsubmit: submit }, [
      field(app.t("new.game"), game),
      parts,
      el("div", { class: "actions" }, [
        el("button", { class: "main", text: app.t("new.open") }),
        button(app.t("cancel"), () => history.back()),
      ]),
    ]);
    this.element.append(this._form);
    change();
  }

  _drawGame(parts, game) {
    const { app } = this;
    this._game = game;
    this._seats = select(game.seats.map((seats) => [String(seats), String(seats)]), String(game.usual_seats));
    this._options = optionForm(app, game);
    this._settings = settingsForm(app, this._help);
    parts.replaceChildren(
      el("p", { class: "quiet", text: summaryOf(app, game) }),
      field(app.t("new.seats"), this._seats),
      this._settings.private,
      el("details", {}, [
        el("summary", { text: app.t("new.options") }),
        el("div", { class: "fields" }, [...this._options.fields, ...this._settings.fields]),
      ]),
    );
  }

  async _open() {
    const opened = await this.app.ask("create_table", {
      game: this._game.id,
      seats: Number(this._seats.value),
      options: this._options.read(),
      settings: this._settings.read(),
    });
    if (opened) this.app.go(`t/${opened.table}`);
  }
}
