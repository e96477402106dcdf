"""A compiled description: its Python functions, and what is known about them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from engine.recycle import limits
from engine.recycle.naming import BY_RULE, Naming
from engine.recycle.placing import NO_PLACING, Placing
from engine.recycle.running.actions import Actions
from engine.recycle.running.components import Components
from engine.recycle.running.evaluator import Evaluator
from engine.recycle.running.operations import Ops
from engine.recycle.running.turns import Turns
from engine.recycle.running.undoable_state import UndoableState
from engine.recycle.running.work import WorkMeter
from engine.recycle.source_text import Span
from engine.recycle.syntax import Kind

VERSION = 2
"""The version of the rules by which new games are played."""


class Running(Protocol):
    """The interface of a running game, the argument `w` of compiled functions: a `World`."""

    state: UndoableState
    turns: Turns
    work: WorkMeter
    actions: Actions
    evaluator: Evaluator

    # The function has whatever arguments the compiler gave it.
    def does(self, do: Callable[..., None], *values: Any) -> bool:
        """Whether calling `do` with `values` has any effect; the effect is undone."""


Block: TypeAlias = Callable[[Running], int]
"""Does something and returns the number of the block that comes next."""
Option: TypeAlias = tuple[Ops, Callable[..., None], tuple[Any, ...]]
"""What was done already when the option was found, and what remains to be done with which values.

Most options are not tried before they are chosen; then the first part is empty.
"""


@dataclass(frozen=True, slots=True)
class Ask:
    """A choice: `options` finds the options, and the block `then` follows.

    `unseen` if all players choose at once, `certain` if the chooser knows all that options do.
    """

    options: Callable[[Running], list[Option]]
    then: int
    unseen: bool = False
    certain: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """The name of the compiled code and, for each of its lines, its place in the description."""

    file: str
    lines: Mapping[int, Span]


# Compared and hashed by identity: one game's program is never equal to another's.
@dataclass(frozen=True, eq=False)
class Program:
    """`code[pc]` is None where the game waits: for the choice `asks[pc]`, or for ever.

    `weights[pc]` is 1 for a block, which is a step, and 0 for the begin or end of a stage.
    `grows` if decks are made after the setup. `work` is the number of units that may be spent
    between two choices; a server allows less than a simulation. `kinds` says of which kind the
    values are that an option's function is given, `bound` the same of those that ``any`` bound;
    `lets` are those that are given something worked out.
    `version` is that of the rules by which options are put into words: in the first they told what
    is secret (`views.telling`). `naming` has the words for people,
    `placing` says where they lay the piles.
    """

    components: Components
    aim: Literal["high", "low"]
    code: tuple[Block | None, ...]
    weights: tuple[int, ...]
    spans: tuple[Span, ...]
    asks: Mapping[int, Ask]
    # What is set up answers nothing; scoring is for the current player.
    setup: Callable[[Running], Any]
    score: Callable[[Running], int]
    origin: Origin
    grows: bool = False
    work: int = limits.WORK
    kinds: Mapping[Callable[..., Any], tuple[Kind, ...]] = field(default_factory=dict)
    bound: Mapping[Callable[..., Any], tuple[Kind | None, ...]] = field(default_factory=dict)
    lets: frozenset[Callable[..., Any]] = frozenset()
    version: int = VERSION
    naming: Naming = BY_RULE
    placing: Placing = NO_PLACING

    @property
    def players(self) -> int:
        """The number of players."""
        return self.components.players
