// A page of rules, which is Markdown, as elements: headings, paragraphs, lists and tables. What is
// no Markdown that we write stays text.

import { el } from "../dom.js";

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*/g;
const ITEM = /^(?:[-*]|([0-9]+)\.) +(.*)$/;

/** The elements of a page; its headings stand below one of `level`. */
export function page(text, level = 3) {
  const nodes = [];
  const lines = text.split("\n");
  while (lines.length) {
    const line = lines.shift();
    const heading = /^(#{1,4}) +(.*)$/.exec(line);
    if (heading) {
      nodes.push(el(`h${Math.min(6, level + heading[1].length - 1)}`, {}, inline(heading[2])));
    } else if (line.startsWith("|")) {
      nodes.push(table([line, ...taken(lines, (next) => next.startsWith("|"))]));
    } else if (ITEM.test(line)) {
      const items = [line, ...taken(lines, (next) => ITEM.test(next))];
      const ordered = ITEM.exec(line)[1] !== undefined;
      nodes.push(el(ordered ? "ol" : "ul", {}, items.map((item) => el("li", {}, inline(ITEM.exec(item)[2])))));
    } else if (line.trim()) {
      const rest = taken(lines, (next) => next.trim() && !/^[#|]/.test(next) && !ITEM.test(next));
      nodes.push(el("p", {}, inline([line, ...rest].join(" "))));
    }
  }
  return nodes;
}

/** Take the lines from the front that belong to the block that has begun. */
function taken(lines, belongs) {
  const end = lines.findIndex((line) => !belongs(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

function table(lines) {
  const rows = lines.map((line) => line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim()));
  const [heads, ...others] = rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
  const row = (cells, tag) => el("tr", {}, cells.map((cell) => el(tag, {}, inline(cell))));
  return el("div", { class: "wide" }, [
    el("table", {}, [
      el("thead", {}, [row(heads ?? [], "th")]),
      el("tbody", {}, others.map((cells) => row(cells, "td"))),
    ]),
  ]);
}

function inline(text) {
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, weak] = found;
    nodes.push(text.slice(at, found.index));
    if (code !== undefined) nodes.push(el("code", { text: code }));
    else nodes.push(el(strong === undefined ? "em" : "strong", {}, inline(strong ?? weak)));
    at = found.index + whole.length;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== "");
}
