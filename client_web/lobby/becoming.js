// Asks before this browser becomes another player, whose device has made a code.

import { Stranger } from "../connection.js";
import { button, el } from "../dom.js";

/** The milliseconds after opening in which the confirming button does nothing. */
const FIRST_LOOK = 800;

/** Ask the server for the owner of `code`, which stays valid, and then ask the person here. */
export async function offerToBecome(app, code) {
  const answer = await new Stranger(app.root).ask("whose_code", { code });
  if (answer.type === "code_owner") ask(app, answer.name, () => app.becomeDevice(code));
  else if (answer.code === "unauthorized") app.alert(app.t("devices.useless"));
  else app.refuse(answer);
}

/** A dialog whose default, by Enter and Escape, is to stay, as a link may come from anybody. */
function ask(app, name, become) {
  const own = app.connection && app.memory.get("name");
  const stay = own ? app.t("devices.stay_as", { name: own }) : app.t("devices.stay");
  const title = app.t("devices.become", { name });
  const go = button(
    app.t("devices.do_become", { name }),
    () => {
      dialog.close();
      become();
    },
    { disabled: true },
  );
  // Another page can open this one below the second click of a double click.
  setTimeout(() => (go.disabled = false), FIRST_LOOK);
  const dialog = el("dialog", { "aria-label": title, "aria-describedby": "become" }, [
    el("h2", { text: title }),
    el("div", { id: "become" }, [
      el("p", { text: app.t("devices.becoming", { name }) }),
      own ? el("p", { text: app.t("devices.forgets", { name: own }) }) : null,
      el("p", { text: app.t("devices.only", { name }) }),
    ]),
    el("div", { class: "actions" }, [
      button(stay, () => dialog.close(), { class: "main", autofocus: true }),
      go,
    ]),
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
