"""Applies log entries to a table; no other code does. Their facts are in `public_facts`.

Live tables, tables loaded from the store and `blackqueen replay` all use `advance`, so a replayed
log gives equal states, facts and results.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeAlias, assert_never

from engine import AddressedFact, AnyGame, Outcome, Setup, Shuffler, Step
from engine.errors import EngineError
from engine.facts import Seat
from engine.game import Options, OptionValue
from server.table.entries import (
    Acted,
    BotAdded,
    BotRemoved,
    Closed,
    Configured,
    Dealt,
    Entry,
    HandedBack,
    HostPassed,
    Left,
    Moved,
    Opened,
    Paused,
    Readied,
    Reopened,
    Resumed,
    Seated,
    Started,
    TableBody,
    TakenOver,
    TimedOut,
    Undone,
    Watched,
)
from server.table.errors import BadLog, NewerLog
from server.table.guarded_game import RulesFailed
from server.table.public_facts import public_facts
from server.table.seating import leave, set_chair, sit
from server.table.state import EMPTY_CHAIR, Chair, Phase, TableState
from server.table.undo import UndoPoint, back_to, facts_of, with_next


class EntryFacts(NamedTuple):
    """The facts of entry `seq`, and the seating after it."""

    seq: int
    facts: tuple[AddressedFact, ...]
    seating: tuple[Chair, ...]


FactsByEntry: TypeAlias = tuple[EntryFacts, ...]


class GamesById(Protocol):
    """Returns the games that logs name, as a `Catalogue` does."""

    def game(self, id: str) -> AnyGame:
        """Return the game of this id."""
        ...


class Advance(NamedTuple):
    """The result of applying entries: the state after them, and the facts of each.

    `info` says whether the values of `TableInfo` have changed.
    """

    state: TableState
    entries: tuple[Entry, ...]
    steps: FactsByEntry
    info: bool

    @property
    def facts(self) -> tuple[AddressedFact, ...]:
        """All facts of the entries in order."""
        return tuple(chain.from_iterable(step.facts for step in self.steps))


def open_table(game: AnyGame, body: Opened) -> TableState:
    """Make the table of an `opened` entry, before any player has a seat."""
    if body.version != game.info.version:
        newer = body.version > game.info.version
        raise (NewerLog if newer else BadLog)(
            f"the log was written by version {body.version} of {game.info.title},"
            f" this server plays version {game.info.version}"
        )
    return TableState(
        game=body.game,
        version=body.version,
        options=_options(game, body.seats, body.options),
        settings=body.settings,
        chairs=(EMPTY_CHAIR,) * body.seats,
        seed=bytes.fromhex(body.seed) if body.seed is not None else None,
    )


def replay(catalogue: GamesById, log: Iterable[Entry]) -> Iterable[tuple[Entry, Advance]]:
    """Yield each entry of a whole log with its result; raise `BadLog` if it is no log.

    Exceptions of a game's rules are raised unchanged.
    """
    entries = iter(log)
    first = next(entries, None)
    if first is None or not isinstance(first.body, Opened) or first.seq != 1:
        raise BadLog("a log begins with entry 1, 'opened'")
    game = catalogue.game(first.body.game)
    state = open_table(game, first.body)
    failure: Exception | None = None
    try:
        step = advance(game, state, (first,))
        yield first, step
        for entry in entries:
            if entry.seq != step.state.seq + 1:
                raise BadLog(f"entry {entry.seq} follows entry {step.state.seq}")
            step = advance(game, step.state, (entry,))
            yield entry, step
    except RulesFailed as failed:
        failure = failed.error
    if failure is not None:
        raise failure


def advance(game: AnyGame, state: TableState, entries: Sequence[Entry]) -> Advance:
    """Apply `entries` to `state`.

    Raises an `EngineError` if a move among them breaks the rules, `RulesFailed` if the rules of the
    game fail at a move.
    """
    steps, info = [], False
    for entry in entries:
        body = entry.body
        if isinstance(body, Acted):
            try:
                step = game.apply(state.play, body.seat, body.action)
            except EngineError:
                # Whether the move had been offered, only the caller who knows the question can say.
                raise
            except Exception as error:
                raise RulesFailed("apply", error) from error
            to_act, ending = _asked(game, step)
            # Seats asked at once share a turn until the last of them has answered.
            still_asked = tuple([seat for seat in state.to_act if seat != body.seat])
            turn = state.turn if still_asked and to_act == still_asked else state.turn + 1
            phase = state.phase if ending is None else ending
            undo_points = None
            if state.undo_points is not None and ending is None:
                point = UndoPoint(turn, to_act, step.state, step.facts, body.seat)
                undo_points = with_next(state.undo_points, point)
            state = state.moved(
                seq=entry.seq,
                play=step.state,
                turn=turn,
                to_act=to_act,
                phase=phase,
                undo_points=undo_points,
            )
            facts = step.facts
            info = info or not to_act
        else:
            state, facts = _changed(game, state, entry, body)
            info = True
        steps.append(EntryFacts(entry.seq, facts, state.chairs))
    return Advance(state, tuple(entries), tuple(steps), info)


def _changed(
    game: AnyGame, state: TableState, entry: Entry, body: TableBody
) -> tuple[TableState, tuple[AddressedFact, ...]]:
    """Return the table after an entry that is no move, and the entry's facts."""
    facts = public_facts(body, state)
    match body:
        case Opened():
            state = state._replace(opened_at=entry.at)
        case Seated(seat, player, name, program):
            chair = Chair("human", player, name, program=program, since=entry.seq)
            state = sit(state, seat, chair)
        case Moved(seat, to):
            chair = state.chairs[seat]
            state = set_chair(set_chair(state, seat, EMPTY_CHAIR), to, chair)
        case Left():
            state, host_facts = leave(state, body)
            facts += host_facts
        case HostPassed(player):
            state = state._replace(host=player)
        case BotAdded(seat, strength, name):
            state = set_chair(state, seat, Chair("bot", name=name, strength=strength))
        case BotRemoved(seat):
            state = set_chair(state, seat, EMPTY_CHAIR)
        case Readied(seat, ready):
            state = set_chair(state, seat, replace(state.chairs[seat], ready=ready))
        case Configured(options, settings):
            chairs = tuple(replace(chair, ready=False) for chair in state.chairs)
            options = _options(game, len(chairs), options)
            state = state._replace(options=options, settings=settings, chairs=chairs)
        case Started():
            seen = tuple((state.chairs[seat].player, seat) for seat in state.humans())
            state = state._replace(
                phase="dealing",
                match=state.match + 1,
                seen=seen,
                watched=False,
                undone=0,
                goes_on="",
            )
        case Dealt(seed, bots, goes_on):
            seeds = bytes.fromhex(seed), bytes.fromhex(bots or seed)
            return _deal(game, state._replace(goes_on=goes_on), entry.seq, *seeds)
        case TakenOver(seat, strength):
            chair = replace(state.chairs[seat], stand_in=True, strength=strength)
            state = set_chair(state, seat, chair)
        case HandedBack(seat):
            chair = replace(state.chairs[seat], stand_in=False, strength=None)
            state = set_chair(state, seat, chair)
        case TimedOut():
            pass
        case Paused():
            state = state._replace(phase="paused")
        case Resumed():
            state = state._replace(phase="playing")
        case Watched():
            state = state._replace(watched=True, undo_points=None)
        case Undone(turn=turn):
            state = _undo(state, turn)
            facts += facts_of(state.undo_points or ())
        case Reopened():
            chairs = tuple(
                replace(chair, ready=False, strength=None, stand_in=False)
                if chair.kind == "human"
                else chair
                for chair in state.chairs
            )
            state = state._replace(
                phase="lobby", play=None, asked=(), to_act=(), chairs=chairs, undo_points=None
            )
        case Closed():
            state = state._replace(phase="closed", to_act=(), undo_points=None)
        case _:
            assert_never(body)
    return state._replace(seq=entry.seq), facts


