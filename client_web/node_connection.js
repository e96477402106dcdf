// The socket to one address of the server: its attempts, and whether it still gives signs of life.

import { PASSING } from "./session.js";

const SUBPROTOCOL = "blackqueen.v1.json";
const FIRST_DELAY = 0.25;
/** The longest delay, so that the table is back three seconds after the server at the latest. */
const LONGEST_DELAY = 2.5;
const OPENING_SECONDS = 10;
/** The seconds of silence after which the server is pinged, and the limit for its answer. */
const QUIET_SECONDS = 15;
const ANSWER_SECONDS = 10;
/** The limits of silence during play or with an unanswered command, or on a page shown again. */
const TABLE_SECONDS = 4;
const COMMAND_SECONDS = 3;
/** The limit for an answer to an urgent check, which doubles after each loss. */
const CHECK_SECONDS = 3;
/** A timer this late shows that the browser paused the page: first received messages are read. */
const LATE_SECONDS = 1;
const AGAIN_SECONDS = 0.5;
/** The time after which a missing answer to a ping is shown. */
const DOUBT_SECONDS = 0.7;
/** The number of failures after which the first address is asked for another's tables. */
const FAILURES = 2;
/** The messages that show that a table is there: a welcome alone does not show it. */
const OF_TABLES = new Set(["snapshot", "event", "changed"]);
/** Close codes after which the page does not reconnect by itself. */
const CLOSE_REPLACED = 4000;
const CLOSE_REFUSED = 4001;
/** The notice that means the same as the first of these codes. */
const REPLACED = { type: "notice", kind: "replaced" };

/** Seconds to wait before attempt 0, 1, …; spread, so that not all pages come at once. */
export function delay(attempt, chance, atLeast = 0) {
  return Math.max(0, atLeast) + (0.5 + chance / 2) * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempt);
}

export class NodeConnection {
  /**
   * `address` is "" for the first, by which the player came, and is reached at `url`. `on.happened`
   * is told of each event of the session, and `on.stands` whenever this connection stands otherwise.
   */
  constructor(address, url, session, world, on) {
    this.address = address;
    this.url = url;
    this.session = session;
    this.state = "connecting";
    /** Whether it is made because a table has moved, or in place of one that had to go for that; and has not failed since. */
    this.isNew = address !== "";
    /** The number of failures since a table was last there. */
    this.failures = 0;
    this._world = world;
    this._on = on;
    this._socket = null;
    this._isLeft = false;
    this._timer = null;
    this._quiet = null;
    this._doubt = null;
    this._asked = false;
    this._hurries = false;
    this._losses = 0;
  }

  get isFirst() {
    return this.address === "";
  }

  /** Connect at once, also if the player does not want to wait, or comes back. */
  open() {
    if (this._socket) return;
    this._isLeft = false;
    this._cancel();
    this._stand("connecting");
    const socket = this._world.open(this.url, SUBPROTOCOL);
    this._socket = socket;
    this._timer = this._hangUpIn(OPENING_SECONDS, "_timer", () => this._drop(socket));
    socket.onopen = () => socket.send(JSON.stringify(this.session.connected(this.address)));
    socket.onmessage = ({ data }) => this._receive(socket, data);
    socket.onclose = ({ code, reason }) => this._ended(socket, code, reason);
  }

  /** Connect after a delay. */
  openLater(seconds) {
    this._timer = this._world.later(seconds, () => this.open());
  }

