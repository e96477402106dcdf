"""The judgement of one decision: what a bot would have done with the seat's knowledge.

Points are those by which the bot weighs moves: the lead over the others, or the score. A bot that
does not weigh moves by points only says what it would have played.
"""

from dataclasses import dataclass, replace
from hashlib import sha256
from math import hypot, isfinite
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from bots.bot import BEST, Bot, Budget, Candidate, Decision, Position
from bots.review.columns import Places, Shares, Valued, places_of, shares_of
from bots.review.moments import DecisionPoint
from bots.roster import make_bot, recipe_of, repeatable, strengths
from bots.spec import Spec
from engine.catalogue import GAMES, Catalogue
from engine.choices import Action, Choices

Aim: TypeAlias = Literal["high", "low"]

IN_POINTS = ("lead", "team_lead", "score")
"""Measures by which the value of a candidate is in points, more of them better."""


LEAST_SAMPLES = 256
"""Nobody waits for a move, so a bot that usually has little time may think longer."""
THOROUGH_SAMPLES = 128
"""Worlds in which every move is tried, for the two columns."""


class Worth(NamedTuple):
    """A number of points, more is better, with its standard error: 0 if it is exact."""

    points: float
    error: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a decision; `best` is the bot's own move.

    `worth` is the deal's expected score after `best`. `lost` is by how many points the played move
    is worse than `best`, `ahead` by how many the played move is better than all others. Each is
    None if it is not known, and `lost` is below 0 if the bot came to like the move better. `shares`
    and `places` are the two columns, if all hands may be seen.
    """

    deal: int
    move: int
    trick: int
    action: Action
    best: Action
    worth: Worth | None = None
    lost: Worth | None = None
    ahead: Worth | None = None
    shares: Shares | None = None
    places: Places | None = None

    @property
    def agrees(self) -> bool:
        """Whether the bot would have played this move, or finds it equally good."""
        return self.action == self.best or self.lost == NOTHING

    @property
    def given_away(self) -> Worth | None:
        """The points that the move gave away, never below 0; None if they are not known."""
        return None if self.lost is None else Worth(max(self.lost.points, 0.0), self.lost.error)


NOTHING = Worth(0.0, 0.0)


def judging_bot(game: str, strength: int, catalogue: Catalogue = GAMES) -> Bot:
    """The bot of `strength`, or the best one below it that can play here, weighing by points."""
    spec = Spec(str(max(each for each in strengths(game) if each <= strength)))
    settings = recipe_of(game, spec).in_points
    return make_bot(game, Spec(spec.name, tuple(settings.items())), catalogue)


def judging_budget(game: str, strength: int) -> Budget:
    """The budget for judging with the bot of `strength`: constant, without a clock."""
    return Budget(samples=max(repeatable(game, strength).samples or 0, LEAST_SAMPLES))


def judge(bot: Bot, moment: DecisionPoint, budget: Budget, aim: Aim, number: int = 0) -> Judgement:
    """The judgement by `bot` of a decision, the `number`-th of a review.

    If `budget` has no clock, one moment gives one judgement. A move that differs from the bot's is
    tried a second time, beside the bot's move alone, in common worlds that did not choose between
    them. Where all hands may be seen, all moves are tried again for the two columns.
    """
    decision = bot.choose(moment.position, budget, _rng(moment.position, number, "first"))
    judged = _compared(bot, moment, decision, budget, aim, number)
    if moment.opened is None or judged.worth is None:
        return judged
    return _with_columns(bot, moment, judged, decision, budget, aim, number)


def _compared(
    bot: Bot, moment: DecisionPoint, decision: Decision, budget: Budget, aim: Aim, number: int
) -> Judgement:
    """The judgement of a move beside the bot's `decision`."""
    position, played = moment.position, moment.action
    best = _candidate(decision, decision.action)
    worth = _worth(decision, best, aim)
    others = [each for each in decision.candidates if each.action != decision.action]
    other = max(others, key=lambda each: _points(decision, each, aim), default=None)
    judged = Judgement(moment.deal, moment.move, moment.trick, played, decision.action, worth=worth)
    if played == decision.action:
        ahead = _less(worth, _worth(decision, other, aim))
        return replace(judged, lost=NOTHING, ahead=ahead)
    if _alike(best, _candidate(decision, played)):
        return replace(judged, lost=NOTHING)
    if worth is None:
        return judged
    rng = _rng(position, number, "second")
    second = bot.choose(_limited(position, (decision.action, played)), budget, rng)
    best, mine = _candidate(second, decision.action), _candidate(second, played)
    if _alike(best, mine):
        return replace(judged, lost=NOTHING)
    lost = _less(_worth(second, best, aim), _worth(second, mine, aim))
    if lost is None and other is not None:
        # The bot never plays the one where it may play the other, so it did not weigh it.
        rng = _rng(position, number, "third")
        third = bot.choose(_limited(position, (other.action, played)), budget, rng)
        lost = _less(worth, _worth(third, _candidate(third, played), aim))
    return replace(judged, lost=lost)


