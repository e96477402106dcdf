// What this browser remembers: who the player is, and how they like things. A browser that forbids
// it forgets when the page is closed.

export class Memory {
  /** `place` keeps several servers apart that one browser knows. */
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

/** What this tab has kept under a name until it is closed; "" if nothing. */
export function kept(name) {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/** Keep a text for this tab, also when it is loaded anew; "" forgets it. */
export function keep(name, text) {
  try {
    if (text) sessionStorage.setItem(name, text);
    else sessionStorage.removeItem(name);
  } catch {
    // A browser that forbids it forgets.
  }
}
