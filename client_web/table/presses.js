// Whether a click is meant for what it meets: between pressing and letting go, and between the two
// clicks of a double one, the table may be drawn anew.

export class Presses {
  constructor(table) {
    this.table = table;
    this.pressed = null;
    this.clicked = null;
  }

  listen() {
    this.table.on("pointerdown", ({ target }) => {
      this.pressed = this.under(target.closest?.("button"));
    });
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
}
