// Somebody waits until the host lets them in: at which game, with whom, and what they can do meanwhile.

import { button, el } from "../dom.js";
import { infoOf, namesOf } from "../picture.js";

/** Show the dialog in `place`, until the table comes; a private table shows nothing of itself. */
export async function wait(room, place, asked) {
  const { app, code } = room;
  const at = el("p", { hidden: true });
  const watch = button(app.t("lobby.watch_meanwhile"), () => app.ask("watch", { table: code }));
  const cancel = () => {
    // Where the request is over there is nothing to take back.
    app.connection.ask("leave", { table: code });
    app.go("");
  };
  place.replaceChildren(
    at,
    el("p", { text: asked }),
    el("div", { class: "actions" }, [watch, button(app.t("cancel"), cancel)]),
  );
  place.hidden = false;
  app.say(asked);
  const found = await app.connection.ask("list_tables", { text: code });
  const info = found.tables?.find((each) => each.table === code);
  if (!info || room.picture || app.screen !== room) return;
  room.expect(app.words.gameTitle({ id: info.game, title: info.title }));
  at.textContent = app.t("room.sit_there", { names: namesOf(infoOf(info)).filter(Boolean).join(", ") });
  at.hidden = false;
  watch.hidden = info.settings?.watchable === false;
}
