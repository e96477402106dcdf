// What clicks and taps do, and whether one is meant for what it meets: between pressing and letting go,
// and between the two clicks of a double one, the table may be drawn anew.

import { clicked } from "./choices.js";
import { partsOf } from "./names.js";

export class Taps {
  constructor(table) {
    this.table = table;
    this.pressed = null;
    this.clicked = null;
  }

  listen() {
    this.table.on("click", (event) => this.click(event));
    this.table.on("pointerdown", ({ target, pointerType }) => {
      this.pressed = this.under(target.closest?.("button"));
      // What was used last: mouse, touch or pen.
      this.pointer = pointerType;
    });
  }

  click(event) {
    const { table } = this;
    const target = event.target.closest("button");
    if (!target || !table.root.contains(target)) return;
    if (table.dragging?.moved) return;
    if (target.act) {
      target.act();
      return;
    }
    if (!this.isMeant(event, target)) return;
    if (target.choice) {
      this.choose(target.choice);
      return;
    }
    const { key, place, zone, token } = target.dataset;
    if (!place) return;
    const tap = this.tapOf(event, target);
    if (tap === "looks") {
      table.enlarged?.look(target);
      return;
    }
    this.activate(place, zone, token);
    if (tap === "chooses") table.enlarged?.show(key);
  }

  activate(place, zone, token) {
    const { table } = this;
    const { action, picked } = clicked(table.read, table.picked, place);
    table.problem = "";
    table.noted = "";
    if (action) table.act(action, table.read.turn);
    else if (picked) {
      table.picked = picked;
      // What can be done with the card is asked where the large card would lie.
      table.enlarged?.show(null);
      table.draw();
      table.tell(table.ask.text());
    } else if (token && table.isMine() && partsOf(zone).seat === table.scene.seat) table.enlarged?.refuse(place, zone, token);
  }

  choose(button) {
    const { table } = this;
    table.problem = "";
    table.noted = "";
    if (button.cancel) table.picked = [];
    else if (button.group) table.picked = [...table.picked, { group: button.group }];
    else if (button.action) {
      table.act(button.action, table.read.turn);
      return;
    } else return;
    table.draw();
    table.keys.focusFirst();
  }

  // What lies there, and the question that it answers; null if nobody asks.
  under(button) {
    const { table } = this;
    const name = button?.choice ? button.textContent : button?.dataset.key;
    return { name, isChoice: Boolean(button?.choice), turn: table.isMine() ? table.read.turn : null };
  }

  // Whether a click at this button is for what is there now. A key is pressed for what has the focus.
  isMeant(event, button) {
    if (!event.detail) return true;
    const { pressed, clicked } = this;
    const now = this.under(button);
    this.clicked = now;
    this.pressed = null;
    if (pressed && pressed.name !== now.name) return false;
    if (pressed && pressed.turn !== null && pressed.turn !== now.turn) return false;
    if (event.detail === 1 || !clicked?.name) return true;
    // The second click of a double one goes where the first one went.
    return clicked.name === now.name && (!now.isChoice || clicked.turn === now.turn);
  }

  // What a tap at a card does: it "looks" at it first, or "chooses" it together with others, which makes
  // no move yet and shows it as well; "" where it does what a click does.
  tapOf(event, { classList, dataset: { key, place } }) {
    const { table } = this;
    if (!event.detail || this.pointer !== "touch" || !classList.contains("card")) return "";
    const chooses = table.read.pick?.places.includes(place) && table.offer.places.get(place)?.length === 0;
    if (chooses) return table.offer.chosen.has(place) ? "" : "chooses";
    return table.enlarged?.key === key ? "" : "looks";
  }
}
