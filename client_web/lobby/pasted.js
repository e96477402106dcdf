// Pure: what somebody has pasted where a table's code is asked for (`protocol/pasted.py`).

/** The form of a code; within a sentence it counts only in capitals. */
const CODE = "[2-9A-HJ-NP-Z]{5}(?:[2-9A-HJ-NP-Z]{3})?";

/** {table} or {device}: a code in capitals, or that of a link for a further device; {} if neither. */
export function read(text) {
  const plain = text.normalize("NFKC").replace(/\s+/gu, " ").replace(/\p{C}/gu, "").trim();
  // A link that a mail program has broken in two has a blank where its code begins.
  const device = /# ?device ?= ?([A-Za-z0-9_-]+)/.exec(plain)?.[1];
  if (device) return { device };
  const table = codeIn(plain);
  return table ? { table } : {};
}

/** A code alone, in a link, behind `blackqueen join ADDRESS`, or somewhere in a sentence. */
function codeIn(plain) {
  const linked = /\/t\/ ?([A-Za-z0-9]{1,16})(?![A-Za-z0-9])/.exec(plain);
  if (linked) return linked[1].toUpperCase();
  const words = plain.split(/[^A-Za-z0-9]+/).filter(Boolean);
  if (words.length === 1 && words[0].length <= 16) return words[0].toUpperCase();
  const [, behind] = /:\/\/.* ([A-Za-z0-9]{1,16})$/.exec(plain) ?? [];
  if (behind) return behind.toUpperCase();
  const together = words.join("");
  if (new RegExp(`^${CODE}$`, "i").test(together)) return together.toUpperCase();
  return words.findLast((word) => new RegExp(`^${CODE}$`).test(word));
}
