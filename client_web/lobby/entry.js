// The first screen of somebody new: what shall the others call you?

import { Stranger } from "../connection.js";
import { el, field, pastedName, say } from "../dom.js";
import { codeForm } from "./code.js";

/** The length limit of names of players and games. */
const LONGEST = 64;

export class Entry {
  /** `code` is the table of the link that led here, if any: an invitation, or a `past` match. */
  constructor(app, code, past = false) {
    this.title = "";
    this.app = app;
    this._code = past ? undefined : code;
    const input = el("input", {
      name: "name",
      required: true,
      maxlength: 24,
      autocomplete: "nickname",
      "data-focus": "",
    });
    const submit = (event) => {
      event.preventDefault();
      const name = pastedName(input.value);
      if (!name) return;
      // What the link says of the game is known at the table until that tells more.
      if (this._code) history.replaceState({ ...history.state, invited: told().game }, "", location.pathname);
      app.enter(name);
    };
    this.element = el("section", { class: "entry" }, [
      el("div", { class: "face" }, [el("h1", { text: app.t("title"), tabindex: -1 })]),
      el("div", {}, [
        (this._greeting = el("p", { text: this._code ? invitation(app, code) : app.t("entry.welcome") })),
        el("form", { onsubmit: submit }, [
          field(app.t("entry.name"), input, app.t("entry.seen")),
          (this._go = el("button", { class: "main", text: app.t(this._code ? "entry.sit" : "entry.go") })),
        ]),
        code ? null : codeForm(app, async (table) => (await this._check(table)) && app.go(`t/${table}`)),
      ]),
    ]);
    if (code) this._check(code);
  }

  /** Whether there is such a table; if not, say so before the visitor enters a name for it. */
  async _check(code) {
    const { app } = this;
    this._stranger ??= new Stranger(app.root);
    const answer = await this._stranger.ask("sync", { table: code });
    if (app.screen !== this) return false;
    if (answer.code !== "unknown_table") return true;
    const told = await app.refusal(answer);
    if (app.screen !== this) return false;
    this._code = undefined;
    history.replaceState(null, "", app.root);
    say(this._greeting, `${told} ${app.t("entry.welcome")}`);
    app.say(told);
    say(this._go, app.t("entry.go"));
    return false;
  }

  happened() {}

  end() {
    this._stranger?.end();
  }
}

/** The host and the game of the invitation, as far as the link names them. */
export function invitation(app, code) {
  const { from, game } = told();
  return from && game ? app.t("entry.invited_by", { from, game, code }) : app.t("entry.invited", { code });
}

function told() {
  const said = new URLSearchParams(location.hash.slice(1));
  const [from, game] = ["from", "game"].map((name) => said.get(name)?.replace(/\p{C}/gu, "").slice(0, LONGEST));
  return { from, game };
}
