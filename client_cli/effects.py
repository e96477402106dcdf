"""The effects of the table controller, as values: the shell carries them out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from protocol.exits import Exit
from protocol.to_server import ToServer


@dataclass(frozen=True, slots=True)
class SendCommand:
    """Send a command; its answer comes back to the controller.

    `typed` is what the person typed for it; empty if the program sends it by itself. `full` asks
    for all figures of the answer.
    """

    kind: type[ToServer]
    # Any fields of the command's model; the session checks them. A bot's strength may be a word.
    fields: Mapping[str, Any] = field(default_factory=dict)
    typed: str = field(default="", compare=False)
    full: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Show:
    """Show something that the player asked for, or that is due now.

    `turn` is the part of the table that a player to move must know.
    """

    what: Literal["table", "turn", "hand", "score", "final", "help", "last", "history"]


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence for the person; `wrong` if they typed something impossible.

    `command` is one to be copied into a shell after it, so it is never broken into lines.
    """

    text: str
    wrong: bool = False
    command: str = ""


@dataclass(frozen=True, slots=True)
class PlayBy:
    """Let the seat play by `itself`, or return it to the person; handled by the controller."""

    itself: bool


@dataclass(frozen=True, slots=True)
class End:
    """End the program's work at this table; `early` if the person closes the program first."""

    code: Exit = Exit.DONE
    why: str = ""
    early: bool = False


Effect: TypeAlias = SendCommand | Show | Remark | PlayBy | End
