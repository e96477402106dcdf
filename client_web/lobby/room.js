// One table: its chairs before the match, the table itself in the match, and what is said at it.

import { button, el, isForPage, mark, say, show } from "../dom.js";
import { isMyTurn, namesOf } from "../picture.js";
import { Chairs } from "./chairs.js";
import { dealFacts } from "./deal_log.js";
import { Talk } from "./talk.js";
import { noticed } from "./notices.js";
import { titled } from "./translated.js";

const IN_MATCH = ["playing", "paused"];

export class Room {
  /** The table with this code: whoever comes by its address sits down, or watches. */
  constructor(app, code) {
    this.app = app;
    this.code = code;
    this.title = code;
    this._watch = history.state?.watch === true;
    this._game = null;
    this._view = null;
    this._clock = { turn: null, reserve: [], since: 0 };
    this._late = [];
    this._heading = el("h1", { tabindex: -1, text: code });
    this._phase = el("span", { class: "quiet" });
    this._waiting = el("p", { class: "quiet" });
    this._actions = el("div", { class: "actions" });
    this._chairs = new Chairs(app, this);
    this._table = el("div", { class: "table" });
    this._over = el("div", { class: "over", hidden: true });
    this._scores = el("div", { class: "scores", hidden: true });
    this._asking = el("ul", { class: "asking" });
    this._talk = new Talk(app, this);
    this._helpPlace = el("div", { hidden: true });
    this._results = this._load(() => import("./after_match.js"), ({ AfterMatch }) => new AfterMatch(app, code));
    this._listening = new AbortController();
    this.element = el("div", { class: "room" }, [
      el("div", { class: "head" }, [this._heading, this._phase, this._actions]),
      this._waiting,
      this._asking,
      el("div", { class: "beside" }, [
        el("div", { class: "stage" }, [this._over, this._chairs.element, this._scores, this._table]),
        el("div", { class: "side" }, [this._helpPlace, this._talk.element]),
      ]),
    ]);
    document.addEventListener("keydown", (event) => this._pressed(event), { signal: this._listening.signal });
    this._drawActions();
    this._loadTable();
    if (this.picture) this._fresh(this.picture);
    else if (app.session.online) this._come();
    else say(this._waiting, app.t("connection.connecting"));
  }

  get picture() {
    return this.app.session.tables.get(this.code) ?? null;
  }

  happened(event) {
    if (event.kind === "welcomed") this._come();
    if (event.kind === "state") this._show({});
    if (event.kind === "chat" && event.chat.table === this.code) this._talk.chat(event.chat);
    if (event.kind === "notice" && event.notice.table === this.code) this._told(event.notice);
    if (!event.picture || event.picture.table !== this.code) return;
    switch (event.kind) {
      case "snapshot":
        this._fresh(event.picture);
        break;
      case "event":
        this._talk.happened(event);
        this._results.then((results) => results?.follow(event.picture, event.facts));
        this._show({ before: event.before, facts: event.facts });
        break;
      case "changed":
        if (event.presence) this._talk.presence(event.picture, event.presence);
        this._show({});
        break;
      case "closed":
        this._closed(event.reason);
    }
  }

  /** What is seen now has its lines and its sound; the result comes last. */
  _seen(facts, told) {
    this._talk.shown(facts);
    const turn = { asked: isMyTurn(told), wasAsked: this._asked };
    this._asked = turn.asked;
    if (!told.fresh) {
      this._sound(facts, turn);
      if (this.picture) this._takenOver(facts);
    }
    if (this.picture) this._finish(this.picture, facts);
  }

  async _sound(facts, turn) {
    const sounds = await this.app.sounds();
    if (!sounds) return;
    const { soundFor } = await import("../sounds.js");
    sounds.play(soundFor(facts, turn));
  }

  end() {
    this._listening.abort();
    this._view?.end();
  }

  _pressed(event) {
    if (event.key !== "?" || !isForPage(event) || this.app.memory.get("table.keys") === "off") return;
    event.preventDefault();
    this._toggleHelp();
  }

  /** Load a part of the page; `made` makes of it what is wanted. */
  async _load(loading, made) {
    const loaded = await this.app.load(loading);
    return loaded && made(loaded);
  }

