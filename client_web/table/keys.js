// The keyboard: arrows from card to card, digits for buttons and cards, and where the focus stays.

export class Keys {
  constructor(table) {
    this.table = table;
    this.roved = null;
    this.lost = false;
  }

  listen() {
    this.table.on("keydown", (event) => this.key(event));
    this.table.on("focusin", (event) => this.focused(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const { table } = this;
    if (key === "Escape") {
      table.enlarged.show(null);
      table.sheets.close();
      table.unpick();
    } else if (/^[0-9]$/.test(key) && this.digit(Number(key))) event.preventDefault();
    else if (key === "?" && table.callbacks.help) {
      // The page has the same key elsewhere.
      event.preventDefault();
      table.callbacks.help();
    } else if (key in WAYS) {
      this.arrow(key, event.target.closest?.(".card, .goal, .choice"));
      event.preventDefault();
    }
  }

  // A digit is an amount or the number of a button, else of a card that may be played.
  digit(number) {
    const buttons = [...this.table.ask.buttons.children];
    const amount = buttons.find((node) => node.choice.amount === String(number));
    const open = [...this.table.root.querySelectorAll(".card.is-open, .goal")];
    const target = amount ?? (buttons.length ? buttons : open)[number - 1];
    target?.click();
    return Boolean(target);
  }

  groups() {
    const groups = new Map();
    for (const node of this.table.feltNode.querySelectorAll("button[data-group]")) {
      const { group } = node.dataset;
      groups.set(group, [...(groups.get(group) ?? []), node]);
    }
    return groups;
  }

  // One stop for the tab key in each group of cards.
  rove() {
    for (const nodes of this.groups().values()) {
      const kept = nodes.find((node) => node === document.activeElement) ??
        nodes.find((node) => node.dataset.key === this.roved) ??
        nodes.find((node) => node.classList.contains("is-open")) ?? nodes[0];
      for (const node of nodes) node.tabIndex = node === kept ? 0 : -1;
    }
    if (this.lost && !this.table.root.contains(document.activeElement)) this.focusFirst();
  }

  focused(event) {
    const { key } = event.target.dataset ?? {};
    if (key) this.roved = key;
    this.lost = Boolean(event.target.closest?.(".felt, .ask"));
  }

  focusFirst() {
    const { root } = this.table;
    const target = root.querySelector(".card.is-open, .goal") ?? root.querySelector(".choice") ??
      root.querySelector('.in-hand[tabindex="0"]') ?? root.querySelector('.felt button[tabindex="0"]');
    target?.focus({ preventScroll: true });
  }

  // Arrows go to the nearest card or button in their direction.
  arrow(key, from) {
    if (!from) {
      this.focusFirst();
      return;
    }
    const [x, y] = middle(from);
    const [dx, dy] = WAYS[key];
    let best = null;
    for (const node of this.table.root.querySelectorAll(".felt button[data-group], .choice")) {
      if (node === from) continue;
      const [px, py] = middle(node);
      const along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (along < 3 || (dx && aside > 60 && aside > along)) continue;
      const far = key === "Home" || key === "End" ? aside * 99 - along : along + aside * 2.5;
      if (!best || far < best.far) best = { node, far };
    }
    best?.node.focus({ preventScroll: true });
  }
}

const WAYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-1, 0],
  End: [1, 0],
};

// The middle of what shows of a card that others overlap.
function middle(node) {
  const box = node.getBoundingClientRect();
  return [box.x + Math.min(box.width / 2, 14), box.y + box.height / 2];
}
