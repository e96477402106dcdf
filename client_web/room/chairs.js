// The chairs of a table before its match: who sits where, who is ready, and what the host may do.

import { button, el, list, say, select } from "../dom.js";
import { botText, howOf, optionTitle, secondsText, strengthNames, strengthsOf, valueText } from "../lobby/bots.js";
import { isolated } from "../words.js";

/** Of more seats a phone shows first what is to be done. */
const CROWD = 5;
/** How many sit left, above and right of the one at the bottom, by the number of all. */
const SEATINGS = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [1, 2, 1], [1, 3, 1], [2, 2, 2], [2, 3, 2]];

export class Chairs {
  constructor(app, room) {
    this.app = app;
    this.room = room;
    this._list = el("ol", { class: "chairs" });
    this._next = el("p", { class: "next" });
    this._buttons = el("div", { class: "actions" });
    this._options = el("dl");
    this._change = button(app.t("chairs.change"), () => this._configure());
    this._optionsBox = el("details", {}, [
      el("summary", { text: app.t("new.options") }),
      this._options,
      el("div", { class: "actions" }, [this._change]),
    ]);
    this._how = el("p", { class: "quiet" });
    this._middle = el("div", { class: "center" }, [this._next, this._buttons, this._how]);
    this._round = el("div", { class: "round" }, [this._middle, this._list]);
    this.element = el("section", { class: "waiting", hidden: true }, [this._round, this._optionsBox]);
  }

  show(picture, game) {
    if (picture.info.phase !== "lobby") return;
    this.picture = picture;
    this.game = game;
    const chairs = picture.info.seats.map((chair, seat) => ({ ...chair, seat }));
    list(this._list, chairs, (chair) => chair.seat, () => this._make(), (row, chair) => this._fill(row, chair));
    this._place(chairs.length);
    say(this._next, this._whatNext());
    this._drawButtons();
    this._drawOptions();
  }

  /** Seat everybody where they will sit in the match: clockwise, at the bottom whoever looks on. */
  _place(count) {
    const own = this.picture.seat ?? 0;
    const [left, above, right] = SEATINGS[count - 1] ?? SEATINGS.at(-1);
    const [columns, rows] = [Math.max(1, above), Math.max(1, left, right)];
    const area = (node, ...lines) => node.style.setProperty("grid-area", lines.join(" / "));
    this._round.style.setProperty("--across", columns);
    this._round.classList.toggle("is-crowded", count > CROWD);
    area(this._middle, 2, 2, 2 + rows, 2 + columns);
    [...this._list.children].forEach((row, seat) => {
      const at = (seat - own + count) % count;
      row.classList.toggle("at-bottom", at === 0);
      row.style.setProperty("--turn", at);
      // In two columns the last of an odd number.
      row.classList.toggle("is-alone", at === count - 1 && at % 2 === 1);
      if (at === 0) area(row, 2 + rows, 1, 3 + rows, 3 + columns);
      else if (at <= left) area(row, 2 + left - at, 1);
      else if (at <= left + above) area(row, 1, 1 + at - left);
      else area(row, 1 + at - left - above, 2 + columns);
    });
  }

  get _isHost() {
    return this.picture.seat !== null && this.picture.info.host === this.picture.seat;
  }

  _ask(type, fields = {}) {
    return this.app.ask(type, { table: this.picture.table, ...fields }, this.picture);
  }

  _make() {
    return el("li", {}, [el("span", { class: "name" }), el("span", { class: "quiet" }), el("span", { class: "actions" })]);
  }

  _fill(row, chair) {
    const { app, picture } = this;
    const [name, about, actions] = row.children;
    const own = chair.seat === picture.seat;
    say(name, isolated(chair.name) || app.t("chairs.free"));
    say(about, this._about(chair, own));
    row.classList.toggle("own", own);
    row.classList.toggle("is-free", chair.kind === "empty");
    const key = JSON.stringify([chair.kind, chair.name, chair.away, own, this._isHost, picture.seat === null, !!this.game]);
    if (row.dataset.state === key) return;
    row.dataset.state = key;
    actions.replaceChildren(...this._actionsFor(chair, own));
  }

  _about(chair, own) {
    const { app, picture } = this;
    const told = [];
    if (own) told.push(app.t("chairs.you"));
    const team = this.game?.teams?.findIndex((seats) => seats.includes(chair.seat)) ?? -1;
    if (team >= 0) told.push(app.t("chairs.team", { team: team + 1 }));
    if (chair.seat === picture.info.host) told.push(app.t("chairs.host"));
    if (chair.kind === "bot") told.push(botText(app, this.game, chair.strength));
    if (chair.program) told.push(app.t("chairs.program", { program: chair.program }));
    if (chair.kind === "human" && chair.away) told.push(app.t("chairs.away"));
    else if (chair.kind === "human" && chair.seat !== picture.info.host) {
      told.push(app.t(chair.ready ? "chairs.ready" : "chairs.not_ready"));
    }
    return told.join(", ");
  }

