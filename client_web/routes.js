// Pure: at which address of its server each table is (`protocol/table_places.py`), and what is to be sent
// there. "" is the first, by which the player came; others are as they were told, without a slash at
// their end. A line is a connection to an address from its hello on.

const HERE = new Set(["localhost", "127.0.0.1", "[::1]"]);
const MOST_URL = 300;
/** How often a table may move before it shows itself; from then on a page takes its time. */
const MOST_MOVES = 3;

/** Whether a page that came by the address `first` may take its token to `url`. */
export function leadsOn(first, url) {
  if (url.length > MOST_URL || !URL.canParse(first) || !URL.canParse(url)) return false;
  const [came, goes] = [new URL(first), new URL(url)];
  if (came.protocol !== goes.protocol || goes.username || goes.password) return false;
  return came.host === goes.host || (HERE.has(came.hostname) && HERE.has(goes.hostname));
}

const bare = (url) => url.replace(/\/+$/, "");

export class Routes {
  constructor(first) {
    this.lines = new Map();
    /** Commands without an answer by their number, and those of them that are sent after a while. */
    this.pending = new Map();
    this.later = new Set();
    this._nextId = 1;
    // Hellos that were said.
    this._hellos = 0;
    this._first = first;
    this._bound = new Map();
    this._known = new Map();
    this._urls = new Map();
    this._moves = new Map();
    // Connections that were lost or could not be made; the first is not there at the beginning.
    this._broken = new Set([""]);
  }

  nextId() {
    return this._nextId++;
  }

  /** The address that a server tells; null if the page may not go there. */
  read(url) {
    if (!leadsOn(this._first, url)) return null;
    const isFirst = bare(url) === bare(this._first) || bare(url) === this.lines.get("")?.node;
    const address = isFirst ? "" : bare(url);
    this._urls.set(address, url);
    return address;
  }

  /** An address as it was told. */
  urlOf(address) {
    return this._urls.get(address);
  }

  /** Where a table is, or is believed to be. */
  of(table) {
    return this._known.get(table) ?? "";
  }

  /** The tables that are known to be at an address other than the first. */
  at(address) {
    return [...this._known.keys()].filter((table) => this._known.get(table) === address);
  }

  /** The addresses, but the first, of tables that are of use to somebody; others are forgotten. */
  addresses(isNeeded) {
    for (const table of this._known.keys()) if (!isNeeded(table)) this._known.delete(table);
    return new Set(this._known.values());
  }

  /** Note that a table is said to be elsewhere. */
  moved(table) {
    this._moves.set(table, (this._moves.get(table) ?? 0) + 1);
  }

  /** Whether it was said too often in a row. */
  isRestless(table) {
    return (this._moves.get(table) ?? 0) > MOST_MOVES;
  }

  /** A table has shown itself, or is gone. */
  seen(table) {
    this._moves.delete(table);
  }

  /** A table is at an address: nothing of it waits to be sent to another. */
  put(table, address) {
    if (address) this._known.set(table, address);
    else this._known.delete(table);
    for (const line of this.lines.values()) line.outbox = line.outbox.filter((command) => !this._follows(command, table));
  }

  /** What is unanswered of a table, and is not sent after a while anyway. */
  waitingFor(table) {
    return [...this.pending.values()].filter((command) => this._follows(command, table) && !this.later.has(command.id));
  }

  _follows({ id, table }, code) {
    return table === code && !this._bound.has(id);
  }

  /** Whether commands go to an address at once. */
  isOnline(address) {
    return this.lines.get(address)?.online ?? false;
  }

  /** Whether they do, or will as soon as a new connection to it is welcomed. */
  reaches(address) {
    return this.isOnline(address) || !this._broken.has(address);
  }

  setBroken(address, isBroken) {
    if (isBroken) this._broken.add(address);
    else this._broken.delete(address);
  }

  waitsAt(address) {
    return [...this.pending.values()].some((command) => this.goesTo(command) === address);
  }

  /** A new command with its number; to `address`, or else to where its table is. */
  make(type, fields, address = null) {
    const command = { type, id: this.nextId(), ...fields };
    this.pending.set(command.id, command);
    if (address !== null) this._bound.set(command.id, address);
    this.send(command);
    return command;
  }

  goesTo({ id, table }) {
    return this._bound.get(id) ?? this.of(table);
  }

  send(command) {
    const line = this.lines.get(this.goesTo(command));
    if (line?.online) line.outbox.push(command);
  }

  /** Send a command after a while, which `again` says, and not now. */
  putOff(command) {
    for (const line of this.lines.values()) line.outbox = line.outbox.filter(({ id }) => id !== command.id);
    this.later.add(command.id);
  }

  again(id) {
    if (this.later.delete(id) && this.pending.has(id)) this.send(this.pending.get(id));
  }

  forget(id) {
    this.pending.delete(id);
    this.later.delete(id);
    this._bound.delete(id);
  }

  /** Whether an address tells what all tell alike: the first one, or another while that is away. */
  speaks(address) {
    const [other] = [...this.lines].find(([, line]) => line.online) ?? [""];
    return address === (this.isOnline("") ? "" : other);
  }

  /** What is to be sent to an address now, in order. */
  take(address) {
    return this.lines.get(address)?.outbox.splice(0) ?? [];
  }

  /** A connection says `hello`; `left` are the tables that do not fit into it. */
  greet(address, hello, left) {
    // What was said before, and is not on its way to a node any more.
    const before = this._hellos - [...this.lines.values()].filter((line) => line.hello !== null).length;
    this._hellos += 1;
    this.lines.set(address, { hello: hello.id, before, node: null, online: false, refused: null, outbox: [], left, late: new Set() });
  }

  /** The first connection leads to the node of this url, as long as it stands; returns the node's address. */
  firstIsAt(url) {
    const node = bare(url);
    this.lines.get("").node = node;
    return node;
  }

  /** Whether the hello of a connection waits for its answer, which has the number `id` if that is known. */
  isGreeting(address, id = this.lines.get(address)?.hello) {
    return this.lines.has(address) && id !== null && this.lines.get(address).hello === id;
  }

  /** The line to an address that is welcomed. */
  welcome(address) {
    const line = this.lines.get(address);
    line.hello = null;
    line.online = true;
    this._broken.delete(address);
    line.outbox = [...this.pending.values()].filter((command) => this.goesTo(command) === address);
    for (const { id } of line.outbox) this.later.delete(id);
    return line;
  }

  /** There is no connection to an address; those of its commands that mean nothing on another one. */
  drop(address) {
    this.lines.delete(address);
    const left = [...this.pending.values()].filter((command) => this.goesTo(command) === address);
    for (const { id } of left) this.later.delete(id);
    return left.filter(({ id }) => this._bound.has(id));
  }

  /** Whether a node may have heard another hello of this page after that to an address, perhaps one given up since. */
  isOvertaken(address) {
    return this._hellos > (this.lines.get(address)?.before ?? Infinity) + 1;
  }

  /** Whether this page has a connection to any other address, or will once it is welcomed there. */
  hasOther(address) {
    return [...this.lines].some(([other, line]) => other !== address && (line.online || line.hello !== null));
  }
}
