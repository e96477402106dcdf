"""What the nodes are asked when somebody says hello: who it is, what they have done, their tables.

Every node hears of every connection. One that is lost, refuses or does not answer in time does not
matter if there is another: whoever comes in waits for their home alone, and not long, and such a
node is told of their connection later.
"""

import asyncio
from contextlib import suppress

from protocol.errors import ProtocolError
from protocol.to_server import Hello
from server.bus.bus import BusError, ask
from server.connections.connection import Connection
from server.connections.tables_nodes import TablesNodes
from server.crossing.parcels import Message
from server.crossing.refusals import passed_on, refusal
from server.crossing.requests import (
    ARRIVALS,
    LINKS,
    PLAYERS,
    SECONDS,
    Arriving,
    Gone,
    Identified,
    Introduced,
    Known,
    Refused,
    Resumed,
    Unknown,
)

NOBODY = refusal("try_again", "refused_no_tables")
OTHERS_SECONDS = 2.0
"""So long a hello waits for nodes other than the player's home; and for any to say who it is."""
HOME_SECONDS = 5.0
"""So long it waits for the home to say what it knows, if there are others: it may stand still."""
UNHEARD = 2**62
"""Higher than any number of a command: what some node may have an answer for, it has not said."""


class Told:
    """The nodes `at` which an arrival was told, each with the turn in which it was attached.

    Those that are `late` have not answered.
    """

    def __init__(self, at: dict[str, int]) -> None:
        self.at = at
        self.late: dict[str, int] = {}

    def put_off(self, peer: str) -> None:
        """A node is told again later."""
        self.late[peer] = self.at.pop(peer)


class TablesAway(Exception):
    """The tables cannot be asked, or cannot tell now; `why` is for players."""

    def __init__(self, why: ProtocolError) -> None:
        super().__init__(why.reason)
        self.why = why


