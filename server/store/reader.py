"""The queries, one short transaction each."""

from collections.abc import Callable, Collection, Mapping
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Executable, select, tuple_
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError, OperationalError

from server.store.errors import StoreUnavailable
from server.store.lookups import BY_DEVICE, BY_FIRST_TOKEN, DEVICES_OF, LAST_COMMANDS, WITH_NAME
from server.store.nodes import READ_NODES, READ_OWNER, READ_SHARES, NodeRow, Owner
from server.store.rows import (
    CLOSED,
    AnswerKey,
    AnswerRow,
    BanRow,
    DeviceCodeRow,
    DeviceRow,
    EntryRow,
    ForgottenAnswers,
    HostedGame,
    NodeAnswer,
    PlayerRow,
    ResultRow,
    ReviewRow,
    TableRow,
)
from server.store.schema import (
    ANSWERS,
    BANS,
    DESCRIPTIONS,
    DEVICE_CODES,
    ENTRIES,
    FORGOTTEN,
    HOSTED_GAMES,
    NODE_ANSWERS,
    PLAYERS,
    PREFERENCES,
    RESULTS,
    REVIEWS,
    SEATED,
    TABLES,
)
from server.store.shared_tables import Changes, SharedTable, changed_since, seats_of

R = TypeVar("R")
N = TypeVar("N", bound=NamedTuple)

AGAIN_SECONDS = 1.0
"""How long nothing is asked after a connection could not be had."""

_TABLE = [TABLES.c[name] for name in TableRow._fields]
_HOSTED = [HOSTED_GAMES.c[name] for name in HostedGame._fields]
_LOG = select(ENTRIES).order_by(ENTRIES.c.seq)


