// What others wait for: who asks to be let in, and whose seat a bot may play because their time is up.

import { button, el, list } from "../dom.js";

/** Show it in `place`; `late` are questions with seats that had no time left, as the server has told. */
export function draw(app, place, picture, late) {
  const { table, info } = picture;
  const ask = (type, fields) => () => app.ask(type, { table, ...fields }, picture);
  const latecomers = Object.entries(picture.latecomers).map(([key, name]) => {
    const request = Number(key);
    return [`latecomer ${key}`, [
      el("span", { text: app.t("notice.latecomer", { name }) }),
      button(app.t("room.admit"), ask("admit", { request }), { class: "main" }),
      button(app.t("room.refuse"), ask("admit", { request, admit: false })),
    ]];
  });
  const slow = info.seats.flatMap((_, seat) => {
    if (!mayStandIn(picture, seat, late)) return [];
    const name = app.wordsFor(picture).name(seat);
    return [[`slow ${seat}`, [button(app.t("room.stand_in", { name }), ask("stand_in", { seat }))]]];
  });
  list(place, [...latecomers, ...slow], ([key]) => key, ([, parts]) => el("li", {}, parts), () => {});
}

/** The server's rule: the host may once the time is up; all players, if the host is away or slow. */
function mayStandIn({ info, question, seat: own }, seat, late) {
  const { host, phase, seats, settings } = info;
  if (own === null || own === seat || phase !== "playing" || !question.to_act.includes(seat)) return false;
  if (seats[seat].kind !== "human" || seats[seat].stand_in) return false;
  // A page that comes later was not told, but sees the clocks.
  const wasTold = late.some(([asked, at]) => asked === question && at === seat);
  const isOut = question.clock === 0 && !question.reserve[seat] && !settings?.turn_seconds;
  return (isOut || wasTold) && (host === own || host === null || host === seat || Boolean(seats[host].away));
}
