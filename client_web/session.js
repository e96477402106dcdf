// The page's side of the protocol, without a connection: messages in, events out.
//
//     offline ──connected()──▶ greeting ──welcome──▶ online ──disconnected()──▶ offline
//                                 └──error──▶ refused
//
// One session has a connection to each address that has a table which it follows. The first, "", is
// the one by which the player came: it says who they are, and all that is about no table goes there.
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
//     withdrawn {tables}             requests to be let in there have ended with a connection

import { FollowedTables } from "./followed_tables.js";
import { OwnQuestions } from "./own_questions.js";
import { Legends, UnsupportedEvent, OutOfSync } from "./picture.js";
import { Routes } from "./routes.js";

export const VERSION = 1;
/** What we want to be sent of that which a server sends on request alone. */
const FEATURES = ["legend", "choices.parts", "pick.way", "chat.apart", "notice.outage", "choices.prompt", "unchanged", "chat.earlier", "join.seeded", "moved"];
/** So many facts of a deal tell what lies in the trick and what the one before was. */
const MOST_FACTS = 40;
const SECONDS_BETWEEN_MISFITS = 1;
/** A table that goes to and fro between addresses is followed after so long. */
export const RESTLESS_SECONDS = 1;
const RESTLESS = { code: "try_again", reason: "the table goes to and fro", retry_after: RESTLESS_SECONDS };
/** What is told of a table where it is, and of no other address. */
const OF_TABLES = new Set(["table", "event", "chat", "presence", "unchanged", "closed", "notice"]);
const LATER = new Set(["try_again", "rate_limited"]);
/** Refusals of `hello` that another attempt may get round; `hello_first` says that it took too long. */
export const PASSING = new Set([...LATER, "draining", "internal", "hello_first"]);
const ENTERING = new Set(["create_table", "join", "watch"]);

export class Session {
  /**
   * `client` names this page's commands; `name` and `token` are those of the player. With `code`, a
   * device's, this page becomes the player who made it; `device` is what it is called in their list.
   * `heard` has the numbers of the last lines of chat that were told at tables: for all, and apart.
   * `first` is the address by which the player came: tables may be at others of the same host.
   */
  constructor({ client, name = null, token = null, code = null, device = "", heard = new Map(), first = "" }) {
    this.client = client;
    this.name = name;
    this.token = token;
    this.code = code;
    this.device = device;
    this.player = null;
    this.limits = null;
    this.features = null;
    this.url = null;
    this.refused = null;
    this._followed = new FollowedTables(heard);
    /** The pictures of the tables that are followed, by their codes. */
    this.tables = this._followed.pictures;
    this.heard = heard;
    this.legends = new Legends();
    this._routes = new Routes(first);
    this._own = new OwnQuestions(this._routes, this.tables, heard, this.legends);
    // Those where this player sits, and of which nothing is seen yet.
    this._expected = new Set();
    // Those where a host is asked to let this player in.
    this._requested = new Set();
  }

  /** Whether the first connection stands. */
  get online() {
    return this.isOnline("");
  }

  /** Whether the connection to an address stands. */
  isOnline(address) {
    return this._routes.isOnline(address);
  }

  /** Whether moves go where a table is; a connection to where it has just moved will be there at once. */
  reaches(table) {
    return this._routes.reaches(this._routes.of(table));
  }

  /** Whether any command waits for its answer. */
  get waits() {
    return this._routes.pending.size > 0;
  }

  /** Whether any command does that goes to an address. */
  waitsAt(address) {
    return this._routes.waitsAt(address);
  }

  /** Whether a table in play is followed at an address. */
  playsAt(address) {
    return this.tablesAt(address).some((table) => this.tables.get(table).info.phase === "playing");
  }

  /** Why an address does not let this player in; null if it has not refused them. */
  refusedAt(address) {
    return this._routes.lines.get(address)?.refused ?? null;
  }

  /** The addresses, but the first, that a connection is needed to. */
  get addresses() {
    const waiting = new Set([...this._routes.pending.values()].map(({ table }) => table));
    return this._routes.addresses((table) => this._follows(table) || this._requested.has(table) || waiting.has(table));
  }

  /** Where to connect for an address. */
  urlOf(address) {
    return this._routes.urlOf(address);
  }

  /** Whether a table of an address goes to and fro, so that it is better to wait before connecting there. */
  isRestless(address) {
    return this._routes.at(address).some((table) => this._routes.isRestless(table));
  }

  /** The tables that are followed at an address. */
  tablesAt(address) {
    return [...this.tables.keys()].filter((table) => this._routes.of(table) === address);
  }

