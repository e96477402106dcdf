// Blocks of cards: pure. Each of these functions makes {width, height, lay} of something that lies
// together: a pile, a row, slots, what somebody holds or has played. `lay(put, x, y)` hands each item of
// a block whose corner is there to `put`: many sizes are tried, and only the best is laid.

export const RATIO = 1.4;
export const GAP = 8;
export const TITLE = 17;
/** What of it the letters take: below them is room for the frame of a card. */
const LETTERS = 14;
export const HEAD = 24;
export const CHIP = 20;
export const FULL_FACE = 58;
export const HELD = 50;
const SLOT = 25;
// Where rows mean something, as in Golf, cards become smaller before they wrap.
const SLOT_IN_ROWS = 18;

export const textWidth = (text, size = 6.6) => String(text).length * size;

export const NOTHING = { width: 0, height: 0, lay() {} };

// Blocks beside each other, in as many lines as they need.
export function flow(blocks, width, centred = false, gap = GAP) {
  const lines = [];
  for (const block of blocks) {
    if (block.width <= 0) continue;
    const line = lines.at(-1);
    if (line && line.width + gap + block.width <= width) {
      line.blocks.push(block);
      line.width += gap + block.width;
      line.height = Math.max(line.height, block.height);
    } else lines.push({ blocks: [block], width: block.width, height: block.height });
  }
  const lay = (put, x, y) => {
    for (const line of lines) {
      let left = x + (centred ? (width - line.width) / 2 : 0);
      for (const block of line.blocks) {
        block.lay(put, left, y + line.height - block.height);
        left += block.width + gap;
      }
      y += line.height + 4;
    }
  };
  const height = lines.reduce((sum, line) => sum + line.height + 4, 0);
  return { width: Math.max(0, ...lines.map((line) => line.width)), height: Math.max(0, height - 4), lay };
}

export function cardItem(card, x, y, w, overlapped = false, more = {}) {
  const face = card.token === null ? "back" : w >= FULL_FACE ? "full" : overlapped ? "corner" : "small";
  return { type: "card", ...card, x, y, w, h: w * RATIO, face, turn: 0, ...more };
}

function spotItem(zone, x, y, w, more = {}) {
  return { type: "spot", zone, x, y, w, h: w * RATIO, ...more };
}

// A pile shows its top card, its title and how many lie there; of the pile under it a part.
export function pileBlock(pile, u, covered = false) {
  const reach = pile.under ? u * 0.62 : 0;
  const width = Math.max(u + reach, Math.min(92, textWidth(pile.title, 6) + textWidth(pile.size, 6) + 18));
  const lay = (put, x, y) => {
    put({ type: "pile", zone: pile.zone, title: pile.title, count: pile.size, x, y, w: width, h: LETTERS });
    const start = x + (width - u - reach) / 2;
    const low = y + TITLE;
    // Of the lower one the left shows, where a card has its index.
    for (const [each, left] of [...(pile.under ? [[pile.under, start]] : []), [pile, start + reach]]) {
      put(spotItem(each.zone, left, low, u, { empty: each.size === 0 }));
      each.cards.slice(-2).forEach((card, at, shown) => {
        const below = at < shown.length - 1 || covered;
        // What somebody has taken is told by its number.
        const token = covered ? null : card.token;
        put(cardItem({ ...card, token }, left - at, low - at, u, false, { below }));
      });
    }
  };
  return { width, height: TITLE + u * RATIO, lay };
}

// A row shows every card, overlapped where they need it, in lines.
export function rowBlock(row, u, width) {
  u = Math.min(u, width);
  const step = u * 0.58;
  const count = row.cards.length;
  const open = count * (u + 3) - 3 <= Math.min(width, (u + 3) * 4);
  const along = open ? u + 3 : step;
  const inLine = Math.max(1, Math.floor((width - u) / along) + 1);
  const lines = Math.max(1, Math.ceil(count / inLine));
  const per = Math.max(1, Math.ceil(count / lines));
  const rise = u * 0.72;
  const used = u + (Math.min(per, Math.max(count, 1)) - 1) * along;
  const across = Math.max(used, Math.min(width, textWidth(row.title + row.slot, 6) + 22));
  const high = (lines - 1) * rise + u * RATIO;
  const lay = (put, x, y) => {
    const title = `${row.title} ${row.slot}`.trim();
    put({ type: "pile", zone: row.zone, title, count: row.size > 3 ? row.size : 0, x, y, w: across, h: LETTERS });
    // Below the middle of its title.
    x += (across - used) / 2;
    put(spotItem(row.zone, x, y + TITLE, u, { empty: count === 0, w: used, h: high }));
    row.cards.forEach((card, at) => {
      const low = y + TITLE + Math.floor(at / per) * rise;
      put(cardItem(card, x + (at % per) * along, low, u, !open || lines > 1));
    });
  };
  return { width: across, height: TITLE + high, lay };
}

