// The page's `protocol/texts/movements.py`.

import { zoneParts } from "./picture.js";
import { isolated, upper } from "./words.js";

const DEALT = 3;

/** A sentence for each of the `facts`, or null. */
export function sentences(facts, words, picture) {
  const told = [];
  let together = [];
  let passing = null;
  let named = [];
  let dealing = false;
  let naming = false;
  let begun = false;
  let drawing = null;
  facts.forEach((fact, at) => {
    const target = targetOf(fact);
    if (target === null) {
      if (fact.verb === "option_taken") {
        const said = String(fact.args.action).replaceAll(",", "").split(" ");
        named = naming ? [...named, ...said] : said;
        dealing = false;
        begun = true;
      }
      naming = fact.verb === "option_taken";
      // Where piles are made later the table is laid again.
      dealing ||= fact.verb === "deal_started" || (fact.verb === "table_laid" && !begun);
      drawing = drawingOf(fact);
      told.push(words.sentence(fact));
      passing = null;
      return;
    }
    naming = false;
    together.push(fact);
    if (targetOf(facts[at + 1]) === target) {
      told.push(null);
      return;
    }
    if (!dealing && goesOn(passing, together)) {
      told[at - 1] = null;
      together = passing;
    }
    const moved = new Movement(target, together, words, picture);
    const line = moved.told(named, dealing);
    // Which card that was says it all.
    if (line && drawing !== null && drawing === words.you && drawing === ownerOf(target)) told[told.length - 1] = null;
    drawing = null;
    told.push(line);
    passing = line && together;
    const gone = [...moved.tokens, ...moved.sources];
    named = named.filter((word) => !gone.includes(word));
    together = [];
  });
  return told;
}

/** The seat that takes an unseen card by this move, and nothing else. */
function drawingOf({ verb, args }) {
  const takes = verb === "option_taken" && String(args.action).startsWith("take from ");
  return takes && Number.isInteger(args.seat) ? args.seat : null;
}

function goesOn(before, [move, more]) {
  if (before?.length !== 1 || more) return false;
  const [first] = before;
  const cards = (fact) => tokensOf([fact]).sort().join(" ");
  const same = first.args.count === move.args.count && cards(first) === cards(move);
  return same && move.args.source === first.args.target;
}

function targetOf(fact) {
  const target = fact?.verb === "cards_moved" ? fact.args.target : null;
  return typeof target === "string" ? target : null;
}

function tokensOf(facts) {
  return facts.flatMap(({ args: { cards } }) => (typeof cards === "string" ? cards.split(" ") : []));
}

const ownerOf = (zone) => zoneParts(zone).owner;

class Movement {
  constructor(target, facts, words, picture) {
    this.target = target;
    this.words = words;
    this.picture = picture;
    this.tokens = tokensOf(facts);
    this.sources = [...new Set(facts.map(({ args }) => String(args.source)))];
    this.backs = facts.reduce((sum, { args: { count } }) => sum + (Number.isInteger(count) ? count : 0), 0);
    const moves = facts.flatMap(({ changes = [] }) => changes);
    this.hidden = moves.some((change) => change.do === "move" && change.hidden === true);
    this.texts = words.texts.movements;
  }

  told(named, dealing) {
    const { tokens, sources } = this;
    if (tokens.length && tokens.every((token) => named.includes(token))) return null;
    if (!tokens.length && this._isCounted(named)) return null;
    if ((!tokens.length && !this.backs) || (sources.length === 1 && sources[0] === this.target)) return null;
    const owner = ownerOf(this.target);
    if (sources.every((zone) => this._hint(zone)?.place === "trick")) {
      return owner === null ? null : this._of(owner, "takes_trick");
    }
    if (owner === null) return this._toTable(dealing);
    const givers = new Set(sources.map(ownerOf));
    const [giver] = givers;
    if (givers.size === 1 && giver === null) return this._fromTable(owner, dealing);
    if (sources.length > 1) return this._goes("gathered");
    if (giver !== owner) return this._of(giver, "gives", { receiver: owner });
    const hint = this._hint(this.target);
    if (tokens.length && hint && hint.over === zoneParts(sources[0]).kind) return this._of(owner, "uncovers");
    return this._goes("gathered");
  }

  _isCounted(named) {
    if (this.backs === 1) return this.sources.every((source) => named.includes(source));
    return named.includes(String(this.backs)) && named.includes(this.target);
  }

  _toTable(dealing) {
    if (this.hidden || (dealing && !this.tokens.length)) return null;
    const [source, more] = this.sources;
    if (more !== undefined) return this._goes("gathered");
    const covered = dealing || this._isCovered(source);
    return this._goes(this.tokens.length && ownerOf(source) === null && covered ? "turned" : "moved");
  }

  _fromTable(owner, dealing) {
    const count = this.tokens.length + this.backs;
    const inHand = this._hint(this.target)?.place === "hand";
    if (inHand && (dealing || count >= DEALT)) return this._of(owner, "is_dealt");
    if (dealing) return null;
    const drawn = inHand || this.sources.length > 1 || (count === 1 && this._isCovered(this.sources[0]));
    return this._of(owner, drawn ? "draws" : "gets");
  }

  _hint(zone) {
    const { kind } = zoneParts(zone);
    return this.picture.layout.zones.find((each) => each.kind === kind);
  }

  _isCovered(zone) {
    const shown = Object.hasOwn(this.picture.view.zones, zone) ? this.picture.view.zones[zone] : null;
    return Boolean(shown && shown.backs > 0 && !shown.cards?.length);
  }

  _of(owner, text, args = {}) {
    const template = this.texts[owner === this.words.you ? `${text}_you` : text];
    return this._filled(template, "some", { who: owner, ...args }) || null;
  }

  _goes(text) {
    return upper(this._filled(this.texts[text], "backs", {}));
  }

  _filled(template, backs, args) {
    const { words, tokens } = this;
    const shown = [
      tokens.map((token) => words.label(token)).join(" "),
      this.backs && words.fill(this.texts[backs], { count: this.backs }),
    ];
    const what = shown.filter(Boolean).join(` ${words.texts.words.and} `);
    const count = tokens.length + this.backs;
    const to = this._place(this.target);
    return words.fill(template, { what, count, to, from: this._place(this.sources[0]), ...args });
  }

  _place(zone) {
    const { words, picture: { labels, layout, info } } = this;
    const { kind, owner, slot } = zoneParts(zone);
    const { titles } = words.texts;
    const hint = [...labels, ...layout.zones, ...layout.values].find((each) => each.kind === kind);
    const title = hint?.title ?? kind.replace(/_team$/, "").replaceAll("_", " ");
    const known = { ...titles[""], ...titles[info.game] };
    const name = [Object.hasOwn(known, title) ? known[title] : title, slot].filter(Boolean).map(isolated).join(" ");
    return words.fill(owner === null ? this.texts.shared : this.texts.owned, { name, who: owner });
  }
}
