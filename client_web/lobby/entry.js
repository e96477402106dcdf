// The first screen of somebody new: what shall the others call you?

import { el, field } from "../dom.js";

/** Nobody is called more than this, and no game. */
const LONGEST = 64;

export class Entry {
  /** `code` is the table of the invitation that led here, if any. */
  constructor(app, code) {
    this.title = "";
    const input = el("input", {
      name: "name",
      required: true,
      maxlength: 24,
      autocomplete: "nickname",
      "data-focus": "",
    });
    const submit = (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (!name) return;
      // What the link says of the game is known at the table until that tells more.
      if (code) history.replaceState({ ...history.state, invited: told().game }, "", location.pathname);
      app.enter(name);
    };
    this.element = el("section", { class: "entry" }, [
      el("div", { class: "face" }, [el("h1", { text: app.t("title"), tabindex: -1 })]),
      el("div", {}, [
        el("p", { text: code ? invitation(app, code) : app.t("entry.welcome") }),
        el("form", { onsubmit: submit }, [
          field(app.t("entry.name"), input, app.t("entry.seen")),
          el("button", { class: "main", text: app.t(code ? "entry.sit" : "entry.go") }),
        ]),
      ]),
    ]);
  }

  happened() {}

  end() {}
}

/** Who invites, and to what, as far as the link says it. */
function invitation(app, code) {
  const { from, game } = told();
  return from && game ? app.t("entry.invited_by", { from, game, code }) : app.t("entry.invited", { code });
}

function told() {
  const said = new URLSearchParams(location.hash.slice(1));
  const [from, game] = ["from", "game"].map((name) => said.get(name)?.replace(/\p{C}/gu, "").slice(0, LONGEST));
  return { from, game };
}
