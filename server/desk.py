"""The desk: commands that are not one table's own business.

Opening a table, the lists, watching, hints and chat. Everything here answers at once or through
`People.answer`; what changes nothing is never stored.
"""

from collections.abc import Callable
from functools import partial
from math import isfinite

from bots import Decision, strengths
from engine import SPECTATOR, complete_options, seed_from_int
from protocol.encode import Plain, plain
from protocol.errors import ProtocolError
from protocol.to_client import Candidate, HintAnswer
from protocol.to_server import Chat, CreateTable, Games, Hint, ListTables, Sync, Watch
from server.connection import Connection
from server.games import game_card
from server.lobby import new_code
from server.people import People
from server.session.rate import TokenBucket
from server.settings import Settings
from server.table.answers import ok_answer
from server.table.decide import Player
from server.table.effects import Ask
from server.table.entries import Key, Opened, Seated
from server.table.table import Table
from server.tables import Tables
from server.words import clean


class Desk:
    def __init__(
        self, settings: Settings, people: People, tables: Tables, now: Callable[[], float]
    ) -> None:
        self.draining = False
        self._settings = settings
        self._people = people
        self._tables = tables
        self._now = now
        self._chat: dict[str, TokenBucket] = {}

    def games(self, command: Games) -> Plain:
        library = self._tables.library
        whole = command.game is not None
        ids = [command.game] if command.game else [info.id for info in library]
        cards = [game_card(library.game(id), library.described(id), whole) for id in ids]
        return {"type": "games", "id": command.id, "games": cards}

    def tables(self, command: ListTables) -> Plain:
        tables = list(self._tables.lobby.public())
        return {"type": "tables", "id": command.id, "tables": tables}

    def create(self, command: CreateTable, player: Player, key: Key) -> None:
        """Open a table, its host at seat 0."""
        self._may_open(command, player)
        game = self._tables.library.to_open(command.game)
        seats = game.info.usual_seats if command.seats is None else command.seats
        options = dict(complete_options(game, seats, command.options))
        seed = None if command.seed is None else seed_from_int(command.seed).hex()
        opened = Opened(game.info.id, game.info.version, seats, options, command.settings, seed)
        code = new_code(command.settings.private)
        while self._tables.knows(code):
            code = new_code(command.settings.private)
        self._tables.create(code, opened, [Seated(0, player.id, player.name)], key)

    def watch(self, command: Watch, connection: Connection, player: Player, table: Table) -> None:
        """Let a player follow a table: as himself if he sits there, else as a spectator."""
        seat = table.state.seat_of(player.id)
        if seat is None and not table.state.settings.watchable:
            raise ProtocolError("forbidden", "this table lets nobody watch")
        self._people.put(connection, ok_answer(command.id, table.code, table.state.seq))
        self._tables.audiences.show(table, connection, SPECTATOR if seat is None else seat)

    def sync(self, command: Sync, connection: Connection, table: Table) -> None:
        """Send the table again, as the connection may see it."""
        viewer = self._tables.audiences.of(table.code).viewer(connection)
        if viewer is None:
            raise ProtocolError("not_seated", "you neither sit at this table nor watch it")
        self._people.put(connection, ok_answer(command.id, table.code, table.state.seq))
        self._tables.audiences.show(table, connection, viewer)

    def stop_watching(self, connection: Connection, table: Table, key: Key) -> None:
        gone = partial(self._tables.unfollow, table, connection)
        self._tables.answer(key, ok_answer(key.command, table.code), record=True, then=gone)

    def hint(self, command: Hint, player: Player, table: Table, key: Key) -> None:
        """Ask the strongest bot what it would do in the player's place."""
        state = table.state
        if not state.settings.hints:
            raise ProtocolError("no_hints", "hints are off at this table")
        seat = state.seat_of(player.id)
        if seat is None or seat not in state.to_act or state.phase != "playing":
            raise ProtocolError("not_your_turn", "there is a hint when it is your turn")
        ask = Ask(seat, state.turn, strengths(state.game)[-1])
        self._tables.ask(table, ask, partial(self._hinted, table.code, state.turn, key))

    def chat(self, command: Chat, player: Player, table: Table, key: Key) -> None:
        """Pass a line on to everybody at the table."""
        seat = table.state.seat_of(player.id)
        if seat is None:
            raise ProtocolError("not_seated", "only those who sit at a table may speak there")
        limit = self._settings.chat_per_minute
        if not limit:
            raise ProtocolError("forbidden", "there is no chat on this server")
        text = clean(command.text, "text")
        if not self._allowance(player).take(self._now()):
            raise ProtocolError("rate_limited", f"at most {limit} lines a minute; wait a little")
        said: Plain = {"type": "chat", "table": table.code, "seat": seat, "name": player.name}
        tell = partial(self._tables.audiences.tell, table.code, {**said, "text": text})
        self._tables.answer(key, ok_answer(key.command, table.code), record=True, then=tell)

    def may_sit(self, player: Player) -> None:
        """Refuse a seat to who has as many as he may, those he is being given included."""
        limit = self._settings.max_tables_per_player
        coming = self._people.count_waiting(("create_table", "join"), player.id)
        if len(self._tables.lobby.tables_of(player.id)) + coming > limit:
            raise ProtocolError("too_many_tables", f"you sit at {limit} tables; leave one first")

    def _allowance(self, player: Player) -> TokenBucket:
        """What a player may still say, whatever connection he says it on."""
        now, limit = self._now(), self._settings.chat_per_minute
        bucket = self._chat.get(player.id)
        if bucket is None:
            # Who has been silent for long enough need not be remembered.
            self._chat = {who: b for who, b in self._chat.items() if not b.is_full(now)}
            bucket = self._chat[player.id] = TokenBucket.full(limit / 60, limit, now)
        return bucket

    def _may_open(self, command: CreateTable, player: Player) -> None:
        settings = self._settings
        if self.draining:
            raise ProtocolError("draining", "the server is about to stop; no new tables")
        if command.seed is not None and not settings.allow_seeds:
            raise ProtocolError("forbidden", "this server does not let tables choose their seed")
        coming = self._people.count_waiting(("create_table",))
        if len(self._tables.lobby) + coming > settings.max_tables:
            raise ProtocolError("too_many_tables", "the server has no room for another table")
        self.may_sit(player)

    def _hinted(self, code: str, turn: int, key: Key, decision: Decision) -> None:
        candidates = tuple(
            Candidate(action=c.action, value=c.value, why=dict(c.why))
            for c in decision.candidates
            # A move that could not be tried is worth nothing that a message could hold.
            if isfinite(c.value)
        )
        answer: Plain = plain(
            HintAnswer(
                id=key.command,
                table=code,
                turn=turn,
                action=decision.action,
                candidates=candidates,
            )
        )
        self._people.answer(key, answer)
        self._tables.settle()
