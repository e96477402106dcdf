// A list of lines of which the last one is in sight, unless somebody has scrolled up.

import { el } from "../dom.js";

const MOST_LINES = 200;

export class Lines {
  /** A list of a kind with a name; `empty` is shown while there are no lines. */
  constructor(kind, name, empty = "") {
    this.element = el("ol", { class: `lines ${kind}`, tabindex: 0, "aria-label": name });
    this.element.dataset.empty = empty;
    this._atEnd = true;
    new ResizeObserver(() => this._toEnd()).observe(this.element);
    this.element.addEventListener("scroll", () => this._scrolled(), { passive: true });
  }

  clear() {
    this.element.replaceChildren();
    this._atEnd = true;
  }

  add(line) {
    const { element } = this;
    element.append(line);
    while (element.children.length > MOST_LINES) element.firstChild.remove();
    // Sizes are asked for once, when the browser draws: here that would lay out the whole page.
    this._due ||= requestAnimationFrame(() => {
      this._due = 0;
      this._toEnd();
    });
  }

  _toEnd() {
    if (this._atEnd) this.element.scrollTop = this.element.scrollHeight;
  }

  /** Keep the last line in sight, unless the player has scrolled up. */
  _scrolled() {
    if (this._due) return;
    const { scrollHeight, scrollTop, clientHeight } = this.element;
    this._atEnd = scrollHeight - scrollTop - clientHeight < 40;
  }
}
