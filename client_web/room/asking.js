// What others wait for: who asks to be let in, and whose seat a bot may play because their time is up.

import { button, el, list } from "../dom.js";

/** Show the question in `place`. */
export function draw(app, place, picture) {
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
    if (!mayStandIn(picture, seat)) return [];
    const name = app.wordsFor(picture).name(seat);
    return [[`slow ${seat}`, [button(app.t("room.stand_in", { name }), ask("stand_in", { seat }))]]];
  });
  list(place, [...latecomers, ...slow], ([key]) => key, ([, parts]) => el("li", {}, parts), () => {});
}

/** Whether this player may seat a bot: the host if time is up, others if the host is away or slow. */
function mayStandIn({ info, late, question, seat: own }, seat) {
  const { host, phase, seats, settings } = info;
  if (own === null || own === seat || phase !== "playing" || !question.to_act.includes(seat)) return false;
  if (seats[seat].kind !== "human" || seats[seat].stand_in) return false;
  // A server of an older release does not tell a page that comes later, but it sees the clocks.
  const isOut = question.clock === 0 && !question.reserve[seat] && !settings?.turn_seconds;
  return (isOut || late.includes(seat)) && (host === own || host === null || host === seat || Boolean(seats[host].away));
}
