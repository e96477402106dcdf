// A table: shows what it is told, and turns clicks, keys and drags into moves.

import { actionsHeight, clicked, offered, placeKey, readMoves, refusedAction } from "./choices.js";
import { Felt, signed } from "./felt.js";
import { layout } from "./layout.js";
import { lastTrick, playsTricks } from "./last_trick.js";
import { labelOf, modelOf, partsOf } from "./model.js";
import { Stage } from "./stage.js";

const DRAGGED = 8;
const PEEK_BELOW = 96;

function make(tag, kind, ...children) {
  const node = document.createElement(tag);
  if (kind) node.className = kind;
  node.append(...children);
  return node;
}

export class TableView {
  constructor(element, callbacks) {
    this.element = element;
    this.callbacks = callbacks;
    this.told = null;
    this.picked = [];
    this.peeked = null;
    this.hinted = null;
    this.problem = "";
    this.largest = Infinity;
    this.stage = new Stage(() => performance.now());
    this.listening = new AbortController();
    this.timer = null;
  }

  // Shows the state that is told; see the page's README.
  show(told) {
    const first = this.told === null;
    this.latest = told;
    if (first) this.build(told);
    if (told.fresh) this.last = lastTrick(told.deal ?? [], told) ?? this.last;
    this.stage.add(told);
    this.step();
  }

  end() {
    this.listening.abort();
    this.observer?.disconnect();
    clearTimeout(this.timer);
    clearInterval(this.ticking);
    this.element.replaceChildren();
  }

  build(told) {
    const root = make("section", "cardtable");
    this.root = root;
    this.status = make("div", "facts");
    this.feltNode = make("div", "felt");
    this.actions = make("div", "ask");
    this.peekNode = make("div", "peek");
    this.peekNode.hidden = true;
    this.peekNode.setAttribute("aria-hidden", "true");
    this.question = make("p", "question");
    this.buttons = make("div", "buttons");
    this.actions.append(this.question, this.buttons);
    this.tools = make("div", "tools");
    this.sheet = make("div", "sheet");
    this.sheet.hidden = true;
    root.append(this.status, this.tools, this.feltNode, this.actions, this.peekNode, this.sheet);
    this.element.replaceChildren(root);
    this.felt = new Felt(this.feltNode, told.words);
    this.peekFace = this.felt.faces.svg();
    this.peekNode.append(this.peekFace);
    const on = (target, name, act) => target.addEventListener(name, act, { signal: this.listening.signal });
    on(root, "click", (event) => this.click(event));
    on(root, "keydown", (event) => this.key(event));
    on(root, "pointerdown", (event) => this.press(event));
    on(root, "pointermove", (event) => this.move(event));
    on(root, "pointerup", (event) => this.release(event));
    on(root, "pointercancel", () => {
      this.drop();
      this.dragging = null;
    });
    on(root, "pointerover", (event) => this.hover(event));
    on(root, "focusin", (event) => this.focused(event));
    on(root, "pointerleave", () => this.peek(null));
    this.observer = new ResizeObserver(() => {
      this.largest = Infinity;
      if (this.told) this.draw(true);
    });
    this.observer.observe(this.element);
    this.ticking = setInterval(() => this.tick(), 500);
  }

  // Shows the next frame of what has arrived, and comes back when the one after it is due.
  step() {
    clearTimeout(this.timer);
    const frames = this.stage.due();
    for (const frame of frames) {
      const before = this.told;
      this.told = frame.told;
      if (before?.question?.turn !== this.told.question?.turn) {
        this.picked = [];
        this.hinted = null;
        this.problem = "";
      }
      if (before?.view?.values?.deal !== this.told.view.values?.deal) this.largest = Infinity;
      this.frame = frame;
      if (frame.rest && !frame.scored) this.remember();
      this.showScores(frame.scored ?? null);
      this.draw(frame.told.fresh || frames.length > 1, frame.facts);
    }
    const wait = this.stage.wait();
    if (wait !== null) this.timer = setTimeout(() => this.step(), wait);
  }

  words() {
    return this.told.words;
  }

  say(key, args) {
    return this.words().page(`table.${key}`, args);
  }

