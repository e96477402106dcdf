// What has happened at a table, step by step: a screen with the table as one of its viewers saw it.
//
// It asks for the table's log and for nothing else: what this player may not be told is not here.

import { button, el, mark, say, select, stylesheet } from "../dom.js";
import { sentences } from "../movements.js";
import { namesOf } from "../picture.js";
import { Controls } from "./controls.js";
import { Logs, isOver } from "./logs.js";
import { addressOf, momentIn, secondsOf, stepOf } from "./moment.js";
import { ShownTable } from "./shown_table.js";
import { OpenTimeline } from "./timeline.js";

/** The delay in which only the last of many steps is announced and put into the address. */
const RESTED = 350;

export class Replay {
  constructor(app, code) {
    this.app = app;
    this.code = code;
    this.title = app.t("replay.title");
    this._line = null;
    this._at = -1;
    this._speed = 1;
    this._playing = false;
    // The decision of a review before which the match stands: {step, text, actions}.
    this._decision = null;
    // Whether how long the match is, and how it ends, is hidden; until its end was seen.
    this._hides = Boolean(app.memory?.get("replay.hide"));
    this._logs = new Logs(app, code);
    this._draw();
    this._read();
  }

  happened() {}

  /** Whether an address is this screen's; if so, its moment is shown. */
  isAt(path) {
    if (path !== `t/${this.code}/replay` || !this._line) return false;
    const moment = this._asked();
    const view = this._logs.allowed().includes(moment.view) ? moment.view : "own";
    if (view === this._view) this._go(stepOf(this._line, moment));
    else this._look(view, moment);
    return true;
  }

  end() {
    this._listening.abort();
    clearTimeout(this._timer);
    clearTimeout(this._resting);
    this._review?.end();
    this._table.clear();
  }

  /** Show the player's own view, and the moment of the address. */
  async _read() {
    const moment = this._asked();
    const own = await this._timeline(null);
    if (!own) return;
    if (!own.length) this._refuse(this.app.t("replay.nothing"));
    else await this._look(this._logs.allowed().includes(moment.view) ? moment.view : "own", moment);
    if (moment.review && this._line && !this._judge.hidden) this._openReview();
  }