  _follows(table) {
    return this.tables.has(table) || this._expected.has(table);
  }

  /** A connection to an address stands: what to say on it first. All else waits for the welcome. */
  connected(address = "") {
    this._dropped(address);
    const { said, left } = this._own.hello(address);
    const hello = { type: "hello", id: this._routes.nextId(), version: VERSION, client: this.client };
    if (this.name !== null) hello.name = this.name;
    if (this.code !== null) hello.code = this.code;
    else if (this.token !== null) hello.token = this.token;
    if (this.device) hello.device = this.device;
    // Other tabs and programs of this player keep their connections.
    hello.alongside = true;
    hello.features = FEATURES;
    hello.facts = MOST_FACTS;
    Object.assign(hello, said);
    this._routes.greet(address, hello, left);
    if (address === "") this.refused = null;
    return hello;
  }

  /** The connection to an address is lost, or could not be made; what is unanswered waits for the next. */
  disconnected(address = "") {
    this._routes.setBroken(address, true);
    this._dropped(address);
  }

  /** There is no connection to an address any more, because none is needed. */
  ended(address) {
    this._routes.setBroken(address, false);
    this._dropped(address);
  }

  _dropped(address) {
    this._own.disconnected(address);
    for (const { id } of this._routes.drop(address)) this._routes.forget(id);
    this._followed.forgetPeople(this.tablesAt(address));
  }

  /**
   * An address cannot be reached: the first one is asked where its tables are now. The answer is a
   * snapshot where it has the table itself, or the address of a node that lives.
   */
  failed(address) {
    for (const table of this._routes.at(address)) {
      if (!this._follows(table)) this._move(table, "");
      else this._own.search(table, this._routes.urlOf(address));
    }
  }

  /** Be somebody new where the server does not know our token; false if we have a seat there. */
  startAfresh() {
    if (!this._mayStartAfresh()) return false;
    this.token = null;
    this._expected.clear();
    this._requested.clear();
    for (const address of this.addresses) for (const table of this._routes.at(address)) this._move(table, "");
    return true;
  }

  /** Whether the server has said that it knows a later command or field. */
  knows(feature) {
    return this.features !== null && this.features.has(feature);
  }

  /** A new command with its number, sent at once or as soon as we are online where its table is. */
  command(type, fields = {}) {
    return this._routes.make(type, fields);
  }

  /** Ask for a sign of life at an address. */
  ping(address) {
    this._routes.make("ping", {}, address);
  }

  /** Send a command that was put off, if that has not happened by reconnecting. */
  again(id) {
    this._routes.again(id);
  }

  /** Give a command up: it is not sent again, and an answer to it means nothing. */
  forget(id) {
    this._own.forget({ id });
  }

  /** Watch a table no longer. On another connection nobody watches it, so this is sent once. */
  unwatch(table) {
    this._closed(table);
    if (this.isOnline(this._routes.of(table))) this.forget(this.command("leave", { table }).id);
  }

  /** What is to be sent to an address now, in order; the caller sends it. */
  takeOutbox(address = "") {
    return this._routes.take(address);
  }

  /** The events that the messages of one frame from an address mean. Look into the outboxes afterwards. */
  receive(frame, address = "") {
    const told = frame.flatMap((message) => this._receive(message, address));
    for (const table of told.map(entered)) {
      // The snapshot fell to a lost connection, and the answer is only a repetition.
      if (table && !this.tables.has(table) && !this._own.asks(table)) this._own.ask("sync", { table });
    }
    return told;
  }

  _receive(message, address) {
    if (this._isStray(message, address)) return [];
    switch (message.type) {
      case "welcome":
        return this._welcomed(message, address);
      case "moved":
        return this._moved(message, address);
      case "games":
        this.legends.keepThose(message.games);
        return this._answered(message, address);
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
      case "preferences":
      case "devices":
        return this._answered(message, address);
      case "lobby":
        return message.id ? this._answered(message, address) : [{ kind: "lobby", lobby: message }];
      case "legend":
        this.legends.keep(message);
        return [];
      case "table":
        return this._snapshot(this.legends.completed(message), address);
      case "event":
        return this._event(message);
      case "chat":
        return this._followed.chat({ seat: null, ...message });
      case "presence":
        return this._followed.presence(message);
      case "unchanged":
        return this._unchanged(message);
      case "notice":
        return this._noticed(message, address);
      case "closed":
        return this._closed(message.table, message.reason);
      default:
        return [];
    }
  }

