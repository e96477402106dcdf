// Above the cards: what is said of the whole table, and small buttons for what is possible now.

import { button, list, make, say } from "../dom.js";
import { placed } from "./placing.js";

export class Tools {
  constructor(table) {
    this.table = table;
    this.facts = make("div", "facts");
    this.element = make("div", "tools");
  }

  draw(area) {
    placed(this.facts, area);
    this.drawFacts(this.table.model.status);
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

  drawButtons() {
    const { table } = this;
    const { info, seat, past, view } = table.scene;
    const scores = Object.keys(view.values ?? {}).some((key) => key.startsWith("sheet/score/"));
    const people = (info?.seats ?? []).filter((chair) => chair.kind === "human").length;
    const playing = info?.phase === "playing" && seat !== null && !past;
    const tools = [
      playing && table.isMine() && info.settings?.hints !== false && ["hint", () => this.show("hint")],
      playing && people === 1 && ["undo", () => this.show("undo")],
      table.dialogs?.hasLast() && ["last_trick", () => this.show("showLast")],
      scores && ["scores", () => this.show("showScores")],
      ["settings", () => this.show("showSettings")],
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
