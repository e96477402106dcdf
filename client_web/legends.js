// What all tables of a game have in common, kept under its digest: the server sends it once
// (`protocol/followed_tables.py`).

const MOST_KNOWN = 32;
const LONGEST_DIGEST = 64;

export class Legends {
  constructor() {
    this._kept = new Map();
  }

  /** Keep what the tables of a game have in common. */
  keep({ digest, legend, labels = [], layout = {} }) {
    this._kept.delete(digest);
    this._kept.set(digest, { legend, labels, layout });
  }

  /** Keep those that came with games: the server does not send them again. */
  keepThose(cards) {
    for (const card of cards) if (card.legend && card.digest) this.keep(card);
  }

  /** The digests of those that need not be sent again, the latest ones. */
  get known() {
    return [...this._kept.keys()].filter((digest) => digest.length <= LONGEST_DIGEST).slice(-MOST_KNOWN);
  }

  /** A message `table` with what its digest stands for. */
  completed(table) {
    const common = this._kept.get(table.digest);
    return common ? { ...table, ...common } : table;
  }
}
