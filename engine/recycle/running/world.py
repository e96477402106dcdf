"""A table in play, as a compiled description drives it: mutable and fast.

This is also what players who search want. A `World` comes from a state (`Description.world`) or
from what a seat knows (`Description.sampler`), and then

    while world.count:                 # the options of `world.seat`; 0 when the game is over
        world.play(rng.randrange(world.count))
    world.outcome()

plays it to its end without any text, fact or view. `clone()` is cheap; options have the numbers
they have in `Game.choices`, so that ``choices.actions[i]`` is ``play(i)``. Where several choose
unseen they are asked one after the other, in the order of seats.
"""

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.facts import Seat
from engine.game import Outcome, ranked
from engine.recycle import limits
from engine.recycle.errors import Fault, Stop
from engine.recycle.limits import PlayLimits
from engine.recycle.running.asking import Asking
from engine.recycle.running.operations import PILE, Ops
from engine.recycle.source_text import Span
from engine.shuffle import Shuffler

if TYPE_CHECKING:
    from engine.recycle.running.program import Origin, Program

_FAULTS = (Fault, RecursionError)

Option: TypeAlias = tuple[Ops, Callable[..., None], tuple[Any, ...]]
"""What was done already when the option was found, and what remains to be done with which values.

Most options are not tried before they are chosen; then the first part is empty.
"""


