"""Games made by hand, plans for small ones, and the command that plays them."""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from blackqueen.main import main
from bots.lab.folder import STATE
from bots.lab.games import Source
from bots.lab.plan import LONGEST, Part, Plan, plan_of
from bots.lab.runs import TABLES, Choice, Lead, Run
from bots.spec import parse_spec

QUICK = ("schnapsen", "--games", "12", "--watch", "2", "--workers", "1")
Told = tuple[int, float, float, tuple[float, ...]]
"""What a searching seat thought: the seat, its worst and best move, and everybody's lead."""


def game(
    number: int,
    ranks: Sequence[int],
    options: Sequence[int] = (2,),
    bots: str = "r",
    told: Sequence[Told] = (),
) -> Run:
    """A game with this ending; seats choose in turn, and scores follow from the ranks."""
    names = bots.split(",") if "," in bots else [bots] * len(ranks)
    choices = (Choice(move % len(ranks), many, "go") for move, many in enumerate(options))
    leads = (Lead(move, who, leads, low, high) for move, (who, low, high, leads) in enumerate(told))
    return Run(
        number,
        tuple(names),
        tuple(10 - rank for rank in ranks),
        tuple(ranks),
        tuple(choices),
        tuple(leads),
    )


def plan(*parts: tuple[str, int], seats: int = 2, seed: int = 1) -> Plan:
    """A plan of Schnapsen, or of Whist for more players, with these lineups and numbers."""
    source = Source("schnapsen" if seats == 2 else "whist")
    made = tuple(
        Part(tuple(map(parse_spec, bots.split(","))) * (1 if "," in bots else seats), games)
        for bots, games in parts
    )
    return Plan(source, 1, seats, made, seed)


def small(
    game: str = "schnapsen",
    bots: str = "r",
    games: int = 6,
    *,
    seats: int | None = None,
    full: int = 0,
    longest: int = LONGEST,
) -> Plan:
    """A small plan as the command makes it."""
    specs = tuple(map(parse_spec, bots.split(",")))
    return plan_of(
        Source(game), bots=specs, games=games, seats=seats, full=full, longest=longest, watched=2
    )


def described(name: str, bots: str = "r", games: int = 4, *, full: int = 0) -> Plan:
    """A plan of a description of the program, with two of its games watched."""
    text = files("engine.recycle.games").joinpath(f"{name}.rcy").read_text(encoding="utf-8")
    specs = tuple(map(parse_spec, bots.split(",")))
    return plan_of(Source(name, text), bots=specs, games=games, full=full, watched=2)


def simulate(*words: str) -> int:
    """The exit code of a run, returned or raised by argparse."""
    try:
        return main(["simulate", *words])
    except SystemExit as stop:
        return int(str(stop.code))


def tables(path: Path) -> dict[str, bytes]:
    return {name: (path / f"{name}.csv").read_bytes() for name in TABLES}


def kept(path: Path) -> int:
    """The number of games stored in the folder."""
    return int(json.loads((path / STATE).read_text())["done"]["runs"])
