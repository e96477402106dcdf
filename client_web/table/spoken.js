// What a screen reader says of cards and places: pure.

import { labelOf, partsOf } from "./names.js";

// What a click on a card does, its name, where it lies. `moves` are those that a click leaves.
export function cardName(item, moves, told) {
  const { kind, seat, slot } = partsOf(item.zone);
  const name = told.words.cardName(item.token);
  const verb = moves?.length === 1 && moves[0].cards.length === 1 && !moves[0].zones.length
    ? moves[0].action.split(" ")[0] : "";
  const title = labelOf(kind, told.labels).title;
  const where = kind === "hand" && seat === told.seat ? "" : slot ? `${title} ${slot}` : title;
  const whose = seat === null || seat === told.seat ? "" : told.words.name(seat);
  const first = verb ? told.words.move(verb, name) : name;
  return [first, where, whose].filter(Boolean).join(", ");
}

// A place to which a card may go.
export function zoneName(zone, told) {
  const { kind, seat, slot } = partsOf(zone);
  const title = `${labelOf(kind, told.labels).title} ${slot}`.trim();
  return seat === null || seat === told.seat ? title : `${title}, ${told.words.name(seat)}`;
}
