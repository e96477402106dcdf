// What a session asks by itself to see its tables (`protocol/own_questions.py`): the tables of a
// `hello`, `sync` and `watch`. Nobody else hears of these commands. Each falls with the connection
// that it was sent on: the next hello says what was seen of every table.

const MOST_RESUMED = 64;

export class OwnQuestions {
  /** `tables` has the pictures of followed tables, `heard` the last chat lines received there. */
  constructor(routes, tables, heard, legends) {
    this._routes = routes;
    this._tables = tables;
    this._heard = heard;
    this._legends = legends;
    this._asked = new Map();
  }

  /** Send a command of this connection, after which a snapshot of its table is awaited. */
  ask(type, fields, address = null) {
    const command = this._routes.make(type, fields, address);
    this._asked.set(command.id, command);
    return command;
  }

  /** Ask the first connection for the address of a table whose node is unreachable. */
  search(table, failed) {
    if (!this._about(table).some((each) => this.isSearch(each))) this.ask("watch", { table, failed }, "");
  }

  /** Whether only the connection itself asked for this. */
  isOwn({ id }) {
    return this._asked.has(id);
  }

  /** Whether this command asks for the address of a table. */
  isSearch({ id }) {
    return "failed" in (this._asked.get(id) ?? {});
  }

  /** Whether a snapshot of a table is awaited, before which its events are ignored. */
  asks(table) {
    return this._about(table).length > 0;
  }

  /** Remove commands that are given up or answered. */
  forget(...commands) {
    for (const { id } of commands) {
      this._asked.delete(id);
      this._routes.forget(id);
    }
  }

  /** Record that a table was sent, is elsewhere, or is gone. */
  forgetTable(table) {
    this.forget(...this._about(table));
  }

  /** Record that a node is back before the first connection named its tables' addresses. */
  found(address) {
    const all = [...this._asked.values()];
    this.forget(...all.filter((each) => this.isSearch(each) && this._routes.of(each.table) === address));
  }

  /** Give up the commands of a closed connection. */
  disconnected(address) {
    this.forget(...[...this._asked.values()].filter((each) => this._routes.goesTo(each) === address));
  }

  /** The tables for the hello of a connection; `left` are those without room in it. */
  hello(address) {
    const isThere = (table) => this._routes.of(table) === address;
    const tables = [...this._tables.keys()].filter(isThere);
    const heard = [...this._heard].filter(([table]) => isThere(table)).slice(-MOST_RESUMED);
    const said = {};
    if (this._legends.known.length) said.legends = this._legends.known;
    if (tables.length) said.resume = Object.fromEntries(tables.slice(-MOST_RESUMED).map((table) => [table, this._tables.get(table).seq]));
    if (heard.length) said.heard = Object.fromEntries(heard);
    return { said, left: tables.slice(0, -MOST_RESUMED) };
  }

  _about(table) {
    return [...this._asked.values()].filter((each) => each.table === table);
  }
}
