// Who a player is: their name, and the devices that can come in as them.

import { button, el, field, list, pastedName } from "../dom.js";
import { linkTo, showLink } from "../sharing/share.js";

const MINUTE = 60;

export class Settings {
  /** `why` is the reason for asking this player for another name, if they are asked. */
  constructor(app, why) {
    this.app = app;
    const name = el("input", { name: "name", required: true, maxlength: 24, value: app.session.name ?? "" });
    const rename = (event) => {
      event.preventDefault();
      const chosen = pastedName(name.value);
      this._dialog.close();
      if (chosen && chosen !== app.session.name) app.enter(chosen);
    };
    this._devices = el("ul", { class: "devices" });
    this._dialog = el("dialog", { "aria-label": app.t("you.title") }, [
      el("div", { class: "head" }, [el("h2", { text: app.t("you.title") }), button(`${app.t("looks.title")} …`, () => app.openLooks()), button(app.t("close"), () => this._dialog.close())]),
      why ? el("p", { text: why }) : null,
      el("form", { onsubmit: rename }, [
        field(app.t("entry.name"), name, app.t("entry.seen")),
        el("div", { class: "actions" }, [el("button", { text: app.t("save") })]),
      ]),
      app.session.knows("add_device") ? this._section() : null,
    ]);
    this._dialog.addEventListener("close", () => this._dialog.remove());
  }

  open() {
    document.body.append(this._dialog);
    this._dialog.showModal();
    if (this.app.session.knows("devices")) this._list();
  }

  _section() {
    const { app } = this;
    return el("section", {}, [
      el("h3", { text: app.t("devices.title") }),
      el("p", { class: "quiet", text: app.t("devices.what") }),
      this._devices,
      el("div", { class: "actions" }, [button(app.t("devices.add"), () => this._add())]),
    ]);
  }

  async _list() {
    const answer = await this.app.ask("devices");
    if (!answer) return;
    list(this._devices, answer.devices, (each) => each.device, () => el("li"), (row, each) => this._fill(row, each));
  }

  _fill(row, { device, name, seen, this: own, online }) {
    const { app } = this;
    const title = name || app.t("devices.nameless");
    const date = new Date(1000 * seen).toLocaleDateString(app.texts.language);
    const about = own ? app.t("devices.this") : online ? app.t("devices.online") : app.t("devices.seen", { date });
    const revoke = async () => {
      if (!(await app.sure(app.t("devices.sure", { name: title }), app.t("devices.revoke")))) return;
      if (await app.ask("revoke_device", { device })) this._list();
    };
    row.replaceChildren(
      el("strong", { text: title }),
      el("span", { class: "quiet", text: about }),
      ...(own ? [] : [button(app.t("devices.revoke"), revoke, { "aria-label": app.t("devices.revoke_name", { name: title }) })]),
    );
  }

  /** A link, valid once, that makes another browser this player. */
  async _add() {
    const { app } = this;
    const answer = await app.ask("add_device");
    if (!answer) return;
    const minutes = Math.round(answer.seconds / MINUTE);
    const link = linkTo(app, `#device=${encodeURIComponent(answer.code)}`);
    const dialog = showLink(app, app.t("devices.add"), app.t("devices.how", { minutes }), link);
    // The device may have come in meanwhile.
    dialog.addEventListener("close", () => app.session.knows("devices") && this._list());
  }
}
