// Loads the page anew when the server has another one, or a part of it could not be loaded.

const RELOAD_SECONDS = 30;
const LOADED = "blackqueen loaded anew";

export class Updates {
  /** `app` has connection and screen; unsent input in `main` must not be lost. */
  constructor(app, main, reload = () => location.reload()) {
    this.app = app;
    this._reload = reload;
    this._old = false;
    this._typed = new Set();
    main.addEventListener("input", ({ target }) => this._typed.add(target));
  }

  /** Check at each welcome whether the server has a newer page. */
  async check() {
    try {
      const answer = await fetch(new URL("main.js", import.meta.url), { method: "HEAD", cache: "no-store" });
      this._old ||= answer.status === 404;
      this.renew();
    } catch {
      // The connection is gone again; the next welcome asks again.
    }
  }

  /** Reload after a part of the page could not be loaded, but not over and over. */
  begin() {
    const last = Number(sessionStorage.getItem(LOADED) ?? 0);
    if (Date.now() - last < 1000 * RELOAD_SECONDS) return;
    sessionStorage.setItem(LOADED, String(Date.now()));
    this._old = true;
    this.renew();
  }

  /**
   * Load the new page once nobody loses anything by it; the seat is kept by the token. What was just
   * answered is seen to first. A sign of life is answered every few seconds, so this is asked again.
   */
  renew() {
    if (this._old) setTimeout(() => this._isHarmless() && this._reload());
  }

  _isHarmless() {
    const { connection, screen } = this.app;
    const away = ["connecting", "waiting"].includes(connection?.state);
    if (away || connection?.session.waits || document.querySelector("dialog[open]")) return false;
    return !screen?.isChoosing && ![...this._typed].some((input) => this._holds(input));
  }

  /** Whether a field has unsent input; a slider does not count, as it only moves the view. */
  _holds(input) {
    if (!input.isConnected) this._typed.delete(input);
    return input.isConnected && input.type !== "range" && input.value !== "";
  }
}
