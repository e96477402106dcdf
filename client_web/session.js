// The page's side of the protocol, without a connection: messages in, events out.
//
//     offline ──connected()──▶ greeting ──welcome──▶ online ──disconnected()──▶ offline
//                                 └──error──▶ refused
//
// The same promises as `protocol/client.py`: a command is remembered until it is answered, and sent
// again under its number over the next connection, so nothing is done twice and nothing is lost.
// Events are numbered: one that was seen is dropped; a gap, or one that does not fit, makes the
// session ask for a snapshot by itself.
//
// Events are objects with a `kind`:
//     welcomed  {welcome}            answered {command, answer}     later {command, error}
//     snapshot  {picture}            event    {picture, before, facts}
//     changed   {picture}            closed   {picture, reason}
//     chat      {chat}               notice   {notice}              error {error}
//     lobby     {lobby}              what has changed of the list of tables that we follow

import { now } from "./clock.js";
import { Legends } from "./legends.js";
import { OutOfSync, Misfit, factOf, follow, pictureOf, withNotice, withPresence, withTimes } from "./picture.js";

export const VERSION = 1;
/** What we want to be sent of that which a server sends on request alone. */
const WANTED = ["legend", "choices.parts", "pick.way", "chat.apart", "notice.outage", "choices.prompt", "unchanged", "chat.earlier", "join.seeded"];
/** So many facts of a deal tell what lies in the trick and what the one before was. */
const MOST_FACTS = 40;
const MOST_RESUMED = 64;
const SECONDS_BETWEEN_MISFITS = 1;
const LATER = new Set(["try_again", "rate_limited"]);
/** Refusals of `hello` that another attempt may get round; `hello_first` says that it took too long. */
export const PASSING = new Set([...LATER, "draining", "internal", "hello_first"]);
const ENTERING = new Set(["create_table", "join", "watch"]);

export class Session {
  /**
   * `client` names this page's commands; `name` and `token` are those of the player. With `code`, a
   * device's, this page becomes the player who made it; `device` is what it is called in their list.
   * `heard` has the numbers of the last lines of chat that were told at tables: for all, and apart.
   */
  constructor({ client, name = null, token = null, code = null, device = "", heard = new Map() }) {
    this.client = client;
    this.name = name;
    this.token = token;
    this.code = code;
    this.device = device;
    this.player = null;
    this.limits = null;
    this.features = null;
    this.url = null;
    this.online = false;
    this.refused = null;
    this.tables = new Map();
    this.heard = heard;
    this.legends = new Legends();
    this.outbox = [];
    this._nextId = 1;
    this._hello = null;
    this._pending = new Map();
    this._later = new Set();
    this._syncs = new Map();
    this._lost = new Set();
    this._misfits = new Set();
    this._entered = new Set();
  }

  /** Whether any command waits for its answer. */
  get waits() {
    return this._pending.size > 0;
  }

  /** A connection stands: what to say on it first. All else waits for the welcome. */
  connected() {
    this.disconnected();
    const resume = {};
    for (const [code, picture] of [...this.tables].slice(-MOST_RESUMED)) resume[code] = picture.seq;
    const hello = { type: "hello", id: this._nextId++, version: VERSION, client: this.client };
    if (this.name !== null) hello.name = this.name;
    if (this.code !== null) hello.code = this.code;
    else if (this.token !== null) hello.token = this.token;
    if (this.device) hello.device = this.device;
    // Other tabs and programs of this player keep their connections.
    hello.alongside = true;
    hello.features = WANTED;
    hello.facts = MOST_FACTS;
    if (this.legends.known.length) hello.legends = this.legends.known;
    if (this.tables.size) hello.resume = resume;
    if (this.heard.size) hello.heard = Object.fromEntries([...this.heard].slice(-MOST_RESUMED));
    this._hello = hello.id;
    this.refused = null;
    return hello;
  }

  /** The connection is gone; what is unanswered waits for the next. */
  disconnected() {
    this.online = false;
    this._hello = null;
    this.outbox = [];
    this._later.clear();
    for (const id of this._syncs.keys()) this._pending.delete(id);
    this._syncs.clear();
    this._lost.clear();
    this._forgetCounts();
    for (const [code, picture] of this.tables) this.tables.set(code, { ...picture, latecomers: {} });
  }

