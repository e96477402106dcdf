/* The administrator's page: asks the server how it is, again and again, and writes it down.
 *
 * The key of the link stands behind `#`, where no server and no proxy reads it. It is traded for
 * the key of this visit, which the tab keeps until it is closed. */

import { isolated } from "../words.js";

const AGAIN = 5000;
const KEPT = "blackqueen-admin";
const root = document.body.dataset.root;
const state = document.getElementById("state");

const ask = async (path, key) => {
  const answer = await fetch(`${root}admin/${path}`, { headers: { Authorization: `Bearer ${key}` }, cache: "no-store" });
  const told = await answer.json();
  return { ...told, refused: answer.status === 401 };
};

const say = (words, wrong = false) => {
  if (state.textContent !== words) state.textContent = words;
  state.classList.toggle("wrong", wrong);
};

const element = (name, words, ...parts) => {
  const made = document.createElement(name);
  if (words !== undefined) made.textContent = words;
  made.append(...parts);
  return made;
};

const duration = (seconds) => {
  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  let left = Math.floor(seconds);
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count ? `${count} ${unit}` : "";
  });
  return parts.filter(Boolean).slice(0, 2).join(" ") || "0 s";
};

const figures = ({ status }) => [
  ...status.node ? [["Node", status.node]] : [],
  ["Up", duration(status.uptime)],
  ["Connections", status.connections],
  ["Open tables", Object.values(status.tables).reduce((sum, count) => sum + count, 0)],
  ["In memory", status.in_memory],
  ["Players with a seat", status.seated],
  ["Bots at tables", status.bots.reduce((sum, bot) => sum + bot.seats, 0)],
  ["Bans", status.bans],
  ["Version", status.version],
];

const seat = (each) => {
  const name = isolated(each.name ?? "");
  if (each.kind === "bot") return `${name} (bot ${each.strength})`;
  if (each.kind !== "human") return `(${each.kind})`;
  const marks = [each.away && "away", each.stand_in && "stand-in"].filter(Boolean);
  return marks.length ? `${name} (${marks.join(", ")})` : name;
};

const date = (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const whereabouts = (node) => {
  if (!node.here) return node.gone === null ? "not here" : `gone since ${date(node.gone)}`;
  if (node.takes) return "here";
  return node.tables ? "draining" : "drained";
};

const leaseAndTables = (node) => node.unknown ? ["?", "?"] : [node.lease ?? "", node.tables ?? ""];

const lists = (told) => [
  ["Tables", ["Table", "Game", "Phase", "Watched by", "Seats"], told.more_tables,
    told.tables.map((table) => [table.table, table.title, table.phase + (table.private ? ", private" : ""),
      table.spectators ?? `(at ${table.node || "no node"})`, table.seats.map(seat).join(", ")])],
  ["Players", ["Player", "Name", "Address", "Tables"], told.more_players,
    told.players.map((player) => [player.player, player.name, player.online ? player.address : player.online === null ? "(elsewhere)" : "(away)", player.tables.join(" ")]),
    told.status.node && `Connections and addresses are those of node ${told.status.node}.`],
  ["Bots at tables in memory", ["Game", "Strength", "Seats"], false,
    told.status.bots.map((bot) => [bot.game, bot.strength, bot.seats])],
  ...told.nodes.length ? [["Nodes", ["Node", "State", "Lease", "Tables"], told.more_nodes,
    told.nodes.map((node) => [node.node, whereabouts(node), ...leaseAndTables(node)]),
    told.nodes.filter((node) => node.unknown).map((node) => `?: ${node.unknown}`)[0]]] : [],
  ["Bans", ["Banned", "Kind", "Until", "Reason"], told.more_bans,
    told.bans.map((ban) => [ban.subject, ban.kind, ban.until === null ? "for ever" : date(ban.until), ban.reason])],
];

const list = ([title, heads, more, rows, note]) => {
  const section = element("section", undefined, element("h2", `${title} (${more ? "the first " : ""}${rows.length})`));
  if (!rows.length) return section;
  const head = element("tr");
  for (const words of heads) {
    const cell = element("th", words);
    cell.scope = "col";
    head.append(cell);
  }
  const body = rows.map((row) => element("tr", undefined, ...row.map((words) => element("td", words))));
  const table = element("table", undefined, element("thead", undefined, head), element("tbody", undefined, ...body));
  table.ariaLabel = title;
  const scrolling = element("div", undefined, table);
  scrolling.className = "scrolling";
  scrolling.tabIndex = 0;
  scrolling.role = "region";
  scrolling.ariaLabel = title;
  section.append(scrolling);
  if (note) section.append(element("p", note));
  return section;
};

let last = "";

const draw = (told) => {
  const { trouble } = told.status;
  say(trouble ? `Not ready: ${trouble}` : "Ready: the server takes players.", Boolean(trouble));
  const pairs = figures(told).map(([name, value]) => element("div", undefined, element("dt", name), element("dd", value)));
  document.getElementById("figures").replaceChildren(...pairs);
  // What somebody reads or has selected stays while it is the same.
  const now = JSON.stringify(lists(told));
  if (now === last) return;
  last = now;
  document.getElementById("lists").replaceChildren(...lists(told).map(list));
};

const enter = async () => {
  const [key] = /[A-Za-z0-9_-]+/.exec(location.hash) ?? [];
  if (!key) return sessionStorage.getItem(KEPT);
  history.replaceState(null, "", location.pathname);
  const told = await ask("enter", key);
  if (told.ok) sessionStorage.setItem(KEPT, told.visit);
  return told.ok ? told.visit : sessionStorage.getItem(KEPT);
};

const look = async (visit) => {
  try {
    const told = await ask("overview", visit);
    if (told.refused) {
      sessionStorage.removeItem(KEPT);
      say("This visit is over. “blackqueen admin link” makes a link for another.", true);
      return;
    }
    if (told.ok) draw(told);
    else say(told.reason, true);
  } catch {
    say("The server does not answer.", true);
  }
  setTimeout(look, AGAIN, visit);
};

let visit = null;
try {
  visit = await enter();
} catch {
  say("The server does not answer.", true);
}
if (visit) await look(visit);
else if (!state.classList.contains("wrong")) {
  say("A link from “blackqueen admin link” opens this page. It works once, for ten minutes.", true);
}
