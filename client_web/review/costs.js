// Pure: the decisions of a review by deal, and what a move costs, in a word.

/** A difference of fewer standard errors than this is no difference. */
const SURE = 2;
/** Below these parts of the spread of all decisions' values, a move is a slip, and a mistake. */
const SLIP = 0.25;
const MISTAKE = 0.75;

/** Whether the bot would have made this decision, or finds it equally good. */
export function isAsTheBot({ action, best, equal, phrase }) {
  return equal || action === best || ["review_same", "review_equal"].includes(phrase?.code);
}

/** The decisions in the order of the match, as [{deal, decisions, given}]; `given` null: not in points. */
export function byDeal(decisions) {
  const deals = [];
  for (const each of decisions) {
    if (deals.at(-1)?.deal !== each.deal) deals.push({ deal: each.deal, decisions: [], given: null });
    const last = deals.at(-1);
    last.decisions.push(each);
    if (each.given_away) last.given = (last.given ?? 0) + each.given_away.points;
  }
  return deals;
}

/** The standard deviation of what the decisions were worth: how many points are much in this match. */
export function spreadOf(decisions) {
  const values = decisions.filter(({ worth }) => worth).map(({ worth }) => worth.points);
  const mean = values.reduce((sum, each) => sum + each, 0) / (values.length || 1);
  return Math.sqrt(values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length || 1));
}

/** Whether the bot is sure that its own move is better than the one that was made. */
export function isWorse({ given_away: given }) {
  return given?.points > SURE * (given?.error ?? 0);
}

/** "", or what a move that is not the bot's costs: "unsure", "slip", "mistake" or "costly". */
export function costOf(decision, spread) {
  const { given_away: given } = decision;
  if (!given || isAsTheBot(decision)) return "";
  if (!isWorse(decision)) return "unsure";
  if (given.points < SLIP * spread) return "slip";
  return given.points < MISTAKE * spread ? "mistake" : "costly";
}
