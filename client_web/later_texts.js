// The texts of a language that no table needs, each file loaded when it is asked for.

/** What servers say themselves, they say in this one. */
const WIRE_LANGUAGE = "en";

/** A file of texts that the server has for this page. */
export async function readTexts(name) {
  const answer = await fetch(new URL(`texts/${name}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no texts ${name}`);
  return answer.json();
}

export class LaterTexts {
  /** `incomplete` is told that a file could not be loaded. */
  constructor(language, incomplete) {
    this.language = language;
    this._incomplete = incomplete;
  }

  /** Whether a server speaks the language of the page. */
  get isWires() {
    return this.language === WIRE_LANGUAGE;
  }

  /** What forms, hints, refusals and reviews say; null if it cannot be loaded. */
  async more() {
    try {
      this._more ??= readTexts(`${this.language}.more`);
      return await this._more;
    } catch {
      this._more = null;
      this._incomplete();
      return null;
    }
  }

  /** A game's page of rules; those of described games are as written. */
  async rules(game) {
    if (this.isWires || game.described) return game.rules;
    try {
      this._rules ??= readTexts(`${this.language}.rules`);
      return (await this._rules)[game.id] ?? game.rules;
    } catch {
      this._rules = null;
      return game.rules;
    }
  }
}
