// What one goes through a replay with: a slider with the deals as marks, buttons for steps, tricks and
// deals, and the speed at which it plays by itself.

import { button, el, say, select } from "../dom.js";
import { SPEEDS } from "./moment.js";
import { before, behind } from "./timeline.js";

/** Keys by their effects; the slider's own keys have equal effects. */
const KEYS = {
  ArrowLeft: "back", ArrowRight: "on", ArrowDown: "trick_back", ArrowUp: "trick_on",
  PageDown: "deal_back", PageUp: "deal_on", Home: "first", End: "last",
};
const SIGNS = { deal_back: "⇤", trick_back: "«", back: "‹", play: "▶", on: "›", trick_on: "»", deal_on: "⇥" };
const PAUSE = "‖";
/** By name of a button the word below its sign: what it goes by. */
const GOES_BY = { deal: "deal", trick: "trick", back: "step", on: "step" };

export class Controls {
  /** `go(step)` shows a step, `play(on)` begins or stops to play, `speed(factor)` changes how fast. */
  constructor(app, { go, play, speed }) {
    this.app = app;
    this._go = go;
    this._play = play;
    this._line = null;
    this._at = 0;
    this._playing = false;
    this._frame = null;
    this.slider = el("input", {
      type: "range", min: 0, max: 0, value: 0, "aria-label": app.t("replay.moment"),
      oninput: () => this._slide(),
    });
    this._marks = el("div", { class: "deals", "aria-hidden": "true" });
    this._buttons = Object.fromEntries(
      Object.keys(SIGNS).map((name) => [name, this._button(name)]),
    );
    this._speed = select(SPEEDS.map((each) => [each, `${each}×`]), SPEEDS[0], { "aria-label": app.t("replay.speed") });
    this._speed.addEventListener("change", () => speed(Number(this._speed.value)));
    this.element = el("div", { class: "controls", role: "group", "aria-label": app.t("replay.controls") }, [
      el("div", { class: "track" }, [this.slider, this._marks]),
      el("div", { class: "actions" }, [...Object.values(this._buttons), this._speed]),
    ]);
  }

  /** Control another timeline; `hides` its length and its deals. */
  follow(line, hides = false) {
    this._line = line;
    this.slider.parentElement.hidden = hides;
    this.slider.max = Math.max(0, line.length - 1);
    const marks = line.deals.map((step) => {
      const mark = el("i");
      mark.style.setProperty("--at", String(step / Math.max(1, line.length - 1)));
      return mark;
    });
    this._marks.replaceChildren(...marks);
    // Where nothing is played in tricks, there are none to go to.
    for (const name of ["trick_back", "trick_on"]) this._buttons[name].hidden = !line.tricks.length;
    for (const name of ["deal_back", "deal_on"]) this._buttons[name].hidden = line.deals.length < 2;
  }

  /** Show the position; `text` is for screen readers. */
  show(at, text, playing) {
    this._at = at;
    this._playing = playing;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", text);
    const { play } = this._buttons;
    const { app } = this;
    say(play, playing ? PAUSE : SIGNS.play);
    const name = app.t(playing ? "replay.pause" : "replay.play");
    play.setAttribute("aria-label", name);
    play.title = name;
  }

  /** Do the action of a key; return false if it has none here. */
  key(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
    const isSlider = target === this.slider;
    // A field, a card and a dialog have keys of their own.
    if (!isSlider && target.closest?.("input, select, textarea, dialog, .felt, .sheet")) return false;
    if (key === " " && (isSlider || !target.closest?.("button, a, summary"))) this.act("play");
    else if (KEYS[key] && this._line) this.act(KEYS[key]);
    else return false;
    event.preventDefault();
    return true;
  }

  /** Read a dragged slider's position once for each drawn frame. */
  _slide() {
    this._frame ??= requestAnimationFrame(() => {
      this._frame = null;
      this._go(Number(this.slider.value));
    });
  }

  act(name) {
    const { _line: line, _at: at } = this;
    if (!line) return;
    const last = line.length - 1;
    const steps = {
      first: () => 0, last: () => last, back: () => Math.max(0, at - 1), on: () => Math.min(last, at + 1),
      trick_back: () => before(line.tricks, at), trick_on: () => behind(line.tricks, at, line.length),
      deal_back: () => before(line.deals, at), deal_on: () => behind(line.deals, at, line.length),
    };
    if (name === "play") this._play(!this._playing);
    else this._go(steps[name]());
  }

  _button(name) {
    const text = this.app.t(`replay.${name}`);
    const keys = Object.entries(KEYS).find(([, does]) => does === name)?.[0] ?? "Space";
    const names = { "aria-label": text, title: text, "aria-keyshortcuts": keys };
    const goesBy = GOES_BY[name.split("_")[0]];
    if (!goesBy) return button(SIGNS[name], () => this.act(name), names);
    // The sign is drawn by the style sheet: what a button reads is to be part of its name.
    const made = button("", () => this.act(name), { "data-sign": SIGNS[name], ...names });
    made.append(el("small", { text: this.app.t(`replay.by_${goesBy}`) }));
    return made;
  }
}
