// Notices about a table, in sentences.

import { botText } from "../lobby/bots.js";

/** The sentence for a notice about the table in `picture`; "" if it needs no sentence. */
export function noticed(app, notice, picture, game) {
  const words = picture ? app.wordsFor(picture) : app.words;
  const names = (notice.seats ?? []).map((seat) => words.name(seat));
  const who = { who: listed(app, names), count: names.length };
  const strength = notice.strength ?? null;
  const bot = botText(app, game, strength);
  const seconds = about(notice.seconds);
  switch (notice.kind) {
    case "warming":
      if (!names.length) return app.t("notice.hints_warming", { seconds });
      if (strength === null) return app.t("notice.warming_waits", { ...who, seconds });
      return app.t("notice.warming", { ...who, bot, seconds });
    case "warmed":
      return names.length ? app.t("notice.warmed", { ...who, bot }) : app.t("notice.hints_warmed");
    case "not_warmed":
      return names.length ? app.t("notice.not_warmed", { ...who, bot }) : app.t("notice.hints_not_warmed");
    case "time_up":
      return app.t("notice.time_up", who);
    case "spectators":
      return app.t("notice.spectators", { count: notice.count ?? 0 });
    case "refused":
      return app.t("notice.refused", { reason: words.reason(notice.reason ?? "refused") });
    case "latecomer":
      return app.t(notice.same_address ? "notice.latecomer_again" : "notice.latecomer", { name: notice.name ?? "?" });
    case "latecomer_gone":
      if (["admitted", "refused"].includes(notice.reason)) return "";
      return app.t("notice.latecomer_gone", { name: notice.name ?? "?" });
    default:
      return "";
  }
}

/** A rounded number of seconds, as the server only estimates it. */
function about(seconds) {
  const whole = Math.round(seconds || 1);
  return whole < 10 ? whole : 5 * Math.round(whole / 5);
}

function listed(app, names) {
  const others = names.slice(0, -1).join(", ");
  return others ? app.t("and", { one: others, other: names.at(-1) }) : (names.at(-1) ?? "");
}
