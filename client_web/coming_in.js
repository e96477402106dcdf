// How a browser comes to the server: as its player, or as a stranger who only asks something.

import { Connection } from "./connection.js";
import { Session } from "./session.js";

/** A connection for this page's own commands; `who` has a name, and a token or a device's code. */
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

/** What this browser is called in a list of devices: its system is what people know it by. */
export function deviceName() {
  const system = /Android|iPhone|iPad|Windows|Macintosh|CrOS|Linux/.exec(navigator.userAgent)?.[0];
  return system ? `browser, ${system}` : "browser";
}
