"""A described game in play, run by its compiled program: mutable and fast.

This is also what searching bots use. A `World` comes from a state (`Description.world`) or from
what a seat knows (`Description.sampler`), and then

    while world.count:                 # the options of `world.seat`; 0 when the game is over
        world.play(rng.randrange(world.count))
    world.outcome()

plays it to its end without any text, fact or view. `clone()` is cheap; options have the numbers
they have in `Game.choices`, so that ``choices.actions[i]`` is ``play(i)``. Where several players
choose unseen they are asked one after the other, in the order of seats.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from types import TracebackType
from typing import Any

from engine.facts import Seat
from engine.game import Outcome, ranked
from engine.recycle import limits
from engine.recycle.errors import Fault, Stop
from engine.recycle.limits import PLAY_LIMITS, PlayLimits
from engine.recycle.running.actions import Actions
from engine.recycle.running.evaluator import Evaluator
from engine.recycle.running.program import Option, Origin, Program
from engine.recycle.running.undoable_state import UndoableState
from engine.recycle.running.unknown import Unsure
from engine.recycle.running.work import WorkMeter
from engine.recycle.source_text import Span
from engine.shuffle import Shuffler, seed_from_int

_FAULTS = (Fault, RecursionError)
_PROGRAMS = 32
"""Programs whose first cards are kept in memory."""


class World:
    """One game of a program: its parts, the program's position and the pending choice.

    `state` holds piles, values, teams and, as `turns`, whose turn it is; `actions` change it,
    `evaluator` asks it, `work` bounds both. `pc` is the block at which the game stands, and
    `choices` counts the choices so far. `asked` are the seats whose choice is waited for, the next
    to choose first; `chosen` are the seats that have chosen unseen, with the numbers of their
    options. `offered` are the options of the first of `asked`. `stop` says why a game was stopped.
    """

    __slots__ = (
        "actions",
        "asked",
        "choices",
        "chosen",
        "evaluator",
        "limits",
        "offered",
        "over",
        "pc",
        "program",
        "state",
        "stop",
        "turns",
        "work",
    )

    def __init__(self, program: Program, shuffler: Shuffler, limits: PlayLimits) -> None:
        self.program = program
        self.limits = limits
        self._assemble(UndoableState(program.components), program.work, shuffler)
        self.pc = self.choices = 0
        self.asked: tuple[Seat, ...] = ()
        self.chosen: tuple[tuple[Seat, int], ...] = ()
        self.offered: list[Option] = []
        self.over = False
        self.stop: Stop | None = None

    def _assemble(self, state: UndoableState, work: int, shuffler: Shuffler) -> None:
        self.state = state
        self.turns = state.turns
        self.work = WorkMeter(work)
        self.actions = Actions(state, self.work)
        self.evaluator = Evaluator(state, self.work, shuffler)

    # For searching bots

    @property
    def count(self) -> int:
        """The number of options of `seat`; 0 when the game is over."""
        return len(self.offered)

    @property
    def seat(self) -> Seat:
        """The seat to choose; -1 when the game is over."""
        return self.asked[0] if self.asked else -1

    def clone(self) -> "World":
        """An independent copy of the game."""
        twin = World.__new__(World)
        self.copy_to(twin)
        return twin

    def copy_to(self, twin: "World") -> None:
        """Make `twin` an equal game."""
        twin.program, twin.limits = self.program, self.limits
        twin._assemble(self.state.clone(), self.work.left, self.evaluator.shuffler)
        twin.evaluator.draws = self.evaluator.draws
        twin.pc, twin.choices = self.pc, self.choices
        twin.asked, twin.chosen, twin.offered = self.asked, self.chosen, self.offered
        twin.over, twin.stop = self.over, self.stop

    def play(self, index: int) -> None:
        """Take option `index` of `seat`, and run the game to its next choice or its end."""
        self.state.log.clear()
        self.work.left = self.program.work
        if len(self.asked) > 1 or self.chosen:
            self._choose_unseen(index)
            return
        ops, do, values = self.offered[index]
        try:
            if ops:
                self.state.perform(ops)
            do(self, *values)
            self._run(self.program.asks[self.pc].then)
        except _FAULTS as fault:
            self._halt(fault)

    def outcome(self) -> Outcome:
        """Scores and ranks as they are now; all scores are 0 if scoring itself has a `Fault`.

        The world stays as it is.
        """
        before = self.turns.current, self.turns.team
        self.work.left = self.program.work
        mark, draws = len(self.state.log), self.evaluator.draws
        scores: list[int] = []
        try:
            for seat in range(self.program.players):
                self.turns.current, self.turns.team = seat, self.state.team_of[seat]
                scores.append(self.program.score(self))
        except _FAULTS:
            scores = [0] * self.program.players
        self.state.undo(mark)
        self.evaluator.draws = draws
        self.turns.current, self.turns.team = before
        return ranked(scores, self.program.aim)

    # Running

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
        ends = limits.TURNS * (steps + len(code))
        while (block := code[pc]) is not None:
            self.pc = pc
            steps -= weights[pc]
            ends -= 1
            if steps < 0 or ends < 0:
                raise Fault(f"more than {self.limits.steps} steps without a choice")
            pc = block(self)
        self.pc = pc
        self.chosen = ()
        ask = self.program.asks.get(pc)
        if ask is None:
            self._end()
            return
        self.asked = tuple(range(self.program.players)) if ask.unseen else (self.turns.current,)
        self.choices += len(self.asked)
        if self.choices > self.limits.choices:
            raise Fault(f"more than {self.limits.choices} choices")
        self._offer()

    def _offer(self) -> None:
        """Find the options of `seat`; a `Fault` if any seat that is asked has none."""
        for seat in reversed(self.asked):
            self.offered = self.options(seat)
            if not self.offered:
                raise Fault("there is nothing to choose from")

    def options(self, seat: Seat) -> list[Option]:
        """The options of `seat`, reproducible because their random draws are counted apart."""
        turns, evaluator, meter = self.turns, self.evaluator, self.work
        before, draws, work, mark = turns.current, evaluator.draws, meter.left, len(self.state.log)
        turns.current = seat
        evaluator.draws = (self.choices * limits.PLAYERS + seat + 1) << 32
        ask = self.program.asks[self.pc]
        meter.left = self.program.work // self.program.players if ask.unseen else self.program.work
        options = ask.options(self)
        if self.program.version > 1:
            meter.spend(limits.OPTION_WORK * len(options))
        # New piles were created on the way; choosing an option with one creates it again.
        self.state.undo(mark)
        turns.current, evaluator.draws, meter.left = before, draws, work
        return options

    @property
    def share(self) -> int:
        """The units of work for finding one seat's options; simultaneous choices share them."""
        ask = self.program.asks.get(self.pc)
        sharing = self.program.players if ask is not None and ask.unseen else 1
        return self.program.work // sharing

    def wait_for(self, seats: tuple[Seat, ...]) -> None:
        """Let these seats choose, in order; none if the game is over."""
        self.asked = seats
        self.offered = self.options(seats[0]) if seats else []

    def ask_first(self, seat: Seat) -> None:
        """Of several seats that choose unseen, let `seat` be the next to choose."""
        if seat != self.asked[0]:
            self.wait_for((seat, *(other for other in self.asked if other != seat)))

    def _choose_unseen(self, index: int) -> None:
        """Record one of several simultaneous choices; after the last, take all in seat order."""
        self.chosen = (*self.chosen, (self.asked[0], index))
        if len(self.asked) > 1:
            self.wait_for(self.asked[1:])
            return
        self.asked = ()
        try:
            before = self.turns.current
            chosen = [(seat, at, self.options(seat)) for seat, at in sorted(self.chosen)]
            for seat, at, offered in chosen:
                ops, do, values = self._found_again(seat, at, offered)
                self.turns.current = seat
                self.state.perform(ops)
                do(self, *values)
            self.turns.current = before
            self._run(self.program.asks[self.pc].then)
        except _FAULTS as fault:
            self._halt(fault)

    def _found_again(self, seat: Seat, at: int, offered: list[Option]) -> Option:
        """The option that `seat` chose of those `offered`, after other seats' options were taken.

        The operations that found the option are done again; what remains to be done identifies it.
        """
        if not offered[at][0]:
            return offered[at]
        ways = [option[1:] for option in offered]
        same = [option for option in self.options(seat) if option[1:] == ways[at]]
        if len(same) != ways.count(ways[at]):
            raise Fault("what was chosen can be done no more")
        return same[ways[:at].count(ways[at])]

    def _halt(self, fault: BaseException) -> None:
        """Stop the game because of `fault`, with the place in the description where it arose."""
        at = _place(fault.__traceback__, self.program.origin) or self.program.spans[self.pc]
        reason = str(fault) if isinstance(fault, Fault) else "this is nested too deeply"
        self.stop = Stop(reason, at.line, at.column)
        self._end()

    def _end(self) -> None:
        self.asked = ()
        self.chosen = ()
        self.offered = []
        self.over = True

    # Finding options

    def does(self, do: Callable[..., None], *values: Any) -> bool:
        """Whether calling `do` has any effect, which is undone; a `Fault` counts as one."""
        mark, draws = len(self.state.log), self.evaluator.draws
        try:
            do(self, *values)
        except Unsure:
            if not self.state.has_acted(mark):
                raise
        except Fault:
            return True
        finally:
            done = self.state.has_acted(mark)
            self.state.undo(mark)
            self.evaluator.draws = draws
        return done


def _place(trace: TracebackType | None, origin: Origin) -> Span | None:
    """The place in the description of a fault: that of the innermost compiled line that has one."""
    place = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == origin.file:
            place = origin.lines.get(trace.tb_lineno, place)
        trace = trace.tb_next
    return place


@lru_cache(maxsize=_PROGRAMS)
def cards_of_setup(program: Program) -> tuple[int, ...]:
    """The number of cards of each kind with which a game of `program` begins."""
    world = World(program, Shuffler(seed_from_int(0)), PLAY_LIMITS)
    with suppress(Fault):
        program.setup(world)
    return world.state.counts()