  /**
   * Whether a message is about a table that is elsewhere, or one that another address tells as well.
   * From where a table is not, only a newer picture is believed while the connection to it stands.
   */
  _isStray({ type, table, seq, kind }, address) {
    if (type === "notice" && !table) return kind !== "replaced" && !this._routes.speaks(address);
    if (!OF_TABLES.has(type) || !table) return false;
    const at = this._routes.of(table);
    if (at === address) return false;
    const seen = this.tables.get(table)?.seq ?? -1;
    return type !== "table" || seq < seen || (seq === seen && this.isOnline(at));
  }

  _welcomed(welcome, address) {
    if (!this._routes.isGreeting(address, welcome.id)) return [];
    if (address !== "") this._own.found(address);
    else if (welcome.node) this._firstIsAt(welcome.node);
    const line = this._routes.welcome(address);
    for (const table of line.late) if (this._routes.of(table) === address) this._own.ask("watch", { table });
    // Tables that did not fit into the hello are told of no more.
    const left = line.left.filter((code) => this._routes.of(code) === address);
    const closed = left.flatMap((code) => this._closed(code, "not_resumed"));
    if (address !== "") return [...this._withdrawn(address), ...closed];
    this.player = welcome.player;
    this.name = welcome.name;
    this.token = welcome.token;
    this.code = null;
    this.limits = welcome.limits;
    this.features = new Set(welcome.features ?? []);
    this.url = welcome.url ?? null;
    return [{ kind: "welcomed", welcome }, ...closed];
  }

  /**
   * The first connection leads to the node of this url, and serves the tables there: the node keeps the newer
   * of our connections. A request to be let in ends with the other.
   */
  _firstIsAt(url) {
    for (const table of this._routes.at(this._routes.firstIsAt(url))) {
      this._requested.delete(table);
      this._move(table, "");
    }
  }

  /** A request to be let in has ended with the connection on which it was made; the first tells by its welcome. */
  _withdrawn(address) {
    const tables = [...this._requested].filter((table) => this._routes.of(table) === address);
    for (const table of tables) this._requested.delete(table);
    return tables.length ? [{ kind: "withdrawn", tables }] : [];
  }

  /** A table is at another address, or a command is to be sent there. */
  _moved({ id = null, table, url }, address) {
    const command = id === null ? null : this._routes.pending.get(id);
    // A command may have been sent on already, and a table is best known where it is followed.
    if (id !== null && (!command || this._routes.goesTo(command) !== address)) return [];
    const at = this._routes.of(table);
    if (id === null && this._follows(table) && at !== address && this.isOnline(at)) return [];
    const there = this._routes.read(url);
    if (there === null && id !== null) return this._answered({ ...foreign(url), id }, address);
    if (there === null) return [{ kind: "error", error: foreign(url) }, ...this._closed(table, "elsewhere")];
    // A node that is asked for a lost address says where its table is; that it lives is no move.
    if (command && this._own.isSearch(command)) this._own.forget(command);
    else if (id === null && !this.tables.has(table)) this._expected.add(table);
    this._routes.moved(table);
    // A table that came back to where it was is told there to those who ask for it again.
    if (id === null && there === address && at === address && !this._own.asks(table)) this._own.ask("watch", { table });
    return this._move(table, there);
  }

  /** A table is at another address: what is unanswered of it goes there, and there it is followed. */
  _move(table, address, isSeen = false) {
    if (this._routes.of(table) === address) return [];
    this._own.forgetTable(table);
    this._routes.put(table, address);
    const waiting = this._routes.waitingFor(table);
    const line = this._routes.lines.get(address);
    const isUnseen = this._follows(table) && !isSeen;
    const own = isUnseen && line?.online ? [this._own.ask("watch", { table })] : [];
    if (isUnseen && line && !line.online) line.late.add(table);
    if (this.tables.has(table)) this._followed.forgetPeople([table]);
    if (this._routes.isRestless(table)) return [...own, ...waiting].map((each) => this._putOff(each, RESTLESS));
    for (const command of waiting) this._routes.send(command);
    return [];
  }

  _putOff(command, error) {
    this._routes.putOff(command);
    return { kind: "later", command, error };
  }

  /**
   * The node has closed a connection because this page has come to it again. That was the first connection,
   * perhaps, whose welcome will say so. If not, this one is made again at once.
   */
  _giveWay(address) {
    if (address === "" || !this._routes.isGreeting("")) return [];
    return this._routes.at(address).flatMap((table) => this._move(table, ""));
  }

