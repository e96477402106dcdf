// What stands over a table: who has won, what was scored and what comes next; or why nobody comes in.

import { button, el, select, show } from "../dom.js";
import { figure } from "../words.js";
import { AfterMatch } from "./after_match.js";
import { invitation } from "../lobby/entry.js";
import { IN_MATCH } from "../room/head.js";
import { phrase } from "../room/talk.js";

export class Result {
  /** The result is shown in `place`, the scores in `scores`, and the host's menu in `hosting`. */
  constructor(room, place, scores, hosting) {
    this.room = room;
    this.app = room.app;
    this._place = place;
    this._scores = scores;
    this._hosting = hosting;
    this._heirs = "[]";
    this._results = new AfterMatch(room.app, room.code);
    this._finished = this._scored = "";
  }

  /** Add the facts of an event at the table. */
  follow(picture, facts) {
    this._results.follow(picture, facts);
  }

  /** Show a new snapshot of the table. */
  clear() {
    this._finished = this._scored = "";
    this._hide();
  }

  /** Show the host's name to a visitor with a link, who is seated only on request. */
  invited() {
    const { app, room } = this;
    const answer = (method) => () => {
      this._hide();
      room[method]();
    };
    this._say(invitation(app, room.code), [
      button(app.t("entry.sit"), answer("sit"), { class: "main" }),
      button(app.t("lobby.watch"), answer("watch")),
      button(app.t("room.to_lobby"), () => app.go("")),
    ]);
    this._place.querySelector("button").focus();
  }

  /** Show why this player may not sit down, or watch. */
  async refused(error) {
    const { app, room } = this;
    const told = error.text ?? (await app.refusal(error));
    if (app.screen !== room) return;
    const watch = () => {
      this._hide();
      room.watch();
    };
    // Who was removed may not watch either.
    const removed = error.phrase?.code === "removed";
    const could = !removed && ["table_full", "wrong_phase", "forbidden", "seat_taken"].includes(error.code);
    this._say(told, [
      could && !room.isWatching ? button(app.t("lobby.watch"), watch, { class: "main" }) : null,
      button(app.t("room.to_lobby"), () => app.go("")),
    ]);
  }

  /** Show that the table is gone. */
  closed(reason) {
    const { app } = this;
    show(this._hosting, false);
    // Before a match what leads to the last one stands below already.
    const below = !this._scores.hidden && this._scores.children[1];
    this._say(app.words.parting(reason), [
      below ? null : this._replayButton(),
      button(app.t("room.to_lobby"), () => app.go(""), { class: "main" }),
    ]);
  }

