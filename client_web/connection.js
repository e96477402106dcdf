// One connection that comes back by itself: the socket, its attempts, and what a person sees of it.
//
// All meaning lies in `session.js`. What the browser gives (sockets, timers, chance) is passed in.

import { PASSING, Session } from "./session.js";

const SUBPROTOCOL = "blackqueen.v1.json";
const FIRST_DELAY = 0.25;
/** The table is there again at most three seconds after the server is. */
const LONGEST_DELAY = 2.5;
const OPENING_SECONDS = 10;
/** A server that says nothing for so long is asked for a sign of life. */
const QUIET_SECONDS = 15;
const ANSWER_SECONDS = 10;
/** So long a command may go unanswered before the server is asked; then each time twice as long. */
const COMMAND_SECONDS = 2;
/** So long a sign of life may take where the connection may well be gone; after each loss twice as long. */
const CHECK_SECONDS = 2.5;
/** Only a sign of life that takes longer is talked of. */
const DOUBT_SECONDS = 0.7;
const MOST_RETRIES = 8;
/** Closings after which nobody connects again by themselves. */
const CLOSE_REPLACED = 4000;
const CLOSE_REFUSED = 4001;

/** Seconds to wait before attempt 0, 1, …; spread, lest all pages come at once. */
export function delay(attempt, chance, atLeast = 0) {
  return Math.max(0, atLeast) + (0.5 + chance / 2) * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** attempt);
}

/** What a browser gives to a connection. */
export const BROWSER = {
  open: (url, subprotocol) => new WebSocket(url, subprotocol),
  later: (seconds, call) => setTimeout(call, 1000 * seconds),
  cancel: (timer) => clearTimeout(timer),
  chance: () => Math.random(),
};

export class Connection {
  /**
   * `hear` is told of every event of the session, and `{kind: "state", state, seconds, reason}` when
   * the connection stands otherwise: connecting, online, checking (whether it is), waiting (for
   * `seconds`), refused.
   */
  constructor(url, session, hear, world = BROWSER) {
    this.url = url;
    this.session = session;
    this.state = "connecting";
    this._hear = hear;
    this._world = world;
    this._attempt = 0;
    this._socket = null;
    this._timer = null;
    this._quiet = null;
    this._doubt = null;
    this._asked = false;
    this._hurries = false;
    this._losses = 0;
    this._patience = COMMAND_SECONDS;
    this._retries = new Map();
    this._answers = new Map();
  }

  /** Connect, at once; also where a person does not want to wait, or comes back. */
  open() {
    if (this._socket) return;
    this._cancel();
    this._stand("connecting");
    const socket = this._world.open(this.url, SUBPROTOCOL);
    this._socket = socket;
    this._timer = this._world.later(OPENING_SECONDS, () => this._drop(socket));
    socket.onopen = () => socket.send(JSON.stringify(this.session.connected()));
    socket.onmessage = ({ data }) => this._receive(socket, data);
    socket.onclose = ({ code, reason }) => this._ended(socket, code, reason);
  }

  /** Hang up for good. */
  end() {
    const socket = this._socket;
    this._socket = null;
    this._cancel();
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** Whether the connection still answers, asked at once where it may be gone: a page is shown again. */
  check() {
    const socket = this._socket;
    // A page that was put aside by its browser may not have been told that its socket is closed.
    if (socket?.readyState > 1) this._drop(socket);
    if (this.state === "waiting") {
      this.open();
      return;
    }
    if (!socket || this._hurries) return;
    if (this.session.online) this._ask(true);
    else if (socket.readyState === 0) {
      this._hurries = true;
      this._world.cancel(this._timer);
      this._timer = this._world.later(this._limit(), () => this._lose(socket));
    }
  }

  /** Send a command; resolves with its answer, which may be an `error`. */
  ask(type, fields = {}) {
    const command = this.session.command(type, fields);
    const answer = new Promise((resolve) => this._answers.set(command.id, resolve));
    this._flush();
    return answer;
  }

  /** Send a command whose answer nobody waits for. */
  tell(type, fields = {}) {
    this.session.command(type, fields);
    this._flush();
  }

  /** Watch a table no longer. */
  unwatch(table) {
    this.session.unwatch(table);
    this._flush();
  }

  _receive(socket, data) {
    if (socket !== this._socket) return;
    for (const event of this.session.receive(JSON.parse(data))) this._happened(event);
    if (socket !== this._socket) return;
    if (this.session.refused && !this.session.online) {
      // Some refusals leave the connection open for another hello; ours begins anew.
      this._drop(socket);
      return;
    }
    this._listen();
    this._flush();
  }

  _happened(event) {
    if (event.kind === "welcomed") {
      this._world.cancel(this._timer);
      this._attempt = 0;
      this._stand("online");
    } else if (event.kind === "answered") {
      this._retries.delete(event.command.id);
      this._answers.get(event.command.id)?.(event.answer);
      this._answers.delete(event.command.id);
    } else if (event.kind === "later") {
      this._putOff(event.command, event.error);
    }
    this._hear(event);
  }

  _putOff(command, error) {
    const tries = this._retries.get(command.id) ?? 0;
    if (tries >= MOST_RETRIES) {
      this.session.forget(command.id);
      this._happened({ kind: "answered", command, answer: { ...error, type: "error" } });
      return;
    }
    this._retries.set(command.id, tries + 1);
    this._world.later(delay(tries, this._world.chance(), error.retry_after), () => {
      this.session.again(command.id);
      this._flush();
    });
  }

  _flush() {
    if (!this.session.online || !this._socket) return;
    const messages = this.session.takeOutbox();
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
      for (const event of this.session.receive([error])) this._happened(event);
    }
  }

