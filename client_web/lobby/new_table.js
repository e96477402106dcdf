// A new table: which game, for how many, with which options and settings.

import { button, el, field, say, select } from "../dom.js";
import { gameName, summaryOf } from "./bots.js";
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
    this.app.games = answer.games;
    await this._draw();
  }

  async _draw() {
    const { app } = this;
    const games = await app.worded(app.games);
    const known = games.some((game) => game.id === this._chosen);
    const names = games.map((game) => [game.id, gameName(app, game)]);
    const chosen = select(names, known ? this._chosen : games[0].id);
    this._about = el("p", { class: "quiet" });
    this._seats = select([], "");
    this._settings = settingsForm(app, (await app.more())?.settings);
    this._fields = el("div", { class: "fields" });
    const box = el("details", {}, [el("summary", { text: app.t("new.options") }), this._fields]);
    const change = () => this._choose(games.find((each) => each.id === chosen.value));
    chosen.addEventListener("change", change);
    this._seats.addEventListener("change", () => this._options.fit(Number(this._seats.value)));
    const submit = (event) => {
      event.preventDefault();
      this._open();
    };
    const form = el("form", { onsubmit: submit }, [
      field(app.t("new.game"), chosen),
      this._about,
      field(app.t("new.seats"), this._seats),
      this._settings.private,
      box,
      el("div", { class: "actions" }, [
        el("button", { class: "main", text: app.t("new.open") }),
        button(app.t("cancel"), () => history.back()),
      ]),
    ]);
    // In a closed box a browser cannot show what it does not take.
    form.addEventListener("invalid", () => (box.open = true), true);
    this.element.append(form);
    change();
  }

  /** Build the parts of the form that depend on the game. */
  _choose(game) {
    const { app } = this;
    this._game = game;
    say(this._about, summaryOf(app, game));
    this._seats.replaceChildren(...game.seats.map((seats) => el("option", { value: seats, text: String(seats) })));
    this._seats.value = game.usual_seats;
    this._options = optionForm(app, game, game.usual_seats);
    this._fields.replaceChildren(...this._options.fields, ...this._settings.fields);
  }

  async _open() {
    const { app } = this;
    const answer = await app.connection.ask("create_table", {
      game: this._game.id,
      seats: Number(this._seats.value),
      options: this._options.read(),
      settings: this._settings.read(),
    });
    if (answer.type === "error") app.refuse(this._options.refused(answer));
    else app.go(`t/${answer.table}`);
  }
}
