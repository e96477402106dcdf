// What happens at a table, line by line, and what people say.

import { button, el, mark, show } from "../dom.js";
import { keep, kept, mutedAt } from "../memory.js";
import { sentences } from "../movements.js";
import { namesOf, readableFact } from "../picture.js";
import { isolated } from "../words.js";
import { botText } from "../lobby/bots.js";
import { ChatPreview } from "./chat_preview.js";
import { Lines } from "./lines.js";

/** The number of log entries requested before a snapshot, for facts that it leaves out. */
const PAGE = 256;
/** The phrases that are sent at one click; each has a text. */
const PHRASES = ["hello", "luck", "well", "thanks", "moment", "again"];

/** The command of a phrase: its words, and to a server that knows it its name. */
export function phrase(app, name) {
  return { text: app.t(`quick.${name}`), ...(app.session.knows("chat.phrase") ? { phrase: name } : {}) };
}

export class Talk {
  constructor(app, room) {
    this.app = app;
    this.room = room;
    this._worded = new WeakMap();
    this._course = new Lines("course", app.t("talk.log"));
    this._said = new Lines("said", app.t("talk.title"), app.t("talk.empty"));
    this._input = el("input", { name: "chat", maxlength: 500, autocomplete: "off", "aria-label": app.t("talk.say") });
    this._input.placeholder = app.t("talk.say");
    const submit = (event) => {
      event.preventDefault();
      this._send();
    };
    this._quick = el("details", { class: "quick" }, [
      el("summary", { text: app.t("talk.phrases") }),
      el("div", { class: "actions" }, PHRASES.map((name) => this._phrase(name))),
    ]);
    this._silent = el("ul", { class: "actions" });
    this._preview = new ChatPreview(app, this._said.element, () => this._show());
    /** Called with lines heard while the chat is out of sight; the room shows them elsewhere. */
    this.preview = this._preview.element;
    this.element = el("aside", { class: "talk" }, [
      el("h2", { text: app.t("talk.course") }),
      this._course.element,
      el("h2", { text: app.t("talk.title") }),
      this._said.element,
      (this._form = el("form", { onsubmit: submit }, [this._input, el("button", { text: app.t("talk.send") })])),
      this._quick,
      this._silent,
    ]);
    // Names are no more than what somebody calls themselves here, so it holds for this table and tab.
    this._mutedPlace = mutedAt(room.code);
    this._muted = new Set(kept(this._mutedPlace).split("\n").filter(Boolean));
    this._drawMuted();
    // What was typed is not lost when the page has to load anew.
    this._draft = `blackqueen draft ${room.code}`;
    this._input.value = kept(this._draft);
    this._input.addEventListener("input", () => keep(this._draft, this._input.value));
    for (const chat of app.said.of(room.code)) this._addChat(chat);
  }

  /** Show a snapshot's facts of the deal so far. */
  snapshot(picture) {
    this._course.clear();
    const words = this.app.wordsFor(picture);
    if (picture.earlier) {
      const line = el("li", {}, button(this.app.t("talk.earlier"), () => this._tellEarlier(line, picture)));
      this._course.add(line);
    }
    const told = this._sentences(picture.facts, words, picture);
    picture.facts.forEach((fact, at) => this._fact(told[at], fact, false));
  }

  /** Whether the player may chat: players, and spectators among themselves if allowed. */
  allow({ seat, info }) {
    const watches = seat === null;
    const may = !watches || Boolean(info.settings?.spectator_chat);
    for (const node of [this._form, this._quick]) show(node, may);
    const what = this.app.t(watches ? "talk.say_apart" : "talk.say");
    for (const name of ["placeholder", "aria-label"]) mark(this._input, name, what);
  }

  /** Keep the chat of a table that is gone, and allow no more. */
  close() {
    for (const node of [this._form, this._quick]) show(node, false);
  }

  /** Word the facts of an event; `shown` writes the lines. */
  happened({ picture, before, facts }) {
    const undone = facts.findLastIndex((fact) => fact.verb === "undone");
    const words = this.app.wordsFor(picture);
    const news = undone < 0 ? facts : facts.slice(0, undone + 1);
    const told = this._sentences(news, words, picture);
    news.forEach((fact, at) => {
      const { verb, args } = fact;
      if (verb === "player_left" && before.info.seats[args.seat]?.away) {
        const name = args.name ?? namesOf(before.info)[args.seat];
        this._worded.set(fact, this.app.t("talk.lost_seat", { name }));
        return;
      }
      // A name that somebody has taken along when they went stands in the picture before.
      const left = (verb === "bot_removed" || verb === "player_left") && !args.name;
      this._worded.set(fact, left ? this.app.wordsFor(before).sentence(fact) : told[at]);
    });
  }

  /** Write and announce the lines of the facts now seen. */
  shown(facts) {
    for (const fact of facts) {
      if (!this._worded.has(fact)) continue;
      if (fact.verb === "deal_started") this._course.clear();
      this._fact(this._worded.get(fact), fact, true);
      this._worded.delete(fact);
    }
  }

