// A question before something that cannot be taken back, in the looks and the language of the page.

import { button, el } from "./dom.js";

/** Ask, with the word `yes` on the button that does it; resolves with whether it shall be done. */
export function sure(app, question, yes) {
  // Pressed again before this was loaded.
  if (document.querySelector("dialog.sure")) return Promise.resolve(false);
  return new Promise((resolve) => {
    const dialog = el("dialog", { class: "sure", role: "alertdialog", "aria-label": question }, [
      el("p", { text: question }),
      el("div", { class: "actions" }, [
        button(app.t("cancel"), () => dialog.close()),
        button(yes, () => dialog.close("yes"), { class: "main" }),
      ]),
    ]);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
