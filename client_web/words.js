// Sentences from the catalogue of texts: the same as those of `protocol/texts/`.
//
// `texts` is one language's catalogue, as the server serves it (`texts/en.json`). Nothing here knows
// a language.

const PLACEHOLDER = /\{(card|seat|of|own) ([^{} ]+)\}/g;
const FIELD = /\{\{|\}\}|\{([^{}:!]+)(?:!([gda]))?(?::([^{}]*))?\}/g;
const NUMBER = /^[0-9]{1,3}$/;
const FRACTION = /^[-+]?[0-9]+\.[0-9]+( ± [0-9]+\.[0-9]+)?$/;
const LETTERS = { "♣": "C", "♦": "D", "♠": "S", "♥": "H" };
const SEATS = new Set(["who", "seat", "leader", "giver", "receiver", "partner"]);
const PLACES = new Set(["to", "place"]);

/** Letters of right-to-left scripts, and characters that change the direction of others. */
const TURNS = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const ISOLATE = /[\u2066-\u2068][^\u2066-\u2069]*\u2069/g;
const [FSI, PDI] = ["\u2068", "\u2069"];

/** `text` such that it turns nothing beside it; the same where it cannot (`protocol/isolates.py`). */
export function isolated(text) {
  if (!TURNS.test(text)) return text;
  let [left, outside] = ["", text];
  while (left !== outside) [left, outside] = [outside, outside.replace(ISOLATE, "")];
  return TURNS.test(outside) ? FSI + closed(text) + PDI : text;
}

/** `text` with an end for each isolate that begins in it, and no other end. */
function closed(text) {
  let depth = 0;
  const kept = text.replace(/[\u2066-\u2069]/g, (bound) => {
    if (bound !== PDI) depth += 1;
    else if (depth) depth -= 1;
    else return "";
    return bound;
  });
  return kept + PDI.repeat(depth);
}

/** An argument is missing, or of another kind than the text expects. */
class Unfitting extends Error {}

/** Texts for a table with these `names` and cards, for the player at seat `you` (null watches). */
export class Speaker {
  constructor(texts, names = [], legend = [], you = null, game = "") {
    this.texts = texts;
    this.moves = own(texts.moves ?? {}, game) ?? {};
    this.names = names.map(isolated);
    this.you = you;
    this._cards = new Map(legend.map((card) => [card.token, card]));
  }

  /** The sentence for a fact; null if it needs no line. */
  sentence(fact) {
    const [template, args] = this._chosen(fact);
    if (template === null) return this._plainly(fact);
    return this._filled(template, args, () => this._plainly(fact)) || null;
  }

  /** A phrase as a sentence; null if there is none, or this page has no text for it. */
  worded(phrase, texts = this.texts.phrases) {
    const template = phrase ? own(texts, phrase.code) : undefined;
    if (template === undefined) return null;
    const said = this._filled(template, phrase.args ?? {}, () => null);
    return said === null ? null : upper(said);
  }

  /** The page's own words under `key`, with `args` filled in. */
  page(key, args = {}) {
    const template = key.split(".").reduce((texts, part) => own(texts, part), this.texts.page);
    if (typeof template !== "string") throw new Error(`no text ${key}`);
    return this.fill(template, args);
  }

  /** The advice for an error of this code; `errors` are the texts of the known codes. */
  advice(code, errors = {}) {
    return own(errors, code) ?? this.texts.words.unknown_error;
  }

  /** The reason why the player has no place at a table any more, in a sentence. */
  parting(reason) {
    const told = own(this.texts.closings, reason);
    return told ?? this.texts.words.no_longer.replace("{reason}", this.reason(reason));
  }

  /** A reason in words: `nobody came back`. */
  reason(word) {
    return own(this.texts.reasons, word) ?? word.replaceAll("_", " ");
  }

  /** A game's title with its other common name: `Whist (Oh Hell)`. */
  gameTitle(game) {
    const other = own(this.texts.games, game.id);
    const title = isolated(game.title);
    return other ? `${title} (${other})` : title;
  }

  /** A card's label for its token: `Q♠`. */
  label(token) {
    return isolated(this._cards.get(token)?.label ?? token);
  }

  /** A card's name in words: `queen of spades`; a card of another deck keeps its label. */
  cardName(token) {
    const card = this._cards.get(token);
    if (!card) return token;
    const shown = card.label.endsWith(card.group)
      ? card.label.slice(0, card.label.length - card.group.length)
      : card.label;
    const rank = own(this.texts.ranks, shown);
    const suit = own(this.texts.suits, LETTERS[card.group] ?? "");
    if (rank === undefined || suit === undefined) return isolated(card.label);
    return this.texts.card.replace("{rank}", rank).replace("{suit}", suit);
  }

  /** The player of a seat in a grammatical case (g, d or a); seats are shown from 1. */
  name(seat, start = false, grammar = "") {
    const { words } = this.texts;
    if (seat === this.you) {
      const you = words[grammar ? `you_${grammar}` : "you"];
      return start ? upper(you) : you;
    }
    const name = this.names[seat] || words.seat.replace("{number}", seat + 1);
    return declined(name, grammar, words);
  }

