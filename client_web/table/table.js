// A table: shows what it is told, and turns clicks, keys and drags into moves. Its parts stand in
// modules of their own; each is given the table, and asks it for what it needs.

import { make, show } from "../dom.js";
import { Ask } from "./ask.js";
import { actionsHeight, offered, placeKey, readMoves } from "./choices.js";
import { Felt } from "./felt.js";
import { handOrder, moved } from "./hand_order.js";
import { Keys } from "./keys.js";
import { Kept, SMALL, askedWidth, layout, scaleFor } from "./layout.js";
import { modelOf } from "./model.js";
import { cardName, partsOf, zoneName } from "./names.js";
import { placed, setStyle } from "./placing.js";
import { Taps } from "./taps.js";
import { PACES, Stage, movedIn } from "./stage.js";
import { Tools } from "./tools.js";
import { backOf } from "./values.js";

const LATE_MILLISECONDS = 1000;
/** How large cards may be, in parts of their usual size. */
const SIZES = { small: 0.75, large: 1.3 };

export class TableView {
  constructor(element, callbacks) {
    this.element = element;
    this.callbacks = callbacks;
    this.scene = null;
    this.picked = [];
    this.hinted = null;
    this.problem = "";
    // What a second tap would do.
    this.noted = "";
    // Whether a move waits for its answer, for longer than most do.
    this.sent = false;
    // The tokens of the own hand as they were put in their places in this deal.
    this.arranged = [];
    this.kept = new Kept();
    this.stage = new Stage(() => performance.now());
    this.listening = new AbortController();
    this.timer = null;
  }

  // Shows the state that is told; see the page's README.
  show(scene) {
    if (this.scene === null) this.build(scene);
    this.dialogs?.read(scene);
    this.stage.pace = this.pace();
    this.stage.add(scene);
    this.step();
  }

  // Tells at once what has happened and is still to be shown.
  tellAll() {
    this.callbacks.shown?.(this.stage.takeNews(), this.scene);
  }

  // Whether the last thing that was told is what is seen.
  get settled() {
    return this.stage.settled;
  }

  end() {
    this.listening.abort();
    this.observer?.disconnect();
    clearTimeout(this.timer);
    clearInterval(this.ticking);
    this.element.style.removeProperty("min-height");
    this.element.replaceChildren();
  }

  build(scene) {
    this.feltNode = make("div", "felt");
    this.rim = make("div", "rim");
    this.felt = new Felt(this.feltNode, scene.words);
    this.ask = new Ask(this);
    this.tools = new Tools(this);
    this.sheets = null;
    this.enlarged = null;
    this.keys = new Keys(this);
    this.taps = new Taps(this);
    this.root = make("section", "cardtable", this.rim, this.tools.facts, this.tools.teams, this.tools.element, this.feltNode, this.ask.element);
    this.element.replaceChildren(this.root);
    this.keys.listen();
    this.taps.listen();
    this.loaded = this.loadMore();
    this.size = null;
    this.observer = new ResizeObserver(() => this.resized());
    for (const node of [this.element, this.root]) this.observer.observe(node);
  }

  // The window has another size, or the table has grown by itself.
  resized() {
    const { width, height } = this.measured();
    const { style } = this.element;
    if (this.size?.width === width && this.size.height === height) return;
    if (this.size?.width !== width) style.removeProperty("min-height");
    this.kept.clear();
    this.size = null;
    if (this.scene) this.draw(true);
  }

  // How large the felt is, as it is laid, without what of it lies under a notch or a home indicator.
  measured() {
    const { element, root } = this;
    this.scale = scaleFor({ width: element.clientWidth, height: element.clientHeight });
    setStyle(root, "--scale", String(this.scale));
    const width = element.clientWidth / this.scale - root.offsetWidth + root.clientWidth;
    return { width, height: element.clientHeight / this.scale - root.offsetHeight + root.clientHeight };
  }

  // Where on the felt a pointer is.
  pointed({ clientX, clientY }) {
    const { left, top } = this.feltNode.getBoundingClientRect();
    return [(clientX - left) / this.scale, (clientY - top) / this.scale];
  }