  async _share() {
    const sharing = await this.app.load(() => import("./share.js"));
    sharing?.share(this.app, this.code, this.picture?.info.title ?? "");
  }

  async _toggleHelp(part = null) {
    this._help ??= this._load(() => import("./help.js"), ({ Help }) => new Help(this.app));
    const help = await this._help;
    if (!help) return;
    this._helpPlace.replaceWith(help.element);
    if (part) help.open(this._game, part);
    else help.toggle(this._game);
  }

  /** Sit down, or watch: only where this player is not at the table yet. */
  async _come() {
    const { app, code } = this;
    if (this.picture) {
      this._show({});
      return;
    }
    // The tables where one sits come right behind the welcome.
    await new Promise((resolve) => setTimeout(resolve));
    if (this.picture || this._coming) return;
    this._coming = true;
    const answer = await app.connection.ask(this._watch ? "watch" : "join", { table: code });
    this._coming = false;
    if (app.screen !== this) return;
    if (answer.type === "asked") {
      say(this._waiting, app.t("room.asked", { seconds: Math.round(answer.seconds) }));
    } else if (answer.type === "error" && answer.code !== "already_seated") {
      this._refused(answer);
    }
  }

  _refused(error) {
    const { app } = this;
    say(this._waiting, "");
    const watch = () => {
      this._over.hidden = true;
      this._watch = true;
      history.replaceState({ watch: true }, "");
      this._come();
    };
    const could = ["table_full", "wrong_phase", "forbidden", "seat_taken"].includes(error.code);
    this._say(app.refusal(error), [
      could && !this._watch ? button(app.t("lobby.watch"), watch, { class: "main" }) : null,
      button(app.t("room.to_lobby"), () => app.go("")),
    ]);
  }

  _fresh(picture) {
    say(this._waiting, "");
    this._over.hidden = true;
    this._finished = this._scored = "";
    this._view?.tellAll();
    // The same cards keep what was chosen, and the focus.
    const cards = ({ info, seat, legend }) => JSON.stringify([info.game, info.match, seat, legend]);
    if (picture.info.phase === "lobby" || (this._view && cards(this._view.told) !== cards(picture))) {
      this._view?.end();
      this._view = null;
    }
    this._talk.snapshot(picture);
    this._results.then((results) => results?.follow(picture, picture.facts));
    this._show({ fresh: true });
    if (this._game) return;
    this.app.game(picture.info.game).then((game) => {
      this._game = game;
      if (this.app.screen === this) this._show({});
    });
  }

  /** Draw the table as it is now; `facts` happened since it was `before`. */
  _show({ fresh = false, before = null, facts = [] }) {
    const picture = this.picture;
    if (!picture) return;
    const { app } = this;
    const { info } = picture;
    this.title = info.title;
    mark(this.element, "data-phase", info.phase);
    say(this._heading, app.words.gameTitle({ id: info.game, title: info.title }));
    say(this._phase, `${info.table} · ${app.texts.phases[info.phase] ?? info.phase}`);
    const title = `${isMyTurn(picture) ? "● " : ""}${info.title} – ${app.t("title")}`;
    if (document.title !== title) document.title = title;
    if (fresh || before?.question !== picture.question) this._setClock(picture.question, fresh || !!before);
    const playing = info.phase !== "lobby" && Object.keys(picture.view.zones).length > 0;
    this._talk.allow(picture);
    this._chairs.show(picture, this._game);
    show(this._chairs.element, info.phase === "lobby");
    show(this._table, playing);
    // Which question this player is asked.
    mark(this._table, "data-asked", isMyTurn(picture) ? String(picture.question.turn) : "");
    // A drawn table says itself when each thing is seen.
    if (!playing || !this._view) {
      this._view?.tellAll();
      this._seen(facts, { ...picture, fresh });
    }
    if (playing) this._draw(picture, fresh, before, facts);
    this._drawActions();
    this._drawAsking(picture);
    this._finish(picture, facts);
  }

  /** Those who ask to be let in, and those whose time is up. */
  async _drawAsking({ latecomers, question }) {
    if (question.clock === 0 || this._late.length || Object.keys(latecomers).length) {
      this._asks ??= this._load(() => import("./asking.js"), (asks) => asks);
    }
    const asks = await this._asks;
    if (asks && this.picture) asks.draw(this.app, this._asking, this.picture, this._late);
  }

