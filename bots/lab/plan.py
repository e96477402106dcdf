"""The plan of a simulation: a complete value, which always gives equal games.

A plan has parts, each with its own players, and its games are numbered through. Every draw of a
game follows from the seed and its number, so it does not matter which process plays it, and when.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256

from bots.lab.errors import BadPlan
from bots.lab.games import Source, catalogue_of, game_of
from bots.recipe import RANDOM
from bots.roster import make_bot, recipe_of
from bots.spec import BadBot, Spec
from engine.errors import EngineError
from engine.facts import Seat
from engine.game import Options, complete_options
from engine.match import Match
from engine.shuffle import Shuffler, seed_from_int

LONGEST = 500
"""Choices after which a game is stopped, unless somebody says otherwise."""
WATCHED = 40
"""Games without searching players that are looked on at, unless somebody says otherwise."""
RANDOM_PLAYER, SEARCHING_PLAYER = Spec("r"), Spec("s")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a plan: `games` games of `bots`; if `turning`, all move up a seat after each."""

    bots: tuple[Spec, ...]
    games: int
    turning: bool = False

    def seated(self, game: int) -> tuple[Spec, ...]:
        """The bots by seat in game number `game` of this part.

        >>> one = Part((Spec("s"), Spec("r"), Spec("r")), 9, turning=True)
        >>> [bot.name for bot in one.seated(1)]
        ['r', 's', 'r']
        """
        if not self.turning:
            return self.bots
        first = -game % len(self.bots)
        return self.bots[first:] + self.bots[:first]


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a simulation; `watched` of its games have an onlooker (`bots.lab.play`)."""

    source: Source
    version: int
    seats: int
    parts: tuple[Part, ...]
    seed: int
    options: Options = field(default_factory=dict)
    watched: int = 0
    longest: int = LONGEST
    samples: int | None = None

    @property
    def games(self) -> int:
        """The number of games in all parts."""
        return sum(part.games for part in self.parts)

    def place(self, run: int) -> tuple[Part, int]:
        """The part that game number `run` belongs to, and its number in it."""
        for part in self.parts:
            if run < part.games:
                return part, run
            run -= part.games
        raise IndexError(run)

    def shuffler(self, run: int) -> Shuffler:
        """The shuffler of game number `run`: if deals of a match differ, they come in turn."""
        game = game_of(self.source)
        _, number = self.place(run)
        cycle = game.cycle(self.options, self.seats) if isinstance(game, Match) else 1
        seed = b"blackqueen.lab" + seed_from_int(self.seed) + run.to_bytes(8, "big")
        return Shuffler(sha256(seed).digest(), number % cycle)

    def draws(self, run: int, who: Seat | str) -> str:
        """The seed of the random choices of a seat in game number `run`, or of another chooser."""
        return f"{self.seed}/{run}/{who}"

    def as_json(self) -> dict[str, object]:
        """The whole plan in plain values, with a description's text replaced by its digest."""
        whole = asdict(self)
        whole["source"] = {
            "name": self.source.name,
            "sha256": sha256(self.source.text.encode()).hexdigest() if self.source.text else "",
        }
        whole["parts"] = [
            {"bots": [str(bot) for bot in part.bots], "games": part.games, "turning": part.turning}
            for part in self.parts
        ]
        return whole


def plan_of(
    source: Source,
    *,
    bots: Sequence[Spec] = (RANDOM_PLAYER,),
    games: int = 1000,
    seats: int | None = None,
    seed: int = 1,
    options: Mapping[str, object] | None = None,
    full: int = 0,
    watched: int = WATCHED,
    longest: int = LONGEST,
    samples: int | None = None,
) -> Plan:
    """A plan that can be played, or `BadPlan` with what is wrong.

    One bot alone sits in every seat. With `full`, parts of so many games each are added for the
    published statistics: all random if the others are not, one searching player in each seat in
    turn among random ones, and all searching.
    """
    game = game_of(source)
    count = seats or (len(bots) if len(bots) > 1 else game.info.usual_seats)
    if count < 2:
        raise BadPlan(f"{game.info.title} is for one player; statistics compare several")
    lineup = tuple(bots) * count if len(bots) == 1 else tuple(bots)
    if len(lineup) != count:
        raise BadPlan(f"{len(lineup)} bots for {count} players: name one for each seat, or one")
    parts = [Part(lineup, games)]
    if full:
        one = (SEARCHING_PLAYER,) + (RANDOM_PLAYER,) * (count - 1)
        parts += [Part(one, full, turning=True), Part((SEARCHING_PLAYER,) * count, full)]
        if not all(is_random(game.info.id, bot) for bot in lineup):
            parts.insert(1, Part((RANDOM_PLAYER,) * count, full))
    try:
        for spec in {spec for part in parts for spec in part.bots}:
            make_bot(game.info.id, spec, catalogue_of(source))
        seed_from_int(seed)
        complete = complete_options(game, count, options or {})
    except (BadBot, EngineError) as error:
        raise BadPlan(str(error)) from error
    return Plan(
        source, game.info.version, count, tuple(parts), seed, complete, watched, longest, samples
    )


def is_random(game: str, bot: Spec) -> bool:
    """Whether the bot plays any legal move with equal probability."""
    return recipe_of(game, bot) == RANDOM
