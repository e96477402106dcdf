// What a session asks by itself to see its tables (`protocol/own_questions.py`): the tables of a
// `hello`, `sync` and `watch`. Nobody else hears of these commands. Each falls with the connection
// that it was sent on: the next hello says what was seen of every table.

const MOST_RESUMED = 64;

export class OwnQuestions {
  /** `tables` has the pictures of those that are followed, `heard` the last lines of chat told there. */
  constructor(routes, tables, heard, legends) {
    this._routes = routes;
    this._tables = tables;
    this._heard = heard;
    this._legends = legends;
    this._asked = new Map();
  }

  /** Send a command of our own. A table that it is about is to be shown as a whole. */
  ask(type, fields, address = null) {
    const command = this._routes.make(type, fields, address);
    this._asked.set(command.id, command);
    return command;
  }

  /** Ask the first connection where a table is that cannot be reached at its address. */
  search(table, failed) {
    if (!this._about(table).some((each) => this.isSearch(each))) this.ask("watch", { table, failed }, "");
  }

  /** Whether nobody else asked for this. */
  isOwn({ id }) {
    return this._asked.has(id);
  }

  /** Whether this asks where a table is. */
  isSearch({ id }) {
    return "failed" in (this._asked.get(id) ?? {});
  }

  /** Whether a table is to be shown as a whole: what happens there until then is of no use. */
  asks(table) {
    return this._about(table).length > 0;
  }

  /** Give commands up, or note that they are answered. */
  forget(...commands) {
    for (const { id } of commands) {
      this._asked.delete(id);
      this._routes.forget(id);
    }
  }

  /** A table was shown, is elsewhere, or is gone. */
  forgetTable(table) {
    this.forget(...this._about(table));
  }

  /** A node has come back before the first connection could say where its tables are. */
  found(address) {
    const all = [...this._asked.values()];
    this.forget(...all.filter((each) => this.isSearch(each) && this._routes.of(each.table) === address));
  }

  /** What was asked on a connection is answered no more. */
  disconnected(address) {
    this.forget(...[...this._asked.values()].filter((each) => this._routes.goesTo(each) === address));
  }

  /** What a hello says of the tables on its connection; `left` are those for which it has no room. */
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
