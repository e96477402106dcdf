"""One played game of a plan: the choices, their numbers of options, the leads, the result."""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random

from bots.bot import Bot, Budget, Candidate, Decision, Position
from bots.generic.moves import moves_in
from bots.generic.search import LEAD, Searcher
from bots.lab.games import Source, catalogue_of, game_of
from bots.lab.plan import Plan
from bots.lab.running_deal import Ending, RunningDeal, RunningDescribedDeal
from bots.lab.runs import Choice, Lead, Run
from bots.random_bot import RandomBot, random_action
from bots.roster import make_bot
from bots.spec import Spec
from engine.choices import Choices
from engine.facts import AddressedFact, Fact, Seat, seen_by
from engine.game import Setup
from engine.recycle import Description


def play(plan: Plan, number: int) -> Run:
    """The result of game number `number` of the plan, which is always equal."""
    part, at = plan.place(number)
    specs = part.seated(at)
    names = tuple(map(str, specs))
    players = [
        _Player(_bot(plan.source, spec), seat, Random(plan.draws(number, seat)), plan)
        for seat, spec in enumerate(specs)
    ]
    deal = _running_deal(plan, number, players)
    opinionated = any(isinstance(player.bot, Searcher) for player in players)
    onlooker = None if opinionated or at >= plan.watched else Random(plan.draws(number, "onlooker"))
    choices: list[Choice] = []
    leads: list[Lead] = []
    while (ending := deal.ending()) is None:
        if len(choices) == plan.longest:
            ending = Ending(stopped=f"more than {plan.longest} choices")
            break
        for player in players:
            player.hear(deal.facts)
        seat = deal.turn()
        offered = deal.choices(seat)
        # Once a round says as much as at every move, and costs a share of it.
        if onlooker is not None and len(choices) % plan.seats == 0:
            leads.append(Lead(len(choices), seat, deal.look_on(onlooker)))
        decision = players[seat].choose(deal, offered)
        opinion = _opinion(decision, len(choices), seat, plan.seats)
        leads += [opinion] if opinion else []
        choices.append(Choice(seat, moves_in(offered), decision.action))
        deal.play(seat, decision.action)
    return Run(
        number, names, ending.scores, ending.ranks, tuple(choices), tuple(leads), ending.stopped
    )


def _running_deal(plan: Plan, number: int, players: Sequence["_Player"]) -> RunningDeal:
    game = game_of(plan.source)
    setup = Setup(plan.seats, plan.options, plan.shuffler(number))
    if isinstance(game, Description) and not any(player.bot.needs_facts for player in players):
        return RunningDescribedDeal(game, setup)
    return RunningDeal(game, setup)


class _Player:
    """A bot in its seat, with all that it has seen of this deal."""

    def __init__(self, bot: Bot, seat: Seat, rng: Random, plan: Plan) -> None:
        self.bot = bot
        self._seat = seat
        self._rng = rng
        self._plan = plan
        self._known: list[Fact] = []

    def hear(self, facts: Sequence[AddressedFact]) -> None:
        if self.bot.needs_facts:
            self._known += seen_by(facts, self._seat)

    def choose(self, deal: RunningDeal, offered: Choices) -> Decision:
        # What it would not look at need not be drawn up.
        if isinstance(self.bot, RandomBot):
            return Decision(random_action(offered, self._rng))
        position = Position(
            game=deal.rules.info.id,
            seat=self._seat,
            view=deal.view(self._seat),
            choices=offered,
            options=self._plan.options,
            facts=tuple(self._known),
        )
        return self.bot.choose(position, Budget(samples=self._plan.samples), self._rng)


@cache
def _bot(source: Source, spec: Spec) -> Bot:
    """A bot, made once a process; if it can value a deal, it does so at every move."""
    catalogue = catalogue_of(source)
    game = game_of(source).info.id
    bot = make_bot(game, spec, catalogue)
    if isinstance(bot, Searcher) and "forced" not in dict(spec.settings):
        told = Spec(spec.name, (*spec.settings, ("forced", True)))
        return make_bot(game, told, catalogue)
    return bot


def _opinion(decision: Decision, move: int, seat: Seat, seats: int) -> Lead | None:
    """The estimates behind a decision, if the player has any."""
    rated = [each for each in decision.candidates if f"{LEAD}{seat}" in each.why]
    if not rated:
        return None
    own = [each.why[f"{LEAD}{seat}"] for each in rated]
    made = next(each for each in rated if each.action == decision.action)
    return Lead(move, seat, _leads(made, seats), min(own), max(own))


def _leads(candidate: Candidate, seats: int) -> tuple[float, ...]:
    why: Mapping[str, float] = candidate.why
    return tuple(why[f"{LEAD}{seat}"] for seat in range(seats))
