"""Bots compared over deals: every deal is played once in each rotation of a lineup of two bots.

What one deal is worth is one number, so that the deals are independent and an interval over them
is honest: the luck of the cards and of the seat is shared by both bots. Every draw follows from
the seed and the number of the deal, so who plays a deal, and when, changes nothing.

Where the deals of a match differ, as Whist's do in their number of cards, they are played in
turn, each of a match of its own, so that the mean is one over a match. Bots that learn during a
match show it only in whole ones, which then take the place of deals.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from operator import add
from random import Random
from statistics import fmean
from time import process_time_ns
from typing import Literal, TypeAlias

from bots.bot import Bot, Budget, Position, WarmsUp
from bots.roster import make_bot
from bots.spec import BadBot, Spec
from engine.catalogue import GAMES, AnyGame
from engine.errors import EngineError
from engine.facts import Fact, Value
from engine.game import GameInfo, Options, Setup, complete_options
from engine.match import Match
from engine.shuffle import Shuffler, seed_from_int

Lineup: TypeAlias = tuple[int, ...]
"""For each seat 0 or 1: the first or the second of the two bots."""
Aim: TypeAlias = Literal["high", "low"]


class BadContest(Exception):
    """The contest asked for cannot be played; the message says why."""


class BrokenBot(Exception):
    """A bot made a move that the rules do not allow; the message says which bot and where."""


class RefusedMove(Exception):
    """Its arguments: the seat that was going to move, and why it may not."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Two bots of one game and how they are seated; small enough to send to a process.

    `numbers` are the deals of a match that are played in turn, 0 its first; with `matches` every
    deal stands for a whole match.
    """

    game: str
    bots: tuple[Spec, Spec]
    lineup: Lineup
    seed: int
    options: Options = field(default_factory=dict)
    budgets: tuple[Budget, Budget] = (Budget(), Budget())
    numbers: tuple[int, ...] = (0,)
    matches: bool = False

    @property
    def seats(self) -> int:
        return len(self.lineup)

    @property
    def info(self) -> GameInfo:
        return GAMES.game(self.game).info


@dataclass(frozen=True, slots=True)
class Thinking:
    """Moves a bot was asked for, and the processor time they took."""

    moves: int = 0
    nanoseconds: int = 0

    @property
    def milliseconds_a_move(self) -> float:
        return self.nanoseconds / 1e6 / self.moves if self.moves else 0.0

    def __add__(self, other: "Thinking") -> "Thinking":
        return Thinking(self.moves + other.moves, self.nanoseconds + other.nanoseconds)


@dataclass(frozen=True, slots=True)
class Played:
    """So many deals of one match at one seating: scores and thinking by seat."""

    scores: tuple[int, ...]
    thinking: tuple[Thinking, ...]
    deals: int = 1


@dataclass(frozen=True, slots=True)
class DealResult:
    """One deal or match over all rotations: the second bot's lead over the first, by the deal,
    and its share of wins.
    """

    deal: int
    lead: float
    win_share: float
    thinking: tuple[Thinking, Thinking]


def arrange(
    game: str,
    bots: tuple[int | Spec, int | Spec],
    seed: int,
    *,
    seats: int | None = None,
    lineup: Lineup | None = None,
    options: Mapping[str, object] | None = None,
    budgets: tuple[Budget, Budget] = (Budget(), Budget()),
    numbers: Sequence[int] | None = None,
    matches: bool = False,
) -> Contest:
    """A contest that can be played, or `BadContest`, or the `EngineError` that names the fault.

    Without a lineup the second bot sits alone among copies of the first; without numbers every
    kind of deal that a match has is played.
    """
    if matches and numbers:
        raise BadContest("a whole match has deals of every kind, so none can be chosen")
    if game not in (known := [info.id for info in GAMES]):
        words = f"no game {game!r}: the arena plays the built-in games, {', '.join(known)}"
        raise BadContest(f"{words}; descriptions are played by `blackqueen simulate`")
    rules = GAMES.game(game)
    count = seats or (len(lineup) if lineup else rules.info.usual_seats)
    chosen = lineup or (1,) + (0,) * (count - 1)
    if len(chosen) != count:
        raise BadContest(f"the lineup seats {len(chosen)} bots, not {count}")
    if set(chosen) != {0, 1}:
        raise BadContest("a lineup needs at least one 0 (the first bot) and one 1 (the second)")
    first, second = (Spec(str(bot)) if isinstance(bot, int) else bot for bot in bots)
    try:
        for spec in (first, second):
            make_bot(game, spec)
    except BadBot as error:
        raise BadContest(str(error)) from error
    seed_from_int(seed)
    complete = complete_options(rules, count, options or {})
    return Contest(
        game,
        (first, second),
        chosen,
        seed,
        complete,
        budgets,
        (0,) if matches else _numbers(rules, complete, count, numbers),
        matches,
    )


def _numbers(
    game: AnyGame, options: Options, seats: int, wished: Sequence[int] | None
) -> tuple[int, ...]:
    cycle = game.cycle(options, seats) if isinstance(game, Match) else 1
    for number in wished or ():
        if number >= cycle:
            there_are = "all deals are of one kind, 0" if cycle == 1 else f"0 to {cycle - 1}"
            raise BadContest(f"no deal {number}: {there_are}")
    return tuple(wished or range(cycle))


def rotations(lineup: Lineup) -> tuple[Lineup, ...]:
    """Every different way of moving the lineup round the table.

    >>> rotations((1, 0, 1, 0))
    ((1, 0, 1, 0), (0, 1, 0, 1))
    """
    turned = (lineup[-step:] + lineup[:-step] for step in range(len(lineup)))
    return tuple(dict.fromkeys(turned))


def play_deal(contest: Contest, deal: int) -> DealResult:
    """Deal number `deal` of the contest, played in every rotation."""
    game = GAMES.game(contest.game)
    players = [_player(contest.game, spec) for spec in contest.bots]
    number = contest.numbers[deal % len(contest.numbers)]
    shuffler = Shuffler(_cards_seed(contest.seed, deal), number)
    setup = Setup(contest.seats, contest.options, shuffler)
    leads, shares, thinking = [], [], [Thinking(), Thinking()]
    for turn, lineup in enumerate(rotations(contest.lineup)):
        seated = [players[which] for which in lineup]
        budgets = [contest.budgets[which] for which in lineup]
        rngs = [Random(f"{contest.seed}/{deal}/{turn}/{seat}") for seat in range(contest.seats)]
        try:
            played = play_once(game, setup, seated, rngs, budgets, whole=contest.matches)
        except RefusedMove as error:
            seat, reason = error.args
            spec = contest.bots[lineup[seat]]
            raise BrokenBot(f"bot {spec} broke the rules in deal {deal}: {reason}") from error
        leads.append(lead(played.scores, lineup, game.info.aim) / played.deals)
        shares.append(win_share(played.scores, lineup, game.info.aim))
        for which, spent in zip(lineup, played.thinking, strict=True):
            thinking[which] += spent
    return DealResult(deal, fmean(leads), fmean(shares), (thinking[0], thinking[1]))


@cache
def _player(game: str, spec: Spec) -> Bot:
    """A bot, made once a process: the time its kernels take to load is no time it thinks."""
    bot = make_bot(game, spec)
    warm(game, bot)
    return bot


def warm(game: str, bot: Bot) -> None:
    """Make `bot` ready to move at its usual speed: as it says, or by a deal played in a hurry."""
    if isinstance(bot, WarmsUp):
        bot.warm_up()
        return
    contest = arrange(game, (0, 0), seed=0)
    setup = Setup(contest.seats, contest.options, Shuffler(_cards_seed(0, 0)))
    bots, hurry = [bot] * setup.seats, [Budget(samples=1)] * setup.seats
    with suppress(RefusedMove):  # of which is told when it counts, with the bot and the deal
        play_once(GAMES.game(game), setup, bots, [Random(0)] * setup.seats, hurry)


def play_once(
    game: AnyGame,
    setup: Setup,
    bots: Sequence[Bot],
    rngs: Sequence[Random],
    budgets: Sequence[Budget] = (),
    *,
    whole: bool = False,
) -> Played:
    """One deal, played to its end: the first of a match, or the one `setup`'s shuffler stands at.

    With `whole` the match is played on to its end. The bots sit at it as they do at a table and
    see what they see there; facts of the match say when a deal begins and when it is scored, so
    no game needs a word of its own here.
    """
    seats = range(setup.seats)
    allowed = budgets or [Budget()] * setup.seats
    thinking = [Thinking()] * setup.seats
    known: list[list[Fact]] = [[] for _ in seats]
    totals, deals = [0] * setup.seats, 0
    step = game.start(setup)
    while True:
        for fact in step.facts:
            if fact.verb == "deal_started":
                known = [[] for _ in seats]
            elif fact.verb == "deal_scored":
                totals = list(map(add, totals, _scores(fact.args["scores"])))
                deals += 1
            for seat in seats:
                if bots[seat].needs_facts and fact.seen_by(seat):
                    known[seat].append(fact.fact)
        if deals and not (whole and game.to_act(step.state)):
            return Played(tuple(totals), tuple(thinking), deals)
        seat = game.to_act(step.state)[0]
        position = Position(
            game=game.info.id,
            seat=seat,
            view=game.view(step.state, seat),
            choices=game.choices(step.state, seat),
            options=setup.options,
            facts=tuple(known[seat]),
        )
        before = process_time_ns()
        decision = bots[seat].choose(position, allowed[seat], rngs[seat])
        thinking[seat] += Thinking(1, process_time_ns() - before)
        try:
            step = game.apply(step.state, seat, decision.action)
        except EngineError as error:
            raise RefusedMove(seat, f"{decision.action!r}: {error}") from error


def lead(scores: Sequence[int], lineup: Lineup, aim: Aim) -> float:
    """The mean score of the second bot less that of the first, turned so that more is better."""
    ahead = fmean(_of(1, scores, lineup)) - fmean(_of(0, scores, lineup))
    return ahead if aim == "high" else -ahead


def win_share(scores: Sequence[int], lineup: Lineup, aim: Aim) -> float:
    """The second bot's share of the seats with the best score."""
    best = max(scores) if aim == "high" else min(scores)
    winners = [which for which, score in zip(lineup, scores, strict=True) if score == best]
    return sum(winners) / len(winners)


def _of(bot: int, scores: Sequence[int], lineup: Lineup) -> list[int]:
    return [score for which, score in zip(lineup, scores, strict=True) if which == bot]


def _cards_seed(seed: int, deal: int) -> bytes:
    return sha256(b"blackqueen.arena" + seed_from_int(seed) + deal.to_bytes(8, "big")).digest()


def _scores(value: Value) -> tuple[int, ...]:
    assert isinstance(value, tuple)
    return value
