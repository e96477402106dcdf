// The tables of a server: one's own, those that wait for people, and all others, as they change.

import { button, el, list, say, select } from "../dom.js";
import { namesOf } from "../picture.js";
import { gameName, gameNameAt, phaseText } from "./bots.js";

const POLL_SECONDS = 5;
const TYPING = 250;
/** So many waiting tables are shown at first: on a phone they stand above the games. */
const FIRST = 4;

export class Tables {
  constructor(app) {
    this.app = app;
    this._rows = new Map();
    this._order = [];
    this._filters = { text: "", game: "", phase: "" };
    this._more = false;
    this._most = FIRST;
    const tables = () => el("ul", { class: "tables" });
    const [mine, waiting, others] = [tables(), tables(), tables()];
    Object.assign(this, { _mine: mine, _waiting: waiting, _others: others });
    this._rest = el("p", { class: "quiet" });
    this._all = button("", () => this._showAll());
    /** The tables to which one sits down, or sits already. */
    this.first = el("div", { class: "people is-empty" }, [
      el("section", { class: "mine", hidden: true }, [el("h2", { text: app.t("lobby.mine") }), mine]),
      el("section", { class: "awaiting", hidden: true }, [el("h2", { text: app.t("lobby.waiting") }), waiting, this._all]),
    ]);
    /** All other tables. */
    this.others = el("section", { class: "others" }, [
      el("div", { class: "head" }, [(this._title = el("h2", { text: app.t("lobby.tables") })), this._choices()]),
      others,
      this._rest,
    ]);
  }

  /** Request the matching tables and their changes; older servers are asked regularly. */
  async follow() {
    clearTimeout(this._timer);
    const filters = Object.fromEntries(Object.entries(this._filters).filter(([, value]) => value));
    const pushed = this.app.session.knows("follow_tables");
    const answer = await this.app.ask(pushed ? "follow_tables" : "list_tables", filters);
    if (this._ended || !answer) return;
    const tables = answer.tables ?? [];
    const order = pushed ? answer.order ?? [] : tables.map((info) => info.table);
    this._rows.clear();
    this.told({ tables, order, more: pushed ? answer.more : Boolean(answer.next) });
    if (!pushed) this._timer = setTimeout(() => this.follow(), 1000 * POLL_SECONDS);
  }

  end() {
    this._ended = true;
    clearTimeout(this._timer);
    clearTimeout(this._typing);
    if (this.app.connection && this.app.session.knows("follow_tables")) this.app.connection.tell("unfollow_tables");
  }

  /** Take changes of the list. */
  told({ tables = [], order = null, more = false }) {
    this._more = more;
    for (const info of tables) this._rows.set(info.table, info);
    if (order) this._order = order;
    this.draw();
  }

  /** Show only the tables with `value` as their text, game or phase. */
  filter(name, value) {
    this._filters[name] = value;
    clearTimeout(this._typing);
    this._typing = setTimeout(() => this.follow(), TYPING);
  }

  /** Offer these games in the choice of one. */
  games(games) {
    const { app } = this;
    const options = [["", app.t("lobby.all_games")], ...games.map((game) => [game.id, gameName(app, game)])];
    const chosen = this._game.value;
    this._game.replaceChildren(...options.map(([value, text]) => el("option", { value, text })));
    this._game.value = chosen;
  }

  draw() {
    const { app } = this;
    const mine = [...app.session.tables.values()].filter(({ seat }) => seat !== null).map(({ info }) => info);
    // Nobody sits down where they sit.
    const seated = new Set(mine.map(({ table }) => table));
    const others = this._order.map((code) => this._rows.get(code)).filter((info) => info && !seated.has(info.table));
    const waiting = others.filter((info) => info.phase === "lobby" && freeAt(info));
    this._list(this._mine, mine);
    this._list(this._waiting, waiting.slice(0, this._most));
    this._list(this._others, others.filter((info) => !waiting.includes(info)));
    say(this._title, app.t(waiting.length ? "lobby.others" : "lobby.tables"));
    this.first.classList.toggle("is-empty", !mine.length && !waiting.length);
    say(this._all, app.t("lobby.all", { count: waiting.length }));
    this._all.hidden = waiting.length <= this._most;
    const filtered = Object.values(this._filters).some(Boolean);
    const none = filtered ? "lobby.none_such" : "lobby.none";
    const rest = this._order.length ? this._more && "lobby.more" : none;
    say(this._rest, rest ? app.t(rest) : "");
  }