  /** Show the winner after a match, and the next steps. */
  finish(picture, facts) {
    const { app } = this;
    this._match = picture.info.match;
    this._showScores(picture);
    this._showHosting(picture);
    if (picture.info.phase !== "finished") {
      if (this._finished) this._hide();
      this._finished = "";
      return;
    }
    const seated = picture.seat !== null;
    const host = seated && picture.info.host === picture.seat;
    const part = host ? "host" : seated ? "player" : "spectator";
    // A host may hand the table on, and does so by leaving.
    const heirs = this._heirsOf(picture);
    const state = JSON.stringify([part, heirs]);
    if (this._finished === state) return;
    const said = !facts.some(({ verb }) => verb === "match_ended") && !this._finished.startsWith(`["${part}"`);
    this._finished = state;
    const end = picture.facts.findLast((fact) => fact.verb === "match_ended");
    const told = end ? app.wordsFor(picture).sentence(end) : app.t("room.over");
    const seeded = picture.info.seeded ? el("p", { class: "quiet", text: app.t("room.seeded_why") }) : null;
    this._say(told, [
      host ? button(app.t("room.rematch"), () => this._again(), { class: "main" }) : null,
      ...(part === "player" ? this._wish() : []),
      heirs.length ? this._handOver(heirs) : null,
      ...this._past(seated),
      button(app.t("room.to_lobby"), () => app.go("")),
    ], said, this._result(picture, end?.args ?? {}, seeded));
    // It appears above the cards, where a page that is scrolled down does not show it.
    this._place.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  async _again() {
    const { app, room } = this;
    const { info, seat } = room.picture;
    const isAlone = info.seats.every(({ kind }, at) => at === seat || kind === "bot");
    const opened = await app.ask("rematch", { table: room.code }, room.picture);
    // Bots wait for nothing.
    if (opened && isAlone) app.ask("start", { table: room.code }, room.picture);
  }

  /** In a match the menu stands beside the table; before it each seat has a star. */
  _showHosting(picture) {
    const heirs = IN_MATCH.includes(picture.info.phase) ? this._heirsOf(picture) : [];
    const key = JSON.stringify(heirs);
    if (key === this._heirs) return;
    this._heirs = key;
    this._hosting.replaceChildren(...(heirs.length ? [this._handOver(heirs)] : []));
    show(this._hosting, heirs.length > 0);
  }

  /** The players whom this player may make host: the others present, each with their seat. */
  _heirsOf({ info, seat: own }) {
    if (own === null || info.host !== own || !this.app.session.knows("make_host")) return [];
    return info.seats.flatMap(({ kind, away, name }, seat) => (kind === "human" && !away && seat !== own ? [[seat, name]] : []));
  }

  /** A menu of the present players, of whom the chosen one becomes host. */
  _handOver(heirs) {
    const { app, room } = this;
    const title = app.t("room.make_host");
    const menu = select([["", title], ...heirs.map(([seat, name]) => [String(seat), name])], "", { "aria-label": title });
    menu.addEventListener("change", () => {
      const seat = Number(menu.value);
      menu.value = "";
      app.ask("make_host", { table: room.code, seat }, room.picture);
    });
    return menu;
  }

  /** A text for players who cannot start another match themselves. */
  _wish() {
    const { app, room } = this;
    const wish = async ({ target }) => {
      target.disabled = true;
      const isSaid = await app.ask("chat", { table: room.code, ...phrase(app, "again") }, room.picture);
      if (isSaid) target.textContent = app.t("room.rematch_wished");
      else target.disabled = false;
    };
    return [
      button(app.t("room.rematch_wish"), wish, { class: "main" }),
      el("span", { class: "quiet", text: app.t("room.rematch_by_host") }),
    ];
  }

  /** Keep scores and links to the past in sight until the next match begins. */
  _showScores(picture) {
    const { phase, match } = picture.info;
    const seated = picture.seat !== null;
    const waits = phase === "lobby" && match;
    const key = phase === "finished" || waits ? `${phase} ${match} ${seated}` : "";
    if (key === this._scored) return;
    this._scored = key;
    const past = waits ? [el("div", { class: "actions" }, this._past(seated))] : [];
    if (key) {
      this._scores.replaceChildren(this._results.element, ...past);
      this._results.show(picture, () => this._arrange());
    }
    this._arrange();
  }

  /** Hide empty parts; on a desk result and scores are side by side. */
  _arrange() {
    const [results, past] = this._scores.children;
    show(this._scores, Boolean(this._scored && (past || results?.hasChildNodes())));
    const stage = this._place.parentElement;
    stage.classList.toggle("has-result", this._place.matches(".result:not([hidden])"));
    stage.classList.toggle("has-scores", !this._scores.hidden);
  }

  _hide() {
    this._place.hidden = true;
    this._arrange();
  }

  /** The links to the last match: its replay, and for its players its review. */
  _past(seated) {
    const review = seated && this.app.session.knows("review");
    return [this._replayButton(), review ? this._replayButton("review", "&review") : null];
  }

  /** A button that opens the replay of the last match at its beginning. */
  _replayButton(key = "title", more = "") {
    const { app, room } = this;
    const go = () => app.go(`t/${room.code}/replay#deal=${this._match || 1}.1${more}`);
    return button(app.t(`replay.${key}`), go);
  }

  /** The winner in large letters, and all players by rank; empty if the page does not know them. */
  _result(picture, { ranks, totals }, seeded) {
    if (!Array.isArray(ranks) || ranks.length !== picture.info.seats.length) return null;
    const { app } = this;
    const words = app.wordsFor(picture);
    const first = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    const own = picture.seat;
    const won = first.length > 1 ? "several" : first[0] === own ? "you" : "they";
    const order = ranks.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other]);
    const rows = order.map((seat) => el("tr", { class: seat === own ? "own" : null }, [
      el("td", { text: `${ranks[seat]}.` }),
      el("th", { scope: "row", text: words.name(seat, true) }),
      el("td", { text: figure(totals?.[seat] ?? "") }),
    ]));
    return [
      el("h2", { text: app.t(`results.${won}`, { names: words.together(first) }) }),
      el("table", { class: rows.length > 4 ? "ranking many" : "ranking" }, [el("tbody", {}, rows)]),
      seeded,
    ].filter(Boolean);
  }

  /** Show a sentence and what can be done; `said` unless a line of its own says it. `shown` may take its place. */
  _say(text, buttons, said = true, shown = null) {
    this._place.classList.toggle("result", Boolean(shown));
    this._place.replaceChildren(...(shown ?? [el("p", { text })]), el("div", { class: "actions" }, buttons));
    this._place.hidden = false;
    this._arrange();
    if (said) this.app.say(text);
  }
}
