// The field for the code of a table, which somebody has been told or sent.

import { el, field } from "../dom.js";

/** A form that calls `go` with the code that was typed or pasted in it; a device's link asks at once. */
export function codeForm(app, go) {
  const input = el("input", { required: true, autocapitalize: "characters", autocomplete: "off" });
  const submit = async (event) => {
    event.preventDefault();
    const part = await app.load(() => import("./pasted.js"), false);
    if (!part) return;
    const { table, device } = part.read(input.value);
    if (table) go(table);
    else if (device) app.offerDevice(device);
    else app.alert(app.t("lobby.no_code"));
  };
  return el("form", { class: "code", onsubmit: submit }, [
    field(app.t("lobby.code"), input),
    el("button", { text: app.t("lobby.code_go") }),
  ]);
}
