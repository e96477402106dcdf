// The head of a table's screen: its title, its phase, and buttons for what concerns the whole table.

import { button, el, isForPage, mark, say } from "../dom.js";
import { gameNameAt, phaseText } from "../lobby/bots.js";

export const IN_MATCH = ["playing", "paused"];

export class Head {
  constructor(room) {
    const { app, code } = room;
    this.app = app;
    this.room = room;
    this._heading = el("h1", { tabindex: -1, text: code });
    this._phase = el("span", { class: "quiet" });
    this._actions = el("div", { class: "actions" });
    const forMe = app.t("room.bot_for_me");
    this._letBot = button("", () => room.toggleBot(), { "aria-label": forMe, title: forMe });
    this._letBot.append(el("span", { class: "brief", text: app.t("room.bot") }), el("span", { class: "full", text: forMe }));
    this.element = el("div", { class: "head" }, [this._heading, this._phase, this._actions]);
    /** The place of the help beside the table. */
    this.help = el("div", { hidden: true });
    this._listening = new AbortController();
    document.addEventListener("keydown", (event) => this._pressed(event), { signal: this._listening.signal });
    this._drawActions(null, null);
    const invited = history.state?.invited ?? new URLSearchParams(location.hash.slice(1)).get("game");
    if (invited) this.expect(invited.replace(/\p{C}/gu, "").slice(0, 48));
  }

  /** Show the table's name and its buttons, which are kept while they are unchanged. */
  show(picture, game) {
    const { app } = this;
    const { info, spectators } = picture;
    say(this._heading, app.words.gameTitle({ id: info.game, title: info.title }));
    const seeded = info.seeded ? ` · ${app.t("room.seeded")}` : "";
    const phase = `${info.table} · ${phaseText(app, info.phase)}${seeded}`;
    // In a match the table itself says it, where a phone has more room.
    const watched = spectators && !IN_MATCH.includes(info.phase);
    say(this._phase, watched ? `${phase} · ${app.t("room.watched", { count: spectators })}` : phase);
    this._drawActions(picture, game);
  }

  /** Show the table's game, as far as it is known before coming in. */
  expect(title) {
    say(this._heading, title);
    say(this._phase, this.room.code);
  }

  /** Show that the table is gone. */
  clear() {
    this._actions.replaceChildren();
  }

  /** Clean up when the room is left. */
  end() {
    this._listening.abort();
  }

  /** Show the help, or hide it; `part` opens one of its parts. */
  async toggleHelp(part = null) {
    const { app, room } = this;
    this._helping ??= app.load(() => import("./help.js"));
    const loaded = await this._helping;
    if (!loaded) return;
    this._help ??= new loaded.Help(app);
    this.help.replaceWith(this._help.element);
    if (part) this._help.open(room.game, part);
    else this._help.toggle(room.game);
  }

  _pressed(event) {
    if (event.key !== "?" || !isForPage(event) || this.app.memory.get("table.keys") === "off") return;
    event.preventDefault();
    this.toggleHelp();
  }

  _drawActions(picture, game) {
    const { app, room } = this;
    const chair = picture && picture.seat !== null ? picture.info.seats[picture.seat] : null;
    const key = JSON.stringify([picture?.seat, picture?.info.phase, chair?.stand_in, !!game?.rules]);
    mark(this._letBot, "aria-pressed", String(room.isPlayedFor));
    if (key === this._key) return;
    this._key = key;
    const playing = picture && IN_MATCH.includes(picture.info.phase);
    const hints = picture?.info.settings?.hints !== false;
    this._actions.replaceChildren(
      ...[
        chair?.stand_in ? button(app.t("room.back"), () => app.ask("back", { table: room.code }), { class: "main" }) : null,
        chair && playing && hints && !chair.stand_in ? this._letBot : null,
        picture ? button(app.t("share.invite"), () => this._share()) : null,
        game?.rules ? button(app.t("room.rules"), () => room.toggleHelp("rules"), { class: "rules-too" }) : null,
        button("?", () => room.toggleHelp(), { "aria-label": app.t("help.title"), title: app.t("help.title"), "aria-keyshortcuts": "?" }),
        picture ? button(app.t(picture.seat === null ? "room.stop_watching" : "room.leave"), () => this._leave(chair && playing)) : null,
      ].filter(Boolean),
    );
  }

  async _share() {
    const { app, room } = this;
    const sharing = await app.load(() => import("../sharing/share.js"));
    const { info } = room.picture ?? {};
    sharing?.share(app, room.code, info ? gameNameAt(app, info) : "");
  }

  async _leave(asks) {
    const { app, room } = this;
    const others = room.picture?.info.seats.filter((chair) => chair.kind === "human").length > 1;
    const question = app.t(others ? "room.leave_match" : "room.leave_alone");
    if (!asks || (await app.sure(question, app.t("room.leave")))) app.ask("leave", { table: room.code }, room.picture);
  }
}