  draw(fresh = false, facts = []) {
    const { told } = this;
    this.felt.words = told.words;
    this.felt.faces.read(told.legend ?? []);
    this.felt.faces.large = this.isSet("indices", "large");
    const words = this.words();
    this.model = modelOf(told);
    for (const seat of this.model.seats) {
      const chair = told.info?.seats?.[seat.seat];
      seat.away = chair?.away;
      seat.note = chair?.away ? this.say("away") : chair?.stand_in ? this.say("bot_plays") : "";
      if (told.info?.phase !== "playing") seat.asked = false;
    }
    const live = this.stage.settled && told.online !== false;
    this.read = readMoves(live ? told : { ...told, question: null }, (action, text) => words.action(action, text));
    this.offer = offered(this.read, this.picked);
    const question = this.questionText();
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    const buttons = this.wordedButtons();
    const wide = width / height > 1.5 && height < 560;
    const actions = actionsHeight(question, buttons, wide ? width * 0.56 : width - 16);
    this.laid = layout(this.model, { width, height, actions, most: this.largest });
    this.largest = Math.min(this.largest, this.laid.card + 8);
    this.drawStatus();
    this.drawTools();
    this.drawActions(question, buttons);
    const place = (node, area) => {
      for (const side of ["x", "y", "w", "h"]) node.style.setProperty(`--${side}`, `${Math.round(area[side])}px`);
    };
    place(this.status, this.laid.areas.status);
    this.tools.style.setProperty("--x", `${Math.round(this.element.clientWidth)}px`);
    if (this.laid.areas.actions) place(this.actions, this.laid.areas.actions);
    this.root.classList.toggle("is-mine", this.isMine());
    this.root.classList.toggle("two-colours", this.isSet("suits", "two"));
    this.felt.draw(this.laid, this.model, {
      offer: this.offer,
      isForbidden: (item) => this.isForbidden(item),
      nameOf: {
        card: (item, place) => this.cardName(item, place),
        zone: (zone) => this.zoneName(zone),
        back: (item) => this.backOf(item),
        hint: (place) => this.hinted?.places.includes(place),
      },
      fresh,
      moved: movedIn(facts),
    });
    this.rove();
    if (this.peeked && !this.felt.nodes.card.has(this.peeked)) this.peek(null);
  }

  isMine() {
    return this.read.moves.length > 0 || this.read.pick !== null;
  }

  isForbidden(item) {
    if (!this.isMine() || item.token === null || item.below || item.played !== undefined) return false;
    if (partsOf(item.zone).seat !== this.told.seat || this.picked.length) return false;
    const some = [...this.offer.places.keys()].some((place) => place.includes(" "));
    const mine = item.hand || item.slot;
    return Boolean(some && mine && !this.offer.places.has(placeKey(item.zone, item.token)));
  }

  backOf(item) {
    const known = this.told.view.values?.[`play/backs/${item.zone}`];
    if (typeof known === "string" && known) return known.split(" ").at(-1).toLowerCase();
    const backs = new Set((this.told.legend ?? []).map((card) => card.back ?? "standard"));
    return backs.size === 1 ? [...backs][0] : "standard";
  }

  // What a screen reader says of a card: what a click does, its name, where it lies.
  cardName(item, place) {
    const { kind, seat, slot } = partsOf(item.zone);
    const name = this.words().cardName(item.token);
    const moves = this.offer.places.get(place);
    const verb = moves?.length === 1 && moves[0].cards.length === 1 && !moves[0].zones.length
      ? moves[0].action.split(" ")[0] : "";
    const title = labelOf(kind, this.told.labels).title;
    const where = kind === "hand" && seat === this.told.seat ? "" : slot ? `${title} ${slot}` : title;
    const whose = seat === null || seat === this.told.seat ? "" : this.words().name(seat);
    const first = verb ? `${verb} ${name}` : name;
    return [first, where, whose].filter(Boolean).join(", ");
  }

  zoneName(zone) {
    const { kind, seat, slot } = partsOf(zone);
    const title = `${labelOf(kind, this.told.labels).title} ${slot}`.trim();
    return seat === null || seat === this.told.seat ? title : `${title}, ${this.words().name(seat)}`;
  }