  _answered(answer, address) {
    if (answer.id === null || answer.id === undefined || answer.id === this._routes.lines.get(address)?.hello) {
      return answer.type === "error" ? this._refusal(answer, address) : [];
    }
    const command = this._routes.pending.get(answer.id);
    if (command === undefined) return [];
    if (answer.type === "error" && LATER.has(answer.code)) return [this._putOff(command, answer)];
    if (this._own.isOwn(command)) return this._ownAnswered(command, answer, address);
    this._routes.forget(command.id);
    const told = [{ kind: "answered", command, answer }];
    if (answer.type === "asked") this._requested.add(command.table);
    if (answer.type === "ok" && command.type === "leave") told.push(...this._closed(command.table, "left"));
    return told;
  }

  /** What we asked by ourselves: a snapshot comes, or we have no place at the table any more. */
  _ownAnswered(command, answer, address) {
    const isSearch = this._own.isSearch(command);
    this._own.forget(command);
    const told = answer.type === "error" ? this._closed(command.table, answer.code) : [];
    return isSearch ? [...told, ...this._move(command.table, address, true)] : told;
  }

  _refusal(error, address) {
    const ours = error.id !== null && error.id !== undefined;
    const line = this._routes.lines.get(address);
    if (ours && line) line.hello = null;
    if (ours && error.code === "replaced" && this._routes.hasOther(address)) {
      // By another one of ours, which has come to the same node meanwhile.
      line.refused = { ...error, code: "try_again" };
      return [];
    }
    if (ours && address !== "") {
      // It may be full, or no longer in use: its tables are looked for from the first.
      line.refused = error;
      return [];
    }
    // Without a number: an administrator of the server disconnects this player.
    if (ours || error.code === "forbidden") this.refused = error;
    // A guest whom the server has forgotten says hello anew, and nobody need know.
    const recovers = error.code === "unauthorized" && this._mayStartAfresh();
    return recovers ? [] : [{ kind: "error", error }];
  }

  _mayStartAfresh() {
    return this.token !== null && this.code === null && ![...this.tables.values()].some((each) => each.seat !== null);
  }

  _snapshot(message, address) {
    const { table } = message;
    this._routes.seen(table);
    this._move(table, address, true);
    this._shown(table);
    this._own.forgetTable(table);
    const events = this._followed.snapshot(message);
    if (this.tables.get(table).seat !== null) this._requested.delete(table);
    return events;
  }

  /** A table has shown itself where it is. */
  _shown(table) {
    this._routes.seen(table);
    this._expected.delete(table);
  }

  _event(message) {
    const { table, seq } = message;
    const before = this.tables.get(table);
    this._routes.seen(table);
    if (!before || this._own.asks(table) || seq <= before.seq) return [];
    try {
      return this._followed.event(message);
    } catch (error) {
      if (!(error instanceof OutOfSync)) throw error;
      return this._askForSnapshot(table, error instanceof UnsupportedEvent && this._followed.misfit(table));
    }
  }

  /** At once, but after a second where events do not fit `again`: the next may be the same. */
  _askForSnapshot(table, again) {
    const sync = this._own.ask("sync", { table });
    if (!again || !this.isOnline(this._routes.of(table))) return [];
    return [this._putOff(sync, { code: "try_again", retry_after: SECONDS_BETWEEN_MISFITS })];
  }

  _unchanged(message) {
    if (!this.tables.has(message.table)) return [];
    this._shown(message.table);
    return this._followed.unchanged(message);
  }

  _noticed(notice, address) {
    if (notice.kind === "replaced") {
      if (!notice.table && this._routes.isOvertaken(address)) return this._giveWay(address);
      // The player has opened too many: coming back would only throw out another one.
      if (notice.table) return [{ kind: "notice", notice }, ...this._closed(notice.table, "replaced")];
      this.refused = { code: "replaced", reason: "the same player has opened too many connections" };
    }
    if (notice.kind === "lagging") this._followed.forgetSpectators(this.tablesAt(address));
    if (notice.kind === "refused") this._requested.delete(notice.table);
    return this._followed.noticed(notice);
  }

  _closed(table, reason) {
    this._shown(table);
    this._requested.delete(table);
    this._own.forgetTable(table);
    return this._followed.close(table, reason);
  }
}

/** A table is said to be at another server, where nobody's token is taken. */
function foreign(url) {
  const phrase = { code: "refused_other_server", args: { address: url } };
  return { type: "error", code: "elsewhere", reason: `this table is at ${url}, which is another server`, phrase };
}

/** The table that the player has come to by an event; nothing if to none. */
function entered({ kind, command, answer }) {
  return kind === "answered" && answer.type === "ok" && ENTERING.has(command.type) ? answer.table : null;
}
