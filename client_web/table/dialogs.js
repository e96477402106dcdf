// What the small buttons do: the last trick, the scores, a hint, moves taken back.

import { make } from "../dom.js";
import { figure } from "../words.js";
import { hintText, hintTexts } from "./hint_text.js";
import { lastTrick, playsTricks, takerOf } from "./last_trick.js";
import { modelOf } from "./model.js";
import { grid } from "./sheets.js";

export class Dialogs {
  constructor(table) {
    this.table = table;
    this.last = lastTrick(table.scene.deal ?? [], table.scene);
    this.taker = takerOf(table.scene.deal ?? [], table.scene);
  }

  // A table that is seen anew, or where moves were taken back, has another last trick, or none.
  read(scene) {
    this.taker = takerOf(scene.facts ?? [], scene) ?? this.taker;
    if (!scene.fresh && !scene.facts?.some(({ verb }) => verb === "undone")) return;
    this.last = lastTrick(scene.deal ?? [], scene);
    this.taker = takerOf(scene.deal ?? [], scene);
  }

  // Keeps the trick that is about to be taken away.
  remember() {
    const model = modelOf(this.table.scene);
    const trick = model.seats.flatMap((seat) => seat.trick.map(({ zone, token }) => ({ seat: seat.seat, token, zone })));
    if (trick.some((card) => card.token !== null)) this.last = trick;
  }

  // Whether there is one: seen, or taken before the first fact that this page was told.
  hasLast() {
    const { scene, callbacks } = this.table;
    return Boolean(this.last || (scene.earlier && callbacks.earlier && playsTricks(scene)));
  }

  // After a match the trick that ended it lies on the table, until the next one begins.
  lay(model) {
    if (!this.last || model.shared.trick.length || model.seats.some((seat) => seat.trick.length)) return;
    this.last.forEach(({ seat, token, zone }, at) => {
      model.seats.find((each) => each.seat === seat)?.trick.push({ zone, token, key: `last:${at}` });
    });
  }

  // The trick that was taken last; if this page has not seen it, the server is asked.
  async showLast() {
    const { table } = this;
    if (!this.last) {
      const facts = await table.callbacks.earlier();
      if (typeof facts !== "string") {
        this.last = lastTrick(facts, { ...table.scene, earlier: 0 });
        this.taker = takerOf(facts, table.scene);
      }
      if (!this.last) {
        table.complain(typeof facts === "string" ? facts : table.say("no_trick"));
        return;
      }
    }
    const words = table.words();
    const { faces } = table.felt;
    const cards = this.last.filter((card) => card.token !== null).map(({ seat, token }) => {
      const face = faces.svg();
      faces.fill(face, token, "full");
      const line = `${words.name(seat, true)}: ${words.cardName(token)}`;
      return make("li", seat === this.taker ? "is-taker" : "", make("div", "shown", face), make("span", "", line));
    });
    const took = this.taker === null ? "" : table.say(this.taker === table.scene.seat ? "you_took" : "took", { name: words.name(this.taker, true) });
    table.sheets.open(table.say("last_trick"), make("div", "taken", make("p", "why", took), make("ul", "faces", ...cards)));
  }

  // The deals that the view keeps on its score sheet: [deal, scores by seat].
  deals() {
    const values = Object.entries(this.table.scene.view.values ?? {});
    return values.filter(([key]) => key.startsWith("sheet/score/"))
      .map(([key, scores]) => [Number(key.split("/")[2]), scores]).sort((a, b) => a[0] - b[0]);
  }

  showScores() {
    const { table } = this;
    const { info, view } = table.scene;
    const names = (info?.seats ?? []).map((_, seat) => table.words().name(seat, true));
    const rows = this.deals().map(([deal, scores]) => [String(deal), ...scores.map(figure)]);
    const totals = names.map((_, seat) => figure(view.values[`total/${seat}`] ?? 0));
    table.sheets.open(table.say("scores"), grid([table.say("deal"), ...names], [...rows, [table.say("total"), ...totals]]));
  }

  async undo() {
    const { table } = this;
    // A match loses its result once, and says so before.
    const isFirst = !table.scene.info?.practice;
    if (isFirst && !(await table.callbacks.sure?.(table.say("undo_first"), table.say("undo")))) return;
    const refused = await this.table.callbacks.undo?.();
    if (refused) this.table.complain(refused);
  }

  // The bot that gives stronger hints is ready: the hint of a plain one is replaced.
  renew() {
    return this.table.hinted?.weaker ? this.hint(true) : null;
  }

  async hint(again = false) {
    const { table } = this;
    const { turn } = table.read;
    const { language } = table.words().texts;
    const [hint, texts] = await Promise.all([table.callbacks.hint(), hintTexts(language)]);
    if (table.scene.question?.turn !== turn || !hint) return;
    if (typeof hint === "string") {
      if (!again) table.complain(hint);
      return;
    }
    const { moves, pick } = table.read;
    const move = moves.find((each) => each.action === hint.action);
    const text = hintText(hint, table.words(), texts, table.scene.question.choices ?? {});
    const picks = hint.action.split(" ").slice(1).map((token) => pick?.places[pick.cards.indexOf(token)]);
    table.hinted = { action: hint.action, weaker: hint.weaker, text, places: move ? [...move.cards, ...move.zones] : picks };
    table.draw();
    table.tell(table.ask.text());
  }
}
