// What this browser remembers: who the player is, and how they like things; and this tab, what people
// have said at tables, which a server tells once. A browser that forbids it forgets when the page is
// closed.

const MOST_LINES = 50;
const PLACE = "blackqueen chat ";

/** The tab's key for players whose chat is hidden at a table, one name a line. */
export const mutedAt = (code) => `blackqueen muted ${code}`;

export class Memory {
  /** `place` separates the data of several servers in one browser. */
  constructor(place, kept = localStorageOrNone()) {
    this._key = `blackqueen ${place}`;
    this._kept = kept;
    this._values = this._read();
  }

  get(name) {
    return Object.hasOwn(this._values, name) ? this._values[name] : null;
  }

  set(name, value) {
    // Another tab may have written meanwhile.
    this._values = { ...this._read(), [name]: value };
    try {
      this._kept?.setItem(this._key, JSON.stringify(this._values));
    } catch {
      // The browser is full, or forbids it.
    }
  }

  _read() {
    try {
      const values = JSON.parse(this._kept?.getItem(this._key) ?? "{}");
      return typeof values === "object" && values !== null ? values : {};
    } catch {
      return {};
    }
  }
}

function localStorageOrNone() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** The text that this tab has stored under a name until it is closed; "" if none. */
export function kept(name) {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** Store a text for this tab, which survives a reload; "" removes it. */
export function keep(name, text) {
  try {
    if (text) sessionStorage.setItem(name, text);
    else sessionStorage.removeItem(name);
  } catch {
    // A browser that forbids it forgets.
  }
}

export class Said {
  /** The chat that a player called `name()` has received here. */
  constructor(name) {
    this._name = name;
  }

  /** The lines that are kept of a table. */
  of(code) {
    return read(PLACE + code, this._name());
  }

  /** Keep a line, unless its author is hidden; announcements of the server are no chat. */
  add({ table, name, seat, text, apart = false, phrase = null, number = 0, earlier = false }) {
    if ((seat === null && !apart) || kept(mutedAt(table)).split("\n").includes(name)) return;
    this._keep(table, [...this.of(table), { name, text, apart, phrase, number, earlier }]);
  }

  /** Forget the lines of an author at a table. */
  drop(code, name) {
    this._keep(code, this.of(code).filter((line) => line.name !== name));
  }

  /** Forget all chat of a table that the player leaves. */
  forget(code) {
    keep(PLACE + code, "");
  }

  /** The numbers of the last lines by table: for all, and among spectators. */
  heard(name) {
    const heard = new Map();
    for (const place of places()) {
      const lines = read(place, name);
      const last = (among) => Math.max(0, ...lines.filter((line) => line.apart === among).map(({ number }) => number ?? 0));
      if (lines.length) heard.set(place.slice(PLACE.length), [last(false), last(true)]);
    }
    return heard;
  }

  _keep(code, lines) {
    keep(PLACE + code, lines.length ? JSON.stringify({ by: this._name(), chats: lines.slice(-MOST_LINES) }) : "");
  }
}

function read(place, name) {
  try {
    const { by, chats } = JSON.parse(kept(place));
    return by === name ? chats : [];
  } catch {
    return [];
  }
}

function places() {
  try {
    return Object.keys(sessionStorage).filter((each) => each.startsWith(PLACE));
  } catch {
    return [];
  }
}
