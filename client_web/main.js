// Starts the page and holds its parts together: who plays here, the connection, the screen in view.
//
// A screen is an object with an `element`, `happened(event)` for everything that the session and the
// connection tell, and `end()`.

import { now } from "./clock.js";
import { connectionTo } from "./connection.js";
import { mark } from "./dom.js";
import { Frame } from "./frame.js";
import { Entry } from "./lobby/entry.js";
import { Lobby } from "./lobby/lobby.js";
import { translated } from "./lobby/translated.js";
import { LaterTexts, readTexts } from "./later_texts.js";
import { wear } from "./looks.js";
import { Memory, Said } from "./memory.js";
import { Preferences } from "./preferences.js";
import { Updates } from "./updates.js";
import { namesOf } from "./picture.js";
import { Speaker } from "./words.js";

/** A timer's second that took this many seconds shows that the computer has slept. */
const SLEEP_SECONDS = 5;
/** The languages with texts, each with its own name. */
const LANGUAGES = JSON.parse(document.documentElement.dataset.languages);
/** The part of an address behind its #: a table to open, or a device's code. */
const LINK = /^#(open|device)=(?:%20)*([A-Za-z0-9_-]{1,64})(?![A-Za-z0-9_-])/;

class App {
  /** `texts` are those of the first screen, `later` those of all others. */
  constructor(texts, later, memory) {
    this.root = new URL("../", import.meta.url);
    this.texts = texts;
    this.words = new Speaker(texts);
    this._later = later;
    this.memory = memory;
    /** What the player has set, for their other devices as well. */
    this.preferences = new Preferences(this);
    this.said = new Said(() => this.session.name);
    this.games = null;
    this.screen = null;
    this.connection = null;
    this._cards = new Map();
    this._frame = new Frame(this, Object.entries(LANGUAGES), {
      home: () => this.go(""),
      settings: () => this._openSettings(),
      again: () => this.connection.open(),
      rename: (refused) => this._rename(refused),
      language: (chosen) => {
        memory.set("language", chosen);
        this.screen?.keepBot?.();
        location.reload();
      },
    });
    this._updates = new Updates(this, this._frame.main);
  }

  /** The page's own words. */
  t(key, args) {
    return this.words.page(key, args);
  }

  get session() {
    return this.connection.session;
  }

  /** Words for a table in its present state. */
  wordsFor(picture) {
    return new Speaker(this.texts, namesOf(picture.info), picture.legend, picture.seat, picture.info.game);
  }

  /** Send a command; resolves with the answer, or with null after the refusal was shown. */
  async ask(type, fields = {}, picture = null) {
    const answer = await this.connection.ask(type, fields);
    if (answer.type !== "error") return answer;
    await this.refuse(answer, picture);
    return null;
  }

  /** The reason why a command was refused, in a sentence. */
  async refusal(error, picture = null) {
    const part = await this.load(() => import("./refusals.js"), false);
    return part ? part.refusalOf(this, error, picture) : this.words.advice(error.code);
  }

  /** Show the reason of a refusal, unless another screen is shown by then. */
  async refuse(error, picture = null) {
    const { alerts } = this._frame;
    const told = await this.refusal(error, picture);
    if (alerts === this._frame.alerts) this._frame.refused(told);
  }

  /** The lobby's card of a game with its rules, requested once. */
  game(id) {
    if (!this._cards.has(id)) {
      const card = this.connection.ask("games", { game: id });
      this._cards.set(id, card.then(async (answer) => (await this.worded(answer.games ?? []))[0] ?? null));
    }
    return this._cards.get(id);
  }

  /** A server's games with their options and bots in the language of the page. */
  async worded(games) {
    if (this._later.isWires) return games;
    const texts = await this.more();
    return texts ? games.map((game) => translated(game, texts)) : games;
  }

  /** Load texts that no table needs; null if they cannot be loaded. */
  more() {
    return this.load(() => this._later.more(), false);
  }

  /** Add to the texts what the first screen does without. */
  async allTexts() {
    fillIn(this.texts, await this._later.rest());
  }

  /** A game's page of rules in the language of the page. */
  rules(game) {
    return this._later.rules(game);
  }

  /** Announce a line in the one polite live region. */
  say(text) {
    this._frame.say(text);
  }

  /** Announce a line that is shown as well (see `Frame`). */
  alert(text, news = false, said = true) {
    this._frame.alert(text, news, said);
  }

  /** Go to an address below the root: "" for the lobby, "t/CODE" for a table. */
  go(path, state = null) {
    history.pushState(state, "", new URL(path, this.root));
    this.route();
  }