// Slots in one line or in several of the same length; in each, what shows lies on what does not. Rather
// than that cards are narrower than `least` they lie in more lines.
export function slotsBlock(slots, u, width, least = SLOT) {
  if (!slots.length) return NOTHING;
  const gap = 3;
  const rows = Math.min(slots[0].rows, slots.length);
  const alone = (width + gap) / Math.ceil(slots.length / rows) - gap;
  if (rows > 1) least = SLOT_IN_ROWS;
  return slotLines(slots, alone >= least ? Math.min(u, alone) : u, width, gap);
}

function slotLines(slots, u, width, gap) {
  const fit = Math.max(1, Math.floor((width + gap) / (u + gap) + 1e-6));
  const lines = Math.max(Math.min(slots[0].rows, slots.length), Math.ceil(slots.length / fit));
  const per = Math.ceil(slots.length / lines);
  const deep = Math.min(3, Math.max(1, ...slots.map((slot) => slot.cards.length)));
  const lift = u * 0.14;
  const rise = u * RATIO + lift * (deep - 1) + gap;
  const lay = (put, left, top) => {
    slots.forEach((slot, at) => {
      const x = left + (at % per) * (u + gap);
      const y = top + Math.floor(at / per) * rise;
      const shown = slot.cards.slice(-3);
      put(spotItem(slot.zones.at(-1), x, y + lift * (deep - 1), u, { empty: !shown.length, slot: slot.slot }));
      shown.forEach((card, level) => {
        const low = y + lift * (deep - shown.length + level);
        put(cardItem(card, x, low, u, false, { slot: slot.slot, below: level < shown.length - 1 }));
      });
    });
  };
  return { width: per * (u + gap) - gap, height: lines * rise - gap, lay };
}

// What somebody holds: some backs and their number; cards that are open lie in a row beside them. The room
// of `reserve` cards stays while there are fewer of them; they lie at the left of it, or `mirrored`.
export function heldBlock(hand, u, width, { most = 5, size = HELD, reserve = 0, mirrored = false } = {}) {
  if (!hand || !hand.size) return NOTHING;
  const backs = hand.cards.filter((card) => card.token === null);
  const shown = backs.slice(0, most);
  if (backs.length < hand.cards.length) {
    const faces = hand.cards.filter((card) => card.token !== null);
    u = Math.min(u, size * 1.3);
    const beside = shown.length ? u * 0.2 * shown.length + 3 : 0;
    // With less room than for the backs and two faces they lie in the row as well.
    if (!beside || width < beside + 2 * u) return rowBlock({ ...hand, cards: [...backs, ...faces] }, u, width);
    const row = rowBlock({ ...hand, cards: faces }, u, width - beside);
    const lay = (put, x, y) => {
      const low = y + row.height - u * RATIO;
      shown.forEach((card, at) => put(cardItem(card, x + at * u * 0.2, low, u, false, { below: true })));
      row.lay(put, x + beside, y);
    };
    return { width: row.width + beside, height: row.height, lay };
  }
  const steps = Math.max(shown.length, Math.min(most, reserve)) - 1;
  u = Math.min(u, size, width / (1 + 0.2 * steps));
  const step = u * 0.2;
  const w = u + (shown.length - 1) * step;
  const badge = 15 + 8 * String(hand.size).length;
  const wide = Math.max(u + steps * step, badge);
  const lay = (put, x, y) => {
    shown.forEach((card, at) => {
      const left = mirrored ? wide - u - at * step : at * step;
      put(cardItem(card, x + left, y, u, false, { below: at < shown.length - 1 }));
    });
    put({ type: "pile", zone: hand.zone, title: "", count: hand.size, badge: true, held: true,
      x: x + (mirrored ? wide - w : Math.max(0, w - badge)), y: y + u * RATIO - 20, w: badge, h: 20 });
  };
  return { width: wide, height: u * RATIO, lay };
}

// The place of the card that a seat has played; it is drawn while nothing lies there if it is `marked`.
export function playedBlock(cards, u, seat, marked = true) {
  const step = u * 0.58;
  const width = u + Math.max(0, cards.length - 1) * step;
  const lay = (put, x, y) => {
    put(spotItem(`played ${seat}`, x, y, u, { empty: marked && !cards.length, played: true }));
    cards.forEach((card, at) => put(cardItem(card, x + at * step, y, u, cards.length > 1, { played: seat })));
  };
  return { width, height: u * RATIO, lay };
}

// In how many lines what is counted of a seat stands.
export function chipLines(chips, width) {
  let lines = chips.length ? 1 : 0;
  let used = 0;
  for (const [title, text] of chips) {
    const whole = textWidth(title, 6.4) + textWidth(text, 7) + 18;
    const long = Math.min(width, whole);
    if (used && used + long > width) {
      lines += 1;
      used = 0;
    }
    used += long;
    // A title that is longer than the panel is wide goes on below.
    if (whole > width) lines += Math.ceil((whole - width) / Math.max(20, width - textWidth(text, 7) - 18));
  }
  return lines;
}