def _with_columns(
    bot: Bot,
    moment: DecisionPoint,
    judged: Judgement,
    decision: Decision,
    budget: Budget,
    aim: Aim,
    number: int,
) -> Judgement:
    """The judgement with its two columns, as far as the bot can fill them."""
    assert moment.opened is not None, "whoever asks has looked"
    tried = (each.action for each in decision.candidates)
    moves = tuple(dict.fromkeys((*tried, judged.best, judged.action)))
    position = _limited(moment.position, moves)
    thorough = replace(budget, samples=THOROUGH_SAMPLES, thorough=True)
    opened = replace(position, view=moment.opened)
    lay = bot.choose(opened, thorough, _rng(position, number, "opened"))
    worths = [(each.action, _worth(lay, each, aim)) for each in lay.candidates]
    valued = [Valued(action, *worth) for action, worth in worths if worth is not None]
    places = places_of(valued, judged.action, judged.best)
    shares = None
    if any(BEST in each.why for each in lay.candidates):
        known = bot.choose(position, thorough, _rng(position, number, "thorough"))
        shares = shares_of(known, judged.action, judged.best)
    return replace(judged, shares=shares, places=places)


def _limited(position: Position, actions: tuple[Action, ...]) -> Position:
    """A copy of the position with only these choices."""
    return replace(position, choices=Choices(actions))


def _rng(position: Position, number: int, attempt: str) -> Random:
    label = f"review {position.game} {number} {attempt}"
    return Random(sha256(label.encode()).digest())


def _candidate(decision: Decision, action: Action) -> Candidate | None:
    return next((each for each in decision.candidates if each.action == action), None)


def _alike(one: Candidate | None, two: Candidate | None) -> bool:
    """Whether the bot has one opinion of both moves, as of touching cards."""
    if one is None or two is None:
        return False
    return (one.value, one.why) == (two.value, two.why)


def _less(more: Worth | None, less: Worth | None) -> Worth | None:
    """The difference of two values; the error of one found in common worlds is less than this."""
    if more is None or less is None:
        return None
    return Worth(more.points - less.points, hypot(more.error, less.error))


def _points(decision: Decision, candidate: Candidate, aim: Aim) -> float:
    worth = _worth(decision, candidate, aim)
    return float("-inf") if worth is None else worth.points


def _worth(decision: Decision, candidate: Candidate | None, aim: Aim) -> Worth | None:
    """The value of a candidate in points; None if the bot does not give it."""
    if candidate is None or not isfinite(candidate.value):
        return None
    why = candidate.why
    if decision.measure in IN_POINTS and "deviation" in why:
        return Worth(candidate.value, why["deviation"])
    if "score" in why and "score_deviation" in why:
        score = why["score"] if aim == "high" else -why["score"]
        return Worth(score, why["score_deviation"])
    return None
