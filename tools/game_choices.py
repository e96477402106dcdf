"""How many choices a match of each included game has, as lists of games tell it.

.venv/bin/python -m tools.game_choices [GAME …]

It writes the lines of `choices` in `server/games/figures.toml`: the median of the choices of all
players in a match with the usual options. The game's own bots of strength 1 play it (random ones at
Whist, where each match has the same number of cards), and described games searching players.
"""

import argparse
import sys
from collections.abc import Iterator
from random import Random
from statistics import median

from bots.bot import Budget, position_of
from bots.lab.games import Source, game_of
from bots.lab.plan import plan_of
from bots.lab.play import play
from bots.roster import make_bot
from bots.spec import Spec
from engine import Setup, Shuffler, complete_options, seed_from_int
from engine.catalogue import GAMES
from engine.recycle.games import description, names
from protocol.safe_text import say
from server.games.figures import measured_name

MATCHES = 5
MOST_CHOICES = 3_000
_SEED = 1


def main() -> int:
    """Write the figures of all games, or of those that are named."""
    parser = argparse.ArgumentParser(prog="tools.game_choices", description=__doc__)
    parser.add_argument("game", nargs="*", help="a game, or the name of an included file")
    wanted = parser.parse_args().game
    for source in _sources():
        if wanted and source.name not in wanted:
            continue
        found = _choices(source)
        if found is not None:
            named = f'"{measured_name(source.text)}"' if source.text else source.name
            note = f"  # {source.name}" if source.text else ""
            say(f"{named} = {found}{note}", flush=True)
    return 0


def _sources() -> Iterator[Source]:
    yield from (Source(info.id) for info in GAMES)
    yield from (Source(name, description(name)) for name in names())


def _choices(source: Source) -> int | None:
    """Return the median number of choices in a match; None if it does not end by itself."""
    one = _one_described if source.text else _one_match
    found = round(median(one(source, number) for number in range(MATCHES)))
    return found if found < MOST_CHOICES else None


def _one_described(source: Source, number: int) -> int:
    plan = plan_of(source, bots=(Spec("s"),), games=MATCHES, watched=0, seed=_SEED)
    run = play(plan, number)
    return MOST_CHOICES if run.stopped else len(run.choices)


def _one_match(source: Source, number: int) -> int:
    game = game_of(source)
    seats = game.info.usual_seats
    options = complete_options(game, seats, {})
    state = game.start(Setup(seats, options, Shuffler(seed_from_int(number)))).state
    bot, rng = make_bot(source.name, 1), Random(number)
    if bot.needs_facts:
        bot = make_bot(source.name, 0)
    for made in range(MOST_CHOICES):
        asked = game.to_act(state)
        if not asked:
            return made
        position = position_of(game, state, asked[0], options)
        state = game.apply(state, asked[0], bot.choose(position, Budget(), rng).action).state
    return MOST_CHOICES


if __name__ == "__main__":
    sys.exit(main())
