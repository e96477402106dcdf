// A bot for the own seat, like `auto` in the terminal: at each turn the page asks for a hint and plays it.

import { isMyTurn } from "../picture.js";

/** Errors that do not concern the move itself: the table has gone on, or the server comes back. */
const NOT_NOW = ["stale_turn", "not_your_turn", "wrong_phase", "draining", "try_again", "rate_limited"];
const AGAIN = 1000;

export class OwnBot {
  /** A bot for the room's table, drawn in `place`: a player who acts there plays again. */
  constructor(room, place) {
    this.room = room;
    /** The text in place of a question; null while no bot plays for this player. */
    this.notice = null;
    this._answered = null;
    const stop = (event) => {
      const acts = event.type === "click" ? event.target.closest(".felt, .ask") : event.key === "Escape";
      if (!this.notice || !acts) return;
      // It ends the bot, and is no move.
      event.preventDefault();
      event.stopPropagation();
      this.end();
    };
    for (const kind of ["click", "keydown"]) place.addEventListener(kind, stop, { capture: true });
    // Nobody looks at a hidden page, so nothing has to be seen first.
    this._hidden = () => this.look();
    document.addEventListener("visibilitychange", this._hidden);
  }

  toggle() {
    if (this.notice) {
      this.end();
      return;
    }
    this._answered = null;
    this.notice = { text: this._sentence("taken_over"), back: this.room.app.t("room.back") };
    this.room.app.say(this.notice.text);
    this.room.redraw();
    this.look();
  }

  /** Let the player play again; `why` is shown if they did not ask for it. */
  end(why = "") {
    if (!this.notice) return;
    const { room } = this;
    this._off();
    if (why) room.app.alert(why);
    room.app.say(this._sentence("handed_back"));
    room.redraw();
  }

  /** Stop the bot, as the room is left. */
  forget() {
    this._off();
    document.removeEventListener("visibilitychange", this._hidden);
  }

  /** Answer the table's question once, if there is one and the facts before it were shown. */
  async look() {
    const { room } = this;
    if (!this.notice) return;
    const { phase } = room.picture?.info ?? {};
    if (phase !== "playing" && phase !== "paused") {
      this._off();
      room.redraw();
    } else if (!this._busy && this._isAsked() && (document.hidden || room.settled)) await this._answer();
  }

  async _answer() {
    const question = this._question();
    this._busy = true;
    await this._play(question);
    this._busy = false;
    this.look();
  }

  /** Ask for a hint and play it, unless the player or the table goes on meanwhile. */
  async _play(question) {
    const { app, code, picture } = this.room;
    const open = () => this.notice && this.room.picture && this._question() === question;
    const { turn } = picture.question;
    const hint = await app.connection.ask("hint", { table: code });
    if (!open()) return;
    const isMove = hint.type !== "error" && hint.turn === turn;
    const answer = isMove ? await app.connection.ask("act", { table: code, turn, action: hint.action }) : hint;
    if (!open()) return;
    this._answered = question;
    if (answer.type !== "error" && isMove) return;
    if (answer.type !== "error" || NOT_NOW.includes(answer.code)) this._later();
    else this.end(await app.refusal(answer, this.room.picture));
  }

  /** Ask once more, if the question is unchanged by then. */
  _later() {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => {
      this._answered = null;
      this.look();
    }, AGAIN);
  }

  _isAsked() {
    const { picture } = this.room;
    const isOwn = isMyTurn(picture) && !picture.info.seats[picture.seat].stand_in;
    return picture.info.phase === "playing" && isOwn && this._answered !== this._question();
  }

  _question() {
    const { info, question } = this.room.picture;
    return `${info.match} ${question.turn}`;
  }

  /** The sentence of the log, worded as for a bot of the server. */
  _sentence(verb) {
    const { app, picture } = this.room;
    return app.wordsFor(picture).sentence({ verb, args: { seat: picture.seat }, changes: [], words: "" });
  }

  _off() {
    clearTimeout(this._timer);
    this.notice = null;
  }
}
