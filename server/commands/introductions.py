"""What the nodes are asked when somebody says hello: who it is, what they have done, their tables.

Every node hears of every connection. One that is lost does not matter if there is another.
"""

import asyncio
from typing import TypeAlias

from protocol.errors import ProtocolError
from protocol.to_server import Hello
from server.bus.bus import BusError, ask
from server.connections.connection import Connection
from server.connections.tables_nodes import TablesNodes
from server.crossing.encoding import Message
from server.crossing.requests import (
    ARRIVALS,
    LINKS,
    PLAYERS,
    SECONDS,
    UNKNOWN,
    Arriving,
    Identified,
    Introduced,
    Known,
    Refused,
    Resumed,
    Unknown,
)

NOBODY = "the tables cannot be reached now; try again"


Told: TypeAlias = dict[str, int]
"""The nodes that were told of an arrival, each with the turn in which it was attached."""


class TablesAway(Exception):
    """The tables cannot be asked, or cannot tell now; the message is for players."""


class Introductions:
    """Asks them."""

    def __init__(self, nodes: TablesNodes) -> None:
        self._nodes = nodes

    async def identified(self, come: Introduced, hello: Hello) -> Identified:
        """The player of a hello, as the first node says that knows them."""
        asked = self._nodes.homes(come.token)
        if not asked:
            raise TablesAway(NOBODY)
        while True:
            peer = asked.pop(0)
            try:
                answer = await self._asked(peer, PLAYERS, come, hello)
            except TablesAway:
                if not asked or self._nodes.takes(peer):
                    raise
            except ProtocolError as error:
                # Codes, and players who never sat down, are known where they came from.
                if not asked or error.code != "unauthorized":
                    raise
            else:
                assert isinstance(answer, Identified)
                return answer

    async def highest(self, told: Told, arriving: Arriving, hello: Hello) -> int:
        """The highest number of a command that any node has an answer for."""
        known = await asyncio.gather(*(self._known(peer, arriving, hello) for peer in told))
        numbers = [number for number in known if number is not None]
        if not numbers:
            raise TablesAway(NOBODY)
        return max(numbers)

    async def shown(self, told: Told, resumed: Resumed, hello: Hello) -> bool:
        """Whether a player was shown their tables; if not, they have to come in again."""
        home = self._nodes.home(resumed.player.id)
        asked = (
            self._shown(peer, resumed._replace(home=peer == home), hello)
            for peer, turn in told.items()
            if not self._is_lost(peer, turn)
        )
        return all(await asyncio.gather(*asked)) and self._nodes.is_ready

    async def tell_others(self, connection: Connection, told: Told) -> None:
        """Tell nodes of a connection that have come while others were told of it."""
        for peer, turn in self._nodes.attachments.items():
            if told.get(peer) != turn:
                await self._nodes.introduce(peer, connection)

    async def _known(self, peer: str, arriving: Arriving, hello: Hello) -> int | None:
        """The highest number that one node knows; None if it is lost, and another one is there."""
        turn = self._nodes.attachments.get(peer)
        try:
            answer = await self._asked(peer, ARRIVALS, arriving, hello)
        except TablesAway:
            if self._is_lost(peer, turn):
                return None
            raise
        return answer.highest if isinstance(answer, Known) else 0

    async def _shown(self, peer: str, resumed: Resumed, hello: Hello) -> bool:
        turn = self._nodes.attachments.get(peer)
        try:
            answer = await self._asked(peer, LINKS, resumed, hello)
        except TablesAway:
            answer = UNKNOWN
        return self._is_lost(peer, turn) or not isinstance(answer, Unknown)

    def _is_lost(self, peer: str, turn: int | None) -> bool:
        """Whether a node is lost, or was and is there again, and another one is there."""
        return self._nodes.is_ready and self._nodes.attachments.get(peer) != turn

    async def _asked(self, peer: str, port: str, request: Message, hello: Hello) -> Message:
        """What a node answers; `TablesAway` if it does not, `ProtocolError` if it refuses."""
        try:
            answer = await ask(self._nodes.bus, peer, port, request, SECONDS)
        except BusError:
            raise TablesAway(NOBODY) from None
        if not isinstance(answer, Refused):
            return answer
        match answer.code:
            case "try_again":
                raise TablesAway(answer.reason)
            case "internal":
                raise RuntimeError("the tables failed at it")
        raise ProtocolError(answer.code, answer.reason, hello.id, answer.retry_after)
