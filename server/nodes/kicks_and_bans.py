"""Administrators' acts about players, at this node and the others.

a kick or a ban ─▶ each node closes the connections, and takes the seats at its own tables away
"""

from collections.abc import Callable, Iterable

from protocol.errors import ProtocolError
from server.names import clean
from server.nodes.node_requests import Body, NodeAnswers, NodeRequests
from server.nodes.player_list import ConnectionCounts, PlayerList, hits
from server.nodes.removals import REMEMBERED_SECONDS, Removals
from server.players.bans import PLAYER, Bans, banned
from server.refusals import refusal
from server.sessions.registry import ConnectionRegistry
from server.store import BanRow, NodeRequest, Store, Write
from server.tables.registry import TableRegistry


class KicksAndBans:
    """Carries out kicks and bans for this node and the others. `now` returns server time."""

    def __init__(
        self,
        store: Store,
        connections: ConnectionRegistry,
        tables: TableRegistry,
        bans: Bans,
        removals: Removals,
        requests: NodeRequests,
        player_list: PlayerList,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._connections = connections
        self._tables = tables
        self._bans = bans
        self._removals = removals
        self._requests = requests
        self._player_list = player_list
        self._now = now
        requests.handlers |= {
            "bans": self._bans_changed,
            "hits": self._hits,
            "remove": self._remove,
            "who": self._who,
        }

    async def begun(self, rows: Iterable[NodeRequest]) -> None:
        """Read the requests that were made just before this node started."""
        for kind, body in self._requests.read_first(tuple(rows), REMEMBERED_SECONDS):
            if kind == "remove":
                await self._removals.unseat(body["players"])
        await self._bans_changed({})

    async def who(self, named: str) -> NodeAnswers:
        """Return the players with this id or name at any node, connected or with a seat."""
        return await self._requests.everywhere("who", {"named": named})

    async def _who(self, body: Body) -> Body:
        named = body["named"]
        found = [
            person.model_dump(mode="json")
            for person in self._player_list.present().values()
            if named == person.player or clean(named) == person.name
        ]
        return {"players": found}

    async def kick(self, player: str, why: str) -> NodeAnswers:
        """Disconnect a player and take their seats away, at all nodes."""
        return await self._requests.everywhere("remove", {"players": [player], "why": why})

    async def hits(self, network: str) -> ConnectionCounts:
        """Return how many connections of all answering nodes come from a network."""
        told = await self._requests.everywhere("hits", {"network": network})
        hit, connected = zip(*(each["hits"] for each in told.answers.values()), strict=True)
        return ConnectionCounts(sum(hit), sum(connected))

    async def _hits(self, body: Body) -> Body:
        addresses = (address for _, _, address in self._player_list.connected())
        return {"hits": list(hits(body["network"], addresses))}

    async def ban(self, ban: BanRow) -> NodeAnswers:
        """Store a ban, and remove the banned players who are there, at all nodes."""
        subject = ban.subject if ban.kind == PLAYER else None

        async def here() -> Body:
            self._bans.put(ban)
            return await self._enforce(subject)

        body: Body = {"player": subject}
        told = await self._requests.everywhere("bans", body, Write(bans=(ban,)), here)
        gone = {line["player"] for each in told.answers.values() for line in each["players"]}
        if subject is not None or not gone or len(told.answers) == 1:
            return told
        # Whoever was connected to one node may sit at the tables of others.
        body = {"players": sorted(gone), "ban": list(ban)}
        again = await self._requests.everywhere("remove", body)
        for node, each in again.answers.items():
            each["players"] += told.answers.get(node, {}).get("players", [])
        return NodeAnswers(again.answers, again.failed | told.failed)

    async def unban(self, write: Write) -> NodeAnswers:
        """Store that a ban is lifted, and let all nodes know."""

        async def here() -> Body:
            assert write.deleted is not None, "a ban is deleted"
            for key in write.deleted.bans:
                self._bans.lift(key)
            return {}

        return await self._requests.everywhere("bans", {"player": None}, write, here)

    async def _bans_changed(self, body: Body) -> Body:
        await self._bans.read_again(self._store)
        return await self._enforce(body.get("player"))

    async def _enforce(self, player: str | None) -> Body:
        """Remove the connected players who are banned now, and this player if banned."""
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
        """Disconnect players and take their seats away here; return them, and the failures."""
        # All are disconnected before anything waits: whatever fails below, nobody stays.
        names = self._player_list.names() if why else {}
        lines = [self._disconnect(player, error, names) for player, error in why.items()]
        self._connections.flush()
        return {"players": lines, "left": await self._removals.unseat(why)}

    def _disconnect(self, player: str, why: ProtocolError, names: dict[str, str]) -> Body:
        there = [each for each in self._connections.of(player) if not each.closing]
        name, address = names.get(player, ""), ""
        if there:
            name, address = there[0].player.name, there[0].address
        person = self._player_list.one(player, name, address, online=bool(there))
        self._connections.expel(player, why)
        seats = zip(person.tables, person.seats, strict=True)
        here = {code: seat for code, seat in seats if self._tables.has(code)}
        told = person.model_dump(mode="json")
        return {**told, "tables": list(here), "seats": list(here.values())}