  questionText() {
    const { told } = this;
    if (this.problem) return this.problem;
    if (this.hinted) return this.hinted.text;
    if (told.info?.phase === "finished") return this.say("over");
    if (told.info?.phase === "paused") return this.say("paused");
    if (this.isMine()) {
      const asked = told.view.values?.["now/choice"];
      if (this.read.pick && this.offer.pick) {
        const { least, most, verb } = this.read.pick;
        const pick = this.say(least === most ? "pick" : "pick_some", { verb, least, most });
        return `${this.say("your_turn")} ${pick}`;
      }
      if (this.picked.length) return this.say("go_on");
      return typeof asked === "string" ? `${this.say("your_turn")} ${asked}.` : this.say("your_turn");
    }
    const others = (told.question?.to_act ?? []).filter((seat) => seat !== told.seat);
    if (!others.length) return "";
    const names = others.map((seat) => told.words.name(seat));
    return others.length > 2 ? this.say("waiting_many", { count: others.length })
      : this.say("waiting", { names: names.join(", ") });
  }

  wordedButtons() {
    const buttons = this.offer.buttons.map((each) =>
      each.label === null
        ? { ...each, label: upper(this.say("confirm", { verb: each.verb, count: each.chosen })) }
        : each,
    );
    if (this.picked.length) buttons.push({ label: this.say("cancel"), cancel: true });
    return buttons;
  }

  drawStatus() {
    const parts = this.model.status;
    const keep = (at, title, text) => {
      const node = this.status.children[at] ?? this.status.appendChild(make("span", "fact", make("span"), make("b")));
      node.children[0].textContent = title;
      node.children[1].textContent = text;
    };
    parts.forEach(([title, text], at) => keep(at, title, text));
    while (this.status.children.length > parts.length) this.status.lastChild.remove();
  }

  drawActions(question, buttons) {
    if (this.question.textContent !== question) this.question.textContent = question;
    this.question.classList.toggle("is-problem", Boolean(this.problem));
    const had = this.buttons.contains(document.activeElement);
    buttons.forEach((button, at) => {
      const node = this.buttons.children[at] ?? this.buttons.appendChild(make("button", "choice"));
      node.type = "button";
      node.textContent = button.amount ?? button.label;
      if (button.amount) node.setAttribute("aria-label", button.label);
      else node.removeAttribute("aria-label");
      node.classList.toggle("is-amount", Boolean(button.amount));
      node.classList.toggle("is-quiet", Boolean(button.cancel));
      node.classList.toggle("is-hint", Boolean(button.action && button.action === this.hinted?.action));
      node.setAttribute("aria-disabled", String(button.action === null));
      node.dataset.key = `choice ${at}`;
      node.choice = button;
    });
    while (this.buttons.children.length > buttons.length) this.buttons.lastChild.remove();
    if (had && !this.buttons.contains(document.activeElement)) this.focusFirst();
  }

  // Small buttons beside the facts: what is possible now.
  drawTools() {
    const { info } = this.told;
    const people = (info?.seats ?? []).filter((chair) => chair.kind === "human").length;
    const playing = info?.phase === "playing" && this.told.seat !== null;
    const tools = [
      playing && this.isMine() && info.settings?.hints !== false && ["hint", () => this.hint()],
      playing && people === 1 && ["undo", () => this.undo()],
      (this.last || this.mayHaveLast()) && ["last_trick", () => this.showLast()],
      this.kept().length > 0 && ["scores", () => this.showSheet()],
      ["settings", () => this.showSettings()],
    ].filter(Boolean);
    tools.forEach(([key, act], at) => {
      const node = this.tools.children[at] ?? this.tools.appendChild(make("button", "tool"));
      node.type = "button";
      node.act = act;
      if (node.textContent !== this.say(key)) node.textContent = this.say(key);
    });
    while (this.tools.children.length > tools.length) this.tools.lastChild.remove();
  }

  isSet(name, value) {
    return this.callbacks.setting?.(name) === value;
  }

  // How this browser shows cards; what is changed is seen at once, and remembered.
  showSettings() {
    const box = (name, value, text) => {
      const input = make("input");
      input.type = "checkbox";
      input.checked = this.isSet(name, value);
      input.addEventListener("change", () => this.set(name, input.checked ? value : null));
      return make("label", "", input, this.say(text));
    };
    const boxes = [box("suits", "two", "two_colours"), box("indices", "large", "large_indices")];
    this.open(this.say("settings"), make("div", "settings", ...boxes), this.words().page("close"));
  }

  set(name, value) {
    this.callbacks.set?.(name, value);
    this.draw(true);
  }

  async undo() {
    const refused = await this.callbacks.undo?.();
    if (!refused) return;
    this.problem = refused;
    this.draw();
    this.callbacks.say?.(refused);
  }

