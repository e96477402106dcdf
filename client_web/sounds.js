// Short tones, made here: no file is loaded, and a browser that plays none stays silent.

/** For each sound: `[hertz, seconds after the start]` of its tones. */
const SOUNDS = {
  turn: [[660, 0], [880, 0.12]],
  card: [[330, 0]],
  deal: [[523, 0], [659, 0.14], [784, 0.28]],
};
const SECONDS = 0.14;
const LOUDNESS = 0.12;
/** The delay after its event from which on no sound is played. */
const LATE_MILLISECONDS = 1000;
/** Events within which browsers let a page start sounds. */
const GESTURES = ["pointerup", "touchend", "keydown"];
const RETURNS = ["pageshow", "focus"];

/** The sound for the facts of an event: "" if none is needed. */
export function soundFor(facts, { asked, wasAsked }) {
  if (facts.some((fact) => fact.verb === "deal_scored" || fact.verb === "match_ended")) return "deal";
  if (asked && !wasAsked) return "turn";
  return facts.some((fact) => fact.verb === "card_played") ? "card" : "";
}

export class Sounds {
  /** `isOn` returns whether sounds are switched on. */
  constructor(isOn, Context = window.AudioContext) {
    this._isOn = isOn;
    this._Context = Context;
    this._context = null;
    const wake = () => this.wake();
    for (const name of [...GESTURES, ...RETURNS]) window.addEventListener(name, wake, { capture: true, passive: true });
    document.addEventListener("visibilitychange", wake);
  }

  /**
   * Let the browser sound, or sound again: it stops when the page is hidden, the screen locked or a
   * call taken, and begins only when somebody touches the page. Resolves once it does.
   */
  async wake() {
    if (!this._isOn() || !this._Context) return;
    // After a while in the background some browsers close it for good.
    if (!this._context || this._context.state === "closed") this._context = new this._Context();
    if (this._context.state !== "running") await this._context.resume().catch(() => {});
  }

  async play(name) {
    if (!this._isOn() || !SOUNDS[name] || !this._Context) return;
    if (this._context?.state !== "running") {
      const asked = performance.now();
      await this.wake();
      // What would have sounded during a call is not made up for.
      if (this._context.state !== "running" || performance.now() - asked > LATE_MILLISECONDS) return;
    }
    const now = this._context.currentTime;
    for (const [hertz, after] of SOUNDS[name]) this._tone(hertz, now + after);
  }

  _tone(hertz, at) {
    const tone = this._context.createOscillator();
    const volume = this._context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(hertz, at);
    volume.gain.setValueAtTime(LOUDNESS, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + SECONDS);
    tone.connect(volume).connect(this._context.destination);
    tone.start(at);
    tone.stop(at + SECONDS);
  }
}