class World(Asking):
    """`asked` are the seats whose choice is waited for, one after the other."""

    __slots__ = (
        "asked",
        "choices",
        "chosen",
        "limits",
        "offered",
        "over",
        "pc",
        "stop",
    )

    def __init__(self, program: "Program", shuffler: Shuffler, limits: PlayLimits) -> None:
        super().__init__(program, shuffler)
        self.limits = limits
        self.pc = self.choices = 0
        self.asked: tuple[Seat, ...] = ()
        self.chosen: tuple[tuple[Seat, int], ...] = ()
        self.offered: list[Option] = []
        self.over = False
        self.stop: Stop | None = None

    # What searching players ask.

    @property
    def count(self) -> int:
        """How many options `seat` has; 0 when the game is over."""
        return len(self.offered)

    @property
    def seat(self) -> Seat:
        """Whose choice it is; -1 when the game is over."""
        return self.asked[0] if self.asked else -1

    def clone(self) -> "World":
        """The same game, to be played on apart from this one."""
        twin: World = World.__new__(World)
        twin.copy_table(self)
        twin.shuffler, twin.limits = self.shuffler, self.limits
        twin.frames = self.frames[:]
        twin.pc, twin.draws, twin.choices, twin.work = self.pc, self.draws, self.choices, self.work
        twin.asked, twin.chosen, twin.offered = self.asked, self.chosen, self.offered
        twin.over, twin.stop = self.over, self.stop
        return twin

    def play(self, index: int) -> None:
        """`seat` takes an option, and the game goes on to the next choice or its end."""
        self.log.clear()
        self.work = self.program.work
        if len(self.asked) > 1 or self.chosen:
            self._choose_unseen(index)
            return
        ops, do, values = self.offered[index]
        try:
            if ops:
                self.perform(ops)
            do(self, *values)
            self._run(self.program.asks[self.pc].then)
        except _FAULTS as fault:
            self._halt(fault)

    def outcome(self) -> Outcome:
        """Scores and ranks as they are now; zeros where scoring itself meets something impossible.

        Nothing is changed by it.
        """
        before = self.cur, self.team
        self.work = self.program.work
        mark, draws = len(self.log), self.draws
        scores: list[int] = []
        try:
            for seat in range(self.program.players):
                self.cur, self.team = seat, self.team_of[seat]
                scores.append(self.program.score(self))
        except _FAULTS:
            scores = [0] * self.program.players
        self.undo(mark)
        self.draws = draws
        self.cur, self.team = before
        return ranked(scores, self.program.aim)

    # Running.

    def begin(self) -> None:
        """Set up the game and run it to its first choice."""
        try:
            self.program.setup(self)
            self._run(0)
        except _FAULTS as fault:
            self._halt(fault)

    def _run(self, pc: int) -> None:
        """Run blocks from `pc` on, up to a choice or the end."""
        code, weights = self.program.code, self.program.weights
        steps = self.limits.steps
        turns = limits.TURNS * (steps + len(code))
        while (block := code[pc]) is not None:
            self.pc = pc
            steps -= weights[pc]
            turns -= 1
            if steps < 0 or turns < 0:
                raise Fault(f"more than {self.limits.steps} steps without a choice")
            pc = block(self)
        self.pc = pc
        self.chosen = ()
        ask = self.program.asks.get(pc)
        if ask is None:
            self._end()
            return
        self.asked = tuple(range(self.program.players)) if ask.unseen else (self.cur,)
        self.choices += len(self.asked)
        if self.choices > self.limits.choices:
            raise Fault(f"more than {self.limits.choices} choices")
        self._offer()

    def _offer(self) -> None:
        """Find the options of `seat`; other seats asked at the same time must have some too."""
        for seat in reversed(self.asked):
            self.offered = self._options(seat)
            if not self.offered:
                raise Fault("there is nothing to choose from")

    def _options(self, seat: Seat) -> list[Option]:
        """The same ones whenever they are looked for: what is drawn for them is drawn apart."""
        before, draws, work, mark = self.cur, self.draws, self.work, len(self.log)
        self.cur, self.draws = seat, (self.choices * limits.PLAYERS + seat + 1) << 32
        self.work = self.share
        options = self.program.asks[self.pc].options(self)
        # Piles that are new have come into being; they are made again by who chooses them.
        self.undo(mark)
        self.cur, self.draws, self.work = before, draws, work
        return options

    @property
    def share(self) -> int:
        """The work that the options of one seat may take: where all are asked, all share it."""
        ask = self.program.asks.get(self.pc)
        sharing = self.program.players if ask is not None and ask.unseen else 1
        return self.program.work // sharing

    def wait_for(self, seats: tuple[Seat, ...]) -> None:
        """These are asked, as they were before; nobody where the game is over."""
        self.asked = seats
        self.offered = self._options(seats[0]) if seats else []

    def ask_first(self, seat: Seat) -> None:
        """Of several who choose unseen, `seat` is the next to choose."""
        self.wait_for((seat, *(other for other in self.asked if other != seat)))

    def _choose_unseen(self, index: int) -> None:
        """One of several has chosen; when all have, their options are taken in seat order."""
        self.chosen = (*self.chosen, (self.asked[0], index))
        if len(self.asked) > 1:
            self.wait_for(self.asked[1:])
            return
        self.asked = ()
        try:
            before = self.cur
            chosen = [(seat, at, self._options(seat)) for seat, at in sorted(self.chosen)]
            for seat, at, offered in chosen:
                ops, do, values = self._found_again(seat, at, offered)
                self.cur = seat
                self.perform(ops)
                do(self, *values)
            self.cur = before
            self._run(self.program.asks[self.pc].then)
        except _FAULTS as fault:
            self._halt(fault)

    def _found_again(self, seat: Seat, at: int, offered: list[Option]) -> Option:
        """What `seat` chose of the options `offered`, on a table that others may have changed.

        What is done to find an option is done anew; what remains to be done tells which it is.
        """
        if not offered[at][0]:
            return offered[at]
        ways = [option[1:] for option in offered]
        same = [option for option in self._options(seat) if option[1:] == ways[at]]
        if len(same) != ways.count(ways[at]):
            raise Fault("what was chosen can be done no more")
        return same[ways[:at].count(ways[at])]

    def _halt(self, fault: BaseException) -> None:
        """The game stops at something impossible."""
        at = _place(fault.__traceback__, self.program.origin) or self.program.spans[self.pc]
        reason = str(fault) if isinstance(fault, Fault) else "this is nested too deeply"
        self.stop = Stop(reason, at.line, at.column)
        self._end()

    def _end(self) -> None:
        self.asked = ()
        self.chosen = ()
        self.offered = []
        self.over = True

    # What options are found by.

    def has_acted(self, mark: int) -> bool:
        """Whether anything was done since; that a pile is mentioned is nothing."""
        return any(op[0] != PILE for op in self.log[mark:])

    def does(self, do: Callable[..., None], *values: Any) -> bool:
        """Whether this does anything at all; it is undone. What is impossible counts as done."""
        mark, draws = len(self.log), self.draws
        try:
            do(self, *values)
        except Fault:
            return True
        finally:
            done = self.has_acted(mark)
            self.undo(mark)
            self.draws = draws
        return done


def _place(trace: TracebackType | None, origin: "Origin") -> Span | None:
    """Where in the description a fault arose: the innermost compiled line that stands for one."""
    place = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == origin.file:
            place = origin.lines.get(trace.tb_lineno, place)
        trace = trace.tb_next
    return place
