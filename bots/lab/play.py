"""One game of a plan, played: who chose what among how many, how it stood, and how it ended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from bots.bot import Bot, Budget, Candidate, Decision, Position
from bots.generic.estimates import deal_of, look_on
from bots.generic.moves import moves_in
from bots.generic.search import LEAD, Searcher
from bots.lab.games import Source, catalogue_of, game_of
from bots.lab.plan import Plan
from bots.random_bot import RandomBot, random_action
from bots.roster import make_bot
from bots.spec import Spec
from engine.catalogue import AnyGame
from engine.choices import Action, Choices
from engine.facts import Fact, Seat
from engine.game import Setup
from engine.match import Match, MatchState
from engine.views import View

PLAYOUTS = 10
"""Playouts an onlooker's estimate is made of, as many as the searching player's of a move."""


@dataclass(frozen=True, slots=True)
class Choice:
    """`options` is how many different moves there were."""

    seat: Seat
    options: int
    chosen: Action


@dataclass(frozen=True, slots=True)
class Lead:
    """How a game stood for each seat at choice number `move` of `seat`, from 0 to 1.

    A searching player says so of the move it makes, and how its `worst` and `best` one stood for
    itself. An onlooker, who sees all cards, says it of the table before the move.
    """

    move: int
    seat: Seat
    leads: tuple[float, ...]
    worst: float | None = None
    best: float | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A game that was played; without scores it was stopped, for the reason given."""

    number: int
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    choices: tuple[Choice, ...]
    leads: tuple[Lead, ...] = ()
    stopped: str = ""


class Table:
    """A deal in play. Bots see of it what they would see at a table: the first deal of a match."""

    def __init__(self, game: AnyGame, setup: Setup) -> None:
        self._match = game if isinstance(game, Match) else None
        self._setup = setup
        step = game.start(setup)
        self.rules = deal_of(game)
        self.state = step.state.deal if self._match else step.state
        self.facts: tuple[Fact, ...] = step.facts

    def view(self, seat: Seat) -> View:
        if self._match is None:
            return self.rules.view(self.state, seat)
        setup = self._setup
        match: MatchState[Any] = MatchState(
            setup, self.state, setup.shuffler.deal, (0,) * setup.seats
        )
        return self._match.view(match, seat)

    def play(self, seat: Seat, action: Action) -> None:
        step = self.rules.apply(self.state, seat, action)
        self.state, self.facts = step.state, step.facts


def play(plan: Plan, number: int) -> Run:
    """Game number `number` of the plan, always the same."""
    part, at = plan.place(number)
    specs = part.seated(at)
    game = game_of(plan.source)
    table = Table(game, Setup(plan.seats, plan.options, plan.shuffler(number)))
    players = [
        _Player(_bot(plan.source, spec), seat, Random(plan.draws(number, seat)), plan)
        for seat, spec in enumerate(specs)
    ]
    opinionated = any(isinstance(player.bot, Searcher) for player in players)
    onlooker = None if opinionated or at >= plan.watched else Random(plan.draws(number, "onlooker"))
    choices: list[Choice] = []
    leads: list[Lead] = []
    names = tuple(map(str, specs))
    while (outcome := table.rules.outcome(table.state)) is None:
        if len(choices) == plan.longest:
            reason = f"stopped after {plan.longest} choices"
            return Run(number, names, (), (), tuple(choices), tuple(leads), reason)
        for player in players:
            player.hear(table.facts)
        seat = table.rules.to_act(table.state)[0]
        offered = table.rules.choices(table.state, seat)
        # Once a round says as much as at every move, and costs a share of it.
        if onlooker is not None and len(choices) % plan.seats == 0:
            seen = look_on(game, table.state, PLAYOUTS, onlooker)
            leads.append(Lead(len(choices), seat, seen))
        decision = players[seat].choose(table, offered)
        opinion = _opinion(decision, len(choices), seat, plan.seats)
        leads += [opinion] if opinion else []
        choices.append(Choice(seat, moves_in(offered), decision.action))
        table.play(seat, decision.action)
    return Run(number, names, outcome.scores, outcome.ranks, tuple(choices), tuple(leads))


class _Player:
    """A bot in its seat, with all that it has seen of this deal."""

    def __init__(self, bot: Bot, seat: Seat, rng: Random, plan: Plan) -> None:
        self.bot = bot
        self._seat = seat
        self._rng = rng
        self._plan = plan
        self._known: list[Fact] = []

    def hear(self, facts: Sequence[Fact]) -> None:
        if self.bot.needs_facts:
            self._known += (fact for fact in facts if fact.seen_by(self._seat))

    def choose(self, table: Table, offered: Choices) -> Decision:
        # What it would not look at need not be drawn up.
        if isinstance(self.bot, RandomBot):
            return Decision(random_action(offered, self._rng))
        position = Position(
            game=table.rules.info.id,
            seat=self._seat,
            view=table.view(self._seat),
            choices=offered,
            options=self._plan.options,
            facts=tuple(self._known),
        )
        return self.bot.choose(position, Budget(samples=self._plan.samples), self._rng)


@cache
def _bot(source: Source, spec: Spec) -> Bot:
    """A bot, made once a process. If it can say how a deal stands, it does so at every move."""
    catalogue = catalogue_of(source)
    game = game_of(source).info.id
    bot = make_bot(game, spec, catalogue)
    if isinstance(bot, Searcher) and "forced" not in dict(spec.settings):
        told = Spec(spec.name, (*spec.settings, ("forced", True)))
        return make_bot(game, told, catalogue)
    return bot


def _opinion(decision: Decision, move: int, seat: Seat, seats: int) -> Lead | None:
    """What the player thought of its moves, if it is one that thinks in estimates."""
    rated = [each for each in decision.candidates if f"{LEAD}{seat}" in each.why]
    if not rated:
        return None
    own = [each.why[f"{LEAD}{seat}"] for each in rated]
    made = next(each for each in rated if each.action == decision.action)
    return Lead(move, seat, _leads(made, seats), min(own), max(own))


def _leads(candidate: Candidate, seats: int) -> tuple[float, ...]:
    why: Mapping[str, float] = candidate.why
    return tuple(why[f"{LEAD}{seat}"] for seat in range(seats))
