"""The stable error codes of the wire, and the exceptions of this folder.

ProtocolError        the peer's fault, with one of the codes: an `error` message on the wire
ConnectionLost       a client's connection is gone and does not come back
IllegalMove          a program has chosen a move that it may not make
TypedError           what a person typed is no move (`protocol.typed`)
├── UnknownMove      nothing that is allowed looks like it
└── Ambiguous        several moves do
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from protocol.safe_text import safe_text

if TYPE_CHECKING:
    from engine.cards import Token
    from engine.choices import Action, Pick
    from engine.phrases import Phrase

ErrorCode: TypeAlias = Literal[
    # the message
    "bad_message",
    "message_too_big",
    "version_unsupported",
    "rate_limited",
    # the person
    "hello_first",
    "unauthorized",
    "forbidden",
    # the lobby
    "unknown_game",
    "unknown_table",
    "table_damaged",
    "elsewhere",
    "table_full",
    "seat_taken",
    "no_such_seat",
    "already_seated",
    "not_seated",
    "wrong_phase",
    "bad_option",
    "bad_setup",
    "unknown_strength",
    "too_many_tables",
    "unknown_request",
    # the game
    "not_your_turn",
    "stale_turn",
    "bad_action",
    "illegal_action",
    "no_hints",
    "nothing_to_undo",
    # the server
    "stale_command",
    "replaced",
    "draining",
    "try_again",
    "internal",
]

ERROR_CODES: tuple[ErrorCode, ...] = get_args(ErrorCode)
NOT_NOW: frozenset[ErrorCode] = frozenset(
    {"stale_turn", "not_your_turn", "wrong_phase", "draining", "try_again", "rate_limited"}
)
"""Errors that say nothing about a move itself: the table has gone on, or the server comes back."""
LATER: frozenset[ErrorCode] = frozenset({"try_again", "rate_limited"})
"""Errors after which a command is sent again under the same id."""
PASSING: frozenset[ErrorCode] = LATER | {"draining", "internal", "hello_first"}
"""Refusals of `hello` that another attempt may get round.

A client that says hello before all else is told `hello_first` where that took too long.
"""


class ProtocolError(Exception):
    """The peer did something wrong: answer with this code and reason.

    A reason may quote what the peer sent, so it never holds control characters. `retry_after` is
    how many seconds to wait before the same is tried again, where that may help. `phrase` says what
    the reason says, for clients to word.
    """

    def __init__(
        self,
        code: ErrorCode,
        reason: str,
        id: int | None = None,
        retry_after: float | None = None,
        phrase: "Phrase | None" = None,
    ) -> None:
        reason = safe_text(reason)
        super().__init__(f"{code}: {reason}")
        self.code: ErrorCode = code
        self.reason = reason
        self.id = id
        self.retry_after = retry_after
        self.phrase = phrase


class ConnectionLost(Exception):
    """The server cannot be reached; the text says which one and what to check."""


class IllegalMove(Exception):
    """A program has chosen a move that is not among its choices; the text names some of these."""


@dataclass(frozen=True, slots=True)
class TypedProblem:
    """Why a `typed` text is no move, for clients that word the reason themselves.

    It could be several `moves`, perhaps when typed in full; it is none of those possible, `moves`
    and `picks`; it names, for the only one of `picks`, no card, one of several `cards`, one twice,
    or `count` cards, which is the wrong number; or nothing is asked now.
    """

    kind: Literal["moves", "part", "none", "card", "cards", "twice", "count", "turn"]
    typed: str = ""
    moves: "tuple[Action, ...]" = ()
    picks: "tuple[Pick, ...]" = ()
    cards: "tuple[Token, ...]" = ()
    count: int = 0


class TypedError(Exception):
    """A typed text is no legal move; the message names what it could have meant."""

    def __init__(self, words: str, why: TypedProblem) -> None:
        super().__init__(words)
        self.why = why


class UnknownMove(TypedError):
    """A typed text fits no legal move."""


class Ambiguous(TypedError):
    """A typed text fits several legal moves, the `candidates`."""

    @property
    def candidates(self) -> "tuple[Action, ...]":
        """The moves that the text fits."""
        return self.why.moves
