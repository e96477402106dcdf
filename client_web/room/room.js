// One table: its chairs before the match, the table itself in the match, and what is said at it.

import { el, mark, say, show } from "../dom.js";
import { isMyTurn } from "../picture.js";
import { isolated } from "../words.js";
import { Chairs } from "./chairs.js";
import { SeatRequest } from "./seat_request.js";
import { Head } from "./head.js";
import { Talk } from "./talk.js";

export class Room {
  /** The table with this code, to play or to watch; a table behind a link asks first. */
  constructor(app, code, byLink = false) {
    this.app = app;
    this.code = code;
    this.title = code;
    this.isWatching = history.state?.watch === true;
    /** Whether this player has not yet said that they want to come in. */
    this.isInvited = byLink && !this.isWatching;
    this._game = null;
    this._view = null;
    this._head = new Head(this);
    this._chairs = new Chairs(app, this);
    this._table = el("div", { class: "table" });
    const place = el("div", { class: "over", hidden: true });
    this._request = new SeatRequest(this, place);
    const scores = el("div", { class: "scores", hidden: true });
    const hosting = el("div", { class: "hosting", hidden: true });
    this._result = this._load(() => import("../result/result.js"), ({ Result }) => new Result(this, place, scores, hosting));
    this._asking = el("ul", { class: "asking" });
    this._talk = new Talk(app, this);
    this.element = el("div", { class: "room" }, [
      this._head.element,
      this._request.element,
      this._asking,
      el("div", { class: "beside" }, [
        el("div", { class: "stage" }, [this._talk.preview, place, this._chairs.element, this._table, scores]),
        el("div", { class: "side" }, [this._head.help, hosting, this._talk.element]),
      ]),
    ]);
    this._loadTable();
    if (this.picture) this._fresh(this.picture);
    else if (app.session.online) this._request.send();
  }

  get picture() {
    return this.app.session.tables.get(this.code) ?? null;
  }

