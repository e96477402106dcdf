// How somebody comes in at a table: they sit down, watch, or wait until the host lets them in.

import { el, say } from "../dom.js";

export class SeatRequest {
  /** What those see who wait is shown in `place`, until the table comes. */
  constructor(room, place) {
    this.room = room;
    this._place = place;
    this._asks = false;
    /** What is said of one's request while the host is asked; "" without one. */
    this._request = "";
    this.element = el("p", { class: "quiet" });
    if (!room.picture && !room.app.session.online) say(this.element, room.app.t("connection.connecting"));
  }

  /**
   * Sit down, or watch: only where this player is not at the table yet, or waits for a seat at it.
   * Whoever has followed a link is asked whether they want to; first, whether there is such a table.
   */
  async send() {
    const { room } = this;
    const { app, code } = room;
    // The tables where one sits come right behind the welcome.
    await new Promise((resolve) => setTimeout(resolve));
    if ((room.picture && !this.waits) || this._asks) return;
    this._asks = true;
    const type = room.isWatching ? "watch" : "join";
    const ask = (fields) => app.connection.ask(room.isInvited ? "sync" : type, { table: code, ...fields });
    let answer = await ask({});
    if (answer.phrase?.code === "refused_seeded" && confirm(app.t("room.seeded_ask"))) answer = await ask({ seeded: true });
    this._asks = false;
    if (app.screen !== room) return;
    if (answer.type === "asked") await this._wait(answer.seconds);
    else if (room.isInvited && answer.code === "not_seated") room.invited();
    else if (answer.type === "error" && answer.code !== "already_seated") {
      if (room.picture) this.end(await app.refusal(answer, room.picture));
      else room.refused(answer);
    }
  }

  /** Whether the host is asked to let one in. */
  get waits() {
    return this._request !== "";
  }

  /** The table is seen: what was refused from outside is over for those who have a seat. */
  seen({ seat }) {
    if (seat !== null) {
      if (this._request) this.room.app.alert("");
      this._request = "";
    }
    say(this.element, this._request);
  }

  /** The request is over, for this reason. */
  end(reason) {
    const { room } = this;
    this._request = "";
    if (!room.picture) {
      room.refused({ code: "refused", told: reason });
      return;
    }
    say(this.element, "");
    room.app.alert(reason, false, false);
  }

  /** The host is asked; what one reads meanwhile is loaded for those who wait. */
  async _wait(seconds) {
    const { room } = this;
    if (!room.picture) room.outside();
    this._request = room.app.t("room.asked", { seconds: Math.round(seconds) });
    if (room.picture) this.seen(room.picture);
    const part = await room.app.load(() => import("./latecomer.js"));
    if (part && this._request && !room.picture) part.wait(room, this._place, this._request);
  }
}