class Reader:
    """Runs queries and blocks its caller; `Store` gives it a thread of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._opened: Connection | None = None
        self._again = 0.0

    @property
    def _connection(self) -> Connection:
        # Opened by the first query, so that an error belongs to that query.
        if self._opened is None:
            self._opened = self._engine.connect()
        return self._opened

    def answered(self, question: Callable[[], R]) -> R:
        """Return the answer to `question`, on a new connection if the open one is lost.

        While no connection is possible, each attempt may take seconds: for a moment after a failed
        one all questions fail with it.
        """
        if monotonic() < self._again:
            raise StoreUnavailable("the database did not answer a moment ago")
        try:
            try:
                return question()
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                return question()
        except OperationalError:
            if self._opened is None or self._opened.invalidated:
                self._again = monotonic() + AGAIN_SECONDS
            raise

    def close(self) -> None:
        """Close the connection, if one was opened."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _rows(
        self, kind: type[N], query: Executable, values: Mapping[str, object] | None = None
    ) -> list[N]:
        """Return all rows that a query finds, within an open transaction."""
        return [kind._make(row) for row in self._connection.execute(query, values)]

    def _all(
        self, kind: type[N], query: Executable, values: Mapping[str, object] | None = None
    ) -> list[N]:
        """Return all rows that a query finds, in a transaction of its own."""
        with self._connection.begin():
            return self._rows(kind, query, values)

    def _one(
        self, kind: type[N], query: Executable, values: Mapping[str, object] | None = None
    ) -> N | None:
        """Return the row that a query finds; None if there is none."""
        found = self._all(kind, query, values)
        return found[0] if found else None

    # Of columns of any type.
    def _column(self, query: Executable) -> list[Any]:
        with self._connection.begin():
            return list(self._connection.scalars(query))

    def ping(self) -> None:
        """Read a row, to check that reading works."""
        self._column(select(TABLES.c.code).limit(1))

    def player_by_token(self, token_hash: str) -> PlayerRow | None:
        """Return the player with a token of this hash, if any."""
        token = {"token_hash": token_hash}
        with self._connection.begin():
            first = self._rows(PlayerRow, BY_FIRST_TOKEN, token)
            found = first or self._rows(PlayerRow, BY_DEVICE, token)
        return found[0] if found else None

    def player(self, id: str) -> PlayerRow | None:
        """Return the player of this id, if they are stored."""
        return self._one(PlayerRow, select(PLAYERS).where(PLAYERS.c.id == id))

    def devices(self, player: str) -> list[DeviceRow]:
        """Return the devices of a player that have a row, the oldest first."""
        return self._all(DeviceRow, DEVICES_OF, {"player": player})

    def review(self, table: str, match: int, seat: int, player: str) -> ReviewRow | None:
        """Return the stored review of a seat in a match for a player, if any."""
        named = {"table_code": table, "match": match, "seat": seat, "player": player}
        return self._one(ReviewRow, select(REVIEWS).filter_by(**named))

    def bans(self) -> list[BanRow]:
        """Return all bans, also those that have ended; the oldest first."""
        return self._all(BanRow, select(BANS).order_by(BANS.c.created, BANS.c.subject))

    def description(self, digest: str) -> str | None:
        """Return the text of a game description; None if there is none of this digest."""
        query = select(DESCRIPTIONS.c.text).where(DESCRIPTIONS.c.digest == digest)
        return next(iter(self._column(query)), None)

    def nodes(self) -> list[NodeRow]:
        """Return all nodes that the database in PostgreSQL ever had, by name."""
        return self._all(NodeRow, READ_NODES)

    def shares(self) -> dict[str, int]:
        """Return the number of open tables of each owner, in PostgreSQL."""
        with self._connection.begin():
            rows = self._connection.execute(READ_SHARES, {"closed": CLOSED})
            return {row[0]: row[1] for row in rows}

    def owner(self, code: str) -> Owner | None:
        """Return an open table's owner, in PostgreSQL; with name "" if there is none."""
        return self._one(Owner, READ_OWNER, {"code": code, "closed": CLOSED})

    def changed_since(self, name: str, epoch: int, since: int) -> Changes:
        """Return the others' changes for the node `name`; with `since` 0 all rows."""
        with self._connection.begin():
            return changed_since(self._connection, name, epoch, since)

    def node_answers(self, request: str) -> list[NodeAnswer]:
        """Return the nodes' answers so far to the request with this id."""
        query = select(NODE_ANSWERS).where(NODE_ANSWERS.c.request == request)
        return self._all(NodeAnswer, query)

    def device_code(self, code_hash: str) -> DeviceCodeRow | None:
        """Return the code with this hash, if it was made and its device is not there yet."""
        query = select(DEVICE_CODES).where(DEVICE_CODES.c.code_hash == code_hash)
        return self._one(DeviceCodeRow, query)

    def preferences(self, player: str) -> str:
        """Return the preferences that are kept for a player; "" if none."""
        found = self._column(select(PREFERENCES.c.kept).where(PREFERENCES.c.player == player))
        return str(found[0]) if found else ""

    def seats_of(self, player: str) -> list[SharedTable]:
        """Return the open tables with a player's seat, at any node, by their codes."""
        with self._connection.begin():
            return seats_of(self._connection, player)

    def load(self, code: str) -> tuple[TableRow, list[EntryRow]] | None:
        """Return a table and its whole log in order, as of one moment."""
        with self._connection.begin():
            return self._load(code)

    def entries(self, code: str, after: int) -> list[EntryRow]:
        """Return the entries of a table's log after number `after`, in order."""
        query = _LOG.where(ENTRIES.c.table_code == code, ENTRIES.c.seq > after)
        return self._all(EntryRow, query)

    def load_with_results(
        self, code: str
    ) -> tuple[TableRow, list[EntryRow], list[ResultRow]] | None:
        """Return a table, its log, and its matches' results in order, as of one moment."""
        query = select(RESULTS).where(RESULTS.c.table_code == code).order_by(RESULTS.c.match)
        with self._connection.begin():
            loaded = self._load(code)
            if loaded is None:
                return None
            return *loaded, self._rows(ResultRow, query)

    def _load(self, code: str) -> tuple[TableRow, list[EntryRow]] | None:
        for table in self._rows(TableRow, select(*_TABLE).where(TABLES.c.code == code)):
            return table, self._rows(EntryRow, _LOG.where(ENTRIES.c.table_code == code))
        return None

    def tables(
        self, codes: Collection[str] | None = None, *, closed: bool = False
    ) -> list[TableRow]:
        """Return the tables of these codes or all by age, including `closed` ones if asked for."""
        query = select(*_TABLE).order_by(TABLES.c.created, TABLES.c.code)
        if codes is not None:
            query = query.where(TABLES.c.code.in_(codes))
        if not closed:
            query = query.where(TABLES.c.phase != CLOSED)
        return self._all(TableRow, query)

    def closed_before(self, moment: float, limit: int) -> list[str]:
        """Return at most `limit` tables whose last entry closed them before `moment`."""
        last = (ENTRIES.c.table_code == TABLES.c.code) & (ENTRIES.c.seq == TABLES.c.seq)
        query = (
            select(TABLES.c.code)
            .join(ENTRIES, last)
            .where(TABLES.c.phase == CLOSED, ENTRIES.c.time < moment)
            .limit(limit)
        )
        return self._column(query)

    def closings(self, codes: Collection[str]) -> dict[str, str]:
        """Return the bodies of the entries that closed these tables, if they are closed."""
        query = (
            select(ENTRIES.c.table_code, ENTRIES.c.body)
            .join(TABLES, TABLES.c.code == ENTRIES.c.table_code)
            .where(TABLES.c.code.in_(codes), TABLES.c.phase == CLOSED)
            .where(ENTRIES.c.seq == TABLES.c.seq)
        )
        with self._connection.begin():
            return {row.table_code: row.body for row in self._connection.execute(query)}

    def old_answers(
        self, moment: float, after: AnswerKey, limit: int
    ) -> tuple[list[AnswerKey], AnswerKey | None]:
        """Of the next `limit` answers `after` a key, return those given before `moment`.

        Also returns the key to go on after, None after the last answer.
        """
        named = (ANSWERS.c.player, ANSWERS.c.client, ANSWERS.c.command)
        query = select(*named, ANSWERS.c.time).order_by(*named).limit(limit)
        query = query.where(tuple_(*named) > tuple_(*after))
        with self._connection.begin():
            rows = self._connection.execute(query).all()
        keys = [AnswerKey(row.player, row.client, row.command) for row in rows]
        old = [key for key, row in zip(keys, rows, strict=True) if row.time < moment]
        return old, keys[-1] if len(keys) == limit else None

    def unseen_players(self, moment: float, sat: bool, after: str, limit: int) -> list[str]:
        """Return players after id `after`, unseen since `moment`, who ever `sat` or never did.

        None of them has a seat at an open table.
        """
        query = (
            select(PLAYERS.c.id)
            .where(PLAYERS.c.id > after, PLAYERS.c.seen < moment, PLAYERS.c.sat == sat, ~SEATED)
            .order_by(PLAYERS.c.id)
            .limit(limit)
        )
        return self._column(query)

    def hosted_games(self) -> list[HostedGame]:
        """Return the games that nodes added, by name; of one name the latest last."""
        query = select(*_HOSTED).order_by(
            HOSTED_GAMES.c.name, HOSTED_GAMES.c.brought, HOSTED_GAMES.c.source
        )
        return self._all(HostedGame, query)

    def hosted_text(self, digest: str, rules_digest: str) -> tuple[str, str] | None:
        """Return the text and the rules page with these digests, if a node still adds them."""
        query = select(HOSTED_GAMES.c.text, HOSTED_GAMES.c.rules).where(
            HOSTED_GAMES.c.digest == digest, HOSTED_GAMES.c.rules_digest == rules_digest
        )
        with self._connection.begin():
            row = self._connection.execute(query.limit(1)).one_or_none()
        return None if row is None else (row.text, row.rules)

    def unused_descriptions(self) -> list[str]:
        """Return the digests of descriptions without tables."""
        with self._connection.begin():
            digests = set(self._connection.scalars(select(DESCRIPTIONS.c.digest)))
            if not digests:
                return []
            games = select(TABLES.c.game).where(TABLES.c.game.like("%@%")).distinct()
            used = {game.rpartition("@")[2] for game in self._connection.scalars(games)}
        return sorted(digests - used)

    def answer(
        self, player: str, client: str, command: int, tables: Collection[str]
    ) -> EntryRow | AnswerRow | ForgottenAnswers | None:
        """Return a command's result: its entry, else its answer, else None.

        Returns `ForgottenAnswers` if that may have been deleted, as results of old commands are. A
        move is found if it is in the log of one of `tables`.
        """
        named = {"player": player, "client": client, "command": command}
        with self._connection.begin():
            # Named entries of all tables, or those of these logs.
            for place in (WITH_NAME, ENTRIES.c.table_code.in_(tables)):
                entries = select(ENTRIES).where(place).filter_by(**named)
                for entry in self._rows(EntryRow, entries):
                    return entry
            for answer in self._rows(AnswerRow, select(ANSWERS).filter_by(**named)):
                return answer
            last = select(FORGOTTEN.c.command).filter_by(player=player, client=client)
            forgotten = self._connection.scalar(last)
        if forgotten is None or command > forgotten:
            return None
        return ForgottenAnswers(forgotten)

    def last_command(self, player: str, client: str, tables: Collection[str]) -> int:
        """Return a client's highest number of an answered command; 0 if none.

        Moves count if they are in the log of one of `tables`.
        """
        names = {"player": player, "client": client, "tables": tuple(tables)}
        with self._connection.begin():
            return max(number or 0 for number in self._connection.scalars(LAST_COMMANDS, names))