  // Keeps the trick that is about to be taken away.
  remember() {
    const model = modelOf(this.told);
    const trick = model.seats.flatMap((seat) => seat.trick.map((card) => ({ seat: seat.seat, token: card.token })));
    if (trick.some((card) => card.token !== null)) this.last = trick;
  }

  // Whether a trick may have been taken before the first fact that this page was told.
  mayHaveLast() {
    return Boolean(this.told.earlier && this.callbacks.earlier && playsTricks(this.told));
  }

  async showLast() {
    if (!this.last) {
      const facts = await this.callbacks.earlier();
      if (typeof facts !== "string") this.last = lastTrick(facts, { ...this.told, earlier: 0 });
      if (!this.last) {
        this.problem = typeof facts === "string" ? facts : this.say("no_trick");
        this.draw();
        this.callbacks.say?.(this.problem);
        return;
      }
    }
    const cards = this.last.filter((card) => card.token !== null).map(({ seat, token }) => {
      const face = this.felt.faces.svg();
      this.felt.faces.fill(face, token, "full");
      return make("li", "", make("div", "shown", face), make("span", "", `${this.words().name(seat, true)}: ${
        this.words().cardName(token)}`));
    });
    this.open(this.say("last_trick"), make("ul", "faces", ...cards));
  }

  // What a deal has scored, until somebody goes on.
  showScores(fact) {
    if (!fact) {
      if (this.scored) this.close();
      this.scored = false;
      return;
    }
    const { scores = [], totals = [] } = fact.args;
    const rows = scores.map((score, seat) => [this.words().name(seat, true), signed(score), signed(totals[seat] ?? score)]);
    this.open(this.say("deal_over"), grid(["", this.say("deal_score"), this.say("total")], rows));
    this.scored = true;
  }

  // The deals that the view keeps on its score sheet: [deal, scores by seat].
  kept() {
    const values = Object.entries(this.told.view.values ?? {});
    return values.filter(([key]) => key.startsWith("sheet/score/"))
      .map(([key, scores]) => [Number(key.split("/")[2]), scores]).sort((a, b) => a[0] - b[0]);
  }

  showSheet() {
    const names = (this.told.info?.seats ?? []).map((_, seat) => this.words().name(seat, true));
    const rows = this.kept().map(([deal, scores]) => [String(deal), ...scores.map(signed)]);
    const totals = names.map((_, seat) => signed(this.told.view.values[`total/${seat}`] ?? 0));
    this.open(this.say("scores"), grid([this.say("deal"), ...names], [...rows, [this.say("total"), ...totals]]));
  }

  open(title, content, closing = this.say("go_on_button")) {
    const close = make("button", "go-on", closing);
    close.type = "button";
    close.act = () => this.close();
    this.before = document.activeElement;
    this.sheet.replaceChildren(make("div", "paper", make("h2", "", title), content, close));
    this.sheet.hidden = false;
    this.sheet.setAttribute("role", "dialog");
    this.sheet.setAttribute("aria-label", title);
    if (this.root.contains(this.before)) close.focus();
  }

  close() {
    if (this.sheet.hidden) return;
    this.sheet.hidden = true;
    this.before?.focus?.({ preventScroll: true });
    if (!this.scored) return;
    this.scored = false;
    this.stage.dismiss();
    this.step();
  }

  // ---- what a player does

  click(event) {
    const target = event.target.closest("button");
    if (!target || !this.root.contains(target)) return;
    if (this.dragging?.moved) return;
    if (target.act) {
      target.act();
      return;
    }
    if (target.choice) {
      this.choose(target.choice);
      return;
    }
    const { key, place } = target.dataset;
    if (!place) return;
    const touched = event.detail > 0 && this.pointer === "touch";
    if (touched && target.classList.contains("card") && this.peeked !== key && !this.read.pick) {
      this.peek(key);
      return;
    }
    this.activate(place, target.dataset.zone, target.dataset.token);
  }

  activate(place, zone, token) {
    const turn = this.read.turn;
    const { action, picked } = clicked(this.read, this.picked, place);
    this.problem = "";
    if (action) this.act(action, turn);
    else if (picked) {
      this.picked = picked;
      this.draw();
      this.callbacks.say?.(this.questionText());
    } else if (token && this.isMine() && partsOf(zone).seat === this.told.seat) {
      const refused = this.read.pick ? null : refusedAction(this.read, zone, token);
      if (refused) this.act(refused, turn);
    }
  }

