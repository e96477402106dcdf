// What somebody says while the chat is out of sight, as on a phone in a match: for a moment their
// words, then how many lines are unread. A click leads to the chat. The live region says them as well.

import { el, mark, say } from "../dom.js";

const SECONDS = 6;

export class ChatPreview {
  /** A preview for a player who does not see `lines`; `go` leads there. */
  constructor(app, lines, go) {
    this.app = app;
    this._unread = 0;
    /** The first line that is unread. */
    this.first = null;
    this._isSeen = false;
    this.element = el("button", { type: "button", class: "chat-preview", hidden: true, onclick: go });
    const look = new IntersectionObserver((found) => {
      this._isSeen = found.at(-1).isIntersecting;
      if (this._isSeen) this.read();
    }, { threshold: 0.5 });
    look.observe(lines);
  }

  /** Show that player `who` has written `text`, which is in `line`. */
  show(who, text, line) {
    if (this._isSeen) return;
    this.first ??= line;
    this._unread += 1;
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this._count(), 1000 * SECONDS);
    this.element.replaceChildren(el("strong", { text: `${who}: ` }), el("bdi", { text }));
    this.element.classList.add("is-new");
    mark(this.element, "aria-label", this.app.t("talk.unread_of", { count: this._unread }));
    this.element.hidden = false;
  }

  /** Mark all lines as read. */
  read() {
    clearTimeout(this._timer);
    this._unread = 0;
    this.first = null;
    this.element.hidden = true;
  }

  _count() {
    this.element.classList.remove("is-new");
    say(this.element, this.app.t("talk.unread", { count: this._unread }));
  }
}
