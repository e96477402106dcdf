// The matches that were played in this browser, the latest first: each leads to its replay.

import { button, el } from "../dom.js";
import { namesOf } from "../picture.js";
import { isolated } from "../words.js";
import { gameName } from "./bots.js";
import { played } from "./families.js";

const MOST = 10;

/** Store that a match is over; of a table's matches the last one is kept. */
export function remember(memory, { info }) {
  const { table: code, game, title, match: number } = info;
  const names = namesOf(info).filter(Boolean);
  const match = { code, game, seats: info.seats.length, title, number, names, at: Date.now() };
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
        el("p", { text: names.map(isolated).join(", ") }),
      ]),
      el("div", { class: "actions" }, [
        lead("title", match),
        app.session.knows("review") ? lead("review", match, "&review") : null,
      ]),
    ]);
  });
  return el("section", { class: "past" }, [el("h2", { text: app.t("lobby.past") }), el("ul", { class: "tables" }, rows)]);
}

/** The stored matches, without those of another version of the page in an unknown form. */
function matchesIn(memory) {
  const kept = memory.get("past");
  if (!Array.isArray(kept)) return [];
  const isMatch = (each) => /^[A-Za-z0-9]{1,16}$/.test(each.code) && Array.isArray(each.names) && each.at > 0;
  return kept.filter((each) => each && isMatch(each));
}