  choose(button) {
    if (button.cancel) this.picked = [];
    else if (button.group) this.picked = [...this.picked, { group: button.group }];
    else if (button.action) {
      this.act(button.action, this.read.turn);
      return;
    } else return;
    this.draw();
    this.focusFirst();
  }

  async act(action, turn) {
    this.peek(null);
    if (!this.stage.settled) return;
    const answer = await this.callbacks.act(action, turn);
    if (!answer || this.told.question?.turn !== turn) return;
    this.problem = answer;
    this.draw();
    this.callbacks.say?.(answer);
  }

  async hint() {
    const { turn } = this.read;
    const hint = await this.callbacks.hint();
    if (this.told.question?.turn !== turn || !hint) return;
    if (typeof hint === "string") this.problem = hint;
    else {
      const move = this.read.moves.find((each) => each.action === hint.action);
      const words = this.words();
      const text = words.worded(hint.phrase) ?? words.action(hint.action);
      const picks = hint.action.split(" ").slice(1).map((token) =>
        this.read.pick?.places[this.read.pick.cards.indexOf(token)]);
      this.hinted = { action: hint.action, text, places: move ? [...move.cards, ...move.zones] : picks };
    }
    this.draw();
    this.callbacks.say?.(this.questionText());
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const at = event.target.closest?.(".card, .goal, .choice");
    if (key === "Escape") {
      this.peek(null);
      this.close();
      if (this.picked.length) {
        this.picked = [];
        this.draw();
      }
    } else if (/^[0-9]$/.test(key) && this.digit(Number(key))) event.preventDefault();
    else if (key === "?" && this.callbacks.help) {
      // The page has the same key elsewhere.
      event.preventDefault();
      this.callbacks.help();
    }
    else if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(key)) {
      this.arrow(key, at);
      event.preventDefault();
    }
  }

  // A digit is an amount or the number of a button, else of a card that may be played.
  digit(number) {
    const buttons = [...this.buttons.children];
    const amount = buttons.find((node) => node.choice.amount === String(number));
    const open = [...this.root.querySelectorAll(".card.is-open, .goal")];
    const target = amount ?? (buttons.length ? buttons : open)[number - 1];
    target?.click();
    return Boolean(target);
  }

  groups() {
    const stops = [...this.feltNode.querySelectorAll("button[data-group]")];
    const groups = new Map();
    for (const node of stops) {
      const { group } = node.dataset;
      groups.set(group, [...(groups.get(group) ?? []), node]);
    }
    return groups;
  }

  // One stop for the tab key in each group of cards.
  rove() {
    for (const nodes of this.groups().values()) {
      const kept = nodes.find((node) => node === document.activeElement) ??
        nodes.find((node) => node.dataset.key === this.roved) ??
        nodes.find((node) => node.classList.contains("is-open")) ?? nodes[0];
      for (const node of nodes) node.tabIndex = node === kept ? 0 : -1;
    }
    if (this.lost && !this.root.contains(document.activeElement)) this.focusFirst();
  }

  focused(event) {
    const { key } = event.target.dataset ?? {};
    if (key) this.roved = key;
    this.lost = Boolean(event.target.closest?.(".felt, .ask"));
  }

  focusFirst() {
    const target = this.root.querySelector(".card.is-open, .goal") ?? this.root.querySelector(".choice") ??
      this.root.querySelector('.in-hand[tabindex="0"]') ?? this.root.querySelector('.felt button[tabindex="0"]');
    target?.focus({ preventScroll: true });
  }

  // Arrows go to the nearest card or button in their direction.
  arrow(key, from) {
    const all = [...this.root.querySelectorAll(".felt button[data-group], .choice")];
    if (!from) {
      this.focusFirst();
      return;
    }
    const middle = (node) => {
      const box = node.getBoundingClientRect();
      return [box.x + Math.min(box.width / 2, 14), box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
      Home: [-1, 0], End: [1, 0] }[key];
    let best = null;
    for (const node of all) {
      if (node === from) continue;
      const [px, py] = middle(node);
      const along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (along < 3 || (dx && aside > 60 && aside > along)) continue;
      const far = key === "Home" || key === "End" ? aside * 99 - along : along + aside * 2.5;
      if (!best || far < best.far) best = { node, far };
    }
    best?.node.focus({ preventScroll: true });
  }

  // ---- the enlarged card

  hover(event) {
    if (event.pointerType !== "mouse" || this.dragging) return;
    const card = event.target.closest?.("button.card");
    this.peek(card ? card.dataset.key : null);
  }

  peek(key) {
    const item = key === null ? null : this.felt.items.get(key);
    this.peeked = item ? key : null;
    const shown = Boolean(item && item.token !== null && item.w < PEEK_BELOW);
    this.peekNode.hidden = !shown;
    if (!shown) return;
    const width = Math.min(150, this.element.clientWidth * 0.36, this.element.clientHeight * 0.36);
    const high = width * 1.4;
    const x = Math.max(6, Math.min(item.x + item.w / 2 - width / 2, this.element.clientWidth - width - 6));
    const above = item.y - high - 10;
    const y = above > 4 ? above : Math.min(item.y + item.h + 10, this.element.clientHeight - high - 4);
    this.felt.faces.fill(this.peekFace, item.token, "full");
    this.peekNode.style.setProperty("--x", `${x}px`);
    this.peekNode.style.setProperty("--y", `${y}px`);
    this.peekNode.style.setProperty("--w", `${width}px`);
  }

  // ---- dragging

  press(event) {
    this.pointer = event.pointerType;
    this.dragging = null;
    const card = event.target.closest?.("button.card.is-open");
    if (!card || event.button !== 0) return;
    this.dragging = { card, x: event.clientX, y: event.clientY, moved: false };
  }

  move(event) {
    const drag = this.dragging;
    if (!drag || drag.done) return;
    if (!event.buttons) {
      this.drop();
      this.dragging = null;
      return;
    }
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < DRAGGED) return;
    if (!drag.moved) {
      drag.moved = true;
      drag.card.classList.add("is-dragged");
      this.peek(null);
      drag.card.setPointerCapture(event.pointerId);
    }
    drag.card.style.setProperty("--dx", `${dx}px`);
    drag.card.style.setProperty("--dy", `${dy}px`);
  }

  release(event) {
    const drag = this.dragging;
    if (!drag?.moved) {
      this.dragging = null;
      return;
    }
    drag.done = true;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    const { place, zone, token } = drag.card.dataset;
    this.drop();
    // The click that follows a drag is none.
    setTimeout(() => { this.dragging = null; }, 0);
    if (far < 40) return;
    const under = document.elementsFromPoint(event.clientX, event.clientY)
      .map((node) => node.closest?.("[data-zone]")?.dataset.zone).find((name) => name && name !== zone);
    const moves = this.offer.places.get(place) ?? [];
    const aimed = moves.filter((move) => under && move.goals.includes(under));
    if (aimed.length === 1) this.act(aimed[0].action, this.read.turn);
    else this.activate(place, zone, token);
  }

  drop() {
    const card = this.dragging?.card;
    card?.classList.remove("is-dragged");
    card?.style.removeProperty("--dx");
    card?.style.removeProperty("--dy");
  }

  // ---- clocks

  tick() {
    const { clocks, question } = this.told ?? {};
    for (const node of this.feltNode.querySelectorAll(".clock")) {
      const seat = Number(node.dataset.seat);
      const asked = question?.to_act?.includes(seat) && clocks?.turn !== null && clocks?.turn !== undefined;
      const left = asked ? clocks.turn - (performance.now() - clocks.since) / 1000 : null;
      const spare = clocks?.reserve?.[seat];
      const shown = left === null ? null : left > 0 ? left : (spare ?? 0) + left;
      const text = shown === null ? "" : minutes(Math.max(0, Math.ceil(shown)));
      if (node.textContent !== text) node.textContent = text;
      node.classList.toggle("is-short", shown !== null && shown < 10);
    }
  }
}

function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// A small table of texts with a line of heads.
function grid(heads, rows) {
  const line = (cells, tag) => make("tr", "", ...cells.map((cell) => make(tag, "", cell)));
  return make("div", "scroll", make("table", "", make("thead", "", line(heads, "th")),
    make("tbody", "", ...rows.map((row) => line(row, "td")))));
}

function movedIn(facts) {
  const moves = [];
  for (const change of facts.flatMap((fact) => fact.changes ?? [])) {
    if (change.do !== "move") continue;
    const { source, target, cards, hidden } = change;
    if (Array.isArray(cards) && !hidden) moves.push(...cards.map((token) => ({ source, target, token })));
    else moves.push({ source, target, token: null });
  }
  return moves;
}
