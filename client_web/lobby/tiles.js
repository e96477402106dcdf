// The games as tiles, each with its table drawn small, and a match against bots a click away.

import { button, el, list, say, select } from "../dom.js";
import { levelsOf, sameBot, strengthFor } from "./bots.js";
import { familiesOf, found, played, playedIn, stemOf, usualOf, variantName } from "./families.js";

/** So many tiles are drawn unless somebody wants all, and so many in one task of the browser. */
const FIRST = 24;
const MORE = 8;
/** So many tables are drawn at once. */
const AT_ONCE = 4;
const DAY = 86_400_000;
/** How long a choice takes among people, and from which skill on there is how much luck. */
const SECONDS = 4;
const LUCK = [[0.5, "little"], [0.25, "some"], [-Infinity, "much"]];

export class Tiles {
  /** `level` gives the chosen strength of bots. */
  constructor(app, level) {
    this.app = app;
    this._level = level;
    this._families = [];
    this._search = "";
    this._most = FIRST;
    this._drawn = MORE;
    this._version = 0;
    this._list = el("ul", { class: "games" });
    this._none = el("p", { class: "quiet" });
    this._all = button("", () => this._drawAll(), { hidden: true });
    this.element = el("section", { class: "offer" }, [
      el("h2", { text: app.t("lobby.games") }),
      this._list,
      this._none,
      this._all,
    ]);
  }

  end() {
    this._ended = true;
    clearTimeout(this._drawing);
    clearTimeout(this._painting);
  }

  /** Show these games: those played last come first. */
  show(games) {
    const last = playedIn(this.app.memory);
    const at = ({ key }) => last[key]?.at ?? 0;
    this._families = familiesOf(this.app, games).sort((one, other) => at(other) - at(one));
    this.draw();
  }

  /** Show the games that a search finds. */
  find(search) {
    this._search = search;
    this._draw();
  }

  /** Draw the tiles anew, as after another choice of bots. */
  draw() {
    this._version += 1;
    this._draw();
  }

  /** Draw some tiles, and the others in tasks of their own: the page stays quick. */
  _draw() {
    const { app } = this;
    clearTimeout(this._drawing);
    const fitting = found(this._families, this._search);
    const wanted = Math.min(fitting.length, this._most);
    list(this._list, fitting.slice(0, Math.min(wanted, this._drawn)), ({ key, name }) => `${key} ${name}`, (family) => this._make(family), (tile, family) => this._fill(tile, family));
    say(this._none, fitting.length || !this._families.length ? "" : app.t("lobby.no_game"));
    say(this._all, app.t("lobby.all", { count: fitting.length }));
    this._all.hidden = fitting.length <= this._most;
    if (this._drawn < wanted) {
      this._drawn += MORE;
      this._drawing = setTimeout(() => this._draw());
    } else this._paint(fitting);
  }

  /** Draw the tables of these families in their tiles, some in each task. */
  async _paint(families) {
    const part = await this.app.load(() => import("../cards/table_picture.js"), false);
    if (!part || this._ended) return;
    const bare = [...this._list.children].filter((tile) => !tile.firstChild.firstChild);
    for (const tile of bare.slice(0, AT_ONCE)) {
      const family = families.find(({ key, name }) => tile.dataset.key === `${key} ${name}`);
      const usual = family && usualOf(family, playedIn(this.app.memory));
      if (usual) tile.firstChild.append(part.tablePicture({ ...usual, id: stemOf(usual.id) }));
    }
    clearTimeout(this._painting);
    if (bare.length > AT_ONCE) this._painting = setTimeout(() => this._paint(families));
  }

  _drawAll() {
    this._most = Infinity;
    this._draw();
  }

  _make(family) {
    const { app } = this;
    const { name, games } = family;
    const act = (text, onclick, given = {}) => button(text, onclick, { ...given, "aria-label": `${text}: ${name}` });
    const usual = usualOf(family, playedIn(app.memory));
    const players = select(games.map((game) => [game.id, variantName(app, family, game)]), usual.id, {
      "aria-label": app.t("lobby.players_of", { game: name }),
    });
    const game = () => games.find(({ id }) => id === players.value) ?? usual;
    return el("li", { class: "game" }, [
      el("div", { class: "picture" }),
      el("div", { class: "about" }, [
        el("h3", {}, [el("bdi", { text: family.title }), family.described ? el("span", { class: "mark", text: app.t("lobby.from_file") }) : null]),
        el("p", { text: family.about }),
        el("div", { class: "short" }, [el("small"), games.length > 1 ? players : null]),
        el("small", { class: "same" }),
      ]),
      el("div", { class: "actions" }, [
        act(app.t("lobby.now"), () => this._playNow(game()), { class: "main" }),
        act(app.t("lobby.open"), () => app.go("", { screen: "new", game: game().id })),
      ]),
    ]);
  }

  _fill(tile, family) {
    const { app } = this;
    if (tile.dataset.version === String(this._version)) return;
    tile.dataset.version = this._version;
    say(tile.querySelector(".short small"), this._short(family));
    say(tile.querySelector(".same"), sameBot(app, family.games[0], this._level()));
  }

  /** What is to be known of a game beside its sentence: for how many it is, how long, and when it was played. */
  _short(family) {
    const { app } = this;
    const last = playedIn(app.memory);
    const at = last[family.key]?.at;
    const figures = figuresText(app, usualOf(family, last).figures);
    return [seatsText(app, family.seats), figures, at > 0 ? app.t("lobby.played", { when: dayText(app, at) }) : ""].filter(Boolean).join(" · ");
  }

  /** Open a private table with bots of the chosen strength, which starts at once. */
  async _playNow(game) {
    const { app } = this;
    const screen = app.screen;
    const opened = await app.ask("create_table", { game: game.id, settings: { private: true } });
    if (!opened) return;
    const level = levelsOf(app, game).some(([each]) => each === this._level()) ? this._level() : "medium";
    await app.ask("start", { table: opened.table, fill: strengthFor(game, level) });
    played(app.memory, game);
    if (app.screen === screen) app.go(`t/${opened.table}`);
  }
}

/** `2 to 8 players`, `2 or 4 players`, `4 players`. */
function seatsText(app, seats) {
  const [least, most] = [seats[0], seats.at(-1)];
  if (seats.length === 1) return app.t("lobby.players", { seats: most });
  const key = seats.length === 2 && most - least > 1 ? "lobby.seats_or" : "lobby.seats_to";
  return app.t(key, { least, most });
}

/** `about 30 minutes · some luck`, as far as a game was measured; "" if it was not. */
function figuresText(app, figures) {
  const { choices = null, skill = null } = figures ?? {};
  const minutes = Math.max(1, Math.round((choices * SECONDS) / 60));
  const length = minutes > 20 ? 5 * Math.round(minutes / 5) : minutes;
  const luck = LUCK.find(([least]) => skill >= least)?.[1];
  return [
    choices ? app.t("lobby.length", { minutes: length }) : "",
    skill === null ? "" : app.t(`lobby.luck.${luck}`),
  ].filter(Boolean).join(" · ");
}

/** `today`, `yesterday`, `3 days ago`, `last month`, in the language of the page. */
function dayText(app, at) {
  const day = (time) => new Date(time).setHours(0, 0, 0, 0);
  const days = Math.round((day(Date.now()) - day(at)) / DAY);
  const written = new Intl.RelativeTimeFormat(app.texts.language, { numeric: "auto" });
  return days < 30 ? written.format(-days, "day") : written.format(-Math.floor(days / 30), "month");
}
