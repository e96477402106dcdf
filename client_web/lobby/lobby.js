// The lobby: play at once, the own tables, and the tables that others have opened.

import { button, el, field, list, say, select } from "../dom.js";
import { namesOf } from "../picture.js";
import { gameName, gameNameAt, levelsOf, phaseText, sameBot, strengthFor, summaryOf } from "./bots.js";

const POLL_SECONDS = 5;

export class Lobby {
  constructor(app) {
    this.app = app;
    this.title = "";
    this._rows = new Map();
    this._order = [];
    this._filters = { text: "", game: "", phase: "" };
    this._games = el("ul", { class: "games" });
    this._files = el("ul", { class: "games" });
    this._mine = el("ul", { class: "tables" });
    this._tables = el("ul", { class: "tables" });
    this._more = false;
    this._rest = el("p", { class: "quiet" });
    this._past = el("section", { hidden: true });
    this._level = select(
      [["easy"], ["medium"], ["strong"]].map(([level]) => [level, app.t(`levels.${level}`)]),
      app.memory.get("level") ?? "medium",
      { onchange: () => this._chooseLevel() },
    );
    this.element = el("div", { class: "lobby" }, [
      el("section", {}, [
        el("div", { class: "head" }, [
          el("h1", { text: app.t("lobby.play"), tabindex: -1 }),
          field(app.t("lobby.bots"), this._level),
        ]),
        // On a phone the games fill more than a window, and whoever sits somewhere plays on first.
        (this._mineSection = el("section", { class: "mine", hidden: true }, [
          el("h2", { text: app.t("lobby.mine") }),
          this._mine,
        ])),
        this._games,
      ]),
      el("section", {}, [
        el("div", { class: "head" }, [el("h2", { text: app.t("lobby.tables") }), this._search()]),
        this._tables,
        this._rest,
        this._codeForm(),
      ]),
      this._past,
      // There may be many of them, and the tables of people are not to be looked for behind all.
      (this._filesSection = el("section", { hidden: true }, [
        el("div", { class: "head" }, [el("h2", { text: app.t("lobby.files") })]),
        this._files,
      ])),
    ]);
    if (app.session.online) this._begin();
    if (app.games) this._drawGames();
  }

  happened(event) {
    if (event.kind === "welcomed") this._begin();
    if (event.kind === "lobby") this._told(event.lobby);
    if (["snapshot", "event", "closed", "changed"].includes(event.kind)) this._drawMine();
  }

  end() {
    clearTimeout(this._timer);
    clearTimeout(this._typing);
    if (this.app.connection && this.app.session.knows("follow_tables")) this.app.connection.tell("unfollow_tables");
  }

