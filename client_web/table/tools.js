// Above the cards: what is said of the whole table, and small buttons for what is possible now.

import { button, list, make, say, show } from "../dom.js";
import { partsOf } from "./names.js";
import { placed, setStyle } from "./placing.js";
import { TEAM } from "./round.js";

export class Tools {
  constructor(table) {
    this.table = table;
    this.facts = make("div", "facts");
    this.teams = make("div", "teams");
    this.element = make("div", "tools");
  }

  draw({ status, teams }) {
    // The small buttons are where the hand is that reaches for them.
    const x = this.table.isSet("hand", "left") ? this.table.size.width - status.x - status.w : status.x;
    placed(this.facts, { ...status, x });
    this.drawFacts(this.table.model.status);
    show(this.teams, Boolean(teams));
    if (teams) this.drawTeams(teams, this.table.model.teams);
    this.drawButtons();
  }

  drawFacts(parts) {
    const { facts } = this;
    parts.forEach(([title, text], at) => {
      const node = facts.children[at] ?? facts.appendChild(make("span", "fact", make("span"), make("b")));
      say(node.children[0], title);
      say(node.children[1], text);
    });
    while (facts.children.length > parts.length) facts.lastChild.remove();
  }

  // A line for each team.
  drawTeams(area, teams) {
    placed(this.teams, area);
    const chip = () => make("span", "fact", make("span"), make("b"));
    // Too long for lines of their own they are a table, whose first row has the words.
    this.teams.classList.toggle("is-table", area.h > TEAM * teams.length);
    setStyle(this.teams, "--columns", String(1 + teams[0].chips.length + (teams[0].score ? 1 : 0)));
    list(this.teams, teams, ({ team }) => team, () => make("div", "team"), (node, { title, chips, score, own }) => {
      node.classList.toggle("is-own", own);
      const parts = [["", title], ...chips, ...(score ? [["Σ", score]] : [])];
      list(node, parts.map(([name, text], at) => ({ name, text, at })), ({ at }) => at, chip, (part, { name, text }) => {
        say(part.children[0], name);
        say(part.children[1], text);
      });
    });
  }

  drawButtons() {
    const { table } = this;
    const { info, seat, past, view } = table.scene;
    const scores = Object.keys(view.values ?? {}).some((key) => key.startsWith("sheet/score/"));
    const people = (info?.seats ?? []).filter((chair) => chair.kind === "human").length;
    const playing = info?.phase === "playing" && seat !== null && !past;
    const tools = [
      playing && table.isMine() && info.settings?.hints !== false && ["hint", () => this.show("hint")],
      playing && people === 1 && hasMoved(table.scene) && ["undo", () => this.show("undo")],
      table.dialogs?.hasLast() && ["last_trick", () => this.show("showLast")],
      scores && ["scores", () => this.show("showScores")],
      table.callbacks.settings && ["settings", () => table.callbacks.settings()],
    ].filter(Boolean);
    // The words of a button stay on it: which of them there are changes with every turn.
    const made = () => button("", null, { class: "tool" });
    list(this.element, tools, ([key]) => key, made, (node, [key, act]) => {
      node.act = act;
      say(node, table.say(key));
    });
  }

  // Who is quicker than the page has loaded waits for it.
  async show(what) {
    await this.table.loaded;
    this.table.dialogs?.[what]();
  }
}

// Whether this player has moved in this match. Facts that deal tell of a seat, too: they take cards from
// where they are nobody's.
export function hasMoved({ deal = [], earlier, seat, view }) {
  if (earlier || (view.values?.deal ?? 1) > 1) return true;
  return deal.some(({ args, changes = [] }) => args?.seat === seat && !changes.some((change) =>
    change.do === "lay" || (change.do === "move" && partsOf(change.source).seat === null)));
}
