// Loads the page anew when the server has another one, or a part of it could not be loaded.

const RELOAD_SECONDS = 30;
const LOADED = "blackqueen loaded anew";

export class Updates {
  /** `app` has connection and screen; what is typed or chosen in `main` must not be lost. */
  constructor(app, main, reload = () => location.reload()) {
    this.app = app;
    this._reload = reload;
    this._old = false;
    this._typed = new Set();
    main.addEventListener("input", ({ target }) => this._typed.add(target));
  }

  /** At each welcome the server may be a newer one, whose page this is not. */
  async check() {
    try {
      const answer = await fetch(new URL("main.js", import.meta.url), { method: "HEAD", cache: "no-store" });
      this._old ||= answer.status === 404;
      this.renew();
    } catch {
      // The connection is gone again; the next welcome asks again.
    }
  }

  /** A part of the page could not be loaded: begin again, but not over and over. */
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

  /** Whether somebody has filled in a field and not sent it yet; a slider moves what is seen. */
  _holds(input) {
    if (!input.isConnected) this._typed.delete(input);
    return input.isConnected && input.type !== "range" && input.value !== "";
  }
}