  _draw(picture, fresh, before, facts) {
    if (!this._drawing) {
      this._loadTable();
      return;
    }
    const made = !this._view;
    this._view ??= new this._drawing.TableView(this._table, this._callbacks());
    this._view.show(this._toldOf(picture, fresh || made, before, facts));
  }

  /** What draws cards is loaded with the first room. */
  async _loadTable() {
    if (this._loading) return;
    this._loading = true;
    this._drawing = await this._load(() => import("../table/table.js"), (drawing) => drawing);
    this._loading = false;
    if (this._drawing && this.app.screen === this) this._show({ fresh: true });
  }

  /** What a drawn table is given: see the README. */
  _toldOf(picture, fresh, before, facts) {
    return {
      code: picture.table,
      seq: picture.seq,
      fresh,
      seat: picture.seat,
      view: picture.view,
      before: fresh ? null : (before ?? picture).view,
      facts: fresh ? [] : facts,
      deal: picture.facts,
      earlier: picture.earlier,
      legend: picture.legend,
      ...this._titled(picture),
      game: this._game,
      info: picture.info,
      names: namesOf(picture.info),
      question: picture.question,
      clocks: this._clock,
      online: this.app.connection.state === "online",
      words: this.app.wordsFor(picture),
    };
  }

  /** Layout hints and labels in the language of the page; the same objects while nothing changes. */
  _titled({ layout, labels, info }) {
    if (this._titles?.from !== layout) {
      this._titles = { from: layout, told: titled({ layout, labels }, info.game, this.app.texts.titles) };
    }
    return this._titles.told;
  }

  _callbacks() {
    const { app, code } = this;
    const done = (answer) => (answer.type === "error" ? app.refusal(answer, this.picture) : null);
    const ask = async (type, fields = {}) => done(await app.connection.ask(type, { table: code, ...fields }));
    return {
      act: (action, turn) => ask("act", { action, turn }),
      hint: async () => {
        const answer = await app.connection.ask("hint", { table: code });
        return answer.type === "error" ? done(answer) : answer;
      },
      undo: (turn = null) => ask("undo", turn === null ? {} : { turn }),
      earlier: () => dealFacts(app, this.picture),
      help: () => this._toggleHelp(),
      incomplete: () => app.loadAnew(),
      say: (text) => app.say(text),
      shown: (facts, told) => this._seen(facts, told),
      setting: (name) => app.memory.get(`table.${name}`),
      set: (name, value) => app.memory.set(`table.${name}`, value),
    };
  }

  _setClock(question, anew) {
    if (!anew) return;
    this._clock = {
      turn: question.clock ?? null,
      reserve: question.reserve,
      since: performance.now(),
    };
  }

  /** A bot that takes over is news: on a phone the log is out of sight. */
  _takenOver(facts) {
    const told = facts.filter(({ verb }) => verb === "timed_out" || verb === "taken_over");
    const sentences = told.map((fact) => this.app.wordsFor(this.picture).sentence(fact));
    if (sentences.length) this.app.alert(sentences.join(" "), true, false);
  }

  _told(notice) {
    const told = noticed(this.app, notice, this.picture, this._game);
    if (notice.kind === "time_up" && told) {
      this.app.alert(told, true, false);
      for (const seat of notice.seats ?? []) this._late.push([this.picture?.question, seat]);
      this._show({});
    }
    if (told) this._talk.line(told, "news");
    if (notice.kind === "refused") this._refused({ code: "refused", reason: told });
  }

  _closed(reason) {
    this._view?.tellAll();
    this._talk.forget();
    this._view?.end();
    this._view = null;
    this._table.hidden = this._chairs.element.hidden = true;
    this._actions.replaceChildren();
    if (reason === "left") {
      this.app.go("");
      return;
    }
    this._say(this.app.words.parting(reason), [
      this._replayButton(),
      button(this.app.t("room.to_lobby"), () => this.app.go(""), { class: "main" }),
    ]);
  }

