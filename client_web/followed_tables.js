// The tables that a session follows: the picture of each, and what a message changes of it
// (`protocol/followed_tables.py`). Messages in, events out.

import { now } from "./clock.js";
import { factOf, follow, pictureOf, withNotice, withPresence, withTimes } from "./picture.js";

export class FollowedTables {
  /** `heard` has the numbers of the last chat lines of tables: for all, and for spectators. */
  constructor(heard) {
    this.pictures = new Map();
    this._heard = heard;
    this._misfits = new Set();
    // Seats, by table, whose players a newer snapshot shows as away: nobody was told that they went.
    this._arriving = new Map();
  }

  snapshot(message) {
    const before = this.pictures.get(message.table);
    const picture = { ...pictureOf(message, before), since: now() };
    // Where the server has loaded the table just now, all come back one after another.
    const known = this._arriving.get(message.table);
    const isArriving = (seat) => known?.has(seat) || !before.info.seats[seat]?.away;
    const arriving = picture.info.seats.flatMap(({ away }, seat) => (away && before && isArriving(seat) ? [seat] : []));
    this._arriving.set(message.table, new Set(arriving));
    this.pictures.set(message.table, picture);
    return [{ kind: "snapshot", picture }];
  }

  /** Apply a new event; throws `OutOfSync` if it does not follow the picture. */
  event(message) {
    const before = this.pictures.get(message.table);
    const picture = follow(before, message);
    if (message.question) picture.since = now();
    this.pictures.set(message.table, picture);
    return [{ kind: "event", picture, before, facts: (message.facts ?? []).map(factOf) }];
  }

  /** Record an event that did not fit; return whether one before it did not either. */
  misfit(table) {
    const again = this._misfits.has(table);
    this._misfits.add(table);
    return again;
  }

  /** Record a chat line, unless it was received before. */
  chat(chat) {
    const { table, number = 0, earlier = false } = chat;
    const heard = [...(this._heard.get(table) ?? [0, 0])];
    const which = chat.apart ? 1 : 0;
    if (earlier && number <= heard[which]) return [];
    if (number) {
      heard[which] = number;
      this._heard.set(table, heard);
    }
    return [{ kind: "chat", chat }];
  }

  presence({ table, seat, away }) {
    const before = this.pictures.get(table);
    if (!before) return [];
    const picture = withPresence(before, seat, away);
    this.pictures.set(table, picture);
    const isNews = !this._arriving.get(table)?.delete(seat);
    return [{ kind: "changed", picture, ...(isNews ? { presence: { seat, away } } : {}) }];
  }

  /** Update clocks and presences of a table without missed events. */
  unchanged(message) {
    const before = this.pictures.get(message.table);
    const picture = { ...withTimes(before, message), since: now() };
    this.pictures.set(message.table, picture);
    const changes = picture.info.seats.flatMap(({ away }, seat) =>
      seat !== picture.seat && away !== before.info.seats[seat]?.away
        ? [{ kind: "changed", picture, presence: { seat, away } }] : [],
    );
    return [...changes, { kind: "changed", picture }];
  }

  noticed(notice) {
    const before = this.pictures.get(notice.table);
    const picture = before && withNotice(before, notice);
    // Whose time is up is told again to those who come back.
    if (before && !picture && notice.kind === "time_up") return [];
    if (!picture) return [{ kind: "notice", notice }];
    this.pictures.set(notice.table, picture);
    return [{ kind: "notice", notice }, { kind: "changed", picture }];
  }

  /** Reset the count of spectators, as a slow reader is not sent a count of 0 again. */
  forgetSpectators(tables) {
    for (const code of tables) this.pictures.set(code, { ...this.pictures.get(code), spectators: 0 });
  }

  /** Reset spectators and requests to join, which are sent again with the tables. */
  forgetPeople(tables) {
    for (const code of tables) this.pictures.set(code, { ...this.pictures.get(code), latecomers: {}, spectators: 0 });
  }

  close(table, reason) {
    const picture = this.pictures.get(table);
    this.pictures.delete(table);
    this._heard.delete(table);
    this._misfits.delete(table);
    this._arriving.delete(table);
    return picture ? [{ kind: "closed", picture, reason }] : [];
  }
}
