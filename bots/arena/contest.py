"""A contest of two bots in the arena: the game, the seating, and the score of a deal.

Every deal is played once in each rotation of a lineup of the two bots. The result of a deal is one
number, so that the deals are independent and an interval over them is honest: both bots share the
luck of the cards and of the seat.

If the deals of a match differ, as Whist's do in their number of cards, they are played in turn,
each of a match of its own, so that the mean is one over a match. Bots that learn during a match
show it only in whole matches, which then take the place of deals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal, TypeAlias

from bots.bot import Budget
from bots.roster import make_bot
from bots.spec import BadBot, Spec
from engine.catalogue import GAMES, AnyGame
from engine.facts import SPECTATOR
from engine.game import GameInfo, Options, Setup, complete_options
from engine.match import Match
from engine.shuffle import Shuffler, seed_from_int
from engine.teams import teams_in

Lineup: TypeAlias = tuple[int, ...]
"""For each seat 0 or 1: the first or the second of the two bots."""
Aim: TypeAlias = Literal["high", "low"]


class BadContest(Exception):
    """The requested contest cannot be played; the message says why."""


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
        """The number of players."""
        return len(self.lineup)

    @property
    def info(self) -> GameInfo:
        """The info of the game that is played."""
        return GAMES.game(self.game).info


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
    """A contest that can be played; `BadContest` or an `EngineError` names what is wrong.

    Without a lineup the second bot sits alone among copies of the first, or in a game with partners
    in all seats of one team; without numbers every kind of deal that a match has is played.
    """
    if matches and numbers:
        raise BadContest("a whole match has deals of every kind, so none can be chosen")
    if game not in (known := [info.id for info in GAMES]):
        words = f"no game {game!r}: the arena plays the built-in games, {', '.join(known)}"
        raise BadContest(f"{words}; descriptions are played by `blackqueen simulate`")
    rules = GAMES.game(game)
    count = seats or (len(lineup) if lineup else rules.info.usual_seats)
    complete = complete_options(rules, count, options or {})
    setup = Setup(count, complete, Shuffler(seed_from_int(seed)))
    chosen = lineup or _usual_lineup(rules, setup)
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


def _usual_lineup(game: AnyGame, setup: Setup) -> Lineup:
    """The second bot at seat 0 and its partners' seats, the first at all others."""
    values = game.view(game.start(setup).state, SPECTATOR).values
    (own,) = [seats for seats in teams_in(values) if 0 in seats] or [(0,)]
    return tuple(int(seat in own) for seat in range(setup.seats))


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
    """All different rotations of the lineup round the table.

    >>> rotations((1, 0, 1, 0))
    ((1, 0, 1, 0), (0, 1, 0, 1))
    """
    turned = (lineup[-step:] + lineup[:-step] for step in range(len(lineup)))
    return tuple(dict.fromkeys(turned))


def lead(scores: Sequence[int], lineup: Lineup, aim: Aim) -> float:
    """The mean score of the second bot less the first's, with the sign by which more is better."""
    ahead = fmean(_of(1, scores, lineup)) - fmean(_of(0, scores, lineup))
    return ahead if aim == "high" else -ahead


def win_share(scores: Sequence[int], lineup: Lineup, aim: Aim) -> float:
    """The second bot's share of the seats with the best score."""
    best = max(scores) if aim == "high" else min(scores)
    winners = [which for which, score in zip(lineup, scores, strict=True) if score == best]
    return sum(winners) / len(winners)


def _of(bot: int, scores: Sequence[int], lineup: Lineup) -> list[int]:
    return [score for which, score in zip(lineup, scores, strict=True) if which == bot]