  /** Replace `line` by the lines for facts that a snapshot has left out. */
  async _tellEarlier(line, picture) {
    const { app } = this;
    const facts = await dealFacts(app, picture);
    if (typeof facts === "string") {
      app.alert(facts);
      return;
    }
    const words = app.wordsFor(picture);
    const told = this._sentences(facts.slice(0, picture.earlier), words, picture);
    line.replaceWith(...told.filter(Boolean).map((text) => el("li", { text })));
    this._course.element.focus();
  }

  presence(picture, { seat, away }) {
    if (seat === picture.seat) return;
    const name = namesOf(picture.info)[seat];
    this.line(this.app.t(away ? "talk.away" : "talk.back", { name }), "news");
  }

  chat(chat) {
    const { name, seat, apart = false } = chat;
    if (seat === null && !apart && name === "Server") {
      const told = this.app.t("notice.announcement", { text: chat.text });
      this._said.add(el("li", { class: "news", text: told }));
      this.app.say(told);
      return;
    }
    if (this._muted.has(name)) return;
    const { who, text, line } = this._addChat(chat);
    this.app.say(`${who}: ${isolated(text)}`);
    if (name !== this.app.session.name) this._preview.show(who, text, line);
  }

  /** Go to the first unread line of the chat, without a keyboard that opens over it. */
  _show() {
    const { first } = this._preview;
    this._preview.read();
    // Moves since then may have pushed it out of sight.
    const { element } = this._said;
    if (first?.isConnected) element.scrollTop += first.getBoundingClientRect().top - element.getBoundingClientRect().top;
    element.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "end", behavior: "instant" });
  }

  /** Write a chat line; return its author and text, in words. */
  _addChat({ name, text: written, apart = false, phrase = null, earlier = false }) {
    const own = name === this.app.session.name;
    // What everybody can say at a click is read in one's own language.
    const text = PHRASES.includes(phrase) ? this.app.t(`quick.${phrase}`) : written;
    const marks = [apart && "talk.apart", earlier && "talk.missed"].filter(Boolean).map((key) => this.app.t(key));
    const called = isolated(name);
    const who = marks.length ? `${called} (${marks.join(", ")})` : called;
    const line = el("li", { class: "chat", "data-name": name }, [
      el("strong", { text: `${who}: ` }),
      el("bdi", { text }),
      own ? null : button(this.app.t("talk.mute"), () => this._mute(name), { "aria-label": this.app.t("talk.mute_name", { name }) }),
    ]);
    this._said.add(line);
    return { who, text, line };
  }

  /** Hide the chat of a player, who does not learn of it. */
  _mute(name) {
    this._muted.add(name);
    this._preview.read();
    for (const line of this._said.element.querySelectorAll(".chat")) if (line.dataset.name === name) line.remove();
    this.app.said.drop(this.room.code, name);
    this._drawMuted();
    this._silent.lastChild.firstChild.focus();
  }

  _hear(name) {
    this._muted.delete(name);
    this._drawMuted();
    this._input.focus();
  }

  _drawMuted() {
    keep(this._mutedPlace, [...this._muted].join("\n"));
    const again = (name) => button(this.app.t("talk.hear", { name }), () => this._hear(name));
    this._silent.replaceChildren(...[...this._muted].map((name) => el("li", {}, [again(name)])));
  }

  /** Write a line that is announced as well. */
  line(text, kind = "") {
    this._course.add(el("li", { class: kind, text }));
    this.app.say(text);
  }

  /** A sentence for each fact; a bot that sits down has its name from the rest of the page. */
  _sentences(facts, words, picture) {
    const { app, room } = this;
    return sentences(facts, words, picture).map((text, at) => {
      const { verb, args } = facts[at];
      if (verb !== "bot_added" || args.seat === picture.seat || !room.game) return text;
      return app.t("talk.bot_added", { name: args.name, bot: botText(app, room.game, args.strength) });
    });
  }

  _fact(text, fact, said) {
    if (!text) return;
    this._course.add(el("li", { class: fact.verb === "deal_started" ? "deal" : "", text }));
    if (said) this.app.say(text);
  }

  _phrase(name) {
    const said = phrase(this.app, name);
    const send = async () => {
      if (!(await this._chat(said))) return;
      this._quick.open = false;
      this._quick.firstChild.focus();
    };
    return button(said.text, send);
  }

  _chat(said) {
    return this.app.ask("chat", { table: this.room.code, ...said }, this.room.picture);
  }

  async _send() {
    const text = this._input.value.trim();
    if (!text) return;
    if (await this._chat({ text })) {
      if (this._input.value.trim() === text) this._input.value = "";
      keep(this._draft, this._input.value);
    }
  }
}

/** All facts of a table's deal, from its log, or a sentence that says why there are none. */
export async function dealFacts(app, picture) {
  const { table } = picture;
  const facts = [];
  let after = Math.max(0, picture.seq - PAGE);
  for (;;) {
    const page = await app.connection.ask("log", { table, after });
    if (page.type === "error") return app.refusal(page, picture);
    facts.push(...page.entries.flatMap((entry) => entry.facts ?? []));
    after = page.entries.at(-1)?.seq ?? page.last;
    if (after >= page.last) break;
  }
  const begun = facts.findLastIndex((fact) => fact.verb === "deal_started");
  return facts.slice(Math.max(0, begun)).map(readableFact);
}
