"""The parts of actions: each lies where the view says, and choosing some leaves few actions."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import TypeVar

from engine.choices import Action, Choices, MovedCards, Parts, Pick
from engine.game import Setup
from engine.parts import gathered, in_parts
from engine.views import View
from tests.conformance.playing import play
from tests.conformance.subject import Subject

S = TypeVar("S")
FEW = 8
"""Actions of which a person picks one by its text, after pointing at two parts."""
LOOKED_AT = 8
"""Steps of a match."""


def check_parts(subject: Subject[S], setup: Setup, rng: Random) -> None:
    """Parts tell actions apart, cards lie where they say, and three steps lead to each action."""
    game = subject.game
    steps = play(game, setup, rng).steps
    for step in rng.sample(steps, min(LOOKED_AT, len(steps))):
        for seat in game.to_act(step.state):
            choices = game.choices(step.state, seat)
            told = in_parts(game, step.state, seat, choices)
            assert (told.actions, told.texts) == (choices.actions, choices.texts)
            assert len(told.parts) == len(set(told.parts)) == len(told.actions)
            view = game.view(step.state, seat)
            for parts in told.parts:
                expect_in_place(told, parts, view)
                assert set(parts.seats) <= set(range(setup.seats))
            for pick in told.picks:
                zone = view.zones[told.ways[pick.way].source]
                assert not Counter(pick.cards) - Counter(zone.cards)
            expect_narrow(told)
            shorter = gathered(told, {card.token: card.order for card in game.info.legend})
            expect_same(told, shorter)
            for pick in shorter.picks:
                chosen = rng.sample(pick.cards, rng.randint(pick.least, pick.most))
                ordered = [card for card in pick.cards if card in chosen]
                game.apply(step.state, seat, " ".join((pick.verb, *ordered)))


def expect_in_place(told: Choices, parts: Parts, view: View) -> None:
    """Check that a moved card lies in its zone, or has come there by the action itself."""
    arrived: Counter[tuple[str, str]] = Counter()
    for move in moves_of(parts):
        way = told.ways[move.way]
        if not way.source:
            assert (move.cards, move.backs) == ((), ())
            continue
        zone = view.zones[way.source]
        for card in move.cards:
            assert card in zone.cards or arrived[way.source, card], (way, card)
            arrived[way.target, card] += 1
        assert all(0 <= place < zone.backs for place in move.backs), (way, move)


def moves_of(parts: Parts) -> tuple[MovedCards, ...]:
    """The first move of an action, and those that follow."""
    return MovedCards(parts.way, parts.cards, parts.backs), *parts.then


def pointed_at(told: Choices, parts: Parts) -> Iterator[object]:
    """All parts that a person may choose for this action, words and numbers in a list included."""
    yield "title", told.ways[parts.way].title
    for move in moves_of(parts):
        way = told.ways[move.way]
        yield from (("card", way.source, card) for card in move.cards)
        yield from (("back", way.source, place) for place in move.backs)
        if not (move.cards or move.backs):
            yield "source", way.source
        yield "target", way.target
    yield from (("seat", seat) for seat in parts.seats)
    yield from (("word", word) for word in parts.words)
    yield from (("number", number) for number in parts.numbers)


def expect_narrow(told: Choices) -> None:
    """Check that two parts select each action, or so few that one can be chosen by its text."""
    with_part: dict[object, set[int]] = {}
    for at, parts in enumerate(told.parts):
        for part in pointed_at(told, parts):
            with_part.setdefault(part, set()).add(at)
    for at, parts in enumerate(told.parts):
        left = set(range(len(told.parts)))
        for _ in range(2):
            left = min((left & with_part[part] for part in pointed_at(told, parts)), key=len)
        assert at in left
        assert len(left) <= FEW, [told.actions[other] for other in sorted(left)]


def expect_same(listed: Choices, shorter: Choices) -> None:
    """Check that two choices allow equal actions, in whatever order cards are named."""
    assert meant(listed) == meant(shorter)


def meant(choices: Choices) -> Counter[tuple[str, ...]]:
    """Every action of the choices, with its words in sorted order."""
    every = [*choices.actions]
    for pick in choices.picks:
        every += picked(pick)
    return Counter(tuple(sorted(action.split(" "))) for action in every)


def picked(pick: Pick) -> Iterator[Action]:
    """Every action of a pick."""
    for size in range(pick.least, pick.most + 1):
        for cards in combinations(pick.cards, size):
            yield " ".join((pick.verb, *cards))
