// The review of a match beside its replay: each decision beside the strong bot's, as the server judges
// them one after the other. A decision leads to the position in which it was made.

import { now } from "../clock.js";
import { button, el, say } from "../dom.js";
import { withWords } from "../table/told_moves.js";
import { Speaker, figure } from "../words.js";
import { byDeal, costOf, isAsTheBot, isWorse, spreadOf } from "./costs.js";
import { graphOf } from "./graph.js";

/** The milliseconds between requests, as a server works on a review only while it is requested. */
const AGAIN_MILLISECONDS = 1000;

export class Review {
  /**
   * `go(decision, text)` shows the position before a decision, with a sentence about it; `words` are
   * for the table in `picture`.
   */
  constructor(app, table, words, picture, go) {
    this.app = app;
    this._table = table;
    this._words = words;
    this._picture = picture;
    this._go = (decision) => go(decision, this._sentences(decision));
    this._ended = false;
    this._known = [];
    this._spread = null;
    this._speaker = null;
    this._deals = new Map();
    // The element in which each decision's cost stands.
    this._costs = new Map();
    // When the bot was to be ready, as it was said first.
    this._due = null;
    this._status = el("p", { class: "quiet" });
    this._whole = el("ul", { class: "whole" });
    this._course = el("div", {});
    this._decisions = el("div", { class: "decisions" });
    this._heading = el("h2", { text: app.t("replay.review"), tabindex: -1 });
    this.element = el("section", { class: "review", "aria-label": app.t("replay.review") }, [
      this._heading, this._status, this._whole, this._course, this._decisions,
    ]);
  }

  /** Stop requesting the review. */
  end() {
    this._ended = true;
    this.element.remove();
  }

  /** Request the decisions in a match until all are judged; `seat` null: the player's own. */
  async read(match, seat) {
    const { app } = this;
    this._heading.focus();
    say(this._status, app.t("replay.review_begins"));
    const phrases = await phrasesOf(app.texts.language);
    const texts = { ...app.texts, phrases: { ...app.texts.phrases, ...phrases } };
    const { legend, info } = this._picture;
    this._speaker = new Speaker(texts, this._words.names, legend, this._words.you, info.game);
    let had = 0;
    while (!this._ended) {
      const fields = { table: this._table, match, after: had, ...(seat === null ? {} : { seat }) };
      const page = await app.connection.ask("review", fields);
      if (this._ended) return;
      if (page.type === "error") {
        say(this._status, await app.refusal(page));
        return;
      }
      const decisions = page.decisions ?? [];
      had += decisions.length;
      this._add(decisions);
      if (page.summary && !page.more) {
        this._finish(page.summary);
        return;
      }
      this._wait(page);
      if (!page.more) await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLISECONDS));
    }
  }

  /** Add decisions to those of their deals: what the bot would have done, too, is folded. */
  _add(decisions) {
    this._known.push(...decisions);
    for (const { deal, decisions: inDeal, given } of byDeal(this._known)) {
      const part = this._dealOf(deal);
      const same = inDeal.filter(isAsTheBot);
      for (const each of inDeal.slice(part.shown)) {
        part.shown += 1;
        const row = this._row(each);
        (isAsTheBot(each) ? part.same : part.other).append(el("li", {}, [row]));
      }
      part.folded.hidden = !same.length;
      say(part.count, this.app.t("review.as_the_bot", { count: same.length }));
      const points = given !== null ? this.app.t("review.deal_points", { points: this._figure(given) }) : "";
      say(part.heading, [this.app.t("review.deal", { deal }), points].filter(Boolean).join(" · "));
    }
  }

  _dealOf(deal) {
    if (!this._deals.has(deal)) {
      const heading = el("h3");
      const count = el("summary");
      const [other, same] = [el("ol"), el("ol")];
      const folded = el("details", { hidden: true }, [count, same]);
      this._decisions.append(el("section", {}, [heading, other, folded]));
      this._deals.set(deal, { heading, count, other, same, folded, shown: 0 });
    }
    return this._deals.get(deal);
  }

  _row(decision) {
    const sentence = el("span", { text: this._sentence(decision.phrase, decision) });
    const cost = el("small");
    this._costs.set(decision, cost);
    const row = button("", () => this._go(decision), { class: isWorse(decision) ? "worse" : "" });
    row.append(sentence, cost, ...this._columns(decision));
    return row;
  }

  /** What one could know of a decision, and how the cards lay, where both may be seen. */
  _columns(decision) {
    const parts = ["known", "lay"].filter((name) => decision[name]);
    if (!parts.length) return [];
    const columns = parts.map((name) => el("span", {}, [
      el("b", { text: this.app.t(`review.${name}`) }), " ", this._sentence(decision[name].phrase, decision),
    ]));
    return [el("span", { class: "columns" }, columns)];
  }

  /** Show the summary, whose sentences about a decision link to it, the graph, and what moves cost. */
  _finish(summary) {
    const lines = aboutDecisions(summary, this._known)
      .map(({ phrase, decision }) => ({ decision, text: this._sentence(phrase, decision) }))
      .filter(({ text }) => text);
    say(this._status, "");
    this._whole.replaceChildren(...lines.map(({ text, decision }) =>
      decision ? el("li", {}, [button(text, () => this._go(decision))]) : el("li", { text })));
    this._spread = spreadOf(this._known);
    const turns = (summary.turns ?? []).map(({ at }) => at);
    const graph = graphOf(this.app, this._known, turns, this._go, this._course.clientWidth);
    if (graph) this._course.replaceChildren(graph);
    for (const [decision, cost] of this._costs) say(cost, this._cost(decision));
    this.app.say(lines.map(({ text }) => text).join(" "));
  }

  /** A phrase about a decision as a sentence, in the words of the game. */
  _sentence(phrase, { action, text, best, best_text: bestText, lay } = {}) {
    const { _speaker: speaker } = this;
    const called = [[best, bestText], [action, text], [lay?.best, lay?.best_text]].filter(([, said]) => said);
    return speaker.worded(withWords(phrase, new Map(called.map(([move, said]) => [move, speaker.inWords(said)])))) ?? "";
  }

  /** What a move costs, in words; "" before all decisions are known. */
  _cost(decision) {
    const cost = this._spread === null ? "" : costOf(decision, this._spread);
    return cost && this.app.t(`review.cost_${cost}`);
  }

  _figure(points) {
    return figure(points.toFixed(1)).replace(".", this.app.texts.words.point);
  }

  _sentences(decision) {
    return [this._sentence(decision.phrase, decision), this._cost(decision)].filter(Boolean).join(" ");
  }

  _wait({ done = 0, of = 0, seconds = null }) {
    const { app } = this;
    this._due ??= seconds && now() + seconds;
    const late = now() > this._due ? "replay.review_late" : "replay.review_waits";
    say(this._status, seconds ? app.t(late, { seconds }) : app.t("replay.review_moves", { done, of }));
  }
}

/** The phrases of a summary, each with the decision that it is about, if any. */
function aboutDecisions({ phrases = [], worst, best, turns = [] }, decisions) {
  const left = new Map([["review_worst", [worst]], ["review_best", [best]], ["review_turn", turns.map(({ at }) => at)]]);
  return phrases.map((phrase) => ({ phrase, decision: decisions[left.get(phrase.code)?.shift()] }));
}

/** Load the sentences of reviews, which no other screen needs. */
async function phrasesOf(language) {
  try {
    const answer = await fetch(new URL(`../texts/${language}.more.json`, import.meta.url));
    return (await answer.json()).reviews;
  } catch {
    return {};
  }
}
