"""Tells a table's clients which bots are not ready, and which bots play meanwhile.

These are notices: whether a bot is ready is not in the table's log.
"""

from collections import defaultdict

from protocol.to_client import Notice
from protocol.wire_form import WireForm, wire_form
from server.bots.job_queue import BotName
from server.bots.pool import BotPool, Meanwhile
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

    def asked(self, table: Table, ask: AskBot, meanwhile: Meanwhile) -> None:
        """Send a notice that a bot to move at a table is not ready."""
        bot = (table.state.game, ask.strength)
        player = table.state.chairs[ask.seat].player if ask.purpose == "hint" else EVERYBODY
        if bot not in self._told and meanwhile.seconds:
            self._spawn(self._tell_at_the_end(bot))
        told = self._told[bot]
        if (table.code, player) not in told:
            # A bot that can never be made ready must not keep tables in memory.
            told -= {each for each in told if each[0] not in self._live}
            told.add((table.code, player))
            self._tell(table, player, _progress(table, bot, player, meanwhile))

    def shown(self, table: Table, connection: Subscriber) -> None:
        """Send a connection with a new snapshot of a table the notices that others have got."""
        for bot, told in self._told.items():
            if (table.code, EVERYBODY) in told:
                repeatable = table.state.seed is not None
                meanwhile = self._bots.meanwhile(*bot, repeatable=repeatable)
                if meanwhile is not None:
                    notice = _progress(table, bot, EVERYBODY, meanwhile)
                    connection.tell(notice)

    async def _tell_at_the_end(self, bot: BotName) -> None:
        """Tell those with a notice that the bot is ready, or cannot be made ready."""
        await self._bots.ended(*bot)
        told = self._told.pop(bot, set())
        meanwhile = self._bots.meanwhile(*bot, repeatable=False)
        for code, player in told:
            table = self._live.get(code)
            if table is not None:
                self._tell(table, player, _progress(table, bot, player, meanwhile))
        self._connections.flush()

    def _tell(self, table: Table, player: str, notice: WireForm) -> None:
        if player == EVERYBODY:
            self._subscribers.broadcast(table.code, notice)
        else:
            self._connections.notify(player, notice)


def _progress(table: Table, bot: BotName, player: str, meanwhile: Meanwhile | None) -> WireForm:
    """Return the notice about a bot's substitute, its readiness, or its failure."""
    chairs = enumerate(table.state.chairs)
    own = [seat for seat, chair in chairs if chair.played_by_bot and chair.strength == bot[1]]
    seconds = None if meanwhile is None or not meanwhile.seconds else round(meanwhile.seconds)
    kind = "warmed" if meanwhile is None else "not_warmed" if seconds is None else "warming"
    notice: WireForm = wire_form(
        Notice(
            kind=kind,
            table=table.code,
            seats=tuple(own) if player == EVERYBODY else (),
            strength=bot[1] if meanwhile is None else meanwhile.strength,
            seconds=seconds,
        )
    )
    return notice