  happened(event) {
    // A request to be let in has ended with the connection.
    const isAnew = event.kind === "welcomed" || (event.kind === "withdrawn" && event.tables.includes(this.code));
    if (isAnew && (!this.picture || this._request.waits)) this._request.send();
    if (event.kind === "state" || event.kind === "welcomed") this._show({});
    if (event.kind === "chat" && event.chat.table === this.code) this._talk.chat(event.chat);
    if (event.kind === "notice" && event.notice.table === this.code) this._told(event.notice);
    if (!event.picture || event.picture.table !== this.code) return;
    switch (event.kind) {
      case "snapshot":
        this._fresh(event.picture);
        break;
      case "event":
        this._talk.happened(event);
        this._withResult((result) => result.follow(event.picture, event.facts));
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

  /** Write the lines of the facts now seen, and play their sound; the result comes last. */
  seen(facts, scene) {
    this._talk.shown(facts);
    const turn = { asked: isMyTurn(scene) && !this.isPlayedFor, wasAsked: this._asked, seat: scene.seat, game: scene.info.game };
    this._asked = turn.asked;
    if (!scene.fresh) {
      this._sound(facts, turn);
      if (this.picture) this._takenOver(facts);
    }
    if (this.picture) this._finish(this.picture, facts);
    this.bot?.look();
  }

  async _sound(facts, turn) {
    const sounds = await this.app.sounds();
    if (!sounds) return;
    const { soundsFor } = await import("../sounds.js");
    sounds.play(...soundsFor(facts, turn));
  }

  end() {
    this._head.end();
    this._view?.end();
    this.bot?.forget();
    // Who looks at something else is no spectator; a request to be let in would end with that.
    if (this.picture?.seat === null && !this._request.waits) this.app.connection.unwatch(this.code);
  }

  /** Load a part of the page; `made` builds the wanted object from it. */
  async _load(loading, made) {
    const loaded = await this.app.load(loading);
    return loaded && made(loaded);
  }

  /** Do something with the element over the table, once that is loaded. */
  _withResult(act) {
    this._result.then((result) => result && act(result));
  }

  /** Prepare a reload of the page: a bot that plays for this player goes on after it. */
  keepBot() {
    if (this.isPlayedFor) history.replaceState({ ...history.state, bot: this.code }, "");
  }

  /** Let a bot go on that played before the page was reloaded. */
  _goOn() {
    const { bot, ...state } = history.state ?? {};
    if (!bot) return;
    history.replaceState(state, "");
    if (bot === this.code && !this.isPlayedFor) this.toggleBot();
  }

  /** Let a bot play the player's own seat from here, or no longer. */
  async toggleBot() {
    this._botLoaded ??= this._load(() => import("./own_bot.js"), ({ OwnBot }) => new OwnBot(this, this._table));
    this.bot = await this._botLoaded;
    if (this.app.screen === this && this.picture) this.bot?.toggle();
  }

  get isPlayedFor() {
    return Boolean(this.bot?.notice);
  }

  /** Whether all facts so far have been shown. */
  get settled() {
    return this._view?.settled !== false;
  }

  /** Draw the table again, after another change. */
  redraw() {
    this._show({});
  }

  /** Show the help beside the table, or hide it; `part` opens one of its parts. */
  toggleHelp(part = null) {
    this._head.toggleHelp(part);
  }

  /** The game of the table, before the table itself names it. */
  expect(title) {
    this._head.expect(title);
  }

  /** Watch the table, as there is no seat. */
  watch() {
    this.isWatching = true;
    history.replaceState({ watch: true }, "");
    this.sit();
  }

  /** Come in, as this player has chosen. */
  sit() {
    this.isInvited = false;
    this._request.send();
  }

  /** Whether a move is half chosen. */
  get isChoosing() {
    return Boolean(this._view?.picked.length);
  }

  /** Show that this player may not come in. */
  refused(error) {
    // Nobody is invited to a table that does not exist.
    if (error.code === "unknown_table") this._head.clear();
    this.outside();
    this._withResult((result) => result.refused(error));
  }

  /** Ask whether this player wants to come in. */
  invited() {
    this.outside();
    this._withResult((result) => result.invited());
  }

  /** Note that the player is not in, or not yet, and sees no messages from outside. */
  outside() {
    show(this._talk.element, false);
    say(this._request.element, "");
  }

  _fresh(picture) {
    this._request.seen(picture);
    show(this._talk.element, true);
    this._withResult((result) => result.clear());
    this._view?.tellAll();
    // The same cards keep what was chosen, and the focus.
    const cards = ({ info, seat, legend }) => JSON.stringify([info.game, info.match, seat, legend]);
    if (picture.info.phase === "lobby" || (this._view && cards(this._view.scene) !== cards(picture))) {
      this._view?.end();
      this._view = null;
    }
    this._talk.snapshot(picture);
    this._withResult((result) => result.follow(picture, picture.facts));
    this._show({ fresh: true });
    this._goOn();
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
    this.title = isolated(info.title);
    const begins = this.element.dataset.phase === "lobby" && info.phase === "playing";
    mark(this.element, "data-phase", info.phase);
    app.around(this);
    const title = `${isMyTurn(picture) && !this.isPlayedFor ? "● " : ""}${this.title} – ${app.t("title")}`;
    if (document.title !== title) document.title = title;
    const playing = info.phase !== "lobby" && Object.keys(picture.view.zones).length > 0;
    this._talk.allow(picture);
    this._chairs.show(picture, this._game);
    show(this._chairs.element, info.phase === "lobby");
    show(this._table, playing);
    // Somebody has scrolled down to say that they are ready.
    if (begins) scrollTo(0, 0);
    // Which question this player is asked.
    mark(this._table, "data-asked", isMyTurn(picture) ? String(picture.question.turn) : "");
    // A drawn table says itself when each thing is seen.
    if (!playing || !this._view) {
      this._view?.tellAll();
      this.seen(facts, { ...picture, fresh });
    }
    if (playing) this._draw(picture, fresh, before, facts);
    this._head.show(picture, this._game);
    this._drawAsking(picture);
    this._finish(picture, facts);
    this.bot?.look();
  }

  /** Show the players who ask to join, and those whose time is up. */
  async _drawAsking({ latecomers, late, question }) {
    if (question.clock === 0 || late.length || Object.keys(latecomers).length) {
      this._asks ??= this._load(() => import("./asking.js"), (asks) => asks);
    }
    const asks = await this._asks;
    if (asks && this.picture) asks.draw(this.app, this._asking, this.picture);
  }

  _draw(picture, fresh, before, facts) {
    if (!this._drawing) {
      this._loadTable();
      return;
    }
    const made = !this._view;
    const { TableView, adapter } = this._drawing;
    this._view ??= new TableView(this._table, adapter.callbacks);
    this._view.show(adapter.of(picture, this._game, fresh || made, before, facts));
  }

  /** Load the modules that draw cards with the first room. */
  async _loadTable() {
    if (this._loading) return;
    this._loading = true;
    const loading = () => Promise.all([import("../table/table.js"), import("./table_adapter.js")]);
    this._drawing = await this._load(loading, ([{ TableView }, { TableAdapter }]) => ({ TableView, adapter: new TableAdapter(this) }));
    // Two tasks: to run the modules, and to draw a whole table.
    await new Promise((resolve) => setTimeout(resolve));
    this._loading = false;
    if (this._drawing && this.app.screen === this) this._show({ fresh: true });
  }

  /** The lobby's card of the game; null until it has come. */
  get game() {
    return this._game;
  }

  /** Announce a bot that takes over and a new host: on a phone the log is out of sight. */
  _takenOver(facts) {
    const { seat } = this.picture;
    const isNews = ({ verb, args }) =>
      verb === "timed_out" || verb === "taken_over" || (verb === "host_changed" && args.seat === seat);
    const told = facts.filter(isNews);
    const sentences = told.map((fact) => this.app.wordsFor(this.picture).sentence(fact));
    if (sentences.length) this.app.alert(sentences.join(" "), true, false);
  }

  async _told(notice) {
    const { picture } = this;
    const part = await this.app.load(() => import("./notices.js"));
    if (!part || this.app.screen !== this) return;
    const told = part.noticed(this.app, notice, picture, this._game);
    if (notice.kind === "time_up" && told) this.app.alert(told, true, false);
    if (told) this._talk.line(told, "news");
    if (notice.kind === "warmed" && !notice.seats?.length) this._view?.dialogs?.renew();
    if (notice.kind === "refused") this._request.end(told);
  }

  _closed(reason) {
    this._view?.tellAll();
    this._view?.end();
    this._view = null;
    this._table.hidden = this._chairs.element.hidden = true;
    this._head.clear();
    this._talk.close();
    if (reason === "left") {
      this.app.go("");
      return;
    }
    this._withResult((result) => result.closed(reason));
  }

  /** Show the result of a match, once its last trick has gone. */
  _finish(picture, facts) {
    if (picture.info.phase === "finished" && !this.settled) return;
    this._withResult((result) => result.finish(picture, facts));
  }
}
