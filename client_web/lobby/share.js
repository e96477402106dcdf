// An invitation to a table: shared where the browser can, else copied, else shown to be copied.

import { button, el } from "../dom.js";

export async function share(app, code, title) {
  const url = new URL(`t/${code}`, app.root).href;
  const text = app.t("share.text", { game: title });
  try {
    if (navigator.share) {
      await navigator.share({ title: app.t("title"), text, url });
      return;
    }
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(url);
      app.alert(app.t("share.copied", { url }), true);
      return;
    }
  } catch (error) {
    if (error.name === "AbortError") return;
  }
  // On plain HTTP a browser does neither.
  show(app, url);
}

function show(app, url) {
  const input = el("input", { value: url, readonly: true, "aria-label": app.t("share.link") });
  const dialog = el("dialog", {}, [
    el("p", { text: app.t("share.by_hand") }),
    input,
    el("div", { class: "actions" }, [button(app.t("close"), () => dialog.close())]),
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  input.select();
}
