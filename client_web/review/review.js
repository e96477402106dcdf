// The review of a match beside its replay: each decision beside the strong bot's, as the server judges
// them one after the other. A decision leads to its step.

import { now } from "../clock.js";
import { button, el, say } from "../dom.js";
import { withWords } from "../table/told_moves.js";
import { Speaker } from "../words.js";

/** The milliseconds between requests, as a server works on a review only while it is requested. */
const AGAIN_MILLISECONDS = 1000;

export class Review {
  /** `go(entry)` shows the step of an entry of the log; `words` are for the table in `picture`. */
  constructor(app, table, words, picture, go) {
    this.app = app;
    this._table = table;
    this._words = words;
    this._picture = picture;
    this._go = go;
    this._ended = false;
    this._known = [];
    // When the bot was to be ready, as it was said first.
    this._due = null;
    this._status = el("p", { class: "quiet" });
    this._whole = el("ul", { class: "whole" });
    this._decisions = el("ol", { class: "decisions" });
    this._heading = el("h2", { text: app.t("replay.review"), tabindex: -1 });
    this.element = el("section", { class: "review", "aria-label": app.t("replay.review") }, [
      this._heading, this._status, this._whole, this._decisions,
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
    const speaker = new Speaker(texts, this._words.names, legend, this._words.you, info.game);
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
      for (const each of decisions) this._add(each, speaker);
      if (page.summary && !page.more) {
        this._tell(page.summary, speaker);
        return;
      }
      this._wait(page);
      if (!page.more) await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLISECONDS));
    }
  }

  _add(decision, speaker) {
    const { entry, given_away: given } = decision;
    const text = sentence(decision.phrase, decision, speaker) ?? "";
    const kind = given?.points > 0 ? "worse" : "";
    this._known.push(decision);
    this._decisions.append(el("li", {}, [button(text, () => this._go(entry), { class: kind })]));
  }

  /** Show the summary; its sentences about a decision link to that decision. */
  _tell(summary, speaker) {
    const told = aboutDecisions(summary, this._known)
      .map(({ phrase, decision }) => ({ decision, text: sentence(phrase, decision, speaker) }))
      .filter(({ text }) => text);
    say(this._status, "");
    this._whole.replaceChildren(...told.map(({ text, decision }) =>
      decision ? el("li", {}, [button(text, () => this._go(decision.entry))]) : el("li", { text })));
    this.app.say(told.map(({ text }) => text).join(" "));
  }

  _wait({ done = 0, of = 0, seconds = null }) {
    const { app } = this;
    this._due ??= seconds && now() + seconds;
    const late = now() > this._due ? "replay.review_late" : "replay.review_waits";
    say(this._status, seconds ? app.t(late, { seconds }) : app.t("replay.review_moves", { done, of }));
  }
}

/** A phrase about a decision as a sentence, in the words of the game. */
function sentence(phrase, { action, text, best, best_text: bestText } = {}, speaker) {
  const called = [[best, bestText], [action, text]].filter(([, said]) => said);
  return speaker.worded(withWords(phrase, new Map(called.map(([move, said]) => [move, speaker.inWords(said)]))));
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