  /** Show the screen of the address. */
  route() {
    const path = location.pathname.slice(this.root.pathname.length).replace(/\/$/, "");
    // A link that was copied out of a sentence may end as that does.
    const [, named, past] = /^t\/([A-Za-z0-9]{1,16})(\/replay)?(?:[/.,;:!)'*_]|%20)*$/.exec(path) ?? [];
    const code = named?.toUpperCase();
    this._routed = {};
    const byLink = this._byLink;
    this._byLink = false;
    if (this.screen?.isAt?.(path)) return;
    this.alert("");
    if (!this.connection) this._enter(code, Boolean(past));
    else if (past) this._replay(code);
    else if (code) this._room(code, byLink);
    else if (history.state?.screen === "new") this._new(history.state.game);
    else this._show(new Lobby(this));
  }

  /** Ask for a name; the table's files of a link load while the visitor types it. */
  _enter(code, past) {
    const entry = new Entry(this, code, past);
    this._show(entry);
    if (!code || past) return;
    const load = () => this.load(loadTable);
    entry.element.addEventListener("input", load, { once: true });
  }

  /** Show a table, unless the address has changed by the time its modules are loaded. */
  async _room(code, byLink) {
    const routed = this._routed;
    const part = await this.load(() => import("./room/room.js"));
    if (part && routed === this._routed) this._show(new part.Room(this, code, byLink));
  }

  /** Show the replay of a table, whose modules are loaded when needed. */
  async _replay(code) {
    const here = location.pathname;
    const part = await this.load(() => import("./replay/replay.js"));
    if (part && location.pathname === here) this._show(new part.Replay(this, code));
  }

  /** Show the form for a table of this game. */
  async _new(game) {
    const part = await this.load(() => import("./lobby/new_table.js"));
    if (part && history.state?.game === game) this._show(new part.NewTable(this, game));
  }

  /** Take `name` as the player's name, and come in. */
  enter(name) {
    this.memory.set("name", name);
    this.connection?.end();
    this.connection = this._connect(name);
    this.connection.open();
    this.route();
  }

  /** Ask whether to become the player whose other device has made this code. */
  async offerDevice(code) {
    const part = await this.load(() => import("./lobby/becoming.js"));
    part?.offerToBecome(this, code);
  }

  /** Become the player whose other device has made this code, which is valid once. */
  becomeDevice(code) {
    this.connection?.end();
    this.connection = this._connect(null, code);
    this.connection.open();
    this.route();
  }

  _connect(name, code = null) {
    const who = { name, token: this.memory.get("token"), code, device: deviceName(), heard: this.said.heard(name) };
    return connectionTo(this.root, who, (event) => this._happened(event));
  }

  _happened(event) {
    if (event.kind === "welcomed") this._welcomed(event.welcome);
    this._frame.happened(event);
    if (event.kind === "chat") this.said.add(event.chat);
    if (event.kind === "closed") this.said.forget(event.picture.table);
    if (event.kind === "error" && event.error.code !== "replaced") {
      this.refuse(event.error);
    }
    this.screen?.happened(event);
    if (event.kind === "answered") this._updates.renew();
    if (event.kind === "welcomed" && this.launching?.table) this._launch();
  }

  /** Show the table with which `blackqueen play --browser` has opened the page. */
  async _launch() {
    const launching = this.launching;
    this.launching = null;
    const part = await this.load(() => import("./lobby/launch.js"), false);
    const code = await part?.launch(this, launching);
    if (code) this.go(`t/${code}`);
  }

  _welcomed(welcome) {
    this.memory.set("token", welcome.token);
    this.memory.set("name", welcome.name);
    this._frame.name(welcome.name);
    if (welcome.renamed) this._openSettings(this.t("you.renamed"));
    this.preferences.welcomed();
    this._updates.check();
    this._updates.renew();
    // It has to be there before somebody touches the page.
    this.sounds();
  }

  /** Report that a part of the page could not be loaded. */
  loadAnew() {
    this._updates.begin();
  }

  /** Ask for another name, as the server refused it; a useless code changes no player. */
  _rename(refused) {
    const code = this.session.code;
    this.connection = null;
    if (code === null) this.memory.set("name", null);
    this.begin();
    if (code === null) this.refuse(refused);
    else this.alert(this.t("devices.useless"));
  }

  /** Come in under the name that is stored here, or else `name`; without one, ask for it. */
  begin(name = null) {
    const known = this.memory.get("name") ?? name;
    this._byLink = Boolean(known);
    if (known) this.enter(known);
    else this.route();
  }

  _show(screen) {
    this.screen?.end();
    document.querySelector("dialog.sure")?.close();
    this.screen = screen;
    this._frame.main.replaceChildren(screen.element);
    this.around(screen);
    // Another screen begins at its top, wherever the one before was scrolled to.
    scrollTo(0, 0);
    document.title = screen.title ? `${screen.title} – ${this.t("title")}` : this.t("title");
    const focused = screen.element.querySelector("[data-focus]") ?? screen.element.querySelector("h1");
    focused?.focus();
  }

  /** Mark the whole document with the present screen: `room playing`, `entry`. */
  around(screen) {
    if (screen !== this.screen) return;
    const { className, dataset } = screen.element;
    mark(document.documentElement, "data-screen", [className, dataset.phase ?? ""].join(" ").trim());
  }

  async _openSettings(why = "") {
    if (!this.connection) return;
    const settings = await this.load(() => import("./lobby/settings.js"));
    if (settings) new settings.Settings(this, why).open();
  }

  /** Ask before doing something; false if not, or if another screen is shown by then. */
  async sure(question, yes) {
    const { screen } = this;
    const part = await this.load(() => import("./sure.js"));
    return Boolean(part && (await part.sure(this, question, yes))) && screen === this.screen;
  }

  /** Show what the player may set at tables; `redraw` of the screen shows what is changed. */
  async openLooks() {
    const part = await this.load(() => import("./table/settings.js"));
    part?.openSettings(this);
  }

  /** Load a part of the page that is not always needed, and what it says if it speaks; null if that fails. */
  async load(loading, speaks = true) {
    try {
      const [part] = await Promise.all([loading(), speaks ? this.allTexts() : null]);
      return part;
    } catch {
      // The server has other files now, or was away; a browser does not ask for a module again.
      this.loadAnew();
      return null;
    }
  }

  /** Load the sounds, if this player wants any or is `about` to; null if not. */
  async sounds(about = false) {
    if (!about && this.memory.get("sounds") !== true) return null;
    const sounds = await this.load(() => import("./sounds.js"), false);
    this._sounds ??= sounds && new sounds.Sounds(() => this.memory.get("sounds") === true);
    return this._sounds;
  }
}

/** Load the script that draws a table, if the document names it. */
function loadTable() {
  const named = document.querySelector("head > template");
  if (named) document.head.append(named.content);
  return Boolean(named);
}

/** Put into the tree `texts` what `others` has besides. */
function fillIn(texts, others) {
  for (const [name, other] of Object.entries(others)) {
    if (Object.hasOwn(texts, name) && typeof other === "object") fillIn(texts[name], other);
    else texts[name] = other;
  }
}

/** The name of this browser in a list of devices, which includes its system. */
function deviceName() {
  const system = /Android|iPhone|iPad|Windows|Macintosh|CrOS|Linux/.exec(navigator.userAgent)?.[0];
  return system ? `browser, ${system}` : "browser";
}

/** Start once this module has ended, as modules loaded before would wait for its end. */
async function begin() {
  const memory = new Memory(new URL("../", import.meta.url).pathname);
  const wished = [memory.get("language"), ...navigator.languages.map((tag) => tag.split("-")[0])];
  const language = wished.find((each) => Object.hasOwn(LANGUAGES, each)) ?? "en";
  document.documentElement.lang = language;
  wear(memory);
  const later = new LaterTexts(language);
  // Who has a name here goes on at the table; others are asked for theirs, and nothing else comes.
  if (memory.get("name") && loadTable()) later.rest();
  const app = new App(await readTexts(language), later, memory);
  window.addEventListener("popstate", () => app.route());
  window.addEventListener("hashchange", () => LINK.test(location.hash) && location.reload());
  checkWhenItMayBeGone(app);
  // A link may come from anybody: what it may do unasked is in the README beside this file.
  const [, said, secret] = LINK.exec(location.hash) ?? [];
  app.launching =
    said === "open" ? await app.load(async () => (await import("./lobby/launch.js")).launchBy(app.root, secret), false) : null;
  // Both are good once, so they are not kept in the history either.
  if (said === "device" || app.launching) history.replaceState(null, "", app.root);
  app.begin(app.launching?.name);
  if (said === "device") app.offerDevice(secret);
}

/** See to the connection whenever it may be gone. A browser says little of a computer that has slept. */
function checkWhenItMayBeGone(app) {
  const check = () => document.visibilityState === "visible" && app.connection?.check();
  for (const name of ["online", "offline", "pageshow"]) window.addEventListener(name, check);
  document.addEventListener("visibilitychange", check);
  let beat = now();
  setInterval(() => {
    if (now() - beat > SLEEP_SECONDS) check();
    beat = now();
  }, 1000);
}

begin();
