// What stands around every screen: the bar above it, how the connection stands, what is told.

import { button, el, mark, say, select } from "./dom.js";
import { isolated } from "./words.js";

const NEWS_SECONDS = 6;
/** An attempt to connect again that fails sooner is not told of: the words would flicker. */
const ATTEMPT_SECONDS = 1;
const MOST_LINES = 20;

export class Frame {
  /**
   * `languages` are the codes and names of those that there are; `on` says what to do when somebody
   * wants to go `home`, the `settings`, another `language`, or to connect `again`; and `rename` when
   * the server does not take a name.
   */
  constructor(app, languages, on) {
    this.app = app;
    this._rename = on.rename;
    this.main = el("main", { id: "main" });
    this._who = button("", on.settings, { class: "who", title: app.t("you.title") });
    this._status = el("span");
    this._again = button(app.t("connection.now"), on.again, { hidden: true });
    this._strip = el("div", { class: "status", hidden: true }, [this._status, this._again]);
    this._live = el("div", { class: "spoken", role: "log", "aria-live": "polite" });
    this._alert = el("div", { class: "alert", hidden: true }, [
      el("span"),
      button("×", () => this.alert(""), { "aria-label": app.t("close") }),
    ]);
    const home = el("a", { href: app.root.pathname, text: app.t("title"), class: "home" });
    home.addEventListener("click", (event) => {
      event.preventDefault();
      on.home();
    });
    const menu = select(languages, app.texts.language, { "aria-label": app.t("language") });
    menu.addEventListener("change", () => on.language(menu.value));
    document.body.replaceChildren(
      el("a", { href: "#main", class: "skip", text: app.t("skip") }),
      el("header", { class: "bar" }, [home, el("span", { class: "grow" }), menu, this._who]),
      this._strip,
      this.main,
      this._alert,
      this._live,
    );
    /** How often a line was shown, for those whose line takes a while. */
    this.alerts = 0;
    document.addEventListener("close", ({ target }) => this._closed(target), { capture: true });
    this._lostOnce = false;
    this._standing = null;
    for (const name of ["online", "offline"]) window.addEventListener(name, () => this._standing && this._stand(this._standing));
    this._outage = false;
    this._stopping = null;
  }

  /** Show the messages of session and connection that concern every screen. */
  happened(event) {
    if (event.kind === "welcomed") this._welcomed();
    if (event.kind === "state") this._stand(event);
    if (event.kind === "notice") this._noticed(event.notice);
  }

  /** Show the name of the player. */
  name(text) {
    say(this._who, isolated(text));
  }

  /** Show the state of the connection; `again` if the player may want to connect at once. */
  status(text, again) {
    say(this._status, text);
    this._strip.hidden = !text;
    this._again.hidden = !again;
  }

  /** Announce a line in the one polite live region. */
  say(text) {
    this._live.append(el("p", { text }));
    while (this._live.children.length > MOST_LINES) this._live.firstChild.remove();
  }

  /** Show and announce a line until the next one; news disappear after a while. Not `said`: no announcement. */
  alert(text, news = false, said = true) {
    this.alerts += 1;
    clearTimeout(this._timer);
    if (news) this._timer = setTimeout(() => this.alert(""), 1000 * NEWS_SECONDS);
    // Beside an open dialog nothing is seen, clicked or heard.
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    if (text) this._place(dialog ?? document.body);
    say(this._alert.querySelector("span"), text);
    this._alert.hidden = !text;
    if (text && said) this.say(text);
  }

  /** Show the reason of a refusal; a refusal in a dialog is removed when the dialog closes. */
  refused(text) {
    this.alert(text);
    this._refusal = this.alerts;
  }

  _closed(dialog) {
    if (this._alert.parentNode !== dialog) return;
    this._place(document.body);
    if (this._refusal === this.alerts) this.alert("");
  }

  /** Put the line into `parent`; in a dialog a screen reader announces it by itself. */
  _place(parent) {
    if (this._alert.parentNode !== parent) parent.append(this._alert);
    mark(this._alert, "role", parent === document.body ? null : "alert");
  }

  /** Remove the notice that the server was stopping, unless another line is shown by now. */
  _welcomed() {
    if (this._stopping === this.alerts) this.alert("");
  }

  async _stand(standing) {
    const { state, refused } = standing;
    this._standing = standing;
    document.documentElement.dataset.connection = state;
    if (state === "waiting") {
      this._lostOnce = true;
      // Whoever comes in again during an outage is told anew.
      if (this._outage) this.alert("");
      this._outage = false;
    }
    if (state === "refused") {
      await this._refused(refused);
      return;
    }
    const quiet = state === "online" || (state === "connecting" && !this._lostOnce);
    const told = navigator.onLine === false ? "offline" : state;
    const tell = () => this.status(quiet ? "" : this.app.t(`connection.${told}`), state === "waiting");
    clearTimeout(this._attempt);
    if (state === "connecting" && !quiet) this._attempt = setTimeout(tell, 1000 * ATTEMPT_SECONDS);
    else tell();
  }

  /** Show that the server refuses this client. */
  async _refused(refused) {
    const { app } = this;
    const known = refused.code === "replaced" ? app.t("connection.replaced") : "";
    this.status(known, true);
    if (known) return;
    if (refused.code === "bad_message" || app.session.code !== null) {
      this._rename(refused);
      return;
    }
    const { connection } = app;
    const told = await app.refusal(refused);
    if (connection === app.connection && connection.state === "refused") this.status(told, true);
  }

  _noticed(notice) {
    const { app } = this;
    if (notice.kind === "draining") {
      this.alert(app.t("notice.draining"));
      this._stopping = this.alerts;
    }
    if (notice.kind === "outage" || notice.kind === "outage_over") {
      this._outage = notice.kind === "outage";
      this.alert(this._outage ? app.t("notice.outage") : app.t("notice.outage_over"), !this._outage);
    }
    if (notice.kind === "lagging") this.say(app.t("notice.lagging"));
    if (notice.kind === "announcement") this.alert(app.t("notice.announcement", { text: notice.reason ?? "" }));
  }
}
