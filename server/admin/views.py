"""Formats answers for people: a few lines or a table of columns, of newer and older servers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any, TypeAlias

from protocol.same_server import is_this_machine

JsonObject: TypeAlias = Mapping[str, Any]

DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS = 86_400, 3600, 60


def status_lines(told: JsonObject) -> Iterator[str]:
    """Format the server's status, one value a line."""
    node = f", node {told['node']}" if told.get("node") else ""
    yield f"blackqueen {told['version']}, Python {told['python']}, process {told['pid']}{node}"
    yield f"up {duration(told['uptime'])}, {told['trouble'] or 'ready'}"
    phases = ", ".join(f"{count} {phase}" for phase, count in told["tables"].items())
    tables = sum(told["tables"].values())
    yield f"tables: {tables}{f' ({phases})' if phases else ''}, {told['in_memory']} in memory"
    yield f"players: {told['connections']} connected, {told['seated']} with a seat"
    if bots := told.get("bots"):
        each = (f"{bot['seats']} of {bot['game']} {bot['strength']}" for bot in bots)
        yield f"bots at tables in memory: {', '.join(each)}"
    yield f"bans: {told['bans']}"


def table_lines(tables: Sequence[JsonObject]) -> Iterator[str]:
    """Format the tables in columns."""
    rows = [
        (
            table["table"],
            table["title"],
            table["phase"] + (", private" if table["private"] else ""),
            _watched_by(table),
            ", ".join(map(_seat, table["seats"])),
        )
        for table in tables
    ]
    yield from columns(("TABLE", "GAME", "PHASE", "WATCHED BY", "SEATS"), rows)
    yield _count(len(tables), "table")


def _watched_by(table: JsonObject) -> str:
    """Format the number of a table's spectators, or the node that knows the number."""
    if table["spectators"] is not None:
        return str(table["spectators"])
    return f"(at {table['node']})" if table["node"] else "(at no node)"


def player_lines(players: Sequence[JsonObject]) -> Iterator[str]:
    """Format the players in columns."""
    rows = [
        (
            player["player"],
            player["name"],
            _whereto(player),
            ", ".join(_sits(player)),
        )
        for player in players
    ]
    yield from columns(("PLAYER", "NAME", "ADDRESS", "TABLES"), rows)
    yield _count(len(players), "player")


def _whereto(player: JsonObject) -> str:
    """Format the address of a player, or the reason why there is none."""
    if _online(player):
        return str(player["address"])
    return "(elsewhere)" if player["online"] is None else "(away)"


def player_note(page: JsonObject) -> Iterator[str]:
    """Say where a player is connected who is not listed."""
    if node := page.get("node"):
        yield (
            f"Connections and addresses are those of node {node}; (elsewhere): at a table of "
            "another node, which tells who is connected to it"
        )


def _sits(player: JsonObject) -> Iterator[str]:
    """Format each table of a player, with their seat, which an older server does not send."""
    for code, seat in zip_longest(player["tables"], player.get("seats", ())):
        yield f"{code} (seat {seat})" if seat else code


def node_lines(nodes: Sequence[JsonObject]) -> Iterator[str]:
    """Format the nodes in columns."""
    if not nodes:
        yield "No other server shares this one's database."
        return
    rows = [(node["node"], _state(node), *map(str, _lease_and_tables(node))) for node in nodes]
    yield from columns(("NODE", "STATE", "LEASE", "TABLES"), rows)
    here = sum(node["here"] for node in nodes)
    yield f"{here} of {len(nodes)} here"
    for why in sorted({node.get("unknown", "") for node in nodes} - {""}):
        yield f"?: {why}"


def _state(node: JsonObject) -> str:
    """Say whether a node is there, and whether it takes tables."""
    if not node["here"]:
        gone = node.get("gone")
        return "not here" if gone is None else f"gone since {_time(gone)}"
    if node.get("takes", True):
        return "here"
    return "draining" if node["tables"] else "drained"


def _lease_and_tables(node: JsonObject) -> tuple[object, object]:
    if node.get("unknown"):
        return "?", "?"
    return node["lease"] or "", "" if node["tables"] is None else node["tables"]


def ban_lines(bans: Sequence[JsonObject]) -> Iterator[str]:
    """Format the bans in columns."""
    rows = [(ban["subject"], ban["kind"], _until(ban), ban["reason"]) for ban in bans]
    yield from columns(("BANNED", "KIND", "UNTIL", "REASON"), rows)
    yield _count(len(bans), "ban")


def kicked_lines(told: JsonObject) -> Iterator[str]:
    """Format the players who were removed, and say how to keep them out."""
    yield from _removed(told)
    for player in told["kicked"]:
        yield f"They may come back; `blackqueen admin ban {player['player']}` keeps them out."


def banned_lines(told: JsonObject) -> Iterator[str]:
    """Format the ban, the players removed by it, and its limits."""
    ban = told["ban"]
    until = "" if ban["until"] is None else "until "
    yield f"banned {ban['subject']} {until}{_until(ban)}"
    yield from _removed(told)
    if ban["kind"] == "player":
        addresses = {player["address"] for player in told["kicked"]} - {""}
        by_address = "".join(f" ({address})" for address in sorted(addresses))
        yield f"They can come back as somebody new, unless their address{by_address} is banned too."
    elif is_this_machine(ban["subject"].partition("/")[0]):
        yield (
            "This is the address of this machine: behind a proxy that --trusted-proxies does not "
            "name, it is the address of everybody."
        )


