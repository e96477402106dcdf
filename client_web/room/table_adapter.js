// What a room tells the table that it draws, and what that table may ask for: see the README.

import { namesOf } from "../picture.js";
import { dealFacts } from "./talk.js";
import { titled } from "../lobby/translated.js";

export class TableAdapter {
  constructor(room) {
    this.room = room;
  }

  /** The picture in the form for a drawn table; `facts` happened since it was `before`. */
  of(picture, game, fresh, before, facts) {
    const { app } = this.room;
    return {
      code: picture.table,
      seq: picture.seq,
      fresh,
      seat: picture.seat,
      view: picture.view,
      before: fresh ? null : (before ?? picture).view,
      facts: fresh ? [] : facts,
      deal: picture.facts,
      earlier: picture.earlier,
      legend: picture.legend,
      ...this._titled(picture),
      game,
      info: picture.info,
      names: namesOf(picture.info),
      question: picture.question,
      bot: this.room.bot?.notice ?? null,
      clocks: { turn: picture.question.clock ?? null, reserve: picture.question.reserve, since: picture.since },
      spectators: picture.spectators,
      online: app.session.reaches(picture.table),
      words: app.wordsFor(picture),
    };
  }

  /** Layout hints and labels in the page's language; the same objects while nothing changes. */
  _titled({ layout, labels, info }) {
    if (this._titles?.from !== layout) {
      this._titles = { from: layout, named: titled({ layout, labels }, info.game, this.room.app.texts.titles) };
    }
    return this._titles.named;
  }

  /** The functions that a drawn table may call. */
  get callbacks() {
    const { room } = this;
    const { app, code } = room;
    const done = (answer) => (answer.type === "error" ? app.refusal(answer, room.picture) : null);
    const ask = async (type, fields = {}) => done(await app.connection.ask(type, { table: code, ...fields }));
    // Who acts plays again themselves.
    const own = (type, fields) => {
      room.bot?.end();
      return ask(type, fields);
    };
    return {
      act: (action, turn) => own("act", { action, turn }),
      hint: async () => {
        const answer = await app.connection.ask("hint", { table: code });
        return answer.type === "error" ? done(answer) : answer;
      },
      undo: (turn = null) => own("undo", turn === null ? {} : { turn }),
      sure: (question, yes) => app.sure(question, yes),
      earlier: () => dealFacts(app, room.picture),
      help: () => room.toggleHelp(),
      incomplete: () => app.loadAnew(),
      say: (text) => app.say(text),
      shown: (facts, scene) => room.seen(facts, scene),
      setting: (name) => app.memory.get(`table.${name}`),
      settings: () => app.openLooks(),
    };
  }
}
