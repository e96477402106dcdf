// The page's connection, which comes back by itself: one socket for each address that has a table.
//
// All meaning lies in `session.js`. What the browser gives (sockets, timers, chance) is passed in.

import { NodeConnection, delay } from "./node_connection.js";
import { RESTLESS_SECONDS, Session } from "./session.js";

const MOST_RETRIES = 8;
/** The states of a connection, from the best to the one that needs attention most. */
const STATES = ["online", "checking", "connecting", "waiting", "refused"];

/** The browser's functions that a connection uses. */
export const BROWSER = {
  open: (url, subprotocol) => new WebSocket(url, subprotocol),
  later: (seconds, call) => setTimeout(call, 1000 * seconds),
  cancel: (timer) => clearTimeout(timer),
  now: () => performance.now() / 1000,
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
    this._nodes = new Map();
    this._retries = new Map();
    this._answers = new Map();
    this._first = this._connectionTo("", url);
  }

  /** Connect at once, also if the player does not want to wait, or comes back. */
  open() {
    for (const node of [...this._nodes.values()]) node.open();
  }

  /** Close the connection for good. */
  end() {
    for (const node of this._nodes.values()) node.end();
  }

  /** Check whether the connection still answers, for instance when a page is shown again. */
  check() {
    for (const node of [...this._nodes.values()]) node.check();
  }

  /** Send a command; resolves with its answer, which may be an `error`. */
  ask(type, fields = {}) {
    const command = this.session.command(type, fields);
    const answer = new Promise((resolve) => this._answers.set(command.id, resolve));
    this._flush();
    return answer;
  }

  /** Send a command whose answer is not needed. */
  tell(type, fields = {}) {
    this.session.command(type, fields);
    this._flush();
  }

  /** Stop watching a table. */
  unwatch(table) {
    this.session.unwatch(table);
    this._flush();
  }

  _connectionTo(address, url) {
    const node = new NodeConnection(address, url, this.session, this._world, {
      happened: (event) => this._happened(event),
      settled: () => this._flush(),
      stands: (each, more) => this._stands(each, more),
    });
    this._nodes.set(address, node);
    return node;
  }

  _happened(event) {
    if (event.kind === "answered") {
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

  /** Send waiting commands, connect to the nodes of moved tables, and close unused connections. */
  _flush() {
    for (const node of this._nodes.values()) node.flush();
    const { session } = this;
    const { addresses } = session;
    for (const [address, node] of this._nodes) {
      if (node.isFirst || addresses.has(address)) continue;
      node.end();
      this._nodes.delete(address);
      session.ended(address);
      this._stands(node, {});
    }
    for (const address of addresses) {
      if (this._nodes.has(address) || this._first.state === "refused") continue;
      const node = this._connectionTo(address, session.urlOf(address));
      if (session.isRestless(address)) node.openLater(RESTLESS_SECONDS);
      else node.open();
    }
  }

  /** The common state of all connections, for the player. */
  _stands(node, more) {
    const told = [...this._nodes.values()].map((each) => STATES.indexOf(this._toldOf(each)));
    const state = STATES[Math.max(...told)];
    this.state = state;
    this._hear({ kind: "state", state, ...(node.state === state ? more : {}) });
    // Whoever was sent away by one is not wanted at the others.
    if (state === "refused") for (const each of this._nodes.values()) each.end();
  }

  /** The state without moved tables, and without a first connection that comes back at once. */
  _toldOf(node) {
    if (node.isNew && node.state === "connecting") return "online";
    const comesBack = node.isFirst && node.failures < 2 && ["connecting", "waiting"].includes(node.state);
    return comesBack && this._nodes.size > 1 ? "online" : node.state;
  }
}

/** A connection with a session of its own; `who` has a name, and a token or a device's code. */
export function connectionTo(root, who, hear) {
  const client = [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  const url = new URL(root);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new Connection(url.href, new Session({ client, first: url.href, ...who }), hear);
}

/** Asks one question before the player comes in: the server gets neither name nor token. */
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

  /** Give the question up, as its answer is no longer needed. */
  end() {
    this._connection?.end();
  }
}
