// Reads the log of a table from the server, page by page, and makes a file of what it gave.

/** A limit above any table's number of pages, for a server whose log never ends. */
const MOST_PAGES = 1000;

/**
 * The pages of a log, as one saw it or as `seat` was shown it; an `error` if it is refused. `tell` is
 * called with how much of it is there, from 0 to 1.
 */
export async function readPages(app, table, seat = null, tell = () => {}) {
  const pages = [];
  let after = 0;
  while (pages.length < MOST_PAGES) {
    const page = await app.connection.ask("log", { table, after, ...(seat === null ? {} : { seat }) });
    if (page.type === "error") return page;
    pages.push(page);
    after += page.entries.length;
    if (after >= page.last || !page.entries.length) break;
    tell(after / page.last);
  }
  return pages;
}

/** One log in one object: the contents of its pages, without the numbers of commands. */
export function wholeOf(pages, seat = null) {
  const { id: _, type: __, ...first } = pages[0];
  return { asked_seat: seat, ...first, entries: pages.flatMap((page) => page.entries) };
}

/** Save a text as a file in the browser. */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