  /** The moment of the address; without a view it has all hands, if those were chosen last. */
  _asked() {
    const moment = momentIn(location.hash);
    if (/[#&]view=/.test(location.hash)) return moment;
    return { ...moment, view: this.app.memory?.get("replay.view") ?? moment.view };
  }

  /** The log of the player's own view, or of a seat; null after a refusal was shown. */
  async _timeline(seat) {
    const { app } = this;
    const tell = (part) => say(this._status, app.t("replay.reading", { percent: Math.round(100 * part) }));
    const line = await this._logs.line(seat, tell);
    if (app.screen !== this) return null;
    say(this._status, "");
    if (typeof line !== "string") return line;
    this._refuse(line);
    return null;
  }

  /** Show the table in a seat's view, or with all hands; at a moment, or at the present one. */
  async _look(view, moment = null) {
    this._wanted = view;
    const seats = view === "all" ? [...this._logs.own.moment(Infinity).info.seats.keys()] : [view];
    const lines = [];
    for (const seat of seats) {
      const line = seat === "own" ? this._logs.own : await this._timeline(seat);
      if (!line) return;
      lines.push(line);
    }
    // Somebody has chosen another one meanwhile.
    if (this._wanted !== view) return;
    const here = this._line?.steps[this._at];
    const line = view === "all" ? new OpenTimeline(lines[0], lines.slice(1)) : lines[0];
    if (!line.length) {
      this._refuse(this.app.t("replay.nothing"));
      return;
    }
    this._view = view;
    this._line = line;
    this._review?.end();
    this._review = null;
    this._body.classList.remove("is-reviewed");
    this._fill();
    this._controls.follow(this._line, this._hides);
    this._table.clear();
    this._at = -1;
    this._go(moment || !here ? stepOf(this._line, moment ?? {}) : this._line.find(here.seq, here.part));
  }

  /** Draw the table again, after another change. */
  redraw() {
    this._table.redraw();
  }

  /** Show a step; a step by the player stops automatic play. */
  _go(step) {
    this._stop();
    this._show(step);
  }

  /** Show the position before a decision of the review, with the move and the bot's marked. */
  _goBefore({ entry, action, best }, text) {
    this._decision = { step: this._line.find(entry - 1), text, actions: { played: action, better: best } };
    this._go(this._decision.step);
    this._table.comeIntoView();
  }

  _show(step) {
    const { _line: line } = this;
    const isNext = step === this._at + 1 && this._at >= 0;
    const before = isNext ? line.at(this._at).view : null;
    if (this._decision?.step !== step) this._decision = null;
    const isSame = this._table.marks(this._decision?.actions ?? null);
    if (step === this._at && this._table.isDrawn && isSame) {
      this._tell();
      return;
    }
    this._at = step;
    if (step === line.length - 1) this._reveal();
    const picture = line.at(step);
    const facts = isNext ? line.steps[step].facts : [];
    this._table.show(picture, before, facts, this._youIn(picture, line.steps[step]));
    this._tell();
  }

  /** Make overflowing elements scrollable by keys. */
  _letKeysRead() {
    if (this._caption.scrollHeight > this._caption.clientHeight) this._caption.tabIndex = 0;
    else this._caption.removeAttribute("tabindex");
  }

  /** Show the position, and the facts of the step. */
  _tell() {
    const { app, _line: line, _at: at } = this;
    const step = line.steps[at];
    const where = this._place(step);
    const facts = step.facts.map((fact) => ({ args: {}, words: "", ...fact }));
    const happened = this._decision?.text || sentences(facts, this._table.words, line.at(at)).filter(Boolean).join(" ");
    say(this._where, where);
    say(this._caption, happened);
    this._letKeysRead();
    // It stays where it is from step to step: what comes and goes would push the table about.
    this._onward.hidden = !this._mayPlayOn();
    this._onward.disabled = !line.at(at).question.to_act.length;
    this._controls.show(at, where, this._playing);
    clearTimeout(this._resting);
    this._resting = setTimeout(() => {
      app.say(happened || where);
      history.replaceState(history.state, "", location.pathname + addressOf(step, this._view));
    }, RESTED);
  }

  _place({ deal, trick }) {
    const at = { deal, trick, step: this._at + 1, steps: this._line.length };
    const place = this.app.t(trick ? "replay.at_trick" : "replay.at_deal", at);
    return this._hides ? place.replace(/ · .*/, "") : place;
  }

  /** Hide how long the match is and how it ends, or show it again. */
  _hide(hides) {
    this._hides = hides;
    this.app.memory.set("replay.hide", hides || null);
    this._fill();
    this._controls.follow(this._line, hides);
    this._tell();
  }

  /** The end has been seen: there is nothing to hide any more. */
  _reveal() {
    if (!this._hides) return;
    this._hides = false;
    this._fill();
    this._controls.follow(this._line);
  }

  _play(on) {
    this._stop();
    if (!on || !this._line) return;
    this._playing = true;
    // From the end it begins again.
    if (this._at === this._line.length - 1) this._show(0);
    else this._tell();
    this._wait();
  }

  _wait() {
    clearTimeout(this._timer);
    const seconds = secondsOf(this._line.steps[this._at], this._speed);
    this._timer = setTimeout(() => {
      const next = this._at + 1;
      this._playing = next < this._line.length - 1;
      this._show(next);
      if (this._playing) this._wait();
    }, 1000 * seconds);
  }

  _stop() {
    clearTimeout(this._timer);
    this._playing = false;
  }

  /** The seat that is called `you`: only if this player sat there. */
  _youIn(picture, { seq, part }) {
    const { seat } = this._logs.own.moment(seq, part);
    return this._view === "all" || seat === picture.seat ? seat : null;
  }

  _refuse(sentence) {
    this._stop();
    if (this._line) {
      // What is shown stays.
      this._menu.value = this._view;
      this.app.alert(sentence);
      return;
    }
    this._body.hidden = true;
    say(this._status, sentence);
    this.app.say(sentence);
  }

  /** The heading, and the choice among the views. */
  _fill() {
    const { app } = this;
    const { info } = this._logs.own.moment(Infinity);
    const names = namesOf(info);
    const { isPlayer } = this._logs;
    const text = (view) => {
      if (view === "own") return app.t(isPlayer ? "replay.own" : "replay.spectator");
      return view === "all" ? app.t("replay.all") : app.t("replay.seat", { name: names[view] || `${view + 1}` });
    };
    const views = this._logs.allowed();
    this._menu.replaceChildren(...views.map((view) => el("option", { value: view, text: text(view) })));
    this._menu.value = this._view;
    this._menu.hidden = views.length < 2;
    this._table.seat(names.length);
    say(this._heading, `${this.title}: ${app.words.gameTitle({ id: info.game, title: info.title })}${info.seeded ? ` · ${app.t("room.seeded")}` : ""}`);
    this._body.hidden = this._file.hidden = this._link.hidden = false;
    const hasDecisions = isPlayer || typeof this._view === "number";
    this._judge.hidden = this._hides || !(isOver(info) && hasDecisions && app.session?.knows("review"));
    this._ending.hidden = !isOver(info);
    mark(this._ending, "aria-pressed", String(this._hides));
  }

  /** Show each decision in the present match, beside the strong bot's. */
  async _openReview() {
    const { app, _line: line, _view: view } = this;
    const part = await app.load(() => import("../review/review.js"));
    if (!part || this._line !== line) return;
    this._review?.end();
    const step = line.steps[this._at];
    const go = (decision, text) => this._goBefore(decision, text);
    this._review = new part.Review(app, this.code, this._table.words, line.at(this._at), go);
    this._body.append(this._review.element);
    this._body.classList.add("is-reviewed");
    this._review.read(step.match, typeof view === "number" ? view : null);
  }

  /** Whether the match may go on, at a table of one's own, from a step at which somebody is to move. */
  _mayPlayOn() {
    return this._logs.allowed().includes("all") && this.app.session?.knows("create_table.position");
  }

  /** Open a table where the match goes on from here against bots, from the seat that is looked from. */
  async _playOn() {
    const { app, _line: line, _at: at, _view: view } = this;
    this._stop();
    const { info, question, seat } = line.at(at);
    const from = typeof view === "number" ? view : (seat ?? question.to_act[0]);
    const position = { table: this.code, entry: line.steps[at].seq, seat: from };
    const opened = await app.ask("create_table", { game: info.game, settings: { private: true }, position });
    if (opened) app.go(`t/${opened.table}`);
  }

  /** Copy or share the link to the present moment. */
  async _share() {
    const { app } = this;
    this._stop();
    this._tell();
    const address = addressOf(this._line.steps[this._at], this._view);
    const sharing = await app.load(() => import("../sharing/share.js"));
    if (!sharing || app.screen !== this) return;
    const link = sharing.linkTo(app, `t/${this.code}/replay${address}`);
    const told = { title: app.t("title"), text: this._heading.textContent, url: link };
    sharing.showLink(app, app.t("replay.share"), app.t("replay.share_how"), link, told);
  }

  _draw() {
    const { app } = this;
    stylesheet(new URL("replay.css", import.meta.url));
    this._listening = new AbortController();
    this._heading = el("h1", { tabindex: -1, text: this.title });
    this._status = el("p", { class: "quiet" });
    this._menu = select([["own", ""]], "own", { "aria-label": app.t("replay.view"), hidden: true });
    this._menu.addEventListener("change", () => {
      const { value } = this._menu;
      // All hands are all hands in the next match, too; seats change.
      app.memory.set("replay.view", value === "all" ? value : null);
      this._look(/^[0-9]/.test(value) ? Number(value) : value);
    });
    this._link = button(app.t("share.share"), () => this._share(), { hidden: true });
    this._file = button(app.t("replay.download"), () => this._logs.save(), { hidden: true });
    this._judge = button(app.t("replay.review"), () => this._openReview(), { hidden: true });
    this._onward = button(app.t("replay.play_on"), () => this._playOn(), { hidden: true });
    this._ending = button(app.t("replay.hide"), () => this._hide(!this._hides), { hidden: true });
    this._table = new ShownTable(app, this.code);
    this._where = el("p", { class: "where" });
    this._caption = el("p", { class: "caption" });
    // The first step is told before it is shown, and windows change.
    new ResizeObserver(() => this._letKeysRead()).observe(this._caption);
    this._controls = new Controls(app, {
      go: (step) => this._go(step),
      play: (on) => {
        this._play(on);
        if (!on) this._tell();
      },
      speed: (factor) => {
        this._speed = factor;
        if (this._playing) this._wait();
      },
    });
    this._body = el("div", { class: "body", hidden: true }, [
      this._table.element, this._controls.element, this._where, this._caption,
    ]);
    const back = button(app.t("replay.table"), () => app.go(`t/${this.code}`));
    this.element = el("div", { class: "replay" }, [
      el("div", { class: "head" }, [this._heading, el("div", { class: "actions", onfocusin: inSight }, [this._menu, this._judge, this._onward, this._ending, this._link, this._file, back])]),
      this._status,
      this._body,
    ]);
    const pressed = (event) => this._controls.key(event);
    document.addEventListener("keydown", pressed, { signal: this._listening.signal });
  }
}

/** On a phone the buttons lie in one line, which is drawn along. */
function inSight({ target }) {
  target.scrollIntoView({ block: "nearest", inline: "nearest" });
}
