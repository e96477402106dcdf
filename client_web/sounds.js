// Short tones, made here: no file is loaded, and a browser that plays none stays silent.

/** For each sound: `[hertz, seconds after the start]` of its tones. */
const SOUNDS = {
  turn: [[660, 0], [880, 0.12]],
  card: [[330, 0]],
  taken: [[392, 0], [587, 0.1]],
  broken: [[466, 0], [349, 0.11], [277, 0.22]],
  queen: [[196, 0], [185, 0.16], [139, 0.32]],
  deal: [[523, 0], [659, 0.14], [784, 0.28]],
  over: [[523, 0], [659, 0.14], [784, 0.28], [1047, 0.42], [784, 0.6], [1047, 0.74]],
};
const SECONDS = 0.14;
const LOUDNESS = 0.12;
/** The delay after its event from which on no sound is played. */
const LATE_MILLISECONDS = 1000;
/** Events within which browsers let a page start sounds. */
const GESTURES = ["pointerup", "touchend", "keydown"];
const RETURNS = ["pageshow", "focus"];

/** Games in which one fears a queen, and the queen of spades as their legends name it. */
const FEARED = /hearts|queen/i;
const QUEEN = "QS";
/** After what else is heard, one's turn is heard by itself. */
const TURN_SECONDS = 0.45;

/**
 * The sounds for the facts of an event, in order, at most two: what has happened, and that one is asked.
 * `seat` is the own one, `game` the id of the game.
 */
export function soundsFor(facts, { asked, wasAsked, seat = null, game = "" }) {
  const some = (holds) => facts.some(holds);
  if (some(({ verb }) => verb === "match_ended")) return ["over"];
  if (some(({ verb }) => verb === "deal_scored")) return ["deal"];
  const happened = [
    ["broken", ({ verb }) => verb.endsWith("_broken")],
    ["queen", ({ verb, args }) => verb === "card_played" && args?.card === QUEEN && FEARED.test(game)],
    ["taken", ({ verb, args }) => /^(last_)?trick_(taken|won)$/.test(verb) && seat !== null && args?.seat === seat],
  ].find(([, holds]) => some(holds))?.[0];
  const turn = asked && !wasAsked ? "turn" : "";
  const moved = some(({ verb }) => verb === "card_played" || verb === "cards_moved") ? "card" : "";
  return [happened ?? (turn ? "" : moved), turn].filter(Boolean);
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

  /** Play these sounds one behind the other. */
  async play(...names) {
    const known = names.filter((name) => SOUNDS[name]);
    if (!this._isOn() || !known.length || !this._Context) return;
    if (this._context?.state !== "running") {
      const asked = performance.now();
      await this.wake();
      // What would have sounded during a call is not made up for.
      if (this._context.state !== "running" || performance.now() - asked > LATE_MILLISECONDS) return;
    }
    const now = this._context.currentTime;
    known.forEach((name, at) => {
      for (const [hertz, after] of SOUNDS[name]) this._tone(hertz, now + after + TURN_SECONDS * at);
    });
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