def outcome_of(game: AnyGame, state: TableState) -> Outcome | None:
    """Return the result of a finished match; a stopped match has none."""
    if state.play is None or state.phase == "stopped":
        return None
    return game.outcome(state.play)


def _deal(
    game: AnyGame, state: TableState, seq: int, seed: bytes, bots: bytes
) -> tuple[TableState, tuple[AddressedFact, ...]]:
    step = game.start(Setup(len(state.chairs), state.options, Shuffler(seed)))
    to_act, ending = _asked(game, step)
    turn = state.turn + 1
    alone = len(state.humans()) == 1 and not state.watched and ending is None
    dealt = state._replace(
        seq=seq,
        phase="playing" if ending is None else ending,
        play=step.state,
        turn=turn,
        asked=to_act,
        to_act=to_act,
        match_seed=seed,
        bots_seed=bots,
        undo_points=with_next((), UndoPoint(turn, to_act, step.state, step.facts))
        if alone
        else None,
    )
    return dealt, step.facts


def _undo(state: TableState, turn: int) -> TableState:
    """Return the table as it was at question `turn`, which is asked again under a new number."""
    undo_points = back_to(state.undo_points or (), turn, state.turn + 1)
    if undo_points is None:
        raise BadLog(f"turn {turn} is none of the deal in play")
    now = undo_points[-1]
    return state._replace(
        play=now.play,
        turn=now.turn,
        asked=now.to_act,
        to_act=now.to_act,
        undo_points=undo_points,
        undone=state.undone + 1,
    )


def _asked(game: AnyGame, step: Step[Any]) -> tuple[tuple[Seat, ...], Phase | None]:
    """Return the seats to move after a step, and the new phase if there are none.

    A described game may have stopped at a fault of its description. Its scores are no result then,
    and no seat is to move, even if another deal could be played until it stops again.
    """
    to_act = game.to_act(step.state)
    if any(fact.verb == "game_stopped" for fact, _ in step.facts):
        return (), "stopped"
    if to_act:
        return to_act, None
    return (), "stopped" if game.outcome(step.state) is None else "finished"


def _options(game: AnyGame, seats: int, stored: Options) -> dict[str, OptionValue]:
    """Return the game's present options, with the defaults of those that the log lacks."""
    return {each.name: stored.get(each.name, each.default) for each in game.options(seats)}