  _ended(socket, code, reason) {
    if (socket !== this._socket) return;
    this._socket = null;
    this._cancel();
    this.session.disconnected();
    const refused = this.session.refused ?? refusal(code, reason);
    const passes = refused && (PASSING.has(refused.code) || this._startsAfresh(refused));
    if (refused && !passes) {
      this._stand("refused", { refused });
      return;
    }
    const seconds = delay(this._attempt, this._world.chance(), refused?.retry_after);
    this._attempt += 1;
    this._stand("waiting", { seconds, reason });
    this._timer = this._world.later(seconds, () => this.open());
  }

  _startsAfresh(refused) {
    return refused.code === "unauthorized" && this.session.startAfresh();
  }

  /** The server has said something: only from now on its silence counts. */
  _listen() {
    if (!this.session.online) return;
    if (this._hurries) this._losses = 0;
    this._asked = this._hurries = false;
    this._world.cancel(this._doubt);
    if (this.state === "checking") this._stand("online");
    if (!this.session.waits) this._patience = COMMAND_SECONDS;
    this._await();
  }

  /** Ask for a sign of life after a while of silence, which is short while a command is unanswered. */
  _await() {
    const hurries = this.session.waits;
    const seconds = hurries ? Math.min(this._patience, QUIET_SECONDS) : QUIET_SECONDS;
    this._world.cancel(this._quiet);
    this._quiet = this._world.later(seconds, () => {
      if (hurries) this._patience *= 2;
      this._ask(hurries);
    });
  }

  _ask(hurries) {
    const socket = this._socket;
    if (!socket) return;
    this._world.cancel(this._quiet);
    this._hurries = hurries;
    const lose = () => (hurries ? this._lose(socket) : this._drop(socket));
    this._quiet = this._world.later(hurries ? this._limit() : ANSWER_SECONDS, lose);
    if (hurries) this._doubt = this._world.later(DOUBT_SECONDS, () => this._stand("checking"));
    if (this._asked) return;
    this._asked = true;
    this.tell("ping");
  }

  /** A server that is busy and not gone must not be left again and again. */
  _limit() {
    return Math.min(ANSWER_SECONDS, CHECK_SECONDS * 2 ** this._losses);
  }

  _lose(socket) {
    this._losses += 1;
    this._drop(socket);
  }

  /** A socket that says nothing: it may take minutes until the browser gives it up. */
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
    this._hear({ kind: "state", state, ...more });
  }
}

/** A connection with a session of its own; `who` has a name, and a token or a device's code. */
export function connectionTo(root, who, hear) {
  const client = [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  const url = new URL(root);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new Connection(url.href, new Session({ client, ...who }), hear);
}

/** One question before anybody comes in here: the server hears neither name nor token. */
export class Stranger {
  constructor(root) {
    this._root = root;
  }

  /** The answer to a command, which may be an `error`. */
  ask(type, fields) {
    return new Promise((resolve) => {
      const done = (answer) => {
        this.end();
        resolve(answer);
      };
      this._connection = connectionTo(this._root, {}, (event) => {
        const refused = event.kind === "later" ? event.error : event.refused;
        if (refused) done({ type: "error", ...refused });
      });
      this._connection.open();
      this._connection.ask(type, fields).then(done);
    });
  }

  /** Nobody waits for the answer any more. */
  end() {
    this._connection?.end();
  }
}

function refusal(code, reason) {
  if (code === CLOSE_REPLACED) return { code: "replaced", reason };
  return code === CLOSE_REFUSED ? { code: reason, reason } : null;
}