  /** Close the connection for good. */
  end() {
    const socket = this._socket;
    this._socket = null;
    this._isLeft = true;
    this._cancel();
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** Check whether the connection still answers, for instance when a page is shown again. */
  check() {
    const socket = this._socket;
    // A page that was put aside by its browser may not have been told that its socket is closed.
    if (socket?.readyState > 1) this._drop(socket);
    if (this.state === "waiting") {
      this.open();
      return;
    }
    if (!socket || this._hurries) return;
    if (this._isOnline) this._ask(true, true);
    else if (socket.readyState === 0) {
      this._hurries = true;
      this._world.cancel(this._timer);
      this._timer = this._hangUpIn(this._limit(), "_timer", () => this._lose(socket));
    }
  }

  /** Send the waiting commands. */
  flush() {
    if (!this._isOnline || !this._socket) return;
    const messages = this.session.takeOutbox(this.address);
    if (messages.length && !this._asked) this._await();
    for (const message of messages) {
      const text = JSON.stringify(message);
      const size = new TextEncoder().encode(text).length;
      if (size <= this.session.limits.message_bytes) {
        this._socket.send(text);
        continue;
      }
      // The server would hang up on it, again and again.
      const error = { type: "error", id: message.id, code: "message_too_big", reason: "too long" };
      for (const event of this.session.receive([error], this.address)) this._on.happened(event);
    }
  }

  get _isOnline() {
    return this.session.isOnline(this.address);
  }

  _receive(socket, data) {
    if (socket !== this._socket) return;
    const was = this._isOnline;
    const events = this.session.receive(JSON.parse(data), this.address);
    const isThere = events.some(({ kind }) => OF_TABLES.has(kind));
    if (!was && this._isOnline) {
      this._world.cancel(this._timer);
      if (!this.session.tablesAt(this.address).length) this.failures = 0;
      this._stand("online");
    }
    if (isThere) this.failures = 0;
    for (const event of events) this._on.happened(event);
    if (socket !== this._socket) return;
    if (this._refused && !this._isOnline) {
      // Some refusals leave the connection open for another hello; ours begins anew.
      this._drop(socket);
      return;
    }
    this._listen();
    this._on.settled();
  }

  get _refused() {
    return this.session.refused ?? this.session.refusedAt(this.address);
  }

  _ended(socket, code, reason) {
    if (socket !== this._socket) return;
    this._socket = null;
    this._cancel();
    if (code === CLOSE_REPLACED && !this._refused) {
      for (const event of this.session.receive([REPLACED], this.address)) this._on.happened(event);
      this._on.settled();
      if (this._isLeft) return;
      if (!this._refused) {
        // By another one of this page, which is not there any more.
        this.session.ended(this.address);
        this.isNew = true;
        this.open();
        return;
      }
    }
    const refused = this._refused ?? (code === CLOSE_REFUSED ? { code: reason, reason } : null);
    this.session.disconnected(this.address);
    const isOver = refused && (this.isFirst || refused === this.session.refused);
    if (isOver && !PASSING.has(refused.code) && !this._startsAfresh(refused)) {
      this._stand("refused", { refused });
      return;
    }
    const seconds = delay(this.failures, this._world.chance(), refused?.retry_after);
    this.failures += 1;
    this.isNew = false;
    if (!this.isFirst && (refused || this.failures >= FAILURES)) this.session.failed(this.address);
    this._stand("waiting", { seconds, reason });
    this._timer = this._world.later(seconds, () => this.open());
    this._on.settled();
  }

  _startsAfresh(refused) {
    return refused.code === "unauthorized" && this.session.startAfresh();
  }

  /** Restart the limit of silence, as the server has sent something. */
  _listen() {
    if (!this._isOnline) return;
    if (this._hurries) this._losses = 0;
    this._asked = this._hurries = false;
    this._world.cancel(this._doubt);
    if (this.state === "checking") this._stand("online");
    this._await();
  }

  /** Ping after a limit of silence, which is short while a player waits for an answer. */
  _await() {
    const isAwaited = this.session.waitsAt(this.address);
    const hurries = isAwaited || this.session.playsAt(this.address);
    const seconds = isAwaited ? COMMAND_SECONDS : hurries ? TABLE_SECONDS : QUIET_SECONDS;
    this._world.cancel(this._quiet);
    this._quiet = this._world.later(seconds, () => this._ask(hurries, isAwaited));
  }

  /** `isTold`: if the answer takes long, the page shows that the connection is checked. */
  _ask(hurries, isTold) {
    const socket = this._socket;
    if (!socket) return;
    this._world.cancel(this._quiet);
    this._hurries = hurries;
    const lose = () => (hurries ? this._lose(socket) : this._drop(socket));
    this._quiet = this._hangUpIn(hurries ? this._limit() : ANSWER_SECONDS, "_quiet", lose);
    if (isTold) this._doubt = this._world.later(DOUBT_SECONDS, () => this._stand("checking"));
    if (this._asked) return;
    this._asked = true;
    this.session.ping(this.address);
    this.flush();
  }

  /** Start the timer, kept as `name`, after which a silent socket is closed. */
  _hangUpIn(seconds, name, hangUp) {
    const due = this._world.now() + seconds;
    return this._world.later(seconds, () => {
      if (this._world.now() > due + LATE_SECONDS) this[name] = this._world.later(AGAIN_SECONDS, hangUp);
      else hangUp();
    });
  }

  /** The limit for an answer, doubled after each loss, so that a busy server is not left for ever. */
  _limit() {
    return Math.min(ANSWER_SECONDS, CHECK_SECONDS * 2 ** this._losses);
  }

  _lose(socket) {
    this._losses += 1;
    this._drop(socket);
  }

  /** Leave a silent socket, for which the browser itself may need minutes. */
  _drop(socket) {
    if (socket !== this._socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
    this._ended(socket, 1006, "");
  }

  _cancel() {
    for (const timer of [this._timer, this._quiet, this._doubt]) this._world.cancel(timer);
    this._asked = this._hurries = false;
  }

  _stand(state, more = {}) {
    this.state = state;
    this._on.stands(this, more);
  }
}