  // What the first picture of a table does without.
  async loadMore() {
    try {
      const [{ Enlarged }, { Dragging }, { InWords }, { Sheets }, { Dialogs }, { showClocks }] = await Promise.all([
        import("./enlarged.js"), import("./dragging.js"), import("./in_words.js"), import("./sheets.js"),
        import("./dialogs.js"), import("./clocks.js"),
      ]);
      if (this.listening.signal.aborted) return;
      this.ticking = setInterval(() => showClocks(this.felt.clocks(), this.scene), 500);
      this.enlarged = new Enlarged(this);
      this.sheets = new Sheets(this);
      this.root.append(this.enlarged.element, this.sheets.element);
      if (this.stage.resting?.scored) this.sheets.showDeal(this.stage.resting);
      this.enlarged.listen();
      this.dragging = new Dragging(this);
      this.dragging.listen();
      this.dialogs = new Dialogs(this);
      this.inWords = new InWords(this);
      this.root.append(this.inWords.element);
      if (isOver(this.scene)) this.draw();
      else this.inWords.draw();
      this.tools.drawButtons();
    } catch {
      this.callbacks.incomplete?.();
    }
  }

  on(name, act) {
    this.root.addEventListener(name, act, { signal: this.listening.signal });
  }

  // Shows the frames of what has arrived that are due, and comes back when the next one is. Of
  // several nobody would see any but the last, so it alone is drawn.
  step() {
    clearTimeout(this.timer);
    const frames = this.stage.due();
    for (const frame of frames) {
      const before = this.scene;
      this.scene = frame.scene;
      if (before?.question?.turn !== this.scene.question?.turn) {
        this.picked = [];
        this.hinted = null;
        this.problem = "";
        this.noted = "";
        this.sent = false;
      }
      const isAnew = before?.view?.values?.deal !== this.scene.view.values?.deal;
      if (frame.scene.fresh || isAnew) this.kept.clear();
      if (isAnew) this.arranged = [];
      if (frame.rest && !frame.scored) this.dialogs?.remember();
    }
    const last = frames.at(-1);
    if (last) {
      this.sheets?.showDeal(last);
      this.draw(frames.length > 1 || last.scene.fresh, last.facts);
      this.callbacks.shown?.(frames.flatMap((frame) => frame.news), last.scene);
    }
    const wait = this.stage.wait();
    if (wait !== null) this.timer = setTimeout(() => this.step(), wait);
  }

  words() {
    return this.scene.words;
  }

  say(key, args) {
    return this.words().page(`table.${key}`, args);
  }

  // A line for the page's live region.
  tell(text) {
    this.callbacks.say?.(text);
  }

  draw(fresh = false, facts = []) {
    const { scene, felt } = this;
    felt.words = scene.words;
    felt.faces.read(scene.legend ?? []);
    felt.faces.large = this.isSet("indices", "large");
    this.model = modelOf(scene, handOrder(scene, this.setting("order"), this.arranged));
    this.resize(SIZES[this.setting("size")] ?? 1);
    if (isOver(scene)) this.dialogs?.lay(this.model);
    this.markSeats();
    const live = this.stage.settled && scene.online !== false && !scene.bot;
    const words = this.words();
    this.read = readMoves(live ? scene : { ...scene, question: null }, (action, text) => words.action(action, text));
    this.offer = offered(this.read, this.picked);
    const question = this.ask.text();
    const buttons = this.ask.worded();
    // To ask for a size lays out all that has changed before: it is asked for once.
    this.size ??= this.measured();
    const { width, height } = this.size;
    const room = askedWidth({ width, height });
    // What a tap, a hint or a refusal puts in place of the question moves nothing under the finger.
    const heightOf = (text) => actionsHeight(text, buttons, room, width < SMALL);
    // While there is no connection nothing is offered, and nothing moves for that.
    if (scene.online !== false || this.actions === undefined) this.actions = heightOf(this.ask.asked());
    const { actions } = this;
    this.laid = layout(this.model, { width, height, actions, kept: this.kept.get(actions) });
    this.kept.set(actions, this.laid.kept);
    if (this.laid.height > height) this.grow(this.laid.height);
    const { rim } = this.laid.areas;
    show(this.rim, Boolean(rim));
    if (rim) placed(this.rim, rim);
    this.tools.draw(this.laid.areas);
    this.ask.draw(question, buttons, this.laid.areas.actions, heightOf(question) > actions);
    this.root.classList.toggle("is-small", width < SMALL);
    this.root.classList.toggle("is-mine", this.isMine());
    this.root.classList.toggle("plays-elsewhere", ![...this.offer.places.keys()].some((place) =>
      place.includes(" ") && partsOf(place.split(" ")[0]).seat === scene.seat));
    this.root.classList.toggle("two-colours", this.isSet("suits", "two"));
    felt.draw(this.laid, this.model, {
      offer: this.offer,
      isForbidden: (item) => this.isForbidden(item),
      nameOf: {
        card: (item, place) => this.nameOfCard(item, place),
        zone: (zone) => zoneName(zone, scene),
        back: (item) => backOf(item.zone, scene),
        hint: (place) => this.hinted?.places.includes(place),
        mark: (place) => scene.marks?.get(place),
      },
      fresh,
      pace: this.pace(),
      moved: movedIn(facts),
    });
    this.keys.rove();
    this.enlarged?.check();
    this.inWords?.draw();
  }

