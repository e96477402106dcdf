// A table in plain words, with a button for each choice. It has the seam of `table/table.js`.

import { button, el, list, say } from "../dom.js";
import { zoneParts } from "../picture.js";

export class TableView {
  constructor(element, callbacks) {
    this._callbacks = callbacks;
    this._turn = el("p", { class: "next", role: "status" });
    this._zones = el("ul", { class: "zones" });
    this._choices = el("div", { class: "choices" });
    this._why = el("p", { class: "quiet" });
    this._picked = new Set();
    element.replaceChildren(this._turn, this._zones, this._choices, this._why);
  }

  show(told) {
    const mine = told.question.choices !== null && told.question.to_act.includes(told.seat);
    const others = told.question.to_act.map((seat) => told.words.name(seat));
    say(this._turn, mine ? told.words.page("table.your_turn") : told.words.page("table.waiting", { names: others.join(", ") }));
    const zones = Object.entries(told.view.zones).filter(([, zone]) => zone.cards.length + zone.backs > 0);
    const line = ([name, zone]) => this._line(told, name, zone);
    list(this._zones, zones, ([name]) => name, () => el("li"), (row, zone) => say(row, line(zone)));
    if (this._asked !== told.question.turn || !mine) {
      this._asked = told.question.turn;
      this._picked.clear();
      say(this._why, "");
      this._draw(told, mine);
    }
  }

  end() {}

  _draw(told, mine) {
    const { turn, choices } = told.question;
    if (!mine) {
      this._choices.replaceChildren();
      return;
    }
    const act = async (action) => say(this._why, (await this._callbacks.act(action, turn)) ?? "");
    const single = choices.actions.map((action, at) =>
      button(told.words.action(action, choices.texts[at]), () => act(action)),
    );
    const picks = choices.picks.flatMap((pick) => this._pick(told, pick, act));
    this._choices.replaceChildren(...single, ...picks);
  }

  /** Cards to be marked, and a button for those that are. */
  _pick(told, pick, act) {
    const marked = new Set();
    const done = button(told.words.action(pick.verb), () => {
      const cards = pick.cards.filter((_, at) => marked.has(at));
      act([pick.verb, ...cards].join(" "));
    });
    const check = () => {
      done.disabled = marked.size < pick.least || marked.size > pick.most;
    };
    check();
    const cards = pick.cards.map((card, at) =>
      button(told.words.label(card), (event) => {
        if (!marked.delete(at)) marked.add(at);
        event.currentTarget.setAttribute("aria-pressed", marked.has(at));
        check();
      }, { "aria-pressed": "false" }),
    );
    return [...cards, done];
  }

  _line(told, name, zone) {
    const { kind, owner } = zoneParts(name);
    const title = told.labels.find((label) => label.kind === kind)?.title ?? kind.replaceAll("_", " ");
    const of = owner === null ? "" : ` (${told.words.name(owner)})`;
    const cards = zone.cards.map((card) => told.words.label(card)).join(" ");
    return `${title}${of}: ${zone.backs ? `${zone.backs} × ▒ ` : ""}${cards}`;
  }
}
