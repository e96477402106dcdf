// Cards drawn along by mouse or finger to where they shall lie.

const DRAGGED = 8;
const FAR = 40;

export class Dragging {
  constructor(table) {
    this.table = table;
    this.drag = null;
    // What was used last: mouse, touch or pen.
    this.pointer = "";
  }

  get moved() {
    return Boolean(this.drag?.moved);
  }

  listen() {
    const { table } = this;
    table.on("pointerdown", (event) => this.press(event));
    table.on("pointermove", (event) => this.move(event));
    table.on("pointerup", (event) => this.release(event));
    table.on("pointercancel", () => this.stop());
  }

  press(event) {
    this.pointer = event.pointerType;
    this.drag = null;
    const card = event.target.closest?.("button.card.is-open");
    if (!card || event.button !== 0) return;
    this.drag = { card, x: event.clientX, y: event.clientY, moved: false };
  }

  move(event) {
    const { drag } = this;
    if (!drag || drag.done) return;
    if (!event.buttons) {
      this.stop();
      return;
    }
    const dx = event.clientX - drag.x;
    const dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < DRAGGED) return;
    if (!drag.moved) {
      drag.moved = true;
      drag.card.classList.add("is-dragged");
      this.table.enlarged.show(null);
      drag.card.setPointerCapture(event.pointerId);
    }
    drag.card.style.setProperty("--dx", `${dx}px`);
    drag.card.style.setProperty("--dy", `${dy}px`);
  }

  release(event) {
    const { drag, table } = this;
    if (!drag?.moved) {
      this.drag = null;
      return;
    }
    drag.done = true;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    const { place, zone, token } = drag.card.dataset;
    this.drop();
    // The click that follows a drag is none.
    setTimeout(() => { this.drag = null; }, 0);
    if (far < FAR) return;
    const under = document.elementsFromPoint(event.clientX, event.clientY)
      .map((node) => node.closest?.("[data-zone]")?.dataset.zone).find((name) => name && name !== zone);
    const moves = table.offer.places.get(place) ?? [];
    const aimed = moves.filter((move) => under && move.goals.includes(under));
    if (aimed.length === 1) table.act(aimed[0].action, table.read.turn);
    else table.activate(place, zone, token);
  }

  stop() {
    this.drop();
    this.drag = null;
  }

  drop() {
    const card = this.drag?.card;
    card?.classList.remove("is-dragged");
    card?.style.removeProperty("--dx");
    card?.style.removeProperty("--dy");
  }
}
