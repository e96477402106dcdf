// The texts of a language that the first screen does without, each file loaded when it is asked for.

/** What servers say themselves, they say in this one. */
const WIRE_LANGUAGE = "en";

/** A file of texts that the server has for this page. */
export async function readTexts(name) {
  const answer = await fetch(new URL(`texts/${name}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no texts ${name}`);
  return answer.json();
}

export class LaterTexts {
  constructor(language) {
    this.language = language;
    this._files = new Map();
  }

  /** Whether a server speaks the language of the page. */
  get isWires() {
    return this.language === WIRE_LANGUAGE;
  }

  /** What tables and all other screens but the first say: the same tree, with the other texts. */
  rest() {
    return this._file("rest");
  }

  /** What forms, hints, refusals and reviews say. */
  more() {
    return this._file("more");
  }

  /** A game's page of rules; those of described games are as written. */
  async rules(game) {
    if (this.isWires || game.described) return game.rules;
    try {
      return (await this._file("rules"))[game.id] ?? game.rules;
    } catch {
      return game.rules;
    }
  }

  /** Load a file once, and again if it could not be loaded. */
  _file(kind) {
    const known = this._files.get(kind);
    if (known) return known;
    const reading = readTexts(`${this.language}.${kind}`);
    this._files.set(kind, reading);
    reading.catch(() => this._files.delete(kind));
    return reading;
  }
}
