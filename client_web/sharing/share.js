// An invitation to a table: its link as a QR code, to be shared, copied, or selected by hand.

import { button, el } from "../dom.js";
import { qrDrawing } from "./qr.js";

/** What fits into a QR code that a phone reads from a screen. */
const LONGEST = 300;

/** The address of a page of this server as others reach it: `t/CODE`, or what follows a #. */
export function linkTo(app, path) {
  const here = new URL(path, app.root);
  const there = app.session?.url;
  if (!there || !isHereOnly(here)) return here.href;
  // Whoever plays on the server's own machine invites to its address in the network.
  return new URL(path, `${there.replace(/^ws/, "http").replace(/\/$/, "")}/`).href;
}

/** Whether an address means the computer on which it is opened. */
function isHereOnly({ hostname }) {
  return /^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);
}

/** Invite to a table; who invites and to which game stands behind the #, which no server is sent. */
export function share(app, code, game) {
  // An address has no isolates.
  const told = new URLSearchParams({ from: app.session.name ?? "", game: game.replace(/\p{Bidi_Control}/gu, "") });
  const whole = linkTo(app, `t/${code}#${told}`);
  const link = whole.length > LONGEST ? linkTo(app, `t/${code}`) : whole;
  const shared = { title: app.t("title"), text: app.t("share.text", { game }), url: link };
  const how = app.t("share.how", { code });
  const here = isHereOnly(new URL(link)) ? ` ${app.t("share.here_only")}` : "";
  showLink(app, app.t("share.title"), how + here, link, shared);
}

/** A dialog with a link; on plain HTTP a browser neither shares nor copies, so it can be selected. */
export function showLink(app, title, how, link, told = { url: link }) {
  const given = { readonly: true, "aria-label": app.t("share.link"), "aria-describedby": "share-done" };
  const input = el("input", { value: link, ...given });
  // It is read when it has the focus: the page's live region is not heard beside a dialog.
  const done = el("p", { class: "quiet", id: "share-done", tabindex: -1 });
  const copy = async () => {
    await navigator.clipboard.writeText(link);
    done.textContent = app.t("share.copied");
    done.focus();
  };
  const give = () => navigator.share(told).catch(({ name }) => name === "AbortError" || select());
  const select = () => {
    input.focus();
    input.select();
    done.textContent = app.t("share.by_hand");
  };
  const dialog = el("dialog", { "aria-label": title }, [
    el("h2", { text: title }),
    el("p", { text: how }),
    qrDrawing(link, app.t("share.code")),
    input,
    done,
    el("div", { class: "actions" }, [
      navigator.share ? button(app.t("share.share"), give, { class: "main" }) : null,
      button(app.t("share.copy"), navigator.clipboard ? () => copy().catch(select) : select, {
        class: navigator.share ? "" : "main",
      }),
      button(app.t("close"), () => dialog.close()),
    ]),
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  input.addEventListener("focus", () => input.select());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