def draining_lines(told: JsonObject) -> Iterator[str]:
    """Say what the node does from now on, and how to see that it is done."""
    tables = _count(told["tables"], "table")
    yield f"{told['node']} gives away {tables}; `blackqueen admin nodes` shows how many are left"
    yield f"It takes none until it is started again, or `blackqueen admin undrain {told['node']}`"


def undrained_lines(told: JsonObject) -> Iterator[str]:
    """Say what the node does from now on, and how it gets tables at once."""
    yield f"{told['node']} takes tables again; `blackqueen admin balance` gives it its share now"


def balancing_lines(told: JsonObject) -> Iterator[str]:
    """Format the number of tables that move, and the nodes that get none."""
    tables = _count(told["tables"], "table")
    yield f"{tables} on the way to other nodes; `blackqueen admin nodes` shows who has how many"
    for node in told.get("drained", ()):
        yield f"{node} is drained and gets none; `blackqueen admin undrain {node}` ends that"


def _removed(told: JsonObject) -> Iterator[str]:
    for player in told["kicked"]:
        name = f" ({player['name']})" if player["name"] else ""
        tables = player["tables"]
        seats = f"their seat at {' and '.join(tables)} is given up" if tables else ""
        if _online(player):
            yield f"disconnected {player['player']}{name}{seats and f'; {seats}'}"
        else:
            yield f"{player['player']}{name} is away{seats and f'; {seats}'}"


def _online(player: JsonObject) -> bool:
    """Whether a player is or was connected: an older server lists connected players only."""
    return bool(player.get("online", True))


def unbanned_lines(told: JsonObject) -> Iterator[str]:
    """Format the ban that was lifted."""
    yield f"{told['ban']['subject']} is no longer banned"


def announced_lines(told: JsonObject) -> Iterator[str]:
    """Format the number of clients that received the announcement."""
    yield f"shown to {_count(told['clients'], 'client')}"


def closed_lines(told: JsonObject) -> Iterator[str]:
    """Format the table that was closed."""
    yield f"table {told['table']} is closed"


def log_lines(told: JsonObject) -> Iterator[str]:
    """Format the audit log in columns, the newest line last."""
    nodes = any(line.get("node") for line in told["log"])
    rows = [
        (
            line["time"],
            *([line.get("node") or ""] if nodes else []),
            str(line["user"] or line["uid"] or ""),
            line["act"],
            line["result"],
            ", ".join(f"{name}={value}" for name, value in line["arguments"].items()),
        )
        for line in told["log"]
    ]
    heads = ("TIME", *(["NODE"] if nodes else []), "USER", "ACT", "RESULT", "WITH")
    yield from columns(heads, rows)
    yield _count(len(rows), "line")


def link_lines(told: JsonObject) -> Iterator[str]:
    """Format the link, and say how long it works."""
    yield told["url"]
    minutes = round(told["seconds"] / MINUTE_SECONDS)
    yield f"Open it in a browser within {minutes} minutes. It works once; show it to nobody."


LINES: Mapping[str, Callable[[JsonObject], Iterator[str]]] = {
    "status": status_lines,
    "log": log_lines,
    "link": link_lines,
    "kick": kicked_lines,
    "ban": banned_lines,
    "unban": unbanned_lines,
    "drain": draining_lines,
    "undrain": undrained_lines,
    "balance": balancing_lines,
    "announce": announced_lines,
    "close": closed_lines,
}
"""For each act that has one answer."""
LISTS: Mapping[str, Callable[[Sequence[JsonObject]], Iterator[str]]] = {
    "tables": table_lines,
    "players": player_lines,
    "nodes": node_lines,
    "bans": ban_lines,
}
"""For each act that is answered in pages, under its own name."""
NOTES: Mapping[str, Callable[[JsonObject], Iterator[str]]] = {"players": player_note}
"""What is said below such a list, by its last page."""


def failure_lines(told: JsonObject) -> Iterator[str]:
    """Format the nodes that have failed, and why; empty if all have succeeded."""
    for failure in told.get("failed", ()):
        named = "" if failure["node"] in failure["reason"] else f"node {failure['node']}: "
        yield f"not done everywhere: {named}{failure['reason']}"


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Align rows under their headings in columns; return nothing without rows."""
    if not rows:
        return
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()


def duration(seconds: float) -> str:
    """Format a duration in its two largest units.

    >>> duration(93784), duration(61), duration(7)
    ('1 d 2 h', '1 min 1 s', '7 s')
    """
    parts: list[str] = []
    left = int(seconds)
    for unit, size in (("d", DAY_SECONDS), ("h", HOUR_SECONDS), ("min", MINUTE_SECONDS), ("s", 1)):
        count, left = divmod(left, size)
        if count or (unit == "s" and not parts):
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2])


def _seat(seat: JsonObject) -> str:
    match seat["kind"]:
        case "bot":
            return f"{seat['name']} [bot {seat['strength']}]"
        case "human":
            marks = [mark for mark in ("away", "stand_in") if seat[mark]]
            played = f" [{', '.join(marks).replace('_', '-')}]" if marks else ""
            return f"{seat['name']}{played}"
        case kind:
            return f"[{kind}]"


def _until(ban: JsonObject) -> str:
    if ban["until"] is None:
        return "for ever"
    return f"{datetime.fromtimestamp(ban['until'], UTC):%Y-%m-%d %H:%M} UTC"


def _time(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%d %H:%M:%S} UTC"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