  /** After a match: who has won, and what comes next. */
  _finish(picture, facts) {
    const { app } = this;
    const finished = picture.info.phase === "finished";
    if (finished && this._view?.settled === false) return;
    this._showScores(picture);
    if (!finished) {
      if (this._finished) this._over.hidden = true;
      this._finished = "";
      return;
    }
    const seated = picture.seat !== null;
    const host = seated && picture.info.host === picture.seat;
    const part = host ? "host" : seated ? "player" : "spectator";
    // A host who leaves hands the table on.
    if (this._finished === part) return;
    this._finished = part;
    const end = picture.facts.findLast((fact) => fact.verb === "match_ended");
    const told = end ? app.wordsFor(picture).sentence(end) : app.t("room.over");
    const again = async () => {
      const { info, seat } = this.picture;
      const isAlone = info.seats.every(({ kind }, at) => at === seat || kind === "bot");
      const opened = await app.ask("rematch", { table: this.code }, this.picture);
      // Bots wait for nothing.
      if (opened && isAlone) app.ask("start", { table: this.code }, this.picture);
    };
    const wish = ({ target }) => {
      target.disabled = true;
      app.ask("chat", { table: this.code, text: app.t("talk.phrase.again") }, this.picture);
    };
    this._say(told, [
      host ? button(app.t("room.rematch"), again, { class: "main" }) : null,
      part === "player" ? button(app.t("room.rematch_wish"), wish, { class: "main" }) : null,
      part === "player" ? el("span", { class: "quiet", text: app.t("room.rematch_by_host") }) : null,
      this._replayButton(),
      seated && app.session.knows("review") ? this._replayButton("review", "&review") : null,
      button(app.t("room.to_lobby"), () => app.go("")),
    ], !facts.some(({ verb }) => verb === "match_ended"));
    // It appears above the cards, where a page that is scrolled down does not show it.
    this._over.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  /** What was scored stays in sight until the next match begins. */
  _showScores(picture) {
    const { phase, match } = picture.info;
    const key = phase === "finished" || (phase === "lobby" && match) ? `${phase} ${match}` : "";
    show(this._scores, Boolean(key));
    if (key === this._scored) return;
    this._scored = key;
    this._results.then((results) => {
      if (!results || !key || key !== this._scored) return;
      this._scores.replaceChildren(results.element);
      results.show(picture);
    });
  }

  /** A button that leads to the replay of the last match, from its beginning. */
  _replayButton(key = "title", more = "") {
    const go = () => this.app.go(`t/${this.code}/replay#deal=${this.picture?.info.match || 1}.1${more}`);
    return button(this.app.t(`replay.${key}`), go);
  }

  /** Over the table; what has a line of its own is said with that. */
  _say(text, buttons, said = true) {
    this._over.replaceChildren(el("p", { text }), el("div", { class: "actions" }, buttons));
    this._over.hidden = false;
    if (said) this.app.say(text);
  }

  _drawActions() {
    const { app } = this;
    const picture = this.picture;
    const chair = picture && picture.seat !== null ? picture.info.seats[picture.seat] : null;
    const key = JSON.stringify([picture?.seat, picture?.info.phase, chair?.stand_in, !!this._game?.rules]);
    if (key === this._key) return;
    this._key = key;
    const playing = picture && IN_MATCH.includes(picture.info.phase);
    this._actions.replaceChildren(
      ...[
        chair?.stand_in ? button(app.t("room.back"), () => app.ask("back", { table: this.code }), { class: "main" }) : null,
        button(app.t("share.invite"), () => this._share()),
        this._game?.rules ? button(app.t("room.rules"), () => this._toggleHelp("rules")) : null,
        button("?", () => this._toggleHelp(), { "aria-label": app.t("help.title"), title: app.t("help.title"), "aria-keyshortcuts": "?" }),
        picture ? button(app.t(picture.seat === null ? "room.stop_watching" : "room.leave"), () => this._leave(chair && playing)) : null,
      ].filter(Boolean),
    );
  }

  _leave(asks) {
    const { app } = this;
    const others = this.picture?.info.seats.filter((chair) => chair.kind === "human").length > 1;
    const question = app.t(others ? "room.leave_match" : "room.leave_alone");
    if (!asks || confirm(question)) app.ask("leave", { table: this.code }, this.picture);
  }
}
