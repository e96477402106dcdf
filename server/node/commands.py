"""Commands at the tables' side: each goes to its handler, and is answered once.

a request ─▶ is it being carried out already? ─▶ answered before? ─▶ its handler ─▶ one answer
"""

from collections.abc import Callable

from protocol.features import MOVED
from protocol.to_server import (
    Act,
    AddBot,
    AddDevice,
    Admit,
    Back,
    Chat,
    Configure,
    CreateTable,
    Devices,
    FollowTables,
    Games,
    Hint,
    Join,
    Kick,
    Leave,
    ListTables,
    Log,
    MakeHost,
    MyTables,
    Ready,
    Rematch,
    RemoveBot,
    Review,
    RevokeDevice,
    Sit,
    StandIn,
    Start,
    Sync,
    ToServer,
    Undo,
    UnfollowTables,
    Watch,
    WhoseCode,
)
from protocol.wire_form import WireForm
from server.crossing.failed_commands import answer_to
from server.crossing.names import LOBBY, READS, TRANSIENT, Key
from server.crossing.refusals import elsewhere, refusal, refused
from server.crossing.requests import DONE, UNKNOWN, Answer, Asked, Elsewhere
from server.lobby.service import LobbyService
from server.node.table_finder import TableFinder, moved
from server.ops.isolation import Spawn
from server.ops.tracing import CAUSE
from server.players.devices import DeviceService
from server.players.identities import Players
from server.review.service import Reviews
from server.store import Store
from server.table.rules import RulesFailed
from server.table.table import Table
from server.tables.effect_runner import EffectRunner
from server.tables.hints import Hints
from server.tables.link import Link
from server.tables.links import Links
from server.tables.past_tables import PastTables
from server.tables.registry import TableRegistry

TABLE_COMMANDS = (
    Act,
    AddBot,
    Admit,
    Back,
    Configure,
    Kick,
    Ready,
    Rematch,
    RemoveBot,
    Sit,
    MakeHost,
    StandIn,
    Start,
    Undo,
)
"""Commands that a table handles by itself, whoever sends them."""


class TableElsewhere(Exception):
    """The table is at another `node`; at none just now, if that is ""."""

    def __init__(self, node: str) -> None:
        super().__init__(node)
        self.node = node