  async _begin() {
    this._drawMine();
    this._follow();
    this._showPast();
    const answer = await this.app.ask("games");
    if (!answer) return;
    this.app.games = await this.app.worded(answer.games);
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

  /** Request the matching tables and their changes; older servers are asked regularly. */
  async _follow() {
    clearTimeout(this._timer);
    const filters = Object.fromEntries(Object.entries(this._filters).filter(([, value]) => value));
    const pushed = this.app.session.knows("follow_tables");
    const answer = await this.app.ask(pushed ? "follow_tables" : "list_tables", filters);
    if (this.app.screen !== this || !answer) return;
    const tables = answer.tables ?? [];
    const order = pushed ? answer.order ?? [] : tables.map((info) => info.table);
    this._rows.clear();
    this._told({ tables, order, more: pushed ? answer.more : Boolean(answer.next) });
    if (!pushed) this._timer = setTimeout(() => this._follow(), 1000 * POLL_SECONDS);
  }

  _told({ tables = [], order = null, more = false }) {
    this._more = more;
    for (const info of tables) this._rows.set(info.table, info);
    if (order) this._order = order;
    this._drawTables();
  }

  _drawGames() {
    const { app } = this;
    const files = app.games.filter((game) => game.described);
    this._filesSection.hidden = !files.length;
    this._drawCards(this._games, app.games.filter((game) => !game.described), "h2");
    this._drawCards(this._files, files, "h3");
    const options = [["", app.t("lobby.all_games")], ...app.games.map((game) => [game.id, gameName(app, game)])];
    const chosen = this._game.value;
    this._game.replaceChildren(...options.map(([value, text]) => el("option", { value, text })));
    this._game.value = chosen;
  }

  /** A card for each of these games, with its name in a `heading`. */
  _drawCards(place, games, heading) {
    const { app } = this;
    const make = (game) => {
      const name = gameName(app, game);
      const act = (text, onclick, given = {}) => button(text, onclick, { ...given, "aria-label": `${text}: ${name}` });
      return el("li", { class: "game" }, [
        el(heading, { text: name }),
        el("p", { text: summaryOf(app, game) }),
        game.described ? null : el("small", { text: seatsText(app, game) }),
        el("small", { class: "same" }),
        el("div", { class: "actions" }, [
          act(app.t("lobby.now"), () => this._playNow(game), { class: "main" }),
          act(app.t("lobby.open"), () => app.go("", { screen: "new", game: game.id })),
        ]),
      ]);
    };
    const told = (row, game) => say(row.querySelector(".same"), sameBot(app, game, this._level.value));
    list(place, games, (game) => `${game.id} ${gameName(app, game)}`, make, told);
  }

  /** The choice of the bots' strength for starting a match at once. */
  _chooseLevel() {
    this.app.memory.set("level", this._level.value);
    if (this.app.games) this._drawGames();
  }

  /** Open a private table with bots of the chosen strength, which starts at once. */
  async _playNow(game) {
    const { app } = this;
    const opened = await app.ask("create_table", { game: game.id, settings: { private: true } });
    if (!opened) return;
    const level = levelsOf(app, game).some(([each]) => each === this._level.value)
      ? this._level.value
      : "medium";
    await app.ask("start", { table: opened.table, fill: strengthFor(game, level) });
    if (app.screen === this) app.go(`t/${opened.table}`);
  }

  _drawMine() {
    const mine = this._seated();
    this._mineSection.hidden = !mine.length;
    list(this._mine, mine, (each) => each.table, () => this._row(true), (row, each) => this._fill(row, each.info, true));
    this._drawTables();
  }

  /** The tables where this player sits. */
  _seated() {
    return [...this.app.session.tables.values()].filter(({ seat }) => seat !== null);
  }

  _drawTables() {
    // Nobody sits down where they sit.
    const mine = new Set(this._seated().map(({ table }) => table));
    const rows = this._order.map((code) => this._rows.get(code)).filter((info) => info && !mine.has(info.table));
    list(this._tables, rows, (info) => info.table, () => this._row(false), (row, info) => this._fill(row, info));
    const filtered = Object.values(this._filters).some(Boolean);
    const none = filtered ? "lobby.none_such" : "lobby.none";
    const rest = this._order.length ? this._more && "lobby.more" : none;
    say(this._rest, rest ? this.app.t(rest) : "");
  }

  _row(mine) {
    const code = (event) => event.target.closest("li").dataset.key;
    const { app } = this;
    return el("li", { class: "table-row" }, [
      el("div", {}, [el("strong"), el("span", { class: "quiet" }), el("p")]),
      el("div", { class: "actions" }, [
        button(app.t(mine ? "lobby.continue" : "lobby.sit"), (event) => app.go(`t/${code(event)}`), {
          class: mine ? "main" : "",
        }),
        mine
          ? button(app.t("replay.title"), (event) => app.go(`t/${code(event)}/replay`))
          : button(app.t("lobby.watch"), (event) => app.go(`t/${code(event)}`, { watch: true })),
      ]),
    ]);
  }

  _fill(row, info, mine = false) {
    const { app } = this;
    const chairs = info.seats ?? [];
    const free = chairs.filter((chair) => chair.kind === "empty").length;
    const names = namesOf({ seats: chairs.map((chair) => ({ name: "", ...chair })) }).filter(Boolean);
    const phase = phaseText(app, info.phase);
    const open = free ? `, ${app.t("lobby.free", { free })}` : "";
    const more = info.seeded ? `${open} · ${app.t("room.seeded")}` : open;
    const name = gameNameAt(app, info);
    say(row.querySelector("strong"), name);
    say(row.querySelector("span"), ` ${info.table} · ${phase}${more}`);
    say(row.querySelector("p"), names.join(", "));
    const buttons = row.querySelectorAll("button");
    for (const each of buttons) each.setAttribute("aria-label", `${each.textContent}: ${name} ${info.table}`);
    const [sit, watch] = buttons;
    if (mine) {
      // The other button leads to the replay.
      watch.hidden = info.phase !== "finished";
      return;
    }
    watch.hidden = info.settings?.watchable === false;
    // In a running match one takes a bot's seat, if the table allows it.
    const bots = chairs.some((chair) => chair.kind === "bot");
    sit.hidden = info.phase === "lobby" ? !free : !bots || info.settings?.latecomers === "never";
  }

  _search() {
    const { app } = this;
    const change = (name, input) => () => {
      this._filters[name] = input.value.trim();
      clearTimeout(this._typing);
      this._typing = setTimeout(() => this._follow(), 250);
    };
    const text = el("input", { type: "search", maxlength: 64, placeholder: app.t("lobby.search") });
    text.setAttribute("aria-label", app.t("lobby.search"));
    text.addEventListener("input", change("text", text));
    this._game = select([["", app.t("lobby.all_games")]], "", { "aria-label": app.t("lobby.game_filter") });
    this._game.addEventListener("change", change("game", this._game));
    const phases = ["lobby", "playing", "finished"].map((phase) => [phase, phaseText(app, phase)]);
    const phase = select([["", app.t("lobby.all_phases")], ...phases], "", { "aria-label": app.t("lobby.phase_filter") });
    phase.addEventListener("change", change("phase", phase));
    return el("div", { class: "filters" }, [text, this._game, phase]);
  }

  _codeForm() {
    const { app } = this;
    const input = el("input", { required: true, autocapitalize: "characters", autocomplete: "off" });
    const submit = async (event) => {
      event.preventDefault();
      const part = await app.load(() => import("./pasted.js"));
      if (!part) return;
      const { table, device } = part.read(input.value);
      if (table) app.go(`t/${table}`);
      else if (device) app.offerDevice(device);
      else app.alert(app.t("lobby.no_code"));
    };
    return el("form", { class: "code", onsubmit: submit }, [
      field(app.t("lobby.code"), input),
      el("button", { text: app.t("lobby.code_go") }),
    ]);
  }
}

/** `2 to 8 players`, `4 players`. */
function seatsText(app, game) {
  const [least, most] = [Math.min(...game.seats), Math.max(...game.seats)];
  return least === most ? app.t("lobby.seats", { seats: most }) : app.t("lobby.seats_to", { least, most });
}