  nameOfCard(item, place) {
    const { marks } = this.scene;
    const name = cardName(item, this.offer.places.get(place), this.scene);
    return marks?.has(place) ? `${name}, ${this.say(`marked_${marks.get(place)}`)}` : name;
  }

  // In a small window many seats need more room than there is: the page scrolls.
  grow(height) {
    const beyond = this.element.clientHeight - this.measured().height * this.scale;
    this.element.style.setProperty("min-height", `${height * this.scale + beyond}px`);
    this.size = { ...this.size, height };
  }

  // What other than the cards is said of each seat.
  markSeats() {
    const { info } = this.scene;
    for (const seat of this.model.seats) {
      const chair = info?.seats?.[seat.seat];
      seat.away = chair?.away;
      seat.note = chair?.away ? this.say("away") : chair?.stand_in ? this.say("bot_plays") : "";
      if (info?.phase !== "playing") seat.asked = false;
    }
  }

  isMine() {
    return this.read.moves.length > 0 || this.read.pick !== null;
  }

  isForbidden(item) {
    if (!this.isMine() || item.token === null || item.below || item.played !== undefined) return false;
    if (partsOf(item.zone).seat !== this.scene.seat || this.picked.length) return false;
    const some = [...this.offer.places.keys()].some((place) => place.includes(" "));
    const mine = item.hand || item.slot;
    return Boolean(some && mine && !this.offer.places.has(placeKey(item.zone, item.token)));
  }

  setting(name) {
    return this.callbacks.setting?.(name) ?? null;
  }

  isSet(name, value) {
    return this.setting(name) === value;
  }

  // How long cards move and rest, in parts of the usual time.
  pace() {
    return PACES[this.setting("pace")] ?? 1;
  }

  // Cards of another size are laid anew.
  resize(size) {
    this.model.size = size;
    if (size !== this.cards) this.kept.clear();
    this.cards = size;
  }

  // Puts the card of the own hand that lies at one place at another, until the next deal.
  arrange(from, to) {
    const tokens = this.hand();
    if (from === to || !(from in tokens) || !(to in tokens)) return;
    this.arranged = moved(tokens, from, to);
    this.draw();
    this.tell(this.say("placed", { card: this.words().cardName(tokens[from]), at: to + 1, count: tokens.length }));
  }

  // The tokens of the own hand, from left to right.
  hand() {
    return (this.model.seats[0]?.own && this.model.seats[0].hand?.cards.map(({ token }) => token)) || [];
  }

  // ---- what a player does

  async act(action, turn, isShown = false) {
    if (!isShown) this.enlarged?.show(null);
    if (!this.stage.settled) return;
    const late = setTimeout(() => this.isLate(turn), LATE_MILLISECONDS);
    const answer = await this.callbacks.act(action, turn);
    clearTimeout(late);
    if (this.sent) {
      this.sent = false;
      this.draw();
    }
    if (answer && this.scene.question?.turn === turn) this.complain(answer);
  }

  // A move is on its way for so long that somebody may think it was not made.
  isLate(turn) {
    if (this.listening.signal.aborted || this.scene.question?.turn !== turn) return;
    this.sent = true;
    this.noted = "";
    this.draw();
    this.tell(this.ask.text());
  }

  // Why something was refused, seen and heard.
  complain(problem) {
    this.problem = problem;
    this.noted = "";
    this.draw();
    this.tell(problem);
  }

  // Takes back what was chosen of a move.
  unpick() {
    if (!this.picked.length) return;
    this.picked = [];
    this.problem = "";
    this.noted = "";
    this.draw();
  }
}

const isOver = (scene) => scene.info?.phase === "finished";