class TableMoved(Exception):
    """The table is at another node, which clients reach by this `address`."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class TableCommands:
    """`now` gives server time in seconds; `settle` sends what waits; `spawn` runs beside it all.

    `finder` finds tables that are elsewhere; without one the gateways do so, by what they are told.
    """

    def __init__(
        self,
        store: Store,
        links: Links,
        players: Players,
        devices: DeviceService,
        tables: TableRegistry,
        effects: EffectRunner,
        lobby: LobbyService,
        hints: Hints,
        pasts: PastTables,
        reviews: Reviews,
        now: Callable[[], float],
        settle: Callable[[], None],
        spawn: Spawn,
        finder: TableFinder | None = None,
    ) -> None:
        self._links = links
        self._link_at = links.numbered
        self._finder = finder
        self._players = players
        self._devices = devices
        self._tables = tables
        self._taken = tables.taken
        # Then it is asked how many seats a player has at other nodes before they get another one.
        self._shares = store.node is not None
        self._effects = effects
        self._lobby = lobby
        self._hints = hints
        self._pasts = pasts
        self._reviews = reviews
        self._now = now
        self._settle = settle
        self._spawn = spawn

    def take(self, gateway: str, asked: Asked, reply: Callable[[Answer], None]) -> None:
        """Carry out one command of a player at a gateway and answer it, or say why not.

        Most commands are moves: between one and its table lie as few calls as can be.
        """
        _, number, key, command, fresh = asked
        link = self._link_at((gateway, number))
        if link is None or key[0] != link.player.id or key[1] != link.client:
            reply(UNKNOWN)
            return
        if self._links.begin(key, command, link):
            before = CAUSE.set(key)
            try:
                table = None
                # Moves are found first in the first of these.
                if isinstance(command, TABLE_COMMANDS) or not isinstance(command, LOBBY):
                    table = self._tables.live.get(command.table)
                if table is None or not fresh or self._is_strange(key, command):
                    self._spawn(self._take_slowly(asked, link, reply))
                    return
                if isinstance(command, TABLE_COMMANDS):
                    effects = table.command(command, link.player, key, self._now())
                    self._effects.perform(table, effects)
                elif self._shares and isinstance(command, Join):
                    self._spawn(self._take_slowly(asked, link, reply))
                    return
                else:
                    self._handle(asked, link, table)
            except Exception as error:
                self._failed(command, key, error)
            finally:
                CAUSE.reset(before)
        self._settle()
        reply(DONE)

    async def _take_slowly(self, asked: Asked, link: Link, reply: Callable[[Answer], None]) -> None:
        """The same for a command that may have to wait for the store."""
        command, key = asked.command, asked.key
        try:
            answer = None
            if not asked.fresh or self._is_strange(key, command):
                answer = await self._answer_in_store(asked)
            if answer is not None:
                self._links.answer(key, answer)
                self._tell_if_over(link, answer)
            elif isinstance(command, LOBBY):
                if not self._is_in_vain(command, link):
                    await self._handle_in_lobby(asked, link)
            else:
                held = 0
                if isinstance(command, Join):
                    held = await self._lobby.held_elsewhere(link.player)
                failed = command.failed if isinstance(command, Watch) else None
                table = await self._table(command.table, failed)
                if not self._is_in_vain(command, link):
                    self._handle(asked, link, table, held)
        except TableElsewhere as away:
            error = refusal("try_again", "refused_elsewhere")
            self._links.pass_on(key, link, refused(key.command, error))
            self._settle()
            reply(Elsewhere(away.node))
            return
        except TableMoved as moved_to:
            await self._moved(asked, link, moved_to.address)
        except Exception as error:
            self._failed(command, key, error)
        self._settle()
        reply(DONE)

    def _handle(self, asked: Asked, link: Link, table: Table, held: int = 0) -> None:
        """Hand a command to its handler: the table, if it is not one of these.

        Whoever joins has `held` seats at tables of other nodes.
        """
        player, key, command = link.player, asked.key, asked.command
        match command:
            case Join():
                self._lobby.may_join(command, link, table, held)
                self._effects.perform(table, table.command(command, player, key, self._now()))
            case Leave():
                if self._lobby.watches(link, table):
                    self._lobby.stop_watching(link, table, key)
                else:
                    self._effects.perform(table, table.command(command, player, key, self._now()))
            case Watch():
                self._lobby.watch(link, table, key)
            case Sync():
                self._lobby.sync(link, table, key)
            case Hint():
                self._hints.ask(player, table, key)
            case Chat():
                self._lobby.chat(command, link, table, key)
            case _ if isinstance(command, TABLE_COMMANDS):
                self._effects.perform(table, table.command(command, player, key, self._now()))
            case _:
                raise ValueError(f"{command.type} is for no table")

    async def _handle_in_lobby(self, asked: Asked, link: Link) -> None:
        """Hand one of `LOBBY` to its handler."""
        key, command = asked.key, asked.command
        match command:
            case Games():
                games = await self._lobby.games(command)
                link.legends.update(card["digest"] for card in games["games"] if "digest" in card)
                self._links.answer(key, games)
            case ListTables():
                self._links.answer(key, self._lobby.tables(command))
            case FollowTables():
                self._links.answer(key, self._lobby.follow(command, link))
            case UnfollowTables():
                self._links.answer(key, self._lobby.unfollow(command, link))
            case AddDevice():
                self._links.answer(key, await self._devices.add(command, link))
            case WhoseCode():
                self._links.answer(key, await self._devices.whose(command, link))
            case Devices():
                self._links.answer(key, await self._devices.listed(command, link))
            case RevokeDevice():
                self._links.answer(key, await self._devices.revoke(command, link))
            case MyTables():
                self._links.answer(key, await self._lobby.own_tables(command, link.player))
            case Log():
                self._links.answer(
                    key, await self._pasts.log(command, link.player, link.features, link.address)
                )
            case Review():
                self._links.answer(
                    key, await self._reviews.review(command, link.player, link.address)
                )
            case CreateTable():
                await self._lobby.create(command, link.player, key, link.address)
            case _:
                raise ValueError(f"{command.type} is for gateways")

    async def _table(self, code: str, failed: str | None = None) -> Table:
        """The table, loaded if it sleeps; `ProtocolError` if it cannot be had.

        `TableElsewhere` or `TableMoved` if another node has it; `failed` is as for `TableFinder`.
        """
        table = self._tables.live.get(code) or await self._tables.get(code)
        if table is None:
            await self._look_elsewhere(code, failed)
        # Another node's may have become this one's while the database was asked whose it is.
        table = table or await self._tables.get(code)
        if table is None and self._tables.is_damaged(code):
            args = {"table": code, "why": self._tables.why_damaged(code)}
            raise refusal("table_damaged", "refused_table_damaged", args)
        if table is None:
            raise refusal("unknown_table", "refused_no_table", {"table": code})
        return table

    async def _look_elsewhere(self, code: str, failed: str | None) -> None:
        if self._finder is not None:
            address = await self._finder.find(code, failed)
            if address is not None:
                raise TableMoved(address)
        elif (away := await self._tables.whereabouts(code)) is not None:
            raise TableElsewhere(away)

    # One answer each

    async def _moved(self, asked: Asked, link: Link, address: str) -> None:
        """Tell a client where the table of its command is, or refuse it if it cannot go there."""
        command, key = asked.command, asked.key
        try:
            if MOVED not in link.features:
                raise elsewhere(address)
            await self._players.store(link.player.id)
            assert not isinstance(command, LOBBY), "it is about a table"
            self._links.answer(key, {**moved(command.table, address), "id": key.command})
        except Exception as error:
            self._failed(command, key, error)

    def _failed(self, command: ToServer, key: Key, error: Exception) -> None:
        """Answer a command that raised."""
        if isinstance(error, RulesFailed):
            # The table has reported it, and is being closed if nobody can go on.
            error = refusal("internal", "refused_rules_failed")
        answer = answer_to(command, error)
        lasting = type(command) not in READS and answer["code"] not in TRANSIENT
        try:
            self._effects.answers.answer(key, answer, record=lasting)
        except Exception as another:
            self._links.answer(key, answer_to(command, another))

    def _is_strange(self, key: Key, command: ToServer) -> bool:
        """Whether a fresh command may have been answered on an earlier connection all the same.

        A number above all that were found when the client came in is new, except for a move at a
        table where the player has no seat: that log was not read then. And another node may have
        answered it since, at a table that was its own until a moment ago.
        """
        if self._taken and getattr(command, "table", None) in self._taken:
            return True
        return isinstance(command, Act) and not self._tables.directory.sits(key[0], command.table)

    def _is_in_vain(self, command: ToServer, link: Link) -> bool:
        """Whether the connection is closed that a command has asked something for.

        It must not follow anything any more, as nobody would ever end that.
        """
        here = self._links.at(link.mail.gateway, link.number) is link
        return type(command) in READS and not here

    async def _answer_in_store(self, asked: Asked) -> WireForm | None:
        """The answer that an earlier connection of this client got; None if there is none."""
        key, command = asked.key, asked.command
        tables = self._tables.directory.tables_of(key.player)
        if isinstance(command, Act):
            tables |= {command.table}
        return await self._effects.answers.stored(key, self._tables.with_logs(tables))

    def _tell_if_over(self, link: Link, answer: WireForm) -> None:
        """After a repeated `asked`: tell a player whose request is over that no answer comes."""
        if answer["type"] != "asked":
            return
        code, player = answer["table"], link.player.id
        table = self._tables.live.get(code)
        waits = table is not None and player in table.latecomers
        if not waits and not self._tables.directory.sits(player, code):
            over = {"table": code, "request": answer["request"], "reason": "over"}
            link.put({"type": "notice", "kind": "refused", **over})
