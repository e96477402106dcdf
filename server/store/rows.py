"""The rows of the database, as plain values.

They are named tuples because a row is made for every move: one costs a fifth of a frozen dataclass,
and is passed to a statement directly.
"""

from typing import NamedTuple


class TableRow(NamedTuple):
    """A table as the lobby lists it. `phase` is the table's own word, `CLOSED` at the end.

    `due` is the time at which the table is to be woken next, None if it waits for nothing. `seq` is
    the last entry's number when the row was written; the entries themselves may be ahead. `summary`
    is JSON: the lobby's details of the table, and its players.
    """

    code: str
    game: str
    version: int
    private: bool
    phase: str
    due: float | None
    seq: int
    created: float
    summary: str = "{}"


class Seats(NamedTuple):
    """The players who have a seat at a table; none at one that is closed."""

    table: str
    players: frozenset[str]


class EntryRow(NamedTuple):
    """One entry of a table's log. A command with several entries is named by one of them."""

    table: str
    seq: int
    kind: str
    time: float
    body: str
    player: str | None = None
    client: str | None = None
    command: int | None = None


class AnswerKey(NamedTuple):
    """The name of an answer's command."""

    player: str
    client: str
    command: int


class ForgottenAnswers(NamedTuple):
    """A client's commands up to `command` are too old: their results may be deleted."""

    command: int


class AnswerRow(NamedTuple):
    """The answer to a command that wrote no entry."""

    player: str
    client: str
    command: int
    answer: str
    time: float


class PlayerRow(NamedTuple):
    """A player. Of the token that identifies them only a hash is stored.

    `seen` is the day when they were here last; `sat` is whether they ever had a seat.
    """

    id: str
    name: str
    token_hash: str
    created: float
    seen: float = 0.0
    sat: bool = True


class DeviceRow(NamedTuple):
    """A device of a player, with the hash of its token; `device` is its number for the player.

    `name` is that of the program; `seen` is the hour when it was here last.
    """

    token_hash: str
    player: str
    device: str
    name: str
    created: float
    seen: float


class DeviceCodeRow(NamedTuple):
    """A code, by its hash, that adds a device to a player until its end; each has one at most.

    `token_hash` is that of the device which it has added, "" if none yet. Once that device comes
    with its token, the code is gone.
    """

    code_hash: str
    player: str
    until: float
    token_hash: str = ""


class RedeemedCode(NamedTuple):
    """A device added by a code that is valid at `moment` and whose last device is `lost`."""

    code_hash: str
    lost: str
    token_hash: str
    device: str
    name: str
    moment: float


class PreferencesRow(NamedTuple):
    """The preferences that a player's clients keep with the server, as they wrote them."""

    player: str
    kept: str


class ResultRow(NamedTuple):
    """The result of one match of a table; matches count from 1."""

    table: str
    match: int
    game: str
    finished: float
    body: str


class ReviewRow(NamedTuple):
    """A review of a seat in a match, made from the knowledge of `player`.

    With "" for a player it is made from all facts that the seat was shown, and open to everybody.
    """

    table: str
    match: int
    seat: int
    player: str
    made: float
    body: str


class DescriptionRow(NamedTuple):
    """The text of a game description, found by its digest; it never changes."""

    digest: str
    text: str


class HostedKey(NamedTuple):
    """A file with a game, and the source that added it to the database."""

    name: str
    source: str


class HostedGame(NamedTuple):
    """A game added for all nodes; the digests are those of its text and its rules page.

    `brought` is the time of adding: in seconds since the epoch, and later than all before.
    """

    name: str
    source: str
    digest: str
    rules_digest: str
    brought: float


class HostedFile(NamedTuple):
    """A game added for all nodes, with the contents of its files."""

    name: str
    source: str
    digest: str
    rules_digest: str
    brought: float
    text: str
    rules: str


class BanKey(NamedTuple):
    """The subject of a ban: the id of a player, or a network of addresses."""

    kind: str
    subject: str


class BanRow(NamedTuple):
    """A ban until a time, or for ever; `reason` is shown to the banned players."""

    kind: str
    subject: str
    until: float | None
    reason: str
    created: float


class NodeRequest(NamedTuple):
    """A request of a node to the others, or to one `node` while it has this `epoch`.

    `body` is JSON; `time` is by the clock of the requesting node; `changed` is the transaction that
    has stored it, once there is one.
    """

    id: str
    kind: str
    asked_by: str
    node: str | None
    epoch: int | None
    body: str
    time: float
    changed: int = 0


class NodeAnswer(NamedTuple):
    """The result of a request at a node; `body` is JSON."""

    request: str
    node: str
    body: str


class GivenTable(NamedTuple):
    """A table that a node gives to another one, or to any node if that one does not live."""

    table: str
    to: str


class Deletion(NamedTuple):
    """What to delete: tables with their entries and results, answers, players without a seat not
    seen since `unseen_since` with their devices, descriptions that no table is played by, bans, if
    `over_at` is given only those that are over then, and devices by the hashes of their tokens,
    which lead to no player any more, also if one is a player's first. Tables that are `given` stay,
    but this node writes to them no more. `hosted` games are no longer offered, unless others
    brought them. Of `codes` those go that have given these tokens, by their hashes, and all that
    are over at `codes_over_at`; requests of nodes go that were made before `requests_before`, with
    their answers.
    """

    tables: tuple[str, ...] = ()
    answers: tuple[AnswerKey, ...] = ()
    players: tuple[str, ...] = ()
    unseen_since: float = 0.0
    descriptions: tuple[str, ...] = ()
    bans: tuple[BanKey, ...] = ()
    over_at: float | None = None
    devices: tuple[str, ...] = ()
    given: tuple[GivenTable, ...] = ()
    hosted: tuple[HostedKey, ...] = ()
    codes: tuple[str, ...] = ()
    codes_over_at: float | None = None
    requests_before: float | None = None


class Write(NamedTuple):
    """Rows that are committed together or not at all.

    `players`, `tables`, `bans`, `reviews` and `hosted` replace the row of an equal key, `seats`
    those of a table, existing `descriptions` are skipped, and all other rows are added once. An
    existing player keeps their token, and has sat if they ever had. Devices that `arrived` have
    a new name and `seen`; one is added if it has the first token of a player, and nothing
    happens if its token was revoked. `hosted` files count as added later than any before. A new
    code replaces the player's last one; `preferences` replace the player's, if there is that
    player; a code that is `redeemed` adds a device in place of the one that is lost. The
    `deleted` rows are deleted after all else in this write.
    """

    entries: tuple[EntryRow, ...] = ()
    answers: tuple[AnswerRow, ...] = ()
    tables: tuple[TableRow, ...] = ()
    seats: tuple[Seats, ...] = ()
    players: tuple[PlayerRow, ...] = ()
    results: tuple[ResultRow, ...] = ()
    descriptions: tuple[DescriptionRow, ...] = ()
    bans: tuple[BanRow, ...] = ()
    reviews: tuple[ReviewRow, ...] = ()
    arrived: tuple[DeviceRow, ...] = ()
    hosted: tuple[HostedFile, ...] = ()
    codes: tuple[DeviceCodeRow, ...] = ()
    redeemed: tuple[RedeemedCode, ...] = ()
    requests: tuple[NodeRequest, ...] = ()
    node_answers: tuple[NodeAnswer, ...] = ()
    preferences: tuple[PreferencesRow, ...] = ()
    deleted: Deletion | None = None


CLOSED = "closed"
"""The phase of a table that takes no more entries."""
