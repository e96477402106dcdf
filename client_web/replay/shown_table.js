// The table of a replay: draws the picture after a step as the table itself is drawn.

import { el } from "../dom.js";
import { titled } from "../lobby/translated.js";
import { namesOf } from "../picture.js";
import { placesNamed } from "../table/choices.js";
import { TableView } from "../table/table.js";
import { Speaker } from "../words.js";

export class ShownTable {
  constructor(app, code) {
    this.app = app;
    this.code = code;
    this.element = el("div", { class: "table" });
    /** The words for the present picture. */
    this.words = null;
    this._view = null;
    this._marked = null;
  }

  /** Whether a picture is shown. */
  get isDrawn() {
    return this._view !== null;
  }

  /** Make room for this number of seats. */
  seat(count) {
    this.element.style.setProperty("--seats", String(count));
  }

  /** Mark the cards of `{played, better}`, which are actions, in the next picture; false if that changes it. */
  marks(actions) {
    const isSame = this._marked === actions;
    this._marked = actions;
    return isSame;
  }

  /**
   * Show a picture. What `facts` have moved since the view `before` slides; without it all simply lies
   * there. `you` is the seat that is called so, or null.
   */
  show(picture, before, facts, you) {
    this.words = new Speaker(this.app.texts, namesOf(picture.info), picture.legend, you, picture.info.game);
    this._view ??= new TableView(this.element, this._callbacks());
    const scene = this._sceneOf(picture, before, facts);
    this._view.show(this._marked ? { ...scene, marks: marksIn(scene, this._marked) } : scene);
  }

  /** Draw the table again, after another change. */
  redraw() {
    if (this._view) this._view.show({ ...this._view.scene, before: null, facts: [], fresh: true });
  }

  /** Scroll to the table, unless its middle, where cards are played, is in the window. */
  comeIntoView() {
    const { top, bottom } = this.element.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    if (middle < 0 || middle > innerHeight) this.element.scrollIntoView({ block: "start", behavior: "instant" });
  }

  /** Show nothing, until there is another picture. */
  clear() {
    this._view?.end();
    this._view = null;
  }

  /** The input of the drawn table, which the README of `client_web` describes. */
  _sceneOf(picture, before, facts) {
    return {
      ...picture,
      ...this._titled(picture),
      code: this.code,
      fresh: before === null,
      before,
      facts: facts.map((fact) => ({ args: {}, changes: [], words: "", ...fact })),
      deal: picture.facts,
      question: { ...picture.question, choices: null },
      game: null,
      names: namesOf(picture.info),
      clocks: null,
      online: true,
      past: true,
      words: this.words,
    };
  }

  /** The game's titles in the language of the page, as one object that stays the same. */
  _titled({ layout, labels, info }) {
    this._titles ??= titled({ layout, labels }, info.game, this.app.texts.titles);
    return this._titles;
  }

  _callbacks() {
    const { app } = this;
    return {
      incomplete: () => app.loadAnew(),
      say: (text) => app.say(text),
      setting: (name) => app.memory.get(`table.${name}`),
      settings: () => app.openLooks(),
    };
  }
}

/** Which cards a move and the better one name: a Map of places to `played` or `better`. */
function marksIn(scene, { played, better }) {
  const placesOf = (action, kind) => placesNamed(action, scene).map((place) => [place, kind]);
  return new Map([...placesOf(played, "played"), ...placesOf(better, "better")]);
}
