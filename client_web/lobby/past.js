// The matches that were played in this browser, the latest first: each leads to its replay.

import { button, el } from "../dom.js";
import { namesOf } from "../picture.js";
import { figure, isolated } from "../words.js";
import { gameName } from "./bots.js";
import { played } from "./families.js";

const MOST = 10;

/** Store that a match is over, with its result; of a table's matches the last one is kept. */
export function remember(memory, { info, seat = null, facts = [] }) {
  const { table: code, game, title, match: number } = info;
  const called = namesOf(info);
  const names = called.filter(Boolean);
  const { ranks, totals } = facts.findLast((fact) => fact.verb === "match_ended")?.args ?? {};
  const isWhole = Array.isArray(ranks) && ranks.length === info.seats.length && names.length === ranks.length;
  // Whoever opens the table later may be told no more how its match ended.
  const before = matchesIn(memory).find((each) => each.code === code && each.number === number) ?? {};
  const result = isWhole ? { own: seat, ranks, totals } : { own: before.own, ranks: before.ranks, totals: before.totals };
  const match = { code, game, seats: info.seats.length, title, number, names, at: Date.now(), ...result };
  const others = matchesIn(memory).filter((each) => each.code !== code);
  memory.set("past", [match, ...others].slice(0, MOST));
  played(memory, { id: game, title });
}

/** A section with these matches. */
export function pastMatches(app) {
  // Versions before kept the title alone.
  const nameOf = ({ game, title, seats }) => gameName(app, { id: String(game ?? ""), title, seats: [Number(seats) || 0] });
  const lead = (key, match, more = "") => {
    const { code, number } = match;
    return button(app.t(`replay.${key}`), () => app.go(`t/${code}/replay#deal=${Number(number) || 1}.1${more}`), {
      "aria-label": `${app.t(`replay.${key}`)}: ${nameOf(match)} ${code}`,
    });
  };
  const written = new Intl.DateTimeFormat(app.texts.language, { dateStyle: "medium", timeStyle: "short" });
  const rows = matchesIn(app.memory).map((match) => {
    const { code, names, at } = match;
    return el("li", { class: "table-row" }, [
      el("div", {}, [
        el("strong", { text: nameOf(match) }),
        el("span", { class: "quiet", text: ` ${code} · ${written.format(at)}` }),
        placeOf(app, match),
        el("p", { text: standing(app, match) ?? names.map(isolated).join(", ") }),
      ]),
      el("div", { class: "actions" }, [
        lead("title", match),
        app.session.knows("review") ? lead("review", match, "&review") : null,
      ]),
    ]);
  });
  return el("section", { class: "past" }, [el("h2", { text: app.t("lobby.past") }), el("ul", { class: "tables" }, rows)]);
}

/** `Won`, `Place 3 of 4`: how the match ended for the player of this browser; null if it is not stored. */
function placeOf(app, { own, ranks }) {
  const rank = Array.isArray(ranks) ? ranks[own] : undefined;
  if (!Number.isInteger(rank)) return null;
  const text = rank === 1 ? app.t("results.won") : app.t("lobby.place", { rank, count: ranks.length });
  return el("span", { class: rank === 1 ? "place is-won" : "place", text });
}

/** `1. Bob 52 · 2. You 40`; null for a match of which no result is stored. */
function standing(app, { names, own, ranks, totals }) {
  if (!Array.isArray(ranks) || ranks.length !== names.length) return null;
  const order = ranks.map((_, seat) => seat).sort((one, other) => ranks[one] - ranks[other]);
  const name = (seat) => (seat === own ? app.t("table.you") : isolated(String(names[seat])));
  return order.map((seat) => `${Number(ranks[seat])}. ${name(seat)} ${figure(totals?.[seat] ?? "")}`.trim()).join(" · ");
}

/** The stored matches, without those of another version of the page in an unknown form. */
function matchesIn(memory) {
  const kept = memory.get("past");
  if (!Array.isArray(kept)) return [];
  const isMatch = (each) => /^[A-Za-z0-9]{1,16}$/.test(each.code) && Array.isArray(each.names) && each.at > 0;
  return kept.filter((each) => each && isMatch(each));
}
