// How somebody comes in at a table: they sit down, watch, or wait until the host lets them in.

import { el, say } from "../dom.js";

export class SeatRequest {
  /** `place` has the text for a waiting player, until the table comes. */
  constructor(room, place) {
    this.room = room;
    this._place = place;
    this._asks = false;
    /** The state of the player's own request while the host is asked; "" without one. */
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
    const isSeeded = answer.phrase?.code === "refused_seeded";
    if (isSeeded && (await app.sure(app.t("room.seeded_ask"), app.t("lobby.sit")))) answer = await ask({ seeded: true });
    this._asks = false;
    if (app.screen !== room) return;
    if (answer.type === "asked") await this._wait(answer.seconds);
    else if (room.isInvited && answer.code === "not_seated") room.invited();
    else if (answer.type === "error" && answer.code !== "already_seated") {
      if (room.picture) this.end(await app.refusal(answer, room.picture));
      else room.refused(answer);
    }
  }

  /** Whether the host is asked to admit this player. */
  get waits() {
    return this._request !== "";
  }

  /** Show the table, which ends refusals from outside for players with a seat. */
  seen({ seat }) {
    if (seat !== null) {
      if (this._request) this.room.app.alert("");
      this._request = "";
    }
    say(this.element, this._request);
  }

  /** End the request, for this reason. */
  end(reason) {
    const { room } = this;
    this._request = "";
    if (!room.picture) {
      room.refused({ code: "refused", text: reason });
      return;
    }
    say(this.element, "");
    room.app.alert(reason, false, false);
  }

  /** Ask the host, and load the rules for waiting players to read. */
  async _wait(seconds) {
    const { room } = this;
    if (!room.picture) room.outside();
    this._request = room.app.t("room.asked", { seconds: Math.round(seconds) });
    if (room.picture) this.seen(room.picture);
    const part = await room.app.load(() => import("./latecomer.js"));
    if (part && this._request && !room.picture) part.wait(room, this._place, this._request);
  }
}