  _actionsFor(chair, own) {
    const { app } = this;
    const { seat } = chair;
    const at = { "aria-label": null };
    if (chair.kind === "empty") {
      const sit = this.picture.seat === null ? "join" : "sit";
      return [
        button(app.t("chairs.sit"), () => this._sit(sit, seat), at),
        this._isHost && this.game ? this._botMenu(seat) : null,
      ].filter(Boolean);
    }
    if (!this._isHost || own) return [];
    const act = (sign, type, key, sure = null) => {
      const label = app.t(`chairs.${key}`, { name: chair.name });
      const does = async () => (!sure || (await this._isSure(sure, chair))) && this._ask(type, { seat });
      return button(sign, does, { "aria-label": label, title: label });
    };
    if (chair.kind === "bot") return [act("×", "remove_bot", "remove")];
    const mayHost = !chair.away && app.session.knows("make_host");
    const host = mayHost ? act("★", "make_host", "make_host") : null;
    return [host, act("×", "kick", "kick", app.t("chairs.kick_ask", { name: chair.name }))].filter(Boolean);
  }

  /** Whether this player is to be removed who sat there when it was asked, and sits there yet. */
  async _isSure(question, { seat, name }) {
    const { app } = this;
    return (await app.sure(question, app.t("devices.revoke"))) && this.picture.info.seats[seat]?.name === name;
  }

  async _sit(type, seat) {
    const { app } = this;
    const seeded = type === "join" && this.picture.info.seeded;
    if (seeded && !(await app.sure(app.t("room.seeded_ask"), app.t("lobby.sit")))) return;
    const answer = await this._ask(type, seeded ? { seat, seeded } : { seat });
    if (answer?.type !== "asked") return;
    app.alert(app.t("room.asked", { seconds: Math.round(answer.seconds) }));
  }

  _botMenu(seat) {
    const { app, game } = this;
    const menu = select([["", app.t("chairs.add_bot")], ...strengthsOf(app, game)], "", {
      "aria-label": app.t("chairs.add_bot_at", { place: seat }),
    });
    menu.addEventListener("change", () => {
      const strength = Number(menu.value);
      menu.value = "";
      this._ask("add_bot", { seat, strength });
    });
    return menu;
  }

  _drawButtons() {
    const { app, picture } = this;
    const own = picture.seat === null ? null : picture.info.seats[picture.seat];
    const free = picture.info.seats.some((chair) => chair.kind === "empty");
    const key = JSON.stringify([this._isHost, free, own?.ready, own === null, !!this.game]);
    if (key === this._key) return;
    this._key = key;
    this._change.hidden = !this._isHost || !this.game;
    say(this._how, "");
    this._buttons.replaceChildren(...this._buttonsFor(own, free));
  }

  _buttonsFor(own, free) {
    const { app } = this;
    if (!own) return [];
    if (!this._isHost) {
      const text = app.t(own.ready ? "chairs.not_yet" : "chairs.be_ready");
      return [button(text, () => this._ask("ready", own.ready ? { ready: false } : {}), { class: own.ready ? "" : "main" })];
    }
    if (!free) return [button(app.t("chairs.start"), () => this._ask("start"), { class: "main" })];
    if (!this.game) return [];
    // A strength with a word comes first: nobody knows the numbers.
    const usual = this.game.bots?.find((bot) => bot.levels?.includes("medium"))?.strength;
    const strengths = strengthNames(app, this.game);
    const remembered = app.memory.get("strength");
    const chosen = strengths.some(([value]) => value === remembered) ? remembered : String(usual ?? strengths.at(-1)[0]);
    const menu = select(strengths, chosen, { "aria-label": app.t("chairs.strength") });
    const tell = () => say(this._how, howOf(this.game, Number(menu.value)));
    menu.addEventListener("change", () => {
      app.memory.set("strength", menu.value);
      tell();
      app.say(this._how.textContent);
    });
    tell();
    const start = () => this._ask("start", { fill: Number(menu.value) });
    return [button(app.t("chairs.start_bots"), start, { class: "main" }), menu];
  }

  async _configure() {
    const { app, game, picture } = this;
    const form = game && (await app.load(() => import("../lobby/options.js")));
    form?.changeTable(app, game, picture);
  }

  _whatNext() {
    const { app, picture } = this;
    const { seats, host } = picture.info;
    const names = this.app.wordsFor(picture);
    if (!this._isHost) {
      const told = app.t("chairs.wait_for", { host: host === null ? app.t("chairs.a_host") : names.name(host) });
      const own = picture.seat === null ? null : seats[picture.seat];
      return own && !own.ready ? `${told} ${app.t("chairs.say_ready")}` : told;
    }
    if (seats.some((chair) => chair.kind === "empty")) return app.t("chairs.invite");
    const late = seats.flatMap((chair, seat) =>
      chair.kind === "human" && !chair.ready && seat !== picture.seat ? [names.name(seat)] : [],
    );
    return late.length ? app.t("chairs.late", { names: late.join(", "), count: late.length }) : app.t("chairs.begin");
  }

  /** The options in force, each with its title. */
  _drawOptions() {
    const { app, picture, game } = this;
    const { options, settings } = picture.info;
    const key = JSON.stringify([options, settings, !!game]);
    if (key === this._optionsKey) return;
    this._optionsKey = key;
    const rows = Object.entries(options).map(([name, value]) => {
      const option = game?.options.find((each) => each.name === name);
      const title = option ? optionTitle(app, option) : name.replaceAll("_", " ");
      return [title, valueText(app, option, value)];
    });
    if (picture.info.seeded) rows.push([app.t("room.seeded"), app.t("room.seeded_why")]);
    if (settings.private) rows.push([app.texts.settings.private, app.t("yes")]);
    if (settings.turn_seconds) {
      rows.push([app.texts.settings.turn_seconds, secondsText(app, String(settings.turn_seconds))]);
    }
    this._options.replaceChildren(...rows.flatMap(([title, value]) => [el("dt", { text: title }), el("dd", { text: value })]));
  }
}