  /** Several players as the subject of a sentence, the reader first: `You and Ann`. */
  together(seats) {
    const ordered = [...seats].sort((one, other) => (one !== this.you) - (other !== this.you));
    return ordered.map((seat, at) => this.name(seat, at === 0)).join(` ${this.texts.words.and} `);
  }

  /** The words of a game, with its cards and players by name, in English in every language. */
  inWords(text) {
    return text.replace(PLACEHOLDER, (_, kind, what) => {
      if (kind === "card") return this.label(what);
      if (!NUMBER.test(what)) return what;
      const seat = Number(what);
      const name = seat === this.you ? "you" : this.names[seat] || `Seat ${seat + 1}`;
      if (kind === "seat") return name;
      if (seat === this.you) return "your";
      return kind === "own" ? "their" : `${name}'s`;
    });
  }

  /** A choice for a button: `Play Q♠`; `text` is the game's own text of it, if any. */
  action(action, text = "") {
    return upper(this.doing(action, text));
  }

  /** A choice within a sentence: `play Q♠`. */
  doing(action, text = "") {
    return text ? this.inWords(text) : this._move(action);
  }

  /** A move in the words of the game, within a sentence: `close the talon`. */
  _move(action) {
    const verb = Object.keys(this.moves).find((each) => `${action} `.startsWith(`${each} `));
    const what = action.slice(verb?.length ?? 0).split(" ").map((word) => this._label(word)).join(" ");
    return verb ? this.move(verb, what.trim()) : what;
  }

  /** A move with the object that it names: `play Q♠`. */
  move(verb, what = "") {
    const template = own(this.moves, verb) ?? `${verb} {what}`;
    return template.replace("{what}", () => what).trim();
  }

  /** `template` with its fields filled in; throws if `args` do not fit. */
  fill(template, args) {
    return template.replace(FIELD, (whole, name, grammar, forms) => {
      if (name === undefined) return whole[0];
      const value = own(args, name);
      if (value === undefined) throw new Unfitting(name);
      return forms ? choose(forms, value, this.texts.words.point) : this._say(name, value, grammar);
    });
  }

  _filled(template, args, otherwise) {
    try {
      return this.fill(template, args);
    } catch (error) {
      if (error instanceof Unfitting) return otherwise();
      throw error;
    }
  }

  _chosen(fact) {
    const entry = own(this.texts.facts, fact.verb);
    if (entry === undefined) return [null, fact.args];
    const args = { ...fact.args, ...this._result(fact.args) };
    if (fact.words) args.action = this.inWords(fact.words);
    const about = own(args, entry.about ?? "seat");
    const seated = Number.isInteger(about);
    const reader = seated && about === this.you;
    const special = this._special(fact, args, reader);
    const { movements } = this.texts;
    if (!seated) return [own(movements, special) ?? entry.text ?? null, args];
    // Who has just left may be known by nothing but the name that came along.
    const { name, program } = fact.args;
    const both = () => this.texts.words.program.replace("{name}", () => isolated(name)).replace("{program}", () => isolated(program));
    args.who = name && program ? both() : name || about;
    return [own(movements, reader ? `${special}_you` : special) ?? (reader ? entry.you : entry.they) ?? null, args];
  }

  /** The text for a fact of a described game that is more than its verb's, "" for any other. */
  _special({ verb, words }, args, reader) {
    if (verb === "gained" || verb === "lost") {
      let key = verb;
      if (typeof args.what === "string") args.what = this._counted(args.what, args.count);
      if (Array.isArray(args.team)) {
        args.together = this.together(args.team.filter(Number.isInteger));
        key += "_by";
      }
      if (typeof args.why === "string") {
        args.why = this._reasons(args.why, args.each);
        key += "_for";
      }
      return key;
    }
    if (verb !== "option_taken") return "";
    if (words === "pass" || words === "passes") return "passes";
    const played = /^plays? \{card ([^{} ]+)\}$/.exec(words);
    if (played) {
      args.card = played[1];
      return "plays";
    }
    const [first] = words.split(" ");
    const inflected = first.endsWith("s") && !first.endsWith("ss");
    return (words && reader) || inflected ? "" : "named";
  }

  /** What is counted: `points`, or `point` if there is one, in the language of the reader if known. */
  _counted(what, count) {
    const one = count === 1 && what.endsWith("s") ? what.slice(0, -1) : what;
    return own(own(this.texts.titles, ""), one) ?? one;
  }

  /** What points are for, with their sums where they are several: `fifteen for 2, a pair for 4`. */
  _reasons(why, each) {
    const reasons = why.split("|");
    const known = Array.isArray(each) ? each.filter(Number.isInteger) : [];
    if (reasons.length === 1 || known.length !== reasons.length) return reasons.join(", ");
    let points = 0;
    const form = this.texts.words.for_points;
    return reasons.map((reason, at) => {
      points += known[at];
      return form.replace("{why}", () => isolated(reason)).replace("{points}", () => String(points));
    }).join(", ");
  }

