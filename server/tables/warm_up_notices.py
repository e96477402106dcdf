"""Tells a table's clients which bots are not ready, and which bots play in their place.

These are notices: whether a bot is ready is not in the table's log.
"""

from collections import defaultdict

from protocol.to_client import Notice
from protocol.wire_form import WireForm, wire_form
from server.bots.job_queue import BotName
from server.bots.pool import BotPool, Substitute
from server.bots.questions import substitute_at
from server.ops.isolation import Spawn
from server.sessions.registry import ConnectionRegistry
from server.sessions.subscriber import Subscriber
from server.sessions.subscribers import Subscribers
from server.table.effects import AskBot
from server.table.table import Table
from server.tables.live_tables import LiveTables

EVERYBODY = ""


class WarmUpNotices:
    """Sends each table one notice of a bot that is not ready, and one when it is.

    A player who asked for a hint is told so alone: `seats` is empty then.
    """

    def __init__(
        self,
        live: LiveTables,
        subscribers: Subscribers,
        connections: ConnectionRegistry,
        bots: BotPool,
        spawn: Spawn,
    ) -> None:
        self._live = live
        self._subscribers = subscribers
        self._connections = connections
        self._bots = bots
        self._spawn = spawn
        self._told: defaultdict[BotName, set[tuple[str, str]]] = defaultdict(set)

    def asked(self, table: Table, ask: AskBot, substitute: Substitute) -> None:
        """Send a notice that a bot to move at a table is not ready."""
        bot = (table.state.game, ask.strength)
        player = table.state.chairs[ask.seat].player if ask.purpose == "hint" else EVERYBODY
        if bot not in self._told and substitute.seconds:
            self._spawn(self._tell_at_the_end(bot))
        told = self._told[bot]
        if (table.code, player) not in told:
            # A bot that can never be made ready must not keep tables in memory.
            told -= {each for each in told if each[0] not in self._live}
            told.add((table.code, player))
            self._tell(table, player, _progress(table, bot, player, substitute))

    def shown(self, table: Table, connection: Subscriber) -> None:
        """Send a connection with a new snapshot of a table the notices that others have got."""
        for bot, told in self._told.items():
            if (table.code, EVERYBODY) in told:
                substitute = substitute_at(table, bot[1], self._bots)
                if substitute is not None:
                    notice = _progress(table, bot, EVERYBODY, substitute)
                    connection.tell(notice)

    async def _tell_at_the_end(self, bot: BotName) -> None:
        """Tell those with a notice that the bot is ready, or cannot be made ready."""
        await self._bots.ended(*bot)
        told = self._told.pop(bot, set())
        for code, player in told:
            table = self._live.get(code)
            if table is not None:
                substitute = substitute_at(table, bot[1], self._bots)
                self._tell(table, player, _progress(table, bot, player, substitute))
        self._connections.flush()

    def _tell(self, table: Table, player: str, notice: WireForm) -> None:
        if player == EVERYBODY:
            self._subscribers.broadcast(table.code, notice)
        else:
            self._connections.notify(player, notice)


def _progress(table: Table, bot: BotName, player: str, substitute: Substitute | None) -> WireForm:
    """Return the notice about a bot's substitute, its readiness, or its failure."""
    chairs = enumerate(table.state.chairs)
    own = [seat for seat, chair in chairs if chair.played_by_bot and chair.strength == bot[1]]
    seconds = None if substitute is None or not substitute.seconds else round(substitute.seconds)
    kind = "warmed" if substitute is None else "not_warmed" if seconds is None else "warming"
    notice: WireForm = wire_form(
        Notice(
            kind=kind,
            table=table.code,
            seats=tuple(own) if player == EVERYBODY else (),
            strength=bot[1] if substitute is None else substitute.strength,
            seconds=seconds,
        )
    )
    return notice
