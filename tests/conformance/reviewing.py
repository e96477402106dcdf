"""The promises of reviews in every game."""

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

from bots import Budget, Candidate, Decision, Position
from bots.generic.ismcts import TreeSearcher
from bots.generic.moves import listed
from bots.review import DecisionPoint, SeatMemory, judge, summarize
from engine.facts import Seat, seen_by
from engine.game import Setup
from tests.conformance.playing import Played, play
from tests.conformance.subject import Subject
from tests.conformance.two_worlds import WorldPair

FEW = Budget(samples=4)


class Fingerprint:
    """A bot whose opinion is a digest of all it was told, so that it differs for every position."""

    in_place = True
    needs_facts = True

    def choose(self, position: Position, budget: Budget, rng: Random) -> Decision:
        told = repr((position.seat, position.view, position.choices, position.facts))
        worth = int.from_bytes(sha256(told.encode()).digest()[:6], "big")
        candidates = tuple(
            Candidate(action, worth - at, {"deviation": rng.random()})
            for at, action in enumerate(listed(position.choices, rng, 24))
        )
        return Decision(candidates[0].action, candidates, measure="lead")


def moments(game: Any, played: Played[Any], seat: Seat) -> Iterator[DecisionPoint]:
    """The decisions of a seat in a played match."""
    memory = SeatMemory(game, played.setup.options, seat)
    for step, move in zip(played.steps, (*played.moves, None), strict=True):
        memory.see(seen_by(step.facts, seat))
        if move is not None and move[0] == seat:
            moment = memory.moment(step.state, move[1])
            if moment is not None:
                yield moment


def check_review(subject: Subject[Any], setup: Setup, rng: Random) -> None:
    """Every decision can be judged from what its seat knew, twice with one result."""
    game = subject.game
    played = play(game, setup, rng)
    seat = rng.randrange(setup.seats)
    decisions = list(moments(game, played, seat))
    bot = TreeSearcher(game)
    some = sorted(rng.sample(range(len(decisions)), min(3, len(decisions))))
    judged = [judge(bot, decisions[at], FEW, game.info.aim, at) for at in some]
    assert judged == [judge(bot, decisions[at], FEW, game.info.aim, at) for at in some]
    for at, judgement in zip(some, judged, strict=True):
        choices = decisions[at].position.choices
        assert choices.allows(judgement.action)
        assert choices.allows(judgement.best)
        assert judgement.given_away is None or judgement.given_away.points >= 0
    assert summarize(judged).decisions == len(judged)


def check_review_secrets(subject: Subject[Any], setup: Setup, rng: Random) -> None:
    """The reviews of two worlds are equal as long as the seat cannot tell them apart."""
    played = play(subject.game, setup, rng)
    at, seat = rng.randrange(len(played.moves)), rng.randrange(setup.seats)
    both = WorldPair(subject, played, at, seat, rng)
    memories = [SeatMemory(world.game, setup.options, seat) for world in both.worlds]
    _see(memories, both, seat)
    before, number = both.steps, 0
    for turn in both.turns():
        if turn.seat == seat:
            one, two = (
                memory.moment(step.state, action)
                for memory, step, action in zip(memories, before, turn.actions, strict=True)
            )
            assert (one is None) == (two is None)
            if one is not None and two is not None:
                first, second = (
                    judge(Fingerprint(), each, FEW, "high", number) for each in (one, two)
                )
                assert first == second, f"seat {seat} learns something from its review"
            number += 1
        _see(memories, both, seat)
        before = both.steps


def _see(memories: list[SeatMemory], both: WorldPair[Any], seat: Seat) -> None:
    for memory, step in zip(memories, both.steps, strict=True):
        memory.see(seen_by(step.facts, seat))