  _list(place, tables) {
    list(place, tables, (info) => info.table, () => this._row(place), (row, info) => this._fill(row, info, place));
    if (place !== this._others) place.parentElement.hidden = !tables.length;
  }

  _showAll() {
    const at = this._most;
    this._most = Infinity;
    this.draw();
    this._waiting.children[at]?.querySelector("button").focus();
  }

  _row(place) {
    const mine = place === this._mine;
    const code = (event) => event.target.closest("li").dataset.key;
    const { app } = this;
    return el("li", { class: "table-row" }, [
      el("div", {}, [
        el("strong"),
        el("span", { class: "dots", "aria-hidden": "true" }),
        el("p"),
        el("span", { class: "quiet" }),
      ]),
      el("div", { class: "actions" }, [
        button(app.t(mine ? "lobby.continue" : "lobby.sit"), (event) => app.go(`t/${code(event)}`), { class: place === this._others ? "" : "main" }),
        mine
          ? button(app.t("replay.title"), (event) => app.go(`t/${code(event)}/replay`))
          : button(app.t("lobby.watch"), (event) => app.go(`t/${code(event)}`, { watch: true })),
      ]),
    ]);
  }

  _fill(row, info, place) {
    const { app } = this;
    const isWaiting = place === this._waiting;
    const chairs = info.seats ?? [];
    const free = freeAt(info);
    const names = namesOf({ seats: chairs.map((chair) => ({ name: "", ...chair })) }).filter(Boolean);
    // Those that wait stand below a heading that says so.
    const phase = isWaiting ? "" : phaseText(app, info.phase);
    const open = [phase, free ? app.t("lobby.free", { free }) : ""].filter(Boolean).join(", ");
    const name = gameNameAt(app, info);
    say(row.querySelector("strong"), name);
    say(row.querySelector(".quiet"), [info.table, open, info.seeded ? app.t("room.seeded") : ""].filter(Boolean).join(" · "));
    say(row.querySelector("p"), names.join(", "));
    const dots = row.querySelector(".dots");
    const taken = chairs.map(({ kind }) => kind).join(" ");
    if (dots.dataset.taken !== taken) {
      dots.dataset.taken = taken;
      dots.replaceChildren(...chairs.map(({ kind }) => el("i", { class: kind })));
    }
    const buttons = row.querySelectorAll("button");
    for (const each of buttons) each.setAttribute("aria-label", `${each.textContent}: ${name} ${info.table}`);
    const [sit, watch] = buttons;
    if (place === this._mine) {
      // The other button leads to the replay.
      watch.hidden = info.phase !== "finished";
      return;
    }
    // Where nothing is played yet there is nothing to watch.
    watch.hidden = isWaiting || info.settings?.watchable === false;
    // In a running match one takes a bot's seat, if the table allows it.
    const bots = chairs.some((chair) => chair.kind === "bot");
    sit.hidden = info.phase === "lobby" ? !free : !bots || info.settings?.latecomers === "never";
  }

  _choices() {
    const { app } = this;
    const offer = (name, node) => {
      node.addEventListener("change", () => this.filter(name, node.value));
      return node;
    };
    this._game = select([["", app.t("lobby.all_games")]], "", { "aria-label": app.t("lobby.game_filter") });
    const phases = ["lobby", "playing", "finished"].map((phase) => [phase, phaseText(app, phase)]);
    const phase = select([["", app.t("lobby.all_phases")], ...phases], "", { "aria-label": app.t("lobby.phase_filter") });
    return el("div", { class: "filters" }, [offer("game", this._game), offer("phase", phase)]);
  }
}

function freeAt({ seats }) {
  return (seats ?? []).filter(({ kind }) => kind === "empty").length;
}