  /** The derived arguments of `match_ended`: the ranking, and the first players. */
  _result({ totals, ranks }) {
    if (!Array.isArray(totals) || !Array.isArray(ranks) || totals.length !== ranks.length) return {};
    const first = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    const order = ranks.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other]);
    const told = {
      ranking: order.map((seat) => `${ranks[seat]}. ${this.name(seat)} ${figure(totals[seat])}`).join(", "),
      winners: this.together(first),
    };
    return first.length === 1 ? { ...told, winner: first[0] } : told;
  }

  _plainly(fact) {
    const words = fact.verb.replaceAll("_", " ");
    const details = Object.entries(fact.args)
      .filter(([name]) => name !== "seat" && name !== "name")
      .map(([name, value]) => `${name} ${this._say(name, value)}`)
      .join(", ");
    const line = details ? `${words} (${details}).` : `${words}.`;
    const seat = fact.args.seat;
    return Number.isInteger(seat) ? `${this.name(seat, true)}: ${line}` : upper(line);
  }

  /** The text of one argument by the kind in its name, isolated from its surroundings. */
  _say(name, value, grammar = "") {
    return isolated(this._said(name, value, grammar));
  }

  _said(name, value, grammar) {
    const { words } = this.texts;
    if (typeof value === "boolean") return value ? words.yes : words.no;
    if (typeof value === "number") {
      if (SEATS.has(name)) return this.name(value, false, grammar);
      return PLACES.has(name) ? String(value + 1) : figure(value);
    }
    if (Array.isArray(value)) {
      if (name === "scores") return this._bySeat(value, true);
      return name === "totals" ? this._bySeat(value, false) : value.map(figure).join(", ");
    }
    if (typeof value !== "string") return String(value);
    const labels = () => value.split(" ").map((word) => this._label(word));
    switch (name) {
      case "who":
        return declined(value, grammar, words);
      case "move":
      case "other": {
        const [verb, ...rest] = value.split(" ");
        const card = rest.join(" ");
        const plays = verb === "play" && this._cards.has(card.split("@")[0]);
        if (plays) return this._label(card);
        return this._move(value);
      }
      case "either":
        return either(labels(), words.or);
      case "options":
        return value.split("|").map((text) => this.inWords(text)).join(", ");
      case "suit":
        return own(this.texts.suits, value) ?? value;
      case "phase":
        return own(this.texts.phases, value) ?? value.replaceAll("_", " ");
      case "card":
      case "cards":
      case "action":
        return labels().join(" ");
      case "reason":
        return this.reason(value);
      case "about":
        return value;
      default:
        if (FRACTION.test(value)) return figure(value).replaceAll(".", words.point);
        return own(own(this.texts.values, name), value) ?? value;
    }
  }

  /** A card's label for its token, with its column and the comma behind it. */
  _label(word) {
    const move = word.replace(/,+$/, "");
    const [token, slot = ""] = move.split("@");
    if (!this._cards.has(token)) return word;
    const label = this.label(token);
    const form = this.texts.words.in_slot;
    const said = slot ? form.replace("{card}", () => label).replace("{slot}", () => slot) : label;
    return said + word.slice(move.length);
  }

  _bySeat(numbers, signed) {
    return numbers
      .map((number, seat) => `${this.name(seat)} ${signed && number > 0 ? "+" : ""}${figure(number)}`)
      .join(", ");
  }
}

/** The table's own entry under a key, never an inherited one such as `constructor`. */
function own(object, name) {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

export function upper(text) {
  // By characters of Unicode, as Python counts them.
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}

/** A player's name in a case; only the genitive changes it. */
function declined(name, grammar, words) {
  if (grammar !== "g") return name;
  const last = [...name.replace(/\u2069+$/, "")].at(-1);
  const unchanged = last !== undefined && words.unchanged.includes(last);
  const form = unchanged ? words.genitive_unchanged : words.genitive;
  return form.replace("{name}", () => name);
}

/** `9♠, J♠ or A♠` */
function either(labels, or) {
  const last = labels.at(-1);
  return labels.length > 1 ? `${labels.slice(0, -1).join(", ")} ${or} ${last}` : last;
}

/** A number, or a fraction in a text, with a real minus; any other text as it is. */
export function figure(value) {
  const isNumber = typeof value === "number" || FRACTION.test(value);
  return isNumber ? String(value).replace("-", "−") : String(value);
}

/** The matching form: of yes and no, or of none, one and many, with `#` for the number. */
function choose(forms, value, point) {
  const words = forms.split("|");
  if (typeof value === "boolean") return value ? words[0] : words.at(-1);
  if (typeof value === "string" && FRACTION.test(value)) {
    return words.at(-1).replaceAll("#", figure(value).replaceAll(".", point));
  }
  if (!Number.isInteger(value)) throw new Unfitting(`${value} is no number`);
  let fitting = Math.abs(value) === 1 ? words.at(-2) : words.at(-1);
  if (value === 0 && words.length === 3) fitting = words[0];
  return fitting.replaceAll("#", figure(value));
}