  _forgetCounts() {
    for (const [code, picture] of this.tables) this.tables.set(code, { ...picture, spectators: 0 });
  }

  /** Be somebody new where the server does not know our token; false if we have a seat there. */
  startAfresh() {
    if (!this._mayStartAfresh()) return false;
    this.token = null;
    return true;
  }

  /** Whether the server has said that it knows a later command or field. */
  knows(feature) {
    return this.features !== null && this.features.has(feature);
  }

  /** A new command with its number, sent at once or as soon as we are online. */
  command(type, fields = {}) {
    const command = { type, id: this._nextId++, ...fields };
    this._pending.set(command.id, command);
    if (this.online) this.outbox.push(command);
    return command;
  }

  /** Send a command that was put off, if that has not happened by reconnecting. */
  again(id) {
    if (this._later.delete(id) && this._pending.has(id)) this.outbox.push(this._pending.get(id));
  }

  /** Give a command up: it is not sent again, and an answer to it means nothing. */
  forget(id) {
    this._pending.delete(id);
    this._later.delete(id);
  }

  /** Watch a table no longer. On another connection nobody watches it, so this is sent once. */
  unwatch(table) {
    this._closed(table);
    if (this.online) this.forget(this.command("leave", { table }).id);
  }

  /** What is to be sent now, in order; the caller sends it. */
  takeOutbox() {
    const messages = this.outbox;
    this.outbox = [];
    return messages;
  }

  /** The events that the messages of one frame mean. Look into the outbox afterwards. */
  receive(frame) {
    const told = frame.flatMap((message) => this._receive(message));
    for (const table of this._entered) {
      // The snapshot fell to a lost connection, and the answer is only a repetition.
      if (!this.tables.has(table) && !this._lost.has(table)) this._askForSnapshot(table, false);
    }
    this._entered.clear();
    return told;
  }

  _receive(message) {
    switch (message.type) {
      case "welcome":
        return this._welcomed(message);
      case "games":
        this.legends.keepThose(message.games);
        return this._answered(message);
      case "ok":
      case "asked":
      case "error":
      case "log":
      case "review":
      case "tables":
      case "hint":
      case "pong":
      case "my_tables":
      case "device_code":
      case "code_owner":
      case "devices":
        return this._answered(message);
      case "lobby":
        return message.id ? this._answered(message) : [{ kind: "lobby", lobby: message }];
      case "legend":
        this.legends.keep(message);
        return [];
      case "table":
        return this._snapshot(this.legends.completed(message));
      case "event":
        return this._event(message);
      case "chat":
        return this._chat({ seat: null, ...message });
      case "presence":
        return this._presence(message);
      case "unchanged":
        return this._unchanged(message);
      case "notice":
        return this._noticed(message);
      case "closed":
        return this._closed(message.table, message.reason);
      default:
        return [];
    }
  }

  _welcomed(welcome) {
    if (welcome.id !== this._hello) return [];
    this._hello = null;
    this.online = true;
    this.player = welcome.player;
    this.name = welcome.name;
    this.token = welcome.token;
    this.code = null;
    this.limits = welcome.limits;
    this.features = new Set(welcome.features ?? []);
    this.url = welcome.url ?? null;
    this.outbox.push(...this._pending.values());
    const told = [{ kind: "welcomed", welcome }];
    // Tables that did not fit into the hello are told of no more.
    for (const code of [...this.tables.keys()].slice(0, -MOST_RESUMED)) {
      told.push(...this._closed(code, "not_resumed"));
    }
    return told;
  }

  _answered(answer) {
    if (answer.id === null || answer.id === undefined || answer.id === this._hello) {
      return answer.type === "error" ? this._refusal(answer) : [];
    }
    const command = this._pending.get(answer.id);
    if (command === undefined) return [];
    if (answer.type === "error" && LATER.has(answer.code)) {
      this._later.add(command.id);
      return [{ kind: "later", command, error: answer }];
    }
    this.forget(command.id);
    if (this._syncs.has(command.id)) {
      const table = this._syncs.get(command.id);
      this._syncs.delete(command.id);
      this._lost.delete(table);
      return answer.type === "error" ? this._closed(table, answer.code) : [];
    }
    const told = [{ kind: "answered", command, answer }];
    if (answer.type === "ok") {
      if (ENTERING.has(command.type) && answer.table) this._entered.add(answer.table);
      if (command.type === "leave") told.push(...this._closed(command.table, "left"));
    }
    return told;
  }

