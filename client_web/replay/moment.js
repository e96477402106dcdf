// Pure: how a moment of a replay stands behind the # of an address, and how long it is shown.
//
//     #step=120        after entry 120 of the log       #step=120.1   after a part of it, from 0
//     #deal=2.3        the beginning of deal 3 of match 2
//     &review           with the review of that match
//     &view=all        all hands; &view=2: what the second seat saw; else what one saw oneself
//
// No card and no name stands there, and a server never reads it.

const STEP = /^([0-9]{1,9})(?:\.([0-9]{1,4}))?$/;
const DEAL = /^([0-9]{1,5})\.([0-9]{1,5})$/;
const VIEW = /^[1-9][0-9]{0,2}$/;
const SECONDS = 1.1;
const TRICK_SECONDS = 1.8;
const SCORE_SECONDS = 4;

export const SPEEDS = [1, 2, 4];

/** {step: [seq, part] or null, deal: [match, deal] or null, view: "own", "all" or a seat from 0, review}. */
export function momentIn(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const numbers = (form, text) => form.exec(text ?? "")?.slice(1).map((each) => (each === undefined ? Infinity : Number(each)));
  const view = said.get("view") ?? "";
  const seat = VIEW.test(view) ? Number(view) - 1 : "own";
  return {
    step: numbers(STEP, said.get("step")) ?? null,
    deal: numbers(DEAL, said.get("deal")) ?? null,
    view: view === "all" ? "all" : seat,
    review: said.has("review"),
  };
}

/** The address of a step in a view, as `momentIn` reads it. */
export function addressOf({ seq, part, isLast }, view) {
  const step = `#step=${seq}${isLast ? "" : `.${part}`}`;
  if (view === "own") return step;
  return `${step}&view=${view === "all" ? view : view + 1}`;
}

/** The address of the beginning of a deal. */
export function dealAddress(match, deal) {
  return `#deal=${match}.${deal}`;
}

/** The step of a moment; the first one if there is no such. */
export function stepOf(timeline, { step, deal }) {
  if (step) return timeline.find(...step);
  return (deal && timeline.deal(...deal)) ?? 0;
}

/** The seconds for which a step is shown, longer before cards leave the table. */
export function secondsOf({ facts, isLast }, speed) {
  const isScored = facts.some((fact) => fact.verb === "deal_scored");
  return (isScored ? SCORE_SECONDS : isLast ? SECONDS : TRICK_SECONDS) / speed;
}
