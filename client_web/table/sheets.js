// What lies over the table until it is closed: the last trick, scores, settings.

import { el, make } from "../dom.js";
import { signed } from "./model.js";
import { lastTrick } from "./last_trick.js";

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
    this.element.hidden = false;
    this.element.setAttribute("role", "dialog");
    this.element.setAttribute("aria-label", title);
    if (this.table.root.contains(this.before.node)) close.focus({ preventScroll: this.table.told.info?.phase === "finished" });
  }

  close() {
    if (this.element.hidden) return;
    const had = this.element.contains(document.activeElement);
    this.element.hidden = true;
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

  // How this browser shows cards; what is changed is seen at once, and remembered.
  showSettings() {
    const { table } = this;
    const box = (name, value, text) => {
      const input = make("input");
      input.type = "checkbox";
      input.checked = table.isSet(name, value);
      input.addEventListener("change", () => table.set(name, input.checked ? value : null));
      return make("label", "", input, table.say(text));
    };
    const boxes = [box("suits", "two", "two_colours"), box("indices", "large", "large_indices")];
    this.open(table.say("settings"), make("div", "settings", ...boxes), table.words().page("close"));
  }

  // The trick that was taken last; if this page has not seen it, the server is asked.
  async showLast() {
    const { table } = this;
    if (!table.last) {
      const facts = await table.callbacks.earlier();
      if (typeof facts !== "string") table.last = lastTrick(facts, { ...table.told, earlier: 0 });
      if (!table.last) {
        table.complain(typeof facts === "string" ? facts : table.say("no_trick"));
        return;
      }
    }
    const words = table.words();
    const { faces } = table.felt;
    const cards = table.last.filter((card) => card.token !== null).map(({ seat, token }) => {
      const face = faces.svg();
      faces.fill(face, token, "full");
      const told = `${words.name(seat, true)}: ${words.cardName(token)}`;
      return make("li", "", make("div", "shown", face), make("span", "", told));
    });
    this.open(table.say("last_trick"), make("ul", "faces", ...cards));
  }

  // What a deal has scored, until somebody goes on.
  showDeal(fact) {
    if (!fact) {
      // It has rested long enough: nothing else is hurried on.
      if (!this.scored) return;
      this.scored = false;
      this.close();
      return;
    }
    const { table } = this;
    const { scores = [], totals = [] } = fact.args;
    const rows = scores.map((score, seat) =>
      [table.words().name(seat, true), signed(score), signed(totals[seat] ?? score)]);
    this.open(table.say("deal_over"), grid(["", table.say("deal_score"), table.say("total")], rows));
    this.scored = true;
  }

  // The deals that the view keeps on its score sheet: [deal, scores by seat].
  deals() {
    const values = Object.entries(this.table.told.view.values ?? {});
    return values.filter(([key]) => key.startsWith("sheet/score/"))
      .map(([key, scores]) => [Number(key.split("/")[2]), scores]).sort((a, b) => a[0] - b[0]);
  }

  showScores() {
    const { table } = this;
    const { info, view } = table.told;
    const names = (info?.seats ?? []).map((_, seat) => table.words().name(seat, true));
    const rows = this.deals().map(([deal, scores]) => [String(deal), ...scores.map(signed)]);
    const totals = names.map((_, seat) => signed(view.values[`total/${seat}`] ?? 0));
    this.open(table.say("scores"), grid([table.say("deal"), ...names], [...rows, [table.say("total"), ...totals]]));
  }
}

// A small table of texts with a line of heads.
function grid(heads, rows) {
  const head = el("tr", {}, heads.map((text) => el(text ? "th" : "td", { text, scope: text ? "col" : null })));
  const line = ([first, ...rest]) =>
    el("tr", {}, el("th", { text: first, scope: "row" }), rest.map((text) => el("td", { text })));
  return make("div", "scroll", make("table", "", make("thead", "", head), make("tbody", "", ...rows.map(line))));
}