  _refusal(error) {
    const ours = error.id !== null && error.id !== undefined;
    if (ours) this._hello = null;
    // Without a number: an administrator of the server disconnects this player.
    if (ours || error.code === "forbidden") this.refused = error;
    // A guest whom the server has forgotten says hello anew, and nobody need know.
    const recovers = error.code === "unauthorized" && this._mayStartAfresh();
    return recovers ? [] : [{ kind: "error", error }];
  }

  _mayStartAfresh() {
    return this.token !== null && this.code === null && ![...this.tables.values()].some((each) => each.seat !== null);
  }

  _snapshot(message) {
    const picture = { ...pictureOf(message, this.tables.get(message.table)), since: now() };
    this.tables.set(message.table, picture);
    this._lost.delete(message.table);
    return [{ kind: "snapshot", picture }];
  }

  _event(message) {
    const before = this.tables.get(message.table);
    if (!before || this._lost.has(message.table) || message.seq <= before.seq) return [];
    try {
      const picture = follow(before, message);
      if (message.question) picture.since = now();
      this.tables.set(message.table, picture);
      return [{ kind: "event", picture, before, facts: (message.facts ?? []).map(factOf) }];
    } catch (error) {
      if (!(error instanceof OutOfSync)) throw error;
      return this._askForSnapshot(message.table, error instanceof Misfit);
    }
  }

  /** At once, but after a second where events do not fit again: the next may be the same. */
  _askForSnapshot(table, misfit) {
    this._lost.add(table);
    const sync = this.command("sync", { table });
    this._syncs.set(sync.id, table);
    const again = misfit && this._misfits.has(table);
    if (misfit) this._misfits.add(table);
    if (!again || !this.online) return [];
    this.outbox.pop();
    this._later.add(sync.id);
    const error = { code: "try_again", retry_after: SECONDS_BETWEEN_MISFITS };
    return [{ kind: "later", command: sync, error }];
  }

  /** A line that is told again was heard already, perhaps. */
  _chat(chat) {
    const { table, number = 0, earlier = false } = chat;
    const heard = [...(this.heard.get(table) ?? [0, 0])];
    const which = chat.apart ? 1 : 0;
    if (earlier && number <= heard[which]) return [];
    if (number) {
      heard[which] = number;
      this.heard.set(table, heard);
    }
    return [{ kind: "chat", chat }];
  }

  _presence({ table, seat, away }) {
    const before = this.tables.get(table);
    if (!before) return [];
    const picture = withPresence(before, seat, away);
    this.tables.set(table, picture);
    return [{ kind: "changed", picture, presence: { seat, away } }];
  }

  /** Nothing was missed at a table but, perhaps, who came or went; its clocks are right again. */
  _unchanged(message) {
    const before = this.tables.get(message.table);
    if (!before) return [];
    const picture = { ...withTimes(before, message), since: now() };
    this.tables.set(message.table, picture);
    const told = picture.info.seats.flatMap(({ away }, seat) =>
      seat !== picture.seat && away !== before.info.seats[seat]?.away
        ? [{ kind: "changed", picture, presence: { seat, away } }] : [],
    );
    return [...told, { kind: "changed", picture }];
  }

  _noticed(notice) {
    if (notice.kind === "replaced") {
      // The player has opened too many: coming back would only throw out another one.
      if (notice.table) return [{ kind: "notice", notice }, ...this._closed(notice.table, "replaced")];
      this.refused = { code: "replaced", reason: "the same player has opened too many connections" };
    }
    // What is left out for a slow reader is told again with the tables, but for a count of 0.
    if (notice.kind === "lagging") this._forgetCounts();
    const told = [{ kind: "notice", notice }];
    const before = this.tables.get(notice.table);
    const picture = before && withNotice(before, notice);
    // Whose time is up is told again to those who come back.
    if (before && !picture && notice.kind === "time_up") return [];
    if (picture) {
      this.tables.set(notice.table, picture);
      told.push({ kind: "changed", picture });
    }
    return told;
  }

  _closed(table, reason) {
    const picture = this.tables.get(table);
    this.tables.delete(table);
    this.heard.delete(table);
    this._misfits.delete(table);
    this._lost.delete(table);
    return picture ? [{ kind: "closed", picture, reason }] : [];
  }
}
