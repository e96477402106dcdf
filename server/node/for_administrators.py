"""What administrators have done at this node, and by way of it at the others.

Each act is a request of `NodeRequests`, which this node does for itself and for the others.
"""

from collections.abc import Callable, Iterable

from protocol.errors import ProtocolError
from protocol.visible_text import SERVER_NAME
from protocol.wire_form import WireForm
from server.connections.registry import ConnectionRegistry
from server.names import clean
from server.node.moving import Moving
from server.node.node_requests import TRY_AGAIN, Body, CannotDo, NodeRequests, Told
from server.node.people import Hits, People, hits
from server.node.removals import REMEMBERED_SECONDS, Removals
from server.node.table_finder import TableFinder
from server.ops.isolation import isolated
from server.players.bans import PLAYER, Bans, banned
from server.refusals import refusal
from server.store import BanRow, NodeRequest, Store, Write
from server.tables.registry import TableRegistry
from server.tables.subscribers import Subscribers

UNKNOWN_TABLE, ELSEWHERE, CANNOT_DRAIN = "unknown_table", "elsewhere", "cannot_drain"
ATTEMPTS = 3
"""How often it is asked whose a table is that changes hands just then."""
ALONE = "this server shares its tables with no other one"


class ForAdministrators:
    """`now` gives server time. Whatever cannot be done raises `CannotDo`."""

    def __init__(
        self,
        store: Store,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        subscribers: Subscribers,
        bans: Bans,
        removals: Removals,
        requests: NodeRequests,
        now: Callable[[], float],
        settle: Callable[[], None],
    ) -> None:
        self.requests = requests
        self.people = People(connections, tables.directory)
        self.moving: Moving | None = None
        self.finder: TableFinder | None = None
        self._store = store
        self._connections = connections
        self._tables = tables
        self._subscribers = subscribers
        self._bans = bans
        self._removals = removals
        self._now = now
        self._settle = settle
        requests.handlers |= {
            "announce": self._announce,
            "balance": self._balance,
            "bans": self._bans_changed,
            "close": self._close,
            "drain": self._drain,
            "hits": self._hits,
            "log": self._no_log,
            "remove": self._remove,
            "undrain": self._undrain,
            "who": self._who,
        }

    async def begun(self, rows: Iterable[NodeRequest]) -> None:
        """Learn what was asked of others in the moment before this node was there."""
        for kind, body in self.requests.read_first(tuple(rows), REMEMBERED_SECONDS):
            if kind == "remove":
                await self._removals.unseat(body["players"])
        await self._bans_changed({})

    # Players

    async def who(self, named: str) -> Told:
        """Who has this id or name, as far as any node knows: connected, or with a seat."""
        return await self.requests.everywhere("who", {"named": named})

    async def _who(self, body: Body) -> Body:
        named = body["named"]
        found = [
            person._asdict()
            for person in self.people.present().values()
            if named == person.player or clean(named) == person.name
        ]
        return {"players": found}

    async def kick(self, player: str, why: str) -> Told:
        """Disconnect a player, and take their seats away, at all nodes."""
        return await self.requests.everywhere("remove", {"players": [player], "why": why})

    async def hits(self, network: str) -> Hits:
        """How many of the connections of all nodes that answer come from a network."""
        told = await self.requests.everywhere("hits", {"network": network})
        hit, connected = zip(*(each["hits"] for each in told.answers.values()), strict=True)
        return Hits(sum(hit), sum(connected))

    async def _hits(self, body: Body) -> Body:
        addresses = (address for _, _, address in self.people.connected())
        return {"hits": list(hits(body["network"], addresses))}

    async def ban(self, ban: BanRow) -> Told:
        """Let nobody in whom this bans, and remove those who are there, at all nodes."""
        subject = ban.subject if ban.kind == PLAYER else None

        async def here() -> Body:
            self._bans.put(ban)
            return await self._enforce(subject)

        body: Body = {"player": subject}
        told = await self.requests.everywhere("bans", body, Write(bans=(ban,)), here)
        gone = {line["player"] for each in told.answers.values() for line in each["players"]}
        if subject is not None or not gone or len(told.answers) == 1:
            return told
        # Whoever was connected to one node may sit at the tables of others.
        body = {"players": sorted(gone), "ban": list(ban)}
        again = await self.requests.everywhere("remove", body)
        for node, each in again.answers.items():
            each["players"] += told.answers.get(node, {}).get("players", [])
        return Told(again.answers, again.failed | told.failed)

    async def unban(self, write: Write) -> Told:
        """Store that a ban is lifted, and let all nodes hear of it."""

        async def here() -> Body:
            assert write.deleted is not None, "a ban is deleted"
            for key in write.deleted.bans:
                self._bans.lift(key)
            self._settle()
            return {}

        return await self.requests.everywhere("bans", {"player": None}, write, here)

    async def _bans_changed(self, body: Body) -> Body:
        await self._bans.read_again(self._store)
        return await self._enforce(body.get("player"))

    async def _enforce(self, player: str | None) -> Body:
        """Remove those who may not be here any more, and this player, connected or not."""
        now, removed = self._now(), dict[str, BanRow]()
        for connection in self._connections:
            if connection.closing:
                continue
            who = connection.player.id
            ban = self._bans.of_player(who, now) or self._bans.of_address(connection.address, now)
            if ban is not None:
                removed[who] = ban
        if player is not None and (ban := self._bans.of_player(player, now)) is not None:
            removed[player] = ban
        return await self._removed({who: banned(ban) for who, ban in removed.items()})

    async def _remove(self, body: Body) -> Body:
        if (ban := body.get("ban")) is not None:
            why = banned(BanRow(*ban))
        else:
            text = clean(body["why"]).removesuffix(".")
            why = refusal("forbidden", "refused_expelled", {"given": bool(text), "why": text})
        return await self._removed(dict.fromkeys(body["players"], why))

    async def _removed(self, why: dict[str, ProtocolError]) -> Body:
        """Disconnect players and take their seats away here; who they are, and what failed."""
        # All are disconnected before anything waits: whatever fails below, nobody stays.
        names = self.people.names() if why else {}
        lines = [self._disconnect(player, error, names) for player, error in why.items()]
        self._settle()
        return {"players": lines, "left": await self._removals.unseat(why)}

    def _disconnect(self, player: str, why: ProtocolError, names: dict[str, str]) -> Body:
        there = [each for each in self._connections.of(player) if not each.closing]
        name, address = names.get(player, ""), ""
        if there:
            name, address = there[0].player.name, there[0].address
        person = self.people.one(player, name, address, online=bool(there))
        self._connections.expel(player, why)
        here = [
            (code, seat)
            for code, seat in zip(person.tables, person.seats, strict=True)
            if self._tables.has(code)
        ]
        tables, seats = [code for code, _ in here], [seat for _, seat in here]
        return {**person._asdict(), "tables": tables, "seats": seats}

    # Tables

    async def close(self, code: str) -> None:
        """Close a table, at whatever node it is."""
        error = CannotDo(UNKNOWN_TABLE, f"there is no table {code!r}; `tables` lists them")
        for _ in range(ATTEMPTS):
            try:
                node = await self._owner(code)
                if node:
                    await self.requests.at(node, "close", {"table": code})
                else:
                    await self._close({"table": code})
            except CannotDo as failed:
                error = failed
                if error.code != ELSEWHERE:
                    break
            else:
                return
        raise error

    async def _owner(self, code: str) -> str:
        """The other node that has a table; "" if it is here now, or nowhere."""
        if self.finder is None or self._tables.has(code):
            return ""
        try:
            # What nobody has is this node's then.
            if await self.finder.find(code) is None:
                return ""
            owner = await self._store.owner(code)
        except ProtocolError as error:
            raise CannotDo(TRY_AGAIN, f"table {code!r}: {error.reason}") from None
        return "" if owner is None else owner.name

    async def _close(self, body: Body) -> Body:
        code = body["table"]
        table = await self._tables.get(code)
        if table is None or table.state.phase == "closed":
            node = await self._tables.whereabouts(code)
            if node is None:
                raise CannotDo(UNKNOWN_TABLE, f"there is no table {code!r}; `tables` lists them")
            whose = f"node {node!r} has" if node else "no node has"
            raise CannotDo(ELSEWHERE, f"{whose} table {code!r} just now; try again")
        self._tables.close(table)
        await self._removals.settled(table)
        if self._tables.has(code):
            raise CannotDo(TRY_AGAIN, f"table {code} could not be stored as closed")
        return {}

    async def drain(self, node: str) -> Body:
        """Let a node take no more tables and give away its own; it has begun when this ends."""
        return await self._at(node, "drain")

    async def undrain(self, node: str) -> Body:
        """Let a node take tables again; those that it gave away come back by `balance`."""
        return await self._at(node, "undrain")

    async def _at(self, node: str, kind: str) -> Body:
        self._moving()
        return await self.requests.at(node, kind, {})

    async def balance(self) -> Told:
        """Let all nodes give the others their share of their tables; they have begun then."""
        return await self.requests.everywhere("balance", {})

    async def _drain(self, body: Body) -> Body:
        moving, name = self._moving(), self.requests.name
        begun = moving.begin()
        if not begun.others:
            drained = ", ".join(node for node in moving.drained() if node != name)
            why = f" (drained: {drained}; `undrain` ends that)" if drained else ""
            raise CannotDo(
                CANNOT_DRAIN, f"there is no other node that could take the tables of {name!r}{why}"
            )
        return {"tables": begun.tables}

    async def _undrain(self, body: Body) -> Body:
        ended = self._moving().undrain()
        if ended.code:
            raise CannotDo("not_drained", ended.reason)
        return {}

    async def _balance(self, body: Body) -> Body:
        moving = self._moving()
        others = self.requests.others
        if others is None or not others.here():
            raise CannotDo(CANNOT_DRAIN, ALONE)
        return {"tables": moving.balance().tables, "drained": moving.drained()}

    def _moving(self) -> Moving:
        if self.moving is None:
            raise CannotDo(CANNOT_DRAIN, ALONE)
        return self.moving

    async def _no_log(self, body: Body) -> Body:
        """Who answers no administrators has no audit log."""
        return {"log": []}

    # Clients

    async def announce(self, text: str) -> Told:
        """Show a text to everybody who is connected to any node."""
        return await self.requests.everywhere("announce", {"text": text})

    async def _announce(self, body: Body) -> Body:
        """Tell clients at a table by a line of chat, which those of any age show; else a notice."""
        text = clean(body["text"])
        line: WireForm = {"type": "chat", "seat": None, "name": SERVER_NAME, "text": text}
        notice: WireForm = {"type": "notice", "kind": "announcement", "reason": text}
        at_tables = self._subscribers.table_of_each()
        clients = 0
        for connection in self._connections:
            with isolated("announcing_failed"):
                table = at_tables.get(connection)
                connection.tell(notice if table is None else {**line, "table": table})
                clients += 1
        self._settle()
        return {"clients": clients}
