// The first screen of somebody new: what shall the others call you?

import { el, field } from "../dom.js";

export class Entry {
  /** `code` is the table of the invitation that led here, if any. */
  constructor(app, code) {
    this.title = "";
    const input = el("input", {
      name: "name",
      required: true,
      maxlength: 24,
      autocomplete: "nickname",
      autofocus: true,
    });
    const submit = (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (name) app.enter(name);
    };
    this.element = el("section", { class: "entry" }, [
      el("h1", { text: app.t("title"), tabindex: -1 }),
      el("p", { text: code ? app.t("entry.invited", { code }) : app.t("entry.welcome") }),
      el("form", { onsubmit: submit }, [
        field(app.t("entry.name"), input, app.t("entry.seen")),
        el("button", { class: "main", text: app.t(code ? "entry.sit" : "entry.go") }),
      ]),
    ]);
  }

  happened() {}

  end() {}
}
