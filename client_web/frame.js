// What stands around every screen: the bar above it, how the connection stands, what is told.

import { button, el, say, select } from "./dom.js";

const NEWS_SECONDS = 6;
const MOST_LINES = 20;

export class Frame {
  /**
   * `languages` are the codes and names of those that there are; `on` says what to do when somebody
   * wants to go `home`, the `settings`, another `language`, or to connect `again`.
   */
  constructor(app, languages, on) {
    this.main = el("main", { id: "main" });
    this._who = button("", on.settings, { class: "who", title: app.t("you.title") });
    this._status = el("span");
    this._again = button(app.t("connection.now"), on.again, { hidden: true });
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
      el("div", { class: "status" }, [this._status, this._again]),
      this.main,
      this._alert,
      this._live,
    );
    /** How often a line was shown, for those whose line takes a while. */
    this.alerts = 0;
  }

  /** Who plays here. */
  name(text) {
    say(this._who, text);
  }

  /** How the connection stands; `again` if somebody may want to connect at once. */
  status(text, again) {
    say(this._status, text);
    this._again.hidden = !again;
  }

  /** A line for the one polite live region. */
  say(text) {
    this._live.append(el("p", { text }));
    while (this._live.children.length > MOST_LINES) this._live.firstChild.remove();
  }

  /** A line that is seen as well, until the next one; news go by themselves. Not `said`: another line says it. */
  alert(text, news = false, said = true) {
    this.alerts += 1;
    clearTimeout(this._timer);
    if (news) this._timer = setTimeout(() => this.alert(""), 1000 * NEWS_SECONDS);
    say(this._alert.querySelector("span"), text);
    this._alert.hidden = !text;
    if (text && said) this.say(text);
  }
}
