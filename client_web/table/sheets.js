// What lies over the table until it is closed: the score of a deal, and what `dialogs` shows.

import { el, make } from "../dom.js";
import { figure } from "../words.js";
import { hintOf, labelOf } from "./names.js";

export class Sheets {
  constructor(table) {
    this.table = table;
    this.element = make("div", "sheet");
    this.element.hidden = true;
    this.scored = false;
  }

  open(title, content, closing = this.table.say("go_on_button")) {
    const close = make("button", "go-on", closing);
    close.type = "button";
    close.act = () => this.close();
    const { keys } = this.table;
    this.before = { node: document.activeElement, parked: keys.parked, lost: keys.lost };
    this.element.replaceChildren(make("div", "paper", make("h2", "", title), content, close));
    this._show(true);
    this.element.setAttribute("role", "dialog");
    this.element.setAttribute("aria-label", title);
    // At the end of a match the result is in view, and nothing out of view takes the focus.
    const isOver = this.table.scene.info?.phase === "finished";
    const { top, bottom } = close.getBoundingClientRect();
    const isSeen = top >= 0 && bottom <= window.innerHeight;
    if (this.table.root.contains(this.before.node) && (!isOver || isSeen)) close.focus({ preventScroll: isOver });
  }

  _show(isOpen) {
    this.element.hidden = !isOpen;
    this.table.root.classList.toggle("has-sheet", isOpen);
  }

  close() {
    if (this.element.hidden) return;
    const had = this.element.contains(document.activeElement);
    this._show(false);
    // What had the focus before has it again, and what waited there waits on.
    if (had) {
      const { node, parked, lost } = this.before;
      node.focus({ preventScroll: true });
      Object.assign(this.table.keys, { parked, lost });
      this.table.keys.rove();
    }
    if (!this.scored) return;
    this.scored = false;
    this.table.stage.dismiss();
    this.table.step();
  }

  // What a deal has scored, until somebody goes on.
  showDeal(frame) {
    const fact = frame?.scored;
    if (!fact) {
      // It has rested long enough: nothing else is hurried on.
      if (!this.scored) return;
      this.scored = false;
      this.close();
      return;
    }
    const { table } = this;
    const { deal, scores = [], totals = [] } = fact.args;
    const words = table.words();
    const kept = columnsOf(deal, table.scene);
    const heads = ["", ...kept.map(([title]) => title), table.say("deal_score"), table.say("total")];
    const rows = scores.map((score, seat) => [words.name(seat, true), ...kept.map(([, by]) => figure(by[seat])),
      figure(score), figure(totals[seat] ?? score)]);
    const why = frame.why.map((each) => words.sentence(each)).filter(Boolean);
    const said = why.map((text) => make("p", "why", text));
    this.open(table.say("deal_over"), make("div", "", ...said, grid(heads, rows, table.scene.seat)));
    this.scored = true;
  }
}

// What the score sheet keeps of a deal beside its scores, such as bids and tricks: [title, values by seat].
function columnsOf(deal, scene) {
  return Object.entries(scene.view.values ?? {}).flatMap(([key, by]) => {
    const [kind, name, of] = key.split("/");
    if (kind !== "sheet" || name === "score" || Number(of) !== deal) return [];
    const { title } = hintOf("values", name, scene) ?? labelOf(name, scene.labels);
    return [[title.charAt(0).toUpperCase() + title.slice(1), by]];
  });
}

// A small table of texts with a line of heads; the row of number `own` is one's own.
export function grid(heads, rows, own = null) {
  const head = el("tr", {}, heads.map((text) => el(text ? "th" : "td", { text, scope: text ? "col" : null })));
  const line = ([first, ...rest], at) => el("tr", { class: at === own ? "is-own" : null },
    el("th", { text: first, scope: "row" }), rest.map((text) => el("td", { text })));
  return make("div", "scroll", make("table", "", make("thead", "", head), make("tbody", "", ...rows.map(line))));
}
