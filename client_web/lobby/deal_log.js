// The facts of a deal that a snapshot leaves out, from the table's log.

import { readableFact } from "../picture.js";

const PAGE = 256;

/** All facts of the deal that is played at a table, or a sentence that says why not. */
export async function dealFacts(app, picture) {
  const { table } = picture;
  const facts = [];
  let after = Math.max(0, picture.seq - PAGE);
  for (;;) {
    const page = await app.connection.ask("log", { table, after });
    if (page.type === "error") return app.refusal(page, picture);
    facts.push(...page.entries.flatMap((entry) => entry.facts ?? []));
    after = page.entries.at(-1)?.seq ?? page.last;
    if (after >= page.last) break;
  }
  const begun = facts.findLastIndex((fact) => fact.verb === "deal_started");
  return facts.slice(Math.max(0, begun)).map(readableFact);
}
