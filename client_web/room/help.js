// Help beside the table: keys and clicks, how the game's bots think, and its rules.

import { button, el } from "../dom.js";
import { botNames } from "../lobby/bots.js";
import { page } from "./markdown.js";

/** The keys and clicks of a table: each has a text for its name and one for its effect. */
const MEANS = ["arrows", "enter", "digits", "tab", "escape", "question", "look", "drag"];

export class Help {
  constructor(app) {
    this.app = app;
    this.element = el("section", { class: "help", hidden: true, tabindex: -1, "aria-label": app.t("help.title") });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  /** Show the help, with one of its parts open: keys, bots or rules. */
  open(game, part = "keys") {
    if (this.element.hidden) this._before = document.activeElement;
    const { app } = this;
    const thinking = game?.bots?.filter((bot) => bot.how) ?? [];
    const opened = (name, ...content) =>
      el("details", { open: name === part }, [el("summary", { text: app.t(`help.${name}`) }), ...content]);
    this.element.replaceChildren(
      el("div", { class: "head" }, [
        el("h2", { text: app.t("help.title") }),
        button(app.t("close"), () => this.close()),
      ]),
      opened("keys", this._keys(), this._signs()),
      ...(thinking.length ? [opened("bots", this._bots(game, thinking))] : []),
      ...(game?.rules ? [opened("rules", this._rules(game))] : []),
    );
    this.element.hidden = false;
    this.element.focus();
  }

  /** Close the help, and return the focus to where it was before. */
  close() {
    if (this.element.hidden) return;
    this.element.hidden = true;
    if (this._before?.isConnected) this._before.focus({ preventScroll: true });
  }

  /** Let the help's key close it, too. A phone has few keys, and no button for the rules. */
  toggle(game) {
    const isNarrow = matchMedia("(max-width: 700px)").matches;
    if (this.element.hidden) this.open(game, isNarrow && game?.rules ? "rules" : "keys");
    else this.close();
  }

  _keys() {
    const { app } = this;
    const rows = MEANS.map((name) => [el("dt", { text: app.t(`help.by.${name}`) }), el("dd", { text: app.t(`help.does.${name}`) })]);
    return el("dl", { class: "keys" }, rows.flat());
  }

  /** The meaning of the letters on the cards, which are equal in every language. */
  _signs() {
    const { ranks } = this.app.texts;
    const signs = ["A", "K", "Q", "J"].map((sign) => `${sign} ${ranks[sign]}`).join(", ");
    return el("p", { text: this.app.t("help.signs", { signs }) });
  }

  _rules(game) {
    const rules = el("div", { class: "rules", tabindex: 0, role: "region", "aria-label": this.app.t("help.rules") });
    this.app.rules(game).then((text) => rules.replaceChildren(...page(withoutSection(text, this.app.t("help.typing")))));
    return rules;
  }

  _bots(game, thinking) {
    const rows = thinking.map(({ strength, how }) => [
      el("dt", { text: botNames(this.app, game, strength) }),
      el("dd", { text: how }),
    ]);
    return el("dl", { class: "keys" }, rows.flat());
  }
}

/** A page in Markdown without the section under this heading: nobody types a move here. */
export function withoutSection(text, heading) {
  const sections = text.split(/^(?=## )/m);
  return sections.filter((each) => each.split("\n", 1)[0].trim() !== `## ${heading}`).join("");
}