class Introductions:
    """Asks them."""

    def __init__(self, nodes: TablesNodes) -> None:
        self._nodes = nodes

    async def identified(self, come: Introduced, hello: Hello) -> Identified:
        """The player of a hello, as the first node says that knows them."""
        asked = self._nodes.homes(come.code or come.token)
        if not asked:
            raise TablesAway(NOBODY)
        away: TablesAway | None = None
        while True:
            peer = asked.pop(0)
            # A code is known to one node only.
            seconds = OTHERS_SECONDS if asked and not come.code else SECONDS
            try:
                answer = await self._asked(peer, PLAYERS, come, hello, seconds)
            except TablesAway as error:
                away = error
                if not asked or (come.code and self._nodes.takes(peer)):
                    raise
            except ProtocolError as error:
                # Codes, and players who never sat down, are known where they came from.
                if error.code != "unauthorized":
                    raise
                if not asked:
                    raise (away or error) from None
            else:
                assert isinstance(answer, Identified)
                return answer

    async def highest(self, told: Told, arriving: Arriving, hello: Hello) -> int:
        """The highest number of a command that any node has an answer for.

        `UNHEARD` if a node has not told its own; `TablesAway` if none has.
        """
        peers = tuple(told.at)
        home = self._nodes.home(arriving.player)
        at_home = HOME_SECONDS if len(peers) > 1 else SECONDS
        known = await asyncio.gather(
            *(
                self._known(peer, arriving, hello, at_home if peer == home else OTHERS_SECONDS)
                for peer in peers
            )
        )
        numbers = [number for number in known if isinstance(number, int)]
        if not numbers:
            refusals = [away for away in known if isinstance(away, TablesAway)]
            raise refusals[0] if refusals else TablesAway(NOBODY)
        for peer, number in zip(peers, known, strict=True):
            if isinstance(number, TablesAway):
                told.put_off(peer)
        return UNHEARD if told.late else max(numbers)

    async def shown(self, told: Told, resumed: Resumed, hello: Hello) -> bool:
        """Whether a player was shown their tables; if not, they have to come in again."""
        home = self._nodes.home(resumed.player.id)
        if home not in told.at:
            home = next(iter(told.at))
        peers = [peer for peer, turn in told.at.items() if not self._is_lost(peer, turn)]
        shown = await asyncio.gather(
            *(self._shown(peer, resumed._replace(home=peer == home), hello) for peer in peers)
        )
        for peer, answer in zip(peers, shown, strict=True):
            if answer is None:
                told.put_off(peer)
        return False not in shown and self._nodes.is_ready

    async def tell_others(
        self, connection: Connection, told: Told, resume: dict[str, int], highest: int
    ) -> None:
        """Tell nodes of a connection that have come while others were told of it; late ones later.

        The client knows `resume` of its tables, and has answers up to the command `highest`.
        """
        self._later(connection, told.late, resume, highest)
        vain = {}
        for peer, turn in self._nodes.attachments.items():
            has_heard = turn in (told.at.get(peer), told.late.get(peer))
            if not has_heard and await self._nodes.introduce(peer, connection) is None:
                vain[peer] = turn
        self._later(connection, vain, None, highest)

    def _later(
        self,
        connection: Connection,
        late: dict[str, int],
        resume: dict[str, int] | None,
        highest: int,
    ) -> None:
        if late:
            self._nodes.untold.update((peer, connection.number) for peer in late)
            self._nodes.spawn(self._tell_late(connection, late, resume, highest))

    async def _tell_late(
        self,
        connection: Connection,
        late: dict[str, int],
        resume: dict[str, int] | None,
        highest: int,
    ) -> None:
        """Tell nodes of a connection until they have heard it, or are lost.

        They show tables with `resume`, as in `TablesNodes.introduce`.
        """
        known = await asyncio.gather(
            *(self._tell_later(connection, peer, turn, resume) for peer, turn in late.items())
        )
        connection.session.know(max(highest, *known))

    async def _tell_later(
        self, connection: Connection, peer: str, turn: int, resume: dict[str, int] | None
    ) -> int:
        """The highest number of a command that a node has an answer for, once it has told that."""
        nodes, number = self._nodes, connection.number
        try:
            while nodes.attachments.get(peer) == turn:
                await nodes.pause()
                if connection.closing or not connection.announced:
                    break
                with suppress(BusError):
                    # It may have heard half of it.
                    await ask(nodes.bus, peer, LINKS, Gone(nodes.name, number), SECONDS)
                    highest = await nodes.introduce(peer, connection, resume)
                    if highest is not None:
                        return highest
        finally:
            nodes.untold.discard((peer, number))
        return 0

    async def _known(
        self, peer: str, arriving: Arriving, hello: Hello, seconds: float
    ) -> int | TablesAway | None:
        """The highest number that one node knows, or why it is not told; None if it is lost."""
        turn = self._nodes.attachments.get(peer)
        try:
            answer = await self._asked(peer, ARRIVALS, arriving, hello, seconds)
        except TablesAway as away:
            return None if self._is_lost(peer, turn) else away
        return answer.highest if isinstance(answer, Known) else 0

    async def _shown(self, peer: str, resumed: Resumed, hello: Hello) -> bool | None:
        """Whether a node has shown a player their tables, or is lost; None if it has to later."""
        turn = self._nodes.attachments.get(peer)
        seconds = SECONDS if resumed.home else OTHERS_SECONDS
        try:
            answer = await self._asked(peer, LINKS, resumed, hello, seconds)
        except TablesAway:
            if self._is_lost(peer, turn):
                return True
            return False if resumed.home else None
        return self._is_lost(peer, turn) or not isinstance(answer, Unknown)

    def _is_lost(self, peer: str, turn: int | None) -> bool:
        """Whether a node is lost, or was and is there again, and another one is there."""
        return self._nodes.is_ready and self._nodes.attachments.get(peer) != turn

    async def _asked(
        self, peer: str, port: str, request: Message, hello: Hello, seconds: float = SECONDS
    ) -> Message:
        """What a node answers; `TablesAway` if it does not, `ProtocolError` if it refuses."""
        try:
            answer = await ask(self._nodes.bus, peer, port, request, seconds)
        except BusError:
            raise TablesAway(NOBODY) from None
        if not isinstance(answer, Refused):
            return answer
        code, reason, retry_after, phrase = answer
        match code:
            case "try_again":
                raise TablesAway(passed_on(code, reason, phrase))
            case "internal":
                raise RuntimeError("the tables failed at it")
        raise passed_on(code, reason, phrase, id=hello.id, retry_after=retry_after)
