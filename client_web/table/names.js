// The names of zones and values, where the game's layout hints say that they belong, and what a screen
// reader says of cards and places: pure. Where the hints say nothing, a name says it.

const NUMBER = /^[0-9]{1,3}$/;
const PILES = new Set(["taken", "won", "deck", "stock", "talon", "discard", "played", "spent", "lost"]);
const TRICKS = new Set(["trick", "bid", "drawn", "shown"]);
const PARTS = new Map();

// The parts of the name of a zone or a value. They are asked for again and again, so they are kept.
export function partsOf(name) {
  const known = PARTS.get(name);
  if (known) return known;
  const [kind, owner = "", ...rest] = name.split("/");
  const parts = { kind, seat: NUMBER.test(owner) ? Number(owner) : null, slot: rest.join("/") };
  if (PARTS.size > 4000) PARTS.clear();
  PARTS.set(name, parts);
  return parts;
}

export function labelOf(kind, labels = []) {
  const label = labels.find((each) => each.kind === kind);
  return label ?? { kind, title: kind.replace(/_team$/, "").replaceAll("_", " "), holds: "" };
}

// The game's hint for a kind of zones or of values; undefined if it says nothing.
export function hintOf(what, kind, scene) {
  return scene.layout?.[what]?.find((each) => each.kind === kind);
}

// Where zones of a kind lie: hand, slots, trick, pile, stack, row or hidden.
export function placeOf(kind, owned, slotted, scene) {
  if (scene.layout?.zones?.length) return hintOf("zones", kind, scene)?.place ?? "row";
  if (owned && kind === "hand") return "hand";
  if (owned && slotted) return "slots";
  if (slotted) return "row";
  if (TRICKS.has(kind)) return "trick";
  if (PILES.has(kind) || !owned) return "pile";
  return "row";
}

// What a click on a card does, its name, where it lies. `moves` are those that a click leaves.
export function cardName(item, moves, scene) {
  const { kind, seat, slot } = partsOf(item.zone);
  const name = scene.words.cardName(item.token);
  const verb = moves?.length === 1 && moves[0].cards.length === 1 && !moves[0].zones.length
    ? moves[0].action.split(" ")[0] : "";
  const title = labelOf(kind, scene.labels).title;
  const where = kind === "hand" && seat === scene.seat ? "" : slot ? `${title} ${slot}` : title;
  const whose = seat === null || seat === scene.seat ? "" : scene.words.name(seat);
  const first = verb ? scene.words.move(verb, name) : name;
  const came = item.isNew ? scene.words.page("table.came") : "";
  return [first, where, whose, came].filter(Boolean).join(", ");
}

// A place to which a card may go.
export function zoneName(zone, scene) {
  const { kind, seat, slot } = partsOf(zone);
  const title = `${labelOf(kind, scene.labels).title} ${slot}`.trim();
  return seat === null || seat === scene.seat ? title : `${title}, ${scene.words.name(seat)}`;
}
